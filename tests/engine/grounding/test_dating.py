"""A clock time without a day, in an answer and in its source."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from groundrule.facts import Evidence
from groundrule.grounding.claims import ground
from groundrule.grounding.evidence import prepare

from .grounding_cases import ZONE, at

NOW = datetime(2026, 11, 30, 2, tzinfo=UTC)
YESTERDAY = datetime(2026, 11, 29, 4, tzinfo=UTC)


def status(text: str, snippet: str) -> str:
    """The status of the one time of an answer beside a page of yesterday."""
    page = Evidence(id="e1", snippet=snippet, target_url="https://tides.example/whitby", dated_at=YESTERDAY)
    answer = ground(text, {}, prepare([page], NOW, "UTC"), NOW, "UTC", "en")
    (claim,) = [claim for claim in answer.claims or () if claim.kind == "date"]
    return claim.status


@pytest.mark.parametrize(
    ("text", "snippet", "expected"),
    [
        ("High water 06:42.", "High water 06:42, 5.1 m.", "bound"),
        ("高潮在06:42。", "高潮 06:42。", "bound"),
        ("High water 07:10.", "High water 06:42, 5.1 m.", "contradicted"),
        ("High water today at 06:42.", "High water 06:42, 5.1 m.", "unverified"),
    ],
)
def test_a_clock_time_is_the_same_on_the_day_after_its_page_unless_a_day_is_named(
    text: str, snippet: str, expected: str
) -> None:
    assert status(text, snippet) == expected


_BOUGHT = "Sales in 2024 were 5 million. Founded in 1998."
_SHOWN = "Published on 12 April 2026. The show opens on Monday."
_OPEN = "The museum is closed on Monday and opens late on Fridays."


@pytest.mark.parametrize(
    ("answer", "source", "fine"),
    [
        ("It covers Q2 2026", "It covers January to March 2026.", False),
        ("It covers the first half of 2026", "It covers January to March 2026.", False),
        ("It covers January to April 2026", "It covers January to March 2026.", False),
        ("It covers Q1 2026", "It covers January to March 2026.", True),
        ("It covers 2026", "It covers January to March 2026.", True),
        ("2026年营收36亿元", "2025年公司营收36亿元", False),
        ("本月营收36亿元", "2025年公司营收36亿元", False),
        ("4月12日营收36亿元", "2025年公司营收36亿元", False),
        ("2025年营收36亿元", "2025年公司营收36亿元", True),
        ("4月12日发布：营收36亿元", "公司营收36亿元", True),
        ("二季度交付100辆", "一季度交付100辆", False),
        ("上半年交付100辆", "一季度交付100辆", False),
        ("Sales in the 1990s were 5 million", _BOUGHT, False),
        ("Sales since 2024 were 5 million", _BOUGHT, False),
        ("Sales until 2024 were 5 million", _BOUGHT, False),
        ("Founded in 1998 BC", _BOUGHT, False),
        ("Founded in 1998", _BOUGHT, True),
        ("Published on 13 April 2026", _SHOWN, False),
        ("Published in April 2026", _SHOWN, True),
        ("The page says “closed on Monday”", _OPEN, True),
        ("It is closed on Monday", _OPEN, True),
        ("It is closed on Tuesday", _OPEN, False),
        ("公告说：“周一闭馆”", "博物馆周一闭馆。", True),
        ("周一闭馆", "博物馆周一闭馆。", True),
        ("周二闭馆", "博物馆周一闭馆。", False),
    ],
)
def test_a_time_is_that_of_its_source_or_the_day_month_or_year_around_it(answer: str, source: str, fine: bool) -> None:
    """The page's own date tells when it spoke; a weekday in the page's very words is the page's."""
    item = at("e", "", source, "a.example", dated_at=datetime(2026, 4, 12, tzinfo=UTC), dated_resolution=timedelta(hours=1))
    claims = ground(answer + " [1]", {"[1]": "e"}, [item], datetime(2026, 11, 30, 4, tzinfo=UTC), ZONE, "en").claims or ()
    assert all(claim.status in ("bound", "derived") for claim in claims) is fine
