"""The server process: one tool, `search`. `--backup` serves the second, smaller corpus; `--now` fixes the clock."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field

from .corpus import Page, backup_pages, pages
from .ranking import search

Instant = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Address = Annotated[str, Field(json_schema_extra={"format": "uri"})]


class Record(BaseModel):
    """One page that was found."""

    title: str
    text: str
    source: str
    type: str
    url: Address | None
    published: Instant | None
    valid_from: Instant | None
    valid_to: Instant | None
    score: Annotated[float, Field(ge=0)]


class Found(BaseModel):
    """What a search found, best first. `count` is the number of records."""

    records: list[Record]
    count: int


def record(page: Page, score: float) -> Record:
    """A page as the tool returns it."""
    return Record(
        title=page.title,
        text=page.text,
        source=page.source,
        type=page.type,
        url=page.url,
        published=_written(page.published),
        valid_from=_written(page.valid_from),
        valid_to=_written(page.valid_to),
        score=round(score, 3),
    )


def _written(instant: datetime | None) -> str | None:
    return None if instant is None else instant.isoformat()


def main() -> None:
    """Serves until stdin closes."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--backup", action="store_true", help="serve the second corpus")
    arguments.add_argument("--now", type=datetime.fromisoformat, help="the time to date pages by, with offset")
    options = arguments.parse_args()
    corpus = backup_pages if options.backup else pages
    name = "groundrule-sample-backup" if options.backup else "groundrule-sample"
    app = MCPServer(name, version="1", log_level="ERROR")

    @app.tool(name="search", annotations=ToolAnnotations(read_only_hint=True, idempotent_hint=True))
    def search_tool(
        query: Annotated[str, Field(min_length=1, max_length=500)],
        limit: Annotated[int, Field(ge=1, le=50)] = 5,
    ) -> Found:
        """Searches the sample pages, in Chinese and English."""
        found = search(query, corpus(options.now or datetime.now(UTC)), limit)
        return Found(records=[record(page, score) for page, score in found], count=len(found))

    app.run("stdio")


if __name__ == "__main__":
    main()
