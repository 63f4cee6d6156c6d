"""`params` of a contract and `params.yaml`: values that authors tune, typed by what they are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Mapping as MappingOf
from datetime import timedelta
from typing import Any

from .. import codes
from ..diagnostics import Diagnostic, did_you_mean
from ..urls import UrlList, read_list
from .check import field_infos
from .contract import ALWAYS, Dated, Params, Period
from .declare import Undecided
from .fields import Fields
from .parse import Mapping, Scalar, Sequence, Tree
from .scalars import unknown_unit, value_of
from .types import DOUBLE, INT, NONE, STRING, UNKNOWN, Type, joined, list_of, map_of, record_of
from .web import NAMED_LIST

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
Typed = tuple[Any, Type]
NO_PARAMS = Params({}, record_of("params", {}))


def read_params(tree: Tree | None, lists: MappingOf[str, UrlList], faults: list[Diagnostic], name: str) -> Params:
    """The params of a mapping; `name` (`params` or `shared`) names the record in messages."""
    if tree is None:
        return Params({}, record_of(name, {}))
    fields = Fields.of(tree, name, faults)
    if fields is None or not isinstance(tree, Mapping):
        return Params({}, record_of(name, {}))
    values: dict[str, Any] = {}
    types: dict[str, Type] = {}
    for key, value in tree.entries:
        if not NAME.fullmatch(key.text):
            faults.append(codes.PARAM_NAME.at(key.span, name=key.text))
        values[key.text], types[key.text] = _value(value, lists, faults)
    return Params(values, record_of(name, field_infos(types)), {key.text: key.span for key, _ in tree.entries})


def _value(tree: Tree, lists: MappingOf[str, UrlList], faults: list[Diagnostic]) -> Typed:
    if isinstance(tree, Scalar):
        value, type_ = _scalar(tree, faults)
        return Dated(((value, ALWAYS),)), type_
    if isinstance(tree, Sequence):
        if tree.items and all(isinstance(item, Mapping) and item.get("value") for item in tree.items):
            return _dated(tree, faults)
        value, type_ = _list(tree, faults)
        return Dated(((value, ALWAYS),)), type_
    if len(tree.entries) == 1 and tree.entries[0][0].text == "list":
        return _named(tree.entries[0][1], lists, faults)
    entries = {key.text: _value(value, lists, faults) for key, value in tree.entries}
    both = _joint(type_ for _, type_ in entries.values())
    if both is None:
        types = field_infos({key: type_ for key, (_, type_) in entries.items()})
        return {key: value for key, (value, _) in entries.items()}, record_of("params entry", types)
    return {key: _widen(value, type_, both) for key, (value, type_) in entries.items()}, map_of(STRING, both)


def _scalar(tree: Scalar, faults: list[Diagnostic]) -> Typed:
    unit = unknown_unit(tree)
    if unit:
        faults.append(codes.NO_UNIT.at(tree.span, text=tree.text, unit=unit))
        return None, UNKNOWN
    try:
        return value_of(tree)
    except Undecided as why:
        faults.append(codes.BAD_VALUE.at(tree.span, key="a param", wanted="a value", found=tree.text, help=str(why)))
        return None, UNKNOWN


def _list(tree: Sequence, faults: list[Diagnostic]) -> Typed:
    items: list[Typed] = []
    for item in tree.items:
        if isinstance(item, Scalar):
            items.append(_scalar(item, faults))
        elif isinstance(item, Sequence):
            items.append(_list(item, faults))
        else:
            faults.append(codes.NOT_A_SCALAR.at(item.span, key="an element", found="mapping"))
    both = _joint(type_ for _, type_ in items)
    if both is None:
        (_, left), right = items[0], next(type_ for _, type_ in items if joined(items[0][1], type_) is None)
        faults.append(codes.PARAM_TYPES.at(tree.span, left=left, right=right))
        return (), list_of(UNKNOWN)
    return tuple(_widen(value, type_, both) for value, type_ in items), list_of(both)


def _dated(tree: Sequence, faults: list[Diagnostic]) -> Typed:
    """`[{value: 3h}, {value: 2h, from: …, warn_before: 30d}]`."""
    values: list[Typed] = []
    periods: list[Period] = []
    for number, item in enumerate(tree.items):
        fields = Fields.of(item, "a dated value", faults)
        if fields is None:
            continue
        value = fields.need("value")
        start, warn = fields.instant("from"), fields.duration("warn_before")
        fields.close()
        ordered = start is None if number == 0 else start is not None and _after(periods, start)
        if not ordered:
            faults.append(codes.DATED_ORDER.at(item.span))
        periods.append(Period(start, None, warn or timedelta(0)))
        if isinstance(value, Scalar):
            values.append(_scalar(value, faults))
        elif isinstance(value, Sequence):
            values.append(_list(value, faults))
        else:
            faults.append(codes.NOT_A_SCALAR.at(item.span, key="value", found="mapping"))
            values.append((None, UNKNOWN))
    both = _joint(type_ for _, type_ in values)
    if both is None:
        faults.append(codes.PARAM_TYPES.at(tree.span, left=values[0][1], right=values[-1][1]))
        both = UNKNOWN
    entries = [(_widen(value, type_, both), period) for (value, type_), period in zip(values, periods, strict=False)]
    return Dated(tuple(entries)), both


def _after(periods: list[Period], start: Any) -> bool:
    last = periods[-1].start if periods else None
    return last is None or start > last


def _named(tree: Tree, lists: MappingOf[str, UrlList], faults: list[Diagnostic]) -> Typed:
    name = tree.text if isinstance(tree, Scalar) else ""
    if name not in lists:
        faults.append(codes.UNKNOWN_LIST.at(tree.span, did_you_mean(name, lists), name=name))
        return Dated(((read_list(()), ALWAYS),)), NAMED_LIST
    return Dated(((lists[name], ALWAYS),)), NAMED_LIST


def _joint(types: Iterable[Type]) -> Type | None:
    """The one type of values that stand side by side: ints become doubles beside doubles."""
    both: Type | None = NONE
    for type_ in types:
        if both is None:
            return None
        both = _wider(both, type_)
    return both


def _wider(first: Type, second: Type) -> Type | None:
    if {first, second} == {INT, DOUBLE}:
        return DOUBLE
    if first.kind == second.kind in ("list", "map") and first != second:
        args = [_wider(f, s) for f, s in zip(first.args, second.args, strict=True)]
        return None if None in args else Type(first.kind, tuple(arg for arg in args if arg is not None))
    if first.kind == second.kind == "record":
        return None
    return joined(first, second)


def _widen(value: Any, type_: Type, both: Type) -> Any:
    """A value of one type as one of the wider type."""
    if type_ == both:
        return value
    if isinstance(value, Dated):
        return Dated(tuple((_widen(entry, type_, both), period) for entry, period in value.entries))
    if type_ == INT and both == DOUBLE:
        return float(value)
    if isinstance(value, tuple) and type_.kind == "list":
        return tuple(_widen(item, type_.args[0], both.args[0]) for item in value)
    if isinstance(value, dict) and type_.kind == "map":
        return {key: _widen(item, type_.args[1], both.args[1]) for key, item in value.items()}
    return value
