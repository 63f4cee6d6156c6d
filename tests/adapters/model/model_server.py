"""An OpenAI-compatible server of ours on loopback that plays the replies it is given, well-formed or not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

KEY = "sk-never-to-be-seen-0123456789"


@dataclass
class Seen:
    """A request as it arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def system(self) -> str:
        return str(self.body["messages"][0]["content"])

    @property
    def user(self) -> str:
        return str(self.body["messages"][1]["content"])


Act = Callable[[Seen, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class ModelServer:
    """acts: what is played, one a request; the last one is played again. seen: what arrived."""

    acts: list[Act]
    seen: list[Seen] = field(default_factory=list)
    base_url: str = ""
    gone: int = 0
    """Connections that the client closed before its reply was complete."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (row.partition(":") for row in head[1:])}
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            seen = Seen(head[0].split(" ")[1], headers, json.loads(body))
            act = self.acts[min(len(self.seen), len(self.acts) - 1)]
            self.seen.append(seen)
            await act(seen, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.gone += 1
        except asyncio.CancelledError:  # the server ends while an act plays
            pass
        finally:
            writer.close()


@asynccontextmanager
async def playing(*acts: Act) -> AsyncIterator[ModelServer]:
    """A server that plays these acts in order."""
    server = ModelServer(list(acts))
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    server.base_url = f"http://127.0.0.1:{port}/v1"
    try:
        yield server
    finally:
        listening.close()


def http(status: int = 200, body: str | bytes = "", **headers: str) -> Act:
    """A response; `_` in names of headers stands for `-`."""
    content = body if isinstance(body, bytes) else body.encode()

    async def act(seen: Seen, writer: asyncio.StreamWriter) -> None:
        given = {"content_type": "application/json", "content_length": str(len(content)), "connection": "close"}
        rows = [f"{name.replace('_', '-')}: {value}" for name, value in {**given, **headers}.items()]
        writer.write("\r\n".join([f"HTTP/1.1 {status} Played", *rows, "", ""]).encode() + content)
        await writer.drain()

    return act


def completion(content: Any, finish: str | None = "stop", **message: Any) -> str:
    """The body of a chat completion."""
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content, **message}}
    return json.dumps({"id": "c", "object": "chat.completion", "model": "played", "choices": [choice]})


def says(content: Any, finish: str | None = "stop", **message: Any) -> Act:
    """A finished message."""
    return http(200, completion(content, finish, **message))


def plays(make: Callable[[Seen], str]) -> Act:
    """A finished message that depends on the request."""

    async def act(seen: Seen, writer: asyncio.StreamWriter) -> None:
        await says(make(seen))(seen, writer)

    return act


async def hangs(seen: Seen, writer: asyncio.StreamWriter) -> None:
    """Never answers, until the client goes."""
    while not writer.is_closing():
        await asyncio.sleep(0.02)


async def drips(seen: Seen, writer: asyncio.StreamWriter) -> None:
    """A body that comes byte by byte and is never complete."""
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n")
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.02)


async def floods(seen: Seen, writer: asyncio.StreamWriter) -> None:
    """A body without end and without stated length."""
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n")
    block = b" " * (1 << 16)
    while True:
        writer.write(b"%x\r\n%b\r\n" % (len(block), block))
        await writer.drain()


async def hangs_up(seen: Seen, writer: asyncio.StreamWriter) -> None:
    """Closes the connection without a word."""


async def breaks_off(seen: Seen, writer: asyncio.StreamWriter) -> None:
    """Closes the connection in the middle of a body."""
    writer.write(b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"choices": [')
    await writer.drain()
