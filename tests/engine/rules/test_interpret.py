"""The reference meaning of programs, sentence by sentence of RULES sections 1, 3, 5 and 7."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from tests.engine.rules.programs import NOW, contract, facts, program, rule, shown, waiver

from groundrule.reasons import Reason
from groundrule.rules.interpret import Interpreter, Verdict, findings
from groundrule.rules.program import Program, Variant

U = "call.tool == 'x'"
"""Undecided: the field is absent."""


def test_the_reason_names_what_is_absent() -> None:
    """A violation says why: the source text of what could not be read."""
    rules = "rules:\n" + rule("A-B-01", "call.tool\n        == 'x'")
    asked = program(contract("call", rules))
    interpreter = Interpreter(asked, facts("call", call={}), NOW)
    verdict = interpreter.verdict(asked.entries[0], None)
    assert verdict == Verdict(False, undecided=True, reason=Reason("{what} is absent", what="call.tool"))


def run(text: str | Program, gate: str, can: frozenset[str] = frozenset(), **given: Any) -> tuple[list[str], Any]:
    asked = program(text) if isinstance(text, str) else text
    found = findings(asked, facts(gate, **given), NOW, can)
    return shown(asked, found.violations), found


@pytest.mark.parametrize(
    ("kind", "tool", "violations"),
    [
        ("require", "x", []),
        ("require", "y", ["A-B-01"]),
        ("require", None, ["A-B-01 undecided"]),
        ("forbid", "x", ["A-B-01"]),
        ("forbid", "y", []),
        ("forbid", None, ["A-B-01 undecided"]),
    ],
)
def test_require_and_forbid(kind: str, tool: str | None, violations: list[str]) -> None:
    """`require` is met only by true, `forbid` only by false."""
    text = contract("call", "rules:\n" + rule("A-B-01", "call.tool == 'x'", kind=kind))
    assert run(text, "call", call={"tool": tool})[0] == violations


@pytest.mark.parametrize(
    ("contract_when", "rule_when", "violations"),
    [
        ("true", "true", ["A-B-01"]),
        ("true", "false", []),
        ("false", "true", []),
        (U, "true", ["A-B-01"]),
        (U, "false", []),
        ("false", U, []),
        (U, U, ["A-B-01"]),
    ],
)
def test_when_skips_only_if_false(contract_when: str, rule_when: str, violations: list[str]) -> None:
    """An undecided `when`, of rule or contract, means that the rule applies."""
    body = f"when: {contract_when}\nrules:\n" + rule("A-B-01", "false", when=rule_when)
    assert run(contract("call", body), "call", call={})[0] == violations


def test_each_asks_every_item_in_order() -> None:
    """`each` asks once per item; without items there is nothing to violate."""
    text = contract("evidence", "rules:\n" + rule("A-B-01", "e.title != ''", "reject", each="evidence as e"))
    items = [{"id": "a", "title": ""}, {"id": "b", "title": "t"}, {"id": "c"}]
    violations, found = run(text, "evidence", evidence=items)
    assert violations == ["A-B-01 @ evidence[0]", "A-B-01 @ evidence[2] undecided"]
    assert found.admitted == (1,)
    assert run(text, "evidence", evidence=[])[0] == []


def test_an_undecided_list_is_one_violation() -> None:
    """If the list of an `each` is undecided, the rule is not met, once; a false `when` still skips it."""
    body = "rules:\n" + rule("A-B-01", "true", "reject", each="evidence as e")
    body += rule("A-B-02", "true", "deny", each="evidence as e", when="e.title == 'x'")
    body += rule("A-B-03", "true", "deny", each="evidence as e", when="false")
    violations, found = run(contract("evidence", body), "evidence")
    assert violations == ["A-B-02 @ evidence undecided", "A-B-01 @ evidence undecided"]
    assert found.admitted is None


def test_rules_without_each_see_the_survivors() -> None:
    """`admitted` has the items that no rule rejects; `evidence` stays the raw list."""
    body = "rules:\n" + rule("A-B-01", "e.title == 'good'", "reject", each="evidence as e")
    body += rule("A-B-02", "admitted.size() == 2", "fallback") + rule("A-B-03", "evidence.size() == 2", "deny")
    items = [{"id": "a", "title": "good"}, {"id": "b", "title": "bad"}, {"id": "c", "title": "good"}]
    violations, found = run(contract("evidence", body), "evidence", evidence=items)
    assert violations == ["A-B-03", "A-B-01 @ evidence[1]"]
    assert found.admitted == (0, 2)


def test_warnings_are_silent_about_rejected_items_and_other_effects_are_not() -> None:
    """`warn` says nothing about an item that is rejected; rules with `each: evidence` see the raw items."""
    body = "rules:\n" + rule("A-B-01", "e.title == 'good'", "reject", each="evidence as e")
    body += rule("A-B-02", "false", "warn", each="evidence as e") + rule("A-B-03", "false", each="evidence as e")
    asked = program(contract("evidence", body))
    record = facts("evidence", evidence=[{"id": "a", "title": "good"}, {"id": "b"}])
    found = findings(asked, record, NOW)
    assert shown(asked, found.warnings) == ["A-B-02 @ evidence[0]"]
    assert shown(asked, found.violations)[:2] == ["A-B-03 @ evidence[0]", "A-B-03 @ evidence[1]"]


def test_a_watching_contract_only_warns_and_its_reject_admits() -> None:
    """Section 7: violations of an audited contract are warnings; a `reject` turned warning admits."""
    text = contract("evidence", "rules:\n" + rule("A-B-01", "e.title == 'x'", "reject", each="evidence as e"))
    asked = program(text, audit="trial")
    found = findings(asked, facts("evidence", evidence=[{"id": "a"}]), NOW)
    assert (found.violations, found.admitted) == ([], (0,))
    assert shown(asked, found.warnings) == ["A-B-01 @ evidence[0] undecided"]


ROUTES = """choices:
  - id: A-C-01
    choose: route
    values: [external, data, refuse]
    from:
      - when: question.text == 'data'
        value: data
      - when: question.language == 'en'
        value: external
    otherwise: refuse
