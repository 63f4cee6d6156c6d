"""Canonical JSON (RFC 8785) and the digests made of it."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from datetime import datetime, timedelta
from json.encoder import encode_basestring as _quoted
from typing import Any

from .facts.record import write_duration, write_timestamp

_WORDS = {None: "null", True: "true", False: "false"}


def canonical_json(value: Any) -> str:
    """The one text of a JSON value: keys in order of their UTF-16 units, numbers as ECMAScript writes them.

    Timestamps and durations are written as their text. Raises ValueError for what JSON cannot carry.
    """
    if isinstance(value, str):
        return _quoted(value)
    if value is None or value is True or value is False:
        return _WORDS[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, datetime):
        return f'"{write_timestamp(value)}"'
    if isinstance(value, timedelta):
        return f'"{write_duration(value)}"'
    if isinstance(value, Mapping):
        # Keys in ASCII, which nearly all are, have the same order as text and in UTF-16.
        keys = sorted(value) if all(map(str.isascii, value)) else sorted(value, key=_units)
        return "{" + ",".join([f"{_quoted(key)}:{canonical_json(value[key])}" for key in keys]) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join([canonical_json(item) for item in value]) + "]"
    raise ValueError(f"no JSON value: {type(value).__name__}")


def _units(key: str) -> bytes:
    return key.encode("utf-16-be", "surrogatepass")


def number(value: float) -> str:
    """A double as ECMAScript's Number::toString writes it (ECMA-262, section 6.1.6.1.20)."""
    if not math.isfinite(value):
        raise ValueError("a number that is not finite")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = f"{abs(value)!r}".partition("e")
    whole, _, decimals = mantissa.partition(".")
    digits = (whole + decimals).lstrip("0")
    # Where the decimal point stands, counted from the first significant digit.
    point = len(whole) + int(exponent or 0) - (len(whole + decimals) - len(digits))
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    power = f"e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return f"{sign}{digits[0]}{'.' + digits[1:] if count > 1 else ''}{power}"


def digest(value: Any) -> str:
    """`sha256:` and the hexadecimal digest of the canonical JSON of a value."""
    return digest_of_text(canonical_json(value))


def digest_of_text(text: str) -> str:
    """`sha256:` and the hexadecimal digest of a text in UTF-8."""
    return "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()
