"""How a URL is read: as the WHATWG standard does, and refused where another parser could read it differently.

The authority is cut out of the raw text by the plain rule of RFC 3986, its host brought to A-label form under
strict IDNA 2008, and the result compared with what `ada_url` (WHATWG) makes of the whole. Both must agree;
the only rewriting taken over from WHATWG is that of numeric hosts (`127.1`) into addresses.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from ipaddress import IPv4Address, IPv6Address
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from .addresses import address_is_public

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

MAX_LENGTH = 8_192
"""Code points of a URL, before and after reading. RFC 9110 (4.1) asks for 8,000; the memos need a bound."""
MAX_HOST, MAX_LABEL = 253, 63
"""Octets of a host name and of one of its labels (RFC 1035)."""
MEMO = 2048
"""Entries of each memo: twice the items that one set of facts may hold."""

Reason = Literal[
    "too long",
    "a backslash",
    "a blank or control character",
    "no scheme",
    "no host",
    "user information",
    "a percent-encoded host",
    "a bad port",
    "a bad address",
    "a bad host name",
    "a host that changes when it is normalised",
    "parsers disagree",
    "no registrable domain",
    "a path that servers read differently",
    "a faulty list",
]

# Blanks are those of Unicode, since a renderer may break a line at any of them. Text that cannot be encoded
# (lone surrogates) counts as a control character.
_UNREADABLE = re.compile(
    r"[\x00-\x20\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ud800-\udfff]"
)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_AUTHORITY = re.compile(r"//([^/?#]*)")
_HOST_AND_PORT = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::([0-9]*))?")
# The underscore is no letter of a host name, yet names with one resolve and are in use.
_LABEL = re.compile(r"[a-z0-9_-]+")
# WHATWG reads a host as an IPv4 address when its last label is one of these.
_NUMERIC = re.compile(r"(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)$")


class UrlRefused(ValueError):
    """A URL that is not read: it is malformed, or parsers differ on it. In a rule: undecided."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


class Reading(NamedTuple):
    """What a URL says. `address` tells whether `host` is an IP address."""

    canonical: str
    scheme: str
    host: str
    address: bool


@lru_cache(maxsize=MEMO)
def canonical(url: str) -> str:
    """The URL in its one form: serialised as WHATWG does, host without final dot.

    Reading it again changes nothing. What was percent-encoded stays so. Any scheme with a host is read
    (`ftp://a.example/` too); `javascript:`, `mailto:` and `data:` have none. Raises UrlRefused.
    """
    return read(url).canonical


@lru_cache(maxsize=MEMO)
def host(url: str) -> str:
    """The host, lower case, in A-label form, without port and final dot; addresses in their usual form.

    `http://127.1/` gives `127.0.0.1`, `http://[0::1]/` gives `::1` (no brackets). Raises UrlRefused.
    """
    return read(url).host


@lru_cache(maxsize=MEMO)
def registrable_domain(url: str) -> str:
    """The part of the host that somebody registered: one label more than its public suffix.

    Source: the Public Suffix List with its private part, so `a.github.io` is a domain of its own. Raises
    UrlRefused also for an address and for a host that is a public suffix itself (`localhost`, `github.io`).
    """
    reading = read(url)
    domain = None if reading.address else _suffixes().privatesuffix(reading.host)
    if domain is None:
        raise UrlRefused("no registrable domain")
    return domain


@lru_cache(maxsize=MEMO)
def is_tenant(url: str) -> bool:
    """Whether the host is a name that the owner of a site gives to its customers, as `a.github.io` is.

    Source: the private part of the Public Suffix List. The suffix itself counts too, since customers stand below its
    paths (`s3.amazonaws.com/a/`). False for an address. Raises UrlRefused.
    """
    reading = read(url)
    return not reading.address and _suffixes().publicsuffix(reading.host) != _registries().publicsuffix(reading.host)


@lru_cache(maxsize=MEMO)
def is_public_http(url: str) -> bool:
    """Whether the URL is http or https and leads to a public address or a public name.

    A public name has two labels at least and ends in a top-level domain that the Public Suffix List knows,
    `arpa` and `onion` excepted; that leaves out `localhost`, `.local`, `.internal`, `.corp`, `.lan`,
    `.home.arpa`, `.test` and every suffix that a company made up. `.example` counts as public: documentation
    and samples use it for names that are. Where a public name leads to is known only at connect time
    (`address_is_public`). Raises UrlRefused.
    """
    reading = read(url)
    if reading.scheme not in ("http", "https"):
        return False
    if reading.address:
        return address_is_public(reading.host)
    rest, _, top = reading.host.rpartition(".")
    return rest != "" and top not in ("arpa", "onion") and (top == "example" or is_public_suffix(top))


def is_public_suffix(name: str) -> bool:
    """Whether a canonical host name is an entry of the Public Suffix List, its private part included."""
    return _suffixes().publicsuffix(name, accept_unknown=False) == name


