"""Which text the bytes of a page are."""

from __future__ import annotations

import codecs
import re

from ..text import MAX_DAMAGE

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_META = re.compile(rb"<meta[^>]{0,300}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{2,40})", re.IGNORECASE)
_META_WITHIN = 4_096
_SAMPLE = 64 << 10
_SEQUENCES = 8
"""So many sequences that are valid UTF-8 are no accident; fewer can be two Chinese characters of GBK."""
_LATIN, _LATIN_ACCENTS = "cp1252", 0.15
# What the labels of the web mean (WHATWG Encoding), where Python's codec of the name is narrower.
_WIDER = {
    "gb2312": "gb18030", "gbk": "gb18030", "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254",
    "iso8859-11": "cp874", "tis-620": "cp874", "shift_jis": "cp932", "euc_kr": "cp949", "big5": "big5hkscs",
}  # fmt: skip
_KNOWN = frozenset(
    {"utf-8", "gb18030", "big5hkscs", "cp932", "euc_jp", "iso2022_jp", "cp949", "cp874", "koi8-r", "koi8-u", "cp866"}
    | {f"cp{number}" for number in range(1250, 1259)}
    | {f"iso8859-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)}
    | {"utf-16-le", "utf-16-be"}
)


def text_of(body: bytes, stated: str | None) -> str | None:
    """The text of a body, or None if no charset makes a readable one.

    stated: the charset of the Content-Type header. A byte order mark decides; then what is plainly UTF-8 is UTF-8,
    whatever it is labelled; then the header, the page's own label and a detector are tried in turn. Replacement
    characters stand for what is broken.
    """
    for mark, charset in _BOMS:
        if body.startswith(mark):
            return _readable(body[len(mark) :], charset)
    if b"\x00" in body[:_SAMPLE]:
        return None  # a picture or a program; UTF-16 has a mark
    if _is_utf8(body):
        return _readable(body, "utf-8")
    header, own = _known(stated), _known(_own_label(body))
    # Latin is what servers state that state the same for every page.
    labelled = (own, header) if header == _LATIN else (header, own)
    for label in labelled:
        if label is None or (label == _LATIN and not _may_be_latin(body)):
            continue
        text = _readable(body, label)
        if text is not None:
            return text
    detected = _detected(body)
    return None if detected is None else _readable(body, detected)


def _is_utf8(body: bytes) -> bool:
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(body)
    except UnicodeDecodeError:
        return False
    letters = sum(1 for char in text if not char.isascii())
    return letters == 0 or letters >= _SEQUENCES


def _may_be_latin(body: bytes) -> bool:
    """Whether few enough letters are outside ASCII for a language that is written in Latin letters."""
    return sum(byte > 0x7F for byte in body[:_SAMPLE]) <= _LATIN_ACCENTS * min(len(body), _SAMPLE)


def _readable(body: bytes, charset: str) -> str | None:
    text = codecs.getincrementaldecoder(charset)("replace").decode(body)
    return None if text.count("\ufffd") > MAX_DAMAGE * len(text) else text


def _own_label(body: bytes) -> str | None:
    match = _META.search(body[:_META_WITHIN])
    return None if match is None else match[1].decode("ascii")


def _known(label: str | None) -> str | None:
    """The codec that a label of the web means. Only codecs of the web are used: Python has others that are none."""
    try:
        name = codecs.lookup(label or "").name
    except LookupError:
        return None
    name = _WIDER.get(name, name)
    if name in ("utf-16-le", "utf-16-be", "utf-16"):
        return "utf-8"  # a label that can be read byte by byte is not in UTF-16
    return name if name in _KNOWN else None


def _detected(body: bytes) -> str | None:
    from charset_normalizer import from_bytes  # late: most pages say what they are

    best = from_bytes(body[:_SAMPLE]).best()
    return None if best is None else _known(best.encoding)
