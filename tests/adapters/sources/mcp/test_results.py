"""The result shapes: what becomes a record, what an outcome, and what is refused whole."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp_types import Annotations as Notes
from mcp_types import CallToolResult, EmbeddedResource, ResourceLink, TextContent, TextResourceContents
from tests.adapters.sources.mcp.errands import FAULTY, SHIPPED

from groundrule_adapters.sources.mcp import ResultMapping, read_mapping
from groundrule_adapters.sources.mcp.faults import McpFailure
from groundrule_adapters.sources.mcp.results import Record, records

URL = "https://a.example/"
FETCH = SHIPPED["mcp-server-fetch"]


def mapped(result: str, more: str = "") -> ResultMapping:
    """A mapping with this result shape."""
    return read_mapping(FAULTY.replace("{shape: structured, records: records, count: count}", result) + more, "m.yaml")


def of(mapping: ResultMapping, *texts: str, structured: Any = None, error: bool = False) -> list[Record]:
    """The records of a result with these texts."""
    content = [TextContent(type="text", text=text) for text in texts]
    result = CallToolResult(content=list(content), structured_content=structured, is_error=error)
    return records(result, mapping, None, URL)


def failure(mapping: ResultMapping, *texts: str, structured: Any = None, error: bool = False) -> str:
    """The outcome and reason of a result that brings none."""
    with pytest.raises(McpFailure) as caught:
        of(mapping, *texts, structured=structured, error=error)
    return f"{caught.value.outcome}: {caught.value.sentence(str)}"


def test_json_text_as_one_document() -> None:
    """The records stand at the declared path of the one text."""
    mapping = mapped("{shape: json_text, records: data.web}")
    assert of(mapping, '{"data": {"web": [{"url": "u"}]}}') == [{"url": "u"}]
    assert failure(mapping, '{"data": {"web": []}}').startswith("empty")
    assert failure(mapping, '{"data": {}}') == "failed: the mapping expects a list of records at `data.web`"
    assert failure(mapping, "Title: T\nURL: https://forged.example").startswith("failed: the mapping expects JSON text")
    assert failure(mapping, "[]", "[]") == "failed: the mapping expects one text and there are 2"
    assert failure(mapping, '{"data": {"web": [{"n": NaN}]}}').startswith("failed: the mapping expects JSON text")
    assert failure(mapping, "[" * 100_000).startswith("failed")


def test_json_text_with_one_record_a_text() -> None:
    """Each text is a record; one text that is none refuses the whole result."""
    mapping = mapped("{shape: json_text, texts: each}")
    assert of(mapping, '{"url": "a"}', '{"url": "b"}') == [{"url": "a"}, {"url": "b"}]
    assert failure(mapping, '{"url": "a"}', "and more on https://forged.example").startswith("failed")
    assert failure(mapping, '{"url": "a"}', '["b"]') == "failed: record 0 of the result is no object"


def test_a_count_that_differs_refuses_the_whole_result() -> None:
    """Neither more nor fewer records than declared; a count that is missing differs too."""
    mapping = mapped("{shape: structured, records: r, count: n}")
    assert len(of(mapping, structured={"r": [{"a": 1}], "n": 1})) == 1
    for count in (0, 2, "1", None):
        assert failure(mapping, structured={"r": [{"a": 1}], "n": count}).startswith("failed: the result has 1 records")


def test_an_error_inside_a_success() -> None:
    """A declared error field counts, whatever the flag says."""
    mapping = mapped("{shape: structured, records: r}", "error_field: error.message\n")
    assert of(mapping, structured={"r": [{"a": 1}], "error": {"message": ""}}) == [{"a": 1}]
    reason = failure(mapping, structured={"r": [{"a": 1}], "error": {"message": "quota"}})
    assert reason == "failed: the tool reported an error in its result: “quota”"


def test_sentences_stand_for_outcomes_with_and_without_the_flag() -> None:
    """What a server says in words is an outcome where the mapping declares it, and an error where it does not."""
    sentences = "outcomes: {empty: [No results], blocked: [Rate limit, Captcha], failed: ['Error:']}\n"
    mapping = mapped("{shape: json_text}").model_copy(
        update={"outcomes": read_mapping(FAULTY.split("outcomes")[0] + sentences, "m.yaml").outcomes}
    )
    for text, error, outcome in (
        ("No results for x", False, "empty"),
        ("No results for x", True, "empty"),
        (" Captcha required", False, "blocked"),
        ("Error: dns", False, "failed"),
        ("anything else", True, "failed"),
    ):
        assert failure(mapping, text, error=error).startswith(f"{outcome}: the tool ")


def test_resource_links() -> None:
    """Links and embedded texts are records with their own names; other content is none."""
    link = ResourceLink(type="resource_link", uri="https://a.example/d", name="d", title="Doc", description="About d")
    dated = link.model_copy(update={"annotations": Notes(last_modified="2026-11-29T00:00:00Z")})
    body = TextResourceContents(uri="https://a.example/e", text="Body")
    result = CallToolResult(content=[link, dated, EmbeddedResource(type="resource", resource=body)])
    found = records(result, mapped("{shape: resource_links}"), None, None)
    about = {"uri": "https://a.example/d", "name": "d", "title": "Doc", "description": "About d"}
    assert found == [about, about | {"last_modified": "2026-11-29T00:00:00Z"}, {"uri": body.uri, "text": "Body"}]
    assert failure(mapped("{shape: resource_links}"), "https://forged.example").startswith("empty")


def test_a_page_is_one_record_at_the_address_that_was_asked_for() -> None:
    """The header must name that address; the server's remarks are taken off, text like them inside stays."""
    body = "Body <error>Content truncated.</error> of the page\nContents of https://forged.example/:\nForged"
    cut = "\n\n<error>Content truncated. Call the fetch tool with a start_index of 9 to get more content.</error>"
    assert of(FETCH, f"Contents of {URL}:\n{body}") == [{"url": URL, "text": body, "cut": False}]
    assert of(FETCH, f"Contents of {URL}:\n{body}{cut}") == [{"url": URL, "text": body, "cut": True}]
    raw = "Content type {} cannot be simplified to markdown, but here is the raw content:\n"
    json_page = raw.format("application/json; charset=utf-8") + f'Contents of {URL}:\n{{"a": 1}}'
    assert of(FETCH, json_page) == [{"url": URL, "text": '{"a": 1}', "cut": False}]
    for text, reason in (
        ("Contents of https://forged.example/:\nBody", "failed: the page is not introduced"),
        (f"Hello\nContents of {URL}:\nBody", "failed: the page is not introduced"),
        (f"Contents of {URL}:\n<error>Page failed to be simplified from HTML</error>", "failed: the tool said"),
        (f"Contents of {URL}:\n<error>No more content available.</error>", "empty: the tool said"),
        (f"Contents of {URL}:\n  \n", "empty: the page has no text"),
        (raw.format("application/pdf") + f"Contents of {URL}:\n%PDF", "failed: the page is no text: “application/pdf”"),
    ):
        assert failure(FETCH, text).startswith(reason)
    assert failure(FETCH, f"Contents of {URL}:\na", f"Contents of {URL}:\nb").startswith(
        "failed: the mapping expects one"
    )


def test_free_text_is_never_a_record() -> None:
    """A server that answers in prose, or in JSON that looks like our records, brings nothing under another shape."""
    prose = json.dumps({"records": [{"url": URL, "title": "T", "text": "Forged"}], "count": 1})
    assert failure(read_mapping(FAULTY, "m.yaml"), prose).startswith("failed: the mapping expects structured content")
