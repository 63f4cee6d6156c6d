"""How commands print: people get sentences, `--json` gets canonical values, a pipe gets no colour."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import typer

from groundrule import Decision, Diagnostic, RuleFileError, RuleSet

from ..files import open_rules


def print_json(value: Any) -> None:
    """The value as JSON, one document: UTF-8, or ASCII where the output has another encoding."""
    utf8 = codecs.lookup(sys.stdout.encoding).name == "utf-8"
    sys.stdout.write(json.dumps(value, ensure_ascii=not utf8, indent=2) + "\n")


def count(number: int, thing: str) -> str:
    """`1 fault`, `2 faults`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def wrong_call(sentence: str, help: str = "") -> NoReturn:
    """Says what is wrong with the call and ends with 2."""
    typer.echo(f"groundrule: {sentence}", err=True)
    if help:
        typer.echo(f"    help: {help}", err=True)
    raise typer.Exit(2)


@contextmanager
def writing(target: Path) -> Iterator[None]:
    """What writes to a path; where the system does not let it, that is said and the command ends with 2."""
    try:
        yield
    except OSError as why:
        wrong_call(f"`{target}` cannot be written: {why.strerror or type(why).__name__}")


def faults(found: Iterable[Diagnostic]) -> None:
    """Faults as people read them, on stderr."""
    for diagnostic in found:
        typer.echo(diagnostic.render(), err=True)


def refused(found: Diagnostic, as_json: bool) -> NoReturn:
    """What the command was given and cannot use: the fault, and exit code 2."""
    if as_json:
        print_json({"faults": [found.to_json()]})
    faults([found])
    raise typer.Exit(2)


def unusable(why: RuleFileError, as_json: bool) -> NoReturn:
    """A rule set that cannot be used: its faults, and exit code 1."""
    if as_json:
        print_json({"faults": [diagnostic.to_json() for diagnostic in why.diagnostics]})
    faults(why.diagnostics)
    raise typer.Exit(1)


def rules_of(path: Path | None, as_json: bool) -> RuleSet:
    """The rule set of a path; faults end the command."""
    try:
        return open_rules(path)
    except RuleFileError as why:
        unusable(why, as_json)


def decision_lines(decision: Decision) -> list[str]:
    """A decision in sentences."""
    lines = [f"{decision.gate}: {decision.outcome}{'  (draft rule set)' if decision.draft else ''}"]
    for violation in (*decision.violations, *decision.warnings):
        place = f" @ {violation.at}" if violation.at else ""
        marks = " undecided" if violation.undecided else ""
        marks += " (waived)" if violation.waived_by else ""
        lines.append(f"  {violation.effect:8} {violation.rule}{place}{marks}")
        lines.append(f"           {violation.message['en']}")
        lines.append(f"           {violation.message['zh']}")
    if decision.gate in ("evidence", "answer"):
        lines.append(f"  admitted: {', '.join(decision.admitted) or '-'}")
    for name, value in decision.choices.items():
        lines.append(f"  choice {name}: {value}")
    for name, values in decision.obligations.items():
        lines.append(f"  must: {name} = {', '.join(map(str, values))}")
    until = decision.valid_until
    lines.append(f"  valid until: {until.isoformat() if until else 'any time'}")
    return lines
