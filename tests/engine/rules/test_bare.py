"""Expressions without a gate."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from groundrule.diagnostics import RuleFileError
from groundrule.rules import bare
from groundrule.rules.bare import BareResult, evaluate_bare, to_json
from groundrule.rules.bare_values import MAX_NESTING, MAX_STEPS, Budget, Instant, Span, TypeName
from groundrule.rules.declare import FUNCTIONS


def value(text: str, **variables: Any) -> Any:
    """The value of an expression that has one, as plain JSON."""
    result = evaluate_bare(text, variables)
    assert not result.undecided
    return to_json(result.value)


def undecided(text: str, **variables: Any) -> str:
    """Why an expression is undecided."""
    result = evaluate_bare(text, variables)
    assert (result.value, result.type) == (None, "undecided")
    return result.undecided


def refusal(text: str, **variables: Any) -> list[str]:
    """What is wrong with a text, each fault as code and help."""
    with pytest.raises(RuleFileError) as refused:
        evaluate_bare(text, variables)
    return [f"{found.code} {found.help}" for found in refused.value.diagnostics]


@pytest.mark.parametrize(
    "example",
    [pytest.param(text, id=text) for entry in FUNCTIONS.values() for text in entry.examples],
)
def test_examples_of_functions_are_true(example: str) -> None:
    """What the declaration of a function gives as an example is true here too."""
    assert evaluate_bare(example, {}) == BareResult(True, "bool")


@pytest.mark.parametrize(
    ("text", "type_", "expected"),
    [
        ("null", "null", None),
        ("1 < 2", "bool", True),
        ("-7 / 2", "int", -3),
        ("1.5 * 2.0", "double", 3.0),
        ("'天' + '气'", "string", "天气"),
        (r"b'\xff' + b'a'", "bytes", b"\xffa"),
        ("[1, 'a', null]", "list", (1, "a", None)),
        ("timestamp('1970-01-01T00:00:01Z')", "timestamp", Instant(10**9)),
        ("duration('1ns')", "duration", Span(1)),
        ("type(1.5)", "type", TypeName("double")),
    ],
)
def test_values_have_a_type(text: str, type_: str, expected: object) -> None:
    """A result carries its value and the name of its type."""
    assert evaluate_bare(text, {}) == BareResult(expected, type_)


def test_maps_are_mappings() -> None:
    """A map is a mapping in which true is not 1, and a whole double finds the int that it equals."""
    result = evaluate_bare("{1: 'one', true: 'yes', 'k': [null]}", {})
    assert result.type == "map"
    assert dict(result.value)["k"] == (None,)
    assert [value(f"{{1: 'one', true: 'yes'}}[{key}]") for key in ("1", "1.0", "true")] == ["one", "one", "yes"]


def test_null_exists() -> None:
    """Null is a value: it can be written, compared, and is present in a map."""
    assert value("[n == null, n != 0, has(m.k), m.k == null]", n=None, m={"k": None}) == [True, True, True, True]
    assert undecided("n.k", n=None) == "null has no fields"


def test_values_of_different_types_are_unequal() -> None:
    """Equality of different types is false rather than undecided; numbers compare by value."""
    assert value("['1' == 1, true == 1, [1] == [1.0], {'a': 1} == {'a': 1.0}, 1 in [true, 1.0]]") == [
        False, False, True, True, True,
    ]  # fmt: skip
    assert value("1 < 1.5 && 2.0 >= 2")
    assert undecided("1 < 'a'") == "int compared with string"
    assert undecided("1 + 1.0") == "`+` does not take int, double"


def test_times_have_nanoseconds() -> None:
    """Timestamps and durations are exact to the nanosecond."""
    assert value("timestamp('2026-04-15T08:00:00.123456789+08:00')") == "2026-04-15T00:00:00.123456789Z"
    assert value("timestamp('2026-04-15T00:00:00Z') - duration('1ns')") == "2026-04-14T23:59:59.999999999Z"
    assert value("sum([duration('1ns'), duration('1s')])") == "1.000000001s"
    assert value("max([duration('1ns'), duration('2ns')]) - min([duration('2ns'), duration('3ns')])") == "0s"
    assert value("string(duration('-1.5s'))") == "-1.5s"
    assert value("duration('-1ns').getMilliseconds()") == 0


def test_python_times_are_data() -> None:
    """Aware datetimes and timedeltas, Instants and Spans can be given as variables."""
    noon = datetime(2026, 4, 15, 12, tzinfo=UTC)
    assert value("t + d", t=noon, d=timedelta(hours=1)) == "2026-04-15T13:00:00Z"
    assert value("t + d", t=Instant(0), d=Span(1)) == "1970-01-01T00:00:00.000000001Z"
    assert value("start_of_day(t, 'Asia/Shanghai')", t=noon) == "2026-04-14T16:00:00Z"


def test_undecided_is_absorbed_only_by_what_decides() -> None:
    """False decides a conjunction and true a disjunction, in either order; a bound name counts where it is read."""
    for text in ("1 / 0 > 0 || true", "true || 1 / 0 > 0", "!(false && 1 / 0 > 0)", "!(1 / 0 > 0 && false)"):
        assert value(text)
    assert value("[0, 1].exists(x, 1 / x > 0)")
    assert value("cel.bind(x, 1 / 0, true || x > 0)")
    assert undecided("1 / 0 > 0 && true") == "a division by zero"
    assert undecided("[0, 1].all(x, 1 / x > 0)") == "a division by zero"
    assert undecided("[1, 0].exists_one(x, 1 / x > 0)") == "a division by zero"
    assert undecided("cel.bind(x, 1 / 0, x > 0)") == "a division by zero"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("m.b", "no such key: 'b'"),
        ("m['b']", "no such key: 'b'"),
        ("l[2]", "index 2 of a list of 2"),
        ("l[-1]", "index -1 of a list of 2"),
        ("l['a']", "a list index that is string"),
        ("l.a", "list has no fields"),
        ("1 ? 2 : 3", "a condition that is int"),
        ("1 && true", "a condition that is int"),
        ("1.all(x, true)", "`all` does not take int"),
        ("{'a': 1, 'a': 2}", "a map key that stands twice: 'a'"),
        ("{1.5: 1}", "a map key that is double"),
        ("9223372036854775807 + 1", "an int beyond 64 bits"),
        ("1e308 * 10.0", "a number that is not finite"),
        ("1e999", "a number that is not finite"),
        ("size()", "`size` does not take nothing"),
        ("'a'.matches('[')", "not an RE2 pattern: missing ]: ["),
        ("min([])", "`min` of an empty list"),
        ("min([null])", "null compared with null"),
        ("min([1, 'a'])", "string compared with int"),
        ("timestamp('2016-12-31T23:59:60Z')", "an instant that does not exist"),
        ("timestamp('2026-04-15T08:00:00')", "text that is no RFC 3339 instant with offset"),
        ("timestamp('9999-12-31T23:59:59Z') + duration('1s')", "an instant outside the years 1 to 9999"),
        ("string(b'\\xff')", "bytes that are not UTF-8"),
    ],
)
def test_what_fails_is_undecided_and_says_why(text: str, why: str) -> None:
    """An operation without a value makes the expression undecided, with a reason."""
    assert undecided(text, m={"a": 1}, l=[1, 2]) == why


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (float("nan"), "a number that is not finite"),
        (2**63, "an int beyond 64 bits"),
        ("\ud800", "text with a lone surrogate"),
        ("x" * (2**20 + 1), "text of more than 1,048,576 characters"),
        (datetime(2026, 1, 1), "a time without offset"),
        ({1.5: 1}, "a map key that is double"),
        ({1, 2}, "data of type set"),
        ([[float("inf")]], "a number that is not finite"),
    ],
)
def test_data_that_cel_cannot_hold_is_undecided(data: object, why: str) -> None:
    """Data outside of CEL's values is undecided where it is read, and nowhere else."""
    assert undecided("x == 1", x=data) == why
    assert value("true || x == 1", x=data)
    assert value("y == 1", x=data, y=1)


