"""Expressions without a gate against the public CEL conformance suite."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from groundrule import codes
from groundrule.diagnostics import RuleFileError
from groundrule.rules.bare import evaluate_bare
from groundrule.rules.bare_values import Entries, kind

from .suite import Case, cases, fetch

IN_PROFILE = 715
LEFT_OUT = {
    "protobuf messages": 525,
    "libraries beyond the standard one": 456,
    "uint": 179,
    "enums": 85,
    "optional values": 70,
    "macros of two variables": 46,
    "only the static type is asked": 25,
    "quoted field names": 17,
    "variables with a qualified name": 8,
    "types of protobuf as names": 2,
    "a double that is not finite is undecided": 8,
    "unknown names are refused before anything runs": 2,
}
"""How many tests of the suite each reason leaves out: the known gaps, which only shrink."""
REFUSED_EARLY = {codes.UNKNOWN_NAME.code, codes.UNKNOWN_FUNCTION.code}
"""CEL may find an unknown name only when it runs; here the text is refused."""


@pytest.fixture(scope="module")
def suite(pytestconfig: pytest.Config) -> list[Case]:
    return list(cases(fetch(pytestconfig.cache.mkdir("cel-conformance"))))


def test_every_test_in_the_profile_passes(suite: list[Case]) -> None:
    """Every test of the suite that needs only what the profile has gives the value, or fails, as the suite says."""
    asked = [case for case in suite if not case.outside]
    wrong = [(case.name, case.expr, found) for case in asked if (found := shortfall(case))]
    assert wrong == []
    assert len(asked) == IN_PROFILE


def test_what_is_left_out_is_declared(suite: list[Case]) -> None:
    """A test is left out only for a declared reason, and each reason leaves out as many as it says."""
    assert dict(Counter(case.outside for case in suite if case.outside)) == LEFT_OUT


def test_nothing_is_left_out_needlessly(suite: list[Case]) -> None:
    """No test is left out that states a value and would pass."""
    left_out = [case for case in suite if case.outside and not case.fails and case.value is not None]
    assert [case.name for case in left_out if not shortfall(case)] == []


def shortfall(case: Case) -> str:
    """What is wrong with our result, or nothing."""
    try:
        result = evaluate_bare(case.expr, case.variables)
    except RuleFileError as refused:
        early = case.fails and {found.code for found in refused.diagnostics} <= REFUSED_EARLY
        return "" if early else str(refused)
    if case.fails:
        return "" if result.type == "undecided" else f"{result.value!r} instead of an error"
    if result.type == "undecided":
        return f"undecided: {result.undecided}"
    return "" if exact(result.value) == exact(case.value) else f"{result.value!r} instead of {case.value!r}"


def exact(value: Any) -> Any:
    """The value with the kind of each part, so that 1 is not 1.0 and true is not 1."""
    if isinstance(value, tuple):
        return "list", tuple(exact(element) for element in value)
    if isinstance(value, Entries):
        return "map", frozenset((exact(key), exact(inner)) for key, inner in value.items())
    return kind(value), value
