"""JSON Schemas that servers declare for their tools.

Formats are checked, patterns are read by RE2 (which cannot back-track), a `$ref` is looked up nowhere else. Neither a
schema nor a value holds anything up: both are measured before work is done on them, and the work itself is counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any
from urllib.parse import quote

from .faults import McpFailure

MAX_VALUES = 20_000
"""Values in one result, objects and lists included."""
MAX_SCHEMA = 2_000
"""Values in one schema; the largest of real servers have some hundreds. Checking it takes half a millisecond for each."""
MAX_STEPS = 50_000
"""Keywords that are evaluated for one value. A few of a schema can ask for any number."""
MAX_DEPTH = 64
"""Levels of a schema, and keywords within keywords while it is evaluated. Beyond the limit of Python a library that is
written in Rust does not raise but panics, which is no `Exception`."""
MAX_FORMATTED = 8_192
"""Code points of a text that has a format."""
Keyword = Callable[[Any, Any, Any, Any], Iterator[Any]]
"""How jsonschema checks a keyword: given validator, keyword, value and schema, it gives the faults."""
_UNBOUNDED = frozenset({"unevaluatedProperties", "unevaluatedItems"})
"""Keywords whose evaluation is neither counted nor done with RE2."""
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

        values = list(islice(_values(schema), MAX_SCHEMA + 1))
        if len(values) > MAX_SCHEMA:
            raise McpFailure("failed", f"a schema that the server declares has more than {MAX_SCHEMA:,} values")
        if _depth(schema) > MAX_DEPTH or any(isinstance(value, dict) and _UNBOUNDED & value.keys() for value in values):
            raise McpFailure("failed", "a schema that the server declares cannot be evaluated")
        dialect = validators.validator_for(schema, default=Draft202012Validator)
        try:
            dialect.check_schema(schema)
        except (SchemaError, RecursionError) as error:
            raise McpFailure("failed", "a schema that the server declares is no JSON Schema") from error
        extend: Any = validators.extend
        ours = {"pattern": _pattern, "patternProperties": _pattern_properties, "uniqueItems": _unique_items}
        keywords = {**dialect.VALIDATORS, **ours, "additionalProperties": _additional_properties}
        counted = {name: self._counted(check) for name, check in keywords.items() if name in dialect.VALIDATORS}
        self._left = self._depth = 0
        self._validator: Any = extend(dialect, counted)(schema, registry=Registry(), format_checker=_formats())

    def fault(self, value: object) -> str | None:
        """Where the value first breaks the schema and which keyword it breaks, without the value; None if it fits.

        What `unfit` finds is a fault whatever the schema says.
        """
        import re2
        from referencing.exceptions import Unresolvable

        found = unfit(value)
        if found is not None:
            return found
        self._left, self._depth = MAX_STEPS, 0
        try:
            error = next(self._validator.iter_errors(value), None)
        except (RecursionError, Unresolvable, re2.error) as unusable:
            raise McpFailure("failed", "a schema that the server declares cannot be evaluated") from unusable
        return None if error is None else f"{error.json_path} breaks `{error.validator}`"

    def _counted(self, check: Keyword) -> Keyword:
        """The check of a keyword, paid for in steps: more for a long keyword, and for a fault, which quotes its value."""

        def counted(validator: Any, keyword: Any, value: Any, schema: Any) -> Iterator[Any]:
            self._pay(1 + (len(keyword) if isinstance(keyword, (list, dict)) else 0))
            self._depth += 1
            if self._depth > MAX_DEPTH:
                raise McpFailure("failed", "a schema that the server declares cannot be evaluated")
            for error in check(validator, keyword, value, schema) or ():
                self._pay(sum(1 + (len(one) // 50 if isinstance(one, str) else 0) for one in _values(value)) // 100)
                yield error
            self._depth -= 1

        return counted

    def _pay(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise McpFailure("failed", "a schema that the server declares takes too long to evaluate")


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


def _values(value: object) -> Iterator[object]:
    """The value and everything in it."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        yield one
        if isinstance(one, Mapping):
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)


def _depth(value: object) -> int:
    """How many levels a value has; more than MAX_DEPTH are not counted."""
    level, depth = [value], 0
    while level and depth <= MAX_DEPTH:
        inner = [one.values() if isinstance(one, Mapping) else one for one in level if isinstance(one, (Mapping, list))]
        level, depth = [each for one in inner for each in one], depth + 1
    return depth


def _pattern(validator: Any, expression: str, value: Any, _: Any) -> Iterator[Any]:
    import re2
    from jsonschema import ValidationError

    if validator.is_type(value, "string") and re2.search(expression, value) is None:
        yield ValidationError("does not match")


def _pattern_properties(validator: Any, patterns: Mapping[str, Any], value: Any, _: Any) -> Iterator[Any]:
    import re2

    if validator.is_type(value, "object"):
        for expression, inner in patterns.items():
            for name in value:
                if re2.search(expression, name) is not None:
                    yield from validator.descend(value[name], inner, path=name, schema_path=expression)


def _additional_properties(validator: Any, inner: Any, value: Any, schema: Mapping[str, Any]) -> Iterator[Any]:
    import re2
    from jsonschema import ValidationError

    if validator.is_type(value, "object"):
        patterns = schema.get("patternProperties", {})
        for name in value:
            if name in schema.get("properties", {}) or any(re2.search(one, name) for one in patterns):
                continue
            if inner is False:
                yield ValidationError("has a key that is not allowed")
            else:
                yield from validator.descend(value[name], inner, path=name)


def _unique_items(validator: Any, unique: bool, value: Any, _: Any) -> Iterator[Any]:
    from jsonschema import ValidationError

    if unique and validator.is_type(value, "array") and len({_key(item) for item in value}) < len(value):
        yield ValidationError("has an item twice")


def _key(value: object) -> Hashable:
    """Equal for values that JSON Schema takes for equal: 1 is 1.0, and true is not 1."""
    if isinstance(value, dict):
        return frozenset((name, _key(inner)) for name, inner in value.items())
    if isinstance(value, list):
        return tuple(_key(inner) for inner in value)
    return isinstance(value, bool), value


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
