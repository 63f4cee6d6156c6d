"""Receipts in one SQLite file of the state folder.

Every operation opens its own connection in a worker thread: no connection is shared, none outlives a folder that
went away, and the next operation after a failure starts afresh. The file is created once, by the first operation of
a store; a file or folder that vanishes later is reported and not silently replaced by an empty one.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from groundrule.canonical import canonical_json
from groundrule.facts.record import write_timestamp
from groundrule.gateway.ports import StoreUnavailable

from ..settings import Settings

KEEP_FOR = timedelta(days=30)
BUSY_TIMEOUT = timedelta(seconds=2)
FILE_NAME = "runs.sqlite3"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
  execution_id TEXT PRIMARY KEY,
  started_at TEXT NOT NULL,
  kept_at TEXT NOT NULL,
  status TEXT,
  reply_kind TEXT,
  question TEXT,
  revision TEXT NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS runs_by_start ON runs (started_at);
CREATE INDEX IF NOT EXISTS runs_by_age ON runs (kept_at);
CREATE TABLE IF NOT EXISTS rule_sets (revision TEXT PRIMARY KEY, kept_at TEXT NOT NULL, files TEXT NOT NULL);
"""

# SQLite's primary result codes (sqlite.org/rescode.html), each with what happened and what to do.
_FAULTS = {
    sqlite3.SQLITE_FULL: ("full", "free some space or raise the quota"),
    sqlite3.SQLITE_IOERR: ("not readable or writable", "check the disk and the folder"),
    sqlite3.SQLITE_BUSY: ("locked by another process", "end that process or try again"),
    sqlite3.SQLITE_LOCKED: ("locked by another process", "end that process or try again"),
    sqlite3.SQLITE_CANTOPEN: ("gone or not a file", "restore the folder, or restart to create a new store"),
    sqlite3.SQLITE_READONLY: ("read-only", "make the folder and the file writable"),
    sqlite3.SQLITE_PERM: ("not permitted", "make the folder and the file writable"),
    sqlite3.SQLITE_CORRUPT: ("damaged", "move the file away and restart to create a new store"),
    sqlite3.SQLITE_NOTADB: ("not a SQLite file", "move the file away and restart to create a new store"),
}

Result = TypeVar("Result")


@dataclass(frozen=True)
class RunSummary:
    """One kept run as a list shows it. started_at: RFC 3339 in UTC. reply_kind: which refusal, if it is one."""

    execution_id: str
    started_at: str
    status: str | None
    reply_kind: str | None
    question: str | None
    revision: str


def state_folder() -> Path:
    """The folder of everything that is kept: $GROUNDRULE_HOME, else the platform's state folder of the user."""
    home = os.environ.get("GROUNDRULE_HOME")
    if home:
        return Path(home).expanduser()
    import platformdirs

    return platformdirs.user_state_path("groundrule", appauthor=False)


def tenant_folder(settings: Settings, name: str) -> Path:
    """The state folder of a tenant of the service: its own, else the one of its name in the state folder."""
    own = settings.service.tenants[name]
    return own.home or (settings.home or state_folder()) / "tenants" / name


