"""Text → the tokens of the time grammar, in one pass of one regular expression. What is no time word leaves a gap."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from ..folding import URL, fold, lowered
from . import words_en, words_zh
from .kinds import Entry, K, Value


class Token(NamedTuple):
    """A time word. joined: nothing or only blanks of one line stand before it since the last token."""

    kind: K
    value: Value
    start: int
    end: int
    joined: bool
    raw: str


NUMERALS = "零〇一二两三四五六七八九十百千廿卅俩仨"
_DIGIT = {char: value for value, char in enumerate("〇一二三四五六七八九")} | {
    "零": 0,
    "两": 2,
    "俩": 2,
    "仨": 3,
}
_SCALE = {"十": 10, "百": 100, "千": 1000}

_WEEKDAY = (
    r"(?:一(?![共样定直般致次边旦些年场起])|(?<=[从自]周)一(?=起)|(?<=[从自][下本这]周)一(?=起)"
    r"|[二三四五六]|日(?![均报常程])|天(?!气))"
)
"""The last character of a weekday, where it is one: 周天|气 and 周一|共 are none, 从周一|起 is."""


def _zh_alternatives() -> str:
    parts = []
    for word, (kind, _) in sorted(words_zh.words().items(), key=lambda item: (-len(item[0]), item[0])):
        unless = words_zh.UNLESS.get(word, "")
        if (kind is K.PERIOD and word.endswith(("周", "星期", "礼拜"))) or (
            kind is K.UNIT and word.endswith(("星期", "礼拜"))
        ):
            parts.append(f"{word}(?!{_WEEKDAY})")
        else:
            parts.append(word + (f"(?![{unless}])" if unless else ""))
    return "|".join(parts)


def _en_alternatives() -> str:
    phrases = sorted(words_en.phrases(), key=lambda phrase: (-len(phrase), phrase))
    return "|".join(re.escape(phrase).replace(r"\ ", r"[ ]{1,2}") for phrase in phrases)


_MONTHS = "|".join(words_en.MONTHS)


_WEEKDAY_EN = "(?:mon|tue|wed|thu|fri|sat|sun)"
_BRACKET = rf"\((?=周|星期|礼拜|{_WEEKDAY_EN})|(?:(?<=[周期拜][一二三四五六日天])|(?<=[今昨明前后][天日]))\((?=\d)|(?:(?<=day)|(?<=day[ ])|(?<=tomorrow[ ]))\((?=\d|(?:{_MONTHS})\b)"
"""A bracket between a date and its weekday: 11月29日（周日）, Sunday (November 29). It joins them as a comma does."""

_ZONES = "|".join(sorted(word for word, entry in (words_en.words() | words_en.phrases()).items() if entry[0] is K.ZONE))

_BRACKET += rf"|(?<=[\dm])\((?=(?:{_ZONES})\b|北京时间)|(?<=[\dm][ ])\((?=(?:{_ZONES})\b|北京时间)"  # 15:30 (UTC)

_DAY_DIGITS = (r"\d", r"\d\d", *(f"[{NUMERALS}]" * length for length in (1, 2, 3)))
"""The number of a day behind its month: there 日 is no part of a longer word, as it may be in 15日|本报讯."""


@cache
def _pattern() -> re.Pattern[str]:
    """The pattern of a token in lower-case text. Alternatives are grouped by their first character, for speed alone."""
    alone, closed = r"(?<!\d)(?<!\d[-/.:])", r"(?!\d)(?![-/.:]\d)"
    slash = (r"(?<!\d)(?<!\d[/.:])", r"(?!\d)(?![/.:]\d)")
    dash = (r"(?<!\d)(?<!\d[-:])", r"(?!\d)(?![-:]\d)")
    starts = "".join(sorted({re.escape(word[0]) for word in words_zh.words()} | set(NUMERALS)))
    digits = (
        rf"(?P<stamp>{alone}\d{{4}}-\d\d-\d\dt\d\d:\d\d(?::\d\d(?:\.\d{{1,9}})?)?(?:z|[+-]\d\d:?\d\d)?(?!\d))",
        rf"(?P<ymd>{slash[0]}\d{{4}}(?P<s1>[/.])\d{{1,2}}(?P=s1)\d{{1,2}}{slash[1]}|{dash[0]}\d{{4}}-\d{{1,2}}-\d{{1,2}}{dash[1]}"
        rf"|{alone}(?:19|20)\d\d[ ](?:0[1-9]|1[0-2])[ ](?:0[1-9]|[12]\d|3[01]){closed}(?![ ]\d)"
        rf"|{alone}(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]){closed}(?![ ]?[a-z元人个件台次名%万亿]))",
        rf"(?P<mdy>{slash[0]}\d{{1,2}}(?P<s2>[/.])\d{{1,2}}(?P=s2)\d{{4}}{slash[1]}|{dash[0]}\d{{1,2}}-\d{{1,2}}-\d{{4}}{dash[1]})",
        rf"(?P<named>{alone}(?:\d{{4}}[-/](?:{_MONTHS})[-/]\d{{1,2}}|\d{{1,2}}[-/](?:{_MONTHS})[-/]\d{{4}}){closed})",
        rf"(?P<short>{alone}\d{{1,2}}/\d{{1,2}}/\d{{2}}{closed})",
        rf"(?P<ym>{alone}(?:19|20)\d\d[-/](?:0?[1-9]|1[0-2]){closed}(?!\s?[年月]))",
        rf"(?P<my>{alone}(?:0?[1-9]|1[0-2])[-/](?:19|20)\d\d{closed}(?!\s?[年月]))",
        r"(?P<fraction>(?<![\d/])\d{1,2}/\d{1,2}(?![\d/]))",
        r"(?P<clock>(?<![\d:.])(?:[01]?\d|2\d):[0-5]\d(?::[0-5]\d)?(?![\d:]))",
        r"(?P<ish>(?<![\d:.])(?:1[0-2]|[1-9])-?ish\b)",
        r"(?P<decade>(?<![\d$])(?:1[5-9]|20)\d0[ ]?'?s\b)",
        r"(?P<ord>(?<![\d.])\d{1,2}(?:st|nd|rd|th)\b)",
        r"(?P<amount>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?[ ]?[%‰万亿兆])",
        r"(?P<decimal>(?<![\d.])\d{1,2}\.\d{2}(?![\d.])|\d+\.\d[\d.]*)",
        r"(?P<num>\d+)",
    )
    letters = (
        rf"(?P<url>{URL})",
        rf"(?P<month_named>(?<![a-z0-9])(?<!\d[-/.:])(?:{_MONTHS})[-/]\d{{1,2}}[-/]\d{{4}}{closed})",
        rf"(?P<month_year>(?<![a-z])(?:{_MONTHS})[-/](?:19|20)\d\d{closed})",
        rf"(?P<abbr>(?<![a-z$])(?:{_MONTHS})\.(?=[ ]?\d))",
        r"(?P<utc>(?<![a-z])(?:utc|gmt)[ ]?[+-]\d{1,2}(?!\d)(?::?\d\d(?!\d))?)",
        rf"(?P<phrase>(?<![a-z])(?:{_en_alternatives()})(?![a-z]))",
        r"(?P<meridiem>(?<=[\d ])[ap](?:[ ]?\.[ ]?m\b(?:[ ]?\.)?|[ ]?m\b)|(?<=\d)[ap]\b)",
        r"(?P<part>(?<![a-z0-9])[qh][1-4](?![a-z0-9]))",
        r"(?P<en>[a-z]+)",
    )
    han = (
        rf"(?P<weekday>(?:(?<![{NUMERALS}\d几半])周|星期|礼拜){_WEEKDAY})",
        rf"(?P<day>(?:{'|'.join(f'(?<=月{digits})' for digits in _DAY_DIGITS)})[日号])",
        rf"(?P<zh>{_zh_alternatives()})",
        rf"(?P<numeral>[{NUMERALS}万亿]+)",
    )
    signs = (
        r"(?P<offset>(?<=:\d\d)(?:[ ]?(?:[+]\d\d:?|-\d\d)\d\d|(?<=:\d\d:\d\d)[ ]?-\d\d:\d\d)(?!\d))",  # 9:00-11:30 is a range
        r"(?P<money>[$€£¥][ ]?\d[\d,.]*)",
        r"(?P<dotted>(?<=\d)(?<![a-z]\d)(?<![a-z]\d\d)\.[ap]m\b)",
        r"(?P<own>'s\b)",
        r"(?P<nineties>'\d0s\b)",
        r"(?P<short_year>'\d\d\b(?!'))",
        r"(?P<half>½)",
        r"(?P<dash>[-~—]{1,2})",
        rf"(?P<mark>[,，、@]|{_BRACKET})",
    )
    groups = (("[0-9]", digits), ("[a-z]", letters), (f"[周星礼万亿{starts}]", han), ("[$€£¥'½~—,，、@(. +-]", signs))
    return re.compile(
        "|".join(f"(?={first})(?:{'|'.join(alternatives)})" for first, alternatives in groups), re.ASCII
    )


@cache
def _words() -> tuple[dict[str, Entry], dict[str, Entry], dict[str, Entry]]:
    return words_zh.words(), words_en.words(), words_en.phrases()


def zh_number(text: str) -> int | None:
    """The value of a Chinese numeral below 100,000, spelled with scales or digit by digit; None if it is malformed."""
    if len(text) > 9 or "万" in text or "亿" in text:
        return None
    if not any(char in _SCALE or char in "廿卅" for char in text):
        return int("".join(str(_DIGIT[char]) for char in text)) if all(char in _DIGIT for char in text) else None
    total, digit = 0, None
    for char in text:
        if char in "廿卅":
            total, digit = total + (20 if char == "廿" else 30), None
        elif char in _SCALE:
            total, digit = total + (1 if digit is None else digit) * _SCALE[char], None
        elif digit in (None, 0):
            digit = _DIGIT[char]
        else:
            return None
    return total + (digit or 0)


def _numeric_date(raw: str, group: str) -> Entry:
    """(year, month, day) of a numeric date. "?" if the order of day and month cannot be known."""
    if raw.isdigit():
        return K.DATE, (int(raw[:4]), int(raw[4:6]), int(raw[6:]))
    mark = next(char for char in raw if not char.isdigit())
    numbers = [int(part) for part in raw.split(mark)]
    if group == "ymd":
        return K.DATE, tuple(numbers)
    first, second, year = numbers
    if group == "short":
        year = year_of_two(year)
    # With dots the day stands first everywhere; with slashes and dashes it depends on the country.
    if mark == "." or first > 12 or first == second:
        return K.DATE, (year, second, first)
    return (K.DATE, (year, first, second)) if second > 12 else (K.DATE, "?")


def _named_date(low: str, words: dict[str, Entry]) -> Entry:
    """(year, month, day) or (year, month) of a date with a month's name in it: 15-Apr-2026, 2019/aug/01, Dec/2018."""
    parts = re.split("[-/]", low)
    month = next(int(str(words[part][1])) for part in parts if part.isalpha())
    numbers = [part for part in parts if part.isdigit()]
    if len(numbers) == 1:
        return K.YEAR_MONTH, (int(numbers[0]), month)
    year, day = sorted(numbers, key=len, reverse=True)
    return K.DATE, (int(year), month, int(day))


