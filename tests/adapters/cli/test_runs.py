"""`groundrule runs`: what was kept is shown and decided again; an entry that somebody changed is named."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from groundrule_adapters.cli.app import app
from groundrule_adapters.store.sqlite import FILE_NAME

QUESTION = "Will it rain in Guangzhou in the next 5 days?"


def called(home: Path, *words: str) -> Result:
    """The command, with its state in `home`."""
    return CliRunner().invoke(app, list(words), env={"GROUNDRULE_HOME": str(home)})


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, bytes]:
    """A question really asked of the sample servers: its id, what was kept of it, and the store's file."""
    home = tmp_path_factory.mktemp("home")
    asked = called(home, "ask", QUESTION, "--json")
    assert asked.exit_code == 0, asked.output
    with closing(sqlite3.connect(home / FILE_NAME)) as db:
        execution_id, body = db.execute("SELECT execution_id, body FROM runs").fetchone()
        db.execute("PRAGMA journal_mode = DELETE")
    return execution_id, body, (home / FILE_NAME).read_bytes()


def changed(home: Path, store: bytes, statement: str, *given: Any) -> Path:
    """A copy of the store in which somebody has changed something."""
    (home / FILE_NAME).write_bytes(store)
    with closing(sqlite3.connect(home / FILE_NAME)) as db, db:
        db.execute(statement, given)
    return home


def test_a_run_is_listed_shown_and_decided_again(tmp_path: Path, kept: tuple[str, str, bytes]) -> None:
    """The same bytes come out at every gate."""
    execution_id, _, store = kept
    (tmp_path / FILE_NAME).write_bytes(store)
    (listed,) = json.loads(called(tmp_path, "runs", "--json").stdout)
    assert (listed["execution_id"], listed["question"], listed["status"]) == (execution_id, QUESTION, "answered")
    shown = called(tmp_path, "runs", "show", execution_id)
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    assert lines[0] == f"question: {QUESTION}"
    gates = ["route", "plan", "dispatch", "call", "evidence", "answer"]
    assert [line.split()[0] for line in lines if " allow  at " in line] == gates
    assert "reply: answered" in lines
    replayed = called(tmp_path, "runs", "replay", execution_id, "--json")
    assert replayed.exit_code == 0
    assert [(each["gate"], each["same"]) for each in json.loads(replayed.stdout)] == [(gate, True) for gate in gates]


def put(*path: str | int, value: Any) -> Callable[[Any], None]:
    """A change of the kept run: the value at the path."""

    def change(run: Any) -> None:
        for step in path[:-1]:
            run = run[step]
        run[path[-1]] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        put("gates", 0, "decision", "outcome", value="deny"),
        put("gates", 4, "decision", "admitted", value=["another"]),
        put("gates", 4, "facts", "evidence", 0, "snippet", value="Sunny, 40°C."),
        put("gates", 4, "facts", value=None),
        put("gates", 4, "now", value="2026-13-41T00:00:00Z"),
        put("gates", 4, "gate", value="nowhere"),
        put("gates", 4, "language_version", value=2),
        put("gates", 4, "revision", value="sha256:" + "0" * 64),
        put("gates", value=[]),
    ],
)
def test_what_was_changed_is_not_the_same(
    tmp_path: Path, kept: tuple[str, str, bytes], change: Callable[[Any], None]
) -> None:
    """Neither a decision nor what it was decided on can be exchanged unseen."""
    execution_id, body, store = kept
    run = json.loads(body)
    change(run)
    home = changed(tmp_path, store, "UPDATE runs SET body = ?", json.dumps(run))
    replayed = called(home, "runs", "replay", execution_id)
    assert (replayed.exit_code, type(replayed.exception)) == (1, SystemExit), replayed.output


@pytest.mark.parametrize(
    "body",
    ["", "{", "[]", "1", "[" * 100_000, b"\xff\xfe", "{}", '{"gates": "x"}', '{"question": 1, "gates": [], "reply": {}}'],
    ids=lambda body: repr(body[:12]),
)
def test_a_damaged_entry_is_a_sentence(tmp_path: Path, kept: tuple[str, str, bytes], body: str | bytes) -> None:
    """It names the run; nothing of it is believed."""
    execution_id, _, store = kept
    home = changed(tmp_path, store, "UPDATE runs SET body = ?", body)
    for command in ("show", "replay"):
        ran = called(home, "runs", command, execution_id)
        assert (ran.exit_code, type(ran.exception)) == (2, SystemExit), ran.output
        assert execution_id in ran.stderr
        assert "damaged" in ran.stderr


def test_rules_that_are_no_longer_kept_decide_nothing(tmp_path: Path, kept: tuple[str, str, bytes]) -> None:
    """Absent, changed or unreadable: no gate is the same."""
    execution_id, _, store = kept
    for statement in ("DELETE FROM rule_sets", "UPDATE rule_sets SET files = '{}'", "DROP TABLE rule_sets"):
        replayed = called(changed(tmp_path, store, statement), "runs", "replay", execution_id)
        assert (replayed.exit_code, type(replayed.exception)) == (1, SystemExit), replayed.output
        assert " same " not in replayed.stdout


def test_the_runs_of_a_tenant_are_listed_shown_and_decided_again(tmp_path: Path, kept: tuple[str, str, bytes]) -> None:
    """They lie in the tenant's folder; without --tenant nothing of them is seen, and an unknown tenant is a wrong call."""
    execution_id, _, store = kept
    settings = tmp_path / "groundrule.toml"
    settings.write_text('[service.tenants.shop]\n[service.tenants.apart]\nhome = "elsewhere"\n', encoding="utf-8")
    for tenant, folder in (("shop", tmp_path / "tenants" / "shop"), ("apart", tmp_path / "elsewhere")):
        folder.mkdir(parents=True)
        (folder / FILE_NAME).write_bytes(store)
        (listed,) = json.loads(called(tmp_path, "runs", "--tenant", tenant, "--json").stdout)
        assert listed["execution_id"] == execution_id
        for command in ("show", "replay"):
            assert called(tmp_path, "runs", command, execution_id, "--tenant", tenant).exit_code == 0
    assert json.loads(called(tmp_path, "runs", "--json").stdout) == []
    assert called(tmp_path, "runs", "show", execution_id).exit_code == 2
    unknown = called(tmp_path, "runs", "--tenant", "shp")
    assert (unknown.exit_code, "tenants: default, apart, shop" in unknown.output) == (2, True)
    assert called(tmp_path, "runs", "--tenant", "shop", "show", execution_id).exit_code == 2


def test_runs_are_sought_where_the_settings_keep_them(tmp_path: Path, kept: tuple[str, str, bytes]) -> None:
    """`home` of groundrule.toml, where `ask` keeps them, too."""
    execution_id, _, store = kept
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / FILE_NAME).write_bytes(store)
    settings = tmp_path / "other.toml"
    settings.write_text('home = "state"\n', encoding="utf-8")
    (listed,) = json.loads(called(tmp_path, "runs", "--settings", str(settings), "--json").stdout)
    assert listed["execution_id"] == execution_id
