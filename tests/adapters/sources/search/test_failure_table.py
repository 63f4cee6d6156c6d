"""The rows of the failure table about the fallback, caused by a search engine and a web of ours on loopback.

The live search is the real one: it fetches over HTTP and parses in processes of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.sources.fetch.loopback import OPENED, Answer, Site, response, site
from tests.adapters.sources.search.result_pages import ANOMALY, NO_RESULTS, result, result_page
from tests.conformance.failures.hurried import late, ran
from tests.conformance.failures.parts import (
    CONTEXT,
    INTERNAL,
    QUESTION,
    SHIPPED,
    failing_parts,
    failing_store,
    faulty_rules,
    now,
)
from tests.conformance.failures.table import Row, expected, rows

from groundrule.gateway.pipeline import ask
from groundrule_adapters.settings import FetchSettings, LiveSettings
from groundrule_adapters.sources.fetch.fetcher import Fetcher
from groundrule_adapters.sources.search.live import LiveSearch
from groundrule_adapters.sources.search.providers import PROVIDERS
from groundrule_adapters.store.sqlite import SqliteStore

ALL = rows()
FALLBACK = [row for row in ALL if row.part == "fallback"]
MCP = [row for row in ALL if row.part == "mcp"]
BESIDE = [row for row in ALL if row.part in ("rules", "planner", "model", "store") and row.then != "no start"]
UNAVAILABLE = next(row for row in MCP if row.fault == "unavailable")


class Always(dict[str, Answer]):
    """One answer, whatever is asked."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def get(self, path: str, default: Any = None) -> Any:
        return self._answer


async def _late(writer: asyncio.StreamWriter) -> None:
    await late(4)  # nearly half of what a call may take, which the search leaves to the pages


def page(age: timedelta) -> str:
    at = (datetime.now(UTC) - age).isoformat(timespec="seconds")
    head = f'<meta property="article:published_time" content="{at}"><title>广州天气</title>'
    return f"<html><head>{head}</head><body><article><p>广州今天多云，气温 22～28℃。</p></article></body></html>"


@asynccontextmanager
async def search(fault: str | None) -> AsyncIterator[LiveSearch]:
    """The live search on an engine that has this fault; without one it finds a good page."""

    async def resolve(host: str, port: int) -> Sequence[str]:
        return [OPENED]

    async with site() as engine, site() as web:
        web.answers = {"/good": page(timedelta(minutes=10)), "/old": page(timedelta(days=3)), "/gone": response("x", 500)}
        engine.answers = Always(_engine(fault, web))
        settings = FetchSettings.model_validate({"allow_addresses": [f"{OPENED}/32"]})
        live = LiveSettings(enabled=True, base_url=engine.url("/html/"))
        yield LiveSearch(PROVIDERS["duckduckgo"], live, Fetcher(settings, now, resolve), now)


def _engine(fault: str | None, web: Site) -> Answer:
    def found(*names: str) -> str:
        urls = [web.url(f"/{name}", name=f"{name}.weather.com.cn") for name in names]
        return result_page(*(result(url, "广州天气", "广州 天气") for url in urls))

    answers: dict[str | None, Answer] = {
        None: found("good"), "blocked": response("x", 403), "captcha": ANOMALY, "empty": NO_RESULTS, "late": _late,
        "partial": found("gone", "old"),
    }  # fmt: skip
    return answers[fault]


@pytest.mark.parametrize("row", FALLBACK, ids=str)
def test_a_search_that_fails_leads_to_what_the_table_says(tmp_path: Path, row: Row) -> None:
    """Beside every fault of the servers that were asked before it, and alone, where it is not asked at all."""

    async def run() -> None:
        store = SqliteStore(tmp_path / "state")
        async with search(row.fault) as live:
            for number, other in enumerate((None, *MCP)):
                faults = (row,) if other is None else (other, row)
                reply = await ask(QUESTION, CONTEXT, failing_parts(SHIPPED, store, faults, f"run-{number}", live=live))
                assert (reply.status, reply.kind or "") == expected(faults), f"{faults}: {reply.text}"
                assert INTERNAL not in (reply.text or "") + (reply.markdown or "")
                kept = await store.get_run(f"run-{number}")
                assert kept is not None
                outcomes = {attempt["adapter"]: attempt["outcome"] for attempt in kept["attempts"]}
                assert outcomes.get("live", row.attempt) == row.attempt, kept["attempts"]
                assert ("live" in outcomes) is (other is not None)
        assert len(asyncio.all_tasks()) == 1

    ran(run())


@pytest.mark.parametrize("row", [None, *BESIDE], ids=str)
def test_a_search_that_works_saves_no_run_that_fails_elsewhere(tmp_path: Path, row: Row | None) -> None:
    """The server is gone and the page is good: it is cited, unless planner, model, rules or store fail."""
    faults = (UNAVAILABLE,) if row is None else (UNAVAILABLE, row)
    with failing_store(tmp_path, faults) as store:

        async def run() -> None:
            async with search(None) as live:
                rules = faulty_rules(tmp_path, faults)
                reply = await ask(QUESTION, CONTEXT, failing_parts(rules, store, faults, "run-1", live=live))
            assert (reply.status, reply.kind or "") == expected(faults), reply.text
            assert [source.title for source in reply.sources or ()] == (["广州天气"] if row is None else [])

        ran(run())
