"""groundrule as an MCP server: an assistant's only window to the world, with the contracts in the frame.

Tools: `ask` answers from evidence or refuses; `evaluate` asks one gate about facts; `explain` also says why. A refusal
and a deny are results. Only a call that cannot be understood, or that failed inside, bears the error flag, and its text
repeats nothing of the call.
"""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import anyio
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, field_validator

import groundrule
from groundrule import Context, Question, evaluate, schema
from groundrule.facts.gates import GATES
from groundrule.gateway.parts import Progress
from groundrule.gateway.pipeline import ask

from . import wiring
from .mcp_messages import MAX_MESSAGE, Calls, Refused, lines_of, message_of, strict
from .settings import Settings, located

if TYPE_CHECKING:
    from mcp.client._transport import ReadStream, WriteStream
    from mcp.server.lowlevel import Server
    from mcp.shared.message import SessionMessage
    from mcp_types import CallToolResult, Tool

MOST_RUNS = 8
"""Questions that are answered at the same time; others wait, within their own deadline."""
MAX_FACTS = 4 << 20
"""Code points of the facts of one call, as JSON."""
_STAGES = ("route", "plan", "dispatch", "fetch", "evidence", "draft", "answer", "keep")
_GATE: Any = Literal[tuple(GATES)]


class _Arguments(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class AskArguments(_Arguments):
    """What `ask` takes."""

    question: Annotated[str, Field(min_length=1, max_length=8_000, description="The question, in Chinese or English.")]
    language: Annotated[
        Literal["zh", "en"] | None, Field(description="Language of the reply, if not the question's.")
    ] = None
    zone: Annotated[
        str | None, Field(max_length=64, description="IANA time zone of the user, as in Asia/Shanghai.")
    ] = None
    timeout: Annotated[
        float | None,
        Field(gt=0, le=600, description="Most seconds that the answer may take; what is not answered then is refused."),
    ] = None

    @field_validator("zone")
    @classmethod
    def _known(cls, zone: str | None) -> str | None:
        if zone is not None:
            try:
                ZoneInfo(zone)
            except (ZoneInfoNotFoundError, ValueError, OSError):
                raise ValueError("this is no IANA time zone") from None
        return zone


class EvaluateArguments(_Arguments):
    """What `evaluate` and `explain` take."""

    gate: Annotated[_GATE, Field(description="The gate that is asked.")]
    facts: Annotated[dict[str, Any], Field(description="Its facts; `groundrule schema facts.GATE` describes them.")]
    now: Annotated[AwareDatetime | None, Field(description="The clock; the present time if absent.")] = None
    as_of: Annotated[AwareDatetime | None, Field(description="Date of the values of rules; `now` if absent.")] = None


def make_server(gateway: wiring.Gateway, zone: str) -> Server[Any]:
    """The server on an open gateway. zone: IANA zone of users who state none."""
    from mcp.server.lowlevel import Server
    from mcp_types import ListToolsResult

    runs = asyncio.Semaphore(MOST_RUNS)

    async def call(context: Any, params: Any) -> CallToolResult:
        arguments = params.arguments or {}
        if params.name == "ask":
            return await _answered(
                AskArguments, arguments, lambda given: _ask(gateway, zone, runs, given, context.session)
            )
        if params.name in ("evaluate", "explain"):
            why = params.name == "explain"
            return await _answered(EvaluateArguments, arguments, lambda given: asyncio.to_thread(_decide, gateway, given, why))
        return _wrong("there is no such tool; there are: ask, evaluate, explain")

    async def tools(context: Any, params: Any) -> ListToolsResult:
        return ListToolsResult(tools=_tools())

    return Server(
        "groundrule",
        version=groundrule.__version__,
        instructions="Ask the outside world through `ask` alone, and repeat its sources with its answer.",
        on_list_tools=tools,
        on_call_tool=call,
    )


async def serve(
    settings: Settings, zone: str, port: int | None = None, told: Callable[[str], None] | None = None
) -> None:
    """Serves over stdin and stdout until stdin ends, or over streamable HTTP at a port of this machine alone.

    told: hears which servers are not used. Raises RuleFileError or ConfigError.
    """
    logging.getLogger("mcp").addHandler(logging.NullHandler())
    async with wiring.open_gateway(settings) as gateway:
        for name, reason in gateway.left_out.items():
            if told is not None:
                told(f"the MCP server `{name}` is not used: {reason}")
        server = make_server(gateway, zone)
        if port is None:
            async with _stdio() as (messages, write):
                await server.run(messages, write, server.create_initialization_options())
        else:
            import uvicorn

            app = strict(server.streamable_http_app(max_request_body_size=MAX_MESSAGE))
            # h11 reads the body of a request that would also like another protocol, as Java's client for HTTP/2 sends it.
            config = uvicorn.Config(app, host="127.0.0.1", port=port, http="h11", ws="none", log_level="warning")
            await uvicorn.Server(config).serve()


@asynccontextmanager
async def _stdio() -> AsyncIterator[tuple[ReadStream[SessionMessage | Exception], WriteStream[SessionMessage]]]:
    """The messages of the client at stdin, and where answers go. The SDK writes, and reads nothing."""
    from mcp.server.stdio import stdio_server
    from mcp.shared.message import SessionMessage

    inward, messages = anyio.create_memory_object_stream["SessionMessage | Exception"](0)

    async def forward(lines: Iterator[bytes], calls: Calls) -> None:
        async with inward:
            while (line := await anyio.to_thread.run_sync(next, lines, None)) is not None:
                try:
                    await inward.send(calls.opened(await anyio.to_thread.run_sync(message_of, line)))
                except Refused as refused:
                    await calls.write.send(SessionMessage(refused.answer))

    with _own_stdin() as stdin:
        async with stdio_server(stdin=anyio.wrap_file(io.StringIO())) as (_, write), anyio.create_task_group() as tasks:
            calls = Calls(write)
            tasks.start_soon(forward, lines_of(stdin), calls)
            yield messages, calls
            tasks.cancel_scope.cancel()


@contextmanager
def _own_stdin() -> Iterator[BinaryIO]:
    """What stdin was, while nothing comes from it for others in this process and its children."""
    own = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    try:
        yield open(own, "rb", closefd=False)  # noqa: SIM115  a thread may still wait in it at the end
    finally:
        os.dup2(own, 0)


def _tools() -> list[Tool]:
    from mcp_types import Tool, ToolAnnotations

    alone = ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=False)
    world = ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=True)
    decision = _nested(schema("decision"))
    explained = {
        **decision,
        "properties": {**decision["properties"], "trace": {"type": "array", "items": {"type": "object"}}},
    }
    given = EvaluateArguments.model_json_schema()
    return [
        Tool(
            name="ask",
            title="Ask the outside world",
            description="Answers a question about the outside world from pages that it fetches now and names, or "
            "refuses and says why. `status` is answered, clarify or refused; pass on `text` with its sources.",
            input_schema=AskArguments.model_json_schema(),
            output_schema=_nested(schema("reply")),
            annotations=world,
        ),
        Tool(
            name="evaluate",
            title="Ask a gate",
            description="Decides by the contracts whether a plan, a call, evidence or an answer may pass.",
            input_schema=given,
            output_schema=decision,
            annotations=alone,
        ),
        Tool(
            name="explain",
            title="Ask a gate, and why",
            description="As `evaluate`, with every rule asked and the value of every part of it in `trace`.",
            input_schema=given,
            output_schema={**explained, "required": [*decision["required"], "trace"]},
            annotations=alone,
        ),
    ]


