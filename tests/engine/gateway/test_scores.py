"""The scores that put items in order, and what the pipeline says an item names."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from groundrule.facts import Evidence, ExternalQueryPlan
from groundrule.gateway.scores import LIFE, freshness_score, grounded_fields
from groundrule.gateway.window import window

NOW = datetime(2026, 4, 15, 8, 0, tzinfo=UTC)


def item(age: timedelta | None, origin: Any = "structured", **more: Any) -> Evidence:
    dated = None if age is None else NOW - age
    return Evidence(id="a", dated_at=dated, dated_origin=origin, retrieved_at=NOW, **more)


@pytest.mark.parametrize("kind", LIFE)
def test_a_quarter_of_the_trust_is_left_at_the_age_limit(kind: str) -> None:
    """The score is the trust up to the grace, and a quarter of it at the greatest age, for every kind."""
    grace, max_age = LIFE[kind]
    assert freshness_score(item(grace), kind, NOW) == pytest.approx(0.95)
    assert freshness_score(item(max_age), kind, NOW) == pytest.approx(0.95 / 4)


def test_the_formula_on_one_example() -> None:
    """Weather of 2 h 30 min ago from an HTTP header: 0.75 · 2^(−(2.5 − 1)/1)."""
    score = freshness_score(item(timedelta(hours=2, minutes=30), "header"), "weather", NOW)
    assert score == pytest.approx(0.75 * 2**-1.5)


def test_the_resolution_counts_as_age() -> None:
    """A page dated to the day may be a day older than it looks."""
    day = timedelta(days=1)
    dated = item(timedelta(hours=1), dated_resolution=day)
    assert freshness_score(dated, "news", NOW) == freshness_score(item(timedelta(hours=1) + day), "news", NOW)


@pytest.mark.parametrize(
    "undated",
    [
        item(None),
        item(timedelta(0), "none"),
        item(timedelta(0), None),
        item(-timedelta(minutes=5, seconds=1)),
        item(timedelta(days=100_000)),
    ],
)
def test_no_date_no_score(undated: Evidence) -> None:
    """Without date or origin, dated in the future, or from long ago the score is 0, and never negative or an error."""
    assert freshness_score(undated, "weather", NOW) == 0.0


def test_a_future_date_is_measured_against_the_time_of_fetching() -> None:
    """A page dated after it was fetched has no date, also if that time has come by now."""
    later = NOW + timedelta(hours=1)
    assert freshness_score(item(-timedelta(minutes=30)), "weather", later) == 0.0
    assert freshness_score(item(-timedelta(minutes=4)), "weather", NOW) == pytest.approx(0.95)


def test_an_unknown_kind_fails_closed() -> None:
    """Without a kind the strictest general life holds."""
    old = item(timedelta(days=2))
    assert freshness_score(old, None, NOW) == freshness_score(old, "unknown", NOW) < 0.01


def test_fields_that_title_or_snippet_name() -> None:
    """Entities, place and time expression are found whatever their width, case and blanks, each once, as planned."""
    plan = ExternalQueryPlan(
        subject_entities=("ＧＰＴ-4", "广州", "深圳", "广州"),
        location_hint="广州",
        time_range_hint="未来 5 天",
    )
    found = Evidence(id="a", title="gpt-4 看天气", snippet="广 州未来5天有雨")
    assert grounded_fields(found, plan, NOW, "UTC") == ("ＧＰＴ-4", "广州", "未来 5 天")


def test_a_name_in_letters_stands_for_itself() -> None:
    """`AI` is not named by `said`, nor `GPT-4` by `GPT-40`."""
    plan = ExternalQueryPlan(subject_entities=("AI", "GPT-4", "C++"))
    assert grounded_fields(Evidence(id="a", snippet="He said GPT-40 is fine"), plan, NOW, "UTC") == ()
    assert grounded_fields(Evidence(id="a", snippet="AI 用 C++ 写成"), plan, NOW, "UTC") == ("AI", "C++")


def test_nothing_to_name() -> None:
    """A plan that names nothing, or an item without text, grounds no field."""
    assert grounded_fields(Evidence(id="a"), ExternalQueryPlan(subject_entities=("", "x")), NOW, "UTC") == ()
    assert grounded_fields(Evidence(id="a", title="x"), ExternalQueryPlan(), NOW, "UTC") == ()


def test_a_time_that_is_over_is_named_by_any_words_that_state_it() -> None:
    """And its own words on a page of another day name another day."""
    plan = ExternalQueryPlan(time_range_hint="昨天", window=window("昨天", NOW, "UTC"))
    day = (NOW - timedelta(days=1)).date().isoformat()
    stated = Evidence(id="a", snippet=f"{day} 收盘报 36 元", dated_at=NOW)
    assert grounded_fields(stated, plan, NOW, "UTC") == ("昨天",)
    old = Evidence(id="b", snippet="昨天收盘报 36 元", dated_at=NOW - timedelta(days=30))
    assert grounded_fields(old, plan, NOW, "UTC") == ()
