"""The rule set that ships: without fault, closed where facts are missing, and the same in any order."""

from __future__ import annotations

import json
import random
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundrule.facts.gates import GATES
from groundrule.facts.record import thaw
from groundrule.rules.assemble import check, compile_rules
from groundrule.rules.cases import run_tests
from groundrule.rules.contract import Contract, Rule
from groundrule.rules.decision import Decision
from groundrule.rules.evaluate import evaluate

from .shipped import (
    ABSENT,
    FILES,
    RULES,
    Read,
    edges,
    faulty,
    gate_reads,
    guards,
    passing,
    reads,
    rules,
    spoilt,
    states,
    suites,
)

EDGES = yaml.safe_load((Path(__file__).parent / "edges.yaml").read_text("utf-8"))
each_rule = pytest.mark.parametrize(
    ("contract", "rule"), [pytest.param(contract, rule, id=rule.id) for contract, rule in rules()]
)


def test_the_set_has_neither_fault_nor_warning() -> None:
    """What `groundrule check` says of the shipped set is nothing."""
    assert [fault.render() for fault in check(FILES, datetime.now(UTC))] == []


def test_its_own_cases_pass_and_show_every_rule() -> None:
    """Each rule has a case that it passes, one that it fails and, where that can be, one where it is undecided."""
    report = run_tests(FILES)
    assert [fault.render() for fault in report.faults] == []
    assert {case.place: case.differences for case in report.cases if case.differences} == {}
    assert report.passed


def test_ordinary_evidence_is_judged_without_the_interpreter() -> None:
    """Its record is made only where the interpreter or a message reads it, so whether it was made tells."""
    _, case = passing("SUFF-SITES-02")
    held = RULES.facts_from_json("evidence", json.dumps(case.facts, default=thaw))
    assert evaluate(RULES, "evidence", held, case.now, can=case.can).outcome == "allow"
    assert held._record is None


def test_every_gate_of_a_question_is_covered() -> None:
    """Nothing between question and answer is left to the default, which denies."""
    assert set(RULES.gates) == {"route", "plan", "call", "dispatch", "evidence", "answer"}


# What is missing or faulty


@each_rule
def test_a_rule_is_not_met_where_a_field_is_absent_or_null(contract: Contract, rule: Rule) -> None:
    """Each field that the rule reads, absent or null: it is not met. The exceptions are declared, with their reason."""
    suite, case = passing(rule.id)
    found: dict[str, list[str]] = {}
    for read in (*reads(contract, rule), *guards(contract, rule)):
        absent, null = (states(suite, rule.id, spoilt(case.facts, read, value), case.now) for value in (ABSENT, None))
        assert absent == null, f"null and absent differ for {read}"
        if "passed" in absent and read in reads(contract, rule):
            found.setdefault("absent", []).append(str(read))
        if absent and set(absent) == {"skipped"}:
            found.setdefault("skipped", []).append(str(read))
    assert {kind: sorted(names) for kind, names in found.items()} == _declared(rule, "absent", "skipped")


@each_rule
def test_a_wrong_type_or_nan_is_a_fault_that_denies(contract: Contract, rule: Rule) -> None:
    """Each field that the rule reads with a value of the wrong type or NaN: the facts are faulty, whatever else holds."""
    suite, case = passing(rule.id)
    for read in (*reads(contract, rule), *guards(contract, rule)):
        for value in faulty(read).values():
            decision = evaluate(suite.rules, suite.gate, spoilt(case.facts, read, value), case.now, can=case.can)
            assert (decision.outcome, [found.rule for found in decision.violations]) == ("deny", ["ENGINE-FACTS"]), read
            assert decision.admitted == ()


@each_rule
def test_a_rule_says_of_edges_what_is_declared(contract: Contract, rule: Rule) -> None:
    """Empty, future and huge values: the rule is met where it is declared to be, and nowhere else."""
    suite, case = passing(rule.id)
    found: dict[str, list[str]] = {}
    for read in reads(contract, rule):
        for kind, value in edges(read, case.now).items():
            if "passed" in states(suite, rule.id, spoilt(case.facts, read, value), case.now):
                found.setdefault(kind, []).append(str(read))
    assert found == _declared(rule, "empty", "future", "huge")


def _declared(rule: Rule, *kinds: str) -> dict[str, list[str]]:
    entry = EDGES["rules"].get(rule.id, {})
    return {kind: sorted(entry[kind]) for kind in kinds if kind in entry}


