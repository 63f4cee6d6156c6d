"""The static types of the rule language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class FieldInfo:
    """A field of a record type: its type and its description in both languages."""

    type: Type
    en: str = ""
    zh: str = ""
    always: bool = False


@dataclass(frozen=True)
class Type:
    """A type. `args` has the element of a list, or key and value of a map; `fields` those of a record.

    name: of a record, for messages. words: the word list of an enum string (facts.words), known to checker
    and messages. Two types are equal if values of one are values of the other.
    """

    kind: str
    args: tuple[Type, ...] = ()
    name: str = ""
    fields: Mapping[str, FieldInfo] = field(default_factory=dict, compare=False, hash=False, repr=False)
    words: str = field(default="", compare=False)

    def __str__(self) -> str:
        if self.kind == "list":
            return f"list<{self.args[0]}>"
        if self.kind == "map":
            return f"map<{self.args[0]}, {self.args[1]}>"
        return self.name if self.kind in ("record", "any") else self.kind


BOOL = Type("bool")
INT = Type("int")
DOUBLE = Type("double")
STRING = Type("string")
TIMESTAMP = Type("timestamp")
DURATION = Type("duration")
JSON = Type("json")
"""Free-form JSON inside facts: compared by value, never computed with."""
DYN = Type("dyn")
"""Anything; only where an expression is asked without a gate."""
NULL = Type("null")
"""Only in expressions without a gate: facts carry no null."""
NONE = Type("none")
"""The element type of an empty list or map literal: fits everywhere."""
UNKNOWN = Type("unknown")
"""Of a node that was not checked, or whose check failed; no further fault is reported about it."""


def list_of(element: Type) -> Type:
    """The type of lists with such elements."""
    return Type("list", (element,))


def map_of(key: Type, value: Type) -> Type:
    """The type of maps with such keys and values."""
    return Type("map", (key, value))


def record_of(name: str, fields: Mapping[str, FieldInfo]) -> Type:
    """A record type."""
    return Type("record", name=name, fields=fields)


def enum_of(words: str) -> Type:
    """Strings of a closed word list."""
    return Type("string", words=words)


def fits(given: Type, wanted: Type) -> bool:
    """Whether a value of one type may stand where the other is wanted."""
    if UNKNOWN in (given, wanted) or DYN in (given, wanted) or given == NONE or wanted == NONE:
        return True
    if given.kind == wanted.kind in ("list", "map"):
        return all(fits(g, w) for g, w in zip(given.args, wanted.args, strict=True))
    return given == wanted


def joined(first: Type, second: Type) -> Type | None:
    """The type of a value that may be either, or None if there is none."""
    if first == UNKNOWN or second == UNKNOWN:
        return UNKNOWN
    if first == NONE:
        return second
    if second == NONE:
        return first
    if DYN in (first, second):
        return DYN
    if first.kind == second.kind in ("list", "map"):
        args = [joined(f, s) for f, s in zip(first.args, second.args, strict=True)]
        return None if None in args else Type(first.kind, tuple(arg for arg in args if arg is not None))
    if first == second:
        return first if first.words == second.words else Type(first.kind, first.args, first.name, first.fields)
    return None
