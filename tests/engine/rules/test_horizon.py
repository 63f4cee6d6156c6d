"""`valid_until`: exact against brute force, and `now` itself where nothing can be promised."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.engine.rules.programs import NOW, contract, facts, program, rule, shown, waiver

from groundrule.facts.record import Record
from groundrule.rules.horizon import Asked, first_change, valid_until
from groundrule.rules.interpret import findings
from groundrule.rules.motion import Motion, ProgramMotion
from groundrule.rules.program import Program

SPAN = 60
"""Microseconds within which programs change."""
TICK = timedelta(microseconds=1)


@pytest.fixture(autouse=True)
def _three_items_are_cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random contracts loop more often than the budget for 1,000 items allows."""
    monkeypatch.setattr("groundrule.rules.cost.BUDGET", 10**12)


def until(asked: Program, record: Record, now: datetime = NOW) -> datetime | None:
    return valid_until(record, now, frozenset(), (), lambda at: (asked, findings(asked, record, at)))


def state(asked: Program, record: Record, at: datetime) -> Any:
    """What the promise is about, read off the findings in another way than horizon.py does."""
    found = findings(asked, record, at)
    return sorted(shown(asked, found.violations)), found.admitted, found.choices, found.obligations


def items(*offsets: int | None) -> list[dict[str, Any]]:
    """Evidence dated so many microseconds after NOW."""
    return [
        {"id": str(at), "dated_at": None if offset is None else NOW + offset * TICK}
        for at, offset in enumerate(offsets)
    ]


def expression(rng: random.Random, item: str, depth: int = 2) -> str:
    """A condition over an item, with `now` only in comparisons of sums of times and durations."""
    if depth and rng.random() < 0.6:
        parts = [expression(rng, item, depth - 1) for _ in range(rng.choice([2, 2, 3]))]
        form = rng.choice(["and", "or", "not", "cond", "loop", "bind"])
        match form:
            case "and" | "or":
                return "(" + f" {'&&' if form == 'and' else '||'} ".join(parts) + ")"
            case "not":
                return f"!({parts[0]})"
            case "cond":
                return f"(({parts[0]}) ? ({parts[1]}) : ({parts[-1]}))"
            case "loop":
                inner = expression(rng, "x", 0)
                macro = rng.choice(["evidence.all(x, {})", "evidence.exists(x, {})", "evidence.exists_one(x, {})"])
                macro = rng.choice([macro, "evidence.filter(x, {}).size() > 1"])
                return macro.format(inner)
            case "bind":
                span = rng.choice([f"now - {item}.dated_at", "now - evidence[0].dated_at"])
                return f"cel.bind(d, {span}, {comparison(rng, 'd')})"
    return atom(rng, item)


def comparison(rng: random.Random, left: str) -> str:
    return f"{left} {rng.choice(['<', '<=', '>', '>=', '==', '!='])} duration('{rng.randint(-20, 40)}us')"


def atom(rng: random.Random, item: str) -> str:
    shift = f"duration('{rng.randint(-9, 30)}us')"
    sign = rng.choice(["<", "<=", ">", ">=", "==", "!="])
    return rng.choice(
        [
            comparison(rng, f"now - {item}.dated_at"),
            comparison(rng, f"{item}.dated_at - now"),
            comparison(rng, f"(now - {item}.dated_at) + (now - evidence[0].dated_at)"),
            f"now {sign} {item}.dated_at + {shift}",
            f"{item}.dated_at {sign} now - {shift}",
            f"(has({item}.dated_at) ? now : {item}.retrieved_at) - {shift} {sign} {item}.dated_at",
            f"[now, {item}.dated_at][0] {sign} {item}.dated_at + {shift}",
            f"evidence.map(y, now - y.dated_at).all(z, z {sign} {shift})",
            "early" if item == "e" else "true",
            "chosen.mode == 'new'",
            f"has({item}.dated_at)",
        ]
    )


