"""Chinese numerals to exact values: 三百二十, 二〇二六, 二点五亿, and digits with Chinese scales: 5万4千6百.

A numeral also has a grain: the step of its last shown digit, which tells how precisely it was stated. `3.5万` has
the grain 1,000, `300万` and `三百万` 10,000, since the digits count 万.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

MAX_DIGITS = 40
"""Longer digit strings are identifiers; reading them as numbers would also cost quadratic time."""

DECIMAL = r"(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?"
FORMAL = "壹贰叁肆伍陆柒捌玖"
_FIGURES = "零〇一二三四五六七八九"
_SCALES = "拾十百千万亿兆"
# 千米, 兆瓦 and their like are units: their first character belongs to no numeral.
_NO_UNIT = r"(?!千[克米瓦卡帕伏焦赫比字]|兆[瓦赫帕字比]|百(?:帕|分[点比位]))"
START = rf"(?:[{_FIGURES}两十]|俩(?=[百千万亿])|[{FORMAL}](?=[ ]?[{_SCALES}又])|拾(?=[{FORMAL}{_FIGURES}万亿]))"
"""What a Chinese numeral begins with. 百, 千 and 万 alone are no numbers (千万, 百姓)."""
_FIRST = re.compile(rf"(?P<number>{DECIMAL})|(?P<char>[{_FIGURES}两俩{_SCALES}{FORMAL}])")
_CHAR = re.compile(rf"[ ]{{0,3}}(?P<char>{_NO_UNIT}[{_FIGURES}{_SCALES}]|[两俩](?=[百千万亿])|[{FORMAL}](?=[{_SCALES}]))")
_FORMAL_LAST = re.compile(rf"[ ]{{0,3}}(?P<char>[{FORMAL}])")
_NUMBER = re.compile(rf"[ ]{{0,2}}(?P<number>{DECIMAL})(?=[ ]{{0,2}}[{_SCALES}]|[^0-9A-Za-z.%]|$)")
_BY_PLACE = re.compile(rf"[{_FIGURES}]{{2,}}(?![{_SCALES}点])")
_POINT = re.compile(
    rf"[ ]?点[ ]?(?P<figures>[{_FIGURES}{FORMAL}]{{1,39}})(?![{_FIGURES}{FORMAL}十百刻半])"
    rf"(?P<scales>(?:[ ]?[{_SCALES}]){{0,3}})"
)
_REST = re.compile(rf"[{_FIGURES}两俩{_SCALES}{FORMAL}]*")

_DIGITS = {char: i % 10 for i, char in enumerate("零一二三四五六七八九")}
_DIGITS |= {"〇": 0, "两": 2, "俩": 2} | {char: i + 1 for i, char in enumerate(FORMAL)}
_SMALL = {"十": 10, "拾": 10, "百": 100, "千": 1000}
_BIG = {"万": 10**4, "亿": 10**8, "兆": 10**12}
_SIZE = _SMALL | _BIG


@dataclass(frozen=True, slots=True)
class Numeral:
    """A numeral that ends at `end`: its exact value, the step of its last shown digit, its last scale."""

    end: int
    value: Fraction
    grain: Fraction
    scale: Fraction


def decimal(text: str) -> tuple[Fraction, Fraction]:
    """Value and grain of ASCII digits with optional thousands separators (commas or blanks) and decimals."""
    whole, _, decimals = text.replace(",", "").replace(" ", "").partition(".")
    step = 10 ** len(decimals)
    return Fraction(int(whole + decimals or "0"), step), Fraction(1, step)


def scale_of(words: str) -> Fraction:
    """The product of scale characters: 百万 is 1,000,000."""
    size = Fraction(1)
    for char in words:
        size *= _SIZE.get(char, 1)
    return size


class _Sum:
    """The running value of a numeral; `add_…` are False where the numeral cannot go on."""

    def __init__(self) -> None:
        self.total = self.section = Fraction(0)
        self.digit: Fraction | None = None
        self.ascii = False
        self.grain = Fraction(1)
        self.small, self.big, self.last, self.zero = 10**4, 10**16, 0, False

    def value(self) -> Fraction:
        """What has been read; a last digit after 百, 千, 万 counts the next lower place, as in 二百五."""
        digit = self.digit or Fraction(0)
        if self.digit is not None and not self.ascii and not self.zero and self.last >= 100:
            digit *= self.last // 10
        return self.total + self.section + digit

    def add_digit(self, value: Fraction, grain: Fraction, ascii: bool) -> bool:
        if not ascii and value == 0 and self.digit in (None, 0):
            self.zero = True
            if not self.last:
                self.digit = Fraction(0)
            return True
        if self.digit:
            return False
        self.digit, self.grain, self.ascii = value, grain, ascii
        return True

    def add_small(self, unit: int) -> bool:
        if unit >= self.small or (self.digit is None and (unit != 10 or self.last == 10)):
            return False
        self.section += (self.digit if self.digit else 1) * unit
        if self.ascii:
            self.grain *= unit
        self.digit, self.small, self.last, self.zero = None, unit, unit, False
        return True

    def add_big(self, unit: int) -> bool:
        part = self.section + (self.digit or 0)
        if self.total >= 10**MAX_DIGITS:
            return False
        if part == 0:
            if not self.total or self.last < 10**4:
                return False
            self.total *= unit
        elif unit > self.big:
            self.total = (self.total + part) * unit
        elif unit < self.big:
            self.total += part * unit
        else:
            return False
        self.grain *= unit
        self.section, self.digit, self.small = Fraction(0), None, 10**4
        self.big, self.last, self.zero = unit, unit, False
        return True


def read_han(text: str, start: int) -> tuple[Numeral | None, int]:
    """The numeral that begins at `start` of folded text, and where to read on.

    None where it means no one number (三四十, 一二三). Figures alone are read by place from four on, or with a zero
    among them: 二〇二六, 三〇一.
    """
    if by_place := _BY_PLACE.match(text, start):
        return _by_place(by_place), by_place.end()
    running = _Sum()
    closed: Numeral | None = None
    token, at, last = _FIRST.match(text, start), start, ""
    while token:
        goes_on = _add(running, token)
        if goes_on is None:
            rest = _REST.match(text, token.end())
            return None, rest.end() if rest else token.end()
        if not goes_on:
            # The digits before a scale that cannot follow belong to the next number.
            return closed, closed.end if closed else token.end()
        last, at = token[0].strip(), token.end()
        if last in _SIZE:
            closed = Numeral(at, running.value(), running.grain, _ending_scale(text[start:at]))
        token = _next(text, at, last)
    if not at or at == start:
        return None, start + 1
    if point := _POINT.match(text, at):
        return _with_decimals(running.value(), point), point.end()
    end = at - len(last) if last in "零〇" and running.last else at
    return Numeral(end, running.value(), running.grain, _ending_scale(text[start:end])), at


def _next(text: str, at: int, last: str) -> re.Match[str] | None:
    """The next part of a numeral; digits follow a scale only, a formal figure without scale 拾 or 零."""
    if last in _SIZE or last in "零〇":
        number = _NUMBER.match(text, at)
        if number:
            return number
    if last in "拾佰仟千百零" and (formal := _FORMAL_LAST.match(text, at)):
        return formal
    return _CHAR.match(text, at)


def _add(running: _Sum, token: re.Match[str]) -> bool | None:
    """Whether the numeral goes on with this part; None where two figures meet, so that it is no one number."""
    groups = token.groupdict()
    number, char = groups.get("number"), groups.get("char")
    if number is not None:
        return len(number) <= MAX_DIGITS and running.add_digit(*decimal(number), ascii=True)
    if char in _DIGITS:
        return running.add_digit(Fraction(_DIGITS[char]), Fraction(1), ascii=False) or None
    return running.add_small(_SMALL[char]) if char in _SMALL else running.add_big(_BIG[char or ""])


def _by_place(match: re.Match[str]) -> Numeral | None:
    figures = "".join(str(_DIGITS[char]) for char in match[0])
    counted = figures in "123456789" or not (len(figures) > 3 or "0" in figures)
    if counted or len(figures) > MAX_DIGITS:
        return None
    return Numeral(match.end(), Fraction(int(figures)), Fraction(1), Fraction(1))


def _ending_scale(numeral: str) -> Fraction:
    """The scale in which a simple numeral counts: 万 of 3.5万; 1 where digits follow the scale."""
    match = re.fullmatch(r"[^万亿兆]*?([百千]?[万亿兆]+)", numeral)
    return scale_of(match[1]) if match else Fraction(1)


def _with_decimals(whole: Fraction, point: re.Match[str]) -> Numeral:
    figures = "".join(str(_DIGITS[char]) for char in point["figures"])
    step, scale = Fraction(1, 10 ** len(figures)), scale_of(point["scales"])
    return Numeral(point.end(), (whole + int(figures) * step) * scale, step * scale, scale)
