"""`/v1/ask`: the reply in one piece or with its steps; nothing is sent that was not allowed and kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.adapters.http.small_service import Small, started

from groundrule.gateway.ports import Draft
from groundrule_adapters.http.asking import accepts_events
from groundrule_adapters.http.problems import Problem
from groundrule_adapters.http.service import create_app
from groundrule_adapters.settings import Settings, SettingsError

ASK = {"question": {"text": "广州天气怎么样"}, "context": {"zone": "Asia/Shanghai"}}
EVENTS = {"accept": "text/event-stream"}


def events(text: str) -> list[tuple[str, Any]]:
    """The events of a stream."""
    found = []
    for block in text.strip().split("\n\n"):
        name, _, data = block.partition("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def test_a_reply_comes_with_its_receipt(client: TestClient) -> None:
    """The run that is listed is the one that was answered, down to the text."""
    reply = client.post("/v1/ask", json=ASK).json()
    assert reply["status"] == "answered"
    (listed,) = client.get("/v1/runs").json()["runs"]
    assert listed["id"] == reply["execution_id"]
    run = client.get(f"/v1/runs/{listed['id']}").json()
    assert run["reply"]["text"] == reply["text"]
    assert run["gates"][0]["gate"] == "route"


@pytest.mark.parametrize(
    ("setting", "machine", "zone"),
    [("Asia/Tokyo", "Europe/Paris", "Asia/Tokyo"), (None, "Europe/Paris", "Europe/Paris"), (None, "", "Asia/Shanghai")],
)
def test_days_are_those_of_the_setting_then_of_the_machine_then_of_shanghai(
    settings: Settings, small: Small, setting: str | None, machine: str, zone: str
) -> None:
    """As on the command line; what the context of a question states stands above all."""
    given = replace(settings, zone=setting, env={"TZ": machine})
    with started(create_app(given, opener=small.open)) as client:
        for context, expected in (({}, zone), ({"zone": "America/Lima"}, "America/Lima")):
            reply = client.post("/v1/ask", json={"question": "广州天气怎么样", "context": context}).json()
            run = client.get(f"/v1/runs/{reply['execution_id']}").json()
            assert run["gates"][0]["facts"]["context"]["zone"] == expected


def test_a_zone_that_is_not_there_is_a_fault_of_the_settings(settings: Settings, small: Small) -> None:
    """It is told at the start, and not with each question."""
    with pytest.raises(SettingsError, match="no time zone `Mars/Olympus`"):
        create_app(replace(settings, zone="Mars/Olympus"), opener=small.open)


def test_the_steps_come_first_and_the_text_only_in_the_reply(client: TestClient) -> None:
    """No event before the last has a word of page or answer."""
    got = client.post("/v1/ask", json=ASK, headers=EVENTS)
    assert got.headers["content-type"].startswith("text/event-stream")
    found = events(got.text)
    assert [data["stage"] for name, data in found[:-1]] == [
        "route", "plan", "dispatch", "fetch", "evidence", "draft", "answer", "keep",
    ]  # fmt: skip
    assert {name for name, _ in found[:-1]} == {"progress"}
    assert found[-1][0] == "reply"
    assert "28℃" in found[-1][1]["text"]
    assert "28℃" not in json.dumps(found[:-1], ensure_ascii=False)


def test_a_draft_that_the_answer_gate_denies_is_never_sent(client: TestClient, small: Small) -> None:
    """Neither as reply nor as event."""
    small.drafter.write = lambda evidence: Draft("气温 99℃ [1]", {"[1]": evidence[0].id})
    whole = client.post("/v1/ask", json=ASK)
    streamed = client.post("/v1/ask", json=ASK, headers=EVENTS)
    assert whole.json()["status"] == "refused"
    assert events(streamed.text)[-1][1]["status"] == "refused"
    for got in (whole, streamed):
        assert "99℃ [1]" not in got.text


@pytest.mark.parametrize("headers", [{}, EVENTS])
def test_a_store_that_is_gone_sends_no_answer(
    client: TestClient, settings: Settings, headers: dict[str, str]
) -> None:
    """The reply refuses, the service is not ready, and neither says where the store is; once back, all is well."""
    home = settings.home or Path()
    assert client.post("/v1/ask", json=ASK).json()["status"] == "answered"
    home.rename(home.with_name("away"))
    got = client.post("/v1/ask", json=ASK, headers=headers)
    reply = events(got.text)[-1][1] if headers else got.json()
    assert (reply["status"], reply.get("answer")) == ("refused", None)
    assert "28℃" not in got.text
    assert str(home) not in got.text
    ready = client.get("/ready")
    assert (ready.status_code, ready.json()["status"]) == (503, "not ready")
    listed = client.get("/v1/runs")
    assert (listed.status_code, listed.json()["code"]) == (503, "GR817")
    assert str(home) not in ready.text + listed.text
    home.with_name("away").rename(home)
    assert client.get("/ready").status_code == 200
    assert client.post("/v1/ask", json=ASK).json()["status"] == "answered"


@pytest.fixture
def full(settings: Settings, small: Small, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """The service with a store that has no space left."""
    from groundrule_adapters.store.sqlite import SqliteStore

    monkeypatch.setattr(
        "tests.adapters.http.small_service.SqliteStore", lambda folder: SqliteStore(folder, quota=9 << 12)
    )
    with started(create_app(settings, opener=small.open)) as client:
        yield client


def test_a_store_that_is_full_sends_no_answer(full: TestClient) -> None:
    """What cannot be kept is not said."""
    replies = [full.post("/v1/ask", json=ASK).json() for _ in range(3)]
    kept = {run["id"] for run in full.get("/v1/runs").json()["runs"]}
    assert replies[-1]["status"] == "refused"
    assert {reply["execution_id"] for reply in replies if reply["status"] == "answered"} <= kept


def test_a_run_that_takes_too_long_is_refused_and_kept(settings: Settings, small: Small) -> None:
    """The limit of the service holds whatever the rules choose, with a receipt in either form of the reply."""
    ended: list[str] = []

    async def slow() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("ended")

    small.source.act = slow
    service = settings.service.model_copy(update={"ask_timeout": 0.2})
    with started(create_app(replace(settings, service=service), opener=small.open)) as client:
        whole = client.post("/v1/ask", json=ASK)
        name, streamed = events(client.post("/v1/ask", json=ASK, headers=EVENTS).text)[-1]
        assert (whole.status_code, name) == (200, "reply")
        for reply in (whole.json(), streamed):
            assert (reply["status"], reply["kind"]) == ("refused", "no_evidence")
            run = client.get(f"/v1/runs/{reply['execution_id']}").json()
            assert run["reply"] == reply
            assert [attempt["outcome"] for attempt in run["attempts"]] == ["timeout"]
    assert ended == ["ended", "ended"]


def test_a_run_that_does_not_end_is_given_up(
    settings: Settings, small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Should a run not keep to its time, there is a problem and no reply."""

    async def endless(*given: object) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr("groundrule_adapters.http.asking.ask", endless)
    monkeypatch.setattr("groundrule_adapters.http.asking.GRACE", -5.0)
    service = settings.service.model_copy(update={"ask_timeout": 0.2})
    with started(create_app(replace(settings, service=service), opener=small.open)) as client:
        whole = client.post("/v1/ask", json=ASK)
        assert (whole.status_code, whole.json()["code"]) == (504, "GR818")
        streamed = events(client.post("/v1/ask", json=ASK, headers=EVENTS).text)
        assert (streamed[-1][0], streamed[-1][1]["code"]) == ("problem", "GR818")


