"""The short form of `make soak`."""

from __future__ import annotations

from pathlib import Path

from tests.soak import CLIENTS, soak


def test_no_receipt_is_lost_when_workers_are_killed(tmp_path: Path) -> None:
    """Every reply that arrived is kept with the same text, and the service goes on with new workers."""
    found = soak(tmp_path, 3)
    assert found.killed == 2
    assert found.after > 0
    assert len(found.replies) > CLIENTS
    assert found.lost == []
