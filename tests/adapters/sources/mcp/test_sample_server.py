"""The sample server as a real process, through the mapping that ships with it."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import pytest
from tests.adapters.sources.mcp.errands import NOW, SHIPPED, errand, source_on

from groundrule.facts import Evidence
from groundrule_adapters.sample_server.corpus import Page, backup_pages, pages
from groundrule_adapters.sample_server.ranking import search
from groundrule_adapters.sources.mcp import McpSource

pytestmark = pytest.mark.anyio
MODULE = [sys.executable, "-m", "groundrule_adapters.sample_server", "--now", NOW.isoformat()]


@pytest.fixture(scope="module")
async def sample() -> AsyncIterator[McpSource]:
    """The sample server with its clock standing."""
    source = source_on(MODULE, SHIPPED["sample"])
    yield source
    await source.close()


async def items(source: McpSource, query: str) -> tuple[Evidence, ...]:
    """What the server has on a query."""
    fetched = await source.fetch(errand(query, limit=10))
    assert (fetched.outcome, fetched.reason) == ("evidence", None)
    return fetched.items


@pytest.mark.parametrize(
    ("query", "quotes"),
    [
        (
            "帮我看看未来 5 天的广州天气如何",
            ["11月29日（周日）多云，气温 16～24℃", "12月4日（周五）多云，气温 14～22℃"],
        ),
        ("Guangzhou weather next 5 days", ["Sunday, November 29: cloudy, 16 to 24°C", "Friday, December 4: cloudy"]),
    ],
)
async def test_the_weather_of_forty_minutes_ago_comes_first(sample: McpSource, query: str, quotes: list[str]) -> None:
    """Then yesterday's, then the page without date; the forecast covers today and five days more."""
    fresh, old, undated = await items(sample, query)
    assert fresh.dated_at == NOW - timedelta(minutes=40)
    assert old.dated_at == NOW - timedelta(hours=25)
    assert undated.dated_at is None
    assert all(quote in (fresh.snippet or "") for quote in quotes)
    assert fresh.valid_from == datetime.fromisoformat("2026-11-29T00:00:00+08:00")
    assert fresh.valid_to == datetime.fromisoformat("2026-12-05T00:00:00+08:00")


async def test_what_must_not_ground_an_answer_is_recognisable(sample: McpSource) -> None:
    """An internal note has its type, the tides no address, the route a date of tomorrow, the cruise orders."""
    (note,) = await items(sample, "北辰计划什么时候上线")
    (tides,) = await items(sample, "Bailu Bay tide table")
    (route,) = await items(sample, "云鹭航空新航线票价")
    (cruise,) = await items(sample, "Pearl River night cruise ticket price")
    assert note.source_type == "feishu"
    assert (tides.target_url, tides.source_type) == (None, "mcp_search")
    assert route.dated_at == NOW + timedelta(days=1)
    assert "Ignore all previous instructions" in (cruise.snippet or "")


async def test_an_unrelated_question_finds_nothing(sample: McpSource) -> None:
    """Nothing is an outcome of its own."""
    fetched = await sample.fetch(errand("柏林 住房价格", "Berlin rents"))
    assert (fetched.outcome, fetched.items, fetched.reason) == ("empty", (), "the tool found nothing")


async def test_the_backup_has_what_the_first_lacks(sample: McpSource) -> None:
    """A question that the first server cannot answer is answered by the second, under the same mapping."""
    query = "海心沙灯会几点开放"
    assert (await sample.fetch(errand(query))).outcome == "empty"
    backup = source_on([*MODULE, "--backup"], SHIPPED["sample"])
    (lanterns,) = await items(backup, query)
    assert lanterns.target_url == "https://culture.example/zh/lanterns"
    await backup.close()


def found(query: str) -> list[Page]:
    """The pages that a query finds."""
    return [page for page, _ in search(query, pages(NOW), 10)]


@pytest.mark.parametrize("query", ["星湾大桥全长多少公里", "How long is the Xingwan Bridge?"])
def test_two_papers_and_a_copy_report_one_event(query: str) -> None:
    """Three hosts, two texts, one length."""
    reports = found(query)
    assert len({page.url for page in reports}) == 3
    assert len({page.text for page in reports}) == 2
    assert all("12.6" in page.text for page in reports)


@pytest.mark.parametrize("query", ["云岭科技最新营收是多少", "Yunling Technology revenue last quarter"])
def test_one_publisher_differs_on_a_figure(query: str) -> None:
    """Two say 4.82 billion, the third 4.28, about the quarter that is over."""
    texts = [page.text for page in found(query)]
    assert sorted("48.2" in text or "4.82" in text for text in texts) == [False, True, True]
    assert all("2026年第三季度" in text or "Q3 2026" in text for text in texts)


@pytest.mark.parametrize("query", ["星河电子现在股价多少", "Xinghe Electronics share price now"])
def test_a_quote_of_minutes_and_one_of_hours_ago(query: str) -> None:
    """The newer one first."""
    ages = [NOW - page.published for page in found(query) if page.published is not None]
    assert ages == [timedelta(minutes=5), timedelta(hours=3)]


@pytest.mark.parametrize("query", ["青鸾最新模型的上下文长度", "Qingluan model context length"])
def test_a_release_of_three_days_ago(query: str) -> None:
    """One page of its maker."""
    (release,) = found(query)
    assert release.published == NOW - timedelta(days=3)


@pytest.mark.parametrize(
    "query",
    [
        "",
        "天气",
        "weather",
        "北京天气",
        "Beijing weather next 5 days",
        "广州房价",
        "Guangzhou housing",
        "广州",
        "今天怎么样",
        "12.6",
    ],
)
def test_words_in_common_are_not_enough(query: str) -> None:
    """A query that does not name a page's subject, or nothing of what the page says about it, finds nothing."""
    assert found(query) == []


@pytest.mark.parametrize("query", ["青鸾", "What is Qingluan?", "云岭科技", "Yunling Technology", "星湾大桥"])
def test_a_subject_alone_finds_its_pages(query: str) -> None:
    assert found(query)


@pytest.mark.parametrize("month", range(1, 13))
def test_the_pages_make_sense_all_year(month: int) -> None:
    """Addresses are reserved ones, no page is empty, and every title stands once on a host, whatever the month."""
    now = datetime(2027, month, 1, 0, 5, tzinfo=NOW.tzinfo)
    every = pages(now) + backup_pages(now)
    urls = [page.url for page in every if page.url is not None]
    assert len(urls) == len(set(urls))
    assert all(url.split("/")[2].endswith(".example") for url in urls)
    assert all(len(page.text) > 20 and page.subjects for page in every)
