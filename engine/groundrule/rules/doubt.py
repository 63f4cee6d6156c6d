"""Which rules can be undecided: those whose condition reads something that may be absent.

A rule that reads only literals, `now` and params always has an answer, so no test can show it undecided. Operations
that can fail are left aside: on what is always there they fail on no facts that a case could state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .contract import Choice, Contract, Rule
from .select import nodes_of
from .syntax import Bind, Chosen, Const, Field, Has, Index, Logic, Loop, Name, Node


@dataclass
class Doubts:
    """The contracts asked together at a gate. choices: each choice of the gate with the contract that makes it."""

    choices: Mapping[str, tuple[Choice, Contract]]
    _known: dict[tuple[str, ...], bool] = field(default_factory=dict)

    def rule(self, rule: Rule, contract: Contract) -> bool:
        """Whether a rule can be undecided."""
        if rule.each is not None and self._node(rule.each.over, contract, {}):
            return True
        return self._node(rule.condition, contract, {})

    def _node(self, node: Node, contract: Contract, local: Mapping[str, bool]) -> bool:
        match node:
            case Name():
                return self._name(node, contract, local)
            case Field(operand=Chosen()):
                return self._choice(node.name, made=True)
            case Has(operand=Chosen()):
                return self._choice(node.name, made=False)
            case Field():
                return self._field(node, contract, local)
            case Logic():
                # A literal that settles `&&` or `||` settles it whatever the others are.
                settled = any(isinstance(arg, Const) and arg.value is (node.word == "or") for arg in node.args)
                return not settled and any(self._node(arg, contract, local) for arg in node.args)
            case Index() if not _of_params(node):
                return True
            case Loop():
                inner = {**local, node.var: False}
                parts = [part for part in (node.keep, node.body) if part is not None]
                return self._node(node.over, contract, local) or any(self._node(p, contract, inner) for p in parts)
            case Bind():
                inner = {**local, node.var: self._node(node.value, contract, local)}
                return self._node(node.body, contract, inner)
        return any(self._node(child, contract, local) for child in node.children())

    def _name(self, node: Name, contract: Contract, local: Mapping[str, bool]) -> bool:
        if node.role == "let":
            key = (contract.name, contract.version, node.name)
            return self._remembered(key, [contract.lets[node.name].body], contract)
        if node.role == "local":
            return local[node.name]
        return node.role in ("fact", "admitted")

    def _field(self, node: Field, contract: Contract, local: Mapping[str, bool]) -> bool:
        info = node.operand.type.fields.get(node.name)
        there = _of_params(node) or (info is not None and info.always)
        return not there or self._node(node.operand, contract, local)

    def _choice(self, name: str, made: bool) -> bool:
        """Whether reading a choice can be undecided; with `made`, also because it was not made."""
        if name not in self.choices:
            return made
        choice, contract = self.choices[name]
        if made and choice.when:
            return True
        return self._remembered((name,), nodes_of(choice), contract)

    def _remembered(self, key: tuple[str, ...], nodes: list[Node], contract: Contract) -> bool:
        """Lets may read each other twice each, so each is looked at once."""
        if key not in self._known:
            self._known[key] = any(self._node(node, contract, {}) for node in nodes)
        return self._known[key]


def _of_params(node: Node) -> bool:
    """Whether a chain of reads begins at params."""
    while isinstance(node, Field | Index):
        node = node.operand
    return isinstance(node, Name) and node.role in ("params", "shared")
