"""Test files of a rule set: how their facts are changed and put together from fixtures."""

from __future__ import annotations

import pytest
from tests.engine.rules.case_sets import FACTS, HEAD, faults, files, one

from groundrule.rules.cases import run_tests
from groundrule.rules.change import APPEND, NoSuchPlace, changed, steps_of

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
