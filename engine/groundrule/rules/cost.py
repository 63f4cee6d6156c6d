"""Worst-case cost: how many turns of macros and `each` a gate can take (RULES section 2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .. import codes
from ..diagnostics import Diagnostic
from ..facts.gates import GATES
from .contract import Contract, Dated, Each, Let, Params
from .syntax import Call, Cond, Field, Index, ListOf, Loop, MapOf, Name, Node
from .vocabulary import LIST_LIMITS

BUDGET = 2_000_000
"""Steps of one gate."""
READING = {"normalise": 10, "contains_number": 10, "matches": 10}
"""Steps of a function that reads a text through, which takes as long as many turns."""
LONGEST = 1_000
"""Elements of a list about which nothing more is known."""


def check_cost(contracts: Iterable[Contract], shared: Params, faults: list[Diagnostic]) -> None:
    """Adds a fault for each gate that could exceed the budget, at its dearest contract."""
    costs: dict[str, dict[str, tuple[int, str, Contract]]] = {}
    for contract in contracts:
        cost, dearest = contract_cost(contract, shared)
        known = costs.setdefault(contract.gate, {}).get(contract.name)
        if known is None or cost > known[0]:
            costs[contract.gate][contract.name] = (cost, dearest, contract)
    for gate in GATES:
        entries = costs.get(gate, {}).values()
        total = sum(cost for cost, _, _ in entries)
        if total > BUDGET:
            _, dearest, contract = max(entries, key=lambda entry: entry[0])
            values = {"gate": gate, "cost": f"{total:,}", "limit": f"{BUDGET:,}", "dearest": dearest}
            faults.append(codes.TOO_COSTLY.at(contract.place, f"the dearest is {dearest}", **values))


def contract_cost(contract: Contract, shared: Params) -> tuple[int, str]:
    """The steps that a contract can take, and the id of its dearest part."""
    meter = _Meter({"params": contract.params.tree, "shared": shared.tree}, contract.lets)
    parts: list[tuple[int, str]] = []
    for name, let in contract.lets.items():
        parts.append((meter.turns(let.items, contract) * (1 + meter.cost(let.body)), f"let {name}"))
    for rule in contract.rules:
        nodes = [*rule.when, rule.condition]
        parts.append((meter.each(rule.each) * (1 + sum(meter.cost(node) for node in nodes)), rule.id))
    for choice in contract.choices:
        nodes = [*choice.when, *(part for row in choice.rows for part in (row.when, row.value)), choice.otherwise]
        parts.append((meter.each(choice.each) * (1 + sum(meter.cost(node) for node in nodes)), choice.id))
    return sum(cost for cost, _ in parts), max(parts, default=(0, contract.name))[1]


class _Meter:
    """Costs of expressions, given the trees of params, whose lists have known lengths, and the lets."""

    def __init__(self, params: Mapping[str, object], lets: Mapping[str, Let]) -> None:
        self.params, self.lets = params, lets

    def each(self, each: Each | None) -> int:
        return 1 if each is None else self.length(each.over)

    def turns(self, items: frozenset[str], contract: Contract) -> int:
        """How often a let is evaluated: once for each element of the lists whose names it reads."""
        turns = 1
        for item in items:
            named = [rule.each for rule in contract.rules] + [choice.each for choice in contract.choices]
            turns *= max((self.length(each.over) for each in named if each and each.name == item), default=1)
        return turns

    def cost(self, node: Node) -> int:
        if isinstance(node, Loop):
            inner = self.cost(node.body) + (self.cost(node.keep) if node.keep is not None else 0)
            return self.cost(node.over) + self.length(node.over) * (1 + inner)
        if isinstance(node, Call) and node.function == "_in_":
            return sum(self.cost(arg) for arg in node.args) + self.length(node.args[1])
        reading = READING.get(node.function, 0) if isinstance(node, Call) else 0
        return reading + sum(self.cost(child) for child in node.children())

    def length(self, node: Node) -> int:
        """The most elements that a list or map can have."""
        match node:
            case ListOf():
                return len(node.items)
            case MapOf():
                return len(node.entries)
            case Loop():
                return self.length(node.over)
            case Cond():
                return max(self.length(node.yes), self.length(node.no))
            case Call() if node.function == "_+_":
                return sum(self.length(arg) for arg in node.args)
            case Call() if node.function == "distinct":
                return self.length(node.args[0])
            case Name(role="let") if node.name in self.lets:
                return self.length(self.lets[node.name].body)
            case Name() | Field() | Index():
                sizes = [size for tree in self.trees(node) for size in _sizes(tree)]
                named = LIST_LIMITS.get(node.name, LONGEST) if not isinstance(node, Index) else LONGEST
                return max(sizes, default=named)
        return LONGEST

    def trees(self, node: Node) -> list[object]:
        """What a field of params may be; of an entry asked by key, every entry of its map."""
        if isinstance(node, Field):
            owners = self.trees(node.operand)
            return [owner[node.name] for owner in owners if isinstance(owner, Mapping) and node.name in owner]
        if isinstance(node, Index):
            return [
                entry for owner in self.trees(node.operand) if isinstance(owner, Mapping) for entry in owner.values()
            ]
        known = isinstance(node, Name) and node.role in self.params
        return [self.params[node.name]] if known and isinstance(node, Name) else []


def _sizes(tree: object) -> list[int]:
    """The lengths of a list of params in its dated values, or of a map."""
    if isinstance(tree, Dated):
        return [len(entry) for entry, _ in tree.entries if isinstance(entry, tuple)]
    return [len(tree)] if isinstance(tree, Mapping) else []
