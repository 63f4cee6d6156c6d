"""What expressions without a gate compute with.

They are plain CEL on dynamic values, so their domain is wider than that of rules: null, bytes, lists and maps of
mixed types, times to the nanosecond, and types as values. Kinds: null, bool, int, double, string, bytes, list, map,
timestamp, duration, type.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from ..facts.record import MAX_TEXT
from .declare import Undecided

MAX_STEPS = 2_000_000
"""Nodes evaluated, elements looked at and blocks of text made by one expression."""
MAX_NESTING = 128
"""Lists and maps inside each other: twice what facts or a literal can have."""
NANO = 10**9
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
FIRST = -62_135_596_800 * NANO
"""0001-01-01T00:00:00Z, the first CEL timestamp."""
LAST = 253_402_300_800 * NANO - 1
"""9999-12-31T23:59:59.999999999Z, the last."""
LONGEST = 315_576_000_000 * NANO
"""About 10,000 years: the longest CEL duration."""


@dataclass(frozen=True, order=True, slots=True)
class Instant:
    """A timestamp: nanoseconds since 1970-01-01T00:00:00Z, within the years 1 to 9999."""

    nanoseconds: int


@dataclass(frozen=True, order=True, slots=True)
class Span:
    """A duration in nanoseconds."""

    nanoseconds: int


@dataclass(frozen=True, slots=True)
class TypeName:
    """A type as a value: what `type(x)` gives, by its CEL name."""

    name: str


Key = bool | int | str


class Entries(Mapping[Key, Any]):
    """A map. A bool key is no number, as in CEL; a whole double finds the int key that it equals."""

    __slots__ = ("_found",)

    def __init__(self, pairs: Iterable[tuple[object, object]]) -> None:
        """Raises Undecided for a key of another kind, and for one that stands twice."""
        self._found: dict[tuple[bool, object], object] = {}
        for key, value in pairs:
            if not isinstance(key, (bool, int, str)):
                raise Undecided(f"a map key that is {kind(key)}")
            place = (isinstance(key, bool), key)
            if place in self._found:
                raise Undecided(f"a map key that stands twice: {shown(key)}")
            self._found[place] = value

    def __getitem__(self, key: object) -> Any:
        return self._found[isinstance(key, bool), key]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, (bool, int, float, str)) and (isinstance(key, bool), key) in self._found

    def __iter__(self) -> Iterator[Any]:
        return (key for _, key in self._found)

    def __len__(self) -> int:
        return len(self._found)


KINDS: dict[type, str] = {
    type(None): "null", bool: "bool", int: "int", float: "double", str: "string", bytes: "bytes", tuple: "list",
    Entries: "map", Instant: "timestamp", Span: "duration", TypeName: "type",
}  # fmt: skip
CEL_NAMES = {
    "null": "null_type",
    "timestamp": "google.protobuf.Timestamp",
    "duration": "google.protobuf.Duration",
}
"""The CEL names of types where they are not their kinds."""
TYPE_NAMES = {
    name: TypeName(name) for name in ("bool", "int", "double", "string", "bytes", "list", "map", "null_type", "type")
}
"""Types that can be written as a name."""


class Exhausted(Exception):
    """An expression that takes more steps than are allowed. Nothing absorbs it."""


class Budget:
    """The steps that an evaluation may still take."""

    __slots__ = ("left",)

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self.left = steps

    def charge(self, steps: int = 1) -> None:
        """Takes steps, or raises Exhausted."""
        self.left -= steps
        if self.left < 0:
            raise Exhausted

    def charge_size(self, value: object) -> None:
        """Takes the steps of copying or reading through a text or list once."""
        if isinstance(value, (str, bytes)):
            self.charge(len(value) // 16)
        elif isinstance(value, (tuple, Entries)):
            self.charge(len(value) // 4)


def kind(value: object) -> str:
    """The kind of a value."""
    return KINDS[type(value)]


def shown(value: object) -> str:
    """A value as a reason shows it: a text or number, of others the kind."""
    if isinstance(value, str):
        return f"'{value[:80]}'"
    return str(value).lower() if isinstance(value, (int, float)) else kind(value)


def instant(nanoseconds: int) -> Instant:
    """A timestamp within CEL's range, or undecided."""
    if not FIRST <= nanoseconds <= LAST:
        raise Undecided("an instant outside the years 1 to 9999")
    return Instant(nanoseconds)


def span(nanoseconds: int) -> Span:
    """A duration within CEL's range, or undecided."""
    if abs(nanoseconds) > LONGEST:
        raise Undecided("a duration beyond 10,000 years")
    return Span(nanoseconds)


def elapsed(nanoseconds: int) -> Span:
    """A duration that was computed: CEL's arithmetic has 64-bit nanoseconds, about 292 years. Else undecided."""
    if not -(2**63) <= nanoseconds < 2**63:
        raise Undecided("a computed duration beyond 292 years")
    return Span(nanoseconds)