"""


@pytest.mark.parametrize(
    ("question", "route", "violations"),
    [
        ({"text": "data"}, "data", []),
        ({"text": "x", "language": "en"}, "external", []),
        ({"text": "x", "language": "zh"}, "refuse", ["A-B-01"]),
        ({"text": "x"}, "refuse", ["A-B-01 undecided"]),
        ({"language": "en"}, "refuse", ["A-B-01 undecided"]),
    ],
)
def test_a_choice_is_its_first_true_row(question: Mapping[str, str], route: str, violations: list[str]) -> None:
    """An undecided row ends the choice. The pipeline takes `refuse` for an undecided route; rules see undecided."""
    text = contract("route", ROUTES + "rules:\n" + rule("A-B-01", "chosen.route in ['data', 'external']"))
    asked, found = run(text, "route", question=question)
    assert (asked, found.choices) == (violations, {"route": route})


def test_an_undecided_choice_that_nothing_replaces_is_a_violation() -> None:
    """ENGINE-CHOICE, unless the table of gates says what an undecided choice means."""
    choice = "choices:\n  - id: A-C-01\n    choose: evidence_limit\n    from: []\n    otherwise: plan.result_limit\n"
    violations, found = run(contract("plan", choice), "plan", plan={})
    assert (violations, found.choices) == (["ENGINE-CHOICE undecided"], {})
    assert run(contract("plan", choice), "plan", plan={"result_limit": 3})[1].choices == {"evidence_limit": 3}


def test_a_choice_that_is_not_made_is_absent() -> None:
    """With a false `when` no choice is made: `has` is false, and reading it is undecided."""
    choice = "choices:\n  - id: A-C-01\n    when: false\n    choose: x\n    from: []\n    otherwise: 1\n"
    body = choice + "rules:\n" + rule("A-B-01", "!has(chosen.x)") + rule("A-B-02", "chosen.x == 1")
    violations, found = run(contract("call", body), "call")
    assert (violations, found.choices) == (["A-B-02 undecided"], {})


PER_ITEM = """choices:
  - id: A-C-01
    each: evidence as e
    choose: authority
    from:
      - when: e.source_type == 'gov'
        value: 1
      - when: e.source_type == 'own'
        value: e.authority_score
    otherwise: 0
