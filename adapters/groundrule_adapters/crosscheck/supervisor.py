"""Keeps the worker: starts it, asks it, ends it whenever it is late, silent or strange."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import threading
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import Any

MAX_REQUEST = 48 << 10
"""Bytes; less than a pipe holds, so that writing never waits for the worker."""
MAX_ANSWER = 16 << 10
WORKER = (sys.executable, "-I", "-B", str(Path(__file__).with_name("worker.py")))


class WorkerFault(Exception):
    """The worker gave no answer that counts. The message says why, on one line."""


class Worker:
    """A process that answers a line of JSON with a line of JSON. After a fault the next question starts a new one."""

    def __init__(self, command: Sequence[str] = WORKER) -> None:
        self._command = tuple(command)
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def open(self, limit: timedelta) -> None:
        """Starts the process, if there is none, and waits until it is ready. Raises WorkerFault."""
        self._within(limit, None)

    def ask(self, question: dict[str, Any], limit: timedelta) -> Any:
        """The answer to a question, start included. Raises WorkerFault."""
        line = json.dumps(question).encode() + b"\n"
        if len(line) > MAX_REQUEST:
            raise WorkerFault("the question is too long")
        return self._within(limit, line)

    def close(self) -> None:
        """Ends the process, if there is one."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()

    def _within(self, limit: timedelta, line: bytes | None) -> Any:
        until = monotonic() + limit.total_seconds()
        if not self._lock.acquire(timeout=max(limit.total_seconds(), 0)):
            raise WorkerFault("the worker is busy")
        answered = False
        try:
            answer = self._started(until) if line is None else self._exchanged(line, until)
            answered = True
            return answer
        except OSError as why:
            raise WorkerFault(f"the worker cannot be reached: {why.strerror}") from None
        finally:
            if not answered:
                self.close()
            self._lock.release()

    def _started(self, until: float) -> subprocess.Popen[bytes]:
        if self._process is not None:
            return self._process
        self._process = process = subprocess.Popen(
            self._command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={},
            cwd="/",
            start_new_session=True,
        )
        said = _read(process, until)
        if said != {"ready": True}:
            reason = said.get("failed") if isinstance(said, dict) else None
            raise WorkerFault(str(reason or "the worker does not start as it should"))
        return process

    def _exchanged(self, line: bytes, until: float) -> Any:
        process = self._started(until)
        if process.stdin is None or process.stdin.write(line) != len(line):
            raise WorkerFault("the question was not taken")
        return _read(process, until)


def _read(process: subprocess.Popen[bytes], until: float) -> Any:
    """One line, and nothing behind it, as JSON."""
    if process.stdout is None:
        raise WorkerFault("the worker has no output")
    found = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while not found.endswith(b"\n"):
            if not selector.select(max(until - monotonic(), 0)):
                raise WorkerFault("no answer in time")
            part = os.read(process.stdout.fileno(), MAX_ANSWER)
            if not part:
                raise WorkerFault(_end(process, until))
            found += part
            if len(found) > MAX_ANSWER or b"\n" in found[:-1]:
                raise WorkerFault("more than one short line of answer")
    try:
        return json.loads(found)
    except (ValueError, RecursionError):
        raise WorkerFault("an answer that is no JSON") from None


def _end(process: subprocess.Popen[bytes], until: float) -> str:
    try:
        code = process.wait(max(until - monotonic(), 0))
    except subprocess.TimeoutExpired:
        return "the worker closed its output"
    return f"the worker ended with {f'signal {-code}' if code < 0 else f'code {code}'}"
