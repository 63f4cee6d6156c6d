"""Servers of the SDK over streamable HTTP: one session for many calls, replaced when it is lost; faults have outcomes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import pytest
from tests.adapters.sources.mcp.errands import FAULTY, HERE, NOW, errand

from groundrule.gateway.ports import Fetched
from groundrule_adapters.sources.mcp import (
    McpConfigError,
    McpSource,
    McpSources,
    open_sources,
    parse_config,
    read_mapping,
)

pytestmark = pytest.mark.anyio
TOKEN, CLIENT, SECRET = "sesame-token-1234", "groundrule", "sesame-secret-1234"


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def serving(
    mode: str = "open", port: int | None = None, program: str = "sdk_server.py"
) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """A server process that accepts connections; it is ended with the block."""
    port = port or free_port()
    process = subprocess.Popen([sys.executable, str(HERE / program), str(port), mode])
    try:
        deadline = time.monotonic() + 30
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
        yield port, process
    finally:
        process.kill()
        process.wait()


@asynccontextmanager
async def source_at(
    port: int, mapping: str = FAULTY, env: dict[str, str] | None = None, **entry: Any
) -> AsyncIterator[McpSource]:
    """The source of a server at this port; further keys of its entry by name."""
    entry |= {"url": f"http://127.0.0.1:{port}/mcp", "mapping": "m"}
    config = parse_config(json.dumps({"mcpServers": {"server": entry}}), "mcp.json")
    declared = read_mapping(mapping, "mappings/m.yaml")
    (source,) = open_sources(config, {"m": declared}, env or {}, lambda: NOW).sources
    try:
        yield source
    finally:
        await source.close()


def opened(servers: dict[str, Any]) -> McpSources:
    """The sources of a configuration with one mapping."""
    config = parse_config(json.dumps({"mcpServers": servers}), "mcp.json")
    return open_sources(config, {"m": read_mapping(FAULTY, "m.yaml")}, os.environ, lambda: NOW)


def said(fetched: Fetched) -> str:
    """The one item's text."""
    assert fetched.outcome == "evidence", fetched.reason
    (item,) = fetched.items
    return item.snippet or ""


@pytest.fixture(scope="module")
def shared() -> Iterator[int]:
    """One server for all that it survives."""
    with serving() as (port, _):
        yield port


@pytest.mark.parametrize("mode", ["open", "json"])
async def test_one_session_serves_many_calls(mode: str) -> None:
    """Calls one after the other and at once are answered in one session, as events and as JSON."""
    with serving(mode) as (port, _):
        async with source_at(port) as source:
            answers = [json.loads(said(await source.fetch(errand("fine")))) for _ in range(2)]
            answers += [
                json.loads(said(one)) for one in await asyncio.gather(*(source.fetch(errand("q")) for _ in range(5)))
            ]
            assert len({answer["session"] for answer in answers}) == 1
            assert answers[0]["session"]


async def test_progress_is_no_answer(shared: int) -> None:
    """Notices of progress come before the result and change nothing."""
    async with source_at(shared) as source:
        assert said(await source.fetch(errand("progress")))


async def test_a_call_that_is_late_is_cancelled_at_the_server(shared: int) -> None:
    """The outcome is a timeout that says how far it came; the server is told; the session goes on."""
    async with source_at(shared) as source:
        before = json.loads(said(await source.fetch(errand("fine"))))
        fetched = await source.fetch(errand("slow", seconds=1))
        assert fetched.outcome == "timeout"
        assert fetched.reason == "the tool `search` did not answer in time; it had done 2 of 5"
        async with asyncio.timeout(5):
            while (after := json.loads(said(await source.fetch(errand("fine")))))["cancelled"] == before["cancelled"]:
                await asyncio.sleep(0.02)
        assert after["session"] == before["session"]


async def test_a_cancelled_run_is_cancelled_at_the_server(shared: int) -> None:
    """As with the deadline of a run."""
    async with source_at(shared) as source:
        before = json.loads(said(await source.fetch(errand("fine"))))["cancelled"]
        running = asyncio.create_task(source.fetch(errand("slow")))
        await asyncio.sleep(0.3)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        async with asyncio.timeout(5):
            while json.loads(said(await source.fetch(errand("fine"))))["cancelled"] == before:
                await asyncio.sleep(0.02)


async def test_an_answer_that_is_too_long_is_refused(shared: int) -> None:
    """Nothing of it is taken, and the next call is answered."""
    async with source_at(shared) as source:
        fetched = await source.fetch(errand("huge", seconds=20))
        assert (fetched.outcome, fetched.items) == ("refused", ())
        assert "MiB" in (fetched.reason or "")
        assert said(await source.fetch(errand("fine")))


async def test_a_long_answer_as_json_is_refused() -> None:
    """The same for a server that answers as JSON."""
    with serving("json") as (port, _):
        async with source_at(port) as source:
            fetched = await source.fetch(errand("huge", seconds=20))
            assert (fetched.outcome, fetched.items) == ("refused", ())
            assert said(await source.fetch(errand("fine")))


async def test_a_crash_is_a_failure_and_the_restarted_server_is_used() -> None:
    """The call during which it crashed fails; once it runs again, calls are answered."""
    with serving() as (port, process):
        async with source_at(port) as source:
            said(await source.fetch(errand("fine")))
            fetched = await source.fetch(errand("crash"))
            assert (fetched.outcome, fetched.items) == ("failed", ())
            process.wait(10)
            with serving(port=port):
                assert said(await source.fetch(errand("fine")))


