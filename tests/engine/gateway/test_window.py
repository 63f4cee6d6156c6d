"""The window of a plan: what its time expression means at the time of asking."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundrule.facts import Evidence, Window
from groundrule.gateway.window import apart, present, states, window

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


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        ("昨天", "4月14日收盘报 36 元。"),
        ("yesterday", "It closed at 36 yuan on 2026-04-14."),
        ("昨天下午", "4月14日（周二）多云。"),
        ("2024", "Revenue in the third quarter of 2024 was 4 billion."),
        ("2024年", "2024财年营收 40 亿元。"),
        ("2024", "FY2024 revenue was 4 billion."),
        ("in 1995", "He was president from 1993 to 2001."),
        ("2027", "By the end of 2027 it will have three lines."),
    ],
)
def test_a_page_states_the_time_asked_about_or_a_part_of_it(hint: str, text: str) -> None:
    asked = window(hint, NOW, SHANGHAI)
    assert asked is not None
    assert apart(asked, NOW)
    assert states(Evidence(id="a", snippet="x\n" * 1500 + text, dated_at=NOW), asked, SHANGHAI)


@pytest.mark.parametrize(
    ("hint", "text", "dated"),
    [
        ("昨天", "截至 10:12，报 37 元。", NOW),
        ("yesterday", "As of 10:12, it trades at 37 yuan.", NOW),
        ("yesterday", "In 2026 it was 37 yuan.", NOW),
        ("yesterday", "As of 2026 it was 37 yuan.", NOW),
        ("yesterday", "Yesterday it closed at 37 yuan.", NOW - timedelta(days=9)),
        ("yesterday", "Yesterday it closed at 37 yuan.", None),
        ("2024", "Revenue for Q3 2026 was 4 billion.", NOW),
        ("2024", "", NOW),
    ],
)
def test_another_time_or_a_wider_one_is_not_the_time_asked_about(
    hint: str, text: str, dated: datetime | None
) -> None:
    asked = window(hint, NOW, SHANGHAI)
    assert asked is not None
    assert not states(Evidence(id="a", snippet=text, dated_at=dated), asked, SHANGHAI)


def test_a_time_that_touches_now_is_not_apart_from_it() -> None:
    assert not any(apart(window(hint, NOW, SHANGHAI), NOW) for hint in ("今天", "未来5天", "this year", None))


@pytest.mark.parametrize(
    ("hint", "later", "yes"),
    [
        ("now", timedelta(seconds=40), True),
        ("现在", timedelta(seconds=40), True),
        ("now", timedelta(minutes=6), False),
        ("today", timedelta(seconds=40), False),
        ("yesterday", timedelta(0), False),
        ("tomorrow", timedelta(0), False),
    ],
)
def test_the_moment_of_asking_is_present_while_evidence_comes(hint: str, later: timedelta, yes: bool) -> None:
    """It lasts a second by its words, and is no time that is over when a page has been fetched."""
    asked = window(hint, NOW, SHANGHAI)
    assert asked is not None
    assert present(asked, NOW + later) is yes
