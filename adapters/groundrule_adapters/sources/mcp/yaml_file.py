"""A mapping file as plain values, with the place of each, read by the same strict YAML as rule files."""

from __future__ import annotations

from typing import Any

from groundrule.diagnostics import Source, Span
from groundrule.rules.declare import Undecided
from groundrule.rules.parse import Scalar, Sequence, Tree, parse_yaml
from groundrule.rules.scalars import value_of

from .faults import McpConfigError

Places = dict[tuple[int | str, ...], str]
"""Path of a value to `line:column` of its key, or of itself in a list."""


def read_yaml(content: str | bytes, file: str) -> tuple[Any, Places]:
    """The document (lists as tuples), and its places. Raises McpConfigError with the first fault."""
    tree, faults = parse_yaml(file, content)
    if faults:
        raise McpConfigError(file, _place(faults[0].span), faults[0].message, faults[0].help)
    places: Places = {(): "1:1"}
    return (None if tree is None else _value(tree, (), places)), places


def _value(tree: Tree, path: tuple[int | str, ...], places: Places) -> Any:
    if isinstance(tree, Scalar):
        return _scalar(tree)
    found: dict[str, Any] = {}
    if isinstance(tree, Sequence):
        for at, item in enumerate(tree.items):
            places[(*path, at)] = _place(item.span)
        return tuple(_value(item, (*path, at), places) for at, item in enumerate(tree.items))
    for key, value in tree.entries:
        places[(*path, key.text)] = _place(key.span)
        found[key.text] = _value(value, (*path, key.text), places)
    return found


def _scalar(scalar: Scalar) -> str | int | float | bool | None:
    """Numbers and booleans; the durations, instants and odd numbers of rule files are plain text here."""
    try:
        value, _ = value_of(scalar)
    except Undecided:
        return None if scalar.text in ("", "~", "null") else scalar.text
    return value if isinstance(value, (str, int, float, bool)) else scalar.text


def _place(span: Span) -> str:
    source: Source = span.source
    line, column = source.position(span.start)
    return f"{line}:{column}"
