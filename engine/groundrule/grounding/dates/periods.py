"""Local calendar periods and their arithmetic. No zone in here: a naive datetime is a reading of the wall clock.

Only the ends of counted times (3 hours ago) are aware: they are instants, whatever the clocks did in between.

Weeks begin on Monday and belong to the year or month of their Thursday (ISO 8601).
"""

from __future__ import annotations

import calendar
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

DAY = timedelta(days=1)
OPEN_BEGIN = datetime.min
"""Begin of a range that has none, such as `before 2018`."""
OPEN_END = datetime.max
"""End of a range that has none, such as `2018 or later`."""

_MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}
_SPANS = {
    "second": timedelta(seconds=1), "minute": timedelta(minutes=1), "hour": timedelta(hours=1), "day": DAY,
    "week": 7 * DAY, "fortnight": 14 * DAY, "weekend": 7 * DAY,
}  # fmt: skip
WIDTH = _SPANS | {unit: timedelta(days=round(months * 30.436875)) for unit, months in _MONTHS.items()}
"""About how long a unit lasts."""
RANK = {"second": 0, "minute": 1, "hour": 2, "part": 3, "day": 4, "weekend": 5, "week": 5, "fortnight": 6, "month": 7,
        "quarter": 8, "half": 9, "year": 10, "decade": 11, "century": 12}  # fmt: skip
"""Units by length."""

PARTS = {
    "small hours": (0, 6), "morning": (8, 12), "noon": (11, 14), "afternoon": (12, 18), "evening": (18, 24),
    "night": (20, 24), "daytime": (8, 18),
}  # fmt: skip
"""Hours of the parts of a day: a convention of this grammar."""


OUT_OF_RANGE = "outside the years 1 to 9999"


class Refused(Exception):
    """The expression states a time that does not exist or that cannot be known. The message is the reason.

    after: index of the token behind the refused expression, where that is known.
    """

    after: int | None = None


@dataclass(frozen=True)
class Period:
    """A stretch of local time, `until` not included.

    unit: the calendar unit that it is, which decides what may narrow it. explicit: it does not depend on the
    reference time. width: how exactly it was stated; None for its own length. minutes: offset from UTC if one
    was stated. dayless: a clock time or part of a day whose day is not named.
    """

    begin: datetime
    until: datetime
    unit: str
    explicit: bool = False
    width: timedelta | None = None
    minutes: int | None = None
    dayless: bool = False


def shift(at: datetime, unit: str, count: int) -> datetime:
    """`at` moved by whole units; a day that the target month lacks becomes its last. Raises Refused out of range."""
    try:
        if unit in _SPANS:
            return at + count * _SPANS[unit]
        months = at.year * 12 + at.month - 1 + count * _MONTHS[unit]
        year, month = divmod(months, 12)
        day = min(at.day, calendar.monthrange(year, month + 1)[1])
        return at.replace(year=year, month=month + 1, day=day)
    except (OverflowError, ValueError, calendar.IllegalMonthError):
        raise Refused(OUT_OF_RANGE) from None


