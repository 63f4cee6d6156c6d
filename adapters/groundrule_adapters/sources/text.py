"""Text of the web as evidence carries it: decoded, without markup and invisible characters, cut by code points."""

from __future__ import annotations

import html
import re
import unicodedata

MAX_TITLE, MAX_SNIPPET = 300, 8_000
"""Code points of a title and of a quotable text."""
_MAX_RAW = 200_000
MAX_DAMAGE = 0.02
"""Share of replacement characters above which a text was decoded wrongly."""

# Each part of these patterns stops at the next `<`, so that no text makes them slow.
_HIDDEN = re.compile(r"<(script|style|template|noscript)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>|<!--[^<>]*-->|<![A-Za-z][^<>]*>")
_BLANKS = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n ?(?:\n ?)+")
_JOINED = frozenset(".,:%/-'’")
_FURTHEST_BACK = 64
_KEPT = "\n\t"
_JOINERS = "\u200c\u200d"
"""Invisible, but part of the spelling in several scripts."""


def cleaned(text: str) -> str:
    """Entities decoded once, then tags removed; then `tidy`."""
    text = html.unescape(text[:_MAX_RAW])
    if "<" in text:
        text = _TAG.sub(" ", _without_hidden(text))
    return tidy(text)


def tidy(text: str) -> str:
    """Text that holds no markup, without control, direction and other invisible characters and surplus blanks."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = "".join(char for char in text if char in _KEPT or char in _JOINERS or not _invisible(char))
    text = _BLANKS.sub(" ", text)
    return _LINES.sub("\n\n", text).strip()


def one_line(text: str) -> str:
    """Cleaned text on one line."""
    return " ".join(cleaned(text).split())


def cut(text: str, limit: int) -> str:
    """At most `limit` code points; never cut inside a number or a word of Latin letters."""
    if len(text) <= limit:
        return text
    at = limit
    while limit - at < _FURTHEST_BACK and at > 0 and _joined(text[at - 1]) and _joined(text[at]):
        at -= 1
    while at > 0 and unicodedata.combining(text[at]):
        at -= 1
    return text[:at].rstrip() or text[:limit]


def damaged(text: str) -> bool:
    """Whether so many characters were lost in decoding that the text cannot be trusted."""
    return text.count("\ufffd") > MAX_DAMAGE * len(text)


def _without_hidden(text: str) -> str:
    """The text without elements that no reader sees; one that is never closed reaches to the end."""
    kept: list[str] = []
    at = 0
    while (opened := _HIDDEN.search(text, at)) is not None:
        kept.append(text[at : opened.start()])
        closed = re.compile(rf"</{opened[1]}\s*>", re.IGNORECASE).search(text, opened.end())
        at = len(text) if closed is None else closed.end()
    return " ".join((*kept, text[at:]))


def _joined(char: str) -> bool:
    return char in _JOINED or (char.isalnum() and char.isascii()) or char.isnumeric()


def _invisible(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co")