"""


def test_choices_per_item_travel_with_the_item() -> None:
    """They are read as `e.chosen.NAME`, also of admitted items; an undecided one rejects its item."""
    body = PER_ITEM + "rules:\n" + rule("A-B-01", "e.chosen.authority > 0.5", "reject", each="evidence as e")
    body += rule("A-B-02", "admitted.all(a, a.chosen.authority == 1.0)")
    items = [
        {"id": "a", "source_type": "gov"},
        {"id": "b", "source_type": "blog"},
        {"id": "c"},
        {"id": "d", "source_type": "own"},
    ]
    violations, found = run(contract("evidence", body), "evidence", evidence=items)
    assert violations == [
        "A-B-01 @ evidence[1]",
        "A-B-01 @ evidence[2] undecided",
        "A-B-01 @ evidence[3] undecided",
        "ENGINE-CHOICE @ evidence[2] undecided",
        "ENGINE-CHOICE @ evidence[3] undecided",
    ]
    assert found.admitted == (0,)
    assert found.choices == {"authority": {0: 1.0, 1: 0.0}}
    assert all(type(value) is float for value in found.choices["authority"].values())


def test_lets_are_evaluated_per_item_and_may_stay_undecided_unread() -> None:
    """A let that reads an `each` name has a value for each item; a let that nobody needs harms nobody."""
    body = "let:\n  age: now - e.dated_at\n  young: age <= params.limit\nrules:\n"
    body += rule("A-B-01", "has(e.dated_at) && young", "reject", each="evidence as e")
    items = [{"id": "a", "dated_at": NOW - timedelta(hours=2)}, {"id": "b", "dated_at": NOW}, {"id": "c"}]
    text = contract("evidence", body, params={"limit": "1h"})
    assert run(text, "evidence", evidence=items)[0] == ["A-B-01 @ evidence[0]", "A-B-01 @ evidence[2]"]


OBLIGE = """rules:
  - id: A-B-01
    forbid: plan.freshness_required
    otherwise: oblige
    oblige:
      as_of: string(now)
      kind: plan.query_kind
    message: {en: State the date., zh: 说明日期。}
