"""Test files of a rule set (RULES section 8): YAML to cases, with every fault collected.

A test file names one contract and is asked about it alone: the version in force at `now`, with the params, lists and
waivers of the set, and without its other contracts, so that a change of one breaks no test of another. `with: [NAME]`
adds contracts of the same gate, for the choices that they make or the items that they reject. `audit` of the manifest
is left out: a contract that only watches is tested for what it will do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from .. import codes
from ..diagnostics import Diagnostic, Span, did_you_mean
from ..facts.words import GateOutcome, values_of
from .change import NoSuchPlace, changed, steps_of, type_at
from .contract import Contract
from .decision import Violation
from .fields import Fields, kind_of
from .fixtures import NULLS, Fixtures, Reader
from .parse import Mapping, Scalar, Sequence, Tree, parse_yaml
from .ruleset import RuleSet
from .scalars import instant_of
from .select import choices_read, nodes_of
from .syntax import Node
from .types import JSON, STRING, Type, list_of, map_of
from .vocabulary import variables

EXPECTED = re.compile(r"([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+)(?: @ (.+?))?( undecided)?( waived)?")
INSTANT = "an RFC 3339 time with offset"


@dataclass(frozen=True)
class Expected:
    """What a case expects. None: it is not looked at; `valid_until` is in a tuple, since it may be expected to be None.

    violations, warnings: lines as `line_of` writes them.
    """

    outcome: str | None = None
    violations: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    admitted: tuple[str, ...] | None = None
    choices: dict[str, Any] | None = None
    obligations: dict[str, Any] | None = None
    options: tuple[str, ...] = ()
    valid_until: tuple[datetime | None] | None = None


@dataclass(frozen=True)
class Case:
    """One case: facts at an instant, and what is expected of the decision."""

    name: str
    span: Span
    now: datetime
    facts: dict[str, Any]
    can: tuple[str, ...]
    expected: Expected


@dataclass(frozen=True)
class Suite:
    """A test file. rules: the rule set as far as it is asked. cases: those without faults."""

    path: str
    contract: str
    gate: str
    rules: RuleSet
    cases: tuple[Case, ...]


def line_of(violation: Violation) -> str:
    """A violation as a test file writes it: `RULE-ID @ evidence[1] undecided waived`."""
    place = f" @ {violation.at}" if violation.at is not None else ""
    waived = " waived" if violation.waived_by is not None else ""
    return f"{violation.rule}{place}{' undecided' if violation.undecided else ''}{waived}"


def read_suite(path: str, rules: RuleSet, fixtures: Fixtures) -> Suite | None:
    """The cases of a test file, or None if it does not say which contract it tests. Faults go to `fixtures.faults`."""
    faults = fixtures.faults
    tree, found = parse_yaml(path, fixtures.files[path])
    faults += found
    fields = Fields.of(tree, "a test file", faults) if tree is not None else None
    if fields is None:
        return None
    name = fields.scalar("contract", fields.need("contract"))
    contract = _known(name, rules, faults) if name is not None else None
    if name is None or contract is None:
        return None
    asked = isolated(rules, contract.gate, (contract.name, *_with(fields, contract, rules)))
    _needed_choices(asked, rules, contract.gate, name.span, faults)
    reading = _Reading(contract.gate, asked, fixtures, Reader(rules.item_choices, faults))
    now, can = _now(fields), fields.texts("can")
    facts = reading.facts(fields.get("facts"))
    cases = fields.need("cases")
    inner = Fields.of(cases, "cases", faults) if cases is not None else None
    entries = inner.tree.entries if inner is not None else ()
    if inner is not None and not entries:
        fields.fault(codes.NO_CASE, inner.tree.span)
    fields.close()
    read = [reading.case(key, value, now, facts, can) for key, value in entries]
    return Suite(path, contract.name, contract.gate, asked, tuple(case for case in read if case is not None))


def _known(name: Scalar, rules: RuleSet, faults: list[Diagnostic]) -> Contract | None:
    """The highest version of a contract."""
    contract = next((c for c in reversed(rules.contracts) if c.name == name.text), None)
    if contract is None:
        names = {c.name for c in rules.contracts}
        faults.append(codes.UNKNOWN_CONTRACT.at(name.span, did_you_mean(name.text, names), name=name.text))
    return contract


def _now(fields: Fields) -> datetime | None:
    return fields.parsed("now", fields.need("now"), instant_of, INSTANT)


def _with(fields: Fields, contract: Contract, rules: RuleSet) -> tuple[str, ...]:
    found: list[str] = []
    for item in fields.items("with", fields.get("with")):
        name = fields.scalar("with", item)
        other = _known(name, rules, fields.faults) if name is not None else None
        if name is None or other is None:
            continue
        if other.gate != contract.gate:
            fields.fault(codes.OTHER_GATE, name.span, name=other.name, other=other.gate, gate=contract.gate)
        found.append(other.name)
    return tuple(found)


def isolated(rules: RuleSet, gate: str, names: tuple[str, ...]) -> RuleSet:
    """The rule set of which only some contracts are asked at a gate."""
    kept = tuple(contract for contract in rules.contracts if contract.gate != gate or contract.name in names)
    return replace(rules, contracts=kept, audit=(), _programs={}, _compiled={}, _ready={})


def _needed_choices(asked: RuleSet, rules: RuleSet, gate: str, span: Span, faults: list[Diagnostic]) -> None:
    """A choice of a contract that is not asked would be absent, which it never is where the whole set is asked."""
    here = [contract for contract in asked.contracts if contract.gate == gate]
    made = {choice.name for contract in here for choice in contract.choices}
    makers = {
        choice.name: contract.name
        for contract in rules.contracts
        if contract.gate == gate
        for choice in contract.choices
    }
    for contract in here:
        for choice in sorted(choices_read(_expressions(contract), contract) - made):
            values = {"contract": contract.name, "choice": choice, "other": makers[choice]}
            faults.append(codes.NEEDS_WITH.at(span, **values))


def _expressions(contract: Contract) -> Iterator[Node]:
    for rule in contract.rules:
        yield from (rule.condition, *rule.when, *rule.oblige.values())
        yield from [rule.each.over] if rule.each is not None else []
        yield from [rule.options] if rule.options is not None else []
    for choice in contract.choices:
        yield from nodes_of(choice)
        yield from [choice.each.over] if choice.each is not None else []


@dataclass(frozen=True)
class _Reading:
    """What the cases of one file have in common."""

    gate: str
    asked: RuleSet
    fixtures: Fixtures
    reader: Reader

    @property
    def faults(self) -> list[Diagnostic]:
        return self.fixtures.faults

    def value(self, tree: Tree, wanted: Type) -> Any:
        """The value of a tree after unfolding; None if something is wrong with it, which is reported."""
        unfolded = self.fixtures.unfold(tree)
        return self.reader.value(unfolded.tree, wanted) if unfolded is not None else None

    def facts(self, tree: Tree | None) -> dict[str, Any] | None:
        """The facts that all cases begin with; None if something is wrong with them."""
        known = len(self.faults)
        unfolded = self.fixtures.unfold(tree) if tree is not None else None
        fields = Fields.of(unfolded.tree, "facts", self.faults) if unfolded is not None else None
        found: dict[str, Any] = self.reader.value(fields.tree, variables(self.gate)) if fields is not None else {}
        return found if len(self.faults) == known else None

    def case(
        self, name: Scalar, tree: Tree, now: datetime | None, facts: dict[str, Any] | None, can: tuple[str, ...]
    ) -> Case | None:
        """A case, or None if something is wrong with it or with what it begins with."""
        known = len(self.faults)
        fields = Fields.of(tree, name.text, self.faults)
        if fields is None:
            return None
        change = fields.get("change")
        inner = Fields.of(change, "change", self.faults) if change is not None else None
        for key, value in inner.tree.entries if inner is not None else ():
            if key.text == "now" and inner is not None:
                now = inner.parsed("now", value, instant_of, INSTANT)
            elif facts is not None:
                facts = self.changed(facts, key, value)
        can = fields.texts("can") if fields.get("can") is not None else can
        expect = fields.need("expect")
        expected = self.expected(expect) if expect is not None else Expected()
        fields.close()
        if now is None or facts is None or len(self.faults) > known:
            return None
        return Case(name.text, name.span, now, facts, can, expected)

    def changed(self, facts: dict[str, Any], key: Scalar, tree: Tree) -> dict[str, Any]:
        try:
            steps = steps_of(key.text)
            wanted = type_at(steps, variables(self.gate), self.reader)
            found: dict[str, Any] = changed(facts, steps, self.value(tree, wanted))
        except NoSuchPlace as why:
            self.faults.append(codes.BAD_CHANGE.at(key.span, path=key.text, problem=str(why)))
            return facts
        return found

    def expected(self, tree: Tree) -> Expected:
        """What a case expects."""
        fields = Fields.of(tree, "expect", self.faults)
        if fields is None:
            return Expected()
        outcome, allowed = fields.scalar("outcome", fields.get("outcome")), values_of(GateOutcome)
        if outcome is not None and outcome.text not in allowed:
            help, values = did_you_mean(outcome.text, allowed), {"key": "outcome", "wanted": "an outcome"}
            self.faults.append(codes.BAD_VALUE.at(outcome.span, help, found=outcome.text, **values))
        admitted, options = fields.get("admitted"), fields.texts("options")
        expected = Expected(
            outcome=outcome.text if outcome is not None else None,
            violations=self.lines(fields, "violations"),
            warnings=self.lines(fields, "warnings"),
            admitted=fields.texts("admitted") if admitted is not None else None,
            choices=self.named(fields, "choices", self.choice_types()),
            obligations=self.named(fields, "obligations", self.obligation_types()),
            options=options,
            valid_until=_valid_until(fields),
        )
        fields.close()
        return expected

    def lines(self, fields: Fields, key: str) -> tuple[str, ...]:
        """Expected violations, each in its one form."""
        contracts = [contract for contract in self.asked.contracts if contract.gate == self.gate]
        known = {rule.id for contract in contracts for rule in contract.rules}
        found: list[str] = []
        for item in fields.items(key, fields.get(key)):
            text = item.text if isinstance(item, Scalar) else kind_of(item)
            form = EXPECTED.fullmatch(" ".join(text.split())) if isinstance(item, Scalar) else None
            if form is None:
                fields.fault(codes.BAD_EXPECTATION, item.span, text=text)
            elif form[1] not in known and not form[1].startswith("ENGINE-"):
                fields.fault(codes.UNKNOWN_EXPECTED, item.span, did_you_mean(form[1], known), rule=form[1])
            else:
                found.append(form[0])
        return tuple(found)

    def named(self, fields: Fields, key: str, types: dict[str, Type]) -> dict[str, Any] | None:
        """Expected choices or obligations: values by name."""
        tree = fields.get(key)
        inner = Fields.of(tree, key, self.faults) if tree is not None else None
        if inner is None:
            return None
        for name in types:
            inner.get(name)
        inner.close()
        found = {name.text: (value, types.get(name.text, JSON)) for name, value in inner.tree.entries}
        return {name: self.reader.value(_listed(value, type_), type_) for name, (value, type_) in found.items()}

    def choice_types(self) -> dict[str, Type]:
        return {
            choice.name: choice.type if choice.each is None else map_of(STRING, choice.type)
            for contract in self.asked.contracts
            if contract.gate == self.gate
            for choice in contract.choices
        }

    def obligation_types(self) -> dict[str, Type]:
        return {
            name: list_of(node.type)
            for contract in self.asked.contracts
            if contract.gate == self.gate
            for rule in contract.rules
            for name, node in rule.oblige.items()
        }


def _listed(tree: Tree, wanted: Type) -> Tree:
    """One value stands for a list of one, unless it is null."""
    if wanted.kind != "list" or isinstance(tree, Sequence) or (isinstance(tree, Scalar) and tree.text in NULLS):
        return tree
    return Sequence(tree.span, (tree,), isinstance(tree, Mapping))


def _valid_until(fields: Fields) -> tuple[datetime | None] | None:
    tree = fields.get("valid_until")
    if tree is None:
        return None
    if isinstance(tree, Scalar) and tree.plain and tree.text in NULLS:
        return (None,)
    return (fields.parsed("valid_until", tree, instant_of, INSTANT),)
