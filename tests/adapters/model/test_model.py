"""A model is asked once, with one deadline; whatever it does wrong is a fault of one sentence, and shows no secret."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.model.model_server import (
    KEY,
    Act,
    ModelServer,
    Seen,
    breaks_off,
    completion,
    drips,
    floods,
    hangs,
    hangs_up,
    http,
    playing,
    says,
)

from groundrule_adapters.model import Model, ModelFault, ModelLate, client, filled, read_object
from groundrule_adapters.model.client import retry_after
from groundrule_adapters.settings import ModelSettings

pytestmark = pytest.mark.anyio

ASKED = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "hello"}]


@asynccontextmanager
async def model_on(*acts: Act, **settings: Any) -> AsyncIterator[tuple[Model, ModelServer]]:
    async with playing(*acts) as server:
        given = {"model": "m", "api_key": KEY, "timeout": 20.0, "retries": 0, **settings}
        model = Model(ModelSettings(base_url=server.base_url, **given))
        try:
            yield model, server
        finally:
            await model.close()


async def fault_of(*acts: Act, **settings: Any) -> tuple[ModelFault, ModelServer]:
    async with model_on(*acts, **settings) as (model, server):
        with pytest.raises(ModelFault) as caught:
            await model.complete(ASKED)
    return caught.value, server


async def test_a_request_carries_the_messages_and_nothing_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither what the client tells of itself, nor what variables say for another endpoint."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-endpoint")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-another-endpoint")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-of-another-endpoint")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "x-secret: of-another-endpoint")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    schema = {"title": "Plan", "type": "object"}
    async with model_on(says("hi")) as (model, server):
        assert await model.complete(ASKED, schema) == "hi"
    (seen,) = server.seen
    assert seen.path == "/v1/chat/completions"
    assert seen.body == {
        "model": "m",
        "messages": ASKED,
        "temperature": 0,
        "max_tokens": 2048,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "Plan", "strict": True, "schema": schema},
        },
    }
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert seen.headers["user-agent"].startswith("groundrule/")
    assert "another-endpoint" not in json.dumps(seen.headers)
    assert [name for name in seen.headers if name.startswith("x-")] == ["x-stainless-raw-response"]


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({}, {"temperature", "max_tokens", "response_format"}),
        ({"leave_out": ["max_tokens"]}, {"temperature", "response_format"}),
        ({"leave_out": ["temperature", "max_tokens", "response_format"]}, set()),
        ({"max_tokens_name": "max_completion_tokens"}, {"temperature", "max_completion_tokens", "response_format"}),
    ],
)
async def test_a_server_that_refuses_a_parameter_is_not_sent_it(given: dict[str, Any], sent: set[str]) -> None:
    """Such servers answer 400 to the whole request; the settings name what is left out, or its other name."""

    async def strict(seen: Seen, writer: asyncio.StreamWriter) -> None:
        known = {"model", "messages", *sent}
        await (says("hi") if seen.body.keys() <= known else http(400, '{"error": "unknown parameter"}'))(seen, writer)

    async with model_on(strict, **given) as (model, server):
        assert await model.complete(ASKED, {"title": "Plan", "type": "object"}) == "hi"
    assert server.seen[0].body.keys() == {"model", "messages", *sent}


async def test_a_parameter_has_the_value_of_the_settings() -> None:
    """Under the name that the server knows it by."""
    given = {"temperature": 0.7, "max_tokens": 512, "max_tokens_name": "max_completion_tokens"}
    async with model_on(says("hi"), **given) as (model, server):
        await model.complete(ASKED)
    assert (server.seen[0].body["temperature"], server.seen[0].body["max_completion_tokens"]) == (0.7, 512)


async def test_without_a_key_no_key_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Local servers need none, and a key of the environment is meant for somebody else."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-endpoint")
    async with model_on(says("hi"), api_key=None) as (model, server):
        assert await model.complete(ASKED) == "hi"
    assert "authorization" not in server.seen[0].headers
    assert "response_format" not in server.seen[0].body


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<html><body>Welcome</body></html>", "the response is no JSON"),
        ("", "the response is no JSON"),
        ("[]", "the response is no JSON object"),
        ("{}", "the response has not one choice"),
        ('{"choices": []}', "the response has not one choice"),
        ('{"choices": null}', "the response has not one choice"),
        ('{"choices": [{"finish_reason": "stop"}]}', "the response has no message"),
        (completion("hi")[:-1], "the response is no JSON"),
        (completion("hi")[:-1] + ', "usage": NaN}', "the response is no JSON"),
        (completion("hi")[:-1] + ', "choices": []}', "the response is no JSON"),
        (completion("hi", "length"), "the reply was cut off at its longest"),
        (completion("hi", "content_filter"), "the reply was filtered"),
        (completion("hi", "tool_calls"), "the reply is not finished"),
        (completion("hi", None), "the reply is not finished"),
        (completion(None, refusal="I cannot help with that."), "the model refused"),
        (completion("hi", refusal="I cannot help with that."), "the model refused"),
        (completion("hi", tool_calls=[{"id": "1", "type": "function"}]), "the model called a tool, and it has none"),
        (completion("hi", function_call={"name": "f"}), "the model called a tool, and it has none"),
        (completion(None), "the reply is empty"),
        (completion(" \n"), "the reply is empty"),
        (completion([{"type": "text", "text": "hi"}]), "the reply is empty"),
    ],
)
async def test_a_response_that_is_no_finished_text_is_a_fault(body: str, said: str) -> None:
    """It is neither repaired nor asked for again, and its text stays out of the fault."""
    fault, server = await fault_of(http(200, body), retries=3)
    assert str(fault) == said
    assert len(server.seen) == 1


@pytest.mark.parametrize("status", [301, 307, 400, 401, 403, 404, 409, 422])
async def test_a_status_that_will_not_change_is_not_asked_again(status: int) -> None:
    """What the server writes beside it may hold the key, and is not repeated."""
    error = json.dumps({"error": {"message": f"Incorrect API key provided: {KEY}"}})
    fault, server = await fault_of(http(status, error, location="http://127.0.0.1:1/"), retries=3)
    assert str(fault) == f"the model answered with HTTP {status}"
    assert len(server.seen) == 1


@pytest.mark.parametrize("act", [http(408), http(429), http(500), http(503), hangs_up, breaks_off])
async def test_faults_of_transport_are_asked_again_and_then_said(act: Act) -> None:
    """As often as the settings allow, with the same request."""
    async with model_on(act, says("hi"), retries=1) as (model, server):
        assert await model.complete(ASKED) == "hi"
    assert server.seen[0].body == server.seen[1].body
    fault, server = await fault_of(act, retries=1)
    assert "HTTP" in str(fault) or "cannot be reached" in str(fault)
    assert len(server.seen) == 2


async def test_nobody_listens() -> None:
    """A refused connection is a fault of transport; the address stays out of the fault."""
    async with playing(says("hi")) as server:
        base_url = server.base_url
    model = Model(ModelSettings(base_url=base_url, model="m", retries=0))
    with pytest.raises(ModelFault) as caught:
        await model.complete(ASKED)
    assert str(caught.value) == "the model cannot be reached: ConnectError"
    await model.close()


async def test_a_server_may_ask_to_wait_as_long_as_the_deadline_allows() -> None:
    """`Retry-After: 0` is obeyed at once; one that is longer than what is left ends the call at once."""
    async with model_on(http(429, retry_after="0"), says("hi"), retries=1) as (model, _):
        assert await model.complete(ASKED) == "hi"
    fault, server = await fault_of(http(429, retry_after="3600"), retries=5)
    assert str(fault) == "the model answered with HTTP 429"
    assert len(server.seen) == 1


def test_retry_after_is_seconds_or_a_date() -> None:
    """Anything else is as if it were not there."""
    now = datetime(2026, 4, 15, 8, 0, tzinfo=UTC)
    assert retry_after("3", now) == 3.0
    assert retry_after("1.5", now) == 1.5
    assert retry_after(format_datetime(now.replace(second=30), usegmt=True), now) == 30.0
    assert retry_after(format_datetime(now.replace(year=2020), usegmt=True), now) == 0.0
    for nonsense in ("", "-1", "nan", "inf", "soon", "９", "1e9", "9" * 40):
        assert retry_after(nonsense, now) is None


@pytest.mark.parametrize("act", [hangs, drips])
async def test_one_deadline_holds_whatever_trickles_in(act: Act) -> None:
    """Lateness is told from failure, and the connection is closed."""
    fault, server = await fault_of(act, timeout=0.3, retries=5)
    assert isinstance(fault, ModelLate)
    assert isinstance(fault, TimeoutError)
    assert str(fault) == "the model did not answer within 0.3 s"
    assert len(server.seen) == 1


async def test_retries_do_not_outlive_the_deadline() -> None:
    """A server that fails for ever is given up within the one deadline."""
    fault, server = await fault_of(http(500), timeout=1.0, retries=5)
    assert "HTTP 500" in str(fault)
    assert 1 < len(server.seen) < 6


async def test_a_body_without_end_is_cut_off() -> None:
    """Also one whose length is not stated."""
    fault, server = await fault_of(floods, retries=3)
    assert str(fault) == "the response is larger than 4 MiB"
    assert len(server.seen) == 1


@pytest.mark.parametrize("coding", ["gzip", "br", "deflate, gzip"])
async def test_a_compressed_body_is_refused(coding: str) -> None:
    """Whatever it would unpack to: none was asked for."""
    fault, _ = await fault_of(http(200, b"\x1f\x8b", content_encoding=coding), retries=3)
    assert "compressed" in str(fault)


@pytest.mark.parametrize("act", [says("hi"), http(401, KEY), http(500, KEY), hangs_up, http(200, KEY)])
async def test_the_key_is_in_no_log_and_no_fault(
    act: Act, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With every logger at its most talkative."""
    monkeypatch.setenv("OPENAI_LOG", "debug")
    caplog.set_level(logging.DEBUG)
    for name in ("openai", "httpx2", "httpcore2", "httpx", "httpcore"):
        caplog.set_level(logging.DEBUG, name)
    async with model_on(act) as (model, _):
        try:
            said = await model.complete(ASKED)
        except ModelFault as fault:
            said = f"{fault!r} {fault} {fault.__cause__!r}"
    assert caplog.records
    assert KEY not in caplog.text
    assert KEY not in said
    assert KEY not in repr(vars(model))


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"a": 1}\n```',
        'Here is the plan: {"a": 1}',
        '{"a": 1} Hope this helps!',
        '{"a": 1}{"a": 1}',
        '{"a": 1, "a": 2}',
        '{"a": NaN}',
        '{"a": Infinity}',
        '{"a": 1',
        '{"a": 1,}',
        "{'a': 1}",
        '[{"a": 1}]',
        '"{\\"a\\": 1}"',
        "null",
        "",
        '{"a": "\\ud800"}',
        "<think>hm</think>{}",
    ],
)
def test_a_reply_that_is_not_one_json_object_is_not_repaired_into_one(text: str) -> None:
    """No fence is cut, no bracket is added, no first of two values is taken."""
    with pytest.raises(ModelFault, match=r"^the reply is no JSON"):
        read_object(text)


def test_what_fills_a_prompt_is_not_filled_again() -> None:
    """A value that looks like a place of a prompt stays as it is."""
    text = filled("planner.v1", "en", fields="{{demands}}", demands="{{fields}} once")
    assert text.count("{{demands}}") == text.count("{{fields}}") == 1


PROMPTS = {
    "drafter.v1.en.md": "16f80958c4d7",
    "drafter.v1.zh.md": "c819cb0a76e1",
    "planner.v1.en.md": "c0665d4e526f",
    "planner.v1.zh.md": "8cc811a426c5",
}


def test_a_prompt_that_changes_gets_a_new_version() -> None:
    """Receipts name the version, so a version is one text for ever: add a file, and its digest here."""
    folder = Path(client.__file__).parent / "prompts"
    assert {path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:12] for path in folder.iterdir()} == PROMPTS
