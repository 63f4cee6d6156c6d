"""The JSON Schemas: made from the records, committed, and true of what the engine hands out and takes in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.engine.rules.programs import contract, rule, waiver
from tests.generate import ROOT, schema_files

from groundrule import compile_rules, evaluate
from groundrule.facts import GATES, ExternalQueryPlan
from groundrule.facts.decision import DecisionRecord, Receipt
from groundrule.facts.schema import BOUNDS, NOT_PLANNED, SCHEMAS, schema
from groundrule.rules.case_files import read_suite
from groundrule.rules.fixtures import Fixtures, Reader, is_test
from groundrule.rules.parse import parse_yaml
from groundrule.rules.types import JSON

NOW = datetime(2026, 4, 15, tzinfo=UTC)
POLICIES = ROOT / "policies"


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(schema(name), format_checker=Draft202012Validator.FORMAT_CHECKER)


def faults(name: str, value: Any) -> list[str]:
    """What a schema has against a value, as JSON would carry it."""
    return [error.json_path for error in validator(name).iter_errors(json.loads(json.dumps(value)))]


def plain(text: str | bytes) -> Any:
    """A YAML text as an editor sees it: by YAML 1.2, without the types of the rule language."""
    tree, found = parse_yaml("test.yaml", text)
    assert tree is not None, found
    return Reader({}, []).value(tree, JSON)


def shipped(pattern: str) -> list[Path]:
    found = sorted(POLICIES.glob(pattern))
    assert found, f"no file of the shipped rule set matches {pattern}"
    return found


def test_the_committed_schemas_are_those_of_the_code() -> None:
    """`make schemas` writes them; nothing else lies in the folder."""
    wanted = schema_files()
    assert {path: path.read_text("utf-8") for path in wanted if path.exists()} == wanted
    assert set((ROOT / "schemas").iterdir()) == set(wanted)


def test_formats_are_checked() -> None:
    """Without the extra of jsonschema both would silently pass everything."""
    assert {"uri", "date-time"} <= set(Draft202012Validator.FORMAT_CHECKER.checkers)
    assert faults("contract", {**CONTRACT, "effective": {"from": "2026-02-30T00:00:00Z"}})


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_is_sound_and_named(name: str) -> None:
    """It is a schema of its dialect, has an id and a title, and each of its references leads somewhere."""
    found = schema(name)
    Draft202012Validator.check_schema(found)
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert found["$id"] == f"groundrule:{name}.v1"
    assert found["title"]
    references = {node["$ref"] for node in nodes(found) if "$ref" in node}
    assert references <= {f"#/$defs/{key}" for key in found.get("$defs", {})}


@pytest.mark.parametrize("name", [name for name in SCHEMAS if name != "plan.strict"])
def test_every_field_is_described_in_both_languages(name: str) -> None:
    """Editors, docs and prompts show them."""
    lacking = [
        key
        for node in nodes(schema(name))
        if node.get("type") == "object"
        for key, field in node.get("properties", {}).items()
        if key != "$use" and not (field.get("description") and field.get("description_zh"))
    ]
    assert lacking == []


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    """Every mapping within a schema."""
    if isinstance(node, list):
        for item in node:
            yield from nodes(item)
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from nodes(value)


# What the engine hands out


def test_every_decision_and_receipt_of_the_shipped_cases_fits_its_schema() -> None:
    """Whatever the outcome; the records that the schemas come from have exactly the fields of the decision."""
    files = {path.relative_to(POLICIES).as_posix(): path.read_bytes() for path in POLICIES.rglob("*.*")}
    rules = compile_rules(files)
    fixtures = Fixtures(files, [])
    outcomes: set[str] = set()
    for path in filter(is_test, files):
        suite = read_suite(path, rules, fixtures)
        assert suite is not None
        for case in suite.cases:
            decision = evaluate(rules, suite.gate, case.facts, case.now, can=case.can)
            check(decision.to_json(), decision.receipt("0.1.0"))
            outcomes.add(decision.outcome)
    assert outcomes >= {"allow", "fallback", "clarify", "deny"}


@pytest.mark.parametrize(
    ("gate", "facts", "now"),
    [
        ("call", {"call": {"tool": "x"}}, NOW),
        ("call", {"call": {"tool": "y"}}, NOW),
        ("call", {"call": {"tool": 1}}, NOW),
        ("plan", {}, NOW),
        ("nowhere", {}, NOW),
        ("call", {}, datetime(2026, 4, 15)),  # a time without offset is what is tried
        ("answer", {"evidence": [{"id": "a", "dated_at": "2026-04-01T00:00:00Z"}]}, NOW),
    ],
)
def test_refusals_waivers_and_obligations_fit_the_schema(gate: str, facts: dict[str, Any], now: datetime) -> None:
    """Also what the engine says of itself."""
    rules = compile_rules(
        {
            "contracts/call.yaml": contract("call", "rules:\n" + rule("CALL-TOOL-01", "call.tool == 'x'")),
            "contracts/answer.yaml": contract(
                "answer",
                "rules:\n" + rule("ANSWER-DATE-01", "now - e.dated_at < duration('1h')", "oblige",
                                  each="evidence as e", more="    oblige:\n      as_of: e.dated_at\n"),
                name="answer",
            ),
            "waivers.yaml": waiver("CALL-TOOL-01", "call.tool == 'y'"),
        }
    )  # fmt: skip
    decision = evaluate(rules, gate, facts, now, can=["as_of"])
    check(decision.to_json(), decision.receipt("0.1.0"))


def check(decision: dict[str, Any], receipt: dict[str, Any]) -> None:
    assert faults("decision", decision) == []
    assert faults("receipt", receipt) == []
    assert DecisionRecord.model_validate_json(json.dumps(decision)).model_dump(mode="json") == decision
    assert Receipt.model_validate_json(json.dumps(receipt)).model_dump(mode="json") == receipt
    assert list(decision) == list(DecisionRecord.model_fields)
    assert list(receipt) == list(Receipt.model_fields)


def test_the_facts_of_a_receipt_are_those_of_its_gate() -> None:
    """What no gate could have been asked is no receipt."""
    rules = compile_rules({"a.yaml": contract("call", "rules:\n" + rule("CALL-TOOL-01", "call.tool == 'x'"))})
    receipt = evaluate(rules, "call", {"call": {"tool": "x"}}, NOW).receipt("0.1.0")
    assert faults("receipt", receipt) == []
    assert faults("receipt", {**receipt, "facts": {"answer": {}}})
    assert faults("receipt", {**receipt, "facts": {"call": {"tool": 1}}})
    assert faults("receipt", {**receipt, "revision": "sha256:0"})
    assert faults("receipt", {key: value for key, value in receipt.items() if key != "pins"})


# What the engine takes in

GOOD: list[tuple[str, dict[str, Any]]] = [
    ("route", {}),
    ("route", {"question": None}),
    ("route", {"question": {"text": "广州天气", "language": "zh", "asked_at": "2026-04-15T08:00:00.5+08:00"}}),
    ("plan", {"plan": {"window": {"from": "2026-04-15T00:00:00Z"}, "subject_entities": []}}),
    ("call", {"run": {"remaining": "10800s"}, "call": {"arguments": {"a": [1, None, {"b": 2.5}]}}}),
    ("evidence", {"evidence": [{"id": "a", "authority_score": 1, "raw_metadata": {"x": 1}, "chosen": {"tier": 1}}]}),
    ("sql", {"statement": {"verbs": ["SELECT"]}, "principal": {"roles": ["analyst"]}}),
]
BAD: list[tuple[str, dict[str, Any]]] = [
    ("route", {"plan": {}}),
    ("route", {"question": {"txt": "a"}}),
    ("route", {"question": {"text": 1}}),
    ("route", {"question": {"language": "fr"}}),
    ("route", {"question": {"asked_at": "2026-04-15T08:00:00"}}),
    ("route", {"question": {"asked_at": "2026-04-15T08:00:00.1234567Z"}}),
    ("route", {"question": {"asked_at": "2026-02-30T08:00:00Z"}}),
    ("route", {"question": {"asked_at": "2026-12-31T23:59:60Z"}}),
    ("route", {"question": {"ambiguities": "a"}}),
    ("route", {"context": {"attributes": {"a": 1}}}),
    ("plan", {"plan": {"result_limit": 2.5}}),
    ("plan", {"plan": {"result_limit": 2**53}}),
    ("plan", {"plan": {"result_limit": True}}),
    ("call", {"run": {"remaining": "3h"}}),
    ("call", {"run": {"remaining": 3}}),
    ("evidence", {"evidence": [{}]}),
    ("evidence", {"evidence": {"id": "a"}}),
    ("evidence", {"evidence": [{"id": "a", "authority_score": 1.5}]}),
    ("evidence", {"evidence": [{"id": str(number)} for number in range(1001)]}),
]


@pytest.mark.parametrize(("gate", "facts"), GOOD)
def test_facts_that_the_engine_takes_fit_the_schema(gate: str, facts: dict[str, Any]) -> None:
    """Border and schema agree about what is right."""
    assert faults(f"facts.{gate}", facts) == []
    assert compile_rules({"a.yaml": MINIMAL}).facts_from_json(gate, json.dumps(facts)).fault is None


@pytest.mark.parametrize(("gate", "facts"), BAD)
def test_facts_that_the_engine_refuses_do_not_fit_the_schema(gate: str, facts: dict[str, Any]) -> None:
    """Border and schema agree about what is wrong."""
    assert faults(f"facts.{gate}", facts)
    assert compile_rules({"a.yaml": MINIMAL}).facts_from_json(gate, json.dumps(facts)).fault is not None


MINIMAL = contract("call", "rules:\n" + rule("CALL-TOOL-01", "call.tool == 'x'"))


def test_the_plan_of_a_model_has_every_field_but_those_of_the_pipeline() -> None:
    """Only what a question may not name is null; the schema uses only words that providers of models take."""
    strict = schema("plan.strict")
    fields = [field.alias or name for name, field in ExternalQueryPlan.model_fields.items()]
    assert strict["required"] == list(strict["properties"]) == [name for name in fields if name not in NOT_PLANNED]
    assert strict["additionalProperties"] is False
    nullable = {name for name, field in strict["properties"].items() if "anyOf" in field}
    assert nullable == {"location_hint", "time_range_hint"}
    assert not [key for node in nodes(strict) for key in node if key in (*BOUNDS, "default", "$ref", "allOf")]
    whole = {
        "plan_version": "v1", "query_kind": "weather", "answer_contract": "summary_with_sources",
        "freshness_required": True, "topic": "广州未来5天天气", "subject_entities": ["广州"], "location_hint": "广州",
        "time_range_hint": None, "preferred_domains": [], "search_queries": ["广州 天气"], "result_limit": 5,
        "requires_multi_source": False, "clarify_on_ambiguity": True,
    }  # fmt: skip
    assert faults("plan.strict", whole) == []
    assert faults("plan", whole) == []
    assert faults("plan.strict", {**whole, "topic": None})
    assert faults("plan.strict", {key: value for key, value in whole.items() if key != "topic"})
    assert faults("plan.strict", {**whole, "window": None})
    assert faults("plan.strict", {**whole, "language": "zh"})


# The files of a rule set

CONTRACT: dict[str, Any] = {
    "contract": "freshness",
    "version": "1.2.0",
    "gate": "evidence",
    "rules": [
        {
            "id": "FRESH-AGE-01",
            "each": "evidence as e",
            "require": "now - e.dated_at <= params.max_age",
            "otherwise": "reject",
            "message": {"en": "Old.", "zh": "过旧。"},
        }
    ],
}


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("contract", "contracts/**/*.yaml"),
        ("test", "tests/*.test.yaml"),
        ("manifest", "manifest.yaml"),
        ("params", "params.yaml"),
    ],
)
def test_the_shipped_files_fit_their_schemas(name: str, pattern: str) -> None:
    """An editor finds no fault where the reader finds none."""
    for path in shipped(pattern):
        assert faults(name, plain(path.read_bytes())) == [], path


def test_waivers_fit_their_schema() -> None:
    """As the reader takes them."""
    assert faults("waivers", plain(waiver("FRESH-AGE-01", "true"))) == []
    assert faults("waivers", [{"rule": "FRESH-AGE-01"}])


def changed(**rule_keys: Any) -> dict[str, Any]:
    """The contract above with other keys of its rule; None removes."""
    entry = {**CONTRACT["rules"][0], **rule_keys}
    return {**CONTRACT, "rules": [{key: value for key, value in entry.items() if value is not None}]}


@pytest.mark.parametrize(
    "text",
    [
        {**CONTRACT, "gates": "evidence"},
        {**CONTRACT, "gate": "evidense"},
        {**CONTRACT, "version": "1.2"},
        {**CONTRACT, "contract": "Freshness"},
        {key: value for key, value in CONTRACT.items() if key != "rules"},
        {**CONTRACT, "params": {"max-age": 1}},
        {**CONTRACT, "params": {"max_age": None}},
        {**CONTRACT, "summary": "one language"},
        {**CONTRACT, "effective": {"from": "yesterday"}},
        changed(forbid="true"),
        changed(require=None),
        changed(otherwise="oblige"),
        changed(otherwise="clarify"),
        changed(otherwise="explode"),
        changed(each=None),
        changed(reply="sorry"),
        changed(message={"en": "Old."}),
        changed(id="fresh-1"),
        changed(oblige={"as_of": "now"}),
    ],
)
def test_a_contract_with_a_mistake_does_not_fit(text: dict[str, Any]) -> None:
    """The effects are those of the gate, a rule is one check, and every message is in both languages."""
    assert faults("contract", CONTRACT) == []
    assert faults("contract", text)


def test_effects_are_those_of_each_gate() -> None:
    """An editor offers at a gate what may stand there."""
    for name, gate in GATES.items():
        for effect in ("deny", "clarify", "confirm", "fallback", "warn"):
            text = {**changed(otherwise=effect), "gate": name}
            assert (faults("contract", text) == []) is (effect in gate.effects), (name, effect)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("params: {a: {weather: 3h}, b: [1, 2], c: {list: blocked}}\n", True),
        ("params:\n  a: [{value: 3h}, {value: 2h, from: 2027-01-01T00:00:00+08:00, warn_before: 30d}]\n", True),
        ("let: {limit: 'params.a'}\n", True),
        ("let: {limit: 3}\n", True),
        ("let: {limit: [3]}\n", False),
    ],
)
def test_params_and_lets(text: str, right: bool) -> None:
    """Trees of values, dated values, named lists; expressions that YAML would type."""
    assert (faults("contract", {**CONTRACT, **plain(text)}) == []) is right


TEST = "contract: freshness\nnow: 2026-04-15T08:00:00+08:00\n"


@pytest.mark.parametrize(
    ("rest", "right"),
    [
        ("facts: {plan: {$use: plans/weather}}\ncases: {one: {expect: {}}}\n", True),
        ("facts: {evidence: {$use: pages/both}}\ncases: {one: {expect: {valid_until: null}}}\n", True),
        ("facts: {evidence: [{$use: pages/a, title: b}], run: {remaining: 3h}}\ncases: {one: {expect: {}}}\n", True),
        (
            "cases:\n  one:\n    change:\n      evidence[0].dated_at: null\n      now: x\n    expect: {outcome: deny}\n",
            True,
        ),
        ("cases: {one: {expect: {violations: ['A-B-01 @ evidence[0] undecided']}}}\n", True),
        ("facts: {plam: {}}\ncases: {one: {expect: {}}}\n", False),
        ("facts: {plan: {query_kind: wether}}\ncases: {one: {expect: {}}}\n", False),
        ("cases: {one: {change: {'evidence[-1]': null}, expect: {}}}\n", False),
        ("cases: {one: {expect: {outcome: alow}}}\n", False),
        ("cases: {one: {expect: {violations: [an old page]}}}\n", False),
        ("cases: {one: {}}\n", False),
        ("cases: {}\n", False),
    ],
)
def test_test_files(rest: str, right: bool) -> None:
    """Facts of any gate, with fixtures where a mapping or list may stand."""
    assert (faults("test", plain(TEST + rest)) == []) is right
