"""A real small model behind a real server: shapes, deadlines and failures. What it says is its own affair.

`make test-model` brings the server and the weights and runs these.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from groundrule import Context, Question
from groundrule.facts import ExternalQueryPlan
from groundrule_adapters import Settings, open_gateway, open_rules
from groundrule_adapters.model import Model, ModelFault, ModelLate
from groundrule_adapters.planner.openai import OpenAIPlanner
from groundrule_adapters.settings import ModelSettings

pytestmark = [pytest.mark.anyio, pytest.mark.model]

# No free text: a small model may write one until its reply is cut off, as the planner's tests allow for.
SHAPE = {
    "title": "Sorted",
    "type": "object",
    "properties": {
        "kind": {"enum": ["weather", "news", "market"], "type": "string"},
        "fresh": {"type": "boolean"},
        "place": {"anyOf": [{"enum": ["Paris", "Guangzhou"], "type": "string"}, {"type": "null"}]},
    },
    "required": ["kind", "fresh", "place"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def address() -> AsyncIterator[str]:
    """The API of a server that lives as long as these tests."""
    script = Path(__file__).with_name("local_model.py")
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(script), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    assert process.stdout is not None
    try:
        yield (await process.stdout.readline()).decode().strip() + "/v1"
    finally:
        process.terminate()
        await process.wait()


def settings(address: str, **more: Any) -> ModelSettings:
    return ModelSettings(**{"base_url": address, "model": "smollm2", "timeout": 120.0, "retries": 0, **more})


def asks(text: str) -> list[dict[str, str]]:
    return [{"role": "system", "content": "You sort questions."}, {"role": "user", "content": text}]


@pytest.mark.parametrize("text", ["Will it rain in Paris?", "帮我看看未来 5 天的广州天气如何"])
async def test_a_strict_schema_gives_exactly_its_shape(address: str, text: str) -> None:
    """Every key, no other, words of the list."""
    model = Model(settings(address))
    made = json.loads(await model.complete(asks(text), SHAPE))
    assert list(made) == ["kind", "fresh", "place"]
    assert made["kind"] in SHAPE["properties"]["kind"]["enum"]  # type: ignore[index]
    assert isinstance(made["fresh"], bool)
    await model.close()


async def test_plain_text_without_a_schema(address: str) -> None:
    """One finished message."""
    model = Model(settings(address))
    assert (await model.complete(asks("Say hello."))).strip()
    await model.close()


async def test_a_reply_that_runs_to_its_limit_is_cut_off_and_no_reply(address: str) -> None:
    """A list without end cannot finish within 64 tokens."""
    model = Model(settings(address, max_tokens=64))
    array = {"type": "array", "items": {"type": "string"}, "minItems": 500}
    schema = {"type": "object", "properties": {"words": array}, "required": ["words"], "additionalProperties": False}
    with pytest.raises(ModelFault, match="cut off at its longest"):
        await model.complete(asks("List words."), schema)
    await model.close()


async def test_a_late_reply_is_given_up_and_the_next_call_is_served(address: str) -> None:
    """The server is told by the closed connection."""
    hasty, patient = Model(settings(address, timeout=0.05)), Model(settings(address))
    with pytest.raises(ModelLate, match=r"within 0\.05 s"):
        await hasty.complete(asks("Write a long story."))
    assert await patient.complete(asks("Say hello."))
    await hasty.close()
    await patient.close()


async def test_what_the_server_refuses_is_a_fault_with_its_status(address: str) -> None:
    """A prompt longer than its context, and a path that it does not have."""
    model = Model(settings(address))
    with pytest.raises(ModelFault, match="HTTP 400"):
        await model.complete(asks("word " * 20_000))
    await model.close()
    lost = Model(settings(address.removesuffix("/v1") + "/nowhere"))
    with pytest.raises(ModelFault, match="HTTP 404"):
        await lost.complete(asks("hello"))
    await lost.close()


@pytest.mark.parametrize(("language", "text"), [("en", "Will it rain in Guangzhou tomorrow?"), ("zh", "广州明天天气")])
async def test_the_planner_gets_a_whole_plan_or_says_why_not(address: str, language: str, text: str) -> None:
    """Its own prompt and schema: what is finished fits."""
    model = Model(settings(address, max_tokens=256))
    question = Question.model_validate({"text": text, "language": language, "asked_at": datetime.now(UTC)})
    made = await OpenAIPlanner(model, open_rules()).plan(question, Context(zone="Asia/Shanghai"))
    if made.plan is None:
        assert made.failure in (
            "the reply was cut off at its longest",
            "every search phrase names a year that the question does not",
        ) or "of the plan:" in (made.failure or "")
    else:
        assert isinstance(made.plan, ExternalQueryPlan)
        assert made.plan.language == language
        assert made.plan.query_kind is not None
        assert made.plan.freshness_required is True
        assert made.plan.window is None
    await model.close()


@pytest.mark.parametrize(
    ("language", "text"), [("zh", "帮我看看未来 5 天的广州天气如何"), ("en", "Will it rain in Guangzhou in the next 5 days?")]
)
async def test_a_question_ends_within_its_time_whatever_the_model_says(
    address: str, tmp_path: Path, language: str, text: str
) -> None:
    """A draft of a small model rarely holds; then it is a refusal, and never an answer without a source."""
    folder = Settings(
        home=tmp_path,
        zone="Asia/Shanghai",
        env={**os.environ, "GROUNDRULE_HOME": ""},
        cwd=tmp_path,
        model=settings(address, planner=False, max_tokens=128),
    )
    async with open_gateway(folder) as gateway:
        question = Question.model_validate({"text": text, "language": language, "asked_at": datetime.now(UTC)})
        reply = await gateway.ask(question, Context(zone="Asia/Shanghai"))
        kept = await gateway.store.get_run(reply.execution_id or "")
    assert kept is not None
    assert kept["drafter"] == "openai/1 smollm2 drafter.v1"
    assert reply.status in ("answered", "refused")
    assert bool(reply.sources) is (reply.status == "answered")
