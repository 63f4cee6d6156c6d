"""Time expressions in Chinese and English text, read by a closed grammar. What it does not surely know it refuses.

`read_times` gives the ranges that a text states; `refused_times` gives the expressions that state a time which does
not exist (2月30日), cannot be known (03/04/2024), or belongs to another calendar (农历八月十五). A caller asks back
for those. Vague words (最近, a few days ago), sets (每周一, every day), seasons and feasts without a fixed date are
neither.

The conventions, which no caller needs to guess:

* A week runs from Monday to Sunday; numbered weeks follow ISO 8601. A weekday alone is that of the present week,
  in a sentence of the past the last one and of the future the next; 下周五 and next Friday are in the week after it.
* A coming count of days or longer takes today as its first day: 未来5天, next 5 days are what is left of today and the
  four days that follow. A past count begins with the day that many units ago and ends now. Counts of hours, minutes
  and seconds run from or to the very instant, also over a change of the clocks.
* N days or weeks ago is a day, N months ago a calendar month, N years ago a calendar year.
* A clock time without a day is of the day that its sentence named before it; otherwise of the reference day, and
  `dayless`.
* A date without a year takes the reference year; one that would be more than nine months away takes the nearer
  neighbouring year, or the one that fits a weekday written beside it. `explicit` tells the two apart.
* Both ends of a range belong to it; a clock time as the end of a range is an instant. `before` and `after` exclude
  the time they name; `since` runs until now; `as of` and `by` run until the end of the time they name.
* Years of two digits lie between 1950 and 2049. A numeric date needs its year; where day and month could be exchanged
  it is refused. Parts of days, years and months (上午, 年底, early May) are tables in `dates.periods`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from .dates import periods as p
from .dates.periods import OUT_OF_RANGE
from .dates.phrases import Phrase, phrases

OPEN_BEGIN = datetime.min.replace(tzinfo=UTC)
"""`begin` of a range without one, such as `before 2018`."""
OPEN_END = datetime.max.replace(tzinfo=UTC)
"""`until` of a range without one, such as `2018 or later`."""
_CLOCK_UNITS = ("second", "minute", "hour")


@dataclass(frozen=True)
class TimeSpan:
    """A time expression at [start, end) in code points, and the range that it means.

    begin, until: instants in UTC, `until` not included; OPEN_BEGIN and OPEN_END where the range has no such end.
    resolution: how exactly it was stated, as the width of the unit named (a date without a time: 24 hours).
    explicit: the range does not depend on the reference time. dayless: a clock time or part of a day whose day is not
    named; the range is that of the reference day.
    """

    start: int
    end: int
    text: str
    begin: datetime
    until: datetime
    resolution: timedelta
    explicit: bool
    dayless: bool = False


@dataclass(frozen=True)
class TimeRefusal:
    """A time expression at [start, end) in code points that the grammar refuses, and why."""

    start: int
    end: int
    text: str
    reason: str


@dataclass(frozen=True)
class TimeReading:
    """All that the grammar found in a text, in order."""

    spans: tuple[TimeSpan, ...]
    refused: tuple[TimeRefusal, ...]


def read_times(text: str, now: datetime, zone: str) -> tuple[TimeSpan, ...]:
    """The time expressions of `text`, which may mix Chinese and English, in order.

    now: the reference time, aware. zone: IANA name of the zone in which days begin. Raises ValueError for an unknown
    zone, a naive `now`, or one outside the years 2 to 9998.
    """
    return time_reading(text, now, zone).spans


def refused_times(text: str, now: datetime, zone: str) -> tuple[TimeRefusal, ...]:
    """The time expressions of `text` that the grammar refuses. Parameters and errors as for `read_times`."""
    return time_reading(text, now, zone).refused


def time_reading(text: str, now: datetime, zone: str) -> TimeReading:
    """Spans and refusals of a text in one pass. Parameters and errors as for `read_times`."""
    place = zone_of(zone)
    instant = _aware(now)
    if not 2 <= instant.year <= 9998:
        raise ValueError("a reference time outside the years 2 to 9998")
    local = instant.astimezone(place).replace(tzinfo=None)
    spans: list[TimeSpan] = []
    refused: list[TimeRefusal] = []
    for phrase in phrases(text, local, instant):
        piece = text[phrase.start : phrase.end]
        reading = _span(phrase, piece, place)
        if isinstance(reading, TimeSpan):
            spans.append(reading)
        else:
            refused.append(TimeRefusal(phrase.start, phrase.end, piece, reading))
    return TimeReading(tuple(spans), tuple(refused))


def zone_of(zone: str) -> ZoneInfo:
    """The time zone of an IANA name. Raises ValueError if there is none."""
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, OSError, ValueError):
        raise ValueError(f"unknown time zone `{zone[:80]}`") from None


def _aware(at: datetime) -> datetime:
    if at.utcoffset() is None:
        raise ValueError("a time without offset")
    return at.astimezone(UTC)


def _instant(at: datetime, place: ZoneInfo | timezone) -> datetime:
    """UTC of a wall-clock reading; of two equal readings the earlier. Raises OverflowError out of range."""
    if at.tzinfo is not None:
        return at.astimezone(UTC)
    if at == p.OPEN_BEGIN:
        return OPEN_BEGIN
    if at == p.OPEN_END:
        return OPEN_END
    return at.replace(tzinfo=place, fold=0).astimezone(UTC)


def _span(phrase: Phrase, piece: str, place: ZoneInfo) -> TimeSpan | str:
    """The span of a phrase, or the reason why there is none."""
    period = phrase.period
    if period is None:
        return phrase.reason
    here = place if period.minutes is None else timezone(timedelta(minutes=period.minutes))
    try:
        begin, until = _instant(period.begin, here), _instant(period.until, here)
        told = period.begin if period.begin.tzinfo is None and period.unit in _CLOCK_UNITS else None
        skipped = told is not None and begin.astimezone(here).replace(tzinfo=None) != told
    except OverflowError:
        return OUT_OF_RANGE
    if begin >= until or skipped:
        return "no such time"
    width = period.width or until - begin
    return TimeSpan(phrase.start, phrase.end, piece, begin, until, width, period.explicit, period.dayless)
