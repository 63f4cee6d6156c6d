"""What `/metrics` shows, in the text format of Prometheus."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
    multiprocess,
)

if TYPE_CHECKING:
    from .tenants import Tenant

KIND = b"text/plain; version=0.0.4; charset=utf-8"
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


disable_created_metrics()  # type: ignore[no-untyped-call]


class Measures:
    """The counters of one worker. With several workers they are added up through files (PROMETHEUS_MULTIPROC_DIR)."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        registry = self.registry
        self.requests = Counter("groundrule_requests", "Requests.", ("route", "status"), registry=registry)
        self.seconds = Histogram(
            "groundrule_request_seconds", "Time a request took.", ("route",), buckets=_BUCKETS, registry=registry
        )
        self.problems = Counter("groundrule_problems", "Requests that were not answered.", ("code",), registry=registry)
        self.decisions = Counter("groundrule_decisions", "Decisions.", ("gate", "outcome"), registry=registry)
        self.replies = Counter("groundrule_replies", "Replies to questions.", ("status", "kind"), registry=registry)
        self.receipts = Counter("groundrule_receipts", "Receipts of questions.", ("outcome",), registry=registry)
        self.in_hand = Gauge(
            "groundrule_requests_in_hand", "Requests being worked on.", multiprocess_mode="livesum", registry=registry
        )
        self.reloads = Gauge(
            "groundrule_rules_reloads", "Rule sets taken over since the start.", ("tenant",),
            multiprocess_mode="livemin", registry=registry,
        )  # fmt: skip
        self.faulty = Gauge(
            "groundrule_rules_faulty", "Whether the rules that lie there are not in force.", ("tenant",),
            multiprocess_mode="livemax", registry=registry,
        )  # fmt: skip
        # Looking a child up by its labels costs more than counting.
        self._request = lru_cache(maxsize=512)(lambda route, status: self.requests.labels(route, status))
        self._second = lru_cache(maxsize=64)(lambda route: self.seconds.labels(route))
        self._decision = lru_cache(maxsize=256)(lambda gate, outcome: self.decisions.labels(gate, outcome))

    def request(self, route: str, status: int, seconds: float) -> None:
        """Counts a request."""
        self._request(route, str(status)).inc()
        self._second(route).observe(seconds)

    def decision(self, gate: str, outcome: str) -> None:
        """Counts a decision."""
        self._decision(gate, outcome).inc()

    def text(self, tenants: Iterable[Tenant]) -> bytes:
        """Everything as text."""
        for tenant in tenants:
            self.reloads.labels(tenant.name).set(tenant.reloads)
            self.faulty.labels(tenant.name).set(1 if tenant.faults else 0)
        registry = self.registry
        if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
            registry = CollectorRegistry()
            multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        found: bytes = generate_latest(registry)
        return found
