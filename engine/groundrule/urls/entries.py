r"""One entry of a list: a domain, a wildcard pattern or a regular expression.

* `spam.example`: the domain and every subdomain, by whole labels; an address: that address alone.
* `*.spam.example`: the same; written so, it also says that a public suffix (`*.gov.cn`) is meant.
* `*://*.spam.example/ads/*`: scheme, host and path, matched apart; `*` stands for any characters within its
  part, a leading `*.` for any subdomain or none, everything else for itself. Every port is covered; the
  query is looked at only where the entry has a `?`. Without a scheme any scheme fits, without a path (or with
  `/*`) any path. A pattern with any scheme and any path is a domain entry like the first.
* `/ads?\.js/`: an RE2 expression, searched in the whole URL.

Patterns and expressions see the URL's `matching_form`. Servers read a path more freely than the standard does:
`//docs/`, `/docs%2Fx`, `/a/..%2Fdocs/`, `/docs;a/` and, for patterns, `/DOCS/` and `/docs` may all be `/docs/`. So each
has a loose reading too, of the URL's `loose_forms`; where the readings differ, nobody knows what is meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from ipaddress import IPv6Address, ip_network
from typing import Any, NamedTuple, cast

from .reading import MAX_LENGTH, UrlRefused, canonical, is_public_suffix, read

_BLANK_OR_CONTROL = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_PATTERN = re.compile(r"(?:(\*|[A-Za-z][A-Za-z0-9+.-]*)://)?([^/?#]*)([^#]*)")
_HOST_CHARACTERS = re.compile(r"[a-z0-9._-]*")
# What WHATWG lets stand in a host although no name has it; a pattern may hold it and matches nothing.
_ODD_HOST = re.compile(r"[a-z0-9._~!$&'()+,;=-]*")
_ESCAPED = re.compile("%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
# An escape of a separator, a dot segment's neighbour, a control or a blank, itself escaped any number of times.
_STRUCTURAL = re.compile("%(?:25)*([01][0-9A-Fa-f]|2[035Ff]|3[BbFf]|5[Cc]|7[Ff])")
_DECODINGS = 3
_SITE = re.compile("[^:]*://[^/?]*")
_ANY_SITE = "http://host.example"
_ANY_SCHEME, _ANY_AUTHORITY, _ANY_PATH = "[a-z][a-z0-9+.-]*", "[^/?#]*", "(?:[/?].*)?"
_IN_HOST = r"[^/?#:\[\]]*"
# An expression that finds both of these finds every URL: they share nothing but what all URLs share.
_PROBES = ("https://kq.jx/", "http://[9::2]:81/X?Z")
_MATCHES_ALL = "matches every URL"


class EntryFault(ValueError):
    """An entry that cannot be used. Its text is a phrase about the entry: `is empty`."""


class Entry(NamedTuple):
    """What an entry covers: URLs whose host is `name` and in which the RE2 `expression` finds something.

    Whether it does is certain only if the RE2 expression `loose` says the same of all `loose_forms` of the URL.
    A name with a dot before it covers its subdomains too. One of the two may be empty and then covers all.
    `caution` is a phrase about an entry that may not be meant so, or empty.
    """

    name: str = ""
    expression: str = ""
    loose: str = ""
    caution: str = ""


def read_entry(text: str) -> Entry:
    """Read one entry. Raises EntryFault."""
    if not text:
        raise EntryFault("is empty")
    if len(text) > MAX_LENGTH:
        raise EntryFault("is too long")
    if _BLANK_OR_CONTROL.search(text):
        raise EntryFault("has a blank or control character")
    if text.startswith("/"):
        return _expression(text)
    if "\\" in text:
        raise EntryFault("has a backslash")
    if "/" in text and _is_range(text):
        raise EntryFault("is a range of addresses; a list holds single ones")
    return _pattern(re.sub(r"\*+", "*", text))


def matching_form(url: str) -> str:
    """The canonical URL without fragment, its percent-encoding normalised as RFC 3986 (6.2.2) says.

    So `/%61ds/` does not slip past a list that has `/ads/`. Raises UrlRefused.
    """
    return _ESCAPED.sub(_unescape, canonical(url).partition("#")[0])


def loose_forms(form: str) -> tuple[str, ...]:
    """A matching form as the freest server may read it: one form, or two if it may climb with `..` or may not.

    In the path, separators and escapes of escapes are decoded, controls and blanks dropped, parameters (`;a`) cut,
    empty segments left out. The final slash stays as it was.
    """
    site = _SITE.match(form)
    start = site.end() if site else 0
    path, asks_query, query = _decoded(form[start:]).partition("?")
    segments = [segment.partition(";")[0] for segment in path.split("/")]
    final = "/" if segments[-1] in ("", ".", "..") else ""
    flat = [segment for segment in segments if segment not in ("", ".")]
    climbed = list[str]()
    for segment in flat:
        if segment != "..":
            climbed.append(segment)
        elif climbed:
            climbed.pop()
    paths = dict.fromkeys(f"/{'/'.join(names)}{final if names else ''}" for names in (flat, climbed))
    return tuple(f"{form[:start]}{each}{asks_query}{query}" for each in paths)


def re2_search(expression: str) -> Callable[[str], object]:
    """The search function of an RE2 expression, which returns None for no match. Raises EntryFault."""
    import re2  # late: only lists with patterns need it

    try:
        return cast(Callable[[str], object], re2.compile(expression, _re2_options()).search)
    except re2.error as error:
        detail = error.args[0] if error.args else ""
        detail = detail.decode("utf-8", "replace") if isinstance(detail, bytes) else str(detail)
        raise EntryFault(f"is no RE2 expression: {detail[:100]}") from None


@cache
def _re2_options() -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    return options


def _unescape(escaped: re.Match[str]) -> str:
    character = chr(int(escaped[1], 16))
    return character if character in _UNRESERVED else escaped[0].upper()


def _decoded(target: str) -> str:
    """Path and query, in the path of which nothing is left escaped that a server may take for its structure.

    An escaped `?` ends the path; an escaped `#` and what follows it is left out.
    """
    path, asks_query, query = target.partition("?")
    for _ in range(_DECODINGS):
        path = _STRUCTURAL.sub(_structure, path)
    path, _, _ = path.partition("#")
    path, early, rest = path.partition("?")
    return f"{path}?{rest}{asks_query}{query}" if early else f"{path}{asks_query}{query}"


def _structure(escaped: re.Match[str]) -> str:
    character = chr(int(escaped[1], 16))
    if character <= " " or character == "\x7f":
        return ""
    return "/" if character == "\\" else character


def _expression(text: str) -> Entry:
    if len(text) < 2 or not text.endswith("/"):
        raise EntryFault("begins with `/` as an expression does, and does not end with it")
    expression = text[1:-1]
    if not expression:
        raise EntryFault(_MATCHES_ALL)
    if not expression.isascii():
        raise EntryFault("never matches: a canonical URL is ASCII (`xn--` hosts, percent-encoded paths)")
    search = re2_search(expression)
    try:
        re2_search(f"(?:{expression})|")
    except EntryFault:  # it would swallow the entries that it is combined with
        raise EntryFault(r"has a `\Q` without `\E`") from None
    if all(search(probe) is not None for probe in _PROBES):
        raise EntryFault(_MATCHES_ALL)
    return Entry(expression=expression, loose=expression)


def _pattern(text: str) -> Entry:
    parts = _PATTERN.fullmatch(text)
    if parts is None:
        raise EntryFault("has a fragment, which is never looked at")
    scheme, host = (parts[1] or "*").lower(), parts[2]
    path = "" if parts[3] == "/*" else parts[3]
    if not host:
        raise EntryFault("has no host")
    host_alone = scheme == "*" and not path
    if host_alone and not re.search("[^*.]", host):
        raise EntryFault(_MATCHES_ALL)
    name = _name(host, bare=host == text)
    if name and host_alone:
        meant = host != text or host.startswith("*.")
        return Entry(name, caution="" if meant else _suffix_caution(name))
    authority, caution = (_ANY_AUTHORITY, "") if name else _glob_host(host.lower())
    if path == "/":
        caution = caution or f"covers the home page alone; `{host}` covers the site"
    scheme_part = _ANY_SCHEME if scheme == "*" else re.escape(scheme)
    begin = f"^{scheme_part}://{authority}"
    if not path:
        whole = f"{begin}{_ANY_PATH}$"
        return Entry(name, whole, whole, caution)
    strict, loose = _path_expressions(path)
    return Entry(name, f"{begin}{strict}$", f"(?i:{begin}{loose}$)", caution)


def _name(host: str, bare: bool) -> str:
    """The name that an entry's host covers, with a dot before it for subdomains; empty for a wildcard host.

    `bare`: the entry is the host alone, so that it covers subdomains also without `*.`.
    """
    below = host.startswith("*.")
    text = _bracketed(host[2:] if below else host)
    if "*" in text:
        return ""
    if ":" in text.rpartition("]")[2]:
        raise EntryFault("has a port; an entry covers every port")
    try:
        reading = read(f"http://{text}/")
    except UrlRefused as refusal:
        if _ODD_HOST.fullmatch(text.lower()) and not _HOST_CHARACTERS.fullmatch(text.lower()):
            return ""
        raise EntryFault(f"has a host that is not read: {refusal}") from None
    if not reading.address:
        return f".{reading.host}" if below or bare else reading.host
    if below:
        raise EntryFault("asks for subdomains of an address")
    return reading.host


def _suffix_caution(name: str) -> str:
    """What to say of a bare public suffix; written with `*.` it is meant."""
    suffix = name.removeprefix(".")
    if not is_public_suffix(suffix):
        return ""
    return f"is a public suffix, under which anybody registers; `*.{suffix}` says that this is meant"


def _glob_host(host: str) -> tuple[str, str]:
    """The expression for a host that is no plain name (lower case), port included; a caution or nothing."""
    if host == "*":
        return _ANY_AUTHORITY, ""
    below = host.startswith("*.")
    text = (host[2:] if below else host).removesuffix(".")
    literal = text.replace("*", "")
    if not literal.isascii():
        raise EntryFault("has a wildcard beside letters outside ASCII; write the host in its `xn--` form")
    if not _ODD_HOST.fullmatch(literal):
        raise EntryFault("has a host that is not read: a bad host name")
    caution = "" if _HOST_CHARACTERS.fullmatch(literal) else "never matches: no host has such a name"
    return (rf"(?:{_IN_HOST}\.)?" if below else "") + _glob(text, _IN_HOST) + "(?::[0-9]+)?", caution


def _path_expressions(path: str) -> tuple[str, str]:
    """The expressions for path and query of a pattern: in matching form, and in loose form.

    To the loose one a final slash is no difference, and what covers all that lies in a folder covers the folder.
    """
    try:
        form = matching_form(f"{_ANY_SITE}{path}")
    except UrlRefused as refusal:
        raise EntryFault(f"has a path that is not read: {refusal}") from None
    shown, asks_query, query = form.removeprefix(_ANY_SITE).partition("?")
    query_part = rf"\?{_glob(query, '.*')}" if asks_query else r"(?:\?.*)?"
    free = loose_forms(f"{_ANY_SITE}{shown}")[-1].removeprefix(_ANY_SITE)
    folder = free.removesuffix("/*")
    end = "(?:/[^?]*)?" if folder != free else "/?"
    return (
        _glob(shown, "[^?]*") + query_part,
        _glob(folder.removesuffix("/"), "[^?]*") + end + query_part,
    )


def _glob(text: str, wildcard: str) -> str:
    return wildcard.join(re.escape(piece) for piece in text.split("*"))


def _bracketed(host: str) -> str:
    """The host as a URL shows it: a bare IPv6 address gets its brackets."""
    try:
        return f"[{IPv6Address(host)}]"
    except ValueError:
        return host


def _is_range(text: str) -> bool:
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return True
