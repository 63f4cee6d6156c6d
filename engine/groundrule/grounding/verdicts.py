"""What the evidence says of each particular of an answer: bound, derived, contradicted, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..facts.words import ClaimStatus
from .dating import dated_by, denied_by, mentions
from .derived import Operand, computed, counted_names, counted_sources
from .evidence import Item
from .links import Link
from .matching import SMALL, Fit, candidates, conversions, fit, hedged, paired, same_unit, step
from .numbers import Name, Number
from .passages import Passage
from .quotes import Quote
from .times import TimeRefusal, TimeSpan

Particular = Number | Name | TimeSpan | TimeRefusal | Quote | Link


@dataclass(frozen=True, slots=True)
class Verdict:
    """A status and the ids of the items behind it; `unverified` has none."""

    status: ClaimStatus
    evidence: tuple[str, ...] = ()


UNVERIFIED = Verdict("unverified")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a particular stands. `pool`: the items that it may rest on; `sentence`: the number of its sentence."""

    pool: Sequence[Item]
    sentence: int


def judge(
    answer: Passage,
    particulars: Sequence[Particular],
    places: Sequence[Place],
    by_url: Callable[[str], tuple[str, ...]],
    cited: Sequence[str],
) -> list[Verdict]:
    """A verdict for each particular. `by_url`: ids of the items at a canonical address; `cited`: ids, in order."""
    verdicts = [
        Verdict("bound", by_url(each.url))
        if isinstance(each, Link) and each.url and by_url(each.url)
        else _single(answer, each, place)
        for each, place in zip(particulars, places, strict=True)
    ]
    operands: dict[int, list[Operand]] = {}
    for each, place, verdict in zip(particulars, places, verdicts, strict=True):
        if isinstance(each, Number) and verdict.status == "bound":
            operands.setdefault(place.sentence, []).append(Operand(each, verdict.evidence))
    for i, (each, place) in enumerate(zip(particulars, places, strict=True)):
        if isinstance(each, Number) and verdicts[i].evidence == ():
            ids = counted_sources(answer, each, cited, place.pool)
            ids = ids or counted_names(answer, each, place.pool)
            ids = ids or computed(answer, each, operands.get(place.sentence, ()))
            verdicts[i] = Verdict("derived", ids) if ids else _contradiction(answer, each, place.pool)
    return verdicts


def _single(answer: Passage, each: Particular, place: Place) -> Verdict:
    if isinstance(each, Number):
        return _number(answer, each, place.pool)
    if isinstance(each, Link):
        return UNVERIFIED
    if isinstance(each, TimeSpan):
        ids = _ids(place.pool, lambda item: dated_by(answer, each, item))
        if ids:
            return Verdict("bound", ids)
        ids = _ids(place.pool, lambda item: denied_by(answer, each, item))
        return Verdict("contradicted", ids) if ids else UNVERIFIED
    if isinstance(each, Name):
        ids = _ids(place.pool, lambda item: item.mentions(each))
    elif isinstance(each, Quote):
        ids = _ids(place.pool, lambda item: each.key in item.quotable)
    else:
        ids = _ids(place.pool, lambda item: mentions(item, each.text))
    return Verdict("bound", ids) if ids else UNVERIFIED


def _ids(pool: Sequence[Item], supports: Callable[[Item], bool]) -> tuple[str, ...]:
    return tuple(item.id for item in pool if supports(item))


def _number(answer: Passage, claim: Number, pool: Sequence[Item]) -> Verdict:
    """Bound to the items that state the number; else derived by conversion or a hedge; else open."""
    fits = [(item, number, fit(answer, claim, item, number)) for item in pool for number in candidates(claim, item)]
    good = [(item, number) for item, number, how in fits if how >= Fit.VALUE]
    if claim.joined:
        whole = [(item, number) for item, number in good if paired(claim, number)]
        if whole:
            return Verdict("bound", _distinct(whole))
        # The ends stand apart in the sources: their range is ours.
        return Verdict("derived", _distinct(good)) if good else UNVERIFIED
    if good:
        return Verdict("bound", _distinct(good))
    ids = _ids(pool, lambda item: item.mentions_numbered(answer, claim))
    if ids:
        return Verdict("bound", ids)
    derived = [(item, number) for item in pool for number in _reworded(answer, claim, item)]
    if derived:
        return Verdict("derived", _distinct(derived))
    opposite = [(item, number) for item, number, how in fits if how is Fit.OPPOSITE]
    return Verdict("contradicted", _distinct(opposite)) if opposite else UNVERIFIED


def _reworded(answer: Passage, claim: Number, item: Item) -> list[Number]:
    """The numbers that the claim gives in another unit, or rounded with a hedge."""
    found = list(conversions(claim, item))
    if claim.hedge and claim.value:
        reach = step(claim)
        near = item.between(claim.value - reach, claim.value + reach)
        found += [
            number
            for number in near
            if hedged(claim, number.value) and number.grain <= reach and same_unit(claim, number) and claim.unit
        ]
    return found


def _distinct(found: Sequence[tuple[Item, Number]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item.id for item, _ in found))


def _contradiction(answer: Passage, claim: Number, pool: Sequence[Item]) -> Verdict:
    """The items that have another value of the same unit behind the same word."""
    label = answer.label(claim.start)
    small = not claim.unit and abs(claim.value) < SMALL
    if not label or small:
        return UNVERIFIED
    ids = _ids(pool, lambda item: _other(item.by_label.get((claim.unit, label)), claim.value))
    return Verdict("contradicted", ids) if ids else UNVERIFIED


def _other(number: Number | None, value: Fraction) -> bool:
    return number is not None and number.value != value
