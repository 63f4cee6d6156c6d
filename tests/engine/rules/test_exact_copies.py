"""What a class says of its values is not believed: facts and times are exact copies of what the values are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import pytest

from groundrule import RuleSet, compile_rules, evaluate
from groundrule.canonical import canonical_json
from groundrule.facts.record import freeze
from groundrule.rules.facts import from_mapping

NOW = datetime(2026, 4, 15, 8, 0, tzinfo=UTC)
FRESH, OLD = NOW - timedelta(minutes=5), datetime(2020, 1, 1, tzinfo=UTC)
CONTRACT = """\
contract: trial
version: 1.0.0
gate: evidence
rules:
  - id: TRIAL-FRESH-01
    each: evidence as e
    require: now - e.dated_at <= duration('1h') && e.dated_resolution <= duration('1h') && e.dated_origin != 'none'
    otherwise: deny
    message: {en: x, zh: y}
"""


@pytest.fixture(scope="module")
def rules() -> RuleSet:
    return compile_rules({"contracts/trial.yaml": CONTRACT})


class _Yes:
    """Every comparison holds."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash("structured")

    def __lt__(self, other: object) -> bool:
        return True

    __le__ = __gt__ = __ge__ = __lt__


class LyingTime(_Yes, datetime):
    """A time that is now, whatever it is compared with or counted from."""

    @property
    def tzinfo(self) -> tzinfo:  # type: ignore[override]
        return UTC

    @property
    def year(self) -> int:  # type: ignore[override]
        return 2026

    def utcoffset(self) -> timedelta:
        return timedelta(0)

    def astimezone(self, tz: tzinfo | None = None) -> Any:
        return self

    def date(self) -> Any:
        return NOW.date()

    def timetz(self) -> Any:
        return NOW.timetz()

    def replace(self, **changes: Any) -> Any:
        return self

    def __sub__(self, other: object) -> Any:
        return timedelta(0)

    __rsub__ = __sub__


class LyingSpan(_Yes, timedelta):
    """A width that is smaller than every other."""

    def __abs__(self) -> Any:
        return timedelta(0)

    def __pos__(self) -> Any:
        return timedelta(0)

    @property
    def days(self) -> int:  # type: ignore[override]
        return 0


class LyingText(_Yes, str):
    """A text that equals every other, and is written as one."""

    def __str__(self) -> str:
        return "structured"

    def __len__(self) -> int:
        return 0


class LyingInt(_Yes, int):
    """An int that is small wherever it is asked."""

    def __abs__(self) -> int:
        return 0

    def __int__(self) -> int:
        return 1

    __index__ = __int__


class LyingFloat(_Yes, float):
    """A number that is a half wherever it is asked."""

    def __float__(self) -> float:
        return 0.5


class LyingList(list[Any]):
    """A list that shows other elements than it has."""

    def __iter__(self) -> Iterator[Any]:
        return iter(["lie"])

    def __len__(self) -> int:
        return 1


class LyingTuple(tuple[Any, ...]):
    """The same as a tuple."""

    def __iter__(self) -> Iterator[Any]:
        return iter(["lie"])

    def __len__(self) -> int:
        return 1


class Once(Mapping[str, Any]):
    """A mapping that shows its entries once, and afterwards others."""

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self.entries, self.looks = entries, 0

    def __getitem__(self, key: str) -> Any:
        return self.entries[key]

    def __iter__(self) -> Iterator[str]:
        self.looks += 1
        return iter(self.entries if self.looks == 1 else ())

    def __len__(self) -> int:
        return len(self.entries)


