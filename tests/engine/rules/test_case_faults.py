"""Test files of a rule set: what is wrong with them, and what a run of them must show."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.engine.rules.case_sets import AGE, FACTS, HEAD, TELLING, WHOLE, faults, files
from tests.engine.rules.programs import contract, rule

from groundrule.rules.cases import run_tests

# What is wrong with a test file


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        (WHOLE.replace("freshness", "freshnes", 1), "GR605 tests/freshness.test.yaml:1:11"),
        (WHOLE.replace("contract: freshness\n", "", 1), "GR119 tests/freshness.test.yaml:1:1"),
        (WHOLE.replace("now: 2026-04-15T08:00:00+08:00\n", "", 1), "GR119 tests/freshness.test.yaml:1:1"),
        (WHOLE.replace("08:00:00+08:00", "08:00:00", 1), "GR120 tests/freshness.test.yaml:2:6"),
        (HEAD + FACTS, "GR119 tests/freshness.test.yaml:1:1"),
        (HEAD + FACTS + "cases: {}\n", "GR601 tests/freshness.test.yaml:5:8"),
        (WHOLE.replace("facts:", "fact:"), "GR118 tests/freshness.test.yaml:3:1"),
        (WHOLE.replace("expect:", "expects:", 1), "GR118 tests/freshness.test.yaml:7:5"),
        (WHOLE.replace("outcome: allow", "outcome: alow"), "GR120 tests/freshness.test.yaml:8:16"),
        (WHOLE.replace("      outcome:", "      outcom:"), "GR118 tests/freshness.test.yaml:8:7"),
        (WHOLE.replace("FRESH-AGE-01 @ evidence[1]", "FRESH-AGE-02 @ x"), "GR609 tests/freshness.test.yaml:9:20"),
        (WHOLE.replace("FRESH-AGE-01 @ evidence[1]", "an old page"), "GR604 tests/freshness.test.yaml:9:20"),
        (WHOLE.replace("pages/new}", "pages/ne}"), "GR602 tests/freshness.test.yaml:4:21"),
        (WHOLE.replace("pages/new}", "../pages/new}"), "GR602 tests/freshness.test.yaml:4:21"),
        (WHOLE.replace("pages/new}", "/etc/passwd}"), "GR602 tests/freshness.test.yaml:4:21"),
        (WHOLE.replace("pages/new}", "freshness.test}"), "GR602 tests/freshness.test.yaml:4:21"),
        (WHOLE.replace("pages/new}", "[pages/new]}"), "GR115 tests/freshness.test.yaml:4:21"),
        (WHOLE.replace("dated_at: 2026-04-14", "dated: 2026-04-14"), "GR118 tests/freshness.test.yaml:4:60"),
        (WHOLE.replace("'evidence[0].dated_at'", "'evidence[0].dated'"), "GR603 tests/freshness.test.yaml:12:14"),
        (WHOLE.replace("'evidence[0].dated_at'", "'evidence[7].dated_at'"), "GR603 tests/freshness.test.yaml:12:14"),
        (WHOLE.replace("'evidence[0].dated_at'", "plan.topic"), "GR603 tests/freshness.test.yaml:12:14"),
        (WHOLE.replace("'evidence[0].dated_at'", "evidence.dated_at"), "GR603 tests/freshness.test.yaml:12:14"),
        (WHOLE.replace("'evidence[0].dated_at'", "'evidence[+]'"), "GR603 tests/freshness.test.yaml:12:14"),
        (WHOLE.replace("'evidence[0].dated_at'", "'evidence[-1]'"), "GR603 tests/freshness.test.yaml:12:14"),
        (WHOLE.replace("'evidence[0].dated_at'", "plam"), "GR603 tests/freshness.test.yaml:12:14"),
        (WHOLE.replace("'evidence[0].dated_at'", "now"), "GR120 tests/freshness.test.yaml:12:19"),
        ("- a\n", "GR116 tests/freshness.test.yaml:1:1"),
        ("", "GR111 tests/freshness.test.yaml:1:1"),
        (WHOLE + "contract: freshness\n", "GR105 tests/freshness.test.yaml:14:1"),
        (WHOLE.replace("{$use: pages/new}", "&a x"), "GR106 tests/freshness.test.yaml:4:14"),
    ],
)  # fmt: skip
def test_a_fault_of_a_test_file_has_its_code_and_place(test: str, expected: str) -> None:
    """Nothing is guessed: each fault stands at its place, and the run fails."""
    report = run_tests(files(test))
    assert expected in [f"{fault.code} {fault.place}" for fault in report.faults]
    assert not report.passed


def test_a_misspelt_name_brings_the_nearest() -> None:
    """Contracts, fixtures, rules, keys and fields have a nearest name."""
    test = (
        WHOLE.replace("pages/new}", "pages/nwe}")
        .replace("FRESH-AGE-01 @ evidence[1]", "FRESH-AGE-10")
        .replace("outcome: allow", "outcom: allow")
    )
    helps = {fault.code: fault.help for fault in run_tests(files(test)).faults}
    assert helps["GR602"] == "did you mean `pages/new`?"
    assert helps["GR609"] == "did you mean `FRESH-AGE-01`?"
    assert helps["GR118"] == "did you mean `outcome`?"


def test_a_fault_in_one_case_leaves_the_others() -> None:
    """The other cases are run; nothing is said about what the faulty one might have shown."""
    report = run_tests(files(WHOLE.replace("'evidence[0].dated_at'", "plam")))
    assert [case.name for case in report.cases] == ["an old page is set aside"]
    assert {fault.code for fault in report.faults} == {"GR603"}


def test_a_rule_set_with_faults_is_not_tested() -> None:
    """The faults of the rule set are the report."""
    report = run_tests(files(WHOLE, AGE.replace("params.limit", "params.limits")))
    assert [fault.code for fault in report.faults] == ["GR212"]
    assert report.files == ()
    assert not report.passed


# What a run must show


def test_a_run_without_test_files_fails() -> None:
    """A run that matched no file proves nothing."""
    report = run_tests({"contracts/a.yaml": AGE})
    assert [fault.code for fault in report.faults] == ["GR610"]
    assert not report.passed


def test_a_contract_without_test_file_fails() -> None:
    """Also one that only chooses, which has no rule to show."""
    assert faults(files(WHOLE, AGE, TELLING)) == ["GR611 contracts/1.yaml:1:11"]


@pytest.mark.parametrize(
    ("cut", "missing"),
    [
        ("  an undated page", {"undecided"}),
        ("  an old page", {"passing", "failing"}),
    ],
)
def test_what_no_case_shows_fails_the_run_at_the_rule(cut: str, missing: set[str]) -> None:
    """Every rule needs a case that it passes, one that it fails, and one where it is undecided."""
    start = WHOLE.index(cut)
    end = WHOLE.find("\n  an ", start + 1) + 1 or len(WHOLE)
    report = run_tests(files(WHOLE[:start] + WHOLE[end:]))
    assert {fault.message for fault in report.faults} == {f"no case shows `FRESH-AGE-01` {state}" for state in missing}
    assert {fault.place for fault in report.faults} == {"contracts/0.yaml:9:9"}
    assert all(case.passed for case in report.cases)
    assert not report.passed


def test_a_rule_that_no_case_asks_fails_the_run() -> None:
    """A `when` that is false in every case leaves the rule without proof."""
    silent = AGE.replace("    require:", "    when: plan.freshness_required\n    require:", 1)
    test = WHOLE.replace("facts:\n", "facts:\n  plan: {freshness_required: false}\n")
    test = test.replace("violations: ['FRESH-AGE-01 @ evidence[1]']\n      admitted: [new]", "admitted: [new, old]")
    test = test.replace("{violations: ['FRESH-AGE-01 @ evidence[0] undecided']}", "{}")
    report = run_tests(files(test, silent))
    assert all(case.passed for case in report.cases)
    assert [shown.missing for shown in report.coverage] == [("passing", "failing", "undecided")]


@pytest.mark.parametrize(
    ("condition", "doubtful"),
    [
        ("plan.topic == 'a'", True),
        ("has(plan.topic)", True),
        ("size(params.names) > 0", False),
        ("now < timestamp('2030-01-01T00:00:00Z')", False),
        ("params.names.all(name, name != 'x')", False),
        ("params.names.all(name, name != plan.topic)", True),
        ("true || plan.topic == 'a'", False),
        ("true && plan.topic == 'a'", True),
        ("fixed", False),
        ("twice", True),
        ("cel.bind(x, plan.topic, x == 'a')", True),
        ("cel.bind(x, now, x == now)", False),
        ("chosen.always == 'b'", False),
        ("chosen.sometimes == 'b'", True),
        ("has(chosen.sometimes)", False),
        ("params.ages['a'] > duration('1h')", False),
        ("params.ages[plan.topic] > duration('1h')", True),
    ],
)
def test_a_rule_that_reads_only_what_is_always_there_cannot_be_undecided(condition: str, doubtful: bool) -> None:
    """Literals, `now` and params are always there, whatever lets and choices stand between."""
    body = (
        "let:\n  fixed: size(params.names) > 0\n  twice: fixed && once\n  once: plan.topic == 'a'\n"
        "rules:\n" + rule("PLAN-ANY-01", condition)
        + "choices:\n  - {id: PLAN-ALWAYS-01, choose: always, from: [], otherwise: '\"b\"'}\n"
        "  - {id: PLAN-SOME-01, choose: sometimes, when: 'now == now', from: [], otherwise: '\"b\"'}\n"
    )  # fmt: skip
    text = contract("plan", body, params={"names": "[a, b]", "ages": "{a: 1h, b: 2h}"})
    test = "contract: trial\nnow: 2026-04-15T08:00:00Z\ncases: {one: {expect: {}}}\n"
    (shown,) = run_tests(files(test, text)).coverage
    assert shown.doubtful is doubtful


def test_with_a_time_the_version_in_force_then_must_be_shown_too() -> None:
    """A coming version does not excuse the one in force from its cases."""
    coming = AGE.replace("version: 1.0.0", "version: 2.0.0\neffective: {from: 2026-04-10T00:00:00Z}")
    assert [shown.version for shown in run_tests(files(WHOLE, AGE, coming)).coverage] == ["2.0.0"]
    before = datetime(2026, 4, 1, tzinfo=UTC)
    assert [shown.version for shown in run_tests(files(WHOLE, AGE, coming), before).coverage] == ["1.0.0", "2.0.0"]


def test_a_rule_that_has_ended_needs_no_case() -> None:
    """It can no longer be shown at the time of the cases."""
    ended = AGE + rule("FRESH-OLD-01", "e.title == 'x'", "reject", each="evidence as e",
                       more="    effective: {until: 2026-01-01T00:00:00Z}\n")  # fmt: skip
    assert [shown.rule for shown in run_tests(files(WHOLE, ended)).coverage] == ["FRESH-AGE-01"]
