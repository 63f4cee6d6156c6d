"""Reasons are given in both languages, and no Chinese message has an English sentence in it."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from groundrule import compile_rules, evaluate
from groundrule.facts.gates import GATES
from groundrule.reasons import CHINESE, Reason

ENGINE = Path(__file__).resolve().parents[2] / "engine/groundrule"
NOW = datetime(2026, 4, 15, tzinfo=UTC)
_GIVEN = ("Reason", "Undecided", "UrlRefused")
_ENGLISH = re.compile(r"[A-Za-z]{2,}[,;]?( [a-z]{2,})+")
CONTRACT = b"""contract: fault
version: 1.0.0
gate: evidence
choices:
  - id: FAULT-CHOICE-01
    choose: near
    from:
      - when: %s
        value: true
    otherwise: false
"""


def _sites() -> Iterator[tuple[str, str]]:
    """Where reasons arise, and their texts. Plain CEL, which only the command line shows, and its readers are apart."""
    for path in sorted(ENGINE.rglob("*.py")):
        if path.name.startswith("bare") or path.name == "reasons.py":
            continue
        given = (*_GIVEN, "ValueError") if path.name == "record.py" else _GIVEN
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in given and node.args:
                for text in _texts(node.args[0]):
                    yield f"{path.name}:{node.lineno}", text


def _texts(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=body, orelse=orelse):
            yield from _texts(body)
            yield from _texts(orelse)
        case ast.JoinedStr():
            yield "a reason that is put together, so that it cannot be translated"


def test_every_reason_has_a_chinese_wording() -> None:
    """What the source texts say stands in the catalogue."""
    missing = [(place, text) for place, text in _sites() if text not in CHINESE]
    assert missing == []


def test_no_wording_is_without_use() -> None:
    """The catalogue says nothing that no source text says."""
    said = {text for _, text in _sites()}
    assert [text for text in CHINESE if text not in said] == []


def _fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("english", CHINESE)
def test_both_wordings_fit(english: str) -> None:
    """The Chinese has no placeholder that the English has not, no English sentence, and Chinese characters."""
    chinese = CHINESE[english]
    assert _fields(chinese) <= _fields(english)
    assert _ENGLISH.search(chinese) is None
    assert re.search("[一-鿿]", chinese) or chinese.replace("：", ": ") == english


def test_a_reason_within_a_reason_is_said_in_the_same_language() -> None:
    """Values that are reasons follow the language; other values stay."""
    outer = Reason("`{path}`: {fault}", path="plan.topic", fault=Reason("text is expected"))
    assert (str(outer), outer.text("zh")) == ("`plan.topic`: text is expected", "`plan.topic`：应为文本")


def _odd() -> list[Any]:
    return [
        1, 1.5, "x", True, [], [None], {}, {"a": 1}, float("nan"), 2**60, "x" * ((1 << 20) + 1), "\ud800", [{}] * 1001,
        b"x", {1: 2}, (1,), datetime(2020, 1, 1), timedelta(days=9_999_999), [{"no_field": 1}], {"no_field": 1},
    ]  # fmt: skip


@pytest.mark.parametrize("gate", GATES)
def test_what_is_wrong_with_facts_is_said_in_chinese(gate: str) -> None:
    """Every variable and every field below it with a value of every wrong kind."""
    rules = compile_rules({"contracts/fault.yaml": CONTRACT % b"has(question.id)"})
    tried = 0
    for name, field in GATES[gate].facts.model_fields.items():
        inner = list(_records(field.annotation))
        for value in _odd():
            below = [{key: value} for record in inner for key in record.model_fields]
            for facts in ({name: value}, *({name: one} for one in below), *({name: [one]} for one in below)):
                violations = evaluate(rules, gate, facts, NOW).violations
                for violation in violations:
                    tried += 1
                    _no_english(violation.message["zh"])
    assert tried


def _records(annotation: Any) -> Iterator[Any]:
    if hasattr(annotation, "model_fields"):
        yield annotation
    for inner in getattr(annotation, "__args__", ()):
        yield from _records(inner)


def _no_english(chinese: str) -> None:
    plain = re.sub("`[^`]*`", "", chinese)
    assert _ENGLISH.search(plain) is None, chinese


@pytest.mark.parametrize(
    "text", ["", "{", "nul", '{"plan": 1,}', '{"plan": {}, "plan": {}}', '{"plan": "\\ud8"}', "[" * 300, "NaN"]
)
def test_what_is_no_json_is_said_in_chinese(text: str) -> None:
    """The reader's words are English, so the Chinese says line and column."""
    rules = compile_rules({"contracts/fault.yaml": CONTRACT % b"has(question.id)"})
    (violation,) = evaluate(rules, "evidence", rules.facts_from_json("evidence", text), NOW).violations
    assert violation.rule == "ENGINE-FACTS"
    _no_english(violation.message["zh"])


