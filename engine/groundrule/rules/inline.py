"""The Python text of operators and functions that are written out instead of called."""

from __future__ import annotations

from typing import Any

from .syntax import Node
from .types import BOOL, DOUBLE, DURATION, INT, STRING, TIMESTAMP, Type

MIRRORED = {"_<=_": ">=", "_<_": ">", "_>=_": "<=", "_>_": "<"}
"""The sign after both sides of `now - x ? limit` are turned round."""


def _ordering(type_: Type) -> dict[tuple[str, ...], tuple[str, bool]]:
    return {(f"_{sign}_({type_},{type_})",): (f"({{0}} {sign} {{1}})", False) for sign in ("<", "<=", ">", ">=")}


INLINE: dict[tuple[str, ...], tuple[str, bool]] = {
    **{
        key: text
        for type_ in (INT, DOUBLE, STRING, TIMESTAMP, DURATION, BOOL)
        for key, text in _ordering(type_).items()
    },
    ("_+_(int,int)",): ("whole({0} + {1})", True),
    ("_-_(int,int)",): ("whole({0} - {1})", True),
    ("_*_(int,int)",): ("whole({0} * {1})", True),
    ("_+_(double,double)",): ("finite({0} + {1})", True),
    ("_-_(double,double)",): ("finite({0} - {1})", True),
    ("_*_(double,double)",): ("finite({0} * {1})", True),
    ("_+_(string,string)",): ("({0} + {1})", False),
    ("_+_(timestamp,duration)",): ("({0} + {1})", True),
    ("_+_(duration,timestamp)",): ("({0} + {1})", True),
    ("_-_(timestamp,duration)",): ("({0} - {1})", True),
    ("_-_(timestamp,timestamp)",): ("({0} - {1})", False),
    ("_+_(duration,duration)",): ("lasting({0} + {1})", True),
    ("_-_(duration,duration)",): ("lasting({0} - {1})", True),
    ("_+_(list<T>,list<T>)",): ("({0} + {1})", False),
    ("size(string)",): ("len({0})", False),
    (".size(string)",): ("len({0})", False),
    ("size(list<T>)",): ("len({0})", False),
    (".size(list<T>)",): ("len({0})", False),
    ("size(map<K, V>)",): ("len({0})", False),
    (".size(map<K, V>)",): ("len({0})", False),
    (".contains(string,string)",): ("({1} in {0})", False),
    (".startsWith(string,string)",): ("{0}.startswith({1})", False),
    (".endsWith(string,string)",): ("{0}.endswith({1})", False),
    ("distinct(list<T>)", "list<string>"): ("tuple(dict.fromkeys({0}))", False),
    ("double(int)",): ("float({0})", False),
    ("double(double)",): ("{0}", False),
    ("string(string)",): ("{0}", False),
}
"""Overloads that are written out: their text, and whether it can raise."""


def gatherer(body: Node) -> str:
    """The function that makes a list of a macro's results: text and numbers can be asked for None at once."""
    return "known_texts" if body.type.kind in ("string", "int", "double", "bool") else "known"


def starts(text: str, prefixes: tuple[str, ...]) -> str:
    """A test whether the text in a variable starts with one of some prefixes.

    Exactly what starts with `ab` lies from `ab` to before `ac` in the order of code points; two comparisons cost a
    third of a call.
    """
    if not text.isidentifier() or len(prefixes) > 4 or not all(p and p[-1] < chr(0x10FFFF) for p in prefixes):
        return f"{text}.startswith({prefixes!r})"
    ranges = [(prefix, prefix[:-1] + chr(ord(prefix[-1]) + 1)) for prefix in sorted(prefixes, reverse=True)]
    return "(" + " or ".join(f"{first!r} <= {text} < {end!r}" for first, end in ranges) + ")"


def set_of(many: Any) -> Any:
    """A frozenset of what can be hashed; bools stay a tuple, since True equals 1 in a set."""
    if isinstance(many, tuple) and all(type(item) in (str, int, float) for item in many):
        return frozenset(many)
    return many
