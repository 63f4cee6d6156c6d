"""`groundrule runs …` and `groundrule version`."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from datetime import datetime
from typing import Annotated, Any, TypeVar

import typer

import groundrule
from groundrule import RuleFileError, compile_rules, evaluate
from groundrule.canonical import canonical_json
from groundrule.gateway.ports import StoreUnavailable
from groundrule.rules.ruleset import LANGUAGE_VERSION

from ..store.sqlite import SqliteStore
from . import shown

runs = typer.Typer(
    help="What was asked, and on what it was decided.", no_args_is_help=False, invoke_without_command=True
)
T = TypeVar("T")


def _done(work: Coroutine[Any, Any, T]) -> T:
    try:
        return asyncio.run(work)
    except StoreUnavailable as why:
        shown.wrong_call(str(why))


@runs.callback()
def listed(
    context: typer.Context,
    limit: Annotated[int, typer.Option(help="Most runs to list.", min=1, max=10_000)] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the latest runs."""
    if context.invoked_subcommand is not None:
        return
    found = _done(SqliteStore().list_runs(limit))
    if as_json:
        shown.print_json([vars(run) if hasattr(run, "__dict__") else run for run in found])
        return
    for run in found:
        state = run.status if run.reply_kind is None else f"{run.status} ({run.reply_kind})"
        typer.echo(f"{run.execution_id}  {run.started_at}  {state}  {run.question or ''}")


def _run(execution_id: str) -> dict[str, Any]:
    found = _done(SqliteStore().get_run(execution_id))
    if found is None:
        shown.wrong_call(f"there is no run `{execution_id}`", "groundrule runs lists them")
    return found


@runs.command("show")
def show(
    execution_id: Annotated[str, typer.Argument(metavar="ID")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole receipt as JSON.")] = False,
) -> None:
    """Print the chain of decisions of a run."""
    run = _run(execution_id)
    if as_json:
        shown.print_json(run)
        return
    question = run.get("question") or {}
    typer.echo(f"question: {question.get('text', '')}")
    for receipt in run.get("gates", ()):
        decision = receipt["decision"]
        typer.echo(f"{receipt['gate']:9} {decision['outcome']}  at {receipt['now']}")
        for violation in decision["violations"]:
            place = f" @ {violation['at']}" if violation["at"] else ""
            typer.echo(f"          {violation['effect']} {violation['rule']}{place}: {violation['message']['en']}")
    reply = run.get("reply") or {}
    typer.echo(f"reply: {reply.get('status')} {reply.get('kind') or ''}")
    typer.echo(reply.get("text") or "")


@runs.command("replay")
def replay(
    execution_id: Annotated[str, typer.Argument(metavar="ID")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Decide every gate of a run again on its receipt, and compare the bytes."""
    run = _run(execution_id)
    results = [_again(receipt) for receipt in run.get("gates", ())]
    if as_json:
        shown.print_json(results)
    else:
        for result in results:
            typer.echo(f"{result['gate']:9} {'same' if result['same'] else 'DIFFERENT'}  {result['note']}")
    raise typer.Exit(0 if results and all(result["same"] for result in results) else 1)


def _again(receipt: dict[str, Any]) -> dict[str, Any]:
    gate = receipt["gate"]
    if receipt["language_version"] != LANGUAGE_VERSION:
        return {"gate": gate, "same": False, "note": "another version of the rule language"}
    files = _done(SqliteStore().get_rules(receipt["revision"])) if receipt["revision"] else None
    if files is None:
        return {"gate": gate, "same": False, "note": "its rule set is not kept"}
    try:
        rules = compile_rules(files)
    except RuleFileError:
        return {"gate": gate, "same": False, "note": "its rule set cannot be read any more"}
    facts = rules.facts_from_json(gate, canonical_json(receipt["facts"] or {}))
    decision = evaluate(
        rules,
        gate,
        facts,
        datetime.fromisoformat(receipt["now"]),
        as_of=datetime.fromisoformat(receipt["as_of"]) if receipt["as_of"] else None,
        pins=receipt["pins"] or None,
        can=tuple(receipt["can"]),
    )
    same = canonical_json(decision.to_json()) == canonical_json(receipt["decision"])
    return {"gate": gate, "same": same, "note": decision.outcome}


def version() -> None:
    """Print the version."""
    typer.echo(f"groundrule {groundrule.__version__} (rule language {LANGUAGE_VERSION})")
