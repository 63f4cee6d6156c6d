"""The operators of the rule language on values whose types the checker has settled.

They are CEL's: 64-bit ints that overflow into undecided, division towards zero, doubles that must stay finite.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from ..facts.record import MAX_DURATION
from .declare import K, T, Undecided, V, declare
from .types import BOOL, DOUBLE, DURATION, INT, JSON, STRING, TIMESTAMP, Type, list_of, map_of

MIN_INT, MAX_INT = -(2**63), 2**63 - 1


def whole(value: int) -> int:
    """An int of 64 bits, or undecided."""
    if not MIN_INT <= value <= MAX_INT:
        raise Undecided("an int beyond 64 bits")
    return value


def finite(value: float) -> float:
    """A finite double, or undecided."""
    if not math.isfinite(value):
        raise Undecided("a number that is not finite")
    return value


def lasting(value: timedelta) -> timedelta:
    """A duration within CEL's range, or undecided."""
    if abs(value) > MAX_DURATION:
        raise Undecided("a duration beyond 10,000 years")
    return value


def same(left: Any, right: Any) -> bool:
    """Equality of two values of one static type, deep; bool never equals a number."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(same(value, right[key]) for key, value in left.items())
    return bool(left == right)


def json_kind(value: Any) -> str:
    """The JSON type of a value; null is absent, so it has none."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    if isinstance(value, tuple):
        return "list"
    if isinstance(value, Mapping):
        return "object"
    if value is None:
        raise Undecided("a null inside JSON")
    raise Undecided("no JSON value: {kind}", kind=type(value).__name__)


def same_json(left: Any, right: Any) -> bool:
    """Equality where a side is free-form JSON: undecided between values of different JSON types, also inside."""
    kind = json_kind(left)
    if kind != json_kind(right):
        raise Undecided("{left} compared with {right}", left=kind, right=json_kind(right))
    if kind == "list":
        return _all_same(len(left) == len(right), list(zip(left, right, strict=False)))
    if kind == "object":
        left, right = present(left), present(right)
        return _all_same(left.keys() == right.keys(), [(v, right[k]) for k, v in left.items() if k in right])
    return bool(left == right)


