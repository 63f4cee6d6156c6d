"""Ranges with two ends: 从9月到11月, 2017年8月11日至22日, between 3 and 5 pm, Nov 18-19, April 9th through 17th.

Both ends belong to the range. A clock time as its end is an instant: from 5 to 6 pm ends at 6 pm.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from . import periods as p
from .assemble import chain_at
from .bounds import zoned
from .chains import Chain, Field, add, inherit, resolve
from .clocks import Clock
from .kinds import K
from .line import Line, int_of, number, ordinal
from .periods import Period, Refused

BACKWARD = "ends before it begins"
_DATES = ("part", "day", "week", "month", "quarter", "half", "year", "days", "decade", "century")


@dataclass(frozen=True)
class End:
    """One end of a range. bare: a number whose meaning the other end decides. now: the reference time itself."""

    chain: Chain = field(default_factory=Chain)
    bare: int | None = None
    ordinal: bool = False
    now: bool = False


def range_at(line: Line, index: int) -> tuple[Period, int] | None:
    """A range that begins at a token, perhaps behind the date of its clock times, and the index after it."""
    date, start = Chain(), index
    if line.at(index).kind not in (K.FROM, K.BETWEEN, K.FROM_NOW):
        head = chain_at(line, index)
        if head is not None and head[0].unit in ("day", "part") and not head[0].has("clock"):
            inner = head[1] + (line.is_(head[1], K.AT))
            if line.at(inner).joined and line.is_(inner, K.FROM, K.BETWEEN, K.NUM, K.CLOCK):
                found = _ends(line, inner, head[0])
                if found is not None:
                    return found
    return _ends(line, start, date)


def _ends(line: Line, index: int, date: Chain) -> tuple[Period, int] | None:
    opener = line.at(index).kind
    start = index + 1 if opener in (K.FROM, K.BETWEEN, K.FROM_NOW) else index
    if start != index and not line.at(start).joined:
        return None
    told = line.is_(start + 1, K.DIAN) and line.is_(start + 2, K.TO, K.DASH)
    first = (End(now=True), start) if opener is K.FROM_NOW else _end(line, start, hourly=told)
    if first is None:
        return None
    middle = first[1] + (line.is_(first[1], K.ONWARD) and line.is_(first[1] + 1, K.TO))
    joiners: tuple[K, ...] = (K.TO, K.DASH, K.AND) if opener is K.BETWEEN or line.is_(middle, K.AND) else (K.TO, K.DASH)
    if line.at(middle).raw.lower() == "until" and (opener in (K.FROM, K.FROM_NOW) or first[0].chain.unit == "clock"):
        joiners = (K.BY,)
    if not line.is_(middle, *joiners):
        return None
    joiner = line.at(middle).kind
    opened = start != index
    second_at = middle + 1 + line.is_(middle + 1, K.TO)
    hourly = first[0].bare is not None or first[0].chain.unit in ("day", "part", "clock")
    second = _end(line, second_at, hourly=hourly, last=True) if line.at(second_at).joined else None
    if second is None or (first[0].bare is not None and second[0].bare is not None and not opened):
        return None  # won 3-2
    after = second[1] + line.is_(second[1], K.BETWIXT)
    closed = after > second[1]
    if joiner is K.AND and not (opener is K.BETWEEN or closed):
        return None
    try:
        left, right, after = _dated_behind(line, first[0], second[0], after, opened=opened)
        left, after = _year_behind(line, left, right, after)
        made = _combine(line, left, right, date, dashed=joiner is K.DASH, dated=line.is_(second_at, *_STARTS_DATE))
    except Refused as refusal:
        if joiner is K.DASH and str(refusal) == BACKWARD:
            return None  # 2024-2023 names two years
        refusal.after = after
        raise
    if made is None:
        return None
    return zoned(line, made, after) if right.chain.has("clock") else (made, after)


_STARTS_DATE = (K.DAY, K.DAY_PART, K.PERIOD, K.DATE, K.WEEKDAY, K.REL, K.MONTH)


def _dated_behind(line: Line, first: End, second: End, after: int, *, opened: bool) -> tuple[End, End, int]:
    """The ends with the date that stands behind their clock times: between 3 and 8 yesterday, 5-6 pm on Friday."""
    clocks = [end.chain.unit == "clock" and end.chain.top is None and end.bare is None for end in (first, second)]
    bare = [
        end.bare is not None and not end.ordinal and not end.chain.fields and end.chain.top is None
        for end in (first, second)
    ]
    place = after + line.is_(after, K.ON, K.COMMA, K.IN)
    place += line.is_(place, K.THE) and line.is_(place + 1, K.PART)
    if (
        not all(c or b for c, b in zip(clocks, bare, strict=True))
        or (all(bare) and not opened)
        or not line.at(place).joined
    ):
        return first, second, after
    found = chain_at(line, place)
    if (
        found is None
        or found[0].unit not in ("day", "part")
        or found[0].has("clock")
        or (all(bare) and found[0].top is None)
    ):
        return first, second, after
    hours = [
        end.chain if c else Chain(fields=(Field("clock", clock=Clock(end.bare or 0)),))
        for end, c in zip((first, second), clocks, strict=True)
    ]
    if all(bare) and (second.bare or 0) <= (first.bare or 0) <= 12 and not found[0].has("part"):
        hours[1] = Chain(fields=(Field("clock", clock=Clock((second.bare or 0) + 12)),))
    made = [add(chain, found[0].top, found[0].fields) for chain in hours]
    if made[0] is None or made[1] is None:
        return first, second, after
    return End(made[0]), End(made[1]), found[1]


def _year_behind(line: Line, first: End, second: End, after: int) -> tuple[End, int]:
    """The first end with the year that stands behind both: May 3-5, 2026."""
    chain = first.chain
    if second.bare is None or chain.top is not None or not chain.has("month"):
        return first, after
    place = after + line.is_(after, K.COMMA, K.OF)
    found = chain_at(line, place) if line.at(place).joined else None
    yearly = found is not None and found[0].top is not None and found[0].unit == "year" and not found[0].fields
    made = add(chain, found[0].top, ()) if found is not None and yearly else None
    return (replace(first, chain=made), found[1]) if made is not None and found is not None else (first, after)


def _end(line: Line, index: int, *, hourly: bool = False, last: bool = False) -> tuple[End, int] | None:
    if line.at(index).kind is K.NOW:
        return End(now=True), index + 1
    found = chain_at(line, index, dated=hourly, article=True)
    if found is not None:
        chain, after = found
        tail = line.at(after)
        if (
            tail.kind is K.NUM
            and tail.joined
            and line.is_(after + 1, K.TO, K.DASH)
            and chain.unit in ("year", "month", "day", "part")
        ):
            return End(chain, int_of(tail)), after + 1
        return End(chain), after
    start = index + (line.at(index).kind is K.THE)
    if (nth := ordinal(line, start)) is not None:
        after = nth[1] + 1 if line.is_(nth[1], K.UNIT) and line.at(nth[1]).value == "day" else nth[1]
        return End(bare=nth[0], ordinal=True), after
    count = number(line, index)
    around = line.text[max(0, line.at(index).start - 1) : line.at(index).start] if line.at(index).start > 0 else ""
    apart = around not in ("/", ".", ":", "+", "_") and (last or around != "-")
    if count is not None and apart and _lone(line, count[1], last=last):
        return End(bare=count[0]), count[1]
    return None


def _lone(line: Line, after: int, *, last: bool) -> bool:
    """Whether a number before a token is no part of a longer one; a dash may follow the first end of a range."""
    end = line.at(after - 1).end
    rest = line.text[end : end + 2].lstrip(" ")[:1]
    return rest not in ("/", ".", ":", "%", "_", "°", "℃", "℉") and not (
        last and rest == "-" and line.text[end + 1 : end + 2].isdigit()
    )


def _with_bare(end: End, other: End) -> Chain | None:
    """The chain of an end whose number takes the meaning of the other end's finest field."""
    if end.bare is None:
        return end.chain
    if not other.chain.fields:
        return None
    finest = other.chain.fields[-1]
    if finest.kind not in ("month", "day", "clock") or (end.ordinal and finest.kind != "day"):
        return None
    if finest.kind == "clock":
        meant = Field("clock", clock=Clock(end.bare))
    else:
        meant = Field(finest.kind, end.bare)
    limit = {"month": 12, "day": 31, "clock": 24}[finest.kind]
    return add(end.chain, None, (meant,)) if 0 <= end.bare <= limit else None