def trial(rng: random.Random) -> str:
    """A contract of the evidence gate with lets, choices and rules that move."""
    lets = f"let:\n  age: now - e.dated_at\n  early: >-\n    {comparison(rng, 'age')}\n"
    mode = atom(rng, "evidence[0]").replace("chosen.mode == 'new'", "true")
    choices = "choices:\n  - id: A-C-01\n    choose: mode\n    from:\n      - when: >-\n          "
    choices += f"{mode}\n        value: \"'new'\"\n    otherwise: \"'old'\"\n"
    choices += "  - id: A-C-02\n    each: evidence as e\n    choose: authority\n    from:\n      - when: >-\n"
    choices += f"          {expression(rng, 'e', 1)}\n        value: 1.0\n    otherwise: 0.0\n"
    choices = choices.replace("chosen.mode == 'new'", "false") if rng.random() < 0.5 else choices
    when = expression(rng, "e", 1) if rng.random() < 0.5 else None
    rules = "rules:\n" + rule("A-B-01", expression(rng, "e"), "reject", each="evidence as e", when=when)
    rules += rule("A-B-02", expression(rng, "e"), "deny", kind="forbid", each="evidence as e")
    whole = expression(rng, "evidence[0]").replace("early", "true")
    rules += rule("A-B-03", f"admitted.size() > 0 && ({whole})", "fallback")
    rules += rule("A-B-04", expression(rng, "e"), "warn", each="evidence as e")
    return contract("evidence", lets + choices + rules)


def waivers(rng: random.Random) -> str:
    """A waiver of A-B-02 under a condition that moves."""
    return rng.choice(["", waiver("A-B-02", expression(rng, "e", 1))])


@pytest.mark.parametrize("seed", range(250))
def test_it_is_the_first_instant_at_which_the_decision_differs(seed: int) -> None:
    """Random contracts, item dates within microseconds: brute force over every microsecond agrees."""
    rng = random.Random(seed)
    asked = program(trial(rng), waivers=waivers(rng))
    assert ProgramMotion(asked).whole is not Motion.LOOSE
    offsets = [rng.choice([None, *range(-20, 20)]) if rng.random() < 0.3 else rng.randint(-20, 20) for _ in range(3)]
    record = facts("evidence", evidence=items(*offsets))
    first, found = state(asked, record, NOW), until(asked, record)
    if found is not None and found > NOW + 100 * TICK:
        # Twice 5,000 years is more than the longest duration, so a sum of two ages becomes undecided then.
        assert state(asked, record, found) != first == state(asked, record, found - TICK)
        found = None
    instants = (NOW + k * TICK for k in range(1, 101))
    assert found == next((at for at in instants if state(asked, record, at) != first), None)


@pytest.mark.parametrize("seed", range(60))
def test_programs_that_change_count_too(seed: int) -> None:
    """Effective dates, dated values and waivers change the program in force at known instants."""
    rng = random.Random(1_000 + seed)
    starts = sorted(rng.sample(range(1, SPAN), 2))
    programs = [program(trial(rng)) for _ in range(3)]
    if rng.random() < 0.5:
        programs[1] = replace(programs[0])
    record = facts("evidence", evidence=items(*(rng.randint(-20, 20) for _ in range(2))))

    def in_force(at: datetime) -> Program:
        return programs[sum(at >= NOW + start * TICK for start in starts)]

    def ask(at: datetime) -> Asked:
        return in_force(at), findings(in_force(at), record, at)

    instants = [NOW + start * TICK for start in starts]
    first = state(programs[0], record, NOW)
    found = valid_until(record, NOW, frozenset(), instants, ask)
    if found is not None and found > NOW + 2 * SPAN * TICK:
        found = None
    later = (NOW + k * TICK for k in range(1, 2 * SPAN + 1))
    assert found == next((at for at in later if state(in_force(at), record, at) != first), None)


@pytest.mark.parametrize(
    ("condition", "promise"),
    [
        ("string(now) != ''", False),
        ("now.getHours() < 24", False),
        ("(now - e.dated_at).getSeconds() < 100", False),
        ("start_of_day(now, 'UTC') <= now", False),
        ("max([now - e.dated_at]) < duration('1d')", False),
        ("(now - e.dated_at) in [duration('1d')]", False),
        ("[now] == [e.dated_at]", False),
        ("size([now, now]) == 2", False),
        ("true || now.getHours() < 24", False),
        ("loose < 24", False),
        ("unused == 0", True),
        ("[now - e.dated_at].all(d, d < duration('1d'))", True),
        ("evidence.filter(x, now - x.dated_at < duration('1h')).size() > 0", True),
    ],
)
def test_now_in_anything_but_comparisons_of_sums_promises_nothing(condition: str, promise: bool) -> None:
    """Section 6: exact where `now` enters comparisons only through + and -, otherwise `now` itself."""
    body = "let:\n  loose: now.getHours()\n  unused: 0\n"
    body += "rules:\n" + rule("A-B-01", condition, "reject", each="evidence as e")
    found = until(program(contract("evidence", body)), facts("evidence", evidence=items(0)))
    assert (found == NOW) is not promise
    assert found is None or found == NOW or found > NOW


