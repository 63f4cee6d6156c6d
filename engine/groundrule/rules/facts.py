"""The border: a mapping or JSON text becomes the frozen facts of a gate, or facts with a fault, which deny."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from types import MappingProxyType
from typing import Any

import jiter
from pydantic import BaseModel, ValidationError
from pydantic_core import PydanticSerializationError

from ..facts.gates import GATES
from ..facts.record import MAX_BYTES, MAX_INT, Record, freeze, read_duration
from ..reasons import Reason, kind_of
from . import quick
from .declare import Undecided
from .functions import timestamp_of_string
from .types import DOUBLE, DURATION, INT, JSON, TIMESTAMP, Type
from .validation import not_json, reason_of
from .vocabulary import item_record, record_type

Chosen = Mapping[str, Type]
NO_CHOICES: Chosen = MappingProxyType({})
_OUTSIDE = Reason("a time outside the years 1 to 9999")


class Facts:
    """The facts of one gate, validated once. Made only by `RuleSet.facts` and `RuleSet.facts_from_json`.

    gate: its gate. record: the frozen record, or None. fault: why there is none; such facts are denied.
    chosen: the types of per-item choices that were checked. ids: those of the evidence, in order.
    values: the record as plain dicts, which compiled rules read; None if there is no record.
    """

    __slots__ = ("_record", "chosen", "fault", "gate", "ids", "values")

    def __init__(
        self,
        gate: str,
        record: Record | None,
        fault: Reason | None,
        chosen: Chosen,
        ids: tuple[str, ...] = (),
        values: dict[str, Any] | None = None,
    ) -> None:
        put = object.__setattr__
        put(self, "gate", gate)
        put(self, "_record", record)
        put(self, "fault", fault)
        put(self, "chosen", chosen)
        put(self, "ids", ids)
        put(self, "values", values)

    _record: Record | None
    gate: str
    fault: Reason | None
    chosen: Chosen
    ids: tuple[str, ...]
    values: dict[str, Any] | None

    @property
    def record(self) -> Record | None:
        """The frozen record; of facts that were read quickly it is made now, of their values."""
        if self._record is None and self.values is not None:
            object.__setattr__(self, "_record", record_of(GATES[self.gate].facts, self.values))
        return self._record

    @property
    def known(self) -> Record:
        """The same. Raises ValueError if there is none."""
        record = self.record
        if record is None:
            raise ValueError("facts without a record are not asked")
        return record

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("facts are frozen")

    def __repr__(self) -> str:
        return f"Facts({self.gate!r}, fault={self.fault!r})"


def from_mapping(gate: str, facts: object, chosen: Chosen = NO_CHOICES) -> Facts:
    """The facts of a mapping (or of a record of this gate, which is validated again)."""
    if gate not in GATES:
        return Facts(gate, None, Reason("unknown gate `{gate}`", gate=gate), chosen)
    try:
        given = dict(facts) if isinstance(facts, Mapping) else facts
        record: Record = GATES[gate].facts.model_validate(given)
        if not _settled(record):
            return Facts(gate, None, _OUTSIDE, chosen)
        size = len(record.model_dump_json(exclude_none=True, by_alias=True).encode("utf-8"))
    except ValidationError as why:
        return Facts(gate, None, reason_of(why, GATES[gate].facts), chosen)
    except (PydanticSerializationError, UnicodeEncodeError):
        return Facts(gate, None, Reason("text with a lone surrogate"), chosen)
    except Exception as why:  # noqa: BLE001  # a mapping is the caller's code and may raise anything
        return Facts(gate, None, Reason("facts that cannot be read: {kind}", kind=kind_of(why)), chosen)
    if size > MAX_BYTES:
        return Facts(gate, None, _too_large(size), chosen)
    return _finished(gate, record, chosen)


def from_json(gate: str, text: str | bytes, chosen: Chosen = NO_CHOICES) -> Facts:
    """The facts of a JSON text."""
    if gate not in GATES:
        return Facts(gate, None, Reason("unknown gate `{gate}`", gate=gate), chosen)
    if not isinstance(text, (str, bytes, bytearray, memoryview)):
        kind = kind_of(text)
        return Facts(gate, None, Reason("not JSON: text or bytes are expected, not {kind}", kind=kind), chosen)
    try:
        data = text.encode("utf-8") if isinstance(text, str) else bytes(text)
    except UnicodeEncodeError:
        return Facts(gate, None, Reason("text with a lone surrogate"), chosen)
    if len(data) > MAX_BYTES:
        return Facts(gate, None, _too_large(len(data)), chosen)
    values = quick.read(gate, data)
    if values is None:
        return _validated(gate, data, chosen)
    ids = tuple([item["id"] for item in values.get("evidence") or ()])
    if len(set(ids)) != len(ids):
        return _validated(gate, data, chosen)
    return Facts(gate, None, None, chosen, ids, values)


def _validated(gate: str, data: bytes, chosen: Chosen) -> Facts:
    """The same by the validator."""
    try:
        record: Record = GATES[gate].facts.__pydantic_validator__.validate_json(data)
        jiter.from_json(data, catch_duplicate_keys=True, allow_inf_nan=False)
    except ValidationError as why:
        return Facts(gate, None, reason_of(why, GATES[gate].facts, data), chosen)
    except (ValueError, RecursionError, TypeError) as why:
        return Facts(gate, None, not_json(str(why), data), chosen)
    if not _settled(record):
        return Facts(gate, None, _OUTSIDE, chosen)
    return _finished(gate, record, chosen)


def _too_large(size: int) -> Reason:
    return Reason("facts of {size} bytes; at most {limit} are read", size=size, limit=MAX_BYTES)


def _settled(record: Record) -> bool:
    """Writes the times of a record in UTC; whether all of them have a year there."""
    try:
        settle(record)
    except OverflowError:
        return False
    return True


def _finished(gate: str, record: Record, chosen: Chosen) -> Facts:
    """Ids unique, choices of earlier gates of their types. record: its times are in UTC."""
    evidence = record.__dict__.get("evidence")
    if evidence is None:
        return Facts(gate, record, None, chosen, (), values_of(record))
    ids = tuple([item.__dict__["id"] for item in evidence])
    if len(set(ids)) != len(ids):
        return Facts(gate, None, Reason("two items of evidence with one id"), chosen)
    if gate != "evidence":
        fault = _choices(evidence, chosen)
        if fault is not None:
            return Facts(gate, None, fault, chosen)
    return Facts(gate, record, None, chosen, ids, values_of(record))


class _Plan:
    """The attributes of a record that are timestamps, records, lists of records, and free-form JSON or maps."""

    def __init__(self, record: type[BaseModel]) -> None:
        times, self.records, self.lists, free = [], [], [], []
        for name, field in record.model_fields.items():
            info = record_type(record).fields.get(field.alias or name)
            if info is None or info.type == JSON or info.type.kind == "map":
                free.append(name)
            elif info.type == TIMESTAMP:
                times.append(name)
            elif info.type.kind == "record":
                self.records.append(name)
            elif info.type.kind == "list" and info.type.args[0].kind == "record":
                self.lists.append((name, item_record(record, name)))
        self.times, self.free = frozenset(times), frozenset(free)
        self.names = set(record.model_fields)


_plan = cache(_Plan)


def values_of(record: BaseModel) -> dict[str, Any]:
    """A record as the dict of its attributes, the records in it as dicts too."""
    plan = _plan(type(record))
    values = record.__dict__
    if not plan.records and not plan.lists:
        return values
    values = dict(values)
    for name in plan.records:
        if values[name] is not None:
            values[name] = values_of(values[name])
    for name, _ in plan.lists:
        if values[name] is not None:
            values[name] = tuple([values_of(item) for item in values[name]])
    return values


def record_of(kind: type[BaseModel], values: dict[str, Any]) -> Any:
    """The record of values that were checked; `values_of` gives them back."""
    plan = _plan(kind)
    if plan.records or plan.lists:
        values = dict(values)
        for name in plan.records:
            if values[name] is not None:
                values[name] = record_of(item_record(kind, name), values[name])
        for name, below in plan.lists:
            if values[name] is not None:
                values[name] = tuple([record_of(below, item) for item in values[name]])
    record = kind.__new__(kind)
    put = object.__setattr__
    put(record, "__dict__", values)
    put(record, "__pydantic_fields_set__", plan.names)
    put(record, "__pydantic_extra__", None)
    put(record, "__pydantic_private__", None)
    return record


def settle(record: BaseModel) -> None:
    """Writes every time of a fresh record in UTC, the one zone that the engine computes in."""
    plan = _plan(type(record))
    _times(record, plan.times)
    values = record.__dict__
    for name in plan.records:
        if values[name] is not None:
            settle(values[name])
    for name, kind in plan.lists:
        below = _plan(kind)
        flat = not below.records and not below.lists
        for item in values[name] or ():
            if flat:
                _times(item, below.times)
            else:
                settle(item)


def _times(record: BaseModel, times: frozenset[str]) -> None:
    values = record.__dict__
    for name in times & record.__pydantic_fields_set__:
        value = values[name]
        if value is not None and value.tzinfo is not UTC:
            values[name] = value.astimezone(UTC)


def _choices(evidence: tuple[Any, ...], chosen: Chosen) -> Reason | None:
    """Gives the choices that items carry their declared types; the fault if one has another."""
    for at, item in enumerate(evidence):
        carried = item.__dict__.get("chosen")
        if carried is None:
            continue
        if not isinstance(carried, Mapping):
            return Reason("`{path}`: {fault}", path=f"evidence[{at}].chosen", fault=Reason("a mapping is expected"))
        typed: dict[str, Any] = {}
        for name, value in carried.items():
            try:
                typed[name] = _typed(value, chosen[name]) if name in chosen else value
            except (ValueError, Undecided):
                fault = Reason("{type} is expected", type=chosen[name])
                return Reason("`{path}`: {fault}", path=f"evidence[{at}].chosen.{name}", fault=fault)
        item.__dict__["chosen"] = freeze(typed)
    return None


def _typed(value: Any, type_: Type) -> Any:
    """A value as the declared type of its choice. Raises ValueError or Undecided if it is none."""
    if value is None:
        return None
    if type_ == TIMESTAMP:
        return timestamp_of_string(value) if isinstance(value, str) else _instance(value, datetime)
    if type_ == DURATION:
        return _instance(read_duration(value), timedelta)
    if type_ == DOUBLE and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type_ == INT:
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) > MAX_INT:
            raise ValueError("no int")
        return value
    if type_.kind == "list":
        return tuple(_typed(item, type_.args[0]) for item in _instance(value, tuple))
    return _instance(value, {"bool": bool, "double": float, "string": str}.get(type_.kind, Mapping))


def _instance(value: Any, wanted: type) -> Any:
    if not isinstance(value, wanted):
        raise ValueError(f"no {wanted.__name__}")
    return value
