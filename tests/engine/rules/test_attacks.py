"""Arguments that no caller should give: whatever they are, a gate denies and nothing is raised."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

import pytest

from groundrule import RuleFileError, RuleSet, compile_rules, evaluate
from groundrule.canonical import canonical_json

NOW = datetime(2026, 4, 15, 8, 0, tzinfo=UTC)
CONTRACT = """\
contract: trial
version: 1.0.0
gate: evidence
rules:
  - id: TRIAL-OPEN-01
    each: evidence as e
    require: now - e.dated_at <= duration('1h')
    otherwise: deny
    message: {en: x, zh: y}
"""


class Hostile:
    """Raises wherever it is looked at."""

    def __str__(self) -> str:
        raise ZeroDivisionError

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        raise ZeroDivisionError

    def __hash__(self) -> int:
        raise ZeroDivisionError


class HostileZone(tzinfo):
    """A zone that raises, or one of forty hours."""

    def __init__(self, hours: int | None) -> None:
        self.hours = hours

    def utcoffset(self, when: datetime | None) -> timedelta:
        if self.hours is None:
            raise ZeroDivisionError
        return timedelta(hours=self.hours)

    def dst(self, when: datetime | None) -> None:
        return None

    def tzname(self, when: datetime | None) -> str:
        return "hostile"


class HostileMap(dict[str, str]):
    """A mapping whose items raise."""

    def items(self) -> Any:
        raise ValueError("no items")

    def __iter__(self) -> Iterator[str]:
        raise ValueError("no keys")


HOSTILE: list[Any] = [
    0, True, "", "as_of", b"x", ["x"], [1], {"a": 1}, {1: 2}, {"x"}, object(), Hostile(), HostileMap(a="b"), 10**5000,
    float("nan"), "\ud800", NOW.replace(tzinfo=None), NOW.replace(tzinfo=HostileZone(None)),
    NOW.replace(tzinfo=HostileZone(40)), [Hostile()], {"evidence": Hostile()},
]  # fmt: skip


@pytest.fixture(scope="module")
def rules() -> RuleSet:
    return compile_rules({"contracts/trial.yaml": CONTRACT})


@pytest.mark.parametrize("index", range(len(HOSTILE)))
@pytest.mark.parametrize("place", ["rules", "gate", "facts", "now", "as_of", "pins", "can"])
@pytest.mark.parametrize("ready", [False, True])
def test_no_argument_makes_a_gate_raise_or_allow(rules: RuleSet, ready: bool, place: str, index: int) -> None:
    """An undated item is denied; with any argument replaced the gate still denies, and the decision can be written."""
    undated = {"evidence": [{"id": "a"}]}
    evaluate(rules, "evidence", rules.facts("evidence", undated), NOW)
    given: dict[str, Any] = {"rules": rules, "gate": "evidence", "facts": undated, "now": NOW}
    if ready:
        given["facts"] = rules.facts("evidence", undated)
    given[place] = HOSTILE[index]
    decision = evaluate(**given)
    assert decision.outcome == "deny"
    assert decision.violations
    assert canonical_json(decision.to_json())


def test_threads_that_share_rules_decide_alike() -> None:
    """Eight threads that ask one fresh rule set at once write the same bytes."""
    fresh = compile_rules({"contracts/trial.yaml": CONTRACT})
    facts = {"evidence": [{"id": "a", "dated_at": "2026-04-15T07:30:00Z"}, {"id": "b"}]}

    def asked(_: int) -> object:
        return canonical_json(evaluate(fresh, "evidence", facts, NOW).to_json())

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(asked, range(200)))) == 1


def test_an_int_of_very_many_digits_is_a_fault_of_its_file() -> None:
    """Python refuses to read it; the author is told where it stands."""
    text = CONTRACT.replace("rules:", f"params:\n  huge: {'9' * 5000}\nrules:")
    with pytest.raises(RuleFileError) as raised:
        compile_rules({"contracts/trial.yaml": text})
    assert raised.value.diagnostics[0].span.start > 0


def test_facts_that_are_no_text_are_faulty(rules: RuleSet) -> None:
    """A number is not taken for so many zero bytes."""
    huge: Any = 10**12
    facts = rules.facts_from_json("evidence", huge)
    assert evaluate(rules, "evidence", facts, NOW).outcome == "deny"
    assert str(facts.fault) == "not JSON: text or bytes are expected, not int"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"汉汉": x}', (1, 8)),
        ('{"a": "\U0001f321"}\n\n ,', (3, 2)),
        ('{"question": {"text": "汉\n"}}', (2, 1)),
        ("", (1, 1)),
        ('{"evidence": [], "evidence": []}', (1, 29)),
    ],
)
def test_where_facts_are_no_json_is_counted_in_characters(rules: RuleSet, text: str, place: tuple[int, int]) -> None:
    """Lines and columns from 1, as editors count them; readers of JSON count bytes."""
    fault = rules.facts_from_json("evidence", text).fault
    assert fault is not None
    assert (fault.values["line"], fault.values["column"]) == place
    assert f"line {place[0]}, column {place[1]}" in str(fault)
    assert f"第 {place[0]} 行第 {place[1]} 列" in fault.text("zh")


class Raising(dict[str, str]):
    """A mapping that raises what it was told."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(a="b")
        self.error = error

    def items(self) -> Any:
        raise self.error

    keys = __iter__ = items


@pytest.mark.parametrize("place", ["facts", "pins"])
def test_only_what_is_no_exception_passes(rules: RuleSet, place: str) -> None:
    """Whoever interrupts the process is not held up by a gate."""
    given: dict[str, Any] = {"facts": {}, "pins": None}
    for error in (KeyboardInterrupt(), SystemExit(1), GeneratorExit()):
        with pytest.raises(type(error)):
            evaluate(rules, "evidence", now=NOW, **given | {place: Raising(error)})
    for fault in (MemoryError(), RecursionError(), StopIteration()):
        assert evaluate(rules, "evidence", now=NOW, **given | {place: Raising(fault)}).outcome == "deny"


def test_no_class_of_a_caller_is_named(rules: RuleSet) -> None:
    """Its name may say what nobody should read; the nearest class of Python is named."""
    secret: Any = type("SECRET-key", (Exception,), {})
    lookup: Any = type("SECRET-key", (KeyError,), {})
    thing: Any = type("SECRET-key", (), {})
    asked: list[dict[str, Any]] = [
        {"pins": Raising(secret())}, {"pins": Raising(lookup())}, {"facts": Raising(secret())}, {"facts": thing()},
        {"gate": thing()}, {"facts": {"evidence": [{"id": "a", "raw_metadata": thing()}]}}, {"facts": {"evidence": thing()}},
    ]  # fmt: skip
    said = []
    for given in asked:
        decision = evaluate(**{"rules": rules, "gate": "evidence", "facts": {}, "now": NOW} | given)
        assert decision.outcome == "deny"
        assert "SECRET" not in str(decision.to_json())
        said.append(decision.violations[0].message["en"])
    assert ["(Exception)" in said[0], "(KeyError)" in said[1], "object" in said[3]] == [True] * 3
    assert "SECRET" not in str(rules.facts_from_json("evidence", thing()).fault)


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:00-14:00"])
def test_a_time_that_has_no_year_in_utc_has_one_reason(rules: RuleSet, at: str) -> None:
    """As a mapping and as JSON."""
    facts = {"evidence": [{"id": "a", "dated_at": at}]}
    for found in (rules.facts("evidence", facts), rules.facts_from_json("evidence", json.dumps(facts))):
        assert str(found.fault) == "a time outside the years 1 to 9999"
