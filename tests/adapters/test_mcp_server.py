"""groundrule as an MCP server, asked by the client of the SDK over stdio and over HTTP on loopback."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult, TextContent
from tests.adapters.sources.mcp.errands import HERE
from tests.adapters.sources.mcp.test_http_servers import free_port

from groundrule_adapters.mcp_messages import MAX_MESSAGE
from groundrule_adapters.mcp_server import MOST_RUNS
from groundrule_adapters.store.sqlite import SqliteStore

pytestmark = pytest.mark.anyio
GROUNDRULE = str(Path(sys.executable).with_name("groundrule"))
WEATHER = "Will it rain in Guangzhou in the next 5 days?"
EVIDENCE: dict[str, Any] = {
    "plan": {
        "query_kind": "weather",
        "answer_contract": "direct_fact",
        "freshness_required": True,
        "requires_multi_source": False,
    },
    "run": {"execution_id": "run-7", "adapters_left": []},
    "evidence": [],
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def environment(home: Path) -> dict[str, str]:
    """What the server gets of ours."""
    return {"PATH": os.environ["PATH"], "GROUNDRULE_HOME": str(home), "TZ": "Asia/Shanghai", "HOME": str(home)}


@asynccontextmanager
async def client(home: Path, *options: str) -> AsyncIterator[Client]:
    """A client of a server process with its home in this folder."""
    server = StdioServerParameters(
        command=GROUNDRULE, args=["mcp", "serve", *options], env=environment(home), cwd=str(home)
    )
    async with Client(stdio_client(server)) as connected:
        yield connected


def text_of(result: CallToolResult) -> str:
    (part,) = result.content
    assert isinstance(part, TextContent)
    return part.text


def structured(result: CallToolResult) -> dict[str, Any]:
    """The structured content; the client has checked it against the tool's schema."""
    assert not result.is_error, result.content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


async def test_its_tools_say_what_they_take_and_give(tmp_path: Path) -> None:
    """Three tools that only read, each with the schema of what it returns."""
    async with client(tmp_path) as connected:
        tools = {tool.name: tool for tool in (await connected.list_tools()).tools}
        assert set(tools) == {"ask", "evaluate", "explain"}
        assert all(tool.annotations is not None and tool.annotations.read_only_hint for tool in tools.values())
        assert set((tools["ask"].output_schema or {})["properties"]) >= {"status", "text", "sources"}
        assert "outcome" in (tools["evaluate"].output_schema or {})["required"]
        assert "trace" in (tools["explain"].output_schema or {})["required"]


async def test_a_question_is_answered_with_its_sources(tmp_path: Path) -> None:
    """The reply is the one that `ask` gives; progress names the steps; a refusal is a result too."""
    steps: list[str | None] = []

    async def heard(done: float, total: float | None, message: str | None) -> None:
        steps.append(message)

    async with client(tmp_path) as connected:
        await connected.list_tools()
        result = await connected.call_tool("ask", {"question": WEATHER}, progress_callback=heard)
        reply = structured(result)
        assert reply["status"] == "answered"
        assert reply["sources"]
        assert text_of(result) == reply["text"]
        assert {"plan", "fetch", "evidence"} <= set(steps)
        refused = structured(
            await connected.call_tool("ask", {"question": "北辰计划什么时候上线", "zone": "Asia/Shanghai"})
        )
        assert (refused["status"], refused["kind"], refused["language"]) == ("refused", "no_evidence", "zh")


async def test_a_gate_decides_and_explains(tmp_path: Path) -> None:
    """An evidence gate without evidence denies; `explain` has every rule with it."""
    arguments = {"gate": "evidence", "facts": EVIDENCE, "now": "2026-04-15T08:00:00+08:00"}
    async with client(tmp_path) as connected:
        await connected.list_tools()
        decision = structured(await connected.call_tool("evaluate", arguments))
        assert (decision["outcome"], decision["now"]) == ("deny", "2026-04-15T00:00:00.000000Z")
        explained = structured(await connected.call_tool("explain", arguments))
        assert {**explained, "trace": None} == {**decision, "trace": None}
        assert {entry["id"] for entry in explained["trace"]} >= {"SOURCE-TYPE-01", "FRESH-AGE-01"}


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("ask", {}, "question: Field required"),
        ("ask", {"question": ""}, "question: String should have at least 1 character"),
        ("ask", {"question": "x" * 8_001}, "question: String should have at most 8000 characters"),
        ("ask", {"question": "q", "zone": "Mars/Base"}, "zone: Value error, this is no IANA time zone"),
        ("ask", {"question": "q", "secret-1234": 1}, "Extra inputs are not permitted"),
        ("evaluate", {"gate": "exit", "facts": {}}, "gate: Input should be"),
        (
            "evaluate",
            {"gate": "evidence", "facts": {}, "now": "2026-04-15T08:00:00"},
            "now: Input should have timezone",
        ),
        ("explain", {"gate": "evidence", "facts": []}, "facts: Input should be a valid dictionary"),
        ("delete", {}, "there is no such tool"),
    ],
)
async def test_a_call_that_cannot_be_understood_is_an_error(
    tmp_path: Path, tool: str, arguments: dict[str, Any], sentence: str
) -> None:
    """The sentence says which argument; the server goes on."""
    async with client(tmp_path) as connected:
        result = await connected.call_tool(tool, arguments)
        assert result.is_error
        assert sentence in text_of(result)
        assert (await connected.list_tools()).tools


