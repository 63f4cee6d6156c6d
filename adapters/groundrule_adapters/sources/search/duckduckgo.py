"""DuckDuckGo's result page without scripts.

Each result is a block of the class `result`: `result__a` is its title and link, `result__snippet` its summary, and a
date may stand beside its address. Links lead over a redirector, which is taken off; what leads to an advertiser is
dropped. No results, a test for robots, and a page in a layout that nobody here knows are three different things.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote_plus, urljoin, urlsplit

if TYPE_CHECKING:
    from lxml.html import HtmlElement

ENDPOINT = "https://html.duckduckgo.com/html/"
_MAX_HITS = 30
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:T[\d:.]+)?")
_MIDNIGHT = re.compile(r"T00:00:00(?:\.0*)?$")


def request(endpoint: str, query: str, language: str) -> str:
    """The address of the first result page."""
    region = "cn-zh" if language == "zh" else "wt-wt"
    return f"{endpoint}{'&' if '?' in endpoint else '?'}q={quote_plus(query)}&kl={region}"


def parse(body: bytes, *, charset: str | None) -> dict[str, Any]:
    """The hits of a result page. Runs in the process of `fetch.parsing`."""
    from lxml.html import HTMLParser, document_fromstring

    from ..fetch.charset import text_of

    source = text_of(body, charset)
    if source is None or not source.strip():
        return _failure("failed", "the result page cannot be read")
    root = document_fromstring(source.encode("utf-8", "replace"), parser=HTMLParser(encoding="utf-8"))
    if _with_class(root, "anomaly-modal") or root.xpath("//form[contains(@action, 'anomaly')]"):
        return _failure("blocked", "the search engine asks for a proof that we are human")
    blocks = [block for block in _with_class(root, "result") if not _has_class(block, "result--no-result")]
    hits = [hit for block in blocks if not _has_class(block, "result--ad") and (hit := _hit(block)) is not None]
    if hits:
        return {"hits": hits[:_MAX_HITS]}
    if _with_class(root, "no-results") or _with_class(root, "result--no-result"):
        return {"hits": []}
    if blocks and all(_is_advertisement(block) for block in blocks):
        return {"hits": []}
    return _failure("failed", "the result page has a layout that is not known")


def _failure(outcome: str, reason: str) -> dict[str, Any]:
    return {"failure": [outcome, reason]}


def _with_class(root: HtmlElement, name: str) -> list[HtmlElement]:
    found = root.xpath("descendant::*[contains(concat(' ', normalize-space(@class), ' '), $name)]", name=f" {name} ")
    return list(found)


def _has_class(element: HtmlElement, name: str) -> bool:
    return name in (element.get("class") or "").split()


def _hit(block: HtmlElement) -> dict[str, str] | None:
    """The hit of a block; None if it has no link, or one to an advertiser."""
    links = _with_class(block, "result__a")
    target = _target(links[0].get("href") or "") if links else None
    if target is None:
        return None
    snippets = _with_class(block, "result__snippet")
    return {
        "url": target,
        "title": _words(links[0]),
        "snippet": _words(snippets[0]) if snippets else "",
        "date": _date(block),
    }


def _is_advertisement(block: HtmlElement) -> bool:
    links = _with_class(block, "result__a")
    return _has_class(block, "result--ad") or (bool(links) and "/y.js" in (links[0].get("href") or ""))


def _target(link: str) -> str | None:
    """Where a link leads, the redirector taken off: its parameter is decoded once, and no more."""
    try:
        address = urljoin("https://duckduckgo.com/", link.strip())
        parts = urlsplit(address)
        if not _is_own(parts.hostname):
            return address
        if parts.path.rstrip("/") != "/l":
            return None  # an advertiser's redirector, or a page of the engine itself
        (target,) = parse_qs(parts.query).get("uddg", [""])[:1]
        inner = urlsplit(target)
    except ValueError:  # no address, or one with a thousand parameters
        return None
    return None if not inner.hostname or _is_own(inner.hostname) or "\ufffd" in target else target


def _is_own(name: str | None) -> bool:
    return name is not None and (name == "duckduckgo.com" or name.endswith(".duckduckgo.com"))


def _date(block: HtmlElement) -> str:
    """The date beside the address; one of midnight sharp is a day."""
    for extras in _with_class(block, "result__extras__url"):
        match = _DATE.search(_words(extras).rsplit(" ", 1)[-1])
        if match is not None:
            return _MIDNIGHT.sub("", match[0])
    return ""


def _words(element: HtmlElement) -> str:
    return " ".join(str(element.text_content()).split())