class TurningZone(tzinfo):
    """A zone with another offset each time it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def utcoffset(self, when: datetime | None) -> timedelta:
        self.asked += 1
        return LyingSpan(hours=self.asked)

    def dst(self, when: datetime | None) -> None:
        return None

    def tzname(self, when: datetime | None) -> str:
        return "turning"


def lying(at: datetime) -> LyingTime:
    """The instant as a time that lies."""
    return LyingTime(at.year, at.month, at.day, at.hour, at.minute, tzinfo=at.tzinfo)


def page(**more: Any) -> dict[str, Any]:
    """Facts of one page that the rule allows."""
    item = {"id": "a", "dated_at": FRESH, "dated_resolution": timedelta(seconds=1), "dated_origin": "structured"}
    return {"evidence": [item | more]}


@pytest.mark.parametrize(
    "more",
    [
        {"dated_at": lying(OLD)},
        {"dated_resolution": LyingSpan(days=300)},
        {"dated_origin": LyingText("none")},
        {"dated_origin": LyingText("nonsense")},
        {"dated_at": LyingText("2020-01-01T00:00:00Z")},
        {"dated_resolution": LyingText("86400s")},
        {"authority_score": LyingFloat(7.0)},
        {"authority_score": LyingInt(7)},
        {"raw_metadata": LyingInt(2**60)},
        {"raw_metadata": LyingFloat("nan")},
    ],
)
def test_a_class_that_lies_is_denied_as_its_plain_value(rules: RuleSet, more: dict[str, Any]) -> None:
    """The page is allowed without it."""
    assert evaluate(rules, "evidence", page(), NOW).outcome == "allow"
    assert evaluate(rules, "evidence", page(**more), NOW).outcome == "deny"
    assert evaluate(rules, "evidence", rules.facts("evidence", page(**more)), NOW).outcome == "deny"


TIMED = datetime(2026, 4, 15, 7, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("field", "given", "wanted"),
    [
        ("dated_at", lying(TIMED), TIMED),
        ("dated_at", TIMED.replace(tzinfo=TurningZone()), TIMED - timedelta(hours=1)),
        ("dated_at", LyingText("2026-04-15T07:30:00Z"), TIMED),
        ("dated_resolution", LyingSpan(hours=5), timedelta(hours=5)),
        ("dated_resolution", LyingText("5s"), timedelta(seconds=5)),
        ("snippet", LyingText("words"), "words"),
        ("dated_origin", LyingText("header"), "header"),
        ("authority_score", LyingFloat(0.25), 0.25),
        ("authority_score", LyingInt(1), 1.0),
        ("authority_score", Decimal("0.25"), 0.25),
        ("generated", True, True),
        ("grounded_fields", LyingList(["a", LyingText("b")]), ("a", "b")),
        ("grounded_fields", LyingTuple(["a", LyingText("b")]), ("a", "b")),
    ],
)
def test_a_field_is_an_exact_copy(field: str, given: Any, wanted: Any) -> None:
    """Of the very class that the rules compute with."""
    facts = from_mapping("evidence", page(**{field: given}))
    assert facts.fault is None
    assert facts.values is not None
    found = facts.values["evidence"][0][field]
    assert type(found) is type(wanted)
    assert found == wanted
    if isinstance(found, tuple):
        assert {type(element) for element in found} == {str}


@pytest.mark.parametrize(
    "more", [{"snippet": b"x"}, {"snippet": bytearray(b"x")}, {"generated": LyingInt(1)}, {"generated": LyingText("true")},
             {"grounded_fields": {"a"}}, {"raw_metadata": b"x"}, {"raw_metadata": Decimal(1)}, {"raw_metadata": {"a"}}],
)  # fmt: skip
def test_what_is_no_such_value_is_faulty(more: dict[str, Any]) -> None:
    """Bytes are no text, ints no bools, sets no lists."""
    assert from_mapping("evidence", page(**more)).fault is not None


def exact(value: Any) -> Any:
    """Asserts that everything in a frozen value is of a plain class; the value as lists and dicts."""
    assert type(value) in (type(None), bool, int, float, str, datetime, timedelta, tuple, MappingProxyType)
    if isinstance(value, tuple):
        return [exact(inner) for inner in value]
    if isinstance(value, Mapping):
        return {exact(key): exact(inner) for key, inner in value.items()}
    return value


def test_free_form_json_is_an_exact_copy() -> None:
    """At every depth, keys too; a mapping is read once."""
    given = {
        LyingText("a"): LyingList([LyingInt(3), LyingFloat(2.5), True, None]),
        "b": Once({LyingText("k"): LyingText("v")}),
        "c": LyingTuple([lying(OLD), LyingSpan(days=3), TIMED.replace(tzinfo=TurningZone())]),
    }
    assert exact(freeze(given)) == {
        "a": [3, 2.5, True, None],
        "b": {"k": "v"},
        "c": [OLD, timedelta(days=3), TIMED - timedelta(hours=1)],
    }
    facts = from_mapping("route", {"context": {"attributes": Once({LyingText("k"): LyingText("v")})}})
    assert facts.values is not None
    assert exact(MappingProxyType(facts.values["context"]["attributes"])) == {"k": "v"}


@pytest.mark.parametrize("given", [{1: "a"}, {b"k": "a"}, {"k": "a", LyingText("k"): "b"}])
def test_keys_are_text_and_stand_once(given: dict[Any, str]) -> None:
    """As in JSON; two keys that only a class tells apart are one."""
    with pytest.raises(ValueError, match="key"):
        freeze(given)
    assert from_mapping("route", {"context": {"attributes": given}}).fault is not None


def test_facts_are_read_once(rules: RuleSet) -> None:
    """A mapping that changes afterwards changes nothing."""
    assert evaluate(rules, "evidence", Once(page(dated_at=OLD)), NOW).outcome == "deny"


@pytest.mark.parametrize("ready", [False, True])
def test_a_clock_that_lies_is_read_as_what_it_is(rules: RuleSet, ready: bool) -> None:
    """The decision is that of the plain time, and can be written."""
    given: Any = rules.facts("evidence", page()) if ready else page()
    for at in (NOW, NOW + timedelta(days=1)):
        plain = evaluate(rules, "evidence", given, at, as_of=at)
        decision = evaluate(rules, "evidence", given, lying(at), as_of=lying(at))
        assert type(decision.now) is type(decision.as_of) is datetime
        assert canonical_json(decision.to_json()) == canonical_json(plain.to_json())
        assert evaluate(rules, "evidence", given, lying(at)).outcome == plain.outcome


def test_names_that_lie_are_read_as_what_they_are(rules: RuleSet) -> None:
    """Gate, pins and obligations."""
    gate: Any = LyingText("evidence")
    assert evaluate(rules, gate, page(), NOW).outcome == "allow"
    assert type(evaluate(rules, gate, page(), NOW).gate) is str
    assert evaluate(rules, LyingText("nowhere"), page(), NOW).violations[0].rule == "ENGINE-GATE"
    pinned = evaluate(rules, "evidence", page(), NOW, pins={LyingText("trial"): LyingText("9.9.9")})
    assert pinned.violations[0].rule == "ENGINE-PIN"
    assert evaluate(rules, "evidence", page(), NOW, pins=Once({"trial": "9.9.9"})).violations[0].rule == "ENGINE-PIN"
