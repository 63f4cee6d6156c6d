"""A clock time without a day, in an answer and in its source."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from groundrule.facts import Evidence
from groundrule.grounding.claims import ground
from groundrule.grounding.evidence import prepare

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
