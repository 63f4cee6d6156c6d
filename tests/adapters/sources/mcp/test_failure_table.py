"""The rows of the failure table about MCP, caused by a real server process, each with every fault of the fallback."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from tests.adapters.sources.mcp.errands import FAULTY, errand, faulty, source_on
from tests.conformance.failures.hurried import late, ran
from tests.conformance.failures.parts import CONTEXT, QUESTION, SHIPPED, failing_parts
from tests.conformance.failures.table import Row, expected, rows

from groundrule.facts import Call
from groundrule.gateway.pipeline import ask
from groundrule.gateway.ports import Errand, Fetched
from groundrule_adapters.sources.mcp import McpSource
from groundrule_adapters.store.sqlite import SqliteStore

QUERIES = {
    "late": "hang",
    "empty": "none",
    "internal only": "fine",
    "protocol error": "not json",
    "crash during a call": "crash",
}
"""What the faulty server is told, by the fault of the table that it causes."""
MCP = [row for row in rows() if row.part == "mcp" and (row.fault in QUERIES or row.fault == "unavailable")]
FALLBACK = [None, *(row for row in rows() if row.part == "fallback")]


def broken(fault: str) -> McpSource:
    """A source on a server that has this fault."""
    if fault == "unavailable":
        return source_on(["/nowhere/no-such-server"], FAULTY)
    mapping = FAULTY.replace('arguments: {query: "{query}"}', f'arguments: {{query: "{QUERIES[fault]}"}}')
    assert mapping != FAULTY
    return faulty(
        mapping=mapping.replace(
            "source_type: url", "source_type: feishu" if fault == "internal only" else "source_type: url"
        )
    )


@dataclass
class Late:
    """A source whose time passes as soon as its call has been made."""

    source: McpSource
    sample_data: bool = False

    @property
    def name(self) -> str:
        return self.source.name

    async def fetch(self, errand: Errand) -> Fetched:
        hurrying: list[asyncio.Task[None]] = []

        async def permit(call: Call) -> bool:
            allowed = await errand.permit(call)
            hurrying.append(asyncio.create_task(late()))
            return allowed

        try:
            return await self.source.fetch(replace(errand, permit=permit))
        finally:
            for task in hurrying:
                task.cancel()


def test_every_fault_that_a_server_can_cause_is_caused() -> None:
    """Only how old a page is, is no matter of the server."""
    assert {row.fault for row in rows() if row.part == "mcp"} - {row.fault for row in MCP} == {"stale only"}


@pytest.mark.parametrize("row", MCP, ids=str)
def test_a_server_that_fails_leads_to_what_the_table_says(tmp_path: Path, row: Row) -> None:
    """Alone the fallback answers; with the fallback broken too, the refusal is the stated one; nothing is left over."""

    async def run() -> None:
        source = broken(row.fault)
        try:
            if row.fault not in ("unavailable", "late", "crash during a call"):
                await source.fetch(errand("warm"))  # starting is not what is to be late
            for number, other in enumerate(FALLBACK):
                faults = (row,) if other is None else (row, other)
                store = SqliteStore(tmp_path / "state")
                asked = Late(source) if row.fault == "late" else source
                given = failing_parts(SHIPPED, store, faults, f"run-{number}", mcp=asked)
                async with asyncio.timeout(3_600):
                    reply = await ask(QUESTION, CONTEXT, given)
                assert (reply.status, reply.kind or "") == expected(faults), f"{faults}: {reply.text}"
                kept = await store.get_run(f"run-{number}")
                assert kept is not None
                assert kept["attempts"][0]["outcome"] in (row.attempt, "failed"), kept["attempts"][0]
                assert number > 0 or kept["attempts"][0]["outcome"] == row.attempt
                assert "All is well" not in (reply.text or "")
        finally:
            await source.close()
        assert len(asyncio.all_tasks()) == 1

    ran(run())
