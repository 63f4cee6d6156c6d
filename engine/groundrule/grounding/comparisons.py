"""Superlatives and comparisons in words: the largest, 首个, the only, higher than, 不如.

Each says something of a thing (the largest *bank*) and, where the clause names it, of a subject (*Hawks* are the largest
…). `first half`, 最高气温25℃ and `more than 30 people` are none: these belong to the number or time that they stand with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_SUPERLATIVES: tuple[tuple[str, str, str], ...] = (
    ("highest", "最高|新高", "highest|tallest|record high|all-time high"),
    ("lowest", "最低|新低|最矮", "lowest|record low|all-time low"),
    ("largest", "最大|头号", "largest|biggest|greatest"),
    ("smallest", "最小", "smallest"),
    ("most", "最多", "most numerous"),
    ("fewest", "最少", "fewest"),
    ("fastest", "最快", "fastest|quickest"),
    ("slowest", "最慢", "slowest"),
    ("longest", "最长", "longest"),
    ("shortest", "最短", "shortest"),
    ("best", "最好|最佳|最优", "best-selling|best"),
    ("strongest", "最强", "strongest"),
    ("worst", "最差|最坏|最糟", "worst"),
    ("weakest", "最弱", "weakest"),
    ("dearest", "最贵", "most expensive|costliest|priciest"),
    ("cheapest", "最便宜|最廉价", "cheapest|least expensive"),
    ("hottest", "最热|最暖", "hottest|warmest"),
    ("coldest", "最冷", "coldest"),
    ("oldest", "最老|最古老|最年长", "oldest"),
    ("earliest", "最早", "earliest"),
    ("youngest", "最年轻", "youngest"),
    ("richest", "最富", "richest|wealthiest"),
    ("first", "首次|首个|首位|首家|首款|首例|首座|首批|首部|首创|第一个|第一位|第一家|第一款|第一次",
     r"first ever|first-ever|for the first time|(?:the|its|his|her|their|[a-z]+'s) first(?! (?:half|quarter|place|time|day|week|month|year|round"
     r"|hour|name|[a-z]+ (?:half|quarter)|[0-9]|two|three|four|five|six)\b)"),
    ("only", "唯一|独家|仅有的", r"the only|the sole"),
    ("record", "创纪录|破纪录|有史以来|史上", "record-breaking|record-setting|in history|of all time"),
)  # fmt: skip
"""What a superlative says, its Chinese and its English words."""
_UP = "higher|more|greater|larger|bigger|above|faster|longer|older|heavier|taller"
_DOWN = "lower|less|fewer|smaller|below|slower|shorter|younger|lighter"
_HAN_UP, _HAN_DOWN = "高于|多于|大于|快于|长于|重于|优于|强于|好于|早于|超过了", "低于|少于|小于|慢于|短于|轻于|不如|弱于|逊于|晚于|落后于"
_SAME_WORDS = {
    word: key
    for key, chinese, english in _SUPERLATIVES
    for word in (*chinese.split("|"), *english.split("|"))
    if key not in ("first", "only")
}
_FIRST = "|".join(f"(?:{chinese})|\\b(?:{english})\\b" for key, chinese, english in _SUPERLATIVES if key == "first")
_ONLY = "|".join(f"(?:{chinese})|\\b(?:{english})\\b" for key, chinese, english in _SUPERLATIVES if key == "only")
_LATIN = "|".join(sorted((word for word in _SAME_WORDS if word.isascii()), key=len, reverse=True))
_HAN = "|".join(sorted((word for word in _SAME_WORDS if not word.isascii()), key=len, reverse=True))
_NUMBER = r"[0-9$€£¥]|[一二三四五六七八九十百千万亿两半数几]|(?:an?|half|one|two|three|four|five|six|seven|eight|nine|ten|\w+teen|\w+ty|several|dozens|hundreds"
_NUMBER += r"|thousands|millions|billions|twice|once|usual|ever|expected)\b|(?:doubl|tripl|trebl|quadrupl|halv|enough)"
_ANY = re.compile(
    r"(?=[最新头首第独唯仅创破有史高多大快长重优强好早超低少小慢短轻不弱逊晚落]|\b[a-z])"
    rf"(?:(?P<first>{_FIRST})|(?P<only>{_ONLY})|(?<![A-Za-z-])(?P<word>{_LATIN})(?![A-Za-z-])|(?P<han>{_HAN})"
    r"|\bthe most (?P<quality>[a-z]{4,20})\b"
    rf"|\b(?:(?P<up>{_UP})|(?P<down>{_DOWN})|more (?P<degree>[a-z]{{4,20}})|(?!other|rather)(?P<other>[a-z]{{2,12}}er)) than\b"
    rf"|(?:(?P<han_up>{_HAN_UP})|(?P<han_down>{_HAN_DOWN})))",
    re.IGNORECASE,
)
# 最高气温25℃, the highest of 25: the number is compared together with its word.
_BEFORE_NUMBER = re.compile(rf" ?(?:{_NUMBER})", re.IGNORECASE)
_BEHIND_NUMBER = re.compile("[0-9][^，。,;；]{0,10}$")
_WITH_NUMBER = re.compile(r"[^，,。;；.!?！？0-9]{0,12}?[0-9]")
_LATIN_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
_HAN_RUN = re.compile("[\u3400-\u9fff]+")
_STOP = frozenset("the a an of in on at to for and or is was are were be been it its his her their that this which who by with from as ever".split())
_CUT = re.compile(r"[，,。;；:：.!?！？\n（）()“”\"]")
_IS = re.compile("([\u3400-\u9fffA-Za-z0-9·]{2,12}?)(?:是|为|成为|成了|作为|系|乃|仍是|已是|也是)[^，。；是为]{0,14}$")
_THING, _BEFORE = 28, 60


@dataclass(frozen=True, slots=True)
class Comparison:
    """A word that compares. `key`: what it says, the same for its synonyms in both languages.

    sign: of a comparison of two, whether the one before is the larger (1) or the smaller (-1). thing, subject: words, or
    pairs of Chinese characters, of what it is said about.
    """

    start: int
    end: int
    key: str
    sign: int
    thing: frozenset[str]
    subject: frozenset[str]


def read_comparisons(text: str) -> tuple[Comparison, ...]:
    """The comparing words of a folded text in order. Never raises."""
    return tuple(_comparison(text, match) for match in _ANY.finditer(text) if not _of_number(text, match))


def agrees(claim: Comparison, other: Comparison) -> bool:
    """Whether a source compares the same thing in the same way, and no other subject is named for it."""
    return (
        claim.key == other.key
        and (not claim.thing or _shared(claim.thing, other.thing, absent=False))
        and _one_subject(claim.subject, other.subject)
    )


def _of_number(text: str, match: re.Match[str]) -> bool:
    if match[0].lower().endswith(" than") or match["han_up"] or match["han_down"]:
        before = text[max(0, match.start() - 16) : match.start()]
        return _BEFORE_NUMBER.match(text, match.end()) is not None and _BEHIND_NUMBER.search(before) is None
    key = _SAME_WORDS.get(match[0].lower(), "")
    return key in ("highest", "lowest", "most", "fewest") and _WITH_NUMBER.match(text, match.end()) is not None


def _comparison(text: str, match: re.Match[str]) -> Comparison:
    start, end = match.span()
    sign = 1 if match["up"] or match["han_up"] else -1 if match["down"] or match["han_down"] else 0
    said = match["quality"] or match["degree"] or match["other"] or ""
    key = match.lastgroup if match["first"] or match["only"] else "more" if sign == 1 else "less" if sign == -1 else ""
    if match["word"] or match["han"]:
        key = _SAME_WORDS[match[0].lower()]
    return Comparison(start, end, key or said.lower(), sign, _thing(text, end), _subject(text, start))


def _thing(text: str, end: int) -> frozenset[str]:
    """What follows in the clause: words of English, pairs of characters of Chinese."""
    behind = _CUT.split(text[end : end + _THING], 1)[0]
    run = _HAN_RUN.match(behind)
    if run:
        return _pairs(run[0].removeprefix("的")[:8])
    words = [word.lower() for word in _LATIN_WORD.findall(behind[:-1] if len(behind) == _THING else behind)]
    return frozenset(_stem(word) for word in words[:4] if word not in _STOP)


def _subject(text: str, start: int) -> frozenset[str]:
    """The names before the word in its clause: capitalised words, or what stands before 是."""
    clause = _CUT.split(text[max(0, start - _BEFORE) : start])[-1]
    told = _IS.search(clause)
    if told:
        return frozenset() if told[1][0] in "这该其它此他她那" else frozenset({told[1].lower()})
    if clause.isascii():
        return frozenset(word.lower() for word in _LATIN_WORD.findall(clause) if word[0].isupper() and word.lower() not in _STOP)
    return frozenset()


def _pairs(run: str) -> frozenset[str]:
    return frozenset(run[i : i + 2] for i in range(len(run) - 1)) or frozenset(filter(None, [run]))


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _shared(one: frozenset[str], other: frozenset[str], *, absent: bool) -> bool:
    """Whether both have a word in common; words of two scripts cannot be compared. `absent`: what counts where one has none."""
    if not (one and other):
        return absent
    if _latin(one) != _latin(other):
        return True
    return not one.isdisjoint(other)


def _one_subject(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether no two subjects are named; Chinese names differ in how they begin (甲银行, 乙银行)."""
    if not (one and other) or _latin(one) != _latin(other):
        return True
    if _latin(one):
        return not one.isdisjoint(other)
    return any(a[:2] == b[:2] or a in b or b in a for a in one for b in other)


def _latin(words: frozenset[str]) -> bool:
    return all(word.isascii() for word in words)
