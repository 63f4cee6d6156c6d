"""Inputs on which a rule engine was seen to answer wrongly without a word, asked of ours.

They were found in durable-rules 2.0.28 (its memory of strings, numbers, negation, joins and hashes). Each case is asked
twice: of the compiled program and of the interpreter, which must agree.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundrule.diagnostics import RuleFileError
from groundrule.rules import declare
from groundrule.rules.assemble import compile_rules
from groundrule.rules.evaluate import evaluate
from groundrule.rules.interpret import Interpreter
from groundrule.rules.ruleset import RuleSet

from .programs import NOW, contract, rule, shown

COLLIDING = ("costarring", "liquid")
"""Two words with one 32-bit FNV-1a hash."""


def set_of(gate: str, *items: str, **head: str) -> RuleSet:
    """A rule set of one contract with these rules."""
    lines = "".join(f"{key}: {value}\n" for key, value in head.items())
    return compile_rules({"contract.yaml": contract(gate, lines + "rules:\n" + "".join(items))})


def asked(rules: RuleSet, gate: str, facts: Any) -> tuple[str, list[str]]:
    """Outcome and violations, said by the compiled program and the interpreter alike. facts: a mapping or JSON text."""
    held = rules.facts_from_json(gate, facts) if isinstance(facts, str) else rules.facts(gate, facts)
    decision = evaluate(rules, gate, held, NOW)
    said = [
        found.rule + (f" @ {found.at}" if found.at else "") + (" undecided" if found.undecided else "")
        for found in decision.violations
    ]
    if held.record is not None:
        program = rules.program(gate, NOW, {})
        assert shown(program, Interpreter(program, held.record, NOW).findings(frozenset()).violations) == said
    return decision.outcome, said


def met(condition: str, gate: str, facts: Any) -> bool:
    """Whether a rule that requires a condition is met by facts that have no fault."""
    outcome, said = asked(set_of(gate, rule("TRAP-ASK-01", condition)), gate, facts)
    assert said in ([], ["TRAP-ASK-01"]), said
    assert outcome == ("deny" if said else "allow")
    return not said


def items(*types: str) -> dict[str, Any]:
    """Items of evidence of these source types."""
    return {"evidence": [{"id": f"item-{at}", "source_type": type_} for at, type_ in enumerate(types)]}


def call(**arguments: Any) -> dict[str, Any]:
    """A call with free-form arguments."""
    return {"call": {"arguments": arguments}}


# What is missing


def test_a_comparison_with_what_is_missing_is_never_met() -> None:
    """`source != "gov"` with source null or missing: the rule is not met, and an allow is not the result."""
    for kind, condition in (("require", 'e.source_type != "gov"'), ("forbid", 'e.source_type == "gov"')):
        rules = set_of("evidence", rule("TRAP-NULL-01", condition, "deny", kind=kind, each="evidence as e"))
        for item in ({"id": "a"}, {"id": "a", "source_type": None}):
            facts = {"evidence": [item]}
            assert asked(rules, "evidence", facts) == ("deny", ["TRAP-NULL-01 @ evidence[0] undecided"])
            assert asked(rules, "evidence", json.dumps(facts)) == ("deny", ["TRAP-NULL-01 @ evidence[0] undecided"])


@pytest.mark.parametrize("value", [["gov"], {"a": "gov"}, 5, True])
def test_a_text_that_is_none_is_a_fault(value: Any) -> None:
    """A list or object in place of a text matches nothing and passes nothing: the facts are faulty."""
    rules = set_of("evidence", rule("TRAP-TYPE-01", 'e.source_type != "gov"', "deny", each="evidence as e"))
    facts = {"evidence": [{"id": "a", "source_type": value}]}
    assert asked(rules, "evidence", facts) == ("deny", ["ENGINE-FACTS undecided"])
    assert asked(rules, "evidence", json.dumps(facts)) == ("deny", ["ENGINE-FACTS undecided"])


def test_a_text_pattern_does_not_match_what_is_absent() -> None:
    """An absent text matches no pattern, not even one that names nothing."""
    rules = set_of("evidence", rule("TRAP-NIL-01", 'e.title.matches("nil|None|null|^$")', "deny", each="evidence as e"))
    assert asked(rules, "evidence", {"evidence": [{"id": "a"}]})[1] == ["TRAP-NIL-01 @ evidence[0] undecided"]


# Texts


@pytest.mark.parametrize("length", [65_536, 65_536 + 3, 131_072, 200_000])
def test_texts_are_compared_whole(length: int) -> None:
    """A text of 65,536 characters more is another text; so are two long ones that differ at the end."""
    text = "gov".ljust(length, "x")
    assert not met('evidence[0].source_type == "gov"', "evidence", items(text))
    assert not met('evidence[0].source_type == ""', "evidence", items(text))
    assert met('evidence[0].source_type != "gov"', "evidence", items(text))
    assert not met("evidence[0].source_type == evidence[1].source_type", "evidence", items(text, text[:-1] + "y"))
    assert met("evidence[0].source_type == evidence[1].source_type", "evidence", items(text, text))


def test_a_word_far_into_a_text_is_found() -> None:
    """A pattern is searched in the whole text."""
    text = "好" * 70_000 + "禁" + "好" * 10_000
    assert met('evidence[0].title.matches(".*禁.*")', "evidence", {"evidence": [{"id": "a", "title": text}]})
    assert met('evidence[0].title.contains("禁")', "evidence", {"evidence": [{"id": "a", "title": text}]})


def test_a_pattern_sees_the_text_and_not_its_json() -> None:
    """A quote is one character; a line break is one, and `.` takes it where the pattern says so."""
    for text, pattern, expected in (
        ('a"b', "^a.b$", True),
        ("a\\b", "^a.b$", True),
        ("a\nb", "(?s)^a.b$", True),
        ("a\nb", "^a.b$", False),
        ("a\nb", "n", False),
    ):
        found = {"evidence": [{"id": "a", "title": text}]}
        assert met(f"evidence[0].title.matches(r'{pattern}')", "evidence", found) is expected, (text, pattern)


@settings(max_examples=60, deadline=None)
@given(
    st.from_regex(r"\A[abw.]{1,4}[*+?]?[abw.]{0,4}\Z"),
    st.lists(st.text("abwx", max_size=8), min_size=1, max_size=5),
)
def test_small_patterns_mean_what_they_mean_everywhere(pattern: str, texts: list[str]) -> None:
    """Against Python's own engine, on patterns that both read alike."""
    rules = set_of("evidence", rule("TRAP-RE-01", f"e.title.matches(r'^(?:{pattern})$')", "deny", each="evidence as e"))
    facts = {"evidence": [{"id": str(at), "title": text} for at, text in enumerate(texts)]}
    wanted = [f"TRAP-RE-01 @ evidence[{at}]" for at, text in enumerate(texts) if not re.fullmatch(pattern, text)]
    assert asked(rules, "evidence", facts)[1] == wanted


