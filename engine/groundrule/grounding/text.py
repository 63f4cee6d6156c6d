"""The two functions on text that the rule language shares with grounding (RULES section 9)."""

from __future__ import annotations

import math
import re
import unicodedata
from fractions import Fraction
from functools import cache

# What shows nothing: the Default_Ignorable_Code_Point of Unicode (DerivedCoreProperties.txt), which has the soft
# hyphen, zero-width characters, fillers, joiners, direction marks, variation selectors and tags; the controls that
# are no blanks; the anchors of annotations. The table is ours, since `unicodedata` differs between Pythons.
_IGNORABLE = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F),
    (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
_CONTROLS = ((0x00, 0x08), (0x0E, 0x1B), (0x7F, 0x84), (0x86, 0x9F), (0xFFF9, 0xFFFB))
_UNSEEN = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in (*_CONTROLS, *_IGNORABLE)) + "]+")
_NO_DOTS = "\u2800"
"""The Braille pattern without dots, a blank."""

_MARKS_IN_A_ROW = 30
"""Combining marks that may follow each other (UAX #15, stream-safe text): sorting longer runs is quadratic."""


@cache
def _long_run() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Where a long run of marks may be, told quickly, and where one is: a class with many characters beyond U+FFFF is slow."""
    marks = [code for code in range(0x300, 0x1E94B) if unicodedata.combining(chr(code))]
    plain = "".join(re.escape(chr(code)) for code in marks if code < 0x10000) + f"\U00010000-{chr(marks[-1])}"
    exact = "".join(map(re.escape, map(chr, marks)))
    # The first one stands alone: `re` then skips at once what no mark is.
    likely, certain = (f"[{each}][{each}]{{{_MARKS_IN_A_ROW - 1}}}" for each in (plain, exact))
    return re.compile(f"{likely}[{plain}]"), re.compile(f"({certain})[{exact}]+")


def compatible(text: str) -> str:
    """The text in NFKC, in linear time: of a run of combining marks only the first thirty are kept."""
    if text.isascii():
        return text
    likely, certain = _long_run()
    return unicodedata.normalize("NFKC", certain.sub(r"\1", text) if likely.search(text) else text)


def normalise(text: str) -> str:
    """The text in NFKC without case, width, characters that show nothing and superfluous blanks.

    It is empty if a reader would see nothing. Equal results mean that a reader would call the texts the same. `normalise(normalise(t)) == normalise(t)`.
    """
    folded = _UNSEEN.sub("", compatible(text).casefold()).replace(_NO_DOTS, " ")
    return " ".join(compatible(folded).split())


def contains_number(text: str, x: float) -> bool:
    """Whether the text states the number `x`: 3.2 in `3.2%`, 36570000 in `3657万`, 32 in 三十二.

    The number compared is the one written, not its rounding, so 25 is not in `25.3`. A percentage counts as its
    figure. False for a number that is not finite.
    """
    from .numbers import read_numbers  # late: its tables are only needed where a rule asks

    if not math.isfinite(x):
        return False
    wanted = Fraction(repr(float(x)))
    return any(number.value == wanted for number in read_numbers(text))
