"""The service as it runs: bytes on loopback, signals, children."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from tests.adapters.http.conftest import evidence_facts, write_rules
from tests.adapters.http.processes import (
    LONGEST,
    Served,
    command,
    environment,
    request,
    served,
    slow_sources,
    until_closed,
    wait_for,
)
from tests.adapters.http.test_rules import DENYING, FAULTY
from tests.engine.gateway.small_rules import PLAN

ASKED = json.dumps({"gate": "evidence", "facts": evidence_facts()}).encode()
QUESTION = json.dumps({"question": "广州天气怎么样"}).encode()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One service for everything that does not end it: small limits, short waits, sample servers."""
    folder = tmp_path_factory.mktemp("served")
    write_rules(folder / "rules")
    toml = 'rules = "rules"\n[service]\nhead_timeout = 1.0\nbody_timeout = 1.0\nmax_body = 100000\nreload = 0.05\n'
    with served(folder, toml) as running:
        yield running


def test_the_reply_of_a_real_process_is_kept_and_its_steps_are_sent(service: Served) -> None:
    """Over a real connection, with the sample servers behind it."""
    with httpx2.Client(base_url=service.url, timeout=LONGEST, trust_env=False) as client:
        body = {"question": "帮我看看未来 5 天的广州天气如何", "context": {"zone": "Asia/Shanghai"}}
        got = client.post("/v1/ask", json=body, headers={"accept": "text/event-stream"})
        names = [line.removeprefix("event: ") for line in got.text.splitlines() if line.startswith("event: ")]
        assert names[-1] == "reply"
        assert "progress" in names
        reply = json.loads(got.text.rsplit("data: ", 1)[1])
        run = client.get(f"/v1/runs/{reply['execution_id']}").json()
        assert run["reply"]["text"] == reply["text"]
    assert "广州" not in service.access + service.log


def test_a_head_that_begins_behind_a_large_body_is_no_large_head(service: Served) -> None:
    """Only the bytes of a head count for it, also where one write has a body and part of the next head."""
    large = request("/v1/evaluate", ASKED + b" " * 45_000)
    small = request("/v1/evaluate", ASKED, "connection: close")
    with service.connect() as connection:
        connection.sendall(large + small[:20])
        got = connection.recv(65_536)
        connection.sendall(small[20:])
        got += until_closed(connection)
    assert got.count(b"HTTP/1.1 200 OK") == 2, got


def test_pipelined_requests_are_answered_in_order(service: Served) -> None:
    """Three requests in one write, three answers."""
    bodies = [ASKED, b'{"gate":"plna","facts":{}}', ASKED]
    with service.connect() as connection:
        last = request("/v1/evaluate", bodies[2], "connection: close")
        connection.sendall(request("/v1/evaluate", bodies[0]) + request("/v1/evaluate", bodies[1]) + last)
        got = until_closed(connection)
    statuses = re.findall(rb"HTTP/1.1 (\d+) ", got)
    assert statuses == [b"200", b"422", b"200"]


@pytest.mark.parametrize("protocol", ["h2c", "websocket", "TLS/1.0"])
@pytest.mark.parametrize("cut", [None, 30, 200, 320])
def test_a_wish_for_another_protocol_is_ignored(service: Served, protocol: str, cut: int | None) -> None:
    """As curl and Java's client send it who would like HTTP/2: the body is read, also in chunks and between others."""
    wish = (f"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: {protocol}", "HTTP2-Settings: AAMAAABkAAQAoAAA")
    chunked = request("/v1/evaluate", b"%x\r\n%s\r\n0\r\n\r\n" % (len(ASKED), ASKED), *wish, "transfer-encoding: chunked")
    sent = request("/v1/evaluate", ASKED, *wish) + chunked + request("/v1/evaluate", b"{", *wish)
    sent += request("/v1/evaluate", ASKED, "connection: close")
    with service.connect() as connection:
        connection.sendall(sent[:cut])
        if cut is not None:
            time.sleep(0.1)
            connection.sendall(sent[cut:])
        got = until_closed(connection)
    assert re.findall(rb"HTTP/1.1 (\d+) ", got) == [b"200", b"200", b"400", b"200"], got
    assert "Unsupported" not in service.log


def test_a_body_that_says_it_is_too_large_is_refused_before_it_is_sent(service: Served) -> None:
    """Nothing of it needs to arrive, and a client that waits to be asked for it is not asked."""
    with service.connect() as connection:
        connection.sendall(request("/v1/evaluate", b"", "content-length: 999999999999", "expect: 100-continue"))
        got = until_closed(connection)
    assert got.startswith(b"HTTP/1.1 413 ")
    assert b"100 Continue" not in got
    assert b"GR809" in got


