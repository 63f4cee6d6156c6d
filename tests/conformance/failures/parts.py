"""Parts that fail as the rows of the failure table say, around the shipped rules and a real store."""

from __future__ import annotations

import asyncio
import re
import shutil
import sqlite3
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.conformance.failures.hurried import late
from tests.conformance.failures.table import Row

from groundrule.facts import Call, Context, Evidence, ExternalQueryPlan, Question
from groundrule.gateway.parts import Limits, Parts
from groundrule.gateway.ports import Draft, Drafter, Errand, Fetched, Planned, Planner, Source, Store
from groundrule.rules.ruleset import RuleSet
from groundrule_adapters.drafter.extractive import ExtractiveDrafter
from groundrule_adapters.files import data_dir, open_rules
from groundrule_adapters.planner.offline import OfflinePlanner
from groundrule_adapters.store.sqlite import FILE_NAME, SqliteStore

INTERNAL = "历史纪要：广州多云，气温 18～19℃"
"""Text of an internal document. It appears in no reply whatever fails."""
QUESTION = Question(text="广州今天天气怎么样", language="zh")
CONTEXT = Context(zone="Asia/Shanghai")
SHIPPED = open_rules()
Fetch = Callable[[Errand], Awaitable[Fetched]]


def now() -> datetime:
    """The present time."""
    return datetime.now(UTC)


def fresh(errand: Errand, host: str, **more: Any) -> Evidence:
    """A page of ten minutes ago that answers the question."""
    given: dict[str, Any] = {
        "id": host,
        "execution_id": errand.execution_id,
        "source_type": "url",
        "source_label": "气象台",
        "title": "广州天气",
        "target_url": f"https://{host}.weather.com.cn/guangzhou",
        "snippet": "广州今天多云，气温 22～28℃。",
        "retrieved_at": now(),
        "dated_at": now() - timedelta(minutes=10),
        "dated_origin": "structured",
        "dated_resolution": timedelta(minutes=1),
        "generated": False,
    }
    return Evidence(**(given | more))


def stale(errand: Errand, host: str) -> Evidence:
    """The same page as it was three days ago."""
    return fresh(errand, host, dated_at=now() - timedelta(days=3))


def internal(errand: Errand) -> Evidence:
    """An internal document among the results."""
    return fresh(errand, "memo", source_type="feishu", snippet=INTERNAL, title="Feishu history", target_url=None)


def raising(error: Exception) -> Fetch:
    """A source that raises."""

    async def fetch(errand: Errand) -> Fetched:
        raise error

    return fetch


def giving(outcome: str, *make: Callable[[Errand], Evidence], reason: str | None = None) -> Fetch:
    """A source that ends so."""

    async def fetch(errand: Errand) -> Fetched:
        return Fetched(outcome, tuple(one(errand) for one in make), reason)  # type: ignore[arg-type]  # a word of the table

    return fetch


async def _late_fetch(errand: Errand) -> Fetched:
    found: Fetched = await late()
    return found


def healthy(host: str) -> Fetch:
    """A source that finds one good page beside an internal one."""
    return giving("evidence", internal, lambda errand: fresh(errand, host))


def _stale(host: str) -> Fetch:
    return giving("evidence", internal, lambda errand: stale(errand, host))


FETCHES: dict[str, Fetch] = {
    "mcp unavailable": giving("failed", reason="the server cannot be started"),
    "mcp late": _late_fetch,
    "mcp empty": giving("empty"),
    "mcp internal only": giving("evidence", internal),
    "mcp stale only": _stale("mcp"),
    "mcp protocol error": raising(ValueError("not JSON-RPC")),
    "mcp crash during a call": raising(ConnectionResetError("the server is gone")),
    "fallback blocked": giving("blocked", reason="status 403"),
    "fallback captcha": giving("blocked", reason="the page asks whether one is human"),
    "fallback empty": giving("empty"),
    "fallback late": _late_fetch,
    "fallback partial": _stale("live"),
}


@dataclass
class FailingSource:
    """A source that does what it is told to. running: whether a fetch has neither ended nor been cancelled."""

    name: str
    act: Fetch
    sample_data: bool = False
    running: int = 0

    async def fetch(self, errand: Errand) -> Fetched:
        self.running += 1
        try:
            call = Call(kind="mcp" if self.name.startswith("mcp:") else "search", tool="search", read_only=True)
            if not await errand.permit(call):
                return Fetched("refused", reason="the call was not permitted")
            return await self.act(errand)
        finally:
            self.running -= 1


