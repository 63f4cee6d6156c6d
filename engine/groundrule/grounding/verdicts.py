"""What the evidence says of each particular of an answer: bound, derived, contradicted, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..facts.words import ClaimStatus, Derivation
from .comparisons import Comparison, agrees
from .dating import dated_by, denied_by, mentions
from .derived import Derived, Term, computed, counted_names, counted_sources, multiplied, ordered
from .effort import MOST, effort
from .entities import Entity
from .estimates import counted, measured, narrower, repeated, restating
from .evidence import Item, Stated, stated
from .links import Link
from .matching import (
    SMALL,
    Fit,
    candidates,
    conversions,
    fit,
    hedged,
    paired,
    same_unit,
    step,
    turned,
    turned_round,
    within,
)
from .numbers import Name, Number
from .passages import Passage
from .quotes import Quote
from .scores import restated
from .times import TimeRefusal, TimeSpan
from .worded import Worded, share_of

Particular = Number | Name | Worded | TimeSpan | TimeRefusal | Quote | Link | Entity | Comparison
Found = Sequence[tuple[Item, Number]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A status, the ids of the items behind it, and what they state; `unverified` has none of both."""

    status: ClaimStatus
    evidence: tuple[str, ...] = ()
    derivation: Derivation | None = None
    operands: tuple[Stated, ...] = ()


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
    verdicts, left = [], MOST
    for each, place in zip(particulars, places, strict=True):
        if isinstance(each, Link) and each.url and by_url(each.url):
            verdicts.append(Verdict("bound", by_url(each.url)))
            continue
        steps = effort(answer, each, place.pool)
        verdicts.append(_single(answer, each, place) if steps <= left else UNVERIFIED)
        left -= steps if steps <= left else 0
    _quoted(particulars, verdicts)
    terms: dict[int, list[Term]] = {}
    for each, place, verdict in zip(particulars, places, verdicts, strict=True):
        if isinstance(each, Number) and verdict.operands and verdict.status != "contradicted":
            terms.setdefault(place.sentence, []).append(Term(each, verdict.operands))
    for i, (each, place) in enumerate(zip(particulars, places, strict=True)):
        if isinstance(each, (Number, Worded, Comparison)) and verdicts[i].status == "unverified":
            derived = _derived(answer, each, place, terms.get(place.sentence, ()), cited)
            if derived:
                verdicts[i] = Verdict("derived", derived.evidence, derived.how, derived.operands)
            elif isinstance(each, Number):
                verdicts[i] = _contradiction(answer, each, place.pool)
    return verdicts


def _quoted(particulars: Sequence[Particular], verdicts: list[Verdict]) -> None:
    """A time in a quotation that is bound is bound with it: 周一 in “周一闭馆” is the page's, whenever it was said."""
    end, whole = 0, UNVERIFIED
    for i, each in enumerate(particulars):
        if isinstance(each, Quote) and verdicts[i].status == "bound":
            end, whole = each.end, verdicts[i]
        elif isinstance(each, (TimeSpan, TimeRefusal)) and each.end <= end and verdicts[i].status != "bound":
            verdicts[i] = whole


def _derived(
    answer: Passage, claim: Number | Worded | Comparison, place: Place, terms: Sequence[Term], cited: Sequence[str]
) -> Derived | None:
    if isinstance(claim, Comparison):
        return ordered(claim, terms)
    if isinstance(claim, Worded):
        return multiplied(answer, claim, terms)
    return (
        counted_sources(answer, claim, cited, place.pool)
        or counted_names(answer, claim, place.pool)
        or computed(answer, claim, terms)
    )


def _single(answer: Passage, each: Particular, place: Place) -> Verdict:
    if isinstance(each, Number):
        return _number(answer, each, place.pool)
    if isinstance(each, Worded):
        return _worded(answer, each, place.pool)
    if isinstance(each, TimeSpan):
        return (
            _stating("bound", place.pool, lambda item: dated_by(answer, each, item))
            or _stating("contradicted", place.pool, lambda item: denied_by(answer, each, item))
            or UNVERIFIED
        )
    if isinstance(each, Link):
        ids = _ids(place.pool, lambda item: item.writes(each.written)) if each.written else ()
    elif isinstance(each, Name):
        ids = _ids(place.pool, lambda item: item.mentions(each))
    elif isinstance(each, Entity):
        ids = _ids(place.pool, lambda item: item.names_entity(each))
    elif isinstance(each, Comparison):
        ids = _ids(place.pool, lambda item: any(agrees(each, other) for other in item.comparisons))
    elif isinstance(each, Quote):
        ids = _ids(place.pool, lambda item: each.key in item.quotable)
    else:
        ids = _ids(place.pool, lambda item: mentions(item, each.text))
    return Verdict("bound", ids) if ids else UNVERIFIED


def _ids(pool: Sequence[Item], supports: Callable[[Item], bool]) -> tuple[str, ...]:
    return tuple(item.id for item in pool if supports(item))


def _stating(status: ClaimStatus, pool: Sequence[Item], says: Callable[[Item], Stated | None]) -> Verdict | None:
    """A verdict on what the items say, if any does."""
    found = tuple(each for item in pool if (each := says(item)) is not None)
    return Verdict(status, tuple(each.item.id for each in found), None, found) if found else None


