"""Rules are replaced while the service works: at once, as a whole, and only by valid ones."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.adapters.http.conftest import write_rules
from tests.adapters.http.small_service import Small, started
from tests.engine.gateway.small_rules import PLAN

from groundrule import RuleFileError
from groundrule_adapters.http.service import create_app
from groundrule_adapters.http.tenants import Tenant, open_tenant
from groundrule_adapters.settings import Settings

DENYING = PLAN.replace("> 0", "> 9")
FAULTY = PLAN.replace("size(plan.search_queries)", "size(plan.serch_queries)")
ASKED = {"gate": "plan", "facts": {"plan": {"search_queries": ["q"]}}}


def outcome(client: TestClient) -> str:
    said: str = client.post("/v1/evaluate", json=ASKED).json()["outcome"]
    return said


def look(client: TestClient, times: int = 2) -> None:
    """Lets the service look at its rules, as it does from time to time."""
    tenant: Tenant = client.app.state.service.tenants["default"]  # type: ignore[attr-defined]
    assert client.portal is not None
    for _ in range(times):
        client.portal.call(tenant.look)


def test_valid_rules_come_into_force_once_they_have_settled(client: TestClient, settings: Settings) -> None:
    """One look sees the change, the next takes it over: a half-written set is not read in between."""
    before = client.get("/v1/rules").json()
    write_rules(settings.rules or Path(), plan=DENYING)
    look(client, 1)
    assert outcome(client) == "allow"
    look(client, 1)
    assert outcome(client) == "deny"
    after = client.get("/v1/rules").json()
    assert after["revision"] != before["revision"]
    assert after["loaded_at"] > before["loaded_at"]
    assert 'groundrule_rules_reloads{tenant="default"} 1.0' in client.get("/metrics").text


def test_invalid_rules_are_reported_and_the_old_ones_stay(
    client: TestClient, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    """In the list of rules, in the metrics and in the log; and a mended set is taken over."""
    before = client.get("/v1/rules").json()["revision"]
    write_rules(settings.rules or Path(), plan=FAULTY)
    look(client)
    shown = client.get("/v1/rules").json()
    assert shown["revision"] == before
    assert [(fault["file"], fault["severity"]) for fault in shown["faults"]] == [("contracts/plan.yaml", "error")]
    assert "serch_queries" in shown["faults"][0]["message"]
    assert outcome(client) == "allow"
    ready = client.get("/ready")
    assert ready.status_code == 200
    assert ready.json()["reasons"] == ["the rules of a tenant have changed and are not valid; those before stay in force"]
    assert 'groundrule_rules_faulty{tenant="default"} 1.0' in client.get("/metrics").text
    assert "are not taken over" in caplog.text
    write_rules(settings.rules or Path(), plan=DENYING)
    look(client)
    assert outcome(client) == "deny"
    assert client.get("/v1/rules").json()["faults"] == []


def test_rules_that_are_put_back_have_no_faults(client: TestClient, settings: Settings) -> None:
    """What lies there is in force again, and nothing was reloaded."""
    write_rules(settings.rules or Path(), plan=FAULTY)
    look(client)
    write_rules(settings.rules or Path())
    look(client, 1)
    assert client.get("/v1/rules").json()["faults"] == []


def test_rules_that_vanish_stay_in_force(client: TestClient, settings: Settings) -> None:
    """A folder that is gone is a fault, not an empty rule set."""
    folder = settings.rules or Path()
    folder.rename(folder.with_name("away"))
    look(client)
    assert outcome(client) == "allow"
    assert len(client.get("/v1/rules").json()["faults"]) == 1


def test_a_run_finishes_on_the_revision_it_began_with(
    client: TestClient, settings: Settings, small: Small
) -> None:
    """Whatever comes into force meanwhile; the next run is judged by the new rules."""
    old = client.get("/v1/rules").json()["revision"]
    tenant: Tenant = client.app.state.service.tenants["default"]  # type: ignore[attr-defined]

    async def reload_meanwhile() -> None:
        write_rules(settings.rules or Path(), answer=REFUSING_ANSWER)
        await tenant.look()
        await tenant.look()

    small.source.act = reload_meanwhile
    first = client.post("/v1/ask", json={"question": "广州天气怎么样"}).json()
    assert (first["status"], first["revision"]) == ("answered", old)
    small.source.act = None
    second = client.post("/v1/ask", json={"question": "广州天气怎么样"}).json()
    assert second["status"] == "refused"
    assert second["revision"] == client.get("/v1/rules").json()["revision"] != old


REFUSING_ANSWER = """
contract: answer
version: 1.0.0
gate: answer
summary: {en: What may be said., zh: 可以说什么。}
owners: [tests]
rules:
  - id: ANSWER-NONE-01
    require: size(evidence) < 0
    otherwise: deny
    message: {en: Nothing may be said., zh: 什么都不能说。}
"""


def test_a_service_does_not_start_with_invalid_rules(settings: Settings, small: Small) -> None:
    """Its faults are raised, and it serves nothing."""
    write_rules(settings.rules or Path(), plan=FAULTY)
    with pytest.raises(RuleFileError, match="serch_queries"), started(create_app(settings, opener=small.open)):
        raise AssertionError("it started")


@pytest.mark.anyio
async def test_what_changes_while_it_is_read_is_read_again(
    settings: Settings, small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A set of which one half is old and one half new never comes into force."""
    from groundrule_adapters.http import tenants

    read: Callable[..., Any] = tenants.open_rules

    def reading_slowly(path: Path) -> Any:
        rules = read(path)
        write_rules(path, plan=PLAN)
        return rules

    async with open_tenant("default", settings, small.open) as tenant:
        before = tenant.in_force.rules.revision
        write_rules(settings.rules or Path(), plan=DENYING)
        monkeypatch.setattr(tenants, "open_rules", reading_slowly)
        await tenant.look()
        await tenant.look()
        assert tenant.in_force.rules.revision == before
        await asyncio.sleep(0)
