"""Months and days as they are written, with or without their year."""

from __future__ import annotations

import re

from .chains import Chain, Field, Found
from .kinds import K
from .line import Line, int_of, number, ordinal
from .periods import Refused
from .words_en import DOUBTFUL, NEVER_ALONE

_COUNTED = frozenset("个场次家人天元万亿名位条件部张周年月季度级度岁米点时分秒%百千只台辆间种项届期强大日号")
"""What follows a number that counts something, or that goes on."""
_DAY_BEFORE = frozenset("在于到至从自是和与、，,。;；:：(（ \n")


_ASKS_DAY = (K.ON, K.BEFORE, K.AFTER, K.SINCE, K.BY, K.FROM, K.BETWEEN, K.TO, K.AND)


def fraction_element(line: Line, index: int, chain: Chain) -> Found | None:
    """23/12 where a preposition, a weekday or a clock time makes it a date. Raises Refused for 5/12."""
    value = line.at(index).value
    first, second = (int(value[0]), int(value[1])) if isinstance(value, tuple) else (0, 0)
    listed = line.at(index - 1).kind in (K.COMMA, K.OR) and line.at(index - 2).kind is K.FRACTION
    before = line.at(index).joined and (listed or line.at(index - 1).kind in (*_ASKS_DAY, K.WEEKDAY, K.REL))
    beside = line.is_(index + 1, K.BEFORE, K.AFTER, K.BETWEEN, K.AT, K.CLOCK)
    if (
        not (before or beside or line.alone(index, index + 1))
        or not 1 <= min(first, second) <= 12
        or max(first, second) > 31
    ):
        return None
    if (first, second) == (24, 7):
        return None
    if first <= 12 and second <= 12 and first != second:
        raise Refused("day and month cannot be told apart")
    month, day = (second, first) if first > 12 else (first, second)
    return None, (Field("month", month), Field("day", day)), index + 1


def month_sure(line: Line, index: int) -> bool:
    """Whether an English month or weekday name is one here, and not a verb, an adjective or a ticker."""
    token = line.at(index)
    low = token.raw.lower().rstrip(".")
    if token.kind is K.MONTH and line.is_(index + 1, K.OF) and re.fullmatch("[12][0-9]{3}", line.at(index + 2).raw):
        return True
    if re.match(r"[-/]\d", line.behind(index, 2)):
        return False
    if line.before(index) in ("$", "#", "@", "_"):
        return False
    if low not in DOUBTFUL:
        return True
    if line.alone(index, index + 1):
        return True
    before, after = line.at(index - 1), line.at(index + 1)
    if after.joined and after.kind in (K.ORD, K.NUM) and (int_of(after) <= 31 or 1900 <= int_of(after) <= 2100):
        return True
    if token.joined and before.kind is K.NUM:
        return before.raw.isdigit() or low not in NEVER_ALONE
    if token.joined and before.kind in (
        K.ORD,
        K.EDGE,
        K.IN,
        K.ON,
        K.SINCE,
        K.BEFORE,
        K.AFTER,
        K.BY,
        K.FROM,
        K.BETWEEN,
        K.TO,
        K.DASH,
    ):
        return True
    if token.joined and before.kind is K.OF and line.at(index - 2).kind in (
        K.ORD, K.NUM, K.EDGE, K.WEEKDAY, K.UNIT, K.HALF_AN,
    ):  # fmt: skip
        return True
    if token.joined and before.kind is K.REL:
        rest = line.behind(index, 2).strip(" ")
        return low != "may" or not rest or not rest[0].isalpha() or line.is_(index + 1, K.TO)
    return (token.raw[0].isupper() and low not in NEVER_ALONE) or (
        after.kind is K.TO and after.joined and token.raw[0].isupper()
    )


def month_element(line: Line, index: int, chain: Chain) -> Found | None:
    """April, April 15, 15th of April, 4月, 4月15日, 4月底."""
    token = line.at(index)
    if token.kind is K.MONTH:
        return _month_first(line, index) if month_sure(line, index) else None
    if token.kind is K.NUM and line.is_(index + 1, K.YUE, K.EDGE_OF) and line.glued(index + 1):
        return _zh_month(line, index)
    start = index + 1 if token.kind is K.THE else index
    found = ordinal(line, start) or number(line, start)
    if found is None or not line.at(start).raw.isascii():
        return None
    day, after = found
    after += line.unit(after) == "day" and line.is_(after + 1, K.OF)
    after += line.is_(after, K.OF)
    if line.is_(after, K.MONTH) and month_sure(line, after) and 1 <= day <= 99:
        return None, (Field("month", int_of(line.at(after))), Field("day", day)), after + 1
    return None


