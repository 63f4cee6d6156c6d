"""From plan to calls: what is asked, of whom, how often."""

from __future__ import annotations

import pytest
from tests.adapters.sources.mcp.errands import FAULTY, SHIPPED, errand

from groundrule.gateway.ports import Errand
from groundrule_adapters.sources.mcp import read_mapping
from groundrule_adapters.sources.mcp.arguments import addresses, calls_for
from groundrule_adapters.sources.mcp.faults import McpFailure


def asked(arguments: str, errand: Errand) -> list[dict[str, object]]:
    """The arguments of each call under a mapping with these declared arguments."""
    mapping = read_mapping(FAULTY.replace('{query: "{query}"}', arguments), "m.yaml")
    return [dict(call.arguments) for call in calls_for(mapping, errand)]


def test_there_is_one_call_for_each_query_and_at_most_three() -> None:
    """Repeated and blank queries are one call or none."""
    calls = asked('{q: "{query}"}', errand("a", "b", "a", " ", "c", "d"))
    assert calls == [{"q": "a"}, {"q": "b"}, {"q": "c"}]


def test_without_queries_the_topic_is_searched_and_then_the_question() -> None:
    """A plan without search phrases still asks for something; a plan without anything is refused."""
    assert asked('{q: "{query}"}', errand(topic="tides", question="When?")) == [{"q": "tides"}]
    assert asked('{q: "{query}"}', errand(question="When?")) == [{"q": "When?"}]
    with pytest.raises(McpFailure, match="refused: the plan has nothing to search for"):
        asked('{q: "{query}"}', errand())


def test_placeholders_keep_types_and_absent_ones_are_left_out() -> None:
    """A placeholder alone has the type of its value; one without value leaves its argument out."""
    plan = errand("x", limit=5, result_limit=9, language="zh")
    calls = asked('{q: "{query} ({language})", n: "{result_limit}", place: "{location_hint}", m: 7}', plan)
    assert calls == [{"q": "x (zh)", "n": 5, "m": 7}]
    with pytest.raises(McpFailure, match="refused: the plan has no `location_hint`"):
        asked('{q: "{query} in {location_hint}"}', plan)


def test_what_a_query_contains_is_not_filled_again() -> None:
    """Braces in the user's words are words."""
    calls = asked('{q: "{query} {topic}"}', errand("{topic} {x}", topic="T"))
    assert calls == [{"q": "{topic} {x} T"}]


@pytest.mark.parametrize(
    ("question", "domains", "expected"),
    [
        ("see https://a.example/p?q=1.", (), ["https://a.example/p?q=1"]),
        ("看 https://a.example/页面，谢谢", (), ["https://a.example/%E9%A1%B5%E9%9D%A2"]),
        ("HTTP://A.example and http://a.example/", (), ["http://a.example/"]),
        ("https://b.example/x", ("a.example",), ["https://b.example/x", "https://a.example/"]),
        (
            "none",
            ("https://a.example/p", "a b", "evil.example/..", "x@y.example", "localhost"),
            ["https://a.example/p"],
        ),
        ("https://user:pass@a.example/ https://a.example\\@b.example", (), ["https://a.example/"]),
        ("ftp://a.example javascript:alert(1) a.example", (), []),
        ("https://例子.中国/", (), ["https://xn--fsqu00a.xn--fiqs8s/"]),
    ],
)
def test_addresses_come_from_the_question_and_the_preferred_domains(
    question: str, domains: tuple[str, ...], expected: list[str]
) -> None:
    """Only http(s) addresses in the user's own words and plain domains of the plan are read, normalised."""
    assert addresses(question, domains) == expected


def test_a_page_is_asked_for_by_its_address() -> None:
    """The call gate sees the address that the tool will read."""
    mapping = SHIPPED["mcp-server-fetch"]
    (call,) = calls_for(mapping, errand(question="what is on http://a.example?"))
    assert call.url == "http://a.example/"
    assert call.arguments == {"url": "http://a.example/", "max_length": 20000}
    with pytest.raises(McpFailure, match="refused: the tool needs an address"):
        calls_for(mapping, errand("tides"))
