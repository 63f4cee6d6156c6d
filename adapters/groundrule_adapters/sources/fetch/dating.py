"""How old a page is by what it says of itself, and how far that may be wrong. When it was fetched is no answer.

What says when it was published goes before what says when it was changed, since pages are changed for many reasons;
data for machines goes before words, and words before the `Last-Modified` header, which is often the time of a build.
A stated date that is still to come is none. Of several that differ the oldest holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Literal

from groundrule.grounding.times import OPEN_BEGIN, OPEN_END, TimeSpan, read_times

from ..dates import Stated, read_date

Origin = Literal["structured", "text", "header", "provider"]
SKEW = timedelta(minutes=5)
"""How far a clock may be ahead of ours."""
_BUILT_NOW = timedelta(minutes=1)
_DAY = timedelta(days=1)
# Between them lie all readings of a local time whose zone nobody states.
_ZONES = ("Pacific/Kiritimati", "Etc/GMT+12")
_HTTP_DATE = re.compile(r"(?:[A-Z][a-z]{2,8}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} (?:GMT|UTC|[+-]\d{4})")
_AGO = re.compile(r"(?:之?前|ago)$", re.IGNORECASE)
_CLOCK_ALONE = re.compile(r"[\d:：.\s]*(?:[ap]\.?m\.?)?|\d+点.*", re.IGNORECASE)
# `时间：` or `Date:` alone may be that of an event; with a byline behind it, it is the page's.
_LABEL = re.compile(
    r"(?P<published>发布|发表|發布|發表|刊登|刊发|published|posted)|(?P<modified>更新|修改|updated|modified|revised)",
    re.IGNORECASE,
)
# What may stand between a label and its date: 发布时间：, published on, Updated at.
_BETWEEN = re.compile(r"[\s:：于在|·\-–—(（【\[]*(?:时间|時間|日期|on|at|date|time)?[\s:：于|·(（【\[]*", re.IGNORECASE)
_BEHIND = re.compile(
    r"\s*(?:(?P<published>发布|發布|发表|published|[|·]?\s*(?:来源|來源|稿源|作者|编辑|浏览|点击|阅读|by |source:))"
    r"|(?P<modified>更新|修改|updated))",
    re.IGNORECASE,
)
_BYLINE = re.compile(r"(?:来源|來源|稿源|作者|by|source)\s*[:：]?\s*\S.{0,40}[\s|·]\s*", re.IGNORECASE)
_WITH_ZONE = re.compile(
    r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)? ?(?:Z|[+-]\d{2}:?\d{2})(?!\d)", re.ASCII
)
_AROUND = re.compile(r"[\s|·,，。:：()（）【】\[\]-]*")


@dataclass(frozen=True)
class Dated:
    """The date of a page. start: the oldest instant that it can mean. width: how far it reaches from there."""

    start: datetime
    width: timedelta
    origin: Origin
    text: str


def dated(reading: Mapping[str, object], headers: Mapping[str, str], retrieved_at: datetime) -> Dated | None:
    """The date of a page, or None if it states none without doubt.

    reading: what `page.read_page` found. headers: of the response, lower case. retrieved_at: our clock.
    """
    made = generated_at(headers, retrieved_at)
    latest = retrieved_at + SKEW
    lines = list(_in_lines(_strings(reading, "lines"), made))
    kinds: tuple[tuple[Origin, Iterable[tuple[str, Stated]]], ...] = (
        ("structured", _in_data(_strings(reading, "published"), made)),
        ("structured", _in_data(_strings(reading, "modified"), made)),
        ("structured", _if_one(list(_in_data(_strings(reading, "times"), made)))),
        ("text", [(text, stated) for kind, text, stated in lines if kind == "published"]),
        ("text", [(text, stated) for kind, text, stated in lines if kind == "modified"]),
        ("header", _in_header(headers, made)),
    )
    for origin, found in kinds:
        past = [(text, stated) for text, stated in found if stated.start <= latest]
        if past:
            text, stated = _oldest(past)
            return Dated(stated.start, stated.width, origin, text)
    return None


def generated_at(headers: Mapping[str, str], retrieved_at: datetime) -> datetime:
    """When the server made the page, so that `3 hours ago` on a cached page is counted from then (RFC 9111, 4.2.3).

    The older of the Date header and what the Age header says; never later than we got it.
    """
    stated = _http_date(headers.get("date", ""))
    age = headers.get("age", "")
    aged = retrieved_at - timedelta(seconds=int(age)) if re.fullmatch(r"[0-9]{1,8}", age) else retrieved_at
    return min(retrieved_at, aged, stated or retrieved_at)


def stated_date(text: str, made: datetime) -> Stated | None:
    """A date written for machines: ISO 8601, RFC 3339 or RFC 9110; else a text that is one date and nothing more."""
    stated = read_date(text)
    if stated is not None:
        return stated
    http = _http_date(text)
    if http is not None:
        return Stated(http, timedelta(seconds=1))
    spans = [span for _, span in _spans(text, made)]
    if len(spans) == 1 and _AROUND.fullmatch(text[: spans[0].start] + text[spans[0].end :]):
        return _stated(text, spans[0], made)
    return None


def _strings(reading: Mapping[str, object], key: str) -> Sequence[str]:
    value = reading.get(key)
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def _in_data(texts: Iterable[str], made: datetime) -> Iterator[tuple[str, Stated]]:
    for text in texts:
        stated = stated_date(text, made)
        if stated is not None:
            yield text, stated


def _if_one(found: list[tuple[str, Stated]]) -> list[tuple[str, Stated]]:
    """Times without a role are the page's only if they all say the same."""
    return found if len({stated for _, stated in found}) == 1 else []


