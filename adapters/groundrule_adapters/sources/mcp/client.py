"""One client per server: started when first needed, owned by one task, opened again after a failure.

An SDK session must be closed by the task that opened it, so an owner task holds it and callers use it from their
own tasks. A call that runs out of time is cancelled at the server too, and leaves it suspect: before the next call it
has to list its tools within a second, else its connection is ended and a new one opened. A server that forgot its
session is introduced to again, and the call that it did not hear is made once more. Servers that fail in a row are left
alone for a growing while.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import process, remote
from .breaker import Breaker
from .config import Endpoint, Launch
from .faults import McpFailure
from .process import Pipe
from .schema import Checker, unchecked_formats

if TYPE_CHECKING:
    from mcp import ClientSession, MCPError
    from mcp_types import CallToolResult, Tool

# Without a handler of the application's, Python prints warnings of the SDK, server text included, to our stderr.
logging.getLogger("mcp").addHandler(logging.NullHandler())

MOST_PAGES, MOST_TOOLS = 50, 1_000
_FORGOTTEN = ("Session not found", "Session terminated")
"""What servers and the SDK say when a server does not know the session any more."""
_PROBE = 1.0
"""Seconds that a suspect server has to show that it lives."""


@dataclass(eq=False)
class Live:
    """An open connection: its session, the tools it listed, and who answers at the other end.

    changed: whether the server said that its tools are others now.
    """

    session: ClientSession
    pipe: Pipe
    tools: Mapping[str, Tool]
    about: Mapping[str, str]
    suspect: bool = False
    changed: bool = False
    checkers: dict[tuple[str, str], Checker] = field(default_factory=dict)


class McpClient:
    """Calls tools of one server. Every method ends at its deadline, which is a time of the running loop's clock.

    Whatever goes wrong is raised as McpFailure; only cancellation passes through. A client may be used from any
    task of one event loop; used from another loop it begins anew.
    """

    def __init__(self, launch: Launch | Endpoint) -> None:
        self._launch = launch
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = asyncio.Lock()
        self._live: Live | None = None
        self._owners: set[asyncio.Task[None]] = set()
        self._breaker = Breaker()

    async def connection(self, deadline: float) -> Live:
        """A connection on which a call can be made."""
        self._attach()
        try:
            async with asyncio.timeout_at(deadline), self._lock:
                if self._live is not None and self._live.suspect:
                    await self._probe(self._live)
                if self._live is not None and self._live.changed:
                    await self._list_again(self._live)
                if self._live is None or self._live.pipe.ended.is_set():
                    self._live = await self._open()
                return self._live
        except TimeoutError:
            raise McpFailure("timeout", "the server was not ready in time", gone=True) from None

    async def call(self, live: Live, tool: str, arguments: Mapping[str, Any], deadline: float) -> CallToolResult:
        """What the tool returned, the error flag included. The caller looks at the flag first."""
        try:
            return await self._called(live, tool, arguments, deadline)
        except _Unheard as unheard:
            again = await self.connection(deadline)
            if again.tools.get(tool) != live.tools.get(tool):
                raise McpFailure("failed", f"the server came back with another tool `{tool}`", gone=True) from unheard
        try:
            return await self._called(again, tool, arguments, deadline)
        except _Unheard as unheard:
            raise McpFailure("failed", "the server forgets its sessions", gone=True) from unheard

    async def _called(self, live: Live, tool: str, arguments: Mapping[str, Any], deadline: float) -> CallToolResult:
        from mcp import MCPError
        from mcp_types import CallToolRequest, CallToolRequestParams, CallToolResult
        from pydantic import ValidationError

        request = CallToolRequest(params=CallToolRequestParams(name=tool, arguments=dict(arguments)))
        progress = _Progress()
        try:
            async with asyncio.timeout_at(deadline):
                # Not `session.call_tool`, which would check the result against the output schema by its own
                # means: without formats, and with the result's text in its message. `schema.Checker` does.
                result = await live.session.send_request(request, CallToolResult, progress_callback=progress)
        except TimeoutError:
            live.suspect = True
            reason = f"the tool `{tool}` did not answer in time{progress.words}"
            raise McpFailure("timeout", reason, gone=True) from None
        except asyncio.CancelledError:
            live.suspect = True
            raise
        except MCPError as error:
            raise self._failed(error, live.pipe) from error
        except ValidationError as error:
            self._breaker.succeeded()
            raise McpFailure("failed", "the result is not of the protocol", said=_where(error)) from error
        self._breaker.succeeded()
        return result

    def _failed(self, error: MCPError, pipe: Pipe) -> McpFailure:
        """What an error of the protocol means for the call."""
        from mcp_types import CONNECTION_CLOSED, INVALID_REQUEST

        if error.code == INVALID_REQUEST and error.message in _FORGOTTEN:
            pipe.end()
            return _Unheard("failed", "the server forgot the session", gone=True)
        if error.code == CONNECTION_CLOSED:
            pipe.end(pipe.remark or McpFailure("failed", "the connection was closed", gone=True))
        if pipe.ended.is_set():
            return _ended(pipe)
        if pipe.remark is not None:
            return pipe.remark
        self._breaker.succeeded()
        return McpFailure("failed", f"the server answered with error {error.code}", said=error.message)

    async def close(self) -> None:
        """Ends the server and everything it started. The client may be used again afterwards."""
        if self._loop is not asyncio.get_running_loop():
            return  # the loop that it ran on took its tasks along, and they the process
        async with self._lock:
            if self._live is not None:
                self._live.pipe.end()
                self._live = None
        if self._owners:
            await asyncio.wait(self._owners)

    def _attach(self) -> None:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._lock, self._live, self._owners = loop, asyncio.Lock(), None, set()
            self._breaker = Breaker()

    async def _probe(self, live: Live) -> None:
        from mcp import MCPError
        from pydantic import ValidationError

        live.suspect = False
        try:
            async with asyncio.timeout(_PROBE):
                await live.session.list_tools()
        except (TimeoutError, MCPError, ValidationError):
            live.pipe.end(McpFailure("timeout", "the server hangs", gone=True))
        except asyncio.CancelledError:
            live.suspect = True
            raise

    async def _list_again(self, live: Live) -> None:
        from mcp import MCPError
        from pydantic import ValidationError

        live.changed = False
        try:
            live.tools = await _all_tools(live.session)
            live.checkers.clear()
        except (MCPError, ValidationError):
            live.pipe.end(McpFailure("failed", "the server does not list its changed tools", gone=True))
        except asyncio.CancelledError:
            live.changed = True
            raise

    async def _open(self) -> Live:
        loop = asyncio.get_running_loop()
        pause = self._breaker.pause(loop.time())
        if pause:
            times = f"{self._breaker.failures} times in a row"
            raise McpFailure("failed", f"the server failed {times}; it is tried again in {pause:.1f} s", gone=True)
        ready: asyncio.Future[Live | McpFailure] = loop.create_future()
        owner = loop.create_task(self._own(ready))
        self._owners.add(owner)
        owner.add_done_callback(self._owners.discard)
        try:
            opened = await asyncio.shield(ready)
        except asyncio.CancelledError:
            owner.cancel()
            raise
        if isinstance(opened, McpFailure):
            raise opened
        return opened

    async def _own(self, ready: asyncio.Future[Live | McpFailure]) -> None:
        """Holds one connection from its start to its end. `ready` gets exactly one value."""
        loop = asyncio.get_running_loop()
        failure: McpFailure | None = McpFailure("failed", "the server did not start", gone=True)
        pipe: Pipe | None = None
        try:
            async with _connected(self._launch) as pipe:
                # Imported only now: the server starts up meanwhile, and these imports take longer than its start.
                from mcp import ClientSession

                missing = unchecked_formats()
                if missing:
                    said = "install rfc3339-validator and rfc3986-validator"
                    failure = McpFailure("failed", f"the formats {missing} cannot be checked", said=said, gone=True)
                    return
                notices = _Notices()
                async with ClientSession(pipe.read, pipe.write, message_handler=notices) as session:
                    opened = await self._introduce(session, pipe)
                    if isinstance(opened, Live):
                        notices.live = opened
                        ready.set_result(opened)
                        await _until_ended(opened)
                        failure = pipe.fault
                    else:
                        failure = opened
                        pipe.end(failure)
        except (OSError, ValueError) as error:
            reason = error.strerror or str(error) if isinstance(error, OSError) else str(error)
            said = f"{self._launch.shown}: {reason}"
            failure = McpFailure("failed", "the server cannot be started", said=said, gone=True)
        except ExceptionGroup as group:
            broke = McpFailure("failed", "the connection broke", said=str(_innermost(group)), gone=True)
            failure = (pipe.fault or pipe.remark if pipe is not None else None) or broke
        finally:
            if failure is not None:
                self._breaker.failed(loop.time())
                if not ready.done():
                    ready.set_result(failure)

    async def _introduce(self, session: ClientSession, pipe: Pipe) -> Live | McpFailure:
        from mcp import MCPError
        from pydantic import ValidationError

        try:
            await _negotiate(session)
            return Live(session, pipe, await _all_tools(session), _about(session))
        except McpFailure as failure:
            return failure
        except MCPError as error:
            if pipe.ended.is_set():
                return _ended(pipe)
            if pipe.remark is not None:
                return pipe.remark
            return McpFailure(
                "failed", f"the server refused the connection ({error.code})", said=error.message, gone=True
            )
        except ValidationError as error:
            return McpFailure("failed", "the server does not follow the protocol", said=_where(error), gone=True)
        except RuntimeError:
            return McpFailure("failed", "the server speaks no version of the protocol that we speak", gone=True)


class _Unheard(McpFailure):
    """A call that the server did not carry out, because it did not know the session any more."""


class _Progress:
    """How far a call came, in the server's words."""

    def __init__(self) -> None:
        self.words = ""

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None:
        self.words = f"; it had done {progress:g}" + (f" of {total:g}" if total is not None else "")


