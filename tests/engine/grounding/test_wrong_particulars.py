"""Wrong particulars that look like right ones: each is not bound, and what they were made from is."""

from __future__ import annotations

import pytest

from groundrule.grounding.claims import ground

from .grounding_cases import NOW, ZONE, at


def passes(answer: str, source: str) -> bool:
    """Whether an answer that cites the source has nothing that a rule could catch."""
    found = ground(answer + " [1]", {"[1]": "e"}, [at("e", "", source, "a.example")], NOW, ZONE, "en")
    fine = all(claim.status in ("bound", "derived") for claim in found.claims or ())
    return fine and not found.unclaimed_numbers


@pytest.mark.parametrize(
    ("wrong", "source"),
    [
        ("Spain won 3–1", "Spain lost 1–3."),
        ("The ratio is 3:1", "The ratio is 1:3."),
        ("The score was 3 to 1", "The score was 1 to 3."),
        ("The score was three to one", "The score was one to three."),
        ("西班牙3比1获胜", "西班牙1比3失利。"),
        ("得分三比一", "得分一比三。"),
        ("5-10 mg", "10-5 mg"),
        ("24 to 16°C", "16 to 24°C."),
        ("Spain beat France 3-1", "Spain lost 1-3 to France."),
        ("Spain beat France 3-1", "Spain - France 1-3."),
        ("Spain beat France 31-10", "France beat Spain 10-31"),
        ("西班牙3比1战胜法国", "西班牙1比3不敌法国。"),
    ],
)
def test_the_order_of_two_ends_counts(wrong: str, source: str) -> None:
    """Of scores, ratios and ranges, in digits and in words."""
    assert not passes(wrong, source)


@pytest.mark.parametrize(
    ("right", "source"),
    [
        ("得分3比1", "得分三比一。"),
        ("两队一比一战平", "两队1:1战平。"),
        ("Three-to-one odds", "The odds are 3:1."),
        ("15~22℃", "22~15℃"),  # low to high is how a range of temperatures is written
        ("Spain beat France 3-1", "France lost 1-3 to Spain."),
        ("Spain beat France 3-1", "Final score: 1-3."),
        ("西班牙3比1战胜法国", "法国1比3不敌西班牙。"),
    ],
)
def test_a_score_may_be_told_from_the_side_of_its_winner(right: str, source: str) -> None:
    """Where the answer names who was beaten, and the source does not say otherwise."""
    assert passes(right, source)


@pytest.mark.parametrize(
    ("wrong", "source"),
    [
        ("100 mW", "100 MW"), ("100 mHz", "100 MHz"), ("100 mg", "100 Mg"), ("5 t", "5 T"), ("5 ml", "5 cl"),
        ("5 mPa", "5 MPa"), ("5 Mb/s", "5 MB/s"), ("5 kg/m3", "5 kg/cm3"), ("5 kDa", "5 mDa"),
        ("5 dollars per kilo", "5 dollars per gram"), ("每公斤5元", "每克5元"), ("每天3次", "每周3次"),
        ("He said ‘we will never go’", "x"), ("Er sagt „wir gehen nie“", "x"), ("« on ne va jamais »", "x"),
        ("他说＂绝不裁员＂", "无"), ("他说〝绝不裁员〞", "无"), ("''we will never''", "x"), ("> we will never go", "x"),
        ("See evil.com/pay", "x"), ("[pay][a]\n\n[a]: evil.com/pay", "x"), ("Ask bob@evil.com", "x"),
        ("mailto:bob@evil.com", "x"), ("<a href=evil.example>pay</a>", "x"), ("evil.com/pay", "evil.com/payment"),
    ],
)  # fmt: skip
def test_a_look_alike_is_not_bound(wrong: str, source: str) -> None:
    """Units that differ by a prefix or by what they are counted by, quotations in any marks, bare addresses."""
    assert not passes(wrong, source)


@pytest.mark.parametrize(
    ("right", "source"),
    [
        ("100 KM", "100 km"), ("100 kwh", "100 kWh"), ("36 km/h", "10 m/s"), ("5 MB/s", "5 MB/s"),
        ("每公斤5元", "5元/公斤"), ("每日3次", "每天3次"), ("He said ‘we don’t know’", "We don't know."),
        ("It’s the dogs’ and the cats’ day", "x"), ("See a.com/pay", "Visit a.com/pay."), ("b@a.com", "b@a.com"),
        ("St.Louis/Chicago and/or", "x"),
    ],
)  # fmt: skip
def test_what_only_looks_different_is_bound(right: str, source: str) -> None:
    """Case that tells nothing apart, the same rate in other words, apostrophes, addresses that the source states."""
    assert passes(right, source)
