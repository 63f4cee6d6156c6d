"""The worker is killed, hangs, lies, talks nonsense or is not there: nothing of that confirms a decision."""

from __future__ import annotations

import asyncio
import functools
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from tests.adapters.crosscheck.decisions import LONG, WITHOUT_PACKAGES, allowed, faulty
from tests.adapters.crosscheck.faulty_worker import ANSWERS
from tests.engine.gateway.small_parts import asked, kept, page, parts, source
from typer.testing import CliRunner

from groundrule_adapters import Settings, wiring
from groundrule_adapters.cli import authoring
from groundrule_adapters.cli.app import app
from groundrule_adapters.crosscheck.durable import DurableCrossCheck
from groundrule_adapters.crosscheck.supervisor import Worker, WorkerFault
from groundrule_adapters.settings import ConfigError

SHORT = timedelta(milliseconds=300)
LATE = ("hangs", "not ready", "nothing")
FAULTY = (*(mode for mode in ANSWERS if mode != "allows"), "rejects", "not ready", "not willing", "crashes", "exits", "hangs")


def deadline(mode: str) -> timedelta:
    return SHORT if mode in LATE else LONG


def test_an_honest_answer_confirms(tmp_path: Path) -> None:
    """One process answers many questions."""
    with closing(faulty("allows", tmp_path)) as check:
        check.open(LONG)
        assert [check.compare(allowed()) for _ in range(3)] == [None] * 3


@pytest.mark.parametrize("mode", FAULTY)
def test_nothing_else_confirms(tmp_path: Path, mode: str) -> None:
    """Each time it is asked, there is a reason on one line."""
    with closing(faulty(mode, tmp_path, deadline=deadline(mode))) as check:
        for _ in range(2):
            why = check.compare(allowed())
            assert why
            assert "\n" not in why


@pytest.mark.parametrize(
    ("mode", "why"),
    [
        ("denies", "the outcome is allow here and deny there"),
        ("rejects", "1 items are admitted here and 0 or others there"),
        ("crashes", "the worker ended with signal 11"),
        ("exits", "the worker ended with code 3"),
        ("hangs", "no answer in time"),
        ("two answers", "more than one short line of answer"),
        ("not willing", "no such package"),
    ],
)
def test_the_reason_says_what_happened(tmp_path: Path, mode: str, why: str) -> None:
    """A disagreement is told from a worker that is gone."""
    with closing(faulty(mode, tmp_path, deadline=deadline(mode))) as check:
        assert check.compare(allowed()) == why


def test_after_a_crash_the_next_question_has_a_new_worker(tmp_path: Path) -> None:
    """The crash costs one decision."""
    with closing(faulty("crashes once", tmp_path)) as check:
        assert check.compare(allowed()) == "the worker ended with signal 11"
        assert [check.compare(allowed()) for _ in range(2)] == [None] * 2


def test_a_worker_that_hangs_holds_nobody_up(tmp_path: Path) -> None:
    """While its answer is awaited the event loop goes on, so a service answers others."""

    async def beside(check: DurableCrossCheck) -> tuple[int, str | None]:
        asking, turns = asyncio.ensure_future(check.dispute(allowed())), 0
        while not asking.done():
            turns += 1
            await asyncio.sleep(0.001)
        return turns, await asking

    with closing(faulty("hangs", tmp_path, deadline=SHORT)) as check:
        turns, why = asyncio.run(beside(check))
    assert why == "no answer in time"
    assert turns > 1


def test_a_question_that_no_pipe_holds_is_not_asked(tmp_path: Path) -> None:
    """So that writing it never waits."""
    with closing(Worker(WITHOUT_PACKAGES)) as worker, pytest.raises(WorkerFault, match="too long"):
        worker.ask({"readings": ["x" * 50_000]}, LONG)


def test_no_variable_of_ours_reaches_the_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of models and servers stay here."""
    monkeypatch.setenv("GROUNDRULE_MODEL_API_KEY", "s3cret")
    with closing(faulty("tells its environment", tmp_path)) as check:
        told = check.compare(allowed())
        assert told is not None
        assert "GROUNDRULE" not in told
        assert "PATH" not in told.split()


@pytest.mark.parametrize("mode", ["crashes", "denies", "hangs"])
def test_enforced_it_denies(tmp_path: Path, mode: str) -> None:
    """A whole run is refused, and its receipt says why."""
    with closing(faulty(mode, tmp_path, deadline=deadline(mode))) as check:
        given = parts(source("a", page("p1")), cross_check=check)
        reply = asyncio.run(asked(given))
    assert (reply.status, reply.kind) == ("refused", "unsupported")
    assert kept(given)["notes"][0]["step"] == "cross-check"


def test_in_shadow_it_is_noted(tmp_path: Path) -> None:
    """A worker that always crashes changes no reply."""
    with closing(faulty("crashes", tmp_path, enforced=False)) as check:
        given = parts(source("a", page("p1")), cross_check=check)
        assert asyncio.run(asked(given)).status == "answered"
    assert {note["reason"].split(": ")[1] for note in kept(given)["notes"]} == {"the worker ended with signal 11"}


def test_without_the_package_no_gateway_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the operator switched on and is not there is said at the start, with what to do."""
    missing = functools.partial(DurableCrossCheck, worker=Worker(WITHOUT_PACKAGES))
    monkeypatch.setattr(wiring, "DurableCrossCheck", missing)
    settings = Settings(home=tmp_path, cross_check="enforce", env={}, cwd=tmp_path)

    async def opened() -> None:
        async with wiring.open_gateway(settings):
            pass

    with pytest.raises(ConfigError, match=r"No module named 'durable_rules_engine'.*groundrule\[durable\]"):
        asyncio.run(opened())


def test_without_the_package_cases_are_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that was asked for and cannot be made is a wrong call, no success."""
    monkeypatch.setattr(authoring, "DurableCrossCheck", functools.partial(DurableCrossCheck, worker=Worker(WITHOUT_PACKAGES)))
    result = CliRunner().invoke(app, ["test", "--cross-check"])
    assert result.exit_code == 2, result.output
    assert "passed" not in result.output


def test_cases_that_are_not_confirmed_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are named with what the second engine came to."""

    def lying(enforced: bool, deadline: timedelta) -> DurableCrossCheck:
        return faulty("allows", tmp_path, deadline=deadline)

    monkeypatch.setattr(authoring, "DurableCrossCheck", lying)
    result = CliRunner().invoke(app, ["test", "--cross-check"])
    assert result.exit_code == 1
    assert "the cross-check does not confirm it: the outcome is deny here and allow there" in result.output
