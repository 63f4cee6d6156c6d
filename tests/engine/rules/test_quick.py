"""The quick reading of JSON text against the validator: what it accepts is accepted, with equal values."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bench.decision import contract, document
from tests.engine.rules.programs import NOW
from tests.engine.rules.rule_sets import facts

from groundrule import compile_rules, evaluate
from groundrule.facts.gates import GATES
from groundrule.facts.record import thaw
from groundrule.rules import facts as border
from groundrule.rules import quick

NASTY: list[Any] = [
    None, True, False, 0, 1, -1, 2**53 - 1, 2**53, 10**40, 0.0, -0.0, 1.0, 1.5, 1e308, "", "x", "e0", [], {}, [[]], ["a"],
    ["a", None], ["a", 1], [{}], [{"id": "a"}], {"id": "a"}, "a\\b", 'say "so"', "灰", "\u2028", "url", "zh", "text", "bound",
    "2026-04-15T08:00:00Z", "2026-04-15T24:00:00Z", "2026-04-15T23:59:60Z", "2026-04-15T08:00:00.5Z", "2026-W16-3T08:00:00Z",
    "2026-04-15T08:00:00+08:00", "2026-04-15T08:00:00.1234567Z", "2026-04-15T08:00:00z", "2026-04-15 08:00:00Z",
    "2026-04-15T08:00:00", "0001-01-01T00:00:00+08:00", "0000-01-01T00:00:00Z", "2026-02-30T08:00:00Z", "2026-04-15T080000.5Z",
    "２026-04-15T08:00:00Z", "2026-04-15T08:00:00+24:00", "2026-04-15T08:00:00-00:00", "2026-04-15T08:59:00+08:60", "2026-04-15T01:29:00+00:99", "2026-04-15T08:00:00Z\n", "3h", "5s",
    "-0.5s", "1.0000001s", "999999999999s", "315576000001s",
]  # fmt: skip
"""Values put in any place, of which most do not belong there."""


def places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every container and key below a tree."""
    for key in list(tree) if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ():
        yield tree, key
        yield from places(tree[key])


def ordinary(random: Random, gate: str) -> dict[str, Any]:
    """Random facts as JSON values, without free-form JSON, maps and aliases."""
    tree: dict[str, Any] = json.loads(json.dumps(facts(random, gate), default=thaw))
    for container, key in list(places(tree)):
        if key in ("attributes", "window", "arguments", "chosen", "raw_metadata"):
            del container[key]
    return tree


def spoiled(random: Random, tree: dict[str, Any]) -> str:
    """The tree as text after a few changes that a caller could make, most of them mistakes."""
    for _ in range(random.choice((0, 0, 1, 1, 2))):
        container, key = random.choice(list(places(tree)) or [(tree, "plan")])
        if random.random() < 0.1 and isinstance(container, dict):
            container[random.choice(["id", "from", "from_", "nothing", "chosen"])] = deepcopy(random.choice(NASTY))
        else:
            container[key] = deepcopy(random.choice(NASTY))
    text = json.dumps(tree, ensure_ascii=random.random() < 0.7, indent=random.choice((None, None, 1)))
    keys = [at for at in range(len(text)) if text.startswith('": ', at)]
    if keys and random.random() < 0.3:  # a key once more, before itself
        end = random.choice(keys) + 1
        start = text.rindex('"', 0, end - 1)
        if text[start - 1] != "\\":
            text = f"{text[:start]}{text[start:end]}: {json.dumps(random.choice(NASTY))}, {text[start:]}"
    return text


def same_or_none(gate: str, text: str) -> bool:
    """Whether the text is read quickly; asserts that then the validator reads the same."""
    data = text.encode("utf-8")
    values = quick.read(gate, data)
    if values is None:
        return False
    slowly = border._validated(gate, data, border.NO_CHOICES)
    ids = [item["id"] for item in values.get("evidence") or ()]
    if len(set(ids)) == len(ids):
        assert slowly.fault is None
        assert repr(values) == repr(slowly.values)
        record = border.record_of(GATES[gate].facts, values)
        assert record == slowly.record
        assert record.model_dump_json(by_alias=True) == slowly.known.model_dump_json(by_alias=True)
    return True


@pytest.mark.parametrize("gate", ["evidence", "answer", "plan", "call"])
@settings(max_examples=400, derandomize=True, deadline=None, database=None)
@given(seed=st.integers(0, 2**48))
def test_what_is_read_quickly_is_what_the_validator_reads(gate: str, seed: int) -> None:
    """Whatever is done to a text: it is left to the validator, or read with the values that the validator reads."""
    same_or_none(gate, spoiled(random := Random(seed), ordinary(random, gate)))


@pytest.mark.parametrize("gate", ["evidence", "answer", "plan", "call", "sql"])
def test_many_spoiled_texts_are_still_read_quickly(gate: str) -> None:
    """So the comparison compares something."""
    assert sum(same_or_none(gate, spoiled(random := Random(seed), ordinary(random, gate))) for seed in range(60)) >= 12


