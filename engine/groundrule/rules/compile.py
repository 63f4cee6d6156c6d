"""A program to one Python function.

The function runs the fast path as ordinary Python: one loop over the evidence for all rules, shared reads made once.
Whatever raises is asked again by the interpreter, which alone knows how to explain and what is undecided.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from . import runtime
from .declare import Undecided
from .facts import Facts
from .gate_text import GateWriter
from .interpret import Interpreter, choose
from .program import Entry, Findings, Program, code

Decide = Callable[[Facts, datetime, "frozenset[str]"], Findings]
RAISED = (Undecided, TypeError, ValueError, ArithmeticError, LookupError, AttributeError)
"""What an operation on absent or extreme values raises in compiled text; the interpreter is asked again."""
_POSITIONS = [tuple(range(count)) for count in range(1_001)]


class Slow:
    """The interpreter, called when the fast path has no answer; made when it is first needed."""

    __slots__ = ("_program", "interpreter")

    def __init__(self, program: Program, held: Facts, now: datetime) -> None:
        self._program = program
        self.interpreter = Interpreter(program, held.known, now)

    def ask(self, rank: int, position: int | None) -> int:
        """The finding of an entry at a position, or -1 if it is met."""
        entry = self._program.entries[rank]
        verdict = self.interpreter.verdict(entry, position)
        if verdict.met:
            return -1
        waived = self.interpreter.waiver(entry, position) is not None
        return code(rank, position, verdict.undecided, waived)

    def waived(self, rank: int, position: int | None) -> bool:
        """Whether a decided violation is waived."""
        return self.interpreter.waiver(self._program.entries[rank], position) is not None

    def positions(self, rank: int) -> tuple[int | None, ...]:
        """Where an entry is asked."""
        return self.interpreter.positions(self._program.entries[rank])

    def choice(self, name: str, position: int | None) -> tuple[Any, bool | None]:
        """The value of a choice, or None, and whether it was made; None for undecided."""
        choice, scope = self._program.choices[name]
        try:
            value = choose(choice, self.interpreter.env(Entry("choice", "", "deny", scope, choice=choice), position))
        except Undecided:
            return None, None
        return value, value is not None


def compile_program(program: Program) -> Decide:
    """The function that decides as the interpreter does. It returns the same Findings, without `coming`."""
    writer = GateWriter(program)
    text = writer.text()
    namespace: dict[str, Any] = {
        **runtime.NAMESPACE,
        **writer.emitter.constants,
        "Findings": Findings,
        "new": tuple.__new__,
        "Slow": Slow,
        "PROGRAM": program,
        "POSITIONS": _POSITIONS,
        "oblige": _oblige,
        "RAISED": RAISED,
    }
    exec(compile(text, f"<gate {program.gate.name}>", "exec"), namespace)
    decide: Decide = namespace["decide"]
    return decide


def source_of(program: Program) -> str:
    """The Python text that `compile_program` runs, for people who want to read it."""
    return GateWriter(program).text()


def _oblige(program: Program, held: Facts, now: datetime, can: frozenset[str]) -> Findings:
    """A violated rule that obliges or offers options needs more than its finding."""
    return Interpreter(program, held.known, now).findings(can)


__all__ = ["Decide", "compile_program", "source_of"]
