"""One expression with the vocabulary of a gate, for authors who try something out."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ..diagnostics import Diagnostic, RuleFileError, Snippet, Source
from ..facts.gates import GATES
from .check import Names, check
from .contract import ALWAYS, Contract
from .declare import Undecided
from .explain import plain
from .expression import parse
from .facts import from_json
from .interpret import Interpreter
from .meaning import Env, evaluate
from .params import NO_PARAMS
from .program import Program, Scope
from .tokens import ExpressionError
from .vocabulary import variables


def evaluate_at_gate(text: str, gate: str, facts: str, now: datetime) -> dict[str, Any]:
    """{"value", "type"} of an expression on the facts of a gate (JSON text), or {"undecided"} with the reason.

    Raises RuleFileError if the expression is faulty.
    """
    snippet = Snippet.whole(Source("<expression>", text))
    faults: list[Diagnostic] = []
    try:
        tree = parse(snippet)
    except ExpressionError as why:
        raise RuleFileError([why.diagnostic]) from None
    names = Names(variables(gate), NO_PARAMS.type, NO_PARAMS.type, admitted=gate == "evidence")
    node = check(tree, names, faults)
    errors = [fault for fault in faults if fault.severity == "error"]
    if errors:
        raise RuleFileError(errors)
    held = from_json(gate, facts)
    if held.record is None:
        return {"undecided": f"the facts are faulty: {held.fault}"}
    contract = Contract("expression", "0.0.0", gate, None, NO_PARAMS, {}, (), (), ALWAYS, snippet.span(0, 0))
    scope = Scope(contract, {})
    program = Program(GATES[gate], (scope,), {}, (), {})
    try:
        value = evaluate(node, Env(Interpreter(program, held.record, now), scope))
    except Undecided as why:
        return {"undecided": str(why)}
    return {"value": plain(value), "type": str(node.type)}
