"""What is named by its place in something larger: weeks, nth weekdays, first and last parts, quarters, halves."""

from __future__ import annotations

from . import periods as p
from .chains import Chain, Field, Found
from .days import month_sure
from .kinds import K
from .line import Line, int_of, number, ordinal


def week_element(line: Line, index: int, chain: Chain) -> Found | None:
    """第3周, week 10, the last week of, the first Monday of, 第一个周二, first ten days of, 前三季度."""
    token = line.at(index)
    if token.kind is K.DI and line.is_(index + 1, K.NUM):
        return _zh_nth(line, index)
    if token.kind is K.AGO and token.raw == "前" and line.is_(index + 1, K.NUM):
        return _zh_first(line, index)
    if token.kind is K.FINAL and line.is_(index + 1, K.NUM):
        return _zh_final(line, index)
    if token.kind is K.UNIT and token.value == "week" and token.raw.isascii() and line.is_(index + 1, K.NUM):
        week = line.at(index + 1)
        if len(week.raw) <= 2 and week.raw.isdigit() and 1 <= int_of(week) <= 53:
            return None, (Field("week", int_of(week)),), index + 2
    start = index + 1 if token.kind is K.THE else index
    found = ordinal(line, start)
    last = line.at(start).kind is K.REL and line.at(start).raw.lower() == "last"
    if found is None and not last and line.at(start).raw.lower() != "second":
        return None
    nth, after = found if found is not None else (-1 if last else 2, start + 1)
    return _en_nth(line, nth, after)


def _en_nth(line: Line, nth: int, after: int) -> Found | None:
    count = number(line, after) if line.at(after).joined else None
    if count is not None and nth in (1, -1) and line.is_(count[1], K.UNIT) and _owned(line, count[1] + 1):
        return None, (Field("span", nth * count[0], unit=str(line.at(count[1]).value)),), count[1] + 1
    if line.is_(after, K.WEEKDAY):
        owned = _owned(line, after + 1) or line.is_(after + 1, K.PART)
        return (None, (Field("nth", nth, int_of(line.at(after))),), after + 1) if owned else None
    if line.is_(after, K.HALF_AN) and line.at(after).raw.lower() == "half" and nth in (1, 2):
        whole = _halved(line, after + 1)
        return (None, (_half(nth, whole),), after + 1) if whole else None
    unit = line.unit(after)
    if unit == "quarter" and nth in (1, 2, 3, 4):
        return None, (Field("quarter", nth),), after + 1
    if not _owned(line, after + 1):
        return None
    if unit == "week":
        return None, (Field("week", nth),), after + 1
    if unit == "month" and 1 <= nth <= 12:
        return None, (Field("month", nth),), after + 1
    if unit in ("day", "month", "year", "quarter") and nth in (1, -1):
        return None, (Field("span", nth, unit=unit),), after + 1
    return None


def _counted(line: Line, index: int) -> bool:
    """Whether a weekday is one of several: the first Friday, the last Friday of something."""
    before = line.at(index - 1)
    last = before.kind is K.REL and before.raw.lower() == "last" and _owned(line, index + 1)
    return line.at(index).joined and (before.kind is K.ORD or last)


def _half(nth: int, unit: str) -> Field:
    return Field("half month", nth) if unit == "month" else Field("half", nth, unit=unit)


def _halved(line: Line, index: int) -> str:
    """The unit that `first half` halves: of 2019, of May, of last year. Empty if that is not told."""
    if not line.is_(index, K.OF):
        return ""
    if line.is_(index + 1, K.REL):
        unit = line.unit(index + 2)
        return unit if unit in ("year", "month", "week") else ""
    if line.is_(index + 1, K.MONTH) and month_sure(line, index + 1):
        return "month"
    return "year" if line.is_(index + 1, K.NUM) and len(line.at(index + 1).raw) == 4 else ""


def _owned(line: Line, index: int) -> bool:
    return line.is_(index, K.OF) or line.is_(index, K.IN)