def test_only_rules_that_exist_have_edges() -> None:
    """A rule that is gone takes its declarations with it."""
    assert set(EDGES["rules"]) <= {rule.id for _, rule in rules()}
    assert {kind for entry in EDGES["rules"].values() for kind in entry} <= {
        "absent", "skipped", "empty", "future", "huge",
    }  # fmt: skip


@pytest.mark.parametrize("gate", list(EDGES["gates"]))
def test_a_request_does_not_pass_a_gate_without_a_field(gate: str) -> None:
    """The whole set, each field that anything at the gate reads, absent or null: the request goes no further."""
    contract = {"evidence": "sufficiency"}.get(gate, gate)
    case = next(suite.cases[0] for suite in suites() if suite.contract == contract)
    assert _goes_on(gate, case.facts, case.now, case.can)
    passed = [
        str(read)
        for read in gate_reads(gate)
        for value in (ABSENT, None)
        if _goes_on(gate, spoilt(case.facts, read, value), case.now, case.can)
    ]
    assert passed == sorted(EDGES["gates"][gate] * 2)


def _goes_on(gate: str, facts: Any, now: datetime, can: tuple[str, ...]) -> bool:
    decision = evaluate(RULES, gate, facts, now, can=can)
    if gate == "route":
        return decision.outcome == "allow" and decision.choices.get("route") == "external"
    if gate == "dispatch":
        return decision.outcome == "allow" and decision.choices.get("next") != "stop"
    return decision.outcome == "allow" and (gate != "evidence" or bool(decision.admitted))


@pytest.mark.parametrize("gate", list(GATES))
def test_nothing_at_all_is_never_enough(gate: str) -> None:
    """Empty facts pass no gate: those that the set covers refuse, the others deny."""
    assert not _goes_on(gate, {}, datetime(2026, 4, 15, tzinfo=UTC), ("as_of", "cite"))


# The defect of the specification


def test_an_empty_filter_result_does_not_give_the_internal_sources_back() -> None:
    """The old filter returned `filtered or sources`: with nothing external left, chats, documents and project records
    became the sources of a live external answer. Here nothing left is nothing left, and the run is refused."""
    items = [
        {"id": kind, "execution_id": "run-7", "source_type": kind, "source_label": "Feishu history", "title": kind,
         "snippet": "听说广州这几天气温 30℃。", "generated": False, "target_url": f"https://corp.feishu.cn/{kind}/a",
         "retrieved_at": "2026-04-15T07:59:00+08:00", "dated_at": "2026-04-15T07:30:00+08:00",
         "dated_origin": "structured", "dated_resolution": "1s", "authority_score": 1.0, "freshness_score": 1.0}
        for kind in ("feishu", "doc", "pmflow", "system")
    ]  # fmt: skip
    plan = next(suite.cases[0].facts["plan"] for suite in suites() if suite.contract == "sufficiency")
    for fresh in (True, False):
        facts = {
            "plan": {**plan, "freshness_required": fresh},
            "run": {"execution_id": "run-7", "adapters_left": []},
            "evidence": items,
        }
        decision = evaluate(RULES, "evidence", facts, datetime(2026, 4, 15, tzinfo=UTC))
        assert decision.admitted == ()
        assert decision.rejected == ("feishu", "doc", "pmflow", "system")
        assert (decision.outcome, decision.reply) == ("deny", "no_evidence")


def test_the_two_refusals_are_told_apart() -> None:
    """Nothing external at all is `no_evidence`; something external that is too old, or undated, is `stale`."""
    suite = next(suite for suite in suites() if suite.contract == "sufficiency")
    case = suite.cases[0]
    replies = {}
    for name, change in {
        "internal": {"source_type": "feishu"},
        "old": {"dated_at": "2026-04-13T08:00:00+08:00"},
        "undated": {"dated_at": None},
    }.items():
        facts = {**case.facts, "evidence": [{**case.facts["evidence"][0], **change}]}
        replies[name] = evaluate(RULES, "evidence", facts, case.now).reply
    assert replies == {"internal": "no_evidence", "old": "stale", "undated": "stale"}


def test_preferred_domains_never_raise_authority() -> None:
    """Whatever a plan prefers, the ranks are the same."""
    suite = next(suite for suite in suites() if suite.contract == "authority")
    for case in suite.cases:
        plan = case.facts.get("plan")
        if not plan:
            continue
        wishes = ["weather.example", "gov.cn.evil.example", "zhihu.com", "someone.github.io"]
        preferred = {**case.facts, "plan": {**plan, "preferred_domains": wishes}}
        before, after = (evaluate(suite.rules, suite.gate, facts, case.now) for facts in (case.facts, preferred))
        assert (before.choices, before.admitted) == (after.choices, after.admitted), case.name


