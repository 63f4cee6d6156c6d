"""The places of a question that asks about several of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from .gazetteer import countries
from .places import ZH_NO_PLACE, Place
from .script import HAN

_AND = re.compile(
    r"[,，、;；/&]|\b(?:and|or|vs\.?|versus|than|with|to|plus)\b|和|与|跟|及|还有|或|还是|比|到",
    re.IGNORECASE | re.ASCII,
)
_AND_ZH = r"\s?(?:和|与|跟|以?及|、)\s?"
_NAME_EN = r"(?P<name>[A-Z][A-Za-z'-]+(?: [A-Z][A-Za-z'-]+){0,2})"
_BESIDE = (
    re.compile(
        rf"(?<=@){_AND_ZH}(?!气温|湿度|降水|空气|风)(?P<name>[{HAN}]{{2,5}}?)"
        r"(?=的|市|县|镇|天气|气温|\s|哪|谁|冷|热|下|会|$)"
    ),
    re.compile(rf"(?:^|[\s，。])(?P<name>[{HAN}]{{2,4}}){_AND_ZH}(?=@)"),
    re.compile(rf"(?<=@),? (?:and|or|&) {_NAME_EN}", re.ASCII),
    re.compile(rf"(?:^|\b(?:in|for|at|of|is|Is) ){_NAME_EN},? (?:and|or|&) (?=@)", re.ASCII),
)
"""A name that a word for `and` joins to a known place, which is written as `@` of its length."""


def listed_places(text: str, places: Sequence[Place]) -> tuple[str, ...]:
    """The places of a question about several, each once: 广州和深圳, `Oslo and Bergen`, 广州天气 深圳天气.

    text: the plain question with its times blanked. places: the known ones in it; one that no table knows counts right
    beside one of them (广州和婺源). Empty if there is only one, or one within the other: 广东广州, `Paris, France`.
    """
    apart = [right for left, right in pairwise(places) if _listed(text, left, right)]
    known = {place.key: place for place in reversed([*places[:1], *apart])}
    found = sorted([*((place.start, place.name) for place in known.values()), *_unknown(text, places)])
    names = tuple(dict.fromkeys(name for _, name in found))
    return names if len(names) > 1 else ()


def _listed(text: str, left: Place, right: Place) -> bool:
    """Whether two neighbours are two things asked about."""
    between = text[left.end : right.start]
    if between.strip() in (",", "，") and right.key in countries():
        return False
    chinese = re.search(f"[{HAN}]", left.name) is not None
    return _AND.search(between) is not None or (chinese and re.search(r"天气|气温|\s", between) is not None)


def _unknown(text: str, places: Sequence[Place]) -> list[tuple[int, str]]:
    """The names that no table knows beside known places, with their positions."""
    marked = list(text)
    for place in places:
        marked[place.start : place.end] = "@" * (place.end - place.start)
    matches = [match for pattern in _BESIDE for match in pattern.finditer("".join(marked))]
    return [(match.start("name"), match.group("name")) for match in matches if match.group("name") not in ZH_NO_PLACE]
