"""What a client of `groundrule mcp serve` sends, read before the SDK sees it, so that nobody can read it in two ways.

No request is left without an answer: what is refused gets an error, under the id that it states.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

import anyio
import jiter
from pydantic import ValidationError

if TYPE_CHECKING:
    from types import TracebackType

    from mcp.client._transport import WriteStream
    from mcp.shared.message import SessionMessage
    from mcp_types import JSONRPCError, JSONRPCMessage

MAX_MESSAGE = 17 << 20
"""Bytes of one message: what facts may have, and a little around them."""
NO_JSON = (
    "this is not read: JSON in UTF-8 is expected in which no key stands twice, no number is NaN or infinite, no text "
    "has half a code point and nothing is nested more than 200 deep"
)
_MARKS = re.compile(rb'\\.|["{}\[\]]', re.DOTALL)


class Refused(Exception):
    """What is not passed on. answer: the error that the client gets."""

    def __init__(self, code: int, id: int | str | None, message: str) -> None:
        from mcp_types import ErrorData, JSONRPCError

        super().__init__(message)
        self.answer: JSONRPCError = JSONRPCError(jsonrpc="2.0", id=id, error=ErrorData(code=code, message=message))


def message_of(data: bytes) -> JSONRPCMessage:
    """The message that a text is. Raises Refused."""
    from mcp_types import INVALID_REQUEST, PARSE_ERROR, jsonrpc_message_adapter

    if len(data) > MAX_MESSAGE:
        raise Refused(INVALID_REQUEST, stated_id(data), f"a message has at most {MAX_MESSAGE} bytes")
    try:
        value = jiter.from_json(data, catch_duplicate_keys=True, allow_inf_nan=False)
        json.dumps(value, allow_nan=False)  # a number such as 1e400 is infinite too
    except ValueError:
        raise Refused(PARSE_ERROR, stated_id(data), NO_JSON) from None
    try:
        return jsonrpc_message_adapter.validate_json(data, by_name=False)
    except ValidationError:
        id = _id(value.get("id")) if isinstance(value, dict) else None
        raise Refused(INVALID_REQUEST, id, "this is no message of JSON-RPC 2.0") from None


def stated_id(data: bytes) -> int | str | None:
    """The id that a text which cannot be read states once at its top, if it has one; it may be cut off."""
    top, cut = _top_of(data)
    try:
        pairs = json.loads(top[: top.rfind(b",")] + b"}" if cut else top, object_pairs_hook=list)
    except (ValueError, RecursionError):
        return None
    ids = [value for name, value in pairs if name == "id"] if isinstance(pairs, list) else []
    return _id(ids[0]) if len(ids) == 1 else None


def _top_of(data: bytes) -> tuple[bytes, bool]:
    """A text with 0 for whatever is nested in it, and whether it ends before its object does."""
    depth, since, quoted, parts = 0, 0, False, []
    for mark in _MARKS.finditer(data):
        sign = mark[0]
        if sign == b'"':
            quoted = not quoted
        elif quoted or len(sign) > 1:
            continue
        elif sign in b"{[":
            depth += 1
            if depth == 2:
                parts.append(data[since : mark.start()] + b"0")
        else:
            depth -= 1
            if depth == 1:
                since = mark.end()
    if depth < 2:
        parts.append(data[since:])
    return b"".join(parts), depth > 0


def _id(value: object) -> int | str | None:
    if isinstance(value, str):
        return value if value.isascii() or not any("\ud800" <= char <= "\udfff" for char in value) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def lines_of(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream. Of one that is too long so much that this is seen, and no more is held in memory."""
    while line := stream.readline(MAX_MESSAGE + 2):
        yield line
        while len(line) > MAX_MESSAGE and not line.endswith(b"\n"):
            line = stream.readline(1 << 16) or b"\n"


@dataclass
class Calls:
    """The requests that are not answered yet; of two with one id nobody could tell whose the answer is.

    write: where answers go.
    """

    write: WriteStream[SessionMessage]
    _open: set[int | str] = field(default_factory=set)

    def opened(self, message: JSONRPCMessage) -> SessionMessage:
        """A message as the server takes it. Raises Refused for a request with the id of one that is open."""
        from mcp.shared.dispatcher import coerce_request_id
        from mcp.shared.message import ServerMessageMetadata, SessionMessage
        from mcp_types import INVALID_REQUEST, JSONRPCRequest

        if not isinstance(message, JSONRPCRequest):
            return SessionMessage(message)
        key = coerce_request_id(message.id)
        if key in self._open:
            raise Refused(INVALID_REQUEST, message.id, "a request with this id is not answered yet")
        self._open.add(key)
        return SessionMessage(message, ServerMessageMetadata(on_request_unanswered=partial(self._end, key)))

    async def _end(self, key: int | str) -> None:
        self._open.discard(key)

    async def send(self, item: SessionMessage) -> None:
        """Sends a message; an answer closes its request."""
        from mcp.shared.dispatcher import coerce_request_id
        from mcp_types import JSONRPCError, JSONRPCResponse

        if isinstance(item.message, (JSONRPCResponse, JSONRPCError)) and item.message.id is not None:
            self._open.discard(coerce_request_id(item.message.id))
        await self.write.send(item)

    async def aclose(self) -> None:
        await self.write.aclose()

    async def __aenter__(self) -> Calls:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]


def strict(app: App) -> App:
    """The ASGI application, which gets no body but one that is a message."""
    open: set[tuple[bytes, str]] = set()

    async def checked(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST":
            return await app(scope, receive, send)
        from mcp_types import INVALID_REQUEST, JSONRPCRequest

        body = await _body(receive)
        if body is None:
            return
        session = dict(scope["headers"]).get(b"mcp-session-id")
        key = None
        try:
            message = await anyio.to_thread.run_sync(message_of, body)
            if session is not None and isinstance(message, JSONRPCRequest):
                key = (session, str(message.id))
                if key in open:
                    key = None
                    raise Refused(INVALID_REQUEST, message.id, "a request with this id is not answered yet")
                open.add(key)
            await app(scope, _again(body, receive), send)
        except Refused as refused:
            await _refuse(refused, send)
        finally:
            open.discard(key or (b"", ""))

    return checked


async def _body(receive: Receive) -> bytes | None:
    """The body, or so much of it that it is seen to be too long; None if the client left."""
    parts, size, more = [], 0, True
    while more and size <= MAX_MESSAGE:
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        more = message.get("more_body", False)
    return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Receive:
    """What receives a body that was read already, and then what comes."""
    given: Iterator[Message] = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def once() -> Message:
        return next(given, None) or await receive()

    return once


async def _refuse(refused: Refused, send: Send) -> None:
    content = refused.answer.model_dump_json(by_alias=True).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
    await send({"type": "http.response.start", "status": 400, "headers": headers})
    await send({"type": "http.response.body", "body": content})