class SqliteStore:
    """Keeps runs and rule sets (ports.Store), and reads them back.

    folder: created by the first operation, readable by its owner only; `state_folder()` if not given. keep_for: age at
    which a run is dropped. busy_timeout: longest wait for another process's lock. quota: most bytes of the file, or
    None. clock: the time at which something is kept. Every method raises StoreUnavailable if the store is full,
    locked, gone, read-only or damaged.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        keep_for: timedelta = KEEP_FOR,
        busy_timeout: timedelta = BUSY_TIMEOUT,
        quota: int | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.path = (state_folder() if folder is None else folder) / FILE_NAME
        self._keep_for = keep_for
        self._busy_timeout = busy_timeout
        self._quota = quota
        self._clock = clock
        self._created = False

    async def keep(self, run: Mapping[str, Any]) -> None:
        """Stores one run (values of canonical JSON) and drops what is older than `keep_for`.

        The run is on the disk when this returns. An execution is kept once: its receipt is never replaced.
        """
        now = self._clock()
        reply = run.get("reply") or {}
        row = (
            run["execution_id"],
            run["started_at"],
            write_timestamp(now),
            reply.get("status"),
            reply.get("kind"),
            (run.get("question") or {}).get("text"),
            run["revision"],
            canonical_json(run),
        )
        oldest = write_timestamp(now - self._keep_for)

        def keep(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM runs WHERE kept_at < ?", (oldest,))
            db.execute(
                "DELETE FROM rule_sets WHERE kept_at < ? AND revision NOT IN (SELECT revision FROM runs)",
                (oldest,),
            )
            db.execute("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

        await self._do(keep, writes=True)

    async def keep_rules(self, revision: str, files: Mapping[str, str]) -> None:
        """Stores a rule set once per revision: file name within the set to text.

        It is marked as used when half of `keep_for` has passed since; before, looking is enough, which no disk waits for.
        """
        now = self._clock()
        recent = (revision, write_timestamp(now - self._keep_for / 2))
        seen = "SELECT 1 FROM rule_sets WHERE revision = ? AND kept_at > ?"
        if await self._do(lambda db: db.execute(seen, recent).fetchone()) is not None:
            return
        row = (revision, write_timestamp(now), canonical_json(dict(files)))

        def keep(db: sqlite3.Connection) -> None:
            db.execute(
                "INSERT INTO rule_sets VALUES (?, ?, ?) "
                "ON CONFLICT (revision) DO UPDATE SET kept_at = excluded.kept_at",
                row,
            )

        await self._do(keep, writes=True)

    async def check(self) -> None:
        """Raises StoreUnavailable if a run could not be begun to be kept now. Whether there is space shows only then."""
        await self._do(lambda db: None, writes=True)

    async def list_runs(self, limit: int = 50) -> tuple[RunSummary, ...]:
        """The latest runs, newest first, at most `limit`."""

        def read(db: sqlite3.Connection) -> tuple[RunSummary, ...]:
            found = db.execute(
                "SELECT execution_id, started_at, status, reply_kind, question, revision FROM runs "
                "ORDER BY started_at DESC, execution_id LIMIT ?",
                (max(0, limit),),
            )
            return tuple(RunSummary(*row) for row in found)

        return await self._do(read)

    async def get_run(self, execution_id: str) -> dict[str, Any] | None:
        """The run as it was kept, or None."""
        found = await self._one("SELECT body FROM runs WHERE execution_id = ?", execution_id)
        return None if found is None else dict(found)

    async def get_rules(self, revision: str) -> dict[str, str] | None:
        """The files of a rule set, or None."""
        found = await self._one("SELECT files FROM rule_sets WHERE revision = ?", revision)
        return None if found is None else {str(name): str(text) for name, text in found.items()}

    async def _one(self, query: str, key: str) -> dict[str, Any] | None:
        def read(db: sqlite3.Connection) -> dict[str, Any] | None:
            row = db.execute(query, (key,)).fetchone()
            if row is None:
                return None
            try:
                value = json.loads(row[0])
            except (ValueError, RecursionError) as error:
                raise StoreUnavailable(f"the entry {key!r} in {self.path} is damaged: {error}") from error
            if not isinstance(value, dict):
                raise StoreUnavailable(f"the entry {key!r} in {self.path} is damaged: it is no object")
            return value

        return await self._do(read)

    async def _do(self, work: Callable[[sqlite3.Connection], Result], writes: bool = False) -> Result:
        return await asyncio.to_thread(self._transact, work, writes)

    def _transact(self, work: Callable[[sqlite3.Connection], Result], writes: bool) -> Result:
        """All of `work`, or nothing of it. A single read needs no transaction of ours and waits for no writer."""
        try:
            if not self._created:
                self._create()
            with closing(self._open("rw")) as db, db:
                if writes:
                    db.execute("BEGIN IMMEDIATE")
                return work(db)
        except sqlite3.Error as error:
            raise StoreUnavailable(self._reason(error)) from error
        except OSError as error:
            raise StoreUnavailable(
                f"the store {self.path} cannot be created ({error}); check the folder"
            ) from error

    def _create(self) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with closing(self._open("rwc")) as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.executescript(_SCHEMA)
        self._created = True

    def _open(self, mode: str) -> sqlite3.Connection:
        db = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=self._busy_timeout.total_seconds(),
            isolation_level=None,
        )
        try:
            db.execute("PRAGMA synchronous = FULL")
            if self._quota is not None:
                (page,) = db.execute("PRAGMA page_size").fetchone()
                db.execute(f"PRAGMA max_page_count = {max(1, self._quota // page)}")
        except sqlite3.Error:
            db.close()
            raise
        return db

    def _reason(self, error: sqlite3.Error) -> str:
        code = getattr(error, "sqlite_errorcode", None)  # absent where Python itself raises
        what, advice = _FAULTS.get((code or 0) & 0xFF, ("not usable", "see the message of SQLite"))
        return f"the store {self.path} is {what} ({error}); {advice}"
