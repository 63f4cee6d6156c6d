"""When a score may be told from the other side: `A beat B 3-1` of a source that says `B lost 1-3` or `final score 1-3`."""

from __future__ import annotations

import re

from .matching import turned
from .numbers import Number
from .passages import AFTER, Passage

_BEAT = re.compile(
    r"(?:战胜|击败|打败|大胜|小胜|险胜|完胜|力克|轻取)了?(?P<han>[\u3400-\u9fff]{2})"
    r"|\b(?:beat|beats|defeat(?:s|ed)?|edged|downed|topped) (?:past |out )?(?:the )?(?:host |hosts |visiting )?"
    r"(?P<latin>[A-Z][A-Za-z0-9'.]*(?: [A-Z0-9][A-Za-z0-9'.]*){0,3})"
)
_DECIDED = re.compile(
    r"胜|击败|打败|力克|轻取|负|输|不敌|失利|惨败|落败|败给|告负"
    r"|\b(?:beats?|w[io]ns?|defeat(?:s|ed)?|victory|los[ets]s?|lost|fell|lead|leads|led|trail(?:s|ed)?|down|up)\b",
    re.IGNORECASE,
)
_LOST = re.compile(r"负|输|不敌|失利|惨败|落败|败给|告负|\b(?:los[ets]s?|lost|fell|trail(?:s|ed)?|down)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[。！？!?\n]|[a-z)]\. ")
_BEFORE = 64
_LEADING = 4
"""Code points that may stand before the loser's name where it opens a clause: 中国香港队, `The Owls`."""


def restated(answer: Passage, claim: Number, source: Passage, number: Number) -> bool:
    """Whether the answer names the loser of a score whose winner comes first, and the source has it the other way
    round: behind the loser's name that opens its clause, or where nobody is said to have won.
    """
    if claim.peer is None or claim.joined != "score" or not turned(claim, number):
        return False
    if (claim.value > claim.peer) is not claim.first:
        return False
    around = _around(answer, claim)
    losers = list(_BEAT.finditer(around))
    if not losers:
        return False
    beaten = losers[-1]
    clause = source.clause_before(number.start)
    names = [beaten["han"]] if beaten["han"] else beaten["latin"].split()
    at = min((found for name in names if (found := clause.find(name)) >= 0), default=-1)
    told = _DECIDED.search(clause + source.folded[number.end : number.end + AFTER])
    if at < 0:
        return told is None
    return at <= _LEADING and (told is None or _LOST.fullmatch(told[0]) is not None)


def _around(answer: Passage, claim: Number) -> str:
    """What the sentence says before and right behind a score."""
    before = _SENTENCE.split(answer.folded[max(0, claim.start - _BEFORE) : claim.start])[-1]
    behind = _SENTENCE.split(answer.folded[claim.end : claim.end + AFTER])[0]
    return before + answer.folded[claim.start : claim.end] + behind
