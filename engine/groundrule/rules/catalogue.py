"""The functions of the rule language as authors look them up."""

from __future__ import annotations

from dataclasses import dataclass

from .check import DECLARED_IN
from .declare import FUNCTIONS
from .expression import MACROS

OWN = frozenset(
    {
        "canonical",
        "contains_number",
        "distinct",
        "distinct_texts",
        "domain_in",
        "host",
        "is_public_http",
        "is_tenant",
        "max",
        "min",
        "normalise",
        "registrable_domain",
        "skeleton",
        "start_of_day",
        "sum",
        "url_in",
    }
)
"""What CEL does not have (RULES section 9)."""
_MACROS = {
    "all": ("Whether the condition holds for every element.", "[1, 2].all(x, x > 0)"),
    "exists": ("Whether the condition holds for some element.", "[1, 2].exists(x, x > 1)"),
    "exists_one": ("Whether the condition holds for exactly one element.", "[1, 2].exists_one(x, x > 1)"),
    "filter": ("The elements for which the condition holds.", "[1, 2, 3].filter(x, x > 1) == [2, 3]"),
    "map": ("What the elements come to, those left out for which a condition does not hold.",
            "[1, 2].map(x, x * 2) == [2, 4]"),
    "has": ("Whether a field is there; undecided if the record is absent.", "has({'a': 1}.a)"),
    "cel.bind": ("The result, in which a name stands for a value.", "cel.bind(x, 2, x * x == 4)"),
}  # fmt: skip


@dataclass(frozen=True)
class FunctionInfo:
    """A function, method or macro.

    kind: `function`, `method` or `macro`. signature: as it is written, with types. doc: one sentence. examples:
    expressions that are true. in_cel: whether CEL has it too.
    """

    name: str
    kind: str
    signature: str
    doc: str
    examples: tuple[str, ...]
    in_cel: bool = True


def functions() -> tuple[FunctionInfo, ...]:
    """Every function, method and macro by name, one entry for each signature. Operators are no functions."""
    forms = {**MACROS, "has": "has(record.field)", "cel.bind": "cel.bind(x, value, result)"}
    macros = [FunctionInfo(name, "macro", form, _MACROS[name][0], _MACROS[name][1:]) for name, form in forms.items()]
    declared = [
        FunctionInfo(
            name=entry.name,
            kind="method" if entry.method else "function",
            signature=entry.signature,
            doc=entry.doc,
            examples=entry.examples,
            in_cel=entry.name not in OWN,
        )
        for entry in FUNCTIONS.values()
        if entry.name[0].isalpha()
    ]
    return tuple(sorted([*macros, *declared], key=lambda info: (info.name, info.signature)))


__all__ = ["DECLARED_IN", "OWN", "FunctionInfo", "functions"]
