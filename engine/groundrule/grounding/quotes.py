"""Quotations: what stands between quotation marks is claimed to be someone's very words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .text import normalise

MIN_LENGTH = 4
"""Shorter ones are terms and titles (letters and digits counted)."""
MAX_LENGTH = 2000

_BODY = f"{{1,{MAX_LENGTH}}}"
_INNER = r"(?<=[^\W\d])’(?=[^\W\d])"  # an apostrophe
_QUOTED = re.compile(
    rf"“(?P<curly>[^“”\n]{_BODY})”|「(?P<corner>[^「」\n]{_BODY})」|『(?P<white>[^『』\n]{_BODY})』"
    rf"|(?<!\w)‘(?![0-9]0s)(?P<single>(?:[^‘’\n]|{_INNER}){_BODY})’(?!\w)"
    rf"|„(?P<low>[^„“”\n]{_BODY})[“”]|«(?P<angle>[^«»\n]{_BODY})»|‹(?P<pointed>[^‹›\n]{_BODY})›"
    rf"|＂(?P<wide>[^＂\n]{_BODY})＂|〝(?P<prime>[^〝〞〟\n]{_BODY})[〞〟]|(?:''|``)(?P<twice>[^'`\n]{_BODY})''"
    rf"|(?<![\w')\]])'(?=[^\s'])(?P<plain>(?:[^'\n]|(?<=[^\W\d])'(?=[^\W\d])){_BODY})(?<!\s)'(?![\w'])"
    # A block quotation, line by line; `> 30` compares.
    rf"|^[ ]{{0,3}}>[> ]{{0,8}}(?![0-9 ])(?P<block>[^\n]{_BODY})$"
    # A straight mark right behind a digit is a sign for inches or seconds.
    rf"|(?<![0-9])\"(?P<straight>[^\"\n]{_BODY})\"",
    re.MULTILINE,
)
_BARE = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation; `start` and `end` count code points and include the marks. `key` is how it is compared."""

    start: int
    end: int
    key: str


def quote_key(text: str) -> str:
    """The letters and digits of a text, without case, width, punctuation and blanks."""
    return _BARE.sub("", normalise(text))


def read_quotes(text: str) -> tuple[Quote, ...]:
    """The quotations of at least MIN_LENGTH letters and digits, in order. Never raises."""
    found = []
    for match in _QUOTED.finditer(text):
        key = quote_key(match[match.lastgroup or 0])
        if len(key) >= MIN_LENGTH:
            found.append(Quote(match.start(), match.end(), key))
    return tuple(found)