def test_a_body_without_length_is_cut_off_at_the_limit(service: Served) -> None:
    """Chunks are counted while they come."""
    with service.connect() as connection:
        connection.sendall(request("/v1/evaluate", b"", "transfer-encoding: chunked"))
        chunk = b"4000\r\n" + b" " * 0x4000 + b"\r\n"
        try:
            for _ in range(20):
                connection.sendall(chunk)
            got = until_closed(connection)
        except ConnectionError:
            got = b"HTTP/1.1 413 GR809"  # it was closed while we were still sending
    assert got.startswith(b"HTTP/1.1 413 ")


def test_a_body_that_drips_is_given_up(service: Served) -> None:
    """One byte now and then does not hold a place for ever."""
    with service.connect() as connection:
        connection.sendall(request("/v1/evaluate", b"{", "content-length: 1000"))
        stop = threading.Event()

        def drip() -> None:
            while not stop.wait(0.2):
                try:
                    connection.sendall(b" ")
                except OSError:
                    return

        dripping = threading.Thread(target=drip)
        dripping.start()
        got = until_closed(connection)
        stop.set()
        dripping.join()
    assert got.startswith(b"HTTP/1.1 408 ")
    assert b"GR808" in got


@pytest.mark.parametrize("begun", [b"", b"POST /v1/eval", b"POST /v1/evaluate HTTP/1.1\r\nhost: localhost\r\nx-a: b"])
def test_a_head_that_does_not_come_is_given_up(service: Served, begun: bytes) -> None:
    """Also where nothing is sent at all."""
    with service.connect() as connection:
        connection.sendall(begun)
        assert until_closed(connection) == b""


def test_a_head_without_end_is_given_up(service: Served) -> None:
    """One header of megabytes is not collected."""
    with service.connect() as connection:
        try:
            connection.sendall(b"POST /v1/evaluate HTTP/1.1\r\nhost: localhost\r\nx-a: ")
            for _ in range(64):
                connection.sendall(b"a" * 65_536)
            got = until_closed(connection)
        except ConnectionError:
            got = b"HTTP/1.1 431 "  # it was closed while we were still sending
    assert got.startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize(
    "bytes_sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /v1/evaluate HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n",
        b"POST /v1/evaluate HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\ncontent-length: 30\r\n\r\n{}",
        b"POST /v1/evaluate HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
)
def test_what_is_no_http_is_refused_and_the_next_request_works(service: Served, bytes_sent: bytes) -> None:
    """Two lengths, among them, which proxies would read differently."""
    with service.connect() as connection:
        connection.sendall(bytes_sent)
        assert until_closed(connection)[:12] in (b"HTTP/1.1 400", b"")
    assert httpx2.post(f"{service.url}/v1/evaluate", content=ASKED, headers={"content-type": "application/json"}, trust_env=False).status_code == 200  # fmt: skip


def test_a_client_that_leaves_before_its_body_is_whole_leaves_nothing_behind(service: Served) -> None:
    """The place that it held is free again."""
    for _ in range(20):
        with service.connect() as connection:
            connection.sendall(request("/v1/evaluate", b"{", "content-length: 1000"))

    def in_hand() -> str:
        text = httpx2.get(f"{service.url}/metrics", trust_env=False).text
        return next(line for line in text.splitlines() if line.startswith("groundrule_requests_in_hand"))

    wait_for(lambda: in_hand().endswith(" 1.0"))  # the one that asks
    assert in_hand().endswith(" 1.0")


