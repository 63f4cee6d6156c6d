"""What a planner is told of a gate is what the rules in force say, and changes with them."""

from __future__ import annotations

from datetime import UTC, datetime

from groundrule import compile_rules
from groundrule.rules.demands import demands

NOW = datetime(2026, 4, 15, tzinfo=UTC)
FILE = """
contract: small
version: 1.0.0
gate: plan
summary: {en: Small., zh: 小。}
owners: [tests]
params:
  most: 3
let:
  many: size(plan.search_queries)
rules:
  - id: SMALL-COUNT-01
    require: many <= params.most
    otherwise: deny
    reply: unclear
    message: {en: Too many., zh: 太多。}
  - id: SMALL-NAME-01
    each: plan.subject_entities as name
    when: has(plan.location_hint)
    forbid: name == plan.location_hint
    otherwise: clarify
    message: {en: Which?, zh: 哪个？}
choices:
  - id: SMALL-CALLS-01
    choose: max_calls
    from:
      - when: many > 1
        value: 4
    otherwise: 2
"""


def test_each_rule_and_choice_is_a_line_below_what_it_uses() -> None:
    """Values, shorthands, conditions as written, and what follows where they are not met."""
    text = demands(compile_rules({"contracts/small.yaml": FILE}), "plan", NOW)
    assert text.split("\n") == [
        'params: {"most": 3}',
        "many: size(plan.search_queries)",
        "- refused unless many <= params.most",
        "- for each name of plan.subject_entities: asked back if name == plan.location_hint where has(plan.location_hint)",
        "- max_calls is 4 if many > 1, else 2",
    ]


def test_a_gate_without_contracts_demands_nothing() -> None:
    """The text is empty, and the gate denies all the same."""
    rules = compile_rules({"contracts/small.yaml": FILE})
    assert demands(rules, "answer", NOW) == ""
