"""The connections of a client: an event loop in a thread of its own, on which every call has one deadline for all of it.

A blocking read has its deadline anew each time, so a server that sends its head byte by byte could hold a caller for
ever. Calls with and without blocking share the loop and its connections.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

MAX_ANSWER = 32 << 20
"""Bytes of an answer; a longer one is no answer."""
_SLACK = 1.0
"""Seconds beyond its deadline after which a call is given up, should the loop itself stand still."""
_END = 5.0
"""Seconds that closing may take."""
Answer = tuple[int, bytes]
"""Status and body."""


class Unanswered(Exception):
    """There is no answer that can be used. The message says why, without a word of the answer."""


@dataclass(frozen=True)
class _Line:
    """A running loop with its connections. pid: the process whose it is; a child has no thread of its parent's."""

    loop: asyncio.AbstractEventLoop
    thread: threading.Thread
    client: httpx2.AsyncClient
    pid: int


class Connection:
    """Sends requests until it is closed; may be shared by threads, tasks and event loops. headers: of every request."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        self._headers = headers
        self._lock = threading.Lock()
        self._line: _Line | None = None
        self._closed = False

    def post(self, url: str, body: bytes, timeout: float) -> Answer:
        """The answer. timeout: seconds for all of it. Raises Unanswered."""
        call = self._call(url, body, timeout)
        try:
            return call.result(timeout + _SLACK)
        except (TimeoutError, concurrent.futures.CancelledError):
            raise Unanswered("it was late") from None
        finally:
            call.cancel()

    async def post_async(self, url: str, body: bytes, timeout: float) -> Answer:
        """The same without blocking. Raises Unanswered. One who is cancelled takes the request along."""
        return await asyncio.wrap_future(self._call(url, body, timeout))

    def close(self) -> None:
        """Closes every connection; what is under way is not answered."""
        with self._lock:
            self._closed, line, self._line = True, self._line, None
        if line is None or line.pid != os.getpid():
            return
        ending = asyncio.run_coroutine_threadsafe(_end(line.client), line.loop)
        with suppress(TimeoutError):
            ending.result(_END)
        line.loop.call_soon_threadsafe(line.loop.stop)
        line.thread.join(_END)
        if not line.thread.is_alive():
            line.loop.close()

    def _call(self, url: str, body: bytes, timeout: float) -> concurrent.futures.Future[Answer]:
        with self._lock:
            if self._closed:
                raise Unanswered("it was closed")
            if self._line is None or self._line.pid != os.getpid():
                self._line = _open(self._headers)
            line = self._line
            return asyncio.run_coroutine_threadsafe(self._sent(line.client, url, body, timeout), line.loop)

    async def _sent(self, client: httpx2.AsyncClient, url: str, body: bytes, timeout: float) -> Answer:
        import httpx2

        try:
            async with asyncio.timeout(timeout), client.stream("POST", url, content=body) as answer:
                parts, size = [], 0
                async for part in answer.aiter_raw():
                    size += len(part)
                    if size > MAX_ANSWER:
                        raise Unanswered("its answer is too large")
                    parts.append(part)
                return answer.status_code, b"".join(parts)
        except (TimeoutError, httpx2.TimeoutException):
            raise Unanswered("it was late") from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise Unanswered(f"it cannot be reached ({type(error).__name__})") from None
        except asyncio.CancelledError:
            if self._closed:
                raise Unanswered("it was closed") from None
            raise


def _open(headers: Mapping[str, str]) -> _Line:
    import httpx2

    client = httpx2.AsyncClient(headers=headers, timeout=None, follow_redirects=False)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="groundrule-client", daemon=True)
    thread.start()
    return _Line(loop, thread, client, os.getpid())


async def _end(client: httpx2.AsyncClient) -> None:
    calls = asyncio.all_tasks() - {asyncio.current_task()}
    for call in calls:
        call.cancel()
    if calls:
        await asyncio.wait(calls, timeout=_END / 2)
    await client.aclose()
