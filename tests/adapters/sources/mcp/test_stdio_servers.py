"""Sessions over stdio with a server of the SDK: kept open, replaced, told of deadlines, and listened to."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.adapters.sources.mcp.errands import FAULTY, HERE, errand, source_on

from groundrule.gateway.ports import Fetched
from groundrule_adapters.sources.mcp import McpSource

pytestmark = pytest.mark.anyio


def source(mapping: str = FAULTY) -> McpSource:
    """The source of a server of its own."""
    return source_on([sys.executable, str(HERE / "sdk_server.py"), "0", "stdio"], mapping)


@pytest.fixture(scope="module")
async def shared() -> AsyncIterator[McpSource]:
    """One server for all that it survives."""
    made = source()
    yield made
    await made.close()


def seen(fetched: Fetched) -> dict[str, Any]:
    """What the server has seen so far."""
    assert fetched.outcome == "evidence", fetched.reason
    (item,) = fetched.items
    found: dict[str, Any] = json.loads(item.snippet or "")
    return found


async def test_one_process_and_one_session_serve_many_requests(shared: McpSource) -> None:
    """One after the other and at once."""
    answers = [seen(await shared.fetch(errand("fine"))) for _ in range(20)]
    answers += [seen(one) for one in await asyncio.gather(*(shared.fetch(errand("fine")) for _ in range(10)))]
    assert len({answer["process"] for answer in answers}) == 1


async def test_a_process_that_dies_is_replaced_for_the_next_request() -> None:
    """Killed between requests it costs none; dying in one it costs that one."""
    made = source()
    try:
        first = seen(await made.fetch(errand("fine")))["process"]
        os.kill(first, signal.SIGKILL)
        await _noticed(first)
        second = seen(await made.fetch(errand("fine")))["process"]
        assert (await made.fetch(errand("crash"))).outcome == "failed"
        third = seen(await made.fetch(errand("fine")))["process"]
        assert len({first, second, third}) == 3
    finally:
        await made.close()


async def test_a_call_that_is_late_is_cancelled_at_the_server_and_the_process_goes_on(shared: McpSource) -> None:
    """The reason says how far it came by its own progress."""
    before = seen(await shared.fetch(errand("fine")))
    fetched = await shared.fetch(errand("slow", seconds=1))
    assert (fetched.outcome, fetched.items) == ("timeout", ())
    assert fetched.reason == "the tool `search` did not answer in time; it had done 2 of 5"
    assert await _cancelled(shared, before) == before["process"]


async def test_a_cancelled_run_is_cancelled_at_the_server(shared: McpSource) -> None:
    """Whoever asked has gone; the process serves the next one."""
    before = seen(await shared.fetch(errand("fine")))
    running = asyncio.create_task(shared.fetch(errand("slow")))
    await asyncio.sleep(0.3)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert await _cancelled(shared, before) == before["process"]


async def test_progress_is_no_answer(shared: McpSource) -> None:
    """Notices of progress come before the result and change nothing."""
    assert seen(await shared.fetch(errand("progress")))


async def test_changed_tools_are_listed_again() -> None:
    """A tool that the server adds and tells of is called by the next request, in the same process."""
    both = FAULTY.replace("tool: search", "tool: more")
    made, later = source(), source(both)
    try:
        process = seen(await made.fetch(errand("change")))["process"]
        async with asyncio.timeout(5):
            while "more" not in (await made.listed(asyncio.get_running_loop().time() + 5)):
                await asyncio.sleep(0.02)
        assert seen(await made.fetch(errand("fine")))["process"] == process
        assert "has no tool `more`" in ((await later.fetch(errand("q"))).reason or "")
    finally:
        await made.close()
        await later.close()


async def _noticed(process: int) -> None:
    """Waits until the end of the process was seen from here."""
    async with asyncio.timeout(10):
        with contextlib.suppress(ProcessLookupError):
            while True:
                os.kill(process, 0)
                await asyncio.sleep(0.02)
    await asyncio.sleep(0.2)  # its output ends with it


async def _cancelled(shared: McpSource, before: dict[str, Any]) -> int:
    """The process, once it has been told of one more cancellation."""
    async with asyncio.timeout(10):
        while (after := seen(await shared.fetch(errand("fine"))))["cancelled"] == before["cancelled"]:
            await asyncio.sleep(0.02)
    process: int = after["process"]
    return process
