"""The compiler against the interpreter on random rule sets and random facts."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engine.rules.programs import NOW
from tests.engine.rules.rule_sets import Author, facts

from groundrule import RuleFileError, RuleSet, compile_rules, evaluate
from groundrule.facts.record import Record
from groundrule.rules.compile import compile_program, source_of
from groundrule.rules.interpret import findings
from groundrule.rules.program import Findings, Program

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


def differences(program: Program, record: Record, can: frozenset[str] = frozenset()) -> list[str]:
    """The fields in which compiler and interpreter differ."""
    fast, slow = told(compile_program(program)(record, NOW, can)), told(findings(program, record, NOW, can))
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
    for _ in range(4):
        given = facts(random, gate)
        held = rules.facts(gate, given)
        assert held.record is not None, held.fault
        wrong = differences(program, held.record)
        assert not wrong, "\n".join([*wrong, files["contracts/trial.yaml"], str(given), source_of(program)])


@pytest.mark.parametrize("gate", GATES)
def test_most_random_rule_sets_are_accepted(gate: str) -> None:
    """The generator writes what the checker accepts, so the comparison compares something."""
    accepted = [written(Random(seed), gate)[1] is not None for seed in range(40)]
    assert sum(accepted) > 30


@given(seed=st.integers(0, 2**48))
@settings(max_examples=60, derandomize=True, deadline=None, database=None)
def test_the_order_of_evidence_changes_no_outcome_of_rules_per_item(seed: int) -> None:
    """Rules that ask each item alone find the same whatever stands before it: the outcome is that of any order."""
    random = Random(seed)
    _, rules = written(random, "evidence")
    given = facts(random, "evidence")
    if rules is None or "evidence" not in given:
        return
    mixed = {**given, "evidence": random.sample(given["evidence"], len(given["evidence"]))}
    assert evaluate(rules, "evidence", given, NOW).outcome == evaluate(rules, "evidence", mixed, NOW).outcome
