"""A rule set: files in, checked contracts out; what is in force at an instant; the digest of its meaning."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from ..canonical import digest
from ..diagnostics import Diagnostic
from ..facts.gates import GATES
from ..urls import UrlList
from . import facts as border
from .compile import Decide, compile_program
from .contract import Contract, Params, Waiver
from .facts import Facts
from .program import Program
from .revision import meaning
from .select import UnknownPin, instants_of, select
from .types import Type

LANGUAGE_VERSION = 1
_CACHED_PROGRAMS = 256


@dataclass(frozen=True, eq=False)
class RuleSet:
    """A checked rule set. Made by `compile_rules`; immutable and safe to share between threads.

    name, version: from the manifest. draft: whether it is anything but a signed archive. contracts: every version of
    every contract. audit: contracts whose violations are only warnings. warnings: what the checker remarked.
    files: the texts that it was made of, by path.
    """

    name: str
    version: str
    draft: bool
    contracts: tuple[Contract, ...] = field(repr=False)
    shared: Params = field(repr=False)
    lists: Mapping[str, UrlList] = field(repr=False)
    list_texts: Mapping[str, tuple[str, ...]] = field(repr=False)
    audit: tuple[str, ...]
    waivers: tuple[Waiver, ...] = field(repr=False)
    warnings: tuple[Diagnostic, ...] = field(repr=False)
    files: Mapping[str, str] = field(repr=False)
    _programs: dict[Any, Program] = field(default_factory=dict, repr=False)
    _compiled: dict[int, tuple[Program, Decide]] = field(default_factory=dict, repr=False)
    # By identity, which is safe since the program is kept beside its function.
    _ready: dict[str, Any] = field(default_factory=dict, repr=False)

    def facts(self, gate: str, facts: object) -> Facts:
        """The frozen facts of a mapping, validated once. Faulty ones carry their fault and are denied."""
        return border.from_mapping(gate, facts, self.item_choices)

    def facts_from_json(self, gate: str, text: str | bytes) -> Facts:
        """The frozen facts of a JSON text, validated once. Faulty ones carry their fault and are denied."""
        return border.from_json(gate, text, self.item_choices)

    @cached_property
    def item_choices(self) -> dict[str, Type]:
        """The types of the choices that items carry from the evidence gate to later ones."""
        return {
            choice.name: choice.type
            for contract in self.contracts
            if contract.gate == "evidence"
            for choice in contract.choices
            if choice.each is not None
        }

    @cached_property
    def revision(self) -> str:
        """The digest of what the set means: two sets with one revision decide alike."""
        return digest(meaning(self, LANGUAGE_VERSION))

    @cached_property
    def instants(self) -> tuple[datetime, ...]:
        """Every instant at which something comes into force or ends, in order."""
        return instants_of(self)

    @property
    def gates(self) -> tuple[str, ...]:
        """The gates that some contract covers."""
        return tuple(gate for gate in GATES if any(contract.gate == gate for contract in self.contracts))

    def program(self, gate: str, as_of: datetime, pins: Mapping[str, str]) -> Program:
        """What is asked at a gate. Raises UnknownPin."""
        key = (gate, bisect_right(self.instants, as_of), tuple(sorted(pins.items())))
        program = self._programs.get(key)
        if program is None:
            program = select(self, gate, as_of, pins)
            if len(self._programs) >= _CACHED_PROGRAMS:
                self._programs.clear()
                self._compiled.clear()
            self._programs[key] = program
        return program

    def compiled(self, program: Program) -> Decide:
        """The function of one of the programs above."""
        held = self._compiled.get(id(program))
        if held is None:
            held = self._compiled[id(program)] = program, compile_program(program)
        return held[1]


__all__ = ["LANGUAGE_VERSION", "RuleSet", "UnknownPin"]