def test_data_that_contains_itself_ends() -> None:
    """Data is bounded in depth and size, so that a list within itself is undecided."""
    loop: list[Any] = []
    loop.append(loop)
    assert undecided("x", x=loop) == f"data nested deeper than {MAX_NESTING} levels"
    twice: list[Any] = []
    twice.extend((twice, twice))
    assert undecided("x", x=twice) == f"data nested deeper than {MAX_NESTING} levels"
    wide: Any = 0
    for _ in range(60):
        wide = [wide, wide]
    assert undecided("x", x=wide) == "more than 2,000,000 steps"


def test_unknown_names_are_refused_with_the_nearest() -> None:
    """A variable or function that does not exist is a fault of the text; all are told, with the nearest name."""
    assert refusal("evidense == 1", evidence=1, plan=2) == ["GR211 did you mean `evidence`?"]
    assert refusal("regstrable_domain(u) == v", u=1) == [
        "GR213 did you mean `registrable_domain`?",
        "GR211 known here: `u`",
    ]
    assert refusal("[1].all(x, x > y) && x", y=1) == ["GR211 known here: `y`"]
    assert refusal("cel.bind(x, x, x)") == ["GR211 "]
    assert refusal("contains('a', 'b')") == ["GR213 write `value.contains(…)`"]
    assert refusal("'a'.host()") == ["GR213 write `host(…)`"]


def test_text_that_is_no_expression_is_refused() -> None:
    """A text that does not parse, or lies outside the profile, is a fault with its place."""
    with pytest.raises(RuleFileError) as refused:
        evaluate_bare("1 +\n  2u", {})
    assert [(found.code, found.place) for found in refused.value.diagnostics] == [("GR210", "<expression>:2:3")]


