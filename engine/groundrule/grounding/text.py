"""The two functions on text that the rule language shares with grounding (RULES section 9)."""

from __future__ import annotations

import math
import re
import unicodedata
from fractions import Fraction
from functools import cache

# Invisible in every script that we read: soft hyphen, zero-width characters, word joiner, byte order mark.
_INVISIBLE = dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF))


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
    """The text in NFKC without case, width, invisible characters and superfluous blanks.

    Equal results mean that a reader would call the texts the same. `normalise(normalise(t)) == normalise(t)`.
    """
    folded = compatible(text).casefold().translate(_INVISIBLE)
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
