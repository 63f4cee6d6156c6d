"""The SQLite store: what it keeps, and each way in which it can be unavailable, provoked for real."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from groundrule.gateway.ports import StoreUnavailable
from groundrule_adapters.store.sqlite import FILE_NAME, SqliteStore, state_folder

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 4, 15, 8, 0, tzinfo=UTC)
SOON = timedelta(milliseconds=20)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def run(number: int, **more: Any) -> dict[str, Any]:
    return {
        "execution_id": f"x{number}",
        "started_at": f"2026-04-15T08:00:{number:02d}.000000Z",
        "revision": "sha256:aa",
        "question": {"text": f"问题 {number}"},
        "reply": {"status": "refused", "kind": "stale"},
        **more,
    }


async def test_a_kept_run_comes_back_as_it_was(tmp_path: Path) -> None:
    """What was kept is read back equal, also by another store on the same folder; an unknown id is None."""
    kept = run(1, gates=[{"gate": "route", "decision": {"outcome": "allow", "score": 0.5}}])
    await SqliteStore(tmp_path / "new" / "folder").keep(kept)
    again = SqliteStore(tmp_path / "new" / "folder")
    assert await again.get_run("x1") == kept
    assert await again.get_run("x2") is None


async def test_the_folder_is_for_its_owner_only(tmp_path: Path) -> None:
    """Receipts have questions in them; nobody else may read them."""
    await SqliteStore(tmp_path / "state").keep(run(1))
    assert (tmp_path / "state").stat().st_mode & 0o077 == 0


async def test_the_list_is_newest_first_and_bounded(tmp_path: Path) -> None:
    """`list_runs` gives summaries, the latest run first, at most as many as asked for."""
    store = SqliteStore(tmp_path)
    for number in (2, 3, 1):
        await store.keep(run(number))
    found = await store.list_runs(2)
    assert [summary.execution_id for summary in found] == ["x3", "x2"]
    assert found[0].question == "问题 3"
    assert (found[0].status, found[0].reply_kind) == ("refused", "stale")


async def test_rules_are_kept_once_per_revision(tmp_path: Path) -> None:
    """Keeping a revision again changes nothing of its files."""
    store = SqliteStore(tmp_path)
    await store.keep_rules("sha256:aa", {"contracts/a.yaml": "contract: a\n", "lists/x.txt": "例\n"})
    await store.keep_rules("sha256:aa", {"contracts/a.yaml": "something else"})
    assert await store.get_rules("sha256:aa") == {"contracts/a.yaml": "contract: a\n", "lists/x.txt": "例\n"}
    assert await store.get_rules("sha256:bb") is None


async def test_runs_end_after_their_time_and_take_unused_rules_along(tmp_path: Path) -> None:
    """A run older than `keep_for` is dropped, and so are rule sets that no kept run was judged by."""
    times = [NOW, NOW, NOW + timedelta(days=29), NOW + timedelta(days=29), NOW + timedelta(days=31)]
    store = SqliteStore(tmp_path, clock=lambda: times.pop(0))
    await store.keep_rules("sha256:old", {"a": "old"})
    await store.keep(run(1, revision="sha256:old"))
    await store.keep_rules("sha256:aa", {"a": "new"})
    await store.keep(run(2))
    assert await store.get_run("x1") is not None
    await store.keep(run(3))
    assert [summary.execution_id for summary in await store.list_runs()] == ["x3", "x2"]
    assert await store.get_rules("sha256:old") is None
    assert await store.get_rules("sha256:aa") is not None


async def test_a_receipt_is_never_replaced(tmp_path: Path) -> None:
    """A second run under the same execution id is refused, and the first stays."""
    store = SqliteStore(tmp_path)
    await store.keep(run(1, note="first"))
    with pytest.raises(StoreUnavailable):
        await store.keep(run(1, note="second"))
    assert (await store.get_run("x1") or {})["note"] == "first"


async def test_full(tmp_path: Path) -> None:
    """A file that has reached its quota says so; what was kept before stays, and a smaller run still fits."""
    store = SqliteStore(tmp_path, quota=64 * 1024)
    await store.keep(run(1))
    with pytest.raises(StoreUnavailable, match="is full"):
        await store.keep(run(2, padding="x" * 100_000))
    assert await store.get_run("x2") is None
    await store.keep(run(3))
    assert [summary.execution_id for summary in await store.list_runs()] == ["x3", "x1"]


async def test_locked(tmp_path: Path) -> None:
    """While another process holds the write lock keeping fails within the busy timeout; afterwards it works."""
    store = SqliteStore(tmp_path, busy_timeout=SOON)
    await store.keep(run(1))
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable, match="locked by another process"):
            await store.keep(run(2))
        assert await store.get_run("x1") is not None
        other.execute("ROLLBACK")
    await store.keep(run(2))


async def test_folder_gone(tmp_path: Path) -> None:
    """A folder that vanished is reported, and no empty store takes its place; back again, it is used again."""
    store = SqliteStore(tmp_path / "state")
    await store.keep(run(1))
    shutil.move(tmp_path / "state", tmp_path / "aside")
    with pytest.raises(StoreUnavailable, match="gone"):
        await store.keep(run(2))
    assert not (tmp_path / "state").exists()
    shutil.move(tmp_path / "aside", tmp_path / "state")
    await store.keep(run(2))
    assert await store.get_run("x1") is not None


async def test_the_folder_is_a_file(tmp_path: Path) -> None:
    """A path that cannot become a folder is reported, not raised as an OSError."""
    (tmp_path / "state").write_text("here first")
    with pytest.raises(StoreUnavailable, match="cannot be created"):
        await SqliteStore(tmp_path / "state").keep(run(1))


async def test_the_file_is_a_folder(tmp_path: Path) -> None:
    """A folder where the file should be is reported."""
    (tmp_path / FILE_NAME).mkdir()
    with pytest.raises(StoreUnavailable, match="not a file"):
        await SqliteStore(tmp_path).keep(run(1))


async def test_read_only(tmp_path: Path) -> None:
    """A store that may only be read can be listed and cannot keep."""
    await SqliteStore(tmp_path).keep(run(1))
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as db:
        db.execute("PRAGMA journal_mode = DELETE")

    class ReadOnly(SqliteStore):
        def _open(self, mode: str) -> sqlite3.Connection:
            db = super()._open(mode)
            db.execute("PRAGMA query_only = ON")
            return db

    # Root may write to any file, so the connection itself is made read-only.
    store = ReadOnly(tmp_path)
    store._created = True
    with pytest.raises(StoreUnavailable, match="read-only"):
        await store.keep(run(2))
    assert await store.get_run("x1") is not None


async def test_not_a_store(tmp_path: Path) -> None:
    """A file that is something else is reported and left as it is."""
    (tmp_path / FILE_NAME).write_text("this is a letter, and no database " * 40)
    with pytest.raises(StoreUnavailable, match="not a SQLite file"):
        await SqliteStore(tmp_path).keep(run(1))
    assert (tmp_path / FILE_NAME).read_text().startswith("this is a letter")


async def test_damaged(tmp_path: Path) -> None:
    """Pages that were overwritten are reported as damage, not as an absent run."""
    store = SqliteStore(tmp_path)
    await store.keep(run(1, padding="x" * 20_000))
    with closing(sqlite3.connect(store.path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(store.path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    store.path.write_bytes(content)
    with pytest.raises(StoreUnavailable, match="damaged"):
        await store.get_run("x1")


async def test_many_at_once(tmp_path: Path) -> None:
    """Concurrent runs of one process wait for each other and are all kept."""
    import anyio

    store = SqliteStore(tmp_path)
    async with anyio.create_task_group() as tasks:
        for number in range(12):
            tasks.start_soon(store.keep, run(number))
    assert len(await store.list_runs()) == 12


def test_the_state_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """$GROUNDRULE_HOME names the folder; without it the platform's state folder does."""
    monkeypatch.setenv("GROUNDRULE_HOME", str(tmp_path))
    assert state_folder() == tmp_path
    monkeypatch.delenv("GROUNDRULE_HOME")
    assert state_folder().name == "groundrule"
