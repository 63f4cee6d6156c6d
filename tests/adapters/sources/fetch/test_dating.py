"""How old a page is by its own words: the oldest reading, its origin and width, or nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from groundrule_adapters.sources.fetch.dating import Dated, dated

NOW = datetime(2026, 11, 29, 4, 0, tzinfo=UTC)
SECOND, MINUTE, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(days=1)
ANYWHERE = timedelta(hours=26)
"""How far local times of one reading lie apart on earth."""


def of(headers: dict[str, str] | None = None, **reading: list[str]) -> Dated | None:
    return dated(reading, headers or {}, NOW)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "start", "width"),
    [
        ("3小时前", "2026-11-29 00:00", timedelta(hours=2)), ("发布于 3小时前", "2026-11-29 00:00", timedelta(hours=2)),
        ("2分鐘前", "2026-11-29 03:57", 2 * MINUTE), ("Updated 2 min ago", "2026-11-29 03:57", 2 * MINUTE),
        ("最近更新：1小时前", "2026-11-29 02:00", timedelta(hours=2)), ("2天前", "2026-11-25 10:00", 2 * DAY + timedelta(hours=2)),
        ("昨天 21:10", "2026-11-28 07:10", timedelta(hours=2, minutes=1)),
        ("发布时间：2026-11-29 10:31", "2026-11-28 20:31", ANYWHERE + MINUTE),
        ("2026年11月28日 10:31 来源：某某社", "2026-11-27 20:31", ANYWHERE + MINUTE),
        ("来源：某某网 2026-11-28", "2026-11-27 10:00", ANYWHERE + DAY), ("2026-11-28 08:00 更新", "2026-11-27 18:00", ANYWHERE + MINUTE),
        ("Published Nov 28, 2026", "2026-11-27 10:00", ANYWHERE + DAY),
        ("Posted on 28 November 2026 by Bob", "2026-11-27 10:00", ANYWHERE + DAY),
        ("发布时间：2026-11-29 10:31:05+08:00", "2026-11-29 02:31:05", SECOND),
    ],
)  # fmt: skip
def test_words_that_say_when_a_page_was_written(line: str, start: str, width: timedelta) -> None:
    """Chinese and English, relative and absolute; without a zone it may have been anywhere on earth."""
    found = of(lines=["Some title", line, "More text"])
    assert found is not None
    assert (found.origin, found.start, found.width) == ("text", at(start), width)


@pytest.mark.parametrize(
    "line",
    [
        "12", "May", "to", "a", "100M", "20110101", "1764288000", "03/04/2026", "半年前", "刚刚", "10:31", "11-28 09:20",
        "更新时间 10:31", "发布时间：11-28 09:20", "未来5天", "in 2 hours", "发表时间 2026年2月30日", "2026-12-05", "Date: March 3, 2024",
        "会议时间：2026-11-28", "The bridge opened on 3 March 2024.", "近三年", "2025", "活动日期：2026年11月20日至25日", "since 2026-11-01",
        "阅读 2026", "",
    ],
)  # fmt: skip
def test_what_is_no_date_of_the_page_is_none(line: str) -> None:
    """Numbers, words, events, and what can be read in two ways."""
    assert of(lines=[line]) is None


@pytest.mark.parametrize(
    ("text", "start", "width"),
    [
        ("2026-11-28T10:31:00+08:00", "2026-11-28 02:31", SECOND), ("2026-11-28T10:31:00Z", "2026-11-28 10:31", SECOND),
        ("Sat, 28 Nov 2026 10:31:00 GMT", "2026-11-28 10:31", SECOND), ("2026-11-28", "2026-11-27 10:00", ANYWHERE + DAY),
        ("2026-11-28T23:30", "2026-11-28 09:30", ANYWHERE + MINUTE), ("2026年11月28日", "2026-11-27 10:00", ANYWHERE + DAY),
    ],
)  # fmt: skip
def test_dates_for_machines(text: str, start: str, width: timedelta) -> None:
    """Their origin is structured data; a missing zone widens them."""
    found = of(published=[text])
    assert found is not None
    assert (found.origin, found.start, found.width) == ("structured", at(start), width)


@pytest.mark.parametrize(
    "text", ["2026", "28", "soon", "1764288000", "2026-13-01", "2026-02-30", "28/11/2026 maybe", "0001-01-01"]
)
def test_data_that_is_no_date_states_none(text: str) -> None:
    """A year alone, too."""
    found = of(published=[text])
    assert found is None or found.start.year == 1


def test_a_date_to_come_is_no_date_of_publication() -> None:
    """An expiry date in the data; the next best is taken, or none."""
    assert of(published=["2027-01-31"]) is None
    found = of(published=["2027-01-31"], modified=["2026-11-01T00:00:00Z"])
    assert found is not None
    assert found.text == "2026-11-01T00:00:00Z"


def test_of_several_dates_the_oldest_holds_and_the_exact_one() -> None:
    """One that says the same less exactly does not widen it."""
    exact = of(published=["2026-11-28", "2026-11-28T10:31:00+08:00"])
    assert exact is not None
    assert exact.width == SECOND
    older = of(published=["2026-11-28T10:31:00+08:00", "2026-11-20T08:00:00Z"])
    assert older is not None
    assert older.start == at("2026-11-20 08:00")


def test_published_goes_before_modified_and_data_before_words_before_headers() -> None:
    """A page that was touched today is not of today."""
    header = {"last-modified": "Sat, 28 Nov 2026 10:31:00 GMT"}
    lines, old, new = ["发布于 2026-11-25"], ["2026-11-01T00:00:00Z"], ["2026-11-28T00:00:00Z"]
    origins = [
        of(header, published=old, modified=new, lines=lines), of(header, modified=new, lines=lines),
        of(header, lines=lines), of(header),
    ]  # fmt: skip
    assert [found and (found.origin, found.text) for found in origins] == [
        ("structured", old[0]), ("structured", new[0]), ("text", "2026-11-25"), ("header", header["last-modified"]),
    ]  # fmt: skip


def test_last_modified_that_is_the_time_of_the_request_is_none() -> None:
    """The server made the page for us: that is when it was fetched, not how old it is."""
    assert of({"last-modified": "Sun, 29 Nov 2026 03:59:58 GMT"}) is None
    assert of({"last-modified": "Sun, 29 Nov 2026 01:00:00 GMT", "date": "Sun, 29 Nov 2026 01:00:10 GMT"}) is None
    assert of({"last-modified": "yesterday"}) is None


def test_ago_on_a_cached_page_is_counted_from_when_it_was_made() -> None:
    """By the Age header, by the Date header, whichever is older; headers in the future change nothing."""
    for header in (
        {"age": "7200"},
        {"date": "Sun, 29 Nov 2026 02:00:00 GMT"},
        {"age": "60", "date": "Sun, 29 Nov 2026 02:00:00 GMT"},
    ):
        found = of(header, lines=["3小时前"])
        assert found is not None
        assert found.start == at("2026-11-28 22:00")
    for header in ({"age": "-5"}, {"age": "x"}, {"date": "Sun, 29 Nov 2026 09:00:00 GMT"}):
        found = of(header, lines=["3小时前"])
        assert found is not None
        assert found.start == at("2026-11-29 00:00")


def test_times_without_a_role_count_if_they_agree() -> None:
    """Two different ones may belong to anything on the page."""
    one = of(times=["2026-11-28T10:00:00Z"])
    assert one is not None
    assert one.origin == "structured"
    assert of(times=["2026-11-28T10:00:00Z", "2026-11-27T10:00:00Z"]) is None


def test_the_time_of_fetching_is_never_a_date() -> None:
    """A page that says nothing is undated."""
    assert of({"date": "Sun, 29 Nov 2026 04:00:00 GMT"}, lines=["Hello"], published=[], modified=[], times=[]) is None
