"""What the contracts of all gates know of each other while they are being checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from .. import codes
from ..diagnostics import Diagnostic, Span
from .contract import Params
from .read import RawChoice, RawContract, RawRule
from .types import UNKNOWN, Type

if TYPE_CHECKING:
    from .build import ContractChecker

Key = tuple[str, ...]
T = TypeVar("T")


@dataclass(frozen=True)
class Reads:
    """What a let or choice reads, itself or through others."""

    items: frozenset[str] = frozenset()
    admitted: bool = False


@dataclass
class Gathering:
    """The contracts of all gates while they are being checked."""

    contracts: list[RawContract]
    shared: Params
    faults: list[Diagnostic]
    checkers: dict[int, ContractChecker] = field(default_factory=dict)
    stack: list[Key] = field(default_factory=list)

    def owners(self, gate: str, name: str) -> Iterator[tuple[RawContract, RawChoice]]:
        """Every version of every contract that makes a choice at a gate."""
        for contract in self.contracts:
            if contract.gate == gate:
                for choice in contract.choices:
                    if choice.name == name:
                        yield contract, choice

    def choices(self, gate: str, per_item: bool) -> tuple[str, ...]:
        """The names of the choices made at a gate."""
        made = (c for contract in self.contracts if contract.gate == gate for c in contract.choices)
        return tuple(dict.fromkeys(c.name for c in made if (c.each is not None) == per_item))

    def resolve(self, key: Key, span: Span, build: Callable[[], T]) -> T | None:
        """Builds a let or choice unless it is being built already, which is a circle."""
        if key in self.stack:
            circle = [name for *_, name in self.stack[self.stack.index(key) :]]
            self.faults.append(codes.CYCLE.at(span, names=" → ".join([*circle, key[-1]])))
            return None
        self.stack.append(key)
        try:
            return build()
        finally:
            self.stack.pop()

    def choice_type(self, gate: str, name: str, reader: RawContract) -> Type | None:
        """The type of a choice: that of the reader's own version if it makes the choice, else of any."""
        owners = sorted(self.owners(gate, name), key=lambda owner: owner[0] is not reader)
        if not owners:
            return None
        contract, raw = owners[0]
        choice = self.checkers[id(contract)].choice(raw)
        return choice.type if choice is not None else UNKNOWN

    def reads_of_choice(self, gate: str, name: str) -> Reads:
        """What the choice of a name reads, over all its versions."""
        both = Reads()
        for contract, raw in self.owners(gate, name):
            both = _union(both, self.checkers[id(contract)].reads_of_choice(raw))
        return both


def refuse_duplicates(gathering: Gathering) -> None:
    """Versions, ids and choices that are stated twice."""
    faults = gathering.faults
    versions: dict[Key, Span] = {}
    ids: dict[str, tuple[str, str, Span]] = {}
    choices: dict[Key, tuple[str, Span]] = {}
    for contract in gathering.contracts:
        first = versions.setdefault((contract.name, contract.version), contract.span)
        if first is not contract.span:
            values = {"name": contract.name, "version": contract.version, "place": _place(first)}
            faults.append(codes.SAME_VERSION.at(contract.span, **values))
        stated: list[RawRule | RawChoice] = [*contract.rules, *contract.choices]
        for named in stated:
            owner, version, span = ids.setdefault(named.id, (contract.name, contract.version, named.span))
            elsewhere = owner != contract.name or version == contract.version
            if span is not named.span and elsewhere:
                faults.append(codes.DUPLICATE_ID.at(named.span, id=named.id, place=_place(span)))
        for choice in contract.choices:
            key = (contract.gate, choice.name)
            owner, span = choices.setdefault(key, (contract.name, choice.span))
            twice_here = sum(other.name == choice.name for other in contract.choices) > 1 and span is not choice.span
            if owner != contract.name or twice_here:
                faults.append(
                    codes.DUPLICATE_CHOICE.at(choice.span, name=choice.name, gate=contract.gate, place=_place(span))
                )


def _place(span: Span) -> str:
    return f"{span.source.name}:{span.source.position(span.start)[0]}"


def _union(first: Reads, second: Reads) -> Reads:
    return Reads(first.items | second.items, first.admitted or second.admitted)
