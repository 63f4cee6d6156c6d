"""When a date of an answer is a date of its sources.

A source has three kinds of date: those that its text states, the one that its content bears, and what a forecast
covers. When it was fetched is none of them; it supports only a statement about fetching. `As of` is a statement about
the date that the content bears.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from ..facts.record import write_timestamp
from .evidence import Interval, Item, Stated
from .folding import fold
from .passages import Passage
from .senses import side
from .times import OPEN_BEGIN, OPEN_END, TimeSpan

_FETCHED = re.compile(
    r"(?:抓取|检索|获取|查询)(?:时间|于)?[:： ]*$|\b(?:retrieved|fetched|accessed|queried)(?: at| on)?[: ]*$",
    re.I,
)
_AGO = re.compile(r"前$|ago$", re.IGNORECASE)
# `in 41 minutes` is a length more often than a point in time, and the same words then mean the same.
_LAPSE = re.compile(r"^(?:with)?in [^ ]+ \w+$|^[0-9一二两三四五六七八九十百]+[^0-9]*内$", re.IGNORECASE)
_AS_OF = re.compile(r"(?:\bas (?:of|at)|截[至止])[^，,。;；0-9]{0,8}(?=[^，,。;；]*$)", re.IGNORECASE)
_DAY = timedelta(days=1)
_WITHIN = re.compile(r"(?:\b(?:in|during|of) |[在于] ?)(?=$|[0-9])", re.IGNORECASE)
_BEGINNING = re.compile(
    r"\b(?:open|found|establish|launch|start|beg[aiu]n|join|bec[ao]m|inaugurat|introduc|elect|appoint|mov|debut|form|creat|buil)"
    r"|[创建立开始起入任办]",
    re.IGNORECASE,
)
_SINCE = re.compile(r"^since\b|(?:以来|至今|so far)$", re.IGNORECASE)
_BC = re.compile(r" ?(?:BCE?\b|B\. ?C\.)")
_WEEKDAY = re.compile(r"(?:周|星期|礼拜).|(?:mon|tues|wednes|thurs|fri|satur|sun)day", re.IGNORECASE)
_TODAY = re.compile(r"今[天日早晚晨夜]|现在|目前|当前|此刻|刚刚|\b(?:today|tonight|now|currently|this (?:morning|afternoon|evening))\b", re.I)
_PUBLISHED = re.compile(
    r"(?:发布|更新|刊发|刊登|报道|发表|公布|日期|时间)(?:于|日期|时间|为)?[:： ]*$"
    r"|\b(?:published|updated|posted|issued|released|dated|reported)(?: at| on| in|:)? *$",
    re.IGNORECASE,
)
_PUBLISHED_BEHIND = re.compile(r" ?(?:发布|更新|刊发|刊登|报道|发表|公布|讯|电)")
"""The date of a page is when it told, not when what it tells of was: it grounds `today` and what is said of the page."""


def dated_by(answer: Passage, span: TimeSpan, item: Item) -> Stated | None:
    """What supports a time expression of the answer in an item, if it does."""
    wanted = _point(span)
    before = answer.folded[max(0, span.start - 16) : span.start]
    if _FETCHED.search(before):
        at = item.retrieved_at
        return _told(item, (at, at)) if at is not None and (_near(span, at) or wanted[0] <= at < wanted[1]) else None
    if _is_as_of(answer, span):
        return _as_of(span, item)
    mine = side(answer.folded, span.start, span.end)
    agreeing = [each for each in item.times.spans if _same_or_coarser(wanted, _point(each)) or _same_clock(span, each)]
    agreeing = [each for each in agreeing if _before_christ(answer, span) is _before_christ(item, each)]
    for each in agreeing:
        theirs = side(item.folded, each.start, each.end)
        if mine * theirs >= 0 and not (mine and not theirs and _within(item, each, mine)):
            return Stated(item, each.text, named(each))
    if agreeing or _before_christ(answer, span):
        return None  # since 2018 is not until 2018
    if ((span.explicit or _LAPSE.search(span.text)) and mentions(item, span.text)) or mentions_unread(item, span.text):
        return Stated(item, span.text, wanted)
    if _WEEKDAY.fullmatch(span.text) and mentions(item, _in_its_words(answer, span)):
        return Stated(item, span.text, wanted)
    own = _TODAY.search(span.text) or _PUBLISHED.search(before) or _PUBLISHED_BEHIND.match(answer.folded, span.end)
    if item.dated is not None and ((own and _same_or_coarser(wanted, item.dated)) or _near(span, item.dated[0])):
        return _told(item, item.dated)
    if item.valid is not None and item.valid[0] - wanted[0] < _DAY and wanted[1] <= item.valid[1]:
        return _told(item, item.valid)  # today began before the forecast did
    return _covering(span, item)


def _within(item: Item, each: TimeSpan, mine: int) -> bool:
    """Whether an item tells of the inside of a time (sales in 2024), not of what began in it (opened in 2018)."""
    before = item.folded[max(0, each.start - 48) : each.start]
    return bool(_WITHIN.search(before[-8:] + each.text[:7])) and not (mine > 0 and _BEGINNING.search(before))


def _before_christ(text: Passage, span: TimeSpan) -> bool:
    return _BC.match(text.folded, span.end) is not None or text.folded[max(0, span.start - 3) : span.start] == "公元前"


def _in_its_words(answer: Passage, span: TimeSpan) -> str:
    """A weekday with what is said of it: 周一闭馆, closed on Monday."""
    if span.text.isascii():
        return " ".join(answer.folded[max(0, span.start - 48) : span.end].split(" ")[-3:])
    return answer.folded[span.start : span.end + 2]


def denied_by(answer: Passage, span: TimeSpan, item: Item) -> Stated | None:
    """Another time that the item states, as exactly, behind the same word (发布于, updated), or the same from the other side
    (since, until); of `as of`, the date that the item bears.
    """
    if _is_as_of(answer, span):
        return _told(item, item.dated) if item.dated is not None else None
    mine = side(answer.folded, span.start, span.end)
    for each in item.times.spans if mine else ():
        if named(each) == named(span) and mine * side(item.folded, each.start, each.end) < 0:
            return Stated(item, each.text, named(each))
    label = answer.label(span.start)
    if not label:
        return None
    for each in item.times.spans:
        alike = each.resolution == span.resolution and each.dayless == span.dayless
        if alike and not _same_clock(span, each) and named(each) != named(span) and label in item.labels(each.start):
            return Stated(item, each.text, named(each))
    return None


def _is_as_of(answer: Passage, span: TimeSpan) -> bool:
    return _AS_OF.search(answer.folded[max(0, span.start - 16) : span.start] + span.text) is not None


def _as_of(span: TimeSpan, item: Item) -> Stated | None:
    """The date that the item bears, if it is the day or the instant named, or the same `as of` in its text."""
    wanted = named(span)
    if item.dated is not None:
        at, width = item.dated[0], max(item.dated[1] - item.dated[0], _DAY)
        exact = wanted[0] <= at < wanted[1] and item.dated[1] - at <= wanted[1] - wanted[0] <= width
        if exact or _near(span, at):
            return _told(item, item.dated)
    for each in item.times.spans:
        if named(each) == wanted and _is_as_of(item, each):
            return Stated(item, each.text, wanted)
    return None


def _told(item: Item, interval: Interval) -> Stated:
    """A time that an item bears and its text need not state."""
    begin, until = interval
    return Stated(item, write_timestamp(begin) + (f"/{write_timestamp(until)}" if until > begin else ""), interval)


def mentions(item: Item, words: str) -> bool:
    """Whether the item has the very words."""
    return fold(words).lower().strip() in item.folded.lower()


def mentions_unread(item: Item, words: str) -> bool:
    """Whether the item has the very words where its own reading found no time (`3日` between two names)."""
    wanted, spans, at = fold(words).strip(), item.times.spans, 0
    for match in re.finditer(rf"(?<![0-9]){re.escape(wanted)}", item.folded):
        while at < len(spans) and spans[at].end <= match.start():
            at += 1
        if at == len(spans) or spans[at].start >= match.end():
            return True
    return False


def named(span: TimeSpan) -> Interval:
    """The time that an expression names: of `as of 29 November` the 29th, not all that went before."""
    begin, until = span.begin, span.until
    if begin == OPEN_BEGIN:
        begin = until - span.resolution if until - OPEN_BEGIN > span.resolution else begin
    if until == OPEN_END and OPEN_END - begin > span.resolution:
        until = begin + span.resolution
    return begin, until


def _point(span: TimeSpan) -> Interval:
    """The time that an expression names, of `since 2018` the year."""
    begin, until = named(span)
    if not _SINCE.search(span.text):
        return begin, until
    yearly = span.resolution >= timedelta(365) and begin.year < OPEN_END.year
    return begin, min(begin.replace(year=begin.year + 1) if yearly else begin + span.resolution, until)


def _same_or_coarser(wanted: Interval, stated: Interval) -> bool:
    """Whether the source's time is the wanted one or lies in it, if that is one day, month or year."""
    begin, until = wanted
    if stated == wanted:
        return True
    return begin <= stated[0] and max(stated[1], stated[0]) <= until and _one_unit(begin, until)


