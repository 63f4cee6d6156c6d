"""From hits and pages to evidence. A page that was read and a summary by a search engine are two kinds of source."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from groundrule.facts import Evidence
from groundrule.urls import host

from ..dates import read_date
from ..fetch.dating import SKEW, Dated, dated
from ..fetch.fetcher import Page
from ..text import MAX_TITLE, cut, damaged, one_line, tidy
from .passages import best_passages, is_about

SNIPPET = 1_800
"""Code points of what is quoted from one page."""
_SUMMARY = {"zh": "（搜索摘要，未读取原页面）", "en": " (search summary, page not read)"}


@dataclass(frozen=True)
class Hit:
    """One result: a canonical URL, and what the provider says of it. date: as the provider writes it, or empty."""

    url: str
    title: str
    snippet: str
    date: str
    query: str
    rank: int


@dataclass(frozen=True)
class Wanted:
    """Whom the items are for. about: everything that says what is asked."""

    execution_id: str
    adapter: str
    provider: str
    about: str
    language: str


def page_evidence(hit: Hit, page: Page, reading: Mapping[str, Any], wanted: Wanted) -> Evidence | None:
    """What of a page that was read is about the question; None if nothing is."""
    text = tidy(str(reading["text"]))
    snippet = None if damaged(text) else best_passages(text, wanted.about, SNIPPET)
    if snippet is None:
        return None
    date = dated(reading, page.headers, page.retrieved_at) or _by_provider(hit, page.retrieved_at)
    title = one_line(str(reading["title"])) or hit.title
    private = {"kind": "page", "hops": list(page.hops), "cut": page.cut}
    return _item("url", page.url, title, snippet, host(page.url), page.retrieved_at, date, hit, wanted, private)


def summary_evidence(hit: Hit, why: str, retrieved_at: datetime, wanted: Wanted) -> Evidence | None:
    """What the provider says of a page that could not be read; None if that is nothing about the question.

    why: the reason why the page was not read. retrieved_at: when the result page was.
    """
    if not hit.snippet or damaged(hit.snippet) or not is_about(f"{hit.title}\n{hit.snippet}", wanted.about):
        return None
    label = host(hit.url) + _SUMMARY.get(wanted.language, _SUMMARY["en"])
    private = {"kind": "search summary", "page": why}
    date = _by_provider(hit, retrieved_at)
    return _item("search_summary", hit.url, hit.title, hit.snippet, label, retrieved_at, date, hit, wanted, private)


def _by_provider(hit: Hit, retrieved_at: datetime) -> Dated | None:
    stated = read_date(hit.date) if hit.date else None
    if stated is None or stated.start > retrieved_at + SKEW:
        return None
    return Dated(stated.start, stated.width, "provider", hit.date)


def _item(
    source_type: str,
    url: str,
    title: str,
    snippet: str,
    label: str,
    retrieved_at: datetime,
    date: Dated | None,
    hit: Hit,
    wanted: Wanted,
    private: Mapping[str, Any],
) -> Evidence:
    content = json.dumps([source_type, url, title, snippet]).encode()
    about = {"provider": wanted.provider, "query": hit.query, "rank": hit.rank, "hit": hit.url}
    return Evidence(
        id=f"{wanted.execution_id}:{wanted.adapter}:{hashlib.sha256(content).hexdigest()[:16]}",
        execution_id=wanted.execution_id,
        adapter=wanted.adapter,
        source_type=source_type,
        source_label=label,
        title=cut(title, MAX_TITLE) or None,
        target_url=url,
        snippet=snippet,
        generated=False,
        retrieved_at=retrieved_at,
        dated_at=None if date is None else date.start,
        dated_origin="none" if date is None else date.origin,
        dated_resolution=None if date is None else date.width,
        raw_metadata={**about, **private, "dated_by": None if date is None else date.text[:100]},
    )
