"""What this package finds in a text, and what it leaves, written down for people who look into a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from ..facts import Claim
from ..facts.readings import Piece, Readings, ReadName, ReadNumber, ReadTime, RefusedTime
from .claims import write_number, written
from .layout import find_handles, list_markers, split_sentences
from .numbers import Name, Number
from .passages import Passage
from .times import OPEN_BEGIN, OPEN_END, TimeRefusal, TimeSpan, time_reading
from .worded import Worded

Reading = Number | Name | Worded


def readings(text: str, now: datetime, zone: str) -> Readings:
    """The numbers, names and time expressions of a text, as the evidence of a claim is read.

    now: the reference of `today` and `3 hours ago`, aware. zone: IANA name. What a time expression covers is no number.
    An answer is read likewise, once its handles, links and list markers have been taken out. Raises ValueError for an
    unknown zone, a naive `now`, one outside the years 2 to 9998, and a text that a record cannot carry: more than
    MAX_TEXT code points, lone surrogates.
    """
    times = time_reading(text, now, zone)
    counted = _outside(Passage(text).read, sorted((*times.spans, *times.refused), key=lambda each: each.start))
    return Readings(
        text=text,
        offsets="code points",
        now=now,
        zone=zone,
        numbers=tuple(_number(text, each) for each in counted if not isinstance(each, Name)),
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


def unchecked(text: str, handles: Mapping[str, str], claims: Sequence[Claim]) -> tuple[Piece, ...]:
    """The sentences of an answer that no claim touches, without those that have no words but handles and list markers.

    handles: as for `ground`. claims: those of its answer.
    """
    found = find_handles(text, handles)
    sentences = split_sentences(text, found)
    claimed: set[int] = set()
    for claim in claims:
        if claim.start is not None and claim.end is not None:
            claimed.update(range(sentences.of(claim.start), sentences.of(claim.end - 1) + 1))
    words = _blanked(text, [*((each.start, each.end) for each in found), *list_markers(text)])
    spans = enumerate(zip(sentences.starts, (*sentences.starts[1:], len(text)), strict=True))
    return tuple(
        _stripped(text, start, end)
        for number, (start, end) in spans
        if number not in claimed and any(map(str.isalnum, words[start:end]))
    )


def _blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with spans of it blanked."""
    chars = list(text)
    for start, end in spans:
        chars[start:end] = " " * (end - start)
    return "".join(chars)


def _stripped(text: str, start: int, end: int) -> Piece:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return Piece(start=start, end=start + len(piece.strip()), text=piece.strip())


def _outside(found: Sequence[Reading], times: Sequence[TimeSpan | TimeRefusal]) -> list[Reading]:
    """What no time expression touches; both are in order."""
    kept, at = [], 0
    for each in found:
        while at < len(times) and times[at].end <= each.start:
            at += 1
        if at == len(times) or times[at].start >= each.end:
            kept.append(each)
    return kept


def _number(text: str, found: Number | Worded) -> ReadNumber:
    if isinstance(found, Worded):
        kind: Literal["number", "percent"] = "percent" if found.sort == "share" else "number"
        return ReadNumber(
            start=found.start,
            end=found.end,
            text=text[found.start : found.end],
            kind=kind,
            value=written(found),
            step="0",
            unit=found.unit or None,
            hedge=found.hedge or None,
        )
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
