"""Names of people, places, organisations and works, as far as their form alone shows that they are names.

In Latin script: two capitalised words or more, one within a sentence, words of capitals. In Chinese: 《titles》 and
organisations that end in a word such as 公司 or 大学. Other Chinese names look like any other word and are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .quotes import quote_key


@dataclass(frozen=True, slots=True)
class Entity:
    """A name in a text. `key` is how it is compared; `words`: its Latin words of three letters or more, lower case."""

    start: int
    end: int
    key: str
    words: frozenset[str]


_CAPITALISED = r"[A-Z][a-z]+(?:[A-Z][a-z]+)*(?:['-][A-Z]?[a-z]+)*|[A-Z]{2,}(?:[&-][A-Z]+)*|[A-Z]\.(?=[ ]?[A-Z])"
_LATIN = re.compile(
    rf"(?<![A-Za-z0-9_@./\\-])(?:{_CAPITALISED})(?:(?: | of | of the | de | & |-)(?:{_CAPITALISED}))*(?![A-Za-z0-9_@])"
)
_TITLE = re.compile(r"《(?P<title>[^《》\n]{1,40})》")
_KIND = "公司|集团|大学|银行|医院|研究院|研究所|委员会|协会|法院"
_ORGANISATION = re.compile(f"(?<=[\u4e00-\u9fff]{{2}})(?:{_KIND})(?![\u4e00-\u9fff]?[们里内])")
# What comes before 公司 and its like where they name no one.
_COMMON = re.compile(
    "(?:上市|股份|有限|责任|航空|科技|保险|控股|分|子|母|总|该|本|此|这家|那家|一家|两家|[家个所名些]|大型|外国|外资|国有|民营|私营"
    "|互联网|跨国|商业|投资|证券|基金|物流|快递|游戏|软件|电力|石油|能源|汽车|制药|医药|建筑|多所|各|其|我|的|和|与|及|或|等|在|为|是|大|小)$"
)
_OPENING = re.compile(r"(?:^|[.!?:;\n\"“”(（。！？：；—*#>|•\ufffc\]-])[ ]*$")
_NO_NAMES = frozenset(
    "a an the this that these those it its he she they we i you in on at by for from with as of to and or but nor so yet if "
    "when while where who what which why how after before since until during although though because however also both each "
    "every all some any no not there here then than thus therefore meanwhile moreover overall according source sources sample "
    "data live note notes yes total today tomorrow yesterday now more most other another such only one two three four five six "
    "seven eight nine ten first second third per his her their our your my is are was were be been has have had do does did can "
    "could will would may might must should let see get about above below under over between among near "
    "january february march april june july august september october november december jan feb mar apr jun jul aug sep sept oct "
    "nov dec monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun "
    "am pm utc gmt bst est edt pst cst tv ok ceo cfo cto gdp cpi vs nr mr mrs ms dr prof st kg km cm mm mb gb tb kb mph "
    "usd eur gbp cny rmb jpy hkd bc ad id url http https q h ytd yoy eps ipo faq api pdf "
    "cloudy sunny rain rainy snow wind windy overcast clear fog showers".split()
)
"""Words that are capitalised for other reasons, or stand for no one."""


def read_entities(text: str) -> list[Entity]:
    """The names of a folded text in order, none inside another. Never raises."""
    kept: list[Entity] = []
    for each in sorted((*_latin(text), *_chinese(text)), key=lambda each: (each.start, -each.end)):
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
    return kept


def _latin(text: str) -> Iterator[Entity]:
    for match in _LATIN.finditer(text):
        start, words = match.start(), match[0].split(" ")
        if len(words) == 1 and not words[0].isupper() and _OPENING.search(text[max(0, start - 4) : start]):
            continue  # the first word of a sentence is capitalised anyway
        while words and words[0].lower().strip(".") in _NO_NAMES:
            start += len(words.pop(0)) + 1
        while words and (words[-1].lower().strip(".") in _NO_NAMES or not words[-1][:1].isupper()):
            words.pop()
        name = " ".join(words)
        if len(name) > 2 or (len(name) == 2 and name.isupper()):
            yield _entity(start, start + len(name), name)


def _chinese(text: str) -> Iterator[Entity]:
    for match in _TITLE.finditer(text):
        yield _entity(match.start(), match.end(), match["title"])
    for match in _ORGANISATION.finditer(text):
        if not _COMMON.search(text[max(0, match.start() - 8) : match.start()]):
            yield _entity(match.start() - 2, match.end(), text[match.start() - 2 : match.end()])


def _entity(start: int, end: int, name: str) -> Entity:
    words = frozenset(word for word in re.findall("[a-z0-9]+", name.lower()) if len(word) > 2)
    return Entity(start, end, quote_key(name), words)


def initials(name: str) -> str:
    """The first letters of a name of several words, lower case: `World Health Organization` gives `who`."""
    return "".join(word[0] for word in re.findall(r"[A-Z][A-Za-z]*", name)).lower()