def _same_clock(span: TimeSpan, each: TimeSpan) -> bool:
    """Whether both are the same time of a day that neither names: the tide of 06:42 stays one on the next day."""
    lasts = each.until - each.begin == span.until - span.begin
    return span.dayless and each.dayless and lasts and (each.begin - span.begin) % _DAY == timedelta(0)


def _one_unit(begin: datetime, until: datetime) -> bool:
    width = until - begin
    return width <= _DAY or timedelta(28) <= width <= timedelta(31) or timedelta(365) <= width <= timedelta(366)


def _near(span: TimeSpan, at: datetime) -> bool:
    """`40 minutes ago`, said of an instant: within the unit that the expression counts in."""
    if not _AGO.search(span.text) or span.resolution > _DAY:
        return False
    begin, until = named(span)
    return begin - at <= span.resolution and at - until < span.resolution


def _covering(span: TimeSpan, item: Item) -> Stated | None:
    """The days of a stretch (未来5天), if all of them stand in the item, each as a date of its own."""
    begin, until = named(span)
    if until - begin <= span.resolution or until - begin > 62 * _DAY or span.resolution != _DAY:
        return None
    days, reached = [], begin
    for first, last, text in sorted((*named(each), each.text) for each in item.times.spans):
        if first <= reached < last and last - first <= _DAY:
            days.append(text)
            reached = last
    return Stated(item, ", ".join(days), (begin, reached)) if reached >= until else None
