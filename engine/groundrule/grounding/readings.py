"""What the readers of this package find in a text, written down for people who look into a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ..facts.readings import Readings, ReadName, ReadNumber, ReadTime, RefusedTime
from .claims import write_number
from .numbers import Name, Number, read
from .times import OPEN_BEGIN, OPEN_END, TimeRefusal, TimeSpan, time_reading


def readings(text: str, now: datetime, zone: str) -> Readings:
    """The numbers, names and time expressions of a text, as the evidence of a claim is read.

    now: the reference of `today` and `3 hours ago`, aware. zone: IANA name. What a time expression covers is no number.
    An answer is read likewise, once its handles, links and list markers have been taken out. Raises ValueError for an
    unknown zone, a naive `now`, one outside the years 2 to 9998, and a text that a record cannot carry: more than
    MAX_TEXT code points, lone surrogates.
    """
    times = time_reading(text, now, zone)
    counted = _outside(read(text), sorted((*times.spans, *times.refused), key=lambda each: each.start))
    return Readings(
        text=text,
        offsets="code points",
        now=now,
        zone=zone,
        numbers=tuple(_number(text, each) for each in counted if isinstance(each, Number)),
        names=tuple(
            ReadName(start=each.start, end=each.end, text=text[each.start : each.end], value=each.key)
            for each in counted
            if isinstance(each, Name)
        ),
        times=tuple(map(_time, times.spans)),
        refused=tuple(
            RefusedTime(start=each.start, end=each.end, text=each.text, reason=each.reason) for each in times.refused
        ),
    )


def _outside(found: Sequence[Number | Name], times: Sequence[TimeSpan | TimeRefusal]) -> list[Number | Name]:
    """What no time expression touches; both are in order."""
    kept, at = [], 0
    for each in found:
        while at < len(times) and times[at].end <= each.start:
            at += 1
        if at == len(times) or times[at].start >= each.end:
            kept.append(each)
    return kept


def _number(text: str, found: Number) -> ReadNumber:
    return ReadNumber(
        start=found.start,
        end=found.end,
        text=text[found.start : found.end],
        kind=found.kind,
        value=write_number(found.value),
        step=write_number(found.grain),
        unit=found.unit or None,
        per=found.per or None,
        hedge=found.hedge or None,
        joined=found.joined or None,
        other=None if found.peer is None else write_number(found.peer),
    )


def _time(found: TimeSpan) -> ReadTime:
    return ReadTime(
        start=found.start,
        end=found.end,
        text=found.text,
        from_=None if found.begin == OPEN_BEGIN else found.begin,
        to=None if found.until == OPEN_END else found.until,
        resolution=found.resolution,
        explicit=found.explicit,
    )
