"""False statements made of true numbers: of another unit, bound, direction, whole or rate. None passes."""

from __future__ import annotations

import pytest

from .test_wrong_particulars import passes

HOTEL = "The hotel has 250 rooms."


@pytest.mark.parametrize(
    ("wrong", "source"),
    [
        ("A room costs $250", HOTEL), ("A room costs €250", HOTEL), ("It is 250 metres tall", HOTEL),
        ("It reached 250°C", "There were 250 guests."), ("It drove at 250 km/h", "There were 250 guests."),
        ("Debt is 1500 dollars", "Order no. 1500"), ("It cost $2025", "In 2025 the museum had 2,024 visitors."),
        ("It costs $2,024", "In 2025 the museum had 2,024 visitors."), ("客房每晚250元", "酒店有250间客房。"),
        ("A room costs 250 dollars", HOTEL), ("It weighs 250 kg", HOTEL), ("重250公斤", "酒店有250间客房。"),
    ],
)  # fmt: skip
def test_a_unit_must_stand_in_the_source(wrong: str, source: str) -> None:
    """A currency or measure is no guess."""
    assert not passes(wrong, source)


@pytest.mark.parametrize(
    ("right", "source"),
    [
        ("Revenue was 391 million dollars", "In millions of dollars: revenue 391, costs 220."),
        ("It was 16°C", "16 to 24°C"), ("营收391亿元", "单位：亿元 营收 391 成本 220"), ("It has 250 rooms", HOTEL),
        ("Price: $391", "Price (USD) | 391 | 220"), ("It drew 250 people", "Attendance: 250"),
    ],
)  # fmt: skip
def test_a_unit_may_stand_in_the_head_of_a_series(right: str, source: str) -> None:
    """In words before it, or at the end of the range."""
    assert passes(right, source)
