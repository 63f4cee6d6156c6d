"""Who may do what: keys, roles, tenants, limits; and what the log and the metrics show of it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.adapters.http.conftest import write_rules
from tests.adapters.http.small_service import Small, started

from groundrule_adapters.http.keys import digest_of
from groundrule_adapters.http.limits import Rates, Slots
from groundrule_adapters.http.problems import Problem
from groundrule_adapters.http.service import create_app
from groundrule_adapters.http.tenants import tenants_of
from groundrule_adapters.service_settings import KeySettings, ServiceSettings, TenantSettings
from groundrule_adapters.settings import Settings, SettingsError

KEYS = {name: f"grk_made-up-for-tests-{name}" for name in ("evaluator", "asker", "reader", "admin", "red", "blue")}
PLAN = {"gate": "plan", "facts": {"plan": {"search_queries": ["q"]}}}
ASK = {"question": {"text": "广州天气怎么样"}}


def with_keys(settings: Settings, **more: Any) -> Settings:
    """The settings with a key for each role, and two tenants."""
    home = settings.home or Path()
    roles = {"evaluator": ["evaluate"], "asker": ["ask"], "reader": ["read-runs"], "admin": ["admin"]}
    keys = [KeySettings(name=name, sha256=digest_of(KEYS[name]), roles=roles[name]) for name in roles]  # type: ignore[arg-type]
    keys += [
        KeySettings(name=name, sha256=digest_of(KEYS[name]), roles=("admin",), tenant=name) for name in ("red", "blue")
    ]
    tenants = {
        "red": TenantSettings(rules=settings.rules, home=home / "red"),
        "blue": TenantSettings(rules=write_rules(home / "blue-rules", plan=REFUSING_PLAN), home=home / "blue"),
    }
    service = ServiceSettings(reload=0, keys=tuple(keys), tenants=tenants, **more)
    return replace(settings, service=service)


REFUSING_PLAN = """
contract: plan
version: 2.0.0
gate: plan
summary: {en: What may be searched., zh: 可以查询什么。}
owners: [tests]
rules:
  - id: PLAN-NONE-01
    require: size(plan.search_queries) > 9
    otherwise: deny
    message: {en: Nothing may be searched., zh: 不可查询。}
