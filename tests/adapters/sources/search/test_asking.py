"""`ask` from end to end: the live search stands in for an MCP server that fails, and only where it is switched on."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.sources.fetch.loopback import OPENED, Site, response, site
from tests.adapters.sources.search.result_pages import ANOMALY, result, result_page
from typer.testing import CliRunner

from groundrule import Context, Question, Reply
from groundrule_adapters import Settings, open_gateway
from groundrule_adapters.cli.app import app
from groundrule_adapters.settings import FetchSettings, LiveSettings, SettingsError

pytestmark = pytest.mark.anyio
QUESTION = "云岭科技的营收是多少"


@pytest.fixture(autouse=True)
def names_of_documentation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names that end in `.example` lead to the servers of these tests; all others to where they lead."""
    known = socket.getaddrinfo

    def look(host: Any, port: Any, *args: Any, **named: Any) -> Any:
        inner = OPENED if isinstance(host, str) and host.endswith(".example") else host
        return known(inner, port, *args, **named)

    monkeypatch.setattr(socket, "getaddrinfo", look)


def page(text: str, age: timedelta = timedelta(days=2)) -> str:
    at = (datetime.now(UTC) - age).isoformat(timespec="seconds")
    return f'<meta property="article:published_time" content="{at}"><title>年报</title><article><p>{text}</p></article>'


@asynccontextmanager
async def web(
    answer: str | bytes | None = None, age: timedelta = timedelta(days=2)
) -> AsyncIterator[tuple[Site, Site]]:
    """A search engine, and two publishers that it finds."""
    async with site() as engine, site() as publishers:
        texts = {
            "cloud-news": "云岭科技发布2025年年度报告，2025年营收为12.5亿元，同比增长8%。",
            "city-daily": "本报讯：云岭科技2025年营收达12.5亿元，比上年增长8%，净利润同步提升。",
        }
        for name, text in texts.items():
            publishers.answers[f"/{name}"] = page(text, age)
        urls = [publishers.url(f"/{name}", name=f"{name}.example") for name in texts]
        found = result_page(*(result(url, "云岭科技营收", "云岭科技营收") for url in urls))
        engine.answers = _Any(answer if answer is not None else found)
        yield engine, publishers


class _Any(dict[str, Any]):
    """One answer to every path."""

    def __init__(self, answer: object) -> None:
        self._answer = answer

    def get(self, key: str, default: Any = None) -> Any:
        return self._answer


def settings(
    folder: Path, engine: Site, server: str = "raise SystemExit(3)", enabled: bool = True, **live: Any
) -> Settings:
    """Settings with one MCP server, a Python program, and the live search."""
    config = folder / "mcp.json"
    command = {"command": sys.executable, "args": ["-c", server], "mapping": "sample"}
    config.write_text(json.dumps({"mcpServers": {"broken": command}}), encoding="utf-8")
    return Settings(
        mcp=config,
        home=folder / "home",
        zone="Asia/Shanghai",
        fetch=FetchSettings.model_validate({"allow_addresses": ["127.0.0.2/32"]}),
        live=LiveSettings(enabled=enabled, base_url=engine.url("/html/"), **live),
        env=dict(os.environ),
        cwd=folder,
    )


async def asked(read: Settings, text: str = QUESTION) -> tuple[Reply, list[dict[str, Any]]]:
    """The reply, and the attempts as the receipt has them."""
    async with open_gateway(read) as gateway:
        question = Question.model_validate({"id": "q", "text": text, "language": "zh", "asked_at": datetime.now(UTC)})
        reply = await gateway.ask(question, Context(zone="Asia/Shanghai", channel="cli"))
        (run,) = await gateway.store.list_runs(1)
        receipt = await gateway.store.get_run(run.execution_id)
    assert receipt is not None
    return reply, receipt["attempts"]