def _entry(group: str, raw: str, low: str) -> Entry:
    zh, en, phrases = _words()
    if group == "day":
        return K.RI, 0
    if group == "zh":
        return zh[raw]
    if group in ("en", "abbr"):
        return en.get(low.rstrip("."), (K.OTHER, 0))
    if group == "phrase":
        return phrases[" ".join(low.split())]
    if group in ("ymd", "mdy", "short"):
        return _numeric_date(raw, group)
    if group in ("named", "month_named", "month_year"):
        return _named_date(low, en)
    if group in ("ym", "my"):
        first, second = (int(part) for part in re.split("[-/]", raw))
        return K.YEAR_MONTH, (first, second) if group == "ym" else (second, first)
    if group == "clock":
        return K.CLOCK, tuple(int(part) for part in raw.split(":"))
    if group == "num":
        return (K.NUM, int(raw)) if len(raw) <= 6 else (K.OTHER, 0)
    if group == "numeral":
        number = zh_number(raw)
        return (K.OTHER, 0) if number is None else (K.NUM, number)
    return _small_entry(group, low)


def year_of_two(value: int) -> int:
    """The year that two digits mean: 1950 to 2049."""
    return value + (2000 if value < 50 else 1900)


def _utc(low: str) -> str:
    """The offset of `utc+8` or `gmt-03:30` with four digits."""
    sign, digits = ("-" if "-" in low else "+"), re.sub(r"\D", "", low)
    return f"{sign}{digits.zfill(2)}00" if len(digits) <= 2 else sign + digits.zfill(4)