def test_rules_are_reloaded_by_the_running_service(service: Served) -> None:
    """Valid ones come into force, invalid ones are named in the log."""
    body = json.dumps({"gate": "plan", "facts": {"plan": {"search_queries": ["q"]}}}).encode()

    def outcome() -> str:
        headers = {"content-type": "application/json"}
        got = httpx2.post(f"{service.url}/v1/evaluate", content=body, headers=headers, trust_env=False)
        said: str = got.json()["outcome"]
        return said

    assert outcome() == "allow"
    write_rules(service.folder / "rules", plan=DENYING)
    wait_for(lambda: outcome() == "deny")
    write_rules(service.folder / "rules", plan=FAULTY)
    wait_for(lambda: "are not taken over" in service.log)
    assert outcome() == "deny"
    write_rules(service.folder / "rules", plan=PLAN)
    wait_for(lambda: outcome() == "allow")


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_a_client_that_leaves_takes_its_run_along(tmp_path: Path, accept: str) -> None:
    """The call of the source's process is cancelled, no receipt is written, and the next question is answered."""
    slow_sources(tmp_path, 60)
    with served(tmp_path) as service:
        with service.connect() as connection:
            connection.sendall(request("/v1/ask", QUESTION, f"accept: {accept}"))
            wait_for((tmp_path / "called").exists)
        wait_for((tmp_path / "cancelled").exists)
        wait_for(lambda: '"status":499' in service.access or '"path":"/v1/ask","status":200' in service.access)
        assert httpx2.get(f"{service.url}/v1/runs", trust_env=False).json() == {"runs": []}
        assert service.stop() in (0, -signal.SIGTERM)
    wait_for(lambda: not _alive(int((tmp_path / "pid").read_text())))


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_stop_lets_finish_what_is_in_flight(tmp_path: Path) -> None:
    """The run that began before is answered and kept; nobody else is let in; the children are gone."""
    slow_sources(tmp_path, 1.5)
    with served(tmp_path) as service:
        with service.connect() as connection:
            connection.sendall(request("/v1/ask", QUESTION))
            wait_for((tmp_path / "called").exists)
            service.process.send_signal(signal.SIGTERM)
            got = until_closed(connection)
        assert service.process.wait(LONGEST) in (0, -signal.SIGTERM)
        with pytest.raises(httpx2.TransportError):
            httpx2.get(f"{service.url}/live", trust_env=False)
    assert got.startswith(b"HTTP/1.1 200 ")
    reply = json.loads(got.partition(b"\r\n\r\n")[2])
    listed = subprocess.run(
        [command(tmp_path)[0], "runs", "show", reply["execution_id"], "--json"],
        env=environment(tmp_path), capture_output=True, check=True,
    )  # fmt: skip
    assert json.loads(listed.stdout)["reply"]["text"] == reply["text"]
    wait_for(lambda: not _alive(int((tmp_path / "pid").read_text())))


def test_a_stop_refuses_what_cannot_finish_in_time(tmp_path: Path) -> None:
    """With a problem, and without a receipt."""
    slow_sources(tmp_path, 60)
    with served(tmp_path, "[service]\nstop_timeout = 1\n") as service:
        with service.connect() as connection:
            connection.sendall(request("/v1/ask", QUESTION))
            wait_for((tmp_path / "called").exists)
            service.process.send_signal(signal.SIGTERM)
            got = until_closed(connection)
        service.process.wait(LONGEST)
    assert got.startswith(b"HTTP/1.1 503 ")
    assert b"GR816" in got
    wait_for(lambda: not _alive(int((tmp_path / "pid").read_text())))


def test_a_worker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    """The service goes on meanwhile with the others."""
    write_rules(tmp_path / "rules")
    with served(tmp_path, 'rules = "rules"\n', "--workers", "2") as service:

        def workers() -> list[int]:
            return [int(pid) for pid in re.findall(r"Started server process \[(\d+)\]", service.log)]

        def answered() -> bool:
            try:
                got = httpx2.post(f"{service.url}/v1/evaluate", content=ASKED, headers=headers, trust_env=False)
            except httpx2.TransportError:
                return False
            assert got.status_code == 200
            return True

        headers = {"content-type": "application/json"}
        wait_for(lambda: len(workers()) == 2)
        os.kill(workers()[0], signal.SIGKILL)
        wait_for(answered)
        wait_for(lambda: len(workers()) == 3)
        assert all(answered() for _ in range(20))
        assert service.stop() in (0, -signal.SIGTERM)


def test_workers_share_store_metrics_and_rules(tmp_path: Path) -> None:
    """Runs of either are listed by either; counters are added up."""
    write_rules(tmp_path / "rules")
    with served(tmp_path, 'rules = "rules"\n[service]\nreload = 0.05\n', "--workers", "2") as service:
        headers = {"content-type": "application/json"}
        for _ in range(20):
            got = httpx2.post(f"{service.url}/v1/evaluate", content=ASKED, headers=headers, trust_env=False)
            assert got.status_code == 200
        text = httpx2.get(f"{service.url}/metrics", trust_env=False).text
        counts = [
            float(line.rsplit(" ", 1)[1])
            for line in text.splitlines()
            if line.startswith("groundrule_decisions_total{") and 'gate="evidence"' in line
        ]
        assert sum(counts) == 20
        write_rules(tmp_path / "rules", plan=DENYING)
        wait_for(lambda: service.log.count(" is in force after ") >= 2)
        assert service.stop() in (0, -signal.SIGTERM)


