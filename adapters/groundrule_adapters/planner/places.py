"""The places that a question names: known ones by table, unknown ones only where the grammar asks for a place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from .gazetteer import DOUBTFUL, names
from .script import HAN


@dataclass(frozen=True)
class Place:
    """A place at [start, end). name: as written in the question. key: the same for all names of one place."""

    start: int
    end: int
    name: str
    key: str


_LONGER = """
阿里巴巴 阿里云 宁德时代 中山大学 北京时间 东京时间 伦敦时间 纽约时间 美国队长 中国移动 中国电信 中国联通
中国石油 中国石化 中国平安 中国银行 中国人寿 上海电力 上海电气 贵州茅台 青岛啤酒 云南白药 四川长虹 江苏银行
南京银行 宁波银行 北京银行 上海银行 杭州银行 招商银行 纽约时报 华盛顿邮报 巴黎欧莱雅 牛津词典 剑桥大学 牛津大学
纽约证券交易所 伦敦证券交易所 深圳证券交易所 上海证券交易所 中国队 海南航空 南方航空 广州恒大
上海交通大学 上海海港 北京大学 武汉大学 南京大学 浙江大学 四川大学
"""
"""Longer names that begin with a place and are none."""
_SUFFIX = r"(?:特别行政区|自治区|自治州|自治县|地区|新区|[市省区县镇州盟])?"
_WEATHER_NEXT = re.compile(
    r"\s?(?:的|今|明|后|昨|未来|本周|下周|周末|这|最近|现在|目前|当前|\d|[一二三四五六七八九十]|会不会"
    r"|是否|有没有|冷|热|下[雨雪]|天气|气温|空气)"
)


@cache
def _pattern() -> tuple[re.Pattern[str], re.Pattern[str]]:
    known = names()
    zh = sorted((name for name in known if name[0] >= "\u3400"), key=len, reverse=True)
    en = sorted((name for name in known if name[0] < "\u3400"), key=len, reverse=True)
    longer = "|".join(sorted(_LONGER.split(), key=len, reverse=True))
    return (
        re.compile(rf"(?P<longer>{longer})|(?P<name>{'|'.join(zh)}){_SUFFIX}"),
        re.compile(
            rf"(?<![A-Za-z0-9.'-])(?:{'|'.join(map(re.escape, en))})(?![A-Za-z0-9-]|'[a-rt-z])",
            re.IGNORECASE | re.ASCII,
        ),
    )


def known_places(text: str, *, weather: bool) -> tuple[Place, ...]:
    """The known places of a plain text, in order. weather: the text asks about the weather, so doubtful names count."""
    zh, en = _pattern()
    found: list[Place] = []
    for match in zh.finditer(text):
        name = match.group("name")
        if name is None:
            continue
        suffixed = match.end() > match.end("name")
        sure = name not in DOUBTFUL or suffixed or (weather and _WEATHER_NEXT.match(text, match.end()) is not None)
        if sure:
            end = match.end() if not suffixed or text[match.end() - 1] not in "州" else match.end("name")
            found.append(Place(match.start(), end, text[match.start() : end], names()[name][0]))
    for match in en.finditer(text):
        low = match.group().lower()
        written = match.group()
        if low in DOUBTFUL and not weather and not _after_in(text, match.start()):
            continue
        if written.islower() and low in _ENGLISH_WORDS:
            continue
        if low in ("us", "uk", "uae", "usa") and not written.isupper():
            continue
        found.append(Place(match.start(), match.end(), written, names()[low][0]))
    return tuple(sorted(found, key=lambda place: place.start))


_ENGLISH_WORDS = frozenset({"china", "turkey", "nice", "jordan", "bath", "reading", "orange", "america's"})


def _after_in(text: str, start: int) -> bool:
    return (
        re.search(r"\b(?:in|to|from|at|near|around|of)\s$", text[max(0, start - 8) : start], re.IGNORECASE | re.ASCII)
        is not None
    )


_EN_BEFORE = re.compile(
    r"(?:\bthe\s)?\b([A-Z][A-Za-z'-]+(?:\s[A-Z][A-Za-z'-]+){0,2})(?:'s)?\s(?:weather|forecast|temperature"
    r"|air quality)\b"
)
_EN_AFTER = re.compile(
    r"\b(?:in|for|at|near|around|of)\s(?:the\s)?((?:[^\s,.?!;:\"0-9]+\s?){1,4})", re.IGNORECASE | re.ASCII
)
_NO_PLACE_WORDS = """
the a an my our your this that next last today tomorrow tonight now here there week weekend month day days year
morning afternoon evening night current local weather what how is will it me us current
"""
_NO_PLACE = frozenset(_NO_PLACE_WORDS.split())
_ZH_PLACE = re.compile(rf"([{HAN}]{{2,6}}?)(?:的|那边|那里|当地|附近|这边|地区|市|县|镇|区)*$")
_ZH_NO_PLACE_WORDS = """
这里 那里 本地 当地 我们 我们这 我这 我这里 你们 外面 户外 现在 目前 最近 什么 怎么 怎样 如何 大家 天气 今天 明天 看看 一下 帮我 查询
请问 出行 出门 旅游 旅行 情况 预报 极端 恶劣 高温 寒潮 台风 全国 全球 世界 各地 哪里 哪个 城市 附近 家里 学校 公司 适合 会不会 有没有
是不是 影响 导致 为什么 关于 预警 实时 详细 具体 整体 总体
"""
ZH_NO_PLACE = frozenset(_ZH_NO_PLACE_WORDS.split())


def asked_place(text: str, rest: str) -> str | None:
    """The place of a question about the weather that no table knows.

    text: the plain question with its times blanked. rest: for Chinese, what stands before the weather word once small
    words are gone.
    """
    before = _EN_BEFORE.search(text)
    named = [before.group(1)] if before is not None else []
    for name in (*named, *_EN_AFTER.findall(text)):
        words: list[str] = []
        for word in name.split():
            if word.lower() in _NO_PLACE:
                break
            words.append(word)
        if words and words[0].isascii() and len(" ".join(words)) > 1:
            return " ".join(words)
    found = _ZH_PLACE.search(rest)
    if found is not None and found.group(1) not in ZH_NO_PLACE:
        return found.group(1)
    return None
