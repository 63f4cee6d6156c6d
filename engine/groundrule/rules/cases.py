"""Running the test files of a rule set: each case asked and compared, and what the cases show of each rule."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from .. import codes
from ..canonical import canonical_json
from ..diagnostics import Diagnostic, RuleFileError, Source, Span, in_order
from ..facts.record import Record
from .assemble import compile_rules
from .case_files import Case, Suite, line_of, read_suite
from .contract import Contract
from .decision import Decision, Violation
from .doubt import Doubts
from .evaluate import evaluate
from .explain import plain
from .fixtures import Fixtures, is_test
from .interpret import Interpreter, Verdict
from .program import Program
from .report import CaseResult, FileResult, RuleShown, TestReport, junit
from .ruleset import RuleSet
from .select import in_force

__all__ = ["CaseResult", "FileResult", "RuleShown", "TestReport", "check_tests", "junit", "run_tests"]

Key = tuple[str, str]
"""Version and rule of a contract."""

_NAMED = re.compile(r"""^contract:[ \t]*["']?([\w-]+)""", re.MULTILINE)

Dispute = Callable[[Decision], str | None]
"""Why another engine does not confirm a decision; None if it does."""


def run_tests(
    files: Mapping[str, str | bytes], now: datetime | None = None, dispute: Dispute | None = None
) -> TestReport:
    """Every case of every `tests/….test.yaml` of a rule set, and what the cases show of its rules.

    Rules in force are those of the highest version of each contract, of the version in force at `now`, if that is
    given, and of every version that a case is asked under. A case whose decision is disputed fails. Raises nothing:
    what is wrong is in `faults`.
    """
    try:
        rules = compile_rules(files)
    except RuleFileError as why:
        return TestReport((), why.diagnostics, ())
    faults: list[Diagnostic] = []
    fixtures = Fixtures(files, faults)
    paths = sorted(path for path in files if is_test(path))
    if not paths:
        faults.append(codes.NO_TEST.at(Span(Source("tests", ""), 0, 0)))
    shown: dict[str, _Shown] = {}
    results: list[FileResult] = []
    faulty: set[str] = set()
    for path in paths:
        known = len(faults)
        suite = read_suite(path, rules, fixtures)
        stem = path.rpartition("/")[2].partition(".test.")[0]
        if len(faults) > known:
            faulty.add(suite.contract if suite is not None else stem)
        if suite is not None:
            if suite.contract not in shown:
                shown[suite.contract] = _nothing_shown(suite.contract, rules)
            results.append(_run(suite, shown[suite.contract], dispute))
    coverage = tuple(_coverage(rules, shown, now))
    if paths:
        faults += _missing(rules, shown, coverage, faulty)
    return TestReport(tuple(results), in_order(faults), coverage)


def check_tests(files: Mapping[str, str | bytes]) -> tuple[Diagnostic, ...]:
    """The faults of the test files, and a warning for each contract that none of them names.

    Nothing of a rule set with faults. No case is asked.
    """
    try:
        rules = compile_rules(files)
    except RuleFileError:
        return ()
    faults: list[Diagnostic] = []
    fixtures = Fixtures(files, faults)
    for path in sorted(path for path in files if is_test(path)):
        read_suite(path, rules, fixtures)
    return (*faults, *_untested(files, rules.contracts))


def _untested(files: Mapping[str, str | bytes], contracts: tuple[Contract, ...]) -> tuple[Diagnostic, ...]:
    tests = [content for path, content in files.items() if is_test(path)]
    texts = [text.decode("utf-8", "replace") if isinstance(text, bytes) else text for text in tests]
    named = {match[1] for text in texts if (match := _NAMED.search(text))}
    return tuple(
        replace(codes.UNTESTED.at(contract.place, name=name), severity="warning")
        for name, contract in {contract.name: contract for contract in contracts}.items()
        if name not in named
    )


@dataclass
class _Shown:
    """What the cases have shown so far of the rules of one contract, and when they were asked.

    doubtful: for each of its rules whether it can be undecided.
    """

    doubtful: Mapping[Key, bool]
    states: dict[Key, set[str]] = field(default_factory=dict)
    instants: list[datetime] = field(default_factory=list)
    versions: set[str] = field(default_factory=set)

    def look(self, contract: str, program: Program, record: Record, now: datetime) -> None:
        """Adds what came of the contract's rules in a program. A rule that has shown everything is not asked again."""
        self.instants.append(now)
        interpreter = Interpreter(program, record, now)
        for entry in program.entries:
            owner = entry.scope.contract
            if entry.kind != "rule" or owner.name != contract:
                continue
            self.versions.add(owner.version)
            key = (owner.version, entry.id)
            states = self.states.setdefault(key, set())
            if len(states) < (3 if self.doubtful[key] else 2):
                verdicts = [interpreter.verdict(entry, position) for position in interpreter.asked(entry)]
                states.update(_state(verdict) for verdict in verdicts if not verdict.skipped)


def _nothing_shown(name: str, rules: RuleSet) -> _Shown:
    versions = [contract for contract in rules.contracts if contract.name == name]
    gate = versions[-1].gate
    # The highest version comes last, and so it is its choice that is looked at.
    choices = {choice.name: (choice, c) for c in rules.contracts if c.gate == gate for choice in c.choices}
    doubts = Doubts(choices)
    return _Shown({(c.version, rule.id): doubts.rule(rule, c) for c in versions for rule in c.rules})


def _state(verdict: Verdict) -> str:
    return "undecided" if verdict.undecided else "passing" if verdict.met else "failing"