def test_a_source_that_fails_is_a_refusal(client: TestClient, small: Small) -> None:
    """As in process; and nothing internal is in it."""

    async def broken() -> None:
        raise RuntimeError("internal host 10.0.0.7")

    small.source.act = broken
    got = client.post("/v1/ask", json=ASK, headers=EVENTS)
    assert events(got.text)[-1][1]["status"] == "refused"
    assert "10.0.0.7" not in got.text


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({}, "question"),
        ({"question": {}}, "question.text"),
        ({"question": {"text": "  "}}, "question.text"),
        ({"question": ""}, "question.text"),
        ({"question": 3}, "question"),
        ({"question": "天气", "context": {"zon": "UTC"}}, "context.zon"),
        ({"question": "天气", "stream": True}, "stream"),
    ],
)
def test_a_request_that_is_no_question_says_where(client: TestClient, body: dict[str, Any], place: str) -> None:
    """Nothing is planned for it."""
    got = client.post("/v1/ask", json=body)
    assert (got.status_code, got.json()["place"]) == (422, place)


def test_a_text_alone_is_a_question(client: TestClient) -> None:
    """The short form."""
    assert client.post("/v1/ask", json={"question": "广州天气怎么样"}).json()["status"] == "answered"


def test_a_long_question_is_refused_before_it_is_read(client: TestClient) -> None:
    """Its limit is lower than that of facts."""
    got = client.post("/v1/ask", json={"question": "天" * 100_000})
    assert (got.status_code, got.json()["code"]) == (413, "GR809")


@pytest.mark.parametrize(
    ("accept", "streams"),
    [
        ("", False), ("*/*", False), ("application/json", False), ("text/event-stream", True),
        ("text/event-stream, application/json", True), ("application/json, text/event-stream;q=0.5", False),
        ("text/event-stream;q=0.9, */*;q=0.1", True), ("text/event-stream;q=0, application/json", False),
    ],
)  # fmt: skip
def test_the_header_accept_decides_the_form(accept: str, streams: bool) -> None:
    """Events for those who ask for them."""
    assert accepts_events(accept) is streams


@pytest.mark.parametrize("accept", ["text/html", "application/json;q=0", "image/png, text/plain"])
def test_what_cannot_be_given_is_not_acceptable(accept: str) -> None:
    """406."""
    with pytest.raises(Problem) as caught:
        accepts_events(accept)
    assert caught.value.kind.status == 406
