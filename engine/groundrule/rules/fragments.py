"""Pieces of Python text that a gate's function is made of: values, conditions, and where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .program import Scope


class NotCompiled(Exception):
    """A construct that the interpreter answers instead."""


@dataclass(frozen=True)
class Value:
    """A value: `code`, which holds where every guard is truthy. raises: whether it can raise."""

    code: str
    guards: tuple[str, ...] = ()
    raises: bool = False

    @property
    def or_none(self) -> str:
        """The value, or None where it is undecided."""
        if self.guards == (f"{self.code} is not None",):
            return self.code
        return f"({self.code} if {' and '.join(self.guards)} else None)" if self.guards else self.code


@dataclass(frozen=True)
class Truth:
    """A condition. leaf: the guards alone tell false from undecided once it is known not to be true."""

    yes: str
    no: str
    raises: bool = False
    leaf: str | None = None

    @property
    def or_none(self) -> str:
        """True, False, or None where it is undecided."""
        return f"(True if {self.yes} else False if {self.no} else None)"

    def negated(self) -> Truth:
        """Its negation."""
        return Truth(self.no, self.yes, self.raises)


@dataclass(frozen=True)
class Place:
    """Where an expression stands.

    scope: the contract. item, item_var: the `each` name and its Python variable. locals: variables of macros.
    """

    scope: Scope
    item: str | None = None
    item_var: str = ""
    locals: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Fusion:
    """What the loop over the evidence does beside asking rules. item: its Python variable.

    reads: lines that bring fields into variables. start: lines before the loop. steps: lines at the end of each turn.
    """

    item: str = "e"
    reads: list[str] = field(default_factory=list)
    start: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)


def once(guards: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(guards))
