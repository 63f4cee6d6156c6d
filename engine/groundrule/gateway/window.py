"""The time range that a plan asks about, computed from its own words and never taken from a planner's arithmetic."""

from __future__ import annotations

from datetime import datetime

from ..facts import Window
from ..grounding.times import OPEN_BEGIN, OPEN_END, time_reading


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
