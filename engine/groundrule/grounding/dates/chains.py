"""A time expression as a whole period and the fields that narrow it: 去年 · 9月 · 15日 · 下午 · 3点.

The order in which fields are written does not matter (Chinese goes from large to small, English mostly back), so
a chain is sorted by level before it is resolved. What cannot narrow what stands before it ends the expression.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta

from . import periods as p
from .clocks import Clock, clock_of, settle
from .line import Line
from .periods import Period, Refused


@dataclass(frozen=True)
class Field:
    """One narrowing.

    kind: a key of LEVEL. n, m: its numbers. word: the name of an edge, part or holiday. unit: what it is counted in.
    """

    kind: str
    n: int = 0
    m: int = 0
    word: str = ""
    unit: str = ""
    clock: Clock | None = None


Found = tuple[Period | None, tuple[Field, ...], int]
"""What an element reader found: a whole period or fields, and the index after them."""
LEVEL = {"half": 1, "quarter": 1, "month": 2, "holiday": 2, "week": 3, "half month": 3, "third": 3, "span": 3, "nth": 3, "edge": 3,
         "day": 4, "weekday": 4, "part": 5, "clock": 6}  # fmt: skip
_ACCEPTS: dict[str, tuple[str, ...]] = {
    "quarter": ("year",), "month": ("year",), "holiday": ("year",), "week": ("year", "quarter", "month"),
    "third": ("month",), "half month": ("month",), "span": ("year", "quarter", "month", "week"), "nth": ("year", "quarter", "month"),
    "edge": ("year", "quarter", "half", "month", "week", "decade", "century", "day"), "day": ("month",),
    "weekday": ("week",), "part": ("day",), "clock": ("day", "part"),
}  # fmt: skip
"""Which periods a field can narrow; a half says so itself."""
_BECOMES = {"half": "half", "quarter": "quarter", "month": "month", "holiday": "day", "week": "week", "third": "days", "half month": "days",
            "span": "days", "nth": "day", "edge": "days", "day": "day", "weekday": "day", "part": "part",
            "clock": "clock"}  # fmt: skip
"""The unit of what it narrows them to."""
_WHOLE = {"quarter": "year", "month": "year", "holiday": "year", "week": "year", "third": "month", "half month": "month", "span": "year",
          "nth": "month", "day": "month", "weekday": "week", "part": "day", "clock": "day"}  # fmt: skip
"""The unit of the period, around the reference time, that a field narrows if nothing larger is named."""
_FAR = timedelta(days=274)


@dataclass(frozen=True)
class Chain:
    """top: the period that was named outright, if any. fields: sorted by level. weekday: named beside a date. same: the
    date named beside 下周一."""

    top: Period | None = None
    fields: tuple[Field, ...] = ()
    weekday: int | None = None
    same: tuple[Field, ...] = ()

    @property
    def level(self) -> int:
        """Level of the finest field; 0 if there is none."""
        return LEVEL[self.fields[-1].kind] if self.fields else 0

    def has(self, *kinds: str) -> bool:
        """Whether a field of one of the kinds is present."""
        return any(field.kind in kinds for field in self.fields)

    @property
    def unit(self) -> str:
        """The unit that the whole chain comes to; empty if its fields do not fit together."""
        unit = self.top.unit if self.top else default_whole(self.fields[0]) if self.fields else ""
        for field in self.fields:
            accepts = (field.unit,) if field.kind == "half" else _ACCEPTS[field.kind]
            if field.kind == "edge" and field.unit and field.unit != unit:
                return ""
            if unit not in accepts:
                return ""
            unit = "day" if field.kind == "span" and (abs(field.n), field.unit) == (1, "day") else _BECOMES[field.kind]
        return unit


def default_whole(field: Field) -> str:
    """The unit of the period, around the reference time, that a field narrows if nothing larger is named."""
    if field.kind in ("half", "edge"):
        return field.unit
    return _WHOLE[field.kind]


def add(chain: Chain, top: Period | None, fields: tuple[Field, ...]) -> Chain | None:
    """The chain with more named; None if that does not fit."""
    if top is not None and chain.top is not None:
        return None
    if chain.top is not None and not chain.top.explicit and chain.unit == "day" and top is None and _dates(chain, fields):
        return replace(chain, same=chain.same + fields)
    weekday = chain.weekday
    merged = list(chain.fields)
    for field in fields:
        dated = any(old.kind == "day" for old in merged) or (top or chain.top or _NOTHING).unit == "day"
        if field.kind == "weekday" and weekday is None and dated:
            weekday = field.n
            continue
        if any(LEVEL[old.kind] == LEVEL[field.kind] for old in merged):
            if field.kind != "day" or not any(old.kind == "weekday" for old in merged):
                return None
            weekday, merged = next(old.n for old in merged if old.kind == "weekday"), [
                old for old in merged if old.kind != "weekday"
            ]  # fmt: skip
        merged.append(field)
    if top is not None and top.unit == "day" and weekday is None:
        weekday = next((old.n for old in merged if old.kind == "weekday"), None)
        merged = [old for old in merged if old.kind != "weekday"]
    made = Chain(top or chain.top, tuple(sorted(merged, key=lambda field: LEVEL[field.kind])), weekday, chain.same)
    # A weekday may stand before the month and day that follow it: Friday, April 17.
    if not made.unit and not (made.has("weekday") and made.has("month")):
        return None
    return made


def _dates(chain: Chain, fields: tuple[Field, ...]) -> bool:
    """Whether fields are the date of a day that the reference time gives already: 下周一（4月20日）."""
    kinds = tuple(field.kind for field in chain.same + fields)
    return chain.weekday is None and kinds in (("day",), ("month",), ("month", "day"))


_NOTHING = Period(p.OPEN_BEGIN, p.OPEN_END, "")


def narrow(whole: Period, field: Field, part: str | None = None) -> Period:
    """The part of a period that a field names. Raises Refused if there is none."""
    steps: dict[str, Callable[[], Period]] = {
        "half": lambda: p.half_of(whole, field.n),
        "half month": lambda: p.half_of(whole, field.n),
        "quarter": lambda: p.quarter_of(whole, field.n),
        "month": lambda: p.month_of(whole, field.n),
        "holiday": lambda: p.holiday_of(whole, field.word),
        "week": lambda: p.week_of(whole, field.n),
        "third": lambda: p.third_of(whole, field.n),
        "span": lambda: p.first_of(whole, field.n, field.unit),
        "nth": lambda: p.nth_weekday(whole, field.n, field.m),
        "edge": lambda: p.edge_of(whole, field.word),
        "day": lambda: p.day_of(whole, field.n),
        "weekday": lambda: p.weekday_of(whole, field.n),
        "part": lambda: p.part_of(whole, field.word, field.n),
        "clock": lambda: clock_of(whole, settle(field.clock or Clock(0), part)),
    }
    return steps[field.kind]()


def _fold(whole: Period, fields: tuple[Field, ...], weekday: int | None) -> Period:
    part: str | None = None
    day = whole
    for field in fields:
        if field.kind == "clock":
            whole = narrow(day, field, part)
        else:
            whole = narrow(whole, field)
        if field.kind == "part":
            part = field.word
        else:
            day = whole
    if weekday is not None and whole.begin.weekday() != weekday:
        raise Refused("the weekday contradicts the date")
    return whole


def resolve(chain: Chain, line: Line) -> Period:
    """The period that a chain means at the reference time. Raises Refused if there is none.

    A month without a year is that of the reference year, unless it is more than nine months away and the same
    month of a neighbouring year is nearer. A weekday written beside the date picks the year where it fits.
    """
    if chain.top is not None:
        if chain.same:
            _agree(chain)
        return _fold(chain.top, chain.fields, chain.weekday)
    first = chain.fields[0]
    if chain.weekday is not None and first.kind == "day":
        return _monthless(chain, line)
    unit = default_whole(first)
    if first.kind in ("part", "clock"):
        return _fold(replace(p.period(unit, line.now), dayless=True), chain.fields, chain.weekday)
    if first.kind not in ("month", "holiday"):
        return _fold(p.period(unit, line.now), chain.fields, chain.weekday)
    options: list[Period] = []
    reason = Refused("no such date")
    for step in (0, -1, 1):
        try:
            options.append(_fold(p.period("year", line.now, step), chain.fields, chain.weekday))
        except Refused as refusal:
            reason = refusal
            continue
        if step == 0 and abs(options[0].begin - line.now) <= _FAR:
            return options[0]
    if not options:
        raise reason
    return min(options, key=lambda option: abs(option.begin - line.now))


def _agree(chain: Chain) -> None:
    """下周一（7日）: the date beside a day that the reference time gives. Raises Refused if it is another."""
    days = tuple(field for field in chain.fields if LEVEL[field.kind] <= LEVEL["weekday"])
    day = _fold(chain.top or _NOTHING, days, None).begin
    if any(field.n != {"month": day.month, "day": day.day}[field.kind] for field in chain.same):
        raise Refused("the weekday contradicts the date" if days else "the day contradicts the date")


def _monthless(chain: Chain, line: Line) -> Period:
    """`Monday 21`: the nearest month, this one first, in which the day is that weekday."""
    for step in (0, *(sign * months for months in range(1, 13) for sign in (1, -1))):
        try:
            return _fold(p.period("month", line.now, step), chain.fields, chain.weekday)
        except Refused:
            continue
    raise Refused("the weekday contradicts the date")


def inherit(chain: Chain, other: Chain) -> Chain:
    """What an end of a range leaves to the other end: its year, month, date, in front of its own fields."""
    if chain.top is not None or not chain.fields:
        return chain
    own = LEVEL[chain.fields[0].kind]
    lent = tuple(field for field in other.fields if LEVEL[field.kind] < own)
    weekday = other.weekday if lent and lent[-1].kind == "day" else chain.weekday
    made = replace(chain, top=other.top, fields=lent + chain.fields, weekday=weekday)
    if made.unit:
        return made
    made = replace(chain, fields=lent + chain.fields, weekday=weekday)
    return made if made.unit else chain
