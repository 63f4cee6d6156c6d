"""The shipped rule set for tests: its cases, what each rule reads, and facts with one field spoilt."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from groundrule.facts.record import MAX_DURATION, MAX_INT
from groundrule.rules.assemble import compile_rules
from groundrule.rules.case_files import Case, Suite, read_suite
from groundrule.rules.contract import Choice, Contract, Rule
from groundrule.rules.evaluate import evaluate
from groundrule.rules.fixtures import Fixtures, is_test
from groundrule.rules.interpret import Interpreter
from groundrule.rules.syntax import Chosen, Field, Has, Name, Node, walk
from groundrule.rules.types import JSON, Type
from groundrule.rules.vocabulary import variables

FOLDER = Path(__file__).parents[3] / "policies"
FILES = {
    path.relative_to(FOLDER).as_posix(): path.read_text("utf-8") for path in sorted(FOLDER.rglob("*")) if path.is_file()
}
RULES = compile_rules(FILES)

PLACES: dict[str, tuple[str, ...]] = {
    "facts": (),
    "question": ("question",),
    "context": ("context",),
    "plan": ("plan",),
    "window": ("plan", "window"),
    "call": ("call",),
    "run": ("run",),
    "attempt": ("run", "attempts", "*"),
    "evidence": ("evidence", "*"),
    "chosen": ("evidence", "*", "chosen"),
    "answer": ("answer",),
    "claim": ("answer", "claims", "*"),
    "citation": ("answer", "citations", "*"),
}
"""Where the records of each type stand in facts; `*` is every element."""


@dataclass(frozen=True, order=True)
class Read:
    """A field that a rule reads: `evidence.dated_at`."""

    owner: str
    name: str
    type: Type

    def __str__(self) -> str:
        return self.name if self.owner == "facts" else f"{self.owner}.{self.name}"

    def __hash__(self) -> int:
        return hash(str(self))


@cache
def suites() -> tuple[Suite, ...]:
    """The test files of the set."""
    fixtures = Fixtures(FILES, [])
    found = [read_suite(path, RULES, fixtures) for path in sorted(FILES) if is_test(path)]
    assert not fixtures.faults
    return tuple(suite for suite in found if suite is not None)


def rules() -> list[tuple[Contract, Rule]]:
    """Every rule with its contract."""
    return [(contract, rule) for contract in RULES.contracts for rule in contract.rules]


def states(suite: Suite, id: str, facts: Any, now: datetime) -> list[str]:
    """What came of a rule at each of its positions: passed, failed, undecided or skipped; `fault` of faulty facts."""
    record = suite.rules.facts(suite.gate, facts).record
    if record is None:
        return ["fault"]
    program = suite.rules.program(suite.gate, now, {})
    interpreter = Interpreter(program, record, now)
    (entry,) = (entry for entry in program.entries if entry.kind == "rule" and entry.id == id)
    verdicts = [interpreter.verdict(entry, position) for position in interpreter.asked(entry)]
    return [
        "skipped" if each.skipped else "undecided" if each.undecided else "passed" if each.met else "failed"
        for each in verdicts
    ]


@cache
def passing(id: str) -> tuple[Suite, Case]:
    """The first case in which a rule is met and nothing is refused."""
    for suite in suites():
        if not any(c.name == suite.contract and rule.id == id for c, rule in rules()):
            continue
        for case in suite.cases:
            decision = evaluate(suite.rules, suite.gate, case.facts, case.now, can=case.can)
            if decision.outcome == "allow" and "passed" in states(suite, id, case.facts, case.now):
                return suite, case
    raise AssertionError(f"no case passes {id}")


def reads(contract: Contract, rule: Rule) -> list[Read]:
    """The fields that a rule's condition or list reads, itself or through lets and choices, by name."""
    roots = [rule.condition] if rule.each is None else [rule.condition, rule.each.over]
    return sorted(set(_reads(roots, contract)), key=str)


def guards(contract: Contract, rule: Rule) -> list[Read]:
    """The fields that only its `when`, or that of the contract, reads."""
    return sorted(set(_reads(list(rule.when), contract)) - set(reads(contract, rule)), key=str)


