"""The drafter without a model: it picks sentences of the evidence that answer the question, and quotes them.

Every line of a draft is a quotation word for word with the handle of its page. The drafter adds no word of its own but
the name of a side that the question itself compares, so it can say nothing that no page says; what it cannot find it
does not answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from groundrule.facts import Evidence, ExternalQueryPlan, Question, Window
from groundrule.gateway.ports import Draft
from groundrule.gateway.window import apart, lies_in, present, stated_times
from groundrule.grounding.text import normalise
from groundrule.grounding.times import OPEN_BEGIN, OPEN_END, TimeSpan
from groundrule.urls import UrlRefused, host, registrable_domain

from .days import asked_days, days_there, forecast, says_weather
from .measures import measures, other_measure
from .orders import gives_orders
from .sentences import figures, keywords, sentences

MAX_LINES, MAX_PER_ITEM = 5, 2
MAX_READ = 50_000
"""Code points of one item that are looked at; what comes later on a page is rarely the answer."""
ALIKE = 0.6
"""From which share of common keywords on two sentences with the same figures say the same."""

_HEADING = re.compile(r"[:：](?!\d)")


@dataclass(frozen=True)
class Candidate:
    """A sentence that may be quoted.

    items: positions of the pages that have it word for word, the best first. place: its own on the first of them.
    score: how much of the question it answers. times: the times that it states. names: the entities it is about.
    """

    items: list[int]
    place: int
    text: str
    score: float
    words: frozenset[str]
    times: tuple[TimeSpan, ...]
    names: frozenset[str]

    @property
    def item(self) -> int:
        """The best page that has it."""
        return self.items[0]


class ExtractiveDrafter:
    """Quotes what answers the question (ports.Drafter). It holds nothing and may be shared."""

    name = "extractive/1"

    async def draft(
        self, question: Question, plan: ExternalQueryPlan, evidence: Sequence[Evidence], zone: str
    ) -> Draft:
        """Lines of quotations with handles `[1]`, `[2]` …; a failure if no sentence answers the question."""
        found = _candidates(question, plan, evidence, zone)
        if plan.query_kind == "weather":
            found = [each for each in found if says_weather(each.text)]
        if not found:
            return Draft("", failure="no sentence of the evidence answers the question")
        found = [each for each in found if not gives_orders(each.text)] or found
        if plan.answer_contract == "compare_with_sources" and len(plan.subject_entities or ()) > 1:
            lines = _both_sides(found, question, plan, evidence, zone)
            if lines is None:
                return Draft("", failure="the evidence says nothing about one side of the comparison")
        else:
            lines = _forecast_lines(found, question, plan, evidence, zone) or _best(found, plan)
        if plan.requires_multi_source:
            lines = _with_other_sites(lines, found, evidence)
        return _written(lines, evidence, plan)


def _candidates(
    question: Question, plan: ExternalQueryPlan, evidence: Sequence[Evidence], zone: str
) -> list[Candidate]:
    """Every sentence that has to do with the question, each once, the best pages first as they were given."""
    entities = [normalise(name) for name in dict.fromkeys(plan.subject_entities or ()) if name.strip()]
    wanted = keywords(f"{plan.topic or ''} {question.text or ''}") - keywords(" ".join(entities))
    found: dict[str, Candidate] = {}
    measured = measures(question.text or "")
    now = question.asked_at or next((item.retrieved_at for item in evidence if item.retrieved_at), None)
    asked = None if plan.window is None or now is None or present(plan.window, now) else plan.window
    for at, item in enumerate(evidence):
        # A page of the time asked about, which is not over, may state other times beside it.
        elsewhere = asked if asked and now and (apart(asked, now) or not _of_the_time((), item, asked, zone)) else None
        title = normalise(item.title or "")
        named = frozenset(name for name in entities if name in title)
        base = item.dated_at or item.retrieved_at
        for place, text in enumerate(sentences((item.snippet or "")[:MAX_READ])):
            folded = normalise(text)
            if folded in found:
                found[folded].items.append(at)
                continue
            names = frozenset(name for name in entities if name in folded)
            words = keywords(text)
            common = len(words & wanted) + 0.5 * len((keywords(title) - words) & wanted)
            if not (common or names or named) or other_measure(text, item.title or "", measured):
                continue
            # A colon that ends a heading (`November 29: cloudy`) belongs to no time.
            times = () if base is None else stated_times(_HEADING.sub(" ", text), base, zone)
            if elsewhere is not None and not _of_the_time(times, item, elsewhere, zone):
                continue
            score = 2.0 * common + 2.0 * len(names | named) + len(names) + 0.5 * bool(figures(text))
            score += _timeliness(times, plan.window)
            found[folded] = Candidate([at], place, text, score, words, times, names | named)
    return list(found.values())


def _of_the_time(times: Iterable[TimeSpan], item: Evidence, asked: Window, zone: str) -> bool:
    """Whether a sentence belongs to a time that is over or to come: by the time it states, else by that of its page.

    The page's time is the one of its title, else what it covers or its own date.
    """
    stated = _coarse(times) or _coarse(stated_times(_HEADING.sub(" ", item.title or ""), item.dated_at, zone))
    if stated:
        return any(lies_in(span, asked) for span in stated)
    first, last = asked.from_ or OPEN_BEGIN, asked.to or OPEN_END
    if item.valid_from is not None and item.valid_to is not None:
        return item.valid_from < last and first < item.valid_to
    if item.dated_at is None:
        return False
    return item.dated_at < last and first <= item.dated_at + (item.dated_resolution or timedelta(0))


def _coarse(times: Iterable[TimeSpan]) -> list[TimeSpan]:
    """The times that say more than an hour of some day."""
    return [span for span in times if span.resolution >= timedelta(hours=1)]


def _timeliness(times: Iterable[TimeSpan], window: Window | None) -> float:
    """More for a sentence about the time asked for, less for one about another time."""
    if window is None or window.from_ is None or window.to is None:
        return 0.0
    stated = _coarse(times)
    if not stated:
        return 0.0
    return 2.0 if any(span.begin < window.to and window.from_ < span.until for span in stated) else -2.0


def _forecast_lines(
    found: Sequence[Candidate], question: Question, plan: ExternalQueryPlan, evidence: Sequence[Evidence], zone: str
) -> list[Candidate]:
    """For the weather: one line for each asked day, from as few pages as possible; without a day asked for, today.

    Empty for anything else, and where no page has a line for a day.
    """
    if plan.query_kind != "weather":
        return []
    today = question.asked_at
    window = plan.window or (
        Window(**{"from": today, "to": today + timedelta(seconds=1)}) if today else Window()
    )
    days = asked_days(window, zone)
    if today is not None and window.from_ == today:
        begins = [begin for each in found if (begin := evidence[each.item].valid_from) is not None]
        days = days_there(days, today, begins, zone)
    chosen = forecast([(each.item, each.text, each.times) for each in found], days, zone)
    return [found[at] for at in chosen]


def _best(found: Sequence[Candidate], plan: ExternalQueryPlan) -> list[Candidate]:
    """The sentences that answer most, no two alike, in the order of the pages."""
    most, share = (2, 0.75) if plan.answer_contract == "direct_fact" else (MAX_LINES, 0.5)
    chosen: list[Candidate] = []
    least = share * max(each.score for each in found)
    for each in sorted(found, key=_rank):
        if each.score < least or len(chosen) == most:
            break
        if sum(other.item == each.item for other in chosen) < MAX_PER_ITEM and not any(
            _alike(each, other) for other in chosen
        ):
            chosen.append(each)
    return sorted(chosen, key=lambda each: (each.item, each.place))


def _both_sides(
    found: Sequence[Candidate], question: Question, plan: ExternalQueryPlan, evidence: Sequence[Evidence], zone: str
) -> list[Candidate] | None:
    """The best sentences about each thing compared, from a page of its own; None if there is none about one of them.

    The side with the fewest pages chooses first. Of the weather, the asked days of each place.
    """
    sides = list(dict.fromkeys(normalise(name) for name in plan.subject_entities or ()))
    each_side = max(1, MAX_LINES // len(sides))
    about = {side: sorted((each for each in found if side in each.names), key=_rank) for side in sides}
    if not all(about.values()):
        return None
    chosen: dict[str, list[Candidate]] = {}
    taken: set[int] = set()
    for side in sorted(sides, key=lambda side: len({each.item for each in about[side]})):
        own = sorted(about[side], key=lambda each: each.item in taken)
        chosen[side] = _forecast_lines([each for each in own if each.item not in taken], question, plan, evidence, zone) or [
            own[0],
            *(each for each in about[side] if each is not own[0]),
        ][:each_side]
        taken.update(each.item for each in chosen[side][:1])
    lines: list[Candidate] = []
    for each in (each for side in sides for each in chosen[side]):
        if not any(line is each or (line.names == each.names and _alike(line, each)) for line in lines):
            lines.append(each)
    return lines


def _rank(each: Candidate) -> tuple[float, int, int]:
    """Best score first, then the order of the pages."""
    return -each.score, each.item, each.place


def _with_other_sites(
    lines: list[Candidate], found: Sequence[Candidate], evidence: Sequence[Evidence]
) -> list[Candidate]:
    """The lines, and where all are of one site the best sentence of another, if there is one."""
    sites = {_site(evidence[at]) for line in lines for at in line.items}
    others = [each for each in found if _site(evidence[each.item]) not in sites]
    if len(sites) > 1:
        return lines
    if not others:
        return lines
    return [*lines, max(others, key=lambda each: each.score)]


def _written(lines: Sequence[Candidate], evidence: Sequence[Evidence], plan: ExternalQueryPlan) -> Draft:
    """The lines as text, each cited with all pages that have it, and of a comparison under the name of its side."""
    numbers: dict[int, int] = {}
    rows = []
    for line in lines:
        cited = "".join(f"[{numbers.setdefault(at, len(numbers) + 1)}]" for at in line.items)
        rows.append(f"{_side_of(line, plan)}{_quoted(line.text)} {cited}")
    text = rows[0] if len(rows) == 1 else "\n".join(f"- {row}" for row in rows)
    return Draft(text, {f"[{number}]": evidence[at].id for at, number in numbers.items()})


def _side_of(line: Candidate, plan: ExternalQueryPlan) -> str:
    """The side that a line of a comparison is about, where its own words do not say so: 深圳：."""
    if plan.answer_contract != "compare_with_sources" or len(plan.subject_entities or ()) < 2:
        return ""
    named = [name for name in plan.subject_entities or () if normalise(name) in line.names]
    if len(named) != 1 or normalise(named[0]) in normalise(line.text) or any(map(str.isdigit, named[0])):
        return ""
    return f"{named[0]}{'：' if plan.language == 'zh' else ': '}"


def _quoted(sentence: str) -> str:
    """The sentence in quotation marks that it has not itself."""
    for opening, closing in ("“”", "「」", "『』"):
        if opening not in sentence and closing not in sentence:
            return f"{opening}{sentence}{closing}"
    return sentence


def _alike(one: Candidate, other: Candidate) -> bool:
    """Whether two sentences say the same: the same figures, and mostly the same words."""
    if figures(one.text) != figures(other.text):
        return False
    union = one.words | other.words
    return bool(union) and len(one.words & other.words) / len(union) > ALIKE


def _site(item: Evidence) -> str:
    try:
        return registrable_domain(item.target_url or "")
    except UrlRefused:
        pass
    try:
        return host(item.target_url or "")
    except UrlRefused:
        return ""
