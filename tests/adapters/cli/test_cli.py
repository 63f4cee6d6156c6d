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


def test_a_rule_is_added_where_rules_stand_although_choices_follow(tmp_path: Path) -> None:
    """Most shipped contracts end with choices; the new rule goes before them, and the file stays a contract."""
    rules = tmp_path / "rules"
    assert CliRunner().invoke(app, ["init", str(rules)]).exit_code == 0
    contract = rules / "contracts" / "freshness.yaml"
    added = CliRunner().invoke(app, ["new", "rule", "FRESH-NEW-01", "--contract", str(contract)])
    assert added.exit_code == 0
    assert CliRunner().invoke(app, ["check", str(rules)]).exit_code == 0
    text = contract.read_text(encoding="utf-8")
    assert text.index("\nrules:") < text.index("FRESH-NEW-01") < text.index("\nchoices:")


def test_a_zone_that_does_not_exist_is_a_wrong_call() -> None:
    """The option is at fault, not the question."""
    asked = CliRunner().invoke(app, ["ask", "天气", "--zone", "Mars/X"])
    assert asked.exit_code == 2
    assert "Mars/X" in asked.output
