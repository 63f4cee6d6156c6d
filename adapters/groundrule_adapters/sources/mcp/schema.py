"""JSON Schemas that servers declare for their tools.

Formats are checked, patterns are read by RE2 (which cannot back-track), and a `$ref` is looked up nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from .faults import McpFailure

_NEEDED = ("uri", "date-time")


def unchecked_formats() -> list[str]:
    """Formats that this installation would skip silently, but must not: empty if all is well."""
    from jsonschema import Draft202012Validator

    return [name for name in _NEEDED if name not in Draft202012Validator.FORMAT_CHECKER.checkers]


class Checker:
    """A schema ready to check values. Raises McpFailure (failed) if the schema cannot be used."""

    def __init__(self, schema: dict[str, Any]) -> None:
        from jsonschema import Draft202012Validator, SchemaError, validators
        from referencing import Registry

        dialect = validators.validator_for(schema, default=Draft202012Validator)
        try:
            dialect.check_schema(schema)
        except (SchemaError, RecursionError) as error:
            raise McpFailure("failed", "a schema that the server declares is no JSON Schema") from error
        extend: Any = validators.extend
        formats = Draft202012Validator.FORMAT_CHECKER
        ours = extend(dialect, {"pattern": _pattern})
        self._validator: Any = ours(schema, registry=Registry(), format_checker=formats)

    def fault(self, value: object) -> str | None:
        """Where the value first breaks the schema and which keyword it breaks, without the value; None if it fits.

        NaN and infinity, which JSON does not have, are faults whatever the schema says.
        """
        import re2
        from referencing.exceptions import Unresolvable

        place = not_finite(value)
        if place is not None:
            return f"{place} is no number of JSON"
        try:
            error = next(self._validator.iter_errors(value), None)
        except (RecursionError, Unresolvable, re2.error) as unusable:
            raise McpFailure("failed", "a schema that the server declares cannot be evaluated") from unusable
        return None if error is None else f"{error.json_path} breaks `{error.validator}`"


def not_finite(value: object, place: str = "$") -> str | None:
    """The place of the first NaN or infinity in a JSON value."""
    if isinstance(value, float):
        return None if math.isfinite(value) else place
    if isinstance(value, Mapping):
        inner = ((f"{place}.{key}", part) for key, part in value.items())
    elif isinstance(value, (list, tuple)):
        inner = ((f"{place}[{at}]", part) for at, part in enumerate(value))
    else:
        return None
    return next((found for at, part in inner if (found := not_finite(part, at)) is not None), None)


def _pattern(validator: Any, expression: str, value: Any, _: Any) -> Iterator[Any]:
    import re2
    from jsonschema import ValidationError

    if validator.is_type(value, "string") and re2.search(expression, value) is None:
        yield ValidationError("does not match")
