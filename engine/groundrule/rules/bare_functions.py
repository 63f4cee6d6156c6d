"""The functions of expressions without a gate: the declared bodies where they fit, our own where the domain differs."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from . import functions, operators, time_parts, web
from .bare_values import (
    CEL_NAMES,
    EPOCH,
    NANO,
    Budget,
    Entries,
    Instant,
    Span,
    TypeName,
    compare,
    elapsed,
    equal,
    from_datetime,
    from_timedelta,
    instant,
    kind,
    span,
    text,
    to_datetime,
    to_timedelta,
    write_instant,
    write_span,
)
from .declare import BY_NAME, Undecided
from .types import Type

RFC3339 = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?"
    r"(?:Z|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))"
)
SECOND = timedelta(seconds=1)

DECLARED_IN = (functions, operators, time_parts, web)
"""The modules whose declarations fill the table of functions."""
FORMS: dict[str, set[bool]] = {}
"""Every name that can be called, and whether as a function (False), as a method (True) or both."""
for _name, _method in BY_NAME:
    FORMS.setdefault(_name, set()).add(_method)
for _name in ("type", "dyn", "bytes"):
    FORMS.setdefault(_name, set()).add(False)


def call(name: str, method: bool, args: tuple[Any, ...], budget: Budget) -> Any:
    """The value of a function, method or operator; undecided if it has none for such arguments."""
    for arg in args:
        budget.charge_size(arg)
    result = _found(name, method, args, budget)
    if isinstance(result, str):
        text(result)
    budget.charge_size(result)
    return result


def _found(name: str, method: bool, args: tuple[Any, ...], budget: Budget) -> Any:
    general = GENERAL.get((name, len(args)))
    if general is not None:
        return general(budget, *args)
    own = OWN.get((name, *(kind(arg) for arg in args)))
    if own is not None:
        return own(*args)
    return _declared(name, method, args)


def _declared(name: str, method: bool, args: tuple[Any, ...]) -> Any:
    """What a declared body makes of the values, times as it knows them: to the microsecond."""
    for entry in BY_NAME.get((name, method), ()):
        if len(entry.params) == len(args) and all(map(_takes, entry.params, args)):
            return _lifted(entry.body(*map(_lowered, entry.params, args)))
    raise _refused(name, *args)


def _refused(name: str, *args: Any) -> Undecided:
    given = ", ".join(kind(arg) for arg in args) or "nothing"
    return Undecided(f"`{name.strip('_')}` does not take {given}")


def _takes(param: Type, value: Any) -> bool:
    """Whether a value may stand for a declared parameter; free-form JSON has its own overloads only at gates."""
    if param.kind == "any":
        return True
    if param.kind == "list":
        return isinstance(value, tuple) and all(_takes(param.args[0], element) for element in value)
    return kind(value) == param.kind


def _lowered(param: Type, value: Any) -> Any:
    if param.kind == "timestamp":
        return to_datetime(value)
    if param.kind == "duration":
        return to_timedelta(value)
    if param.kind == "list" and param.args[0].kind in ("timestamp", "duration"):
        return tuple(_lowered(param.args[0], element) for element in value)
    return value


def _lifted(value: Any) -> Any:
    match value:
        case datetime():
            return from_datetime(value)
        case timedelta():
            return from_timedelta(value)
    return value


# Functions of any kind of value


def _within(budget: Budget, value: Any, many: Any) -> bool:
    if isinstance(many, tuple):
        return any(equal(value, element, budget) for element in many)
    if isinstance(many, Entries) and isinstance(value, (bool, int, float, str)):
        return value in many
    raise _refused("in", value, many)


def _distinct(budget: Budget, many: Any) -> tuple[Any, ...]:
    found: list[Any] = []
    for value in _elements("distinct", many):
        if not any(equal(value, known, budget) for known in found):
            found.append(value)
    return tuple(found)


def _extreme(name: str, wanted: int) -> Callable[..., Any]:
    def of_list(budget: Budget, many: Any) -> Any:
        best = None
        for value in _elements(name, many):
            # Compared with itself first, so that one element without order is refused as well.
            if compare(value, value if best is None else best) == wanted or best is None:
                best = value
        if best is None:
            raise Undecided(f"`{name}` of an empty list")
        return best

    return of_list


def _sum(_: Budget, many: Any) -> Any:
    if not isinstance(many, tuple) or not many or not all(isinstance(value, Span) for value in many):
        return _declared("sum", False, (many,))
    total = 0
    for value in many:
        total = elapsed(total + value.nanoseconds).nanoseconds
    return Span(total)


def _elements(name: str, many: Any) -> tuple[Any, ...]:
    if not isinstance(many, tuple):
        raise _refused(name, many)
    return many


_pattern = lru_cache(maxsize=16)(functions.regex.__wrapped__)
"""Compiled patterns, few: they may come from data here, and each can take megabytes."""


def _matches(budget: Budget, subject: Any, pattern: Any) -> bool:
    if not isinstance(subject, str) or not isinstance(pattern, str):
        raise _refused("matches", subject, pattern)
    compiled = _pattern(pattern)
    # RE2 takes at most text x program; a pattern must not cost more than a loop may.
    budget.charge(len(subject) * compiled.programsize // 1_000)
    return compiled.search(subject) is not None


def _type(_: Budget, value: Any) -> TypeName:
    word = kind(value)
    return TypeName(CEL_NAMES.get(word, word))


GENERAL: dict[tuple[str, int], Callable[..., Any]] = {
    ("_==_", 2): lambda budget, left, right: equal(left, right, budget),
    ("_!=_", 2): lambda budget, left, right: not equal(left, right, budget),
    ("_<_", 2): lambda _, left, right: compare(left, right) < 0,
    ("_<=_", 2): lambda _, left, right: compare(left, right) <= 0,
    ("_>_", 2): lambda _, left, right: compare(left, right) > 0,
    ("_>=_", 2): lambda _, left, right: compare(left, right) >= 0,
    ("_in_", 2): _within,
    ("distinct", 1): _distinct,
    ("min", 1): _extreme("min", -1),
    ("max", 1): _extreme("max", 1),
    ("sum", 1): _sum,
    ("matches", 2): _matches,
    ("type", 1): _type,
    ("dyn", 1): lambda _, value: value,
}
"""By name and number of arguments; the budget comes first."""


# Times and bytes


def _timestamp(value: str) -> Instant:
    match = RFC3339.fullmatch(value)
    if match is None:
        raise Undecided("text that is no RFC 3339 instant with offset")
    *fields, decimals, sign, hours, minutes = match.groups()
    try:
        year, month, day, hour, minute, second = map(int, fields)
        local = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        raise Undecided("an instant that does not exist") from None
    away = (int(hours) * 3_600 + int(minutes) * 60) * (-1 if sign == "-" else 1) if sign else 0
    seconds = (local - EPOCH) // SECOND - away
    return instant(seconds * NANO + int((decimals or "").ljust(9, "0")))


def _text_of_bytes(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise Undecided("bytes that are not UTF-8") from None


OWN: dict[tuple[str, ...], Callable[..., Any]] = {
    ("_+_", "timestamp", "duration"): lambda a, b: instant(a.nanoseconds + b.nanoseconds),
    ("_+_", "duration", "timestamp"): lambda a, b: instant(a.nanoseconds + b.nanoseconds),
    ("_+_", "duration", "duration"): lambda a, b: elapsed(a.nanoseconds + b.nanoseconds),
    ("_-_", "timestamp", "timestamp"): lambda a, b: elapsed(a.nanoseconds - b.nanoseconds),
    ("_-_", "timestamp", "duration"): lambda a, b: instant(a.nanoseconds - b.nanoseconds),
    ("_-_", "duration", "duration"): lambda a, b: elapsed(a.nanoseconds - b.nanoseconds),
    ("timestamp", "string"): _timestamp,
    ("timestamp", "int"): lambda seconds: instant(seconds * NANO),
    ("timestamp", "timestamp"): lambda value: value,
    ("duration", "string"): lambda value: span(functions.nanoseconds(value)),
    ("duration", "duration"): lambda value: value,
    ("int", "timestamp"): lambda value: value.nanoseconds // NANO,
    ("string", "timestamp"): write_instant,
    ("string", "duration"): write_span,
    ("string", "bytes"): _text_of_bytes,
    ("bytes", "string"): lambda value: value.encode(),
    ("bytes", "bytes"): lambda value: value,
    ("size", "bytes"): len,
    ("_+_", "bytes", "bytes"): lambda a, b: a + b,
}
"""By name and kinds of the arguments."""
