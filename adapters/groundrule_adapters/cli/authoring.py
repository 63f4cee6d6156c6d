"""Commands for policy authors: check, test, pack, schema."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from groundrule import Diagnostic, RuleFileError, check, codes, schema
from groundrule.diagnostics import in_order
from groundrule.facts.schema import SCHEMAS
from groundrule.rules.cases import check_tests, junit, run_tests

from ..archive import is_archive
from ..crosscheck.durable import DurableCrossCheck
from ..files import open_rules, read_files, write_archive
from ..settings import ConfigError
from ..sources.mcp import MappingError, mapping_schema, read_mappings
from . import given, shown

CASE_DEADLINE = timedelta(seconds=5)
"""For the cross-check of one case, on whatever machine the tests run."""


def _files(folder: Path | None, as_json: bool) -> dict[str, bytes]:
    """The files of a rule set. Which one it is, if nobody said, is told: a check of another one would mislead."""
    if folder is None:
        folder = Path() if Path("manifest.yaml").is_file() else None
        typer.echo(f"the rule set of {'the product' if folder is None else 'the working folder'}:", err=True)
    try:
        return read_files(folder)
    except RuleFileError as why:
        shown.unusable(why, as_json)


def check_rules(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="The rule set; if absent the one of the working folder, or else the shipped one.")
    ] = None,
    against: Annotated[
        Path | None, typer.Option(help="The rule set before the change: a folder or an archive.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say every fault and warning of a rule set.

    With --against, a contract that changed its meaning but not its version is a fault; its lists, the shared params
    that it reads, and whether it is in `audit` count.
    """
    before = None if against is None else shown.rules_of(against, as_json)
    files = _files(folder, as_json)
    lone = folder is not None and folder.is_file() and not is_archive(folder.name)
    judged = [_as_fault(diagnostic) for diagnostic in check(files, datetime.now(UTC), against=before)]
    found = in_order((*judged, *_mapping_faults(files), *(() if lone else check_tests(files))))
    errors = sum(diagnostic.severity == "error" for diagnostic in found)
    if as_json:
        shown.print_json({"errors": errors, "diagnostics": [diagnostic.to_json() for diagnostic in found]})
    else:
        shown.faults(found)
        typer.echo(f"{shown.count(errors, 'fault')}, {shown.count(len(found) - errors, 'warning')}")
    raise typer.Exit(1 if errors else 0)


def _as_fault(diagnostic: Diagnostic) -> Diagnostic:
    """Whoever asks whether a meaning changed under its version wants to be stopped by it."""
    changed = diagnostic.code == codes.SAME_VERSION_CHANGED.code
    return replace(diagnostic, severity="error") if changed else diagnostic


def _mapping_faults(files: dict[str, bytes]) -> tuple[Diagnostic, ...]:
    try:
        read_mappings(files)
    except MappingError as why:
        return why.diagnostics
    return ()


def test_rules(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="The rule set; if absent the one of the working folder, or else the shipped one.")
    ] = None,
    junit_file: Annotated[Path | None, typer.Option("--junit", help="Write a JUnit report.")] = None,
    cross_check: Annotated[
        bool, typer.Option("--cross-check", help="Let durable-rules derive each decision again.")
    ] = False,
    now: Annotated[
        str | None, typer.Option(help="The rules in force at this time need cases; the present if absent.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Run the contract tests of a rule set."""
    with given.told(as_json):
        instant = given.clock(now)
    files = _files(folder, as_json)
    try:
        with closing(DurableCrossCheck(enforced=True, deadline=CASE_DEADLINE)) as check:
            if cross_check:
                check.open()
            report = run_tests(files, instant, check.compare if cross_check else None)
    except ConfigError as why:
        shown.wrong_call(str(why))
    if junit_file is not None:
        with shown.writing(junit_file):
            junit_file.write_text(junit(report), encoding="utf-8")
    if as_json:
        shown.print_json(report.to_json())
    else:
        shown.faults(report.faults)
        for case in report.cases:
            for difference in case.differences:
                typer.echo(f"{case.place}: {case.name}: {difference}")
        failed = sum(not case.passed for case in report.cases)
        passed = shown.count(len(report.cases) - failed, "case")
        rules, faults = shown.count(len(report.coverage), "rule"), shown.count(len(report.faults), "fault")
        typer.echo(f"{passed} passed, {failed} failed, {rules}" + (f", {faults}" if report.faults else ""))
    raise typer.Exit(0 if report.passed else 1)


def pack(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The rule set.")],
    target: Annotated[Path, typer.Argument(metavar="FILE", help="The archive to write; its name ends with .zip.")],
) -> None:
    """Write a rule set as an archive that is no draft: the same files make the same bytes.

    Contract tests that do not pass are warned about; `groundrule test` says which.
    """
    if not is_archive(target.name):
        shown.wrong_call(f"`{target}` would not be read as an archive", "let the name end with .zip")
    try:
        with shown.writing(target):
            write_archive(folder, target)
        rules = open_rules(target)
    except RuleFileError as why:
        shown.unusable(why, as_json=False)
    if not run_tests(read_files(target), datetime.now(UTC)).passed:
        typer.echo(f"warning: its contract tests do not pass: groundrule test {folder}", err=True)
    typer.echo(f"wrote {target}: {rules.name} {rules.version}, revision {rules.revision}")


def print_schema(name: Annotated[str, typer.Argument(help="Name of the schema.")]) -> None:
    """Print a JSON Schema."""
    if name not in (*SCHEMAS, "mapping"):
        shown.wrong_call(f"there is no schema `{name}`", "schemas: " + ", ".join((*SCHEMAS, "mapping")))
    shown.print_json(mapping_schema() if name == "mapping" else schema(name))