def _nested(found: dict[str, Any]) -> dict[str, Any]:
    """A schema without its own name, against which a client would look up what stands inside."""
    return {key: value for key, value in found.items() if key != "$id"}


async def _answered(
    kind: type[_Arguments], arguments: Mapping[str, Any], work: Callable[[Any], Awaitable[CallToolResult]]
) -> CallToolResult:
    try:
        given = kind.model_validate(arguments)
    except (ValidationError, RecursionError) as error:
        if isinstance(error, RecursionError):
            return _wrong("the arguments are nested too deeply")
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        return _wrong(f"{located(first['loc']).lstrip('.')[:200]}: {first['msg']}")
    return await work(given)


async def _ask(
    gateway: wiring.Gateway, zone: str, runs: asyncio.Semaphore, given: AskArguments, session: Any
) -> CallToolResult:
    """One run. A client that cancels its call cancels the run. One for which no place comes free in time is refused."""
    loop = asyncio.get_running_loop()
    until = None if given.timeout is None else loop.time() + given.timeout
    language = given.language or ("zh" if any("\u4e00" <= char <= "\u9fff" for char in given.question) else "en")
    asked = {"id": wiring.new_id(), "text": given.question, "language": language, "asked_at": wiring.now()}
    context = Context.model_validate({"zone": given.zone or zone, "channel": "mcp"})

    async def tell(progress: Progress) -> None:
        if progress.stage in _STAGES:
            await session.report_progress(_STAGES.index(progress.stage) + 1, len(_STAGES), progress.stage)

    async with _place(runs, until):
        limits = gateway.parts.limits
        if until is not None:
            left = timedelta(seconds=max(0.0, until - loop.time()))
            limits = replace(limits, longest=min(limits.longest, left))
        parts = replace(gateway.parts, progress=tell, limits=limits)
        reply = await ask(Question.model_validate(asked), context, parts)
    return _result(reply.text or "", reply.model_dump(mode="json", by_alias=True, exclude_none=True))


@asynccontextmanager
async def _place(runs: asyncio.Semaphore, until: float | None) -> AsyncIterator[None]:
    """One of the places for runs; none from `until` on, by the clock of the loop, when there is no time to use it."""
    try:
        async with asyncio.timeout_at(until):
            await runs.acquire()
    except TimeoutError:
        yield
        return
    try:
        yield
    finally:
        runs.release()


def _decide(gateway: wiring.Gateway, given: EvaluateArguments, why: bool) -> CallToolResult:
    try:
        text = json.dumps(given.facts, ensure_ascii=False)
    except (ValueError, RecursionError):
        return _wrong("the facts are no JSON")
    if len(text) > MAX_FACTS:
        return _wrong(f"the facts are longer than {MAX_FACTS:,} code points")
    facts = gateway.rules.facts_from_json(given.gate, text)
    decision = evaluate(gateway.rules, given.gate, facts, given.now or wiring.now(), as_of=given.as_of)
    found = decision.to_json()
    if why:
        found["trace"] = decision.trace()
    sentences = [one["message"]["en"] for one in found["violations"]]
    return _result("\n".join([f"{given.gate}: {decision.outcome}", *sentences]), found)


def _result(text: str, structured: dict[str, Any]) -> CallToolResult:
    from mcp_types import CallToolResult, TextContent

    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=structured)


def _wrong(sentence: str) -> CallToolResult:
    from mcp_types import CallToolResult, TextContent

    return CallToolResult(content=[TextContent(type="text", text=sentence)], is_error=True)
