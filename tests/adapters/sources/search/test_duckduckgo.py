"""How a result page is read."""

from __future__ import annotations

import pytest
from tests.adapters.sources.search.result_pages import (
    ANOMALY,
    NO_RESULTS,
    advertisement,
    result,
    result_page,
    wrapped,
)

from groundrule_adapters.sources.search.duckduckgo import ENDPOINT, parse, request

A = "https://a.example/page"


def read(page: str) -> dict[str, object]:
    return parse(page.encode(), charset="utf-8")


def urls(page: str) -> list[str]:
    hits = read(page)["hits"]
    assert isinstance(hits, list)
    return [hit["url"] for hit in hits]


def test_results_have_address_title_summary_and_date() -> None:
    """Marks and entities become text; midnight sharp is a day."""
    page = result_page(
        result(A, "Bay <b>Bridge</b> &amp; tunnel", "It is <b>312&nbsp;m</b> long.", "2026-11-28T00:00:00.0000000")
    )
    assert read(page) == {
        "hits": [{"url": A, "title": "Bay Bridge & tunnel", "snippet": "It is 312 m long.", "date": "2026-11-28"}]
    }


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/?q=a%2Bb", "https://a.example/?u=https%3A%2F%2Fb.example%2F", "https://a.example/?q=%D6%D0",
        "https://a.example/%E5%B9%BF?x=1&y=2#z", "http://a.example:8080/", "https://a.example/a+b",
    ],
)  # fmt: skip
def test_the_redirector_is_taken_off_and_its_target_decoded_once(url: str) -> None:
    """What was percent-encoded in the target stays so."""
    assert urls(result_page(result(url, "T"))) == [url]


@pytest.mark.parametrize("link", [A, A + "?uddg=https%3A%2F%2Fb.example%2F"])
def test_a_direct_link_is_taken_as_it_is(link: str) -> None:
    """Another site's parameter of that name is its own."""
    assert urls(result_page(result(A, "T", link=link))) == [link]


@pytest.mark.parametrize(
    "block",
    [
        advertisement("https://shop.example/", "Ad"), result(A, "Ad", classes="result--ad"),
        result(A, "Ad", link="https://duckduckgo.com/y.js?ad_domain=x"), result(A, "Ad", link=wrapped("https://duckduckgo.com/y.js?u=1")),
        result(A, "No target", link="//duckduckgo.com/l/?rut=1"), result(A, "Own page", link="/settings"),
        result(A, "Own page", link="https://help.duckduckgo.com/x"), result(A, "No host", link=wrapped("javascript:alert(1)")),
        result(A, "No address", link="http://[x"), result(A, "No address", link=wrapped("http://[::1/")),
        result(A, "No address", link="https://a.example\u2100/"),
    ],
)  # fmt: skip
def test_what_leads_to_an_advertiser_or_nowhere_is_dropped(block: str) -> None:
    """The results beside it stay."""
    good = result("https://b.example/", "T")
    assert urls(result_page(block, good)) == ["https://b.example/"]


def test_nothing_found_is_told_from_a_wall_and_from_an_unknown_layout() -> None:
    """Three ends, three outcomes."""
    assert read(NO_RESULTS) == {"hits": []}
    assert read(result_page(advertisement("https://shop.example/", "Ad"))) == {"hits": []}
    outcomes = [
        (read(page)["failure"] or [""])[0]  # type: ignore[index]
        for page in (
            ANOMALY,
            result_page(),
            "<html><body><div class='new-layout'>x</div></body></html>",
            "",
            "plain",
            "\x00",
        )
    ]
    assert outcomes == ["blocked", "failed", "failed", "failed", "failed", "failed"]


def test_a_layout_in_which_no_result_can_be_read_failed() -> None:
    """Blocks without a link are no empty answer."""
    page = result_page('<div class="result"><h2><a class="title" href="https://a.example/">T</a></h2></div>')
    assert read(page)["failure"][0] == "failed"  # type: ignore[index]


def test_queries_are_encoded() -> None:
    """In Chinese, with reserved characters, on an endpoint that has parameters of its own."""
    assert request(ENDPOINT, "广州 a&b=c#d", "zh") == f"{ENDPOINT}?q=%E5%B9%BF%E5%B7%9E+a%26b%3Dc%23d&kl=cn-zh"
    assert request("http://127.0.0.1/?k=1", "x", "en") == "http://127.0.0.1/?k=1&q=x&kl=wt-wt"
