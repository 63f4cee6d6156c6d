"""Schemas that servers declare: what is checked, and what cannot be used."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.adapters.sources.mcp.errands import errand, faulty

from groundrule_adapters.sources.mcp.faults import McpFailure
from groundrule_adapters.sources.mcp.schema import Checker, unchecked_formats


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
    ],
)
def test_a_schema_that_cannot_be_used_fails_the_call(schema: dict[str, Any]) -> None:
    """Nothing passes because its schema is broken, and nothing is fetched to complete one."""
    with pytest.raises(McpFailure, match=r"^failed: a schema that the server declares"):
        Checker(schema).fault("x")


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
