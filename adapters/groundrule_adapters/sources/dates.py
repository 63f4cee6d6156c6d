"""Dates as servers and pages state them: the oldest instant that a text can mean, and how wide it is.

Only layouts that leave no choice are read: RFC 3339, ISO 8601 calendar dates (also a month alone), and the layouts
that a mapping declares. A bare year, a number or a word is no date.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

_ISO = re.compile(
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})"
    r"(?:-(?P<day>[0-9]{2})"
    r"(?:[Tt ](?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:\.(?P<fraction>[0-9]{1,9}))?)?"
    r" ?(?P<zone>[Zz]|[+-][0-9]{2}:?[0-9]{2})?)?)?",
    re.ASCII,
)
_EARLIEST, _LATEST = timedelta(hours=14), timedelta(hours=-12)
"""Offsets of the zones in which a day begins first and last; between them lies every reading of a time without one."""
_LAST = datetime.max.replace(tzinfo=UTC)
_DIRECTIVES = (("%f", timedelta(microseconds=1)), ("%S", timedelta(seconds=1)), ("%M", timedelta(minutes=1)))
_HOURS = ("%H", "%I")


@dataclass(frozen=True)
class Stated:
    """A date as stated. start: the oldest instant that it can mean, in UTC. width: how far it reaches from there."""

    start: datetime
    width: timedelta

    @property
    def end(self) -> datetime:
        """The instant at which every reading of it is over; the last one of the calendar for what goes beyond it."""
        return self.start + min(self.width, _LAST - self.start)


def read_date(text: str, zone: str | None = None, layouts: tuple[str, ...] = ()) -> Stated | None:
    """The date that a text states, or None if it states none without doubt.

    zone: the IANA zone of a text that names none. layouts: further ones, in the notation of strptime.
    """
    text = text.strip()
    match = _ISO.fullmatch(text)
    try:
        if match is not None:
            return _iso(match, zone)
        for layout in layouts:
            found = _by_layout(text, layout, zone)
            if found is not None:
                return found
    except (ValueError, OverflowError):
        return None  # no such day, or beyond the calendar
    return None


def _iso(match: re.Match[str], zone: str | None) -> Stated:
    year, month = int(match["year"]), int(match["month"])
    if match["day"] is None:
        following = datetime(year + month // 12, month % 12 + 1, 1)
        return _placed(datetime(year, month, 1), following - datetime(year, month, 1), None, zone)
    day = datetime(year, month, int(match["day"]))
    if match["hour"] is None:
        return _placed(day, timedelta(days=1), None, zone)
    moment = day.replace(hour=int(match["hour"]), minute=int(match["minute"]), second=int(match["second"] or 0))
    width = timedelta(minutes=1) if match["second"] is None else timedelta(seconds=1)
    if match["fraction"] is not None:
        moment = moment.replace(microsecond=int(match["fraction"].ljust(6, "0")[:6]))
        width = timedelta(microseconds=10 ** max(0, 6 - len(match["fraction"])))
    return _placed(moment, width, _offset(match["zone"]), zone)


def _by_layout(text: str, layout: str, zone: str | None) -> Stated | None:
    try:
        moment = datetime.strptime(text, layout)
    except ValueError:
        return None
    if not any(hour in layout for hour in _HOURS):
        width = timedelta(days=1)
    else:
        width = next((width for part, width in _DIRECTIVES if part in layout), timedelta(hours=1))
    return _placed(moment.replace(tzinfo=None), width, moment.tzinfo, zone)


def _placed(moment: datetime, width: timedelta, offset: object, zone: str | None) -> Stated:
    """A wall time at its offset, else in the declared zone, else anywhere on earth."""
    if isinstance(offset, timezone):
        return Stated(moment.replace(tzinfo=offset).astimezone(UTC), width)
    if zone is not None:
        start = moment.replace(tzinfo=ZoneInfo(zone))
        end = (moment + width).replace(tzinfo=ZoneInfo(zone), fold=1)
        return Stated(start.astimezone(UTC), end.astimezone(UTC) - start.astimezone(UTC))
    start = moment.replace(tzinfo=timezone(_EARLIEST)).astimezone(UTC)
    return Stated(start, width + (_EARLIEST - _LATEST))


def _offset(text: str | None) -> timezone | None:
    if text is None:
        return None
    if text in "Zz":
        return UTC
    sign = -1 if text[0] == "-" else 1
    return timezone(sign * timedelta(hours=int(text[1:3]), minutes=int(text[-2:])))
