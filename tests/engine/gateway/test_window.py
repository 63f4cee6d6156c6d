"""The window of a plan: what its time expression means at the time of asking."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundrule.facts import Window
from groundrule.gateway.window import window

NOW = datetime(2026, 4, 15, 2, 30, tzinfo=UTC)  # 10:30 in Shanghai, 22:30 of the day before in New York
SHANGHAI = "Asia/Shanghai"


def at(month: int, day: int, hour: int = 0, minute: int = 0, year: int = 2026) -> datetime:
    """A time of 2026 in UTC."""
    return datetime(year, month, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("hint", "zone", "begin", "until"),
    [
        ("未来5天", SHANGHAI, NOW, at(4, 19, 16)),
        ("未来 5 天", SHANGHAI, NOW, at(4, 19, 16)),
        ("next 5 days", "America/New_York", NOW, at(4, 19, 4)),
        ("今天", SHANGHAI, at(4, 14, 16), at(4, 15, 16)),
        ("today", "America/New_York", at(4, 14, 4), at(4, 15, 4)),
        ("昨天和今天", SHANGHAI, at(4, 13, 16), at(4, 15, 16)),
        ("yesterday, tomorrow", SHANGHAI, at(4, 13, 16), at(4, 16, 16)),
        ("3 小时前", SHANGHAI, at(4, 14, 23, 30), at(4, 15, 0, 30)),
        ("last week", SHANGHAI, at(4, 5, 16), at(4, 12, 16)),
        ("2026年4月15日下午3点", SHANGHAI, at(4, 15, 7), at(4, 15, 8)),
        ("截至今天", SHANGHAI, None, at(4, 15, 16)),
        ("as of now", SHANGHAI, None, NOW),
        ("since 2023", "UTC", at(1, 1, year=2023), NOW),
        ("2027 or later", "UTC", at(1, 1, year=2027), None),
    ],
)
def test_the_window_is_what_the_hint_means_at_the_time_of_asking(
    hint: str, zone: str, begin: datetime | None, until: datetime | None
) -> None:
    found = window(hint, NOW, zone)
    assert found == Window(**{"from": begin, "to": until})


@pytest.mark.parametrize(
    "hint",
    [
        None,
        "",
        "最近",
        "recently",
        "2月30日",
        "今天和2月30日",
        "03/04/2024",
        "农历八月十五",
        "every day",
        "<script>",
        "😀",
    ],
)
def test_a_hint_that_states_no_sure_range_gives_no_window(hint: str | None) -> None:
    assert window(hint, NOW, SHANGHAI) is None


def test_a_wrong_zone_or_a_naive_time_is_a_fault_of_the_caller() -> None:
    with pytest.raises(ValueError, match="unknown time zone"):
        window("today", NOW, "Mars/Olympus")
    with pytest.raises(ValueError, match="without offset"):
        window("today", datetime(2026, 4, 15), SHANGHAI)


@settings(deadline=None)
@given(hint=st.text(max_size=40), shift=st.integers(min_value=-(10**6), max_value=10**6))
def test_a_window_never_runs_backward(hint: str, shift: int) -> None:
    found = window(hint, NOW + timedelta(minutes=shift), "America/New_York")
    if found is not None and found.from_ is not None and found.to is not None:
        assert found.from_ < found.to
