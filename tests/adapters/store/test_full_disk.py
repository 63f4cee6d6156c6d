"""A disk that is full in the middle of keeping a receipt: nothing is answered, and what was kept stays."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conformance.failures.parts import CONTEXT, INTERNAL, QUESTION, SHIPPED, failing_parts

from groundrule.gateway.pipeline import ask
from groundrule_adapters.store.sqlite import FILE_NAME, SqliteStore

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no process's files"),
]
ROOT = Path(__file__).parents[3]


def asked(state: Path, limit: int) -> dict[str, str]:
    """The reply in a process that writes no file beyond `limit` bytes."""
    command = [sys.executable, "-m", "tests.conformance.failures.full_disk", str(state), str(limit)]
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    reply: dict[str, str] = json.loads(ran.stdout)
    return reply


@pytest.mark.parametrize("limit", [0, 4_096, 30_000])
async def test_nothing_is_answered_from_a_disk_that_is_full(tmp_path: Path, limit: int) -> None:
    """At the first byte, at the first page, in the middle; afterwards, with room again, the next question is answered."""
    reply = asked(tmp_path, limit)
    assert (reply["status"], reply["kind"]) == ("refused", "unsupported")
    assert "回执无法保存" in reply["text"]
    assert "22～28" not in reply["text"]
    assert INTERNAL not in reply["text"]
    assert asked(tmp_path, 64 << 20)["status"] == "answered"
    assert [run.execution_id for run in await SqliteStore(tmp_path).list_runs()] == [f"run-{64 << 20}"]


async def test_what_was_kept_before_the_disk_was_full_stays(tmp_path: Path) -> None:
    """Each byte of it, whichever file has no room; and what is answered meanwhile has been kept too."""
    store = SqliteStore(tmp_path)
    await ask(QUESTION, CONTEXT, failing_parts(SHIPPED, store, (), "run-before"))
    before = await store.get_run("run-before")
    size = (tmp_path / FILE_NAME).stat().st_size
    answered = {f"run-{limit}" for limit in (1, 20_000, size) if asked(tmp_path, limit)["status"] == "answered"}
    assert "run-1" not in answered
    assert await store.get_run("run-before") == before
    assert {run.execution_id for run in await store.list_runs()} == answered | {"run-before"}