def _month_first(line: Line, index: int) -> Found:
    month = Field("month", int_of(line.at(index)))
    after = index + 1
    after += line.is_(after, K.COMMA) and line.is_(after + 1, K.ORD)
    after += line.is_(after, K.THE)
    found = (ordinal(line, after) or number(line, after)) if line.at(after).joined else None
    if (
        found is None
        or not line.at(after).raw.isascii()
        or (len(line.at(after).raw) > 2 and line.at(after).raw.isdigit())
    ):
        return None, (month,), index + 1
    day, end = found
    thousands = line.at(end).joined and line.at(end).raw.lower() in ("thousand", "hundred")
    if thousands or line.is_(end, K.MERIDIEM, K.OCLOCK, K.UNIT, K.NIAN) or re.match(r"%|:\d", line.behind(end - 1, 2)):
        return None, (month,), index + 1
    return None, (month, Field("day", day)), end


def _zh_month(line: Line, index: int) -> Found | None:
    number_, mark = line.at(index), line.at(index + 1)
    month, after = int_of(number_), index + 2
    edge: tuple[Field, ...] = ()
    if mark.kind is K.EDGE_OF:
        if not isinstance(mark.value, tuple) or mark.value[0] != "month":
            return None
        edge = (Field("edge", word=str(mark.value[1])),)
    elif line.is_(after, K.EDGE) and line.glued(after):
        edge, after = (Field("edge", word=str(line.at(after).value)),), after + 1
    if (month > 12 and not line.is_(index - 1, K.NIAN)) or number_.raw in ("仨", "俩", "两"):
        return None
    if line.is_(after, K.LUNAR) or line.at(index - 1).kind is K.LUNAR:
        raise Refused("lunar calendar")
    day = line.at(after)
    if not edge and line.glued(after) and day.kind is K.NUM and 1 <= int_of(day) <= 31 and _ends_here(line, after + 1):
        if not day.raw.isdigit():
            raise Refused("perhaps a day of the lunar calendar")
        return None, (Field("month", month), Field("day", int_of(day))), after + 1
    return None, (Field("month", month), *edge), after


def _ends_here(line: Line, index: int) -> bool:
    """Whether a number before a token is not counted in anything: 8月15, 八月十五晚上."""
    rest = line.behind(index - 1)
    return not (rest and (rest in _COUNTED or (rest.isascii() and rest.isalnum()) or rest in "-/.:%"))


def day_element(line: Line, index: int, chain: Chain) -> Found | None:
    """15日, 15号, and the 15th where a month or `on` makes it a date."""
    token = line.at(index)
    if token.kind is K.NUM and line.is_(index + 1, K.RI) and line.glued(index + 1):
        return _zh_day(line, index, chain)
    if token.kind is K.NUM and token.raw.isdigit():
        return _after_weekday(line, index) if chain.has("weekday") and not chain.has("day") else None
    start = index + 1 if token.kind is K.THE else index
    day = ordinal(line, start)
    if day is None or line.at(start).raw.lower() == "second":
        return None
    fields = (Field("day", day[0]),)
    after = day[1] + 1 if line.unit(day[1]) == "day" else day[1]
    if line.is_(after, K.OF) and line.is_(after + 1, K.THE) and line.unit(after + 2) == "month":
        return None, fields, after + 3
    if chain.has("weekday", "month") or (chain.top is not None and chain.top.unit == "month"):
        return None, fields, after
    named = after + line.is_(after, K.OF)
    if (line.is_(named, K.REL) and line.unit(named + 1) == "month") or (after > day[1] and line.is_(after, K.OF)):
        return None, fields, after
    weekly = line.at(index - 1).kind is K.OF and line.at(index - 2).value == "week"
    asked = token.joined and (weekly or line.at(index - 1).kind in _ASKS_DAY[:-1])
    rest = line.behind(after - 1, 2).strip(" ")
    if (asked or line.alone(index, after)) and (not rest or not rest[0].isalnum() or line.is_(after, K.AT, K.CLOCK, K.BETWEEN, K.FROM)):
        return None, fields, after
    return None


def _zh_day(line: Line, index: int, chain: Chain) -> Found | None:
    if line.is_(index + 2, K.FORECAST) and line.at(index + 2).value == 0 and not chain.fields:
        return None  # 5日预报 covers five days
    day = int_of(line.at(index))
    if not chain.has("month") and not chain.same and (chain.top is None or chain.top.unit != "month"):
        if line.is_(index - 1, K.COMMA, K.AND) and line.is_(index - 2, K.RI):
            return None  # the next day of a list whose month was named with the first
        before = line.before(index)
        if (before and before not in _DAY_BEFORE and not chain.fields) or day > 31:
            return None  # 神舟十三号
    return None, (Field("day", day),), index + 2


def _after_weekday(line: Line, index: int) -> Found | None:
    """Monday 21."""
    rest = line.behind(index, 2).strip(" ")
    ends = not rest or not (rest[0].isalnum() or rest[0] in "-:.%") or line.is_(index + 1, K.AT, K.BETWEEN, K.FROM)
    if not ends or not 1 <= int_of(line.at(index)) <= 31:
        return None
    return None, (Field("day", int_of(line.at(index))),), index + 1
