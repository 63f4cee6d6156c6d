"""Schemas that servers declare: what is checked, and what cannot be used."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.adapters.sources.mcp.errands import errand, faulty

from groundrule_adapters.sources.mcp.faults import McpFailure
from groundrule_adapters.sources.mcp.schema import Checker, unchecked_formats


def nested(levels: int) -> dict[str, Any]:
    """A schema within a schema, so many times."""
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"not": schema}
    return schema


def tree(levels: int) -> dict[str, Any]:
    """A value of nodes within nodes."""
    return {"name": "x"} if levels == 0 else {"name": "x", "children": [tree(levels - 1)]}


NODE = {"$defs": {"n": {"properties": {"name": {"type": "string"}, "children": {"items": {"$ref": "#/$defs/n"}}}}}, "$ref": "#/$defs/n"}


@pytest.mark.parametrize(
    ("schema", "value", "fault"),
    [
        ({"type": "object"}, {}, None),
        ({"type": "object"}, [], "$ breaks `type`"),
        ({"properties": {"a": {"format": "uri"}}}, {"a": "no uri"}, "$.a breaks `format`"),
        ({"items": {"format": "date-time"}}, ["2026-11-29T00:00:00Z", "yesterday"], "$[1] breaks `format`"),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "format": "uri"}, "x y", "$ breaks `format`"),
        ({"pattern": "^(a+)+$"}, "a" * 200 + "!", "$ breaks `pattern`"),
        ({"pattern": "^(a+)+$"}, "a" * 200, None),
        ({}, {"a": [1.0, float("nan")]}, "$.a[1] is no number of JSON"),
        ({}, float("inf"), "$ is no number of JSON"),
        ({}, [{}] * 20_000, "it has more than 20,000 values"),
        ({"format": "uri"}, "https://a.example/" + "a" * 9_000, "$ breaks `format`"),
        ({"format": "iri"}, "https://a.example/" + "天" * 8_000, None),
        ({"format": "iri"}, "https://a.example/天 气", "$ breaks `format`"),
        ({"$defs": {"s": {"type": "string"}}, "items": {"$ref": "#/$defs/s"}}, [1], "$[0] breaks `type`"),
        ({"properties": {"a": {}}, "additionalProperties": False}, {"a": 1, "b": 2}, "$ breaks `additionalProperties`"),
        ({"additionalProperties": {"type": "string"}}, {"b": 2}, "$.b breaks `type`"),
        ({"patternProperties": {"^x": {"type": "string"}}}, {"x1": 2, "y": 3}, "$.x1 breaks `type`"),
        ({"patternProperties": {"^x": {}}, "additionalProperties": False}, {"x1": 2}, None),
        (
            {"patternProperties": {"^(a+)+$": {}}, "additionalProperties": False},
            {"a" * 60: 1, "a" * 60 + "!": 1},
            "$ breaks `additionalProperties`",
        ),
        (NODE, tree(12), None),
        (NODE, {"children": [tree(3), {"children": [{"name": 1}]}]}, "$.children[1].children[0].name breaks `type`"),
        ({"uniqueItems": True}, [1, True, "1", [1], {"a": 1}, {"a": True}, None], None),
        ({"uniqueItems": True}, [{"a": [1, 2]}, {"a": [1.0, 2]}], "$ breaks `uniqueItems`"),
        ({"uniqueItems": True}, [{"a": at, "b": None} for at in range(6_000)], None),
    ],
)
def test_a_fault_names_place_and_keyword(schema: dict[str, Any], value: object, fault: str | None) -> None:
    """Formats count, patterns cannot back-track, NaN never fits; the value itself is not repeated."""
    assert Checker(schema).fault(value) == fault


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "nonsense"},
        {"pattern": "(?=x)"},
        {"$ref": "#"},
        {"$ref": "https://schemas.example/evil.json"},
        {"$ref": "#/$defs/missing"},
        {"unevaluatedProperties": False},
        {"unevaluatedItems": False, "allOf": [{"$ref": "#"}]},
        {"allOf": [{"$ref": "#"}]},
        {"anyOf": [{"type": "integer"}, {"$ref": "#"}]},
        {"not": {"not": {"$ref": "#"}}},
        {"if": {"$ref": "#"}, "then": {}},
        nested(70),
        nested(150),
        nested(320),
        {"properties": {f"p{at}": {} for at in range(2_000)}},
    ],
)
def test_a_schema_that_cannot_be_used_fails_the_call(schema: dict[str, Any]) -> None:
    """Nothing passes because its schema is broken, and nothing is fetched to complete one."""
    with pytest.raises(McpFailure, match=r"^failed: a schema that the server declares"):
        Checker(schema).fault("x")


def doubling(keyword: str) -> dict[str, Any]:
    """A schema of a few lines that asks for 2 to the power of 25 checks."""
    steps = {f"s{at}": {keyword: [{"$ref": f"#/$defs/s{at + 1}"}] * 2} for at in range(25)}
    return {"$defs": {**steps, "s25": {}}, "$ref": "#/$defs/s0"}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (doubling("allOf"), {}), (doubling("oneOf"), {}),
        ({"anyOf": [{"type": "string"}] * 900}, {"a": "x" * 3_000_000}),
        ({"items": {"enum": [[at] for at in range(900)]}}, [[1]] * 900),
    ],
)  # fmt: skip
def test_a_schema_that_never_comes_to_an_end_is_given_up(schema: dict[str, Any], value: object) -> None:
    """The work is counted, since nothing could interrupt it; without the count this test would take hours."""
    with pytest.raises(McpFailure, match=r"^failed: a schema that the server declares takes too long to evaluate"):
        Checker(schema).fault(value)


@pytest.mark.anyio
async def test_without_format_checkers_no_server_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """jsonschema skips formats that it cannot check; an installation that lacks them is told so."""
    assert unchecked_formats() == []
    monkeypatch.delitem(Draft202012Validator.FORMAT_CHECKER.checkers, "date-time")
    source = faulty()
    fetched = await source.fetch(errand("fine"))
    assert fetched.outcome == "failed"
    assert (
        fetched.reason
        == "the formats ['date-time'] cannot be checked: “install rfc3339-validator and rfc3986-validator”"
    )
    await source.close()
