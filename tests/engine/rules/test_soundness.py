"""Where plain Python says something else than three-valued CEL, and completes: each such place as a case of its own.

Compiled and interpreted rules must agree, and on the right answer.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from tests.engine.rules.programs import NOW, contract, program, rule

from groundrule import compile_rules
from groundrule.facts.gates import GATES
from groundrule.rules import facts as border
from groundrule.rules.compile import compile_program
from groundrule.rules.interpret import findings
from groundrule.rules.program import UNDECIDED, Program

TRUE, FALSE, OPEN = "true", "false", "undecided"
PARAMS = {"nan_free": "[1.5, 2.0]", "sizes": "{a: 1, b: 2}", "flags": "[true]", "mixed": "[1, 2.5]", "word": "a"}
FACTS: dict[str, Any] = {
    "question": {"text": "x\n", "ambiguities": ["a", "b"], "asked_at": NOW},
    "context": {"attributes": {"k": "v"}},
    "plan": {"result_limit": 7, "freshness_required": True, "search_queries": ["1_0", "１２", " 3", "4"]},
    "call": {"arguments": {"t": True, "one": 1, "real": 1.0, "text": "abc", "list": [1, True, None], "void": None}},
    "run": {"calls": 2**53 - 1, "remaining": timedelta(hours=1)},
}
MIN = "(-9223372036854775807 - 1)"
LIST = "plan.search_queries"


def asked(made: Program, given: dict[str, Any], gate: str) -> str:
    """What came of the only rule, a `require`, by both."""
    held = border.from_mapping(gate, given)
    assert held.record is not None, held.fault
    fast = compile_program(made)(held, NOW, frozenset())
    assert fast == findings(made, held.record, NOW)
    if not fast.violations:
        return TRUE
    return OPEN if fast.violations[0] & UNDECIDED else FALSE


def value(condition: str, lets: str = "", given: dict[str, Any] = FACTS) -> str:
    """What a condition is at the call gate, asked as `require` and as `forbid`."""
    text = contract("call", lets + "rules:\n" + rule("A-B-01", condition), params=PARAMS)
    found = asked(program(text), given, "call")
    forbidden = program(contract("call", lets + "rules:\n" + rule("A-B-01", condition, kind="forbid"), params=PARAMS))
    assert asked(forbidden, given, "call") == {TRUE: FALSE, FALSE: TRUE, OPEN: OPEN}[found]
    return found


ABSENT = [
    ("call.tool == call.url", OPEN),
    ("call.tool != call.url", OPEN),
    ("call.tool != 'x'", OPEN),
    ("call.tool in ['x']", OPEN),
    ("'x' in run.adapters_left", OPEN),
    ("!call.read_only", OPEN),
    ("call.read_only && false", FALSE),
    ("false && call.read_only", FALSE),
    ("call.read_only && true", OPEN),
    ("call.read_only || true", TRUE),
    ("true || call.read_only", TRUE),
    ("call.read_only || false", OPEN),
    ("call.read_only ? true : true", OPEN),
    ("plan.freshness_required ? call.read_only : true", OPEN),
    ("(plan.freshness_required ? 'a' : call.tool) == 'a'", TRUE),
    ("size([call.tool]) == 1", OPEN),
    ("size({'a': call.tool}) == 1", OPEN),
    ("size({call.tool: 'a'}) == 1", OPEN),
    (f"size({LIST}.map(x, call.tool)) == 4", OPEN),
    (f"size({LIST}.map(x, x == '4', call.tool)) == 1", OPEN),
    (f"size({LIST}.map(x, x == 'none', call.tool)) == 0", TRUE),
    ("cel.bind(x, call.tool, true)", TRUE),
    ("cel.bind(x, call.tool, x == 'a')", OPEN),
    ("cel.bind(x, call.read_only, x || true)", TRUE),
    ("[call.read_only].all(x, true)", OPEN),
    ("call.tool < 'a'", OPEN),
    ("size(call.tool) >= 0", OPEN),
    ("call.tool.startsWith('')", OPEN),
    ("call.read_only == call.read_only", OPEN),
    ("(call.read_only && false) == false", TRUE),
    ("(call.read_only || false) == false", OPEN),
]
LOOPS = [
    ("[1, 0].exists(x, 1 / x == 1)", TRUE),
    ("[0, 1].exists(x, 1 / x == 1)", TRUE),
    ("[0, 2].exists(x, 1 / x == 1)", OPEN),
    ("[0, 2].all(x, 1 / x == 1)", FALSE),
    ("[0, 1].all(x, 1 / x == 1)", OPEN),
    ("[1, 1, 0].exists_one(x, 1 / x == 1)", OPEN),
    ("[0, 1].exists_one(x, 1 / x == 1)", OPEN),
    ("size([1, 0].filter(x, 1 / x == 1)) == 1", OPEN),
    ("size([1, 0].map(x, 1 / x)) == 2", OPEN),
    ("[1, 0].map(x, 1 / x)[0] == 1", OPEN),
    ("!(run.calls < run.calls)", TRUE),
]
INTS = [
    ("run.calls * 1024 + 9223372036854775807 > 0", OPEN),
    ("run.calls * run.calls > 0", OPEN),
    (f"{MIN} - plan.result_limit < 0", OPEN),
    (f"-({MIN} + plan.result_limit - 7) > 0", OPEN),
    ("-plan.result_limit / 2 == -3", TRUE),
    ("plan.result_limit / -2 == -3", TRUE),
    ("-plan.result_limit % 4 == -3", TRUE),
    ("plan.result_limit % -4 == 3", TRUE),
    ("plan.result_limit / (plan.result_limit - 7) == 0", OPEN),
    ("plan.result_limit % (plan.result_limit - 7) == 0", OPEN),
    (f"{MIN} / (plan.result_limit - 8) > 0", OPEN),
    (f"{LIST}[plan.result_limit - 8] == '4'", OPEN),
    (f"{LIST}[plan.result_limit] == '4'", OPEN),
    (f"int({LIST}[0]) == 10", OPEN),
    (f"int({LIST}[1]) == 12", OPEN),
    (f"int({LIST}[2]) == 3", OPEN),
    (f"int({LIST}[3]) == 4", TRUE),
    (f"double({LIST}[0]) == 10.0", OPEN),
    (f"double({LIST}[1]) == 12.0", OPEN),
]
DOUBLES = [
    ("double(run.calls) * 1e300 * 1e300 > 0.0", OPEN),
    ("double(plan.result_limit) / 0.0 > 0.0", OPEN),
    ("(double(plan.result_limit) - 7.0) / 0.0 in [1.0]", OPEN),
    ("[(double(plan.result_limit) - 7.0) / 0.0] == [1.0]", OPEN),
    ("-(double(plan.result_limit) - 7.0) == 0.0", TRUE),
    ("string(double(plan.result_limit)) == '7'", TRUE),
    ("string(double(plan.result_limit) / 2.0) == '3.5'", TRUE),
    ("string(params.mixed[0]) == '1'", TRUE),
    ("sum(params.mixed) == 3.5", TRUE),
]
JSONS = [
    ("call.arguments.t == call.arguments.one", OPEN),
    ("call.arguments.t != call.arguments.one", OPEN),
    ("call.arguments.one == call.arguments.real", TRUE),
    ("call.arguments.t == true", TRUE),
    ("call.arguments.t == 1", OPEN),
    ("call.arguments.one == true", OPEN),
    ("call.arguments.one == '1'", OPEN),
    ("call.arguments.real == 1", TRUE),
    ("size(call.arguments) == 5", TRUE),
    ("has(call.arguments.void)", FALSE),
    ("call.arguments.void == 1", OPEN),
    ("call.arguments.none == 1", OPEN),
    ("call.arguments.text.exists(x, x == 'a')", OPEN),
    ("call.arguments.text[0] == 'a'", OPEN),
    ("call.arguments.list[true ? 0 : 1] == 1", TRUE),
    ("call.arguments.list[2] == 1", OPEN),
    ("call.arguments.list[3] == 1", OPEN),
    ("call.arguments.list[-1] == 1", OPEN),
    ("int(call.arguments.t) == 1", OPEN),
    ("double(call.arguments.t) == 1.0", OPEN),
    ("bool(call.arguments.one)", OPEN),
    ("size([call.arguments.t, call.arguments.one].filter(x, x == 1)) == 1", OPEN),
    ("true in params.flags", TRUE),
    ("size(distinct([1, 1, 2])) == 2", TRUE),
    ("size({'a': 1, 'b': 2}) == 2", TRUE),
    ("size({'a': 1, question.ambiguities[0]: 2}) == 1", OPEN),
    ("[plan.freshness_required] == [true]", TRUE),
]
TEXTS = [
    ("question.text.matches('x$')", FALSE),
    ("question.text.matches('(?m)x$')", TRUE),
    (f"{LIST}[1].matches('[0-9]')", FALSE),
    (f"{LIST}[1].matches('\\\\d')", FALSE),
    ("matches(question.text, '^x')", TRUE),
    ("(1 < 2) == (2 < 3)", TRUE),
    ("(plan.result_limit > 1) == plan.freshness_required", TRUE),
    ("size([]) == 0", TRUE),
    ("[question.ambiguities[0], question.ambiguities[1]] == question.ambiguities", TRUE),
    ("context.attributes.k == 'v'", TRUE),
    ("has(context.attributes.get)", FALSE),
    ("context.attributes.get == 'v'", OPEN),
    ("context.attributes['none'] == 'v'", OPEN),
    ("question.ambiguities.all(from, from != 'c')", TRUE),
    ("question.ambiguities.all(i, question.ambiguities.exists(d, d == i))", TRUE),
    ("question.ambiguities.map(facts, facts + 'x')[1] == 'bx'", TRUE),
]


@pytest.mark.parametrize(
    ("condition", "expected"), [*ABSENT, *LOOPS, *INTS, *DOUBLES, *JSONS, *TEXTS], ids=lambda text: str(text)
)
def test_a_condition_means_what_cel_says(condition: str, expected: str) -> None:
    """Compiled and interpreted agree on true, false or undecided."""
    assert value(condition) == expected


@pytest.mark.parametrize(("when", "expected"), [("call.read_only", FALSE), ("!call.read_only", FALSE), ("false", TRUE)])
def test_only_false_skips(when: str, expected: str) -> None:
    """`when` is "is not false": undecided applies, though Python takes None for false."""
    made = program(contract("call", "rules:\n" + rule("A-B-01", "false", when=when)))
    assert asked(made, FACTS, "call") == expected


@pytest.mark.parametrize(
    ("let", "condition", "expected"),
    [
        ("call.tool", "known == 'a'", OPEN),
        ("call.tool", "known == 'a' || true", TRUE),
        ("call.tool == 'a'", "!known", OPEN),
        ("[call.tool]", "size(known) == 1", OPEN),
        ("run.calls + 9223372036854775807", "known > 0 || true", TRUE),
        ("run.calls + 9223372036854775807", "known > 0", OPEN),
    ],
)
def test_a_let_hands_on_undecided(let: str, condition: str, expected: str) -> None:
    """A let without value is undecided where it is read, and only there."""
    assert value(condition, f"let:\n  known: >-\n    {let}\n") == expected


def test_times_are_instants_and_not_wall_clocks() -> None:
    """Two times of one zone around a change of its clock are as far apart as their instants."""
    zone = ZoneInfo("Europe/Berlin")
    first = datetime(2026, 10, 25, 2, 30, tzinfo=zone)
    second = datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=zone)
    given = {"run": {"started_at": first, "deadline": second}, "question": {"asked_at": first}}
    assert value("run.deadline - run.started_at == duration('1h')", given=given) == TRUE
    assert value("run.started_at == run.deadline", given=given) == FALSE
    assert value("run.started_at < run.deadline", given=given) == TRUE
    assert value("run.started_at == question.asked_at", given=given) == TRUE


def test_an_instant_is_the_same_in_every_zone() -> None:
    """Offsets are gone once a time is inside."""
    away = NOW.astimezone(timezone(timedelta(hours=8)))
    given = {"run": {"started_at": away, "deadline": NOW}}
    assert value("run.started_at == run.deadline && run.started_at.getHours() == 8", given=given) == TRUE


@pytest.mark.parametrize("edge", [datetime.min, datetime.max], ids=["first", "last"])
@pytest.mark.parametrize("difference", ["now - run.started_at", "run.started_at - now"])
@pytest.mark.parametrize("limit", ["duration('87000000h')", "run.remaining"])
def test_a_limit_beyond_the_calendar_is_still_a_limit(edge: datetime, difference: str, limit: str) -> None:
    """`now - x <= limit` is decided although `now - limit` is no date."""
    run = {"started_at": edge.replace(tzinfo=UTC), "remaining": timedelta(hours=87_000_000)}
    for sign, expected in (("<=", TRUE), ("<", TRUE), (">", FALSE), (">=", FALSE)):
        assert value(f"{difference} {sign} {limit}", given={"run": run}) == expected
    run["remaining"] = -timedelta(hours=87_000_000)
    minus = limit.replace("('", "('-")
    for sign, expected in (("<=", FALSE), ("<", FALSE), (">", TRUE), (">=", TRUE)):
        assert value(f"{difference} {sign} {minus}", given={"run": run}) == expected


def test_a_limit_that_is_no_duration_is_undecided() -> None:
    """A limit that cannot be computed is undecided in its own rule and nowhere else."""
    assert value("now - question.asked_at <= duration(question.text)") == OPEN
    assert value("now - question.asked_at <= duration(question.text) || true") == TRUE


@pytest.mark.parametrize(
    "given",
    [
        {"call": {"url": "a\ud800"}},
        {"call": {"arguments": {"a": float("nan")}}},
        {"call": {"arguments": {"a": 2**53}}},
        {"run": {"started_at": "2026-04-15T08:00:00.0000001Z"}},
        {"run": {"calls": True}},
        {"run": {"calls": 3.0}},
    ],
)
def test_what_python_would_let_in_is_a_fault(given: dict[str, Any]) -> None:
    """Lone surrogates, NaN, ints that doubles cannot hold, nanoseconds and bools for ints never become facts."""
    assert border.from_mapping("call", given).fault is not None


def test_unvalidated_records_are_validated() -> None:
    """A record that was made around its validation is validated at the border."""
    call = GATES["call"].facts.model_construct(run={"calls": "many"})
    assert border.from_mapping("call", call).fault is not None


def test_facts_hold_no_list_that_can_change() -> None:
    """What the caller changes afterwards is not seen."""
    words, arguments = ["a"], {"l": [1]}
    held = border.from_mapping("call", {"question": {"ambiguities": words}, "call": {"arguments": arguments}})
    assert held.record is not None
    words.append("b")
    arguments["l"].append(2)
    made = program(
        contract("call", "rules:\n" + rule("A-B-01", "size(question.ambiguities) == 1 && size(call.arguments.l) == 1"))
    )
    assert not compile_program(made)(held, NOW, frozenset()).violations
    assert not findings(made, held.record, NOW).violations


def test_what_loops_share_may_be_read_by_rules_per_item() -> None:
    """A macro inside something that is computed once, before the evidence, is computed before it too."""
    condition = "(e.id != '' && [[1, 2].exists_one(x, x == plan.result_limit)] == [true])"
    body = (
        "rules:\n" + rule("A-B-01", condition, each="evidence as e") + rule("A-B-02", condition.replace("e.id", "'i'"))
    )
    given = {"plan": {"result_limit": 2}, "evidence": [{"id": "a"}]}
    assert asked(program(contract("evidence", body)), given, "evidence") == TRUE


def test_the_first_each_of_a_file_may_go_over_a_let() -> None:
    """Checking such a file ends; the let is read while the names of the file are being gathered."""
    rules = compile_rules({"contracts/words.yaml": OVER_A_LET})
    assert [rule.each.path for rule in rules.contracts[0].rules if rule.each is not None] == ["some"]


OVER_A_LET = """
contract: words
version: 1.0.0
gate: plan
params: {words: [x, y]}
let:
  some: params.words
rules:
  - id: WORDS-ONE-01
    each: some as w
    require: w != plan.topic
    otherwise: deny
    message: {en: "{w}", zh: "{w}"}
"""


@pytest.mark.parametrize("gap", ["", " ", "  ", "\n", "\t", "\r\n", " \n ", "\n :".rstrip(":")])
def test_a_key_that_stands_twice_is_a_fault_however_it_is_spaced(gap: str) -> None:
    """No white space before a colon hides a key from the quick reading, which counts quotation marks."""
    text = '{"evidence":[{"id":"a","title":"x","title"' + gap + ':"y"}]}'
    assert border.from_json("evidence", text).fault is not None
    escaped = '{"evidence":[{"id":"a","title":"x","ti\\u0074le"' + gap + ':"y"}]}'
    assert border.from_json("evidence", escaped).fault is not None
    assert border.from_json("evidence", '{"evidence":[{"id":"a","title"' + gap + ':"y"}]}').fault is None
