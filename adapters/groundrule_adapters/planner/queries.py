"""The phrases to search for. A year in them comes from the question or from the reference time, nowhere else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from groundrule.facts.words import Language
from groundrule.grounding.times import TimeSpan

from .script import HAN
from .subjects import cut

MOST = 3
_DAYS_AHEAD = re.compile(
    r"(?:未来|接下来|今后)的?\s?(\d{1,2}|[一二三四五六七八九十])\s?[天日]|(\d{1,2})\s?[天日]的?(?:天气|预报)"
)
_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九十")}


def weather_topic(place: str, hint: str | None, language: Language) -> str:
    """`广州未来5天天气`, `Guangzhou weather next 5 days`."""
    time = tidy(hint or "")
    if language == "zh":
        return cut(f"{place}{time}" if time.endswith(("天气", "预报")) else f"{place}{time}天气")
    return cut(f"{place} {time}" if "forecast" in time.lower() else f"{place} weather {time}".strip())


def weather_queries(place: str, hint: str | None, language: Language) -> tuple[str, ...]:
    """Two ways to ask for the weather of a place."""
    time = tidy(hint or "")
    if language == "zh":
        named = time if time.endswith(("天气", "预报")) else f"{time}天气"
        ahead = _DAYS_AHEAD.search(time)
        days = next((group for group in ahead.groups() if group), "") if ahead else ""
        second = f"天气 {_DIGITS.get(days, days)}日预报" if days else f"天气预报 {time}" if time else "天气预报"
        return _distinct((f"{place} {named}", f"{place} {second}"))
    if "forecast" in time.lower():
        return _distinct((f"{place} {time}", f"{place} weather {time}"))
    return _distinct((f"{place} weather {time}", f"{place} weather forecast {time}"))


def comparison_queries(topic: str, sides: Sequence[str], said: str, language: Language) -> tuple[str, ...]:
    """The whole question, and each side on its own with what is compared. said: the words beside the sides."""
    return _distinct((topic, *(f"{side} {said}" for side in sides[: MOST - 1])))


def queries(
    topic: str, words: Sequence[str], hint: str | None, language: Language, fresh: bool, dates: Sequence[str]
) -> tuple[str, ...]:
    """The question itself, its bare words with its time, and the same with a date or a wish for the newest.

    words: the words that carry the question. dates: the day that a relative time means, written out, if there is one.
    """
    core = " ".join(words[:8])
    latest = "最新" if language == "zh" else "latest"
    timed = f"{core} {tidy(hint or '')}"
    if dates:
        newest = f"{core} {dates[0]}"
    else:
        newest = (f"{core} {latest}" if language == "zh" else f"{latest} {core}") if fresh and not hint else ""
    return _distinct((topic, timed, "" if latest in topic.lower() else newest))


def written_day(spans: Sequence[TimeSpan], asked_at: datetime, zone: str, language: Language) -> tuple[str, ...]:
    """The date of a single near day that is asked for in relative words, such as 昨天 or last Friday."""
    if len(spans) != 1 or spans[0].explicit:
        return ()
    span = spans[0]
    near = abs(span.begin - asked_at) < timedelta(days=40)
    if not near or span.until - span.begin > timedelta(hours=26) or span.until - span.begin < timedelta(hours=3):
        return ()
    day = (span.begin + (span.until - span.begin) / 2).astimezone(ZoneInfo(zone))
    if language == "zh":
        return (f"{day.year}年{day.month}月{day.day}日",)
    return (f"{day:%B} {day.day} {day.year}",)


def tidy(text: str) -> str:
    """Single blanks; none beside Chinese characters."""
    text = " ".join(text.split())
    return re.sub(rf"(?<=[{HAN}\d]) (?=[{HAN}])|(?<=[{HAN}]) (?=\d)", "", text)


def _distinct(phrases: Sequence[str]) -> tuple[str, ...]:
    made = dict.fromkeys(cut(" ".join(phrase.split())) for phrase in phrases)
    return tuple(phrase for phrase in made if phrase)[:MOST]
