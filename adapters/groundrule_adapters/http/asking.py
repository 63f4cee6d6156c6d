"""`POST /v1/ask`: a question in, a reply out; or, for those who accept it, the steps of the run as they happen.

The text of an answer leaves only in the reply, which exists only once the answer gate has allowed it and its receipt
is kept. A client that leaves takes its run along.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any, TypeVar

from groundrule import Context, Question, Reply, ask
from groundrule.gateway.parts import Progress

from ..service_settings import DEFAULT_TENANT
from .exchange import Call, Gone, Message, as_json, read_json
from .judging import sent
from .problems import LATE, NOT_ACCEPTABLE, OTHER_TENANT, Problem
from .shapes import AskRequest
from .spans import Spans

MAX_ASK = 128 << 10
"""Bytes of a question with its context."""
HEARTBEAT = 10.0
"""Seconds of silence after which a comment is sent, so that nobody in between takes the connection for dead."""
SLOW_READER = 20.0
"""Seconds that a client may take to read an event."""
GRACE = 5.0
"""Seconds after which a run that should have been refused for its time, and kept, is given up."""
TOLD = ("adapter", "outcome", "items", "query_kind", "clarify", "admitted", "length")
"""What clients and collectors are told of a step; reasons are for the receipt, since they may name what is inside."""
Tell = Callable[[str, Mapping[str, Any]], None]
T = TypeVar("T")


async def answer(call: Call) -> None:
    """Answers `/v1/ask`."""
    streams = accepts_events(call.headers.get(b"accept", b"*/*").decode("latin-1"))
    asked = sent(AskRequest, read_json(await call.body(MAX_ASK)))
    question, context = _of_caller(call, asked)
    with call.service.asks:
        if streams:
            await _streamed(call, question, context)
        else:
            reply = await _unless_gone(call, _run(call, question, context, None))
            await call.reply(_text(reply))


def accepts_events(accept: str) -> bool:
    """Whether a header prefers events to JSON. Raises Problem if it takes neither."""
    best: dict[str, float] = {}
    for part in accept.split(","):
        kind, _, rest = part.strip().partition(";")
        quality = 1.0
        for parameter in rest.split(";"):
            name, _, value = parameter.strip().partition("=")
            if name == "q":
                try:
                    quality = float(value)
                except ValueError:
                    quality = 0.0
        best[kind.strip().lower()] = quality
    events = best.get("text/event-stream", 0.0)
    json = max(best.get(kind, 0.0) for kind in ("application/json", "application/*", "*/*", ""))
    if events <= 0 and json <= 0:
        raise Problem(NOT_ACCEPTABLE)
    return events >= json


def _of_caller(call: Call, asked: AskRequest) -> tuple[Question, Context]:
    """Question and context as they are asked: within the caller's tenant, and in the zone of the settings if in none."""
    context, tenant = asked.context, call.tenant.name
    if context.tenant not in (None, tenant):
        raise Problem(OTHER_TENANT, place="context.tenant")
    if tenant != DEFAULT_TENANT:
        context = context.model_copy(update={"tenant": tenant})
    if context.zone is None:
        context = context.model_copy(update={"zone": call.service.zone})
    if call.service.settings.log_questions:
        call.notes["question"] = asked.question.text
    return asked.question, context


async def _run(call: Call, question: Question, context: Context, tell: Tell | None) -> Reply:
    """One execution under the rules that are in force at its beginning. One that takes too long is refused and kept."""
    service, given = call.service, call.tenant.in_force.parts
    most = timedelta(seconds=service.settings.ask_timeout)
    limits = replace(given.limits, longest=min(given.limits.longest, most))
    with Spans(service.tracer, call.headers) as spans:

        async def progress(step: Progress) -> None:
            detail = {name: value for name, value in step.detail.items() if name in TOLD and value is not None}
            spans.step(step.stage, detail)
            if step.stage == "keep":
                _kept(call, step)
            if tell is not None:
                tell(step.stage, detail)

        try:
            async with asyncio.timeout((most + limits.store_timeout).total_seconds() + GRACE):
                reply = await ask(question, context, replace(given, progress=progress, limits=limits))
        except TimeoutError:
            raise Problem(LATE) from None
        spans.replied(reply)
    call.notes |= {"execution": reply.execution_id, "reply": reply.status, "kind": reply.kind}
    service.measures.replies.labels(reply.status or "", reply.kind or "").inc()
    return reply


def _kept(call: Call, step: Progress) -> None:
    outcome = str(step.detail.get("outcome"))
    call.service.measures.receipts.labels(outcome).inc()
    if outcome != "kept":
        call.service.log.error("request %s: no receipt: %s", call.id, step.detail.get("reason"))


async def _streamed(call: Call, question: Question, context: Context) -> None:
    """Sends every step as an event, then the reply, or the problem in its place."""
    events: asyncio.Queue[bytes] = asyncio.Queue()

    def tell(stage: str, detail: Mapping[str, Any]) -> None:
        events.put_nowait(_event("progress", as_json({"stage": stage, "detail": detail})))

    headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
    await call.send({"type": "http.response.start", "status": 200, "headers": headers})
    async with _with_client(call, _run(call, question, context, tell)) as run:
        while not (run.done() and events.empty()):
            await _put(call, await _next(events, run))
        await _put(call, _outcome(call, run))
    await call.send({"type": "http.response.body", "body": b""})


def _outcome(call: Call, run: asyncio.Task[Reply]) -> bytes:
    try:
        return _event("reply", _text(run.result()))
    except Problem as problem:
        call.notes["problem"] = problem.kind.code
        return _event("problem", problem.body(call.id))


async def _next(events: asyncio.Queue[bytes], run: asyncio.Task[Reply]) -> bytes:
    """The next event; a comment if there is none for a while; nothing if the run has ended."""
    if not events.empty():
        return events.get_nowait()
    waiting = asyncio.ensure_future(events.get())
    try:
        await asyncio.wait((waiting, run), timeout=HEARTBEAT, return_when=asyncio.FIRST_COMPLETED)
        if waiting.done():
            return waiting.result()
        return b"" if run.done() else b": still at work\n\n"
    finally:
        waiting.cancel()


async def _put(call: Call, event: bytes) -> None:
    if not event:
        return
    message: Message = {"type": "http.response.body", "body": event, "more_body": True}
    try:
        async with asyncio.timeout(SLOW_READER):
            await call.send(message)
    except TimeoutError:
        raise Gone from None


async def _unless_gone(call: Call, work: Coroutine[Any, Any, T]) -> T:
    """What the work gives. If the client leaves before, the work is cancelled."""
    async with _with_client(call, work) as task:
        return await task


@asynccontextmanager
async def _with_client(call: Call, work: Coroutine[Any, Any, T]) -> AsyncIterator[asyncio.Task[T]]:
    """The work as a task that ends with the block, and with the client. Raises Gone if the client left."""
    block = asyncio.current_task()
    left = False

    async def watch() -> None:
        nonlocal left
        await _left(call.receive)
        left = True
        if block is not None:
            block.cancel()

    task, watcher = asyncio.ensure_future(work), asyncio.ensure_future(watch())
    try:
        yield task
    except asyncio.CancelledError:
        if left and block is not None and block.uncancel() == 0:
            raise Gone from None
        raise
    finally:
        watcher.cancel()
        task.cancel()
        await asyncio.wait((task, watcher))


async def _left(receive: Callable[[], Awaitable[Message]]) -> None:
    """Returns once the client has closed its side."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _event(name: str, data: bytes) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), data)


def _text(reply: Reply) -> bytes:
    return reply.model_dump_json(by_alias=True, exclude_none=True).encode()
