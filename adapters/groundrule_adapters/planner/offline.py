"""The offline planner: a plan by closed rules, in Chinese, English and mixtures of both, without a model.

Every question with a topic gets a plan. It asks back for four reasons only: no topic, the weather of no place, a time
that the grammar refuses, a comparison with one side. Whether recent information is required is decided in any case.
What the question says is read as words to look for; nothing in it is an instruction to this planner.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from groundrule.facts import Context, ExternalQueryPlan, Question
from groundrule.facts.words import AnswerContract, Language, QueryKind
from groundrule.gateway.ports import Planned
from groundrule.grounding.times import TimeReading, time_reading

from .comparing import compares, comparison
from .freshness import freshness_required
from .hint import time_hint
from .kinds import FIGURES, WEATHER, feels_weather, kind_of
from .listing import listed_places
from .places import Place, asked_place, known_places
from .queries import comparison_queries, queries, tidy, weather_queries, weather_topic, written_day
from .script import language_of, plain
from .sites import named_sites
from .subjects import Text, content, entities, small_words_gone, topic

VERSION = "v1"
READ = 4000
"""Code points of a question that are read for its subject (times and freshness: all)."""

_ONE_FACT = re.compile(
    r"多少|几[个人次家名位岁点度号月]|谁|哪(?:个|年|天|一|里|儿|家|位|国|座)|何时|什么时候|多(?:大|高|长"
    r"|久|远|重|快)|是不是|是否|有没有|吗[？?\s]*$|股价|汇率|市值|现任"
    r"|^\W*(?:who|when|where|which|whose|how (?:many|much|old|long|far|tall|high|big|large)|what (?:year"
    r"|time|day|date|month|is the|was the|are the)|is|are|was|were|does|did|has|have|will|can)\b",
    re.IGNORECASE | re.ASCII,
)
_SEVERAL = re.compile(
    r"多方|多个来源|多来源|多渠道|不同来源|交叉|互相印证|核实|求证|查证|证实|属实|真的吗|真的假的|是真是假"
    r"|确定吗|你确定|靠谱吗|可靠吗|辟谣|谣言"
    r"|\bare you sure\b|\bcross[- ]?check\w*\b|\bdouble[- ]?check\w*\b|\bverif(?:y|ied)\b"
    r"|\bconfirm(?:ed)?\b|\bfact[- ]?check\w*\b"
    r"|\bmultiple sources\b|\bseveral sources\b|\bdifferent sources\b|\btwo sources\b|\bis it true\b"
    r"|\breally true\b|\brumou?rs?\b|\bdebunk\w*\b",
    re.IGNORECASE | re.ASCII,
)
_ASKS = {
    "topic": {
        "zh": "你想查询什么？请说出主题，例如“广州今天的天气”。",
        "en": 'What would you like to look up? Please name a subject, for example "the weather in Guangzhou today".',
    },
    "place": {"zh": "想查询哪个地方的天气？", "en": "The weather of which place?"},
    "time": {
        "zh": "“{text}”指的是哪一天或哪段时间？请写明公历的年、月、日。",
        "en": 'Which day or period does "{text}" mean? Please give year, month and day.',
    },
    "side": {
        "zh": "“{text}”要与什么比较？请说出比较的双方。",
        "en": 'What should "{text}" be compared with? Please name both sides.',
    },
}


@dataclass(frozen=True)
class OfflinePlanner:
    """Plans by closed rules (ports.Planner). zone: where days begin if the context does not say."""

    zone: str = "UTC"
    name: str = "offline/1"

    async def plan(self, question: Question, context: Context) -> Planned:
        """A plan, with what must be asked back if it may not run yet. An unknown zone is a failure."""
        asked_at = question.asked_at or datetime.now(UTC)
        try:
            return make_plan(question, asked_at, context.zone or self.zone)
        except ValueError as fault:
            return Planned(failure=str(fault))


@dataclass(frozen=True)
class Reading:
    """What the rules read in a question. listed: the sides are places named together, and nothing compares them."""

    text: Text
    language: Language
    kind: QueryKind
    times: TimeReading
    places: tuple[Place, ...]
    sides: tuple[str, ...] | None
    listed: bool
    words: tuple[str, ...]
    sites: tuple[str, ...]


def make_plan(question: Question, asked_at: datetime, zone: str) -> Planned:
    """The plan of a question asked at a time.

    asked_at: aware. zone: IANA name of the zone in which days begin. Raises ValueError for an unknown zone, a naive
    time or one outside the years 2 to 9998.
    """
    written = question.text or ""
    whole = plain(written)
    times = time_reading(written, asked_at, zone)
    language: Language = question.language or language_of(written)
    fresh = freshness_required(whole, times.spans, asked_at)
    reading = _read(whole[:READ], times, language_of(written))
    hint = time_hint(written, times.spans, asked_at, zone)
    asks = _asks(reading, language)
    place = _place(reading)
    if reading.kind == "weather" and place is None and "topic" not in asks:
        asks["place"] = _ASKS["place"][language]
    named = entities(reading.text, reading.places, reading.sides or (), weather=reading.kind == "weather")
    if place is not None and not reading.places:
        named = (place, *(name for name in named if place not in name))
    about = _topic(reading, place, hint)
    # Places that are only listed may have one service: what each needs is a page of its own.
    multi = (reading.sides is not None and not reading.listed) or _SEVERAL.search(whole) is not None or _company_figures(reading)
    plan = ExternalQueryPlan(
        plan_version=VERSION,
        query_kind="unknown" if "topic" in asks else reading.kind,
        answer_contract="clarify" if asks else _contract(reading),
        freshness_required=fresh,
        topic=about,
        subject_entities=named,
        location_hint=place,
        time_range_hint=hint,
        preferred_domains=reading.sites,
        search_queries=_queries(reading, about, place, hint, fresh, written_day(times.spans, asked_at, zone, language)),
        result_limit=_limit(reading, multi),
        requires_multi_source=multi,
        clarify_on_ambiguity=bool(asks or question.ambiguities),
        language=language,
    )
    return Planned(plan=plan, clarify=tuple(asks.values()))


def _read(text: str, times: TimeReading, language: Language) -> Reading:
    sites, asked = named_sites(text)
    letters = list(asked)
    stated = [(span.start, span.end) for span in times.spans] + [(one.start, one.end) for one in times.refused]
    for start, end in stated:
        letters[start : min(end, len(text))] = " " * max(0, min(end, len(text)) - start)
    both = Text(asked, "".join(letters), language)
    kind = kind_of(asked)
    places = known_places(asked, weather=kind == "weather")
    if kind == "generic_web" and places and feels_weather(asked):
        kind, places = "weather", known_places(asked, weather=True)
    sides = comparison(both)
    if (
        not sides
        and len(places) > 1
        and re.search(r"\b(?:\w+er|more|less) .{1,60}\bthan\b", asked, re.IGNORECASE | re.ASCII)
    ):
        sides = (places[0].name, places[1].name)
    together = listed_places(both.bare, places) if kind == "weather" else ()
    listed = bool(together) and sides is None
    sides = together or sides
    return Reading(both, language, kind, times, places, sides, listed, content(both, places), sites)


def _asks(reading: Reading, language: Language) -> dict[str, str]:
    """What must be asked back, by reason, in the language of the reply."""
    if not reading.words:
        return {"topic": _ASKS["topic"][language]}
    asks: dict[str, str] = {}
    for refused in reading.times.refused[:2]:
        asks[f"time {refused.start}"] = _ASKS["time"][language].format(text=refused.text[:40])
    if reading.sides is not None and len(reading.sides) < 2 and len(reading.times.spans) < 2:
        others = entities(reading.text, reading.places, (), weather=False)
        if len(others) < 2:
            subject = next(iter((*reading.sides, *others)), topic(reading.text))
            asks["side"] = _ASKS["side"][language].format(text=subject[:40])
    return asks


def _place(reading: Reading) -> str | None:
    """The place that the question is about."""
    if reading.places:
        return reading.places[-1].name if _nested(reading) else reading.places[0].name
    if reading.kind != "weather":
        return None
    match = WEATHER.search(reading.text.bare)
    before = reading.text.bare[: match.start()] if match else ""
    return asked_place(
        reading.text.bare,
        small_words_gone(before) or small_words_gone(reading.text.bare[match.end() :] if match else ""),
    )


def _nested(reading: Reading) -> bool:
    """Whether the places follow each other without a gap, the larger first: 广东广州, 浙江省杭州市."""
    if reading.sides is not None or reading.language != "zh":
        return False
    pairs = zip(reading.places, reading.places[1:], strict=False)
    return len(reading.places) > 1 and all(left.end == right.start for left, right in pairs)


def _topic(reading: Reading, place: str | None, hint: str | None) -> str:
    if not reading.words:
        return ""
    if reading.kind == "weather" and place is not None and reading.sides is None:
        return weather_topic(place, hint, reading.language)
    return tidy(topic(reading.text))


def _contract(reading: Reading) -> AnswerContract:
    if reading.sides is not None:
        return "compare_with_sources"
    if reading.kind in ("weather", "news") or not _ONE_FACT.search(reading.text.plain):
        return "summary_with_sources"
    return "direct_fact"


def _limit(reading: Reading, multi: bool) -> int:
    if multi or reading.sides is not None:
        return 6
    return 3 if reading.kind == "weather" else 5


def _company_figures(reading: Reading) -> bool:
    """Whether figures of a company are asked for: copied wrongly and often, they need two sites that agree.

    A quote of a market does not: it changes by the minute, and no two sites show the same.
    """
    return reading.kind == "company" and FIGURES.search(reading.text.plain) is not None


def _queries(
    reading: Reading, about: str, place: str | None, hint: str | None, fresh: bool, dates: tuple[str, ...]
) -> tuple[str, ...]:
    if not reading.words:
        return ()
    if reading.sides is not None and len(reading.sides) > 1:
        words = [word for word in reading.words if not compares(word)]
        said = [word for word in words if not any(word in side or side in word for side in reading.sides)]
        if reading.kind == "weather" and not any(WEATHER.search(word) for word in said):
            said = ["天气" if reading.language == "zh" else "weather"]
        return comparison_queries(about, reading.sides, f"{' '.join(dict.fromkeys(said))} {tidy(hint or '')}", reading.language)
    if reading.kind == "weather" and place is not None:
        return weather_queries(place, hint, reading.language)
    return queries(about, reading.words, hint, reading.language, fresh, dates)
