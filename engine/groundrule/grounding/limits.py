"""Whether a bound of an answer (more than, at most, nearly, exactly, not) holds for what a source says.

The source's number is an interval: itself, the range that it is an end of, or all that its own bound leaves. The claim
holds if that interval lies within its own.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Literal, cast

from .numbers import Number

Limit = Literal["", "over", "least", "under", "most", "near", "exact", "not"]
"""over, under: without the number itself; least, most: with it; near: up to it."""

_VERB = r"(?:达到?了?|了|增长|增加|上涨|上升|提高|下降|下跌|减少|下滑|为|是|有|增|涨|降|跌| an?| some| of)?"
_BEFORE = re.compile(
    r"(?:(?P<least>至少|不少于|不低于|不小于|不下于?|起码|≥|>=|\b(?:no|not) (?:less|fewer|lower) than|\bat least|\ba minimum of)"
    r"|(?P<most>至多|最多|[不未没](?:有)?(?:超过|高于|多于|大于)|≤|<=|(?:\b(?:no|not)|n't) (?:more|higher|greater) than|\bnot (?:over|above|exceed(?:ing)?)"
    r"|\bat most|\bwithin|(?<!add )\bup to|\ba maximum of)"
    r"|(?P<over>超过|超出|超|逾|突破|高于|多于|大于|>|\b(?:(?:more|greater|higher) than|over|above|exceed(?:s|ed|ing)?|upwards of))"
    r"|(?P<under>不到|不足|未满|低于|少于|小于|[未没](?:有)?(?:达到?|到)|<"
    r"|\b(?:(?:less|fewer|lower) than|under|below|short of|(?:not|never|n't|fail(?:s|ed)? to) (?:reach|hit|top|exceed)))"
    r"|(?P<near>将近|接近|(?<![最附相])近|\b(?:nearly|almost|close to))"
    r"|(?P<exact>正好|恰好|刚好|整整|\b(?:exactly|precisely))"
    rf"|(?P<not>≠|!=|不是|并非|而非|\b(?:(?:is|was|are|were)(?: not|n't)|not|rather than|instead of))){_VERB} ?$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r" ?(?:(?P<least>以上|或以上|之上|(?:or|and) (?:more|higher|above|over|greater|older)\b|at least\b|≤|<=)"
    r"|(?P<most>以下|之下|以内|之内|内(?![部容外地])|(?:or|and) (?:less|fewer|lower|below|under|younger)\b|at most\b)"
    r"|(?P<over>多(?!云)|余|以后|之后|后(?![来续勤])|later\b|\+(?![0-9])))",
    re.IGNORECASE,
)
_COMPARED = re.compile(r"[0-9][^，。,;；年0-9 ]{0,3}(?:[高低多少大小]于| (?:is |was )?(?:higher|lower|greater|less|more|fewer) than )$")
"""26℃高于15℃ compares two numbers and bounds none."""
_SPAN = 20
"""Code points in front of a number in which its bound stands."""


def limit(text: str, start: int, end: int) -> Limit:
    """The bound that a folded text sets with the number at [start, end)."""
    window = text[max(0, start - _SPAN) : start]
    found = _BEFORE.search(window)
    if found and _COMPARED.search(window, 0, found.end()):
        found = None
    found = found or _AFTER.match(text, end)
    return cast(Limit, found.lastgroup) if found else ""


def holds(bound: Limit, value: Fraction, source: Number, said: Limit, factor: Fraction = Fraction(1)) -> bool:
    """Whether `bound` of a claim's value is true of a source's number with its own bound `said`.

    factor: what the source's value is multiplied by to be in the claim's unit.
    """
    if "not" in (bound, said):
        return bound == said
    if not bound:
        return said != "under"
    ends = [source.value * factor, source.peer * factor if source.joined == "range" and source.peer is not None else source.value * factor]
    if source.value * value < 0:
        ends = [-end for end in ends]
    low, high = min(ends), max(ends)
    open_above, open_below = said in ("over", "least"), said in ("under", "most", "near")
    if bound in ("over", "least"):
        return not open_below and (low > value or (low == value and (bound == "least" or open_above)))
    if bound == "exact":
        return low == high and said in ("", "exact") and not source.hedge
    return not open_above and (high < value or (high == value and (bound != "under" or open_below)))