# Order


def _shuffled(text: str, order: random.Random) -> str:
    """A contract file with its rules and its choices in another order."""
    head, *blocks = re.split(r"^(?=rules:$|choices:$)", text, flags=re.MULTILINE)
    shuffled = []
    for block in blocks:
        title, *items = re.split(r"^(?=  - id: )", block, flags=re.MULTILINE)
        order.shuffle(items)
        shuffled.append(title + "".join(items))
    order.shuffle(shuffled)
    return head + "".join(shuffled)


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_the_order_of_files_and_rules_changes_nothing(order: random.Random) -> None:
    """Files, rules and choices in any order: the same revision, and for the cases the same bytes."""
    paths = list(FILES)
    order.shuffle(paths)
    other = compile_rules(
        {path: _shuffled(FILES[path], order) if path.startswith("contracts/") else FILES[path] for path in paths}
    )
    assert other.revision == RULES.revision
    for suite in suites():
        for case in suite.cases[:: order.randint(3, 6)]:
            first, second = (evaluate(set_, suite.gate, case.facts, case.now, can=case.can) for set_ in (RULES, other))
            assert first.to_json() == second.to_json(), case.name


ITEMS = [
    item
    for suite in suites()
    if suite.gate == "evidence"
    for case in suite.cases
    for item in case.facts.get("evidence") or ()
]
PLANS = [case.facts["plan"] for suite in suites() for case in suite.cases if case.facts.get("plan")]
NOW = datetime(2026, 4, 15, tzinfo=UTC)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(ITEMS), max_size=8), st.sampled_from(PLANS), st.randoms(use_true_random=False))
def test_the_order_of_evidence_changes_nothing(items: list[Any], plan: Any, order: random.Random) -> None:
    """Items in any order: the same outcome, the same items admitted, the same violations about the same items."""
    numbered = [{**item, "id": f"item-{number}"} for number, item in enumerate(items)]
    other = order.sample(numbered, len(numbered))
    run = {"execution_id": "run-7", "adapters_left": ["live"]}
    assert _said(numbered, plan, run) == _said(other, plan, run)


def _said(items: list[Any], plan: Any, run: Any) -> Any:
    decision = evaluate(RULES, "evidence", {"plan": plan, "run": run, "evidence": items}, NOW)
    return (
        (decision.outcome, decision.reply, decision.choices, decision.valid_until),
        sorted(decision.admitted),
        sorted(decision.rejected),
        sorted(_about(decision, items)),
    )


def _about(decision: Decision, items: list[Any]) -> list[tuple[str, str, str, bool]]:
    """The violations and warnings, each with the id of its item in place of its position."""
    return [
        (found.rule, re.sub(r"^evidence\[([0-9]+)\]$", lambda at: items[int(at[1])]["id"], found.at or ""),
         found.effect, found.undecided)
        for found in (*decision.violations, *decision.warnings)
    ]  # fmt: skip


def test_reads_are_found_through_lets_and_choices() -> None:
    """The matrix looks at what a rule reads by way of others too; else it would prove little."""
    contract, rule = next((c, r) for c, r in rules() if r.id == "SUFF-FOUND-01")
    found = {str(read) for read in reads(contract, rule)}
    assert {"evidence", "evidence.source_type", "evidence.target_url", "plan.query_kind", "run.execution_id"} <= found
    assert all(isinstance(read, Read) for read in reads(contract, rule))


def test_two_rules_about_too_little_evidence_never_contradict_each_other() -> None:
    """Where nobody can say whether a source is external, the one sentence says that none was found that may ground an
    answer; the other must not say that some were found."""
    suite = next(suite for suite in suites() if suite.contract == "sufficiency")
    for missing in ("run", "plan"):
        decision = evaluate(RULES, "evidence", {**suite.cases[0].facts, missing: None}, suite.cases[0].now)
        said = {found.rule: found.message for found in decision.violations if found.rule.startswith("SUFF-F")}
        assert set(said) == {"SUFF-FOUND-01", "SUFF-FRESH-01"}
        assert said["SUFF-FOUND-01"]["en"].startswith("No external source was found")
        assert said["SUFF-FRESH-01"]["en"].startswith("No source is left")
        assert said["SUFF-FRESH-01"]["zh"].startswith("没有剩下")
