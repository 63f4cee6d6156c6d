"""How much work a claim is: what it would be compared with, counted before it is.

Claims and evidence multiply: five hundred scores against a table of scores. So an answer has a limit, and a claim that
would exceed it is not looked up; it stays unverified, and the others are judged.
"""

from __future__ import annotations

from collections.abc import Sequence

from .comparisons import Comparison
from .entities import Entity
from .estimates import change
from .evidence import Item
from .links import Link
from .matching import elsewhere, step, under_heads, window
from .numbers import Name, Number
from .passages import Passage
from .quotes import Quote
from .times import TimeRefusal, TimeSpan
from .worded import Worded, share_of

MOST = 100_000
"""Comparisons of one answer, about a second of work."""
_PATTERN, _WORDS = 300, 10_000
"""Code points that a pattern, or plain words, are looked up in while two numbers are compared."""

Sought = Number | Name | Worded | TimeSpan | TimeRefusal | Quote | Link | Entity | Comparison


def effort(answer: Passage, each: Sought, pool: Sequence[Item]) -> int:
    """The comparisons that a particular of an answer needs, at most."""
    if isinstance(each, Number):
        return sum(_of_number(answer, each, item) for item in pool)
    if isinstance(each, Worded):
        return sum(len(item.worded) + _of_worded(each, item) for item in pool)
    if isinstance(each, Comparison):
        return sum(len(item.comparisons) for item in pool)
    if isinstance(each, TimeSpan):
        return sum(len(item.times.spans) + len(item.text) // _PATTERN for item in pool)
    if isinstance(each, Name):
        return sum(len(item.text) // _PATTERN for item in pool if each.key not in item.names)
    if isinstance(each, Link):
        return sum(len(item.text) // _PATTERN for item in pool) if each.written else 0
    return sum(len(item.text) // _WORDS for item in pool)


def _of_number(answer: Passage, claim: Number, item: Item) -> int:
    steps = item.many(*window(claim)) + item.many(-claim.value, -claim.value)
    steps += sum(item.many(low, high) for _, _, low, high in elsewhere(claim, item))
    steps += sum(item.many(low, high) for _, low, high in under_heads(claim, item))
    if claim.hedge:
        reach = step(claim)
        steps += item.many(claim.value - reach, claim.value + reach)
    if claim.unit in ("%", "times"):
        steps += len(item.worded)
    share = share_of(answer.folded, claim) if not claim.grain else None
    return steps + (_of_worded(share, item) if share else 0)


def _of_worded(claim: Worded, item: Item) -> int:
    """The numbers that it may be true of, also as fractions if it is a share, and as changes if it is a multiple."""
    steps = item.many(claim.low, claim.high)
    if claim.sort == "share":
        return steps + item.many(claim.low / 100, claim.high / 100)
    return steps + item.many(*change(claim)[:2]) if claim.sort == "multiple" else steps
