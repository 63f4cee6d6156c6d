"""Commands that are called wrongly: a sentence and exit code 2, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from groundrule_adapters.cli.app import app


@pytest.mark.parametrize(
    "call",
    [
        ["init", "FILE/inside"],
        ["new", "contract", "trial", "--gate", "evidence", "--dir", "FILE"],
        ["new", "rule", "AREA-TOPIC-01", "--contract", "BINARY"],
        ["test", "FOLDER", "--junit", "FILE/report.xml"],
        ["ask", "\udcff weather"],
        ["runs", "--limit", "99999999999999999999"],
    ],
    ids=lambda call: " ".join(call[:2]).encode("ascii", "replace").decode(),
)
def test_a_wrong_call_is_said(tmp_path: Path, call: list[str]) -> None:
    """What cannot be written or read is named."""
    (tmp_path / "FILE").write_text("x", encoding="utf-8")
    (tmp_path / "BINARY").write_bytes(b"\xb3\xff")
    (tmp_path / "FOLDER").mkdir()
    names = ("FILE", "BINARY", "FOLDER")
    words = [str(tmp_path / word) if word.startswith(names) else word for word in call]
    result = CliRunner().invoke(app, words, env={"GROUNDRULE_HOME": str(tmp_path / "home")})
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
