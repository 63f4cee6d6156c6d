"""The MCP source: one for each configured server that has a mapping."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from groundrule.facts import Call, Evidence
from groundrule.gateway.ports import Errand, Fetched

from .arguments import Asked, calls_for
from .client import Live, McpClient
from .config import Launch, McpConfig, Server, ServerEntry
from .evidence import Origin, evidence
from .faults import McpConfigError, McpFailure
from .mapping import ResultMapping
from .results import records
from .schema import Checker

if TYPE_CHECKING:
    from mcp_types import CallToolResult, Tool

_PACKAGE = re.compile(r"(?:@[^/@\s]+/)?[^@=<>~\[\s]+")
"""A package in a command line: what stands before its version or extras."""
Clock = Callable[[], datetime]
_HANDING_OVER = 0.25
"""Seconds of an errand's time that are kept back, at most."""


class McpSource:
    """Fetches evidence from one server. It implements `ports.Source`; close it when the program ends.

    heard: told of every result as it came, before the mapping is applied.

    Every attempt ends with exactly one outcome: whatever goes wrong between configuration and record is an outcome
    with a reason, and the next attempt starts afresh.
    """

    def __init__(self, server: Server, mapping: ResultMapping, env: Mapping[str, str], clock: Clock) -> None:
        """Raises McpConfigError if a variable that the server needs is not set."""
        self._server, self.mapping, self._clock = server, mapping, clock
        launch = server.reach(env)
        self._launch = replace(launch, env={**mapping.env, **launch.env}) if isinstance(launch, Launch) else launch
        self._client = McpClient(self._launch)
        self.heard: Callable[[CallToolResult], None] | None = None

    @property
    def name(self) -> str:
        """`mcp:` and the server's name."""
        return f"mcp:{self._server.name}"

    @property
    def sample_data(self) -> bool:
        """Whether what it fetches is made up."""
        return self.mapping.sample_data

    async def fetch(self, errand: Errand) -> Fetched:
        """One attempt: a call for each search query, or each address, until there are as many items as wanted."""
        items: dict[str, Evidence] = {}
        failures: list[McpFailure] = []
        deadline = asyncio.get_running_loop().time() + self._longest(errand)
        try:
            for asked in calls_for(self.mapping, errand):
                if len(items) >= errand.limit:
                    break
                try:
                    items |= await self._call(asked, errand, deadline)
                except McpFailure as failure:
                    failures.append(failure)
                    if failure.gone:
                        break
        except McpFailure as failure:
            failures.append(failure)
        return self._outcome(list(items.values())[: errand.limit], failures)

    @property
    def reached(self) -> str:
        """The command or address of the server, without anything secret."""
        return self._launch.shown

    def redacted(self, text: str) -> str:
        """The text with every configured value masked."""
        return self._launch.redacted(text)

    async def listed(self, deadline: float) -> Mapping[str, Tool]:
        """The server's tools by name, at the latest at this time of the loop's clock. Raises McpFailure."""
        return (await self._client.connection(deadline)).tools

    async def close(self) -> None:
        """Ends the server's process, or its session."""
        await self._client.close()

    def _outcome(self, items: Sequence[Evidence], failures: Sequence[McpFailure]) -> Fetched:
        reasons = "; ".join(dict.fromkeys(failure.sentence(self._launch.redacted) for failure in failures)) or None
        if items:
            return Fetched("evidence", tuple(items), reasons, self._server.name)
        worst = next((failure for failure in failures if failure.outcome != "empty"), None)
        return Fetched("empty" if worst is None else worst.outcome, (), reasons, self._server.name)

    def _longest(self, errand: Errand) -> float:
        """Seconds that an attempt may take: starting the server, if need be, and all its calls.

        A little less than what the errand allows, so that what has arrived by then is handed over in time.
        """
        longest = min(errand.call_timeout, self._server.timeout or errand.call_timeout).total_seconds()
        return longest - min(_HANDING_OVER, longest / 20)

    async def _call(self, asked: Asked, errand: Errand, deadline: float) -> dict[str, Evidence]:
        """The items of one call by id."""
        name = self.mapping.tool
        allowed = self._server.entry.tools
        if allowed is not None and name not in allowed:
            raise McpFailure("refused", f"the tool `{name}` is not among the tools allowed for this server", gone=True)
        live = await self._client.connection(deadline)
        tool = live.tools.get(name)
        if tool is None:
            known = ", ".join(sorted(live.tools)[:10])
            raise McpFailure("failed", f"the server has no tool `{name}`; it has", said=known, gone=True)
        fault = _checker(live, tool, "input", tool.input_schema).fault(dict(asked.arguments))
        if fault is not None:
            raise McpFailure("refused", f"the arguments do not fit the tool's schema: {fault}")
        call = Call(
            kind="mcp",
            adapter=self.name,
            server=self._server.name,
            tool=name,
            url=asked.url,
            arguments=dict(asked.arguments),
            read_only=self._read_only(tool),
        )
        if not await errand.permit(call):
            raise McpFailure("refused", f"the call of `{name}` was not permitted")
        result = await self._client.call(live, name, asked.arguments, deadline)
        if self.heard is not None:
            self.heard(result)
        output = _checker(live, tool, "output", tool.output_schema) if tool.output_schema is not None else None
        found = records(result, self.mapping, output, asked.url)
        origin = Origin(errand.execution_id, self.name, self._server.name, name, self._clock(), live.about)
        return self._items(found, origin, errand.limit)

    def _items(self, found: Sequence[Mapping[str, Any]], origin: Origin, limit: int) -> dict[str, Evidence]:
        items: dict[str, Evidence] = {}
        for record in found:
            try:
                item = evidence(record, self.mapping, origin)
            except ValidationError:
                continue  # something in it that no record of ours carries; the others are as good as before
            if item is not None:
                items.setdefault(item.id, item)
            if len(items) >= limit:
                break
        if not items:
            raise McpFailure("failed", f"none of the {len(found)} records has a readable text where the mapping says")
        return items

    def _read_only(self, tool: Tool) -> bool:
        """What the operator says; else what the server says; else what the mapping says; else no."""
        hint = None if tool.annotations is None else tool.annotations.read_only_hint
        words = (self._server.entry.read_only, hint, self.mapping.read_only)
        return next((word for word in words if word is not None), False)


