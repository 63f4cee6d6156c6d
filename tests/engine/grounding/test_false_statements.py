"""False statements made of true numbers: of another unit, bound, direction, whole or rate. None passes."""

from __future__ import annotations

import pytest

from .test_wrong_particulars import passes

HOTEL = "The hotel has 250 rooms."
RISE = "Sales rose 12.5%."
REVENUE = "Revenue was 3.1 billion dollars."
HAN_RISE = "销量增长12.5%。"


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


@pytest.mark.parametrize(
    ("wrong", "source"),
    [
        *((f"Sales rose {bound}", RISE) for bound in (
            "at least 13%", "under 12%", "less than 12.5%", ">12.5%", "≠12.5%", "more than 12.5%", "over 13%", "<12.5%", "nearly 12%",
            "<12%", "≥13%", "≤12%", "at most 12%", "more than 13%", "no more than 12%",
        )),
        *((text, HAN_RISE) for text in ("销量增长超过13%", "销量增长不足12%", "销量至少增长13%", "销量增长不超过12%", "销量增长13%以上", "销量增长未达12%")),
        ("营收超366亿元", "营收365.7亿元。"), ("占比超三成", "占比28.6%。"), ("占比超过三成", "占比28.6%。"),
        ("Fewer than 35 people died", "At least 35 people died."), ("At most 35 people died", "At least 35 people died."),
        ("Exactly 35 people died", "At least 35 people died."), ("Fewer than 120 people came", "More than 120 people came."),
        ("Nearly 120 people came", "More than 120 people came."), ("It weighs over 40 tonnes", "It weighs under 40 tonnes."),
        ("It weighs 40 tonnes", "It weighs under 40 tonnes."),
        *((f"Revenue was {bound} billion dollars", REVENUE) for bound in ("less than 3", "below 3", "up to 3", "not 3.1")),
        ("Revenue did not reach 3 billion dollars", REVENUE), ("Revenue did not reach 3.1 billion dollars", REVENUE),
        *((text, "营收31.2亿元。") for text in ("营收不足31亿元", "营收低于31亿元", "营收不到31亿元", "营收没有达到31.2亿元")),
        ("降水概率低于10%", "降水概率10%。"), ("气温低于16°C", "16 to 24°C"), ("气温16℃以下", "16 to 24°C"),
    ],
)  # fmt: skip
def test_a_bound_holds_for_the_number_of_the_source(wrong: str, source: str) -> None:
    """Also once it is rounded, and where the source gives a bound itself."""
    assert not passes(wrong, source)


@pytest.mark.parametrize(
    ("right", "source"),
    [
        ("Sales rose more than 12%", RISE), ("销量增长超过12%", HAN_RISE), ("Revenue was more than 3 billion dollars", REVENUE),
        ("Revenue was about 3 billion dollars", REVENUE), ("营收近366亿元", "营收365.7亿元。"), ("营收约366亿元", "营收365.7亿元。"),
        ("Sales rose at least 12.5%", RISE), ("≥12.5%", RISE), ("≤12.5%", RISE), ("At least 35 people died", "At least 35 people died."),
        ("35 people or more died", "At least 35 people died."), ("Over 120 people came", "More than 120 people came."),
        ("It weighs under 40 tonnes", "It weighs under 40 tonnes."), ("销量增长不足13%", HAN_RISE), ("Less than 13%", RISE),
        ("Sales rose under 13%", RISE), ("Sales rose up to 12.5%", RISE), ("占比近三成", "占比28.6%。"), ("营收365.7亿元", "营收365.7亿元。"),
        ("营收超31亿元", "营收31.2亿元。"), ("Over 3 billion dollars", "Over 3 billion dollars"), ("Nearly 13%", RISE),
    ],
)  # fmt: skip
def test_a_true_bound_passes(right: str, source: str) -> None:
    """Said of the number itself, or as the source says it."""
    assert passes(right, source)


