"""When a number of an answer is the number of a source.

It is if it lies within half a step of its last shown digit from the source's value, is not more precise than the
source, has a compatible unit, and does not say the opposite (a rise for a fall). Small whole numbers occur
everywhere, so they must share the unit or a neighbouring word besides.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from enum import IntEnum
from fractions import Fraction

from .limits import holds
from .numbers import ORDINAL, Number
from .passages import Passage
from .senses import opposed
from .units import Unit, unit_of
from .worded import Worded

SMALL = 100
"""Whole numbers below it are small."""
TOLERANCE = Fraction(1, 10)
"""How far a rounded or hedged number may lie from the value, as a share of the number."""
_KIN = {
    frozenset(pair.split())
    for pair in (
        "¥ CNY",
        "¥ JPY",
        "° °C",
        "° °F",
        "pound GBP",
        "pound lb",
        "point level",
        "% percent",
        "person 个",
    )
}
"""Units of which one may stand for the other."""
_COUNTED = frozenset("person visit household turn point level age".split())
"""Units that a text may leave to its words: Attendance: 250; aged 38."""
_DEGREES = ("°C", "°F")
_FAHRENHEIT = (Fraction(9, 5), Fraction(32))


class Fit(IntEnum):
    """How well a number of a source fits: not at all, its value alone, or value and unit."""

    NONE = 0
    OPPOSITE = 1
    VALUE = 2
    WHOLE = 3


def fit(answer: Passage, claim: Number, source: Passage, number: Number) -> Fit:
    """How well `number` of `source` supports `claim` of `answer`, once its value agrees."""
    if _other_rate(claim, number):
        return Fit.NONE
    shared = Fit.WHOLE if paired(claim, number) else _units(answer, claim, source, number)
    if not shared or not _precise_enough(claim, number):
        return Fit.NONE
    if claim.value.numerator * number.value.numerator < 0 and number.value == -claim.value:
        # `fell 3.2%` and `-3.2%` are the same; otherwise a sign is part of the value.
        ours, theirs = answer.senses(claim), source.senses(number)
        unsigned, signed = (ours, theirs) if claim.value > 0 else (theirs, ours)
        less = unsigned.direction == -1 or unsigned.gain == -1
        return Fit.WHOLE if less and signed.direction != 1 else Fit.NONE
    denied = turned_round(answer, claim, source, number) or not within(answer, claim, source, number)
    return Fit.OPPOSITE if denied else shared


def within(answer: Passage, claim: Number, source: Passage, number: Number, factor: Fraction = Fraction(1)) -> bool:
    """Whether the bound that the answer sets (more than, at most) holds for the number; factor: from its unit to the claim's."""
    return bool(claim.joined) or holds(answer.limit(claim), claim.value, number, source.limit(number), factor)


def _backward(answer: Passage, claim: Number) -> bool:
    """Whether the answer lets it rise to the number from a greater one, or fall to it from a smaller one."""
    said = answer.senses(claim)
    at = bisect_left(answer.numbers, claim.start, key=lambda number: number.start)
    if said.reach != "to" or not at:
        return False
    base = answer.numbers[at - 1]
    begun = answer.senses(base).reach == "from" and base.unit == claim.unit
    return begun and (claim.value - base.value) * said.direction < 0


def turned_round(answer: Passage, claim: Number | Worded, source: Passage, number: Number | Worded) -> bool:
    """Whether the answer says the opposite of the number: a fall for a rise, at most for at least."""
    backwards = isinstance(claim, Number) and _backward(answer, claim)
    return backwards or opposed(answer.senses(claim), source.senses(number))


def candidates(claim: Number, source: Passage) -> Iterable[Number]:
    """The numbers of a source whose value agrees with the claim's, sign apart."""
    yield from source.between(*window(claim))
    if claim.value and claim.unit != ORDINAL:
        yield from source.between(-claim.value, -claim.value)