async def test_the_live_search_stands_in_for_a_server_that_fails(tmp_path: Path) -> None:
    """The answer cites the pages that were read, by their own names."""
    async with web() as (engine, publishers):
        reply, attempts = await asked(settings(tmp_path, engine))
    assert reply.status == "answered", reply.text
    assert "12.5亿元" in (reply.text or "")
    assert "cloud-news.example" in (reply.text or "")
    assert [(attempt["adapter"], attempt["outcome"]) for attempt in attempts] == [
        ("mcp:broken", "failed"),
        ("live", "evidence"),
    ]
    assert publishers.connections == 2


async def test_without_the_switch_nothing_leaves(tmp_path: Path) -> None:
    """No engine is asked, and the reply is a refusal."""
    async with web() as (engine, publishers):
        reply, attempts = await asked(settings(tmp_path, engine, enabled=False))
        assert (engine.connections, publishers.connections) == (0, 0)
    assert (reply.status, reply.kind) == ("refused", "no_evidence")
    assert [attempt["adapter"] for attempt in attempts] == ["mcp:broken"]


@pytest.mark.parametrize(
    ("answer", "outcome"), [(ANOMALY, "blocked"), ("<p>new layout", "failed"), (response("x", status=429), "blocked")]
)
async def test_a_fallback_that_fails_too_is_a_refusal(tmp_path: Path, answer: str | bytes, outcome: str) -> None:
    """With the outcome in the receipt, and none of it in the reply."""
    async with web(answer) as (engine, _):
        reply, attempts = await asked(settings(tmp_path, engine))
    assert (reply.status, reply.kind) == ("refused", "no_evidence")
    assert attempts[-1]["outcome"] == outcome
    assert "DuckDuckGo" not in (reply.text or "")


async def test_old_pages_are_told_from_no_pages(tmp_path: Path) -> None:
    """The freshness guard holds for what the live search brings."""
    async with web(age=timedelta(days=800)) as (engine, _):
        reply, attempts = await asked(settings(tmp_path, engine))
    assert attempts[-1]["outcome"] == "evidence"
    assert (reply.status, reply.kind) == ("refused", "stale")


async def test_a_provider_that_nobody_knows_is_said_with_the_nearest() -> None:
    """Before anything starts."""
    with pytest.raises(SettingsError, match="duckduckgo"):
        async with open_gateway(Settings(live=LiveSettings(enabled=True, provider="duckduckg"))):
            raise AssertionError("it opened")


async def test_with_the_live_search_and_no_servers_there_is_no_sample_data(tmp_path: Path) -> None:
    """Who asks the real web wants no made-up pages beside it."""
    async with web() as (engine, _):
        read = settings(tmp_path, engine)
        (tmp_path / "mcp.json").unlink()
        env = {**os.environ, "GROUNDRULE_HOME": ""}
        alone = Settings(home=read.home, zone=read.zone, fetch=read.fetch, live=read.live, env=env, cwd=tmp_path)
        reply, attempts = await asked(alone)
    assert [attempt["adapter"] for attempt in attempts] == ["live"]
    assert reply.status == "answered"
    assert "示例数据" not in (reply.text or "")


async def test_the_command_line_searches_live_only_when_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--live`, beside a settings file that leaves it off."""
    import asyncio

    monkeypatch.setenv("GROUNDRULE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    async with web() as (engine, _):
        settings(tmp_path, engine)
        file = tmp_path / "groundrule.toml"
        file.write_text(
            f'mcp = "mcp.json"\n[fetch]\nallow_addresses = ["127.0.0.2/32"]\n[live]\nbase_url = "{engine.url("/html/")}"\n',
            encoding="utf-8",
        )
        call = ["ask", QUESTION, "--settings", str(file), "--zone", "Asia/Shanghai"]
        off = await asyncio.to_thread(CliRunner().invoke, app, call)
        assert (off.exit_code, engine.connections) == (1, 0), off.output
        on = await asyncio.to_thread(CliRunner().invoke, app, [*call, "--live"])
    assert on.exit_code == 0, on.output
    assert "12.5亿元" in on.output
