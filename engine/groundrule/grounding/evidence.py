"""Evidence made ready for grounding: each item is read once, however many answers are checked against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from functools import cached_property

from ..facts import Evidence
from .links import canonical_or_none
from .numbers import Number
from .passages import Passage
from .times import TimeReading, time_reading
from .worded import Worded

Interval = tuple[datetime, datetime]


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
        _ = (self.numbers, self.worded, self.names, self.quotable, self.units, self.by_label, self._by_value, self.times)

    @cached_property
    def times(self) -> TimeReading:
        """The time expressions of the text."""
        return time_reading(self.text, self._base, self._zone)

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
    """Evidence that has been read. `items`: those that may ground; `ids`: of all; `by_url`: ids by canonical address."""

    items: tuple[Item, ...]
    ids: frozenset[str]
    by_url: Mapping[str, tuple[str, ...]]


def prepare(evidence: Sequence[Evidence], now: datetime, zone: str) -> Prepared:
    """Makes evidence ready. Generated text and items without an http(s) address never ground.

    now, zone: for time expressions of items that bear no date of their own; `zone` is an IANA name.
    """
    items = tuple(Item(item, now, zone) for item in evidence if not item.generated)
    items = tuple(item for item in items if item.url is not None)
    by_url: dict[str, tuple[str, ...]] = {}
    for item in items:
        by_url[item.url or ""] = (*by_url.get(item.url or "", ()), item.id)
    return Prepared(items, frozenset(item.id for item in evidence), by_url)