def _combine(line: Line, first: End, second: End, date: Chain, *, dashed: bool, dated: bool) -> Period | None:
    if first.now or second.now:
        return _with_now(line, first, second)
    left, right = _with_bare(first, second), _with_bare(second, first)
    if date.top is not None or date.fields:
        left, right = _hours(first, second) or (left, right)
    elif first.bare is not None and second.bare is not None:
        return None
    if left is None or right is None:
        return None
    if dashed and left.has("weekday") != right.has("weekday") and not right.has("clock"):
        return None
    if date.top is not None or date.fields:
        if not (left.has("clock") and right.has("clock")) or left.top or right.top:
            return None
        left, right = inherit(left, date), inherit(right, date)
    clocked = right.has("clock")
    if dashed and clocked != left.has("clock"):
        return None
    if not clocked and (left.unit not in _DATES or right.unit not in _DATES) and not left.has("clock"):
        return None
    left, right = _meridiem(left, right)
    # `2 pm till tomorrow 4 pm` begins today: the date stands before the clock of the end alone.
    own = clocked and dated and left.unit == "clock"
    a, b = left if own else inherit(left, right), inherit(right, left)
    begin, end = _boundary(a, line), _boundary(b, line)
    begin, end = _ordered(begin, end, (left, right), (a, b), line)
    width = max(one.width or one.until - one.begin for one in (begin, end))
    until = end.begin if clocked else end.until
    return replace(begin, until=until, unit="stretch", width=width, explicit=begin.explicit and end.explicit,
                   dayless=begin.dayless and end.dayless)  # fmt: skip