"""


def sent_with(name: str) -> dict[str, str]:
    return {"authorization": f"Bearer {KEYS[name]}"}


@pytest.fixture
def keyed(settings: Settings, small: Small) -> Iterator[TestClient]:
    """The service with keys."""
    small.snippets = {"red": "红队消息。", "blue": "蓝队消息。"}
    with started(create_app(with_keys(settings), opener=small.open)) as client:
        yield client


@pytest.mark.parametrize(
    "authorization",
    [None, "", "Bearer", "Bearer ", "Bearer wrong", "Basic " + KEYS["admin"], KEYS["admin"], f"Bearer {digest_of(KEYS['admin'])}"],
)
def test_without_a_valid_key_nothing_is_done(keyed: TestClient, authorization: str | None) -> None:
    """The digest that stands in the settings is no key."""
    headers = {} if authorization is None else {"authorization": authorization}
    for method, path in (
        ("POST", "/v1/evaluate"), ("POST", "/v1/ask"), ("GET", "/v1/runs"), ("GET", "/v1/runs/x"), ("GET", "/metrics"),
        ("GET", "/v1/rules"), ("GET", "/nowhere"),
    ):  # fmt: skip
        got = keyed.request(method, path, headers=headers)
        assert (got.status_code, got.json()["code"]) == (401, "GR803"), path
        assert got.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("evaluator", {"/v1/evaluate", "/v1/explain", "/v1/rules"}),
        ("asker", {"/v1/ask", "/v1/rules"}),
        ("reader", {"/v1/runs", "/v1/rules"}),
        ("admin", {"/v1/evaluate", "/v1/explain", "/v1/ask", "/v1/runs", "/v1/rules", "/metrics"}),
    ],
)
def test_a_key_does_what_its_roles_say(keyed: TestClient, name: str, allowed: set[str]) -> None:
    """Everything else is forbidden with a code."""
    bodies = {"/v1/evaluate": PLAN, "/v1/explain": PLAN, "/v1/ask": ASK}
    for path in ("/v1/evaluate", "/v1/explain", "/v1/ask", "/v1/runs", "/v1/rules", "/metrics"):
        method = "POST" if path in bodies else "GET"
        got = keyed.request(method, path, json=bodies.get(path), headers=sent_with(name))
        assert got.status_code == (200 if path in allowed else 403), path
        if path not in allowed:
            assert got.json()["code"] == "GR804"
    denied = keyed.get("/v1/runs/x", headers=sent_with(name)).status_code
    assert denied == (404 if name in ("reader", "admin") else 403)


def test_one_tenant_sees_nothing_of_another(keyed: TestClient) -> None:
    """Neither its runs, nor its sources, nor its rules."""
    red = keyed.post("/v1/ask", json=ASK, headers=sent_with("red")).json()
    assert red["status"] == "answered"
    assert "红队" in red["text"]
    for other in ("blue", "admin"):
        assert keyed.get("/v1/runs", headers=sent_with(other)).json() == {"runs": []}
        assert keyed.get(f"/v1/runs/{red['execution_id']}", headers=sent_with(other)).status_code == 404
    own = keyed.get(f"/v1/runs/{red['execution_id']}", headers=sent_with("red")).json()
    assert own["context"]["tenant"] == "red"
    blue = keyed.post("/v1/ask", json=ASK, headers=sent_with("blue")).json()
    assert blue["status"] == "refused"
    assert "红队" not in blue["text"]
    judged = [keyed.post("/v1/evaluate", json=PLAN, headers=sent_with(name)).json() for name in ("red", "blue")]
    assert [found["outcome"] for found in judged] == ["allow", "deny"]
    rules = [keyed.get("/v1/rules", headers=sent_with(name)).json() for name in ("red", "blue", "admin")]
    assert rules[0]["revision"] == rules[2]["revision"] != rules[1]["revision"]


def test_a_key_cannot_speak_for_another_tenant(keyed: TestClient) -> None:
    """The tenant of the context is that of the key."""
    for key, tenant in (("red", "blue"), ("red", "default"), ("admin", "blue"), ("asker", "nobody"), ("asker", "")):
        got = keyed.post("/v1/ask", json={**ASK, "context": {"tenant": tenant}}, headers=sent_with(key))
        said = got.json()
        assert (got.status_code, said["code"], said["place"]) == (403, "GR820", "context.tenant"), (key, tenant)
        assert "`context.tenant`" in said["help"]
    for key, tenant in (("red", "red"), ("asker", "default")):
        got = keyed.post("/v1/ask", json={**ASK, "context": {"tenant": tenant}}, headers=sent_with(key))
        assert got.status_code == 200, (key, tenant)


@pytest.mark.parametrize("name", ["authorization", "content-type", "host"])
def test_a_header_that_stands_twice_is_refused(keyed: TestClient, name: str) -> None:
    """Whichever of the two is the valid one, and however often it is the same."""
    sent = {**sent_with("admin"), "content-type": "application/json", "host": "testserver"}
    assert keyed.post("/v1/evaluate", json=PLAN, headers=sent).status_code == 200
    for pair in (("wrong", sent[name]), (sent[name], "wrong"), (sent[name], sent[name])):
        headers = [(key, value) for key, value in sent.items() if key != name] + [(name, value) for value in pair]
        got = keyed.post("/v1/evaluate", json=PLAN, headers=headers)  # type: ignore[arg-type]
        assert (got.status_code, got.json()["code"]) == (400, "GR819")
        assert name in got.json()["detail"]


def test_a_tenant_finds_its_servers_in_its_own_folder_only(settings: Settings) -> None:
    """No `mcp.json` of the operator's home or working folder serves a tenant."""
    found = tenants_of(with_keys(settings))
    assert found["red"].home == (settings.home or Path()) / "red"
    assert found["red"].env["GROUNDRULE_HOME"] == str(found["red"].home) == str(found["red"].cwd)
    assert found["red"].mcp is None


def test_tenants_with_one_folder_are_refused(settings: Settings) -> None:
    """They would see each other's runs."""
    faulty = with_keys(settings)
    red = faulty.service.tenants["red"]
    tenants = {"red": red, "blue": red.model_copy(update={"home": (red.home or Path()) / ".." / "red"})}
    service = faulty.service.model_copy(update={"tenants": tenants})
    with pytest.raises(SettingsError, match="shares its folder"):
        tenants_of(replace(faulty, service=service))


def test_too_many_requests_of_one_key_are_told_when_to_come_back(settings: Settings, small: Small) -> None:
    """Another key is not affected."""
    with started(create_app(with_keys(settings, rate=0.01, burst=2), opener=small.open)) as client:
        got = [client.post("/v1/evaluate", json=PLAN, headers=sent_with("evaluator")) for _ in range(3)]
        assert [each.status_code for each in got] == [200, 200, 429]
        assert got[2].json()["code"] == "GR812"
        assert 1 <= int(got[2].headers["retry-after"]) <= 100
        assert client.post("/v1/evaluate", json=PLAN, headers=sent_with("admin")).status_code == 200


def test_a_bucket_fills_again_and_never_over() -> None:
    """Tokens come with time, at most as many as the bucket holds."""
    time = [0.0]
    rates = Rates(2.0, 3, lambda: time[0])

    def takes(count: int) -> None:
        for _ in range(count):
            rates.take("k")
        with pytest.raises(Problem) as caught:
            rates.take("k")
        assert caught.value.headers["retry-after"] == "1"

    takes(3)
    time[0] = 1.0
    takes(2)
    time[0] = 1_000.0
    takes(3)


