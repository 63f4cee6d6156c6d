"""Mapping files: the shipped ones are valid, and a fault in one is told with its file and place."""

from __future__ import annotations

import json

import pytest
from tests.adapters.sources.mcp.errands import FAULTY, NOW, SHIPPED

from groundrule_adapters.sources.mcp import McpConfigError, open_sources, parse_config, read_mapping

GOOD = """\
mapping: 1
tool: search
arguments:
  query: "{query}"
result:
  shape: structured
  records: records
fields:
  snippet: [text]
source_type: url
generated: false
"""


def test_the_shipped_mappings_are_valid() -> None:
    """Every file of the folder is read, under the name of its server."""
    names = "brave-news brave-search ddgs ddgs-news duckduckgo everything exa firecrawl mcp-server-fetch sample searxng"
    assert set(SHIPPED) == {*names.split(), "tavily", "time"}


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (["npx", "-y", "@brave/brave-search-mcp-server", "--transport", "stdio"], "brave-search"),
        (["npx", "-y", "@brave/brave-search-mcp-server@2.1.4"], "brave-search"),
        (["/opt/bin/exa-mcp-server"], "exa"),
        (["uvx", "ddgs[mcp]==9.16.1", "mcp"], "ddgs"),
        (["python", "-m", "mcp_server_time"], "time"),
        (["uvx", "mcp-server-fetch"], "mcp-server-fetch"),
        (["npx", "exa-mcp-server-of-somebody-else"], None),
        (["npx", "@brave/other"], None),
    ],
)
def test_a_server_needs_no_mapping_by_name_where_its_command_names_its_package(
    command: list[str], name: str | None
) -> None:
    """The package is recognised with a version or extras, as a program and as a module; nothing like it is."""
    mappings = SHIPPED
    entry = {"command": command[0], "args": command[1:]}
    opened = open_sources(parse_config(json.dumps({"mcpServers": {"s": entry}}), "mcp.json"), mappings, {}, lambda: NOW)
    assert [source.mapping for source in opened.sources] == ([mappings[name]] if name else [])
    assert set(opened.left_out) == (set() if name else {"s"})


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("mapping: 1", "mapping: 2", "mappings/m.yaml: 1:1: mapping: Input should be 1"),
        ("tool: search\n", "", "mappings/m.yaml: 1:1: `tool` is missing"),
        ("tool: search", "tool: 3", "mappings/m.yaml: 2:1: tool: Input should be a valid string"),
        ("source_type: url", "source_typ: url", "mappings/m.yaml: 10:1: unknown key `source_typ`"),
        ("source_type: url", "source_typ: url", "did you mean `source_type`?"),
        ("  records: records", "  record: records", "mappings/m.yaml: 7:3: unknown key `record`"),
        ("shape: structured", "shape: table", "mappings/m.yaml: 5:1: result"),
        ("[text]", "[]", "mappings/m.yaml: 9:3: fields.snippet"),
        ("[text]", "[text, 'a b']", "mappings/m.yaml: 9:19: fields.snippet[1]"),
        ("generated: false\n", "", "`generated` is missing"),
        ('"{query}"', '"{query} {Topic}"', "unknown placeholder `{Topic}`; did you mean `topic`?"),
        ('"{query}"', '"{query} {url}"', "exclude each other"),
        ("shape: structured\n  records: records", "shape: page\n  header: 'At {url}:'", "an argument must be `{url}`"),
        ("tool: search", "tool: search\ntool: other", "mappings/m.yaml: 3:1: the key `tool` stands twice"),
        ("tool: search", "tool: &a search", "mappings/m.yaml: 2:7: anchors"),
        (GOOD, "", "empty"),
        (GOOD, "[" * 1_000, "mappings/m.yaml: 1:"),
        ("tool:", "\ttool:", "mappings/m.yaml: 2:1"),
        ("generated: false", "generated: no", "mappings/m.yaml: 11:1: generated"),
        (
            "generated: false",
            "generated: false\ndates: [{field: d, kind: published, origin: structured, zone: Mars/Base}]",
            "mappings/m.yaml: 12:57: dates[0].zone: `Mars/Base` is no IANA time zone",
        ),
    ],
)
def test_a_fault_is_told_with_its_place(old: str, new: str, message: str) -> None:
    """Each change to a good mapping is refused, and the error points at it."""
    assert read_mapping(GOOD, "mappings/m.yaml").tool == "search"
    with pytest.raises(McpConfigError) as caught:
        read_mapping(GOOD.replace(old, new), "mappings/m.yaml")
    assert message in str(caught.value)


def test_words_and_numbers_are_read_by_yaml_1_2() -> None:
    """`no`, durations and instants are text; numbers and true are what they look like."""
    mapping = read_mapping(
        FAULTY.replace("{query: ", "{a: no, b: 5m, c: 2026-11-29T00:00:00Z, d: 3, e: 0.5, f: true, query: "), "m.yaml"
    )
    expected = {"a": "no", "b": "5m", "c": "2026-11-29T00:00:00Z", "d": 3, "e": 0.5, "f": True, "query": "{query}"}
    assert mapping.arguments == expected
