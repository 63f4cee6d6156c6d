"""`groundrule mcp …`: try a server, list those that are configured, serve as one."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from groundrule import Context, Question, RuleFileError
from groundrule.diagnostics import visible

from ..settings import ConfigError, Settings, read_settings
from . import given, shown

servers = typer.Typer(help="MCP servers: try one, list those that are configured, be one.", no_args_is_help=True)
MAX_LINES = 60
"""Lines of a raw result that people are shown; `--json` has all."""

Rules = Annotated[Path | None, typer.Option(help="Folder or file of the rule set.")]
Config = Annotated[Path | None, typer.Option("--mcp", help="An mcp.json with the servers.")]
File = Annotated[Path | None, typer.Option("--settings", help="A groundrule.toml with the settings.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@servers.command("try")
def try_one(
    server: Annotated[str, typer.Argument(help="A configured server.")],
    query: Annotated[str, typer.Argument(help="What to ask it.")],
    rules: Rules = None,
    mcp: Config = None,
    settings: File = None,
    as_json: AsJson = False,
) -> None:
    """Ask one server, and show its raw result, the evidence made of it, and what each contract says of that."""
    from .. import trial, wiring

    read = _settings(settings, rules, mcp)
    with given.told(as_json):
        language = given.language_of(given.utf8(query, "QUERY"))
        place = given.zone_or_machine(read.zone, "zone")
    try:
        asked = {"id": wiring.new_id(), "text": query, "language": language, "asked_at": wiring.now()}
        context = Context.model_validate({"zone": place, "channel": "cli"})
        found = asyncio.run(trial.try_server(read, server, Question.model_validate(asked), context))
    except RuleFileError as why:
        shown.unusable(why, as_json)
    except ConfigError as why:
        _unusable(why)
    told = found.to_json()
    if as_json:
        shown.print_json(told)
    else:
        _print(told)
    raise typer.Exit(0 if told["decision"] is not None and told["decision"]["outcome"] == "allow" else 1)


@servers.command("list")
def list_all(rules: Rules = None, mcp: Config = None, settings: File = None, as_json: AsJson = False) -> None:
    """List the configured servers in order of preference, and why some are not used. Ends with 1 if none is."""
    from .. import trial

    try:
        found = trial.listed(_settings(settings, rules, mcp))
    except RuleFileError as why:
        shown.unusable(why, as_json)
    except ConfigError as why:
        _unusable(why)
    if as_json:
        shown.print_json(list(found))
    else:
        typer.echo(f"{'server':20} tool  reached")
        for one in found:
            state = f"not used: {one['left_out']}" if "left_out" in one else f"{one['tool']}  {one['reached']}"
            typer.echo(f"{one['server']:20} {visible(state)}")
    raise typer.Exit(0 if any("left_out" not in one for one in found) else 1)


@servers.command("serve")
def serve(
    rules: Rules = None,
    mcp: Config = None,
    settings: File = None,
    port: Annotated[
        int | None, typer.Option(help="Serve streamable HTTP at this port of 127.0.0.1.", min=1, max=65_535)
    ] = None,
) -> None:
    """Be an MCP server with the tools ask, evaluate and explain; over stdin and stdout unless a port is given."""
    from ..mcp_server import serve as serving

    read = _settings(settings, rules, mcp)
    with given.told(as_json=False):
        place = given.zone_or_machine(read.zone, "zone")
    try:
        asyncio.run(serving(read, place, port, lambda text: typer.echo(text, err=True)))
    except RuleFileError as why:
        shown.faults(why.diagnostics)
        raise typer.Exit(1) from None
    except ConfigError as why:
        _unusable(why)
    except KeyboardInterrupt:
        raise typer.Exit(0) from None


def _settings(path: Path | None, rules: Path | None, mcp: Path | None) -> Settings:
    try:
        return read_settings(path, rules=rules, mcp=mcp)
    except ConfigError as why:
        shown.wrong_call(str(why))


def _unusable(why: ConfigError) -> NoReturn:
    from ..sources.mcp import MappingError

    if isinstance(why, MappingError):
        shown.faults(why.diagnostics)
        raise typer.Exit(2)
    shown.wrong_call(str(why))


def _print(told: dict[str, Any]) -> None:
    for call in told["calls"]:
        arguments = json.dumps(call["call"].get("arguments"), ensure_ascii=False)
        typer.echo(f"call {call['call'].get('tool')} {visible(arguments)}: {call['outcome']}")
        _print_violations(call["violations"])
    for at, result in enumerate(told["raw"]):
        typer.echo(f"\nraw result {at + 1}")
        lines = json.dumps(result, ensure_ascii=False, indent=2).splitlines()
        for line in lines[:MAX_LINES]:
            typer.echo(f"  {visible(line)}")
        if len(lines) > MAX_LINES:
            typer.echo(f"  … {len(lines) - MAX_LINES} lines more; --json has all")
    for attempt in told["attempts"]:
        reason = f": {visible(attempt['reason'])}" if attempt.get("reason") else ""
        typer.echo(f"\noutcome: {attempt['outcome']}{reason}")
    for at, one in enumerate(told["evidence"]):
        item = one["item"]
        typer.echo(f"\nevidence[{at}] {visible(item.get('title') or '(no title)')}")
        dated = item.get("dated_at") or "no date"
        typer.echo(f"  {visible(item.get('target_url') or '(no address)')}  {item.get('source_type')}  {dated}")
        typer.echo(f"  {visible(item.get('snippet') or '')}")
        for verdict in one["contracts"]:
            typer.echo(f"  {verdict['contract']:12} {verdict['says']}")
            _print_violations(verdict["violations"])
    if told["decision"] is not None:
        typer.echo(f"\nevidence gate: {told['decision']['outcome']}")
        of_items = tuple(f"evidence[{at}]" for at in range(len(told["evidence"])))
        _print_violations([one for one in told["decision"]["violations"] if one["at"] not in of_items])
    else:
        typer.echo("\nthe run ended before the evidence gate")


def _print_violations(violations: list[dict[str, Any]]) -> None:
    for one in violations:
        typer.echo(f"    {one['effect']:8} {one['rule']}: {visible(one['message']['en'])}")
