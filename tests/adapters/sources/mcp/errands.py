"""What the tests of the MCP source have in common: a clock that stands, errands, and sources on servers of ours."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from groundrule.facts import Call, ExternalQueryPlan, Question
from groundrule.gateway.ports import Errand, Permit
from groundrule_adapters.sources.mcp import (
    McpSource,
    ResultMapping,
    mapping_files,
    open_sources,
    parse_config,
    read_mapping,
    read_mappings,
)

HERE = Path(__file__).parent
MAPPINGS = HERE.parents[3] / "policies" / "mappings"
SHIPPED = read_mappings(mapping_files(MAPPINGS))
"""The mappings that ship, by name."""
NOW = datetime(2026, 11, 29, 4, 0, tzinfo=UTC)

FAULTY = """
mapping: 1
tool: search
arguments: {query: "{query}"}
result: {shape: structured, records: records, count: count}
fields: {title: [title], url: [url], snippet: [text]}
source_type: url
generated: false
dates:
  - {field: published, kind: published, origin: structured, zone: Asia/Shanghai}
outcomes: {empty: [No results]}
"""


async def permitted(call: Call) -> bool:
    """The call gate of a rule set that allows everything."""
    return True


def errand(
    *queries: str, limit: int = 3, seconds: float = 10, permit: Permit = permitted, question: str = "", **plan: Any
) -> Errand:
    """An errand with a plan of these search queries."""
    return Errand(
        execution_id="run-1",
        plan=ExternalQueryPlan(search_queries=queries, **plan),
        question=Question(text=question),
        limit=limit,
        call_timeout=timedelta(seconds=seconds),
        now=NOW,
        permit=permit,
    )


def source_on(
    command: list[str], mapping: str | ResultMapping, environ: Mapping[str, str] | None = None, **entry: Any
) -> McpSource:
    """The source of a server with this command line and mapping; further keys of its entry by name."""
    entry |= {"command": command[0], "args": command[1:], "mapping": "m"}
    declared = read_mapping(mapping, "mappings/m.yaml") if isinstance(mapping, str) else mapping
    config = parse_config(json.dumps({"mcpServers": {"server": entry}}), "mcp.json")
    (source,) = open_sources(config, {"m": declared}, environ or os.environ, lambda: NOW).sources
    return source


def shipped(name: str, command: list[str], **entry: Any) -> McpSource:
    """The source of a real server with the mapping that ships for it."""
    return source_on(command, SHIPPED[name], **entry)


def faulty(start: str = "well", mapping: str = FAULTY, **entry: Any) -> McpSource:
    """The source of the faulty server."""
    return source_on([sys.executable, str(HERE / "faulty_server.py"), start], mapping, **entry)
