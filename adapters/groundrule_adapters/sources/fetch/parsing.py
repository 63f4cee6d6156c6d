"""Bytes from outside are parsed in a process of their own, which ends when its time is up.

No parser of HTML is quick on every input, and the ones that matter are written in C. In a process a page can at worst
cost its own evidence: not the deadline of a run, not the memory of the service, and it sees no secret of ours.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from .failure import FetchFailure

MAX_RESULT = 4 << 20
"""Bytes of what a task may hand back."""
_KEPT_VARIABLES = ("PATH", "PYTHONPATH", "PYTHONHOME", "SYSTEMROOT", "LANG", "LC_ALL")
_PROCESS = f"{__package__}.parsing_process"


async def parsed(task: str, body: bytes, note: Mapping[str, Any], deadline: float) -> dict[str, Any]:
    """What the function `module:name` of ours makes of the bytes: a JSON object.

    note: its keyword arguments, JSON values. deadline: on the clock of the event loop. Raises FetchFailure.
    """
    environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", _PROCESS),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=environment,
        )
    except OSError as error:  # no file descriptors, no memory, or no processes left
        raise FetchFailure("failed", f"no process can be started that parses: {error.strerror}") from None
    try:
        async with asyncio.timeout_at(deadline):
            order = json.dumps({"task": task, "note": note}).encode()
            answer, _ = await asyncio.gather(_read(process), _write(process, order + b"\n" + body))
            ended = await process.wait()
    except TimeoutError:
        raise FetchFailure("timeout", "the page could not be read in time") from None
    finally:
        with contextlib.suppress(ProcessLookupError):  # it has ended by itself
            process.kill()
        await process.wait()
    if ended != 0 or len(answer) > MAX_RESULT:
        raise FetchFailure("failed", "the page could not be parsed")
    try:
        result = json.loads(answer)
    except ValueError:  # something else wrote into its output
        result = None
    if not isinstance(result, dict):
        raise FetchFailure("failed", "the page could not be parsed")
    return result


async def _read(process: asyncio.subprocess.Process) -> bytes:
    assert process.stdout is not None
    answer = bytearray()
    while len(answer) <= MAX_RESULT and (piece := await process.stdout.read(1 << 16)):
        answer += piece
    return bytes(answer)


async def _write(process: asyncio.subprocess.Process, content: bytes) -> None:
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it has ended; its exit code says how
        process.stdin.write(content)
        await process.stdin.drain()
        process.stdin.close()
