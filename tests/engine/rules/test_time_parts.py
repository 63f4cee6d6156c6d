"""The functions on the parts of times where clocks change."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from groundrule.rules.time_parts import start_of_day

NOW = datetime(2026, 4, 15, 2, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "zone", "expected"),
    [
        (NOW, "Asia/Shanghai", datetime(2026, 4, 14, 16, tzinfo=UTC)),
        (NOW, "America/New_York", datetime(2026, 4, 14, 4, tzinfo=UTC)),
        # Midnight does not exist on this day: the clocks go from 24:00 to 01:00.
        (datetime(2018, 11, 4, 12, tzinfo=UTC), "America/Sao_Paulo", datetime(2018, 11, 4, 3, tzinfo=UTC)),
        # The hour after midnight comes twice.
        (datetime(2026, 11, 1, 18, tzinfo=UTC), "America/Havana", datetime(2026, 11, 1, 4, tzinfo=UTC)),
    ],
)
def test_a_day_starts_at_its_first_instant(at: datetime, zone: str, expected: datetime) -> None:
    """Also where midnight does not exist, and where the hour after it comes twice."""
    start = start_of_day(at, zone)
    assert start == expected
    before = (start - timedelta(microseconds=1)).astimezone(ZoneInfo(zone))
    assert before.date() < at.astimezone(ZoneInfo(zone)).date()
