"""Units and currencies in Chinese and English: their names, and how those of one dimension convert.

A unit has an id (`km`, `CNY`, `个`). All names of one id are the same unit in both languages; two ids of one
dimension convert by their factors; an id without factor is only ever equal to itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from .currencies import CURRENCIES, SYMBOLS

Kind = Literal["number", "percent", "money"]


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: `factor` is its size in the first unit of its dimension, 0 where it converts into nothing."""

    id: str
    kind: Kind
    dimension: str
    factor: Fraction


# Dimension, id, factor, names (`_` stands for a blank in a name; English plurals in -s follow by themselves).
_MEASURES = """
length m 1 米 公尺 m metre meter
length km 1000 公里 千米 km ㎞ kilometre kilometer
length dm 1/10 分米 dm decimetre decimeter
length cm 1/100 厘米 公分 cm ㎝ centimetre centimeter
length mm 1/1000 毫米 mm ㎜ millimetre millimeter
length μm 1/1000000 微米 μm micrometre micrometer micron
length nm 1/1000000000 纳米 nm nanometre nanometer
length mi 1609.344 英里 mi mile
length yd 0.9144 码 yd yard
length ft 0.3048 英尺 ft foot feet
length pm 1/1000000000000 皮米 picometre picometer
length in 0.0254 英寸 inch inches
length nmi 1852 海里 nautical_mile
length li 500 里 华里
length zhang 10/3 丈
length chi 1/3 尺 市尺
mass ct 1/5000 克拉 carat
mass kg 1 公斤 千克 kg ㎏ kilo kilogram kilogramme
mass g 1/1000 克 g gram gramme
mass mg 1/1000000 毫克 mg milligram
mass μg 1/1000000000 微克 μg mcg microgram
mass t 1000 吨 公吨 t ton tonne metric_ton
mass jin 1/2 斤 市斤
mass liang 1/20 两
mass lb 0.45359237 磅 lb lbs
mass oz 0.028349523125 盎司 oz ounce
area m2 1 平方米 平米 平方 m2 m² ㎡ sq_m square_metre square_meter
area km2 1000000 平方公里 平方千米 km2 km² sq_km square_kilometre square_kilometer
area ha 10000 公顷 ha hectare
area mu 2000/3 亩
area ac 4046.8564224 英亩 acre
area mi2 2589988.110336 平方英里 sq_mi square_mile
area ft2 0.09290304 平方英尺 sq_ft square_foot square_feet
volume m3 1 立方米 m3 m³ cubic_metre cubic_meter
volume L 1/1000 升 公升 L l litre liter
volume mL 1/1000000 毫升 mL ml millilitre milliliter
volume gal 0.003785411784 加仑 gal gallon
volume bbl 0.158987294928 桶 bbl barrel
volume ft3 0.028316846592 立方英尺 cubic_foot cubic_feet
length/time m/s 1 米/秒 米每秒 m/s metres_per_second meters_per_second
length/time km/h 5/18 公里/小时 千米/小时 公里每小时 千米每小时 km/h kph kmh kilometres_per_hour kilometers_per_hour
length/time mph 0.44704 英里/小时 英里每小时 mph miles_per_hour
length/time kn 463/900 节 kn knot
time s 1 秒 秒钟 s sec second
time min 60 分钟 min minute
time h 3600 小时 个小时 钟头 个钟头 h hr hour
time day 86400 天 day
time week 604800 周 星期 个星期 week
calendar month 1 个月 month
calendar quarter 3 个季度 quarter
calendar year 12 年 周年 year yr
- 日 0 日 号
- 月 0 月 月份
calendar decade 120 decade
power W 1 瓦 W watt
power kW 1000 千瓦 kW kilowatt
power MW 1000000 兆瓦 MW megawatt
power GW 1000000000 吉瓦 GW gigawatt
bits/time kbit/s 1000 kbps Kbps
bits/time Mbit/s 1000000 Mbps mbps
bits/time Gbit/s 1000000000 Gbps gbps
data/time MB/s 1000000 MBps
data/time GB/s 1000000000 GBps
energy J 1/3600000 焦耳 J joule
voltage V 1 伏 伏特 V volt
current A 1 安培 A ampere amp
force N 1 牛顿 N newton
flux_density T 1 特斯拉 T tesla
amount mol 1 摩尔 mol mole
- lx 0 勒克斯 lx lux
- lm 0 流明 lm lumen
- mmHg 0 毫米汞柱 mmHg
- VA 0 VA
- Sv 0 Sv sievert
power hp 0 马力 hp horsepower
energy Wh 1/1000 瓦时 Wh watt-hour
energy kWh 1 千瓦时 kWh kilowatt-hour
energy MWh 1000 兆瓦时 MWh megawatt-hour
energy GWh 1000000 吉瓦时 GWh gigawatt-hour
energy kcal 0 千卡 大卡 kcal kilocalorie
energy cal 0 卡路里 calorie
pressure Pa 1 帕 Pa
pressure hPa 100 百帕 hPa hectopascal
pressure kPa 1000 千帕 kPa
pressure mbar 100 毫巴 mbar millibar
pressure bar 100000 bar
data kB 1000 千字节 KB kB kilobyte
data MB 1000000 兆字节 MB megabyte
data GB 1000000000 GB gb gigabyte
data TB 1000000000000 TB terabyte
bits bit 1 比特 bit
bits kbit 1000 千比特 Kb kb kilobit
bits Mbit 1000000 兆比特 Mb mb megabit
bits Gbit 1000000000 Gb gigabit
frequency Hz 1 赫兹 Hz hertz
frequency kHz 1000 千赫 kHz kilohertz
frequency MHz 1000000 兆赫 MHz mhz megahertz
frequency GHz 1000000000 吉赫 GHz gigahertz
temperature °C 0 ℃ °C 摄氏度 度C C celsius celcius centigrade degree_celsius degree_centigrade degree_c deg_c °_c
temperature °F 0 ℉ °F 华氏度 度F F fahrenheit farenheit degree_fahrenheit degree_farenheit degree_f deg_f °_f
angle ° 0 度 ° degree deg
angle rad 0 弧度 rad radian
- dB 0 分贝 dB decibel
- ppm 0 ppm
- times 0 倍 x times fold
- level 0 级
- point 0 分 点 point pt
- age 0 岁 周岁 year_old years_old year_of_age years_of_age yo
- person 0 人 名 位 个人 person people
- visit 0 人次
- household 0 户 household
- turn 0 turn
"""
_PREFIXES = {
    "p": ("1/1000000000000", "pico", "皮"), "n": ("1/1000000000", "nano", "纳"), "μ": ("1/1000000", "micro", "微"),
    "m": ("1/1000", "milli", "毫"), "c": ("1/100", "centi", ""), "d": ("1/10", "deci", ""), "h": ("100", "hecto", ""),
    "k": ("1000", "kilo", "千"), "M": ("1000000", "mega", "兆"), "G": ("1000000000", "giga", ""),
    "T": ("1000000000000", "tera", ""),
}  # fmt: skip
_PREFIXED = """
m pmM metre meter
g pnMGT gram gramme
L nμcdhM litre liter
s nμm second
W nμmT watt
Hz mT hertz
Pa mMG pascal
bar k bar
Wh mT
J mkMGT joule
V nμmkM volt
A nμmk ampere
N mkM newton
T nμm tesla
mol nμmk mole
Sv nμm sievert
"""
"""Units with the SI prefixes that the table above leaves out. In symbols case tells them apart: mW and MW."""
_PERCENTS = """
% % percent per_cent pct percentage
pp 个百分点 百分点 percentage_point percent_point
‰ ‰
bp 个基点 基点 bp bps basis_point
"""
_CLASSIFIERS = """
个 家 次 台 辆 架 艘 部 本 篇 条 件 项 场 届 座 所 种 类 股 层 楼 步 瓶 份 张 只 头 匹 棵 株 枚 颗 支 句 页 章 期 轮 球
局 胜 负 平 票 套 间 栋 幢 首 片 滴 杯 碗 盒 箱 袋 包 批 起 宗 笔 例 处 轮次 车次 架次 金 银 铜 款 幅 双 对 副 组 记 板
"""
def _table() -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    for line in _MEASURES.split("\n"):
        if line:
            dimension, id, factor, *names = line.split()
            units |= dict.fromkeys(names, Unit(id, "number", dimension, Fraction(factor)))
    for line in _PREFIXED.strip().split("\n"):
        base, prefixes, *words = line.split()
        for prefix in prefixes:
            size, latin, han = _PREFIXES[prefix]
            names = [prefix + base, *(latin + word for word in words)]
            names += [han + name for name, unit in units.items() if han and unit.id == base and len(name) < 3 and not name.isascii()]
            unit = units[base]
            scaled = Unit(prefix + base, unit.kind, unit.dimension, unit.factor * Fraction(size))
            units = dict.fromkeys(names, scaled) | units
    for kind, table in (("percent", _PERCENTS), ("money", CURRENCIES)):
        for line in table.strip().split("\n"):
            id, *names = line.split()
            units |= dict.fromkeys(names, Unit(id, "percent" if kind == "percent" else "money", "", Fraction(0)))
    units |= {name: Unit(name, "number", "count", Fraction(0)) for name in _CLASSIFIERS.split()}
    return {name.replace("_", " "): unit for name, unit in units.items()}


