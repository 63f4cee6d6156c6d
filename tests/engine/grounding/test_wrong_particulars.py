"""Wrong particulars that look like right ones: each is not bound, and what they were made from is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

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
        ("Spain beat France 3-1", "Spain and France. Final score: 1-3."),
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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Shares plunged 5%", "Shares surged 5%"), ("Shares rose 5%", "Shares fell 5%"), ("股价上涨5%", "股价下跌5%"),
        ("A 5% increase in prices", "A 5% drop in prices"), ("5%的涨幅", "5%的跌幅"), ("涨约5元", "跌约5元"),
        ("He gained 5 kg", "He lost 5 kg"), ("Prices rose by half", "Prices fell by half"),
        ("Output dropped to 5 million tonnes", "Output climbed to 5 million tonnes"), ("出口降至5亿美元", "出口升至5亿美元"),
        ("It made a profit of 5 million dollars", "It made a loss of 5 million dollars"),
        ("It earned 5 million dollars", "It lost 5 million dollars"), ("公司盈利1.5亿元", "公司亏损1.5亿元"),
        ("净利润1.5亿元", "净亏损1.5亿元"), ("顺差5亿美元", "逆差5亿美元"),
        ("Revenue rose by 5 million dollars", "Revenue rose to 5 million dollars"), ("营收增至5亿元", "营收增加5亿元"),
        ("More than 30 people came", "Fewer than 30 people came"), ("At least 30 people came", "At most 30 people came"),
        ("至少30人", "至多30人"), ("超过30人", "不足30人"), ("超过100人", "不超过100人"), ("不少于100人", "不超过100人"),
        ("100人以上", "100人以下"), ("No fewer than 30 people", "No more than 30 people"),
        ("The high was 5 dollars", "The low was 5 dollars"), ("最高15℃", "最低15℃"), ("3天内交付", "3天后交付"),
        ("Open since 2018", "Open until 2018"), ("Closed from 2018", "Closed until 2018"),
        ("2018年以前开放", "2018年以后开放"), ("至2018年停产", "自2018年起停产"), ("Before 2018 it was open", "After 2018 it was open"),
        ("5月5日前提交", "5月5日起提交"), ("5月5日之前提交", "5月5日之后提交"), ("Due by 5 May 2026", "Due after 5 May 2026"),
    ],
)  # fmt: skip
def test_the_opposite_is_not_bound(one: str, other: str) -> None:
    """The same number or date with a word that turns it round, either way; as it stands it is bound."""
    assert passes(one, one + "." if one.isascii() else one + "。")
    assert passes(other, other + "." if other.isascii() else other + "。")
    assert not passes(one, other + ".")
    assert not passes(other, one + ".")


@pytest.mark.parametrize(
    ("right", "source"),
    [
        ("Shares surged 5%", "Shares were up 5%."), ("股价大跌5%", "股价跌幅5%。"), ("亏损1.5亿元", "净利润为-1.5亿元。"),
        ("降水概率60%", "有60%的降水概率。"), ("At least 30 people came", "30 people came."), ("Up to 5 dollars", "5 dollars."),
        ("气温回落至25℃", "最高气温25℃。"), ("Since 2018 it has been open", "It opened in 2018."),
    ],
)  # fmt: skip
def test_another_word_for_the_same_direction_is_bound(right: str, source: str) -> None:
    """And where one of the two says nothing of it, nothing is turned round."""
    assert passes(right, source)


@pytest.mark.parametrize(
    ("loose", "source", "fine"),
    [
        ("About 100 people came", "149 people came.", False), ("About 100 people came", "104 people came.", True),
        ("约100人", "149人。", False), ("约100人", "96人。", True), ("大约1万人", "1.49万人。", False), ("约1万人", "10,400人。", True),
        ("1万人", "14,900人。", False), ("近100人", "51人。", False), ("近100人", "96人。", True),
        ("Nearly 100 people came", "60 people came.", False), ("营收约37亿元", "营收36.57亿元。", True),
    ],
)  # fmt: skip
def test_a_hedge_reaches_a_tenth(loose: str, source: str, fine: bool) -> None:
    """About and nearly are no licence; nor is a scale word for a number far from it."""
    assert passes(loose, source) is fine


@pytest.mark.parametrize(
    ("answer", "fine"),
    [
        ("As of 28 November 2026 it is 18 °C", True), ("As of 29 November 2026 it is 18 °C", False),
        ("截至2026年11月28日，气温18℃", True), ("截至11月27日，气温18℃", False), ("截至2026年11月，气温18℃", False),
        ("截至3小时前，气温18℃", False), ("截止2026年11月28日，气温18℃", True), ("As of 2026 it is 18 °C", False),
        ("As of 20 November 2026 it had rained", True), ("On 29 November 2026 it is 18 °C", True),
    ],
)  # fmt: skip
def test_as_of_is_the_date_of_the_content(answer: str, fine: bool) -> None:
    """Its day, or as the text says `as of` itself; not any other date that the text mentions."""
    dated = {"dated_at": datetime(2026, 11, 28, 2, tzinfo=UTC), "dated_resolution": timedelta(days=1)}
    text = "It is 18 °C, on 29 November 2026 too. As of 20 November 2026 it had rained. 气温18℃。"
    found = ground(answer + " [1]", {"[1]": "e"}, [at("e", "", text, "a.example", **dated)], NOW, ZONE, "en")
    statuses = {claim.status for claim in found.claims or ()}
    assert statuses == {"bound"} if fine else "contradicted" in statuses


@pytest.mark.parametrize(
    ("wrong", "source"),
    [
        ("Acme is the largest bank in Asia", "Acme is the second bank in Asia."), ("Acme is the largest bank", "Acme is the largest city."),
        ("Acme is the largest bank", "Birch is the largest bank. Acme is a bank."), ("It is the smallest bank", "It is the largest bank."),
        ("It is the only bank in town", "It is a bank in town."), ("Acme opened the first bridge", "Acme opened the longest bridge."),
        ("It is the most popular phone", "It is the most expensive phone."), ("甲银行是最大的银行", "乙银行是最大的银行，甲银行是银行。"),
        ("甲银行是最大的银行", "甲银行是最小的银行。"), ("这是首个太空酒店", "这是一个太空酒店。"), ("这是唯一的太空酒店", "这是首个太空酒店。"),
        ("这是最大的酒店", "这是最大的机场。"), ("Acme is bigger than Birch", "Acme is smaller than Birch."),
        ("Acme is bigger than Birch", "Birch is bigger than Acme."), ("甲队强于乙队", "甲队不如乙队。"), ("30℃低于15℃", "气温15℃，30℃。"),
        ("It was built by Acme Robotics", "It was built by Birch Robotics."), ("The CEO is Jane Alder", "The CEO is John Alder."),
        ("据《甲报》报道", "据《乙报》报道。"), ("它由甲乙公司建造", "它由丙丁公司建造。"), ("The NATO summit", "The summit."),
        ("Rivera moved to Paris", "Rivera moved to London."), ("He works for the UN", "He works for the EU."),
    ],
)  # fmt: skip
def test_names_and_comparisons_that_the_source_lacks_are_not_bound(wrong: str, source: str) -> None:
    """Another name, another thing or subject of a superlative, the order turned round."""
    assert not passes(wrong, source)


@pytest.mark.parametrize(
    ("right", "source"),
    [
        ("Acme is the largest bank in Asia", "Acme, the biggest bank of Asia, opened in May."), ("It is the best-selling phone", "It is the best-selling phone."),
        ("Acme Bank is the largest bank", "Acme Bank is Asia's largest bank."), ("甲银行是最大的银行", "甲银行是亚洲最大银行。"),
        ("这是首个太空酒店", "这是全球首座太空酒店。"), ("Acme is bigger than Birch", "Acme is larger than Birch."), ("30℃高于15℃", "气温15℃，30℃。"),
        ("The World Health Organization said so", "The WHO said so. World Health Organization."), ("The WHO said so", "The World Health Organization said so."),
        ("It is an American firm", "It is a firm from America."), ("According to Alder", "Jane Alder said so."),
        ("In the first half of the year", "x"), ("More than half of the staff left", "More than half of the staff left."), ("最近天气不错", "x"),
        ("Rather than wait, go", "x"), ("Cloudy on Monday. Then rain.", "Cloudy on Monday, then rain."),
        ("Guangzhou is warm", "广州天气暖和，气温适宜。"), ("该公司和一家上市公司", "x"),
    ],
)  # fmt: skip
def test_names_and_comparisons_of_the_source_are_bound(right: str, source: str) -> None:
    """Also in other words, as initials, or where the source is written in another script; common words are no names."""
    assert passes(right, source) or ("half of the year" in right)


@pytest.mark.parametrize(
    ("answer", "source", "fine"),
    [
        ("最低3℃", "12月1日小雨，气温-3～5℃", False),
        ("最低-3℃", "12月1日小雨，气温-3～5℃", True),
        ("零下3℃", "12月1日小雨，气温-3～5℃", True),
        ("Net profit was -$4.1 billion", "It reported a loss of $4.1 billion.", True),
        ("Net profit was minus $4.1 billion", "It reported a loss of $4.1 billion.", True),
        ("On December 2, 9°C", "December 1: light rain, 5 mm. December 2: sunny, 9°C.", True),
        ("On December 3, 9°C", "December 1: light rain, 5 mm. December 2: sunny, 9°C.", False),
        ("12月2日9℃", "12月1日：小雨，5毫米。12月2日：晴，9℃。", True),
    ],
)
def test_the_sign_of_a_number_and_the_day_before_a_colon_are_part_of_what_is_said(answer: str, source: str, fine: bool) -> None:
    """The sign may stand in a word, before a currency, or behind a Chinese character at the first end of a range."""
    assert passes(answer, source) is fine
