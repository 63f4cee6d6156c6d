"""Numbers, percentages and amounts of money in Chinese and English text, with what they state exactly.

Chinese numerals are parts of words too (一些, 万一, 三亚, 十分): one without scale is read only before a unit, after
第, or standing alone. Letters with digits (GPT-4, 5G, 14:20, 192.168.1.2) are names, to be compared as written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from .chinese import START
from .english import WORDS, read_words
from .folding import URL, fold, lowered
from .quantities import (
    LONG_SIGNS,
    Quantity,
    Tail,
    below_zero,
    currency_before,
    over,
    read_quantity,
    read_tail,
    sign_before,
)
from .units import Kind, read_unit, unit_of

Hedge = Literal["", "about", "over", "under"]
ORDINAL = "第"
"""The unit of an ordinal: 第三, third, 3rd."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a text. `start` and `end` count code points and include sign, currency and unit.

    value: exact; of a percentage its figure (3.2% is 3.2, 三成 is 30). grain: the step of the last shown digit, 0 for a
    fraction. unit: an id of `units`, `第`, or empty. peer: the other end of a range or score (18~25℃, 3:2); `joined`
    says which of the two it is, `first` which end this is. per: the unit that it is counted by (5元/公斤, 每天3次).
    """

    start: int
    end: int
    kind: Kind
    value: Fraction
    grain: Fraction
    unit: str = ""
    hedge: Hedge = ""
    joined: Literal["", "range", "score"] = ""
    peer: Fraction | None = None
    first: bool = True
    per: str = ""


@dataclass(frozen=True, slots=True)
class Name:
    """Letters with digits, or digits in groups, that state no quantity; `key` is how it is compared."""

    start: int
    end: int
    key: str


_TAIL = r"[A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*"
_GROUPS = (
    r"[0-9]+(?:\.[0-9]+){2,}|\+?[0-9]+(?:-[0-9]+){2,}|[0-9]+(?:/[0-9]+){2,}"
    r"|(?:[01]?[0-9]|2[0-4]):[0-5][0-9](?::[0-5][0-9])?(?![0-9])"
)
_TOKEN = re.compile(  # of lower-case text; alternatives are grouped by their first character, for speed alone
    r"(?<![a-z0-9_])(?:"
    rf"(?=[a-z])(?:(?P<skip>{URL})|(?P<name>(?:(?:[a-z]{{1,24}}[-_]?){{1,3}}|[a-z]{{1,3}}\.)[0-9]{_TAIL})"
    rf"|(?P<word>(?=[aefhnoqstz]){WORDS}))"
    rf"|(?=[0-9.+])(?:(?P<groups>{_GROUPS})(?![a-z0-9])|(?P<digits>[0-9]|(?<![0-9.])\.[0-9]))|(?P<vulgar>[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]))"
    rf"|(?=[^\x00-\x7f])(?:(?P<roman>[\u2160-\u2188]+)"
    rf"|(?P<han>{START}|[百千万]{{1,3}}(?=[ ]{{0,2}}分[ ]{{0,2}}之)|(?:(?<=打)对|半)(?=折)))",
)
_TAIL_AFTER = re.compile(_TAIL)
_ORDINAL_AFTER = re.compile(r"(?:st|nd|rd|th)(?![A-Za-z0-9])", re.IGNORECASE)
# Prefixes that leave a number a number: mid-2025 and top-10 are no names.
_PREFIX = re.compile(
    r"(?:mid|pre|post|top|sub|over|under|near|non|pro|by|to|and|or|no|nr|vs|of|for)[-.]$", re.IGNORECASE
)
_HEDGE_BEFORE = re.compile(
    r"(?:(?P<about>约|大约|左右|大概|about|around|approximately|approx\.?|roughly|some|circa|(?<![^\s,，。:：(（])~)"
    r"|(?P<over>超过|超|逾|突破|高于|多于|至少|不少于|不低于|over|more than|at least|above|exceeding|upwards of)"
    r"|(?P<under>近|将近|接近|不到|不足|未满|低于|少于|至多|nearly|almost|close to|less than|under|below|fewer than))"
    r"(?:了|达)? ?$",
    re.IGNORECASE,
)
_HEDGE_AFTER = re.compile(
    r" ?(?:(?P<about>左右|上下|or so\b)|(?P<over>多|余|以上|or more\b|\+(?![0-9]))|(?P<under>以下|以内|以里|or less\b))"
)
_BY_AFTER = re.compile(r" ?(?:/ ?|每)| (?:[a-z]{2,12} )?per ", re.IGNORECASE)
_BY_ARTICLE = re.compile(" an? ", re.IGNORECASE)
_PERCENT_OF = re.compile(r"(?<!what )\b(?:percentages?|percents?|per cents?) of $", re.IGNORECASE)
_END = re.compile(r" ?(?:[.,;!?)](?![0-9])|$)")
"""`at a percentage of 15.`: what names no whole after the number gives the percentage itself."""
_TO_AMOUNT = re.compile("[^，,。；;！？!?、0-9]{0,6}")
_RANGE = re.compile(r" ?(?:[-~—ー─\u207b\u02d7\u2796]{1,2}|至|到|to) ?", re.IGNORECASE)
_OTHER_END = re.compile(r"(?:-|负|零下|minus )?[0-9]+(?:\.[0-9]+)?")
_WORD_AFTER = re.compile("[ -]?[A-Za-z\u3400-\u9fff]")
_MEASURED = "温为是达值率"
"""Behind these a dash before a number without unit is a minus."""
_TURNED: dict[Hedge, Hedge] = {"": "", "about": "about", "over": "under", "under": "over"}
"""What a hedge between a sign and its number says of the negative number: 零下近16℃ is a little over -16."""
_SCORE = re.compile(r" ?[:比] ?| ?- ?(?:of|for|to) ?- ?", re.IGNORECASE)
# 三比一, one to three, two-to-one: numerals too short to be read elsewhere.
_OF_SCORE = re.compile(
    rf"(?:(?<!周)(?<!星期)(?<!礼拜){START}|十) ?[:比] ?(?:[0-9]|{START})(?![般些样下直定向切个月日号年天者起])|[0-9] ?[:比] ?{START}(?![般些样下直定向切个月日号年天者起])"
)
_ENDS_WORDS = r"zero|nil|one|two|three|four|five|six|seven|eight|nine|ten|[0-9]"
_ONE_TO = re.compile(rf"(?: ?- ?| )to(?: ?- ?| )(?!one)(?:{_ENDS_WORDS})\b", re.IGNORECASE)
_TO_ONE = re.compile(rf"\b(?!one)(?:{_ENDS_WORDS})(?: ?- ?| )to(?: ?- ?| )$", re.IGNORECASE)
# Words, not counts, although a unit seems to follow: 三角, 五里, 十分, 三分球, 一块, 一度.
_NO_COUNT = frozenset("里角毛点节面码记副板包起桶通")
_PLACE = re.compile("五台山|七台河|四平市|五家渠|三台县|九台区|六盘水")
_SINGLE_ONE = frozenset({"length", "mass", "area", "volume", "power", "energy", "temperature", "data"})
_ALONE = re.compile(r"[\s\"'“”‘’。！？!?,;：:]")


def read(text: str) -> tuple[Number | Name, ...]:
    """Every number and name of the text in order; addresses (URLs) are passed over. Never raises."""
    folded = fold(text)
    return tuple(_joined(folded, list(_scan(folded))))


def read_numbers(text: str) -> tuple[Number, ...]:
    """The numbers of the text in order."""
    return tuple(found for found in read(text) if isinstance(found, Number))


@dataclass(frozen=True, slots=True)
class _Found:
    item: Number | Name
    scale: Fraction = Fraction(1)


def _scan(text: str) -> Iterator[_Found]:
    at = last = 0
    lower = lowered(text)
    while match := _TOKEN.search(lower, at):
        start, group = match.start(), match.lastgroup
        at = match.end()
        if group == "skip":
            continue
        found: _Found | None
        if group == "name":
            found = _name(text, match, last)
        elif group in ("groups", "roman"):
            found = _Found(Name(start, at, match[0].lower()))
        elif group == "word":
            found, at = _words(text, match, last)
        else:
            found, at = _amount(text, start, last)
        if found is not None:
            last = at = found.item.end
            yield found


def _name(text: str, match: re.Match[str], last: int) -> _Found | None:
    """A name, unless its letters are a currency (RMB100) or a prefix (mid-2025)."""
    digit = re.search("[0-9]", match[0])
    start = match.start() + (digit.start() if digit else 0)
    prefix = match[0][: start - match.start()]
    if _PREFIX.search(prefix) or currency_before(text, last, start)[0]:
        found = _amount(text, start, last)[0]
        if found is not None:
            return found
    return _Found(Name(match.start(), match.end(), name_key(match[0])))


def name_key(text: str) -> str:
    """How a name is compared: without case, hyphens, underscores and blanks."""
    return re.sub(r"[-_ ]", "", text).lower()


def _words(text: str, match: re.Match[str], last: int) -> tuple[_Found | None, int]:
    run = match["word"]
    words = read_words(run)
    if words is None:
        return None, match.start() + len(run.split()[0].split("-")[0])
    end = match.start() + words.end
    quantity = Quantity(end, words.value, words.grain, Fraction(1), digits=False)
    if words.ordinal:
        return _Found(Number(match.start(), end, "number", words.value, words.grain, ORDINAL)), end
    quantity = over(text, match.start(), quantity)
    number = _with_unit(text, match.start(), quantity, last)
    if run[: words.end].lower() == "one" and quantity.grain and not (number.unit or number.value < 0):
        if not (_ONE_TO.match(text, end) or _TO_ONE.search(text[max(0, match.start() - 12) : match.start()])):
            return None, end
    found = _Found(number)
    if words.grain == 0 and words.value < 1 and run[:2].lower() in ("a ", "an") and "illion" not in run:
        return (found, end) if re.match(r" of\b| ?[.,;!?]| ?$", text[end : end + 4]) else (None, end)
    return found, end


def _amount(text: str, start: int, last: int) -> tuple[_Found | None, int]:
    """The amount whose numeral begins at `start`, and where to read on if there is none."""
    quantity, end = read_quantity(text, start)
    if quantity is None:
        return None, end
    quantity = over(text, start, quantity)
    attached = quantity.digits and re.match("[A-Za-z]", text[quantity.end : quantity.end + 1])
    if attached and not currency_before(text, last, start)[0]:
        if ordinal := _ORDINAL_AFTER.match(text, quantity.end):
            return _Found(Number(start, ordinal.end(), "number", quantity.value, quantity.grain, ORDINAL)), end
        if quantity.percent is None and read_unit(text, quantity.end) is None:
            tail = _TAIL_AFTER.match(text, quantity.end)
            end = tail.end() if tail else quantity.end
            return _Found(Name(start, end, name_key(text[start:end]))), end
    if text[start - 1 : start] == ORDINAL or text[max(0, start - 2) : start] == ORDINAL + " ":
        begin = text.rindex(ORDINAL, 0, start)
        return _Found(Number(begin, quantity.end, "number", quantity.value, quantity.grain, ORDINAL)), end
    number = _with_unit(text, start, quantity, last)
    if quantity.digits or _counts(text, start, quantity, number):
        return _Found(number, quantity.scale), end
    return None, end


def _with_unit(text: str, start: int, quantity: Quantity, last: int) -> Number:
    """The number with its sign, currency, unit and hedges."""
    begin, value, money = start, quantity.value, ""
    begin, negative = sign_before(text, last, begin)
    currency, begin = currency_before(text, last, begin)
    if currency:
        money = currency
        if not negative:
            begin, negative = sign_before(text, last, begin)
    tail = read_tail(text, quantity, money)
    value, grain = tail.value, tail.grain
    if tail.kind == "number" and not tail.unit and _PERCENT_OF.search(text[max(0, begin - 24) : begin]) and _END.match(text, tail.end):
        tail = replace(tail, kind="percent", unit="%")
    if negative and not _is_sign(text, begin, tail):
        begin, negative = begin + 1, False
    end = tail.end if negative else below_zero(text, tail)
    hedge = _hedge(text, last, begin, end) or ("over" if quantity.more else "")
    if negative and start - begin > 1 and not hedge:
        hedge = _TURNED[_hedge(text, begin, start, end)]
    negative = negative or end > tail.end
    per = _per(text, last, begin, end, tail.kind)
    return Number(begin, end, tail.kind, -value if negative else value, grain, tail.unit, hedge, per=per)


def _is_sign(text: str, begin: int, tail: Tail) -> bool:
    """Whether the dash at `begin` is a minus: not in 苏-27 and 东风-41, nor in `—16 people`."""
    if text[begin] in LONG_SIGNS:
        measured = tail.kind != "number" or (tail.unit and unit_of(tail.unit).dimension == "temperature")
        if not measured and (tail.unit or _WORD_AFTER.match(text, tail.end)):
            return False
    if tail.unit or text[begin] not in ("-", *LONG_SIGNS) or not text[begin - 1 : begin].isalpha():
        return True
    if text[begin - 1] in _MEASURED:
        return True
    joint = _RANGE.match(text, tail.end)
    other = _OTHER_END.match(text, joint.end()) if joint else None
    unit = read_unit(text, other.end()) if other else None
    return unit is not None and unit[0].dimension != "count"


def _per(text: str, last: int, start: int, end: int, kind: Kind) -> str:
    """The unit by which an amount is counted: behind it after `per`, a stroke or 每, or before it after 每."""
    by = _BY_AFTER.match(text, end) or (_BY_ARTICLE.match(text, end) if kind == "money" else None)
    found = read_unit(text, by.end()) if by else None
    if found is None and (each := text.rfind("每", max(last, start - 12), start)) >= 0:
        found = read_unit(text, each + 1)
        if found and not _TO_AMOUNT.fullmatch(text[found[1] : start]):
            found = None
    return {"日": "day", "月": "month"}.get(found[0].id, found[0].id) if found else ""


def _hedge(text: str, last: int, start: int, end: int) -> Hedge:
    before = _HEDGE_BEFORE.search(text[max(last, start - 16) : start])
    found = before or _HEDGE_AFTER.match(text, end)
    if found is None:
        return ""
    return "about" if found["about"] else "over" if found["over"] else "under"


def _counts(text: str, start: int, quantity: Quantity, number: Number) -> bool:
    """Whether a Chinese numeral is a number here and no part of a word."""
    numeral = text[start : quantity.end]
    if quantity.percent is not None or number.value < 0 or len(numeral) > 1:
        return True
    after = text[quantity.end : quantity.end + 1]
    if _OF_SCORE.match(text, start) or any(_OF_SCORE.match(text, at) for at in range(max(0, start - 4), start)):
        return True
    if not number.unit:
        before = text[start - 1 : start]
        ends = not after or _ALONE.match(after) is not None
        return (ends and (not before or _ALONE.match(before) is not None or before in "是为达至")) or (
            before == "前" and (ends or after == "的")
        )
    name = text[quantity.end : number.end].strip()
    if number.kind == "percent" or (number.kind == "money" and name not in _NO_COUNT):
        return True
    if (
        name in _NO_COUNT
        or _PLACE.match(text, start)
        or (numeral == "一" and unit_of(number.unit).dimension not in _SINGLE_ONE)
    ):
        return False
    if number.unit == "point":
        return numeral != "十" and text[number.end : number.end + 1] not in tuple("球之一钟天类")
    return number.unit != "°" or numeral != "一"


def _joined(text: str, found: list[_Found]) -> Iterator[Number | Name]:
    """Ranges and scores: both ends share unit and scale, and know each other."""
    items = [each.item for each in found]
    for i in range(len(items) - 1):
        low, high = items[i], items[i + 1]
        if not (isinstance(low, Number) and isinstance(high, Number)) or low.joined or high.start - low.end > 8:
            continue
        between = text[low.end : high.start]
        if _SCORE.fullmatch(between) and not low.unit and not (between == ": " and (high.unit or high.value < 0)):
            joined: Literal["range", "score"] = "score"
        elif _RANGE.fullmatch(between) and low.unit != ORDINAL:
            plain = not (low.unit or high.unit)
            joined = "score" if plain and ("-" in between or low.value > high.value) else "range"
        else:
            continue
        low, high = _alike(low, high, found[i].scale, found[i + 1].scale)
        if low.unit == high.unit:
            items[i] = replace(low, joined=joined, peer=high.value)
            items[i + 1] = replace(high, joined=joined, peer=low.value, first=False)
    yield from items


def _alike(low: Number, high: Number, low_scale: Fraction, high_scale: Fraction) -> tuple[Number, Number]:
    """`3-5亿元` means 3亿元 to 5亿元, `$3-5 billion` likewise: what stands once holds for both."""
    if low_scale == 1 < high_scale and abs(low.value) < abs(high.value) / high_scale:
        low = replace(low, value=low.value * high_scale, grain=low.grain * high_scale)
    if not low.unit and high.unit and high.unit != ORDINAL:
        low = replace(low, unit=high.unit, kind=high.kind)
    elif low.unit and not high.unit:
        high = replace(high, unit=low.unit, kind=low.kind)
    return low, high