def test_warnings_and_messages_promise_nothing() -> None:
    """They are not among the fields that valid_until speaks of."""
    body = "rules:\n" + rule("A-B-01", "now.getHours() < 24", "warn")
    body += rule("A-B-02", "now < timestamp('2026-04-16T00:00:00Z')", "warn")
    body += rule("A-B-03", "evidence.size() == 1").replace("Not met.", '"{now}"').replace("不满足。", '"{now}"')
    assert until(program(contract("evidence", body)), facts("evidence", evidence=items(0))) is None


def test_obligations_and_choices_that_carry_the_time_promise_nothing() -> None:
    """A value that moves with the clock differs at every instant, so nothing is promised."""
    oblige = rule("A-B-01", "false", "oblige", more="    oblige:\n      as_of: now\n")
    assert until(program(contract("answer", "rules:\n" + oblige)), facts("answer")) == NOW
    choice = "choices:\n  - id: A-C-01\n    choose: at\n    from: []\n    otherwise: now\n"
    assert until(program(contract("answer", choice)), facts("answer")) == NOW


def test_the_last_instant_that_meets_a_limit_is_part_of_it() -> None:
    """`<=` holds at the limit and fails a microsecond later; three hours are three hours."""
    body = "rules:\n" + rule("A-B-01", "now - e.dated_at <= params.limit", "reject", each="evidence as e")
    asked = program(contract("evidence", body, params={"limit": "3h"}))
    record = facts("evidence", evidence=items(0))
    assert until(asked, record) == NOW + timedelta(hours=3) + TICK
    assert until(asked, record, NOW + timedelta(hours=3) + TICK) is None


def test_values_that_leave_the_range_of_times_change_the_decision() -> None:
    """A sum becomes undecided when it passes the year 9999, and a difference decided when it reaches the year 1."""
    body = "rules:\n" + rule("A-B-01", "now + params.far > now", "deny")
    asked = program(contract("evidence", body, params={"far": "2912000d"}))
    found = until(asked, facts("evidence"))
    assert found == datetime.max.replace(tzinfo=UTC) - timedelta(days=2_912_000) + TICK
    body = "rules:\n" + rule("A-B-01", "now - params.far < now", "deny")
    asked = program(contract("evidence", body, params={"far": "766644d"}))
    assert until(asked, facts("evidence")) == datetime.min.replace(tzinfo=UTC) + timedelta(days=766_644)
    assert until(asked, facts("evidence"), datetime.max.replace(tzinfo=UTC)) is None


def test_a_gate_that_loses_its_last_contract_denies_from_then_on() -> None:
    """That no contract covers the gate is a change, although nothing is violated before or after."""
    asked = program(contract("evidence", "rules:\n" + rule("A-B-01", "true")))
    empty = replace(asked, scopes=(), entries=())
    record, end = facts("evidence"), NOW + timedelta(days=1)

    def ask(at: datetime) -> Asked:
        in_force = asked if at < end else empty
        return in_force, findings(in_force, record, at)

    assert valid_until(record, NOW, frozenset(), [end], ask) == end


def test_a_search_that_grows_too_long_ends_with_a_lower_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every flip is looked at, up to a bound; until the instant that is handed back nothing changes."""
    monkeypatch.setattr("groundrule.rules.horizon.MAX_STEPS", 5)
    body = "rules:\n" + rule("A-B-01", "evidence.filter(x, x.dated_at < now).size() < 100", "deny")
    record = facts("evidence", evidence=items(*range(200)))
    found = until(program(contract("evidence", body)), record)
    assert found == NOW + 5 * TICK
    monkeypatch.setattr("groundrule.rules.horizon.MAX_STEPS", 1_000)
    assert until(program(contract("evidence", body)), record) == NOW + 100 * TICK
    monkeypatch.setattr("groundrule.rules.horizon.MAX_WORK", 0)
    assert until(program(contract("evidence", body)), record) == NOW


@pytest.mark.parametrize("slope", range(-3, 4))
@pytest.mark.parametrize(("low", "high"), [(None, 0), (0, None), (0, 0), (-2, 5), (1, 1), (None, None)])
def test_first_change_is_the_first_whole_microsecond(slope: int, low: int | None, high: int | None) -> None:
    """Against counting."""

    def within(value: int) -> bool:
        return (low is None or low <= value) and (high is None or value <= high)

    for value in range(-12, 13):
        counted = next((k for k in range(1, 40) if within(value + k * slope) is not within(value)), None)
        assert first_change(value, slope, low, high) == counted
