"""What every request passes before it is worked on: who calls, what may be done, how much is in hand.

Everything that is not let in here gets a problem; whatever goes wrong behind it becomes one, and is logged without a
word of the request.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import time
import traceback
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from .exchange import CALL, Call, Gone, Message, Receive, Send, as_json
from .problems import (
    BAD_HEAD,
    INTERNAL,
    LARGE_HEAD,
    LATE,
    MEDIA_TYPE,
    MISDIRECTED,
    NO_KEY,
    NO_ROLE,
    STOPPING,
    Problem,
)

if TYPE_CHECKING:
    from .service import Service

access = logging.getLogger("groundrule.access")
log = logging.getLogger("groundrule.service")
App = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]

MAX_HEAD = 32 << 10
"""Bytes of all headers and of the address together."""
GONE = 499
"""Logged as status where the client left before the answer; nobody ever sees it."""
PUBLIC = frozenset({"/live", "/ready", "/openapi.json"})
ROLES = {
    "/v1/evaluate": "evaluate",
    "/v1/explain": "evaluate",
    "/v1/ask": "ask",
    "/v1/rules": None,
    "/v1/runs": "read-runs",
    "/metrics": "admin",
}
"""The role that each path needs; None for any key."""
ONCE = frozenset({b"authorization", b"content-encoding", b"content-length", b"content-type", b"host"})
"""Headers of which two would be read differently by what stands before the service (RFC 9110, 5.3 and 7.2)."""
_RUN = "/v1/runs/"
_ID = re.compile(rb"[A-Za-z0-9_.-]{1,64}")
_LOOPBACK = re.compile(rb"(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?", re.IGNORECASE)
_SAFE = [(b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store")]


class Guard:
    """ASGI middleware around the whole service."""

    def __init__(self, app: App, service: Service) -> None:
        self._app, self._service = app, service

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await _Passage(self._service, scope, receive, send).through(self._app)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})
        else:
            await self._app(scope, receive, send)


class _Passage:
    """One request on its way."""

    def __init__(self, service: Service, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        self.service, self.scope, self.receive, self.given_send = service, scope, receive, send
        self.headers = dict(scope["headers"])
        asked = self.headers.get(b"x-request-id", b"")
        self.id = asked.decode() if _ID.fullmatch(asked) else os.urandom(16).hex()
        self.path: str = scope["path"]
        self.route = "/v1/runs/{run_id}" if self.path.startswith(_RUN) else self.path
        self.known = self.route in ROLES or self.route in PUBLIC or self.path.startswith(_RUN)
        self.call: Call | None = None
        self.status = 0
        self.sent = 0
        self.stamp = [*_SAFE, (b"x-request-id", self.id.encode())]

    async def send(self, message: Message) -> None:
        """Passes a message on, and remembers what it said."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message.get("headers", ()), *self.stamp]
        else:
            self.sent += len(message.get("body", b""))
        await self.given_send(message)

    async def through(self, app: App) -> None:
        """Lets the request in, or says why not."""
        start = time.perf_counter()
        measures = self.service.measures
        measures.in_hand.inc()
        try:
            await self._answered(app)
        finally:
            measures.in_hand.dec()
            seconds = time.perf_counter() - start
            status = self.status or GONE
            measures.request(self.route if self.known else "other", status, seconds)
            self._log(status, seconds)

    async def _answered(self, app: App) -> None:
        try:
            self._let_in()
            slots = nullcontext() if self.path in PUBLIC else self.service.slots
            with slots:
                await app(self.scope, self.receive, self.send)
        except Gone:
            return
        except asyncio.CancelledError:  # the time for a stop is over: what is in flight is refused
            if not self.status:
                await self._refuse(Problem(STOPPING, headers={"connection": "close"}))
            raise
        except Problem as problem:
            await self._refuse(problem)
        except TimeoutError:
            await self._refuse(Problem(LATE))
        except Exception as error:  # noqa: BLE001  whatever it is, the client gets a problem and the log its place
            log.error("request %s failed: %s", self.id, where(error))
            await self._refuse(Problem(INTERNAL))

    def _let_in(self) -> None:
        """Raises Problem for what may not pass. Without a place in the table of roles nothing passes without a key."""
        size = len(self.scope.get("raw_path") or b"") + len(self.scope["query_string"])
        once = set()
        for name, value in self.scope["headers"]:
            size += len(name) + len(value)
            if name in ONCE:
                if name in once:
                    raise Problem(BAD_HEAD, f"the header `{name.decode()}` stands twice", headers={"connection": "close"})
                once.add(name)
        if size > MAX_HEAD:
            raise Problem(LARGE_HEAD, headers={"connection": "close"})
        if b"host" not in once and self.scope["http_version"] == "1.1":
            raise Problem(BAD_HEAD, "the header `host` is missing", headers={"connection": "close"})
        service = self.service
        if not service.settings.keys and not _LOOPBACK.fullmatch(self.headers.get(b"host", b"")):
            raise Problem(MISDIRECTED)
        if self.path in PUBLIC:
            return
        caller = service.keyring.caller(self.headers.get(b"authorization"))
        if caller is None:
            raise Problem(NO_KEY, headers={"www-authenticate": 'Bearer realm="groundrule"'})
        role = "read-runs" if self.path.startswith(_RUN) else ROLES.get(self.path)
        self.call = Call(
            service, service.tenants[caller.tenant], caller, self.id, self.headers, self.receive, self.send
        )
        self.scope[CALL] = self.call
        if not caller.may(role):
            raise Problem(NO_ROLE, f"it needs the role `{role}`")
        service.rates.take(caller.name)

    async def _refuse(self, problem: Problem) -> None:
        self.service.measures.problems.labels(problem.kind.code).inc()
        if self.call is not None:
            self.call.notes["problem"] = problem.kind.code
        if self.status:
            raise ConnectionAbortedError(f"request {self.id} failed after its answer had begun")
        await send_problem(problem, self.id, self.send)

    def _log(self, status: int, seconds: float) -> None:
        if not access.isEnabledFor(logging.INFO):
            return
        call = self.call
        entry = {
            "request": self.id,
            "method": self.scope["method"],
            "path": self.path if self.known else "other",
            "status": status,
            "ms": round(seconds * 1e3, 2),
            "sent": self.sent,
        }
        if call is not None:
            entry |= {"key": call.caller.name, "tenant": call.tenant.name, **call.notes}
        # The logger would look for the line of code that speaks, which takes as long as all the rest.
        access.handle(logging.LogRecord(access.name, logging.INFO, "", 0, as_json(entry).decode(), None, None))


async def send_problem(problem: Problem, request_id: str, send: Send) -> None:
    """Sends a problem as the whole answer."""
    content = problem.body(request_id)
    headers = [
        (b"content-type", MEDIA_TYPE.encode()),
        (b"content-length", str(len(content)).encode()),
        *((name.encode(), value.encode()) for name, value in problem.headers.items()),
    ]
    await send({"type": "http.response.start", "status": problem.kind.status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


def where(error: BaseException) -> str:
    """The kind of an error and the lines that it came through, without its message, which may quote the request."""
    lines = [f"{frame.name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)[-8:]]
    return f"{type(error).__name__} in {' > '.join(lines)}"
