"""One document, two writers: the same blocks as plain text and as Markdown.

Text from pages is data. In Markdown every mark in it is escaped, so it can open no link, image, list, table or tag;
an address in it is broken by a word joiner, so that no renderer turns it into a link. Only `Link` makes one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

JOINER = "\u2060"
"""Word joiner: shows nothing, allows no break, and ends what autolinkers take for an address."""

_MARKS = re.compile(r"[\\`*_{}\[\]()<>#!|~&$^]")
_ESCAPE = r"\\\g<0>"
_BLOCK_START = re.compile(r"^(\d{0,9})([-+=.])")
_ADDRESS = re.compile(r"(?<=:)(?=//)|(?<=[wW]{3})(?=\.)|(?=@)")
_ENTITY = re.compile(r"&(?=#?[A-Za-z0-9]+;)")
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True)
class Link:
    """Words that lead to an address, which must be canonical."""

    words: str
    url: str


Inline = str | Link


@dataclass(frozen=True)
class Block:
    """A line: a paragraph of its own, or an item of a list."""

    parts: tuple[Inline, ...]
    item: bool = False


def line(*parts: Inline) -> Block:
    """A paragraph."""
    return Block(parts)


def item(*parts: Inline) -> Block:
    """An item of a list."""
    return Block(parts, item=True)


def clean(text: str) -> str:
    """Without control characters and direction marks; tabs become blanks, line ends stay."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    return "".join(
        char for char in text if char == "\n" or (unicodedata.category(char) != "Cc" and char not in _BIDI)
    )


def one_line(text: str, limit: int = 200) -> str:
    """Clean, on one line, at most `limit` code points."""
    text = " ".join(clean(text).split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def as_text(blocks: Iterable[Block]) -> str:
    """Plain text: a link is its words."""
    return "\n".join(
        ("- " if block.item else "") + "".join(p.words if isinstance(p, Link) else p for p in block.parts)
        for block in blocks
    )


def as_markdown(blocks: Sequence[Block]) -> str:
    """Markdown (CommonMark): blocks are parted by blank lines, items of one list are not."""
    written = ""
    for at, block in enumerate(blocks):
        if at:
            written += "\n" if block.item and blocks[at - 1].item else "\n\n"
        written += ("- " if block.item else "") + "".join(
            _inline(part, n == 0) for n, part in enumerate(block.parts)
        )
    return written


def _inline(part: Inline, first: bool) -> str:
    if isinstance(part, Link):
        return f"[{_MARKS.sub(_ESCAPE, part.words)}](<{_destination(part.url)}>)"
    return escaped(part, first)


def escaped(text: str, first: bool = True) -> str:
    """Text of one line as Markdown that shows exactly it. first: whether it begins its line."""
    text = _MARKS.sub(_ESCAPE, _ADDRESS.sub(JOINER, text))
    return _BLOCK_START.sub(r"\1\\\2", text.lstrip()) if first else text


def _destination(url: str) -> str:
    url = url.replace("\\", "%5C").replace("<", "%3C").replace(">", "%3E")
    return _ENTITY.sub("&amp;", url)
