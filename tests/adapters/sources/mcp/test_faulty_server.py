"""A server that does wrong gets one outcome with a reason, and the next request works."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator

import pytest
from tests.adapters.sources.mcp.errands import FAULTY, HERE, NOW, errand, faulty, source_on

from groundrule.facts import Call
from groundrule.facts.words import Outcome
from groundrule_adapters.sources.mcp import McpSource, open_sources, parse_config, read_mapping

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def shared() -> AsyncIterator[McpSource]:
    """One server for all faults that it is to survive."""
    source = faulty(environ={"PATH": os.environ["PATH"], "SECRET": "not-for-servers"})
    yield source
    await source.close()


@pytest.mark.parametrize(
    ("what", "outcome", "reason"),
    [
        ("none", "empty", "found nothing"),
        ("error", "failed", "the tool reported an error: “upstream said"),
        ("error nothing", "empty", "found nothing: “No results were found.”"),
        ("error schema", "failed", "the tool reported an error: “broken”"),
        ("wrong", "failed", "$.records breaks `type`"),
        ("bad uri", "failed", "$.records[0].url breaks `format`"),
        ("bad pattern", "failed", "$.records[0].code breaks `pattern`"),
        ("unstructured", "failed", "declares structured content and returned none"),
        ("nan", "failed", "$.records[0].score is no number of JSON"),
        ("count", "failed", "the result has 1 records and declares: “2”"),
        ("unknown content", "failed", "not of the protocol"),
        ("no text", "failed", "none of the 1 records has a readable text"),
        ("refuse", "failed", "error -32602: “Unknown tool”"),
        ("crash", "failed", "exit code 3: “going down with"),
        ("huge", "refused", "a message of more than 4 MiB"),
        ("babble", "failed", "lines without an answer"),
        ("not json", "failed", "not valid JSON-RPC"),
    ],
)
async def test_a_fault_has_one_outcome_and_the_next_request_works(
    shared: McpSource, what: str, outcome: Outcome, reason: str
) -> None:
    """Whatever the server does to one call, it ends as a value with its reason, and the call after it is answered."""
    fetched = await shared.fetch(errand(what))
    assert (fetched.outcome, fetched.items) == (outcome, ())
    assert reason in (fetched.reason or "")
    assert fetched.server == "server"
    after = await shared.fetch(errand("fine"))
    assert [item.snippet for item in after.items] == ["All is well."]


@pytest.mark.parametrize("what", ["stderr", "stdout"])
async def test_noise_beside_the_protocol_is_ignored(
    shared: McpSource, what: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Floods of stderr and log lines on stdout cost nothing, and nothing of them reaches our own stderr."""
    fetched = await shared.fetch(errand(what))
    assert fetched.outcome == "evidence"
    assert capfd.readouterr().err == ""


async def test_page_text_that_pretends_to_be_a_record_forges_none(shared: McpSource) -> None:
    """A page that writes the end of its record and another record into its text stays one record."""
    (item,) = (await shared.fetch(errand("forged"))).items
    assert item.target_url == "https://a.example/1"
    assert "forged.example" in (item.snippet or "")


async def test_the_server_sees_only_a_minimal_environment(shared: McpSource) -> None:
    """Our own variables are not handed on."""
    (item,) = (await shared.fetch(errand("environment"))).items
    seen = set((item.snippet or "").split())
    assert "PATH" in seen
    assert "SECRET" not in seen
    assert len(seen) < 8


@pytest.mark.parametrize(
    ("operator", "hint", "mapping", "word"),
    [(False, True, True, False), (True, False, False, True), (None, False, True, False), (None, None, True, True)],
)
async def test_who_says_that_a_tool_only_reads(
    operator: bool | None, hint: bool | None, mapping: bool, word: bool
) -> None:
    """First the operator, then the server, then the mapping."""
    calls: list[Call] = []

    async def forbid(call: Call) -> bool:
        calls.append(call)
        return False

    declared = f"{FAULTY}read_only: {str(mapping).lower()}\nenv: {{HINT: {json.dumps(json.dumps(hint))}}}\n"
    entry = {} if operator is None else {"read_only": operator}
    source = faulty(mapping=declared, **entry)
    await source.fetch(errand("fine", permit=forbid))
    assert [call.read_only for call in calls] == [word]
    await source.close()


