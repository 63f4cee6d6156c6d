"""The child process of a stdio server, and its two pipes as the SDK wants them.

Ours instead of the SDK's own transport for three reasons. A message is measured while it arrives, so that one of
50 MiB is refused after the first 4 and not copied together first. The child's stderr goes to a ring of a few KiB,
never to our own stderr and never to disk. And at the end the whole process group dies, at once if it misbehaved.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio

from .config import Launch
from .faults import McpFailure

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.client._transport import ReadStream, WriteStream
    from mcp.shared.message import SessionMessage

MAX_MESSAGE = 4 << 20
"""Bytes of one message of a server."""
MAX_UNASKED = 10_000
"""Lines between two answers: log lines on stdout, notifications, requests of the server."""
_RING = 8 << 10
_CALM = 1 << 20
"""Bytes of stderr after which it is read slowly: a server that floods it waits, not we."""
_OUTSTANDING = 64
_LOOK = 0.1
"""Seconds between two looks at whether the server still runs."""
_GRACE, _TERM_GRACE, _REAP = 1.0, 0.5, 2.0
"""Seconds: to leave by itself once stdin is closed; after SIGTERM; until the kill is seen."""


class Ring:
    """The last bytes of a stream."""

    def __init__(self, size: int = _RING) -> None:
        self._size = size
        self._bytes = bytearray()

    def add(self, chunk: bytes) -> None:
        """Appends, and forgets what is older than the ring is long."""
        self._bytes += chunk[-self._size :]
        del self._bytes[: -self._size]

    def last_line(self) -> str:
        """The last line that is not blank, or nothing."""
        lines = self._bytes.decode("utf-8", "replace").splitlines()
        return next((line.strip() for line in reversed(lines) if line.strip()), "")


@dataclass
class Pipe:
    """A connection to a server. `ended` is set when it is over; `fault` says why, None if we asked for it.

    remark: what the transport saw last that the protocol does not tell, such as refused credentials.
    """

    read: ReadStream[SessionMessage | Exception]
    write: WriteStream[SessionMessage]
    stderr: Ring = field(default_factory=Ring)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    fault: McpFailure | None = None
    remark: McpFailure | None = None

    def end(self, fault: McpFailure | None = None) -> None:
        """Marks the connection as over. The first reason stays."""
        if not self.ended.is_set():
            self.fault = fault
            self.ended.set()


@asynccontextmanager
async def connect(launch: Launch) -> AsyncIterator[Pipe]:
    """A server process for as long as the block runs. Raises OSError or ValueError if it cannot be started."""
    process = await asyncio.create_subprocess_exec(
        launch.command,
        *launch.args,
        env=dict(launch.env),
        cwd=launch.cwd,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=MAX_MESSAGE,
        start_new_session=True,
    )
    inward, read = anyio.create_memory_object_stream["SessionMessage | Exception"](0)
    # A buffer, so that neither a request nor the notice that it is given up ever waits for a server that hangs.
    write, outward = anyio.create_memory_object_stream["SessionMessage"](_OUTSTANDING)
    pipe = Pipe(read, write)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_drain_stderr, process, pipe)
            tasks.start_soon(_read_stdout, process, pipe, inward)
            tasks.start_soon(_write_stdin, process, outward)
            tasks.start_soon(_watch, process, pipe)
            asked = False
            try:
                yield pipe
                asked = pipe.fault is None
            finally:
                pipe.end()
                with anyio.CancelScope(shield=True):
                    await _stop(process, gently=asked)
                tasks.cancel_scope.cancel()
    finally:
        _signal_group(process, _KILL)  # once more without waiting: a second cancellation may have cut `_stop` short
        for stream in (read, write, inward, outward):
            stream.close()


async def _read_stdout(
    process: asyncio.subprocess.Process,
    pipe: Pipe,
    inward: MemoryObjectSendStream[SessionMessage | Exception],
) -> None:
    assert process.stdout is not None
    unasked = 0
    with inward:
        while not pipe.ended.is_set():
            try:
                line = await process.stdout.readuntil(b"\n")
            except asyncio.LimitOverrunError:
                pipe.end(McpFailure("refused", f"a message of more than {MAX_MESSAGE >> 20} MiB", gone=True))
                return
            except (asyncio.IncompleteReadError, OSError):
                pipe.end(await _how_it_ended(process, pipe))
                return
            message = _parsed(line)
            if isinstance(message, McpFailure):
                pipe.end(message)
                return
            unasked = 0 if message is not None and _is_answer(message) else unasked + 1
            if unasked > MAX_UNASKED:
                pipe.end(McpFailure("failed", f"more than {MAX_UNASKED:,} lines without an answer", gone=True))
                return
            if message is not None:
                try:
                    await inward.send(message)
                except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                    pipe.end()
                    return


def _parsed(line: bytes) -> SessionMessage | McpFailure | None:
    """The message of a line; None for a line of something else, which servers print to stdout by mistake."""
    from mcp.shared.message import SessionMessage
    from mcp_types import jsonrpc_message_adapter

    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError:
        if line.lstrip().startswith(b"{") and b'"jsonrpc"' in line:
            return McpFailure("failed", "a message that is not valid JSON-RPC", gone=True)
        return None


def _is_answer(message: SessionMessage) -> bool:
    from mcp_types import JSONRPCError, JSONRPCResponse

    return isinstance(message.message, (JSONRPCError, JSONRPCResponse))


async def _write_stdin(process: asyncio.subprocess.Process, outward: MemoryObjectReceiveStream[SessionMessage]) -> None:
    assert process.stdin is not None
    with outward:
        async for message in outward:
            line = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            try:
                process.stdin.write(line.encode() + b"\n")
                await process.stdin.drain()
            except OSError:
                return  # stdout tells how the process ended


async def _drain_stderr(process: asyncio.subprocess.Process, pipe: Pipe) -> None:
    assert process.stderr is not None
    seen = 0
    while chunk := await process.stderr.read(1 << 16):
        pipe.stderr.add(chunk)
        seen += len(chunk)
        if seen > _CALM:
            await asyncio.sleep(0.01)


async def _watch(process: asyncio.subprocess.Process, pipe: Pipe) -> None:
    """Notices the end of a server whose output does not end, because a process that it started holds it open."""
    while process.returncode is None:
        await asyncio.sleep(_LOOK)
    await asyncio.sleep(_LOOK)  # what it wrote last is read meanwhile
    pipe.end(await _how_it_ended(process, pipe))


async def _how_it_ended(process: asyncio.subprocess.Process, pipe: Pipe) -> McpFailure:
    await _exited(process, 0.5)
    await asyncio.sleep(0.01)  # what it said last on stderr arrives in the same turn of the loop or the next
    code = process.returncode
    if code is None:
        how = "the server closed its output"
    elif code < 0:
        how = f"the server was ended by signal {-code}"
    else:
        how = f"the server ended with exit code {code}"
    return McpFailure("failed", how, said=pipe.stderr.last_line(), gone=True)


async def _exited(process: asyncio.subprocess.Process, seconds: float) -> bool:
    # Polled, since `process.wait()` also waits for the pipes, which a grandchild may hold open.
    with anyio.move_on_after(seconds):
        while process.returncode is None:
            await asyncio.sleep(0.005)
    return process.returncode is not None


async def _stop(process: asyncio.subprocess.Process, *, gently: bool) -> None:
    """Ends the server and everything it started. At the end its group has been killed."""
    if process.stdin is not None:
        process.stdin.close()
    if gently and not await _exited(process, _GRACE):
        _signal_group(process, signal.SIGTERM)
        await _exited(process, _TERM_GRACE)
    _signal_group(process, _KILL)
    await _exited(process, _REAP)
    # asyncio closes its transport only when every pipe is at its end, and a process that left the group may hold
    # one open. Nothing public closes it.
    transport = getattr(process, "_transport", None)
    if isinstance(transport, asyncio.SubprocessTransport):
        transport.close()


_KILL = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL


def _signal_group(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    """Signals the server's process group; the leader's id is the group's, also when the leader is gone."""
    try:
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, number)
    except (ProcessLookupError, PermissionError):
        return  # nothing of it is left, or nothing that we may touch
