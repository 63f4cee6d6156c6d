"""The client says what is said in process; whatever else comes over the wire denies or refuses."""

from __future__ import annotations

import asyncio
import math
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.http.conftest import evidence_facts, write_rules
from tests.adapters.http.processes import Served, served

import groundrule
from groundrule import Context, Question
from groundrule.facts.decision import DecisionRecord
from groundrule_adapters import client, open_rules

NOW = datetime(2026, 4, 15, 2, tzinfo=UTC)
KEY = "grk_made-up-for-tests"
pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A real service with a key."""
    folder = tmp_path_factory.mktemp("client")
    write_rules(folder / "rules")
    key = f'[[service.keys]]\nname = "all"\nkey = "{KEY}"\nroles = ["admin"]\n'
    with served(folder, f'rules = "rules"\n{key}') as running:
        yield running


FACTS: list[dict[str, Any]] = [
    evidence_facts(),
    evidence_facts(dated_at=datetime(2026, 4, 14, tzinfo=UTC)),
    evidence_facts(dated_at=None),
    {"evidence": [], "run": {"adapters_left": []}},
    {"no such": "field"},
]


@pytest.mark.parametrize("facts", FACTS)
async def test_a_decision_is_that_of_the_process(service: Served, facts: dict[str, Any]) -> None:
    """Every attribute, with and without blocking; the one line that differs is where the rules come from."""
    here = open_rules(service.folder / "rules")
    with client.open_service(service.url, key=KEY) as there:
        local = groundrule.evaluate(here, "evidence", facts, NOW)
        for remote in (
            await asyncio.to_thread(client.evaluate, there, "evidence", facts, NOW),
            await client.evaluate_async(there, "evidence", facts, NOW),
        ):
            assert remote.to_json() == local.to_json()
            for name in ("outcome", "admitted", "rejected", "options", "revision", "contracts", "draft", "facts_digest",
                         "now", "as_of", "valid_until", "choices", "gate"):  # fmt: skip
                assert getattr(remote, name) == getattr(local, name), name
            said = [(v.rule, v.at, v.effect, v.undecided, v.message, v.values) for v in remote.violations]
            assert said == [(v.rule, v.at, v.effect, v.undecided, v.message, v.values) for v in local.violations]


async def test_a_question_is_answered_over_there(service: Served) -> None:
    """With a Reply of the same kind."""
    with client.open_service(service.url, key=KEY) as there:
        reply = await there.ask(Question(text="帮我看看未来 5 天的广州天气如何"), Context(zone="Asia/Shanghai"))
    assert reply.status in ("answered", "refused")
    assert reply.execution_id


async def test_a_wrong_key_denies_and_says_so(service: Served) -> None:
    """With the code of the problem."""
    with client.open_service(service.url, key="wrong") as there:
        decision = client.evaluate(there, "evidence", evidence_facts(), NOW)
        assert (decision.outcome, decision.admitted, decision.reply) == ("deny", (), "unsupported")
        assert "GR803" in (decision.fault or "")
        reply = await there.ask(Question(text="广州天气"), Context())
        assert (reply.status, reply.language) == ("refused", "zh")


@contextmanager
def answering(status: int, *parts: bytes, pause: float = 0.0) -> Iterator[str]:
    """A server that answers everything with these bytes."""
    ended = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(status)
            self.send_header("location", "http://127.0.0.1:1/")
            self.end_headers()
            try:
                for part in parts:
                    self.wfile.write(part)
                    self.wfile.flush()
                    ended.wait(pause)
            except OSError:
                return

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        ended.set()
        server.shutdown()
        server.server_close()
        thread.join()


ALLOW = b'{"gate":"evidence","outcome":"allow","admitted":["a"]}'


@pytest.mark.parametrize(
    ("status", "parts", "pause", "said"),
    [
        (200, [b""], 0, "no JSON"),
        (200, [b"<html>"], 0, "no JSON"),
        (200, [b"[" * 100_000], 0, "no JSON"),
        (200, [ALLOW], 0, "no decision"),
        (200, [b'"allow"'], 0, "no decision"),
        (500, [ALLOW], 0, "status 500"),
        (302, [ALLOW], 0, "status 302"),
        (401, [b'{"code":"GR803","place":""}'], 0, "status 401, GR803"),
        (200, [b" " * (1 << 20)] * 40, 0, "too large"),
        (200, [b" "] * 200, 0.1, "late"),
    ],
)
async def test_whatever_else_comes_over_the_wire_denies(
    status: int, parts: list[bytes], pause: float, said: str
) -> None:
    """And refuses where an answer was asked for."""
    limit = 1 if pause else 60
    with answering(status, *parts, pause=pause) as url, client.open_service(url, timeout=limit, ask_timeout=limit) as there:
        for decision in (
            await asyncio.to_thread(client.evaluate, there, "evidence", evidence_facts(), NOW),
            await client.evaluate_async(there, "evidence", evidence_facts(), NOW),
        ):
            assert (decision.outcome, decision.admitted) == ("deny", ())
            (violation,) = decision.violations
            assert violation.rule == "ENGINE-SERVICE"
            assert said in violation.message["en"]
        reply = await there.ask(Question(text="Weather"), Context())
        assert (reply.status, reply.kind, reply.answer) == ("refused", "unsupported", None)


@contextmanager
def dripping(beginning: bytes) -> Iterator[tuple[str, threading.Event]]:
    """A server that sends a beginning, and then a head byte by byte for minutes; and whether it came to its end."""
    ended, finished = threading.Event(), threading.Event()

    def drip(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.recv(65_536)
            connection.sendall(beginning)
            for _ in range(3_000):
                if ended.wait(0.05):
                    return
                connection.sendall(b"a")
            finished.set()

    def serve() -> None:
        with suppress(OSError):
            while True:
                threads.append(threading.Thread(target=drip, args=(listening.accept()[0],)))
                threads[-1].start()

    listening = socket.create_server(("127.0.0.1", 0))
    threads = [threading.Thread(target=serve)]
    threads[0].start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", finished
    finally:
        ended.set()
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        for thread in threads:
            thread.join()


@pytest.mark.parametrize("beginning", [b"", b"HTTP/1.1 2", b"HTTP/1.1 200 OK\r\nx-more: "], ids=repr)
async def test_a_head_that_drips_is_late(beginning: bytes) -> None:
    """The deadline is for the whole call, however often a byte arrives in time; with and without blocking."""
    with dripping(beginning) as (url, finished), client.open_service(url, timeout=0.5, ask_timeout=0.5) as there:
        for decision in (
            await asyncio.to_thread(client.evaluate, there, "evidence", evidence_facts(), NOW),
            await client.evaluate_async(there, "evidence", evidence_facts(), NOW),
        ):
            assert decision.fault == "it was late"
        assert (await there.ask(Question(text="Weather"), Context())).status == "refused"
        assert not finished.is_set()


async def test_closing_denies_what_is_under_way() -> None:
    """Nobody waits for an answer that nobody reads; and one who is cancelled is cancelled."""
    with dripping(b"") as (url, _), client.open_service(url, timeout=60) as there:
        cancelled = asyncio.ensure_future(client.evaluate_async(there, "evidence", evidence_facts(), NOW))
        await asyncio.sleep(0.1)
        cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cancelled
        waiting = asyncio.to_thread(client.evaluate, there, "evidence", evidence_facts(), NOW)
        awaiting = client.evaluate_async(there, "evidence", evidence_facts(), NOW)
        both = asyncio.gather(waiting, awaiting)
        await asyncio.sleep(0.1)
        await asyncio.to_thread(there.close)
        assert [decision.fault for decision in await both] == ["it was closed", "it was closed"]


FORKED = """
import os, sys
from datetime import UTC, datetime
from groundrule_adapters import client
there = client.open_service(sys.argv[1], key=sys.argv[2])
ask = lambda: client.evaluate(there, "plan", {"plan": {"search_queries": ["q"]}}, datetime.now(UTC)).outcome
before, child = ask(), os.fork()
if child == 0:
    os._exit(0 if ask() == before == "allow" else 1)