@pytest.mark.parametrize(
    ("wrong", "source"),
    [
        ("A's share fell 15 percentage points, from 25% to 40%", "A's share was 25% in 2024 and 40% in 2025."),
        ("Rain rose 50%: 12 mm in May, 8 mm in June", "Rain: 12 mm in May, 8 mm in June."),
        ("220 billion dollars is 1.8 times 391 billion dollars", "391 billion dollars and 220 billion dollars."),
        ("销量从41.6万辆增长到33.7万辆", "销量41.6万辆、33.7万辆。"), ("Sales rose from 52 to 40 million dollars", "Sales rose from 40 to 52 million dollars."),
        ("Revenue fell from 3.1 billion dollars", "Revenue fell to 3.1 billion dollars."),
        ("Revenue fell by 3.1 billion dollars", "Revenue fell to 3.1 billion dollars."),
        ("Sales rose by 52 million dollars", "Sales rose from 40 million dollars to 52 million dollars."),
        ("Sales rose to 40 million dollars", "Sales rose from 40 million dollars to 52 million dollars."),
        ("It rose by 15%, from 25% to 40%", "Its share was 25% in 2024 and 40% in 2025."),
        ("份额增加15%，从25%到40%", "份额2024年25%，2025年40%。"),
    ],
)  # fmt: skip
def test_the_order_of_a_change_counts(wrong: str, source: str) -> None:
    """From where to where, and which of two is the whole."""
    assert not passes(wrong, source)


@pytest.mark.parametrize(
    ("right", "source"),
    [
        ("A's share rose 15 percentage points, from 25% to 40%", "A's share was 25% in 2024 and 40% in 2025."),
        ("It rose by 60%, from 25% to 40%", "Its share was 25% in 2024 and 40% in 2025."),
        ("Rain fell 33%: 12 mm in May, 8 mm in June", "Rain: 12 mm in May, 8 mm in June."),
        ("391 billion dollars is 1.8 times 220 billion dollars", "391 billion dollars and 220 billion dollars."),
        ("Sales rose from 40 million dollars to 52 million dollars", "Sales rose from 40 million dollars to 52 million dollars."),
        ("Sales rose by 30%, from 40 million dollars to 52 million dollars", "Sales rose from 40 million dollars to 52 million dollars."),
        ("销量从33.7万辆增长到41.6万辆", "销量33.7万辆、41.6万辆。"),
        ("销量下降19%，从41.6万辆降到33.7万辆", "销量41.6万辆、33.7万辆。"),
    ],
)  # fmt: skip
def test_a_change_in_its_order_passes(right: str, source: str) -> None:
    """With the percentage, points or multiple that it is."""
    assert passes(right, source)


@pytest.mark.parametrize(
    ("wrong", "source"),
    [
        *((f"Sales {word} 3.2%", "Sales rose 3.2%.") for word in (
            "sank", "shrank", "tumbled", "slipped", "slid", "eased", "were reduced by", "were lower by", "saw a decline of", "saw a drop of",
            "are ↓", "are ▼", "are 📉", "saw a contraction of", "receded",
        )),
        *((f"Sales {word} 3.2%", "Sales fell 3.2%.") for word in (
            "advanced", "expanded", "were higher by", "saw growth of", "saw an increase of", "are ↑", "are ▲", "are 📈", "improved", "accelerated", "changed +",
        )),
        *((f"销量{word}3.2%", "销量增长3.2%。") for word in ("负增长", "缩水", "萎缩", "下挫", "走低", "↓", "降幅", "少了", "降了")),
        *((f"销量{word}3.2%", "销量下降3.2%。") for word in ("扩大", "走高", "增幅", "多了", "↑", "涨了", "正增长")),
        ("Sales changed by +3.2%", "Sales fell 3.2%."),
        ("The net loss was $210 million", "Net profit was 210 million dollars, after a loss of 40 million."),
        ("净亏损2.4亿元", "净利润2.4亿元。"), ("净利润2.4亿元", "净亏损2.4亿元。"), ("The 3.2% lower price", "A 3.2% higher price"),
    ],
)  # fmt: skip
def test_the_opposite_is_no_support(wrong: str, source: str) -> None:
    """A rise is no fall, in whichever words or signs."""
    assert not passes(wrong, source)
