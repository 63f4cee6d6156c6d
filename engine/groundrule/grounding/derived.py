"""What an answer may work out from bound facts: a closed list of operations.

* a count: of the items that it cites, of the names that it lists;
* a total of the other amounts of its sentence, where it says that it is one (合计, in total);
* a difference of two amounts of its sentence, where it says that it is one (相差, ahead by).

Rounding with a hedge and conversion of units stand in `matching`, since they have one operand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from .evidence import Item
from .numbers import Number
from .passages import Passage
from .quotes import quote_key

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
    r"相差|差距|差额|差|高出|高|低|多|少|增加|减少|上涨|下跌|上升|下降|领先|落后|净胜"
    r"|\b(?:difference|gap|more|fewer|less|higher|lower|ahead|behind|lead|margin|up|down|rose|fell|by)\b",
    re.I,
)
_CLAUSE_START = re.compile(r"[，。；：！？,;:!?\n（(]")
_LIST = re.compile(r"、|和|与|及|以及|, and | and |, ")


@dataclass(frozen=True, slots=True)
class Operand:
    """A number of the answer that is bound, with the ids of the items that it rests on."""

    number: Number
    evidence: tuple[str, ...]


def counted_sources(answer: Passage, claim: Number, cited: Sequence[str], items: Sequence[Item]) -> tuple[str, ...]:
    """The items whose number the claim states (两个来源, three reports), or none."""
    if not _SOURCES.match(answer.folded, _numeral_end(answer, claim)):
        return ()
    for ids in (tuple(dict.fromkeys(cited)), tuple(item.id for item in items)):
        if ids and claim.value == len(ids):
            return ids
    return ()


def _numeral_end(answer: Passage, claim: Number) -> int:
    """Where the numeral ends, without the classifier that belongs to the number."""
    piece = answer.folded[claim.start : claim.end]
    return claim.end - 1 if piece[-1:] in tuple("个家篇条份项") else claim.end


def counted_names(answer: Passage, claim: Number, items: Sequence[Item]) -> tuple[str, ...]:
    """The items that name what the answer lists right before a count (北京、上海和广州三地), or none."""
    if not 2 <= claim.value <= 20 or claim.grain != 1:
        return ()
    clause = _CLAUSE_START.split(answer.folded[max(0, claim.start - 200) : claim.start])[-1]
    names = [quote_key(name) for name in _LIST.split(clause.strip())]
    if len(names) != claim.value or not all(names):
        return ()
    found = {name: [item.id for item in items if name in item.quotable] for name in names}
    return tuple(dict.fromkeys(id for ids in found.values() for id in ids)) if all(found.values()) else ()


def computed(answer: Passage, claim: Number, operands: Sequence[Operand]) -> tuple[str, ...]:
    """The items behind the operands of which the claim is total or difference, or none."""
    alike = [o for o in operands if o.number.unit == claim.unit and o.number.kind == claim.kind and o.number != claim]
    alike = alike[:8]
    before = answer.folded[max(0, claim.start - 12) : claim.start]
    behind = answer.folded[claim.end : claim.end + 12]
    total = sum((o.number.value for o in alike), Fraction(0))
    if len(alike) > 1 and _TOTAL.search(before + " " + behind) and _is(claim, total, alike):
        return _ids(alike)
    if _GAP.search(before + " " + behind):
        for pair in combinations(alike, 2):
            if _is(claim, abs(pair[0].number.value - pair[1].number.value), pair):
                return _ids(pair)
    return ()


def _is(claim: Number, value: Fraction, operands: Sequence[Operand]) -> bool:
    """Whether the claim states the value, no more precisely than its operands are."""
    return abs(claim.value - value) <= claim.grain / 2 and claim.grain >= max(o.number.grain for o in operands)


def _ids(operands: Sequence[Operand]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(id for operand in operands for id in operand.evidence))
