"""Checked contracts: what the checker hands to interpreter and compiler."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from ..diagnostics import Span
from .syntax import Node
from .types import Type

Version = tuple[int, int, int]


@dataclass(frozen=True)
class Period:
    """When something is in force: from `start` (or always) until just before `until` (or for ever).

    warn_before: how long before `start` its violations are warnings already.
    """

    start: datetime | None = None
    until: datetime | None = None
    warn_before: timedelta = timedelta(0)

    def holds(self, as_of: datetime) -> bool:
        """Whether it is in force."""
        return (self.start is None or self.start <= as_of) and (self.until is None or as_of < self.until)

    def warns(self, as_of: datetime) -> bool:
        """Whether it is not yet in force but warns."""
        return self.start is not None and self.warn_from is not None and self.warn_from <= as_of < self.start

    @property
    def warn_from(self) -> datetime | None:
        """The first instant of the warning window, or None if there is none."""
        if self.start is None or not self.warn_before:
            return None
        try:
            return self.start - self.warn_before
        except OverflowError:
            return datetime.min.replace(tzinfo=self.start.tzinfo)

    def instants(self) -> tuple[datetime, ...]:
        """The instants at which its state changes."""
        return tuple(at for at in (self.warn_from, self.start, self.until) if at is not None)


ALWAYS = Period()


@dataclass(frozen=True)
class Dated:
    """A value of `params` with its dates, oldest first; the first has no start. Undated values have one entry."""

    entries: tuple[tuple[Any, Period], ...]

    def at(self, as_of: datetime) -> Any:
        """The value in force."""
        value = self.entries[0][0]
        for entry, period in self.entries:
            if period.start is None or period.start <= as_of:
                value = entry
        return value

    def coming(self, as_of: datetime) -> Any:
        """The value whose warning window is open, else the one in force."""
        for entry, period in self.entries:
            if period.warns(as_of):
                return entry
        return self.at(as_of)


@dataclass(frozen=True)
class Params:
    """The tree of `params` (or of `params.yaml`): leaves are Dated, inner nodes are mappings and tuples.

    type: the record type that expressions see. places: where the names stand, for faults; no part of the meaning.
    """

    tree: Mapping[str, Any]
    type: Type
    places: Mapping[str, Span] = field(default_factory=dict, compare=False, repr=False)

    def at(self, as_of: datetime, coming: bool = False) -> Mapping[str, Any]:
        """The values in force; with `coming`, those whose warning window is open in their place."""
        return {name: _settle(value, as_of, coming) for name, value in self.tree.items()}

    def dated(self) -> tuple[Dated, ...]:
        """Every leaf."""
        return tuple(leaves(self.tree))


def _settle(value: Any, as_of: datetime, coming: bool) -> Any:
    if isinstance(value, Dated):
        return value.coming(as_of) if coming else value.at(as_of)
    if isinstance(value, Mapping):
        return {name: _settle(inner, as_of, coming) for name, inner in value.items()}
    if isinstance(value, tuple):
        return tuple(_settle(inner, as_of, coming) for inner in value)
    return value


def leaves(value: Any) -> list[Dated]:
    """Every leaf of a part of such a tree."""
    if isinstance(value, Dated):
        return [value]
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple) else ()
    return [leaf for part in inner for leaf in leaves(part)]


@dataclass(frozen=True)
class Template:
    """A message in one language: literal text and expressions in turn."""

    parts: tuple[str | Node, ...]


@dataclass(frozen=True)
class Each:
    """`each: LIST as NAME`. path: LIST as the author wrote it, the stem of `at`."""

    name: str
    over: Node
    path: str


@dataclass(frozen=True)
class Let:
    """A named expression. items: the `each` names that it reads, itself or through other lets and choices."""

    name: str
    body: Node
    items: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Rule:
    """A check.

    contract, version: where it stands. kind: `require` or `forbid`. when: the conditions of contract and rule, all of
    which must not be false. effect: as written. oblige: obligation name to value.
    """

    id: str
    contract: str
    version: str
    kind: str
    condition: Node
    when: tuple[Node, ...]
    each: Each | None
    effect: str
    reply: str
    message: Mapping[str, Template]
    options: Node | None
    oblige: Mapping[str, Node]
    effective: Period
    place: Span
    why: Mapping[str, str] | str | None = None
    refs: tuple[str, ...] = ()

    @cached_property
    def plain_message(self) -> dict[str, str] | None:
        """The message by language if no expression stands in it."""
        texts = {language: _joined(template) for language, template in self.message.items()}
        plain = {language: text for language, text in texts.items() if text is not None}
        return plain if len(plain) == len(texts) else None


def _joined(template: Template) -> str | None:
    texts = [part for part in template.parts if isinstance(part, str)]
    return "".join(texts) if len(texts) == len(template.parts) else None


@dataclass(frozen=True)
class Row:
    """A row of a choice."""

    when: Node
    value: Node


@dataclass(frozen=True)
class Choice:
    """A first-match table that hands back a value under `name`."""

    id: str
    name: str
    contract: str
    version: str
    when: tuple[Node, ...]
    each: Each | None
    rows: tuple[Row, ...]
    otherwise: Node
    type: Type
    place: Span


@dataclass(frozen=True)
class Contract:
    """One checked contract file."""

    name: str
    version: str
    gate: str
    when: Node | None
    params: Params
    lets: Mapping[str, Let]
    rules: tuple[Rule, ...]
    choices: tuple[Choice, ...]
    effective: Period
    place: Span
    summary: Mapping[str, str] = field(default_factory=dict)
    owners: tuple[str, ...] = ()

    @property
    def number(self) -> Version:
        """The version for ordering; pre-release parts are not allowed in contract versions."""
        major, minor, patch = (int(part) for part in self.version.split("."))
        return major, minor, patch

    def expressions(self) -> Iterator[Node]:
        """Every expression of the file."""
        if self.when is not None:
            yield self.when
        for let in self.lets.values():
            yield let.body
        for rule in self.rules:
            yield from (rule.condition, *rule.when, *rule.oblige.values())
            if rule.options is not None:
                yield rule.options
            for template in rule.message.values():
                yield from (part for part in template.parts if isinstance(part, Node))
        for choice in self.choices:
            yield from (*choice.when, choice.otherwise)
            yield from (part for row in choice.rows for part in (row.when, row.value))
        eaches = [*(rule.each for rule in self.rules), *(choice.each for choice in self.choices)]
        yield from (each.over for each in eaches if each is not None)


@dataclass(frozen=True)
class Waiver:
    """A recorded exception. `when` has one checked tree for each version of the rule, by version."""

    rule: str
    owner: str
    reason: Mapping[str, str]
    ticket: str
    expires: datetime
    when: Mapping[str, Node]
    place: Span
