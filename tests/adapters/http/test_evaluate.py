"""`/v1/evaluate` and `/v1/explain` say what `evaluate` and `explain` say in process."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.adapters.http.conftest import evidence_facts
from tests.adapters.http.processes import wait_for
from tests.adapters.http.small_service import Small, started

from groundrule import evaluate, explain
from groundrule_adapters import open_rules
from groundrule_adapters.http.service import THREADS, create_app
from groundrule_adapters.settings import Settings

NOW = "2026-04-15T02:00:00Z"
AT = datetime(2026, 4, 15, 2, tzinfo=UTC)
EVERYTHING = ["valid_until", "facts_digest"]


@pytest.mark.parametrize(
    "facts",
    [
        evidence_facts(),
        evidence_facts(dated_at="2026-04-14T02:00:00Z"),
        evidence_facts(dated_at=None),
        evidence_facts(source_type="feishu"),
        {"evidence": [], "run": {"adapters_left": []}},
        {"plan": {"no such field": 1}},
        {},
    ],
)
def test_the_decision_is_that_of_the_process(client: TestClient, settings: Settings, facts: dict[str, Any]) -> None:
    """Whatever the order of the body's keys, with everything included it is the same JSON."""
    expected = evaluate(open_rules(settings.rules), "evidence", facts, AT).to_json()
    for body in (
        {"gate": "evidence", "now": NOW, "facts": facts, "include": EVERYTHING},
        {"facts": facts, "include": EVERYTHING, "gate": "evidence", "now": NOW},
    ):
        assert client.post("/v1/evaluate", json=body).json() == expected
    brief = {name: value for name, value in expected.items() if name not in EVERYTHING}
    assert client.post("/v1/evaluate", json={"gate": "evidence", "now": NOW, "facts": facts}).json() == brief


def test_obligations_pins_and_as_of_are_passed_on(client: TestClient, settings: Settings) -> None:
    """What is asked beside the facts decides as in process."""
    facts = {**evidence_facts(dated_at="2026-04-15T00:30:00Z"), "answer": {"claims": [], "unclaimed_numbers": []}}
    rules = open_rules(settings.rules)
    body: dict[str, Any] = {"gate": "answer", "now": NOW, "facts": facts}
    assert client.post("/v1/evaluate", json=body).json()["outcome"] == "deny"
    with_promise = client.post("/v1/evaluate", json={**body, "can": ["as_of"]}).json()
    assert with_promise["outcome"] == evaluate(rules, "answer", facts, AT, can=("as_of",)).outcome == "allow"
    pinned = client.post("/v1/evaluate", json={**body, "pins": {"tell": "9.9.9"}}).json()
    assert [found["rule"] for found in pinned["violations"]] == ["ENGINE-PIN"]


def test_many_are_asked_at_once_and_answered_in_order(client: TestClient) -> None:
    """A batch has one decision for each request, under one revision."""
    asked = [
        {"gate": "evidence", "now": NOW, "facts": evidence_facts()},
        {"gate": "evidence", "now": NOW, "facts": evidence_facts(source_type="feishu")},
        {"gate": "plan", "facts": {"plan": {"search_queries": ["q"]}}},
    ]
    decisions = client.post("/v1/evaluate", json={"requests": asked}).json()["decisions"]
    assert [found["outcome"] for found in decisions] == ["allow", "fallback", "allow"]
    assert len({found["revision"] for found in decisions}) == 1


def test_explain_has_the_trace(client: TestClient, settings: Settings) -> None:
    """The same values as in process."""
    body = {"gate": "evidence", "now": NOW, "facts": evidence_facts()}
    expected = explain(open_rules(settings.rules), "evidence", evidence_facts(), AT)
    assert client.post("/v1/explain", json=body).json() == json.loads(json.dumps(expected))


def blanks(blank: bytes) -> list[bytes]:
    """A plain body with a blank at every place that may have one."""
    parts = [b"", b"{", b'"gate"', b":", b'"plan"', b",", b'"facts"', b":", b"{}", b"}", b""]
    return [b"".join(parts[:at]) + blank + b"".join(parts[at:]) for at in range(1, len(parts))]


