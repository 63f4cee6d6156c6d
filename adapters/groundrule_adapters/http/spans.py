"""OpenTelemetry: one span for a question, one for each of its steps. Without a tracer all of this does nothing."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer


class Spans:
    """The spans of one run. A step is told when it is done, so its span begins where the one before ended."""

    def __init__(self, tracer: Tracer | None, headers: Mapping[bytes, bytes]) -> None:
        self._tracer = tracer
        self._run: Span | None = None
        if tracer is None:
            return
        from opentelemetry.propagate import extract

        carrier = {
            name: headers[name.encode()].decode("latin-1")
            for name in ("traceparent", "tracestate")
            if name.encode() in headers
        }
        self._at = time.time_ns()
        self._run = tracer.start_span("groundrule.ask", context=extract(carrier), start_time=self._at)

    def step(self, stage: str, detail: Mapping[str, Any]) -> None:
        """A step that has just been done. detail: plain values, without text of pages or answers."""
        if self._tracer is None or self._run is None:
            return
        from opentelemetry.trace import set_span_in_context

        start, self._at = self._at, time.time_ns()
        attributes = {
            f"groundrule.{name}": value
            for name, value in detail.items()
            if name != "reason" and isinstance(value, str | bool | int | float)
        }
        span = self._tracer.start_span(
            f"groundrule.{stage}", context=set_span_in_context(self._run), start_time=start, attributes=attributes
        )
        span.end(self._at)

    def end(self) -> None:
        """Ends the span of the run."""
        if self._run is not None:
            self._run.end()


def otlp_tracer() -> Tracer:
    """A tracer that sends spans where the variables of OpenTelemetry say (`OTEL_EXPORTER_OTLP_ENDPOINT`)."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=Resource.create({"service.name": "groundrule"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider.get_tracer("groundrule")