async def test_several_queries_keep_what_succeeded_and_tell_what_failed(shared: McpSource) -> None:
    """A query that fails does not discard another one's items, and the same item is there once."""
    fetched = await shared.fetch(errand("error", "fine", "twice"))
    assert fetched.outcome == "evidence"
    assert len(fetched.items) == 1
    assert "reported an error" in (fetched.reason or "")


async def test_no_more_items_and_calls_than_wanted(shared: McpSource) -> None:
    """The limit of the errand bounds the items, and with enough of them no further call is made."""
    calls: list[Call] = []

    async def permit(call: Call) -> bool:
        calls.append(call)
        return True

    fetched = await shared.fetch(errand("many", "fine", limit=4, permit=permit))
    assert len({item.id for item in fetched.items}) == 4
    assert [call.arguments for call in calls] == [{"query": "many"}]
    assert (calls[0].kind, calls[0].server, calls[0].tool, calls[0].read_only) == ("mcp", "server", "search", True)


async def test_a_call_that_is_not_permitted_is_not_made(shared: McpSource) -> None:
    """Without the call gate's permission nothing is called: a query that would crash the server is harmless."""

    async def forbid(call: Call) -> bool:
        return False

    fetched = await shared.fetch(errand("crash", permit=forbid))
    assert (fetched.outcome, fetched.items) == ("refused", ())
    assert "not permitted" in (fetched.reason or "")


async def test_concurrent_calls_share_one_server(shared: McpSource) -> None:
    """Calls from several tasks are answered on one connection."""
    fetched = await asyncio.gather(*(shared.fetch(errand("fine")) for _ in range(5)))
    assert {one.outcome for one in fetched} == {"evidence"}


async def test_a_hanging_call_ends_at_its_deadline_and_the_server_is_replaced(shared: McpSource) -> None:
    """The call ends as a timeout; the server, which no longer answers at all, is ended and a new one started."""
    fetched = await shared.fetch(errand("hang", "fine", seconds=0.3))
    assert (fetched.outcome, fetched.items) == ("timeout", ())
    assert fetched.reason == "the tool `search` did not answer in time"
    assert (await shared.fetch(errand("fine"))).outcome == "evidence"


async def test_what_arrived_before_a_call_hangs_is_kept(shared: McpSource) -> None:
    """The items of the first query are handed over within the errand's time, with the reason why there are no more."""
    fetched = await shared.fetch(errand("fine", "hang", seconds=1))
    assert (fetched.outcome, len(fetched.items)) == ("evidence", 1)
    assert fetched.reason == "the tool `search` did not answer in time"
    assert (await shared.fetch(errand("fine"))).outcome == "evidence"


async def test_a_cancelled_run_leaves_the_source_usable(shared: McpSource) -> None:
    """Cancelling a fetch, as the run's deadline does, passes through, and the next request works."""
    hanging = asyncio.create_task(shared.fetch(errand("hang")))
    await asyncio.sleep(0.1)
    hanging.cancel()
    with pytest.raises(asyncio.CancelledError):
        await hanging
    assert (await shared.fetch(errand("fine"))).outcome == "evidence"


async def test_a_server_is_ended_with_its_children() -> None:
    """After close neither the server nor a process that it started is alive."""
    source = faulty()
    (item,) = (await source.fetch(errand("children"))).items
    pids = [int(pid) for pid in (item.snippet or "").split()]
    assert all(map(_alive, pids))
    await source.close()
    async with asyncio.timeout(5):
        while any(map(_alive, pids)):
            await asyncio.sleep(0.01)
    assert (await source.fetch(errand("fine"))).outcome == "evidence"
    await source.close()


