"""`groundrule ask`."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from groundrule import Context, Question, Reply, RuleFileError

from ..settings import ConfigError, Settings, read_settings
from . import given, shown


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
    with given.told(as_json):
        given.utf8(question, "QUESTION")
    try:
        read = read_settings(settings, rules=rules, mcp=mcp, zone=zone)
        if live:
            read = replace(read, live=read.live.model_copy(update={"enabled": True}))
        with given.told(as_json):
            place = given.zone_or_machine(read.zone, "zone")
        reply = asyncio.run(_asked(question, place, read))
    except RuleFileError as why:
        shown.unusable(why, as_json)
    except ConfigError as why:
        shown.wrong_call(str(why))
    if as_json:
        shown.print_json(reply.model_dump(mode="json", by_alias=True, exclude_none=True))
    else:
        typer.echo((reply.markdown if markdown else reply.text) or "")
    raise typer.Exit(0 if reply.status == "answered" else 1)


async def _asked(text: str, zone: str, settings: Settings) -> Reply:
    from .. import wiring

    async with wiring.open_gateway(settings) as gateway:
        for server, reason in gateway.left_out.items():
            typer.echo(f"groundrule: the MCP server `{server}` is not used: {reason}", err=True)
        asked = {"id": wiring.new_id(), "text": text, "language": given.language_of(text), "asked_at": wiring.now()}
        return await gateway.ask(Question.model_validate(asked), Context(zone=zone, channel="cli"))
