"""Scalars of rule files to values: YAML 1.2 core, and the durations and timestamps of params."""

from __future__ import annotations

import math
import re
from datetime import datetime, timedelta
from typing import Any

from .declare import Undecided
from .functions import duration_of_string, timestamp_of_string
from .parse import Scalar
from .types import BOOL, DOUBLE, DURATION, INT, STRING, TIMESTAMP, Type

_INT = re.compile(r"[-+]?[0-9]+|0x[0-9a-fA-F]+|0o[0-7]+", re.ASCII)
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
_MAX_DIGITS = 100
"""Of an int as written, zeros in front included; Python refuses to read some thousands."""
_SPECIAL = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", re.ASCII)
_DURATION = re.compile(r"-?([0-9]+(\.[0-9]+)?(us|ms|s|m|h|d|w))+", re.ASCII)
_ALMOST = re.compile(r"-?([0-9.]+ ?[A-Za-z]+ ?)+", re.ASCII)
_UNITS = ("microseconds", "milliseconds", "seconds", "minutes", "hours", "days", "weeks", "months", "years")
_SHORT = {"mm", "mins", "secs", "hr", "hrs", "hh", "ss", "dd", "ww", "wk", "wks", "yr", "yrs"}
_INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9:.,]+([Zz]|[+-][0-9:]+)?", re.ASCII)


def value_of(scalar: Scalar) -> tuple[Any, Type]:
    """The value and type of a scalar; quoted ones are text. Raises Undecided with the reason if it has none."""
    text = scalar.text
    if not scalar.plain:
        return text, STRING
    if text in ("true", "True", "TRUE", "false", "False", "FALSE"):
        return text.lower() == "true", BOOL
    if text in ("", "~", "null", "Null", "NULL"):
        raise Undecided("null is no value; leave the key out")
    if _INT.fullmatch(text):
        if len(text) > _MAX_DIGITS:
            raise Undecided("an int beyond 64 bits")
        number = int(text, 0) if text[:2] in ("0x", "0o") else int(text)
        if not -(2**63) <= number < 2**63:
            raise Undecided("an int beyond 64 bits")
        return number, INT
    if _FLOAT.fullmatch(text):
        if not math.isfinite(float(text)):
            raise Undecided("a number that is not finite")
        return float(text), DOUBLE
    if _SPECIAL.fullmatch(text):
        raise Undecided("a number that is not finite")
    if _DURATION.fullmatch(text):
        return duration_of_string(text), DURATION
    if _INSTANT.fullmatch(text):
        return timestamp_of_string(text), TIMESTAMP
    return text, STRING


def unknown_unit(scalar: Scalar) -> str:
    """The unit that a scalar has wrong, if it is a number with a word for a time behind it, such as `30mm` or `2 hours`."""
    if not scalar.plain or not _ALMOST.fullmatch(scalar.text):
        return ""
    units: list[str] = re.findall("[A-Za-z]+", scalar.text)
    meant = all(unit.lower() in _SHORT or any(word.startswith(unit.lower()) for word in _UNITS) for unit in units)
    wrong = (unit for unit in units if unit not in ("us", "ms", "s", "m", "h", "d", "w"))
    return next(wrong, "") if meant else ""


def instant_of(scalar: Scalar) -> datetime | None:
    """The timestamp that a scalar writes, or None."""
    try:
        return timestamp_of_string(scalar.text)
    except Undecided:
        return None


def duration_of(scalar: Scalar) -> timedelta | None:
    """The duration that a scalar writes, or None."""
    if not _DURATION.fullmatch(scalar.text):
        return None
    try:
        return duration_of_string(scalar.text)
    except Undecided:
        return None