@pytest.mark.parametrize(
    ("toml", "arguments", "code", "said"),
    [
        ("", ["--host", "0.0.0.0"], 2, "without keys nothing but loopback is served"),
        ("", ["--host", "example.com"], 2, "without keys nothing but loopback is served"),
        ("[service]\nprot = 1\n", [], 2, "unknown key `prot` (did you mean `port`?)"),
        ('[[service.keys]]\nname = "a"\nroles = ["ask"]\n', [], 2, "either `sha256` or `key`"),
        ('[[service.keys]]\nname = "a"\nroles = ["ask"]\nkey = "${NO_SUCH_KEY}"\n', [], 2, "`NO_SUCH_KEY` is not set"),
        ('[[service.keys]]\nname = "a"\nroles = ["ask"]\nkey = "short"\n', [], 2, "at least 16 characters"),
        ('rules = "faulty"\n', [], 1, "serch_queries"),
        ('rules = "nowhere"\n', [], 1, "nowhere"),
    ],
)
def test_what_cannot_be_served_is_said_at_once(
    tmp_path: Path, toml: str, arguments: list[str], code: int, said: str
) -> None:
    """A wrong call ends with 2, faults of rules with 1, each with its sentence."""
    write_rules(tmp_path / "faulty", plan=FAULTY)
    (tmp_path / "groundrule.toml").write_text(toml, encoding="utf-8")
    ran = subprocess.run(
        command(tmp_path, *arguments), env=environment(tmp_path), cwd=tmp_path, capture_output=True, text=True,
        timeout=LONGEST,
    )  # fmt: skip
    assert ran.returncode == code, ran.stderr
    assert said in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_port_that_is_taken_is_a_wrong_call(service: Served, tmp_path: Path) -> None:
    """With a sentence that names it, and nothing of a library's log."""
    port = service.url.rsplit(":", 1)[1]
    (tmp_path / "groundrule.toml").touch()
    ran = subprocess.run(
        command(tmp_path, "--port", port), env=environment(tmp_path), cwd=tmp_path, capture_output=True, text=True,
        timeout=LONGEST,
    )  # fmt: skip
    assert ran.returncode == 2, ran.stderr
    assert f"port {port} cannot be listened on" in ran.stderr
    assert "level" not in ran.stderr


def test_a_new_key_opens_the_service_that_has_its_digest(tmp_path: Path) -> None:
    """What `groundrule keys new` prints is put into the settings as it stands."""
    groundrule = command(tmp_path)[0]
    made = subprocess.run([groundrule, "keys", "new", "--role", "evaluate"], capture_output=True, text=True, check=True)
    key, _, entry = made.stdout.partition("\n\n")
    with served(tmp_path, entry, "--host", "127.0.0.1") as service:
        headers = {"content-type": "application/json", "authorization": f"Bearer {key.removeprefix('key: ')}"}
        for given, status in ((headers, 200), ({**headers, "authorization": "Bearer no"}, 401)):
            got = httpx2.post(f"{service.url}/v1/evaluate", content=ASKED, headers=given, trust_env=False)
            assert got.status_code == status
        assert key.removeprefix("key: ") not in service.access + service.log


def test_a_request_without_host_is_refused_with_keys_too(tmp_path: Path) -> None:
    """HTTP/1.1 has it always, once; 1.0 knows none. An address asked by name is served with it."""
    groundrule = command(tmp_path)[0]
    made = subprocess.run([groundrule, "keys", "new", "--role", "evaluate"], capture_output=True, text=True, check=True)
    key, _, entry = made.stdout.partition("\n\n")
    authorization = f"authorization: Bearer {key.removeprefix('key: ')}"
    with served(tmp_path, entry) as service:
        for version, lines, status in (
            ("1.1", [authorization], b"400"),
            ("1.1", ["host: a", "host: a", authorization], b"400"),
            ("1.1", ["host: a", "authorization: Bearer no", authorization], b"400"),
            ("1.1", ["host: a", authorization], b"200"),
            ("1.0", [authorization], b"200"),
        ):
            head = [f"POST /v1/evaluate HTTP/{version}", "content-type: application/json", "connection: close", *lines]
            sent = "\r\n".join([*head, f"content-length: {len(ASKED)}"]).encode() + b"\r\n\r\n" + ASKED
            with service.connect() as connection:
                connection.sendall(sent)
                got = until_closed(connection)
            assert got.split(b" ", 2)[1] == status, (version, lines)
            assert (b"GR819" in got) == (status == b"400")
