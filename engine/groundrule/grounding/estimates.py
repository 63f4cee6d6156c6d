"""When a source says what a numeral in words says: hundreds of 349 people, half of 50 %, doubled of a rise by 100 %."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from .evidence import Item
from .numbers import Number
from .passages import Passage
from .units import unit_of
from .worded import Worded, share_of, thing_after


def repeated(claim: Worded, item: Item) -> Iterator[Worded]:
    """The numerals in words of an item that say the same of the same thing."""
    for each in item.worded:
        if each.sort == claim.sort and _one_word(claim, each) and not _opposed(claim, each) and _one_thing(claim, each):
            yield each


def narrower(claim: Worded, item: Item) -> Iterator[Worded]:
    """The numerals in words of an item that say it more closely: 数百 for hundreds."""
    for each in item.worded:
        within = each.sort == claim.sort and claim.low <= each.low and each.high <= claim.high
        if within and each.hedge in ("", claim.hedge) and _one_thing(claim, each):
            yield each


def counted(claim: Worded, item: Item) -> Iterator[Number]:
    """The numbers of an item that a count in words is true of, of the same unit or the same thing."""
    if claim.sort != "count":
        return
    for number in item.between(claim.low, claim.high):
        if claim.unit and number.unit == claim.unit:
            yield number
        elif claim.thing and not (claim.unit and number.unit) and _counts(number):
            if _alike(claim.thing, thing_after(item.folded, number.end)):
                yield number


def measured(answer: Passage, claim: Worded, item: Item) -> Iterator[Number]:
    """The percentages, fractions and multiples of an item that a share or multiple in words is true of."""
    if claim.sort == "share":
        sense = answer.senses(claim).direction
        for number in (*item.between(claim.low, claim.high), *item.between(claim.low / 100, claim.high / 100)):
            share = share_of(item.folded, number)
            if share is None or not claim.low <= (share.low + share.high) / 2 <= claim.high:
                continue
            if sense * item.senses(number).direction >= 0 and _alike(claim.thing, share.thing, unsure=not claim.thing):
                yield number
    elif claim.sort == "multiple":
        yield from (number for number in item.between(claim.low, claim.high) if number.unit == "times")
        low, high, sense = change(claim)
        for number in item.between(low, high):
            if number.unit == "%" and item.senses(number).direction == sense:
                yield number


def restating(answer: Passage, claim: Number, item: Item) -> Iterator[Worded]:
    """The numerals in words of an item that say what a percentage or multiple of the answer says exactly."""
    if claim.unit not in ("%", "times") or not item.worded:
        return
    for each in item.worded:
        if each.exact is None or each.hedge not in ("", claim.hedge):
            continue
        if each.unit == claim.unit:
            if each.exact == abs(claim.value) and (each.sort == "multiple" or _same_share(answer, claim, each)):
                yield each
        elif each.sort == "multiple" and claim.unit == "%":
            sense = -1 if each.exact < 1 or claim.value < 0 else 1
            change = abs(each.exact - 1) * 100
            if abs(claim.value) == change and answer.senses(claim).direction == sense:
                yield each


def _same_share(answer: Passage, claim: Number, each: Worded) -> bool:
    return _alike(each.thing, thing_after(answer.folded, claim.end), unsure=not each.thing)


def change(claim: Worded) -> tuple[Fraction, Fraction, int]:
    """The percentages of the change that a multiple is, and its direction: doubled is a rise by 100 %."""
    low, high = sorted((abs(claim.low - 1) * 100, abs(claim.high - 1) * 100))
    return low, high, 1 if claim.low >= 1 else -1


def _one_word(claim: Worded, each: Worded) -> bool:
    same = (claim.low, claim.high) == (each.low, each.high) if not claim.key else claim.key == each.key
    return same and (claim.unit == each.unit or not (claim.unit and each.unit))


def _opposed(claim: Worded, each: Worded) -> bool:
    return {claim.hedge, each.hedge} == {"over", "under"}


def _one_thing(claim: Worded, each: Worded) -> bool:
    if claim.sort == "multiple" or (claim.unit != "%" and claim.unit and claim.unit == each.unit):
        return True
    return _alike(claim.thing, each.thing, unsure=True)


def _alike(one: str, other: str, *, unsure: bool = False) -> bool:
    """Whether two texts speak of one thing. `unsure`: what counts where one does not say of which; of two scripts, always."""
    if not (one and other):
        return unsure
    if one.isascii() != other.isascii():
        return True
    return one == other if one.isascii() else one[0] == other[0]


def _counts(number: Number) -> bool:
    return not number.unit or unit_of(number.unit).dimension in ("count", "-")
