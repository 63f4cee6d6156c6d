"""Whole time phrases: ranges, before and after, since and as of, sets that are passed over, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from . import periods as p
from .assemble import chain_at
from .bounds import SECOND, Read, bounded, resolved, stretched, suffixed, sure, zoned
from .chains import resolve
from .counts import compared, count_at, weekday_counted
from .kinds import K
from .line import Line, int_of
from .periods import OPEN_BEGIN, OPEN_END, OUT_OF_RANGE, Period, Refused
from .ranges import range_at
from .tense import SENTENCE_END, tense
from .tokens import plain, tokenize


@dataclass(frozen=True)
class Phrase:
    """What stands at [start, end) of the text: a period, or the reason why it is refused."""

    start: int
    end: int
    period: Period | None
    reason: str = ""


_STARTERS = frozenset(
    {K.NUM, K.ORD, K.CLOCK, K.DATE, K.FRACTION, K.YEAR_MONTH, K.DECADE, K.DAY, K.DAY_PART, K.DAYS, K.PART, K.WEEKDAY,
     K.MONTH, K.PERIOD, K.UNIT, K.WEEK_FROM, K.REL, K.QUARTER, K.HALF, K.THIRD, K.EDGE, K.EDGE_OF, K.PAST, K.FUTURE,
     K.FROM, K.BETWEEN, K.THE, K.IN, K.WITHIN, K.AGO, K.LATER, K.DI, K.FINAL, K.HALF_AN, K.BAN, K.ARTICLE, K.COUPLE,
     K.HOLIDAY, K.ERA, K.FROM_NOW}
)  # fmt: skip
"""Kinds of token with which a phrase can begin, beside those that `_read` tells apart itself."""
_NEVER_ALONE = frozenset(
    {K.NUM, K.UNIT, K.REL, K.PAST, K.FUTURE, K.FROM, K.BETWEEN, K.THE, K.IN, K.WITHIN, K.LATER, K.AGO, K.DI, K.FINAL,
     K.HALF_AN, K.BAN, K.ARTICLE, K.COUPLE}
)  # fmt: skip
"""Of those, the ones that begin a phrase of several words only; but a number may be a year, a unit the weekend."""
_DIGITS = "0123456789"
_IDLE = frozenset(
    {K.OTHER, K.COMMA, K.AND, K.OR, K.OF, K.ON, K.AT, K.DASH, K.NIAN, K.YUE, K.RI, K.DIAN, K.SHI, K.FEN, K.MIAO, K.KE,
     K.GE, K.ABOUT, K.MERIDIEM, K.OCLOCK, K.VAGUE, K.FORECAST, K.ZONE, K.BETWIXT, K.ONWARD, K.SHORT_YEAR}
)  # fmt: skip
"""Kinds with which no phrase begins."""


def phrases(text: str, now: datetime, instant: datetime) -> Iterator[Phrase]:
    """The time phrases of a text in order; the longest at each place, none inside another."""
    folded = plain(text)
    line = Line(tokenize(folded), folded, now, instant)
    index = 0
    named: Period | None = None
    day: Period | None = None
    day_end = 0
    while index < len(line.tokens):
        if named is None and _idle(line, index):
            index += 1
            continue
        after, reason, period = index, "", None
        try:
            read = _listed(line, index, named) or _read(line, index)
            if read is not None:
                period, after = read
        except Refused as refusal:
            after, reason = refusal.after or _extent(line, index), str(refusal)
        except OverflowError:
            after, reason = _extent(line, index), OUT_OF_RANGE
        start, end = line.at(index).start, line.at(after - 1).end
        if period is not None and period.dayless and day is not None and start - day_end <= _SAME_SENTENCE:
            period = period if SENTENCE_END.search(folded, day_end, start) else _on(day, period, line)
        if period is not None and period.unit == "day":
            day, day_end = period, end
        if period is not None or reason:
            yield Phrase(start, end + _closes(line.text, start, end), period, reason)
        if period is not None or line.tokens[index].kind not in _LISTING:
            named = period
        index = max(after, index + 1)


_SAME_SENTENCE = 240
"""Code points that may stand between a day and the clock time of its sentence."""


def _on(day: Period, clock: Period, line: Line) -> Period:
    """A clock time on the day that its sentence has named: on 14 February the train leaves at 9:30."""
    days = (p.midnight(day.begin) - p.midnight(line.now)).days
    return replace(p.moved(clock, "day", days), explicit=day.explicit, dayless=False)


def _idle(line: Line, index: int) -> bool:
    """Whether no phrase begins at a token, told without reading on. Most tokens of a text are idle."""
    kind = line.tokens[index].kind
    return kind in _IDLE or (kind in _NEVER_ALONE and _lonely(line, index))


_LISTING = (K.COMMA, K.AND, K.OR)


def _listed(line: Line, index: int, before: Period | None) -> Read | None:
    """5月3日、4日; May 3rd and 4th: a day of the month that the day before it in a list has named."""
    if before is None or before.unit != "day" or not line.is_(index - 1, *_LISTING) or not line.at(index).joined:
        return None
    day, after = line.at(index), index + 1
    if day.kind is K.NUM and line.is_(after, K.RI) and line.glued(after):
        after += 1
    else:
        goes_on = not line.is_(after, *_LISTING) and line.behind(index, 2).strip(" ")[:1].isalnum()
        if day.kind is not K.ORD or not day.raw[0].isdigit() or goes_on:
            return None
    if int_of(day) <= before.begin.day:
        return None, after  # of the month after it, perhaps
    return p.day_of(replace(p.period("month", before.begin), explicit=before.explicit), int_of(day)), after


def _closes(text: str, start: int, end: int) -> bool:
    """Whether a bracket that opens within [start, end) closes right behind it: 11月29日（周日）."""
    return text[end : end + 1] == ")" and text.count("(", start, end) > text.count(")", start, end)


def _extent(line: Line, index: int) -> int:
    """How far a refused expression reaches: over the numbers and units that directly follow."""
    after = index + 1
    kinds = (
        K.NUM,
        K.NIAN,
        K.YUE,
        K.RI,
        K.DIAN,
        K.FEN,
        K.LUNAR,
        K.ORD,
        K.CLOCK,
        K.PART,
        K.DATE,
        K.MONTH,
        K.MERIDIEM,
        K.SHI,
        K.ZONE,
    )
    while after - index < 12 and line.is_(after, *kinds):
        after += 1
    return after


def _read(line: Line, index: int) -> Read | None:
    kind = line.at(index).kind
    if kind in (K.EVERY, K.WEEKDAYS):
        return _repeated(line, index)
    if kind is K.LUNAR:
        raise Refused("lunar calendar")
    if kind is K.FISCAL or (kind is K.ERA and (not isinstance(line.at(index).value, tuple) or chain_at(line, index) is None)):
        return _fiscal(line, index)
    if kind is K.SEASON:
        return _season(line, index)
    if kind in (K.IN, K.EDGE) and (found := _in_part(line, index)) is not None:
        return found
    if kind in (K.MORE, K.LESS):
        return compared(line, index) or _compared_year(line, index)
    if kind is K.FEAST:
        return _feast(line, index)
    if kind in (K.NOW, K.JUST_NOW, K.SO_FAR, K.STAMP):
        return _instant(line, index)
    if kind in (K.AS_OF, K.SINCE, K.BEFORE, K.AFTER, K.BY, K.TO):
        return bounded(line, index)
    if kind in (K.EARLIER, K.LATER_IN, K.REST) or (kind is K.LATER and line.is_(index + 1, K.DAY)):
        return _rest(line, index)
    if kind not in _STARTERS or (kind in _NEVER_ALONE and _lonely(line, index)):
        return None
    best: Read | None = None
    refusal: Refused | None = None
    for reader in _READERS:
        try:
            found = reader(line, index)
        except Refused as reason:
            refusal = refusal or reason
            continue
        if found is not None and (best is None or found[1] > best[1]):
            best = found
    if refusal is not None and (best is None or (refusal.after or 0) > best[1]):
        raise refusal
    return best


def _lonely(line: Line, index: int) -> bool:
    """Whether no time word follows a token that is no time by itself: most numbers of a text end here."""
    token, after = line.at(index), line.at(index + 1)
    if after.joined and after.kind is not K.OTHER and not _score(line, index):
        return False
    if token.kind is K.NUM:
        return len(token.raw) != 4 and token.raw.lower() != "two"  # two thousand
    return token.value != "weekend"


def _score(line: Line, index: int) -> bool:
    """Whether two short numbers with a dash between them are all that stands there: won 3-2, 16～24℃."""
    if not line.is_(index + 1, K.DASH) or not line.is_(index + 2, K.NUM) or line.text[line.at(index).end - 1] not in _DIGITS:
        return False
    second, behind = line.at(index + 2), line.at(index + 3)
    return second.raw.isdigit() and len(second.raw) < 4 and (not behind.joined or behind.kind is K.OTHER)


def _repeated(line: Line, index: int) -> Read | None:
    """每周一下午八点, every Tuesday at 5, Fridays: a set is no range, and nothing inside it is one."""
    after = index if line.at(index).kind is K.WEEKDAYS else index + 1
    while after - index < 3 and line.is_(after, K.REL, K.NUM, K.ORD, K.UNIT, K.NIAN, K.YUE, K.RI, K.GE, K.WEEKDAYS):
        after += 1
    after = max(after, index + 1)
    start = after + (line.is_(after, K.AT, K.ON, K.IN, K.OF))
    try:
        found = chain_at(line, start, bare=True) if line.at(start).joined else None
    except Refused:
        found = None
    return None, found[1] if found else after


def _fiscal(line: Line, index: int) -> Read:
    """fiscal year 2023, 康熙三年五月: years that are no calendar years of ours are passed over."""
    after = index + 1
    while after - index < 6 and line.is_(after, K.UNIT, K.NUM, K.NIAN, K.YUE, K.RI):
        after += 1
    return None, after


def _in_part(line: Line, index: int) -> Read | None:
    """in the early morning: of the reference day, or the day after it if it is past and no sentence of the past."""
    edge = line.at(index).raw.lower() if line.at(index).kind is K.EDGE else ""
    start = index + (edge != "")
    start += 1 + line.is_(start + 1, K.THE) if line.is_(start, K.IN) and line.at(start).raw.lower() == "in" else 0
    edge = line.at(start).raw.lower() if not edge and line.is_(start, K.EDGE) else edge
    part = start + line.is_(start, K.EDGE)
    if not line.is_(part, K.PART) or part - index < 2 or edge not in ("", "early", "late"):
        return None
    chain, after = chain_at(line, part) or (None, part)
    if chain is None or len(chain.fields) > 1 or chain.fields[0].kind != "part" or chain.top is not None:
        return None
    half = {"early": 1, "late": 2}.get(edge, 0)
    period = resolved(replace(chain, fields=(replace(chain.fields[0], n=half),)), line, after)
    over = period.until <= line.now and tense(line.text, line.at(index).start, line.at(after - 1).end) >= 0
    return (p.moved(period, "day", 1) if over else period), after


def _season(line: Line, index: int) -> Read:
    """summer of 2019: the year says nothing by itself where a season narrows it."""
    after = index + 1
    while after - index < 3 and line.is_(after, K.OF, K.IN, K.THE):
        after += 1
    found = chain_at(line, after) if line.at(after).joined else None
    return None, found[1] if found is not None and found[0].unit == "year" else index + 1


def _compared_year(line: Line, index: int) -> Read | None:
    """more than 2000, 超过2019年: no year, or one whose side is not known."""
    found = chain_at(line, index + 1) if line.is_(index + 1, K.NUM) else None
    return None if found is None or found[0].unit != "year" else (None, found[1])


def _feast(line: Line, index: int) -> Read:
    """除夕晚上6点半: the time of a day that is not known is not known either."""
    try:
        found = chain_at(line, index + 1, dated=True) if line.at(index + 1).joined else None
    except Refused:
        found = None
    clocked = found is not None and found[0].top is None and found[0].fields[0].kind in ("part", "clock")
    return None, found[1] if found is not None and clocked else index + 1


def _instant(line: Line, index: int) -> Read | None:
    token = line.at(index)
    if token.kind is K.NOW:
        return Period(line.instant, line.instant + SECOND, "second"), index + 1
    if token.kind is K.JUST_NOW:
        hour = timedelta(hours=1)
        return Period(line.instant - hour, line.instant, "stretch", width=hour), index + 1
    if token.kind is K.SO_FAR:
        dangling = token.raw in ("以来", "至今") or re.match(r"[ ]?[A-Za-z0-9]", line.text[token.end : token.end + 2])
        return None if dangling else (Period(OPEN_BEGIN, line.instant, "stretch", width=SECOND), index + 1)
    try:
        stamp = datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", str(token.value).upper()))
    except ValueError:
        raise Refused("no such time") from None
    offset = stamp.utcoffset()
    begin = stamp.replace(tzinfo=None)
    minutes = None if offset is None else round(offset.total_seconds() / 60)
    told = Period(begin, begin + SECOND, "second", explicit=True, minutes=minutes)
    return zoned(line, told, index + 1) if offset is None else (told, index + 1)


def _rest(line: Line, index: int) -> Read | None:
    """earlier this month, later this year, the rest of the week."""
    token, after = line.at(index), index + 1
    if token.kind is K.REST and not line.is_(after, K.OF):
        return None
    while after - index < 3 and (
        line.is_(after, K.OF, K.THE) or (line.is_(after, K.REL) and int_of(line.at(after)) == 0)
    ):
        after += 1
    unit = str(line.at(after).value) if line.is_(after, K.UNIT) else ""
    if token.kind is not K.REST and line.is_(after, K.DAY) and int_of(line.at(after)) == 0:
        unit = "day"
    if unit not in ("week", "month", "quarter", "year", "decade", "century", "day"):
        return None
    whole = p.period(unit, line.now)
    if line.now == whole.begin:
        return whole, after + 1
    if token.kind is K.EARLIER:
        return replace(whole, until=line.instant, unit="stretch", width=p.DAY), after + 1
    return replace(whole, begin=line.instant, unit="stretch", width=p.DAY), after + 1


def _week_of(line: Line, index: int) -> Read | None:
    """the week of April 10, the week after next, the month before last."""
    start = index + (line.at(index).kind is K.THE)
    unit = line.at(start)
    weekly = unit.kind is K.WEEK_FROM
    if not (weekly or unit.kind is K.UNIT) or not unit.raw.isascii() or line.at(start - 1).kind in (K.ARTICLE, K.NUM):
        return None
    if line.is_(start + 1, K.AFTER, K.BEFORE) and line.is_(start + 2, K.REL):
        step = {(K.AFTER, "next"): 2, (K.BEFORE, "last"): -2}.get(
            (line.at(start + 1).kind, line.at(start + 2).raw.lower())
        )
        if step is not None and unit.value in ("week", "month", "year", "quarter"):
            return p.period(str(unit.value), line.now, step), start + 3
    begin = start + 1 if weekly else start + 2 if line.is_(start + 1, K.OF, K.BEFORE, K.AFTER) else 0
    if not begin or not line.at(begin).joined or not (weekly or unit.value in ("week", "weekend", "day", "year")):
        return None
    found = chain_at(line, begin)
    if found is None:
        return None
    if weekly or line.at(start + 1).kind is K.OF:
        if found[0].unit != "day" or unit.value in ("day", "year"):
            return None
        day = resolve(found[0], line)
        return replace(p.period("week" if weekly else str(unit.value), day.begin), explicit=day.explicit), found[1]
    if start == index:
        return None
    step = 1 if line.at(start + 1).kind is K.AFTER else -1
    if found[0].unit != unit.value:
        return None, found[1]  # the week before Christmas
    return p.moved(resolve(found[0], line), str(unit.value), step), found[1]


def _plain(line: Line, index: int) -> Read | None:
    """A chain, with what may follow it: before, onwards, so far, a time zone, a feast or season that hides it."""
    found = chain_at(line, index)
    if found is None:
        return _to_date(line, index)
    chain, after = found
    if line.is_(after, K.FEAST):
        return _feast(line, after)
    if line.is_(after, K.FISCAL, K.SEASON, K.WEEKDAYS):
        return None, after + 1
    if chain.has("quarter", "half") and line.is_(after, K.OF) and line.is_(after + 1, K.FISCAL):
        return _fiscal(line, after + 1)
    if line.at(after - 1).kind is K.WEEKDAY and (counted := weekday_counted(line, after)) is not None:
        return counted
    if line.is_(after, K.EVERY) and line.is_(after + 1, K.UNIT, K.WEEKDAY):
        return None, after + 2
    if chain.has("holiday") and line.is_(after, K.UNIT) and line.at(after).value == "weekend":
        return None, after + 1
    if line.is_(after, K.LUNAR):
        raise Refused("lunar calendar")
    if not sure(line, index, chain, after):
        return None
    period = resolved(chain, line, after)
    if chain.top is None and chain.fields[0].kind == "weekday":
        period = _told(line, period, index, after)
    if chain.has("clock"):
        period, after = zoned(line, period, after)
    return suffixed(line, period, chain, after)


def _told(line: Line, period: Period, index: int, after: int) -> Period:
    """A weekday of the present week, unless the sentence tells of the past or the future: they won on Sunday."""
    today = p.midnight(line.now)
    if today <= period.begin < today + p.DAY:
        return period
    told = tense(line.text, line.at(index).start, line.at(after - 1).end)
    ahead = 1 if period.begin > today else -1
    return p.moved(period, "week", told) if told == -ahead else period


def _to_date(line: Line, index: int) -> Read | None:
    """year to date, YTD; 从 … 以来 is read with its chain."""
    token = line.at(index)
    if token.kind is K.PERIOD and isinstance(token.value, tuple) and token.value[1] == "to date":
        return replace(p.period("year", line.now), until=line.instant, unit="stretch", width=p.DAY), index + 1
    if token.kind is K.FROM and line.at(index + 1).joined and line.at(index + 1).kind is not K.FROM:
        found = _plain(line, index + 1)
        if found is not None and found[0] is not None and line.is_(found[1], K.ON) and not line.at(found[1] + 1).joined:
            rest = line.behind(found[1], 2).strip(" ")  # from May 1 on
            return None if rest[:1].isalnum() else (stretched(found[0], found[0].begin, OPEN_END), found[1] + 1)
        return found if found is not None and line.at(found[1] - 1).kind in (K.ONWARD, K.SO_FAR) else None
    return None


_READERS = (_week_of, range_at, _plain, count_at)
"""Readers of phrases, the surest first: of two equally long readings the first is taken."""