def _hours(first: End, second: End) -> tuple[Chain, Chain] | None:
    """Two lone numbers behind a date and `from`: Monday from 10 to 4 ends in the afternoon."""
    if first.bare is None or second.bare is None or first.ordinal or second.ordinal:
        return None
    if first.chain.fields or second.chain.fields or not (0 <= first.bare <= 24 and 0 <= second.bare <= 24):
        return None
    later = second.bare + 12 * (second.bare <= first.bare <= 12)
    return Chain(fields=(Field("clock", clock=Clock(first.bare)),)), Chain(fields=(Field("clock", clock=Clock(later)),))


def _boundary(chain: Chain, line: Line) -> Period:
    """The period of an end; the point itself for the start, middle or end of something."""
    edge = next((one.word for one in chain.fields if one.kind == "edge"), "")
    if edge not in ("start", "middle", "end"):
        return resolve(chain, line)
    rest = replace(chain, fields=tuple(one for one in chain.fields if one.kind != "edge"))
    return p.boundary_of(resolve(rest, line), edge)


def _with_now(line: Line, first: End, second: End) -> Period | None:
    if first.now and second.now:
        return None
    end = second if first.now else first
    if end.bare is not None:
        return None
    period = resolve(end.chain, line)
    width = period.width or period.until - period.begin
    if first.now:
        return replace(period, begin=line.instant, unit="stretch", width=width, dayless=False)
    return replace(period, until=line.instant, unit="stretch", width=width, dayless=False)


def _clock(chain: Chain) -> Clock | None:
    return chain.fields[-1].clock if chain.fields and chain.fields[-1].kind == "clock" else None


def _set_half(chain: Chain, half: str) -> Chain:
    last = chain.fields[-1]
    return replace(chain, fields=(*chain.fields[:-1], replace(last, clock=replace(last.clock or Clock(0), half=half))))


def _meridiem(left: Chain, right: Chain) -> tuple[Chain, Chain]:
    """`2 to 4 pm` is 2 pm; `11 to 2 pm` is 11 am; `8 am - 3` is 3 pm."""
    a, b = _clock(left), _clock(right)
    if a is None or b is None or left.has("part") or right.has("part"):
        return left, right
    if b.half is not None and a.half is None and 1 <= a.hour <= 12:
        sooner = (a.hour % 12, a.minute or 0) <= (b.hour % 12, b.minute or 0)
        return _set_half(left, b.half if sooner else "am" if b.half == "pm" else "pm"), right
    if a.half is not None and b.half is None and 1 <= b.hour <= 12:
        later = (b.hour % 12, b.minute or 0) > (a.hour % 12, a.minute or 0)
        return left, _set_half(right, a.half if later else "pm" if a.half == "am" else "am")
    return left, right


def _ordered(
    begin: Period, end: Period, written: tuple[Chain, Chain], used: tuple[Chain, Chain], line: Line
) -> tuple[Period, Period]:
    """Moves the end whose year, month or day was not written, so that the range runs forward."""
    if begin.begin < end.begin or (begin.begin == end.begin and begin.until <= end.until):
        return begin, end
    left, right = written
    if left.top is None and right.top is not None and right.top.unit == "year" and used[0].top is not None:
        return p.moved(begin, "year", -1), end
    if left.top is None and left.fields and left.fields[0].kind == "day" and used[0].has("month"):
        return p.moved(begin, "month", -1), end
    if right.top is None and right.fields:
        units = {
            "month": "year",
            "holiday": "year",
            "quarter": "year",
            "day": "month",
            "weekday": "week",
            "clock": "day",
            "part": "day",
        }
        unit = units.get(right.fields[0].kind)
        moved = p.moved(end, unit, 1) if unit else end
        if unit and begin.begin < moved.begin:
            return begin, moved
    raise Refused(BACKWARD)
