"""What an answer may work out from numbers that rest on the evidence: a closed list of operations.

* a count: of the items that it cites, of the names that it lists;
* a sum of the other amounts of its sentence, where it says that it is one (合计, in total);
* a difference of two amounts of its sentence, where it says that it is one (相差, ahead by);
* a ratio of two amounts of its sentence: a share in percent (占, of the total), a multiple (倍, times);
* the order of two amounts of its sentence (higher than, 低于);
* a growth or decline in percent between two amounts of its sentence (增长, fell).

Rounding, conversion of units and ranges stand in `verdicts` and `matching`, since they need no other number of the
answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from ..facts.words import Derivation
from .comparisons import Comparison
from .evidence import Item, Stated
from .matching import hedged
from .numbers import Number
from .passages import Passage
from .quotes import quote_key
from .worded import Worded

_SOURCES = re.compile(
    r" ?(?:个|家|篇|条|份|则|项)?(?:信息|新闻|可靠|不同|独立|公开)?(?:来源|信源|报道|媒体|网页|页面|结果|文章|消息)"
    r"|[ -](?:independent |different |separate |public )?(?:sources?|reports?|articles?|pages?|results?|outlets?)\b",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"合计|总计|共计|累计|总共|一共|共|总和|\b(?:in total|total(?:s|led|ing)?|combined|altogether|sum)\b",
    re.I,
)
_GAP = re.compile(
    r"相差|差距|差额|差|高出|高|低|多|少|增加|减少|上涨|下跌|上升|下降|提升|领先|落后|净胜"
    r"|\b(?:difference|gap|more|fewer|less|higher|lower|ahead|behind|lead|margin|up|down|rose|fell|by)\b",
    re.I,
)
_SHARE = re.compile(
    r"占|比例|份额|比重|\b(?:share|proportion|ratio|of (?:the|all|its|their|total)|account(?:s|ed)? for|makes? up)\b",
    re.I,
)
_BASE = re.compile(
    r"(?:从|由|自|较|比|去年|上年|此前|原来|\b(?:from|than|against|after|compared (?:with|to)|versus|vs\.?))[^，。；,;0-9]{0,8}$", re.I
)
"""What stands before the amount that a change is measured in."""
_CLAUSE_START = re.compile(r"[，。；：！？,;:!?\n（(]")
_LIST = re.compile(r"、|和|与|及|以及|, and | and |, ")
_NEAR = 12
"""Code points on each side of a number in which it says what it is."""
_MOST = 8
"""Amounts of a sentence that are tried."""


@dataclass(frozen=True, slots=True)
class Term:
    """A number of the answer that rests on the evidence, and what the items state there."""

    number: Number
    stated: tuple[Stated, ...]


@dataclass(frozen=True, slots=True)
class Derived:
    """How a number follows, from which items, and from what they state."""

    how: Derivation
    evidence: tuple[str, ...]
    operands: tuple[Stated, ...] = ()


def counted_sources(answer: Passage, claim: Number, cited: Sequence[str], items: Sequence[Item]) -> Derived | None:
    """The items whose number the claim states (两个来源, three reports)."""
    if not _SOURCES.match(answer.folded, _numeral_end(answer, claim)):
        return None
    for ids in (tuple(dict.fromkeys(cited)), tuple(item.id for item in items)):
        if ids and claim.value == len(ids):
            return Derived("count", ids)
    return None


def _numeral_end(answer: Passage, claim: Number) -> int:
    """Where the numeral ends, without the classifier that belongs to the number."""
    piece = answer.folded[claim.start : claim.end]
    return claim.end - 1 if piece[-1:] in tuple("个家篇条份项") else claim.end


def counted_names(answer: Passage, claim: Number, items: Sequence[Item]) -> Derived | None:
    """The items that name what the answer lists right before a count (北京、上海和广州三地)."""
    if not 2 <= claim.value <= 20 or claim.grain != 1:
        return None
    clause = _CLAUSE_START.split(answer.folded[max(0, claim.start - 200) : claim.start])[-1]
    names = [quote_key(name) for name in _LIST.split(clause.strip())]
    if len(names) != claim.value or not all(names):
        return None
    found = {name: [item.id for item in items if name in item.quotable] for name in names}
    ids = tuple(dict.fromkeys(id for ids in found.values() for id in ids))
    return Derived("count", ids) if all(found.values()) else None


def computed(answer: Passage, claim: Number, terms: Sequence[Term]) -> Derived | None:
    """Of which other amounts of its sentence the claim is the sum, difference, ratio or growth, if of any."""
    words = (
        answer.folded[max(0, claim.start - _NEAR) : claim.start] + " " + answer.folded[claim.end : claim.end + _NEAR]
    )
    others = [term for term in terms if term.number != claim]
    alike = [term for term in others if _alike(term.number, claim)][:_MOST]
    total = sum((term.number.value for term in alike), Fraction(0))
    if len(alike) > 1 and _TOTAL.search(words) and _is(claim, total, alike):
        return _follows("sum", alike)
    if _GAP.search(words):
        points = [term for term in others if claim.unit == "pp" and term.number.unit == "%"][:_MOST]
        alike = [] if claim.unit == "%" else alike  # between percentages lie percentage points
        for pair in (*combinations(alike, 2), *combinations(points, 2)):
            apart = pair[1].number.value - pair[0].number.value
            if _is(claim, abs(apart), pair) and not _backward(answer, claim, pair[0].number, pair[1].number):
                return _follows("difference", pair)
    for one, other in combinations(others[: 2 * _MOST], 2):
        how = _related(answer, claim, words, one.number, other.number) if _alike(one.number, other.number) else None
        if how == "growth" or (how and one.number.kind != "percent"):
            return _follows(how, (one, other))
    return None


def multiplied(answer: Passage, claim: Worded, terms: Sequence[Term]) -> Derived | None:
    """Of which two other amounts of its sentence a multiple in words tells the change (from 10 to 20, doubled)."""
    if claim.sort != "multiple":
        return None
    amounts = [term for term in terms if term.number.kind != "percent"][:_MOST]
    for one, other in combinations(amounts, 2):
        base = _base(answer, one.number, other.number) or one.number
        reached = other.number if base is one.number else one.number
        if _alike(base, reached) and base.value and claim.low <= reached.value / base.value <= claim.high:
            return _follows("ratio", (one, other))
    return None


def ordered(claim: Comparison, terms: Sequence[Term]) -> Derived | None:
    """The amounts before and behind a comparing word (26℃高于15℃), if they are in that order."""
    before = [term for term in terms if term.number.end <= claim.start]
    behind = [term for term in terms if term.number.start >= claim.end]
    if not (claim.sign and before and behind) or not _alike(before[-1].number, behind[0].number):
        return None
    apart = before[-1].number.value - behind[0].number.value
    return _follows("order", (before[-1], behind[0])) if apart * claim.sign > 0 else None


def _alike(one: Number, other: Number) -> bool:
    return one.unit == other.unit and one.kind == other.kind


def _related(answer: Passage, claim: Number, words: str, one: Number, other: Number) -> Derivation | None:
    """Whether the claim is a growth or ratio of two amounts: a percentage of one of them, or so many times it."""
    low, high = sorted((one, other), key=lambda number: abs(number.value))
    if not low.value or low.value * high.value < 0:
        return None
    times = high.value / low.value
    if claim.unit == "times":
        # `A is 1.8 times B`: A is the greater one.
        turned = low is one and one.end <= claim.start < other.start and _base(answer, one, other) is None
        return "ratio" if _about(claim, times) and not turned else None
    if claim.unit != "%":
        return None
    change = answer.senses(claim).direction or (-1 if claim.value < 0 else 0)
    base = _base(answer, one, other) or one
    if change < 0 and base is not low and _about(claim, (1 - 1 / times) * 100):
        return "growth"
    if change > 0 and base is not high and _about(claim, (times - 1) * 100):
        return "growth"
    return "ratio" if _SHARE.search(words) and _about(claim, 100 / times) else None


def _backward(answer: Passage, claim: Number, one: Number, other: Number) -> bool:
    """Whether the amounts fall, from the one to the other, where the claim is said to be a rise, or rise where a fall."""
    base = _base(answer, one, other) or one
    change = (other.value - one.value) * (1 if base is one else -1)
    return change * answer.senses(claim).direction < 0


def _base(answer: Passage, one: Number, other: Number) -> Number | None:
    """Which of two amounts a change is measured in, where the words before exactly one of them say so."""
    marked = [each for each in (one, other) if _BASE.search(answer.folded[max(0, each.start - 16) : each.start])]
    return marked[0] if len(marked) == 1 else None


def _about(claim: Number, value: Fraction) -> bool:
    """Whether the claim, its sign apart, states the value by its shown digits or by its hedge."""
    return abs(abs(claim.value) - value) <= claim.grain / 2 or (claim.value > 0 and hedged(claim, value))


def _is(claim: Number, value: Fraction, terms: Sequence[Term]) -> bool:
    """Whether the claim states the value, no more precisely than its terms are; cents of a sum of money are exact."""
    if claim.kind == "money" and claim.value == value:
        return True
    return abs(claim.value - value) <= claim.grain / 2 and claim.grain >= max(term.number.grain for term in terms)


def _follows(how: Derivation, terms: Iterable[Term]) -> Derived:
    found = [term.stated for term in terms]
    ids = dict.fromkeys(each.item.id for stated in found for each in stated)
    return Derived(how, tuple(ids), tuple(stated[0] for stated in found))