def _small_entry(group: str, low: str) -> Entry:
    if group == "weekday":
        return K.WEEKDAY, words_zh.WEEKDAYS[low[-1]]
    if group == "ord":
        return K.ORD, int(low[:-2])
    if group == "decade":
        return K.DECADE, int(low[:4])
    if group == "nineties":
        return K.DECADE, year_of_two(int(low[1:3]))
    if group == "short_year":
        return K.SHORT_YEAR, year_of_two(int(low[1:]))
    if group == "ish":
        return K.CLOCK, (int(re.sub(r"\D", "", low)), 0)
    if group == "utc":
        return K.ZONE, _utc(low)
    if group in ("meridiem", "dotted"):
        return K.MERIDIEM, "am" if "a" in low else "pm"
    if group == "part":
        if low[0] == "q":
            return K.QUARTER, int(low[1])
        return (K.HALF, ("year", int(low[1]))) if low[1] in "12" else (K.OTHER, 0)
    if group == "decimal":
        whole, _, rest = low.partition(".")
        return (
            (K.OTHER, 0)
            if len(rest) != 2 or not rest.isdigit() or int(whole) > 24 or int(rest) > 59
            else (K.CLOCK, (int(whole), int(rest), -1))
        )
    if group == "fraction":
        return K.FRACTION, tuple(int(part) for part in low.split("/"))
    if group == "mark":
        return (K.AT if low == "@" else K.COMMA), 0
    kinds = {"stamp": K.STAMP, "own": K.OF, "half": K.HALF_AN, "dash": K.DASH, "offset": K.ZONE}
    return kinds.get(group, K.OTHER), low.strip()


def plain(text: str) -> str:
    """The text as the grammar reads it: same length, full-width and traditional forms made plain."""
    return fold(text).translate(words_zh.FOLD)


def _closing(tokens: list[Token]) -> str:
    """The bracket that closes behind the last token, if one opens before it: 11月29日（周日）下午."""
    return ")" if any(token.raw == "(" for token in tokens[-6:-1]) else ""


def tokenize(folded: str) -> list[Token]:
    """The tokens of a plain text, in order, with their places in it. Linear in its length."""
    tokens: list[Token] = []
    last = 0
    for match in _pattern().finditer(lowered(folded)):
        start, end = match.span()
        raw = folded[start:end]
        kind, value = _entry(match.lastgroup or "", raw, match[0])
        joined = start == last
        if not joined and start - last <= 3:
            gap = folded[last:start].strip(" ")
            joined = not gap or gap == _closing(tokens)
        tokens.append(Token(kind, value, start, end, joined, raw))
        last = end
    return tokens
