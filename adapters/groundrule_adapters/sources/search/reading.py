"""What a page says about a question: its title, its passages, its date.

Runs in the process of `fetch.parsing`, since nobody knows how long, or how odd, a page is. One that it falls over costs
its own evidence, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ..fetch.dating import dated
from ..fetch.page import read_page
from ..text import damaged, one_line, tidy
from .passages import best_passages

READ_PAGE = f"{__name__}:read"
DATING_HEADERS = ("age", "date", "last-modified")
"""Headers that say something of a page's age."""
SNIPPET = 1_800
"""Code points of what is quoted from one page."""


def read(
    body: bytes, *, charset: str | None, media_type: str, headers: Mapping[str, str], retrieved_at: str, about: str
) -> dict[str, Any]:
    """`failure` (an outcome and a reason), or `title`, `snippet` and `dated` as JSON values.

    headers: those of DATING_HEADERS. retrieved_at: ISO 8601. about: everything that says what is asked. snippet: null
    if the page says nothing about it. dated: null, or `start` (ISO 8601), `width` (seconds), `origin` and `text`.
    """
    page = read_page(body, charset=charset, media_type=media_type)
    if "failure" in page:
        return page
    text = tidy(page["text"])
    date = dated(page, headers, datetime.fromisoformat(retrieved_at))
    return {
        "title": one_line(page["title"]),
        "snippet": None if damaged(text) else best_passages(text, about, SNIPPET),
        "dated": date
        and {
            "start": date.start.isoformat(), "width": date.width.total_seconds(), "origin": date.origin, "text": date.text,
        },
    }  # fmt: skip