@dataclass(frozen=True)
class McpSources:
    """The sources of a configuration in order of preference. left_out: server to reason."""

    sources: tuple[McpSource, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)


def open_sources(
    config: McpConfig, mappings: Mapping[str, ResultMapping], env: Mapping[str, str], clock: Clock
) -> McpSources:
    """A source for every server that has a mapping. No process is started yet.

    Raises McpConfigError for a mapping that is named and does not exist, and for a variable that is not set.
    """
    sources: list[McpSource] = []
    left_out = dict(config.skipped)
    for server in config.servers:
        mapping = _mapping_of(server, mappings)
        if mapping is not None:
            sources.append(McpSource(server, mapping, env, clock))
        elif server.entry.mapping is not None:
            place = f"mcpServers.{server.name}.mapping"
            help = "mappings there are: " + ", ".join(sorted(mappings))
            raise McpConfigError(server.file, place, f"there is no mapping `{server.mapping}`", help)
        else:
            left_out[server.name] = f"there is no mapping of this name; it belongs into mappings/{server.name}.yaml"
    return McpSources(tuple(sources), left_out)


def _mapping_of(server: Server, mappings: Mapping[str, ResultMapping]) -> ResultMapping | None:
    """The mapping that the file names or that bears the server's name; else the one whose package the command names.

    Where several mappings share a package, the first by name is taken.
    """
    found = mappings.get(server.mapping)
    if found is not None or server.entry.mapping is not None:
        return found
    if not isinstance(server.entry, ServerEntry):
        return None
    words = [Path(server.entry.command).name, *server.entry.args]
    packages = {match[0].replace("_", "-") for word in words if (match := _PACKAGE.match(word))}
    return next((mapping for _, mapping in sorted(mappings.items()) if mapping.package in packages), None)


def _checker(live: Live, tool: Tool, side: str, schema: dict[str, Any]) -> Checker:
    key = (tool.name, side)
    if key not in live.checkers:
        live.checkers[key] = Checker(schema)
    return live.checkers[key]
