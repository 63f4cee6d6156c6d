"""Links of an answer. An answer may point only to pages that were fetched for it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..urls import UrlRefused, canonical
from .folding import URL, fold

_REST = r"[A-Za-z0-9\-._~:/?#@!$&'()*+,;=%\\|]"
_HOST = r"(?:[A-Za-z0-9\-]{1,63}\.){1,8}"
# Of words with a stop in the middle only these are hosts: St.Louis/Chicago is none.
_TLD = (
    "com|net|org|edu|gov|mil|int|info|biz|io|co|ai|app|dev|xyz|top|site|online|shop|store|club|live|link|click|page|me|tv"
    "|cc|vip|pro|name|mobi|tech|cloud|fun|icu|win|bid|loan|zip|mov|example|test|invalid|eu|us|uk|de|fr|es|it|nl|be|ch|at"
    "|pl|cz|se|no|dk|fi|ie|pt|gr|ro|hu|ua|ru|su|tr|il|ir|in|pk|cn|hk|tw|jp|kr|sg|my|th|vn|id|ph|au|nz|ca|mx|br|ar|cl|za|ng"
)
_LINK = re.compile(
    rf"(?P<mail>(?<![A-Za-z0-9._%+\-])(?:mailto:)?[A-Za-z0-9._%+\-]{{1,64}}@{_HOST}[A-Za-z]{{2,24}}(?![A-Za-z0-9\-]))"
    rf"|{URL}"
    rf"|(?<![A-Za-z0-9.@/\-])www\.[A-Za-z0-9\-]+\.{_REST}*"
    rf"|(?<![A-Za-z0-9:/])//(?=[A-Za-z0-9\-]+\.){_REST}+"
    r"|(?<=\]\()[^\s()<>\"]{1,2000}|(?<=\]\(<)[^\s()<>\"]{1,2000}"
    r"|(?:(?<=href=)|(?<=href=[\"'])|(?<=src=)|(?<=src=[\"']))[^\s<>\"']{1,2000}"
    rf"|(?<![A-Za-z0-9.@/\-_])(?P<bare>{_HOST}(?:{_TLD})(?::[0-9]{{1,5}})?/{_REST}*)"
    rf"|^ {{0,3}}\[[^\]\n]{{1,80}}\]: ?<?(?P<reference>(?:{_HOST}[A-Za-z]{{2,24}}|[A-Za-z]{{2,16}}:|/)[^\s<>]{{0,2000}})",
    re.IGNORECASE | re.MULTILINE,
)
_TRAILING = ".,;:!?'*_"


@dataclass(frozen=True, slots=True)
class Link:
    """An address in a text. `url`: its canonical form, None if it cannot be read as an http(s) address.

    written: an address without scheme (`a.example/x`, `b@a.example`), which evidence may state in its text.
    """

    start: int
    end: int
    url: str | None
    written: str = ""


def read_links(text: str) -> tuple[Link, ...]:
    """Every address of a text, in order: `scheme://…`, `www.…`, `//host…`, `host/path`, e-mail, and the targets of links
    in Markdown and HTML. Never raises.
    """
    links = (_link(text, *match.span(match.lastgroup or 0), match.lastgroup or "") for match in _LINK.finditer(fold(text)))
    return tuple(link for link in links if link.start < link.end)  # a target of punctuation alone leads nowhere


def canonical_or_none(url: str) -> str | None:
    """The canonical form of an http(s) address, or None."""
    try:
        form = canonical(url)
    except UrlRefused:
        return None
    return form if form.startswith(("http://", "https://")) else None


def _link(text: str, start: int, end: int, form: str) -> Link:
    """Without the punctuation that ends a sentence and the bracket that surrounds a link."""
    surplus = text.count(")", start, end) - text.count("(", start, end)
    while end > start:
        last = text[end - 1]
        if last == ")" and surplus > 0:
            surplus -= 1
        elif last not in _TRAILING:
            break
        end -= 1
    address = fold(text[start:end])
    if form == "mail":
        return Link(start, end, None, address.lower().removeprefix("mailto:"))
    hosted = form == "bare" or address[:4].lower() == "www."
    written = address.lower() if form == "bare" else ""
    return Link(start, end, canonical_or_none(f"https://{address}" if hosted else text[start:end]), written)
