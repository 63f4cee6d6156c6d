"""How long a decision stays the same on the same facts: `valid_until` (RULES section 6).

The moving parts of a program are evaluated with a `now` that knows that it runs: a time or duration is a + b * now in
whole microseconds. Each comparison on the way tells the first instant at which it would flip. Until the earliest
of these nothing can change, since the same path is taken; there the program is asked again, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from ..facts.record import MAX_DURATION, Record
from .declare import Undecided
from .functions import EPOCH, MICROSECOND
from .interpret import Interpreter
from .meaning import evaluate
from .motion import Motion, ProgramMotion
from .operators import same
from .program import UNDECIDED, WAIVED, Entry, Findings, Program, position_of, rank_of
from .syntax import Call

Asked = tuple[Program, Findings]
MAX_STEPS = 10_000
"""Instants looked at before a lower bound is given."""
MAX_WORK = 300_000
"""Rules and choices asked, item by item, and functions applied, before a lower bound is given."""
LAST = (datetime.max.replace(tzinfo=UTC) - EPOCH) // MICROSECOND
RANGES = {
    "timestamp": ((datetime.min.replace(tzinfo=UTC) - EPOCH) // MICROSECOND, LAST),
    "duration": (-(MAX_DURATION // MICROSECOND), MAX_DURATION // MICROSECOND),
}
"""Least and greatest value of each kind, in microseconds."""
TRUE_WITHIN = {
    "_<_": (None, -1),
    "_<=_": (None, 0),
    "_>_": (1, None),
    "_>=_": (0, None),
    "_==_": (0, 0),
    "_!=_": (0, 0),
}
"""The differences, in microseconds, for which a comparison holds (for which `!=` does not)."""


class _Exhausted(Exception):
    """Too much was asked."""


@dataclass(frozen=True, eq=False, slots=True)
class Moving:
    """A time or duration: `micros` now, and `slope` more with every microsecond."""

    micros: int
    slope: int


def valid_until(
    record: Record,
    now: datetime,
    can: frozenset[str],
    instants: Sequence[datetime],
    ask: Callable[[datetime], Asked],
) -> datetime | None:
    """The first instant after `now` at which the decision on the same facts differs; None if there is none.

    instants: when the program in force changes, ascending. ask: the program and its findings at an instant. `now`
    itself is handed back where the program looks at the clock in a way that cannot be followed. Where the search
    grows too long, it is an instant until which the decision stays the same.
    """
    program, found = ask(now)
    motion, first = _motion_of(program), _promised(program, found, record, now)
    at, left = now, MAX_WORK
    for _ in range(MAX_STEPS):
        if motion.whole is Motion.LOOSE:
            return at
        tracer = _Tracer(program, record, at, left, found.admitted)
        try:
            tracer.ask_moving(motion)
        except _Exhausted:
            return at
        left = tracer.left
        following = _earliest(tracer.flip, next((instant for instant in instants if instant > at), None))
        if following is None:
            return None
        program, found = ask(following)
        if not _equal(_promised(program, found, record, following), first):
            return following
        motion, at = _motion_of(program), following
    return at


@lru_cache(maxsize=64)
def _motion_of(program: Program) -> ProgramMotion:
    """The motion of a program, which no facts change."""
    return ProgramMotion(program)


class _Tracer(Interpreter):
    """The reference meaning with a running clock. `flip` is the next instant at which a comparison changes.

    admitted: the positions of the items that count at `now`, as the decision there found them. What rejects an item and
    moves is asked besides, so its comparisons are told.
    """

    def __init__(
        self, program: Program, record: Record, now: datetime, left: int, admitted: tuple[int, ...] | None
    ) -> None:
        super().__init__(program, record, now)
        self.left = left
        self._found = admitted
        self._start = (now - EPOCH) // MICROSECOND
        self._next: int | None = None

    @property
    def flip(self) -> datetime | None:
        return None if self._next is None else self.now + timedelta(microseconds=self._next)

    def instant(self) -> Any:
        return Moving(self._start, 1)

    def admitted_positions(self) -> tuple[int, ...] | None:
        return super().admitted_positions() if self._found is None else self._found

    def rejected(self) -> frozenset[int]:
        if self._found is None:
            return super().rejected()
        return frozenset(range(len(self.variable("evidence")))).difference(self._found)

    def ask_moving(self, motion: ProgramMotion) -> None:
        """Asks everything that could change."""
        for entry in self.program.entries:
            if motion.entry(entry) is not Motion.STILL and entry.kind in ("rule", "choice"):
                for position in self.asked(entry):
                    self._ask(entry, position)
        for name, (choice, scope) in self.program.choices.items():
            if motion.choice(name) is not Motion.STILL:
                elements = () if choice.each is None else self.elements(choice.each, scope)
                for item in (None,) if choice.each is None or isinstance(elements, Undecided) else elements:
                    self._count()
                    _quietly(self.choice, name, item)

    def apply(self, call: Call, args: tuple[Any, ...]) -> Any:
        self._count()
        if not any(isinstance(arg, Moving) for arg in args):
            return super().apply(call, args)
        left, right = (arg if isinstance(arg, Moving) else Moving(_micros(arg), 0) for arg in args)
        if call.function in TRUE_WITHIN:
            difference = Moving(left.micros - right.micros, left.slope - right.slope)
            return self._within(difference, *TRUE_WITHIN[call.function]) is (call.function != "_!=_")
        sign = {"_+_": 1, "_-_": -1}[call.function]
        result = Moving(left.micros + sign * right.micros, left.slope + sign * right.slope)
        if not self._within(result, *RANGES[call.type.kind]):
            raise Undecided("a {kind} out of range", kind=call.type.kind)
        return result

    def _ask(self, entry: Entry, position: int | None) -> None:
        self._count()
        if not self.verdict(entry, position).met and self.waiver(entry, position) is None:
            for node in entry.rule.oblige.values() if entry.rule is not None else ():
                _quietly(evaluate, node, self.env(entry, position))

    def _count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise _Exhausted

    def _within(self, value: Moving, low: int | None, high: int | None) -> bool:
        """Whether a value is within bounds; remembers when that changes."""
        change = first_change(value.micros, value.slope, low, high)
        if change is not None and self._start + change <= LAST:
            self._next = change if self._next is None else min(change, self._next)
        return (low is None or low <= value.micros) and (high is None or value.micros <= high)


def first_change(value: int, slope: int, low: int | None, high: int | None) -> int | None:
    """The least k > 0 for which it is not the same of `value + k * slope` as of `value` whether low <= x <= high."""
    if slope < 0:
        value, slope = -value, -slope
        low, high = None if high is None else -high, None if low is None else -low
    if slope == 0 or (high is not None and value > high):
        return None
    if low is not None and value < low:
        enters = -((value - low) // slope)
        return enters if high is None or value + enters * slope <= high else None
    return None if high is None else (high - value) // slope + 1


def _micros(value: datetime | timedelta) -> int:
    return (value - EPOCH if isinstance(value, datetime) else value) // MICROSECOND


def _quietly(question: Callable[..., Any], *args: Any) -> None:
    """Asks for the sake of the comparisons on the way; an undecided answer is as good as another."""
    try:
        question(*args)
    except Undecided:
        pass


def _earliest(*instants: datetime | None) -> datetime | None:
    return min((instant for instant in instants if instant is not None), default=None)


def _promised(program: Program, found: Findings, record: Record, at: datetime) -> tuple[Any, ...]:
    """What `valid_until` makes a promise about; the outcome follows from it."""
    interpreter = Interpreter(program, record, at)
    violations = sorted(_violation(interpreter, finding) for finding in found.violations)
    return bool(program.scopes), violations, found.admitted, found.choices, found.obligations


def _violation(interpreter: Interpreter, finding: int) -> tuple[str, ...]:
    entry, position = interpreter.program.entries[rank_of(finding)], position_of(finding)
    waiver = interpreter.waiver(entry, position) if finding & WAIVED else None
    waived_by = "" if waiver is None else f"{waiver.ticket} {waiver.owner}"
    return entry.id, entry.at(position) or "", entry.effect, str(finding & UNDECIDED), waived_by


def _equal(first: tuple[Any, ...], second: tuple[Any, ...]) -> bool:
    return first[:3] == second[:3] and same(first[3:], second[3:])