def test_places_are_given_back_and_never_waited_for() -> None:
    """One too many is told so at once; a place is free again after a failure."""
    slots = Slots(1, "requests")
    with slots, pytest.raises(Problem) as caught, slots:
        raise AssertionError("there was a second place")
    assert (caught.value.kind.status, caught.value.headers["retry-after"]) == (503, "1")
    with pytest.raises(ZeroDivisionError), slots:
        raise ZeroDivisionError
    with slots:
        assert slots.taken == 1


def test_without_keys_only_loopback_names_are_served(client: TestClient) -> None:
    """A web page whose name was pointed to this machine gets nothing."""
    for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", ""):
        got = client.post("/v1/evaluate", json=PLAN, headers={"host": host})
        assert (got.status_code, got.json()["code"]) == (421, "GR811"), host
    for host in ("localhost:8080", "127.0.0.1", "127.0.0.1:1", "[::1]:8080"):
        assert client.post("/v1/evaluate", json=PLAN, headers={"host": host}).status_code == 200, host


def test_the_log_has_neither_keys_nor_questions(keyed: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    """It says who asked what kind of thing, and how it ended."""
    with caplog.at_level(logging.INFO):
        keyed.post("/v1/ask", json=ASK, headers=sent_with("asker"))
        keyed.post("/v1/ask?key=" + KEYS["asker"], json=ASK, headers={"authorization": f"Bearer {KEYS['asker']}x"})
        keyed.get(f"/{KEYS['asker']}", headers=sent_with("asker"))
    entries = [record.getMessage() for record in caplog.records if record.name == "groundrule.access"]
    assert len(entries) == 3
    assert '"key":"asker"' in entries[0]
    assert '"reply":"answered"' in entries[0]
    ours = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("groundrule"))
    assert "广州" not in ours
    assert KEYS["asker"] not in ours


def test_questions_are_logged_where_the_operator_says_so(
    settings: Settings, small: Small, caplog: pytest.LogCaptureFixture
) -> None:
    """`log_questions` is off unless it is set."""
    app = create_app(with_keys(settings, log_questions=True), opener=small.open)
    with started(app) as client, caplog.at_level(logging.INFO):
        client.post("/v1/ask", json=ASK, headers=sent_with("asker"))
    assert "广州天气怎么样" in caplog.text


def test_what_is_not_there_or_not_taken_is_a_problem(client: TestClient) -> None:
    """Also where the framework answers."""
    for method, path, status, code in (
        ("GET", "/nowhere", 404, "GR805"), ("GET", "/v1/evaluate", 405, "GR806"), ("DELETE", "/v1/runs/x", 405, "GR806"),
        ("GET", "/v1/runs?limit=0", 422, "GR802"), ("GET", "/v1/runs?limit=x", 422, "GR802"), ("GET", "/docs", 404, "GR805"),
        ("GET", "/v1/runs/%00", 404, "GR805"),
    ):  # fmt: skip
        got = client.request(method, path)
        assert (got.status_code, got.json()["code"]) == (status, code), path
        assert got.headers["content-type"] == "application/problem+json"
    assert client.get("/v1/evaluate").headers["allow"] == "POST"


def test_the_head_of_a_request_has_a_limit(client: TestClient) -> None:
    """Many headers, or a long address."""
    many = {f"x-{n}": "v" * 400 for n in range(100)}
    assert client.get("/v1/rules", headers=many).status_code == 431
    assert client.get("/v1/rules?" + "q" * 40_000).json()["code"] == "GR813"


def test_a_request_keeps_its_id(client: TestClient) -> None:
    """A fair one is taken over, another is replaced."""
    assert client.get("/live", headers={"x-request-id": "abc-1"}).headers["x-request-id"] == "abc-1"
    assert client.get("/live", headers={"x-request-id": "a b\t{"}).headers["x-request-id"] != "a b\t{"


def test_metrics_count_requests_decisions_and_replies(client: TestClient) -> None:
    """In the format of Prometheus, and by route, never by what callers make up."""
    client.post("/v1/evaluate", json=PLAN)
    client.post("/v1/ask", json=ASK)
    client.get("/made-up")
    client.get("/v1/runs/made-up")
    text = client.get("/metrics").text
    assert 'groundrule_decisions_total{gate="plan",outcome="allow"} 1.0' in text
    assert 'groundrule_replies_total{kind="",status="answered"} 1.0' in text
    assert 'groundrule_receipts_total{outcome="kept"} 1.0' in text
    assert 'groundrule_requests_total{route="/v1/runs/{run_id}",status="404"} 1.0' in text
    assert 'groundrule_rules_faulty{tenant="default"} 0.0' in text
    assert "made-up" not in text
