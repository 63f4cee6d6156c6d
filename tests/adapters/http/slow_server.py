"""A stdio MCP server whose one tool takes its time. It writes `called` and `cancelled` into a folder, and its pid."""

from __future__ import annotations

import argparse
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import anyio
from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations
from pydantic import Field

from groundrule_adapters.sample_server.__main__ import Found, record
from groundrule_adapters.sample_server.corpus import pages
from groundrule_adapters.sample_server.ranking import search


def main() -> None:
    """Serves until stdin closes."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, required=True)
    arguments.add_argument("--folder", type=Path, required=True)
    options = arguments.parse_args()
    (options.folder / "pid").write_text(str(os.getpid()))
    app = MCPServer("slow", version="1", log_level="ERROR")

    @app.tool(name="search", annotations=ToolAnnotations(read_only_hint=True, idempotent_hint=True))
    async def search_tool(
        query: Annotated[str, Field(min_length=1, max_length=500)],
        limit: Annotated[int, Field(ge=1, le=50)] = 5,
    ) -> Found:
        """Searches the sample pages, slowly."""
        (options.folder / "called").touch()
        try:
            await anyio.sleep(options.seconds)
        except anyio.get_cancelled_exc_class():
            (options.folder / "cancelled").touch()
            raise
        found = search(query, pages(datetime.now(UTC)), limit)
        return Found(records=[record(page, score) for page, score in found], count=len(found))

    app.run("stdio")


if __name__ == "__main__":
    main()
