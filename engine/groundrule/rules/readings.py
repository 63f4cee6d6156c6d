"""What a decision rests on, as bare truth values, and what becomes of a decision that is disputed.

A reading is what the interpreter found before anything follows from it: no skipping, no waiver, no effect applied.
Whoever derives outcome and admitted items from readings alone has a third opinion, beside compiler and interpreter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from .decision import Decision
from .declare import Undecided
from .interpret import Interpreter
from .meaning import Env, asking, evaluate, kleene, truth
from .program import Entry
from .syntax import Node

Truth = Literal["true", "false", "undecided"]


@dataclass(frozen=True)
class Reading:
    """One rule or choice at one place.

    position: of the element; None for the whole. effect: as the contract writes it. watched: whether it is only
    warned about for now. sense: whether `holds` must be true (`require`) or false (`forbid`). when: whether all its
    `when` are true. waiver: whether some waiver in force covers it. promise: of a rule that obliges, whether the
    caller fulfils everything and each value is decided.
    """

    position: int | None
    effect: str
    watched: bool
    sense: str
    when: Truth
    holds: Truth
    waiver: Truth
    promise: Literal["none", "kept", "missing", "undecided"]


@dataclass(frozen=True)
class Readings:
    """Everything a decision was made of.

    items: ids of the evidence in order; empty where the gate has none. adapters_left: whether there is anything to
    fall back to.
    """

    readings: tuple[Reading, ...]
    items: tuple[str, ...]
    adapters_left: bool


def readings(decision: Decision) -> Readings | None:
    """The readings of a decision, by the interpreter; None if the rules were not asked, which denies already."""
    program, record = decision._program, decision._facts.record
    if program is None or record is None:
        return None
    interpreter = Interpreter(program, record, decision.now)
    run = getattr(record, "run", None)
    return Readings(
        readings=tuple(
            _reading(interpreter, entry, position, decision._asked.can)
            for entry in program.entries
            for position in interpreter.positions(entry)
        ),
        items=decision._facts.ids if interpreter.admitted_positions() is not None else (),
        adapters_left=run is None or run.adapters_left is None or bool(run.adapters_left),
    )


def disputed(decision: Decision) -> Decision:
    """The denial that stands in place of a decision which a second engine did not confirm."""
    return Decision(decision._asked, decision._facts, decision.now, None, ("ENGINE-CROSS-CHECK", ""))


def _reading(interpreter: Interpreter, entry: Entry, position: int | None, can: frozenset[str]) -> Reading:
    env = interpreter.env(entry, position)
    watched = entry.effect == "warn"
    if entry.choice is not None:
        undecided = interpreter.verdict(entry, position).undecided
        when = _all(entry.choice.when, env)
        effect = "deny" if entry.choice.each is None else "reject"
        return Reading(position, effect, watched, "require", when, "undecided" if undecided else "true", "false", "none")
    rule = entry.rule
    if rule is None:
        raise ValueError(f"{entry.id} is not asked")
    listless = rule.each is not None and position is None
    return Reading(
        position=position,
        effect=rule.effect,
        watched=watched,
        sense=rule.kind,
        when=_all(rule.when, env),
        holds="undecided" if listless else _truth(lambda: truth(rule.condition, env)),
        waiver=_waiver(entry, env),
        promise=_promise(entry, env, can),
    )


def _all(when: tuple[Node, ...], env: Env) -> Truth:
    return _truth(lambda: kleene(False, [asking(node, env) for node in when]))


def _waiver(entry: Entry, env: Env) -> Truth:
    version = entry.scope.contract.version
    nodes = [waiver.when[version] for waiver in entry.waivers if version in waiver.when]
    return _truth(lambda: kleene(True, [asking(node, env) for node in nodes]))


def _promise(entry: Entry, env: Env, can: frozenset[str]) -> Literal["none", "kept", "missing", "undecided"]:
    if entry.rule is None or not entry.rule.oblige:
        return "none"
    if not can.issuperset(entry.rule.oblige):
        return "missing"
    try:
        for node in entry.rule.oblige.values():
            evaluate(node, env)
    except Undecided:
        return "undecided"
    return "kept"


def _truth(question: Callable[[], bool]) -> Truth:
    try:
        return "true" if question() else "false"
    except Undecided:
        return "undecided"
