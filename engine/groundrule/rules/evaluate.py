"""Asking a gate. Whatever goes in, a Decision comes out; nothing leads from an error to an allow."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from ..facts.gates import GATES
from ..facts.record import exact_text
from ..reasons import Reason, kind_of
from . import facts as border
from .decision import Asked, Decision, aware
from .facts import Facts
from .interpret import Interpreter
from .program import Findings, Program
from .ruleset import RuleSet
from .select import UnknownPin

NO_PINS: Mapping[str, str] = MappingProxyType({})
NOTHING: frozenset[str] = frozenset()
START = datetime(1970, 1, 1, tzinfo=UTC)


def evaluate(
    rules: RuleSet,
    gate: str,
    facts: object,
    now: datetime,
    *,
    as_of: datetime | None = None,
    pins: Mapping[str, str] | None = None,
    can: Iterable[str] = (),
) -> Decision:
    """What the contracts in force at a gate say about facts.

    facts: a mapping, which is validated, or what `rules.facts` or `rules.facts_from_json` returned. now: the clock of
    conditions, with an offset. as_of: selects versions, dated values and waivers; `now` if not given. pins: contract
    name to version. can: the obligations that the caller will fulfil.

    Pure and thread-safe; the same inputs give the same bytes. Raises nothing of its own: whatever is wrong denies, with
    a violation `ENGINE-…` that says why, and so does every Exception that an argument raises when it is looked at. Only
    what is a BaseException and no Exception (KeyboardInterrupt, SystemExit, a cancellation) passes.
    """
    plain = pins is None and as_of is None and type(can) is tuple and not can and type(gate) is str
    if plain and type(facts) is Facts and type(rules) is RuleSet:
        ready = rules._ready.get(gate)
        if ready is not None and facts.gate == gate and facts.chosen is ready.chosen and facts.values is not None:
            instant = now if type(now) is datetime and now.tzinfo is UTC else aware(now)
            if instant is not None and ready.start <= instant < ready.end:
                try:
                    return Decision(ready.asked, facts, instant, ready.decide(facts, instant, NOTHING))
                except Exception:  # noqa: BLE001  # as in `_decided`, whose call would cost more than the checks above
                    return _interpreted(ready.asked, facts, instant)
    try:
        return _slowly(rules, gate, facts, now, as_of, pins, can)
    except Exception as why:  # noqa: BLE001  # arguments are the caller's code and may raise anything when looked at
        asked = Asked(None, gate if type(gate) is str else kind_of(gate), None, NO_PINS, NOTHING, None)
        held = Facts(asked.gate, None, None, border.NO_CHOICES)
        return Decision(asked, held, START, None, ("ENGINE-INTERNAL", kind_of(why)))


class Arguments(NamedTuple):
    """What goes in beside rules and facts, as exact copies. fault: the violation and the reason if one is wrong."""

    gate: str
    now: datetime
    as_of: datetime | None
    pins: Mapping[str, str]
    can: frozenset[str]
    fault: tuple[str, Reason | str] | None

    def refused(self, rules: RuleSet | None, held: Facts, rule: str, reason: Reason | str) -> Decision:
        """The deny for a reason that stands before all rules."""
        return Decision(Asked(rules, self.gate, self.as_of, self.pins, self.can, None), held, self.now, None, (rule, reason))


def arguments(gate: object, now: object, as_of: object, pins: object, can: object) -> Arguments:
    """The arguments of `evaluate` looked at. Raises whatever they raise."""
    instant, selected, pinned, promised = aware(now), aware(as_of), _pins(pins), _promises(can)
    textual = issubclass(type(gate), str)
    name = exact_text(cast("str", gate)) if textual else kind_of(gate)
    fault: tuple[str, Reason | str] | None = None
    if not textual or name not in GATES:
        fault = "ENGINE-GATE", name if textual else Reason("of type {kind}", kind=name)
    elif instant is None or (as_of is not None and selected is None):
        fault = "ENGINE-TIME", Reason("a time with an offset is needed")
    elif pinned is None:
        fault = "ENGINE-PIN", Reason("pins map contract names to versions")
    elif promised is None:
        fault = "ENGINE-OBLIGATION", Reason("`can` is a collection of names")
    return Arguments(name, instant or START, selected, pinned or {}, promised or NOTHING, fault)


class Ready:
    """A compiled program and the instants between which it is in force."""

    __slots__ = ("asked", "chosen", "decide", "end", "start")

    def __init__(self, rules: RuleSet, gate: str, program: Program, at: datetime) -> None:
        index = bisect_right(rules.instants, at)
        earliest, latest = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
        self.start = rules.instants[index - 1] if index else earliest
        self.end = rules.instants[index] if index < len(rules.instants) else latest
        self.chosen = rules.item_choices
        self.asked = Asked(rules, gate, None, NO_PINS, NOTHING, program)
        self.decide = rules.compiled(program)


def _slowly(
    rules: RuleSet,
    gate: str,
    facts: object,
    now: datetime,
    as_of: datetime | None,
    pins: Mapping[str, str] | None,
    can: Iterable[str],
) -> Decision:
    """The same with every input looked at."""
    given = arguments(gate, now, as_of, pins, can)
    known = rules if isinstance(rules, RuleSet) else None
    held = facts_of(known, given.gate, facts)

    def refuse(rule: str, reason: Reason | str) -> Decision:
        return given.refused(known, held, rule, reason)

    if known is None:
        return refuse("ENGINE-RULES", Reason("this is no rule set"))
    if given.fault is not None:
        return refuse(*given.fault)
    if held.fault is not None or held.values is None:
        return refuse("ENGINE-FACTS", held.fault or Reason("there are none"))
    try:
        program = known.program(given.gate, given.as_of or given.now, given.pins)
    except UnknownPin as why:
        return refuse("ENGINE-PIN", why.reason)
    if not program.scopes:
        return refuse("ENGINE-GATE-EMPTY", given.gate)
    try:
        decide = known.compiled(program)
        if not given.pins and given.as_of is None:
            known._ready[given.gate] = Ready(known, given.gate, program, given.now)
    except Exception as why:  # noqa: BLE001  # whatever the compiler stumbles over, the interpreter decides
        decide = _not_compiled(why)
    return _decided(Asked(known, given.gate, given.as_of, given.pins, given.can, program), held, given.now, decide)


def _not_compiled(why: Exception) -> Any:
    def decide(held: Facts, now: datetime, can: frozenset[str]) -> Findings:
        raise RuntimeError(f"not compiled: {type(why).__name__}")

    return decide


def _decided(asked: Asked, facts: Facts, now: datetime, decide: Any) -> Decision:
    try:
        findings = decide(facts, now, asked.can)
    except Exception:  # noqa: BLE001  # whatever raises in compiled rules is asked again by the interpreter
        return _interpreted(asked, facts, now)
    return Decision(asked, facts, now, findings)


def _interpreted(asked: Asked, facts: Facts, now: datetime) -> Decision:
    try:
        assert asked.program is not None
        findings = Interpreter(asked.program, facts.known, now).findings(asked.can)
    except Exception as why:  # noqa: BLE001  # an internal error denies, and says what it was
        return Decision(asked._replace(program=None), facts, now, None, ("ENGINE-INTERNAL", kind_of(why)))
    return Decision(asked, facts, now, findings)


def explain(
    rules: RuleSet,
    gate: str,
    facts: object,
    now: datetime,
    *,
    as_of: datetime | None = None,
    pins: Mapping[str, str] | None = None,
    can: Iterable[str] = (),
) -> dict[str, Any]:
    """The decision as JSON values, with `trace`: every rule, asked or skipped, and every sub-expression's value."""
    decision = evaluate(rules, gate, facts, now, as_of=as_of, pins=pins, can=can)
    return {**decision.to_json(), "trace": decision.trace()}


