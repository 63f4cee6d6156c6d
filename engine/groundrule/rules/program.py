"""What is asked at one gate at one time: contracts, params and waivers in force, in a fixed order.

A program is the common input of the interpreter and the compiler, and Findings their common output. A finding is
one int, so that sorting findings sorts violations: rule rank, then position, then two flags.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from ..facts.gates import Gate
from .contract import Choice, Contract, Each, Rule, Waiver
from .syntax import Name

EFFECTS = ("deny", "clarify", "confirm", "fallback", "oblige", "reject", "warn")
"""The order in which violations are sorted."""
UNDECIDED, WAIVED = 1, 2
POSITION_SHIFT, RANK_SHIFT = 2, 32
POSITION_MASK = (1 << (RANK_SHIFT - POSITION_SHIFT)) - 1


def code(rank: int, position: int | None, undecided: bool, waived: bool = False) -> int:
    """The finding of a rule at a position (None for the whole)."""
    at = 0 if position is None else position + 1
    return rank << RANK_SHIFT | at << POSITION_SHIFT | WAIVED * waived | UNDECIDED * undecided


def rank_of(finding: int) -> int:
    """Index into Program.entries."""
    return finding >> RANK_SHIFT


def position_of(finding: int) -> int | None:
    """Index of the element, or None for the whole."""
    at = (finding >> POSITION_SHIFT) & POSITION_MASK
    return at - 1 if at else None


@dataclass(frozen=True)
class Scope:
    """A contract in force with its params settled."""

    contract: Contract
    params: Mapping[str, Any]
    warns: bool = False
    """Whether its violations are warnings (audit, or the warning window of a contract)."""


@dataclass(frozen=True)
class Entry:
    """Something that can be violated, in the order of violations.

    kind: `rule`; or `choice`, `obligation`, `missing obligation` for the engine's own violations ENGINE-CHOICE and
    ENGINE-OBLIGATION. effect: in force, which is `warn` for a rule whose contract only watches.
    """

    kind: str
    id: str
    effect: str
    scope: Scope
    rule: Rule | None = None
    choice: Choice | None = None
    waivers: tuple[Waiver, ...] = ()

    @property
    def each(self) -> Each | None:
        """The list that it is asked of, if it is asked of each element."""
        source = self.rule or self.choice
        return None if source is None else source.each

    @property
    def over_evidence(self) -> bool:
        """Whether it is asked of each item of the raw evidence of the gate."""
        over = None if self.each is None else self.each.over
        return isinstance(over, Name) and (over.role, over.name) == ("fact", "evidence")

    def at(self, position: int | None) -> str | None:
        """The path of what it is asked of at a position of its list; None for the whole."""
        if self.each is None:
            return None
        return self.each.path if position is None else f"{self.each.path}[{position}]"


@dataclass(frozen=True, eq=False)
class Program:
    """Everything asked at a gate. choices: in an order in which each may read those before it, by name."""

    gate: Gate
    scopes: tuple[Scope, ...]
    shared: Mapping[str, Any]
    entries: tuple[Entry, ...]
    choices: Mapping[str, tuple[Choice, Scope]]
    variants: tuple[Variant, ...] = ()

    @cached_property
    def faces(self) -> Faces:
        """What the violation of each finding shows."""
        return Faces(self.entries)


Face = tuple[str, "str | None", str, bool, str, str, int]
"""Rule, path of the element or None, effect, whether undecided, contract, version, and the finding itself."""


class Faces(dict[int, Face]):
    """Faces by finding, each made when it is first asked for; started anew when there are too many."""

    LIMIT = 65_536

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        super().__init__()
        self.entries = entries

    def __missing__(self, finding: int) -> Face:
        if len(self) >= self.LIMIT:
            self.clear()
        entry, position = self.entries[rank_of(finding)], position_of(finding)
        at = entry.at(position)
        contract = entry.scope.contract
        face = (entry.id, at, entry.effect, finding & UNDECIDED != 0, contract.name, contract.version, finding)
        self[finding] = face
        return face


@dataclass(frozen=True)
class Variant:
    """What will be asked later and warns already: its violations beyond those of the program are warnings.

    contract: if given, only violations of that contract count, and all of them.
    """

    program: Program
    contract: str | None = None


class Findings(NamedTuple):
    """What an evaluation found.

    violations, warnings: sorted findings. admitted: positions of the admitted items, None where the gate has no
    evidence or the evidence is absent. choices: name to value, or for a choice per item to {position: value}; a choice that was
    not made or is undecided is left out. obligations: name to values in order, each once. options: in order.
    coming: what will be violated soon: index into Program.variants, and the finding in that variant's program.
    """

    violations: list[int]
    warnings: list[int]
    admitted: tuple[int, ...] | None
    choices: dict[str, Any]
    obligations: dict[str, tuple[Any, ...]]
    options: tuple[str, ...]
    coming: list[tuple[int, int]]
