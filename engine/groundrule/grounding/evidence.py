"""Evidence made ready for grounding: each item is read once, however many answers are checked against it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction
from functools import cached_property

from ..facts import Evidence
from .comparisons import Comparison, read_comparisons
from .entities import Entity, initials, read_entities
from .links import canonical_or_none
from .numbers import Number
from .passages import Passage
from .times import TimeReading, time_reading
from .worded import Worded

Interval = tuple[datetime, datetime]
_LATIN_WORD = re.compile("[a-z0-9]+")
_DEMONYM = re.compile("(?<=[a-z]{4})(?:ians?|ans?|ese|ish|[ays])$")
_HAN = re.compile("[\u3400-\u9fff]")
_LATIN = re.compile("[A-Za-z]{2}")


class Item(Passage):
    """An item that may ground: its title, text and label as one passage, and the dates that it states or bears."""

    def __init__(self, evidence: Evidence, now: datetime, zone: str) -> None:
        super().__init__("\n".join(filter(None, (evidence.title, evidence.snippet, evidence.source_label))))
        self.id = evidence.id
        self.url = canonical_or_none(evidence.target_url or "")
        self.retrieved_at = evidence.retrieved_at
        self._evidence = evidence
        self._zone = zone
        # `3 hours ago` on a page counts from its own date; ours is the next best guess.
        self._base = evidence.dated_at or evidence.retrieved_at or now

    def read_all(self) -> None:
        """Reads at once what is otherwise read on first use."""
        _ = (self.numbers, self.worded, self.names, self.quotable, self.units, self.by_label, self._counts, self.times)
        _ = (self.comparisons, self.named, self.initials)

    @cached_property
    def times(self) -> TimeReading:
        """The time expressions of the text."""
        return time_reading(self.text, self._base, self._zone)

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """The superlatives and comparisons in the text; of those that compare alike the first."""
        first = {replace(found, start=0, end=0): found for found in reversed(read_comparisons(self.folded))}
        return tuple(first.values())

    @cached_property
    def named(self) -> frozenset[str]:
        """The Latin words of the text, lower case, and their stems: americ of America and American."""
        words = set(_LATIN_WORD.findall(self.folded.lower()))
        return frozenset(words | {_DEMONYM.sub("", word) for word in words})

    @cached_property
    def initials(self) -> frozenset[str]:
        """The initials of the names of several words, lower case."""
        return frozenset(initials(self.folded[each.start : each.end]) for each in read_entities(self.folded))

    def names_entity(self, entity: Entity) -> bool:
        """Whether the text has the name, all its words, or a name with these initials."""
        if entity.key in self.quotable or entity.key in self.initials:
            return True
        return bool(entity.words) and all(word in self.named or _DEMONYM.sub("", word) in self.named for word in entity.words)

    @cached_property
    def dated(self) -> Interval | None:
        """When the content is from: from its date on, as long as that date is wide."""
        at = self._evidence.dated_at
        if at is None:
            return None
        return at, at + max(self._evidence.dated_resolution or timedelta(0), timedelta(0))

    @cached_property
    def valid(self) -> Interval | None:
        """What a forecast covers."""
        begin, until = self._evidence.valid_from, self._evidence.valid_to
        return (begin, until) if begin is not None and until is not None and begin < until else None


@dataclass(frozen=True, slots=True)
class Stated:
    """What an item states: its words, and the number, numeral in words or time that they give."""

    item: Item
    text: str
    value: Fraction | Interval | Worded
    unit: str = ""


def stated(item: Item, found: Number | Worded) -> Stated:
    """A number of an item as that item states it."""
    value = found.value if isinstance(found, Number) else found
    return Stated(item, item.text[found.start : found.end], value, found.unit)


@dataclass(frozen=True, slots=True)
class Prepared:
    """Evidence that has been read. `items`: those that may ground; `ids`: of all; `by_url`: ids by canonical address.

    latin, chinese: whether any of the items is written in that script, so that a name in it can be looked up.
    """

    items: tuple[Item, ...]
    ids: frozenset[str]
    by_url: Mapping[str, tuple[str, ...]]
    latin: bool = True
    chinese: bool = True


def prepare(evidence: Sequence[Evidence], now: datetime, zone: str) -> Prepared:
    """Makes evidence ready. Generated text and items without an http(s) address never ground.

    now, zone: for time expressions of items that bear no date of their own; `zone` is an IANA name.
    """
    items = tuple(Item(item, now, zone) for item in evidence if not item.generated)
    items = tuple(item for item in items if item.url is not None)
    by_url: dict[str, tuple[str, ...]] = {}
    for item in items:
        by_url[item.url or ""] = (*by_url.get(item.url or "", ()), item.id)
    scripts = [_script(item.text) for item in items]
    return Prepared(
        items,
        frozenset(item.id for item in evidence),
        by_url,
        "latin" in scripts or not items,
        "chinese" in scripts or not items,
    )


def _script(text: str) -> str:
    """What most of a text is written in; of two pairs of Latin letters to a Chinese character, it is Chinese."""
    return "chinese" if len(_HAN.findall(text)) * 2 >= len(_LATIN.findall(text)) else "latin"