def _number(answer: Passage, claim: Number, pool: Sequence[Item]) -> Verdict:
    """Bound to the items that state the number; else derived by rounding, conversion or a hedge; else open."""
    fits: list[tuple[Item, Number, Fit]] = []
    exact: list[tuple[Item, Number]] = []
    values = (claim.value, -claim.value)
    for item in pool:
        for number in candidates(claim, item):
            fits.append((item, number, fit(answer, claim, item, number)))
            if fits[-1][2] >= Fit.VALUE and not claim.joined and number.value in values:
                exact.append((item, number))
                break  # of each item the first is shown
    good = [(item, number) for item, number, how in fits if how >= Fit.VALUE]
    if claim.joined:
        return _ends(answer, claim, pool, good)
    if exact:
        return _resting("bound", exact)
    if good:
        return _resting("derived", good, "rounding")
    ids = _ids(pool, lambda item: item.mentions_numbered(answer, claim))
    if ids:
        return Verdict("bound", ids)
    converted = [(item, number) for item in pool for number in conversions(answer, claim, item) if not turned_round(answer, claim, item, number)]
    if converted:
        return _resting("derived", converted, "conversion")
    rounded = [(item, number) for item in pool for number in _rounded(claim, item) if _true(answer, claim, item, number)]
    if rounded:
        return _resting("derived", rounded, "rounding")
    said: list[tuple[Item, Number | Worded]] = [(item, word) for item in pool for word in restating(answer, claim, item)]
    share = share_of(answer.folded, claim) if not claim.grain else None
    said += [(item, number) for item in pool for number in (measured(answer, share, item) if share else ())]
    if said:
        return _resting("derived", said, "conversion")
    opposite = [(item, number) for item, number, how in fits if how is Fit.OPPOSITE]
    return _resting("contradicted", opposite) if opposite else UNVERIFIED


def _true(answer: Passage, claim: Number, item: Item, number: Number) -> bool:
    return within(answer, claim, item, number) and not turned_round(answer, claim, item, number)


def _worded(answer: Passage, claim: Worded, pool: Sequence[Item]) -> Verdict:
    """Bound to the items that say it in words; derived from a number that it is true of; else open."""
    same = [(item, word) for item in pool for word in repeated(claim, item) if not turned_round(answer, claim, item, word)]
    if same:
        return _resting("bound", same)
    closer = [(i, word) for i in pool for word in narrower(claim, i) if not turned_round(answer, claim, i, word)]
    counts = [(item, number) for item in pool for number in counted(claim, item)]
    if closer or counts:
        return _resting("derived", [*closer, *counts], "rounding")
    measures = [(item, number) for item in pool for number in measured(answer, claim, item)]
    return _resting("derived", measures, "conversion") if measures else UNVERIFIED


def _ends(answer: Passage, claim: Number, pool: Sequence[Item], good: Found) -> Verdict:
    """One end of a range or score. The ends of a range may stand apart in an item; then the range is ours.

    What an item has the other way round is another score, ratio or course. Of temperatures alone, low to high is how
    the same range is usually written.
    """
    whole = [(item, number) for item, number in good if paired(claim, number)] or [
        (item, number)
        for item in pool
        for number in item.between(claim.value, claim.value)
        if restated(answer, claim, item, number)
    ]
    if whole:
        return _resting("bound", whole)
    apart = [
        (item, number)
        for item, number in good
        if claim.joined == "range" and claim.peer is not None and _states(item, claim.peer, number.unit)
    ]
    if not _rising_temperature(claim):
        apart = [(item, number) for item, number in apart if not _turns(item, claim)]
    return _resting("derived", apart, "range") if apart else UNVERIFIED


def _turns(item: Item, claim: Number) -> bool:
    return any(turned(claim, number) for number in item.between(claim.value, claim.value))


def _rising_temperature(claim: Number) -> bool:
    return claim.unit in ("°C", "°F", "°") and claim.peer is not None and (claim.value < claim.peer) is claim.first


def _states(item: Item, value: Fraction, unit: str) -> bool:
    return any(number.unit == unit for number in item.between(value, value))


def _rounded(claim: Number, item: Item) -> list[Number]:
    """The numbers of which `about`, `over` or `nearly` the claim is true."""
    if not (claim.hedge and claim.value and claim.unit):
        return []
    reach = step(claim)
    return [
        number
        for number in item.between(claim.value - reach, claim.value + reach)
        if hedged(claim, number.value) and number.grain <= reach and same_unit(claim, number)
    ]


def _resting(status: ClaimStatus, found: Iterable[tuple[Item, Number | Worded]], how: Derivation | None = None) -> Verdict:
    """A verdict on numbers of items; of each item the first is shown."""
    first: dict[str, Stated] = {}
    for item, number in found:
        first.setdefault(item.id, stated(item, number))
    return Verdict(status, tuple(first), how, tuple(first.values()))


def _contradiction(answer: Passage, claim: Number, pool: Sequence[Item]) -> Verdict:
    """The items that have another value of the same unit behind the same word."""
    label = answer.label(claim.start)
    small = not claim.unit and abs(claim.value) < SMALL
    if not label or small:
        return UNVERIFIED
    others = [(item, item.by_label.get((claim.unit, label))) for item in pool]
    found = [(item, number) for item, number in others if number is not None and number.value != claim.value]
    return _resting("contradicted", found) if found else UNVERIFIED
