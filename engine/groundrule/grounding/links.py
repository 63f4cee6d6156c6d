"""Links of an answer. An answer may point only to pages that were fetched for it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..urls import UrlRefused, canonical
from .folding import URL, fold

_REST = r"[A-Za-z0-9\-._~:/?#@!$&'()*+,;=%\\|]"
_LINK = re.compile(
    rf"{URL}"
    rf"|(?<![A-Za-z0-9.@/\-])www\.[A-Za-z0-9\-]+\.{_REST}*"
    rf"|(?<![A-Za-z0-9:/])//(?=[A-Za-z0-9\-]+\.){_REST}+"
    r"|(?<=\]\()[^\s()<>\"]{1,2000}",
    re.IGNORECASE,
)
_TRAILING = ".,;:!?'*_"


@dataclass(frozen=True, slots=True)
class Link:
    """An address in a text. `url`: its canonical form, None if it cannot be read as an http(s) address."""

    start: int
    end: int
    url: str | None


def read_links(text: str) -> tuple[Link, ...]:
    """Every `scheme://…`, `www.…`, `//host…` and Markdown link target of a text, in order. Never raises."""
    links = (_link(text, match.start(), match.end()) for match in _LINK.finditer(fold(text)))
    return tuple(link for link in links if link.start < link.end)  # a target of punctuation alone leads nowhere


def canonical_or_none(url: str) -> str | None:
    """The canonical form of an http(s) address, or None."""
    try:
        form = canonical(url)
    except UrlRefused:
        return None
    return form if form.startswith(("http://", "https://")) else None


def _link(text: str, start: int, end: int) -> Link:
    """Without the punctuation that ends a sentence and the bracket that surrounds a link."""
    surplus = text.count(")", start, end) - text.count("(", start, end)
    while end > start:
        last = text[end - 1]
        if last == ")" and surplus > 0:
            surplus -= 1
        elif last not in _TRAILING:
            break
        end -= 1
    address = text[start:end]
    return Link(start, end, canonical_or_none(f"https://{address}" if address[:4].lower() == "www." else address))
