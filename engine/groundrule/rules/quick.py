"""The quick reading of JSON text: the values that compiled rules read, checked on the way, and no records.

It accepts less than the validator and reads the same: what it accepts, the validator accepts, with equal values. Whatever
is unusual (a fault, free-form JSON, an alias) it leaves to the validator, which also has the words for faults.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import jiter
from pydantic import BaseModel

from ..facts.evidence import Score
from ..facts.gates import GATES
from ..facts.record import (
    MAX_INT,
    MAX_ITEMS,
    MAX_TEXT,
    RFC3339,
    Duration,
    Int,
    Many,
    Record,
    Text,
    Texts,
    Timestamp,
    read_duration,
)

_TIME = re.compile(RFC3339, re.ASCII)
_read_time = datetime.fromisoformat


class Unusual(Exception):
    """What the validator has to look at."""


def read(gate: str, data: bytes) -> dict[str, Any] | None:
    """The values of facts in JSON text, as `Facts.values` has them; None where the text is unusual.

    A key that stands twice: without a backslash every quotation mark begins or ends a string, so a text with as many
    as the strings that were read has no other. With a backslash the parser looks for such keys, which takes longer.
    """
    if len(data) > MAX_TEXT:
        return None
    escaped = b"\\" in data
    try:
        given = jiter.from_json(data, allow_inf_nan=False, catch_duplicate_keys=escaped)
        reading = _Reading()
        values = reading.record(given, _shape(GATES[gate].facts))
    except (Unusual, ValueError, TypeError, LookupError, OverflowError):
        return None
    return values if escaped or data.count(b'"') == 2 * reading.strings else None


class _Shape:
    """How the fields of a record are read, which of them are plain text, and which must be there."""

    def __init__(self, record: type[BaseModel]) -> None:
        self.empty = dict.fromkeys(record.model_fields)
        self.readers: dict[str, Read] = {}
        self.texts: set[str] = set()
        required = [name for name, field in record.model_fields.items() if field.is_required()]
        self.required = required[0] if required else None
        for name, hint in get_type_hints(record, include_extras=True).items():
            field = record.model_fields.get(name)
            if field is not None and field.alias is None and len(required) < 2:
                self.readers[name] = _name if name == self.required else _reader(_bare(hint))
                if self.readers[name] in (_name, _text):
                    self.texts.add(name)


_shape = cache(_Shape)


class _Reading:
    """One text being read. strings: how many it holds, keys among them."""

    def __init__(self) -> None:
        self.strings = 0

    def record(self, given: Any, shape: _Shape) -> dict[str, Any]:
        """One record."""
        row: dict[str, Any] = shape.empty | given
        readers, texts, strings = shape.readers, shape.texts, len(given)
        for name, value in given.items():
            if type(value) is str:
                strings += 1
                if name in texts:
                    continue
            row[name] = readers[name](self, value)
        if shape.required is not None and shape.required not in given:
            raise Unusual
        self.strings += strings
        return row

    def records(self, many: list[Any], shape: _Shape) -> list[dict[str, Any]]:
        """Records of one shape. Most have the same keys, for which a function is written: this is where the time goes."""
        if len(many) >= _WORTH_WRITING:
            before = self.strings
            try:
                return _written(shape, tuple(many[0]))(self, many)
            except KeyError:  # one has other keys, or all have unknown ones
                self.strings = before
        return [self.record(given, shape) for given in many]


Read = Callable[[_Reading, Any], Any]
ReadMany = Callable[[_Reading, list[Any]], list[dict[str, Any]]]
_WORTH_WRITING = 4
"""The shortest list for which a function is written, in less than a millisecond."""


@lru_cache(maxsize=64)
def _written(shape: _Shape, keys: tuple[str, ...]) -> ReadMany:
    """A function for records with these keys. Those with a text that is none or fewer keys it leaves to `record`.

    It raises KeyError where a key is missing and another stands there; so does writing it for unknown keys.
    """
    if shape.required not in (None, *keys):
        raise Unusual
    names: dict[str, Any] = {"shape": shape, "empty": shape.empty, "read_time": _read_time}
    tests, steps, strings = [f"len(given) == {len(keys)}"], [], len(keys)
    for at, key in enumerate(keys):
        value = f"given[{key!r}]"
        if key in shape.texts:
            tests.append(f"type({value}) is str")
            strings += 1
            continue
        names[f"read{at}"] = reader = shape.readers[key]
        usual, made = _WRITTEN.get(reader, ("v is None", ""))
        steps += [f"v = {value}", f"if not ({usual}):", f"    row[{key!r}] = read{at}(reading, v)"]
        steps.append("    reading.strings += type(v) is str")
        steps += ["else:", f"    row[{key!r}] = {made}", "    reading.strings += 1"] if made else []
    lines = [
        "def read_many(reading, many):",
        "    rows, slow = [], 0",
        "    for given in many:",
        f"        if {' and '.join(tests)}:",
        *(f"            {step}" for step in ("row = empty | given", *steps)),
        "        else:",
        "            slow += 1",
        "            row = reading.record(given, shape)",
        "        rows.append(row)",
        f"    reading.strings += (len(many) - slow) * {strings}",
        "    return rows",
    ]
    exec("\n".join(lines), names)
    written: ReadMany = names["read_many"]
    return written


def _text(reading: _Reading, value: Any) -> str | None:
    if value is None or type(value) is str:
        return value
    raise Unusual


def _name(reading: _Reading, value: Any) -> str:
    if type(value) is str:
        return value
    raise Unusual


def _absent(reading: _Reading, value: Any) -> None:
    if value is not None:
        raise Unusual


def _bool(reading: _Reading, value: Any) -> bool | None:
    if value is None or value is True or value is False:
        return value
    raise Unusual


def _int(reading: _Reading, value: Any) -> int | None:
    if value is None or (type(value) is int and abs(value) <= MAX_INT):
        return value
    raise Unusual


def _score(reading: _Reading, value: Any) -> float | None:
    if type(value) is float and 0.0 <= value <= 1.0:
        return value
    if value is None:
        return None
    if type(value) is int and 0 <= value <= 1:
        return float(value)
    raise Unusual


def _time(reading: _Reading, value: Any) -> datetime | None:
    if type(value) is str and len(value) == 20 and value[4::3] == "--T::Z" and (value[11] < "2" or value[11:13] < "24"):
        return _read_time(value)  # by its marks and length `YYYY-MM-DDTHH:MM:SSZ`, whose digits are checked here
    if value is None:
        return None
    if type(value) is not str or not _TIME.fullmatch(value):
        raise Unusual
    return _read_time(value).astimezone(UTC)


def _duration(reading: _Reading, value: Any) -> timedelta | None:
    if value is None:
        return None
    wait = read_duration(value)
    if isinstance(wait, timedelta):
        return wait
    raise Unusual


def _texts(reading: _Reading, value: Any) -> tuple[str, ...] | None:
    if value is None:
        return None
    if type(value) is not list or len(value) > MAX_ITEMS or not set(map(type, value)) <= {str}:
        raise Unusual
    reading.strings += len(value)
    return tuple(value)


def _word(words: frozenset[str]) -> Read:
    def read_word(reading: _Reading, value: Any) -> Any:
        if value is None or value in words:
            return value
        raise Unusual

    return read_word


def _record(record: type[BaseModel]) -> Read:
    def read_record(reading: _Reading, value: Any) -> Any:
        return None if value is None else reading.record(value, _shape(record))

    return read_record


def _records(record: type[BaseModel], limit: int) -> Read:
    def read_records(reading: _Reading, value: Any) -> Any:
        if value is None:
            return None
        if type(value) is not list or len(value) > limit:
            raise Unusual
        return tuple(reading.records(value, _shape(record)))

    return read_records


_READERS: list[tuple[Any, Read]] = [
    (Text, _text),
    (bool, _bool),
    (Int, _int),
    (Score, _score),
    (Timestamp, _time),
    (Duration, _duration),
    (Texts, _texts),
]


_WRITTEN: dict[Read, tuple[str, str]] = {
    _bool: ("type(v) is bool", ""),
    _score: ("type(v) is float and 0.0 <= v <= 1.0", ""),
    _time: (
        'type(v) is str and len(v) == 20 and v[4::3] == "--T::Z" and (v[11] < "2" or v[11:13] < "24")',
        "read_time(v)",
    ),
}
"""The usual values of some readers: a test, and what is made of them if they do not stay. Others are asked each time."""


def _bare(hint: Any) -> Any:
    """The hint of a field without `| None`."""
    if get_origin(hint) in (Union, UnionType):
        (hint,) = [inner for inner in get_args(hint) if inner is not type(None)]
    return hint


def _reader(hint: Any) -> Read:
    """What reads the values of a hint; what it does not know may only be absent."""
    for known, reader in _READERS:
        if hint == known:
            return reader
    if get_origin(hint) is Literal:
        return _word(frozenset(get_args(hint)))
    if isinstance(hint, type) and issubclass(hint, Record):
        return _record(hint)
    if get_origin(hint) is Annotated:
        many, *marks = get_args(hint)
        inner = get_args(many)[:1]
        if get_origin(many) is tuple and len(marks) == 1 and isinstance(marks[0], Many) and issubclass(inner[0], Record):
            return _records(inner[0], marks[0].limit)
    return _absent


__all__ = ["read"]