def window(claim: Number) -> tuple[Fraction, Fraction]:
    """Between which values a number agrees with the claim."""
    half = Fraction(0) if claim.unit == ORDINAL else claim.grain / 2
    if claim.grain > 1:
        half = min(half, abs(claim.value) * TOLERANCE)  # 1万 is no rounding of 14,900
    return claim.value - half, claim.value + half


def step(number: Number) -> Fraction:
    """The step of the last digit that is not zero: 100 for 1,200; the shown step where decimals are shown."""
    if number.grain < 1 or number.value == 0:
        return number.grain
    size, value = 1, abs(int(number.value))
    while value and value % (size * 10) == 0:
        size *= 10
    return max(Fraction(size), number.grain)


def _precise_enough(claim: Number, number: Number) -> bool:
    if claim.kind == "money" and claim.value == number.value:
        return True  # $25.00 is how $25 is written
    return number.grain <= claim.grain or claim.grain == 0 or step(claim) >= number.grain


def _units(answer: Passage, claim: Number, source: Passage, number: Number) -> Fit:
    """Whether the units agree. A number without unit is a count, or has the unit of a head; a small one needs a neighbour."""
    if (claim.unit == ORDINAL) != (number.unit == ORDINAL):
        # 第22轮 and 22轮
        thing, unit = (
            (answer.after(claim), number.unit) if claim.unit == ORDINAL else (source.after(number), claim.unit)
        )
        return Fit.VALUE if thing and thing[0] == unit else Fit.NONE
    if claim.unit == number.unit and claim.unit:
        return Fit.WHOLE if _same_thing(answer, claim, source, number) else Fit.NONE
    if frozenset((claim.unit, number.unit)) in _KIN:
        return Fit.WHOLE
    if claim.unit and number.unit:
        counted = {unit_of(unit).dimension for unit in (claim.unit, number.unit)}
        alike = counted <= {"count"} and _neighbours(answer, claim, source, number, strict=True)
        return Fit.VALUE if alike else Fit.NONE
    if "percent" in (claim.kind, number.kind) or number.unit in ("日", "月"):
        return Fit.NONE
    if claim.unit and unit_of(claim.unit).dimension != "count" and claim.unit not in _COUNTED:
        return Fit.VALUE if 1 in source.heads.get(claim.unit, ()) else Fit.NONE
    small = claim.value.denominator == 1 and abs(claim.value) < SMALL
    if small and not _neighbours(answer, claim, source, number, strict=False):
        return Fit.NONE
    return Fit.WHOLE if not claim.unit and not number.unit else Fit.VALUE


def same_unit(claim: Number, number: Number) -> bool:
    """Whether both have one unit, or units of which one may stand for the other."""
    alike = claim.unit == number.unit or frozenset((claim.unit, number.unit)) in _KIN
    return alike and not _other_rate(claim, number)


def _other_rate(claim: Number, number: Number) -> bool:
    """Whether both are counted by something, and not by the same: per kilo, per gram. Two classifiers may be one."""
    if not (claim.per and number.per) or claim.per == number.per:
        return False
    return not {unit_of(unit).dimension for unit in (claim.per, number.per)} <= {"count", "-"}


def _same_thing(answer: Passage, claim: Number, source: Passage, number: Number) -> bool:
    """With the same classifier the things counted must be the same where both texts name them in one script."""
    if claim.value >= 20 or (claim.unit != ORDINAL and unit_of(claim.unit).dimension != "count"):
        return True
    ours, theirs = answer.after(claim), source.after(number)
    if not ours or not theirs or ours.isascii() != theirs.isascii() or ours[0] == theirs[0]:
        return True
    return (
        claim.unit == ORDINAL
        and bool(answer.before(claim.start))
        and answer.before(claim.start) == source.before(number.start)
    )