def midnight(at: datetime) -> datetime:
    """Begin of the day of `at`."""
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def start_of(at: datetime, unit: str) -> datetime:
    """Begin of the calendar unit that contains `at`."""
    day = midnight(at)
    if unit == "week":
        return shift(day, "day", -day.weekday())
    if unit == "weekend":
        return shift(day, "day", 5 - day.weekday())
    if unit in _MONTHS:
        size = _MONTHS[unit]
        if size <= 12:
            return day.replace(day=1, month=(day.month - 1) // size * size + 1)
        years = size // 12
        return day.replace(day=1, month=1, year=max(1, day.year // years * years))
    return day


def period(unit: str, at: datetime, offset: int = 0, *, explicit: bool = False) -> Period:
    """The calendar unit that contains `at`, or the one `offset` units later. Raises Refused out of range."""
    begin = shift(start_of(at, unit), unit, offset)
    return Period(begin, shift(begin, "day", 2) if unit == "weekend" else shift(begin, unit, 1), unit, explicit)


def year(number: int, *, explicit: bool = True) -> Period:
    """A calendar year. Raises Refused outside the years 1 to 9998."""
    if not 1 <= number <= 9998:
        raise Refused("no such year")
    return period("year", datetime(number, 1, 1), explicit=explicit)


def century(number: int) -> Period:
    """The nth century, by its hundreds: the 19th is 1800 to 1899, the first begins in the year 1."""
    begin = datetime(max(1, (number - 1) * 100), 1, 1)
    return Period(begin, datetime(number * 100, 1, 1), "century", explicit=True)


def date(numbers: tuple[int, int, int]) -> Period:
    """A day by year, month, day. Raises Refused if the calendar has no such day."""
    try:
        return period("day", datetime(*numbers), explicit=True)
    except ValueError:
        raise Refused("no such date") from None


def moved(period: Period, unit: str, count: int) -> Period:
    """The period moved by whole units. Raises Refused out of range."""
    return replace(period, begin=shift(period.begin, unit, count), until=shift(period.until, unit, count))


def inside(whole: Period, begin: datetime, until: datetime, unit: str, width: timedelta | None = None) -> Period:
    """A part of `whole` that keeps how explicit it is."""
    return replace(whole, begin=begin, until=until, unit=unit, width=width)


def month_of(whole: Period, number: int) -> Period:
    """The month of a year. Raises Refused for a number outside 1 to 12."""
    if not 1 <= number <= 12:
        raise Refused("no such month")
    begin = whole.begin.replace(month=number)
    return inside(whole, begin, shift(begin, "month", 1), "month")


def day_of(whole: Period, number: int) -> Period:
    """The day of a month. Raises Refused if the month is shorter."""
    begin = whole.begin + (number - 1) * DAY if 1 <= number <= 31 else None
    if begin is None or begin >= whole.until:
        raise Refused("no such date")
    return inside(whole, begin, begin + DAY, "day")


def half_of(whole: Period, number: int) -> Period:
    """The first or second half of a year, month (1–15, 16–end) or week (Monday–Wednesday, Thursday–Sunday)."""
    middle = {
        "year": shift(whole.begin, "month", 6),
        "month": whole.begin + 15 * DAY,
        "week": whole.begin + 3 * DAY,
    }
    cut = middle[whole.unit]
    unit = "half" if whole.unit == "year" else "days"
    return inside(whole, whole.begin, cut, unit) if number == 1 else inside(whole, cut, whole.until, unit)


def quarter_of(whole: Period, number: int) -> Period:
    """A quarter of a year. Raises Refused for a number outside 1 to 4."""
    if not 1 <= number <= 4:
        raise Refused("no such quarter")
    begin = shift(whole.begin, "quarter", number - 1)
    return inside(whole, begin, shift(begin, "quarter", 1), "quarter")


def third_of(whole: Period, number: int) -> Period:
    """上旬, 中旬, 下旬: the days 1–10, 11–20, 21–end of a month."""
    begin = whole.begin + number * 10 * DAY
    return inside(whole, begin, whole.until if number == 2 else begin + 10 * DAY, "days")


def edge_of(whole: Period, edge: str) -> Period:
    """Early (start), mid (middle) or late (end) in a period, as a convention.

    Year: the first two, the sixth and seventh, the last two months; quarter and half: the first, second, last month;
    month: the days 1–5, 11–20, 25–end; week: its first two, middle three, last two days; day: its halves; the start, middle
    and end of a day are a second.
    """
    begin, until = whole.begin, whole.until
    if whole.unit in ("year", "quarter", "half"):
        early, mid, late = (2, (5, 7), 2) if whole.unit == "year" else (1, (1, 2), 1)
        cuts = {"early": (begin, shift(begin, "month", early)),
                "mid": (shift(begin, "month", mid[0]), shift(begin, "month", mid[1])),
                "late": (shift(until, "month", -late), until)}  # fmt: skip
    elif whole.unit == "month":
        cuts = {"early": (begin, begin + 5 * DAY), "mid": (begin + 10 * DAY, begin + 20 * DAY),
                "late": (begin + 24 * DAY, until)}  # fmt: skip
    elif whole.unit == "day" and edge in ("early", "late"):
        cuts = {"early": (begin, begin + DAY / 2), "late": (begin + DAY / 2, until)}
    elif whole.unit == "day":
        second = timedelta(seconds=1)
        cuts = {"early": (begin, begin + second), "mid": (begin + DAY / 2, begin + DAY / 2 + second),
                "late": (until - second, until)}  # fmt: skip
    elif whole.unit in ("decade", "century"):
        years = 3 if whole.unit == "decade" else 30
        cuts = {"early": (begin, shift(begin, "year", years)),
                "mid": (shift(begin, "year", years), shift(until, "year", -years)),
                "late": (shift(until, "year", -years), until)}  # fmt: skip
    else:
        cuts = {
            "early": (begin, begin + 2 * DAY),
            "mid": (begin + 2 * DAY, begin + 5 * DAY),
            "late": (until - 2 * DAY, until),
        }
    name = {"start": "early", "middle": "mid", "end": "late"}.get(edge, edge)
    return inside(whole, *cuts[name], "days")


def boundary_of(whole: Period, edge: str) -> Period:
    """The start, middle or end of a period as a point, which is what bounds a range: from the end of March."""
    half = whole.begin + (whole.until - whole.begin) // (2 * DAY) * DAY
    at = {"start": whole.begin, "middle": half, "end": whole.until}[edge]
    return inside(whole, at, at, "days", width=DAY)


def week_of(whole: Period, number: int) -> Period:
    """Week `number` of a year, quarter or month, by ISO 8601; -1 is the last. Raises Refused if there is none."""
    first = start_of(whole.begin + (4 * DAY if whole.begin.weekday() > 3 else timedelta(0)), "week")
    # The last week is the one of the last Thursday inside.
    last = start_of(whole.until - 4 * DAY, "week")
    begin = last if number == -1 else shift(first, "week", number - 1)
    if number == 0 or number < -1 or begin > last:
        raise Refused("no such week")
    return inside(whole, begin, begin + 7 * DAY, "week")


def weekday_of(whole: Period, weekday: int) -> Period:
    """The weekday (0 is Monday) of a week."""
    begin = whole.begin + weekday * DAY
    return inside(whole, begin, begin + DAY, "day")


def nth_weekday(whole: Period, nth: int, weekday: int) -> Period:
    """The nth Monday … of a month, quarter or year; -1 is the last. Raises Refused if there is none."""
    if nth == -1:
        begin = whole.until - (1 + (whole.until - DAY - weekday * DAY).weekday()) * DAY
    else:
        begin = whole.begin + ((weekday - whole.begin.weekday()) % 7 + 7 * (nth - 1)) * DAY
    if not whole.begin <= begin < whole.until:
        raise Refused("no such date")
    return inside(whole, begin, begin + DAY, "day")


def first_of(whole: Period, count: int, unit: str) -> Period:
    """The first `count` units of a period; the last ones if negative. Raises Refused if it has not so many."""
    if unit == "week":
        weeks = [week_of(whole, 1), week_of(whole, -1)]
        begin = weeks[0].begin if count > 0 else shift(weeks[1].until, "week", count)
        until = shift(begin, "week", abs(count))
    elif count > 0:
        begin, until = whole.begin, shift(whole.begin, unit, count)
    else:
        begin, until = shift(whole.until, unit, count), whole.until
    if begin < whole.begin - 4 * DAY or until > whole.until + 4 * DAY or count == 0:
        raise Refused("longer than the whole")
    return inside(whole, begin, until, unit if abs(count) == 1 else "days", width=WIDTH[unit])


def part_of(whole: Period, part: str, half: int = 0) -> Period:
    """Morning, evening … of a day; half 1 is early, half 2 late in it."""
    first, last = PARTS[part]
    middle = (first + last) // 2
    first, last = (middle if half == 2 else first), (middle if half == 1 else last)
    return inside(whole, whole.begin + first * timedelta(hours=1), whole.begin + last * timedelta(hours=1), "part")


def holiday_of(whole: Period, name: str) -> Period:
    """A holiday of a year: `MM-DD`, `easter` (Western; `easter-2` two days before it) or `thanksgiving` (fourth Thursday of November)."""
    if name == "thanksgiving":
        return nth_weekday(month_of(whole, 11), 4, 3)
    if name.startswith("easter"):
        month, day = _easter(whole.begin.year)
        return moved(day_of(month_of(whole, month), day), "day", int(name[6:] or 0))
    return day_of(month_of(whole, int(name[:2])), int(name[3:]))


def _easter(year: int) -> tuple[int, int]:
    """Month and day of Western Easter, by the rule of the Gregorian church calendar (golden number and epact)."""
    golden, century = year % 19 + 1, year // 100 + 1
    skipped, moon = 3 * century // 4 - 12, (8 * century + 5) // 25 - 5
    sunday = 5 * year // 4 - skipped - 10
    epact = (11 * golden + 20 + moon - skipped) % 30
    epact += (epact == 25 and golden > 11) or epact == 24
    full = 44 - epact
    full += 30 if full < 21 else 0
    full += 7 - (sunday + full) % 7
    return (3, full) if full <= 31 else (4, full - 31)