def _zh_nth(line: Line, index: int) -> Found | None:
    nth = int_of(line.at(index + 1))
    after = index + 3 if line.is_(index + 2, K.GE) else index + 2
    if line.is_(after, K.WEEKDAY):
        return None, (Field("nth", nth, int_of(line.at(after))),), after + 1
    unit = line.unit(after)
    if unit in ("quarter", "week", "month"):
        return None, (Field(unit, nth),), after + 1
    if unit == "day" and nth == 1:
        return None, (Field("span", 1, unit="day"),), after + 1
    return None


def _zh_first(line: Line, index: int) -> Found | None:
    """前三季度, and 前5个月 or 前4天 behind a year or month."""
    count, after = int_of(line.at(index + 1)), index + 2
    unit = "month" if line.is_(after, K.YUE) else line.unit(after)
    if unit == "quarter" and 1 <= count <= 4:
        return None, (Field("span", count, unit=unit),), after + 1
    if unit in ("month", "week", "day") and _named_before(line, index) and 1 <= count <= 60:
        return None, (Field("span", count, unit=unit),), after + 1
    return None


def _named_before(line: Line, index: int) -> bool:
    """Whether a year, month or other period stands right before a token, perhaps with 的 between."""
    place = index - 2 if line.is_(index - 1, K.OF) else index - 1
    return line.at(index).joined and line.at(place).kind in (K.NIAN, K.YUE, K.PERIOD)


def _zh_final(line: Line, index: int) -> Found | None:
    """最后3周, 最后一天 behind a year or month."""
    count, after = int_of(line.at(index + 1)), index + 2
    after += line.is_(after, K.GE)
    unit = "month" if line.is_(after, K.YUE) else line.unit(after)
    if unit not in ("month", "week", "day", "quarter") or not _named_before(line, index) or not 1 <= count <= 60:
        return None
    last = Field("week", -1) if (unit, count) == ("week", 1) else Field("span", -count, unit=unit)
    return None, (last,), after + 1


def part_element(line: Line, index: int, chain: Chain) -> Found | None:
    """Quarters, halves, thirds, edges, holidays, weekdays, parts of the day."""
    token = line.at(index)
    if isinstance(token.value, tuple):
        unit, value = str(token.value[0]), token.value[1]
        if token.kind is K.HALF and isinstance(value, int):
            return None, (_half(value, unit),), index + 1
        return (None, (Field("edge", word=str(value), unit=unit),), index + 1) if token.kind is K.EDGE_OF else None
    if token.kind is K.NUM:
        known = line.unit(index + 1) == "quarter" and line.at(index + 1).raw == "季度" and 1 <= int_of(token) <= 4
        return (None, (Field("quarter", int_of(token)),), index + 2) if known else None
    if token.kind is K.MERIDIEM and chain.unit == "day":
        return None, (Field("part", word="morning" if token.value == "am" else "afternoon"),), index + 1
    if token.kind is K.HOLIDAY:
        return None, (Field("holiday", word=str(token.value)),), index + 1
    if token.kind is K.EDGE and line.is_(index + 1, K.PART) and token.raw.lower() in ("early", "late"):
        word = str(line.at(index + 1).value)
        return None, (Field("part", 1 if token.value == "early" else 2, word=word),), index + 2
    if token.kind is K.UNIT and token.value == "weekend":
        definite = token.joined and line.at(index - 1).kind is K.THE and not line.is_(index + 1, K.OF)
        named = definite or line.is_(index + 1, K.FORECAST)
        return (p.period("weekend", line.now), (), index + 1) if named else None
    if token.kind is K.PART and (len(token.raw) > 1 or chain.unit == "day"):
        return None, (Field("part", word=str(token.value)),), index + 1
    plain = {K.QUARTER: "quarter", K.THIRD: "third", K.WEEKDAY: "weekday"}.get(token.kind)
    if plain is None or (plain == "weekday" and (not month_sure(line, index) or _counted(line, index))):
        return None
    return None, (Field(plain, int_of(token)),), index + 1
