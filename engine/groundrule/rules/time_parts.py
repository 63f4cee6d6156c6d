"""The functions on the parts of times: what a calendar and a clock show of an instant in a zone, and of a duration."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from .declare import Undecided, declare
from .functions import MICROSECOND, SECOND
from .types import DURATION, INT, STRING, TIMESTAMP


@lru_cache(maxsize=256)
def zone_of(name: str) -> ZoneInfo | timedelta:
    """An IANA zone, or a fixed offset such as `+08:00`; undecided for anything else."""
    offset = re.fullmatch(r"([+-]?)([01][0-9]|2[0-3]):([0-5][0-9])", name)
    if offset:
        away = timedelta(hours=int(offset[2]), minutes=int(offset[3]))
        return -away if offset[1] == "-" else away
    if name in ("localtime", "posixrules") or name.startswith(("posix/", "right/")):
        # Files beside the zones of some machines: the machine's own zone, and zones with leap seconds.
        raise Undecided("an unknown time zone")
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Undecided("an unknown time zone") from None


def at_zone(value: datetime, zone: str) -> datetime:
    """The wall clock of a zone at an instant."""
    place = zone_of(zone)
    try:
        return value + place if isinstance(place, timedelta) else value.astimezone(place)
    except OverflowError:
        raise Undecided("an instant outside the years 1 to 9999") from None


_PARTS = {
    "getFullYear": ("Year.", lambda t: t.year),
    "getMonth": ("Month, January is 0.", lambda t: t.month - 1),
    "getDate": ("Day of the month, from 1.", lambda t: t.day),
    "getDayOfMonth": ("Day of the month, from 0.", lambda t: t.day - 1),
    "getDayOfWeek": ("Day of the week, Sunday is 0.", lambda t: t.isoweekday() % 7),
    "getDayOfYear": ("Day of the year, from 0.", lambda t: t.timetuple().tm_yday - 1),
    "getHours": ("Hour.", lambda t: t.hour),
    "getMinutes": ("Minute.", lambda t: t.minute),
    "getSeconds": ("Second.", lambda t: t.second),
    "getMilliseconds": ("Millisecond within the second.", lambda t: t.microsecond // 1_000),
}


def _time_part(name: str, doc: str, part: Any) -> None:
    @declare(name, TIMESTAMP, to=INT, doc=doc + " In UTC.", method=True)
    def of_instant(value: datetime) -> int:
        return int(part(value))

    @declare(name, TIMESTAMP, STRING, to=INT, doc=doc + " In a time zone.", method=True)
    def of_instant_in(value: datetime, zone: str) -> int:
        return int(part(at_zone(value, zone)))


for _name, (_doc, _part) in _PARTS.items():
    _time_part(_name, _doc, _part)


def _duration_part(name: str, unit: timedelta, doc: str) -> None:
    @declare(name, DURATION, to=INT, doc=doc, method=True)
    def of_duration(value: timedelta) -> int:
        return int(abs(value) // unit) * (-1 if value < timedelta(0) else 1)


_duration_part("getHours", timedelta(hours=1), "Whole hours of the duration.")
_duration_part("getMinutes", timedelta(minutes=1), "Whole minutes of the duration.")
_duration_part("getSeconds", SECOND, "Whole seconds of the duration.")


@declare(
    "getMilliseconds",
    DURATION,
    to=INT,
    doc="Milliseconds of the duration within its last second.",
    method=True,
)
def milliseconds(value: timedelta) -> int:
    micros = value // MICROSECOND
    return (abs(micros) % 1_000_000 // 1_000) * (-1 if micros < 0 else 1)


@declare("start_of_day", TIMESTAMP, STRING, to=TIMESTAMP, doc="The first instant of the day in a time zone.",
         examples=("start_of_day(timestamp('2026-04-15T08:00:00Z'), 'Asia/Shanghai') "
                   "== timestamp('2026-04-14T16:00:00Z')",))  # fmt: skip
def start_of_day(value: datetime, zone: str) -> datetime:
    local = at_zone(value, zone)
    try:
        if isinstance(zone_of(zone), timedelta):
            return value - timedelta(
                hours=local.hour, minutes=local.minute, seconds=local.second, microseconds=local.microsecond
            )
        midnight = local.replace(hour=0, minute=0, second=0, microsecond=0, fold=0).astimezone(UTC)
        # Where the clock jumps over midnight, the day begins at the jump: the first instant that has its date.
        while midnight.astimezone(local.tzinfo).date() < local.date():
            midnight += timedelta(minutes=15)
        return midnight
    except OverflowError:
        raise Undecided("an instant outside the years 1 to 9999") from None
