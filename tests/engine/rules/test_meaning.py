"""The reference meaning of expressions, sentence by sentence of RULES sections 2, 4 and 5."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from tests.engine.rules.programs import NOW, checked, facts

from groundrule.facts.gates import GATES
from groundrule.rules.declare import Undecided
from groundrule.rules.interpret import Interpreter
from groundrule.rules.meaning import Env, evaluate
from groundrule.rules.program import Program

UNDECIDED = object()


def value_of(text: str, gate: str = "call", **given: Any) -> Any:
    """The value of an expression, or UNDECIDED."""
    world = Interpreter(Program(GATES[gate], (), {}, (), {}), facts(gate, **given), NOW)
    try:
        return evaluate(checked(text, gate), Env(world))
    except Undecided:
        return UNDECIDED


FACTS: dict[str, Any] = {
    "question": {"id": "q", "text": "", "ambiguities": ["a", "b"]},
    "context": {"attributes": {"k": "v"}},
    "plan": {"result_limit": 3, "window": {"from": "2026-04-15T00:00:00+08:00"}},
    "call": {
        "read_only": True,
        "arguments": {
            "n": 1,
            "x": 1.0,
            "t": "1",
            "b": True,
            "none": None,
            "list": [1, None, "a"],
            "deep": {"k": [1]},
        },
    },
}
U = "call.tool == 'x'"
"""Undecided: the field is absent."""
ZERO = "(plan.result_limit - 3)"
"""An int that the checker does not know."""


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (f"false && {U}", False),
        (f"{U} && false", False),
        (f"true && {U}", UNDECIDED),
        (f"{U} && true", UNDECIDED),
        (f"true || {U}", True),
        (f"{U} || true", True),
        (f"{U} || false", UNDECIDED),
        (f"{U} && {U} && false", False),
        (f"!({U})", UNDECIDED),
        (f"true ? true : {U}", True),
        (f"false ? {U} : true", True),
        (f"({U}) ? true : true", UNDECIDED),
        ("[1, 0].exists(x, 1 / x == 1)", True),
        ("[0, 1].exists(x, 1 / x == 1)", True),
        ("[0, 2].exists(x, 1 / x == 1)", UNDECIDED),
        ("[0, 2].all(x, 1 / x == 1)", False),
        ("[0, 1].all(x, 1 / x == 1)", UNDECIDED),
        ("[1, 0].exists_one(x, 1 / x == 1)", UNDECIDED),
        ("[1, 1, 0].exists_one(x, 1 / x == 1)", UNDECIDED),
        ("[1, 2].exists_one(x, x == 1)", True),
        ("[1, 1].exists_one(x, x == 1)", False),
        ("[1, 0].filter(x, 1 / x == 1)", UNDECIDED),
        ("[1, 2].filter(x, x > 1)", (2,)),
        ("[1, 0].map(x, 1 / x)", UNDECIDED),
        ("[1, 0].map(x, x > 0, 1 / x)", (1,)),
        ("[0, 1].map(x, 1 / x > 0, 7)", UNDECIDED),
        ("[].all(x, x == 1)", True),
        ("[].exists(x, x == 1)", False),
        (f"[1, 1 / {ZERO}].size() == 2", UNDECIDED),
        (f"cel.bind(x, 1 / {ZERO}, true)", True),
        (f"cel.bind(x, 1 / {ZERO}, x == 1 || true)", True),
        (f"cel.bind(x, 1 / {ZERO}, x == 1)", UNDECIDED),
        ("cel.bind(x, 2, [1, 2].map(y, x * y))", (2, 4)),
        ("[1, 2].map(x, [10, 20].map(y, x + y))", ((11, 21), (12, 22))),
    ],
)
def test_undecided_passes_through_everything_but_the_deciding_operand(text: str, value: Any) -> None:
    """Section 5: false decides `&&` and `all`, true decides `||` and `exists`, in either order."""
    assert value_of(text, **FACTS) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("has(call.tool)", False),
        ("has(call.read_only)", True),
        ("has(run.deadline)", UNDECIDED),
        ("has(plan.window.to)", False),
        ("has(plan.window.from)", True),
        ("plan.window.from", datetime(2026, 4, 14, 16, tzinfo=UTC)),
        ("plan.window.to < now", UNDECIDED),
        ("has(context.principal.id)", UNDECIDED),
        ("context.attributes.k", "v"),
        ("context.attributes['k']", "v"),
        ("context.attributes['other'] == 'v'", UNDECIDED),
        ("has(context.attributes.other)", False),
        ("context.attributes.exists(k, k == 'k')", True),
        ("'other' in context.attributes", False),
        ("question.ambiguities[1]", "b"),
        ("question.ambiguities[2] == ''", UNDECIDED),
        ("question.ambiguities[-1] == ''", UNDECIDED),
        ("question.text", ""),
        ("size(question.ambiguities)", 2),
        ("9223372036854775807 + plan.result_limit > 0", UNDECIDED),
        ("{'a': 1}['a']", 1),
        ("{'': 1, question.text: 2}.size() == 2", UNDECIDED),
        ("{1: 'a'}[1]", "a"),
        ("{1: 'a'}[2] == 'a'", UNDECIDED),
    ],
)
def test_absent_fields_keys_and_indices(text: str, value: Any) -> None:
    """Section 4 and 5: a null field is absent; reading what is absent is undecided, `has` asks for it."""
    assert value_of(text, **FACTS) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("call.arguments.n == 1", True),
        ("call.arguments.x == 1", True),
        ("call.arguments.n == call.arguments.x", True),
        ("call.arguments.t == 1", UNDECIDED),
        ("call.arguments.b == 1", UNDECIDED),
        ("call.arguments.t != 1", UNDECIDED),
        ("call.arguments.none == 1", UNDECIDED),
        ("has(call.arguments.none)", False),
        ("has(call.arguments.n)", True),
        ("has(call.arguments.missing)", False),
        ("has(call.arguments.n.inner)", UNDECIDED),
        ("call.arguments.n.inner == 1", UNDECIDED),
        ("call.arguments.list[0] == 1", True),
        ("call.arguments.list[1] == 1", UNDECIDED),
        ("call.arguments.list[3] == 1", UNDECIDED),
        ("call.arguments['n'] == 1", True),
        ("call.arguments.deep.k[0] == 1", True),
        ("call.arguments.list.exists(x, x == 1)", True),
        ("call.arguments.list.exists(x, x == 2)", UNDECIDED),
        ("call.arguments.list.all(x, x == 2)", False),
        ("1 in call.arguments.list", True),
        ("2 in call.arguments.list", UNDECIDED),
        ("call.arguments.exists(k, k == 'n')", True),
        ("call.arguments.exists(k, k == 'none')", False),
        ("'none' in call.arguments", False),
        ("call.arguments.n.exists(k, true)", UNDECIDED),
        ("int(call.arguments.n) + 1", 2),
        ("int(call.arguments.b) + 1", UNDECIDED),
    ],
)
def test_free_form_json(text: str, value: Any) -> None:
    """Section 2: json compares by value, and with a value of another type it is undecided."""
    assert value_of(text, **FACTS) == value


@pytest.mark.parametrize("text", [f"1 / {ZERO} == 1", "int(question.text) == 12", "now + duration('3000000d') > now"])
def test_a_failing_operation_is_undecided(text: str) -> None:
    """Section 5: an operation that fails has no value."""
    assert value_of(text, **FACTS) is UNDECIDED
