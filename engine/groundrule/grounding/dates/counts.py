"""Counted times: 未来5天, 最近3个月, 3小时前, 两周后, next 5 days, 3 hours ago, in 2 weeks, 3 days after Christmas.

Conventions. A coming count of days or longer runs from now and takes today as its first day: 未来5天 is what is left of
today and the four days that follow. A past count of days or longer runs from the begin of the day that many units ago
until now. Counts of hours, minutes and seconds run from or to the very instant. A point counted in days or weeks is a
day, in months a calendar month, in years a calendar year: it was stated no more exactly than that. Counts of quarters,
decades and centuries are calendar quarters, decades and centuries.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from . import periods as p
from .assemble import chain_at
from .chains import resolve
from .kinds import K
from .line import Line, int_of, number
from .periods import Period, Refused

Match = tuple[Period, int]
_CLOCK_UNITS = ("second", "minute", "hour")
_CALENDAR = ("quarter", "decade", "century")
Amount = tuple[tuple[tuple[int, str], ...], int]
"""Counts with their units, such as ((2, "year"), (1, "month")), and the index after them."""


def amount(line: Line, index: int) -> Amount | None:
    """3 days, 三个月, 半小时, half an hour, 2 years 1 month 21 days, a couple of weeks."""
    parts: list[tuple[int, str]] = []
    after = index
    while len(parts) < 4 and (not parts or line.at(after).joined):
        found = _one(line, after)
        if found is None:
            break
        parts += found[0]
        after = found[1]
        if len(found[0]) == 1 and _and_a_half(line, after):  # a day and a half
            return ((*parts, _HALF[found[0][0][1]]), after + 3) if found[0][0][1] in _HALF else None
        if not line.at(after - 1).raw.isascii():
            break
        if line.is_(after, K.AND) and len(found[0]) == 1:
            more = _one(line, after + 1)
            smaller = {"year": "month", "day": "hour", "hour": "minute"}.get(found[0][0][1])
            after += more is not None and more[0][0][1] == smaller
    return (tuple(parts), after) if parts else None


def _one(line: Line, index: int) -> Amount | None:
    token = line.at(index)
    if token.kind in (K.HALF_AN, K.BAN):
        return _half(line, index)
    found = number(line, index)
    if found is not None:
        count, after = found
    elif token.kind is K.ARTICLE and token.value == 1:
        after = index + 1
        count = 1
        if line.is_(after, K.COUPLE):
            count, after = 2, after + 1
            after += line.is_(after, K.OF)
    elif token.kind is K.COUPLE:
        count, after = 2, index + 1
        after += line.is_(after, K.OF)
    else:
        return None
    if _and_a_half(line, after):  # two and a half years
        name = line.unit(after + 3)
        return (((count, name), _HALF[name]), after + 4) if name in _HALF else None
    return _with_unit(line, count, after)


def _and_a_half(line: Line, index: int) -> bool:
    return line.is_(index, K.AND) and line.is_(index + 1, K.ARTICLE) and line.is_(index + 2, K.HALF_AN)


_HALF = {
    "hour": (30, "minute"),
    "year": (6, "month"),
    "minute": (30, "second"),
    "month": (15, "day"),
    "day": (12, "hour"),
}
"""Half of a unit, in whole smaller ones."""


def _half(line: Line, index: int) -> Amount | None:
    after = index + 1
    after += line.is_(after, K.GE, K.ARTICLE)
    if line.at(index - 1).kind is K.ARTICLE and line.is_(index - 2, K.AND):
        return None
    names = {K.NIAN: "year", K.YUE: "month", K.UNIT: line.unit(after)}
    name = names.get(line.at(after).kind, "") if line.at(after).joined else ""
    return ((_HALF[name],), after + 1) if name in _HALF else None


def _with_unit(line: Line, count: int, after: int) -> Amount | None:
    after += line.is_(after, K.GE)
    unit = line.at(after)
    if not unit.joined or count > 100_000:
        return None
    if unit.kind is K.NIAN:
        if line.is_(after + 1, K.BAN):
            return ((count, "year"), (6, "month")), after + 2
        return ((count, "year"),), after + 1
    if unit.kind is K.YUE and (line.at(after - 1).kind is K.GE or line.at(after - 1).raw in ("仨", "俩", "两")):
        return ((count, "month"),), after + 1
    if unit.kind is K.MIAO:
        return ((count, "second"),), after + 1
    if unit.kind is K.RI and unit.raw == "日":
        return ((count, "day"),), after + 1
    name = str(unit.value)
    if unit.kind is K.UNIT_AND_HALF:
        return ((count, name), _HALF[name]), after + 1
    return (((count, name),), after + 1) if unit.kind is K.UNIT else None


def moved(at: Period, counts: tuple[tuple[int, str], ...], sign: int, line: Line) -> Period:
    """The day or instant that lies counted units from `at`. Raises Refused out of range."""
    begin = at.begin
    for count, unit in counts:
        begin = p.shift(begin, unit, sign * count)
    return replace(p.period("day", begin), explicit=at.explicit)


def point(line: Line, counts: tuple[tuple[int, str], ...], sign: int) -> Period:
    """N units ago or from now, as a period of its unit."""
    unit = min((unit for _, unit in counts), key=p.RANK.__getitem__)
    at = line.instant if unit in _CLOCK_UNITS else line.now
    for count, name in counts:
        at = p.shift(at, name, sign * count)
    if unit in _CLOCK_UNITS:
        return Period(at, at + p.WIDTH[unit], unit)
    if unit in ("month", "quarter", "year", "decade", "century"):
        return p.period(unit, at)
    return replace(p.period("day", at), width=p.WIDTH[unit] if unit != "day" else None)


def stretch(line: Line, counts: tuple[tuple[int, str], ...], sign: int) -> Period:
    """The coming or past N units."""
    (count, unit), *more = counts
    fine = min((name for _, name in counts), key=p.RANK.__getitem__)
    if unit in _CALENDAR and not more:
        first = p.period(unit, line.now, 1 if sign > 0 else -count)
        return replace(first, until=p.shift(first.begin, unit, count), unit="days", width=p.WIDTH[unit])
    if unit == "weekend":
        raise Refused("a count of weekends")
    at = line.instant if fine in _CLOCK_UNITS else p.midnight(line.now)
    for number_, name in counts:
        at = p.shift(at, name, sign * number_)
    width = p.WIDTH["minute"] if fine in _CLOCK_UNITS else p.DAY
    begin, until = (line.instant, at) if sign > 0 else (at, line.instant)
    return Period(begin, until, "stretch", width=width)


def count_at(line: Line, index: int) -> Match | None:
    """Any counted time that begins at a token."""
    for reader in (_prefixed, _zh_signed, _in_front, _starting, _behind, _forecast):
        if (found := reader(line, index)) is not None:
            return found
    return None


def compared(line: Line, index: int) -> Match | None:
    """more than 3 days ago, 不到两周前, less than 3 days after tomorrow, at least a month before the election."""
    more, start = line.at(index).kind is K.MORE, index + 1
    found = amount(line, start) if line.at(start).joined else None
    if found is None:
        return None
    counts, after = found
    token, zh = line.at(after), not line.at(after).raw.isascii()
    if not token.joined:
        return None
    now = replace(p.period("day", line.now), begin=line.instant, until=line.instant)
    anchor, sign = now, {K.AGO: -1, K.LATER: 1, K.FROM_NOW: 1}.get(token.kind, 0)
    if sign:
        at, after = point(line, counts, sign), after + 1
    else:
        sign = {K.BEFORE: -1, K.AFTER: 1, K.FROM: 1}.get(token.kind, 0)
        told = chain_at(line, after + 1) if sign and not zh and line.at(after + 1).joined else None
        if told is None or told[0].unit != "day":
            return None
        anchor = resolve(told[0], line)
        at, after = moved(anchor, counts, sign, line), told[1]
    if more:
        begin, until = (p.OPEN_BEGIN, at.begin) if sign < 0 else (at.begin, p.OPEN_END)
    else:
        begin, until = (at.begin, anchor.until) if sign < 0 else (anchor.begin, at.begin)
    return replace(at, begin=begin, until=until, unit="stretch", width=p.DAY), after


def _prefixed(line: Line, index: int) -> Match | None:
    """未来5天, 最近3个月内, the last 3 days, within the next 2 hours, over the past week, 5 upcoming years."""
    start = index
    start += line.at(start).kind is K.WITHIN and line.is_(start + 1, K.THE, K.REL, K.PAST)
    start += start > index and line.at(start).kind is K.THE and line.is_(start + 1, K.REL, K.PAST)
    token = line.at(start)
    sign = {K.FUTURE: 1, K.PAST: -1}.get(token.kind) or (int_of(token) if token.kind is K.REL else 0)
    if sign == 0 or (token.kind is K.REL and not token.raw.isascii() and not _counts_zh(line, start)):
        return None
    if not line.at(start + 1).joined or token.raw == "前":
        return None
    found = amount(line, start + 1)
    if found is None and token.raw.lower() in ("past", "this past", "next") and line.is_(start + 1, K.UNIT):
        unit = str(line.at(start + 1).value)
        past = token.kind is K.PAST or unit in (*_CLOCK_UNITS, "fortnight")
        found = (((1, unit),), start + 2) if past and unit != "weekend" else None
    if line.is_(start + 1, K.UNIT) and line.is_(start + 2, K.AND):
        unit = str(line.at(start + 1).value)
        more = amount(line, start + 3)
        if _and_a_half(line, start + 2) and unit in _HALF:
            found = ((1, unit), _HALF[unit]), start + 5
        elif more is not None and p.RANK[more[0][0][1]] < p.RANK[unit] and not line.is_(more[1], K.AGO, K.LATER):
            found = ((1, unit), *more[0]), more[1]
    if found is None or (line.is_(found[1], K.OF) and line.at(found[1]).raw.lower() == "of"):
        return None
    after = found[1] + (line.is_(found[1], K.WITHIN) and not line.at(found[1]).raw.isascii())
    if token.kind is K.FUTURE and token.value == 1:
        return point(line, found[0], 1), after
    return stretch(line, found[0], 1 if sign > 0 else -1), after


def _counts_zh(line: Line, index: int) -> bool:
    return line.at(index).raw in ("上", "下") and line.is_(index + 1, K.NUM)


def _zh_signed(line: Line, index: int) -> Match | None:
    """前1周, 后3天, 之后5分钟, 之前3小时. 前两天 means `the other day` and is not read."""
    token = line.at(index)
    if token.kind not in (K.AGO, K.LATER) or token.raw.isascii() or not line.at(index + 1).joined:
        return None
    found = amount(line, index + 1)
    if found is None or (found[0][0] == (2, "day") and len(token.raw) == 1):
        return None
    return stretch(line, found[0], -1 if token.kind is K.AGO else 1), found[1]


def _behind(line: Line, index: int) -> Match | None:
    """3小时前, 两周后, 3 days ago, 2 weeks later, 3 minutes from now, 3 days before yesterday, 2 weeks from Jan 15."""
    found = amount(line, index)
    if found is None:
        return None
    counts, after = found
    token = line.at(after)
    if not token.joined:
        return None
    if token.kind is K.AGO and (token.raw == "ago" or not token.raw.isascii()):
        return _of_week(line, counts, -1, after + 1) or (point(line, counts, -1), after + 1)
    if token.kind is K.SO_FAR and token.raw == "以来":
        return stretch(line, counts, -1), after + 1
    if token.kind in (K.LATER, K.FROM_NOW):
        return point(line, counts, 1), after + 1
    sign = {K.BEFORE: -1, K.AFTER: 1, K.FROM: 1}.get(token.kind)
    if sign is None or not token.raw.isascii() or not line.at(after + 1).joined:
        return None
    anchor = chain_at(line, after + 1)
    if anchor is None or all(unit in _CLOCK_UNITS for _, unit in counts):
        return None
    return moved(resolve(anchor[0], line), counts, sign, line), anchor[1]


def _of_week(line: Line, counts: tuple[tuple[int, str], ...], sign: int, index: int) -> Match | None:
    """two weeks ago on Monday: the weekday of that week."""
    index += line.is_(index, K.ON) and line.at(index).raw.isascii()
    if len(counts) != 1 or counts[0][1] != "week" or not line.is_(index, K.WEEKDAY) or not line.at(index).raw.isascii():
        return None
    return p.weekday_of(p.period("week", line.now, sign * counts[0][0]), int_of(line.at(index))), index + 1


def weekday_counted(line: Line, index: int) -> Match | None:
    """Monday two weeks from now: the weekday of that week. `index` is behind the weekday."""
    found = amount(line, index) if line.at(index).joined else None
    if found is None or len(found[0]) != 1 or found[0][0][1] != "week":
        return None
    sign = {K.AGO: -1, K.FROM_NOW: 1, K.LATER: 1}.get(line.at(found[1]).kind, 0) * line.at(found[1]).joined
    weekday = int_of(line.at(index - 1))
    return (p.weekday_of(p.period("week", line.now, sign * found[0][0][0]), weekday), found[1] + 1) if sign else None


def _in_front(line: Line, index: int) -> Match | None:
    """in 2 weeks, in half an hour, within 3 hours, 5 upcoming years, 5 past minutes."""
    token = line.at(index)
    if token.kind in (K.IN, K.WITHIN) and token.raw.lower() in ("in", "within") and line.at(index + 1).joined:
        found = amount(line, index + 1)
        if found is None or line.is_(found[1], K.AGO, K.LATER, K.BEFORE, K.AFTER, K.OF, K.SINCE):
            return None
        return (stretch if token.kind is K.WITHIN else point)(line, found[0], 1), found[1]
    count = number(line, index)
    if (
        count is None
        or not token.raw.isascii()
        or not line.is_(count[1], K.REL, K.PAST)
        or (line.at(count[1]).value == 0 and line.at(count[1]).kind is K.REL)
    ):
        return None
    if not line.is_(count[1] + 1, K.UNIT) or not line.at(count[1] + 1).raw.lower().endswith("s"):
        return None
    unit = str(line.at(count[1] + 1).value)
    sign = 1 if line.at(count[1]).kind is K.REL and int_of(line.at(count[1])) > 0 else -1
    return stretch(line, ((count[0], unit),), sign), count[1] + 2


def _forecast(line: Line, index: int) -> Match | None:
    """5日预报, 7天天气, 10-day forecast: the coming days."""
    count = number(line, index)
    if count is None or not 1 <= count[0] <= 40:
        return None
    after = count[1]
    after += line.is_(after, K.DASH) and line.glued(after) and line.glued(after + 1)
    if not line.is_(after, K.RI) and line.unit(after) != "day":
        return None
    end = after + 1 + line.is_(after + 1, K.OF, K.WITHIN)
    end += line.is_(end, K.FORECAST) and line.is_(end + 1, K.FORECAST)
    # 5日天气 is the weather of the fifth, 5日预报 and 5天天气 cover five days.
    if line.is_(end, K.FORECAST) and (line.at(after).kind is K.UNIT or line.at(end).value == 0):
        return stretch(line, ((count[0], "day"),), 1), end + 1
    return None


def _starting(line: Line, index: int) -> Match | None:
    """3 days starting next Monday, a week beginning tomorrow, for 3 days from today."""
    lasting = line.at(index).raw.lower() == "for"
    index += lasting
    if lasting and not line.at(index).joined:
        return None
    count = (1, index + 1) if line.at(index).kind is K.ARTICLE else number(line, index)
    weekly = count is not None and line.is_(count[1], K.WEEK_FROM)
    found = (((count[0], "week"),), count[1]) if weekly and count is not None else amount(line, index)
    if found is None:
        return None
    at = found[1] + (lasting and line.is_(found[1], K.COMMA) and line.is_(found[1] + 1, K.FROM, K.SINCE))
    starting = line.is_(at, K.SINCE) and line.at(at).raw.lower().startswith("starting")
    starting = starting or (lasting and line.is_(at, K.FROM))
    anchor = chain_at(line, at + 1) if (weekly or starting) and line.at(at + 1).joined else None
    if anchor is None:
        return None
    first = resolve(anchor[0], line)
    until = first.begin
    for times, unit in found[0]:
        until = p.shift(until, unit, times)
    width = max(first.until - first.begin, timedelta(seconds=1))
    return replace(first, until=until, unit="stretch", width=width), anchor[1]
