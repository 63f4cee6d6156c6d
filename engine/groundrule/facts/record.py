"""What every record of facts has in common: frozen, strict, absent where nothing is known.

A record crosses the border once. Afterwards its values are immutable and exact: text without lone surrogates,
finite doubles, ints that JSON can carry, timestamps in UTC with microseconds, tuples instead of lists.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PlainSerializer,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from ..reasons import Reason

MAX_INT = 2**53 - 1
"""The largest int that every JSON reader keeps exact (RFC 8259, section 6)."""
MAX_ITEMS, MAX_CLAIMS, MAX_CITATIONS = 1_000, 500, 200
MAX_TEXT = 1 << 20
"""Code points of one string."""
MAX_BYTES = 16 << 20
"""UTF-8 bytes of one set of facts."""
MAX_DEPTH = 64
"""Nesting of free-form JSON inside facts."""

# RFC 3339 with offset and at most six decimals; no leap second. Rust's regex has no look-around and needs none here.
RFC3339 = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})$"
DURATION = r"^-?[0-9]{1,12}(\.[0-9]{1,6})?s$"
MAX_DURATION = timedelta(seconds=315_576_000_000)
"""About 10,000 years: the range of a CEL duration."""


def read_duration(value: object) -> object:
    """Seconds as a decimal string (`"10800s"`), which is how facts in JSON carry durations; timedelta stays.

    Anything else is left for the strict validator to refuse.
    """
    if isinstance(value, str) and re.fullmatch(DURATION, value, re.ASCII):
        sign = -1 if value.startswith("-") else 1
        whole, _, decimals = value.strip("-s").partition(".")
        value = sign * timedelta(seconds=int(whole), microseconds=int(decimals.ljust(6, "0")))
    if isinstance(value, timedelta) and abs(value) > MAX_DURATION:
        raise ValueError("a duration of more than 315,576,000,000 seconds")
    return value


def write_duration(value: timedelta) -> str:
    """Seconds as a decimal string without superfluous zeros, for example `"0.5s"`."""
    micros = value // timedelta(microseconds=1)
    sign, micros = ("-", -micros) if micros < 0 else ("", micros)
    whole, rest = divmod(micros, 1_000_000)
    decimals = f".{rest:06d}".rstrip("0") if rest else ""
    return f"{sign}{whole}{decimals}s"


def write_timestamp(value: datetime) -> str:
    """UTC with six decimals and `Z`."""
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")


def freeze(value: object, depth: int = 0) -> object:
    """Free-form JSON as immutable values; what JSON cannot carry is a fault.

    Raises ValueError for NaN, infinity, an int beyond 2^53 - 1, a key that is not text, nesting over MAX_DEPTH.
    """
    if depth > MAX_DEPTH:
        raise ValueError("nested too deep")
    if isinstance(value, str) or value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        if abs(value) > MAX_INT:
            raise ValueError("an int beyond 2^53 - 1")
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError("a number that is not finite")
        return value
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError("a time without offset")
        return value.astimezone(UTC)
    if isinstance(value, timedelta):
        return value
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise ValueError("a key that is not text")
        return MappingProxyType({key: freeze(inner, depth + 1) for key, inner in value.items()})
    if isinstance(value, (list, tuple)):
        return tuple(freeze(inner, depth + 1) for inner in value)
    raise ValueError(Reason("a value of type {kind}", kind=type(value).__name__))


def thaw(value: object) -> object:
    """Plain dicts and lists of a frozen value, durations and timestamps as their text."""
    if isinstance(value, Mapping):
        return {key: thaw(inner) for key, inner in value.items()}
    if isinstance(value, tuple):
        return [thaw(inner) for inner in value]
    if isinstance(value, datetime):
        return write_timestamp(value)
    if isinstance(value, timedelta):
        return write_duration(value)
    return value


class _Timestamp:
    """An instant: RFC 3339 text with offset, or an aware datetime; read in Rust on the JSON path."""

    @staticmethod
    def __get_pydantic_core_schema__(source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        text = core_schema.str_schema(pattern=RFC3339, strict=True)
        read = core_schema.chain_schema([text, core_schema.datetime_schema(tz_constraint="aware", strict=False)])
        given = core_schema.chain_schema(
            [
                core_schema.is_instance_schema(datetime),
                core_schema.datetime_schema(tz_constraint="aware", strict=False),
            ]
        )
        return core_schema.json_or_python_schema(
            json_schema=read,
            python_schema=core_schema.union_schema([given, read], mode="left_to_right"),
            serialization=core_schema.plain_serializer_function_ser_schema(write_timestamp),
        )

    @staticmethod
    def __get_pydantic_json_schema__(schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"type": "string", "format": "date-time"}


class Many:
    """Says of `Annotated[tuple[X, ...], Many(limit)]`: at most `limit` elements, in Python a list or a tuple."""

    def __init__(self, limit: int) -> None:
        self.limit = limit

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        (item,) = handler(source)["items_schema"]
        many = core_schema.tuple_variable_schema(item, max_length=self.limit, strict=False)

        def listed(value: object) -> object:
            if not isinstance(value, (list, tuple)):
                raise ValueError("a list is expected")
            return value

        return core_schema.json_or_python_schema(
            json_schema=many,
            python_schema=core_schema.no_info_before_validator_function(listed, many),
        )


Timestamp = Annotated[datetime, _Timestamp]
Duration = Annotated[
    timedelta,
    BeforeValidator(read_duration),
    PlainSerializer(write_duration, return_type=str),
    WithJsonSchema({"type": "string", "pattern": DURATION, "description": 'seconds, for example "10800s"'}),
]
Json = Annotated[
    Any,
    BeforeValidator(freeze),
    PlainSerializer(thaw),
    WithJsonSchema({}),
]
TextMap = Annotated[
    Mapping[str, str],
    BeforeValidator(lambda value: dict(value) if isinstance(value, Mapping) else value),
    PlainSerializer(dict, return_type=dict[str, str]),
]
Text = Annotated[str, Field(max_length=MAX_TEXT)]
Texts = Annotated[tuple[Text, ...], Many(MAX_ITEMS)]
Int = Annotated[int, Field(ge=-MAX_INT, le=MAX_INT)]


def fact(en: str, zh: str, **extra: Any) -> Any:
    """A field that may be absent, described in both languages."""
    return Field(default=None, description=en, json_schema_extra={"description_zh": zh}, **extra)


class Record(BaseModel):
    """A frozen record. A field that is None is absent."""

    model_config = ConfigDict(
        frozen=True,
        strict=True,
        extra="forbid",
        allow_inf_nan=False,
        revalidate_instances="always",
        ser_json_inf_nan="null",
        hide_input_in_errors=True,
        use_attribute_docstrings=False,
        protected_namespaces=(),
    )
