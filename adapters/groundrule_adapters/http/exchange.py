"""One request and its answer."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import jiter
from pydantic_core import to_json

from .keys import Caller
from .problems import LATE_BODY, NOT_JSON, NOT_JSON_TYPE, TOO_LARGE, Problem

if TYPE_CHECKING:
    from .service import Service
    from .tenants import Tenant

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
CALL = "groundrule.call"
_CHARSET = re.compile(rb';\s*charset\s*=\s*"?([^";\s]*)', re.IGNORECASE)
_JSON = re.compile(rb"application/(?:[\w.+-]+\+)?json\s*(?:;.*)?", re.IGNORECASE)


class Gone(Exception):
    """The client has closed the connection; nobody waits for an answer."""


@dataclass
class Call:
    """A request that was let in. notes: what the access log says of it beside the usual."""

    service: Service
    tenant: Tenant
    caller: Caller
    id: str
    headers: Mapping[bytes, bytes]
    receive: Receive
    send: Send
    notes: dict[str, Any] = field(default_factory=dict)

    async def body(self, most: int) -> bytes:
        """The body, at most `most` bytes, which are never exceeded in memory. Raises Problem or Gone."""
        kind = self.headers.get(b"content-type", b"")
        if kind != b"application/json" and _JSON.fullmatch(kind) is None:
            raise Problem(NOT_JSON_TYPE, headers={"accept": "application/json"})
        if not {name.lower() for name in _CHARSET.findall(kind)} <= {b"utf-8"}:
            raise Problem(NOT_JSON_TYPE, "JSON is read in UTF-8, which is the only `charset` that may be stated")
        if self.headers.get(b"content-encoding", b"identity").lower() != b"identity":
            said = "the body is read as it is sent: no `Content-Encoding` is undone"
            raise Problem(NOT_JSON_TYPE, said, headers={"accept-encoding": "identity"})
        stated = self.headers.get(b"content-length", b"")
        if stated.isdigit() and (len(stated) > 18 or int(stated) > most):
            raise _too_large(most)
        try:
            async with asyncio.timeout(self.service.settings.body_timeout):
                return await self._read(most)
        except TimeoutError:
            raise Problem(LATE_BODY, headers={"connection": "close"}) from None

    async def _read(self, most: int) -> bytes:
        message = await self.receive()
        first: bytes = message.get("body", b"")
        if message["type"] == "http.request" and not message.get("more_body") and len(first) <= most:
            return first
        parts, size = [], 0
        while True:
            if message["type"] != "http.request":
                raise Gone
            part = message.get("body", b"")
            size += len(part)
            if size > most:
                raise _too_large(most)
            parts.append(part)
            if not message.get("more_body"):
                return b"".join(parts)
            message = await self.receive()

    async def reply(self, content: bytes, status: int = 200, kind: bytes = b"application/json") -> None:
        """Sends the whole answer."""
        headers = [(b"content-type", kind), (b"content-length", str(len(content)).encode())]
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": content})


def _too_large(most: int) -> Problem:
    return Problem(TOO_LARGE, f"at most {most} bytes are read", headers={"connection": "close"})


def read_json(data: bytes) -> Any:
    """The JSON value of a body. Raises Problem for everything that two readers could read differently."""
    try:
        return jiter.from_json(data, catch_duplicate_keys=True, allow_inf_nan=False)
    except ValueError as why:
        raise Problem(NOT_JSON, str(why)[:200]) from None


def as_json(value: Any) -> bytes:
    """A value as JSON text."""
    return to_json(value)
