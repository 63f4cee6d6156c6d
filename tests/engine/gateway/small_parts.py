"""Ports in memory that behave as their protocols say, and can be told to fail like real ones."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.engine.gateway.small_rules import rules

from groundrule.facts import Call, Context, Evidence, ExternalQueryPlan, Question
from groundrule.facts.reply import Reply
from groundrule.gateway.parts import Limits, Parts
from groundrule.gateway.pipeline import ask
from groundrule.gateway.ports import Draft, Errand, Fetched, Planned, StoreUnavailable
from groundrule.rules.ruleset import RuleSet

NOW = datetime(2026, 4, 15, 2, 0, tzinfo=UTC)
PLAN = ExternalQueryPlan(
    plan_version="v1",
    query_kind="weather",
    answer_contract="summary_with_sources",
    freshness_required=True,
    topic="广州天气",
    subject_entities=("广州",),
    location_hint="广州",
    search_queries=("广州 天气",),
    result_limit=3,
)
OLD = NOW - timedelta(hours=5)
QUESTION = Question(text="广州天气怎么样")
CONTEXT = Context(zone="Asia/Shanghai")
READ = Call(kind="mcp", tool="search", read_only=True)


def page(id: str, snippet: str = "广州多云，气温 22～28℃。", **more: Any) -> Evidence:
    """A fresh page of the execution `x1`; fields can be replaced."""
    given: dict[str, Any] = {
        "execution_id": "x1",
        "source_type": "url",
        "source_label": "气象台",
        "title": "广州天气",
        "target_url": f"https://{id}.example/",
        "snippet": snippet,
        "retrieved_at": NOW,
        "dated_at": NOW - timedelta(minutes=40),
        "dated_origin": "structured",
    }
    return Evidence(id=id, **(given | more))


@dataclass
class Clock:
    """A clock that moves only when it is told to."""

    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now


@dataclass
class SmallPlanner:
    """Answers every question with one plan; `act` may do anything instead."""

    planned: Any = field(default_factory=lambda: Planned(PLAN))
    act: Callable[[], Awaitable[None]] | None = None
    name: str = "small planner"

    async def plan(self, question: Question, context: Context) -> Planned:
        if self.act is not None:
            await self.act()
        planned: Planned = self.planned
        return planned


@dataclass
class SmallSource:
    """Makes the given calls, each with permission, then gives one result. seen: the errands it was sent on."""

    name: str
    fetched: Any = None
    act: Callable[[], Awaitable[None]] | None = None
    calls: Sequence[Call] = (READ,)
    sample_data: bool = False
    seen: list[Errand] = field(default_factory=list)
    made: int = 0

    async def fetch(self, errand: Errand) -> Fetched:
        self.seen.append(errand)
        for call in self.calls:
            if not await errand.permit(call):
                return Fetched("refused", reason="the call was not permitted")
            self.made += 1
        if self.act is not None:
            await self.act()
        fetched: Fetched = self.fetched
        return fetched


@dataclass
class SmallDrafter:
    """Quotes the snippet of every item that it is given; `write` may write something else. seen: what it was given."""

    write: Callable[[Sequence[Evidence]], Any] | None = None
    act: Callable[[], Awaitable[None]] | None = None
    name: str = "small drafter"
    seen: list[tuple[Evidence, ...]] = field(default_factory=list)

    async def draft(
        self, question: Question, plan: ExternalQueryPlan, evidence: Sequence[Evidence], zone: str
    ) -> Draft:
        self.seen.append(tuple(evidence))
        if self.act is not None:
            await self.act()
        if self.write is not None:
            draft: Draft = self.write(evidence)
            return draft
        handles = {f"[{n}]": item.id for n, item in enumerate(evidence, 1)}
        rows = [f"“{item.snippet}” [{n}]" for n, item in enumerate(evidence, 1)]
        return Draft("\n".join(rows), handles)


@dataclass
class SmallStore:
    """Keeps runs in lists. `fault` is raised instead, `act` is awaited before."""

    fault: Exception | None = None
    act: Callable[[], Awaitable[None]] | None = None
    runs: list[Mapping[str, Any]] = field(default_factory=list)
    rule_sets: dict[str, Mapping[str, str]] = field(default_factory=dict)

    async def keep(self, run: Mapping[str, Any]) -> None:
        if self.act is not None:
            await self.act()
        if self.fault is not None:
            raise self.fault
        self.runs.append(run)

    async def keep_rules(self, revision: str, files: Mapping[str, str]) -> None:
        self.rule_sets[revision] = files


async def forever() -> None:
    """Never ends by itself."""
    await asyncio.Event().wait()


def raising(error: BaseException) -> Callable[[], Awaitable[None]]:
    """An act that raises."""

    async def act() -> None:
        raise error

    return act


def full() -> StoreUnavailable:
    """What a store raises that cannot keep anything."""
    return StoreUnavailable("the store is full; free some space")


def source(name: str, *items: Evidence, **more: Any) -> SmallSource:
    """A source that finds these items, or nothing."""
    return SmallSource(name, Fetched("evidence", items) if items else Fetched("empty"), **more)


def parts(*sources: SmallSource, rule_set: RuleSet | None = None, **more: Any) -> Parts:
    """Parts around these sources; anything can be replaced."""
    ids = (f"x{n}" for n in itertools.count(1))
    given: dict[str, Any] = {
        "rules": rule_set or rules(),
        "planner": SmallPlanner(),
        "drafter": SmallDrafter(),
        "sources": {each.name: each for each in sources},
        "store": SmallStore(),
        "clock": Clock(),
        "new_id": lambda: next(ids),
        "limits": Limits(),
    }
    return Parts(**(given | more))


async def asked(given: Parts, question: Question = QUESTION, context: Context = CONTEXT) -> Reply:
    """What `ask` says."""
    return await ask(question, context, given)


def kept(given: Parts) -> dict[str, Any]:
    """The one run that was kept."""
    assert isinstance(given.store, SmallStore)
    (run,) = given.store.runs
    return dict(run)


def gates(given: Parts) -> list[str]:
    """The gates that the one run asked, in order."""
    return [receipt["gate"] for receipt in kept(given)["gates"]]


def facts_of(given: Parts, gate: str) -> list[dict[str, Any]]:
    """The facts of each time that a gate was asked."""
    return [receipt["facts"] for receipt in kept(given)["gates"] if receipt["gate"] == gate]