def present(entries: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of a JSON object that are not null: what is null is absent."""
    return {key: value for key, value in entries.items() if value is not None}


def _all_same(shape: bool, pairs: list[tuple[Any, Any]]) -> bool:
    """Conjunction of equalities: false decides, then undecided."""
    if not shape:
        return False
    undecided: Undecided | None = None
    for left, right in pairs:
        try:
            if not same_json(left, right):
                return False
        except Undecided as why:
            undecided = why
    if undecided is not None:
        raise undecided
    return True


def _json_equality(left: Type, right: Type) -> None:
    @declare("_==_", left, right, to=BOOL, doc="Equal; undecided between different JSON types.")
    def equal_json(first: Any, second: Any) -> bool:
        return same_json(first, second)

    @declare("_!=_", left, right, to=BOOL, doc="Not equal; undecided between different JSON types.")
    def unequal_json(first: Any, second: Any) -> bool:
        return not same_json(first, second)


# Before the general ones: two JSON values are compared as JSON.
_json_equality(JSON, T)
_json_equality(T, JSON)


@declare("_==_", T, T, to=BOOL, doc="Equal.", examples=("1 == 1", "[1, 2] == [1, 2]"))
def equal(left: Any, right: Any) -> bool:
    return same(left, right)


@declare("_!=_", T, T, to=BOOL, doc="Not equal.", examples=("'a' != 'b'",))
def unequal(left: Any, right: Any) -> bool:
    return not same(left, right)


def _ordering(type_: Type) -> None:
    @declare("_<_", type_, type_, to=BOOL, doc="Less.")
    def less(left: Any, right: Any) -> bool:
        return bool(left < right)

    @declare("_<=_", type_, type_, to=BOOL, doc="Less or equal.")
    def at_most(left: Any, right: Any) -> bool:
        return bool(left <= right)

    @declare("_>_", type_, type_, to=BOOL, doc="Greater.")
    def greater(left: Any, right: Any) -> bool:
        return bool(left > right)

    @declare("_>=_", type_, type_, to=BOOL, doc="Greater or equal.")
    def at_least(left: Any, right: Any) -> bool:
        return bool(left >= right)


ORDERED = (INT, DOUBLE, STRING, TIMESTAMP, DURATION, BOOL)
for _type in ORDERED:
    _ordering(_type)


@declare("_+_", INT, INT, to=INT, doc="Sum.", examples=("1 + 2 == 3",))
def add_int(left: int, right: int) -> int:
    return whole(left + right)


@declare("_+_", DOUBLE, DOUBLE, to=DOUBLE, doc="Sum.", examples=("1.5 + 2.0 == 3.5",))
def add_double(left: float, right: float) -> float:
    return finite(left + right)


@declare("_+_", STRING, STRING, to=STRING, doc="One text after the other.", examples=("'a' + 'b' == 'ab'",))
def add_string(left: str, right: str) -> str:
    return left + right


@declare(
    "_+_",
    list_of(T),
    list_of(T),
    to=list_of(T),
    doc="One list after the other.",
    examples=("[1] + [2] == [1, 2]",),
)
def add_list(left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[Any, ...]:
    return left + right


@declare("_+_", TIMESTAMP, DURATION, to=TIMESTAMP, doc="The instant that much later.")
def add_time(left: datetime, right: timedelta) -> datetime:
    try:
        return left + right
    except OverflowError:
        raise Undecided("an instant outside the years 1 to 9999") from None


@declare("_+_", DURATION, TIMESTAMP, to=TIMESTAMP, doc="The instant that much later.")
def add_to_time(left: timedelta, right: datetime) -> datetime:
    return add_time(right, left)


@declare(
    "_+_",
    DURATION,
    DURATION,
    to=DURATION,
    doc="Sum.",
    examples=("duration('1h') + duration('1m') == duration('61m')",),
)
def add_duration(left: timedelta, right: timedelta) -> timedelta:
    return lasting(left + right)


@declare("_-_", INT, INT, to=INT, doc="Difference.", examples=("3 - 2 == 1",))
def subtract_int(left: int, right: int) -> int:
    return whole(left - right)


@declare("_-_", DOUBLE, DOUBLE, to=DOUBLE, doc="Difference.")
def subtract_double(left: float, right: float) -> float:
    return finite(left - right)


@declare("_-_", TIMESTAMP, TIMESTAMP, to=DURATION, doc="Time from the second instant to the first.")
def between(left: datetime, right: datetime) -> timedelta:
    return lasting(left - right)


@declare("_-_", TIMESTAMP, DURATION, to=TIMESTAMP, doc="The instant that much earlier.")
def subtract_time(left: datetime, right: timedelta) -> datetime:
    try:
        return left - right
    except OverflowError:
        raise Undecided("an instant outside the years 1 to 9999") from None


@declare("_-_", DURATION, DURATION, to=DURATION, doc="Difference.")
def subtract_duration(left: timedelta, right: timedelta) -> timedelta:
    return lasting(left - right)


@declare("_*_", INT, INT, to=INT, doc="Product.", examples=("2 * 3 == 6",))
def multiply_int(left: int, right: int) -> int:
    return whole(left * right)


@declare("_*_", DOUBLE, DOUBLE, to=DOUBLE, doc="Product.")
def multiply_double(left: float, right: float) -> float:
    return finite(left * right)


@declare("_/_", INT, INT, to=INT, doc="Quotient, towards zero.", examples=("-7 / 2 == -3",))
def divide_int(left: int, right: int) -> int:
    if right == 0:
        raise Undecided("a division by zero")
    quotient = abs(left) // abs(right)
    return whole(quotient if (left < 0) == (right < 0) else -quotient)


@declare("_/_", DOUBLE, DOUBLE, to=DOUBLE, doc="Quotient.")
def divide_double(left: float, right: float) -> float:
    if right == 0:
        raise Undecided("a division by zero")
    return finite(left / right)


@declare("_%_", INT, INT, to=INT, doc="Remainder, with the sign of the dividend.", examples=("-7 % 2 == -1",))
def modulo(left: int, right: int) -> int:
    if right == 0:
        raise Undecided("a division by zero")
    if left == MIN_INT and right == -1:
        raise Undecided("an int beyond 64 bits")
    rest = abs(left) % abs(right)
    return -rest if left < 0 else rest


@declare("-_", INT, to=INT, doc="Negation.")
def negate_int(value: int) -> int:
    return whole(-value)


@declare("-_", DOUBLE, to=DOUBLE, doc="Negation.")
def negate_double(value: float) -> float:
    return -value


@declare("!_", BOOL, to=BOOL, doc="Not.", examples=("!false",))
def invert(value: bool) -> bool:
    return not value


def _json_membership(value_type: Type, list_type: Type) -> None:
    @declare("_in_", value_type, list_type, to=BOOL, doc="Whether an element equals it, as `exists` would say.")
    def in_json(value: Any, many: Any) -> bool:
        if isinstance(many, Mapping):
            if not isinstance(value, str):
                raise Undecided("a key that is not text")
            return many.get(value) is not None
        if not isinstance(many, tuple):
            raise Undecided("neither a list nor an object")
        undecided: Undecided | None = None
        for element in many:
            try:
                if same_json(value, element):
                    return True
            except Undecided as why:
                undecided = why
        if undecided is not None:
            raise undecided
        return False


_json_membership(T, JSON)
_json_membership(JSON, list_of(T))


@declare("_in_", T, list_of(T), to=BOOL, doc="Whether an element equals it.", examples=("2 in [1, 2]",))
def in_list(value: Any, many: tuple[Any, ...]) -> bool:
    return any(same(value, element) for element in many)


@declare("_in_", K, map_of(K, V), to=BOOL, doc="Whether the map has such a key.", examples=("'a' in {'a': 1}",))
def in_map(key: Any, entries: Mapping[Any, Any]) -> bool:
    return any(same(key, known) for known in entries)