class _Notices:
    """Takes what a server says unasked. Only that its tools changed is of interest."""

    def __init__(self) -> None:
        self.live: Live | None = None

    async def __call__(self, message: object) -> None:
        from mcp_types import ToolListChangedNotification

        if isinstance(message, ToolListChangedNotification) and self.live is not None:
            self.live.changed = True


def _connected(launch: Launch | Endpoint) -> AbstractAsyncContextManager[Pipe]:
    return process.connect(launch) if isinstance(launch, Launch) else remote.connect(launch)


async def _until_ended(live: Live) -> None:
    """Waits for the end of a connection, and meanwhile hears from a server of the newest protocol about its tools."""
    from mcp_types.version import MODERN_PROTOCOL_VERSIONS

    if live.session.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        await live.pipe.ended.wait()
        return
    hearing = asyncio.get_running_loop().create_task(_hear(live))
    try:
        await live.pipe.ended.wait()
    finally:
        hearing.cancel()
        await asyncio.wait([hearing])


async def _hear(live: Live) -> None:
    from mcp import MCPError
    from mcp.client.subscriptions import SubscriptionLost, listen

    try:
        async with listen(live.session, tools_list_changed=True) as notices:
            async for _ in notices:
                live.changed = True
    except (MCPError, SubscriptionLost, TimeoutError):
        return  # a server without such notices; a tool that it lacks is looked for again anyway