def test_a_wrong_call_is_said_in_chinese() -> None:
    """No rule set, gate, time, pin or promise, and a gate without contract."""
    rules = compile_rules({"contracts/fault.yaml": CONTRACT % b"has(question.id)"})
    call: Any = evaluate
    decisions = [
        call(None, "evidence", {}, NOW), call(rules, "nowhere", {}, NOW), call(rules, 3, {}, NOW),
        call(rules, "evidence", {}, None), call(rules, "evidence", {}, NOW, pins=3),
        call(rules, "evidence", {}, NOW, pins={"fault": "9.0.0"}), call(rules, "evidence", {}, NOW, can=3),
        call(rules, "evidence", None, NOW), call(rules, "plan", {}, NOW),
    ]  # fmt: skip
    for decision in decisions:
        (violation,) = decision.violations
        assert violation.rule.startswith("ENGINE-")
        _no_english(violation.message["zh"])


@pytest.mark.parametrize(
    ("condition", "english", "chinese"),
    [
        (b"plan.freshness_required", "plan.freshness_required is absent", "缺少 plan.freshness_required"),
        (b"evidence[3].generated", "index 3 is out of range", "下标 3 超出范围"),
        (b"1 / evidence.size() > 1", "a division by zero", "除数为零"),
        (b"host(question.text) == 'a'", "no scheme", "网址没有协议"),
    ],
)
def test_an_undecided_choice_says_why_in_both_languages(condition: bytes, english: str, chinese: str) -> None:
    """The reason of the engine's own violation, which knows no author's wording."""
    rules = compile_rules({"contracts/fault.yaml": CONTRACT % condition})
    facts: dict[str, Any] = {"evidence": [], "question": {"text": "nowhere"}, "plan": {}}
    (violation,) = evaluate(rules, "evidence", facts, NOW).violations
    assert violation.rule == "ENGINE-CHOICE"
    assert violation.message == {
        "en": f"The choice near cannot be decided: {english}.",
        "zh": f"无法作出选择 near：{chinese}。",
    }


@pytest.mark.parametrize(
    ("facts", "path", "near"),
    [
        ({"plan": {"freshnes_required": True}}, "plan.freshnes_required", "freshness_required"),
        ({"evidence": [{"id": "a", "target_uri": "x"}]}, "evidence[0].target_uri", "target_url"),
        ({"evidense": []}, "evidense", "evidence"),
    ],
)
def test_an_unknown_field_names_the_nearest(facts: dict[str, Any], path: str, near: str) -> None:
    """A misspelt field of the facts is answered with the one that was meant."""
    rules = compile_rules({"contracts/fault.yaml": CONTRACT % b"has(question.id)"})
    (violation,) = evaluate(rules, "evidence", facts, NOW).violations
    assert violation.message["en"] == (
        f"The facts are faulty: `{path}`: there is no such field; the nearest is `{near}`."
    )


@pytest.mark.parametrize(("facts", "path"), [({"[a": 1}, "[a"), ({"plan": {"a[0]": 1}}, "plan.a[0]"), ({"": 1}, "facts")])
def test_an_unknown_field_may_have_any_name(facts: dict[str, Any], path: str) -> None:
    """Also one with brackets, as the names of validators have them, is a fault of the facts and no error."""
    rules = compile_rules({"contracts/fault.yaml": CONTRACT % b"has(question.id)"})
    (violation,) = evaluate(rules, "evidence", facts, NOW).violations
    assert violation.message["en"].startswith(f"The facts are faulty: `{path}`: there is no such field")