print(before, ask(), os.waitpid(child, 0)[1])
"""


def test_a_child_process_has_connections_of_its_own(service: Served) -> None:
    """A server that forks its workers after the client was used does not leave them waiting."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKED, service.url, KEY], capture_output=True, text=True, check=True
    )
    assert done.stdout == "allow allow 0\n"


async def test_a_service_that_is_not_there_denies() -> None:
    """Also where the address is none."""
    for url in ("http://127.0.0.1:1", "http://[", "ftp://x", "nonsense"):
        with client.open_service(url, timeout=5) as there:
            assert client.evaluate(there, "evidence", {}, NOW).outcome == "deny"
            assert (await client.evaluate_async(there, "evidence", {}, NOW)).outcome == "deny"
            assert (await there.ask(Question(text="x"), Context())).status == "refused"


@pytest.mark.parametrize("facts", [{"plan": {"result_limit": math.nan}}, {"plan": object()}, 3, None, [], {1: 2}])
def test_facts_that_json_cannot_carry_are_denied(facts: object) -> None:
    """Without a request."""
    with client.open_service("http://127.0.0.1:1") as there:
        decision = client.evaluate(there, "plan", facts, NOW)
    assert decision.outcome == "deny"


class Raising(dict[str, Any]):
    """A mapping that raises when it is looked at."""

    def items(self) -> Any:
        raise ZeroDivisionError

    keys = __iter__ = items