def many(random: Random) -> dict[str, Any]:
    """A plan and up to nine items, of which most have the same fields, and of these most in the same order."""
    tree = document(random.randrange(10), undated=random.random() < 0.3)
    for item in tree["evidence"]:
        if random.random() < 0.2:
            item.update(generated=random.choice([True, None]), dated_resolution="5s")
        if random.random() < 0.2:
            item["title"] = item.pop("title")
        if random.random() < 0.03:
            item[random.choice(["adapter", "nothing", "chosen"])] = item.pop(random.choice(["id", "title", "dated_at"]), None)
    return tree


@settings(max_examples=1_000, derandomize=True, deadline=None, database=None)
@given(seed=st.integers(0, 2**48))
def test_what_is_read_by_a_written_function_is_what_the_validator_reads(seed: int) -> None:
    """The same for lists so long that a function is written for the fields of their first record."""
    random = Random(seed)
    same_or_none("evidence", spoiled(random, many(random)))


def test_many_long_lists_are_still_read_quickly() -> None:
    """So that comparison compares something too."""
    assert sum(same_or_none("evidence", spoiled(random := Random(seed), many(random))) for seed in range(60)) >= 20


@pytest.mark.parametrize("value", NASTY, ids=repr)
def test_each_nasty_value_in_each_field(value: Any) -> None:
    """No field of the evidence gate takes quickly what the validator refuses or reads otherwise."""
    whole = {"id": "e0", "title": "t"}
    for variable in GATES["evidence"].facts.model_fields:
        same_or_none("evidence", json.dumps({variable: value}))
        for field in border.record_type(GATES["evidence"].facts).fields[variable].type.fields:
            same_or_none("evidence", json.dumps({variable: {field: value}}))
    for field in (*border.item_record(GATES["evidence"].facts, "evidence").model_fields, "nothing"):
        for more in (1, 5):
            others = [{**whole, field: value, "id": f"e{at}"} for at in range(more)]
            same_or_none("evidence", json.dumps({"evidence": [{**whole, field: value}, *others]}))


def test_ordinary_texts_are_read_quickly() -> None:
    """Evidence as providers send it, with escapes, absent dates and offsets, needs no validator."""
    items = [
        {"id": "a", "title": "t", "dated_at": "2026-04-15T08:00:00Z", "authority_score": 0.5, "generated": False},
        {"id": "b", "title": "灰 \"x\"\n", "dated_at": "2026-04-15T08:00:00.25+08:00", "authority_score": 1, "snippet": None},
        {"id": "c", "dated_origin": "text", "dated_resolution": "86400s", "grounded_fields": ["广州", "x"]},
    ]  # fmt: skip
    plan = {"freshness_required": True, "result_limit": 3, "subject_entities": ["x"], "query_kind": "weather"}
    for text in (json.dumps({"plan": plan, "evidence": items[2:]}), json.dumps({"plan": plan, "evidence": items})):
        assert same_or_none("evidence", text)


@pytest.mark.parametrize(
    "text",
    ['{"plan": {"topic": "a", "topic": "a"}}', '{"plan": {"topic": "a\\n", "topic": "a"}}', '{"plan": {}, "plan": {}}',
     '{"evidence": [{"id": "a", "id"\n:"a"}]}', '{"plan": {"top\\u0069c": "a", "topic": "a"}}'],
)  # fmt: skip
def test_a_key_that_stands_twice_is_not_read_quickly(text: str) -> None:
    """Nor is it read slowly: such facts are faulty."""
    assert quick.read("evidence", text.encode()) is None
    assert border.from_json("evidence", text).fault is not None


def test_the_record_of_what_was_read_quickly_is_the_validators() -> None:
    """Messages, values and digests of a decision are those of the same facts given as a mapping."""
    rules = compile_rules({"contracts/bench.yaml": contract(6)})
    quickly = rules.facts_from_json("evidence", json.dumps(document(10)))
    assert quickly._record is None
    slowly = rules.facts("evidence", document(10))
    fast, slow = (evaluate(rules, "evidence", held, NOW) for held in (quickly, slowly))
    assert fast.to_json() == slow.to_json()
    assert fast.trace() == slow.trace()
    assert quickly.record == slowly.record


@pytest.mark.parametrize(
    "text", ["2026-04-15T08:59:00+08:60", "2026-04-15T01:29:00+00:99", "2026-04-14T20:00:00-02:99", "2026-04-15T08:00:00+24:00",
             "2026-04-15T24:00:00Z", "2026-04-15T24:00:00+08:00", "2026-04-15T08:60:00+08:00", "2026-04-15T08:00:60.5Z"],
)  # fmt: skip
def test_a_time_beyond_the_clock_is_left_to_the_validator(text: str) -> None:
    """Which says where it stands, in JSON as in a mapping."""
    facts = {"evidence": [{"id": "a", "dated_at": text}]}
    assert quick.read("evidence", json.dumps(facts).encode()) is None
    for fault in (border.from_json("evidence", json.dumps(facts)).fault, border.from_mapping("evidence", facts).fault):
        assert str(fault) == "`evidence[0].dated_at`: a time in RFC 3339 with offset and at most six decimals is expected"
