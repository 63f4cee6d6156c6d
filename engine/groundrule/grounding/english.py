"""English number words to exact values: two hundred and fifty, one and a half million, two thirds, twenty-first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

_ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_TEENS = ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_UNITS = {word: i for i, word in enumerate(_ONES + _TEENS)} | {"nought": 0, "naught": 0}
_UNITS |= {word: 20 + 10 * i for i, word in enumerate(_TENS)}
SCALES = {
    "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12,
    "dozen": 12, "lakh": 10**5, "crore": 10**7, "mn": 10**6, "mln": 10**6, "bn": 10**9, "bln": 10**9, "tn": 10**12,
    "tln": 10**12,
}  # fmt: skip
SCALES |= {word + "s": scale for word, scale in SCALES.items() if len(word) > 3}
_ORDINAL_ENDS = "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
_ORDINALS = {word: 3 + i for i, word in enumerate(_ORDINAL_ENDS.split())}
_ORDINALS |= {"sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "hundredth": 100}
_ORDINALS |= {word[:-1] + "ieth": 20 + 10 * i for i, word in enumerate(_TENS)}
_ORDINALS |= {"thousandth": 10**3, "millionth": 10**6, "billionth": 10**9, "trillionth": 10**12}
_TAILS = _ORDINALS | {"first": 1, "second": 2}
_PARTS = _ORDINALS | {word + "s": value for word, value in _ORDINALS.items()}
_PARTS |= {"half": 2, "halves": 2, "quarter": 4, "quarters": 4}
_BELOW = _ORDINALS | {word + "s": value for word, value in _ORDINALS.items()} | {"first": 1, "firsts": 1}
"""Last words of a denominator of several words: three twenty-firsts."""
_GAP = r"(?: {1,3}| ?- ?)"
_WORD = "|".join(sorted(_UNITS.keys() | SCALES.keys() | _PARTS.keys(), key=len, reverse=True))
WORDS = (
    rf"(?<![A-Za-z0-9_])(?:an?(?={_GAP}(?:{_WORD})\b){_GAP})?(?:{_WORD})(?![A-Za-z0-9_])"
    rf"(?:(?:{_GAP}(?:and|point|a|of)\b){{0,2}}{_GAP}(?:{_WORD}|firsts?|second)(?![A-Za-z0-9_])){{0,16}}"
)
"""The pattern of a run of number words, to be compiled without regard to case."""
_WORD_TOKEN = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Words:
    """A number in English words; `ordinal` for third, twenty-first."""

    end: int
    value: Fraction
    grain: Fraction
    ordinal: bool = False


def read_words(run: str) -> Words | None:
    """The longest number at the start of a run of English number words, or None (`half` alone, `second`)."""
    tokens = [(m[0].lower(), m.end()) for m in _WORD_TOKEN.finditer(run)]
    if tokens[0][0] in _PARTS and tokens[0][0] not in ("half", "halves", "quarter", "quarters"):
        word, end = tokens[0]
        return Words(end, Fraction(_ORDINALS[word]), Fraction(1), ordinal=True) if word in _ORDINALS else None
    if tokens[0][0] in _PARTS or (tokens[0][0] in ("a", "an") and tokens[1][0] in _PARTS):
        return _part_of_scale(tokens)
    if long := _long_fraction(tokens):
        return long
    used, value, grain = _cardinal(tokens)
    if not used:
        return None
    read = _with_fraction(tokens, used, value, grain)
    return read or Words(tokens[used - 1][1], value, grain)


def _long_fraction(tokens: list[tuple[str, int]]) -> Words | None:
    """A fraction whose denominator has several words (three twenty-firsts, one one hundred fifth), or None.

    Of two readings the one with the longer denominator counts. One over it is singular, more are plural.
    """
    last = next((i for i, (word, _) in enumerate(tokens) if i and word in _BELOW), 0)
    plural = tokens[last][0].endswith("s")
    for at in range(1, last):
        used, above, _ = _cardinal(tokens[:at])
        if used != at or (above == 1) == plural or tokens[at][0] == "and":
            continue
        below_used, below, _ = _cardinal(tokens[at:last])
        word = "and" if tokens[last - 1][0] == "and" else ""
        whole = below_used == last - at - (word == "and")
        small = _BELOW[tokens[last][0]]
        if whole and _takes(tokens[last - 1 - (word == "and")][0], small):
            return Words(tokens[last][1], above / (below + small), Fraction(0))
    return None


def _takes(word: str, small: int) -> bool:
    """Whether an ordinal goes on after a number word: twenty-first, hundred fifth, thousand and fifth."""
    if word in SCALES:
        return small < SCALES[word] and small < 100
    return _UNITS.get(word, 0) >= 20 and small < 10


def _part_of_scale(tokens: list[tuple[str, int]]) -> Words | None:
    """`half a million`, `a quarter million`, `a third`: one part of the scale that follows, if any."""
    at = 1 if tokens[0][0] in ("a", "an") else 0
    value = Fraction(1, _PARTS[tokens[at][0]])
    scaled, scale = _scale_after(tokens, at)
    if scale > 1:
        return Words(tokens[scaled][1], value * scale, Fraction(0))
    return Words(tokens[at][1], value, Fraction(0)) if at and tokens[at][0] != "quarter" else None


def _cardinal(tokens: list[tuple[str, int]]) -> tuple[int, Fraction, Fraction]:
    """How many tokens form a cardinal, its value and its grain."""
    total, current, used, grain = 0, 0, 0, 1
    last, floor = "start", 10**15
    for i, (word, _) in enumerate(tokens):
        if word in _UNITS:
            size = "unit" if _UNITS[word] < 10 else "teen" if _UNITS[word] < 20 else "ten"
            if not (last in ("start", "hundred", "scale", "and") or (last == "ten" and size == "unit")):
                break
            current, last, grain = current + _UNITS[word], size, 1
        elif word in ("a", "an") and last == "start":
            if not (i + 1 < len(tokens) and tokens[i + 1][0] in SCALES):
                break
            current, last = 1, "unit"
            continue
        elif word in ("dozen", "dozens"):
            if last not in ("unit", "teen", "ten"):
                break
            added = current % 100 if tokens[i - 2][0] == "and" and i > 1 else current
            return i + 1, Fraction(total + current - added + added * 12), Fraction(1)
        elif word in SCALES and SCALES[word] == 100:
            if last not in ("unit", "teen", "ten"):
                break
            current, last = current * 100, "hundred"
        elif word in SCALES:
            if last in ("start", "scale", "and") or SCALES[word] >= floor:
                break
            total, current, floor, last, grain = (
                total + current * SCALES[word],
                0,
                SCALES[word],
                "scale",
                SCALES[word],
            )
        elif word == "and" and last in ("hundred", "scale") and not _is_part(tokens, i + 1):
            last = "and"
            continue
        elif word == "point" and last != "and":
            return _spoken_decimals(tokens, i, total + current)
        else:
            break
        used = i + 1
    return used, Fraction(total + current), Fraction(grain)


def _is_part(tokens: list[tuple[str, int]], at: int) -> bool:
    """Whether a fraction follows, so that `and` adds it: one hundred and three quarters."""
    words = [word for word, _ in tokens[at : at + 3]]
    if len(words) > 1 and words[1] in _PARTS:
        return _UNITS.get(words[0], 1) < _PARTS[words[1]]  # not one hundred and thirty fifths
    return len(words) > 2 and words[2] in _PARTS and words[1] in _UNITS


def _spoken_decimals(tokens: list[tuple[str, int]], point: int, whole: int) -> tuple[int, Fraction, Fraction]:
    value, step, used = Fraction(whole), Fraction(1), point
    for i in range(point + 1, len(tokens)):
        word = tokens[i][0]
        if word in SCALES and i > point + 1:
            return i + 1, value * SCALES[word], step * SCALES[word]
        if _UNITS.get(word, 10) > 9:
            break
        step /= 10
        value, used = value + _UNITS[word] * step, i + 1
    return used, value, step


def _scale_after(tokens: list[tuple[str, int]], part: int) -> tuple[int, int]:
    """The scale of which a fraction is meant (two thirds of a million) and the token in which it ends."""
    at = part + 1
    for word in ("of", "a"):
        at += at < len(tokens) and tokens[at][0] == word
    if at < len(tokens) and tokens[at][0] in SCALES:
        return at, SCALES[tokens[at][0]]
    return part, 1


def _with_fraction(tokens: list[tuple[str, int]], used: int, value: Fraction, grain: Fraction) -> Words | None:
    """`two thirds`, `five and a half`, `one and a half million`, `twenty-first`; None where none follows."""
    rest = [word for word, _ in tokens[used : used + 2]]
    if not rest:
        return None
    if rest[0] in _TAILS and value >= 20 and ((value % 10 == 0 and _TAILS[rest[0]] < 10) or value % 100 == 0):
        return Words(tokens[used][1], value + _TAILS[rest[0]], Fraction(1), ordinal=True)
    if rest[0] in _PARTS:
        plural = rest[0].endswith("s") or rest[0] == "half"
        if (value == 1) != plural and not (value == 1 and rest[0] in ("hundredth", "thousandth")):
            at, scale = _scale_after(tokens, used)
            return Words(tokens[at][1], value / _PARTS[rest[0]] * scale, Fraction(0))
        return None
    if rest[0] != "and":
        return None
    if rest[1:2] and rest[1] in _TAILS and value % 100 == 0 and value:
        return Words(tokens[used + 1][1], value + _TAILS[rest[1]], Fraction(1), ordinal=True)
    count = (2, Fraction(1), Fraction(1)) if rest[1:2] == ["a"] else _cardinal(tokens[used + 1 :])
    at = used + (count[0] if rest[1:2] == ["a"] else count[0] + 1)
    if not count[0] or at >= len(tokens) or tokens[at][0] not in _PARTS or count[1] > 99:
        return None
    part, end = count[1] / _PARTS[tokens[at][0]], tokens[at][1]
    scale = SCALES.get(tokens[at + 1][0], 0) if at + 1 < len(tokens) else 0
    ended_in_scale = tokens[used - 1][0] in SCALES and grain > 1
    if scale:
        end = tokens[at + 1][1]
        return Words(end, value + part * scale if ended_in_scale else (value + part) * scale, Fraction(0))
    return Words(end, value + part * (int(grain) if ended_in_scale else 1), Fraction(0))
