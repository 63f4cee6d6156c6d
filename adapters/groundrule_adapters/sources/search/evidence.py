"""From hits and pages to evidence. A page that was read and a summary by a search engine are two kinds of source."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pydantic import ValidationError

from groundrule.facts import Evidence
from groundrule.urls import host

from ..dates import read_date
from ..fetch.dating import SKEW, Dated
from ..fetch.failure import FetchFailure
from ..fetch.fetcher import Page
from ..text import MAX_TITLE, cut, damaged
from .passages import is_about

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
    """What of a page that was read is about the question; None if nothing is. reading: as `reading.read` gives it."""
    if reading["snippet"] is None:
        return None
    date = _dated(reading["dated"]) or _by_provider(hit, page.retrieved_at)
    title, snippet = reading["title"] or hit.title, reading["snippet"]
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


def _dated(stated: Mapping[str, Any] | None) -> Dated | None:
    if stated is None:
        return None
    start, width = datetime.fromisoformat(stated["start"]), timedelta(seconds=stated["width"])
    return Dated(start, width, stated["origin"], stated["text"])


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
    """Raises FetchFailure for what no record carries."""
    content = json.dumps([source_type, url, title, snippet]).encode()
    about = {"provider": wanted.provider, "query": hit.query, "rank": hit.rank, "hit": hit.url}
    try:
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
    except ValidationError:
        raise FetchFailure("failed", "what was read is nothing that a record carries") from None