def _innermost(group: BaseExceptionGroup[BaseException]) -> BaseException:
    first = group.exceptions[0]
    return _innermost(first) if isinstance(first, BaseExceptionGroup) else first


async def _negotiate(session: ClientSession) -> None:
    """The handshake that every stdio server knows; discovery only where the server says that it knows no handshake.

    The other order costs ten seconds at each server that leaves unknown requests unanswered.
    """
    from mcp import MCPError
    from mcp_types import METHOD_NOT_FOUND, UNSUPPORTED_PROTOCOL_VERSION

    try:
        await session.initialize()
    except MCPError as error:
        if error.code not in (METHOD_NOT_FOUND, UNSUPPORTED_PROTOCOL_VERSION):
            raise
        await session.discover()


async def _all_tools(session: ClientSession) -> dict[str, Tool]:
    """Every page of the tool list. Raises McpFailure for a list without end."""
    from mcp_types import PaginatedRequestParams

    tools: dict[str, Tool] = {}
    cursors: set[str] = set()
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        page = await session.list_tools(params=PaginatedRequestParams(cursor=cursor))
        for tool in page.tools:
            tools.setdefault(tool.name, tool)
        cursor = page.next_cursor
        if cursor is None:
            return tools
        if cursor in cursors or len(tools) > MOST_TOOLS:
            break
        cursors.add(cursor)
    raise McpFailure("failed", "the server's list of tools has no end", gone=True)


def _about(session: ClientSession) -> dict[str, str]:
    info = session.server_info
    known = {"protocol": session.protocol_version}
    if info is not None:
        known |= {"name": info.name, "version": info.version}
    return {name: str(value)[:200] for name, value in known.items() if value is not None}


def _ended(pipe: Pipe) -> McpFailure:
    return pipe.fault or McpFailure("failed", "the connection was closed", gone=True)


def _where(error: Any) -> str:
    """Where a result departs from the protocol: the first place, without its content."""
    first = error.errors(include_input=False, include_url=False)[0]
    return ".".join(str(part) for part in first["loc"])
