"""Years, decades and centuries as they are written."""

from __future__ import annotations

import re
from dataclasses import replace

from . import periods as p
from .chains import Chain, Field, Found
from .kinds import K
from .line import Line, approximate, int_of, number, spelled
from .periods import Refused
from .tokens import year_of_two

_NO_YEAR_BEFORE = re.compile(
    r"(?:[$€£¥#№.,:+_<>=/\\A-Za-z]|(?:^|\D)\d{1,3}\s?-|[<>=]\s|\b(?:top|no|number|windows|room|flight|page|version|model|building|route|highway|bus|suite|ticket|issue|item|order|bill|section|code)\s|[约超近达共第]\s?)$",
    re.IGNORECASE | re.ASCII,
)
_NO_YEAR_AFTER = re.compile(
    r"[.,:][0-9]|[A-Za-z_/\\]|\s?-\s?\d{1,3}(?!\d)|\s?(?:[人元个名万亿米千吨块次家套张部点分秒件条字位克瓦款台辆只头]|公里|美元|多|余|[%°℃×+*=])"
    r"|\s(?:people|persons?|users?|points?|dollars?|usd|euros?|yuan|rmb|k?m|km|kg|[cm]m|mi|miles?|met(?:er|re)s?|feet|ft|votes?"
    r"|employees|students|units?|shares?|years?|days?|hours?|minutes?|months?|weeks?|times|calories|[mg]b|watts?|hp|jobs|cars)\b",
    re.IGNORECASE | re.ASCII,
)


def year_element(line: Line, index: int, chain: Chain) -> Found | None:
    """2023年, 07年, 二〇二三年, 2023年底, year 2023, nineteen ninety six, a bare 2023, and 87 in `April of 87`."""
    token = line.at(index)
    if (
        chain.has("month")
        and token.kind is K.NUM
        and line.is_(index - 1, K.OF)
        and token.raw.isdigit()
        and len(token.raw) == 2
    ):
        return p.year(year_of_two(int_of(token))), (), index + 1
    if (
        token.kind is K.UNIT
        and token.value == "year"
        and line.is_(index + 1, K.NUM)
        and len(line.at(index + 1).raw) == 4
    ):
        return p.year(int_of(line.at(index + 1))), (), index + 2
    if token.kind is K.SHORT_YEAR:
        return (p.year(int_of(token)), (), index + 1) if chain.has("month", "quarter", "half") else None
    if token.kind is K.DECADE and int_of(token) >= 1500:
        return p.period("decade", p.year(int_of(token)).begin, explicit=True), (), index + 1
    if (
        token.kind is K.ORD
        and line.is_(index + 1, K.UNIT)
        and line.at(index + 1).value == "century"
        and 1 <= int_of(token) <= 21
    ):
        return p.century(int_of(token)), (), index + 2
    if token.kind is K.ERA:
        return _year_of_era(line, index)
    if token.kind is K.PERIOD and token.value in (("century", -1), ("century", 0)) and line.is_(index + 1, K.NUM):
        return _decade_of(line, index + 1, p.period("century", line.now, int(token.value[1])).begin.year)
    if token.kind is not K.NUM:
        return None
    if line.is_(index + 1, K.UNIT) and line.at(index + 1).raw in ("世纪", "年代"):
        return _age(line, index)
    if line.is_(index + 1, K.NIAN, K.EDGE_OF) and (marked := _marked_year(line, index)) is not None:
        return marked
    latest = 2199 if line.is_(index, K.NUM) and line.at(index - 1).kind in (K.IN, K.BY, K.SINCE, K.TO) else 2100
    if token.raw.isdigit() and len(token.raw) == 4 and 1900 <= int_of(token) <= latest:
        before, after = line.before(index, 12), line.behind(index, 14)
        if (
            not _NO_YEAR_BEFORE.search(before)
            and not _NO_YEAR_AFTER.match(after)
            and not line.is_(index + 1, K.UNIT, K.GE)
        ):
            return p.year(int_of(token)), (), index + 1
    return _spelled_year(line, index)


_SUN_SINCE = 1873
"""The year from which the months of the eras still in use are those of our calendar."""


