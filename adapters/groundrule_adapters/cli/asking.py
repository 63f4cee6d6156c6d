"""`groundrule ask`."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import typer

from groundrule import Context, Question, Reply, RuleFileError

from ..settings import ConfigError, Settings, read_settings
from . import shown


def ask(
    question: Annotated[str, typer.Argument(help="The question, in Chinese or English.")],
    rules: Annotated[Path | None, typer.Option(help="Folder or file of the rule set.")] = None,
    mcp: Annotated[Path | None, typer.Option(help="An mcp.json with the servers to ask.")] = None,
    zone: Annotated[str | None, typer.Option(help="IANA time zone of the user.")] = None,
    settings: Annotated[Path | None, typer.Option(help="A groundrule.toml with the settings.")] = None,
    live: Annotated[bool, typer.Option("--live", help="Let the live search of the web stand in.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the reply as JSON.")] = False,
) -> None:
    """Plan a question, fetch evidence, judge it, and answer with sources, or refuse and say why."""
    try:
        question.encode("utf-8")
    except UnicodeEncodeError:
        shown.wrong_call("the question is not UTF-8")
    try:
        read = read_settings(settings, rules=rules, mcp=mcp, zone=zone)
        if live:
            read = replace(read, live=read.live.model_copy(update={"enabled": True}))
        if read.zone is not None and not _is_zone(read.zone):
            shown.wrong_call(f"there is no time zone `{read.zone}`", "write an IANA name, such as Asia/Shanghai")
        reply = asyncio.run(_asked(question, read))
    except RuleFileError as why:
        shown.unusable(why, as_json)
    except ConfigError as why:
        shown.wrong_call(str(why))
    if as_json:
        shown.print_json(reply.model_dump(mode="json", by_alias=True, exclude_none=True))
    else:
        typer.echo((reply.markdown if markdown else reply.text) or "")
    raise typer.Exit(0 if reply.status == "answered" else 1)


async def _asked(text: str, settings: Settings) -> Reply:
    from .. import wiring

    async with wiring.open_gateway(settings) as gateway:
        for server, reason in gateway.left_out.items():
            typer.echo(f"groundrule: the MCP server `{server}` is not used: {reason}", err=True)
        language = "zh" if any("\u4e00" <= char <= "\u9fff" for char in text) else "en"
        question = Question.model_validate(
            {"id": wiring.new_id(), "text": text, "language": language, "asked_at": wiring.now()}
        )
        context = Context.model_validate({"zone": settings.zone or zone_of_machine(), "channel": "cli"})
        return await gateway.ask(question, context)


def _is_zone(name: str) -> bool:
    try:
        return bool(ZoneInfo(name).key)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False


def zone_of_machine() -> str:
    """The IANA zone that TZ names; Asia/Shanghai where it names none, as with `:/etc/localtime`."""
    name = os.environ.get("TZ", "")
    return name if name and _is_zone(name) else "Asia/Shanghai"