def test_the_blanks_of_json_may_stand_everywhere(client: TestClient) -> None:
    """Others are no JSON; see below."""
    for body in blanks(b" \t\r\n"):
        assert client.post("/v1/evaluate", content=body, headers={"content-type": "application/json"}).status_code == 200


@pytest.mark.parametrize(
    ("body", "status", "code", "place"),
    [
        (b"", 400, "GR801", ""),
        (b"{", 400, "GR801", ""),
        (b"\xff", 400, "GR801", ""),
        (b'{"gate":"plan","gate":"plan","facts":{}}', 400, "GR801", ""),
        (b'{"gate":"plan","facts":{"plan":{"topic":"a","topic":"b"}}}', 400, "GR801", ""),
        (b'{"gate":"plan","facts":{"plan":{"result_limit":NaN}}}', 400, "GR801", ""),
        (b'{"gate":"plan","facts":{"plan":' + b"[" * 5_000 + b"]" * 5_000 + b"}}", 400, "GR801", ""),
        (b'{"gate":"plan","facts":{}} {}', 400, "GR801", ""),
        *((body, 400, "GR801", "") for blank in (b"\v", b"\f", b"\xa0", b"\x1c", b"\0") for body in blanks(blank)),
        (b'{"gate":"plan","facts":{}},"now":"2026-04-15T02:00:00Z"}', 400, "GR801", ""),
        (b'{"gate":"plna","facts":{}}', 422, "GR802", "gate"),
        (b'{"gate":"plan"}', 422, "GR802", "facts"),
        (b'{"gate":"plan","facts":[]}', 422, "GR802", "facts"),
        (b'{"gate":"plan","facts":{},"nwo":1}', 422, "GR802", "nwo"),
        (b'{"gate":"plan","facts":{},"n[wo":1}', 422, "GR802", "n[wo"),
        (b'{"gate":"plan","facts":{},"now":"2026-04-15T02:00:00"}', 422, "GR802", "now"),
        (b'{"gate":"plan","now":"2026-04-15T25:00:00Z","facts":{}}', 422, "GR802", "now"),
        (b'{"requests":[{"gate":"plan","facts":{}},{"gate":"plan"}]}', 422, "GR802", "requests[1].facts"),
        (b'{"requests":[]}', 422, "GR802", "requests"),
        (b"[1]", 422, "GR802", ""),
        (b"null", 422, "GR802", ""),
    ],
)
def test_a_body_that_cannot_be_read_is_a_problem_with_its_place(
    client: TestClient, body: bytes, status: int, code: str, place: str
) -> None:
    """Never a decision, never an answer of another shape, and no word of the body in it."""
    got = client.post("/v1/evaluate", content=body, headers={"content-type": "application/json"})
    assert (got.status_code, got.headers["content-type"]) == (status, "application/problem+json")
    problem = got.json()
    assert (problem["code"], problem["place"], problem["status"]) == (code, place, status)
    assert problem["help"]
    assert "nwo" not in problem["detail"]
    assert "RFC 3339" not in problem["detail"] or place == "now"


