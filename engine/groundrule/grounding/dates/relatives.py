"""Periods named from the reference time: today, 上个月, next Monday, last Christmas; and dates in one token."""

from __future__ import annotations

from dataclasses import replace

from . import periods as p
from .chains import Chain, Field, Found
from .days import month_sure
from .kinds import K
from .line import Line, int_of
from .periods import Refused


def named_element(line: Line, index: int, chain: Chain) -> Found | None:
    """Whole periods in one token: a numeric date, today, 上个月, 今晚."""
    token = line.at(index)
    if token.kind is K.DATE:
        if not isinstance(token.value, tuple):
            raise Refused("day and month cannot be told apart")
        year, month, day = (int(part) for part in token.value)
        return p.date((year, month, day)), (), index + 1
    if token.kind is K.YEAR_MONTH and isinstance(token.value, tuple):
        return p.month_of(p.year(int(token.value[0])), int(token.value[1])), (), index + 1
    if token.kind is K.DAY:
        return p.period("day", line.now, int_of(token)), (), index + 1
    if token.kind is K.DAY_PART and isinstance(token.value, tuple):
        return (
            p.period("day", line.now, int(token.value[0])),
            (Field("part", word=str(token.value[1])),),
            index + 1,
        )
    if token.kind is K.DAYS and isinstance(token.value, tuple):
        unit, first, count = str(token.value[0]), int(token.value[1]), int(token.value[2])
        begin = p.period(unit, line.now, first)
        return (
            replace(begin, until=p.shift(begin.begin, unit, count), unit="days", width=begin.until - begin.begin),
            (),
            index + 1,
        )
    if token.kind is K.PERIOD and isinstance(token.value, tuple) and isinstance(token.value[1], int):
        unit, offset = str(token.value[0]), token.value[1]
        found = p.period(unit, line.now, offset)
        if line.is_(index + 1, K.EDGE) and line.glued(index + 1) and unit in ("year", "month", "quarter"):
            return found, (Field("edge", word=str(line.at(index + 1).value)),), index + 2
        return found, (), index + 1
    return None


def relative_element(line: Line, index: int, chain: Chain) -> Found | None:
    """this week, next Monday, last March, 上周三, next Christmas, the following quarter."""
    token, step = line.at(index), int_of(line.at(index))
    if token.kind is K.UNIT:
        return _of_the_unit(line, index, chain)
    if token.kind not in (K.REL, K.PAST):
        return None
    step = -1 if token.kind is K.PAST else step
    if not line.is_(index + 1, K.UNIT, K.WEEKDAY, K.MONTH, K.HOLIDAY, K.PART):
        return None
    target = line.at(index + 1)
    if target.kind is K.WEEKDAY:
        return _relative_weekday(line, index, step)
    if target.kind is K.MONTH:
        return _relative_month(line, index, step)
    if target.kind is K.HOLIDAY:
        return _relative_holiday(line, index, step)
    if target.kind is K.PART:
        offset = {"this": 0, "last": -1, "tonight": 0}.get(token.raw.lower())
        if offset is None:
            return None
        return p.period("day", line.now, offset), (Field("part", word=str(target.value)),), index + 2
    unit = str(target.value)
    if token.kind is K.PAST or unit in ("second", "minute", "hour", "fortnight") or not target.raw.isascii():
        return None
    return p.period(unit, line.now, step), (), index + 2


def _of_the_unit(line: Line, index: int, chain: Chain) -> Found | None:
    """the last Friday of the month, as the 5th of the month is read: the present one."""
    unit = str(line.at(index).value)
    owned = line.at(index - 1).kind is K.THE and line.at(index - 2).kind is K.OF and line.at(index).joined
    if not owned or unit not in ("week", "month", "quarter", "year") or not chain.has("nth", "span", "week"):
        return None
    return None if line.is_(index + 1, K.OF) else (p.period(unit, line.now), (), index + 1)


def _relative_weekday(line: Line, index: int, step: int) -> Found | None:
    weekday = int_of(line.at(index + 1))
    if line.at(index).raw.lower().endswith("coming"):  # the nearest one after today
        return p.period("day", line.now, (weekday - line.now.weekday() - 1) % 7 + 1), (), index + 2
    if line.at(index).kind is K.PAST:  # the most recent one before today
        return p.period("day", line.now, -((line.now.weekday() - weekday - 1) % 7 + 1)), (), index + 2
    return p.period("week", line.now, step), (Field("weekday", weekday),), index + 2


def _relative_month(line: Line, index: int, step: int) -> Found | None:
    if not month_sure(line, index + 1):
        return None
    month = int_of(line.at(index + 1))
    offset = 0
    if step > 0 and month <= line.now.month:
        offset = 1
    elif step < 0 and month >= line.now.month:
        offset = -1
    return p.period("year", line.now, offset), (Field("month", month),), index + 2


def _relative_holiday(line: Line, index: int, step: int) -> Found:
    name = str(line.at(index + 1).value)
    offset = 0
    if step:
        this = p.holiday_of(p.period("year", line.now), name)
        offset = step if (this.begin <= line.now if step > 0 else this.until > line.now) else 0
    return p.period("year", line.now, offset), (Field("holiday", word=name),), index + 2