def facts_of(rules: RuleSet | None, gate: str, facts: object) -> Facts:
    """The facts of this gate and this rule set; those made for others are validated again."""
    chosen = rules.item_choices if rules is not None else border.NO_CHOICES
    if not isinstance(facts, Facts):
        if isinstance(facts, Mapping) or facts is None or hasattr(type(facts), "model_fields"):
            return border.from_mapping(gate, facts if facts is not None else {}, chosen)
        return Facts(gate, None, Reason("facts of type {kind}", kind=kind_of(facts)), chosen)
    if facts.gate != gate:
        return Facts(gate, None, Reason("facts of the gate `{gate}`", gate=facts.gate), chosen)
    if facts.values is not None and facts.chosen is not chosen and facts.chosen != chosen:
        return border.from_mapping(gate, facts.record, chosen)
    return facts


def _pins(pins: object) -> Mapping[str, str] | None:
    if pins is None:
        return NO_PINS
    if not isinstance(pins, Mapping):
        return None
    entries = list(pins.items())
    if not all(issubclass(type(word), str) for entry in entries for word in entry):
        return None
    return {exact_text(name): exact_text(version) for name, version in entries}


def _promises(can: object) -> frozenset[str] | None:
    if isinstance(can, str) or not isinstance(can, Iterable):
        return None
    names = list(can)
    return frozenset(map(exact_text, names)) if all(issubclass(type(name), str) for name in names) else None
