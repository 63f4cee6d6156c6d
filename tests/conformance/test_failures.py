"""The failure table holds: each fault alone and each pair of faults, with the shipped rules and a real store."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.conformance.failures import hurried
from tests.conformance.failures.parts import (
    CONTEXT,
    DRAFTERS,
    FETCHES,
    INTERNAL,
    PLANNERS,
    QUESTION,
    FailingSource,
    failing_parts,
    failing_store,
    faulty_rules,
)
from tests.conformance.failures.table import Row, cases, expected, rows

from groundrule import RuleFileError
from groundrule.facts.reply import Reply
from groundrule.gateway.parts import Parts
from groundrule.gateway.pipeline import ask
from groundrule.gateway.ports import StoreUnavailable
from groundrule_adapters.store.sqlite import SqliteStore

LONG = 3_600.0
"""Seconds after which a run that should have ended is taken for one that hangs."""


def ran(given: Parts) -> Reply:
    """The reply, once nothing of the run is left running."""

    async def run() -> Reply:
        async with asyncio.timeout(LONG):
            reply = await ask(QUESTION, CONTEXT, given)
        for source in given.sources.values():
            assert isinstance(source, FailingSource)
            assert source.running == 0
        assert len(asyncio.all_tasks()) == 1
        return reply

    return hurried.ran(run())


def receipts(store: SqliteStore) -> list[str]:
    """Ids of the runs that were kept; none if the store cannot be read."""
    try:
        return [run.execution_id for run in asyncio.run(store.list_runs())]
    except StoreUnavailable:
        return []


@pytest.mark.parametrize("faults", cases(), ids=lambda faults: " + ".join(map(str, faults)))
def test_what_fails_leads_to_what_the_table_says(tmp_path: Path, faults: tuple[Row, ...]) -> None:
    """The reply is the stated one, no internal text appears, nothing is left running, and the receipt is kept or
    nothing is answered."""
    outcome, kind = expected(faults)
    if outcome == "no start":
        with pytest.raises(RuleFileError):
            faulty_rules(tmp_path, faults)
        return
    rules = faulty_rules(tmp_path, faults)
    with failing_store(tmp_path, faults) as store:
        reply = ran(failing_parts(rules, store, faults, "run-1"))
        kept = receipts(store)
    assert (reply.status, reply.kind or "") == (outcome, kind), reply.text
    assert INTERNAL not in (reply.text or "") + (reply.markdown or "")
    assert "feishu" not in (reply.text or "").lower()
    assert kept == ([] if any(row.part == "store" for row in faults) else ["run-1"])
    if outcome == "answered":
        assert reply.sources
        assert all(source.evidence != "memo" for source in reply.sources)


@pytest.mark.parametrize("row", [row for row in rows() if row.attempt], ids=str)
def test_an_attempt_is_recorded_with_the_stated_outcome(tmp_path: Path, row: Row) -> None:
    """The receipt says how a source ended, and that the next one was asked."""
    broken = next(other for other in rows() if str(other) == "mcp unavailable")
    faults = (row,) if row.part == "mcp" else (broken, row)
    store = SqliteStore(tmp_path / "state")
    ran(failing_parts(faulty_rules(tmp_path, faults), store, faults, "run-1"))
    run = asyncio.run(store.get_run("run-1"))
    assert run is not None
    adapter = "mcp:news" if row.part == "mcp" else "live"
    (attempt,) = [each for each in run["attempts"] if each["adapter"] == adapter]
    assert attempt["outcome"] == row.attempt
    assert [each["adapter"] for each in run["attempts"]] == ["mcp:news", "live"]


def test_every_row_has_its_fault_and_every_fault_its_row() -> None:
    """No row is passed over because nothing causes it."""
    caused = {*FETCHES, *PLANNERS, *DRAFTERS}
    named = {str(row) for row in rows()}
    assert caused == {name for name in named if name.split()[0] in ("mcp", "fallback", "planner", "model")}


@pytest.mark.parametrize("row", [row for row in rows() if row.fault == "late"], ids=str)
def test_a_cancelled_run_stops_what_it_started_and_answers_nothing(tmp_path: Path, row: Row) -> None:
    """Who asked has gone: the part that is at work is cancelled, whichever it is."""
    broken = next(other for other in rows() if str(other) == "mcp unavailable")
    faults = (row,) if row.part != "fallback" else (broken, row)
    given = failing_parts(faulty_rules(tmp_path, faults), SqliteStore(tmp_path / "state"), faults, "run-1")

    async def run() -> None:
        task = asyncio.create_task(ask(QUESTION, CONTEXT, given))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(run())
    assert all(isinstance(each, FailingSource) and each.running == 0 for each in given.sources.values())
