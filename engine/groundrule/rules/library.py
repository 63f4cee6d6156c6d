"""The functions of the rule language as authors look them up."""

from __future__ import annotations

from dataclasses import dataclass

from . import check  # its imports declare every function
from .declare import FUNCTIONS
from .expression import MACROS


@dataclass(frozen=True)
class FunctionInfo:
    """A function or macro: its signature, one sentence, and expressions that are true."""

    name: str
    signature: str
    doc: str
    examples: tuple[str, ...]


def functions() -> tuple[FunctionInfo, ...]:
    """Every function, method and macro, by name; operators are left out."""
    assert check.DECLARED_IN
    found = [
        FunctionInfo(entry.name, entry.signature, entry.doc, entry.examples)
        for entry in FUNCTIONS.values()
        if entry.name[0].isalpha()
    ]
    macros = [
        FunctionInfo(name, form, "A macro over a list or the keys of a map.", ()) for name, form in MACROS.items()
    ]
    macros.append(FunctionInfo("has", "has(record.field)", "Whether a field is there.", ()))
    macros.append(FunctionInfo("cel.bind", "cel.bind(x, value, result)", "Names a value within a result.", ()))
    return tuple(sorted([*found, *macros], key=lambda info: (info.name, info.signature)))
