"""Test files of a rule set: how what comes out is compared with what they expect."""

from __future__ import annotations

from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest
from tests.engine.rules.case_sets import AGE, FACTS, HEAD, POLICIES, TELLING, WHOLE, faults, files, one
from tests.engine.rules.programs import contract, rule, waiver

from groundrule.rules import cases
from groundrule.rules.cases import junit, run_tests


def test_a_whole_test_file_passes() -> None:
    """Every case as expected, and every rule shown passing, failing and undecided: the run passes."""
    report = run_tests(files())
    assert report.faults == ()
    assert [(case.name, case.passed) for case in report.cases] == [
        ("an old page is set aside", True),
        ("an undated page cannot be judged", True),
    ]
    assert report.passed
    (shown,) = report.coverage
    assert (shown.rule, shown.doubtful, shown.missing) == ("FRESH-AGE-01", True, ())
    assert report.to_json()["coverage"] == [
        {"rule": "FRESH-AGE-01", "contract": "freshness", "version": "1.0.0", "missing": []}
    ]


def test_the_shipped_contracts_keep_their_promises() -> None:
    """Every case of the rule set that ships passes, and every rule has its cases."""
    given = {path.relative_to(POLICIES).as_posix(): path.read_bytes() for path in POLICIES.rglob("*.*")}
    report = run_tests(given, datetime(2026, 6, 1, tzinfo=UTC))
    assert [fault.render() for fault in report.faults] == []
    assert [(case.place, case.differences) for case in report.cases if not case.passed] == []
    assert len(report.cases) > 100
    assert report.passed


@pytest.mark.parametrize(
    ("body", "difference"),
    [
        ("    expect: {outcome: deny}\n", "the outcome is `allow`, not `deny`"),
        ("    expect: {}\n", "the violation `FRESH-AGE-01 @ evidence[1]` was not expected: Not met."),
        (
            "    expect: {violations: ['FRESH-AGE-01 @ evidence[0]', 'FRESH-AGE-01 @ evidence[1]']}\n",
            "the violation `FRESH-AGE-01 @ evidence[0]` did not come",
        ),
        (
            "    expect: {violations: ['FRESH-AGE-01 @ evidence[1]', 'FRESH-AGE-01 @ evidence[1]']}\n",
            "the violation `FRESH-AGE-01 @ evidence[1]` did not come",
        ),
        (
            "    expect: {violations: ['FRESH-AGE-01 @ evidence[1] undecided']}\n",
            "the violation `FRESH-AGE-01 @ evidence[1] undecided` did not come",
        ),
        (
            "    expect: {violations: ['FRESH-AGE-01 @ evidence[1]'], admitted: [old]}\n",
            'admitted is ["new"], not ["old"]',
        ),
        (
            "    expect: {violations: ['FRESH-AGE-01 @ evidence[1]'], options: [a]}\n",
            'the options are [], not ["a"]',
        ),
        (
            "    expect: {violations: ['FRESH-AGE-01 @ evidence[1]'], valid_until: null}\n",
            'valid_until is "2026-04-15T02:00:00.000001Z", not null',
        ),
        (
            "    expect: {violations: ['FRESH-AGE-01 @ evidence[1]'], warnings: ['FRESH-AGE-01 @ evidence[0]']}\n",
            "the warning `FRESH-AGE-01 @ evidence[0]` did not come",
        ),
    ],
)
def test_what_comes_out_other_than_expected_is_a_sentence(body: str, difference: str) -> None:
    """Each difference says what came and what was expected."""
    assert difference in one(body)


def test_the_order_of_expected_violations_is_free() -> None:
    """Violations are compared as a collection: each line as often as it stands there."""
    body = (
        "    change: {'evidence[0].dated_at': null}\n"
        "    expect: {violations: ['FRESH-AGE-01   @ evidence[1]', 'FRESH-AGE-01 @ evidence[0] undecided']}\n"
    )
    assert one(body) == ()


def test_a_violation_that_is_not_named_fails_and_says_why_it_is_undecided() -> None:
    """A list that `expect` does not name must be empty."""
    (difference,) = one("    change: {evidence: null}\n    expect: {outcome: allow}\n")
    assert difference == (
        "the violation `FRESH-AGE-01 @ evidence undecided` was not expected: Not met. (evidence is absent)"
    )


def test_what_expect_leaves_out_is_not_looked_at() -> None:
    """Outcome, admitted, choices and valid_until are compared only where they are named."""
    assert one("    expect: {violations: ['FRESH-AGE-01 @ evidence[1]']}\n") == ()


