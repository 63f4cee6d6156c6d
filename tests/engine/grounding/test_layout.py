"""Handles, list markers, sentences, quotations and links of an answer."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundrule.grounding.layout import find_handles, list_markers, split_sentences
from groundrule.grounding.links import read_links
from groundrule.grounding.quotes import read_quotes

KNOWN = {"[1]": "a", "[2]": "b", "(源3)": "c"}


@pytest.mark.parametrize(
    ("text", "handles"),
    [
        ("晴。[1]", ["[1]"]),
        ("晴[1][2]", ["[1]", "[2]"]),
        ("晴[1, 2]", ["[1]", "[2]"]),
        ("晴(源3)", ["(源3)"]),
        ("晴[9]", ["[9]"]),
        ("晴【4】和[^5]", ["【4】", "[^5]"]),
        ("数组 a[i] 与 [注]", []),
    ],
)
def test_known_handles_and_what_looks_like_one_are_found(text: str, handles: list[str]) -> None:
    """An unknown handle must not go unnoticed."""
    assert [found.text for found in find_handles(text, KNOWN)] == handles


def test_a_handle_of_digits_alone_hides_no_number() -> None:
    """It could not be told from the number 1, so it is never found."""
    assert find_handles("气温 1 度", {"1": "a", "": "b"}) == ()


@pytest.mark.parametrize(
    ("text", "markers"),
    [
        ("1. 晴\n2. 雨\n", ["1. ", "2. "]),
        ("一、晴\n二、雨", ["一、", "二、"]),
        ("（1）晴\n（2）雨", ["（1）", "（2）"]),
        ("包括①晴；②雨", ["①", "②"]),
        ("1. 甲\n   1. 乙\n   2. 丙\n2. 丁", ["1. ", "   1. ", "   2. ", "2. "]),
        ("1.北京\n2.上海", ["1.", "2."]),
        ("30. 气温", []),
        ("1. 晴\n5. 雨", ["1. "]),
        ("42.", []),
        ("1.5 米\n2.5 米", []),
    ],
)
def test_list_markers_run_from_one(text: str, markers: list[str]) -> None:
    """A number at the start of a line that does not continue its list states something."""
    assert [text[start:end] for start, end in list_markers(text)] == markers


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("甲[1]。乙。", ["甲[1]。", "乙。"]),
        ("甲。[1]乙。 [2]\n丙", ["甲。[1]", "乙。 [2]", "\n", "丙"]),
        ("It rose 3.5 points. It fell.[1] End", ["It rose 3.5 points.", " It fell.[1]", " End"]),
        ("The U.S. economy grew.", ["The U.S. economy grew."]),
        ("他说：“甲。”乙", ["他说：“甲。”", "乙"]),
    ],
)
def test_a_handle_right_behind_a_sentence_belongs_to_it(text: str, sentences: list[str]) -> None:
    """Where sentences begin decides which items a claim may rest on."""
    starts = split_sentences(text, find_handles(text, KNOWN)).starts
    assert [text[a:b] for a, b in zip(starts, (*starts[1:], len(text)), strict=True)] == sentences


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ("他说：“今天 天气，很好。”", ["今天天气很好"]),
        ("「広州は晴れ」『未来五天』", ["広州は晴れ", "未来五天"]),
        ('He said "It will rain."', ["itwillrain"]),
        ("所谓“智能”", []),
        ('10" 和 12" 的屏幕', []),
        ("“没有收尾", []),
    ],
)
def test_quotations_of_four_letters_or_more_are_read(text: str, quotes: list[str]) -> None:
    """Punctuation, case, width and blanks are ignored; terms of two or three characters are no quotations."""
    assert [found.key for found in read_quotes(text)] == quotes


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("见https://a.example/x。", [("https://a.example/x", "https://a.example/x")]),
        ("(https://A.example/y)", [("https://A.example/y", "https://a.example/y")]),
        ("https://a.example/w_(x), 等", [("https://a.example/w_(x)", "https://a.example/w_(x)")]),
        ("[页](https://a.example/z)", [("https://a.example/z", "https://a.example/z")]),
        ("www.a.example/q", [("www.a.example/q", "https://www.a.example/q")]),
        ("[点](javascript:alert)", [("javascript:alert", None)]),
        ("ftp://a.example/", [("ftp://a.example/", None)]),
        ("//evil.example/x", [("//evil.example/x", None)]),
        ("ｈｔｔｐｓ：／／ａ．ｅｘａｍｐｌｅ", [("ｈｔｔｐｓ：／／ａ．ｅｘａｍｐｌｅ", None)]),
        ("https://www.gov.example\\@evil.example/", [("https://www.gov.example\\@evil.example/", None)]),
        ("[注](:)", []),
        ("3/4 与 and/or", []),
    ],
)
def test_links_are_read_as_browsers_would(text: str, links: list[tuple[str, str | None]]) -> None:
    """What cannot be read as one http(s) address is a link all the same, and leads nowhere that we know."""
    assert [(text[found.start : found.end], found.url) for found in read_links(text)] == links


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='[]【】()（）“”"「」。.!?\n1234567890、,，①②一二 ahtps:/w.', max_size=80))
def test_any_layout_is_read(text: str) -> None:
    """Nothing raises, spans lie within the text, and sentences cover it."""
    handles = find_handles(text, KNOWN)
    for found in (*handles, *read_links(text), *read_quotes(text)):
        assert 0 <= found.start < found.end <= len(text)
    starts = split_sentences(text, handles).starts
    assert starts[0] == 0
    assert list(starts) == sorted(set(starts))
    assert all(0 <= start < end <= len(text) for start, end in list_markers(text))


@pytest.mark.parametrize(
    "unit", ["“", '"', "「", "http://", "(", ")", "http://a)", "[1", "[1, ", "[1]", "\n1. ", "。", "](", "//", "①"]
)
def test_repeated_marks_are_read_in_linear_work(unit: str) -> None:
    """A mebibyte of one mark; quadratic work would not come back, and what stands behind is still found."""
    text = unit * ((1 << 20) // len(unit)) + "\n“今天天气很好。”见 https://b.example/ [2]"
    handles = find_handles(text, KNOWN)
    assert handles[-1].text == "[2]"
    assert read_links(text)[-1].url == "https://b.example/"
    assert read_quotes(text)[-1].key == "今天天气很好"
    assert split_sentences(text, handles).of(len(text)) > 0
    assert all(end <= len(text) for _, end in list_markers(text))
