"""Traces and values: what was evaluated, in the author's words and order."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from tests.engine.rules.programs import NOW, contract, facts, program, rule

from groundrule.rules.explain import explain, plain, trace, values
from groundrule.rules.interpret import Interpreter


def asked(body: str, gate: str = "evidence", params: dict[str, str] | None = None, **given: Any) -> Interpreter:
    return Interpreter(program(contract(gate, body, params=params)), facts(gate, **given), NOW)


ITEMS = [
    {"id": "a", "title": "A", "dated_at": NOW - timedelta(hours=2), "source_type": "url"},
    {"id": "b", "title": "B"},
]
AGE = "let:\n  limit: params.max_age[plan.query_kind]\nrules:\n"
LIMITS = {"max_age": "{weather: 1h}"}


def first(body: str, position: int | None = 0, **given: Any) -> list[dict[str, Any]]:
    interpreter = asked(body, **given)
    return values(interpreter, interpreter.program.entries[0], position)


def test_values_are_reads_calls_and_names_in_source_order() -> None:
    """Section 6: chains of reads are one entry, operators and literals none; a let shows its value."""
    body = AGE + rule("A-B-01", "size(e.title) > 0 && now - e.dated_at <= limit", "reject", each="evidence as e")
    assert first(body, params=LIMITS, plan={"query_kind": "weather"}, evidence=ITEMS) == [
        {"text": "size(e.title)", "value": 1},
        {"text": "e.title", "value": "A"},
        {"text": "now", "value": "2026-04-15T08:00:00.000000Z"},
        {"text": "e.dated_at", "value": "2026-04-15T06:00:00.000000Z"},
        {"text": "limit", "value": "3600s"},
    ]


def test_values_say_what_was_undecided_and_leave_out_what_was_not_needed() -> None:
    """A read that failed gives its reason; operands after the deciding one were never read."""
    body = "rules:\n" + rule("A-B-01", "e.source_type == 'mcp' && e.title == 'x'", "deny", each="evidence as e")
    assert first(body, evidence=ITEMS) == [{"text": "e.source_type", "value": "url"}]
    assert first(body, 1, evidence=ITEMS) == [
        {"text": "e.source_type", "undecided": "e.source_type is absent"},
        {"text": "e.title", "value": "B"},
    ]


def test_values_inside_a_macro_are_shown_for_each_turn() -> None:
    """Each different value once; the items themselves by their ids."""
    body = "rules:\n" + rule("A-B-01", "admitted.exists(x, x.source_type in ['mcp'])", "deny")
    assert first(body, None, evidence=ITEMS) == [
        {"text": "admitted.exists(x, x.source_type in ['mcp'])", "undecided": "x.source_type is absent"},
        {"text": "admitted", "value": ["a", "b"]},
        {"text": "x.source_type", "value": "url"},
        {"text": "x.source_type", "undecided": "x.source_type is absent"},
    ]


def test_indices_choices_and_has_are_reads() -> None:
    """`has(…)`, `chosen.NAME` and `a[b]` are entries of their own, with what stands in the brackets."""
    choice = "choices:\n  - id: A-C-01\n    choose: way\n    from: []\n    otherwise: plan.topic\n"
    condition = "has(plan.topic) && chosen.way == 'x' && params.max_age[plan.query_kind] > duration('2h')"
    body = choice + "rules:\n" + rule("A-B-01", condition)
    interpreter = asked(body, "plan", LIMITS, plan={"topic": "x", "query_kind": "weather"})
    entry = next(entry for entry in interpreter.program.entries if entry.id == "A-B-01")
    assert values(interpreter, entry, None) == [
        {"text": "has(plan.topic)", "value": True},
        {"text": "chosen.way", "value": "x"},
        {"text": "params.max_age[plan.query_kind]", "value": "3600s"},
        {"text": "plan.query_kind", "value": "weather"},
    ]


def test_values_of_a_faulty_obligation_are_those_of_its_expressions() -> None:
    """ENGINE-OBLIGATION shows what the obligations read, not what the rule asked."""
    more = "    oblige:\n      as_of: now\n      topic: plan.topic\n"
    interpreter = asked("rules:\n" + rule("A-B-01", "plan.freshness_required", "oblige", more=more), "answer", plan={})
    entry = next(entry for entry in interpreter.program.entries if entry.kind == "obligation")
    assert values(interpreter, entry, None) == [
        {"text": "now", "value": "2026-04-15T08:00:00.000000Z"},
        {"text": "plan.topic", "undecided": "plan.topic is absent"},
    ]


def test_conditions_of_several_lines_and_quoted_ones_have_their_text() -> None:
    """On one line as written; where YAML escapes hide the places, in canonical form."""
    body = "rules:\n" + rule("A-B-01", "(e.title +\n        e.title).size() > 9", "deny", each="evidence as e")
    assert [value["text"] for value in first(body, evidence=ITEMS)] == [
        "(e.title + e.title).size()",
        "e.title",
    ]
    body = body.replace("require: >-\n      (e.title +\n        e.title).size() > 9", 'require: "e.title == \\"x\\""')
    assert [value["text"] for value in first(body, evidence=ITEMS)] == ["e.title"]


def test_a_trace_has_every_part_with_its_place() -> None:
    """Sub-expressions in source order, `when` first; parts that were not needed have no values."""
    body = "rules:\n" + rule("A-B-01", "e.title == 'A' || e.snippet == ''", "reject", each="evidence as e",
                             when="e.id != 'z'")  # fmt: skip
    interpreter = asked(body, evidence=ITEMS)
    found = trace(interpreter, interpreter.program.entries[0], 0)
    assert (found["at"], found["result"], found["reason"]) == ("evidence[0]", "passed", None)
    texts = [
        "e.id != 'z'",
        "e.id",
        "e",
        "e.title == 'A' || e.snippet == ''",
        "e.title == 'A'",
        "e.title",
        "e",
    ]
    texts += ["e.snippet == ''", "e.snippet", "e"]
    assert [step["text"] for step in found["steps"]] == texts
    assert [step["values"] for step in found["steps"]][3:6] == [
        [{"value": True}],
        [{"value": True}],
        [{"value": "A"}],
    ]
    assert [step["values"] for step in found["steps"]][7:] == [[], [], []]
    assert (found["steps"][3]["line"], found["steps"][3]["column"]) == (12, 7)


@pytest.mark.parametrize(
    ("condition", "when", "result", "reason"),
    [
        ("e.title == 'A'", "true", "passed", None),
        ("e.title == 'B'", "true", "failed", None),
        ("e.snippet == ''", "true", "undecided", "e.snippet is absent"),
        ("e.snippet == ''", "false", "skipped", None),
    ],
)
def test_a_trace_says_what_came_of_the_rule(condition: str, when: str, result: str, reason: str | None) -> None:
    """Passed, failed, undecided with the reason, or skipped."""
    body = "rules:\n" + rule("A-B-01", condition, "reject", each="evidence as e", when=when)
    interpreter = asked(body, evidence=ITEMS)
    found = trace(interpreter, interpreter.program.entries[0], 0)
    assert (found["result"], found["reason"]) == (result, reason)


def test_an_explanation_has_every_rule_and_choice_at_every_position() -> None:
    """Asked or skipped, warnings about rejected items too; and it is plain JSON."""
    choice = "choices:\n  - id: A-C-01\n    each: evidence as e\n    choose: x\n    from: []\n"
    choice += "    otherwise: e.snippet\n"
    body = choice + "rules:\n" + rule("A-B-01", "false", "reject", each="evidence as e")
    body += rule("A-B-02", "false", "warn", each="evidence as e") + rule("A-B-03", "false", when="false")
    found = explain(asked(body, evidence=ITEMS))
    shown = [(part["id"], [(one["at"], one["result"]) for one in part["asked"]]) for part in found]
    both = [("evidence[0]", "failed"), ("evidence[1]", "failed")]
    assert shown == [
        ("A-B-03", [(None, "skipped")]),
        ("A-B-01", both),
        ("A-B-02", both),
        ("A-C-01", [("evidence[0]", "undecided"), ("evidence[1]", "undecided")]),
    ]
    assert json.loads(json.dumps(found)) == found


def test_a_choice_is_explained_with_its_value() -> None:
    """Rows after the one that decides are not asked; an undecided route is explained although nothing is violated."""
    choice = "choices:\n  - id: A-C-01\n    choose: route\n    values: [data, refuse]\n    from:\n"
    choice += "      - when: question.language == 'en'\n        value: data\n    otherwise: refuse\n"
    (made,) = explain(asked(choice, "route", question={"language": "en"}))
    (one,) = made["asked"]
    assert (one["result"], one["value"], one["reason"]) == ("passed", "data", None)
    assert [step["text"] for step in one["steps"]] == [
        "question.language == 'en'",
        "question.language",
        "question",
    ]
    (made,) = explain(asked(choice, "route", question={}))
    (one,) = made["asked"]
    assert (one["result"], one["value"], one["reason"]) == ("undecided", None, "question.language is absent")


def test_an_undecided_list_is_explained_once() -> None:
    """The whole list stands in the place of its elements."""
    interpreter = asked("rules:\n" + rule("A-B-01", "true", "reject", each="evidence as e"))
    (found,) = explain(interpreter)
    assert [(one["at"], one["result"], one["reason"]) for one in found["asked"]] == [
        ("evidence", "undecided", "evidence is absent")
    ]
    choice = "choices:\n  - id: A-C-01\n    each: evidence as e\n    choose: x\n    from: []\n    otherwise: 1\n"
    (found,) = explain(asked(choice))
    assert [(one["at"], one["result"], one["value"]) for one in found["asked"]] == [("evidence", "undecided", None)]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (2**63 - 1, "9223372036854775807"),
        (2**53 - 1, 2**53 - 1),
        (True, True),
        ("x" * 300, "x" * 199 + "…"),
        (tuple(range(60)), [*range(50), "… 10 more"]),
        ({1: (timedelta(hours=1),)}, {"1": ["3600s"]}),
    ],
)
def test_values_are_plain_json(value: Any, shown: Any) -> None:
    """Long ones are cut, ints that JSON cannot carry are text."""
    assert plain(value) == shown