"""


def test_obligations_go_to_the_caller() -> None:
    """Values of violated rules that oblige; what the caller will not fulfil, or what is undecided, denies."""
    plan = {"freshness_required": True, "query_kind": "news"}
    violations, found = run(contract("answer", OBLIGE), "answer", frozenset({"as_of", "kind"}), plan=plan)
    assert violations == ["A-B-01"]
    assert found.obligations == {"as_of": ("2026-04-15T08:00:00Z",), "kind": ("news",)}
    violations, found = run(contract("answer", OBLIGE), "answer", frozenset({"as_of"}), plan=plan)
    assert violations == ["ENGINE-OBLIGATION", "A-B-01"]
    plan = {"freshness_required": True}
    violations, found = run(contract("answer", OBLIGE), "answer", frozenset({"as_of", "kind"}), plan=plan)
    assert violations == ["ENGINE-OBLIGATION undecided", "A-B-01"]
    assert found.obligations == {"as_of": ("2026-04-15T08:00:00Z",)}
    assert run(contract("answer", OBLIGE), "answer", plan={"freshness_required": False})[1].obligations == {}


def test_options_of_a_clarification_are_joined() -> None:
    """`clarify` offers options, in the order of the violations and each once; undecided ones add nothing."""
    more = "    options: question.ambiguities\n"
    body = "rules:\n" + rule("A-B-02", "false", "clarify", more=more)
    body += rule("A-B-01", "false", "clarify", more='    options: \'["b", "z"]\'\n')
    body += rule("A-B-03", "false", "clarify", more="    options: plan.search_queries\n")
    found = run(contract("plan", body), "plan", question={"ambiguities": ["a", "b"]})[1]
    assert found.options == ("b", "z", "a")


def test_waivers_mark_decided_violations_and_undo_their_effect() -> None:
    """A waived reject admits; undecided waives nothing, neither as condition nor as violation."""
    text = contract("evidence", "rules:\n" + rule("A-B-01", "e.title == 'x'", "reject", each="evidence as e"))
    items = [
        {"id": "a", "title": "y", "adapter": "own"},
        {"id": "b", "title": "y"},
        {"id": "c", "adapter": "own"},
    ]
    asked = program(text, waivers=waiver("A-B-01", "e.adapter == 'own'"))
    violations, found = run(asked, "evidence", evidence=items)
    assert violations == [
        "A-B-01 @ evidence[0] waived",
        "A-B-01 @ evidence[1]",
        "A-B-01 @ evidence[2] undecided",
    ]
    assert found.admitted == (0,)
    asked = program(text, waivers=waiver("A-B-01", "e.adapter == 'other'") + waiver("A-B-01", "true"))
    assert run(asked, "evidence", evidence=items)[1].admitted == (0, 1)


def test_a_waived_violation_has_no_obligation_and_no_options() -> None:
    """Section 7: it stays in the decision, marked, and has no effect."""
    body = "rules:\n" + rule("A-B-01", "false", "oblige", more="    oblige:\n      as_of: string(now)\n")
    body += rule("A-B-02", "false", "clarify", more="    options: question.ambiguities\n")
    known = waiver("A-B-01", "true") + waiver("A-B-02", "true")
    given: dict[str, Any] = {"question": {"ambiguities": ["a"]}}
    violations, found = run(program(contract("answer", body), waivers=known), "answer", **given)
    assert violations == ["A-B-02 waived", "A-B-01 waived"]
    assert (found.obligations, found.options) == ({}, ())
    assert run(contract("answer", body), "answer", **given)[1].options == ("a",)


def test_what_a_coming_program_violates_beyond_this_one_is_coming() -> None:
    """Section 1 and 7: a coming value warns of what it alone would violate, a coming contract of all it violates."""
    text = "rules:\n" + rule("A-B-01", "now - e.dated_at <= params.limit", "reject", each="evidence as e")
    base = program(contract("evidence", text, params={"limit": "3h"}))
    tighter = program(contract("evidence", text, params={"limit": "1h"}))
    other = program(contract("evidence", text.replace("A-B", "C-D"), "coming", params={"limit": "4h"}))
    both = Program(**{**vars(base), "variants": (Variant(tighter), Variant(other, "coming"), Variant(base, "trial"))})
    items = [{"id": name, "dated_at": NOW - timedelta(hours=hours)} for name, hours in (("a", 0), ("b", 2), ("c", 5))]
    found = findings(both, facts("evidence", evidence=items), NOW)
    assert shown(both, found.violations) == ["A-B-01 @ evidence[2]"]
    coming = [(index, shown(both.variants[index].program, [finding])) for index, finding in found.coming]
    assert coming == [
        (0, ["A-B-01 @ evidence[1]"]),
        (1, ["C-D-01 @ evidence[2]"]),
        (2, ["A-B-01 @ evidence[2]"]),
    ]


def test_the_order_of_files_rules_and_items_changes_nothing() -> None:
    """Section 5: all rules are always asked, and their order is that of violations."""
    first = contract("evidence", "rules:\n" + rule("A-B-01", "e.title == 'x'", "reject", each="evidence as e"))
    second = contract("evidence", "rules:\n" + rule("A-A-01", "admitted.size() > 2", "fallback"), "other")
    items = [{"id": "a", "title": "x"}, {"id": "b"}]
    forward = run(program(first, second), "evidence", evidence=items)
    assert forward[0] == run(program(second, first), "evidence", evidence=items)[0]
    assert forward[0] == ["A-A-01", "A-B-01 @ evidence[1] undecided"]
