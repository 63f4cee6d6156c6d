"""The sites that a user asks to look at."""

from __future__ import annotations

import re

from groundrule.urls import UrlRefused, host

MOST = 5
_BY_NAME = {
    "维基百科": "wikipedia.org", "wikipedia": "wikipedia.org", "百度百科": "baike.baidu.com", "知乎": "zhihu.com",
    "微博": "weibo.com", "新华网": "xinhuanet.com", "人民网": "people.com.cn", "央视网": "cctv.com", "路透社": "reuters.com",
    "reuters": "reuters.com", "bbc": "bbc.com", "github": "github.com", "arxiv": "arxiv.org", "纽约时报": "nytimes.com",
    "new york times": "nytimes.com", "bloomberg": "bloomberg.com", "彭博社": "bloomberg.com",
    "中国天气网": "weather.com.cn", "中国政府网": "gov.cn",
}  # fmt: skip
_ENDINGS = frozenset(
    {"com", "org", "net", "gov", "edu", "mil", "int", "info", "io", "co", "cn", "hk", "tw", "jp", "kr", "sg", "uk", "de",
     "fr", "eu", "us", "ca", "au", "nz", "in", "ru", "ch", "it", "es", "nl", "se", "no", "br", "news", "tv", "me", "ai",
     "app", "dev", "example"}
)  # fmt: skip
"""Endings that a site has in a question; `main.py` and `node.js` are none."""
_HOST = r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,5}[a-z]{2,24}"
_ZH_BEFORE, _ZH_BEHIND = r"(?:在|从|去|上|到|根据|按照?|据|只看|只用)\s?", r"\s?(?:上面?|网站|官网|里面?|的?报道)"
_EN_BEFORE = r"\b(?:on|from|at|via|using|according to|per)\s(?:the\s)?"
_WRITTEN = re.compile(
    rf"\bsite:\s?(?P<a>{_HOST})|https?://(?P<b>{_HOST})(?![a-z0-9.@:-]*@)(?:/[^\s，。]*)?|\b(?P<c>www\.{_HOST})"
    rf"|{_ZH_BEFORE}(?P<d>{_HOST})(?:{_ZH_BEHIND})?|(?P<e>{_HOST}){_ZH_BEHIND}|{_EN_BEFORE}(?P<f>{_HOST})",
    re.IGNORECASE | re.ASCII,
)
_NAMES = "|".join(map(re.escape, _BY_NAME))
_NAMED = re.compile(
    rf"{_ZH_BEFORE}(?P<a>{_NAMES})(?:{_ZH_BEHIND})?|(?P<b>{_NAMES}){_ZH_BEHIND}|{_EN_BEFORE}(?P<c>{_NAMES})\b",
    re.IGNORECASE | re.ASCII,
)


def named_sites(plain: str) -> tuple[tuple[str, ...], str]:
    """The sites that the user asks to look at (hosts, or known names of sites), in order, at most 5; and the text
    with blanks in place of those requests."""
    found: list[tuple[int, int, str]] = []
    for match in _WRITTEN.finditer(plain):
        written = next(group for group in match.groups() if group).lower()
        if written.rsplit(".", 1)[1] not in _ENDINGS:
            continue
        try:
            host(f"https://{written}/")
        except UrlRefused:
            continue
        found.append((match.start(), match.end(), written.removeprefix("www.")))
    for match in _NAMED.finditer(plain):
        site = _BY_NAME[next(group for group in match.groups() if group).lower()]
        found.append((match.start(), match.end(), site))
    letters = list(plain)
    for start, end, _ in found:
        letters[start:end] = " " * (end - start)
    return tuple(dict.fromkeys(site for _, _, site in sorted(found)))[:MOST], "".join(letters)
