"""What is wrong with facts, in sentences: the validator's first fault as a reason in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ..diagnostics import nearest
from ..facts.record import NO_TIME, Record
from ..reasons import Reason

_OBJECT = Reason("an object is expected")
_KINDS: Mapping[str, Reason] = MappingProxyType(
    {
        # Only times have patterns and classes.
        **dict.fromkeys(("string_pattern_mismatch", "is_instance_of", "timezone_aware"), NO_TIME),
        **dict.fromkeys(("datetime_type", "datetime_parsing", "datetime_from_date_parsing"), NO_TIME),
        **dict.fromkeys(("model_type", "model_attributes_type", "dict_type", "mapping_type"), _OBJECT),
        **dict.fromkeys(("tuple_type", "list_type"), Reason("a list is expected")),
        **dict.fromkeys(("int_type", "int_from_float", "int_parsing_size"), Reason("an int is expected")),
        **dict.fromkeys(("time_delta_type", "time_delta_parsing"), Reason('a duration such as "10800s" is expected')),
        "bool_type": Reason("true or false is expected"),
        "string_type": Reason("text is expected"),
        "string_unicode": Reason("text with a lone surrogate"),
        "float_type": Reason("a number is expected"),
        "finite_number": Reason("a number that is not finite"),
        "invalid_key": Reason("a key that is not text"),
        "missing": Reason("it is missing"),
    }
)
"""By the validator's name of a fault; what is not here is said with its values below."""
_LINE = re.compile(r"(.*) at line (\d+) column (\d+)", re.DOTALL)


def reason_of(why: ValidationError, record: type[Record], data: bytes = b"") -> Reason:
    """The first fault of the validation of a record, with its place, without the value. data: the JSON text, if any."""
    errors = why.errors(include_url=False, include_input=False)
    first = errors[0]
    if first["type"] == "json_invalid":
        return not_json(str(first.get("ctx", {}).get("error", "")), data)
    steps = steps_of(first)
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in steps).lstrip(".")
    places = len({tuple(steps_of(error)) for error in errors})
    fault = _near(steps, record) if first["type"] == "extra_forbidden" else _fault(first["type"], first.get("ctx", {}))
    if places > 1:
        return Reason(
            "`{path}`: {fault} (and {count} more places)", path=path or "facts", fault=fault, count=places - 1
        )
    return Reason("`{path}`: {fault}", path=path or "facts", fault=fault)


def steps_of(error: ErrorDetails) -> list[int | str]:
    """The place of a fault without the names of validators, which have brackets; so may an unknown name, which stays."""
    loc, unknown = error["loc"], error["type"] == "extra_forbidden"
    return [
        step
        for at, step in enumerate(loc)
        if isinstance(step, int) or "[" not in step or (unknown and at == len(loc) - 1)
    ]


def not_json(problem: str, data: bytes) -> Reason:
    """A text that is no JSON. problem: the reader's words, which end with line and column, in bytes, if it knows them."""
    found = _LINE.fullmatch(problem[:200])
    if found is None:
        return Reason("not JSON")
    line, column = int(found[2]), int(found[3])
    before = data.split(b"\n", line)[line - 1 : line] or [b""]
    place = len(before[0][: max(column - 1, 0)].decode(errors="ignore")) + 1
    return Reason("not JSON, at line {line}, column {column}: {problem}", line=line, column=place, problem=found[1])


def _fault(kind: str, context: Mapping[str, Any]) -> Reason:
    match kind:
        case "value_error":
            said = context["error"].args[0]
            return said if isinstance(said, Reason) else Reason(said)
        case "literal_error":
            words = re.findall("'([^']*)'", str(context["expected"]))
            return Reason("one of {words} is expected", words=" ".join(f"`{word}`" for word in words))
        case "less_than_equal":
            return Reason("at most {limit} is allowed", limit=context["le"])
        case "greater_than_equal":
            return Reason("at least {limit} is allowed", limit=context["ge"])
        case "string_too_long":
            return Reason("at most {limit} code points are read", limit=context["max_length"])
        case "too_long":
            return Reason("at most {limit} elements are read", limit=context["max_length"])
    return _KINDS.get(kind) or Reason("a value that cannot stand here ({kind})", kind=kind)


def _near(steps: list[int | str], record: type[BaseModel]) -> Reason:
    """An unknown field, and the field of its record that was meant, if that is clear."""
    *above, name = steps
    holder: type[BaseModel] | None = record
    for step in above:
        if isinstance(step, str) and holder is not None:
            fields = {field.alias or key: field for key, field in holder.model_fields.items()}
            holder = next(_records(fields[step].annotation), None) if step in fields else None
    known = [] if holder is None else [field.alias or key for key, field in holder.model_fields.items()]
    near = nearest(str(name), known)
    if near is None:
        return Reason("there is no such field; docs/reference/facts.md lists them")
    return Reason("there is no such field; the nearest is `{near}`", near=near)


def _records(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _records(inner)