# Batches


@pytest.mark.parametrize("bad", ["Infinity", "-Infinity", "NaN", "9223372036854775808", '"\\ud800"'])
def test_one_unreadable_item_refuses_the_batch(bad: str) -> None:
    """What cannot be read is not left out, and what follows it is not either: nothing of it is judged."""
    rules = set_of("evidence", rule("TRAP-BATCH-01", 'e.source_type == "url"', "reject", each="evidence as e"))
    items_ = [f'{{"id": "{at}", "source_type": "url", "chosen": {{"x": {value}}}}}' for at, value in enumerate("1%3")]
    text = f'{{"evidence": [{", ".join(items_)}]}}'
    assert asked(rules, "evidence", text.replace("%", "2")) == ("allow", [])
    assert asked(rules, "evidence", text.replace("%", bad)) == ("deny", ["ENGINE-FACTS undecided"])


def test_small_numbers_and_many_keys_are_read() -> None:
    """1e-07 is a number like any other, and three hundred keys are no more than many."""
    assert met('double(call.arguments["x"]) == 1e-07', "call", json.dumps(call(x=1e-07)))
    many = {f"key{n}": n for n in range(300)}
    assert met('size(call.arguments) == 300 && call.arguments["key299"] == 299', "call", call(**many))


@pytest.mark.parametrize("text", ['{"evidence": []} trailing', '{"evidence": []}{}', '{"evidence": [}', "", "[]"])
def test_text_that_is_no_json_object_is_refused(text: str) -> None:
    """Garbage behind the facts is not left lying there."""
    rules = set_of("evidence", rule("TRAP-JSON-01", "size(evidence) == 0"))
    assert asked(rules, "evidence", '{"evidence": []}') == ("allow", [])
    assert asked(rules, "evidence", text) == ("deny", ["ENGINE-FACTS undecided"])


