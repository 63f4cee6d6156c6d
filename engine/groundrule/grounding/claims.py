"""The checkable pieces of an answer, each tied to the evidence that it rests on.

Only particulars are judged: numbers, percentages, money, dates, quotations, links, names and comparisons. What else a sentence says is not,
so an answer whose claims are all bound is grounded in its particulars, which is less than true.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction

from ..facts import Answer, Citation, Claim, Evidence
from ..facts.answer import Operand
from ..facts.record import MAX_CITATIONS, MAX_CLAIMS, MAX_ITEMS, MAX_OPERANDS, MAX_TEXT, write_timestamp
from ..facts.words import ClaimKind, Language
from .comparisons import Comparison, read_comparisons
from .dating import named
from .entities import Entity, read_entities
from .evidence import Interval, Prepared, Stated, prepare
from .layout import Handle, find_handles, list_markers, split_sentences
from .links import Link, read_links
from .numbers import Name, Number
from .passages import Passage
from .quotes import Quote, read_quotes
from .times import TimeRefusal, TimeSpan, time_reading
from .verdicts import Particular, Place, Verdict, judge
from .worded import Worded

_BLANK = "\ufffc"
"""Stands for what is no statement (handles, links, list markers) where the rest is read."""
_NUMERAL = re.compile(
    r"\d(?:[\d.,]*\d)?"
    # Numerals that are no digits: superscripts that follow no unit, fractions, circled numerals.
    r"|(?<![A-Za-z)])[\u00b2\u00b3\u00b9\u2070-\u2079\u2080-\u2089]|[\u00bc-\u00be\u2150-\u215f\u2189\u2460-\u24ff\u2776-\u2793]"
)


def ground(
    text: str,
    handles: Mapping[str, str],
    evidence: Sequence[Evidence] | Prepared,
    now: datetime,
    zone: str,
    language: Language,
) -> Answer:
    """The answer with its claims, citations and the numbers that no claim covers.

    handles: each handle as written in the text to the id of the item it stands for. evidence: the admitted items, or
    what `prepare` made of them. now, zone: the reference of `today` and `3 hours ago` in the text; `zone` is an IANA
    name.

    In a sentence with handles a claim rests on the cited items alone; without, on any item. What was read but not
    found is `unverified`. A handle that stands for no item has no `evidence`. More than MAX_CLAIMS claims: those left
    over are `unclaimed_numbers`. Of a text that a record cannot carry (too long, lone surrogates) nothing is known:
    every field but the language is absent, on which no rule passes. Raises ValueError for an unknown zone or a naive
    `now`.
    """
    prepared = evidence if isinstance(evidence, Prepared) else prepare(evidence, now, zone)
    if len(text) > MAX_TEXT or not _is_unicode(text):
        return Answer(language=language)
    found = find_handles(text, handles)
    links = read_links(text)
    answer = Passage(_blanked(text, [*found, *links], list_markers(text)))
    particulars = _particulars(answer, links, now, zone)
    particulars = _with_words(answer, particulars, prepared)
    citations = [_citation(handle, handles, prepared) for handle in found]
    places = _places(text, found, citations, particulars[:MAX_CLAIMS], prepared)
    cited = tuple(dict.fromkeys(each.evidence for each in citations if each.evidence))
    verdicts = judge(answer, particulars[:MAX_CLAIMS], places, lambda url: prepared.by_url.get(url, ()), cited)
    claims = [_claim(f"c{i}", text, *pair) for i, pair in enumerate(zip(particulars, verdicts, strict=False), 1)]
    rest = [text[each.start : each.end] for each in particulars[MAX_CLAIMS:]]
    return Answer(
        text=text,
        language=language,
        claims=tuple(claims),
        citations=_at_most(MAX_CITATIONS, citations),
        unclaimed_numbers=(*_unclaimed(answer, particulars), *rest)[:MAX_ITEMS],
    )


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _blanked(text: str, spans: Iterable[Handle | Link], markers: Iterable[tuple[int, int]]) -> str:
    """The text with everything that is no statement of its own blanked, every position kept."""
    pieces, at = [], 0
    for start, end in sorted([*((span.start, span.end) for span in spans), *markers]):
        if end > at:
            start = max(start, at)
            pieces += [text[at:start], _BLANK * (end - start)]
            at = end
    return "".join((*pieces, text[at:]))


def _particulars(answer: Passage, links: Sequence[Link], now: datetime, zone: str) -> list[Particular]:
    """Everything checkable, in order. What a time expression covers is no number."""
    times = time_reading(answer.text, now, zone)
    dates: list[TimeSpan | TimeRefusal] = sorted((*times.spans, *times.refused), key=lambda each: each.start)
    found: list[Particular] = [*links, *read_quotes(answer.text), *dates]
    at = 0
    for each in answer.read:
        while at < len(dates) and dates[at].end <= each.start:
            at += 1
        if at == len(dates) or dates[at].start >= each.end:
            found.append(each)
    return sorted(found, key=lambda each: (each.start, each.end))


def _with_words(answer: Passage, found: Sequence[Particular], prepared: Prepared) -> list[Particular]:
    """With the names, superlatives and comparisons that stand in none of what was found. A name is only looked up where
    an item is written in its script.
    """
    words: list[Particular] = [*read_comparisons(answer.folded)]
    words += [each for each in read_entities(answer.folded) if (prepared.latin if each.key.isascii() else prepared.chinese)]
    kept: list[Particular] = []
    at, reached = 0, 0
    for each in sorted(words, key=lambda each: (each.start, -each.end)):
        while at < len(found) and found[at].start < each.end:
            reached, at = max(reached, found[at].end), at + 1
        if each.start >= reached and not (kept and kept[-1].end > each.start):
            kept.append(each)
    return sorted((*found, *kept), key=lambda each: (each.start, each.end))


def _citation(handle: Handle, handles: Mapping[str, str], prepared: Prepared) -> Citation:
    id = handles.get(handle.text)
    return Citation(handle=handle.text, evidence=id if id in prepared.ids else None, start=handle.start, end=handle.end)


def _places(
    text: str,
    found: Sequence[Handle],
    citations: Sequence[Citation],
    particulars: Sequence[Particular],
    prepared: Prepared,
) -> list[Place]:
    """The sentence of each particular, and the items that it may rest on there."""
    sentences = split_sentences(text, found)
    cited: dict[int, set[str]] = {}
    for handle, citation in zip(found, citations, strict=True):
        cited.setdefault(sentences.of(handle.start), set()).add(citation.evidence or "")
    pools = {number: tuple(item for item in prepared.items if item.id in ids) for number, ids in cited.items()}
    numbers = [sentences.of(each.start) for each in particulars]
    return [Place(pools.get(number, prepared.items), number) for number in numbers]


def _claim(id: str, text: str, each: Particular, verdict: Verdict) -> Claim:
    kind, value, unit = _content(each)
    return Claim(
        id=id,
        kind=kind,
        text=text[each.start : each.end],
        start=each.start,
        end=each.end,
        value=value,
        unit=unit,
        status=verdict.status,
        evidence=verdict.evidence[:MAX_ITEMS],
        derivation=verdict.derivation,
        operands=tuple(map(_operand, verdict.operands[:MAX_OPERANDS])),
    )


def _operand(stated: Stated) -> Operand:
    return Operand(text=stated.text, value=written(stated.value), unit=stated.unit or None, evidence=stated.item.id)


def _content(each: Particular) -> tuple[ClaimKind, str | None, str | None]:
    """Kind, normalised value and unit. A time is `begin/until`; one that the grammar refuses has no value."""
    if isinstance(each, Number):
        return each.kind, write_number(each.value), each.unit or None
    if isinstance(each, Name):
        return "number", each.key, None
    if isinstance(each, Worded):
        return "percent" if each.sort == "share" else "number", written(each), each.unit or None
    if isinstance(each, TimeSpan):
        return "date", written(named(each)), None
    if isinstance(each, TimeRefusal):
        return "date", None, None
    if isinstance(each, (Entity, Comparison)):
        return "entity" if isinstance(each, Entity) else "comparison", each.key, None
    if isinstance(each, Quote):
        return "quote", each.key, None
    return "link", each.url, None


def written(value: Fraction | Interval | Worded) -> str:
    """A number, a time as `begin/until`, a numeral in words: hundreds as `100..999`, half as `50` (percent)."""
    if isinstance(value, Fraction):
        return write_number(value)
    if isinstance(value, Worded):
        return f"{write_number(value.low)}..{write_number(value.high)}" if value.exact is None else write_number(value.exact)
    return "/".join(map(write_timestamp, value))


def write_number(value: Fraction) -> str:
    """An exact decimal without exponent (`3657000000`, `-3.2`), or `1/3` where there is none."""
    digits, rest = 0, value.denominator
    while rest % 10 == 0 or rest % 5 == 0 or rest % 2 == 0:
        rest = rest // (10 if rest % 10 == 0 else 5 if rest % 5 == 0 else 2)
        digits += 1
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    scaled = abs(value.numerator) * 10**digits // value.denominator
    whole, decimals = divmod(scaled, 10**digits)
    tail = f".{decimals:0{digits}d}".rstrip("0") if decimals else ""
    return f"{'-' if value < 0 else ''}{whole}{tail}"


def _unclaimed(answer: Passage, particulars: Sequence[Particular]) -> list[str]:
    """The numerals outside every claim: too long, of another script, circled in a sentence."""
    found, at, reached = [], 0, 0
    for match in _NUMERAL.finditer(answer.folded):
        while at < len(particulars) and particulars[at].start < match.end():
            reached, at = max(reached, particulars[at].end), at + 1
        if match.end() > reached:
            found.append(answer.text[match.start() : match.end()][:200])
    return found


def _at_most(limit: int, citations: Sequence[Citation]) -> tuple[Citation, ...]:
    """The first citations, those that stand for no item before all others, so that none of them is lost."""
    if len(citations) <= limit:
        return tuple(citations)
    return tuple(sorted(citations, key=lambda each: each.evidence is not None)[:limit])
