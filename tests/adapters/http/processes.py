"""A real `groundrule serve` in a process of its own, and what is needed to talk to it byte by byte."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2

ROOT = Path(__file__).resolve().parents[3]
SLOW_SERVER = Path(__file__).with_name("slow_server.py")
LONGEST = 120.0
"""Seconds after which a process that does not do what it should fails the test."""


@dataclass
class Served:
    """A service that is ready. port: where. log, access: the files with what it wrote."""

    process: subprocess.Popen[bytes]
    port: int
    folder: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        return (self.folder / "stderr").read_text(encoding="utf-8")

    @property
    def access(self) -> str:
        return (self.folder / "stdout").read_text(encoding="utf-8")

    def stop(self) -> int:
        """Tells it to stop, and waits; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(LONGEST)

    def connect(self) -> socket.socket:
        """A connection whose bytes are ours."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=LONGEST)


def command(folder: Path, *arguments: str) -> list[str]:
    """The call of `groundrule serve` on a free port with the settings of a folder."""
    groundrule = str(Path(sys.executable).with_name("groundrule"))
    return [groundrule, "serve", "--port", "0", "--settings", str(folder / "groundrule.toml"), *arguments]


def environment(folder: Path) -> dict[str, str]:
    """Ours, with the state in the folder and the tests on the path."""
    return {**os.environ, "GROUNDRULE_HOME": str(folder / "home"), "PYTHONPATH": str(ROOT)}


@contextmanager
def served(folder: Path, toml: str = "", *arguments: str) -> Iterator[Served]:
    """Starts a service and waits until it is ready; ends it with the block."""
    (folder / "groundrule.toml").write_text(toml, encoding="utf-8")
    with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as err:
        process = subprocess.Popen(
            command(folder, *arguments), cwd=folder, env=environment(folder), stdout=out, stderr=err
        )
    running = Served(process, 0, folder)
    try:
        wait_for(lambda: _port(running) is not None or process.poll() is not None)
        port = _port(running)
        assert port is not None, running.log
        running.port = port
        wait_for(lambda: _ready(running))
        yield running
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(LONGEST)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _port(running: Served) -> int | None:
    found = re.search(r"serves http://[^ ]+:(\d+) ", running.log)
    return None if found is None else int(found[1])


def _ready(running: Served) -> bool:
    assert running.process.poll() is None, running.log
    try:
        return httpx2.get(f"{running.url}/ready", timeout=LONGEST, trust_env=False).status_code == 200
    except httpx2.TransportError:
        return False


def wait_for(condition: Callable[[], bool]) -> None:
    """Waits until something holds."""
    end = time.monotonic() + LONGEST
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("it did not happen")
        time.sleep(0.02)


def slow_sources(folder: Path, seconds: float) -> None:
    """An `mcp.json` in the state folder with the one slow server."""
    entry = {
        "command": sys.executable,
        "args": [str(SLOW_SERVER), "--seconds", str(seconds), "--folder", str(folder)],
        "env": {"PYTHONPATH": str(ROOT)},
        "mapping": "sample",
    }
    (folder / "home").mkdir(exist_ok=True)
    (folder / "home" / "mcp.json").write_text(json.dumps({"mcpServers": {"slow": entry}}), encoding="utf-8")


def request(path: str, body: bytes = b"", *headers: str, method: str = "POST") -> bytes:
    """The bytes of a request."""
    lines = [f"{method} {path} HTTP/1.1", "host: localhost", "content-type: application/json", *headers]
    if not any(header.lower().startswith(("content-length", "transfer-encoding")) for header in headers):
        lines.append(f"content-length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def until_closed(connection: socket.socket) -> bytes:
    """Everything that arrives until the other side closes."""
    parts = []
    while part := connection.recv(65_536):
        parts.append(part)
    return b"".join(parts)
