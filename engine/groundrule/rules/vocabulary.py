"""The vocabulary of each gate, derived from the records of `facts`.

A field that is added to a record is at once known to checker, interpreter, compiler, schemas and docs.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo as ModelField

from ..facts import words
from ..facts.gates import GATES, ChoiceSpec
from ..facts.record import Json, Record, TextMap
from .types import (
    BOOL,
    DOUBLE,
    DURATION,
    INT,
    JSON,
    STRING,
    TIMESTAMP,
    FieldInfo,
    Type,
    enum_of,
    list_of,
    map_of,
    record_of,
)

HIDDEN = frozenset({"raw_metadata"})
"""Fields that are kept in the receipt and in no gate's vocabulary."""

_WORD_LISTS = {get_args(getattr(words, name)): name for name in words.WORDS}
_SIMPLE: dict[Any, Type] = {
    str: STRING,
    bool: BOOL,
    int: INT,
    float: DOUBLE,
    datetime: TIMESTAMP,
    timedelta: DURATION,
}
_NAMES = {"ExternalQueryPlan": "plan", "DataSource": "source"}


def name_of(record: type[BaseModel]) -> str:
    """The name of a record type in messages, for example `evidence`."""
    return _NAMES.get(record.__name__, record.__name__.lower())


@cache
def record_type(record: type[BaseModel]) -> Type:
    """The record type of a model."""
    fields = {
        field.alias or name: _field(record, name, field)
        for name, field in record.model_fields.items()
        if name not in HIDDEN
    }
    return record_of(name_of(record), fields)


@cache
def item_record(record: type[BaseModel], name: str) -> type[BaseModel]:
    """The record type of the elements of a list of records."""
    pending = [_hints(record)[name]]
    while pending:
        annotation = pending.pop()
        if isinstance(annotation, type) and issubclass(annotation, Record):
            return annotation
        pending += get_args(annotation)
    raise KeyError(name)


@cache
def attribute(record: type[BaseModel], name: str) -> str:
    """The Python attribute of a field (`from` is a keyword, so its attribute is `from_`)."""
    for attribute_name, field in record.model_fields.items():
        if (field.alias or attribute_name) == name:
            return attribute_name
    raise KeyError(name)


def _field(record: type[BaseModel], name: str, field: ModelField) -> FieldInfo:
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    annotation = record.__annotations__.get(name, field.annotation)
    hints = _hints(record)
    type_ = _type(hints.get(name, annotation))
    zh = str(extra.get("description_zh", ""))
    return FieldInfo(type_, field.description or "", zh, always=field.is_required())


@cache
def _hints(record: type[BaseModel]) -> dict[str, Any]:
    import typing

    return typing.get_type_hints(record, include_extras=True)


def _type(annotation: Any) -> Type:
    origin = get_origin(annotation)
    if origin in (Union, UnionType):
        (inner,) = [arg for arg in get_args(annotation) if arg is not type(None)]
        return _type(inner)
    if annotation == Json:
        return JSON
    if annotation == TextMap:
        return map_of(STRING, STRING)
    if origin is Annotated:
        return _type(get_args(annotation)[0])
    if origin is Literal:
        return enum_of(_WORD_LISTS[get_args(annotation)])
    if origin is tuple:
        return list_of(_type(get_args(annotation)[0]))
    if annotation in _SIMPLE:
        return _SIMPLE[annotation]
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return record_type(annotation)
    raise TypeError(f"no rule type for {annotation!r}")


@cache
def variables(gate: str) -> Type:
    """The variables of a gate, as the record type of its facts."""
    return record_type(GATES[gate].facts)


def choice_type(spec: ChoiceSpec) -> Type:
    """The type that the pipeline expects of a choice."""
    kinds = {"text": STRING, "int": INT, "duration": DURATION, "double": DOUBLE, "texts": list_of(STRING)}
    return kinds[spec.kind]


LIST_LIMITS = {"evidence": 1_000, "claims": 500, "citations": 200}
"""Largest lists by field name; others are bounded by 1,000 elements."""
