"""Times of day: 下午3点半, 15:30, 3 pm, half past eight. A time of day narrows a day to a second, minute or hour."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from .kinds import K
from .line import Line, approximate, int_of, number, spelled
from .periods import DAY, Period, Refused, inside


@dataclass(frozen=True)
class Clock:
    """A reading of the clock.

    minute, second: None if not stated. half: `am` or `pm` if stated, by word or by number (over 12);
    None if a 12-hour reading is possible and the 24-hour one is taken.
    """

    hour: int
    minute: int | None = None
    second: int | None = None
    half: str | None = None


_BESIDE = frozenset(
    {K.DIAN, K.SHI, K.MERIDIEM, K.OCLOCK, K.DAY, K.DAY_PART, K.REL, K.CLOCK, K.IN, K.UNIT, K.TO, K.PAST}
)
"""What must follow an hour in digits, unless `at` stands before it."""


def clock(line: Line, index: int, *, bare: bool = False, dated: bool = False) -> tuple[Clock, int] | None:
    """A time of day and the index after it.

    bare: a lone number counts, because `at` stands before it. dated: 3点 counts, because a date stands before it.
    """
    token = line.at(index)
    if token.kind is K.NUM and not bare and token.raw.isdigit() and line.at(index + 1).kind not in _BESIDE:
        return None
    if (found := _zh_clock(line, index, bare or dated)) is not None:
        return found
    for reader in (_digital, _en_clock, _spoken):
        if (found := reader(line, index, bare)) is not None:
            return found
    return None


def _meridiem(line: Line, index: int) -> tuple[str | None, int]:
    if line.is_(index, K.MERIDIEM):
        return str(line.at(index).value), index + 1
    return None, index


def _digital(line: Line, index: int, bare: bool) -> tuple[Clock, int] | None:
    token = line.at(index)
    if token.kind is not K.CLOCK or not isinstance(token.value, tuple):
        return None
    numbers = [int(part) for part in token.value]
    half, after = _meridiem(line, index + 1)
    if line.unit(after) in ("hour", "minute", "second"):
        return None  # 2:30 hours
    if numbers[-1] == -1:  # 8.30 is a time only beside am, pm or a word that asks for one
        if half is None and not bare:
            return None
        numbers = numbers[:2]
    if line.is_(after, K.SHI, K.ABOUT) and line.glued(after) and not line.at(after).raw.isascii():
        after += 1
    return Clock(numbers[0], numbers[1], numbers[2] if len(numbers) > 2 else None, half), after


def _zh_clock(line: Line, index: int, bare: bool) -> tuple[Clock, int] | None:
    hour = line.at(index)
    if hour.kind is not K.NUM or not line.is_(index + 1, K.DIAN, K.SHI):
        return None
    if approximate(hour) and bare:
        raise Refused("one of two hours")
    if not 0 <= int_of(hour) <= 30:
        return None
    sure = bare or int_of(line.at(index + 1)) == 1
    minute: int | None = None
    second: int | None = None
    after = index + 2
    if line.is_(after, K.BAN):
        minute, after = 30, after + 1
    elif line.is_(after, K.NUM) and line.is_(after + 1, K.KE) and 1 <= int_of(line.at(after)) <= 3:
        minute, after = 15 * int_of(line.at(after)), after + 2
    elif line.is_(after, K.NUM) and line.is_(after + 1, K.FEN):
        minute, after = int_of(line.at(after)), after + 2
        if line.is_(after, K.NUM) and line.is_(after + 1, K.MIAO):
            second, after = int_of(line.at(after)), after + 2
    elif line.is_(after, K.NUM) and line.at(after).raw[0] in "一二三四五十零" and int_of(line.at(after)) > 9:
        minute, after = int_of(line.at(after)), after + 1
    if line.is_(after, K.ABOUT):
        sure, after = True, after + 1
    if line.is_(after, K.VAGUE) and int_of(line.at(after)) == 1:
        sure, after = True, after + 1
    if not sure and minute is None and not line.alone(index, after):
        return None
    return Clock(int_of(hour), minute, second, None), after


def _en_clock(line: Line, index: int, bare: bool) -> tuple[Clock, int] | None:
    found = number(line, index)
    if found is None or not line.at(index).raw.isascii():
        return None
    hour, after = found
    half, past = _meridiem(line, after)
    if half is not None:
        if line.at(index).raw.isdigit() and len(line.at(index).raw) in (3, 4):
            return Clock(hour // 100, hour % 100, None, half), past
        return (Clock(hour, None, None, half), past) if 1 <= hour <= 24 else None
    if line.is_(after, K.OCLOCK) and 1 <= hour <= 12:
        half, past = _meridiem(line, after + 1)
        return Clock(hour, None, None, half), past
    minutes = number(line, after) if line.at(index).raw.isalpha() and line.at(after).joined else None
    if minutes is None and line.is_(after, K.DASH) and line.glued(after) and line.at(index).raw.isalpha():
        minutes = number(line, after + 1)
    if minutes is not None and 1 <= hour <= 12 and 10 <= minutes[0] <= 59 and line.at(minutes[1] - 1).raw.isalpha():
        half, past = _meridiem(line, minutes[1])
        if half is not None or bare or line.at(index - 1).kind in (K.AT, K.FROM, K.BETWEEN) or _ends_range(line, index):
            return Clock(hour, minutes[0], None, half), past
    asked = line.at(index).joined and line.at(index - 1).kind is K.AT and 1 <= hour <= 24
    if asked and (line.is_(after, K.DAY, K.DAY_PART) or (line.is_(after, K.REL) and line.is_(after + 1, K.PART))):
        return Clock(hour), after
    if hour == 12 and line.is_(after, K.CLOCK) and line.at(after).raw.isalpha():
        return clock(line, after)
    daily = line.is_(after, K.IN) and line.is_(after + 1, K.THE) and line.is_(after + 2, K.PART)
    if daily and 1 <= hour <= 12 and len(line.at(index).raw) <= 6:
        return Clock(hour), after
    if bare and 1 <= hour <= 24 and not line.is_(after, K.UNIT, K.GE, K.MONTH, K.OF):
        return Clock(hour), after
    return None


def _ends_range(line: Line, index: int) -> bool:
    """Whether spelled hours and minutes stand before a `to` or `and`: from two thirty to two forty five."""
    before = line.at(index - 1)
    return before.kind in (K.TO, K.AND) and line.at(index).joined and spelled(line.at(index - 2))


def _spoken(line: Line, index: int, bare: bool) -> tuple[Clock, int] | None:
    """half past eight, quarter to nine, 20 min past eight, 10 past 9."""
    token = line.at(index)
    if token.kind is K.HALF_AN and token.raw.isalpha():
        minutes, after = 30, index + 1
    elif token.kind is K.ARTICLE and line.is_(index + 1, K.UNIT) and line.at(index + 1).value == "quarter":
        minutes, after = 15, index + 2
    elif token.kind is K.UNIT and token.value == "quarter":
        minutes, after = 15, index + 1
    else:
        found = number(line, index)
        if found is None or not token.raw.isascii() or not 1 <= found[0] <= 59:
            return None
        minutes, after = found
        if line.is_(after, K.UNIT) and line.at(after).value == "minute":
            after += 1
    back = line.is_(after, K.TO) and line.at(after).raw.lower() == "to"
    if (
        not (back or (line.is_(after, K.PAST) and line.at(after).raw.lower() == "past"))
        or not line.at(after + 1).joined
    ):
        return None
    hour = number(line, after + 1)
    if hour is None or not 1 <= hour[0] <= 12 or (back and token.kind is K.NUM and line.at(after - 1).kind is K.NUM):
        return None
    end = hour[1] + 1 if line.is_(hour[1], K.OCLOCK) else hour[1]
    half, end = _meridiem(line, end)
    if back:
        return Clock((hour[0] - 2) % 12 + 1, 60 - minutes, None, half), end
    return Clock(hour[0], minutes, None, half), end


def settle(clock: Clock, part: str | None) -> Clock:
    """The clock on 24 hours, by am, pm or the part of the day. Raises Refused if they contradict each other."""
    hour, half = clock.hour, clock.half
    if half is not None:
        if hour > 12:
            if half == "am":
                raise Refused("no such time")
            return clock
        return replace(clock, hour=hour % 12 + (12 if half == "pm" else 0))
    if part in ("afternoon", "evening", "night") and hour <= 12:
        if part == "afternoon" and hour == 12:
            return clock
        late = hour + 12 if hour >= 5 or part == "afternoon" else hour
        return replace(clock, hour=late)
    if part == "noon" and hour < 10:
        return replace(clock, hour=hour + 12)
    if part == "small hours" and hour == 12:
        return replace(clock, hour=0)
    return clock


def clock_of(day: Period, clock: Clock) -> Period:
    """The second, minute or hour of a day. Raises Refused for a reading that no clock shows."""
    hour, minute, second = clock.hour, clock.minute or 0, clock.second or 0
    if hour > 24 or minute > 59 or second > 59 or (hour == 24 and (minute or second)):
        raise Refused("no such time")
    begin = day.begin + timedelta(hours=hour, minutes=minute, seconds=second)
    unit = "second" if clock.second is not None else "minute" if clock.minute is not None else "hour"
    if unit == "hour" and hour == 24:
        return inside(day, day.begin + DAY, day.begin + DAY + timedelta(hours=1), unit)
    widths = {"second": timedelta(seconds=1), "minute": timedelta(minutes=1), "hour": timedelta(hours=1)}
    return inside(day, begin, begin + widths[unit], unit)
