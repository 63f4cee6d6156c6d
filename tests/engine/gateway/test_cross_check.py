"""A second engine judges each decision: what it does not confirm is denied, or only noted, as the operator says."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from tests.engine.gateway.small_parts import (
    NOW,
    READ,
    SmallDrafter,
    asked,
    gates,
    kept,
    page,
    parts,
    source,
)
from tests.engine.gateway.small_rules import rules

from groundrule import Decision, evaluate
from groundrule.canonical import canonical_json
from groundrule.gateway.parts import Limits

pytestmark = pytest.mark.anyio
GATES = ("route", "plan", "dispatch", "call", "evidence", "answer")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class SmallCrossCheck:
    """Disputes the decisions of some gates, or raises. seen: the gates that it was asked about."""

    enforced: bool
    gates: tuple[str, ...] = ()
    fault: Exception | None = None
    seen: list[str] = field(default_factory=list)

    async def dispute(self, decision: Decision) -> str | None:
        await asyncio.sleep(0)
        self.seen.append(decision.gate)
        if decision.gate not in self.gates:
            return None
        if self.fault is not None:
            raise self.fault
        return "the outcome is\nallow here and deny there"


async def test_every_decision_is_put_to_it_and_confirmed_ones_count() -> None:
    """Nothing changes where both agree, and nothing is noted."""
    check = SmallCrossCheck(enforced=True)
    given = parts(source("a", page("p1")), cross_check=check)
    assert (await asked(given)).status == "answered"
    assert check.seen == gates(given)
    assert set(check.seen) == set(GATES)
    assert kept(given)["notes"] == []


@pytest.mark.parametrize("fault", [None, RuntimeError("broken\nbadly"), TimeoutError()], ids=repr)
@pytest.mark.parametrize("gate", GATES)
async def test_what_is_not_confirmed_is_denied(gate: str, fault: Exception | None) -> None:
    """At whichever gate, and also if the second engine raises: no answer, and the receipt says why on one line."""
    given = parts(source("a", page("p1")), drafter=SmallDrafter(), cross_check=SmallCrossCheck(True, (gate,), fault))
    reply = await asked(given)
    assert reply.status == "refused"
    assert reply.sources is None
    assert gate not in ("route", "plan", "call") or not drafted(given)
    (note, *_) = [each for each in kept(given)["notes"] if each["step"] == "cross-check"]
    assert note["reason"].startswith(f"{gate}: ")
    assert "\n" not in note["reason"]
    assert "broken" not in (reply.text or "")


async def test_evidence_that_is_not_confirmed_reaches_no_drafter() -> None:
    """What one engine admits and the other does not is never shown to a model."""
    given = parts(source("a", page("p1")), cross_check=SmallCrossCheck(True, ("evidence",)))
    assert (await asked(given)).status == "refused"
    assert not drafted(given)


async def test_a_call_that_is_not_confirmed_is_not_made() -> None:
    """The source does not get its permission."""
    first = source("a", page("p1"))
    assert (await asked(parts(first, cross_check=SmallCrossCheck(True, ("call",))))).status == "refused"
    assert first.made == 0


async def test_what_takes_too_long_confirms_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second engine that never answers ends the run as one that disagrees."""

    class Endless(SmallCrossCheck):
        async def dispute(self, decision: Decision) -> str | None:
            await asyncio.sleep(60)
            return None

    monkeypatch.setattr("groundrule.gateway.trail.CHECK_TIMEOUT", timedelta(milliseconds=20))
    given = parts(source("a", page("p1")), cross_check=Endless(True))
    assert (await asked(given)).status == "refused"
    assert kept(given)["notes"][0]["reason"].startswith("route: not done within")


async def test_calls_that_are_made_at_once_are_counted_one_by_one() -> None:
    """However long the second engine takes, no more calls are permitted than the limit says, nor once the source is done."""
    first = source("a", page("p1"), calls=())
    permitted: list[bool] = []
    late: list[asyncio.Future[bool]] = []

    async def at_once() -> None:
        (errand,) = first.seen
        permitted.extend(await asyncio.gather(*(errand.permit(READ) for _ in range(5))))
        late.append(asyncio.ensure_future(errand.permit(READ)))

    first.act = at_once
    await asked(parts(first, cross_check=SmallCrossCheck(True), limits=Limits(max_calls=3)))
    assert permitted == [True] * 3 + [False] * 2
    assert [await task for task in late] == [False]


@pytest.mark.parametrize("fault", [None, RuntimeError("broken")], ids=repr)
async def test_in_shadow_a_dispute_is_only_noted(fault: Exception | None) -> None:
    """The reply is the same as without; the receipt has a note for each disputed decision."""
    given = parts(source("a", page("p1")), cross_check=SmallCrossCheck(False, GATES, fault))
    reply = await asked(given)
    alone = await asked(parts(source("a", page("p1"))))
    assert reply == alone
    assert [note["step"] for note in kept(given)["notes"]] == ["cross-check"] * len(gates(given))


async def test_the_receipt_of_a_disputed_decision_replays() -> None:
    """It keeps what our rules said; the dispute stands beside it."""
    given = parts(source("a", page("p1")), cross_check=SmallCrossCheck(True, ("route",)))
    await asked(given)
    (receipt,) = kept(given)["gates"]
    again = evaluate(rules(), "route", receipt["facts"], NOW)
    assert canonical_json(again.to_json()) == canonical_json(receipt["decision"])
    assert again.outcome == "allow"


def drafted(given: Any) -> bool:
    """Whether the drafter was given anything."""
    return bool(given.drafter.seen)
