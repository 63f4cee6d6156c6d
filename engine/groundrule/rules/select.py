"""Which versions, values and waivers are in force at an instant, put together as programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from ..facts.gates import GATES
from ..reasons import Reason
from .contract import Choice, Contract, Rule
from .program import EFFECTS, Entry, Program, Scope, Variant
from .syntax import Chosen, Field, Has, Name, Node, walk

if TYPE_CHECKING:
    from .ruleset import RuleSet


class UnknownPin(ValueError):
    """A pinned version that the set does not have, and the reason that says so."""

    def __init__(self, reason: Reason) -> None:
        self.reason = reason
        super().__init__(reason)


def instants_of(rules: RuleSet) -> tuple[datetime, ...]:
    """Every instant at which a contract, rule, dated value or waiver changes its state, in order."""
    found: set[datetime] = set()
    for contract in rules.contracts:
        found.update(contract.effective.instants())
        for rule in contract.rules:
            found.update(rule.effective.instants())
        for dated in contract.params.dated():
            found.update(at for _, period in dated.entries for at in period.instants())
    for dated in rules.shared.dated():
        found.update(at for _, period in dated.entries for at in period.instants())
    found.update(waiver.expires for waiver in rules.waivers)
    return tuple(sorted(found))


def in_force(rules: RuleSet, gate: str, as_of: datetime, pins: Mapping[str, str]) -> dict[str, Contract]:
    """The contracts in force at a gate by name: the pinned version, else the highest that holds.

    Raises UnknownPin.
    """
    chosen: dict[str, Contract] = {}
    for name, version in pins.items():
        if not any(c.name == name and c.version == version for c in rules.contracts):
            raise UnknownPin(Reason("there is no version {version} of `{name}`", version=version, name=name))
    for contract in rules.contracts:
        if contract.gate != gate:
            continue
        pinned = pins.get(contract.name)
        if pinned is not None:
            holds = contract.version == pinned
        else:
            holds = contract.effective.holds(as_of)
        best = chosen.get(contract.name)
        if holds and (best is None or contract.number > best.number):
            chosen[contract.name] = contract
    return chosen


def select(rules: RuleSet, gate: str, as_of: datetime, pins: Mapping[str, str]) -> Program:
    """The program of a gate at an instant, with what warns already. Raises UnknownPin."""
    contracts = in_force(rules, gate, as_of, pins)
    variants: list[Variant] = []
    dated = [leaf for c in contracts.values() for leaf in c.params.dated()] + list(rules.shared.dated())
    if any(period.warns(as_of) for leaf in dated for _, period in leaf.entries):
        variants.append(Variant(_program(rules, gate, as_of, contracts, coming=True)))
    for contract in rules.contracts:
        held = contracts.get(contract.name)
        newer = held is None or contract.number > held.number
        if contract.gate == gate and contract.name not in pins and contract.effective.warns(as_of) and newer:
            replaced = {**contracts, contract.name: contract}
            variants.append(Variant(_program(rules, gate, as_of, replaced), contract.name))
    return _program(rules, gate, as_of, contracts, variants=tuple(variants))


def _program(
    rules: RuleSet,
    gate: str,
    as_of: datetime,
    contracts: Mapping[str, Contract],
    coming: bool = False,
    variants: tuple[Variant, ...] = (),
) -> Program:
    scopes = tuple(
        Scope(contract, contract.params.at(as_of, coming), name in rules.audit)
        for name, contract in sorted(contracts.items())
    )
    choices = {choice.name: (choice, scope) for scope in scopes for choice in scope.contract.choices}
    entries = [entry for scope in scopes for entry in _entries(rules, gate, scope, as_of)]
    entries.sort(key=lambda entry: (EFFECTS.index(entry.effect), entry.id, _owner(entry)))
    return Program(
        gate=GATES[gate],
        scopes=scopes,
        shared=rules.shared.at(as_of, coming),
        entries=tuple(entries),
        choices={name: choices[name] for name in _ordered(choices)},
        variants=variants,
    )


def _owner(entry: Entry) -> str:
    """Tells the engine's own entries, which share an id, apart."""
    named = entry.rule or entry.choice
    return f"{named.id if named is not None else ''} {entry.kind}"


def _entries(rules: RuleSet, gate: str, scope: Scope, as_of: datetime) -> Iterable[Entry]:
    for rule in scope.contract.rules:
        state = _state(rule, scope, as_of)
        if state is None:
            continue
        waivers = tuple(
            waiver
            for waiver in rules.waivers
            if waiver.rule == rule.id and as_of < waiver.expires and rule.version in waiver.when
        )
        yield Entry("rule", rule.id, state, scope, rule=rule, waivers=waivers)
        if state == "oblige":
            yield Entry("obligation", "ENGINE-OBLIGATION", "deny", scope, rule=rule)
            yield Entry("missing obligation", "ENGINE-OBLIGATION", "deny", scope, rule=rule)
    for choice in scope.contract.choices:
        spec = GATES[gate].choices.get(choice.name)
        if spec is not None and spec.undecided not in ("deny", "reject"):
            continue
        effect = "reject" if choice.each is not None else "deny"
        yield Entry("choice", "ENGINE-CHOICE", "warn" if scope.warns else effect, scope, choice=choice)


def _state(rule: Rule, scope: Scope, as_of: datetime) -> str | None:
    """The effect that a rule has at an instant, or None if it is not asked."""
    if rule.effective.holds(as_of):
        return "warn" if scope.warns else rule.effect
    return "warn" if rule.effective.warns(as_of) else None


def _ordered(choices: Mapping[str, tuple[Choice, Scope]]) -> list[str]:
    """The names so that each stands after those that it reads; the checker has refused circles within a version."""
    order: list[str] = []
    visiting: set[str] = set()

    def visit(name: str) -> None:
        if name in order or name in visiting or name not in choices:
            return
        visiting.add(name)
        choice, scope = choices[name]
        for other in sorted(choices_read(nodes_of(choice), scope.contract)):
            visit(other)
        visiting.discard(name)
        order.append(name)

    for name in sorted(choices):
        visit(name)
    return order


def nodes_of(choice: Choice) -> list[Node]:
    """Every expression of a choice."""
    return [*choice.when, *(part for row in choice.rows for part in (row.when, row.value)), choice.otherwise]


def choices_read(nodes: Iterable[Node], contract: Contract) -> set[str]:
    """The choices of this gate that expressions read, also through lets."""
    found: set[str] = set()
    for node in (part for root in nodes for part in walk(root)):
        if isinstance(node, Field | Has) and isinstance(node.operand, Chosen):
            found.add(node.name)
        elif isinstance(node, Name) and node.role == "let":
            found |= choices_read([contract.lets[node.name].body], contract)
    return found
