"""JSON Schemas that servers declare for their tools.

Formats are checked, patterns are read by RE2 (which cannot back-track), a `$ref` is looked up nowhere else, and a
value is measured before any work is done on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any
from urllib.parse import quote

from .faults import McpFailure

MAX_VALUES = 20_000
"""Values in one result, objects and lists included."""
MAX_FORMATTED = 8_192
"""Code points of a text that has a format."""
_NEEDED = ("uri", "date-time")
_ASCII = "".join(map(chr, range(128)))


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
        self._validator: Any = extend(dialect, {"pattern": _pattern})(
            schema, registry=Registry(), format_checker=_formats()
        )

    def fault(self, value: object) -> str | None:
        """Where the value first breaks the schema and which keyword it breaks, without the value; None if it fits.

        What `unfit` finds is a fault whatever the schema says.
        """
        import re2
        from referencing.exceptions import Unresolvable

        found = unfit(value)
        if found is not None:
            return found
        try:
            error = next(self._validator.iter_errors(value), None)
        except (RecursionError, Unresolvable, re2.error) as unusable:
            raise McpFailure("failed", "a schema that the server declares cannot be evaluated") from unusable
        return None if error is None else f"{error.json_path} breaks `{error.validator}`"


def unfit(value: object) -> str | None:
    """Why a value is not taken as JSON at all: the place of a NaN or infinity, or more values than MAX_VALUES."""
    waiting: list[tuple[str, object]] = [("$", value)]
    seen = 0
    while waiting:
        place, one = waiting.pop()
        seen += 1
        if isinstance(one, float) and not math.isfinite(one):
            return f"{place} is no number of JSON"
        if isinstance(one, (Mapping, list)) and seen + len(waiting) + len(one) > MAX_VALUES:
            return f"it has more than {MAX_VALUES:,} values"
        if isinstance(one, Mapping):
            waiting.extend((f"{place}.{key}", inner) for key, inner in one.items())
        elif isinstance(one, list):
            waiting.extend((f"{place}[{at}]", inner) for at, inner in enumerate(one))
    return None


def _pattern(validator: Any, expression: str, value: Any, _: Any) -> Iterator[Any]:
    import re2
    from jsonschema import ValidationError

    if validator.is_type(value, "string") and re2.search(expression, value) is None:
        yield ValidationError("does not match")


@cache
def _formats() -> Any:
    """The format checkers of jsonschema, except that long texts have no format and that IRIs are checked as URIs.

    Its own check of IRIs takes a millisecond for two characters, so that one long address would hold up everything.
    """
    from jsonschema import Draft202012Validator, FormatChecker
    from jsonschema.exceptions import FormatError

    class Bounded(FormatChecker):
        def check(self, instance: object, format: str) -> None:
            if isinstance(instance, str) and len(instance) > MAX_FORMATTED:
                raise FormatError(f"longer than {MAX_FORMATTED:,} code points")
            if isinstance(instance, str) and format.startswith("iri"):
                instance, format = quote(instance, safe=_ASCII), format.replace("iri", "uri")
            super().check(instance, format)

    checker: Any = Bounded(())
    checker.checkers = Draft202012Validator.FORMAT_CHECKER.checkers
    return checker
