"""What a page says: title, main text, and the dates that it states of itself.

Runs in the process of `parsing`; the parts that need a judgement about time are in `dating`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from lxml.etree import iterwalk
from lxml.html import HtmlElement, HTMLParser, document_fromstring

from .challenge import challenge
from .charset import text_of
from .hidden import without_hidden

MAX_TEXT = 400_000
"""Code points of main text."""
_MAX_LINES, _MAX_LINE = 60, 160
_MAX_DATES, _MAX_DATE = 20, 100
_MAX_DATA = 256 << 10
_BLOCKS = frozenset(
    "address article aside blockquote br caption dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr"
    " li main nav ol p pre section table tbody td tfoot th thead title tr ul".split()
)
_ASIDE = ("nav", "footer", "aside", "form", "menu")
_ASIDE_ROLES = ("navigation", "contentinfo", "complementary", "search")
_CELLS = frozenset({"td", "th"})
_PUBLISHED = frozenset(
    {
        "article:published_time", "og:published_time", "datepublished", "date", "dc.date", "dc.date.issued",
        "dc.date.created", "dcterms.created", "dcterms.issued", "dcterms.date", "pubdate", "publishdate",
        "publish_date", "publication_date", "parsely-pub-date", "sailthru.date", "apub:time", "weibo:article:create_at",
    }
)  # fmt: skip
_MODIFIED = frozenset(
    {
        "article:modified_time", "og:updated_time", "datemodified", "dc.date.modified", "dcterms.modified",
        "last-modified", "lastmod", "revised", "weibo:article:update_at",
    }
)  # fmt: skip
_BYLINE = re.compile(r"date|time|publish|posted|pub|byline|meta|info|source|update", re.IGNORECASE)


def read_page(body: bytes, *, charset: str | None, media_type: str) -> dict[str, Any]:
    """The reading of a body, as JSON values.

    Either `failure` (an outcome and a reason), or `title`, `text`, and the dates as the page writes them: `published`,
    `modified`, `times` (elements `time` without a role) and `lines` (short lines from its head that may state one).
    """
    source = text_of(body, charset)
    if source is None:
        return {"failure": ["failed", "the characters of the page cannot be read"]}
    if media_type == "text/plain" or "<" not in source:
        return _plain(source)
    # As UTF-8 with its name, so that a declaration within the page says nothing any more.
    parser = HTMLParser(encoding="utf-8", remove_pis=True)
    root = document_fromstring(source.replace("\x00", " ").encode("utf-8", "replace"), parser=parser)
    data = list(_structured_data(root))
    barrier = challenge(root)
    title = _title(root)
    without_hidden(root)
    lines = list(_lines(root))
    reason = barrier(title, "\n".join(lines))
    if reason is not None:
        return {"failure": ["blocked", reason]}
    dates = {"lines": _head(root, lines), **_stated_dates(root, data)}
    _without_asides(root)
    text = _main_text(root) or "\n".join(_lines(root))
    return {"title": title[:1_000], "text": text[:MAX_TEXT], **dates}


def _plain(source: str) -> dict[str, Any]:
    lines = [line.strip() for line in source.splitlines() if line.strip()]
    short = [line for line in lines[:_MAX_LINES] if len(line) <= _MAX_LINE]
    return {
        "title": (short or [""])[0],
        "text": "\n".join(lines)[:MAX_TEXT],
        "lines": short,
        "published": [],
        "modified": [],
        "times": [],
    }


def _title(root: HtmlElement) -> str:
    """The heading of the page if it has just one, else its title."""
    headings = [_words(heading) for heading in root.iter("h1")]
    titles = [_words(title) for title in root.iter("title")]
    named = [heading for heading in headings if heading]
    return named[0] if len(named) == 1 else next((title for title in titles if title), (named or [""])[0])


def _words(element: HtmlElement) -> str:
    return " ".join(str(element.text_content()).split())


def _main_text(root: HtmlElement) -> str:
    import trafilatura

    found = trafilatura.extract(root, include_comments=False, include_tables=True, favor_recall=True)
    return (found or "").strip()


def _lines(root: HtmlElement) -> Iterator[str]:
    """The text as lines, one for each block; cells of a row share one."""
    pieces: list[str] = []
    for event, element in iterwalk(root, events=("start", "end")):
        tag = element.tag if isinstance(element.tag, str) else ""
        if tag in _CELLS:
            pieces.append(" ")
        elif tag in _BLOCKS:
            line = " ".join("".join(pieces).split())
            pieces.clear()
            if line:
                yield line
        if event == "end":
            pieces.append(element.tail or "")
        elif tag != "title":
            pieces.append(element.text or "")
    line = " ".join("".join(pieces).split())
    if line:
        yield line


def _without_asides(root: HtmlElement) -> None:
    """Takes menus and footers out, which are no part of what a page says."""
    around = [*root.iter(*_ASIDE), *(each for role in _ASIDE_ROLES for each in root.iterfind(f".//*[@role='{role}']"))]
    for element in around:
        if element.getparent() is not None:
            element.drop_tree()


def _head(root: HtmlElement, lines: list[str]) -> list[str]:
    """Short lines that may state when the page was written: its first ones, and elements named like a byline."""
    named = [
        _words(element)
        for element in root.iter("span", "p", "div", "time", "small", "em", "i", "li", "td")
        if _BYLINE.search(f"{element.get('class', '')} {element.get('id', '')}") or element.tag == "time"
    ]
    found = [line for line in (*lines[:_MAX_LINES], *named[:_MAX_LINES]) if 0 < len(line) <= _MAX_LINE]
    return list(dict.fromkeys(found))


def _stated_dates(root: HtmlElement, data: list[dict[str, Any]]) -> dict[str, list[str]]:
    dates: dict[str, list[str]] = {"published": [], "modified": [], "times": []}
    for node in data:
        dates["published"] += _texts(node.get("datePublished"))
        dates["modified"] += _texts(node.get("dateModified"))
    for element in root.iter("meta"):
        name = (element.get("property") or element.get("name") or element.get("itemprop") or "").lower()
        name = name.replace(" ", "")
        kind = "published" if name in _PUBLISHED else "modified" if name in _MODIFIED else None
        if kind is not None:
            dates[kind] += _texts(element.get("content"))
    for element in root.iter():
        stated = element.get("datetime") or element.get("content") or _words(element)
        role = element.get("itemprop", "")
        if role in ("datePublished", "dateModified") and element.tag != "meta":
            dates["published" if role == "datePublished" else "modified"] += _texts(stated)
        elif element.tag == "time" and not role and element.get("datetime"):
            kind = "published" if "pubdate" in element.attrib else "times"
            dates[kind] += _texts(element.get("datetime"))
    return {kind: list(dict.fromkeys(texts))[:_MAX_DATES] for kind, texts in dates.items()}


def _texts(value: object) -> list[str]:
    return [value.strip()] if isinstance(value, str) and 0 < len(value.strip()) <= _MAX_DATE else []


def _structured_data(root: HtmlElement) -> Iterator[dict[str, Any]]:
    """The nodes of JSON-LD that are about the page; those inside lists of other pages are left out."""
    for script in root.iter("script"):
        if "ld+json" not in script.get("type", "").lower():
            continue
        try:
            document = json.loads((script.text or "")[:_MAX_DATA])
        except (ValueError, RecursionError):
            continue  # broken data states nothing
        for node in document if isinstance(document, list) else [document]:
            if isinstance(node, dict):
                graph = node.get("@graph")
                yield node
                yield from (each for each in graph if isinstance(each, dict)) if isinstance(graph, list) else ()
