"""A mapping file as plain values, with the place of each, read by the same strict YAML as rule files."""

from __future__ import annotations

from typing import Any

from groundrule.diagnostics import Span
from groundrule.rules.declare import Undecided
from groundrule.rules.parse import Scalar, Sequence, Tree, parse_yaml
from groundrule.rules.scalars import value_of

from .faults import MappingError

Places = dict[tuple[int | str, ...], Span]
"""Path of a value to the place of its key, or of itself in a list; the empty path to that of the whole."""


def read_yaml(content: str | bytes, file: str) -> tuple[Any, Places]:
    """The document (lists as tuples), and its places. Raises MappingError."""
    tree, faults = parse_yaml(file, content)
    if faults or tree is None:
        raise MappingError(faults)
    places: Places = {(): Span(tree.span.source, 0, 1)}
    return _value(tree, (), places), places


def _value(tree: Tree, path: tuple[int | str, ...], places: Places) -> Any:
    if isinstance(tree, Scalar):
        return _scalar(tree)
    found: dict[str, Any] = {}
    if isinstance(tree, Sequence):
        for at, item in enumerate(tree.items):
            places[(*path, at)] = item.span
        return tuple(_value(item, (*path, at), places) for at, item in enumerate(tree.items))
    for key, value in tree.entries:
        places[(*path, key.text)] = key.span
        found[key.text] = _value(value, (*path, key.text), places)
    return found


def _scalar(scalar: Scalar) -> str | int | float | bool | None:
    """Numbers and booleans; the durations, instants and odd numbers of rule files are plain text here."""
    try:
        value, _ = value_of(scalar)
    except Undecided:
        return None if scalar.text in ("", "~", "null") else scalar.text
    return value if isinstance(value, (str, int, float, bool)) else scalar.text
