"""Numerals in words that name no one number: hundreds, 数百, 三四十, half, 一半, doubled, 翻番.

Each stands for what lies between two bounds. `numbers` reads the numerals that are exact; where both read the same
place, what begins earlier counts, and of two that begin together the longer one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from .numbers import Hedge, Number
from .units import read_unit

Sort = Literal["count", "share", "multiple"]


@dataclass(frozen=True, slots=True)
class Worded:
    """A numeral in words. `start` and `end` count code points; a unit behind it is included.

    sort: of a count, low and high bound the number (both included); of a share (half) the percentage; of a multiple
    (doubled, halved) the factor. key: the same for words that say the same, hedge apart. thing: the next word. exact: the
    percentage or factor itself.
    """

    start: int
    end: int
    sort: Sort
    key: str
    low: Fraction
    high: Fraction
    unit: str = ""
    hedge: Hedge = ""
    thing: str = ""
    exact: Fraction | None = None


_SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "dozen": 12}
_HAN_SCALES = {"十": 10, "百": 100, "千": 10**3, "万": 10**4, "亿": 10**8}
_HAN_DIGITS = {char: i for i, char in enumerate("零一二三四五六七八九")} | {"两": 2}
_FACTORS = {
    "doubl": 2, "twice": 2, "two": 2, "tripl": 3, "trebl": 3, "thrice": 3, "three": 3, "quadrupl": 4, "four": 4,
    "quintupl": 5, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}  # fmt: skip
_SHARES = {"half": Fraction(50), "quarter": Fraction(25)}
_PLURAL = r"(?:hundreds|thousands|millions|billions|trillions)"
_FIGURES = "[一二两三四五六七八九]"
_HAN_UNIT = r"[十百千万亿]{1,3}"
_NO_PART = r"(?!分[ ]?[之点位]|[克米瓦卡帕伏焦赫])"  # 百分之, 千克
_ARTICLES = r"(?: of)?(?: (?:the|its|his|her|their|our|all|that|this|these|those)\b)*"
_HALF_BEHIND = "(?:" + "|".join(f"(?<={word} )" for word in "by in about around nearly almost over than only".split()) + ")"
_NO_HALF = "".join(f"(?<!{word} )" for word in "first second latter other better back top bottom early late".split())
_WORDED = re.compile(
    rf"(?<![A-Za-z0-9-])(?:(?P<plural>(?:(?:tens|dozens) of )?{_PLURAL}(?: of {_PLURAL})?|dozens|(?:tens|scores)(?= of ))"
    r"|(?P<few>several|a few|few|many|a couple(?: of)?) (?P<scale>dozen|hundred|thousand|million|billion|trillion)"
    rf"|(?P<half>{_HALF_BEHIND}half(?![ -](?:a|an)\b)|{_NO_HALF}half(?= (?:of|the|its|his|her|their|our|all|that|those|these)\b))"
    r"|(?:a|one) (?P<quarter>quarter)(?= of (?!a\b))"
    r"|(?P<factor>doubl|tripl|trebl|quadrupl|quintupl)(?:ed|es|ing|e(?= (?:the|its|his|her|their|what|from)\b))"
    r"|(?P<twice>twice|thrice)|(?P<fold>two|three|four|five|six|seven|eight|nine|ten)-?fold|(?P<halved>halv(?:ed|ing)))"
    r"(?![A-Za-z0-9-])"
    r"|(?P<thousands>成千上万|成百上千|成千累万)"
    rf"|(?<![多少])(?P<some>[数几]){_NO_PART}(?P<some_scale>{_HAN_UNIT}){_NO_PART}"
    rf"|(?P<teens>{_FIGURES}?十)几(?P<teens_scale>[万亿]?)"
    rf"|(?P<two>{_FIGURES}{{2}})(?P<two_scale>{_HAN_UNIT}){_NO_PART}(?!{_FIGURES})"
    rf"|(?<![以海网线晚早路街身])(?P<up>上)(?P<up_scale>[百千万亿]{{1,2}})(?!度|{_FIGURES}){_NO_PART}"
    rf"|(?P<near>近|约|逾|超|超过|过)(?P<near_scale>[百千万亿]{{1,2}})(?!{_FIGURES}){_NO_PART}"
    rf"|(?<![十一二两三四五六七八九百千万亿数几0-9])(?P<odd>[百千万亿]{{1,2}})[余多](?=[^么少])"
    r"|(?P<han_half>(?<!另)(?:半数|一半(?!天))|(?<=[过近逾超占])半(?![年月天日个小径场决程路身空夜壁]))"
    r"|(?P<again>翻(?:了)?(?P<times>[一两二三四])?[倍番]|(?<=[长加高涨大多升])(?:了)?一倍|加倍)|(?P<han_halved>腰斩|减半|折半|对半砍)",
    re.IGNORECASE,
)  # fmt: skip
_RARE = re.compile(rf"(?:(?<!五)卅|廿(?!八都)|卌){_FIGURES}?|(?P<pair>[俩仨])(?![百千万亿])")
_HEDGE = re.compile(
    r"(?:(?P<about>约|大约|大概|左右|about|around|approximately|roughly|some)"
    r"|(?P<over>超过|超|逾|过|高于|至少|不少于|不止|over|more than|at least|above)"
    r"|(?P<under>近|将近|接近|不到|不足|未|低于|至多|几乎|nearly|almost|close to|less than|under|below|fewer than))"
    r"(?:了|达)? ?$",
    re.IGNORECASE,
)
_THING = re.compile(rf"{_ARTICLES}[ 的以上]{{0,2}}(?:([\u3400-\u9fff]{{1,2}})|([A-Za-z]+))", re.IGNORECASE)
_NO_THING = frozenset("them us it which whom and or in at by to from for was were is are as with on after during since 其中 以上 左右 ".split())
_NEXT_SHARE = {Fraction(25): Fraction(100, 3), Fraction(50): Fraction(200, 3)}


def read_worded(text: str) -> Iterator[Worded]:
    """The numerals in words of a folded text in order. Never raises."""
    for match in _WORDED.finditer(text):
        named = next(name for name in _READERS if match[name])
        yield _READERS[named](text, match)


def read_rare(text: str) -> Iterator[Number]:
    """The exact numerals that only occur in few words: 廿 (20), 卅 (30), 俩 (two of them), 仨 (three)."""
    for match in _RARE.finditer(text):
        if match["pair"]:
            value = Fraction(2 if match["pair"] == "俩" else 3)
        else:
            value = Fraction({"廿": 20, "卅": 30, "卌": 40}[match[0][0]] + _HAN_DIGITS.get(match[0][1:], 0))
        found = read_unit(text, match.end())
        unit, end, kind = (found[0].id, found[1], found[0].kind) if found else ("", match.end(), "number")
        yield Number(match.start(), end, kind, value, Fraction(1), unit)


def share_of(text: str, number: Number) -> Worded | None:
    """A fraction or percentage of a folded text as a share: one third, 33%; None for other numbers."""
    if number.unit == "%":
        low, high = number.value - number.grain / 2, number.value + number.grain / 2
    elif number.grain == 0 and 0 < number.value < 1 and not number.unit:
        low, high = _around(number.value * 100, number.hedge, Fraction(1, 100), number.value * 125)
    else:
        return None
    thing = thing_after(text, number.end)
    return Worded(number.start, number.end, "share", "", low, high, "%", number.hedge, thing)


def _count(text: str, start: int, end: int, key: str, low: int, high: int) -> Worded:
    """A count with its unit: 数百人, hundreds of people."""
    of = re.compile(" of ").match(text, end)
    found = read_unit(text, of.end() - 1 if of else end)
    unit, end = (found[0].id, found[1]) if found else ("", end)
    return Worded(start, end, "count", key, Fraction(low), Fraction(high), unit, _hedge(text, start), thing_after(text, end))


def _plural(text: str, match: re.Match[str]) -> Worded:
    words = [word for word in match["plural"].lower().split() if word != "of"]
    low, high = {"tens": (10, 99), "dozens": (20, 199), "scores": (20, 199)}.get(words[0], (0, 0))
    for word in words[0 if not low else 1 :]:
        scale = _SCALES[word[:-1]]
        low, high = (low * scale, (high + 1) * scale - 1) if low else (scale, scale * (10 if scale == 100 else 1000) - 1)
    return _count(text, *match.span(), " ".join(words), low, high)


def _few(text: str, match: re.Match[str]) -> Worded:
    scale = _SCALES[match["scale"].lower()]
    most = 3 if "couple" in match["few"].lower() else 12 if scale == 12 else 10
    return _count(text, *match.span(), f"some {scale}", 2 * scale, most * scale - 1)


def _han_scale(chars: str) -> int:
    size = 1
    for char in chars:
        size *= _HAN_SCALES[char]
    return size


def _some(text: str, match: re.Match[str]) -> Worded:
    scale = _han_scale(match["some_scale"])
    return _count(text, *match.span(), f"some {scale}", 2 * scale, 10 * scale - 1)


def _teens(text: str, match: re.Match[str]) -> Worded:
    tens = _HAN_DIGITS.get(match["teens"][0], 1) * 10
    scale = _han_scale(match["teens_scale"])
    return _count(text, *match.span(), "", (tens + 1) * scale, (tens + 10) * scale - 1)


def _two(text: str, match: re.Match[str]) -> Worded:
    first, second = (_HAN_DIGITS[char] for char in match["two"])
    scale = _han_scale(match["two_scale"])
    low, high = sorted((first, second))
    return _count(text, *match.span(), "", low * scale, (high + 1) * scale - 1)


def _up(text: str, match: re.Match[str]) -> Worded:
    scale = _han_scale(match["up_scale"])
    return _count(text, *match.span(), f"over {scale}", scale, 10 * scale - 1)


def _near(text: str, match: re.Match[str]) -> Worded:
    scale, word = _han_scale(match["near_scale"]), match["near"]
    if word in ("近", "约"):
        high = scale - 1 if word == "近" else scale * 11 // 10
        return _count(text, *match.span(), f"{word} {scale}", scale * 9 // 10, high)
    return _count(text, *match.span(), f"over {scale}", scale, 2 * scale - 1)


def _odd(text: str, match: re.Match[str]) -> Worded:
    scale = _han_scale(match["odd"])
    return _count(text, *match.span(), f"over {scale}", scale, 2 * scale - 1)


def _thousands(text: str, match: re.Match[str]) -> Worded:
    scale = 100 if match["thousands"] == "成百上千" else 1000
    return _count(text, *match.span(), match["thousands"], scale, 1000 * scale - 1)


def _share(text: str, match: re.Match[str]) -> Worded:
    value = _SHARES["quarter" if match["quarter"] else "half"]
    hedge = _hedge(text, match.start())
    low, high = _around(value, hedge, Fraction(1, 100), _NEXT_SHARE[value])
    key, thing = f"share {value}", thing_after(text, match.end())
    return Worded(*match.span(), "share", key, low, high, "%", hedge, thing, value)


def _multiple(text: str, match: re.Match[str]) -> Worded:
    word = (match["factor"] or match["twice"] or match["fold"] or "").lower()
    turns = _HAN_DIGITS[match["times"]] if match["again"] and match["times"] else 1
    doubled = 2**turns if match["again"] and match[0].endswith("番") else turns + 1
    value = Fraction(_FACTORS[word] if word else 1 if match["halved"] or match["han_halved"] else doubled)
    if match["halved"] or match["han_halved"]:
        value = Fraction(1, 2)
    hedge = _hedge(text, match.start())
    low, high = _around(value, hedge, Fraction(1, 40), value + 1 if value > 1 else value)
    return Worded(*match.span(), "multiple", f"times {value}", low, high, "times", hedge, exact=value)


def _around(value: Fraction, hedge: Hedge, exact: Fraction, over: Fraction) -> tuple[Fraction, Fraction]:
    """What a share or multiple stands for: `nearly`, down to a tenth less; `about`, that on either side."""
    if hedge == "over":
        return value, over
    if hedge == "under":
        return value * Fraction(9, 10), value
    part = Fraction(1, 10) if hedge == "about" else exact
    return value * (1 - part), value * (1 + part)


def _hedge(text: str, start: int) -> Hedge:
    found = _HEDGE.search(text[max(0, start - 16) : start])
    return "" if found is None else "about" if found["about"] else "over" if found["over"] else "under"


def thing_after(text: str, end: int) -> str:
    """What the text speaks of behind an amount, without articles: the next word or two Chinese characters."""
    found = _THING.match(text, end)
    word = (found[1] or found[2]).lower() if found else ""
    return "" if word in _NO_THING else word


_READERS: dict[str, Callable[[str, re.Match[str]], Worded]] = {
    "plural": _plural, "few": _few, "some": _some, "teens": _teens, "two": _two, "up": _up, "near": _near, "odd": _odd,
    "thousands": _thousands, "half": _share, "quarter": _share, "han_half": _share,
    "factor": _multiple, "twice": _multiple, "fold": _multiple, "halved": _multiple, "again": _multiple,
    "han_halved": _multiple,
}  # fmt: skip
"""How each form of `_WORDED` is read, by the name of its group."""