@dataclass
class FailingPlanner:
    """A planner that is late, or gives this."""

    given: Any = None
    name: str = "failing planner"

    async def plan(self, question: Question, context: Context) -> Planned:
        made: Planned = await late() if self.given is None else self.given
        return made


@dataclass
class FailingDrafter:
    """A drafter that is late, or gives what it makes of the evidence."""

    make: Callable[[Sequence[Evidence]], Any] | None = None
    name: str = "failing drafter"
    seen: list[Evidence] = field(default_factory=list)

    async def draft(
        self, question: Question, plan: ExternalQueryPlan, evidence: Sequence[Evidence], zone: str
    ) -> Draft:
        self.seen += evidence
        made: Draft = await late() if self.make is None else self.make(evidence)
        return made


PLANNERS: dict[str, Planner] = {
    "planner malformed": FailingPlanner(given={"plan": "广州"}),
    "planner late": FailingPlanner(),
    "planner refused": FailingPlanner(given=Planned(failure="the model refused")),
}
DRAFTERS: dict[str, Callable[[], Drafter]] = {
    "model late": FailingDrafter,
    "model malformed": lambda: FailingDrafter(lambda evidence: "a text"),
    "model unsupported claim": lambda: FailingDrafter(
        lambda evidence: Draft("广州今天气温 35℃ [1]。", {"[1]": evidence[0].id})
    ),
}


def faulty_rules(folder: Path, faults: Sequence[Row]) -> RuleSet:
    """The shipped rules; missing, broken or expired if a row says so."""
    wrong = next((row.fault for row in faults if row.part == "rules"), None)
    if wrong is None:
        return SHIPPED
    copy = folder / "rules"
    shutil.copytree(data_dir("policies"), copy)
    if wrong == "missing":
        shutil.rmtree(copy)
    elif wrong == "invalid":
        plan = copy / "contracts" / "plan.yaml"
        text = plan.read_text(encoding="utf-8")
        plan.write_text(text.replace("plan.topic", "plan.tpoic"), encoding="utf-8")
    elif wrong == "expired":
        for file in (copy / "contracts").iterdir():
            said = file.read_text(encoding="utf-8")
            over = "effective: {from: 2020-01-01T00:00:00Z, until: 2021-01-01T00:00:00Z}\n"
            aged, changed = re.subn(r"^(version: .*\n)", rf"\1{over}", said, count=1, flags=re.MULTILINE)
            assert changed
            file.write_text(aged, encoding="utf-8")
    return open_rules(copy)


@contextmanager
def failing_store(folder: Path, faults: Sequence[Row]) -> Iterator[SqliteStore]:
    """A real store in a state folder, which is full, locked by another process, or gone."""
    wrong = next((row.fault for row in faults if row.part == "store"), None)
    state = folder / "state"
    store = SqliteStore(state, busy_timeout=timedelta(milliseconds=50), quota=16_384 if wrong == "full" else None)
    if wrong in ("locked", "gone"):
        asyncio.run(store.list_runs())  # it is there before it is lost
    if wrong == "gone":
        shutil.rmtree(state)
    if wrong != "locked":
        yield store
        return
    other = sqlite3.connect(state / FILE_NAME, isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        yield store
    finally:
        other.close()


def failing_parts(
    rules: RuleSet,
    store: Store,
    faults: Sequence[Row],
    execution_id: str,
    *,
    mcp: Source | None = None,
    live: Source | None = None,
    planner: Planner | None = None,
    drafter: Drafter | None = None,
) -> Parts:
    """Everything `ask` needs, with these faults; what has no fault is sound. The rest: parts that are not ours."""
    names = {str(row) for row in faults}
    acts = {
        part: next((FETCHES[name] for name in names if name.startswith(part)), None) for part in ("mcp", "fallback")
    }
    sources: list[Source] = [
        mcp or FailingSource("mcp:news", acts["mcp"] or healthy("mcp")),
        live or FailingSource("live", acts["fallback"] or healthy("live")),
    ]
    planner = planner or next((PLANNERS[name] for name in names if name in PLANNERS), OfflinePlanner())
    drafter = drafter or next((DRAFTERS[name]() for name in names if name in DRAFTERS), ExtractiveDrafter())
    return Parts(
        rules=rules,
        planner=planner,
        drafter=drafter,
        sources={source.name: source for source in sources},
        store=store,
        clock=now,
        new_id=lambda: execution_id,
        limits=Limits(store_timeout=timedelta(seconds=60)),
    )
