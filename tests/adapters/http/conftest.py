"""A service in this process around small parts, and a real one in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.adapters.http.small_service import Small, started
from tests.engine.gateway.small_rules import FILES

from groundrule_adapters.http.service import create_app
from groundrule_adapters.service_settings import ServiceSettings
from groundrule_adapters.settings import Settings


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def write_rules(folder: Path, **replaced: str) -> Path:
    """The small rule set as files."""
    for path, text in (FILES | {f"contracts/{name}.yaml": text for name, text in replaced.items()}).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Small rules, a store of its own, nothing looked at again by itself."""
    rules = write_rules(tmp_path / "rules")
    service = ServiceSettings(reload=0)
    return Settings(rules=rules, home=tmp_path / "home", zone="Asia/Shanghai", env={}, cwd=tmp_path, service=service)


@pytest.fixture
def small() -> Small:
    """The parts behind the service, to be told what to do."""
    return Small()


@pytest.fixture
def client(settings: Settings, small: Small) -> Iterator[TestClient]:
    """The service without keys."""
    with started(create_app(settings, opener=small.open)) as client:
        yield client


def evidence_facts(**more: Any) -> dict[str, Any]:
    """Facts of the evidence gate: one fresh page."""
    page = {
        "id": "a",
        "execution_id": "r",
        "source_type": "url",
        "title": "A",
        "target_url": "https://a.example/",
        "snippet": "text",
        "dated_at": "2026-04-15T01:30:00Z",
        **more,
    }
    return {"plan": {"freshness_required": True}, "run": {"execution_id": "r"}, "evidence": [page]}
