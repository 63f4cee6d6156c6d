"""What bounds a period or opens it: before, after, since, as of, onwards, a time zone; and what makes a chain sure."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from . import periods as p
from .assemble import chain_at
from .chains import Chain, resolve
from .kinds import K
from .line import Line
from .periods import OPEN_BEGIN, OPEN_END, Period, Refused

SECOND = timedelta(seconds=1)
Read = tuple[Period | None, int]
"""A period, or None for a set or feast that is passed over, and the index after it."""


def bounded(line: Line, index: int) -> Read | None:
    """截至今天, as of June, since 2018, before Friday, after 3pm, by the end of 2026, until tomorrow."""
    token = line.at(index)
    if not line.at(index + 1).joined or (token.kind is K.TO and token.value != 1):
        return None
    if line.is_(index + 1, K.NOW) and token.kind in (K.AS_OF, K.BY, K.TO):
        return Period(OPEN_BEGIN, line.instant, "stretch", width=SECOND), index + 2
    kind = K.BEFORE if token.kind is K.BY and token.value == 2 else token.kind
    found = chain_at(line, index + 1, article=True)
    if found is None or not sure(line, index + 1, *found):
        return None
    chain, after = found
    period = resolved(chain, line, after)
    if chain.has("clock"):
        period, after = zoned(line, period, after)
    if kind is K.SINCE and token.value == 0:
        period = begun(chain, period, line)
        return stretched(period, period.begin, now_or_open(period, line)), after
    if kind is K.SINCE:
        return stretched(period, period.begin, OPEN_END), after
    return _bound(period, kind, chain), after


def resolved(chain: Chain, line: Line, after: int) -> Period:
    """`resolve`, with the end of the expression in what is refused."""
    try:
        return resolve(chain, line)
    except Refused as refusal:
        refusal.after = after
        raise


def _bound(period: Period, kind: K, chain: Chain) -> Period:
    """The open range before, until or after a period. Before its end and after its begin mean the boundary itself."""
    edge = next((field.word for field in chain.fields if field.kind == "edge"), "")
    if kind is K.AFTER:
        return stretched(
            period,
            period.begin if edge in ("early", "start") or chain.has("clock") else period.until,
            OPEN_END,
        )
    inclusive = kind is not K.BEFORE or edge in ("late", "end")
    return stretched(period, OPEN_BEGIN, period.until if inclusive and not chain.has("clock") else period.begin)


_AROUND = {"month": "year", "holiday": "year", "day": "month", "weekday": "week"}
"""In what a field is repeated."""


def begun(chain: Chain, period: Period, line: Line) -> Period:
    """The latest of a month, day or weekday without a year that has begun: `since July` asked in April."""
    unit = _AROUND.get(chain.fields[0].kind) if chain.top is None and chain.weekday is None else None
    return p.moved(period, unit, -1) if unit and period.begin > line.now else period


def now_or_open(period: Period, line: Line) -> datetime:
    """Since a past time means until now; since a coming one has no end."""
    return line.instant if period.begin < line.now else OPEN_END


def stretched(period: Period, begin: datetime, until: datetime) -> Period:
    width = period.width or period.until - period.begin
    return replace(period, begin=begin, until=until, unit="stretch", width=width, dayless=False)


_QUARTER_NAMED = re.compile(
    r"\s?(?:财报|营收|业绩|净利|利润|收入|earnings|results|revenue|sales|report|profit|gdp)", re.IGNORECASE | re.ASCII
)
_NAMES_BEFORE = re.compile(r"\b(?:black|bloody|good|super|cyber|palm|ash|fat|holy)\s$", re.IGNORECASE | re.ASCII)


def sure(line: Line, index: int, chain: Chain, after: int) -> bool:
    """Whether a chain that names no whole period is a date here: Q3 may be a car, Black Friday a sale."""
    if chain.top is not None or line.alone(index, after):
        return True
    first, token = chain.fields[0], line.at(index)
    if token.joined and line.at(index - 1).kind is K.NIAN and line.glued(index):
        return False  # the month of a year that was not understood
    if first.kind == "part":
        return len(chain.fields) > 1
    if first.kind in ("week", "nth"):
        return False
    if token.kind is K.HALF and token.raw.isascii():
        return False
    if token.kind is K.QUARTER and token.raw.isascii():
        asked = token.joined and line.at(index - 1).kind in (K.IN, K.OF, K.FROM, K.TO, K.SINCE, K.BY, K.THE)
        return asked or _QUARTER_NAMED.match(line.text, token.end) is not None
    if first.kind == "span" and first.unit != "quarter":
        return False
    return not (
        token.kind in (K.WEEKDAY, K.MONTH) and _NAMES_BEFORE.search(line.text[max(0, token.start - 8) : token.start])
    )


def zoned(line: Line, period: Period, index: int) -> tuple[Period, int]:
    """The period in the zone that is named behind its clock time, if one is. Raises Refused if it has several meanings."""
    index += line.is_(index, K.COMMA) and line.at(index).raw == "(" and line.is_(index + 1, K.ZONE)
    if not line.is_(index, K.ZONE) or (len(line.at(index).raw) == 2 and not line.at(index).raw.isupper()):
        return period, index - (line.at(index).kind is K.ZONE and line.at(index - 1).raw == "(")
    offset = re.sub(r"[^+\-0-9]", "", str(line.at(index).value))
    if not offset:
        raise Refused("the time zone has several meanings")
    minutes = int(offset[1:3]) * 60 + int(offset[3:5])
    if minutes > 14 * 60:
        raise Refused("no such time zone")
    return replace(period, minutes=-minutes if offset[0] == "-" else minutes), index + 1


def suffixed(line: Line, period: Period, chain: Chain, after: int) -> Read:
    token, zh = line.at(after), not line.at(after).raw.isascii()
    if not token.joined:
        return period, after
    if token.kind in (K.BEFORE, K.AFTER) and chain.unit == "day" and line.is_(after + 1, K.CLOCK, K.NUM):
        return _on_day(line, period, chain, after)
    if token.kind is K.AGO and zh:
        return _bound(period, K.BEFORE, chain), after + 1
    if token.kind is K.LATER and zh:
        return _bound(period, K.AFTER, chain), after + 1
    follows = line.at(after + 1).joined and line.at(after + 1).kind is not K.COMMA
    if token.kind is K.BY and (zh or (token.value == 2 and not follows)):
        return stretched(period, OPEN_BEGIN, period.until), after + 1
    spoken = token.value == 1 and re.match(r"[ ]?[A-Za-z0-9]", line.text[token.end : token.end + 2])
    if token.kind is K.SO_FAR or (token.kind is K.ONWARD and line.is_(after + 1, K.SO_FAR)):
        period = begun(chain, period, line)
        after += 1 + (token.kind is K.ONWARD)
        return stretched(period, period.begin, now_or_open(period, line)), after
    if token.kind is K.ONWARD and not spoken:
        return stretched(period, period.begin, OPEN_END), after + 1
    return period, after


def _on_day(line: Line, day: Period, chain: Chain, after: int) -> Read:
    """today before 4 pm: the part of the day up to, or from, the clock time."""
    found = chain_at(line, after + 1)
    if found is None or found[0].unit != "clock" or found[0].top is not None:
        return day, after
    at = resolved(replace(chain, fields=chain.fields + found[0].fields), line, found[1])
    if line.at(after).kind is K.BEFORE:
        return replace(at, begin=day.begin, until=at.begin, unit="stretch", width=at.until - at.begin), found[1]
    return replace(at, until=day.until, unit="stretch", width=at.until - at.begin), found[1]
