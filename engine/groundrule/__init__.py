"""groundrule: contracts for what an assistant may say, evaluated at the gates of each request, fail-closed.

The public surface is `__all__`. Everything is imported when it is first used, so that `import groundrule` is light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .diagnostics import Diagnostic, RuleFileError
    from .facts import Answer, Citation, Claim, Context, Evidence, EvidenceBundle, Plan, Question, Run
    from .facts.reply import Reply
    from .facts.schema import schema
    from .gateway.pipeline import ask
    from .rules.assemble import check, compile_rules
    from .rules.catalogue import functions
    from .rules.decision import Decision, Violation
    from .rules.evaluate import evaluate, explain
    from .rules.ruleset import RuleSet

__version__ = "0.1.0"

_HOMES = {
    "evaluate": "rules.evaluate",
    "explain": "rules.evaluate",
    "check": "rules.assemble",
    "compile_rules": "rules.assemble",
    "ask": "gateway.pipeline",
    "RuleSet": "rules.ruleset",
    "RuleFileError": "diagnostics",
    "Diagnostic": "diagnostics",
    "Decision": "rules.decision",
    "Violation": "rules.decision",
    "Question": "facts",
    "Context": "facts",
    "Plan": "facts",
    "Evidence": "facts",
    "EvidenceBundle": "facts",
    "Answer": "facts",
    "Claim": "facts",
    "Citation": "facts",
    "Run": "facts",
    "Reply": "facts.reply",
    "schema": "facts.schema",
    "functions": "rules.catalogue",
}

__all__ = [
    "Answer",
    "Citation",
    "Claim",
    "Context",
    "Decision",
    "Diagnostic",
    "Evidence",
    "EvidenceBundle",
    "Plan",
    "Question",
    "Reply",
    "RuleFileError",
    "RuleSet",
    "Run",
    "Violation",
    "ask",
    "check",
    "compile_rules",
    "evaluate",
    "explain",
    "functions",
    "schema",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{home}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