async def test_facts_that_are_none_deny(tmp_path: Path) -> None:
    """Facts of the wrong shape are decided, as everywhere: they do not pass."""
    async with client(tmp_path) as connected:
        await connected.list_tools()
        decision = structured(await connected.call_tool("evaluate", {"gate": "evidence", "facts": {"plan": 3}}))
        assert decision["outcome"] == "deny"


def patient(folder: Path) -> tuple[Path, Path]:
    """A configuration with one server that takes a minute for each call, and the file in which it says what it saw."""
    mapping = "mapping: 1\ntool: search\narguments: {query: slow}\nresult: {shape: structured, records: records}\n"
    (folder / "mappings").mkdir()
    (folder / "mappings" / "patient.yaml").write_text(
        mapping + "fields: {snippet: [text]}\nsource_type: url\ngenerated: false\n"
    )
    seen = folder / "seen.json"
    command = {"command": sys.executable, "args": [str(HERE / "sdk_server.py"), "0", "stdio"]}
    entry = command | {"env": {"SEEN": str(seen)}}
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": {"patient": entry}}))
    return folder / "mcp.json", seen


async def told(seen: Path, **wanted: int) -> dict[str, int]:
    """What the server saw, once that is what is wanted."""
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(FileNotFoundError, ValueError):  # not yet written, or just being written
                found: dict[str, int] = json.loads(seen.read_text())
                if all(found[name] == number for name, number in wanted.items()):
                    return found
            await asyncio.sleep(0.02)


