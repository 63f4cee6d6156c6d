"""What compiled rules call: small functions that give None where a value is absent, and memos for URL reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from pydantic import BaseModel

from .. import urls
from ..facts.gates import GATES
from ..urls import UrlList, UrlRefused
from .operators import finite, lasting, present, whole
from .types import Type
from .vocabulary import attribute, name_of

_MEMO = 4_096


def _remembering(function: Callable[[str], Any], known: dict[str, Any]) -> Callable[[str], Any]:
    """A function of a URL that remembers its answers in `known` and gives None for what cannot be read."""
    get = known.get

    def ask(url: str) -> Any:
        answer = get(url)
        if answer is not None:
            return answer
        try:
            answer = function(url)
        except UrlRefused:
            return None
        if len(known) >= _MEMO:
            known.clear()
        if len(url) <= 2_048:
            known[url] = answer
        return answer

    return ask


_FUNCTIONS: dict[str, Callable[[str], Any]] = {
    "canonical": urls.canonical,
    "host": urls.host,
    "registrable_domain": urls.registrable_domain,
    "is_public_http": urls.is_public_http,
}
_MEMOS: dict[str, dict[str, Any]] = {name: {} for name in _FUNCTIONS}
NULLABLE = {f"{name}(string)": _remembering(function, _MEMOS[name]) for name, function in _FUNCTIONS.items()}
"""Overloads that compiled rules ask through a memo; None is undecided."""


def asker(entries: UrlList, function: str) -> Callable[[str], bool | None]:
    """`url_in` or `domain_in` of one list; None is undecided."""
    ask = entries.url_in if function == "url_in" else entries.domain_in

    def ask_or_none(url: str) -> bool | None:
        try:
            return ask(url)
        except UrlRefused:
            return None

    return ask_or_none


class Beyond:
    """An instant outside the calendar: after every datetime if `late`, else before."""

    __slots__ = ("late",)

    def __init__(self, late: bool) -> None:
        self.late = late

    def __lt__(self, other: datetime) -> bool:
        return not self.late

    def __gt__(self, other: datetime) -> bool:
        return self.late

    __le__, __ge__ = __lt__, __gt__


def later(instant: datetime, wait: timedelta) -> datetime | Beyond:
    """The instant that much later, which may be beyond the calendar."""
    try:
        return instant + wait
    except OverflowError:
        return Beyond(late=wait > timedelta(0))


def earlier(instant: datetime, wait: timedelta) -> datetime | Beyond:
    """The instant that much earlier, which may be beyond the calendar."""
    return later(instant, -wait)


def list_get(many: tuple[Any, ...], index: int) -> Any:
    """The element, or None beyond either end."""
    return many[index] if 0 <= index < len(many) else None


def map_get(entries: Mapping[str, Any], key: str) -> Any:
    """The value of a key, or None."""
    return entries.get(key)


def map_has(entries: Mapping[str, Any], key: str) -> bool:
    """Whether a map has a key."""
    return key in entries


def json_get(value: Any, key: Any) -> Any:
    """The entry or element of a JSON value; None if it is absent; raises for other values."""
    if isinstance(value, Mapping) and isinstance(key, str):
        return value.get(key)
    if isinstance(value, tuple) and isinstance(key, int) and not isinstance(key, bool):
        return list_get(value, key)
    raise TypeError("neither an object nor a list")


def json_has(value: Any, key: str) -> bool:
    """Whether a JSON object has an entry that is not null; raises for other values."""
    if not isinstance(value, Mapping):
        raise TypeError("no object")
    return value.get(key) is not None


def json_elements(value: Any) -> tuple[Any, ...]:
    """The elements of a JSON list or the keys of an object; raises for other values."""
    if isinstance(value, Mapping):
        return tuple(present(value))
    if isinstance(value, tuple):
        return value
    raise TypeError("neither an object nor a list")


def map_of(pairs: tuple[tuple[Any, Any], ...]) -> dict[Any, Any]:
    """A map; raises if a key stands twice."""
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key that stands twice")
    return made


def known(values: list[Any]) -> tuple[Any, ...] | None:
    """The values, or None if one is absent."""
    for value in values:
        if value is None:
            return None
    return tuple(values)


def known_texts(values: list[Any]) -> tuple[Any, ...] | None:
    """The same for text and numbers, whose equality is cheap."""
    return tuple(values) if all(values) or None not in values else None


def known_in(parts: list[tuple[Any, ...]]) -> tuple[Any, ...] | None:
    """The values of all parts in order, or None if one is absent."""
    return known([value for part in parts for value in part])


def kept(pairs: list[tuple[Any, bool | None]]) -> tuple[Any, ...] | None:
    """The values whose condition is true, or None if a condition is undecided."""
    if any(keep is None for _, keep in pairs):
        return None
    return tuple(value for value, keep in pairs if keep)


def only_one(conditions: list[bool | None]) -> bool | None:
    """Whether exactly one condition is true, or None if one is undecided."""
    if any(condition is None for condition in conditions):
        return None
    return sum(condition is True for condition in conditions) == 1


@cache
def _records() -> dict[str, type[BaseModel]]:
    """Every record of the facts by its name in the rule language."""
    found: dict[str, type[BaseModel]] = {}
    pending: list[Any] = [gate.facts for gate in GATES.values()]
    while pending:
        record = pending.pop()
        name = name_of(record)
        if name in found:
            continue
        found[name] = record
        for field in record.model_fields.values():
            pending += _inside(field.annotation)
    return found


def _inside(annotation: Any) -> list[Any]:
    from typing import get_args

    if isinstance(annotation, type) and hasattr(annotation, "model_fields"):
        return [annotation]
    return [record for inner in get_args(annotation) for record in _inside(inner)]


def is_fact(type_: Type) -> bool:
    """Whether a type is a record of the facts, and not of params or choices, which are mappings."""
    return type_.kind == "record" and type_.name in _records()


def holds_fact(type_: Type) -> bool:
    """Whether values of a type are or hold records of the facts."""
    return is_fact(type_) or any(holds_fact(inner) for inner in type_.args)


def attribute_of(record: str, field: str) -> str:
    """The Python attribute of a field of a record."""
    name: str = attribute(_records()[record], field)
    return name


NAMESPACE: dict[str, Any] = {
    "whole": whole,
    "finite": finite,
    "lasting": lasting,
    "earlier": earlier,
    "later": later,
    "list_get": list_get,
    "map_get": map_get,
    "map_has": map_has,
    "json_get": json_get,
    "json_has": json_has,
    "json_elements": json_elements,
    "map_of": map_of,
    "known": known,
    "known_in": known_in,
    "known_texts": known_texts,
    "kept": kept,
    "only_one": only_one,
    **{f"{overload.partition('(')[0]}_or_none": function for overload, function in NULLABLE.items()},
    **{f"{name}_known": memo.get for name, memo in _MEMOS.items()},
}
"""The names that compiled text may use."""
