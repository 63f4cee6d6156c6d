"""OpenTelemetry: one span for a question, one for each of its steps. Without a tracer all of this does nothing."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from groundrule import Reply

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer


FAULTS = frozenset({"failed", "timeout", "blocked"})
"""Outcomes of a step that something is wrong with; a refusal is none."""


class Spans:
    """The spans of one run. A step is told when it is done, so its span begins where the one before ended."""

    def __init__(self, tracer: Tracer | None, headers: Mapping[bytes, bytes]) -> None:
        self._tracer = tracer
        self._run: Span | None = None
        if tracer is None:
            return
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        carrier = {
            name: headers[name.encode()].decode("latin-1")
            for name in ("traceparent", "tracestate")
            if name.encode() in headers
        }
        above = TraceContextTextMapPropagator().extract(carrier)
        self._at = time.time_ns()
        self._run = tracer.start_span("groundrule.ask", context=above, start_time=self._at)

    def step(self, stage: str, detail: Mapping[str, str | bool | int | float]) -> None:
        """A step that has just been done. detail: without text of questions, pages or answers, and without reasons."""
        if self._tracer is None or self._run is None:
            return
        from opentelemetry.trace import set_span_in_context

        start, self._at = self._at, time.time_ns()
        span = self._tracer.start_span(
            f"groundrule.{stage}",
            context=set_span_in_context(self._run),
            start_time=start,
            attributes={f"groundrule.{name}": value for name, value in detail.items()},
        )
        if detail.get("outcome") in FAULTS:
            _mark(span, str(detail["outcome"]))
        span.end(self._at)

    def replied(self, reply: Reply) -> None:
        """What became of the run, and where its receipt is."""
        if self._run is not None:
            found = {"execution": reply.execution_id, "status": reply.status, "kind": reply.kind}
            self._run.set_attributes({f"groundrule.{name}": value for name, value in found.items() if value is not None})

    def __enter__(self) -> Spans:
        return self

    def __exit__(self, kind: type[BaseException] | None, *more: object) -> None:
        """Ends the span of the run; one that raised is marked with the kind of the error alone."""
        if self._run is not None:
            if kind is not None:
                _mark(self._run, kind.__name__)
            self._run.end()


def _mark(span: Span, why: str) -> None:
    from opentelemetry.trace import Status, StatusCode

    span.set_status(Status(StatusCode.ERROR, why))


def otlp_tracer() -> Tracer:
    """A tracer that sends spans where the variables of OpenTelemetry say (`OTEL_EXPORTER_OTLP_ENDPOINT`).

    Raises ImportError without the extra `otel`.
    """
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=Resource.create({"service.name": "groundrule"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider.get_tracer("groundrule")
