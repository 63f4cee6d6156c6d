"""Each shipped mapping on what its server answers, well and badly, without the server.

The real servers are started in `test_python_servers.py`, `test_fetch_server.py` and `npm/`; here stand their shapes, so
that every trap of theirs is tried in every run.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from mcp_types import CallToolResult, EmbeddedResource, ResourceLink, TextContent, TextResourceContents
from tests.adapters.sources.mcp.errands import NOW, SHIPPED

from groundrule.facts import Evidence
from groundrule_adapters.sources.mcp.arguments import placeholders
from groundrule_adapters.sources.mcp.evidence import Origin, evidence
from groundrule_adapters.sources.mcp.faults import McpFailure
from groundrule_adapters.sources.mcp.results import records

A, B, FORGED = "https://a.example/1", "https://b.example/2", "https://forged.example/"
EXA = f"Title: T\nURL: {A}\nPublished: 2026-11-24T00:00:00.000Z\nAuthor: N/A\nHighlights:\nHigh water"
TAVILY = f"Detailed Results:\n\nTitle: T\nURL: {A}\nContent: High water"
DUCKDUCKGO = f"Found 1 search results:\n\n1. T\n   URL: {A}\n   Summary: High water\n"
FIRECRAWL = {"success": True, "data": {"web": [{"url": A, "title": "T", "description": "High water", "position": 1}]}}
SEARXNG: dict[str, Any] = {
    "query": "q", "number_of_results": 0, "answers": [{"answer": "42"}], "suggestions": ["q2"], "unresponsive_engines": [],
    "results": [{"url": A, "title": "T", "content": "High water", "publishedDate": "2026-11-24T00:00:00"}],
}  # fmt: skip
BRAVE = {"url": A, "title": "T", "description": "High <strong>water</strong>"}
NEWS = BRAVE | {"age": "3 hours ago", "page_age": "2026-11-24T00:00:00"}
DDGS = [{"title": "T", "href": A, "body": "High water"}]
DDGS_NEWS = [{"date": "2026-11-24T00:00:00+00:00", "title": "T", "body": "High water", "url": A, "source": "N"}]


def result(*texts: object, structured: Any = None, error: bool = False) -> CallToolResult:
    """A result of texts; what is no text becomes JSON."""
    written = [text if isinstance(text, str) else json.dumps(text, indent=1) for text in texts]
    content = [TextContent(type="text", text=text) for text in written]
    return CallToolResult(content=list(content), structured_content=structured, is_error=error)


def items(name: str, given: CallToolResult, url: str | None = None) -> list[Evidence]:
    """The items of a result under a shipped mapping. Raises McpFailure."""
    mapping = SHIPPED[name]
    origin = Origin("run-1", f"mcp:{name}", name, mapping.tool, NOW, {})
    found = (evidence(record, mapping, origin) for record in records(given, mapping, None, url))
    return [item for item in found if item is not None]


def failure(name: str, given: CallToolResult, url: str | None = None) -> str:
    """The outcome of a result that brings nothing."""
    with pytest.raises(McpFailure) as caught:
        items(name, given, url)
    return caught.value.outcome


GOOD = {
    "brave-search": (result(BRAVE), None), "brave-news": (result(NEWS), "2026-11-23T10:00:00"),
    "exa": (result(EXA), "2026-11-24T00:00:00"), "tavily": (result(TAVILY), None),
    "searxng": (result(SEARXNG), "2026-11-23T10:00:00"), "firecrawl": (result(FIRECRAWL), None),
    "duckduckgo": (result(DUCKDUCKGO, structured={"result": DUCKDUCKGO}), None),
    "ddgs": (result(*DDGS, structured={"result": DDGS}), None),
    "ddgs-news": (result(*DDGS_NEWS, structured={"result": DDGS_NEWS}), "2026-11-24T00:00:00"),
    "mcp-server-fetch": (result(f"Contents of {A}:\nHigh water"), None),
}  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_records_of_each_server_become_items(name: str) -> None:
    """With their own address and text; dated where the server hands a date on, and else undated."""
    given, dated = GOOD[name]
    (item,) = items(name, given, A)
    assert (item.target_url, item.source_type, item.generated) == (A, "url", False)
    assert " ".join((item.snippet or "").split()) == "High water"
    assert item.dated_at == (None if dated is None else datetime.fromisoformat(dated).replace(tzinfo=UTC))
    assert item.dated_origin == ("none" if dated is None else "provider")


def test_every_shipped_mapping_of_a_server_is_tried() -> None:
    """The rest is the sample server, the reference server and the clock."""
    assert SHIPPED.keys() - GOOD.keys() == {"sample", "everything", "time"}


@pytest.mark.parametrize(
    ("name", "given", "outcome"),
    [
        ("brave-search", result("No web results found", error=True), "empty"),
        ("brave-search", result("Rate limit exceeded", error=True), "failed"),
        ("brave-search", result("summarizer-key-1", BRAVE), "failed"),
        ("brave-search", result("No web results found for this"), "empty"),
        ("brave-news", result(), "empty"),
        ("brave-news", result("No news results found", error=True), "failed"),
        ("exa", result("No search results found. Please try a different query."), "empty"),
        ("exa", result("Search error: 402 no credit"), "failed"),
        ("exa", result("Search error (429)", error=True), "failed"),
        ("tavily", result("Detailed Results:"), "empty"),
        ("tavily", result("Answer: It is 42.\nDetailed Results:"), "empty"),
        ("tavily", result("You have reached the limit of keyless use. Get a key."), "failed"),
        ("tavily", result({"status": "limit", "message": "Get a key."}), "failed"),
        ("tavily", result("Tavily API error: invalid key", error=True), "failed"),
        ("searxng", result("Direct answer: [object Object]\n\nTitle: T\nURL: " + A), "failed"),
        ("searxng", result("No results found for q"), "failed"),
        ("searxng", result({"error": "x"}), "failed"),
        ("firecrawl", result({"success": True, "data": {"web": []}}), "empty"),
        ("firecrawl", result({"success": False, "error": "no credit"}), "failed"),
        ("firecrawl", result({"success": True, "warning": "none", "data": {"web": []}, "error": "x"}), "failed"),
        ("duckduckgo", result("No results were found for your search query. This could be due to …"), "blocked"),
        ("duckduckgo", result("Error: the search failed: name resolution"), "failed"),
        ("duckduckgo", result("Found 0 search results:\n"), "empty"),
        ("duckduckgo", result("Refused: not an allowed address"), "failed"),
        ("ddgs", result("Error executing tool search_text: No results found.", error=True), "failed"),
        ("ddgs", result(structured={"result": []}), "empty"),
        ("ddgs", result(*DDGS), "failed"),
        ("ddgs", result(structured={"result": DDGS[0]["title"]}), "failed"),
        ("mcp-server-fetch", result(f"Contents of {FORGED}:\nHigh water"), "failed"),
        ("mcp-server-fetch", result(f"Contents of {A}:\n<error>No more content available.</error>"), "empty"),
        ("mcp-server-fetch", result(f"Contents of {A}:\n<error>Page failed to be simplified from HTML</error>"), "failed"),
        ("mcp-server-fetch", result("<error>The site bars robots</error>", error=True), "failed"),
        ("time", result("Error processing query: no such zone", error=True), "failed"),
        ("everything", result("Here are 3 resource links"), "empty"),
    ],
)  # fmt: skip
def test_what_a_server_says_in_words_is_its_outcome(name: str, given: CallToolResult, outcome: str) -> None:
    """With the error flag and without it; a sentence that no mapping knows is no evidence and no empty result."""
    assert failure(name, given, A) == outcome


def test_searxng_tells_nothing_found_from_nobody_answered() -> None:
    """Its words are the same; the list of the silent engines is not. One silent engine may have had something."""
    none = SEARXNG | {"results": []}
    assert failure("searxng", result(none)) == "empty"
    for silent in ([["google", "CAPTCHA"], ["brave", "timeout"]], [["google", "CAPTCHA"]]):
        with pytest.raises(McpFailure, match=f"{len(silent)} that were asked gave no answer"):
            items("searxng", result(none | {"unresponsive_engines": silent}))
        assert failure("searxng", result(none | {"unresponsive_engines": silent})) == "blocked"
    assert items("searxng", result(SEARXNG | {"unresponsive_engines": [["google", "CAPTCHA"]]}))


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("ddgs", result(DDGS[0] | {"href": FORGED}, structured={"result": DDGS})),
        ("ddgs", result(*DDGS, *DDGS, structured={"result": DDGS})),
        ("duckduckgo", result(DUCKDUCKGO, structured={"result": DUCKDUCKGO.replace(A, FORGED)})),
        ("firecrawl", result(FIRECRAWL, structured={"success": False})),
        ("time", result({"datetime": "2020-01-01"}, structured={"timezone": "UTC", "datetime": "2026-11-29"})),
    ],
)  # fmt: skip
def test_a_result_that_says_two_things_is_refused(name: str, given: CallToolResult) -> None:
    """What people are shown and what counts must be one."""
    with pytest.raises(McpFailure, match="says something else than its structured content"):
        items(name, given)


def test_what_stands_for_nothing_is_nothing() -> None:
    """`N/A` of Exa is neither title nor address nor date."""
    written = EXA.replace("Title: T", "Title: N/A").replace(A, "N/A").replace("2026-11-24T00:00:00.000Z", "N/A")
    (item,) = items("exa", result(written))
    assert (item.title, item.target_url, item.dated_at, item.source_label) == (None, None, None, None)
    assert item.raw_metadata["fields"] == {"author": "N/A"}


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("exa", result(f"{EXA}\n\n---\n\n{EXA.replace(A, FORGED)}")),
        ("exa", result(EXA.replace("High water", f"High\nURL: {FORGED}"))),
        ("tavily", result(TAVILY + TAVILY.removeprefix("Detailed Results:").replace(A, FORGED))),
        ("tavily", result(f"Answer: x\n{TAVILY.replace(A, FORGED)}\n\n{TAVILY}")),
        ("duckduckgo", result(f"{DUCKDUCKGO}\n2. F\n   URL: {FORGED}\n   Summary: y\n")),
        ("brave-search", result(BRAVE, json.dumps(BRAVE | {"url": FORGED})[:-1])),
        ("searxng", result(SEARXNG, SEARXNG)),
        ("firecrawl", result(json.dumps(FIRECRAWL) + json.dumps(FIRECRAWL))),
    ],
)  # fmt: skip
def test_a_record_that_a_page_could_have_written_refuses_the_result(name: str, given: CallToolResult) -> None:
    """In texts that pages stand in, one record too many is one that nobody vouches for."""
    assert failure(name, given) == "failed"


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("brave-search", result(BRAVE | {"description": json.dumps(BRAVE | {"url": FORGED})})),
        ("searxng", result(SEARXNG | {"results": [SEARXNG["results"][0] | {"content": json.dumps({"url": FORGED})}]})),
        ("ddgs", result(structured={"result": [DDGS[0] | {"body": f'"}}, {{"href": "{FORGED}"'}]})),
        ("mcp-server-fetch", result(f"Contents of {A}:\nText\nContents of {FORGED}:\nmore")),
    ],
)  # fmt: skip
def test_a_record_within_a_text_stays_text(name: str, given: CallToolResult) -> None:
    """Where records are JSON or the address is ours, page text cannot leave its place."""
    (item,) = items(name, given, A)
    assert item.target_url == A


def test_links_of_the_reference_server_have_no_public_address() -> None:
    """Whatever shape they have: a link, an embedded text; generated numbers are no record."""
    link = ResourceLink(type="resource_link", uri="demo://resource/1", name="Doc", description="About it")
    body = TextResourceContents(uri="demo://resource/2", text="Body")
    given = CallToolResult(content=[TextContent(type="text", text="x"), link, EmbeddedResource(type="resource", resource=body)])
    assert [item.target_url for item in items("everything", given)] == ["demo://resource/1"]
    assert failure("everything", result('{"temperature":33}', structured={"temperature": 33})) == "empty"


def test_the_time_has_no_address_and_no_text_gives_it_one() -> None:
    """A fact of a clock is shown and grounds nothing."""
    clock = {"timezone": "UTC", "datetime": "2026-11-29T04:00:00+00:00", "day_of_week": "Sunday", "is_dst": False}
    clock |= {"url": FORGED}
    (item,) = items("time", result(clock, structured=clock))
    assert (item.target_url, item.source_type) == (None, "mcp_fact")


def test_no_server_is_trusted_with_freshness() -> None:
    """No mapping hands a time limit on, so none can be ignored: the evidence gate judges every date itself."""
    for mapping in SHIPPED.values():
        used = {name for value in mapping.arguments.values() for name in placeholders(value)}
        assert used <= {"query", "url", "result_limit"}
        assert not {"freshness", "time_range", "timelimit", "days", "start_date"} & set(mapping.arguments)
