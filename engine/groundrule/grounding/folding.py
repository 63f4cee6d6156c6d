"""One code point in, one code point out: the form in which the readers of this package look at text.

Positions survive, so whatever is found in the folded text lies at the same place in the text itself.
"""

from __future__ import annotations

import re

URL = r"(?<![A-Za-z0-9+.\-])[A-Za-z][A-Za-z0-9+.\-]{0,15}://[A-Za-z0-9\-._~:/?#@!$&'()*+,;=%\\|]*"
"""An address with scheme; the letters of other scripts end it, as they do in Chinese text."""

_SPACES = "\t\v\f\x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u202f\u205f\u3000"
_DASHES = "\u2010\u2011\u2012\u2013\u2212\ufe58\ufe63"
_VARIANTS = {
    "萬": "万", "億": "亿", "點": "点", "兩": "两", "負": "负", "個": "个", "幾": "几", "餘": "余", "佰": "百",
    "仟": "千", "圓": "元", "圆": "元", "塊": "块", "歲": "岁", "攝": "摄", "華": "华", "噸": "吨", "號": "号",
    "雙": "双", "條": "条", "項": "项", "種": "种", "層": "层", "輛": "辆", "場": "场", "屆": "届", "員": "员",
    "時": "时", "鐘": "钟", "週": "周", "級": "级", "頁": "页", "來": "来", "倆": "俩", "○": "〇", "￥": "¥",
    "￡": "£", "￠": "¢", "￦": "₩", "〜": "~", "∼": "~", "˜": "~", "º": "°", "˚": "°", "µ": "μ", "﹪": "%",
    "∶": ":", "︰": ":", "∕": "/", "⁄": "/", "’": "'", "對": "对", "間": "间", "過": "过", "約": "约", "達": "达",
    "漲": "涨", "減": "减", "極": "极", "貳": "贰", "貮": "贰", "參": "叁", "陸": "陆", "銭": "钱", "錢": "钱",
}  # fmt: skip

FOLD: dict[int, str] = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if code != 0xFF0C}
FOLD |= dict.fromkeys(map(ord, _SPACES), " ") | dict.fromkeys(map(ord, _DASHES), "-")
FOLD |= {ord(variant): plain for variant, plain in _VARIANTS.items()}

# A full-width comma separates thousands only between full-width digits; elsewhere it is punctuation.
_WIDE_COMMA = re.compile(r"(?<=[０-９])，(?=[０-９]{3}(?![０-９]))")
_NARROW_SPACE = re.compile(r"(?<=[0-9])[\xa0\u2009\u202f](?=[0-9]{3}(?![0-9]))")


def fold(text: str) -> str:
    """The text with full-width forms, blanks, dashes and traditional numerals and units made plain.

    It has as many code points as `text`, in the same places; case is kept.
    """
    if text.isascii():
        return text.translate(FOLD) if "\t" in text or "\v" in text or "\f" in text else text
    text = _NARROW_SPACE.sub(",", _WIDE_COMMA.sub(",", text))
    return text.translate(FOLD)


_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def lowered(folded: str) -> str:
    """The text in lower case, every position kept: matching it costs half of matching without regard to case."""
    lower = folded.lower()
    return lower if len(lower) == len(folded) else folded.translate(_LOWER)
