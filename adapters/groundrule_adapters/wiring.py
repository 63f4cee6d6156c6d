"""The one place where parts are put together."""

from __future__ import annotations

import sys
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

from groundrule import Context, Question, Reply, RuleSet
from groundrule.gateway.parts import Parts
from groundrule.gateway.pipeline import ask
from groundrule.gateway.ports import Drafter, Planner, Source

from .crosscheck.durable import DurableCrossCheck
from .drafter.extractive import ExtractiveDrafter
from .drafter.openai import OpenAIDrafter
from .files import data_dir, open_rules, read_files
from .model import Model
from .planner.offline import OfflinePlanner
from .planner.openai import OpenAIPlanner
from .settings import Settings, SettingsError
from .sources.mcp import (
    McpConfig,
    McpSource,
    ResultMapping,
    find_config,
    mapping_files,
    open_sources,
    read_config,
    read_mappings,
    sample_config,
)
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
    """The configured MCP servers; if none are, the sample servers, or none beside the live search.

    Raises McpConfigError.
    """
    found = find_config(settings.mcp, settings.env, settings.cwd)
    if found is not None:
        return read_config(found)
    return McpConfig(()) if settings.live.enabled else sample_config(sys.executable)


def live_sources(settings: Settings) -> list[Source]:
    """The live search, where it is switched on. Raises SettingsError."""
    if not settings.live.enabled:
        return []
    from .sources.search.live import open_live  # late: what is not switched on is not even loaded

    return [open_live(settings, now)]


def mappings(settings: Settings) -> dict[str, ResultMapping]:
    """The mappings of MCP servers. Of two with one name the later holds: those that ship, those of the rule set, of
    `mappings/` in $GROUNDRULE_HOME, and of `mappings/` beside the `mcp.json`. Raises MappingError or RuleFileError.
    """
    found = read_mappings(mapping_files(data_dir("policies") / "mappings"))
    if settings.rules is not None:
        found |= read_mappings(read_files(settings.rules))
    config = find_config(settings.mcp, settings.env, settings.cwd)
    homes = [Path(settings.env["GROUNDRULE_HOME"])] if settings.env.get("GROUNDRULE_HOME") else []
    for home in dict.fromkeys([*homes, *([config.parent] if config is not None else [])]):
        found |= read_mappings(mapping_files(home / "mappings"), str(home / "mappings"))
    return found


def open_model(settings: Settings) -> Model | None:
    """The model that settings name, if they name one. Raises SettingsError where its client is not installed."""
    if not settings.model.usable:
        return None
    if find_spec("openai") is None:
        raise SettingsError("groundrule.toml", "model", "the client is not installed", "pip install 'groundrule[model]'")
    return Model(settings.model)


def planner_of(settings: Settings, model: Model | None, rules: RuleSet) -> Planner:
    """The planner that settings ask for. rules: those that its prompt is made from."""
    offline = OfflinePlanner()
    if model is None or not settings.model.planner:
        return offline
    return OpenAIPlanner(model, rules, otherwise=offline if settings.model.on_failure == "offline" else None)


def drafter_of(settings: Settings, model: Model | None) -> Drafter:
    """The drafter that settings ask for."""
    extractive = ExtractiveDrafter()
    if model is None or not settings.model.drafter:
        return extractive
    return OpenAIDrafter(model, otherwise=extractive if settings.model.on_failure == "offline" else None)


def with_rules(parts: Parts, rules: RuleSet) -> Parts:
    """The same parts under other rules, of which a model is told at once."""
    planner = parts.planner
    if isinstance(planner, OpenAIPlanner):
        planner = replace(planner, rules=rules)
    return replace(parts, rules=rules, planner=planner)


@asynccontextmanager
async def open_gateway(settings: Settings) -> AsyncIterator[Gateway]:
    """A gateway whose servers end with the block. Raises RuleFileError or ConfigError."""
    rules = open_rules(settings.rules)
    model = open_model(settings)
    opened = open_sources(servers(settings), mappings(settings), settings.env, now)
    live = live_sources(settings)
    store = SqliteStore(settings.home)
    cross_check = _cross_check(settings)
    parts = Parts(
        rules=rules,
        planner=planner_of(settings, model, rules),
        drafter=drafter_of(settings, model),
        sources={source.name: source for source in (*opened.sources, *live)},
        store=store,
        clock=now,
        new_id=new_id,
        cross_check=cross_check,
    )
    try:
        yield Gateway(rules, store, parts, opened.left_out)
    finally:
        for source in opened.sources:
            await _close(source)
        if model is not None:
            await model.close()
        if cross_check is not None:
            cross_check.close()


def _cross_check(settings: Settings) -> DurableCrossCheck | None:
    if settings.cross_check == "off":
        return None
    check = DurableCrossCheck(enforced=settings.cross_check == "enforce")
    check.open()
    return check


async def _close(source: McpSource) -> None:
    await source.close()