def _run(suite: Suite, shown: _Shown, dispute: Dispute | None) -> FileResult:
    results: list[CaseResult] = []
    for case in suite.cases:
        facts = suite.rules.facts(suite.gate, case.facts)
        decision = evaluate(suite.rules, suite.gate, facts, case.now, can=case.can)
        if facts.record is not None:
            shown.look(suite.contract, suite.rules.program(suite.gate, case.now, {}), facts.record, case.now)
        line, column = case.span.source.position(case.span.start)
        place = f"{suite.path}:{line}:{column}"
        differences = [*_differences(case, decision)]
        why = dispute(decision) if dispute is not None else None
        if why is not None:
            differences.append(f"the cross-check does not confirm it: {why}")
        results.append(CaseResult(case.name, place, tuple(differences)))
    return FileResult(suite.path, suite.contract, tuple(results))


# What came out other than expected


def _differences(case: Case, decision: Decision) -> Iterator[str]:
    expected = case.expected
    if expected.outcome is not None and expected.outcome != decision.outcome:
        yield f"the outcome is `{decision.outcome}`, not `{expected.outcome}`"
    yield from _violations("violation", expected.violations, decision.violations, decision)
    yield from _violations("warning", expected.warnings, decision.warnings, decision)
    if expected.admitted is not None and expected.admitted != decision.admitted:
        yield f"admitted is {_written(decision.admitted)}, not {_written(expected.admitted)}"
    for name, value in (expected.choices or {}).items():
        yield from _value(f"the choice `{name}`", value, decision.choices.get(name))
    obligations = expected.obligations or {}
    for name in sorted({*obligations, *decision.obligations}):
        yield from _value(f"the obligation `{name}`", obligations.get(name), decision.obligations.get(name))
    if expected.options != decision.options:
        yield f"the options are {_written(decision.options)}, not {_written(expected.options)}"
    if expected.valid_until is not None:
        yield from _value("valid_until", expected.valid_until[0], decision.valid_until)


def _violations(
    what: str, expected: tuple[str, ...], found: tuple[Violation, ...], decision: Decision
) -> Iterator[str]:
    """Violations that are missing and that nobody expected, however they are ordered."""
    missing = Counter(expected)
    rejected: set[str | None] = set()
    surprises: list[tuple[Violation, str]] = []
    for violation in found:
        line = line_of(violation)
        if missing[line] > 0:
            missing[line] -= 1
            if violation.effect == "reject" and violation.waived_by is None:
                rejected.add(violation.at)
        else:
            surprises.append((violation, line))
    for violation, line in surprises:
        if not _echo(violation, rejected):
            yield f"the {what} `{line}` was not expected: {_reason(violation, decision)}"
    for line in missing.elements():
        yield f"the {what} `{line}` did not come"


def _echo(violation: Violation, rejected: set[str | None]) -> bool:
    """Whether it only says that a choice is undecided for an item that is rejected, as expected, anyway."""
    return violation.rule == "ENGINE-CHOICE" and violation.effect == "reject" and violation.at in rejected


def _reason(violation: Violation, decision: Decision) -> str:
    """The message of a violation, and what it was that could not be decided."""
    message = violation.message["en"]
    for asked in decision.trace() if violation.undecided else ():
        for turn in asked["asked"] if asked["id"] == violation.rule else ():
            if turn["at"] == violation.at and turn["reason"]:
                return f"{message} ({turn['reason']})"
    return message


def _value(what: str, expected: Any, found: Any) -> Iterator[str]:
    if _written(expected) != _written(found):
        yield f"{what} is {_written(found)}, not {_written(expected)}"


def _written(value: Any) -> str:
    """A value as its one text, so that 1 and 1.0, lists and tuples are the same."""
    try:
        return canonical_json(value)
    except ValueError:
        return canonical_json(plain(value))


# What the cases show of the rules


def _coverage(rules: RuleSet, shown: dict[str, _Shown], now: datetime | None) -> Iterator[RuleShown]:
    for contract in rules.contracts:
        seen = shown.get(contract.name)
        if seen is None or not _counts(contract, rules, seen, now):
            continue
        instants = [*seen.instants, *([now] if now is not None else [])]
        for rule in sorted(contract.rules, key=lambda rule: rule.id):
            until = rule.effective.until
            if until is not None and instants and all(until <= instant for instant in instants):
                continue
            key = (contract.version, rule.id)
            states = seen.states.get(key, set())
            shows = {"passed": "passing" in states, "failed": "failing" in states, "undecided": "undecided" in states}
            yield RuleShown(rule.id, contract.name, contract.version, rule.place, doubtful=seen.doubtful[key], **shows)


def _counts(contract: Contract, rules: RuleSet, seen: _Shown, now: datetime | None) -> bool:
    """Whether the cases must show the rules of a version."""
    highest = all(other.number <= contract.number for other in rules.contracts if other.name == contract.name)
    current = now is not None and in_force(rules, contract.gate, now, {}).get(contract.name) is contract
    return highest or current or contract.version in seen.versions


def _missing(
    rules: RuleSet, shown: dict[str, _Shown], coverage: tuple[RuleShown, ...], faulty: set[str]
) -> Iterator[Diagnostic]:
    """What no case shows. A contract whose test file has faults is left out: what its cases show is not known."""
    for contract in {contract.name: contract for contract in rules.contracts}.values():
        if contract.name not in shown and contract.name not in faulty:
            yield codes.UNTESTED.at(contract.place, name=contract.name)
    for rule in coverage:
        for state in rule.missing if rule.contract not in faulty else ():
            yield codes.NOT_SHOWN.at(rule.place, rule=rule.rule, state=state)
