"""Readings are enough: outcome and admitted items follow from bare truth values, as RULES say, without the engine."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from tests.engine.rules.derivation import derived
from tests.engine.rules.programs import NOW
from tests.engine.rules.rule_sets import facts
from tests.engine.rules.shipped import suites
from tests.engine.rules.test_differential import GATES, written

from groundrule import evaluate
from groundrule.rules.readings import disputed, readings


@pytest.mark.parametrize("gate", GATES)
def test_random_decisions_follow_from_their_readings(gate: str) -> None:
    """Rule sets with waivers, audits, obligations, choices and lists that are undecided, on facts full of holes."""
    outcomes: Counter[str] = Counter()
    for seed in range(60):
        random = Random(seed)
        _, rules = written(random, gate)
        if rules is None:
            continue
        for can in ((), ("as_of",)) * 2:
            decision = evaluate(rules, gate, facts(random, gate), NOW, can=can)
            found = readings(decision)
            assert found is not None
            assert derived(found) == (decision.outcome, decision.admitted), (gate, seed, decision)
            outcomes[decision.outcome] += 1
    assert outcomes["allow"]
    assert len(outcomes) > 1


def test_the_decisions_of_every_shipped_case_follow_from_their_readings() -> None:
    """Cases with faulty facts have none, and deny."""
    compared = 0
    for suite in suites():
        for case in suite.cases:
            decision = evaluate(suite.rules, suite.gate, case.facts, case.now, can=case.can)
            found = readings(decision)
            if found is None:
                assert decision.outcome == "deny"
            else:
                assert derived(found) == (decision.outcome, decision.admitted), case.name
                compared += 1
    assert compared > 200


def test_a_disputed_decision_denies_and_admits_nothing() -> None:
    """Whatever it was, what stands in its place says in both languages that it was not confirmed."""
    for suite in suites():
        case = suite.cases[0]
        decision = disputed(evaluate(suite.rules, suite.gate, case.facts, case.now, can=case.can))
        (violation,) = decision.violations
        assert (decision.outcome, decision.admitted, decision.choices) == ("deny", (), {})
        assert violation.rule == "ENGINE-CROSS-CHECK"
        assert set(violation.message) == {"en", "zh"}
        assert readings(decision) is None
