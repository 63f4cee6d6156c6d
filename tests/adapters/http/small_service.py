"""The parts behind a service under test: one plan, one page, one draft; each can be told to do something else."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from fastapi import FastAPI
from starlette.testclient import TestClient
from tests.engine.gateway.small_parts import SmallDrafter, SmallPlanner, page

from groundrule.gateway.parts import Parts
from groundrule.gateway.ports import Errand, Fetched
from groundrule_adapters import wiring
from groundrule_adapters.files import open_rules
from groundrule_adapters.settings import Settings
from groundrule_adapters.store.sqlite import SqliteStore


@dataclass
class PageSource:
    """One page of 40 minutes ago, whatever is asked; `act` is awaited before."""

    name: str = "pages"
    sample_data: bool = False
    snippet: str = "广州多云，气温 22～28℃。"
    act: Callable[[], Awaitable[None]] | None = None

    async def fetch(self, errand: Errand) -> Fetched:
        if self.act is not None:
            await self.act()
        dated = errand.now - timedelta(minutes=40)
        found = page(
            "official", self.snippet, execution_id=errand.execution_id, retrieved_at=errand.now, dated_at=dated
        )
        return Fetched("evidence", (found,))


@dataclass
class Small:
    """Opens gateways of small parts. opened: the settings of each tenant."""

    source: PageSource = field(default_factory=PageSource)
    planner: SmallPlanner = field(default_factory=SmallPlanner)
    drafter: SmallDrafter = field(default_factory=SmallDrafter)
    opened: list[Settings] = field(default_factory=list)
    snippets: dict[str, str] = field(default_factory=dict)

    @asynccontextmanager
    async def open(self, settings: Settings) -> AsyncIterator[wiring.Gateway]:
        self.opened.append(settings)
        rules, store = open_rules(settings.rules), SqliteStore(settings.home)
        source = self.source
        if settings.home is not None and settings.home.name in self.snippets:
            source = PageSource(snippet=self.snippets[settings.home.name])
        parts = Parts(
            rules=rules,
            planner=self.planner,
            drafter=self.drafter,
            sources={source.name: source},
            store=store,
            clock=wiring.now,
            new_id=wiring.new_id,
        )
        yield wiring.Gateway(rules=rules, store=store, parts=parts, left_out={})


@contextmanager
def started(app: FastAPI, **more: Any) -> Iterator[TestClient]:
    """A client of the started application, on a loopback name."""
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False, **more) as client:
        yield client
