"""The compiler against the interpreter on random rule sets and random facts."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engine.rules.programs import NOW, contract, rule
from tests.engine.rules.rule_expressions import PARAMS
from tests.engine.rules.rule_sets import Author, facts

from groundrule import RuleFileError, RuleSet, compile_rules, evaluate
from groundrule.rules.compile import compile_program, source_of
from groundrule.rules.facts import Facts
from groundrule.rules.interpret import findings
from groundrule.rules.program import UNDECIDED, WAIVED, Findings, Program, position_of, rank_of

GATES = ("evidence", "answer", "plan", "call")


def written(random: Random, gate: str) -> tuple[dict[str, str], RuleSet | None]:
    """A random rule set; None if the checker refuses it."""
    files = Author(random, gate).files()
    try:
        return files, compile_rules(files)
    except RuleFileError:
        return files, None


def told(found: Findings) -> dict[str, Any]:
    """The fields of findings with the types of their values, so that True is not 1."""
    return {
        "violations": found.violations,
        "warnings": found.warnings,
        "admitted": found.admitted,
        "choices": {name: repr(value) for name, value in found.choices.items()},
        "obligations": {name: repr(value) for name, value in found.obligations.items()},
        "options": found.options,
    }


def differences(program: Program, held: Facts, can: frozenset[str] = frozenset()) -> list[str]:
    """The fields in which compiler and interpreter differ."""
    fast, slow = told(compile_program(program)(held, NOW, can)), told(findings(program, held.known, NOW, can))
    return [f"{name}: compiled {fast[name]}, meant {slow[name]}" for name in slow if fast[name] != slow[name]]


@pytest.mark.parametrize("gate", GATES)
@settings(
    max_examples=63, derandomize=True, deadline=None, database=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow, HealthCheck.data_too_large],
)  # fmt: skip
@given(seed=st.integers(0, 2**48))
def test_compiled_is_interpreted(gate: str, seed: int) -> None:
    """Whatever authors write and whatever the facts are: the compiled function finds what the rules mean."""
    random = Random(seed)
    files, rules = written(random, gate)
    if rules is None:
        return
    program = rules.program(gate, NOW, {})
    for can in (frozenset[str](), frozenset({"as_of"})) * 2:
        given = facts(random, gate)
        held = rules.facts(gate, given)
        assert held.record is not None, held.fault
        wrong = differences(program, held, can)
        assert not wrong, "\n".join([*wrong, files["contracts/trial.yaml"], str(given), source_of(program)])


@pytest.mark.parametrize("gate", GATES)
def test_most_random_rule_sets_are_accepted(gate: str) -> None:
    """The generator writes what the checker accepts, so the comparison compares something."""
    accepted = [written(Random(seed), gate)[1] is not None for seed in range(40)]
    assert sum(accepted) >= 28


def by_item(rules: RuleSet, given: dict[str, Any]) -> tuple[Any, ...]:
    """The outcome, and what was found of each item, named by its id."""
    program = rules.program("evidence", NOW, {})
    held = rules.facts("evidence", given)
    assert held.record is not None
    ids = {position: item["id"] for position, item in enumerate(given["evidence"])}
    found = compile_program(program)(held, NOW, frozenset())

    def item(finding: int) -> tuple[Any, ...]:
        face, at = program.entries[rank_of(finding)], position_of(finding)
        over_evidence = face.rule is None or face.rule.each is None or face.rule.each.path == "evidence"
        return face.id, ids.get(at) if over_evidence and at is not None else at, finding & (UNDECIDED | WAIVED)

    choices = {
        name: sorted((ids[at], repr(value)) for at, value in made.items()) if isinstance(made, dict) else repr(made)
        for name, made in found.choices.items()
    }
    admitted = {ids[at] for at in found.admitted or ()}
    outcome = evaluate(rules, "evidence", given, NOW).outcome
    return outcome, Counter(map(item, found.violations)), Counter(map(item, found.warnings)), choices, admitted


@settings(max_examples=60, derandomize=True, deadline=None, database=None)
@given(seed=st.integers(0, 2**48))
def test_items_are_judged_alike_in_any_order(seed: int) -> None:
    """Where each item is judged alone, another order of the evidence changes no outcome and no item's lot."""
    random = Random(seed)
    try:
        rules = compile_rules(Author(random, "evidence", alone=True).files())
    except RuleFileError:
        return
    given = {"evidence": [], **facts(random, "evidence")}
    mixed = {**given, "evidence": random.sample(given["evidence"], len(given["evidence"]))}
    assert by_item(rules, given) == by_item(rules, mixed)


BUNDLE = (
    "evidence.all(x, x.generated == false)",
    "evidence.exists(x, x.authority_score > 0.4)",
    "evidence.exists_one(x, has(x.title))",
    "size(distinct(admitted.map(x, has(x.target_url), x.target_url))) >= 2",
    "size(evidence.filter(x, now - x.dated_at <= params.limit)) > 0",
    "max(admitted.map(x, x.dated_at)) > params.at",
)


@pytest.mark.parametrize("condition", BUNDLE)
def test_bundles_are_judged_alike_in_any_order(condition: str) -> None:
    """Rules over all items, whose macros look on when a part is undecided, find the same in every order."""
    rejecting = rule("A-B-01", "e.generated || e.authority_score > 0.2", "reject", each="evidence as e")
    body = "rules:\n" + rejecting + rule("A-B-02", condition)
    rules = compile_rules(
        {"contracts/trial.yaml": contract("evidence", body, params=PARAMS), "lists/blocked.txt": "a\n"}
    )
    outcomes = set()
    for seed in range(60):
        given = {"evidence": [], **facts(Random(seed), "evidence")}
        results = [by_item(rules, {**given, "evidence": list(order)}) for order in permutations(given["evidence"])]
        assert all(result == results[0] for result in results)
        outcomes.add(results[0][0])
    assert outcomes == {"allow", "deny"}


OTHERS = (
    "evidence.exists(x, x.chosen.rank > 0.4)",
    "evidence.all(x, !has(x.chosen.rank) || x.chosen.rank >= 0.2)",
    "size(admitted.filter(x, x.chosen.rank >= 0.4).map(x, x.id)) > 0",
    "size(evidence.filter(x, has(x.chosen.rank)).map(x, x.chosen.rank)) < size(evidence)",
    "cel.bind(first, evidence[0], has(first.chosen.rank) && first.chosen.rank > 0.4)",
)
RANK = """
choices:
  - id: A-B-09
    each: evidence as e
    when: e.generated
    choose: rank
    from:
      - when: e.authority_score > 0.5
        value: e.authority_score
    otherwise: 0.3
"""


@pytest.mark.parametrize("condition", OTHERS)
def test_choices_of_other_items_are_compiled(condition: str) -> None:
    """Also where a choice was not made or is undecided."""
    rejecting = rule("A-B-01", "e.authority_score > 0.2", "reject", each="evidence as e")
    body = "rules:\n" + rejecting + rule("A-B-02", condition) + RANK
    rules = compile_rules({"contracts/trial.yaml": contract("evidence", body)})
    program = rules.program("evidence", NOW, {})
    assert "[id(" in source_of(program)
    met = Counter[bool]()
    for seed in range(120):
        held = rules.facts("evidence", {"evidence": [], **facts(Random(seed), "evidence")})
        assert differences(program, held) == []
        met[not compile_program(program)(held, NOW, frozenset()).violations] += 1
    assert all(met[held] for held in (True, False))
