"""The test files of a rule set: cases that an author can read, run against the contract that they name.

A case is asked of its contract alone, and of the contracts named in `with`, so that no other contract disturbs it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from .. import codes
from ..diagnostics import Code, Diagnostic, RuleFileError, Span, did_you_mean, in_order
from ..facts.record import thaw, write_duration, write_timestamp
from .assemble import compile_rules
from .contract import Rule
from .decision import Decision
from .declare import Undecided
from .evaluate import evaluate
from .fields import Fields
from .interpret import Interpreter
from .parse import Mapping as MappingTree
from .parse import Scalar, Sequence, Tree, parse_yaml
from .ruleset import RuleSet
from .scalars import value_of
from .select import in_force
from .syntax import Call, Chosen, Field, Has, Index, Name, Node, walk

EXPECTED = re.compile(r"([A-Z][A-Z0-9-]*[0-9A-Z])(?:\s+@\s+(\S+))?((?:\s+(?:undecided|waived))*)")
STEP = re.compile(r"\.?([A-Za-z_][A-Za-z0-9_]*)|\[([0-9]+|\+)\]")
LISTS = ("violations", "warnings")


@dataclass(frozen=True)
class CaseResult:
    """One case. differences: what came out otherwise than expected, a sentence each; none if it passed."""

    file: str
    name: str
    differences: tuple[str, ...]


@dataclass(frozen=True)
class Shown:
    """Which outcomes of a rule the cases show, and whether it can be undecided at all."""

    rule: str
    contract: str
    passed: bool
    failed: bool
    undecided: bool
    can_be_undecided: bool

    @property
    def missing(self) -> tuple[str, ...]:
        """The outcomes that no case shows."""
        wanted = (
            ("met", self.passed),
            ("not met", self.failed),
            ("undecided", self.undecided or not self.can_be_undecided),
        )
        return tuple(name for name, shown in wanted if not shown)


@dataclass(frozen=True)
class TestReport:
    """What a run of all test files came to."""

    __test__ = False

    cases: tuple[CaseResult, ...]
    coverage: tuple[Shown, ...]
    faults: tuple[Diagnostic, ...]
    files: int

    @property
    def passed(self) -> bool:
        """Whether there was something to run, all of it passed, and every rule was shown in each way."""
        good = all(not case.differences for case in self.cases) and all(not shown.missing for shown in self.coverage)
        return bool(self.files and self.cases and self.coverage and good and not self.faults)

    def lines(self) -> list[str]:
        """The report in sentences."""
        lines = [fault.render() for fault in self.faults]
        for case in self.cases:
            lines += [f"{case.file}: {case.name}: {difference}" for difference in case.differences]
        lines += [
            f"{s.contract}: {s.rule}: no case where it is {', '.join(s.missing)}" for s in self.coverage if s.missing
        ]
        failed = sum(bool(case.differences) for case in self.cases)
        if not self.files:
            lines.append("there is no test file: tests/*.test.yaml")
        lines.append(
            f"{len(self.cases) - failed} cases passed, {failed} failed, {len(self.coverage)} rules, {self.files} files"
        )
        return lines

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "passed": self.passed,
            "files": self.files,
            "cases": [{"file": c.file, "name": c.name, "differences": list(c.differences)} for c in self.cases],
            "coverage": [{"rule": s.rule, "contract": s.contract, "missing": list(s.missing)} for s in self.coverage],
            "faults": [fault.to_json() for fault in self.faults],
        }


def junit(report: TestReport) -> str:
    """The report as JUnit XML."""
    from xml.etree import ElementTree

    suite = ElementTree.Element("testsuite", name="groundrule", tests=str(len(report.cases)))
    for case in report.cases:
        element = ElementTree.SubElement(suite, "testcase", classname=case.file, name=case.name)
        if case.differences:
            ElementTree.SubElement(element, "failure", message="; ".join(case.differences))
    for shown in report.coverage:
        element = ElementTree.SubElement(suite, "testcase", classname="coverage", name=shown.rule)
        if shown.missing:
            ElementTree.SubElement(element, "failure", message="no case: " + ", ".join(shown.missing))
    for fault in report.faults:
        element = ElementTree.SubElement(suite, "testcase", classname="files", name=fault.place)
        ElementTree.SubElement(element, "error", message=fault.message)
    return ElementTree.tostring(suite, encoding="unicode")


@dataclass
class _Run:
    """One run over the files of a rule set."""

    files: Mapping[str, str | bytes]
    rules: RuleSet
    faults: list[Diagnostic] = field(default_factory=list)
    cases: list[CaseResult] = field(default_factory=list)
    seen: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    fixtures: dict[str, Tree | None] = field(default_factory=dict)
    using: list[str] = field(default_factory=list)
    asked: dict[tuple[str, str], Rule] = field(default_factory=dict)


def run_tests(files: Mapping[str, str | bytes]) -> TestReport:
    """Runs every `tests/*.test.yaml` of a rule set. Faults of the set or of test files are in the report."""
    tests = sorted(path for path in files if re.fullmatch(r"tests/[^/]+\.test\.ya?ml", path))
    try:
        run = _Run(files, compile_rules(files))
    except RuleFileError as why:
        return TestReport((), (), why.diagnostics, len(tests))
    for path in tests:
        _file(run, path)
    for contract in run.rules.contracts:
        for rule in contract.rules:
            run.asked.setdefault((contract.name, rule.id), rule)
    coverage = []
    for (name, rule_id), rule in sorted(run.asked.items()):
        seen = run.seen.get((name, rule_id), set())
        coverage.append(
            Shown(
                rule_id, name, "met" in seen, "not met" in seen, "undecided" in seen, _can_be_undecided(run.rules, rule)
            )
        )
    return TestReport(tuple(run.cases), tuple(coverage), in_order(run.faults), len(tests))


def _can_be_undecided(rules: RuleSet, rule: Rule) -> bool:
    """Whether something that the rule reads can be absent or fail. `has` of what is always there cannot."""
    contract = next(c for c in rules.contracts if c.name == rule.contract and c.version == rule.version)

    def risky(node: Node) -> bool:
        for part in walk(node):
            if isinstance(part, Name) and part.role == "let" and risky(contract.lets[part.name].body):
                return True
            if isinstance(part, Name) and part.role in ("fact", "admitted"):
                return True
            if isinstance(part, Field) and not isinstance(part.operand, Chosen):
                info = part.operand.type.fields.get(part.name)
                if info is None or not (info.always or part.operand.type.name in ("params", "shared")):
                    return True
            if isinstance(part, Field | Has) and isinstance(part.operand, Chosen):
                return True
            if isinstance(part, Index) or (isinstance(part, Call) and part.function in _FAILING):
                return True
        return False

    return risky(rule.condition) or (rule.each is not None and risky(rule.each.over))


_FAILING = frozenset({"canonical", "host", "registrable_domain", "is_public_http", "domain_in", "url_in", "_/_", "_%_"})


# Reading a file


def _file(run: _Run, path: str) -> None:
    tree, faults = parse_yaml(path, run.files[path])
    run.faults += faults
    fields = Fields.of(tree, path, run.faults) if tree is not None else None
    if fields is None:
        return
    name = fields.text("contract", need=True)
    others = fields.texts("with")
    can = fields.texts("can")
    now = fields.instant("now") if fields.need("now") is not None else None
    facts_tree = fields.need("facts")
    cases_tree = fields.need("cases")
    fields.close()
    known = {contract.name for contract in run.rules.contracts}
    for wanted in (name, *others):
        if wanted is not None and wanted not in known:
            run.faults.append(codes.UNKNOWN_CONTRACT.at(fields.tree.span, did_you_mean(wanted, known), name=wanted))
            return
    if name is None or now is None or facts_tree is None or not isinstance(cases_tree, MappingTree):
        return
    if not cases_tree.entries:
        run.faults.append(codes.NO_CASE.at(cases_tree.span))
    facts = _plain(run, facts_tree)
    rules = replace(
        run.rules,
        contracts=tuple(contract for contract in run.rules.contracts if contract.name in (name, *others)),
        _programs={},
        _compiled={},
        _ready={},
    )
    gate = next(contract.gate for contract in rules.contracts if contract.name == name)
    for key, case in cases_tree.entries:
        _case(run, path, rules, gate, (key.text, case), facts, now, can)


def _case(
    run: _Run,
    path: str,
    rules: RuleSet,
    gate: str,
    case: tuple[str, Tree],
    facts: Any,
    now: datetime,
    can: tuple[str, ...],
) -> None:
    name, tree = case
    fields = Fields.of(tree, name, run.faults)
    if fields is None:
        return
    changes = fields.get("change")
    expect = fields.need("expect")
    fields.close()
    count = len(run.faults)
    changed = facts
    if changes is not None:
        inner = Fields.of(changes, "change", run.faults)
        for key, value in inner.tree.entries if inner is not None else ():
            if key.text == "now":
                now = (
                    fields.parsed("now", value, lambda scalar: _instant(scalar), "an RFC 3339 time with offset") or now
                )
            else:
                changed = _changed(run, changed, key, _plain(run, value))
    expected = Fields.of(expect, "expect", run.faults) if expect is not None else None
    if expected is None or len(run.faults) > count:
        return
    decision = evaluate(rules, gate, changed, now, can=can)
    _watch(run, rules, gate, decision)
    run.cases.append(CaseResult(path, name, tuple(_differences(run, expected, decision))))


def _instant(scalar: Scalar) -> datetime | None:
    try:
        value, _ = value_of(replace(scalar, style=""))
    except Undecided:
        return None
    return value if isinstance(value, datetime) else None


def _plain(run: _Run, tree: Tree) -> Any:
    """Plain values of a tree; `$use` brings in a fixture, which other keys beside it override."""
    if isinstance(tree, Sequence):
        return [_plain(run, item) for item in tree.items]
    if isinstance(tree, MappingTree):
        values: dict[str, Any] = {}
        used = tree.get("$use")
        if used is not None:
            base = _use(run, used)
            if len(tree.entries) == 1:
                return base
            values.update(base if isinstance(base, dict) else {})
        values.update({key.text: _plain(run, value) for key, value in tree.entries if key.text != "$use"})
        return values
    if tree.plain and tree.text in ("", "~", "null", "Null", "NULL"):
        return None
    try:
        value, _ = value_of(tree)
    except Undecided as why:
        run.faults.append(codes.BAD_VALUE.at(tree.span, str(why), key="a fact", wanted="a value", found=tree.text))
        return None
    if isinstance(value, datetime):
        return write_timestamp(value)
    return write_duration(value) if isinstance(value, timedelta) else value


def _use(run: _Run, tree: Tree) -> Any:
    name = tree.text if isinstance(tree, Scalar) else ""
    path = f"tests/{name}.yaml"
    if path not in run.files or name in run.using:
        known = [p[6:-5] for p in run.files if p.startswith("tests/") and p.endswith(".yaml") and ".test." not in p]
        help = "fixtures may not use each other in a circle" if name in run.using else did_you_mean(name, known)
        run.faults.append(codes.UNKNOWN_USE.at(tree.span, help, name=name))
        return {}
    if name not in run.fixtures:
        run.fixtures[name], faults = parse_yaml(path, run.files[path])
        run.faults += faults
    fixture = run.fixtures[name]
    run.using.append(name)
    try:
        return _plain(run, fixture) if fixture is not None else {}
    finally:
        run.using.pop()


def _changed(run: _Run, facts: Any, key: Scalar, value: Any) -> Any:
    """A copy of the facts with the value at a path; null removes, `[+]` appends."""
    steps: list[str | int] = []
    at = 0
    for step in STEP.finditer(key.text):
        if step.start() != at:
            break
        steps.append(step[1] if step[1] is not None else -1 if step[2] == "+" else int(step[2]))
        at = step.end()
    if at != len(key.text) or not steps:
        run.faults.append(codes.BAD_CHANGE.at(key.span, path=key.text, problem="write `evidence[0].title`"))
        return facts
    try:
        return _set(facts, steps, value)
    except (KeyError, IndexError, TypeError) as why:
        run.faults.append(codes.BAD_CHANGE.at(key.span, path=key.text, problem=f"nothing is there ({why})"))
        return facts


def _set(facts: Any, steps: list[str | int], value: Any) -> Any:
    step, rest = steps[0], steps[1:]
    if isinstance(step, str):
        if not isinstance(facts, dict):
            raise TypeError(f"{step} of no mapping")
        copy = dict(facts)
        if rest:
            copy[step] = _set(copy.get(step, [] if isinstance(rest[0], int) else {}), rest, value)
        elif value is None:
            copy.pop(step, None)
        else:
            copy[step] = value
        return copy
    if not isinstance(facts, list):
        raise TypeError("an index of no list")
    items = list(facts)
    if step == -1:
        items.append(_set({}, rest, value) if rest else value)
    elif rest:
        items[step] = _set(items[step], rest, value)
    elif value is None:
        del items[step]
    else:
        items[step] = value
    return items


# Comparing


def _differences(run: _Run, expected: Fields, decision: Decision) -> list[str]:
    found: list[str] = []
    for name in LISTS:
        items = expected.texts(name)
        wanted = sorted(_expectations(run, expected, name, items))
        actual = sorted(_line(violation) for violation in getattr(decision, name))
        found += [f"{name}: `{line}` did not come" for line in _without(wanted, actual)]
        found += [f"{name}: `{line}` was not expected" for line in _without(actual, wanted)]
    outcome = expected.text("outcome")
    if outcome is not None and outcome != decision.outcome:
        found.append(f"outcome: {decision.outcome} instead of {outcome}")
    written = decision.to_json()
    for name in ("admitted", "options"):
        tree = expected.get(name)
        if tree is not None and _plain(run, tree) != written[name]:
            found.append(f"{name}: {written[name]}")
    for name in ("choices", "obligations", "valid_until"):
        tree = expected.get(name)
        wanted_value = _plain(run, tree) if tree is not None else None
        if tree is not None and wanted_value != written[name]:
            found.append(f"{name}: {written[name]} instead of {wanted_value}")
    if expected.get("obligations") is None and decision.obligations:
        found.append(f"obligations: {thaw(dict(decision.obligations))}")
    expected.close()
    return found


def _expectations(run: _Run, expected: Fields, name: str, items: tuple[str, ...]) -> list[str]:
    lines = []
    for item in items:
        form = EXPECTED.fullmatch(item.strip())
        tree = expected.get(name)
        if form is None:
            _say(run, codes.BAD_EXPECTATION, tree.span if tree is not None else expected.tree.span, text=item)
            continue
        place = f" @ {form[2]}" if form[2] else ""
        marks = "".join(f" {mark}" for mark in ("undecided", "waived") if mark in form[3])
        lines.append(f"{form[1]}{place}{marks}")
    return lines


def _say(run: _Run, code: Code, span: Span, **values: object) -> None:
    run.faults.append(code.at(span, None, **values))


def _line(violation: Any) -> str:
    place = f" @ {violation.at}" if violation.at is not None else ""
    undecided = " undecided" if violation.undecided else ""
    waived = " waived" if violation.waived_by is not None else ""
    return f"{violation.rule}{place}{undecided}{waived}"


def _without(first: list[str], second: list[str]) -> list[str]:
    """The lines of the first list that the second has not, each as often as it is missing."""
    left = list(second)
    missing = []
    for line in first:
        if line in left:
            left.remove(line)
        else:
            missing.append(line)
    return missing


def _watch(run: _Run, rules: RuleSet, gate: str, decision: Decision) -> None:
    """Notes which rules were met, not met or undecided."""
    record = decision._facts.record
    if record is None:
        return
    program = rules.program(gate, decision.now, {})
    interpreter = Interpreter(program, record, decision.now)
    held = in_force(rules, gate, decision.now, {})
    for entry in program.entries:
        if entry.kind != "rule" or entry.rule is None or entry.scope.contract is not held[entry.scope.contract.name]:
            continue
        key = (entry.scope.contract.name, entry.id)
        run.asked[key] = entry.rule
        for position in interpreter.positions(entry):
            verdict = interpreter.verdict(entry, position)
            if not verdict.skipped:
                word = "met" if verdict.met else "undecided" if verdict.undecided else "not met"
                run.seen.setdefault(key, set()).add(word)
