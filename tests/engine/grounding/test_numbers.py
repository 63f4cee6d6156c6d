"""What numbers, percentages, money and names a text states, and what only looks like one."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundrule.grounding.chinese import read_han
from groundrule.grounding.numbers import Name, Number, read, read_numbers

WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}

# text, then the numbers in it: words, value, unit
STATED = [
    ("气温25℃", [("25℃", 25, "°C")]),
    ("气温25 °C", [("25 °C", 25, "°C")]),
    ("最高气温２５摄氏度", [("２５摄氏度", 25, "°C")]),
    ("零下五度", [("零下五度", -5, "°")]),
    ("（-5℃", [("-5℃", -5, "°C")]),
    ("−5.5℃", [("−5.5℃", "-5.5", "°C")]),
    ("18~25℃", [("18", 18, "°C"), ("25℃", 25, "°C")]),
    ("18℃-25℃", [("18℃", 18, "°C"), ("25℃", 25, "°C")]),
    ("-5至3℃", [("-5", -5, "°C"), ("3℃", 3, "°C")]),
    ("营收36.57亿元", [("36.57亿元", 3657000000, "CNY")]),
    ("3-5亿元", [("3", 300000000, "CNY"), ("5亿元", 500000000, "CNY")]),
    ("4.78万亿", [("4.78万亿", 4780000000000, "")]),
    ("1,234,567人", [("1,234,567人", 1234567, "person")]),
    ("１，２３４人", [("１，２３４人", 1234, "person")]),
    ("比分为1，234人观看", [("1", 1, ""), ("234人", 234, "person")]),
    ("三十二人", [("三十二人", 32, "person")]),
    ("两百名", [("两百名", 200, "person")]),
    ("十五天", [("十五天", 15, "day")]),
    ("二〇二六年", [("二〇二六年", 2026, "year")]),
    ("二百五", [("二百五", 250, "")]),
    ("一万零五十", [("一万零五十", 10050, "")]),
    ("四亿五千六百四十二万零一十五", [("四亿五千六百四十二万零一十五", 456420015, "")]),
    ("5万4千6百", [("5万4千6百", 54600, "")]),
    ("壹佰伍拾元", [("壹佰伍拾元", 150, "CNY")]),
    ("十二点五公里", [("十二点五公里", "12.5", "km")]),
    ("12千米", [("12千米", 12, "km")]),
    ("增长3.2%", [("3.2%", "3.2", "%")]),
    ("增长３．２％", [("３．２％", "3.2", "%")]),
    ("百分之三十", [("百分之三十", 30, "%")]),
    ("千分之二", [("千分之二", "0.2", "%")]),
    ("上升0.5个百分点", [("0.5个百分点", "0.5", "pp")]),
    ("三成半", [("三成半", 35, "%")]),
    ("打八折", [("八折", 80, "%")]),
    ("七五折", [("七五折", 75, "%")]),
    ("三分之二", [("三分之二", "2/3", "")]),
    ("人民币50元", [("人民币50元", 50, "CNY")]),
    ("￥300", [("￥300", 300, "¥")]),
    ("五元三角", [("五元三角", "5.3", "CNY")]),
    ("100万美元", [("100万美元", 1000000, "USD")]),
    ("身高2米34", [("2米34", "2.34", "m")]),
    ("27秒86", [("27秒86", "27.86", "s")]),
    ("第三名", [("第三", 3, "第")]),
    ("獲得三億兩千萬", [("三億兩千萬", 320000000, "")]),
    ("$1.5 billion", [("$1.5 billion", 1500000000, "USD")]),
    ("US$20", [("US$20", 20, "USD")]),
    ("$3B", [("$3B", 3000000000, "USD")]),
    ("€2.5bn and £3m", [("€2.5bn", 2500000000, "EUR"), ("£3m", 3000000, "GBP")]),
    ("RMB100", [("RMB100", 100, "CNY")]),
    ("3 dollars 50 cents", [("3 dollars 50 cents", "3.5", "USD")]),
    ("it costs 15 dollars 50.", [("15 dollars 50", "15.5", "USD")]),
    ("15 dollars 50 people", [("15 dollars", 15, "USD"), ("50 people", 50, "person")]),
    ("15.5 dollars 50.", [("15.5 dollars", "15.5", "USD"), ("50", 50, "")]),
    ("三块五", [("三块五", "3.5", "CNY")]),
    ("20 Thai baht", [("20 Thai baht", 20, "THB")]),
    ("20 South African rand", [("20 South African rand", 20, "ZAR")]),
    ("20 Libyan dinars", [("20 Libyan dinars", 20, "LYD")]),
    ("Rs. 100", [("Rs. 100", 100, "INR")]),
    ("7 2 折", [("7 2 折", 72, "%")]),
    ("五成五", [("五成五", 55, "%")]),
    ("两倍半", [("两倍半", "2.5", "times")]),
    ("三尺", [("三尺", 3, "chi")]),
    ("by a half.", [("a half", "1/2", "")]),
    ("at a percentage of 15.", [("15", 15, "%")]),
    ("what percentage of 50?", [("50", 50, "")]),
    ("a percentage of 50 students", [("50", 50, "")]),
    ("two hundred and fifty people", [("two hundred and fifty people", 250, "person")]),
    ("one and a half million", [("one and a half million", 1500000, "")]),
    ("Twenty-one days", [("Twenty-one days", 21, "day")]),
    ("two thirds of it", [("two thirds", "2/3", "")]),
    ("half a million", [("half a million", 500000, "")]),
    ("six point five percent", [("six point five percent", "6.5", "%")]),
    ("minus 5 degrees Celsius", [("minus 5 degrees Celsius", -5, "°C")]),
    ("77°F", [("77°F", 77, "°F")]),
    ("60 km/h", [("60 km/h", 60, "km/h")]),
    ("5 feet 2 inches", [("5 feet 2 inches", "31/6", "ft")]),
    ("a 30-point lead", [("30-point", 30, "point")]),
    ("10M users", [("10M", 10000000, "")]),
    ("the 21st century", [("21st", 21, "第")]),
    ("1 1/2 and ¾", [("1 1/2", "1.5", ""), ("¾", "0.75", "")]),
    ("won 3:2", [("3", 3, ""), ("2", 2, "")]),
    ("2e5", [("2e5", 200000, "")]),
    ("mid-2025", [("2025", 2025, "")]),
    ("in Manhattan.55 floors", [("55", 55, "")]),
    ("7 FT", [("7", 7, "")]),
    ("俄制苏-27飞机", [("27", 27, "")]),
    ("107块金牌", [("107块", 107, "枚")]),
]

# Chinese numerals within words, and English ones that count nothing.
NOT_STATED = [
    "一些", "万一", "三亚", "一起", "十分", "一定", "一样", "一带一路", "四川", "五台山", "千万别", "百姓", "百货",
    "万事", "统一", "唯一", "星期一", "三角", "十足", "九江", "七夕", "八卦", "二维码", "一个", "三四十", "一二三",
    "十四五规划",
    "no one", "the second half", "a third party candidate", "someone", "often", "stone", "weight", "half of them",
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), STATED, ids=[text for text, _ in STATED])
def test_a_number_is_read_with_its_words_value_and_unit(text: str, expected: list[tuple[str, object, str]]) -> None:
    """Numerals of both languages, with sign, scale, currency and unit."""
    found = [(text[n.start : n.end], n.value, n.unit) for n in read_numbers(text)]
    assert found == [(words, Fraction(str(value)), unit) for words, value, unit in expected]


@pytest.mark.parametrize("text", NOT_STATED)
def test_numerals_within_words_are_no_numbers(text: str) -> None:
    """一些, 万一, 三亚 count nothing, neither does `someone`."""
    assert [n for n in read_numbers(text) if n.unit != "第"] == []


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("GPT-4 与 gpt4", ["gpt4", "gpt4"]),
        ("5G 手机 H20 芯片", ["5g", "h20"]),
        ("COVID-19", ["covid19"]),
        ("192.168.1.10", ["192.168.1.10"]),
        ("14:20 更新", ["14:20"]),
        ("v2.1.3", ["v2.1.3"]),
        ("国Ⅳ 标准", ["ⅳ"]),
        ("call +1-222-333", ["+1-222-333"]),
    ],
)
def test_letters_with_digits_are_names(text: str, keys: list[str]) -> None:
    """A model, an address, a clock time: compared as written, not as quantities."""
    assert [found.key for found in read(text) if isinstance(found, Name)] == keys
    assert read_numbers(text) == ()


def test_addresses_are_passed_over() -> None:
    """Digits of a URL state nothing."""
    assert read("见 https://a.example/2026/11/29?q=30%25 的内容") == ()


@pytest.mark.parametrize(
    ("text", "grain"),
    [
        ("3.57", "0.01"),
        ("36.57亿", "1000000"),
        ("300万", "10000"),
        ("三百万", "10000"),
        ("3 million", "1000000"),
        ("1,200", "1"),
        ("25.0", "0.1"),
        ("三成", "10"),
        ("三分之一", "0"),
    ],
)
def test_the_grain_is_the_step_of_the_last_shown_digit(text: str, grain: str) -> None:
    """It tells how precisely a number was stated."""
    assert read_numbers(text)[0].grain == Fraction(grain)


@pytest.mark.parametrize(
    ("text", "hedge"),
    [
        ("约1200人", "about"),
        ("近50%", "under"),
        ("超过3万", "over"),
        ("五百余万", "over"),
        ("30多人", "over"),
        ("100人左右", "about"),
        ("about 100", "about"),
        ("nearly 50", "under"),
        ("more than 20", "over"),
        ("1200人", ""),
    ],
)
def test_hedges_are_read_with_the_number(text: str, hedge: str) -> None:
    """Before or behind the number, or within the numeral."""
    assert read_numbers(text)[0].hedge == hedge


def test_both_ends_of_a_range_know_each_other() -> None:
    """And share the unit that stands once."""
    low, high = read_numbers("18~25℃")
    assert (low.joined, low.peer, low.first) == ("range", 25, True)
    assert (high.joined, high.peer, high.first) == ("range", 18, False)
    for score in ("113 - 107", "3比2", "8-of-17", "3：2"):
        assert [n.joined for n in read_numbers(score)] == ["score", "score"]


def test_two_figures_in_a_row_are_no_one_number() -> None:
    """三四十 means thirty or forty; the reader goes on behind it."""
    assert read_han("三四十人", 0) == (None, 3)
    assert [n.value for n in read_numbers("三四十人，25人")] == [25]


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="0123456789.,%-~+:/ 一二十百千万亿零点第成折半多余分之又约元个人℃$€abkM第\n°", max_size=60))
def test_reading_never_raises_and_positions_are_those_of_the_text(text: str) -> None:
    """Whatever stands in the text: spans lie within it, in order, without overlap, and hold a numeral."""
    at = 0
    for found in read(text):
        assert at <= found.start < found.end <= len(text)
        assert text[found.start : found.end].strip()
        at = found.end
        if isinstance(found, Number):
            assert found.grain >= 0


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    """Every code point, surrogates included."""
    for found in read(text):
        assert 0 <= found.start < found.end <= len(text)


@pytest.mark.parametrize("text", [text for text, _ in STATED if text.isascii()])
def test_full_width_forms_state_the_same(text: str) -> None:
    """`３．２％` is `3.2%`."""
    plain = [(n.value, n.unit, n.grain) for n in read_numbers(text)]
    assert [(n.value, n.unit, n.grain) for n in read_numbers(text.translate(WIDE))] == plain


@settings(max_examples=200, deadline=None)
@given(
    st.integers(min_value=0, max_value=10**12),
    st.integers(min_value=0, max_value=3),
    st.sampled_from(["", "元", "%", "人", "℃", " km"]),
    st.booleans(),
)
def test_a_written_number_is_read_back(value: int, digits: int, unit: str, wide: bool) -> None:
    """With thousands separators, decimals and any width the value is exactly the one written."""
    text = f"{value:,}" + (f".{7:0{digits}d}" if digits else "") + unit
    expected = Fraction(text[: len(text) - len(unit)].replace(",", ""))
    numbers = read_numbers(text.translate(WIDE) if wide else text)
    assert [n.value for n in numbers] == [expected]


def in_chinese(value: int) -> str:
    """The numeral of a value below 10^12, by its definition: sections of four figures, 零 over gaps."""

    def section(part: int) -> str:
        out, gap = "", False
        for place, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
            figure, part = divmod(part, place)
            if figure:
                out += ("零" if gap and out else "") + "零一二三四五六七八九"[figure] + name
                gap = False
            else:
                gap = True
        return out

    out, rest = "", value
    for size, name in ((10**8, "亿"), (10**4, "万"), (1, "")):
        part, rest = divmod(rest, size)
        if part:
            out += ("零" if out and part < 1000 else "") + section(part) + name
    return out or "零"


@settings(max_examples=300, deadline=None)
@given(st.integers(min_value=10, max_value=10**12 - 1))
def test_a_chinese_numeral_is_read_back(value: int) -> None:
    """Composed by the rules of the language, read by the reader."""
    numeral, _ = read_han(in_chinese(value), 0)
    assert numeral is not None
    assert numeral.value == value


ATTACKS = [
    "1",
    "1,",
    "1,111,",
    "1.1.",
    "1-",
    "一",
    "一十",
    "一万",
    "一点",
    "a1",
    "a-",
    "a",
    "one ",
    "one and a ",
    "-",
    "$ ",
]
ATTACKS += [
    "http://",
    "百分之",
    "一分之",
    "一又",
    "1/",
    "12:30:",
    "零",
    "第",
    "约",
    "1%",
    "1~",
    "a ",
    "1^",
    "壹",
    "拾",
    "1千",
]


@pytest.mark.parametrize("unit", ATTACKS)
def test_repeated_patterns_are_read_to_the_end(unit: str) -> None:
    """Neither depth nor length of a repetition is a way to stop the reader; the number behind it is still found."""
    text = unit * (30_000 // len(unit)) + "。营收88.5%"
    assert [n.value for n in read_numbers(text)][-1:] == [Fraction("88.5")]


def test_ten_mebibytes_are_read_in_linear_work() -> None:
    """Plain text of 10 MiB with a number at its end; a reader with quadratic work would not come back."""
    text = "这是一段没有数字的普通文字，plain words only. " * 350_000 + "25℃"
    assert [(n.value, n.unit) for n in read_numbers(text)] == [(25, "°C")]


def test_a_digit_string_without_end_is_no_number() -> None:
    """Beyond forty digits it is an identifier, and int() would take quadratic time."""
    assert read_numbers("7" * 5000) == ()


@pytest.mark.parametrize(
    "text",
    [
        "气温-16～-5℃", "⁻16°C", "˗16°C", "➖16°C", "—16°C", "ー16°C", "─16°C", "零下约16℃", "零下达到16℃", "零下近16℃",
        "minus about 16°C", "16°C below the freezing point", "16°C below freezing", "冰点以下16℃", "16 degrees below zero",
        "the low was ⁻16°C", "最低—16℃", "气温为ー16℃", "最低气温 ─16℃", "最低气温：-16℃", "气温为-16",
    ],
)  # fmt: skip
def test_a_minus_in_any_form_is_read(text: str) -> None:
    """Signs of other alphabets, words before and behind."""
    assert read_numbers(text)[0].value == -16


@pytest.mark.parametrize("dash", "-–—ー─⁻˗➖")
def test_a_dash_between_two_numbers_is_no_minus(dash: str) -> None:
    """A range stays one."""
    low, high = read_numbers(f"16{dash}24°C")
    assert (low.value, high.value, low.joined) == (16, 24, "range")


@pytest.mark.parametrize("text", ["苏-27战机", "F-16 jets", "they left —16 people"])
def test_a_dash_of_a_name_or_a_pause_is_no_minus(text: str) -> None:
    """A type of aircraft, a thought that goes on."""
    assert all(number.value > 0 for number in read_numbers(text))


@pytest.mark.parametrize("text", ["周一：5℃", "Item 2: 9°C", "Case 1: -3"])
def test_what_a_colon_introduces_is_no_score(text: str) -> None:
    """A weekday or a number before a colon with a blank, and what is measured there."""
    assert not any(number.joined == "score" for number in read_numbers(text))
