"""The days that a question asks about, and which sentences of a forecast are about which day."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from groundrule.facts import Window
from groundrule.grounding.times import TimeSpan

MAX_DAYS = 16
"""No forecast that is worth quoting goes further."""

_WEATHER = re.compile(
    r"[晴雨雪云阴雾霾风冷热]|气温|温度|湿度|空气质量|紫外线|[℃°]|\d\s*[度级]"
    r"|\b(?:sunny|clear|cloudy?|overcast|rain(?:y|fall)?|showers?|snow|fog|storms?|winds?|temperatures?|highs?|lows?"
    r"|degrees|humidity|air quality|aqi|uv|hot|cold|warm|cool|dry)\b|PM2\.5",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    r"(?:周|星期|礼拜)[一二三四五六日天]|(?:mon|tues|wednes|thurs|fri|satur|sun)day", re.IGNORECASE
)
_LONGEST_DAY = timedelta(hours=36)


def asked_days(window: Window, zone: str) -> tuple[date, ...]:
    """The local days that a window touches, at most MAX_DAYS; none for a window that is open at an end."""
    if window.from_ is None or window.to is None or window.to <= window.from_:
        return ()
    place = ZoneInfo(zone)
    first = window.from_.astimezone(place).date()
    last = (window.to - timedelta(microseconds=1)).astimezone(place).date()
    return tuple(first + timedelta(days=n) for n in range(min((last - first).days + 1, MAX_DAYS)))


def days_there(days: Sequence[date], asked_at: datetime, begins: Sequence[datetime], zone: str) -> tuple[date, ...]:
    """The days from today on as the place of a forecast counts them: the next 5 days are 5 of its rows in every zone.

    begins: when the forecasts begin, each at midnight of its place. Where they disagree the days stay the user's.
    """
    steps = {
        (asked_at.astimezone(timezone(_offset(begin))).date() - asked_at.astimezone(ZoneInfo(zone)).date()).days
        for begin in begins
    }
    return tuple(day + timedelta(days=step) for day in days for step in (steps if len(steps) == 1 else {0}))


def _offset(midnight: datetime) -> timedelta:
    """How far from UTC it is midnight then; of two answers the one nearer to most people: UTC+13, not UTC-11."""
    past = midnight.astimezone(UTC) - midnight.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return timedelta(days=1) - past if past >= timedelta(hours=11) else -past


def says_weather(text: str) -> bool:
    """Whether a sentence says what the weather is: no heading does, nor the time at which a forecast was issued."""
    return _WEATHER.search(text) is not None


def forecast(
    found: Sequence[tuple[int, str, tuple[TimeSpan, ...]]], days: Sequence[date], zone: str
) -> list[int]:
    """Positions of one sentence for each day that is covered, in order of the days.

    found: item, text and times of each sentence. The item that covers most days gives its sentences; of days that
    it lacks, the next item's are taken.
    """
    by_item: dict[int, dict[date, int]] = {}
    for at, (item, text, times) in enumerate(found):
        if says_weather(text):
            for day in _stated_days(times, zone) & set(days):
                by_item.setdefault(item, {}).setdefault(day, at)
    chosen: dict[date, int] = {}
    for item in sorted(by_item, key=lambda item: (-len(by_item[item]), item)):
        for day, at in by_item[item].items():
            chosen.setdefault(day, at)
    return list(dict.fromkeys(chosen[day] for day in sorted(chosen)))


def _stated_days(times: Sequence[TimeSpan], zone: str) -> set[date]:
    """The days that a sentence states. A weekday beside a date only repeats it: `11月30日（周一）`."""
    single = [span for span in times if _is_a_day(span)]
    dates = [span for span in single if not _WEEKDAY.fullmatch(span.text)]
    place = ZoneInfo(zone)
    return {(span.begin + (span.until - span.begin) / 2).astimezone(place).date() for span in dates or single}


def _is_a_day(span: TimeSpan) -> bool:
    return span.until - span.begin <= _LONGEST_DAY and 1 < span.begin.year < 9999
