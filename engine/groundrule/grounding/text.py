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
_UNSEEN: dict[int, str | None] = {
    code: None for first, last in (*_IGNORABLE, *_CONTROLS) for code in range(first, last + 1)
}
_UNSEEN[0x2800] = " "  # the Braille pattern without dots


_MARKS_IN_A_ROW = 30
"""Combining marks that may follow each other (UAX #15, stream-safe text): sorting longer runs is quadratic."""


@cache
def _long_run() -> re.Pattern[str]:
    marks = "".join(re.escape(chr(code)) for code in range(0x300, 0x1E94B) if unicodedata.combining(chr(code)))
    return re.compile(f"([{marks}]{{{_MARKS_IN_A_ROW}}})[{marks}]+")


def compatible(text: str) -> str:
    """The text in NFKC, in linear time: of a run of combining marks only the first thirty are kept."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _long_run().sub(r"\1", text))


def normalise(text: str) -> str:
    """The text in NFKC without case, width, characters that show nothing and superfluous blanks.

    It is empty if a reader would see nothing. Equal results mean that a reader would call the texts the same. `normalise(normalise(t)) == normalise(t)`.
    """
    folded = compatible(text).casefold().translate(_UNSEEN)
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