@pytest.fixture
def small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """A twentieth of the steps, so that the tests of their end do not take long."""
    monkeypatch.setattr(bare, "Budget", partial(Budget, MAX_STEPS // 20))


def test_the_budget_is_two_million_steps() -> None:
    """A loop of a million turns is evaluated, one of two million is not."""
    assert value("l.all(a, l.all(b, true))", l=list(range(900)))
    assert undecided("l.all(a, l.all(b, true))", l=list(range(1_500))) == "more than 2,000,000 steps"


@pytest.mark.usefixtures("small_budget")
@pytest.mark.parametrize(
    "text",
    [
        "l.all(a, l.all(b, l.all(c, l.all(d, true))))",
        "l.map(a, l.map(b, l.map(c, l.map(d, 1))))",
        "l.exists(a, l.exists(b, l.exists(c, l.exists(d, false)))) || true",
        "l.filter(a, l.all(b, l.all(c, l.all(d, 1 / 0 > 0))))",
        "distinct(l + l.map(a, a + 100) + l.map(a, a + 200)) == l || l.map(a, l.map(b, distinct(l))) == l",
    ],
)
def test_loops_are_bounded(text: str) -> None:
    """An expression that takes too many steps is undecided, whatever stands beside it."""
    assert undecided(text, l=list(range(100))) == "more than 2,000,000 steps"


def doubled(seed: str, step: str, times: int = 50, last: str = "a") -> str:
    """An expression that binds a to `seed` and then again and again to `step`, which reads it."""
    return f"cel.bind(a, {seed}, " + f"cel.bind(a, {step}, " * times + last + ")" * (times + 1)


def test_texts_are_bounded() -> None:
    """A text that is longer than facts may hold is undecided."""
    assert undecided(doubled("'0123456789abcdef'", "a + a")) == "text of more than 1,048,576 characters"


@pytest.mark.usefixtures("small_budget")
@pytest.mark.parametrize(
    ("text", "why"),
    [
        (doubled("'0123456789abcdef'", "a + a"), "more than 2,000,000 steps"),
        (doubled("[1, 2]", "a + a"), "more than 2,000,000 steps"),
        (doubled("[1, 2]", "[a, a]"), "more than 2,000,000 steps"),
        (doubled("[1, 2]", "[a, a]", last="a == [a[0], a[0]]"), "more than 2,000,000 steps"),
        (doubled("[1, 2]", "[a, a]", last="[a[0], a[0]] in [a]"), "more than 2,000,000 steps"),
        (doubled("[1]", "[[[[a]]]]", 40), f"a value nested deeper than {MAX_NESTING} levels"),
        (doubled("[1]", "{'k': {'k': {'k': a}}}", 50), f"a value nested deeper than {MAX_NESTING} levels"),
        ("l.map(x, s + s).size() + l.map(x, s + 's').size()", "more than 2,000,000 steps"),
        ("{}[" + doubled("[1]", "[[[[a]]]]", 40) + "]", "no such key: list"),
    ],
)
def test_values_are_bounded(text: str, why: str) -> None:
    """Values that grow with every step, or are nested too deep, end as undecided."""
    assert undecided(text, l=list(range(1_000)), s="x" * 500_000) == why


def test_long_conditions_are_cheap() -> None:
    """A condition as long as a text may be is evaluated."""
    assert value(" && ".join(["true"] * 8_000))


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+$", "(a|aa)+$", "^(a|a?)+$", "(.*a){20}$", "^([a-z]+)*$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(a?){50}a{50}$"],
)
def test_patterns_that_back_track_elsewhere_are_linear(pattern: str) -> None:
    """A pattern that takes exponential time where regular expressions back-track takes none here."""
    assert value(f"s.matches(r'{pattern}')", s="a" * 20_000 + "!") is False


@pytest.mark.usefixtures("small_budget")
def test_patterns_of_the_data_are_bounded() -> None:
    """What a pattern may cost counts as steps."""
    pattern = "(x{1,30}y?z?){30}$"
    assert (
        undecided("l.exists(i, s.matches(p))", l=[0] * 1_000, s="x" * 50_000 + "!", p=pattern)
        == "more than 2,000,000 steps"
    )


def test_results_become_json() -> None:
    """Every value has a form in plain JSON: times as text, bytes in base64, types by name, keys as text."""
    text = "{'t': timestamp(0), 'd': duration('1.5s'), 'b': b'a', 'y': type(timestamp(0)), 1: [true], false: null}"
    assert value(text) == {
        "t": "1970-01-01T00:00:00Z",
        "d": "1.5s",
        "b": "YQ==",
        "y": "google.protobuf.Timestamp",
        "1": [True],
        "false": None,
    }


@pytest.mark.parametrize(
    "zone", ["", "localtime", "posixrules", "right/UTC", "posix/UTC", "Nowhere/City", "+24:00", "+08:60", "../UTC", "8"]
)
def test_zones_are_the_same_on_every_machine(zone: str) -> None:
    """A zone is an IANA name or an offset below a day, never a file that only some machines have."""
    assert undecided("timestamp('2026-04-15T00:00:00Z').getHours(zone)", zone=zone) == "an unknown time zone"
