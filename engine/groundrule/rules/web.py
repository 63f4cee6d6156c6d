"""The functions of the rule language that read URLs and text (RULES section 9)."""

from __future__ import annotations

from .. import urls
from ..grounding import likeness
from ..grounding import text as grounding_text
from .declare import Undecided, declare
from .types import BOOL, DOUBLE, INT, STRING, Type, list_of

NAMED_LIST = Type("named list")
"""A list of the rule set (`lists/NAME.txt`), asked only by `url_in` and `domain_in`."""


@declare("canonical", STRING, to=STRING, doc="The URL in its one canonical form.",
         examples=("canonical('HTTPS://A.example:443/x') == 'https://a.example/x'",))  # fmt: skip
def canonical(url: str) -> str:
    try:
        return urls.canonical(url)
    except urls.UrlRefused as why:
        raise Undecided(why.reason) from None


@declare("host", STRING, to=STRING, doc="The host of a URL: lower case A-labels, without port and final dot.",
         examples=("host('https://WWW.Example.com.:8443/x') == 'www.example.com'",))  # fmt: skip
def host(url: str) -> str:
    try:
        return urls.host(url)
    except urls.UrlRefused as why:
        raise Undecided(why.reason) from None


@declare("registrable_domain", STRING, to=STRING, doc="The domain of a URL that someone registered.",
         examples=("registrable_domain('https://news.bbc.co.uk/x') == 'bbc.co.uk'",))  # fmt: skip
def registrable_domain(url: str) -> str:
    try:
        return urls.registrable_domain(url)
    except urls.UrlRefused as why:
        raise Undecided(why.reason) from None


@declare("is_public_http", STRING, to=BOOL, doc="Whether it is an http or https URL of a public address or name.",
         examples=("is_public_http('https://a.example.com/')", "!is_public_http('http://127.1/')"))  # fmt: skip
def is_public_http(url: str) -> bool:
    try:
        return urls.is_public_http(url)
    except urls.UrlRefused as why:
        raise Undecided(why.reason) from None


@declare("is_tenant", STRING, to=BOOL, doc="Whether the host is a name that a site gives to its customers, or such a site.",
         examples=("is_tenant('https://a.github.io/x')", "!is_tenant('https://a.github.com/x')"))  # fmt: skip
def is_tenant(url: str) -> bool:
    try:
        return urls.is_tenant(url)
    except urls.UrlRefused as why:
        raise Undecided(why.reason) from None


@declare("domain_in", STRING, NAMED_LIST, to=BOOL, doc="Whether the host is, or lies below, a listed domain.")
@declare("domain_in", STRING, list_of(STRING), to=BOOL, doc="Whether the host is, or lies below, a listed domain.",
         examples=("domain_in('https://a.gov.example/', ['gov.example'])",))  # fmt: skip
def domain_in(url: str, domains: urls.UrlList | tuple[str, ...]) -> bool:
    try:
        return urls.domain_in(url, domains)
    except urls.UrlRefused as why:
        raise Undecided(why.reason) from None


@declare("url_in", STRING, NAMED_LIST, to=BOOL, doc="Whether an entry of the list matches the URL.")
@declare("url_in", STRING, list_of(STRING), to=BOOL, doc="Whether an entry of the list matches the URL.",
         examples=("url_in('https://www.spam.example/x', ['*://*.spam.example/*'])",
                   "!url_in('https://spam.example/badsite', ['spam.example/ads/*'])"))  # fmt: skip
def url_in(url: str, entries: urls.UrlList | tuple[str, ...]) -> bool:
    try:
        return urls.url_in(url, entries)
    except urls.UrlRefused as why:
        raise Undecided(why.reason) from None


@declare("normalise", STRING, to=STRING, doc="The text in NFKC, lower case, with single blanks, without what shows nothing.",
         examples=("normalise('Ｇuang  Zhou') == 'guang zhou'", r"normalise('\u3164\u2800') == ''"))  # fmt: skip
def normalise(text: str) -> str:
    return grounding_text.normalise(text)


@declare("skeleton", STRING, to=STRING, doc="The normalised text, with letters that look like Latin ones as those.",
         examples=(r"skeleton('F\u0435ishu') == 'feishu'",))  # fmt: skip
def skeleton(text: str) -> str:
    return likeness.skeleton(text)


@declare("distinct_texts", list_of(STRING), INT, to=list_of(STRING),
         doc="The texts that copy none before them, at most so many; a copy has four fifths of the shorter's runs of five "
             "letters in the longer, marks, blanks, case and look-alikes aside.",
         examples=("size(distinct_texts(['The bridge opened today.', 'Wire: the bridge opened today'], 2)) == 1",
                   "size(distinct_texts(['The bridge opened today.', 'Cars cross the new bridge'], 2)) == 2"))  # fmt: skip
def distinct_texts(texts: tuple[str, ...], most: int) -> tuple[str, ...]:
    return likeness.distinct_texts(texts, most)


@declare("contains_number", STRING, DOUBLE, to=BOOL, doc="Whether the text states the number, in digits or words.",
         examples=("contains_number('营收 1.2 亿元', 120000000.0)",))  # fmt: skip
def contains_number(text: str, number: float) -> bool:
    return grounding_text.contains_number(text, number)
