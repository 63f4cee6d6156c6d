"""Test files of a rule set: what they may say, how they are compared, and what a run of them must show."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.engine.rules.programs import contract, rule, waiver

from groundrule.rules import cases
from groundrule.rules.cases import junit, run_tests
from groundrule.rules.change import APPEND, NoSuchPlace, changed, steps_of

POLICIES = Path(__file__).parents[3] / "policies"
AGE = contract(
    "evidence",
    "rules:\n" + rule("FRESH-AGE-01", "now - e.dated_at <= params.limit", "reject", each="evidence as e"),
    name="freshness",
    params={"limit": "3h"},
)
HEAD = "contract: freshness\nnow: 2026-04-15T08:00:00+08:00\n"
FACTS = "facts:\n  evidence: [{$use: pages/new}, {$use: pages/new, id: old, dated_at: 2026-04-14T08:00:00+08:00}]\n"
PAGES = {"tests/pages/new.yaml": "id: new\ndated_at: 2026-04-15T07:00:00+08:00\n"}
WHOLE = HEAD + FACTS + (
    "cases:\n"
    "  an old page is set aside:\n"
    "    expect:\n"
    "      outcome: allow\n"
    "      violations: ['FRESH-AGE-01 @ evidence[1]']\n"
    "      admitted: [new]\n"
    "  an undated page cannot be judged:\n"
    "    change: {'evidence[0].dated_at': null, 'evidence[1]': null}\n"
    "    expect: {violations: ['FRESH-AGE-01 @ evidence[0] undecided']}\n"
)  # fmt: skip


def files(test: str = WHOLE, *contracts: str, **more: str) -> dict[str, str | bytes]:
    """A rule set with one test file; further files by path."""
    texts = contracts or (AGE,)
    made: dict[str, str | bytes] = {f"contracts/{number}.yaml": text for number, text in enumerate(texts)}
    return {**made, "tests/freshness.test.yaml": test, **PAGES, **more}


def faults(given: dict[str, str | bytes]) -> list[str]:
    """Code and line of each fault."""
    return [f"{fault.code} {fault.place}" for fault in run_tests(given).faults]


def one(body: str, head: str = HEAD + FACTS, *contracts: str, **more: str) -> tuple[str, ...]:
    """The differences of a single case, whose keys stand in `body`."""
    report = run_tests(files(f"{head}cases:\n  the case:\n{body}", *contracts, **more))
    (case,) = report.cases
    return case.differences


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
TELLING = contract(
    "evidence",
    "choices:\n  - id: FRESH-TELL-01\n    each: evidence as e\n    choose: tell_date\n"
    "    from: []\n    otherwise: true\n",
)


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


# Paths of `change`


def test_a_change_leaves_the_facts_of_other_cases_alone() -> None:
    """What is not changed is shared, and nothing is altered in place."""
    facts = {"evidence": [{"id": "a"}, {"id": "b"}], "plan": {"topic": "t"}}
    made = changed(facts, steps_of("evidence[0].title"), "new")
    assert made == {"evidence": [{"id": "a", "title": "new"}, {"id": "b"}], "plan": {"topic": "t"}}
    assert facts == {"evidence": [{"id": "a"}, {"id": "b"}], "plan": {"topic": "t"}}
    assert made["plan"] is facts["plan"]


def test_null_removes_a_field_an_element_or_a_variable() -> None:
    """Removing what is absent already changes nothing."""
    facts = {"evidence": [{"id": "a"}, {"id": "b"}], "plan": {"topic": "t"}}
    assert changed(facts, steps_of("evidence[0]"), None) == {"evidence": [{"id": "b"}], "plan": {"topic": "t"}}
    assert changed(facts, steps_of("plan"), None) == {"evidence": facts["evidence"]}
    assert changed(facts, steps_of("plan.topic"), None)["plan"] == {}
    assert changed(facts, steps_of("plan.language"), None)["plan"] == {"topic": "t"}


def test_plus_appends() -> None:
    """`[+]` ends a path and takes a value."""
    assert steps_of("evidence[+]") == ("evidence", APPEND)
    assert changed({"evidence": []}, ("evidence", APPEND), {"id": "a"}) == {"evidence": [{"id": "a"}]}
    with pytest.raises(NoSuchPlace):
        changed({"evidence": []}, ("evidence", APPEND), None)


@pytest.mark.parametrize("path", ["", ".a", "[0]", "a..b", "a.", "a[", "a[-1]", "a b", "a[0]b", "a[１]", "a.[0]",
                                  "a" + ".a" * 40, "a[9999999]"])  # fmt: skip
def test_what_is_no_path_is_refused(path: str) -> None:
    """Names with dots between, indices in brackets."""
    with pytest.raises(NoSuchPlace):
        steps_of(path)


def test_changes_apply_in_order_and_may_use_fixtures() -> None:
    """A later change sees what an earlier one did."""
    body = (
        "    change:\n      evidence: []\n      evidence[+]: {$use: pages/new}\n      evidence[0].id: other\n"
        "    expect: {admitted: [other]}\n"
    )
    assert one(body) == ()


# Fixtures


def test_fixtures_use_fixtures_and_keys_beside_override() -> None:
    """`$use` beside other keys overrides them, level by level; null removes what the fixture has."""
    more = {
        "tests/pages/old.yaml": "$use: pages/new\ndated_at: 2026-04-14T08:00:00+08:00\ntitle: Old\n",
        "tests/both.yaml": "- {$use: pages/new}\n- {$use: pages/old, title: null}\n",
    }
    head = HEAD + "facts: {evidence: {$use: both}}\n"
    body = "    change: {'evidence[1].id': old}\n    expect: {violations: ['FRESH-AGE-01 @ evidence[1]']}\n"
    assert one(body, head, **more) == ()


def test_a_circle_of_fixtures_is_named() -> None:
    """Also one of a single file."""
    more = {"tests/a.yaml": "$use: b\n", "tests/b.yaml": "{id: x, title: {$use: a}}\n", "tests/c.yaml": "$use: c\n"}
    report = run_tests(files(HEAD + "facts: {evidence: [{$use: a}, {$use: c}]}\ncases: {one: {expect: {}}}\n", **more))
    circles = [fault.message for fault in report.faults if fault.code == "GR606"]
    assert circles == [
        "these fixtures use each other in a circle: a → b → a",
        "these fixtures use each other in a circle: c → c",
    ]


def test_a_fixture_that_is_a_list_stands_alone() -> None:
    """There is nothing that a key could override; a single value is no fixture."""
    more = {"tests/a.yaml": "[{id: x}]\n", "tests/b.yaml": "text\n"}
    test = HEAD + "facts: {evidence: {$use: a, id: y}, plan: {$use: b}}\ncases: {one: {expect: {}}}\n"
    found = faults(files(test, **more))
    assert "GR608 tests/freshness.test.yaml:3:26" in found
    assert "GR116 tests/b.yaml:1:1" in found


def test_fixtures_that_would_grow_without_bound_are_refused() -> None:
    """Twenty-five files that each use the next twice would be thirty million values."""
    bomb = {f"tests/f{n}.yaml": f"[{{$use: f{n + 1}}}, {{$use: f{n + 1}}}]\n" for n in range(25)}
    bomb["tests/f25.yaml"] = "[x]\n"
    test = HEAD + "facts: {evidence: {$use: f0}}\ncases: {one: {expect: {}}}\n"
    assert {code.partition(" ")[0] for code in faults(files(test, **bomb))} == {"GR607"}


def test_a_long_chain_of_fixtures_is_refused() -> None:
    """A thousand files that each use the next."""
    chain = {f"tests/f{n}.yaml": f"$use: f{n + 1}\n" for n in range(1000)}
    test = HEAD + "facts: {plan: {$use: f0}}\ncases: {one: {expect: {}}}\n"
    assert {code.partition(" ")[0] for code in faults(files(test, **chain))} == {"GR109"}


def test_a_fixture_with_faults_is_reported_once() -> None:
    """However often it is used."""
    more = {"tests/bad.yaml": "a: 1\na: 2\n"}
    test = HEAD + "facts: {evidence: [{$use: bad}, {$use: bad}]}\ncases: {one: {expect: {}}}\n"
    assert [code for code in faults(files(test, **more)) if code.startswith("GR105")] == ["GR105 tests/bad.yaml:2:1"]


def test_ten_thousand_cases_are_run() -> None:
    """The largest file that fits the limit of a file."""
    lines = "".join(
        f"  c{number}: {{expect: {{violations: ['FRESH-AGE-01 @ evidence[1]']}}}}\n" for number in range(10_000)
    )
    report = run_tests(files(HEAD + FACTS + "cases:\n" + lines))
    assert len(report.cases) == 10_000
    assert all(case.passed for case in report.cases)


def test_files_that_are_no_yaml_end_in_a_fault() -> None:
    """Bytes, control characters, deep nesting."""
    for content in (
        b"\xff\xfe",
        b"contract: a\x00",
        b"[" * 5000,
        b"\xef\xbb\xbfcontract: a\n",
        b"a: " + b"x" * (1 << 20),
    ):
        given = files()
        given["tests/freshness.test.yaml"] = content
        report = run_tests(given)
        assert report.faults
        assert not report.passed


# JUnit


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
