"""Elements that stand side by side → one chain."""

from __future__ import annotations

from collections.abc import Callable

from .chains import Chain, Field, Found, add
from .clocks import clock
from .days import day_element, fraction_element, month_element
from .kinds import K
from .line import Line
from .periods import RANK, Period, Refused
from .relatives import named_element, relative_element
from .weeks import part_element, week_element
from .years import year_element

Element = Callable[[Line, int, Chain], Found | None]
_ELEMENTS: dict[K, tuple[Element, ...]] = {
    K.NUM: (month_element, day_element, year_element, part_element),
    K.ORD: (month_element, week_element, day_element, year_element),
    K.THE: (month_element, week_element, day_element),
    K.REL: (week_element, relative_element),
    K.UNIT: (week_element, year_element, part_element, relative_element),
    K.PAST: (relative_element,),
    K.MONTH: (month_element,),
    K.FRACTION: (fraction_element,),
    **dict.fromkeys((K.DECADE, K.SHORT_YEAR, K.ERA), (year_element,)),
    K.PERIOD: (year_element, named_element),
    **dict.fromkeys((K.DATE, K.YEAR_MONTH, K.DAY, K.DAY_PART, K.DAYS), (named_element,)),
    **dict.fromkeys((K.DI, K.AGO, K.FINAL), (week_element,)),
    **dict.fromkeys((K.QUARTER, K.HALF, K.THIRD, K.EDGE, K.EDGE_OF, K.HOLIDAY, K.WEEKDAY, K.PART), (part_element,)),
    K.MERIDIEM: (part_element,),
}
"""Which readers can begin at which kind of token, the surest first."""
_CLOCKS = frozenset({K.CLOCK, K.NUM, K.HALF_AN, K.ARTICLE, K.UNIT})
_JOINTS = (K.OF, K.THE, K.COMMA, K.ON, K.AT, K.IN, K.ABOUT)


def chain_at(
    line: Line, index: int, *, bare: bool = False, dated: bool = False, article: bool = False
) -> tuple[Chain, int] | None:
    """The longest chain that begins at a token, and the index after it. Raises Refused for an impossible date.

    bare: a lone number may be an hour, since `at` stands before it. dated: 3点 is an hour, since a date does.
    article: `the` may stand before the end of a period or a year.
    """
    kind = line.at(index).kind
    if kind not in _ELEMENTS and kind not in _CLOCKS:
        return None
    # What makes no difference makes no second chain.
    article = article and kind is K.THE
    dated = dated and (kind in (K.THE, K.EDGE) or (kind is K.NUM and line.is_(index + 1, K.DIAN, K.SHI)))
    key = (index, bare, dated, article)
    if key not in line.known:
        try:
            line.known[key] = _chain(line, index, bare=bare, dated=dated, article=article)
        except Refused as refusal:
            line.known[key] = str(refusal)
    found = line.known[key]
    if isinstance(found, str):
        raise Refused(found)
    return found if isinstance(found, tuple) else None


def _chain(line: Line, index: int, *, bare: bool, dated: bool, article: bool) -> tuple[Chain, int] | None:
    chain, after = Chain(), index
    edge: str | None = None
    if article and line.at(index).kind is K.THE and line.is_(index + 1, K.EDGE, K.UNIT):
        index, after = index + 1, index + 1
    if line.at(index).kind is K.EDGE and line.at(index).raw.isascii() and not line.is_(index + 1, K.PART):
        edge, after = str(line.at(index).value), index + 1
        if line.at(index).raw.lower() in ("start", "end") and line.is_(after, K.IN):
            return None  # the talks end in 2026
        while line.is_(after, K.OF, K.THE, K.IN, K.DASH) and after - index < 4:
            after += 1
        if not line.at(after).joined:
            return None
    first = True
    while (grown := _grow(line, chain, after, bare=bare, first=first, dated=dated and first)) is not None:
        chain, after = grown
        first = False
        if edge is not None and (merged := add(chain, None, (Field("edge", word=edge),))) is not None:
            chain, edge = merged, None
    if edge is not None or (chain.top is None and not chain.fields) or not chain.unit:
        return None
    return chain, after


def _grow(line: Line, chain: Chain, index: int, *, bare: bool, first: bool, dated: bool) -> tuple[Chain, int] | None:
    start, at = (index, False) if first else _joints(line, index)
    if not first and not line.at(start).joined:
        return None
    dated = dated or (not first and chain.unit in ("day", "part"))
    kind = line.at(start).kind
    if (
        kind in _CLOCKS
        and (told := clock(line, start, bare=bare or (at and dated and not first), dated=dated)) is not None
    ):
        made = add(chain, None, (Field("clock", clock=told[0]),))
        if made is not None and _sensible(line, chain, made, index, start, None):
            return made, told[1]
    for element in _ELEMENTS.get(kind, ()):
        found = element(line, start, chain)
        if found is None:
            continue
        made = add(chain, found[0], found[1])
        if made is not None and _sensible(line, chain, made, index, start, found[0]):
            return made, found[2]
    return None


def _joints(line: Line, index: int) -> tuple[int, bool]:
    """Skips the small words between two elements: of, the, on, at, 的, a comma. Second: whether `at` was among them."""
    at = False
    start = index
    if line.is_(index, K.DASH) and line.glued(index) and line.is_(index + 1, K.QUARTER, K.HALF):
        return index + 1, False
    while index - start < 3 and line.is_(index, *_JOINTS):
        at = at or line.at(index).kind in (K.AT, K.ABOUT)
        index += 1
    return index, at


def _sensible(line: Line, old: Chain, made: Chain, index: int, start: int, top: Period | None) -> bool:
    """Whether two elements with small words between them belong together."""
    between = {line.at(place).kind for place in range(index, start)}
    if made.same != old.same and between:
        return K.COMMA in between and line.at(index).raw == "("
    if K.COMMA in between:
        # Across a comma only a year, a weekday or its date follows: Dec 31, 1994; 10月12号，星期一; Friday, April 17.
        if line.at(start).kind in (K.MONTH, K.DATE) and old.has("clock") and old.unit == "clock":
            return True  # 5 pm, January 1st
        yearly = top is not None and top.unit == "year" and not old.has("part", "clock")
        return yearly or made.weekday is not None or (old.has("weekday") and made.has("month"))
    if K.IN in between:
        larger = made.top is not None and old.top is None and RANK.get(made.top.unit, 0) >= RANK["month"]
        placed = made.has("month") and old.has("nth", "span", "week", "half month") and not old.has("month")
        return larger or placed or (made.has("part") and not old.has("part"))
    return True