def to_datetime(value: Instant) -> datetime:
    """The microsecond that the instant lies in."""
    return EPOCH + timedelta(microseconds=value.nanoseconds // 1_000)


def to_timedelta(value: Span) -> timedelta:
    """The duration without its nanoseconds."""
    micros = abs(value.nanoseconds) // 1_000
    return timedelta(microseconds=micros if value.nanoseconds >= 0 else -micros)


def from_datetime(value: datetime) -> Instant:
    """The instant that an aware datetime means."""
    return instant((value - EPOCH) // MICROSECOND * 1_000)


def from_timedelta(value: timedelta) -> Span:
    """The duration that a timedelta means."""
    return span(value // MICROSECOND * 1_000)


def admit(value: object, budget: Budget, depth: int = 0) -> Any:
    """A value of the caller as one of this domain: JSON, bytes, aware datetimes, timedeltas, Instants, Spans.

    Undecided if it is none: NaN, an int beyond 64 bits, a lone surrogate, any other type.
    """
    budget.charge()
    if depth > MAX_NESTING:
        raise Undecided(f"data nested deeper than {MAX_NESTING} levels")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (list, tuple)):
        return tuple(admit(element, budget, depth + 1) for element in value)
    if isinstance(value, Mapping):
        pairs = list(value.items())
        return Entries((admit(key, budget, depth + 1), admit(inner, budget, depth + 1)) for key, inner in pairs)
    return _scalar(value, budget)


def _scalar(value: object, budget: Budget) -> object:
    match value:
        case int():
            if not -(2**63) <= value < 2**63:
                raise Undecided("an int beyond 64 bits")
            return int(value)
        case float():
            if not math.isfinite(value):
                raise Undecided("a number that is not finite")
            return float(value)
        case str():
            budget.charge_size(value)
            return text(str.__str__(value))
        case bytes():
            budget.charge_size(value)
            return bytes(value)
        case datetime():
            if value.tzinfo is None:
                raise Undecided("a time without offset")
            return from_datetime(value)
        case timedelta():
            return from_timedelta(value)
        case Instant():
            return instant(value.nanoseconds)
        case Span():
            return span(value.nanoseconds)
    raise Undecided(f"data of type {type(value).__name__}")


def text(value: str) -> str:
    """Text of bounded length that UTF-8 can carry, or undecided."""
    if len(value) > MAX_TEXT:
        raise Undecided(f"text of more than {MAX_TEXT:,} characters")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Undecided("text with a lone surrogate") from None
    return value


def equal(left: object, right: object, budget: Budget, depth: int = 0) -> bool:
    """CEL's equality: values of different kinds are not equal, but an int equals the double nearest to it. Deep."""
    budget.charge()
    if depth > MAX_NESTING:
        raise Undecided(f"values nested deeper than {MAX_NESTING} levels")
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        if isinstance(left, bool) or isinstance(right, bool):
            return left is right
        return left == right if type(left) is type(right) else float(left) == float(right)
    if type(left) is not type(right):
        return False
    if isinstance(left, tuple) and isinstance(right, tuple):
        pairs = zip(left, right, strict=False)
        return len(left) == len(right) and all(equal(a, b, budget, depth + 1) for a, b in pairs)
    if isinstance(left, Entries) and isinstance(right, Entries):
        if len(left) != len(right):
            return False
        for key, value in left.items():
            if key not in right or not equal(value, right[key], budget, depth + 1):
                return False
        return True
    budget.charge_size(left)
    return left == right


ORDERED = frozenset({"bool", "int", "double", "string", "bytes", "timestamp", "duration"})


def compare(left: Any, right: Any) -> int:
    """Below zero, zero or above zero as the left value is less, equal or greater.

    An int beside a double is compared as the double nearest to it, as the runtimes of CEL do. Undecided between other
    kinds that differ, and for kinds without order.
    """
    first, second = kind(left), kind(right)
    if {first, second} == {"int", "double"}:
        left, right = float(left), float(right)
    elif first != second or first not in ORDERED:
        raise Undecided(f"{first} compared with {second}")
    return int(left > right) - int(left < right)


def measured(value: object, budget: Budget, depth: int = 0) -> None:
    """Raises Undecided or Exhausted for a value too deep or too large to be written out."""
    budget.charge()
    if depth > MAX_NESTING:
        raise Undecided(f"a value nested deeper than {MAX_NESTING} levels")
    if isinstance(value, tuple):
        for element in value:
            measured(element, budget, depth + 1)
    elif isinstance(value, Entries):
        for element in value.values():
            measured(element, budget, depth + 1)
    else:
        budget.charge_size(value)


def write_instant(value: Instant) -> str:
    """RFC 3339 in UTC, with as many decimals as are needed."""
    seconds, rest = divmod(value.nanoseconds, NANO)
    whole = (EPOCH + timedelta(seconds=seconds)).replace(tzinfo=None).isoformat()
    return whole + (f".{rest:09d}".rstrip("0") if rest else "") + "Z"


def write_span(value: Span) -> str:
    """Seconds as a decimal numeral with `s`."""
    seconds, rest = divmod(abs(value.nanoseconds), NANO)
    sign = "-" if value.nanoseconds < 0 else ""
    return f"{sign}{seconds}" + (f".{rest:09d}".rstrip("0") if rest else "") + "s"


def to_json(value: Any) -> Any:
    """A result as plain JSON: times as their text, bytes in base64, types by name, keys as text."""
    match value:
        case tuple():
            return [to_json(element) for element in value]
        case Entries():
            return {_key(key): to_json(inner) for key, inner in value.items()}
        case Instant():
            return write_instant(value)
        case Span():
            return write_span(value)
        case bytes():
            return base64.b64encode(value).decode()
        case TypeName():
            return value.name
    return value


def _key(key: Key) -> str:
    return key if isinstance(key, str) else str(key).lower()
