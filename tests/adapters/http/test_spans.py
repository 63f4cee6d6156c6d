"""OpenTelemetry: what a collector is told of a question, by the real SDK, and that nothing needs the SDK."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode
from starlette.testclient import TestClient
from tests.adapters.http.small_service import Small, started
from tests.adapters.http.test_access import KEYS, sent_with, with_keys
from tests.adapters.http.test_ask import ASK, EVENTS

from groundrule_adapters.http.server import check_traces
from groundrule_adapters.http.service import create_app
from groundrule_adapters.settings import Settings, SettingsError

STEPS = ["route", "plan", "dispatch", "fetch", "evidence", "draft", "answer", "keep"]
TRACE, ABOVE = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@pytest.fixture
def sent() -> InMemorySpanExporter:
    """Where spans go."""
    return InMemorySpanExporter()


@pytest.fixture
def traced(settings: Settings, small: Small, sent: InMemorySpanExporter) -> Iterator[TestClient]:
    """A service with keys whose spans go there."""
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(sent))
    service = with_keys(settings).service.model_copy(update={"ask_timeout": 0.3})
    given = replace(settings, service=service)
    with started(create_app(given, opener=small.open, tracer=provider.get_tracer("test"))) as client:
        client.headers.update(sent_with("asker"))
        yield client


def of_one_run(sent: InMemorySpanExporter) -> tuple[ReadableSpan, list[ReadableSpan]]:
    """The span of the run, and those of its steps in order."""
    *steps, run = sent.get_finished_spans()
    assert run.name == "groundrule.ask"
    for step in steps:
        assert step.parent is not None
        assert run.context is not None
        assert step.parent.span_id == run.context.span_id
    return run, steps


@pytest.mark.parametrize("headers", [{}, EVENTS])
def test_each_step_is_a_span_of_the_run(
    traced: TestClient, sent: InMemorySpanExporter, headers: dict[str, str]
) -> None:
    """They follow one another without a gap, within the trace of the caller."""
    traced.post("/v1/ask", json=ASK, headers={"traceparent": f"00-{TRACE}-{ABOVE}-01", **headers})
    run, steps = of_one_run(sent)
    assert [step.name.removeprefix("groundrule.") for step in steps] == STEPS
    assert run.parent is not None
    assert (f"{run.parent.trace_id:032x}", f"{run.parent.span_id:016x}") == (TRACE, ABOVE)
    ends = [run.start_time, *(step.end_time for step in steps)]
    assert [step.start_time for step in steps] == ends[:-1]
    assert {span.status.status_code for span in (run, *steps)} == {StatusCode.UNSET}
    assert dict(run.attributes or {})["groundrule.status"] == "answered"
    assert dict(steps[3].attributes or {}) == {
        "groundrule.adapter": "pages", "groundrule.outcome": "evidence", "groundrule.items": 1,
    }  # fmt: skip


def test_no_span_has_a_secret_or_a_text(traced: TestClient, sent: InMemorySpanExporter, small: Small) -> None:
    """Not the key, the question, the page, its address or the answer; not why a source failed."""
    traced.post("/v1/ask", json=ASK)

    async def broken() -> None:
        raise RuntimeError("internal host 10.0.0.7")

    small.source.act = broken
    traced.post("/v1/ask?key=" + KEYS["asker"], json=ASK)
    told = "\n".join(span.to_json() for span in sent.get_finished_spans())
    assert "groundrule.fetch" in told
    for word in (KEYS["asker"], "广州", "\\u5e7f", "多云", "℃", "example", "10.0.0.7", "RuntimeError"):
        assert word not in told, word


def test_a_step_that_fails_is_marked(traced: TestClient, sent: InMemorySpanExporter, small: Small) -> None:
    """With its outcome alone. That the run is refused is no error of the run."""

    async def broken() -> None:
        raise RuntimeError("x")

    small.planner.act = broken
    assert traced.post("/v1/ask", json=ASK).json()["status"] == "refused"
    run, steps = of_one_run(sent)
    marked = {step.name: step.status.description for step in steps if step.status.status_code is StatusCode.ERROR}
    assert marked == {"groundrule.plan": "failed"}
    assert run.status.status_code is StatusCode.UNSET
    sent.clear()

    async def slow() -> None:
        await asyncio.sleep(60)

    small.planner.act, small.source.act = None, slow
    assert traced.post("/v1/ask", json=ASK).json()["status"] == "refused"
    _, steps = of_one_run(sent)
    marked = {step.name: step.status.description for step in steps if step.status.status_code is StatusCode.ERROR}
    assert marked == {"groundrule.fetch": "timeout"}


def test_a_run_that_breaks_is_marked(
    traced: TestClient, sent: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the kind of the error and not its message."""

    async def broken(*given: object) -> None:
        raise RuntimeError("secret facts")

    monkeypatch.setattr("groundrule_adapters.http.asking.ask", broken)
    assert traced.post("/v1/ask", json=ASK).status_code == 500
    (run,) = sent.get_finished_spans()
    assert (run.status.status_code, run.status.description) == (StatusCode.ERROR, "RuntimeError")
    assert "secret" not in run.to_json()


WITHOUT = """
import sys
for name in ("opentelemetry.sdk", "opentelemetry.exporter"):
    sys.modules[name] = None
import pytest
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *sys.argv[1:]]))
"""


def test_the_service_needs_no_sdk() -> None:
    """Without the extra questions are answered as ever."""
    cases = ["test_a_reply_comes_with_its_receipt", "test_the_steps_come_first_and_the_text_only_in_the_reply"]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *(f"tests/adapters/http/test_ask.py::{case}" for case in cases)],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout or ".." in done.stdout


def test_spans_that_cannot_be_sent_are_a_fault_of_the_settings(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Said before anything is served, with what to do."""
    wanted = replace(settings, service=settings.service.model_copy(update={"traces": "otlp"}))
    check_traces(wanted)
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    check_traces(settings)
    with pytest.raises(SettingsError, match=r"groundrule\[otel\]"):
        check_traces(wanted)
