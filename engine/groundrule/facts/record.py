"""What every record of facts has in common: frozen, strict, absent where nothing is known.

A record crosses the border once. Afterwards its values are immutable and exact: text without lone surrogates,
finite doubles, ints that JSON can carry, timestamps in UTC with microseconds, tuples instead of lists.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from types import MappingProxyType
from typing import Annotated, Any, cast

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

from ..reasons import Reason, kind_of

MAX_INT = 2**53 - 1
"""The largest int that every JSON reader keeps exact (RFC 8259, section 6)."""
MAX_ITEMS, MAX_CLAIMS, MAX_CITATIONS, MAX_OPERANDS = 1_000, 500, 200, 10
MAX_TEXT = 1 << 20
"""Code points of one string."""
MAX_BYTES = 16 << 20
"""UTF-8 bytes of one set of facts."""
MAX_DEPTH = 64
"""Nesting of free-form JSON inside facts."""

# RFC 3339 with offset and at most six decimals; no leap second. Rust's regex has no look-around and needs none here.
# Minutes end at 59, of the offset too: readers of datetimes differ in whether they take more.
_CLOCK = "([01][0-9]|2[0-3]):[0-5][0-9]"
RFC3339 = rf"^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T{_CLOCK}:[0-5][0-9](\.[0-9]{{1,6}})?(Z|[+-]{_CLOCK})$"
NO_TIME = Reason("a time in RFC 3339 with offset and at most six decimals is expected")
DURATION = r"^-?[0-9]{1,12}(\.[0-9]{1,6})?s$"
_SECONDS = re.compile(DURATION, re.ASCII)
MAX_DURATION = timedelta(seconds=315_576_000_000)
"""About 10,000 years: the range of a CEL duration."""


def exact_text(value: str) -> str:
    """The text of a str of any class. What a class says of its values (equal, less, in another zone) is not asked."""
    return value if type(value) is str else str.__str__(value)


def exact_instant(value: object) -> datetime:
    """The instant of a datetime of any class, in UTC; its zone is asked once.

    Raises ValueError if it is no datetime, without offset, or outside the years 1 to 9999.
    """
    if type(value) is not datetime:
        if not issubclass(type(value), datetime):
            raise ValueError(NO_TIME)
        given: Any = value
        value = datetime.combine(datetime.date(given), datetime.timetz(given))
    if value.tzinfo is UTC:
        return value
    try:
        # `astimezone` would take the zone of the machine where there is no offset, so the offset is made a zone.
        offset = value.utcoffset()
        if offset is None:
            raise ValueError(NO_TIME)
        return value.replace(tzinfo=timezone(timedelta.__pos__(offset))).astimezone(UTC)
    except OverflowError:
        raise ValueError(Reason("a time outside the years 1 to 9999")) from None
    except Exception:  # noqa: BLE001  # a zone is the caller's code and may raise anything; without it there is no instant
        raise ValueError(NO_TIME) from None


def read_duration(value: object) -> object:
    """Seconds as a decimal string (`"10800s"`), which is how facts in JSON carry durations; a timedelta of any class.

    Anything else is left for the strict validator to refuse.
    """
    kind = type(value)
    if issubclass(kind, timedelta):
        value = timedelta.__pos__(cast("timedelta", value))
    elif issubclass(kind, str) and _SECONDS.fullmatch(text := exact_text(cast("str", value))):
        sign = -1 if text.startswith("-") else 1
        whole, _, decimals = text.strip("-s").partition(".")
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
    at = value if value.tzinfo is UTC else value.astimezone(UTC)
    return at.isoformat(timespec="microseconds")[:26] + "Z"


def freeze(value: object, depth: int = 0) -> object:
    """Free-form JSON as immutable values; what JSON cannot carry is a fault.

    Raises ValueError for NaN, infinity, an int beyond 2^53 - 1, a key that is not text, nesting over MAX_DEPTH.
    """
    if depth > MAX_DEPTH:
        raise ValueError("nested too deep")
    if value is None or value is True or value is False:
        return value
    kind, given = type(value), cast("Any", value)
    if issubclass(kind, str):
        return exact_text(given)
    if issubclass(kind, int):
        whole = int.__int__(given)
        if abs(whole) > MAX_INT:
            raise ValueError("an int beyond 2^53 - 1")
        return whole
    if issubclass(kind, float):
        if not math.isfinite(number := float.__float__(given)):
            raise ValueError("a number that is not finite")
        return number
    if issubclass(kind, datetime):
        return exact_instant(given)
    if issubclass(kind, timedelta):
        return read_duration(given)
    if issubclass(kind, list | tuple):
        return tuple([freeze(inner, depth + 1) for inner in (list if issubclass(kind, list) else tuple).__iter__(given)])
    if isinstance(value, Mapping):
        return MappingProxyType({key: freeze(inner, depth + 1) for key, inner in exact_items(given)})
    raise ValueError(Reason("a value of type {kind}", kind=kind_of(value)))


def exact_items(given: Mapping[Any, Any]) -> list[tuple[str, Any]]:
    """The entries that a mapping shows, read once. Raises ValueError for a key that is no text, or stands twice."""
    entries = list(given.items())
    if not all(issubclass(type(key), str) for key, _ in entries):
        raise ValueError("a key that is not text")
    found = [(exact_text(key), inner) for key, inner in entries]
    if len(dict(found)) != len(found):
        raise ValueError("a key that stands twice")
    return found


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
        given = core_schema.no_info_after_validator_function(exact_instant, core_schema.is_instance_schema(datetime))
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
    BeforeValidator(lambda value: dict(exact_items(value)) if isinstance(value, Mapping) else value),
    PlainSerializer(dict, return_type=dict[str, str]),
]
Text = Annotated[str, Field(max_length=MAX_TEXT)]
Texts = Annotated[tuple[Text, ...], Many(MAX_ITEMS)]
Int = Annotated[int, Field(ge=-MAX_INT, le=MAX_INT)]


def fact(en: str, zh: str, **extra: Any) -> Any:
    """A field that may be absent, described in both languages."""
    return Field(default=None, description=en, json_schema_extra={"description_zh": zh}, **extra)


def always(en: str, zh: str) -> Any:
    """A field that is always there, described in both languages."""
    return Field(description=en, json_schema_extra={"description_zh": zh})


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

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type[BaseModel], handler: GetCoreSchemaHandler) -> CoreSchema:
        schema: Any = handler(source)
        model = schema["schema"] if schema["type"] == "definitions" else schema
        for field in model["schema"].get("fields", {}).values() if model["type"] == "model" else ():
            _exact_words(field)
        return cast("CoreSchema", schema)


def _exact_words(holder: Any) -> None:
    """Lets the words of a field be compared as plain text: alone, the validator asks the value whether it equals one."""
    inner = holder.get("schema")
    if inner is None:
        return
    if inner["type"] != "literal":
        _exact_words(inner)
        return
    words = ", ".join(f"'{word}'" for word in inner["expected"])
    text = core_schema.custom_error_schema(
        core_schema.str_schema(strict=True), "literal_error", custom_error_context={"expected": words}
    )
    plain = core_schema.chain_schema([text, inner])
    holder["schema"] = core_schema.json_or_python_schema(json_schema=inner, python_schema=plain)
