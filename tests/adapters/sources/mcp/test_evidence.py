"""From a record to evidence: dates, text, ids, and what stays absent."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.adapters.sources.mcp.errands import FAULTY, NOW

from groundrule.facts import Evidence
from groundrule_adapters.sources.dates import read_date
from groundrule_adapters.sources.mcp import read_mapping
from groundrule_adapters.sources.mcp.evidence import Origin, evidence
from groundrule_adapters.sources.text import cleaned, cut

ORIGIN = Origin("run-1", "mcp:news", "news", "search", NOW, {"name": "server"})
RECORD = {"url": "https://a.example/1", "title": "T", "text": "Body"}

DATES = [line for line in FAULTY.splitlines() if "published" in line or line == "dates:"]
BASE = "\n".join(line for line in FAULTY.splitlines() if line not in DATES)


def item(more: str = "", _origin: Origin = ORIGIN, **record: Any) -> Evidence | None:
    """The evidence of a record under the test mapping, with further lines of it."""
    replaced = [line.partition(":")[0] for line in more.splitlines() if not line.startswith(" ")]
    kept = [line for line in BASE.splitlines() if line.partition(":")[0] not in replaced]
    dates = [] if "dates" in replaced else DATES
    return evidence(RECORD | record, read_mapping("\n".join([*kept, *dates, more]), "m.yaml"), _origin)


def test_what_is_declared_becomes_evidence() -> None:
    """Every field of an item is from the record, the mapping or us."""
    found = item(published="2026-11-29T08:00:00+08:00")
    assert found is not None
    assert (found.execution_id, found.adapter, found.source_type) == ("run-1", "mcp:news", "url")
    assert (found.title, found.target_url, found.snippet) == ("T", "https://a.example/1", "Body")
    assert (found.source_label, found.generated, found.retrieved_at) == ("a.example", False, NOW)
    assert found.dated_at == datetime(2026, 11, 29, tzinfo=UTC)
    assert (found.dated_origin, found.dated_resolution) == ("structured", timedelta(seconds=1))
    assert (found.freshness_score, found.authority_score, found.grounded_fields, found.chosen) == (None,) * 4


@pytest.mark.parametrize("published", [None, "", "yesterday", "2026", 1764288000, "2026-13-01", "2026-11-29T25:00:00Z"])
def test_a_missing_date_stays_absent(published: object) -> None:
    """What is no date without doubt is none, and the time of fetching never stands in for it."""
    found = item(published=published)
    assert found is not None
    assert (found.dated_at, found.dated_origin, found.dated_resolution) == (None, "none", None)


def test_a_crawl_date_is_no_date_of_the_content() -> None:
    """It is kept for the receipt and dates nothing; the next declared field may."""
    lines = """dates:
  - {field: crawled, kind: crawled, origin: provider}
  - {field: made, kind: modified, origin: provider}"""
    found = item(lines, crawled="2026-11-29")
    assert found is not None
    assert found.dated_at is None
    assert found.raw_metadata["dates"]["crawled"] == {"text": "2026-11-29", "kind": "crawled"}
    found = item(lines, crawled="2026-11-29", made="2026-11-01T00:00:00Z")
    assert found is not None
    assert (found.dated_at, found.dated_origin) == (datetime(2026, 11, 1, tzinfo=UTC), "provider")


def test_items_without_address_are_kept() -> None:
    """A record without URL, or with one of another scheme, is evidence as it stands; rules judge its address."""
    for url in (None, "", "ref://1"):
        found = item(url=url)
        assert found is not None
        assert found.target_url == (url or None)


def test_ids_are_unique_and_stable_within_an_execution() -> None:
    """The same text at another address, by another server or in another execution is another item."""
    records = [{}, {"url": "https://b.example/1"}, {"text": "Other"}, {"title": "U"}]
    found = [item(**record) for record in records]
    found += [
        item("", Origin("run-2", "mcp:news", "news", "search", NOW, {})),
        item("", Origin("run-1", "mcp:n2", "n2", "search", NOW, {})),
    ]
    ids = {one.id for one in found if one is not None}
    assert len(ids) == len(found)
    first, again = item(), item()
    assert first is not None
    assert again is not None
    assert first.id == again.id
    assert first.id.startswith("run-1:news:")


def test_one_address_in_several_spellings_is_one_item() -> None:
    """Case, the usual port and an empty path change nothing; a slash at the end, parameters and `www.` may."""
    same = ("https://a.example", "https://a.example/", "HTTPS://A.example:443/", "https://a.example./")
    others = ("https://a.example/manual", "https://a.example/manual/", "https://a.example/?lang=de", "https://www.a.example/")
    assert len({found.id for url in same if (found := item(url=url))}) == 1
    assert len({found.id for url in (same[0], *others) if (found := item(url=url))}) == 5
    assert [found.target_url for url in others if (found := item(url=url))] == list(others)


def test_what_a_model_wrote_is_marked() -> None:
    """A record that does not say that nobody generated it counts as generated where the mapping asks it."""
    for made, expected in ((True, True), (False, False), (None, True), ("no", True)):
        found = item("generated: {field: made}", made=made)
        assert found is not None
        assert found.generated is expected


def test_types_and_labels_may_come_from_the_record() -> None:
    """With a default where the record has none; texts that stand for nothing are nothing."""
    lines = "source_type: {field: kind, default: mcp_search}\nsource_label: {field: by}\nmissing: [N/A]"
    found = item(lines, kind="feishu", by="<b>Feishu</b> history\n")
    assert found is not None
    assert (found.source_type, found.source_label) == ("feishu", "Feishu history")
    found = item(lines, by="N/A")
    assert found is not None
    assert (found.source_type, found.source_label) == ("mcp_search", "a.example")


def test_the_servers_own_values_are_private() -> None:
    """Scores and ids go to the receipt, short, and in a form that facts can carry."""
    found = item("metadata: [score, id, parts, gone]", score=0.9, id=2**60, parts={"a": ["x" * 900]})
    assert found is not None
    kept = found.raw_metadata["fields"]
    assert (kept["score"], kept["id"]) == (0.9, str(2**60))
    assert len(kept["parts"]) == 500
    assert "gone" not in kept


def test_validity_covers_whole_days() -> None:
    """Of a day that ends the range the end counts; instants are taken as they are."""
    lines = "valid: {from: a, to: b, zone: Asia/Shanghai}"
    found = item(lines, a="2026-12-01", b="2026-12-05")
    assert found is not None
    assert found.valid_from == datetime(2026, 11, 30, 16, tzinfo=UTC)
    assert found.valid_to == datetime(2026, 12, 5, 16, tzinfo=UTC)
    found = item("valid: {from: a, to: b}", a="0001-01-01", b="9999-12-31")
    assert found is not None
    assert (found.valid_from, found.valid_to) == (None, datetime.max.replace(tzinfo=UTC))
    found = item(lines, a="2026-12-01T00:00:00Z", b="2026-12-05T06:00Z")
    assert found is not None
    assert found.valid_to == datetime(2026, 12, 5, 6, tzinfo=UTC)


def test_a_text_that_was_decoded_wrongly_is_no_evidence() -> None:
    """Many replacement characters mean that nobody knows what the page said."""
    assert item(text="\ufffd\ufffd天\ufffd气") is None
    assert item(text="One \ufffd in a text that is long enough to be read nevertheless. " * 9) is not None


_leaf = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(
    st.characters(codec=None), max_size=30
) | st.sampled_from(["9999-12-31", "0001-01-01", "https://a.example/", "\ud800", "<b>", "2026-11-29T23:59:60Z"])
_value = st.recursive(_leaf, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3))
_LINES = """valid: {from: a, to: b, zone: Asia/Shanghai}
source_label: {field: by}
metadata: [a, b, by, text]"""


@given(st.dictionaries(st.sampled_from(["url", "title", "text", "published", "a", "b", "by"]), _value, max_size=7))
def test_any_record_is_an_item_or_none(record: dict[str, Any]) -> None:
    """Whatever a server writes into its fields, one record ends neither the others nor the attempt."""
    found = item(_LINES, **record)
    assert found is None or found.snippet


def test_lone_surrogates_do_not_stop_an_item() -> None:
    """JSON inside text may carry halves of characters; facts do not."""
    found = item("metadata: [id]", title="a\ud800b", url="https://a.example/\udfff", id="\ud83d")
    assert found is not None
    assert found.title == "a\ufffdb"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <strong>b</strong> &amp; c", "a b & c"),
        ("x &lt;script&gt;alert(1)&lt;/script&gt; y", "x y"),
        ("x <style>p{}</style><!-- c --> y <br/>z", "x y z"),
        ("1 < 2 and 3 > 2, see <https://a.example/>", "1 < 2 and 3 > 2, see <https://a.example/>"),
        ("open <script>never closed", "open"),
        ("a\x00b\x1b[31mc\u202ed\u200be\ufeff\U000e0041f", "ab[31mcdef"),
        ("one\r\n\r\n\r\ntwo\tthree  four\u3000five", "one\n\ntwo three four five"),
        ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
    ],
)
def test_text_is_decoded_stripped_and_made_visible(text: str, expected: str) -> None:
    """Entities are decoded once and tags stripped then; what nobody sees is removed."""
    assert cleaned(text) == expected


@pytest.mark.parametrize("text", ["<" * 100_000, "<a " * 60_000, "<script>" * 30_000, "&" * 200_000, "<!--" * 50_000])
def test_cleaning_takes_linear_time(text: str) -> None:
    """Texts that make careless patterns take hours are done at once; the test would not end otherwise."""
    assert len(cleaned(text)) <= len(text)


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("天气预报", 2, "天气"),
        ("costs 12,345.67 yuan", 10, "costs"),
        ("short", 5, "short"),
        ("e\u0301e\u0301", 3, "e\u0301"),
        ("x" * 200, 100, "x" * 36),
        ("🌦🌦🌦", 2, "🌦🌦"),
    ],
)
def test_text_is_cut_by_code_points_and_not_inside_a_number(text: str, limit: int, expected: str) -> None:
    """A number that is cut would be another number."""
    assert cut(text, limit) == expected


DAY = timedelta(days=1)
SPREAD = timedelta(hours=26)


@pytest.mark.parametrize(
    ("text", "zone", "layouts", "start", "width"),
    [
        ("2026-11-29T12:00:00Z", None, (), "2026-11-29T12:00:00+00:00", timedelta(seconds=1)),
        ("2026-11-29 12:00+0800", None, (), "2026-11-29T04:00:00+00:00", timedelta(minutes=1)),
        ("2026-11-29T12:00:00.25+08:00", None, (), "2026-11-29T04:00:00.250000+00:00", timedelta(milliseconds=10)),
        ("2026-11-29T12:00:00.123456789Z", None, (), "2026-11-29T12:00:00.123456+00:00", timedelta(microseconds=1)),
        ("2026-11-29", "Asia/Shanghai", (), "2026-11-28T16:00:00+00:00", DAY),
        ("2026-11-29", None, (), "2026-11-28T10:00:00+00:00", DAY + SPREAD),
        ("2026-11-29T23:30", None, (), "2026-11-29T09:30:00+00:00", timedelta(minutes=1) + SPREAD),
        ("2026-11", "UTC", (), "2026-11-01T00:00:00+00:00", 30 * DAY),
        ("2026-12", "UTC", (), "2026-12-01T00:00:00+00:00", 31 * DAY),
        ("2026-03-29", "Europe/Paris", (), "2026-03-28T23:00:00+00:00", timedelta(hours=23)),
        ("29/11/2026", "UTC", ("%d/%m/%Y",), "2026-11-29T00:00:00+00:00", DAY),
        ("Nov 29, 2026 5 PM", "UTC", ("%b %d, %Y %I %p",), "2026-11-29T17:00:00+00:00", timedelta(hours=1)),
        ("29 Nov 2026 12:00:00 +0800", None, ("%d %b %Y %H:%M:%S %z",), "2026-11-29T04:00:00+00:00", DAY / 86_400),
    ],
)
def test_a_date_is_the_oldest_instant_it_can_mean(
    text: str, zone: str | None, layouts: tuple[str, ...], start: str, width: timedelta
) -> None:
    """Without zone a time is read where it is earliest, and its width says how uncertain that is."""
    stated = read_date(text, zone, layouts)
    assert stated is not None
    assert (stated.start.isoformat(), stated.width) == (start, width)


@pytest.mark.parametrize(
    "text",
    ["12", "May", "1764288000", "03/04/2026", "2月30日", "20261129", "2026-W48-7", "2026-11-29T24:00", "0000-01-01"],
)
def test_what_leaves_a_choice_is_no_date(text: str) -> None:
    """Numbers, words, ambiguous orders and impossible days are undated."""
    assert read_date(text) is None