# Negation, or, joins


@pytest.mark.parametrize("order", [("good", "bad"), ("bad", "good"), ("good", "bad", "good"), ("bad",)])
def test_what_must_not_exist_is_seen_wherever_it_stands(order: tuple[str, ...]) -> None:
    """A negation does not depend on what came first."""
    assert not met('!evidence.exists(x, x.source_type == "bad")', "evidence", items(*order))
    assert met('evidence.exists(x, x.source_type == "bad")', "evidence", items(*order))


def test_a_rule_that_is_a_negation_is_asked() -> None:
    """Without anything positive in it, also about no items at all."""
    assert met('!evidence.exists(x, x.source_type == "bad")', "evidence", items())
    assert met("!has(evidence[0].title)", "evidence", items("url"))
    assert not met("!has(evidence[0].source_type)", "evidence", items("url"))


def test_a_join_in_the_first_condition_is_tested() -> None:
    """An item compared with the run: true only where they agree."""
    condition = "e.execution_id == run.execution_id"
    rules = set_of("evidence", rule("TRAP-JOIN-01", condition, "reject", each="evidence as e"))
    facts = {
        "run": {"execution_id": "r"},
        "evidence": [{"id": "a", "execution_id": "r"}, {"id": "b", "execution_id": "q"}],
    }
    assert asked(rules, "evidence", facts) == ("allow", ["TRAP-JOIN-01 @ evidence[1]"])


@pytest.mark.parametrize(("type_", "run", "expected"), [("url", "q", True), ("doc", "r", True), ("doc", "q", False)])
def test_either_side_of_an_or_is_enough(type_: str, run: str, expected: bool) -> None:
    """A constant test or a join, in either order."""
    facts = {"run": {"execution_id": "r"}, "evidence": [{"id": "a", "source_type": type_, "execution_id": run}]}
    for condition in (
        'evidence[0].source_type == "url" || evidence[0].execution_id == run.execution_id',
        'evidence[0].execution_id == run.execution_id || evidence[0].source_type == "url"',
    ):
        assert met(condition, "evidence", facts) is expected


def test_or_and_all_over_elements() -> None:
    """One of two fields of an element is enough for an or; `all` of nothing is true."""
    facts = {"evidence": [{"id": "a", "title": "x", "snippet": "-"}, {"id": "b", "title": "-", "snippet": "x"}]}
    assert met('evidence.all(e, e.title == "x" || e.snippet == "x")', "evidence", facts)
    assert not met('evidence.all(e, e.title == "x")', "evidence", facts)
    assert met('evidence.all(e, e.title == "x")', "evidence", items())
    assert not met('evidence.exists(e, e.title == "x")', "evidence", items())


def test_both_parts_of_a_condition_count() -> None:
    """Neither half of an and is forgotten."""
    for left, right, expected in (("url", "a", True), ("url", "b", False), ("doc", "a", False)):
        facts = {"evidence": [{"id": "x", "source_type": left, "title": right}]}
        assert met('evidence[0].source_type == "url" && evidence[0].title == "a"', "evidence", facts) is expected


# Names and hashes


def test_names_are_compared_and_not_their_hashes() -> None:
    """A fact that has `liquid` has no `costarring`, although their hashes are one."""
    first, second = COLLIDING
    assert _fnv(first) == _fnv(second)
    assert met(f'"{first}" in call.arguments', "call", call(**{first: 1}))
    assert not met(f'"{first}" in call.arguments', "call", call(**{second: 1}))
    assert met(f'context.attributes == {{"{second}": "1"}}', "route", {"context": {"attributes": {second: "1"}}})
    assert not met(f'context.attributes == {{"{second}": "1"}}', "route", {"context": {"attributes": {first: "1"}}})


def _fnv(word: str) -> int:
    value = 0x811C9DC5
    for byte in word.encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


def test_requests_with_colliding_ids_are_strangers() -> None:
    """The plan of one is never judged with the evidence of the other, whatever order they are asked in."""
    condition = "e.execution_id == run.execution_id"
    rules = set_of("evidence", rule("TRAP-SID-01", condition, "reject", each="evidence as e"))
    for own in COLLIDING:
        for other in COLLIDING:
            facts = {"run": {"execution_id": own}, "evidence": [{"id": "a", "execution_id": other}]}
            assert asked(rules, "evidence", facts)[1] == ([] if own == other else ["TRAP-SID-01 @ evidence[0]"])