CHOOSING = contract(
    "evidence",
    "rules:\n" + rule("AUTH-MIN-01", "e.chosen.authority >= 0.5", "reject", each="evidence as e")
    + "choices:\n  - id: AUTH-TIER-01\n    each: evidence as e\n    choose: authority\n    from:\n"
    "      - when: e.title == 'good'\n        value: 0.75\n    otherwise: 0.25\n",
    name="authority",
)  # fmt: skip
READING = contract(
    "evidence",
    "rules:\n" + rule("SUFF-COUNT-01", "admitted.exists(x, x.chosen.authority > 0.5)", "fallback"),
    name="sufficiency",
)


def test_choices_are_compared_by_name_and_value() -> None:
    """Named choices are compared, numbers by value; a choice that is not named is not looked at."""
    head = "contract: authority\nnow: 2026-04-15T08:00:00Z\nfacts: {evidence: [{id: a, title: good}]}\n"
    assert one("    expect: {choices: {authority: {a: 0.75}}}\n", head, CHOOSING) == ()
    assert one("    expect: {choices: {authority: {a: 1}}}\n", head, CHOOSING) == (
        'the choice `authority` is {"a":0.75}, not {"a":1}',
    )


def test_an_undecided_choice_of_a_rejected_item_need_not_be_named() -> None:
    """It says nothing new about an item that is rejected as expected; elsewhere it must be named."""
    head = "contract: authority\nnow: 2026-04-15T08:00:00Z\nfacts: {evidence: [{id: a}]}\n"
    assert one("    expect: {violations: ['AUTH-MIN-01 @ evidence[0] undecided']}\n", head, CHOOSING) == ()
    both = (
        "    expect: {violations: ['AUTH-MIN-01 @ evidence[0] undecided', 'ENGINE-CHOICE @ evidence[0] undecided']}\n"
    )
    assert one(both, head, CHOOSING) == ()
    assert len(one("    expect: {violations: []}\n", head, CHOOSING)) == 2


def test_a_contract_is_tested_without_the_others_unless_it_names_them() -> None:
    """What other contracts of the gate say does not disturb a test; `with` adds them."""
    head = HEAD + "facts: {evidence: [{id: a, dated_at: 2026-04-15T07:00:00+08:00}]}\n"
    assert one("    expect: {admitted: [a]}\n", head, AGE, CHOOSING) == ()
    wider = head.replace("freshness\n", "freshness\nwith: [authority]\n")
    assert one("    expect: {admitted: []}\n", wider, AGE, CHOOSING) == (
        "the violation `AUTH-MIN-01 @ evidence[0] undecided` was not expected: Not met. (e.title is absent)",
        "the violation `ENGINE-CHOICE @ evidence[0] undecided` was not expected: The choice authority cannot be "
        "decided: e.title is absent.",
    )


def test_a_choice_of_a_contract_that_is_not_asked_is_a_fault() -> None:
    """Where the whole set is asked the choice is made, so a test without it would show something else."""
    test = (
        "contract: sufficiency\nnow: 2026-04-15T08:00:00Z\nfacts: {evidence: [{id: a, title: good}]}\n"
        "cases: {one: {expect: {}}}\n"
    )
    assert "GR613 tests/freshness.test.yaml:1:11" in faults(files(test, READING, CHOOSING))
    wider = test.replace("sufficiency\n", "sufficiency\nwith: [authority]\n")
    report = run_tests(files(wider, READING, CHOOSING))
    assert [case.differences for case in report.cases] == [()]
    assert "GR613" not in {fault.code for fault in report.faults}


def test_with_takes_contracts_of_the_same_gate() -> None:
    """Choices of earlier gates are facts, so a contract of another gate has no place in `with`."""
    other = contract("call", "rules:\n" + rule("CALL-TOOL-01", "call.tool == 'x'"), name="call")
    test = WHOLE.replace("now:", "with: [call, freshnes]\nnow:", 1)
    found = faults(files(test, AGE, other))
    assert "GR614 tests/freshness.test.yaml:2:8" in found
    assert "GR605 tests/freshness.test.yaml:2:14" in found


def test_waivers_count_and_are_marked() -> None:
    """A waived violation is written with `waived`, and has no effect."""
    waivers = waiver("FRESH-AGE-01", "e.id == 'old'")
    body = "    expect: {violations: ['FRESH-AGE-01 @ evidence[1] waived'], admitted: [new, old]}\n"
    assert one(body, **{"waivers.yaml": waivers}) == ()


def test_audit_of_the_manifest_does_not_change_what_is_tested() -> None:
    """A contract that only watches is tested for what it will do."""
    manifest = "name: trial\nversion: 1.0.0\naudit: [freshness]\n"
    assert one("    expect: {violations: ['FRESH-AGE-01 @ evidence[1]']}\n", **{"manifest.yaml": manifest}) == ()