@lru_cache(maxsize=MEMO)
def read(url: str) -> Reading:
    """Read a URL. Raises UrlRefused."""
    if len(url) > MAX_LENGTH:
        raise UrlRefused("too long")
    if "\\" in url:
        raise UrlRefused("a backslash")
    if _UNREADABLE.search(url):
        raise UrlRefused("a blank or control character")
    scheme = _SCHEME.match(url)
    if scheme is None:
        raise UrlRefused("no scheme")
    authority = _AUTHORITY.match(url, scheme.end())
    if authority is None:
        raise UrlRefused("no host")
    ours = _raw_host(authority[1])
    href = _standard(url)
    if len(href) > MAX_LENGTH:
        raise UrlRefused("too long")
    return _agreed(scheme[1].lower(), ours, href)


def _raw_host(authority: str) -> str:
    """The host of a raw authority: a name in A-label form without final dot, or a bracketed address."""
    if "@" in authority:
        raise UrlRefused("user information")
    if "%" in authority:
        raise UrlRefused("a percent-encoded host")
    parts = _HOST_AND_PORT.fullmatch(authority)
    if parts is None:
        raise UrlRefused("a bad port" if authority.count(":") == 1 else "a bad host name")
    text, port = parts[1], parts[2]
    if not text:
        raise UrlRefused("no host")
    if port and not _port_exists(port):
        raise UrlRefused("a bad port")
    return text if text.startswith("[") else _name(text)


def _port_exists(digits: str) -> bool:
    significant = digits.lstrip("0")
    return 0 < len(significant) <= 5 and int(significant) <= 65_535


def _name(text: str) -> str:
    """A host name in lower-case A-label form without final dot, if nothing but that had to be changed."""
    if not text.isascii() and not unicodedata.is_normalized("NFKC", text):
        raise UrlRefused("a host that changes when it is normalised")
    # Letter by letter: lower-casing a whole word would make a final sigma, which is another name.
    lower = text.lower() if text.isascii() else "".join(letter.lower() for letter in text)
    name = ".".join(_a_label(label) for label in lower.removesuffix(".").split("."))
    if len(name) > MAX_HOST:
        raise UrlRefused("a bad host name")
    return name


def _a_label(label: str) -> str:
    if label.isascii() and not label.startswith("xn--"):
        if len(label) > MAX_LABEL or not _LABEL.fullmatch(label):
            raise UrlRefused("a bad host name")
        return label
    import idna  # only hosts that need it pay for it

    try:
        # Strict IDNA 2008 knows no mapping, so an ideographic stop, an invisible letter or an A-label that
        # decodes to something else fails here.
        return idna.alabel(idna.ulabel(label)).decode("ascii")
    except UnicodeError:
        raise UrlRefused("a bad host name") from None


def _agreed(scheme: str, ours: str, href: str) -> Reading:
    """The reading on which our host and the WHATWG serialisation agree."""
    authority = _AUTHORITY.match(href, len(scheme) + 1)
    parts = _HOST_AND_PORT.fullmatch(authority[1]) if authority else None
    if authority is None or parts is None or not href.startswith(scheme):
        raise UrlRefused("parsers disagree")
    theirs = parts[1].lower()
    if ours.startswith("["):
        shown, address = theirs, True
        _same_address(ours, theirs)
    elif _NUMERIC.search(ours):
        # `127.1` becomes `127.0.0.1` here; schemes that WHATWG does not know keep the text, which then fails.
        shown, address = str(_address_4(theirs)), True
    elif theirs.removesuffix(".") == ours:
        shown, address = ours, False
    else:
        raise UrlRefused("parsers disagree")
    port = f":{parts[2]}" if parts[2] else ""
    return Reading(f"{scheme}://{shown}{port}{href[authority.end() :]}", scheme, shown.strip("[]"), address)


def _same_address(ours: str, theirs: str) -> None:
    try:
        same = IPv6Address(ours[1:-1]) == IPv6Address(theirs[1:-1])
    except ValueError:
        raise UrlRefused("a bad address") from None
    if not same:
        raise UrlRefused("parsers disagree")


def _address_4(text: str) -> IPv4Address:
    try:
        return IPv4Address(text)
    except ValueError:
        raise UrlRefused("a bad address") from None


def _standard(url: str) -> str:
    try:
        return _whatwg()(url)
    except ValueError:
        raise UrlRefused("parsers disagree") from None


@cache
def _whatwg() -> Callable[[str], str]:
    import ada_url  # late: loading the native library would slow `import groundrule`

    return cast(Callable[[str], str], ada_url.normalize_url)


@cache
def _suffixes() -> PublicSuffixList:
    import publicsuffixlist  # late: it reads a list of 10,000 lines

    return publicsuffixlist.PublicSuffixList()


@cache
def _registries() -> PublicSuffixList:
    """The suffixes of registries alone, without the private part."""
    import publicsuffixlist

    return publicsuffixlist.PublicSuffixList(only_icann=True)