async def test_a_server_killed_between_calls_is_started_again() -> None:
    """The caller does not notice, not even if a child of the server holds its output open."""
    source = faulty()
    (item,) = (await source.fetch(errand("children"))).items
    server, child = map(int, (item.snippet or "").split())
    os.kill(server, 9)
    async with asyncio.timeout(5):
        while _alive(child):  # it is ended once the end of the server was noticed
            await asyncio.sleep(0.01)
    assert (await source.fetch(errand("fine"))).outcome == "evidence"
    await source.close()


@pytest.mark.parametrize(
    ("start", "outcome", "reason"),
    [
        ("exit", "failed", "exit code 1: “cannot find my key”"),
        ("silent", "timeout", "not ready in time"),
        ("endless", "failed", "list of tools has no end"),
    ],
)
async def test_a_server_that_does_not_start(start: str, outcome: Outcome, reason: str) -> None:
    """A server that ends at once, never answers or never stops listing its tools is told apart."""
    source = faulty(start)
    fetched = await source.fetch(errand("fine", seconds=1))
    assert fetched.outcome == outcome
    assert reason in (fetched.reason or "")
    await source.close()


async def test_a_tool_of_a_later_page_is_found() -> None:
    """The list of tools is read to its end."""
    source = faulty(mapping=FAULTY.replace("tool: search", "tool: write") + "read_only: true\n")
    fetched = await source.fetch(errand("fine"))
    assert (fetched.outcome, fetched.reason) == ("evidence", None)
    await source.close()


async def test_tools_of_one_name_belong_to_their_servers() -> None:
    """Calls and items name their server, and an allow-list is that of one server."""
    calls: list[Call] = []

    async def permit(call: Call) -> bool:
        calls.append(call)
        return True

    entry = {"command": sys.executable, "args": [str(HERE / "faulty_server.py"), "well"], "mapping": "m"}
    servers = {"one": entry, "two": entry, "three": {**entry, "tools": ["write"]}}
    config = parse_config(json.dumps({"mcpServers": servers}), "mcp.json")
    sources = open_sources(config, {"m": read_mapping(FAULTY, "m.yaml")}, os.environ, lambda: NOW).sources
    fetched = [await source.fetch(errand("fine", permit=permit)) for source in sources]
    assert [(call.adapter, call.server, call.tool) for call in calls] == [
        ("mcp:one", "one", "search"), ("mcp:two", "two", "search"),
    ]  # fmt: skip
    assert len({item.id for one in fetched for item in one.items}) == 2
    assert (fetched[2].outcome, fetched[2].items) == ("refused", ())
    assert "not among the tools allowed for this server" in (fetched[2].reason or "")
    for source in sources:
        await source.close()


@pytest.mark.parametrize("start", ["banner", "old", "modern"])
async def test_servers_of_other_versions_are_understood(start: str) -> None:
    """A banner on stdout, an older protocol, and the newest one without handshake."""
    source = faulty(start)
    fetched = await source.fetch(errand("fine"))
    assert (fetched.outcome, fetched.reason) == ("evidence", None)
    await source.close()


async def test_a_missing_binary_is_told_and_then_left_alone() -> None:
    """The reason names the command; after two failures in a row the server is not tried again at once."""
    source = source_on(["no-such-binary-anywhere"], FAULTY)
    reasons = [(await source.fetch(errand("fine"))).reason or "" for _ in range(3)]
    assert reasons[0] == "the server cannot be started: “no-such-binary-anywhere: No such file or directory”"
    assert reasons[1] == reasons[0]
    assert reasons[2].startswith("the server failed 2 times in a row")


async def test_configured_values_never_appear_in_a_reason() -> None:
    """What stands in the server's env, written there or taken from ours, is masked in whatever the server says."""
    environ = {"PATH": os.environ["PATH"], "TOKEN": "sesame-open-1234"}
    source = faulty(environ=environ, env={"API_KEY": "${TOKEN}"})
    for what in ("error", "crash"):
        reason = (await source.fetch(errand(what))).reason or ""
        assert "***" in reason
        assert "sesame" not in reason
    assert "sesame" not in repr(vars(source))
    await source.close()


def _alive(pid: int) -> bool:
    """Whether the process runs; one that ended and waits for its parent does not."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