async def test_a_forgotten_session_costs_no_call() -> None:
    """A server that was restarted between two calls is introduced to again, and the second call is answered."""
    with serving() as (port, process):
        async with source_at(port) as source:
            first = json.loads(said(await source.fetch(errand("fine"))))["session"]
            process.send_signal(signal.SIGKILL)
            process.wait(10)
            with serving(port=port):
                second = json.loads(said(await source.fetch(errand("fine"))))["session"]
                assert second not in (None, first)


async def test_a_server_that_is_not_there() -> None:
    """The reason says so; after two failures it is left alone for a while."""
    async with source_at(free_port()) as source:
        reasons = [(await source.fetch(errand("fine"))).reason or "" for _ in range(3)]
    assert reasons[0].startswith("the server cannot be reached")
    assert reasons[2].startswith("the server failed 2 times in a row")


async def test_a_server_that_accepts_and_never_answers() -> None:
    """It ends at the deadline."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        async with source_at(silent.getsockname()[1]) as source:
            fetched = await source.fetch(errand("fine", seconds=0.5))
            assert (fetched.outcome, fetched.reason) == ("timeout", "the server was not ready in time")


async def test_changed_tools_are_listed_again() -> None:
    """A tool that the server adds and tells of is used by the next call."""
    later = FAULTY.replace("tool: search", "tool: more")
    with serving() as (port, _):
        async with source_at(port) as source, source_at(port, later) as other:
            assert "has no tool `more`" in ((await other.fetch(errand("q"))).reason or "")
            said(await source.fetch(errand("change")))
            async with asyncio.timeout(5):
                while "more" not in (await source.listed(asyncio.get_running_loop().time() + 5)):
                    await asyncio.sleep(0.02)


async def test_a_bearer_token_opens_the_door() -> None:
    """It is filled in from the environment, and masked in whatever is told; another one is refused."""
    with serving("bearer") as (port, _):
        headers = {"Authorization": "Bearer ${TOKEN}"}
        async with source_at(port, env={"TOKEN": TOKEN}, headers=headers) as source:
            assert said(await source.fetch(errand("echo"))) == f"header Bearer {TOKEN}"
            assert TOKEN not in repr(vars(source))
        for wrong in ({"TOKEN": "another-token-99"}, None):
            async with source_at(port, env=wrong, headers=headers if wrong else {}) as source:
                fetched = await source.fetch(errand("fine"))
                assert (fetched.outcome, fetched.items) == ("failed", ())
                assert fetched.reason == "the server refused our credentials (HTTP 401)"


async def test_client_credentials_are_exchanged_for_a_token() -> None:
    """The token is asked for once and serves all calls; it is masked like a configured secret."""
    with serving("oauth") as (port, _):
        issuer = f"http://127.0.0.1:{port}"
        oauth = {"issuer": issuer, "client_id": CLIENT, "client_secret": "${SECRET}", "scope": "search"}
        async with source_at(port, env={"SECRET": SECRET}, oauth=oauth) as source:
            answers = [json.loads(said(await source.fetch(errand("fine")))) for _ in range(3)]
            assert [answer["tokens"] for answer in answers] == [1, 1, 1]
            assert SECRET not in repr(vars(source))
            assert TOKEN not in repr(vars(source))
        async with source_at(port, env={"SECRET": "another-secret-99"}, oauth=oauth) as source:
            fetched = await source.fetch(errand("fine"))
            assert (fetched.outcome, fetched.items) == ("failed", ())
            assert "another-secret" not in (fetched.reason or "")
        elsewhere = oauth | {"issuer": "https://issuer.example"}
        async with source_at(port, env={"SECRET": SECRET}, oauth=elsewhere) as source:
            assert (await source.fetch(errand("fine"))).outcome == "failed"
            async with source_at(port, env={"SECRET": SECRET}, oauth=oauth) as good:
                assert json.loads(said(await good.fetch(errand("fine"))))["tokens"] == 3


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"url": "ftp://a.example"}, "mcpServers.s.url: this is no address of a server"),
        ({"url": "https://user:key@a.example/mcp"}, "a user or key belongs into `headers`"),
        (
            {"url": "https://a.example", "headers": {"X-Key": "a\nb"}},
            "headers.X-Key: the value is no text that a header",
        ),
        ({"url": "https://a.example", "headers": {"X Key": "a"}}, "mcpServers.s.headers"),
        (
            {"url": "https://a.example", "headers": {"X-Key": "${NOWHERE}"}},
            "the environment variable `NOWHERE` is not set",
        ),
        ({"url": "https://a.example", "header": {}}, "unknown key `header` (did you mean `headers`?"),
        ({"url": "https://a.example", "oauth": {"client_id": "a"}}, "mcpServers.s.oauth"),
        ({"url": "https://a.example", "command": "x"}, "unknown key `url`"),
    ],
)
def test_an_entry_that_cannot_be_used(entry: dict[str, Any], message: str) -> None:
    """Each is told with its place, and no value is shown."""
    with pytest.raises(McpConfigError) as caught:
        opened({"s": {**entry, "mapping": "m"}})
    assert message in str(caught.value)