UNITS = _table()
"""Every unit by each of its names."""
BY_ID = {unit.id: unit for unit in UNITS.values()}
BY_ID |= {id: Unit(id, "money", "", Fraction(0)) for id in SYMBOLS.values() if id not in BY_ID}


def _folded() -> dict[str, Unit]:
    """The units whose names mean the same in whichever case."""
    ids: dict[str, set[str]] = {}
    for name, unit in UNITS.items():
        ids.setdefault(name.lower(), set()).add(unit.id)
    return {name.lower(): unit for name, unit in UNITS.items() if len(name) > 1 and len(ids[name.lower()]) == 1}


_FOLDED = _folded()
_CASED = frozenset(name.lower() for name in UNITS if name.isascii() and 1 < len(name) < 5) - _FOLDED.keys()
_WORDS_TOO = frozenset("bam bob gel mad pen cop sar ron all top try php ars".split())
"""Codes that are English words too; they are read in capitals only."""
_LONGEST = max(len(name) for name in UNITS if not name.isascii())
_SIGN_AFTER = re.compile(r"[ ]?(\$|€|£|¥|₩|₹|₽|฿|₿|₺|₫|₱|₦|₴|₪|¢|₡|₾|₭)(?![0-9]|[ ][0-9][0-9.,]*(?![0-9.,]|[ ]?\$))")
_PIECE = re.compile("[金银铜奖石土地田屏木布面肉砖玉电]")  # 块 of these is a classifier, like 枚, and no yuan
_TWO_OF = tuple("百千万亿个")  # 两 before these is the number two
_SPACED_POINTS = re.compile(r" {0,4}个? ?百 ?分 ?点")
_SPACED_PERCENT = re.compile(r" {1,2}%")
_SYMBOL = re.compile("[pnμmcdk][A-Z][a-z]{0,2}")  # kDa, mEq: as it is written
_LATIN = re.compile(
    r"(?P<gap> {0,2}|[ ]?-[ ]?)(?P<first>[A-Za-zμ.]+[²³23]?(?:/[A-Za-zμ]+)?[²³23]?|°[ ]?[A-Za-z]?)"
    r"(?:(?P<gap2>[ -])(?P<second>[A-Za-z]+))?(?:[ -](?P<third>[A-Za-z]+))?"
)


