"""One amount in folded text: its numeral with scale, what stands before it (sign, currency) and after it (unit)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from unicodedata import numeric

from .chinese import DECIMAL, FORMAL, MAX_DIGITS, START, decimal, read_han, scale_of
from .currencies import CODES, MINOR, SYMBOLS
from .english import SCALES, WORDS, read_words
from .units import BY_ID, Kind, read_unit


@dataclass(frozen=True, slots=True)
class Quantity:
    """A numeral with its scale, ending at `end`.

    scale: what the last shown numeral was multiplied by. digits: begins with ASCII digits. percent: the id of its unit
    where the form itself says so (百分之五, 三成). more: 五百多, 二十几万.
    """

    end: int
    value: Fraction
    grain: Fraction
    scale: Fraction = Fraction(1)
    digits: bool = True
    percent: str | None = None
    more: bool = False


@dataclass(frozen=True, slots=True)
class Tail:
    """A quantity read to its end: value and grain in its unit."""

    end: int
    kind: Kind
    value: Fraction
    grain: Fraction
    unit: str


_VULGAR = {char: Fraction(numeric(char)).limit_denominator(8) for char in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}
_ASCII_DIGITS = frozenset("0123456789.")
_ASCII = re.compile(r"[0-9]{1,3}(?: [0-9]{3}){2,}(?![0-9])|" + DECIMAL + r"|\.[0-9]+")
_NUMERAL_AHEAD = re.compile(rf"[0-9]|{START}")
_MIXED = re.compile(rf" ?又 ?(?=[0-9]|{START})")
_SCALE_AHEAD = re.compile(r" {0,3}(?:(?P<small>[百千])|[万亿兆])")
_OFF = "一二三四五六七八九"
_EXPONENT = re.compile(r"[eE]([+-]?[0-9]{1,2})(?![0-9A-Za-z])|[ ]?[x×][ ]?10\^([+-]?[0-9]{1,2})(?![0-9])")
_POWER = re.compile(r"\^([+-]?)[+-]?([0-9]{1,2})(?![0-9])")
_SLASHED = re.compile(r"(?: {1,2}([0-9]{1,3}))?/([0-9]{1,4})(?![0-9/])")
_EUROPEAN = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]{1,2}(?![0-9])")
_SCALE_WORD = "|".join(sorted(SCALES, key=len, reverse=True))
_SCALE_AFTER = re.compile(
    rf"(?: {{0,2}}| ?- ?)(?P<word>(?i:{_SCALE_WORD}))(?![A-Za-z])"
    r"|(?P<letter> {0,2}[kK]|M| {1,2}M(?= |$))(?![A-Za-z0-9²³/])"
    rf"|(?P<coded> ?[kKMB])(?=(?:{CODES.replace(' ', '|')})(?![A-Za-z0-9]))"
)
_LOWER_SCALE = re.compile(rf" (?P<and>and )?(?P<digits>{DECIMAL})(?: (?P<word>(?i:{_SCALE_WORD})))?(?![A-Za-z0-9%.,])")
_WORDS = re.compile(WORDS, re.IGNORECASE)
_LOWER_WORDS = re.compile(rf" (?:and )?(?P<words>{WORDS})", re.IGNORECASE)
_OVER = re.compile(rf" over (?:(?P<words>{WORDS})|(?=[0-9]))", re.IGNORECASE)
_ASSIGNED = re.compile(r"(?:^|\b(?:is|was|equals|by|times) |=) ?(?:(?:minus|negative) |-)?$", re.IGNORECASE)
_DOZEN = re.compile(r" ?打(?![开击破造算招架断电包扮听败赢下出起工卡球牌了过着白完车仗雷折动响印压磨死伤成得一])")
_MONEY_LETTER = re.compile(r" ?(?P<letter>[mMbBtT])(?![A-Za-z0-9])")
_LETTERS = {"k": 10**3, "m": 10**6, "b": 10**9, "t": 10**12}
_MORE = re.compile(r" ?零?[多余几](?: ?(?P<scale>万亿|[百千]?[万亿]))?")
_PARTS_OF = re.compile(r" {0,2}分 {0,2}之 {0,2}(负?)")
_PARTS_OF_SCALE = re.compile(r"(百万万|百万|千万|[百千万]) {0,2}分 {0,2}之 {0,2}")
_TENTHS = re.compile(r" ?(?:成(?:(?P<half>半)|(?P<more>[一二三四五六七八九])(?=[\s。，！？；、)]|$))?(?![为立功果长员都年就分本交绩因群品语人])|(?P<off>折)(?![扣叠磨腾返射]))")
_SPACED_OFF = re.compile(r"([1-9]) ([0-9]) ?折(?![扣叠磨腾返射])")
_TWO_OFF = re.compile(r"[一二三四五六七八九] ?[一二三四五六七八九](?= ?折)")
_SIGN = re.compile(
    r"(?:负|零下|冰点以下|(?<![A-Za-z])(?:minus|negative) ) ?"
    r"(?:大?约|大概|将?近|接近|超过?|逾|达到?|(?:about|around|roughly|approximately|some|nearly|almost|over|more than) )? ?$",
    re.IGNORECASE,
)
_SIGNS, LONG_SIGNS = "-+\u207b\u02d7\u2796", "—ー─"
_SIGNED_AFTER = re.compile(r"(?:^|[\s(\[（:：,，;；、\"“'「|=\u3400-\u9fff])$")
_BELOW = re.compile(r" ?(?:(?P<zero>below zero)|below (?:the )?freezing(?: point)?|under zero)(?![A-Za-z])", re.IGNORECASE)
_CURRENCY = re.compile(
    r"(?:(?:(?<![A-Za-z])[A-Za-z.]{1,4} ?)?\$|[€£¥₩₹₽฿₿₺₫₱₦₴₪¢]|CN¥|JP¥|人民币|(?<![A-Za-z])[Rr]s\.?|(?<![A-Za-z])[A-Za-z]{3}) {0,2}$"
)
_CENTS = re.compile(r"(?<=[a-z]) (?P<cents>[0-9]{2})(?= ?(?:[.,;!?)](?![0-9])|$))|(?<=块)(?P<jiao>[一二三四五六七八九])(?=[\s。，！？；、)]|$)")
"""15 dollars 50, 三块五: what goes without its name at the end of a clause."""
_HUNDREDTHS = re.compile(r"(?<=[米秒])[0-9]{2}(?![0-9.:])")
_AND = re.compile(r" ?(?:又|零|and )? ?")


def read_quantity(text: str, start: int) -> tuple[Quantity | None, int]:
    """The quantity whose numeral begins at `start` of folded text, and where to read on if there is none."""
    digit = text[start] in _ASCII_DIGITS
    if special := (_spaced_off(text, start) if digit else _special(text, start)):
        return special
    quantity, end = _numeral(text, start)
    if quantity is None:
        return None, end
    after = text[quantity.end : quantity.end + 3].lstrip(" ")[:1]
    if after == "打" and (dozen := _DOZEN.match(text, quantity.end)):
        return replace(quantity, end=dozen.end(), value=quantity.value * 12, grain=Fraction(1)), dozen.end()
    if after == "又" and (mixed := _MIXED.match(text, quantity.end)):
        below, _ = _numeral(text, mixed.end())
        part = _part(text, below) if below else None
        if part is not None:
            return replace(part, value=quantity.value + part.value, digits=quantity.digits), part.end
    if after == "分" and (part := _part(text, quantity)):
        return part, part.end
    return _more(text, quantity) if after and after in "零多余几" else quantity, quantity.end


def _special(text: str, start: int) -> tuple[Quantity | None, int] | None:
    """What begins like a numeral and is a percentage: 百分之五, 七五折, 对折."""
    if scale_parts := _PARTS_OF_SCALE.match(text, start):
        return _percentage(text, scale_parts)
    if two := _TWO_OFF.match(text, start):
        tens, ones = (_OFF.index(figure) + 1 for figure in (two[0][0], two[0][-1]))
        end = text.index("折", two.end()) + 1
        return Quantity(end, Fraction(tens * 10 + ones), Fraction(1), digits=False, percent="%"), end
    if text.startswith(("对折", "半折"), start):
        return Quantity(start + 2, Fraction(50), Fraction(10), digits=False, percent="%"), start + 2
    return None


def _spaced_off(text: str, start: int) -> tuple[Quantity | None, int] | None:
    """7 2 折."""
    spaced = _SPACED_OFF.match(text, start) if text.startswith(" ", start + 1) else None
    if spaced is None:
        return None
    return Quantity(spaced.end(), Fraction(int(spaced[1] + spaced[2])), Fraction(1), percent="%"), spaced.end()


def _part(text: str, below: Quantity) -> Quantity | None:
    """The fraction of which `below` is the denominator: 五分之二."""
    parts = _PARTS_OF.match(text, below.end)
    above = _numeral(text, parts.end())[0] if parts and below.value and parts.end() < len(text) else None
    if parts is None or above is None:
        return None
    value = (-above.value if parts[1] else above.value) / below.value
    return Quantity(above.end, value, Fraction(0), digits=below.digits)


def _percentage(text: str, head: re.Match[str]) -> tuple[Quantity | None, int]:
    """`百分之五`, `千分之二`: hundredths of B/D."""
    if text.startswith("百", head.end()):
        return Quantity(head.end() + 1, Fraction(100), Fraction(1), digits=False, percent="%"), head.end()
    above = _numeral(text, head.end())[0] if head.end() < len(text) else None
    if above is None:
        return None, head.end()
    share = 100 / scale_of(head[1])
    return Quantity(above.end, above.value * share, above.grain * share, above.scale, False, "%"), above.end


def _numeral(text: str, start: int) -> tuple[Quantity | None, int]:
    """A numeral with its scale words: digits, Chinese characters or both."""
    first = text[start]
    if first in _VULGAR:
        return Quantity(start + 1, _VULGAR[first], Fraction(0)), start + 1
    if first not in _ASCII_DIGITS:
        if first in FORMAL and not _NUMERAL_AHEAD.match(text, start):
            return Quantity(start + 1, Fraction(FORMAL.index(first) + 1), Fraction(1), digits=False), start + 1
        numeral, end = read_han(text, start)
        if numeral is None:
            return None, end
        return Quantity(numeral.end, numeral.value, numeral.grain, numeral.scale, digits=False), end
    european = _EUROPEAN.match(text, start)
    plain = european or _ASCII.match(text, start)
    if plain is None or len(plain[0]) > MAX_DIGITS:
        return None, plain.end() if plain else start + 1
    if european:
        value, grain = decimal(european[0].replace(".", "").replace(",", "."))
        return Quantity(european.end(), value, grain), european.end()
    value, grain = decimal(plain[0])
    return (_mixed(text, start, plain.end(), value) or _scaled(text, plain.end(), value, grain)), plain.end()


def _mixed(text: str, start: int, end: int, value: Fraction) -> Quantity | None:
    """Digits with Chinese scales (5万4千, 3.5亿), if a scale follows them. `2025 十大` and `500百货` have none."""
    scale = _SCALE_AHEAD.match(text, end)
    if scale is None or (scale["small"] and value >= 100):
        return None
    numeral, _ = read_han(text, start)
    if numeral is None or numeral.end <= end:
        return None
    if scale["small"] and text[end] == " " and not set(text[end : numeral.end]) & set("万亿"):
        return None
    return Quantity(numeral.end, numeral.value, numeral.grain, numeral.scale)


def _scaled(text: str, end: int, value: Fraction, grain: Fraction) -> Quantity:
    """Plain digits with exponent, fraction, vulgar fraction or English scale."""
    if exponent := _EXPONENT.match(text, end):
        factor = Fraction(10) ** int(exponent[1] or exponent[2])
        return Quantity(exponent.end(), value * factor, grain * factor)
    if (power := _POWER.match(text, end)) and value and value <= 1000:
        return Quantity(power.end(), value ** int(power[1] + power[2]), Fraction(0))
    if text[end : end + 1] in _VULGAR and end < len(text):
        return Quantity(end + 1, value + _VULGAR[text[end]], Fraction(0))
    slashed = _SLASHED.match(text, end)
    if slashed and int(slashed[2]) and value.denominator == 1:
        below = int(slashed[2])
        units, above = (value, int(slashed[1])) if slashed[1] else (Fraction(0), value)
        return Quantity(slashed.end(), units + Fraction(above) / below, Fraction(0))
    scale = Fraction(1)
    word: str | None = None
    while (match := _SCALE_AFTER.match(text, end)) and scale < 10**12:
        word = match["word"]
        scale *= SCALES[word.lower()] if word else _LETTERS[(match["letter"] or match["coded"]).strip().lower()]
        end = match.end()
    whole = Quantity(end, value * scale, grain * scale, scale)
    return _lower(text, whole) if word and scale > 12 else whole


def _lower(text: str, whole: Quantity) -> Quantity:
    """What goes on below a scale word: 4 thousand 3 hundred, 3 hundred and 21, 6 crore and two hundred."""
    end, total, grain, scale = whole.end, whole.value, whole.grain, whole.scale
    while match := _LOWER_SCALE.match(text, end):
        word = match["word"]
        size = SCALES[word.lower()] if word else 1
        part, step = decimal(match["digits"])
        if not part or part * size >= scale or size == 12 or not (word or (match["and"] and scale == 100)):
            break
        end, total, grain, scale = match.end(), total + part * size, step * size, Fraction(size)
    spelled = _LOWER_WORDS.match(text, end)
    words = read_words(spelled["words"]) if spelled else None
    if spelled and words and not words.ordinal and words.value.denominator == 1 and words.value < scale:
        run = spelled["words"][: words.end]
        if scale == 100 or any(name in run.lower() for name in ("hundred", "thousand", "lakh", "million")):
            return Quantity(spelled.start("words") + words.end, total + words.value, words.grain)
    return Quantity(end, total, grain, scale) if end > whole.end else whole


def over(text: str, start: int, above: Quantity) -> Quantity:
    """`one over three` where nothing else is said: the fraction. `10 over 12 months` and `won 3 over 2` are none."""
    joint = _OVER.match(text, above.end)
    if joint is None or not _ASSIGNED.search(text[max(0, start - 16) : start]):
        return above
    words = read_words(joint["words"]) if joint["words"] else None
    below = (
        Quantity(joint.start("words") + words.end, words.value, words.grain)
        if words and not words.ordinal
        else None
        if joint["words"]
        else _numeral(text, joint.end())[0]
    )
    if below is None or not below.value or not re.match(r" ?(?:[.,;!?]|$)", text[below.end : below.end + 2]):
        return above
    return Quantity(below.end, above.value / below.value, Fraction(0), digits=above.digits)


def _more(text: str, quantity: Quantity) -> Quantity:
    """`500余万`, `二十几万`, `四百多`: the numeral is a lower bound."""
    more = _MORE.match(text, quantity.end)
    if more is None or (more["scale"] is None and not re.match(r" ?[多余]", more[0])):
        return quantity
    scale = scale_of(more["scale"] or "")
    return Quantity(
        more.end(),
        quantity.value * scale,
        quantity.grain * scale,
        quantity.scale * scale,
        quantity.digits,
        more=True,
    )


def sign_before(text: str, last: int, start: int) -> tuple[int, bool]:
    """Where the number begins with its sign, and whether it is negative.

    A hyphen behind a number, a letter or a closing sign joins; it is no sign. `last` is the end of the number before.
    """
    if match := _SIGN.search(text[max(last, start - 24) : start]):
        return start - len(match[0]), True
    sign = text[start - 1 : start]
    if start > last and sign and (sign in _SIGNS or sign in LONG_SIGNS):
        before, behind = text[last : start - 1], text[max(0, start - 2) : start - 1]
        joins = (last and not before.strip()) or re.search(r"[A-Za-z0-9)\]%°℃℉+-]$", behind)
        if not joins and (sign in "-+" or _SIGNED_AFTER.search(behind)):
            return start - 1, sign != "+"
    return start, False


def below_zero(text: str, tail: Tail) -> int:
    """The end of the words that make a temperature behind which they stand negative, if they do: 5 degrees below zero."""
    below = _BELOW.match(text, tail.end)
    if below is None or tail.unit not in ("°C", "°F", "°", "") or not (below["zero"] or tail.unit == "°C"):
        return tail.end
    return below.end()


def currency_before(text: str, last: int, start: int) -> tuple[str, int]:
    """The currency that stands before the number, if any, and where it begins."""
    match = _CURRENCY.search(text[max(last, start - 9) : start])
    if match is None:
        return "", start
    sign = match[0].replace(" ", "").replace(".", "").upper()
    currency = SYMBOLS.get(sign) or (SYMBOLS.get("$") if sign.endswith("$") else None)
    if currency is None:
        return "", start
    size = len(match[0]) if sign in SYMBOLS else len(match[0]) - match[0].index("$")
    return currency, start - size


def read_tail(text: str, quantity: Quantity, currency: str) -> Tail:
    """Unit, tenths (三成, 八折) and smaller parts (五元三角, 2米34, 27秒86, 5 feet 2 inches) behind a quantity."""
    value, grain, end = quantity.value, quantity.grain, quantity.end
    if quantity.percent is not None:
        return Tail(end, "percent", value, grain, quantity.percent)
    if currency and quantity.scale == 1 and (letter := _MONEY_LETTER.match(text, end)):
        factor = _LETTERS[letter["letter"].lower()]
        return Tail(letter.end(), "money", value * factor, grain * factor, currency)
    if tenths := _TENTHS.match(text, end):
        size = Fraction(10) if not tenths["off"] or value < 10 else Fraction(1)
        extra = Fraction(5) if tenths["half"] else Fraction(_OFF.index(tenths["more"]) + 1 if tenths["more"] else 0)
        return Tail(tenths.end(), "percent", value * size + extra, grain * size, "%")
    found = read_unit(text, end)
    if currency and (found is None or found[0].kind != "money"):
        return Tail(end, "money", value, grain, currency)
    if found is None:
        return Tail(end, "number", value, grain, "")
    end_of_numeral, (unit, end) = end, found
    if currency and unit.id != currency:
        if re.match(" ?[A-Z]{3} ?[0-9]", text[end_of_numeral:].upper()[:6]):
            return Tail(end_of_numeral, "money", value, grain, currency)  # RMB 10 USD 20
        if unit.id != "USD" and currency not in ("USD", "¥"):
            return Tail(end_of_numeral, "money", value, grain, currency)
        unit = BY_ID[currency] if unit.id == "USD" else unit
    if (unit.dimension == "mass" or unit.id == "times") and text.startswith("半", end):
        return Tail(end + 1, "number", value + Fraction(1, 2), grain / 2, unit.id)
    if value.denominator > 1:
        return Tail(end, unit.kind, value, grain, unit.id)
    extra, step, end = _smaller(text, unit.id, unit.kind, end)
    return Tail(end, unit.kind, value + extra, min(grain, step) if step else grain, unit.id)


def _part_ahead(text: str, start: int) -> Quantity | None:
    """The numeral that begins at `start`, in digits, Chinese or English, if one does."""
    if start < len(text) and _NUMERAL_AHEAD.match(text, start):
        return _numeral(text, start)[0]
    spelled = _WORDS.match(text, start)
    words = read_words(spelled[0]) if spelled else None
    return Quantity(start + words.end, words.value, words.grain) if words and not words.ordinal else None


def _smaller(text: str, unit: str, kind: Kind, end: int) -> tuple[Fraction, Fraction, int]:
    """The smaller parts behind a unit, in that unit, with their step and end."""
    if unit in ("m", "s") and (hundredths := _HUNDREDTHS.match(text, end)):
        return Fraction(int(hundredths[0]), 100), Fraction(1, 100), hundredths.end()
    if kind == "money" and (cents := _CENTS.match(text, end)):
        figure, parts = (int(cents["cents"]), 100) if cents["cents"] else (_OFF.index(cents["jiao"]) + 1, 10)
        return Fraction(figure, parts), Fraction(1, parts), cents.end()
    total = step = Fraction(0)
    while (kind == "money" or unit == "ft") and end < len(text):
        joint = _AND.match(text, end)
        start = joint.end() if joint else end
        part = _part_ahead(text, start)
        found = read_unit(text, part.end) if part else None
        if part is None or found is None or part.value >= 100:
            break
        owners, size = (("ft",), Fraction(1, 12)) if found[0].id == "in" else MINOR.get(found[0].id, ((), Fraction(0)))
        if unit not in owners:
            break
        total, step, end = total + part.value * size, size, found[1]
    return total, step, end
