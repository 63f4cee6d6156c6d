"""What `ask` is given: the rules, the ports, and the settings that hold where the rules choose nothing else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from ..rules.ruleset import RuleSet
from .ports import CrossCheck, Drafter, Planner, Source, Store


@dataclass(frozen=True)
class Limits:
    """Settings for what the `plan` gate does not choose, and what it cannot exceed.

    longest: most time of a run, whatever setting or rule gives it more; who asks may set less. store_timeout: the time
    that keeping the receipt may take. It is apart from the run's: a run that has used up its time is kept too.
    """

    run_timeout: timedelta = timedelta(seconds=30)
    call_timeout: timedelta = timedelta(seconds=10)
    evidence_limit: int = 5
    max_calls: int = 8
    longest: timedelta = timedelta(days=1)
    store_timeout: timedelta = timedelta(seconds=5)


@dataclass(frozen=True)
class Progress:
    """A step of a run, for those who watch it. It never carries text of an answer or of a page.

    stage: `route`, `plan`, `dispatch`, `fetch`, `evidence`, `draft`, `answer` or `keep`, told once it is done, or has
    failed. detail: plain values; `outcome` is what the gate or the source said, or `failed` or `timeout`.
    """

    stage: str
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Parts:
    """Everything that `ask` works with. sources: by name, in the order in which they are preferred.

    clock: the present time, aware. new_id: a fresh identifier at each call. cross_check: asked about each decision,
    if there is one. progress: told of each step; if it raises or is slow, it is told no more.
    """

    rules: RuleSet
    planner: Planner
    drafter: Drafter
    sources: Mapping[str, Source]
    store: Store
    clock: Callable[[], datetime]
    new_id: Callable[[], str]
    limits: Limits = Limits()
    cross_check: CrossCheck | None = None
    progress: Callable[[Progress], Awaitable[None]] | None = None