def over(above: Unit, below: Unit) -> Unit:
    """One unit by another: km/h, MB/s, kg/m3."""
    id = f"{above.id}/{below.id}"
    converts = above.factor and below.factor
    size = above.factor / below.factor if converts else Fraction(0)
    return BY_ID.get(id) or Unit(id, above.kind, f"{above.dimension}/{below.dimension}" if converts else "", size)


def unit_of(id: str) -> Unit:
    """A unit by its id, also one that no table has and that stands as it was written."""
    if id in BY_ID:
        return BY_ID[id]
    above, _, below = id.partition("/")
    if above in BY_ID and below in BY_ID:
        return over(BY_ID[above], BY_ID[below])
    return Unit(id, "number", "", Fraction(0))


def read_unit(text: str, at: int) -> tuple[Unit, int] | None:
    """The unit that follows the amount ending at `at` in folded text, and where it ends."""
    if at >= len(text):
        return None
    start = at + 1 if text[at] == " " and at + 1 < len(text) and not text[at + 1].isascii() else at
    if points := _SPACED_POINTS.match(text, at):
        return UNITS["百分点"], points.end()
    if not text[start].isascii() or text[start] in "%":
        for size in range(min(_LONGEST, len(text) - start), 0, -1):
            unit = UNITS.get(text[start : start + size])
            if unit is not None and text[start : start + size] == "块" and _PIECE.match(text, start + 1):
                return UNITS["枚"], start + 1
            if unit is not None and not (unit.id == "liang" and text[start + size : start + size + 1] in _TWO_OF):
                return unit, start + size
    sign = _SIGN_AFTER.match(text, at)
    if sign:
        return BY_ID[SYMBOLS[sign[1]]], sign.end()
    percent = _SPACED_PERCENT.match(text, at)
    if percent:
        return UNITS["%"], percent.end()
    return _read_latin(text, at)


def _read_latin(text: str, at: int) -> tuple[Unit, int] | None:
    match = _LATIN.match(text, at)
    if match is None:
        return None
    words = [match["first"]]
    words += [match[name].lower() for name in ("second", "third") if match[name]]
    for count in range(len(words), 0, -1):
        unit = _by_name(" ".join(words[:count]), attached=not match["gap"])
        if unit is not None:
            end = match.end(("first", "second", "third")[count - 1])
            return (unit, end) if end == len(text) or not text[end].isdigit() else None
    if _SYMBOL.fullmatch(words[0]) and "-" not in match["gap"]:
        return Unit(words[0], "number", "", Fraction(0)), match.end("first")
    return None


def _by_name(name: str, attached: bool) -> Unit | None:
    """A unit by its Latin name; one letter only as written, and a capital one only right behind the digits."""
    name = name.rstrip(".")
    if name == "FT" or (name.lower() in _WORDS_TOO and not name.isupper()):
        return None  # FT: free throws
    if len(name) == 1:
        return UNITS.get(name) if attached or name in "mghstTVJLW°" else None
    lower = name.lower()
    if unit := UNITS.get(name):
        return unit
    if "/" in name:
        above, below = (_by_name(part, attached=True) for part in name.split("/", 1))
        if above and below and above.dimension != "count":
            return over(above, below)
        return Unit(name, "number", "", Fraction(0)) if above else None
    if lower in _CASED:
        return Unit(name, "number", "", Fraction(0))  # MG, mw: milli or mega, so equal to itself only
    first, _, rest = lower.partition(" ")
    forms = (lower, lower.removesuffix("s"), f"{first.removesuffix('s')} {rest}", lower.replace("-", " "))
    return next((_FOLDED[form] for form in forms if form in _FOLDED), None)