async def test_a_client_that_cancels_its_call_stops_the_run_and_one_without_time_is_refused(tmp_path: Path) -> None:
    """The server that was asked is told both times. Cancelled, nothing was answered and nothing is kept; without time
    enough, the refusal gives its reason and is kept; the next call is served."""
    config, seen = patient(tmp_path)
    async with client(tmp_path, "--mcp", str(config)) as connected:
        await connected.list_tools()
        call = asyncio.create_task(connected.call_tool("ask", {"question": WEATHER}))
        await told(seen, started=1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await told(seen, cancelled=1)
        assert await SqliteStore(tmp_path).list_runs() == ()
        result = await connected.call_tool("ask", {"question": WEATHER, "timeout": 4})
        reply = structured(result)
        assert (reply["status"], reply["kind"]) == ("refused", "no_evidence")
        assert reply["reasons"][-1] == "The time limit of the query was reached."
        assert text_of(result) == reply["text"]
        await told(seen, started=2, cancelled=2)
        receipt = await SqliteStore(tmp_path).get_run(reply["execution_id"])
        assert receipt is not None
        assert [(one["adapter"], one["outcome"]) for one in receipt["attempts"]] == [("mcp:patient", "timeout")]
        with pytest.raises(MCPError):
            await connected.call_tool("ask", {"question": WEATHER}, read_timeout_seconds=1)
        assert structured(await connected.call_tool("evaluate", {"gate": "evidence", "facts": EVIDENCE}))


async def test_more_questions_than_places_wait_within_their_time(tmp_path: Path) -> None:
    """Those for which no place comes free are refused in their time, with a receipt, and nothing is searched for them."""
    config, seen = patient(tmp_path)
    async with client(tmp_path, "--mcp", str(config)) as connected:
        await connected.list_tools()
        async with asyncio.TaskGroup() as group:
            busy = [group.create_task(connected.call_tool("ask", {"question": WEATHER})) for _ in range(MOST_RUNS)]
            await told(seen, started=MOST_RUNS)
            reply = structured(await connected.call_tool("ask", {"question": WEATHER, "timeout": 0.5}))
            for task in busy:
                task.cancel()
        assert (reply["status"], reply["reasons"]) == ("refused", ["The time limit of the query was reached."])
        assert ((await SqliteStore(tmp_path).get_run(reply["execution_id"])) or {})["attempts"] == []
        await told(seen, cancelled=MOST_RUNS)


async def test_a_client_that_goes_takes_its_runs_and_their_servers_along(tmp_path: Path) -> None:
    """The end of stdin in the middle of a run ends the server process, and the one that it had started."""
    config, seen = patient(tmp_path)
    async with client(tmp_path, "--mcp", str(config)) as connected:
        await connected.list_tools()
        call = asyncio.create_task(connected.call_tool("ask", {"question": WEATHER}))
        process = (await told(seen, started=1))["process"]
        call.cancel()
    for _ in range(1500):
        if not runs(process):
            break
        await asyncio.sleep(0.02)
    assert not runs(process)


def runs(process: int) -> bool:
    """Whether there is such a process, and not only its entry that waits to be collected."""
    try:
        return bool(Path(f"/proc/{process}/cmdline").read_bytes())
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_stdout_has_nothing_but_the_protocol(tmp_path: Path) -> None:
    """Every line is a message, whatever the client sends, and the end of stdin ends the server."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    messages: list[Any] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "ask", "arguments": {"question": WEATHER}},
        },
        {"jsonrpc": "2.0", "id": 3, "method": "no/such"},
    ]
    lines = "".join(json.dumps(message) + "\n" for message in messages) + "no JSON at all\n"
    process = subprocess.Popen(
        [GROUNDRULE, "mcp", "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
        cwd=tmp_path,
        text=True,
        encoding="utf-8",
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(lines)
    process.stdin.flush()
    answers: dict[Any, Any] = {}
    while not {1, 2, 3} <= set(answers):
        answer = json.loads(process.stdout.readline())
        assert answer["jsonrpc"] == "2.0"
        answers[answer.get("id")] = answer
    rest, errors = process.communicate(timeout=30)
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
    assert answers[2]["result"]["structuredContent"]["status"] == "answered"
    assert answers[3]["error"]["code"] == -32601
    assert process.returncode == 0
    assert "Traceback" not in errors


CALL = '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"%s","arguments":%s}}'
LONG = '{"gate":"evidence","facts":{"n":"' + "n" * MAX_MESSAGE + '"}}'
TWICE = '{"gate":"evidence","facts":{"evidence":[{"id":"a","generated":true,"generated":false}]}}'
NO_MESSAGES: list[tuple[str, object, int | None]] = [
    ("hello", None, -32700), ("\0", None, -32700), ('{"jsonrpc":"2.0","id":5,"meth', 5, -32700), ("", None, -32700),
    ('{"jsonrpc":"2.0","id":5,"method":"ping"}{"jsonrpc":"2.0","id":6,"method":"ping"}', None, -32700),
    (CALL % ("evaluate", '{"gate":"evidence","facts":' + '{"a":' * 300 + "1" + "}" * 301), 5, -32700),
    (CALL % ("evaluate", '{"gate":"evidence","facts":' + '{"a":' * 9_000 + "1" + "}" * 9_001), 5, -32700),
    (CALL % ("evaluate", '{"gate":"evidence","facts":{"n":' + "9" * 9_000 + "}}"), 5, -32700),
    (CALL % ("evaluate", '{"gate":"evidence","facts":{"run":{"execution_id":"\\ud800"}}}'), 5, -32700),
    (CALL % ("evaluate", TWICE), 5, -32700),
    (CALL % ("evaluate", '{"gate":"evidence","facts":{"evidence":[{"score":NaN}]}}'), 5, -32700),
    (CALL % ("evaluate", '{"gate":"evidence","facts":{"evidence":[{"score":1e400}]}}'), 5, -32700),
    (CALL % ("evaluate", '{"gate":"evidence","facts":{},"facts":{}}'), 5, -32700),
    ('{"jsonrpc":"2.0","id":5,"method":"ping","method":"tools/list"}', 5, -32700),
    ('{"jsonrpc":"2.0","id":5,"id":6,"method":"ping"}', None, -32700),
    ('{"jsonrpc":"2.0","id":5,"i\\u0064":5,"method":"ping"}', None, -32700),
    ('{"params":{"id":6,"a":"\\"}{","a":1},"i\\u0064":"5\\"","method":"ping"}', '5"', -32700),
    ('{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', None, -32700),
    (CALL % ("evaluate", LONG), 5, -32600), (CALL % ("ask", '{"question":"\\ud800"}'), 5, -32700),
    ("[]", None, -32600), ('[{"jsonrpc":"2.0","id":7,"method":"ping"}]', None, -32600), ("null", None, -32600),
    ('{"id":5,"method":"ping"}', 5, -32600), ('{"jsonrpc":"1.0","id":"a","method":"ping"}', "a", -32600),
    ('{"jsonrpc":"2.0","id":5,"method":"tools/call","params":[1]}', 5, -32600),
    ('{"jsonrpc":"2.0","id":5,"method":"no/such"}', 5, -32601),
    ('{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{}}', 5, -32602), (CALL % ("ask", '"x"'), 5, -32602),
    (CALL % ("ask", '{"question":""}'), 5, None), (CALL % ("rm", "{}"), 5, None),
]  # fmt: skip
"""Lines of a client, the id under which each is answered, and the error; None stands for a result that says it."""
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
BEGIN = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO})


class Raw:
    """A server whose lines are written and read one by one."""

    def __init__(self, home: Path, *options: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [GROUNDRULE, "mcp", "serve", *options], stdin=pipe, stdout=pipe, stderr=pipe, env=environment(home), cwd=home
        )
        self.say(BEGIN)
        self.hear()

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found


def test_a_line_that_is_no_message_is_answered_with_an_error(tmp_path: Path) -> None:
    """No request is left without an answer, no line ends the server or reaches its stderr, and the next one works."""
    server = Raw(tmp_path)
    for line, id, code in NO_MESSAGES:
        server.say(line)
        answer = server.hear()
        assert (answer["id"], answer.get("error", {}).get("code")) == (id, code), line[:80]
        assert code is not None or answer["result"]["isError"] is True
        server.say('{"jsonrpc":"2.0","id":"p","method":"ping"}')
        assert server.hear() == {"jsonrpc": "2.0", "id": "p", "result": {}}
    _, errors = server.process.communicate(timeout=30)
    assert (server.process.returncode, errors) == (0, b"")


async def test_a_call_with_the_id_of_one_that_is_open_is_refused(tmp_path: Path) -> None:
    """Also as text. Once the first is answered, or was cancelled, its id is free again."""
    config, seen = patient(tmp_path)
    server = Raw(tmp_path, "--mcp", str(config))
    asked = CALL % ("ask", json.dumps({"question": WEATHER}))
    server.say(asked)
    await told(seen, started=1)
    for line, id in ((asked, 5), (asked.replace('"id":5', '"id":"5"'), "5")):
        server.say(line)
        answer = server.hear()
        assert (answer["id"], answer["error"]["code"]) == (id, -32600)
    server.say('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}')
    await told(seen, cancelled=1)
    for _ in range(2):
        server.say('{"jsonrpc":"2.0","id":5,"method":"ping"}')
        assert server.hear() == {"jsonrpc": "2.0", "id": 5, "result": {}}
    server.process.communicate(timeout=30)
    assert await SqliteStore(tmp_path).list_runs() == ()


async def test_it_serves_http_on_this_machine(tmp_path: Path) -> None:
    """The same tools at a port of loopback."""
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        GROUNDRULE, "mcp", "serve", "--port", str(port), env=environment(tmp_path), cwd=tmp_path
    )
    try:
        async with asyncio.timeout(30):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                except OSError:
                    await asyncio.sleep(0.05)
                else:
                    writer.close()
                    break
        async with Client(f"http://127.0.0.1:{port}/mcp") as connected:
            await connected.list_tools()
            assert structured(await connected.call_tool("ask", {"question": WEATHER}))["status"] == "answered"
        headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        async with httpx2.AsyncClient(trust_env=False, timeout=60) as raw:
            for line, id, code in NO_MESSAGES:
                if code in (-32700, -32600):
                    got = await raw.post(f"http://127.0.0.1:{port}/mcp", content=line.encode(), headers=headers)
                    assert (got.status_code, got.json()["id"], got.json()["error"]["code"]) == (400, id, code), line[:80]
            wish = {"connection": "Upgrade, HTTP2-Settings", "upgrade": "h2c", "http2-settings": "AAMAAABkAAQAoAAA"}
            got = await raw.post(f"http://127.0.0.1:{port}/mcp", content=BEGIN.encode(), headers=headers | wish)
            assert (got.status_code, '"serverInfo"' in got.text) == (200, True)
    finally:
        process.terminate()
        await process.wait()


def test_a_rule_set_with_faults_does_not_serve(tmp_path: Path) -> None:
    """It ends before it says a word on stdout."""
    (tmp_path / "rules").mkdir()
    ran = subprocess.run(
        [GROUNDRULE, "mcp", "serve", "--rules", "rules"],
        cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "GR401" in ran.stderr