def test_the_version_in_force_at_the_time_of_the_case_is_asked() -> None:
    """`change` may set `now`, and with it the version."""
    coming = AGE.replace("version: 1.0.0", "version: 2.0.0\neffective: {from: 2026-05-01T00:00:00Z}")
    coming = coming.replace("limit: 3h", "limit: 100w")
    head = WHOLE.partition("cases:")[0]
    body = "    change: {now: 2026-05-02T00:00:00Z}\n    expect: {admitted: [new, old]}\n"
    assert one(body, head, AGE, coming) == ()
    test = WHOLE + "  later:\n" + body
    report = run_tests(files(test, AGE, coming))
    assert [(shown.version, shown.missing) for shown in report.coverage] == [
        ("1.0.0", ()),
        ("2.0.0", ("failing", "undecided")),
    ]


def test_before_a_contract_is_in_force_its_gate_is_empty() -> None:
    """A time before `effective.from` denies, as everywhere."""
    later = AGE.replace("version: 1.0.0", "version: 1.0.0\neffective: {from: 2026-05-01T00:00:00Z}")
    body = "    expect: {outcome: deny, violations: [ENGINE-GATE-EMPTY undecided]}\n"
    assert one(body, HEAD + FACTS, later) == ()


def test_faulty_facts_are_a_violation_that_can_be_expected() -> None:
    """A value of a wrong type stays as the author wrote it, so that its refusal can be shown."""
    head = HEAD + "facts: {evidence: [{id: a, dated_at: yesterday}]}\n"
    assert one("    expect: {outcome: deny, violations: [ENGINE-FACTS undecided]}\n", head) == ()


OBLIGING = contract(
    "answer",
    "rules:\n" + rule("ANSWER-DATE-01", "!e.chosen.tell_date", "oblige", each="evidence as e",
                      more="    oblige:\n      as_of: e.dated_at\n"),
    name="answer",
)  # fmt: skip


def test_obligations_and_what_the_caller_fulfils() -> None:
    """`can` says what the caller will fulfil; obligations are compared whole; choices of earlier gates are facts."""
    head = (
        "contract: answer\nnow: 2026-04-15T08:00:00Z\ncan: [as_of]\n"
        "facts: {evidence: [{id: a, dated_at: 2026-04-15T08:00:00+08:00, chosen: {tell_date: true}}]}\n"
    )
    body = "    expect: {violations: ['ANSWER-DATE-01 @ evidence[0]'], obligations: {as_of: 2026-04-15T00:00:00Z}}\n"
    assert one(body, head, OBLIGING, TELLING) == ()
    assert one(body.replace("-15T00", "-16T00"), head, OBLIGING, TELLING) == (
        'the obligation `as_of` is ["2026-04-15T00:00:00.000000Z"], not ["2026-04-16T00:00:00.000000Z"]',
    )
    unnamed = "    expect: {violations: ['ANSWER-DATE-01 @ evidence[0]']}\n"
    assert len(one(unnamed, head, OBLIGING, TELLING)) == 1
    nobody = body.replace("    expect", "    can: []\n    expect").replace(
        "evidence[0]'", "evidence[0]', 'ENGINE-OBLIGATION @ evidence[0]'"
    )
    assert one(nobody, head, OBLIGING, TELLING) == ()


def test_durations_are_written_as_authors_write_them() -> None:
    """`3h` and `10800s` are one duration; elsewhere they are text."""
    budget = contract("call", "rules:\n" + rule("CALL-TIME-01", "run.remaining == duration('3h') && call.tool == '3h'"))
    head = "contract: trial\nnow: 2026-04-15T08:00:00Z\nfacts: {run: {remaining: 3h}, call: {tool: 3h}}\n"
    assert one("    expect: {}\n", head, budget) == ()
    assert one("    change: {run.remaining: 10800s}\n    expect: {}\n", head, budget) == ()
    assert one("    change: {run.remaining: '180m'}\n    expect: {}\n", head, budget) == ()


def test_the_report_as_junit_xml() -> None:
    """Cases by file, failures with their sentences, faults in a suite of their own; no character that XML forbids."""
    test = WHOLE.replace("outcome: allow", "outcome: deny").replace("an old page", "<&\"' \\U0001F600 旧页")
    test = test[: test.index("  an undated")]
    root = ElementTree.fromstring(junit(run_tests(files(test))))
    suites = {suite.get("name"): suite for suite in root}
    assert set(suites) == {"tests/freshness.test.yaml", "rule set"}
    (case,) = suites["tests/freshness.test.yaml"]
    assert case.get("name") == "<&\"' \\U0001F600 旧页 is set aside"
    assert case[0].tag == "failure"
    assert case[0].text == "the outcome is `allow`, not `deny`"
    assert [element[0].tag for element in suites["rule set"]] == ["error"]
    assert suites["rule set"].get("errors") == "1"
    nasty = cases.FileResult("a\x00b", "c", (cases.CaseResult("n\ufffe", "p", ("d\x1b",)),))
    ElementTree.fromstring(junit(cases.TestReport((nasty,), (), ())))
