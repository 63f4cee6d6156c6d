"""The two functions on text that rules may call."""

from __future__ import annotations

import math
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrule.grounding.folding import fold
from groundrule.grounding.text import _CONTROLS, _IGNORABLE, contains_number, normalise


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("Ｇｒｏｕｎｄ　Rule", "ground rule"),
        ("  a \n\t b  ", "a b"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("ﾃｽﾄ", "テスト"),
        ("㎏ ½", "kg 1⁄2"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("广州　未来５天", "广州 未来5天"),
        ("", ""),
        ("\u3164\uffa0\u115f\u1160", ""),  # fillers, which count as letters
        ("\u2800", ""),
        ("\u00ad\u034f\u180e", ""),
        ("\u061c\u200e\u202e\u2066\u206f", ""),
        ("\ufe0f\U000e0041\U000e01ef", ""),
        ("\0\x01\x1b\x7f\x9f", ""),
        ("a\x1fb\x85c\u2800d", "a b c d"),
        ("pay\0pal\u3164", "paypal"),
        (".", "."),
    ],
)
def test_what_a_reader_would_call_the_same_becomes_the_same(text: str, normal: str) -> None:
    """Width, case, invisible characters and blanks are no difference."""
    assert normalise(text) == normal


@given(st.text())
def test_a_normal_text_stays_as_it_is(text: str) -> None:
    """Normalising twice is normalising once."""
    assert normalise(normalise(text)) == normalise(text)


_PIECES = st.one_of(
    st.characters(exclude_categories=("Cs",)),
    st.sampled_from("\u0301\u0327\u3099\U0001d165\U0001e94a\u200b\u2800\ufdfa\U000e0041\U0001d400今a"),
).flatmap(lambda char: st.sampled_from((1, 29, 30, 31, 40)).map(lambda times: char * times))


@given(st.lists(_PIECES, max_size=6).map("".join))
def test_normalising_is_done_code_point_by_code_point(text: str) -> None:
    """Thirty marks of a run are kept, what shows nothing is not; however that is found quickly."""
    unseen = {chr(code) for first, last in (*_IGNORABLE, *_CONTROLS) for code in range(first, last + 1)}

    def compatible(text: str) -> str:
        kept, run = [], 0
        for char in text:
            run = run + 1 if unicodedata.combining(char) else 0
            kept += [char] if run <= 30 else []
        return unicodedata.normalize("NFKC", "".join(kept))

    seen = [char for char in compatible(text).casefold() if char not in unseen]
    plain = compatible("".join(seen).replace("\u2800", " "))
    assert normalise(text) == " ".join(plain.split())


@given(st.text())
def test_folding_keeps_every_position(text: str) -> None:
    """One code point in, one out, so that positions in the folded text are positions in the text."""
    assert len(fold(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("增长3.2%", 3.2),
        ("三十二人", 32),
        ("36.57亿元", 3657000000),
        ("零下5度", -5),
        ("百分之三十", 30),
        ("1,234.50", 1234.5),
        ("２０２６年", 2026),
        ("0.1 and 0.2", 0.1),
        ("two hundred", 200),
    ],
)
def test_a_number_is_contained_however_it_is_written(text: str, number: float) -> None:
    """The value counts, in either language."""
    assert contains_number(text, number)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("25.3℃", 25),
        ("125", 25),
        ("", 0),
        ("GPT-4", 4),
        ("https://a.example/25", 25),
        ("5", -5),
        ("3", math.nan),
        ("3", math.inf),
    ],
)
def test_no_other_number_is_contained(text: str, number: float) -> None:
    """Neither a rounding nor a part of another numeral, a name or an address."""
    assert not contains_number(text, number)
