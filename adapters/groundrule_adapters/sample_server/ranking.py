"""Which pages a query finds: those whose subject it names, ordered by the words that they share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from .corpus import Page

_WORD = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_EMPTY = re.compile(
    r"\b(?:an?|and|are|at|be|by|can|could|did|do|does|for|from|get|has|have|how|i|in|is|its?|latest|me|my|new|next|now|of|on"
    r"|or|please|show|tell|that|the|there|this|to|today|tomorrow|was|we|what|when|where|which|who|why|will|with|yesterday"
    r"|you|your|days?|weeks?)\b"
    r"|一下|今天|今日|目前|现在|最新|未来|情况|怎么样?|怎样|多少|如何|昨天|明天|时候|是否|有没有|看看|帮我|请问|告诉我?|什么|哪些|哪里"
    r"|何时|几天|天后|[是的在了吗呢]"
)
"""Words that say nothing about what is asked."""
_SUBJECT, _TITLE = 3.0, 2.0
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


def search(query: str, pages: Sequence[Page], limit: int) -> list[tuple[Page, float]]:
    """At most `limit` pages with their scores, best first; of equal ones the newest first, undated ones last.

    A page is found if the query names its subject and shares one more word with it. So a question about something else
    finds nothing, however many common words it has. The subject alone is enough, unless it is a place with forecasts.
    """
    lowered = query.casefold()
    wanted = words(query)
    places = {subject for page in pages if page.valid_from is not None for subject in page.subjects}
    found: list[tuple[Page, float]] = []
    for page in pages:
        named = [subject for subject in page.subjects if subject.casefold() in lowered]
        if not named:
            continue
        about = {word for subject in page.subjects for word in words(subject)}
        shared = (wanted & words(page.title + "\n" + page.text + "\n" + page.keywords)) - about
        if shared or not (wanted - about or places.intersection(page.subjects)):
            in_title = shared & words(page.title)
            score = _SUBJECT + len(shared) + (_TITLE - 1) * len(in_title)
            found.append((page, score / (_SUBJECT + _TITLE * len(wanted))))
    found.sort(key=lambda pair: (pair[1], pair[0].published or _LONG_AGO), reverse=True)
    return found[:limit]


def words(text: str) -> set[str]:
    """Words in Latin letters and digits, and pairs of neighbouring Chinese characters, without empty ones."""
    lowered = _EMPTY.sub(" ", text.casefold())
    latin = {word for word in _WORD.findall(lowered) if len(word) > 1}
    return latin | {run[at : at + 2] for run in _HAN.findall(lowered) for at in range(len(run) - 1)}