def choice_reads(choice: Choice, contract: Contract) -> list[Read]:
    """The fields that a choice reads, by name."""
    return sorted(set(_of_choice(choice.name, contract)), key=str)


def gate_reads(gate: str) -> list[Read]:
    """The fields that any rule or choice of a gate reads, by name."""
    found: set[Read] = set()
    for contract, rule in rules():
        if contract.gate == gate:
            found |= {*reads(contract, rule), *guards(contract, rule)}
    for contract in RULES.contracts:
        for choice in contract.choices if contract.gate == gate else ():
            found |= set(_of_choice(choice.name, contract))
    return sorted(found, key=str)


def _reads(roots: list[Node], contract: Contract) -> Iterator[Read]:
    for node in (part for root in roots for part in walk(root)):
        if isinstance(node, Name) and node.role in ("fact", "admitted"):
            name = "evidence" if node.role == "admitted" else node.name
            yield Read("facts", name, variables(contract.gate).fields[name].type)
        elif isinstance(node, Name) and node.role == "let":
            yield from _reads([contract.lets[node.name].body], contract)
        elif isinstance(node, Field | Has) and isinstance(node.operand, Chosen):
            yield from _of_choice(node.name, contract)
        elif isinstance(node, Field | Has) and node.operand.type.kind == "record":
            owner = node.operand.type
            if owner.name in PLACES and owner.fields[node.name].always is False:
                yield Read(owner.name, node.name, owner.fields[node.name].type)


def _of_choice(name: str, contract: Contract) -> Iterator[Read]:
    for owner in RULES.contracts:
        for choice in owner.choices if owner.gate == contract.gate else ():
            if choice.name == name:
                parts = [part for row in choice.rows for part in (row.when, row.value)]
                yield from _reads([*choice.when, *parts, choice.otherwise], owner)


ABSENT = object()
"""Takes a field away."""


def spoilt(facts: Any, read: Read, value: Any) -> Any:
    """A copy of the facts in which a field has another value, wherever a record of its type stands."""
    changed = copy.deepcopy(facts)
    for record in _records(changed, PLACES[read.owner]):
        if value is ABSENT:
            record.pop(read.name, None)
        else:
            record[read.name] = value(record.get(read.name)) if callable(value) else value
    return changed


def _records(value: Any, place: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    if not place:
        if isinstance(value, dict):
            yield value
    elif place[0] == "*":
        for element in value or ():
            yield from _records(element, place[1:])
    elif isinstance(value, dict) and place[0] in value:
        yield from _records(value[place[0]], place[1:])


def faulty(read: Read) -> dict[str, Any]:
    """Values that make facts faulty: a wrong type, where there is one, and NaN."""
    wrong = "x" if read.type.kind in ("bool", "int", "double", "list", "map", "record") else 7
    return {"nan": math.nan} | ({} if read.type == JSON else {"wrong type": wrong})


def edges(read: Read, now: datetime) -> dict[str, Any]:
    """Values of the right type at its ends: `empty`, `future` and `huge`, as far as the type has them."""
    many = {"evidence": 1_000, "claims": 500, "citations": 200}.get(read.name, 1_000)

    def repeated(value: Any) -> Any:
        first = value[0] if value else "x"
        return [{**first, "id": f"copy-{n}"} if "id" in first else first for n in range(many)]

    match read.type.kind:
        case "string":
            return {} if read.type.words else {"empty": "", "huge": "9" * 100_000}
        case "timestamp":
            return {"future": now + timedelta(days=3650), "huge": now.replace(year=9999)}
        case "duration":
            return {"empty": timedelta(0), "huge": MAX_DURATION}
        case "int":
            return {"empty": 0, "huge": MAX_INT}
        case "double":
            return {"empty": 0.0, "huge": 1.0}
        case "list":
            return {"empty": [], "huge": repeated}
        case "map":
            return {"empty": {}, "huge": {f"k{n}": "x" for n in range(1_000)}}
        case "json":
            return {"empty": {}, "huge": {f"k{n}": "x" * 100 for n in range(1_000)}}
    return {}