def _neighbours(answer: Passage, claim: Number, source: Passage, number: Number, *, strict: bool) -> bool:
    """Whether the word before or behind is the same. Where there are none to compare, only `strict` says no."""
    ours = (answer.before(claim.start), answer.after(claim))
    theirs = (source.before(number.start), source.after(number))
    if any(a and a == b for a, b in zip(ours, theirs, strict=True)):
        return True
    if strict:
        return False
    if not any(ours):
        return True
    if not any(theirs):
        return claim.unit == number.unit
    # Words of two languages cannot be compared; then the source must at least count something.
    scripts = {word.isascii() for word in (*ours, *theirs) if word}
    return len(scripts) == 2 and (not number.unit or unit_of(number.unit).dimension == "count")


def conversions(answer: Passage, claim: Number, source: Passage) -> Iterable[Number]:
    """The numbers of a source that are the claim in another unit of its dimension, as precisely as it is shown."""
    for size, low, high in under_heads(claim, source):
        for number in source.between(low, high):
            fine = not number.unit and step(claim) >= number.grain * size
            if fine and within(answer, claim, source, number, Fraction(size)):
                yield number
    for id, factor, low, high in elsewhere(claim, source):
        for number in source.between(low, high):
            # Four times finer than the source's own step is not honest any more.
            fine = number.unit == id and step(claim) * 4 >= number.grain * factor
            if fine and (claim.unit in _DEGREES or within(answer, claim, source, number, factor)):
                yield number


def under_heads(claim: Number, source: Passage) -> Iterable[tuple[int, Fraction, Fraction]]:
    """What a source says that its numbers of the claim's unit are multiplied by, and the claim's bounds among those."""
    for size in source.heads.get(claim.unit, frozenset()) - {1}:
        middle, half = claim.value / size, claim.grain / 2 / size
        yield size, middle - half, middle + half


def elsewhere(claim: Number, source: Passage) -> Iterable[tuple[str, Fraction, Fraction, Fraction]]:
    """The other units of the claim's dimension in a source, what each is in the claim's, and the claim's bounds in it."""
    ours = unit_of(claim.unit)
    if not ours.dimension:
        return
    for id in source.units:
        theirs = unit_of(id)
        if theirs.id == ours.id or theirs.dimension != ours.dimension:
            continue
        scale = _scale(ours, theirs)
        if scale is None:
            continue
        factor, offset = scale  # ours = theirs * factor + offset
        middle, half = (claim.value - offset) / factor, claim.grain / 2 / factor
        yield id, factor, middle - half, middle + half


def _scale(ours: Unit, theirs: Unit) -> tuple[Fraction, Fraction] | None:
    if ours.dimension == "temperature":
        factor, offset = _FAHRENHEIT
        return (factor, offset) if ours.id == "°F" else (1 / factor, -offset / factor)
    return (theirs.factor / ours.factor, Fraction(0)) if ours.factor and theirs.factor else None


def hedged(claim: Number, value: Fraction) -> bool:
    """Whether `about`, `over` or `nearly` the claim is true of a value: above it by its last digit but zero at most, else
    within half of that and TOLERANCE.
    """
    size = step(claim)
    off, most = value - claim.value, min(size / 2, abs(claim.value) * TOLERANCE)
    if claim.hedge == "about":
        return abs(off) <= most
    if claim.hedge == "over":
        return 0 <= off <= size
    return claim.hedge == "under" and -most <= off < 0


def paired(claim: Number, number: Number) -> bool:
    """Whether the claim's range or score stands in the source as one, in its order and of the same unit."""
    return _same_ends(claim, number) and (number.first == claim.first or claim.value == claim.peer)


def turned(claim: Number, number: Number) -> bool:
    """Whether the source has the claim's range or score the other way round."""
    return _same_ends(claim, number) and number.first != claim.first and claim.value != claim.peer


def _same_ends(claim: Number, number: Number) -> bool:
    if not (claim.joined and number.joined and number.peer == claim.peer and number.value == claim.value):
        return False
    return not (claim.unit and number.unit) or same_unit(claim, number)
