"""What the words around a number make of it: a rise or a fall, a profit or a loss, a maximum or a minimum.

The same number with the opposite word is another statement. Each family of words is compared with itself alone, and
silence is no contradiction.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple


class Senses(NamedTuple):
    """The sign of each family, 0 where no word tells.

    direction: a rise or a fall. extreme: a maximum or a minimum. gain: a profit or a loss. reach: changed
    to the number, by it or from it.
    """

    direction: int = 0
    extreme: int = 0
    gain: int = 0
    reach: Literal["", "to", "by", "from"] = ""


_RISE = (
    r"[↑▲⬆📈]|\+ ?$|多了|上涨|上升|上扬|上调|增长|增加|增至|提高|提升|攀升|飙升|走高|走强|大涨|暴涨|猛涨|反弹|回升|扩大|涨|增|(?<![公毫])升(?![级旗])"
    r"|\b(?:rose|ris(?:e|es|en|ing)|up(?! to)|gain(?:ed|s|ing)?|gr[eo]w(?:n|s|ing|th)?|increas(?:e|ed|es|ing)|climb(?:ed|s|ing)?"
    r"|jump(?:ed|s|ing)?|surg(?:e|ed|es|ing)|soar(?:ed|s|ing)?|rall(?:y|ied|ies)|rebound(?:ed|s)?|advanc(?:ed|es)|expand(?:ed|s)?"
    r"|widen(?:ed|s)?|improv(?:ed|es|ing)|accelerat(?:ed|es|ing)|expansion|add(?:ed|s)|rais(?:ed|es)|spik(?:ed|es)|skyrocket(?:ed|s)?|hik(?:e|ed|es)|higher)\b"
)
_FALL = (
    r"[↓▼⬇📉]|负增长|少了|下跌|下降|下滑|下挫|下行|下调|减少|降低|回落|大跌|暴跌|猛跌|走低|走弱|跳水|缩水|萎缩|缩减|收窄|跌|降(?![水雨雪])|减"
    r"|\b(?:fell|fall(?:s|en|ing)?|down|drop(?:ped|s|ping)?|declin(?:e|ed|es|ing)|decreas(?:e|ed|es|ing)|plung(?:e|ed|es|ing)"
    r"|plummet(?:ed|s|ing)?|tumbl(?:e|ed|es|ing)|slump(?:ed|s)?|sl[ai]d(?:es)?|slid(?:ing)|sank|s[iu]nk(?:s)?|shr[aiu]nk(?:s)?|contract(?:ed|ion)|eas(?:ed|es)|reced(?:ed|es)"
    r"|narrow(?:ed|s)|reduc(?:ed|es|tion)|cut(?:s|ting)?|lost|los(?:es|ing)|lower(?:ed|s)?|slip(?:ped|s)?|dipp?(?:ed|s)?|shed(?:s)?"
    r"|retreat(?:ed|s)?|crash(?:ed|es)?|weaken(?:ed|s)?)\b"
)
_WORDS = re.compile(
    rf"(?P<fall>{_FALL})|(?P<rise>{_RISE})"
    r"|(?P<max>最高|最大|最多|\b(?:highs?|highest|maximum|peak(?:ed)?)\b)|(?P<min>最低|最小|最少|\b(?:lows?|lowest|minimum)\b)"
    r"|(?P<profit>扭亏|盈利|盈余|净利|利润|净赚|赚|顺差|净流入|\b(?:profits?|earn(?:ed|s|ings)|surplus)\b)"
    r"|(?P<loss>亏损|净亏|亏|赤字|逆差|净流出|\b(?:loss(?:es)?|deficit)\b)",
    re.IGNORECASE,
)
_SIGNS = {"rise": (0, 1), "fall": (0, -1), "max": (1, 1), "min": (1, -1), "profit": (2, 1), "loss": (2, -1)}
"""Family and sign of each group."""
_AFTER = re.compile(
    r"(?:的|[ -](?:[a-z-]{3,14} )?)(?:(?P<rise>涨幅|增幅|升幅|增长|上涨|上升|提升|increase|rise|gain|growth|jump|surge|hike|more|higher)"
    r"|(?P<fall>跌幅|降幅|下降|下跌|下滑|减少|decrease|decline|drop|fall|plunge|slump|reduction|cut|fewer|less|lower)"
    r"|(?P<profit>盈利|利润|顺差|profit|surplus)|(?P<loss>亏损|赤字|逆差|loss|deficit))(?![a-z])",
    re.IGNORECASE,
)
_TO = re.compile(
    r"(?:(?<!up )\bto|至|到)(?: ?(?:about|around|nearly|almost|over|more than|a record|约|近|逾|超过?|大约))? ?$", re.IGNORECASE
)
_BY = re.compile(r"(?:\bby|了)(?: ?(?:about|around|nearly|almost|over|more than|约|近|逾|超过?|大约))? ?$", re.IGNORECASE)
_BEGUN = re.compile(r"\bfrom\b|[从由自]", re.IGNORECASE)
_START = re.compile(r"(?:\bfrom|[从由自])(?: ?(?:about|around|nearly|almost|over|more than|约|近|逾|超过?|大约))? ?$", re.IGNORECASE)
_NEAR = 3
"""Code points between a word of change and the number that it changed by: rose 5, 涨约5."""


def senses(before: str, after: str) -> Senses:
    """What the words of a clause before a number and those right behind it make of it; the nearest of a family counts."""
    signs, told = [0, 0, 0], 0
    for match in _WORDS.finditer(before):
        family, sign = _SIGNS[match.lastgroup or ""]
        signs[family] = sign
        if family == 0:
            told = match.end()
            if match[0].lower() == "lost":
                signs[2] = -1
    if behind := _AFTER.match(after):
        family, sign = _SIGNS[behind.lastgroup or ""]
        signs[family] = signs[family] or sign
    return Senses(signs[0], signs[1], signs[2], _reach(before, told))


def _reach(before: str, told: int) -> Literal["", "to", "by", "from"]:
    """told: where the last word of a rise or a fall ends, 0 for none."""
    if _START.search(before):
        return "from"
    if _TO.search(before):
        return "to" if told or _BEGUN.search(before) else ""
    return "by" if told and (_BY.search(before) or len(before) - told <= _NEAR) else ""


_FROM = r"(?:\b(?:since|from|after|starting(?: on| in)?|beginning(?: on| in)?|effective)\b|自从?|从|始于)(?: the)?"
_UNTIL = r"(?:\b(?:until|till|before|by|through|as of|up to|end(?:ed|s|ing) (?:on|in))\b|截[至止]|至|到|迄)(?: the)?"
_FROM_BEHIND = r" ?(?:起|开始|以后|之后|以来|后(?!来)|onwards?\b|(?:and|or) (?:later|after)\b)"
_UNTIL_BEHIND = r" ?(?:止|为止|以前|之前|前(?!后)|(?:and|or) (?:earlier|before)\b)"
_SIDES = tuple(
    (sign, re.compile(left + " ?$", re.IGNORECASE), re.compile(left, re.IGNORECASE), re.compile(right, re.IGNORECASE))
    for sign, left, right in ((1, _FROM, _FROM_BEHIND), (-1, _UNTIL, _UNTIL_BEHIND))
)


def side(text: str, start: int, end: int) -> int:
    """1 where a time at [start, end) of a folded text is told as a beginning (since), -1 as an end (until), else 0."""
    before, after, last = text[max(0, start - 14) : start], text[end : end + 10], max(start, end - 4)
    found = [
        sign
        for sign, left, prefix, right in _SIDES
        if left.search(before) or right.match(after) or prefix.match(text, start, end) or right.search(text, last, end)
    ]
    return found[0] if len(found) == 1 else 0


def opposed(one: Senses, other: Senses) -> bool:
    """Whether two numbers are said to be opposites in any family."""
    if one.reach and other.reach and one.reach != other.reach:
        return True
    return one.direction * other.direction < 0 or one.extreme * other.extreme < 0 or one.gain * other.gain < 0