NAIVE = datetime(2026, 4, 15)
FAULTY: list[dict[str, Any]] = [
    {"now": NAIVE}, {"now": "2026"}, {"now": None}, {"now": 2026}, {"now": NAIVE.date()},
    {"now": datetime.max.replace(tzinfo=timezone(timedelta(hours=-10)))},
    {"as_of": NAIVE}, {"as_of": "2026"}, {"as_of": 0},
    {"gate": "nowhere"}, {"gate": ["evidence"]}, {"gate": None}, {"gate": 3},
    {"pins": "freshness"}, {"pins": ["a"]}, {"pins": {"a": 1}}, {"pins": {1: "1.0.0"}},
    {"can": "as_of"}, {"can": 3}, {"can": [1]}, {"can": None},
    {"facts": {"evidence": [{"id": "a", "authority_score": math.nan}]}}, {"facts": {"evidence": object()}},
    {"facts": {"evidence": [{"id": "a", "snippet": "\ud800"}]}}, {"facts": {"evidence": [{"id": "a", "dated_at": NAIVE}]}},
    {"facts": {1: 2}}, {"facts": object()}, {"facts": []}, {"facts": "{}"}, {"facts": Question(text="x")},
    {"facts": {"evidence": [{"id": "a", "raw_metadata": 2**60}]}}, {"facts": Raising(a=1)},
]  # fmt: skip
"""Arguments that are wrong whatever the rules are."""


@pytest.mark.parametrize("index", range(len(FAULTY)))
async def test_faulty_arguments_are_denied_as_in_process(tmp_path: Path, index: int) -> None:
    """By the same rule with the same words, without a request, with and without blocking."""
    given: dict[str, Any] = {"gate": "evidence", "facts": evidence_facts(), "now": NOW} | FAULTY[index]
    local = groundrule.evaluate(open_rules(write_rules(tmp_path)), **given)
    (wanted,) = local.violations
    with client.open_service("http://127.0.0.1:1") as there:
        for remote in (client.evaluate(there, **given), await client.evaluate_async(there, **given)):
            (violation,) = remote.violations
            assert (violation.rule, violation.message) == (wanted.rule, wanted.message)
            assert (remote.outcome, remote.gate, remote.now, remote.as_of) == ("deny", local.gate, local.now, local.as_of)
            assert remote.fault
            DecisionRecord.model_validate(remote.to_json())


@pytest.mark.parametrize("given", [{"pins": Raising(a="b")}, {"rules": None}, {"rules": "http://127.0.0.1:1"}, {"can": ["\ud800"]}])
async def test_whatever_arguments_raise_denies(given: dict[str, Any]) -> None:
    """Nothing is raised, and nothing of it is shown."""
    with client.open_service("http://127.0.0.1:1") as there:
        asked: dict[str, Any] = {"rules": there, "gate": "evidence", "facts": {}, "now": NOW} | given
        for decision in (client.evaluate(**asked), await client.evaluate_async(**asked)):
            assert (decision.outcome, decision.admitted) == ("deny", ())
            DecisionRecord.model_validate(decision.to_json())
        wrong: Any = "weather"
        assert (await there.ask(wrong, Context())).status == "refused"
    assert client.evaluate(there, "evidence", {}, NOW).outcome == "deny"


async def test_records_and_frozen_facts_are_sent_as_what_they_are(service: Served) -> None:
    """In a mapping, alone, or made by a rule set here."""
    here = open_rules(service.folder / "rules")
    plain = evidence_facts()
    wanted = groundrule.evaluate(here, "evidence", plain, NOW).to_json()
    record = here.facts("evidence", plain).known
    items: Any = record.evidence  # type: ignore[attr-defined]
    with client.open_service(service.url, key=KEY) as there:
        for facts in (record, here.facts("evidence", plain), plain | {"evidence": list(items)}):
            assert (await client.evaluate_async(there, "evidence", facts, NOW)).to_json() == wanted
        other = client.evaluate(there, "plan", here.facts("evidence", plain), NOW)
        assert other.violations[0].rule == "ENGINE-FACTS"


def test_a_key_is_never_shown(tmp_path: Path) -> None:
    """Neither by repr nor by a fault."""
    with client.open_service("http://127.0.0.1:1", key=KEY) as there:
        assert KEY not in repr(there)
        assert KEY not in repr(client.evaluate(there, "plan", {}, NOW))
