"""Warnings that save authors: what is allowed and probably not meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .. import codes
from ..diagnostics import Diagnostic
from .contract import Contract, Params, Rule
from .syntax import Call, Chosen, Const, Field, Has, Logic, Loop, Name, Node, is_now, walk
from .unparse import unparse

TO_FILL_IN = {
    "summary": {"en": "What this contract promises.", "zh": "本合同的承诺。"},
    "message": {"en": "Say what is not met.", "zh": "说明未满足的条件。"},
}
"""The texts with which a new contract or rule begins."""


def lint(contracts: list[Contract], shared: Params, audit: tuple[str, ...]) -> list[Diagnostic]:
    """The warnings of a rule set without faults."""
    found: list[Diagnostic] = []
    for gate in dict.fromkeys(contract.gate for contract in contracts):
        here = [contract for contract in contracts if contract.gate == gate]
        guarded, sized = _guarded_times(here), _sized_lists(here)
        for contract in here:
            found += _unused(contract)
            found += _has_chains(contract)
            found += _to_fill_in(contract)
            for rule in contract.rules:
                found += _absent(rule)
                found += _future(rule, guarded)
                found += _empty(rule, sized)
                found += _no_effect(rule)
    return [*found, *_only_watch(contracts, audit)]


def _parts(nodes: Iterable[Node]) -> Iterator[Node]:
    for node in nodes:
        yield from walk(node)


def _absent(rule: Rule) -> list[Diagnostic]:
    """Under `forbid`, what is absent makes a rule not met although nothing forbidden was seen."""
    if rule.kind != "forbid":
        return []
    asked = _parts((rule.condition, *rule.when))
    guarded = {f"{unparse(node.operand)}.{node.name}" for node in asked if isinstance(node, Has)}
    found: dict[str, Diagnostic] = {}
    for node in walk(rule.condition):
        if not isinstance(node, Field) or node.operand.type.kind != "record" or isinstance(node.operand, Chosen):
            continue
        info = node.operand.type.fields.get(node.name)
        text = unparse(node)
        root: Node = node
        while isinstance(root, Field):
            root = root.operand
        of_params = isinstance(root, Name) and root.role in ("params", "shared")
        if info is None or info.always or of_params or text in guarded or info.type.kind == "record":
            continue
        found.setdefault(text, codes.ABSENT_SURPRISE.at(node.span, field=text))
    return list(found.values())


def _ages(nodes: Iterable[Node]) -> Iterator[tuple[Call, Field]]:
    """Comparisons `now - FIELD < …` or `<= …`."""
    for node in _parts(nodes):
        if isinstance(node, Call) and node.function in ("_<_", "_<=_") and isinstance(node.args[0], Call):
            left = node.args[0]
            if left.function == "_-_" and is_now(left.args[0]) and isinstance(left.args[1], Field):
                yield node, left.args[1]


def _guarded_times(contracts: list[Contract]) -> set[str]:
    """The fields that some rule of the gate compares with `now` the other way round."""
    guarded: set[str] = set()
    for node in _parts(node for peer in contracts for rule in peer.rules for node in (rule.condition, *rule.when)):
        if isinstance(node, Call) and node.function in ("_-_", "_<_", "_<=_") and is_now(node.args[1]):
            guarded |= {part.name for part in walk(node.args[0]) if isinstance(part, Field)}
        if isinstance(node, Call) and node.function in ("_>_", "_>=_") and is_now(node.args[0]):
            guarded |= {part.name for part in walk(node.args[1]) if isinstance(part, Field)}
    return guarded


def _future(rule: Rule, guarded: set[str]) -> list[Diagnostic]:
    """An age limit that every future date meets, where no rule of the gate looks the other way."""
    nodes = [rule.condition] if rule.kind == "require" else []
    return [
        codes.FUTURE_UNGUARDED.at(age.span, field=unparse(field))
        for age, field in _ages(nodes)
        if field.name not in guarded
    ]


def _sized_lists(contracts: list[Contract]) -> set[str]:
    """The lists whose size something at the gate asks for, as text."""
    nodes = _parts(node for contract in contracts for node in contract.expressions())
    return {unparse(node.args[0]) for node in nodes if isinstance(node, Call) and node.function == "size"}


def _empty(rule: Rule, sized: set[str]) -> list[Diagnostic]:
    """`all` over a list that may be empty, where nothing at the gate asks for its size."""
    if rule.each is not None or rule.kind != "require":
        return []
    top = rule.condition.args if isinstance(rule.condition, Logic) else (rule.condition,)
    return [
        codes.EMPTY_PASSES.at(node.span)
        for node in top
        if isinstance(node, Loop) and node.macro == "all" and unparse(node.over) not in sized
    ]


def _no_effect(rule: Rule) -> list[Diagnostic]:
    found = []
    if isinstance(rule.condition, Const):
        met = rule.condition.value is (rule.kind == "require")
        why = "the condition is always met" if met else "the condition is never met"
        found.append(codes.NO_EFFECT.at(rule.condition.span, why=why))
    for node in rule.when:
        if isinstance(node, Const) and node.value is False:
            found.append(codes.NO_EFFECT.at(node.span, why="`when` is always false"))
    return found


def _has_chains(contract: Contract) -> list[Diagnostic]:
    found = []
    for root in contract.expressions():
        parts = list(walk(root))
        guarded = {f"{unparse(node.operand)}.{node.name}" for node in parts if isinstance(node, Has)}
        for node in parts:
            if not isinstance(node, Has) or not isinstance(node.operand, Field):
                continue
            operand = unparse(node.operand)
            if node.operand.operand.type.kind == "record" and operand not in guarded:
                found.append(codes.HAS_CHAIN.at(node.span, path=f"{operand}.{node.name}", operand=operand))
    return found


def _to_fill_in(contract: Contract) -> list[Diagnostic]:
    """Texts that nobody has written yet."""
    texts = [(contract.place, "summary", contract.summary)]
    texts += [(rule.place, "message", rule.plain_message or {}) for rule in contract.rules]
    return [
        codes.TO_FILL_IN.at(place, key=key)
        for place, key, text in texts
        if any(text.get(language) == begun for language, begun in TO_FILL_IN[key].items())
    ]


def _unused(contract: Contract) -> list[Diagnostic]:
    lets = {node.name for node in _parts(contract.expressions()) if isinstance(node, Name) and node.role == "let"}
    params = {
        node.name
        for node in _parts(contract.expressions())
        if isinstance(node, Field) and isinstance(node.operand, Name) and node.operand.role == "params"
    }
    found = [codes.UNUSED.at(let.body.span, name=name) for name, let in contract.lets.items() if name not in lets]
    places = contract.params.places
    found += [
        codes.UNUSED.at(places[name], name=f"params.{name}") for name in contract.params.tree if name not in params
    ]
    return found


def _only_watch(contracts: list[Contract], audit: tuple[str, ...]) -> list[Diagnostic]:
    """Gates at which nothing can say no although they know an effect that does."""
    found = []
    for gate in dict.fromkeys(contract.gate for contract in contracts):
        here = [contract for contract in contracts if contract.gate == gate]
        bites = any(rule.effect != "warn" for contract in here if contract.name not in audit for rule in contract.rules)
        if not bites and gate not in ("dispatch", "route"):
            found.append(codes.ONLY_WATCHES.at(here[0].place, gate=gate))
    return found
