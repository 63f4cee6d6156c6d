"""Numerals in words are claims like those in digits: what the source does not say is not bound."""

from __future__ import annotations

import pytest

from groundrule.facts import Claim
from groundrule.grounding.claims import ground

from .grounding_cases import NOW, ZONE, at


def claims(answer: str, source: str) -> list[Claim]:
    """The claims of an answer that cites the source."""
    found = ground(f"{answer} [1]", {"[1]": "e"}, [at("e", "", source, "a.example")], NOW, ZONE, "en")
    assert found.unclaimed_numbers == ()
    return list(found.claims or ())


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("Millions of people", "1000000..999999999", "person"), ("hundreds of homes", "100..999", None),
        ("dozens", "20..199", None), ("tens of thousands", "10000..99999", None), ("several hundred", "200..999", None),
        ("Half of them", "50", "%"), ("a quarter of the staff", "25", "%"), ("A third of them", "1/3", None),
        ("Sales doubled", "2", "times"), ("It tripled", "3", "times"), ("It halved", "0.5", "times"),
        ("a threefold rise", "3", "times"), ("twice the rate", "2", "times"), ("double the rate", "2", "times"),
        ("半数员工", "50", "%"), ("一半的人", "50", "%"), ("支持率过半", "50", "%"), ("廿五人", "25", "person"),
        ("卅年", "30", "year"), ("他们俩", "2", None), ("仨人", "3", "person"), ("数百人", "200..999", "person"),
        ("数千万元", "20000000..99999999", "CNY"), ("几十人", "20..99", "person"), ("十几人", "11..19", "person"),
        ("三四十人", "30..49", "person"), ("上万人", "10000..99999", "person"), ("百余人", "100..199", "person"),
        ("近千人", "900..999", "person"), ("成千上万", "1000..999999", None), ("销量翻倍", "2", "times"),
        ("产值翻了两番", "4", "times"), ("增长一倍", "2", "times"), ("股价腰斩", "0.5", "times"),
    ],
)  # fmt: skip
def test_each_is_a_claim(text: str, value: str, unit: str | None) -> None:
    """With the bounds that it may stand for, or the share or factor that it names; nothing supports it by itself."""
    assert [(each.value, each.unit, each.status) for each in claims(text, "x")] == [(value, unit, "unverified")]


@pytest.mark.parametrize(
    "text",
    [
        "half an hour", "the second half of the game", "a double-double", "a double bed", "both halves", "he scores",
        "成百分之", "以上千克", "百度", "多数人", "半年", "半径", "千万别去", "几乎", "千克", "五卅运动", "廿八都镇", "万里长城",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_numeral_is_none(text: str) -> None:
    """Words and names that share its letters."""
    assert [each.text for each in claims(text, "x") if ".." in (each.value or "") or each.unit in ("%", "times")] == []


@pytest.mark.parametrize(
    "text",
    [
        "Hundreds of people were hurt, dozens of them badly.", "Half of the staff left and sales more than doubled.",
        "A quarter of the shops closed; prices tripled.", "数百人受伤，其中数十人重伤。", "逾半数员工离职，销量翻了一番。",
        "廿五人到场，他们俩最早。", "三四十人排队，近百人观望，成千上万的人离开。", "股价腰斩，产能提高了一倍。",
    ],
)  # fmt: skip
def test_what_stands_in_the_source_is_bound(text: str) -> None:
    """Word for word."""
    assert {each.status for each in claims(text, text)} == {"bound"}


@pytest.mark.parametrize(
    ("answer", "source", "derivation"),
    [
        ("Hundreds of people came", "349 people came.", "rounding"),
        ("Hundreds of homes burnt", "The fire took 349 homes.", "rounding"),
        ("Thousands of people came", "数千人到场。", "rounding"),
        ("数百人到场", "349人到场。", "rounding"),
        ("数千万元", "投资3500万元。", "rounding"),
        ("三四十人", "到场38人。", "rounding"),
        ("Half of the staff left", "50% of the staff left.", "conversion"),
        ("一半的员工离职", "50%的员工离职。", "conversion"),
        ("Nearly half of the staff left", "47% of the staff left.", "conversion"),
        ("About a third of the staff left", "33% of the staff left.", "conversion"),
        ("50% of the staff left", "Half of the staff left.", "conversion"),
        ("Sales doubled", "Sales rose 100%.", "conversion"),
        ("Sales more than doubled", "Sales rose 130%.", "conversion"),
        ("Sales halved", "Sales fell 50%.", "conversion"),
        ("销量翻番", "销量增长100%。", "conversion"),
        ("销量增长100%", "销量翻番。", "conversion"),
        ("销量是原来的2倍", "销量翻番。", "conversion"),
        ("股价腰斩", "股价下跌50%。", "conversion"),
        ("Sales doubled from 10 million dollars to 20 million dollars", "From 10 million dollars to 20 million dollars.", "ratio"),
    ],
)  # fmt: skip
def test_what_follows_from_the_source_is_derived(answer: str, source: str, derivation: str) -> None:
    """A count from a number within its bounds, a share or multiple from the percentage that it is."""
    assert derivation in {each.derivation for each in claims(answer, source)}
    assert {each.status for each in claims(answer, source)} <= {"bound", "derived"}


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("Thousands of people came", "Hundreds of people came."),
        ("Hundreds of homes burnt", "Hundreds of people came."),
        ("Hundreds of people came", "3,490 people came."),
        ("Dozens of people came", "A dozen people came."),
        ("Tens of thousands came", "Thousands came."),
        ("Half of the staff left", "A quarter of the staff left."),
        ("Half of the staff left", "30% of the staff left."),
        ("Half of the staff left", "Half of the shops closed."),
        ("More than half of the staff left", "Nearly half of the staff left."),
        ("About a third of the staff left", "25% of the staff left."),
        ("Sales doubled", "Sales rose 50%."),
        ("Sales doubled", "Sales fell 100%."),
        ("Sales tripled", "Sales doubled."),
        ("Sales halved", "Sales doubled."),
        ("Sales more than doubled", "Sales nearly doubled."),
        ("Sales doubled from 20 million dollars to 10 million dollars", "From 20 million dollars to 10 million dollars."),
        ("数千人到场", "数百人到场。"), ("数百万人", "数百人。"), ("几十人到场", "10人到场。"), ("10人到场", "几十人到场。"),
        ("廿五人到场", "5人到场。"), ("半数员工离职", "三成员工离职。"), ("过半员工离职", "近半员工离职。"),
        ("销量翻番", "销量增长50%。"), ("销量翻番", "股价腰斩。"), ("产值翻两番", "产值翻一番。"), ("上万人", "上百人。"),
        ("近百人", "逾百人。"), ("仨人到场", "俩人到场。"), ("十几人", "二十几人。"), ("三四十人", "三四百人。"),
    ],
)  # fmt: skip
def test_another_numeral_is_not_bound(answer: str, source: str) -> None:
    """An answer altered in its numeral, in what it counts or in its direction."""
    assert {each.status for each in claims(answer, source)} & {"unverified", "contradicted"}