def _in_header(headers: Mapping[str, str], made: datetime) -> Iterator[tuple[str, Stated]]:
    """`Last-Modified`, unless it says no more than that the page was made for this request."""
    text = headers.get("last-modified", "")
    at = _http_date(text)
    if at is not None and at < made - _BUILT_NOW:
        yield text, Stated(at, timedelta(seconds=1))


def _http_date(text: str) -> datetime | None:
    if not _HTTP_DATE.fullmatch(text.strip()):
        return None
    try:
        at = parsedate_to_datetime(text.strip())
        return (at if at.tzinfo is not None else at.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _in_lines(lines: Iterable[str], made: datetime) -> Iterator[tuple[str, str, Stated]]:
    """Dates in short lines that a word names (发布于 2026-11-29), or that are the whole line (3小时前)."""
    for line in lines:
        for _, span in _spans(line, made):
            kind = _kind(line, span)
            stated = None if kind is None else _stated(line, span, made)
            if kind is not None and stated is not None:
                yield kind, span.text, stated


def _spans(text: str, made: datetime) -> Iterator[tuple[str, TimeSpan]]:
    """Expressions of `text` that name one past day or moment, with the text."""
    for span in read_times(text, made, _ZONES[0]):
        once = span.begin != OPEN_BEGIN and span.until != OPEN_END and span.until - span.begin <= span.resolution
        if once and span.resolution <= _DAY and not _CLOCK_ALONE.fullmatch(span.text):
            yield text, span


def _kind(line: str, span: TimeSpan) -> str | None:
    before, behind = line[: span.start], line[span.end :]
    if behind[:1].isdigit() or before[-1:].isdigit():
        return None
    labels = list(_LABEL.finditer(before))
    if labels and _BETWEEN.fullmatch(before[labels[-1].end() :]):
        return labels[-1].lastgroup
    label = _BEHIND.match(behind)
    if label is not None:
        return label.lastgroup
    if not any(char.isdigit() for char in span.text):
        return None
    alone = _AROUND.fullmatch(behind) and (_AROUND.fullmatch(before) or _BYLINE.fullmatch(before))
    return "published" if alone else None


def _stated(text: str, span: TimeSpan, made: datetime) -> Stated | None:
    """A span in every zone that it can be meant in. `N hours ago` may be said until N + 1 are over."""
    zoned = _WITH_ZONE.match(text, span.start)
    if zoned is not None:
        return read_date(zoned[0])
    begin, until = span.begin, span.until
    for other in read_times(text, made, _ZONES[1]):
        if (other.start, other.end) == (span.start, span.end):
            begin, until = min(begin, other.begin), max(until, other.until)
    if _AGO.search(span.text):
        begin -= span.resolution
    return Stated(begin, until - begin)


def _oldest(found: Sequence[tuple[str, Stated]]) -> tuple[str, Stated]:
    """The oldest date, where one that only says another less exactly does not count."""
    exact = [
        (text, stated)
        for text, stated in found
        if not any(
            other.width < stated.width and stated.start <= other.start and other.end <= stated.end for _, other in found
        )
    ]
    return min(exact, key=lambda each: each[1].start)
