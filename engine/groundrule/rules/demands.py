"""What a gate demands, as text that a planner can be told: made from the rules in force, so it changes with them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime

from ..facts.record import thaw
from .contract import Choice, Rule
from .program import Entry, Program
from .ruleset import RuleSet
from .syntax import Const, Node
from .unparse import unparse

_SAYS = {"deny": "refused", "clarify": "asked back", "warn": "noted"}


def demands(rules: RuleSet, gate: str, as_of: datetime) -> str:
    """One line for each rule and choice in force at a gate, below the values and shorthands that they use.

    Conditions are written as in the rules, in CEL. as_of: aware. Empty where no contract covers the gate.
    """
    program = rules.program(gate, as_of, {})
    return "\n".join(_lines(program))


def _lines(program: Program) -> Iterator[str]:
    for scope in program.scopes:
        if scope.params:
            yield f"params: {json.dumps(thaw(scope.params), ensure_ascii=False)}"
        for name, let in scope.contract.lets.items():
            yield f"{name}: {_text(let.body)}"
    for entry in program.entries:
        if entry.kind == "rule" and entry.rule is not None:
            yield _rule(entry, entry.rule)
    for choice, _ in program.choices.values():
        yield _choice(choice)


def _rule(entry: Entry, rule: Rule) -> str:
    each = "" if rule.each is None else f"for each {rule.each.name} of {_text(rule.each.over)}: "
    when = "".join(f" where {_text(node)}" for node in rule.when)
    word = "unless" if rule.kind == "require" else "if"
    return f"- {each}{_SAYS.get(entry.effect, entry.effect)} {word} {_text(rule.condition)}{when}"


def _choice(choice: Choice) -> str:
    rows = [f"{_text(row.value)} if {_text(row.when)}" for row in choice.rows]
    return f"- {choice.name} is {', '.join([*rows, f'else {_text(choice.otherwise)}' if rows else _text(choice.otherwise)])}"


def _text(node: Node) -> str:
    """The expression without its outermost brackets."""
    text = unparse(node)
    return text if isinstance(node, Const) or not _wrapped(text) else text[1:-1]


def _wrapped(text: str) -> bool:
    """Whether one pair of brackets encloses the whole text."""
    depth = 0
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return at == len(text) - 1 and text[0] == "("
    return False
