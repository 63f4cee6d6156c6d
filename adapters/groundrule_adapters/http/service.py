"""The application: everything that one worker holds, and the routes to it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from groundrule import __version__
from groundrule.gateway.ports import StoreUnavailable

from .. import wiring
from ..settings import Settings, located, zone_of
from . import asking, judging, looking
from .document import DESCRIPTION, document
from .exchange import CALL, Call, Receive, Send
from .guard import Guard
from .keys import Keyring
from .limits import Rates, Slots
from .measures import Measures
from .problems import BUSY, INTERNAL, MEDIA_TYPE, NOT_ALLOWED, NOT_FIT, NOT_FOUND, Problem
from .tenants import Opener, Tenant, open_tenant, tenants_of

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

T = TypeVar("T")
_SAID = {404: NOT_FOUND, 405: NOT_ALLOWED}
THREADS = 4
"""In which a worker judges what takes long."""
_SILENT: Any = dict.fromkeys(("tracing", "metrics", "logs", "operation_spans", "auto_configure"), False)
"""What the framework would tell collectors by itself, messages of errors among it, which may quote a request."""


class Service:
    """What one worker holds. tenants: open while the application runs. tracer: None if no spans are made."""

    def __init__(self, settings: Settings, opener: Opener, tracer: Tracer | None) -> None:
        self.all_settings, self.settings = settings, settings.service
        self.opener, self.tracer = opener, tracer
        self.zone = zone_of(settings)
        self.keyring = Keyring(self.settings.keys)
        self.measures = Measures()
        share = None if self.settings.rate is None else self.settings.rate / self.settings.workers
        self.rates = Rates(share, self.settings.burst, time.monotonic)
        self.slots = Slots(self.settings.concurrency, "requests")
        self.asks = Slots(self.settings.asks, "questions")
        self.tenants: dict[str, Tenant] = {}
        self.log = logging.getLogger("groundrule.service")
        self._threads = ThreadPoolExecutor(THREADS, "groundrule")
        self._given_up = 0

    async def in_thread(self, work: Callable[..., T], *given: Any) -> T:
        """Work that would keep the loop too long. A thread cannot be stopped: it ends within the limits of its input.

        Raises Problem while all threads are at work that nobody waits for any more: what came behind would be late too.
        """
        if self._given_up >= THREADS:
            raise Problem(BUSY, "all threads are still at work on requests that were late", headers={"retry-after": "1"})
        job = self._threads.submit(work, *given)
        try:
            return await asyncio.wrap_future(job)
        except asyncio.CancelledError:
            if not job.cancel():  # it has begun
                self._given_up += 1
                job.add_done_callback(partial(self._ended, asyncio.get_running_loop()))
            raise

    def _ended(self, loop: asyncio.AbstractEventLoop, job: object) -> None:
        with suppress(RuntimeError):  # at a stop the loop may end before the thread
            loop.call_soon_threadsafe(self._free)

    def _free(self) -> None:
        self._given_up -= 1

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Holds the tenants open, and looks at their rules from time to time."""
        self._threads = ThreadPoolExecutor(THREADS, "groundrule")
        self._given_up = 0
        await asyncio.to_thread(import_module, "mcp")  # takes most of a second, which no request should wait for
        async with AsyncExitStack() as stack:
            for name, own in tenants_of(self.all_settings).items():
                self.tenants[name] = await stack.enter_async_context(open_tenant(name, own, self.opener))
                for server, reason in self.tenants[name].left_out.items():
                    self.log.warning("tenant %s: the MCP server `%s` is not used: %s", name, server, reason)
            watcher = asyncio.ensure_future(self._watch())
            try:
                yield
            finally:
                watcher.cancel()
                self._threads.shutdown(wait=False, cancel_futures=True)
                self.tenants = {}

    async def _watch(self) -> None:
        while self.settings.reload > 0:
            await asyncio.sleep(self.settings.reload)
            for tenant in self.tenants.values():
                try:
                    await tenant.look()
                except Exception as error:  # noqa: BLE001  the rules in force stay, and the next look is made
                    self.log.error("the rules of tenant %s cannot be looked at: %s", tenant.name, type(error).__name__)

    def remarks(self) -> list[str]:
        """What is wrong although questions can be answered."""
        if any(tenant.faults for tenant in self.tenants.values()):
            return ["the rules of a tenant have changed and are not valid; those before stay in force"]
        return []

    async def unready(self) -> list[str]:
        """Why questions cannot be answered; names no tenant, since anybody may read it."""
        reasons: list[str] = []
        for tenant in self.tenants.values():
            try:
                await tenant.store.check()
            except StoreUnavailable as why:
                self.log.error("tenant %s: %s", tenant.name, why)
                reasons.append("a store of receipts is not available")
        return sorted(set(reasons)) or ([] if self.tenants else ["no tenant is open"])


_DIRECT: dict[str, Callable[[Call], Awaitable[None]]] = {
    "/v1/evaluate": judging.judge,
    "/v1/explain": judging.explain,
    "/v1/ask": asking.answer,
}
"""What is answered without the framework, whose layers take longer than a decision."""


async def _directly(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    if scope["method"] != "POST":
        raise Problem(NOT_ALLOWED, headers={"allow": "POST"})
    await _DIRECT[scope["path"]](scope[CALL])


class _Application(FastAPI):
    """FastAPI, and before it what is answered directly; the guard stands before both."""

    def build_middleware_stack(self) -> Any:
        layers, direct = super().build_middleware_stack(), Guard(_directly, self.state.service)

        async def stack(scope: Any, receive: Any, send: Any) -> None:
            way: Any = direct if scope["type"] == "http" and scope["path"] in _DIRECT else layers
            await way(scope, receive, send)

        return stack


def create_app(
    settings: Settings, *, opener: Opener = wiring.open_gateway, tracer: Tracer | None = None
) -> FastAPI:
    """The ASGI application.

    opener: what makes a tenant's gateway of its settings. tracer: where spans go, if anywhere.
    Starting it raises RuleFileError or ConfigError if a tenant cannot work.
    """
    service = Service(settings, opener, tracer)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with service.open():
            yield

    app = _Application(
        title="groundrule",
        version=__version__,
        summary="Contracts for what an assistant may say.",
        description=DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        telemetry=_SILENT,
    )
    app.state.service = service
    app.include_router(looking.router)
    app.add_middleware(Guard, service=service)
    app.add_exception_handler(HTTPException, _http_problem)
    app.add_exception_handler(RequestValidationError, _unfit_query)
    app.openapi = lambda: document(app, keyed=bool(service.settings.keys))  # type: ignore[method-assign]
    return app


async def _http_problem(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    return _response(request, Problem(_SAID.get(status, INTERNAL), headers=headers))


async def _unfit_query(request: Request, error: Exception) -> Response:
    first = error.errors()[0] if isinstance(error, RequestValidationError) else {"loc": (), "msg": ""}
    return _response(request, Problem(NOT_FIT, str(first["msg"])[:300], located(tuple(first["loc"])).removeprefix(".")))


def _response(request: Request, problem: Problem) -> Response:
    call: Call | None = request.scope.get(CALL)
    if call is not None:
        call.service.measures.problems.labels(problem.kind.code).inc()
        call.notes["problem"] = problem.kind.code
    content = problem.body(call.id if call is not None else "")
    return Response(content, problem.kind.status, dict(problem.headers), MEDIA_TYPE)
