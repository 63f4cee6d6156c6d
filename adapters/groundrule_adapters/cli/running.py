"""`groundrule runs …` and `groundrule version`."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from pydantic import BaseModel, ValidationError

import groundrule
from groundrule import RuleFileError, compile_rules, evaluate
from groundrule.canonical import canonical_json
from groundrule.facts.decision import Receipt
from groundrule.gateway.ports import StoreUnavailable
from groundrule.rules.ruleset import LANGUAGE_VERSION

from ..service_settings import DEFAULT_TENANT
from ..settings import ConfigError, read_settings
from ..store.sqlite import SqliteStore, tenant_folder
from . import shown

runs = typer.Typer(
    help="What was asked, and on what it was decided.", no_args_is_help=False, invoke_without_command=True
)
T = TypeVar("T")


class _Question(BaseModel):
    text: str


class _Reply(BaseModel):
    status: str
    kind: str | None = None
    text: str


class _Run(BaseModel):
    """What the commands read of a kept run."""

    question: _Question
    gates: list[Receipt]
    reply: _Reply


Tenant = Annotated[str | None, typer.Option(help="A tenant of the HTTP service whose runs are meant.")]
File = Annotated[Path | None, typer.Option("--settings", help="A groundrule.toml with the settings.")]


def _store(tenant: str | None, settings: Path | None) -> SqliteStore:
    """The runs of a tenant of the settings; those of the command line if None."""
    try:
        read = read_settings(settings)
    except ConfigError as why:
        shown.wrong_call(str(why))
    if tenant is None or tenant == DEFAULT_TENANT:
        return SqliteStore(read.home)
    if tenant not in read.service.tenants:
        known = ", ".join((DEFAULT_TENANT, *sorted(read.service.tenants)))
        shown.wrong_call(f"there is no tenant `{tenant}`", f"tenants: {known}")
    return SqliteStore(tenant_folder(read, tenant))


def _done(work: Coroutine[Any, Any, T]) -> T:
    try:
        return asyncio.run(work)
    except StoreUnavailable as why:
        shown.wrong_call(str(why))


@runs.callback()
def listed(
    context: typer.Context,
    limit: Annotated[int, typer.Option(help="Most runs to list.", min=1, max=10_000)] = 20,
    tenant: Tenant = None,
    settings: File = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the latest runs."""
    if context.invoked_subcommand is not None:
        if tenant is not None or settings is not None:
            shown.wrong_call("--tenant and --settings stand behind the name of the command", f"groundrule runs {context.invoked_subcommand} --help")
        return
    found = _done(_store(tenant, settings).list_runs(limit))
    if as_json:
        shown.print_json([vars(run) if hasattr(run, "__dict__") else run for run in found])
        return
    for run in found:
        state = run.status if run.reply_kind is None else f"{run.status} ({run.reply_kind})"
        typer.echo(f"{run.execution_id}  {run.started_at}  {state}  {run.question or ''}")


def _run(store: SqliteStore, execution_id: str) -> tuple[_Run, dict[str, Any]]:
    """The run, and all that was kept of it."""
    found = _done(store.get_run(execution_id))
    if found is None:
        shown.wrong_call(f"there is no run `{execution_id}`", "groundrule runs lists them")
    try:
        return _Run.model_validate(found), found
    except ValidationError as why:
        first = why.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        shown.wrong_call(f"the run `{execution_id}` is damaged, or another version kept it: {place}: {first['msg']}")


@runs.command("show")
def show(
    execution_id: Annotated[str, typer.Argument(metavar="ID")],
    tenant: Tenant = None,
    settings: File = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole receipt as JSON.")] = False,
) -> None:
    """Print the chain of decisions of a run."""
    run, kept = _run(_store(tenant, settings), execution_id)
    if as_json:
        shown.print_json(kept)
        return
    typer.echo(f"question: {run.question.text}")
    for receipt in run.gates:
        decision = receipt.decision
        typer.echo(f"{receipt.gate:9} {decision.outcome}  at {receipt.now}")
        for violation in decision.violations:
            place = f" @ {violation.at}" if violation.at else ""
            typer.echo(f"          {violation.effect} {violation.rule}{place}: {violation.message.en}")
    typer.echo(f"reply: {run.reply.status}{f' ({run.reply.kind})' if run.reply.kind else ''}")
    typer.echo(run.reply.text)


@runs.command("replay")
def replay(
    execution_id: Annotated[str, typer.Argument(metavar="ID")],
    tenant: Tenant = None,
    settings: File = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Decide every gate of a run again on its receipt, and compare the bytes."""
    store = _store(tenant, settings)
    _, kept = _run(store, execution_id)
    results = [_again(store, receipt) for receipt in kept["gates"]]
    if as_json:
        shown.print_json(results)
    else:
        for result in results:
            typer.echo(f"{result['gate']:9} {'same' if result['same'] else 'DIFFERENT'}  {result['note']}")
    raise typer.Exit(0 if results and all(result["same"] for result in results) else 1)


def _again(store: SqliteStore, receipt: dict[str, Any]) -> dict[str, Any]:
    gate = receipt["gate"]
    if receipt["language_version"] != LANGUAGE_VERSION:
        return {"gate": gate, "same": False, "note": "another version of the rule language"}
    files = _done(store.get_rules(receipt["revision"])) if receipt["revision"] else None
    if files is None:
        return {"gate": gate, "same": False, "note": "its rule set is not kept"}
    try:
        rules = compile_rules(files)
    except RuleFileError:
        return {"gate": gate, "same": False, "note": "its rule set cannot be read any more"}
    try:
        now = datetime.fromisoformat(receipt["now"])
        as_of = datetime.fromisoformat(receipt["as_of"]) if receipt["as_of"] else None
    except ValueError:
        return {"gate": gate, "same": False, "note": "its times cannot be read"}
    facts = rules.facts_from_json(gate, canonical_json(receipt["facts"] or {}))
    decision = evaluate(
        rules,
        gate,
        facts,
        now,
        as_of=as_of,
        pins=receipt["pins"] or None,
        can=tuple(receipt["can"]),
    )
    same = canonical_json(decision.to_json()) == canonical_json(receipt["decision"])
    return {"gate": gate, "same": same, "note": decision.outcome}


def version() -> None:
    """Print the version."""
    typer.echo(f"groundrule {groundrule.__version__} (rule language {LANGUAGE_VERSION})")
