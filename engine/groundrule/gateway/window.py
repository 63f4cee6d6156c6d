"""The time range that a plan asks about, computed from its own words and never taken from a planner's arithmetic."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from ..facts import Evidence, Window
from ..grounding.times import OPEN_BEGIN, OPEN_END, TimeSpan, read_times, time_reading

_ABOUT_A_DAY = timedelta(hours=36)
_MOMENT, _COMING = timedelta(minutes=1), timedelta(minutes=5)
"""The widest window that means the moment of asking, and how long evidence for it may take to come."""
_FISCAL = re.compile(r"\b(?:FY|fiscal(?: year)?) ?(20\d\d|19\d\d)\b|(20\d\d|19\d\d) ?财年", re.IGNORECASE)
_READ, _PIECE = 20_000, 2_000
"""Code points of an item that are read for a time, and of one piece of it."""


def window(time_range_hint: str | None, asked_at: datetime, zone: str) -> Window | None:
    """The window of a plan's time expression, such as `未来5天`, `昨天和今天` or `since 2023`.

    time_range_hint: the expression in the question's words. asked_at: the reference time, aware. zone: IANA name of the
    zone in which days begin. Several times make one window from the first to the last; an end that is open is absent.
    None if there is no hint, if it states no range that the grammar knows, or if any part of it is refused. Raises
    ValueError for an unknown zone, a naive `asked_at`, or one outside the years 2 to 9998.
    """
    if not time_range_hint:
        return None
    reading = time_reading(time_range_hint, asked_at, zone)
    if not reading.spans or reading.refused:
        return None
    begin = min(span.begin for span in reading.spans)
    until = max(span.until for span in reading.spans)
    return Window(**{"from": None if begin == OPEN_BEGIN else begin, "to": None if until == OPEN_END else until})


def apart(asked: Window | None, now: datetime) -> bool:
    """Whether a window lies wholly before or wholly after now, so that what holds now is no answer."""
    return asked is not None and (
        (asked.to is not None and asked.to <= now) or (asked.from_ is not None and asked.from_ > now)
    )


def present(asked: Window, now: datetime) -> bool:
    """Whether a window is the moment of asking itself (`now`), which is over when evidence has come."""
    if asked.from_ is None or asked.to is None:
        return False
    return asked.from_ <= now < asked.to + _COMING and asked.to - asked.from_ <= _MOMENT


def lies_in(span: TimeSpan, asked: Window) -> bool:
    """Whether a stated time is the one asked about, or a part of it.

    A wider time says nothing about a narrower one (2026 nothing about yesterday), except a range stated by its ends,
    which holds all through: `from 1993 to 2001`. A day counts for its hours. Of a range that is open at an end
    (`as of 15:12`) the end that is stated counts.
    """
    begin, until = span.begin, span.until
    if begin == OPEN_BEGIN:
        begin = until - min(span.resolution, until - OPEN_BEGIN)
    elif until == OPEN_END:
        until = begin + min(span.resolution, OPEN_END - begin)
    first, last = asked.from_ or OPEN_BEGIN, asked.to or OPEN_END
    if not (begin < last and first < until):
        return False
    range_by_ends = span.resolution < until - begin and begin <= first and last <= until
    return until - begin <= max(last - first, _ABOUT_A_DAY) or range_by_ends


def stated_times(text: str, base: datetime | None, zone: str) -> tuple[TimeSpan, ...]:
    """The times that a page's text states, a fiscal year as the year of its name.

    base: the date of the page, to which its `yesterday` belongs; without one only times count that need none.
    """
    known = base is not None and 2 <= base.year <= 9998
    spans = read_times(text, base if base is not None and known else datetime(2000, 1, 1, tzinfo=UTC), zone)
    fiscal = (_year(match, ZoneInfo(zone)) for match in _FISCAL.finditer(text))
    return (*(span for span in spans if known or span.explicit), *fiscal)


def states(item: Evidence, asked: Window, zone: str) -> bool:
    """Whether the title or the beginning of the text of an item states a time that is asked about."""
    return any(
        lies_in(span, asked)
        for piece in _pieces(f"{item.title or ''}\n{(item.snippet or '')[:_READ]}")
        for span in stated_times(piece, item.dated_at, zone)
    )


def _pieces(text: str) -> Iterator[str]:
    """The text in pieces that end with a line where they can, so that reading may stop early."""
    while text:
        cut = len(text) if len(text) <= _PIECE else text.rfind("\n", 0, _PIECE) + 1 or _PIECE
        yield text[:cut]
        text = text[cut:]


def _year(match: re.Match[str], place: ZoneInfo) -> TimeSpan:
    year = int(match.group(1) or match.group(2))
    begin = datetime(year, 1, 1, tzinfo=place).astimezone(UTC)
    until = datetime(year + 1, 1, 1, tzinfo=place).astimezone(UTC)
    return TimeSpan(match.start(), match.end(), match.group(), begin, until, until - begin, explicit=True)