def test_a_snippet_of_ten_mebibytes_is_denied_and_the_next_request_works(client: TestClient) -> None:
    """Facts over the engine's limits are faulty facts."""
    facts = evidence_facts(snippet="字" * ((10 << 20) // 3))
    got = client.post("/v1/evaluate", json={"gate": "evidence", "facts": facts})
    assert [found["rule"] for found in got.json()["violations"]] == ["ENGINE-FACTS"]
    assert client.post("/v1/evaluate", json={"gate": "plan", "facts": {}}).status_code == 200


@pytest.mark.parametrize("many", [False, True])
def test_what_takes_long_holds_nobody_up(client: TestClient, monkeypatch: pytest.MonkeyPatch, many: bool) -> None:
    """However small its body, the next request is answered while it is worked on."""
    begun, done = threading.Event(), threading.Event()

    def slow(*given: object) -> None:
        begun.set()
        assert done.wait(60)

    monkeypatch.setattr("groundrule.rules.decision.valid_until", slow)
    one = {"gate": "evidence", "now": NOW, "facts": evidence_facts(), "include": ["valid_until"]}
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(client.post, "/v1/evaluate", json={"requests": [one]} if many else one)
        assert begun.wait(60)
        assert client.post("/v1/evaluate", json={"gate": "plan", "facts": {}}).status_code == 200
        assert not first.done()
        done.set()
        assert first.result().status_code == 200


def test_nothing_waits_behind_work_that_was_given_up(
    settings: Settings, small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While late requests hold all threads, another is refused at once, and what needs no thread is answered."""
    done = threading.Event()
    with monkeypatch.context() as patched:
        patched.setattr("groundrule.rules.decision.valid_until", lambda *given: done.wait(60) and None)
        service = settings.service.model_copy(update={"evaluate_timeout": 0.5})
        with started(create_app(replace(settings, service=service), opener=small.open)) as client:
            one = {"gate": "evidence", "now": NOW, "facts": evidence_facts(), "include": ["valid_until"]}
            with ThreadPoolExecutor(THREADS + 3) as pool:
                late = list(pool.map(lambda _: client.post("/v1/evaluate", json=one).json()["code"], range(THREADS + 3)))
            assert late == ["GR818"] * (THREADS + 3)
            refused = client.post("/v1/evaluate", json=one)
            assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"]) == (503, "GR815", "1")
            assert client.post("/v1/evaluate", json={"gate": "plan", "facts": {}}).status_code == 200
            done.set()
            wait_for(lambda: client.post("/v1/evaluate", json=one).status_code == 200)


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "application/jsonp", "json"])
def test_another_content_type_is_refused(client: TestClient, kind: str | None) -> None:
    """A form of a web page can send text/plain without asking; it is never read."""
    headers = {} if kind is None else {"content-type": kind}
    got = client.post("/v1/evaluate", content=b'{"gate":"plan","facts":{}}', headers=headers)
    assert (got.status_code, got.json()["code"]) == (415, "GR810")


def test_json_with_parameters_is_json(client: TestClient) -> None:
    """A charset may be stated."""
    for kind in (
        "application/json; charset=utf-8", 'application/json;v=1;CharSet="UTF-8"', "application/vnd.acme+json", "Application/JSON",
    ):  # fmt: skip
        got = client.post("/v1/evaluate", content=b'{"gate":"plan","facts":{}}', headers={"content-type": kind})
        assert got.status_code == 200, kind


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        *(({"content-type": f"application/json{charset}"}, "UTF-8") for charset in (
            "; charset=utf-16", ";charset=iso-8859-1", '; Charset="UTF-16LE"', ";charset=utf-8;charset=utf-16", "; charset=",
        )),
        *(({"content-encoding": coding}, "Content-Encoding") for coding in ("gzip", "br", "identity, gzip", "")),
    ],
)  # fmt: skip
def test_a_body_that_is_written_in_another_way_is_refused(client: TestClient, headers: dict[str, str], said: str) -> None:
    """Nothing is read in another way than its head says; without a coding it is read."""
    body = b'{"gate":"plan","facts":{}}'
    for path in ("/v1/evaluate", "/v1/explain", "/v1/ask"):
        got = client.post(path, content=body, headers={"content-type": "application/json", **headers})
        assert (got.status_code, got.json()["code"]) == (415, "GR810")
        assert said in got.json()["detail"]
    plain = {"content-type": "application/json", "content-encoding": "Identity"}
    assert client.post("/v1/evaluate", content=body, headers=plain).status_code == 200


def test_an_engine_that_fails_denies_and_says_so(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error behind the border is a problem without its message, which may quote the facts."""

    def broken(*given: object, **named: object) -> None:
        raise RuntimeError("secret facts")

    monkeypatch.setattr("groundrule_adapters.http.judging.evaluate", broken)
    got = client.post("/v1/evaluate", json={"gate": "plan", "facts": {}})
    assert (got.status_code, got.json()["code"]) == (500, "GR814")
    assert "secret" not in got.text
