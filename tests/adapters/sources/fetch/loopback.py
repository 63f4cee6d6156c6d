"""Web servers on loopback that answer byte by byte as a test says, and names that lead to them."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from ipaddress import ip_network

from groundrule_adapters.settings import FetchSettings
from groundrule_adapters.sources.fetch.fetcher import Fetcher

NOW = datetime(2026, 11, 29, 4, 0, tzinfo=UTC)
OPENED, CLOSED = "127.0.0.2", "127.0.0.1"
"""An address of loopback that the tests open, and one that stays as closed as it is for users."""

Script = Callable[[asyncio.StreamWriter], Awaitable[None]]
Answer = bytes | str | Script


@dataclass
class Site:
    """A server. requests: the heads that it got. connections: how often anybody connected. left: clients went away."""

    host: str
    port: int = 0
    answers: dict[str, Answer] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    connections: int = 0
    left: asyncio.Event = field(default_factory=asyncio.Event)

    def url(self, path: str = "/", name: str | None = None) -> str:
        return f"http://{name or self.host}:{self.port}{path}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            self.requests.append(head)
            answer = self.answers.get(head.split(" ")[1], response(b"no such page", status=404))
            if callable(answer):
                gone = asyncio.ensure_future(reader.read())
                said = asyncio.ensure_future(_run(answer, writer))
                await asyncio.wait({gone, said}, return_when=asyncio.FIRST_COMPLETED)
                if gone.done():
                    self.left.set()
                for task in (gone, said):
                    task.cancel()
                    with contextlib.suppress(asyncio.CancelledError, ConnectionError):
                        await task
            else:
                writer.write(response(answer) if isinstance(answer, str) else answer)
                await writer.drain()
        writer.close()


async def _run(script: Script, writer: asyncio.StreamWriter) -> None:
    await script(writer)


@contextlib.asynccontextmanager
async def site(
    answers: Mapping[str, Answer] | None = None, host: str = OPENED, tls: ssl.SSLContext | None = None
) -> AsyncIterator[Site]:
    """A server at a free port of `host`. answers: by path; a text is an HTML page, bytes are a whole response."""
    served = Site(host, answers=dict(answers or {}))
    server = await asyncio.start_server(served.serve, host, 0, ssl=tls)
    served.port = server.sockets[0].getsockname()[1]
    try:
        yield served
    finally:
        server.close()


def response(
    body: bytes | str,
    status: int = 200,
    type: str = "text/html; charset=utf-8",
    length: int | None = None,
    **headers: str,
) -> bytes:
    """A whole response; further headers by name, with _ for -."""
    content = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status} Any", f"Content-Length: {len(content) if length is None else length}"]
    lines += [f"Content-Type: {type}"] if type else []
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


def redirect(location: str, status: int = 302) -> bytes:
    return response(b"", status=status, Location=location)


def names(**addresses: str | Sequence[str]) -> Callable[[str, int], Awaitable[Sequence[str]]]:
    """A resolver that knows `NAME.example` for each name given, and nothing else."""

    async def resolve(host: str, port: int) -> Sequence[str]:
        found = addresses.get(host.removesuffix(".example").replace("-", "_"))
        if found is None:
            raise OSError("unknown host")
        return [found] if isinstance(found, str) else found

    return resolve


def fetcher(
    resolve: Callable[[str, int], Awaitable[Sequence[str]]] | None = None,
    tls: ssl.SSLContext | None = None,
    opened: str = OPENED + "/32",
    **settings: object,
) -> Fetcher:
    """A fetcher for which only `opened` is open on loopback."""
    ranges = (ip_network(opened),) if opened else ()
    read = FetchSettings.model_validate({"allow_addresses": ranges, **settings})
    return Fetcher(read, lambda: NOW, resolve or names(site=OPENED), tls)


async def allowed(url: str) -> bool:
    """A call gate that allows everything."""
    return True


def soon(seconds: float = 20.0) -> float:
    """A deadline, on the clock of the loop."""
    return asyncio.get_running_loop().time() + seconds
