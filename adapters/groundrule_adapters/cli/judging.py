"""`groundrule eval` and `groundrule expr`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from groundrule import RuleFileError, evaluate
from groundrule.facts.gates import GATES
from groundrule.rules.expressions import evaluate_at_gate

from . import given, shown


def evaluate_facts(
    gate: Annotated[str, typer.Option(help="The gate to ask.")],
    facts: Annotated[str, typer.Option(help="A JSON file with the facts, or - for standard input.")],
    rules: Annotated[Path | None, typer.Option(help="Folder or file of the rule set.")] = None,
    now: Annotated[str | None, typer.Option(help="The clock of conditions.")] = None,
    as_of: Annotated[str | None, typer.Option(help="Selects versions, dated values and waivers.")] = None,
    can: Annotated[list[str] | None, typer.Option(help="An obligation that the caller will fulfil.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show what came of every rule; with --json every sub-expression.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the decision as JSON.")] = False,
) -> None:
    """Ask a gate about facts."""
    if gate not in GATES:
        shown.wrong_call(f"there is no gate `{gate}`", "gates: " + ", ".join(GATES))
    with given.told(as_json):
        text = given.facts_of(facts)
        clock = given.clock(now)
        selecting = given.instant(as_of, "--as-of") if as_of is not None else None
    loaded = shown.rules_of(rules, as_json)
    decision = evaluate(loaded, gate, loaded.facts_from_json(gate, text), clock, as_of=selecting, can=tuple(can or ()))
    if as_json:
        shown.print_json({**decision.to_json(), **({"trace": decision.trace()} if explain else {})})
    else:
        for line in shown.decision_lines(decision):
            typer.echo(line)
        for entry in decision.trace() if explain else ():
            _print_trace(entry)
    raise typer.Exit(0 if decision.outcome == "allow" else 1)


def _print_trace(entry: dict[str, Any]) -> None:
    """What came of a rule: what was skipped on one line, and of the rest what people need; `--json` has everything."""
    for asked in entry["asked"]:
        place = f" @ {asked['at']}" if asked["at"] else ""
        head = f"\n{entry['id']} ({entry['contract']} {entry['version']}){place}: {asked['result']}"
        if asked["result"] == "skipped":
            why = next((step["text"] for step in _roots(asked["steps"]) if step["values"] == [{"value": False}]), None)
            typer.echo(head if why is None else f"{head}, since this is false: {why}")
            continue
        typer.echo(head)
        for line in dict.fromkeys(_line(step) for step in _told(asked["steps"])):
            typer.echo(f"    {line}")


def _roots(steps: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The steps that are no part of the one before them."""
    root = ""
    for step in steps:
        if not root or step["text"] not in root:
            root = step["text"]
            yield step


def _told(steps: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The steps without the records and maps of which only a part was read, and without parts of what was not needed."""
    before, unneeded = "", ""
    for step in steps:
        text = step["text"]
        read_of = _READ_OF.fullmatch(before.removeprefix("has(").removeprefix(text))
        known = before.removeprefix("has(").startswith(text) and read_of is not None
        before = text
        if step["values"]:
            unneeded = ""
        elif unneeded and text in unneeded:
            continue
        else:
            unneeded = text
        if not known:
            yield step


_READ_OF = re.compile(r"(?:\.chosen)?\.\w+\)?|\[.*\]")
"""What follows the text of a record or map in that of a read of it."""


def _line(step: dict[str, Any]) -> str:
    found = ", ".join(
        json.dumps(value["value"], ensure_ascii=False) if "value" in value else f"undecided: {value['undecided']}"
        for value in step["values"]
    )
    return f"{step['text']}  =  {found or 'not needed'}"


def expression(
    text: Annotated[str, typer.Argument(metavar="EXPRESSION", help="One expression.")],
    gate: Annotated[str | None, typer.Option(help="Ask it with the vocabulary of a gate.")] = None,
    facts: Annotated[str | None, typer.Option(help="A JSON file with the facts of the gate, or -.")] = None,
    variables: Annotated[str | None, typer.Option("--vars", help="A JSON object with variables.")] = None,
    now: Annotated[str | None, typer.Option(help="The clock.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Evaluate one expression: its value and type, or why it is undecided. Without a gate it is plain CEL."""
    try:
        if gate is not None:
            if gate not in GATES:
                shown.wrong_call(f"there is no gate `{gate}`", "gates: " + ", ".join(GATES))
            with given.told(as_json):
                read = given.facts_of(facts) if facts is not None else "{}"
                clock = given.clock(now)
            found = evaluate_at_gate(text, gate, read, clock)
        else:
            found = _bare(text, variables)
    except RuleFileError as why:
        shown.unusable(why, as_json)
    if as_json:
        shown.print_json(found)
    elif "undecided" in found:
        typer.echo(f"undecided: {found['undecided']}")
    else:
        typer.echo(f"{json.dumps(found['value'], ensure_ascii=False)}  ({found['type']})")
    raise typer.Exit(1 if "undecided" in found else 0)


def _bare(text: str, variables: str | None) -> dict[str, Any]:
    from groundrule.rules.bare import evaluate_bare, to_json

    try:
        values = json.loads(variables) if variables else {}
    except (ValueError, RecursionError):
        shown.wrong_call("`--vars` is no JSON")
    if not isinstance(values, dict):
        shown.wrong_call("`--vars` is no JSON object")
    result = evaluate_bare(text, values)
    if result.undecided:
        return {"undecided": result.undecided}
    return {"value": to_json(result.value), "type": result.type}
