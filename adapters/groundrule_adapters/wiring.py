"""The one place where parts are put together."""

from __future__ import annotations

import sys
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from groundrule import Context, Question, Reply, RuleSet
from groundrule.gateway.parts import Parts
from groundrule.gateway.pipeline import ask

from .drafter.extractive import ExtractiveDrafter
from .files import data_dir, open_rules
from .planner.offline import OfflinePlanner
from .settings import Settings
from .sources.mcp import McpConfig, McpSource, find_config, open_sources, read_config, read_mappings, sample_config
from .store.sqlite import SqliteStore


def now() -> datetime:
    """The present time."""
    return datetime.now(UTC)


def new_id() -> str:
    """A fresh identifier."""
    return uuid.uuid4().hex


@dataclass(frozen=True)
class Gateway:
    """A gateway ready to be asked. left_out: configured servers that are not used, and why."""

    rules: RuleSet
    store: SqliteStore
    parts: Parts
    left_out: Mapping[str, str]

    async def ask(self, question: Question, context: Context) -> Reply:
        """One execution; see `groundrule.ask`."""
        return await ask(question, context, self.parts)


def servers(settings: Settings) -> McpConfig:
    """The configured MCP servers, or the sample servers. Raises McpConfigError."""
    found = find_config(settings.mcp, settings.env, settings.cwd)
    return read_config(found) if found is not None else sample_config(sys.executable)


@asynccontextmanager
async def open_gateway(settings: Settings) -> AsyncIterator[Gateway]:
    """A gateway whose servers end with the block. Raises RuleFileError or McpConfigError."""
    rules = open_rules(settings.rules)
    mappings = read_mappings(data_dir("policies") / "mappings")
    opened = open_sources(servers(settings), mappings, settings.env, now)
    store = SqliteStore(settings.home)
    parts = Parts(
        rules=rules,
        planner=OfflinePlanner(),
        drafter=ExtractiveDrafter(),
        sources={source.name: source for source in opened.sources},
        store=store,
        clock=now,
        new_id=new_id,
    )
    try:
        yield Gateway(rules, store, parts, opened.left_out)
    finally:
        for source in opened.sources:
            await _close(source)


async def _close(source: McpSource) -> None:
    await source.close()