def test_no_property_of_a_fact_switches_rules_off() -> None:
    """Keys that an engine may use itself are keys like others; where the names are fixed, they are faults."""
    condition = 'call.arguments["a"] == 1 || call.arguments["b"] == 1'
    for key in ("$forward", "$s", "$m", "id", "sid", "$and", "__class__"):
        assert met(condition, "call", call(a=1, b=2, **{key: 1}))
        assert not met(condition, "call", call(a=2, b=2, **{key: 1}))
        faulty = {"evidence": [{"id": "a", "source_type": "url", f"{key}x": 1}]}
        rules = set_of("evidence", rule("TRAP-KEY-01", "size(evidence) > 0"))
        assert asked(rules, "evidence", faulty) == ("deny", ["ENGINE-FACTS undecided"])


def test_a_dotted_key_is_no_path() -> None:
    """`{"a.b": 1}` and `{"a": {"b": 1}}` are different facts."""
    flat, nested = call(**{"a.b": 1}), call(a={"b": 1})
    assert met('call.arguments["a.b"] == 1', "call", flat)
    assert met("call.arguments.a.b == 1", "call", nested)
    for condition, facts in (("call.arguments.a.b == 1", flat), ('call.arguments["a.b"] == 1', nested)):
        rules = set_of("call", rule("TRAP-PATH-01", condition))
        assert asked(rules, "call", facts) == ("deny", ["TRAP-PATH-01 undecided"])


def test_no_fact_is_dropped_as_seen_before() -> None:
    """Sixty thousand items in sixty requests: every one of them is judged every time."""
    rules = set_of("evidence", rule("TRAP-MANY-01", 'e.source_type == "url"', "reject", each="evidence as e"))
    for turn in range(60):
        facts = {"evidence": [{"id": f"{turn}-{at}", "source_type": "doc"} for at in range(1_000)]}
        decision = evaluate(rules, "evidence", facts, NOW)
        assert len(decision.rejected) == len(decision.violations) == 1_000


# Types and numbers


@pytest.mark.parametrize(
    "condition",
    [
        'run.calls == "5"',
        "call.read_only == 1",
        'call.read_only == "true"',
        '"abc" > 5',
        "run.calls == true",
        "1 == '1'",
    ],
)
def test_a_comparison_of_different_types_does_not_load(condition: str) -> None:
    """It would be always false, or worse, sometimes true."""
    with pytest.raises(RuleFileError) as caught:
        set_of("call", rule("TRAP-TYPES-01", condition))
    assert [fault.code for fault in caught.value.diagnostics] == ["GR215"]


@pytest.mark.parametrize(
    ("value", "literal"), [(5, '"5"'), ("5", "5"), (True, '"true"'), (True, "1"), (1, "true"), ("true", "true")]
)
def test_free_form_values_of_different_types_are_neither_equal_nor_unequal(value: Any, literal: str) -> None:
    """Where the type is known only at run time, the comparison is undecided, and so not met either way."""
    for operator in ("==", "!="):
        rules = set_of("call", rule("TRAP-JSON-02", f'call.arguments["x"] {operator} {literal}'))
        assert asked(rules, "call", call(x=value)) == ("deny", ["TRAP-JSON-02 undecided"])


def test_a_number_is_the_same_number_as_int_and_as_double() -> None:
    """1 and 1.0 are one number, in a constant as in a join of free-form values."""
    assert met("1.0 == double(run.calls)", "call", {"run": {"calls": 1}})
    assert met('call.arguments["a"] == call.arguments["b"]', "call", json.dumps(call(a=1, b=1.0)))
    assert met('call.arguments["a"] == 1', "call", call(a=1.0))
    assert not met('call.arguments["a"] == call.arguments["b"]', "call", call(a=1, b=1.5))


def test_large_ints_do_not_saturate() -> None:
    """An int that a reader could round is a fault of the facts; one beyond 64 bits does not load."""
    rules = set_of("call", rule("TRAP-INT-01", "run.calls < 100"))
    for number in (2**53, 2**63 - 1, 2**63, 2**64, -(2**63) - 1):
        for facts in ({"run": {"calls": number}}, json.dumps({"run": {"calls": number}})):
            assert asked(rules, "call", facts) == ("deny", ["ENGINE-FACTS undecided"])
    with pytest.raises(RuleFileError):
        set_of("call", rule("TRAP-INT-02", "run.calls == 9223372036854775808"))
    big, next_ = 2**53 - 1, 2**53 - 2
    assert met(f"run.calls == {big}", "call", {"run": {"calls": big}})
    assert not met(f"run.calls == {next_}", "call", {"run": {"calls": big}})


