"""The functions on text, conversions and lists: CEL's standard library on our types, and our own (RULES section 9)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any

from ..facts.record import RFC3339, write_duration
from .declare import K, T, Undecided, V, declare
from .operators import finite, lasting, present, same, whole
from .types import BOOL, DOUBLE, DURATION, INT, JSON, STRING, TIMESTAMP, Type, list_of, map_of

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)
MICROSECOND = timedelta(microseconds=1)
NUMERAL = re.compile(r"[+-]?[0-9]+", re.ASCII)
DECIMAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)
DURATION_PART = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h|d|w)", re.ASCII)
UNITS = {
    "ns": 1, "us": 1_000, "µs": 1_000, "μs": 1_000, "ms": 1_000_000, "s": 10**9,
    "m": 60 * 10**9, "h": 3_600 * 10**9, "d": 86_400 * 10**9, "w": 7 * 86_400 * 10**9,
}  # fmt: skip
"""Nanoseconds of each unit of `duration()`; d and w are ours."""


# Sizes and text


@declare("size", STRING, to=INT, doc="Number of code points.", examples=("size('天气') == 2",))
@declare("size", STRING, to=INT, doc="Number of code points.", method=True)
@declare("size", list_of(T), to=INT, doc="Number of elements.", examples=("size([1, 2]) == 2",))
@declare("size", list_of(T), to=INT, doc="Number of elements.", method=True)
@declare("size", map_of(K, V), to=INT, doc="Number of entries.", examples=("size({'a': 1}) == 1",))
@declare("size", map_of(K, V), to=INT, doc="Number of entries.", method=True)
def size(value: Any) -> int:
    return len(value)


@declare("size", JSON, to=INT, doc="Number of code points, elements or entries.")
@declare("size", JSON, to=INT, doc="Number of code points, elements or entries.", method=True)
def size_json(value: Any) -> int:
    if isinstance(value, Mapping):
        return len(present(value))
    if isinstance(value, (str, tuple)):
        return len(value)
    raise Undecided("a JSON value without size")


@declare("contains", STRING, STRING, to=BOOL, doc="Whether the text contains it.", method=True,
         examples=("'abc'.contains('b')",))  # fmt: skip
def contains(text: str, part: str) -> bool:
    return part in text


@declare("startsWith", STRING, STRING, to=BOOL, doc="Whether the text begins with it.", method=True,
         examples=("'https://a.example'.startsWith('https://')",))  # fmt: skip
def starts_with(text: str, part: str) -> bool:
    return text.startswith(part)


@declare("endsWith", STRING, STRING, to=BOOL, doc="Whether the text ends with it.", method=True,
         examples=("'a.pdf'.endsWith('.pdf')",))  # fmt: skip
def ends_with(text: str, part: str) -> bool:
    return text.endswith(part)


@declare("matches", STRING, STRING, to=BOOL, doc="Whether the RE2 pattern is found in the text.", method=True,
         examples=("'E-42'.matches('^E-[0-9]+$')",))  # fmt: skip
@declare("matches", STRING, STRING, to=BOOL, doc="Whether the RE2 pattern is found in the text.")
def matches(text: str, pattern: str) -> bool:
    return regex(pattern).search(text) is not None


@lru_cache(maxsize=1024)
def regex(pattern: str) -> Any:
    """The compiled RE2 pattern; undecided if it is not one."""
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as why:
        problem = why.args[0].decode("utf-8", "replace") if why.args else ""
        raise Undecided("not an RE2 pattern: {problem}", problem=problem) from None


# Conversions


@declare("int", INT, to=INT, doc="The int itself.")
def int_of_int(value: int) -> int:
    return value


@declare("int", DOUBLE, to=INT, doc="Towards zero.", examples=("int(2.9) == 2", "int(-2.9) == -2"))
def int_of_double(value: float) -> int:
    # CEL refuses doubles at the very ends of the range, where they are no longer exact.
    if not -(2.0**63) < finite(value) < 2.0**63:
        raise Undecided("an int beyond 64 bits")
    return int(value)


@declare("int", STRING, to=INT, doc="The int that a plain ASCII numeral writes.", examples=("int('-12') == -12",))
def int_of_string(value: str) -> int:
    if not NUMERAL.fullmatch(value) or len(value) > 20:
        raise Undecided("text that is no numeral")
    return whole(int(value))


@declare("int", TIMESTAMP, to=INT, doc="Seconds since 1970-01-01T00:00:00Z.",
         examples=("int(timestamp('1970-01-01T00:01:00Z')) == 60",))  # fmt: skip
def int_of_timestamp(value: datetime) -> int:
    return (value - EPOCH) // SECOND


@declare("int", JSON, to=INT, doc="A JSON number or numeral as an int.")
def int_of_json(value: Any) -> int:
    if isinstance(value, bool):
        raise Undecided("a JSON value that is no number")
    if isinstance(value, int):
        return whole(value)
    if isinstance(value, float):
        return int_of_double(value)
    if isinstance(value, str):
        return int_of_string(value)
    raise Undecided("a JSON value that is no number")


@declare("double", DOUBLE, to=DOUBLE, doc="The double itself.")
def double_of_double(value: float) -> float:
    return value


@declare("double", INT, to=DOUBLE, doc="The nearest double.", examples=("double(1) == 1.0",))
def double_of_int(value: int) -> float:
    return float(value)


@declare("double", STRING, to=DOUBLE, doc="The double that a plain ASCII numeral writes.",
         examples=("double('1e3') == 1000.0",))  # fmt: skip
def double_of_string(value: str) -> float:
    if not DECIMAL.fullmatch(value) or len(value) > 400:
        raise Undecided("text that is no numeral")
    return finite(float(value))


@declare("double", JSON, to=DOUBLE, doc="A JSON number or numeral as a double.")
def double_of_json(value: Any) -> float:
    if isinstance(value, bool):
        raise Undecided("a JSON value that is no number")
    if isinstance(value, (int, float)):
        return finite(float(value))
    if isinstance(value, str):
        return double_of_string(value)
    raise Undecided("a JSON value that is no number")


@declare("string", STRING, to=STRING, doc="The text itself.")
def string_of_string(value: str) -> str:
    return value


@declare("string", BOOL, to=STRING, doc="`true` or `false`.", examples=("string(true) == 'true'",))
def string_of_bool(value: bool) -> str:
    return "true" if value else "false"


@declare("string", INT, to=STRING, doc="The numeral.", examples=("string(7) == '7'",))
def string_of_int(value: int) -> str:
    return str(value)


@declare("string", DOUBLE, to=STRING, doc="The shortest numeral that reads back the same, from 1e+06 on with exponent.",
         examples=("string(2.0) == '2'", "string(0.1) == '0.1'", "string(1500000.0) == '1.5e+06'"))  # fmt: skip
def string_of_double(value: float) -> str:
    # The runtimes of CEL write `%g` with as many digits as are needed: exponents below -4 and from 6 on.
    sign, digits, last = Decimal(repr(value)).normalize().as_tuple()
    exponent = len(digits) - 1 + int(last)
    if -4 <= exponent < 6 or value == 0:
        return double_text(value)
    first, rest = str(digits[0]), "".join(map(str, digits[1:]))
    return f"{'-' if sign else ''}{first}{'.' if rest else ''}{rest}e{exponent:+03d}"


def double_text(value: float) -> str:
    """A double as people read it: without exponent as long as it has at most 21 digits."""
    return f"{value:.0f}" if value.is_integer() and abs(value) < 1e21 else repr(value)


@declare("string", TIMESTAMP, to=STRING, doc="RFC 3339 in UTC.",
         examples=("string(timestamp('2026-04-15T08:00:00+08:00')) == '2026-04-15T00:00:00Z'",))  # fmt: skip
def string_of_timestamp(value: datetime) -> str:
    text = value.astimezone(UTC).replace(tzinfo=None).isoformat()
    return (text.rstrip("0") if "." in text else text) + "Z"


@declare("string", DURATION, to=STRING, doc="Seconds with `s`.", examples=("string(duration('1m')) == '60s'",))
def string_of_duration(value: timedelta) -> str:
    return write_duration(value)


@declare("string", JSON, to=STRING, doc="A JSON text, number or bool as text.")
def string_of_json(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return string_of_bool(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return string_of_double(value)
    raise Undecided("a JSON value that is no text")


@declare("bool", BOOL, to=BOOL, doc="The bool itself.")
def bool_of_bool(value: bool) -> bool:
    return value


@declare(
    "bool",
    STRING,
    to=BOOL,
    doc="1, t, true, TRUE, True; 0, f, false, FALSE, False.",
    examples=("bool('true')",),
)
def bool_of_string(value: str) -> bool:
    if value in ("1", "t", "true", "TRUE", "True"):
        return True
    if value in ("0", "f", "false", "FALSE", "False"):
        return False
    raise Undecided("text that is no bool")


@declare("bool", JSON, to=BOOL, doc="A JSON bool.")
def bool_of_json(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise Undecided("a JSON value that is no bool")


@declare("timestamp", STRING, to=TIMESTAMP, doc="An instant in RFC 3339 with offset.",
         examples=("timestamp('2026-04-15T00:00:00Z') < timestamp('2026-04-16T00:00:00Z')",))  # fmt: skip
def timestamp_of_string(value: str) -> datetime:
    # Without re.ASCII `$` and `[0-9]` are exact already; fullmatch refuses a final line break.
    if not re.fullmatch(RFC3339, value):
        raise Undecided("text that is no RFC 3339 instant with offset and at most six decimals")
    try:
        return datetime.fromisoformat(value).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Undecided("an instant that does not exist") from None


@declare("timestamp", TIMESTAMP, to=TIMESTAMP, doc="The instant itself.")
def timestamp_of_timestamp(value: datetime) -> datetime:
    return value


@declare("timestamp", INT, to=TIMESTAMP, doc="Seconds since 1970-01-01T00:00:00Z.")
def timestamp_of_int(value: int) -> datetime:
    try:
        return EPOCH + timedelta(seconds=value)
    except OverflowError:
        raise Undecided("an instant outside the years 1 to 9999") from None


def nanoseconds(text: str) -> int:
    """The nanoseconds that a text such as `1h30m` or `-1.5s` means; undecided for any other text.

    Units: ns, us, ms, s, m, h as in CEL, and d and w.
    """
    sign, rest = (-1, text[1:]) if text[:1] == "-" else (1, text[1:] if text[:1] == "+" else text)
    if rest == "0":
        return 0
    total, at = 0, 0
    while at < len(rest):
        part = DURATION_PART.match(rest, at)
        if part is None or len(part[1]) > 40:
            raise Undecided("text that is no duration")
        number, _, decimals = part[1].partition(".")
        unit = UNITS[part[2]]
        total += int(number or 0) * unit + int(decimals or 0) * unit // 10 ** len(decimals)
        at = part.end()
    if at == 0:
        raise Undecided("text that is no duration")
    return sign * total


@declare("duration", STRING, to=DURATION, doc="A duration such as 90s, 1h30m, 7d or 2w.",
         examples=("duration('1d') == duration('24h')", "duration('2w') == duration('14d')"))  # fmt: skip
def duration_of_string(value: str) -> timedelta:
    micros, rest = divmod(nanoseconds(value), 1_000)
    if rest:
        raise Undecided("a duration finer than a microsecond")
    try:
        return lasting(timedelta(microseconds=micros))
    except OverflowError:
        raise Undecided("a duration beyond 10,000 years") from None


@declare("duration", DURATION, to=DURATION, doc="The duration itself.")
def duration_of_duration(value: timedelta) -> timedelta:
    return value


# Lists


@declare("distinct", list_of(T), to=list_of(T), doc="Each value once, in order of first appearance.",
         examples=("distinct(['b', 'a', 'b']) == ['b', 'a']",))  # fmt: skip
def distinct(many: tuple[Any, ...]) -> tuple[Any, ...]:
    if all(type(value) is str for value in many):
        return tuple(dict.fromkeys(many))
    found: list[Any] = []
    for value in many:
        if not any(same(value, known) for known in found):
            found.append(value)
    return tuple(found)


@declare("sum", list_of(INT), to=INT, doc="Sum; 0 of an empty list.", examples=("sum([1, 2]) == 3",))
def sum_int(many: tuple[int, ...]) -> int:
    total = 0
    for value in many:
        total = whole(total + value)
    return total


@declare("sum", list_of(DOUBLE), to=DOUBLE, doc="Sum, in order.", examples=("sum([1.5, 2.0]) == 3.5",))
def sum_double(many: tuple[float, ...]) -> float:
    total = 0.0
    for value in many:
        total = finite(total + value)
    return total


@declare("sum", list_of(DURATION), to=DURATION, doc="Sum.")
def sum_duration(many: tuple[timedelta, ...]) -> timedelta:
    total = timedelta(0)
    for value in many:
        total = lasting(total + value)
    return total


def _extremes(type_: Type) -> None:
    @declare("min", list_of(type_), to=type_, doc="The least; undecided for an empty list.")
    def least(many: tuple[Any, ...]) -> Any:
        if not many:
            raise Undecided("the least of an empty list")
        return min(many)

    @declare("max", list_of(type_), to=type_, doc="The greatest; undecided for an empty list.")
    def greatest(many: tuple[Any, ...]) -> Any:
        if not many:
            raise Undecided("the greatest of an empty list")
        return max(many)


for _ordered in (INT, DOUBLE, STRING, TIMESTAMP, DURATION):
    _extremes(_ordered)
