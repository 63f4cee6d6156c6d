"""Pages that stand in front of the page: tests whether the visitor is human, walls, notices that access is denied."""

from __future__ import annotations

import re
from collections.abc import Callable

from lxml.html import HtmlElement

_SHORT, _VERY_SHORT = 1_500, 500
"""Code points of visible text. Such pages have little of it; an article about them has more."""
_SAID = re.compile(
    r"just a moment|attention required|checking (?:if|your) (?:the site|browser)|verify(?:ing)? (?:that )?you are (?:a )?human"
    r"|are you (?:a )?(?:human|robot)|robot check|access (?:to this page )?(?:has been )?denied|unusual traffic|bot detection"
    r"|complete the (?:security check|captcha|following challenge)|enable javascript and cookies|bots use duckduckgo"
    r"|安全验证|人机验证|滑动验证|访问验证|验证码|访问过于频繁|访问被拒绝|请求异常|異常流量|安全驗證|人機驗證|驗證碼",
    re.IGNORECASE,
)
_LOADED = re.compile(
    r"captcha|challenges\.cloudflare\.com|/cdn-cgi/challenge|turnstile|datadome|perimeterx|px-cloud|geetest|anomaly\.js",
    re.IGNORECASE,
)


def challenge(root: HtmlElement) -> Callable[[str, str], str | None]:
    """Looks at a whole document; what it gives back then says, by title and visible text, why it is no page.

    Two steps, since what such a page loads has to be seen before scripts and forms are taken out.
    """
    addresses = (element.get("src") or element.get("action") or "" for element in root.iter("script", "iframe", "form"))
    loads = any(_LOADED.search(address) for address in addresses)

    def reason(title: str, text: str) -> str | None:
        said = _SAID.search(title) or (_SAID.search(text) if len(text) <= _VERY_SHORT else None)
        if said is not None and len(text) <= _SHORT:
            return f"the site asks for a proof instead of showing the page ({said[0][:40]})"
        if loads and len(text) <= _VERY_SHORT:
            return "the site asks for a proof instead of showing the page"
        return None

    return reason
