"""A server that lies gets an outcome, over stdio and over HTTP: never an item that it forged, never an end of the run."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.sources.mcp.errands import FAULTY, HERE, errand, source_on
from tests.adapters.sources.mcp.lying_urls import URLS
from tests.adapters.sources.mcp.test_http_servers import serving, source_at
from tests.conformance.failures.parts import CONTEXT, QUESTION, SHIPPED, failing_parts
from tests.conformance.failures.table import rows

from groundrule.facts import Call
from groundrule.gateway.pipeline import ask
from groundrule.gateway.ports import Fetched
from groundrule_adapters.sources.mcp import McpSource
from groundrule_adapters.store.sqlite import SqliteStore

pytestmark = pytest.mark.anyio
SECRET = "sesame-open-1234"
BOTH = pytest.mark.parametrize("way", ["stdio", "http"])


@asynccontextmanager
async def lying(way: str, start: str = "well", mapping: str = FAULTY, **env: str) -> AsyncIterator[McpSource]:
    """The source of a lying server; it is ended with the block."""
    if way == "http":
        with serving(start, program="lying_server.py") as (port, _):
            async with source_at(port, mapping) as source:
                yield source
        return
    command = [sys.executable, str(HERE / "lying_server.py"), "0", start]
    source = source_on(command, mapping, env={"TOKEN": SECRET, **env})
    try:
        yield source
    finally:
        await source.close()


def texts(fetched: Fetched) -> list[str | None]:
    return [item.snippet for item in fetched.items]


@pytest.mark.parametrize(
    ("way", "lie"),
    [("stdio", "old id"), *((way, lie) for way in ("stdio", "http") for lie in ("twice", "nonsense progress", "requests"))],
)
async def test_what_nobody_asked_for_is_no_answer(way: str, lie: str) -> None:
    """Answers to calls that are over or were never made, a second answer, progress that is none: the one answer counts.

    Over HTTP an answer is that of the request on whose stream it comes, whichever id it bears.
    """
    async with lying(way) as source:
        for _ in range(2):
            fetched = await source.fetch(errand(lie, seconds=30))
            assert (fetched.outcome, texts(fetched)) == ("evidence", ["All is well."]), fetched.reason
        assert texts(await source.fetch(errand("fine"))) == ["All is well."]


@BOTH
@pytest.mark.parametrize(
    ("lie", "outcome", "reason"),
    [
        ("both", "failed", ""),
        ("disagree", "failed", "the text of the result says something else than its structured content"),
        ("flagged", "failed", "the tool reported an error"),
    ],
)
async def test_a_result_that_contradicts_itself_is_none(way: str, lie: str, outcome: str, reason: str) -> None:
    """An answer and an error at once, a text beside other structured content, records under the error flag."""
    async with lying(way) as source:
        fetched = await source.fetch(errand(lie, seconds=5))
        assert fetched.items == ()
        assert fetched.outcome == outcome or (way, lie, fetched.outcome) == ("http", "both", "timeout")
        assert reason in (fetched.reason or "")
        assert texts(await source.fetch(errand("fine"))) == ["All is well."]


@BOTH
@pytest.mark.parametrize(
    ("lie", "outcome", "reason"),
    [
        ("change gone", "failed", "the server has no tool `search`"),
        ("change writes", "refused", "not permitted"),
        ("change output", "failed", "$ breaks `required`"),
        ("change input", "refused", "the arguments do not fit the tool's schema"),
    ],
)
async def test_a_tool_that_changes_in_the_middle_is_what_it_is_now(
    way: str, lie: str, outcome: str, reason: str
) -> None:
    """It is gone, it writes, it gives or wants something else: the next call is judged by the new list."""

    async def only_reading(call: Call) -> bool:
        return call.read_only is True

    async with lying(way) as source:
        assert texts(await source.fetch(errand(lie, permit=only_reading))) == ["All is well."]
        fetched = await source.fetch(errand("fine", permit=only_reading))
    assert (fetched.outcome, fetched.items) == (outcome, ())
    assert reason in (fetched.reason or "")


@BOTH
async def test_a_list_of_tools_that_never_comes_to_rest_is_read_once_a_call(way: str) -> None:
    """Each reading says that it has changed again; each call reads it once and is answered."""
    async with lying(way) as source:
        for lie in ("change always", "fine", "fine"):
            assert texts(await source.fetch(errand(lie))) == ["All is well."]


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        ("remote", "cannot be evaluated"),
        ("doubling", "takes too long to evaluate"),
        ("recursive", "cannot be evaluated"),
        ("large", "has more than 2,000 values"),
    ],
)
async def test_a_hostile_schema_fails_the_call(start: str, reason: str) -> None:
    """Nothing is fetched to complete it, and no work without end is done for it."""
    with socket.create_server(("127.0.0.1", 0)) as elsewhere:
        elsewhere.setblocking(False)
        address = f"http://127.0.0.1:{elsewhere.getsockname()[1]}/schema.json"
        async with lying("stdio", start, REMOTE=address) as source:
            fetched = await source.fetch(errand("fine"))
        with pytest.raises(BlockingIOError):
            elsewhere.accept()
    assert (fetched.outcome, fetched.items) == ("failed", ())
    assert reason in (fetched.reason or "")


@BOTH
@pytest.mark.parametrize("lie", ["progress", "notices"])
async def test_a_flood_ends_with_the_server_or_with_its_answer(
    way: str, lie: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """Neither memory nor time is theirs, and nothing that they say reaches our output, logs or reasons."""
    with caplog.at_level(logging.DEBUG):
        async with lying(way) as source:
            fetched = await source.fetch(errand(lie, seconds=20))
            after = await source.fetch(errand("fine"))
    assert fetched.outcome in ("evidence", "failed", "timeout", "refused")
    assert fetched.outcome == "evidence" or fetched.items == ()
    assert texts(after) == ["All is well."]
    captured = capfd.readouterr()
    assert SECRET not in captured.out + captured.err + (fetched.reason or "")
    assert all(SECRET not in record.getMessage() for record in caplog.records if record.levelno >= logging.INFO)


async def test_a_stream_of_notices_without_end_costs_no_call() -> None:
    """The call is answered beside it, within its time."""
    async with lying("http", "flooding") as source:
        fetched = await source.fetch(errand("fine", seconds=30))
    assert fetched.outcome in ("evidence", "timeout"), fetched.reason


@BOTH
@pytest.mark.parametrize("lie", ["sampling", "elicitation", "roots", "unknown"])
async def test_a_server_that_asks_its_client_gets_an_error(way: str, lie: str) -> None:
    """No model writes for it, no person is asked, no folder is named; its own answer is taken afterwards."""
    async with lying(way) as source:
        (text,) = texts(await source.fetch(errand(lie, seconds=30)))
    reply = json.loads((text or "").removeprefix("they said "))
    assert (reply["id"], "result" in reply) == ("ours", False)
    assert reply["error"]["code"] in (-32601, -32600)
    assert not any(word in json.dumps(reply) for word in (SECRET, os.getcwd(), "passwd:"))


@BOTH
async def test_a_description_of_megabytes_is_no_matter(way: str) -> None:
    """Nobody reads it; what it orders reaches neither reason nor item."""
    async with lying(way, "wordy") as source:
        fetched = await source.fetch(errand("fine", seconds=30))
        other = FAULTY.replace("tool: search", "tool: other")
    assert texts(fetched) == ["All is well."]
    async with lying(way, "wordy", other) as source:
        reason = (await source.fetch(errand("fine", seconds=30))).reason or ""
    assert reason == "the server has no tool `other`; it has: “search”"


async def test_addresses_that_look_like_another_ground_nothing(tmp_path: Path) -> None:
    """Look-alikes, hidden marks, user information, encoded dots: no answer, though their texts would answer."""
    store = SqliteStore(tmp_path)
    async with lying("stdio", mapping=FAULTY.replace('arguments: {query: "{query}"}', "arguments: {query: urls}")) as source:
        broken: Any = next(row for row in rows() if str(row) == "fallback empty")
        reply = await ask(QUESTION, CONTEXT, failing_parts(SHIPPED, store, (broken,), "run-1", mcp=source))
    kept = await store.get_run("run-1")
    assert kept is not None
    judged = next(gate for gate in kept["gates"] if gate["gate"] == "evidence")
    assert 0 < len(judged["facts"]["evidence"]) <= len(URLS)
    assert [gate["decision"]["admitted"] for gate in kept["gates"] if gate["gate"] == "evidence"] == [[], []]
    assert reply.status == "refused"
    assert "22～28" not in (reply.text or "")


@pytest.mark.parametrize("lie", ["never", "both", "progress", "requests"])
async def test_a_lying_server_is_ended_with_its_children(lie: str) -> None:
    """Whatever it did last."""
    async with lying("stdio") as source:
        (text,) = texts(await source.fetch(errand("children")))
        pids = [int(pid) for pid in (text or "").split()]
        await source.fetch(errand(lie, seconds=1))
    async with asyncio.timeout(10):
        while any(Path(f"/proc/{pid}").exists() and "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text() for pid in pids):
            await asyncio.sleep(0.02)