def _year_of_era(line: Line, index: int) -> Found | None:
    """康熙三年, 民国38年, 令和元年. Raises Refused for a year beyond the era, and for months of the lunar calendar."""
    era, count, after = line.at(index).value, 1, index + 2
    if line.is_(index + 1, K.NUM) and line.is_(after, K.NIAN):
        count, after = int_of(line.at(index + 1)), after + 1
    elif not line.is_(index + 1, K.ERA) or not isinstance(era, tuple):
        return None
    first, last = (int(part) for part in era) if isinstance(era, tuple) else (0, 0)
    if not first <= first + count - 1 <= last:
        raise Refused("no such year")
    if line.is_(after, K.LUNAR) or (first + count <= _SUN_SINCE and line.is_(after, K.NUM)):
        raise Refused("lunar calendar")
    return p.year(first + count - 1), (), after


def _marked_year(line: Line, index: int) -> Found | None:
    token, mark = line.at(index), line.at(index + 1)
    value, raw = int_of(token), token.raw
    if mark.kind is K.EDGE_OF and (not isinstance(mark.value, tuple) or mark.value[0] != "year"):
        return None
    positional = not any(char in "十百千廿卅" for char in raw)
    full = len(raw) == 4 and positional and 1000 <= value <= 2999
    if full and value % 100 == 0 and value < 1500 and line.is_(index + 2, K.AGO):
        return None
    if not full:
        counted = raw.isdigit() and raw[0] != "0" and mark.kind is K.NIAN and not _dated_after(line, index + 2)
        if len(raw) != 2 or not positional or counted or approximate(token):
            return None
        value = year_of_two(value)
    edge: tuple[Field, ...] = ()
    after = index + 2
    if mark.kind is K.EDGE_OF and isinstance(mark.value, tuple):
        edge = (Field("edge", word=str(mark.value[1])),)
    elif line.is_(after, K.EDGE) and line.glued(after):
        edge, after = (Field("edge", word=str(line.at(after).value)),), after + 1
    return p.year(value), edge, after


def _dated_after(line: Line, index: int) -> bool:
    if line.is_(index, K.NUM):
        return line.is_(index + 1, K.YUE, K.EDGE_OF) or (
            line.is_(index + 1, K.UNIT) and line.at(index + 1).value == "quarter"
        )
    return line.is_(index, K.EDGE, K.HALF, K.QUARTER, K.DI, K.HOLIDAY, K.FEAST)


def _spelled_year(line: Line, index: int) -> Found | None:
    token = line.at(index)
    if not spelled(token):
        return None
    if int_of(token) == 2 and line.at(index + 1).joined and line.at(index + 1).raw.lower() == "thousand":
        after = index + 3 if line.is_(index + 2, K.AND) else index + 2
        rest = number(line, after) if line.at(after).joined else None
        if rest is not None and line.at(after).raw.isalpha() and 0 < rest[0] < 100:
            return p.year(2000 + rest[0]), (), rest[1]
        return (p.year(2000), (), index + 2) if not line.is_(index + 2, K.UNIT) else None
    rest = number(line, index + 1) if int_of(token) in (19, 20) and line.at(index + 1).joined else None
    if rest is not None and line.at(index + 1).raw.isalpha() and 10 <= rest[0] <= 99:
        return p.year(int_of(token) * 100 + rest[0]), (), rest[1]
    return None


def _age(line: Line, index: int) -> Found | None:
    """十九世纪, 九十年代, 19世纪70年代. A decade without a century is the latest that has begun."""
    count, unit = int_of(line.at(index)), line.at(index + 1).raw
    if unit == "世纪" and 1 <= count <= 21:
        if count > 1 and (found := _decade_of(line, index + 2, (count - 1) * 100)) is not None:
            return replace(found[0] or p.century(count), explicit=True), *found[1:]
        return p.century(count), *_zh_edge(line, index + 2)
    if unit == "年代" and count in range(10, 100, 10):
        begin = line.now.year // 100 * 100 + count
        decade = p.period("decade", p.year(begin if begin <= line.now.year else begin - 100).begin)
        return decade, *_zh_edge(line, index + 2)
    return None


def _decade_of(line: Line, index: int, century: int) -> Found | None:
    """80年代 behind its century."""
    if not (line.is_(index, K.NUM) and line.is_(index + 1, K.UNIT) and line.at(index + 1).raw == "年代"):
        return None
    return p.period("decade", p.year(century + int_of(line.at(index)) % 100).begin), *_zh_edge(line, index + 2)


def _zh_edge(line: Line, index: int) -> tuple[tuple[Field, ...], int]:
    """初, 末, 末期 right behind a period."""
    if line.is_(index, K.EDGE) and line.glued(index) and not line.at(index).raw.isascii():
        return (Field("edge", word=str(line.at(index).value)),), index + 1
    return (), index