# What does not load

HEAD = "contract: trial\nversion: 1.0.0\ngate: evidence\nsummary: {en: A trial., zh: 试验。}\nowners: [us]\n"
GOOD = rule("TRAP-LOAD-01", "size(evidence) > 0")


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("an unknown operator", rule("TRAP-LOAD-01", 'evidence[0].source_type nin ["a"]')),
        ("an unknown function", rule("TRAP-LOAD-01", 'evidence[0].source_type.ne("a")')),
        ("a bad pattern", rule("TRAP-LOAD-01", 'evidence[0].source_type.matches("(a")')),
        ("a rule without condition", GOOD.replace("    require: >-\n      size(evidence) > 0\n", "")),
        ("two conditions in one rule", GOOD + "    forbid: size(evidence) > 9\n"),
        ("an empty condition", GOOD.replace("size(evidence) > 0", '""')),
        ("a count in place of a condition", GOOD.replace("size(evidence) > 0", "size(evidence)")),
        ("a key that no rule has", GOOD + "    pri: -1\n"),
        ("two conditions under one key", GOOD + "    require: size(evidence) > 9\n"),
        ("two names in one each", GOOD.replace("  - id: TRAP-LOAD-01\n", "  - id: TRAP-LOAD-01\n    each: evidence as e, f\n")),
        ("one name for two lists", rule("TRAP-LOAD-01", "has(e.title)", "warn", each="evidence as e")
         + rule("TRAP-LOAD-02", "has(e.title)", "warn", each="admitted as e")),
        ("an unknown effect", GOOD.replace("otherwise: deny", "otherwise: allow")),
        ("rules that are no list", "  a: 1\n"),
        ("no rules", ""),
    ],
)  # fmt: skip
def test_what_means_nothing_does_not_load(what: str, text: str) -> None:
    """A rule that could never be asked is a fault when the set is loaded, and not a rule that never speaks."""
    assert compile_rules({"c.yaml": HEAD + "rules:\n" + GOOD})
    with pytest.raises(RuleFileError):
        compile_rules({"c.yaml": HEAD + ("rules:\n" + text if text else "")})


@pytest.mark.parametrize("files", [{}, {"manifest.yaml": "name: a\nversion: 1.0.0\n"}, {"contracts/a.yaml": "[]"}])
def test_an_empty_rule_set_does_not_load(files: Mapping[str, str]) -> None:
    """No rules is a wrong path, and no permission."""
    with pytest.raises(RuleFileError):
        compile_rules(files)


# Failures and threads


def test_an_error_inside_a_function_is_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a function raises, in the compiled program and in the interpreter: deny, and the decision says why."""

    def broken(text: str) -> str:
        raise RuntimeError(f"broken by {text}")

    overload = "normalise(string)"
    monkeypatch.setitem(declare.FUNCTIONS, overload, replace(declare.FUNCTIONS[overload], body=broken))
    rules = set_of("evidence", rule("TRAP-ERROR-01", 'normalise(evidence[0].title) != ""', "warn"))
    facts = {"evidence": [{"id": "a", "title": "A title"}]}
    decision = evaluate(rules, "evidence", facts, NOW)
    assert (decision.outcome, [found.rule for found in decision.violations]) == ("deny", ["ENGINE-INTERNAL"])
    assert decision.admitted == ()


def test_each_thread_gets_its_own_answer() -> None:
    """Eight threads on one rule set, each with facts of its own."""
    rules = set_of(
        "evidence",
        rule("TRAP-THREAD-01", "now - e.dated_at <= duration('1h')", "reject", each="evidence as e"),
    )

    def one(number: int) -> bool:
        ages = [timedelta(minutes=(number * 7 + at * 13) % 120) for at in range(5)]
        facts = {"evidence": [{"id": f"{number}-{at}", "dated_at": NOW - age} for at, age in enumerate(ages)]}
        wanted = tuple(f"{number}-{at}" for at, age in enumerate(ages) if age <= timedelta(hours=1))
        return evaluate(rules, "evidence", facts, NOW).admitted == wanted

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(one, range(1_000)))
