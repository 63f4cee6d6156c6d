"""Worst-case cost: what a list is known to hold counts, wherever its name stands."""

from __future__ import annotations

from groundrule.rules.assemble import check, compile_rules

from .programs import contract, rule

IDS = "let:\n  ids: answer.citations.map(q, q.handle)\n"


def codes_of(text: str) -> list[str]:
    """The codes of what is said about one contract."""
    return [found.code for found in check({"contract.yaml": text})]


def test_a_let_is_as_long_as_what_it_names() -> None:
    """200 citations beside 1,000 items of evidence are within the budget; nine times over they are not."""
    rules = "".join(rule(f"COST-NEST-{number:02}", "evidence.exists(x, x.id in ids)") for number in range(9))
    assert codes_of(contract("answer", IDS + "rules:\n" + rules)) == []
    rules += rule("COST-NEST-09", "evidence.exists(x, x.id in ids)")
    assert codes_of(contract("answer", IDS + "rules:\n" + rules)) == ["GR325"]


def test_an_entry_of_a_param_is_as_long_as_the_longest() -> None:
    """A rule that looks an origin up in a table of two stays far below the budget, also a hundred times."""
    conditions = "e.dated_origin in params.origins[plan.query_kind]"
    rules = "".join(rule(f"COST-TABLE-{n:02}", conditions, "reject", each="evidence as e") for n in range(100))
    params = {"origins": "{market: [structured], news: [structured, text], weather: [text]}"}
    assert codes_of(contract("evidence", "rules:\n" + rules, params=params)) == []


def test_a_choice_may_have_durations_as_values() -> None:
    """`value: 45s` is a duration, as in params."""
    choice = """choices:
  - id: LIMIT-RUN-01
    choose: run_timeout
    from:
      - when: plan.requires_multi_source
        value: 45s
    otherwise: 30s
"""
    rules = compile_rules({"contract.yaml": contract("plan", choice)})
    (made,) = rules.contracts[0].choices
    assert str(made.type) == "duration"


def test_reading_texts_through_for_every_pair_of_items_is_too_costly() -> None:
    """Comparing ids of all pairs is within the budget; normalising two texts for each pair is not."""
    pairs = "evidence.all(x, evidence.all(y, {} || x.id == y.id))"
    for condition, refused in (
        ("x.title != y.title", False),
        ("normalise(x.snippet + y.title) != normalise(y.snippet + x.title)", True),
        ("x.snippet.matches('a') != y.snippet.matches('b')", True),
        ("contains_number(x.snippet, 1.0)", True),
    ):
        text = contract("answer", "rules:\n" + rule("COST-TEXT-01", pairs.format(condition)))
        assert ("GR325" in codes_of(text)) is refused
