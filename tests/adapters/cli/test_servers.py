"""`groundrule mcp try` and `mcp list`: a server of one's own needs one mapping file, and is seen through."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.adapters.sources.mcp.errands import FAULTY, HERE
from typer.testing import CliRunner

from groundrule_adapters.cli.app import app


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in a folder that is its home."""
    command = [str(Path(sys.executable).with_name("groundrule")), "mcp", *arguments]
    env = {"PATH": os.environ["PATH"], "GROUNDRULE_HOME": str(folder), "HOME": str(folder), "TZ": "UTC"}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, encoding="utf-8", timeout=120)


def configured(folder: Path, mapping: str = FAULTY) -> Path:
    """A folder with one server and its mapping."""
    entry = {"command": sys.executable, "args": [str(HERE / "faulty_server.py"), "well"], "env": {"KEY": "sesame-open-1234"}}
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": {"mine": entry, "other": {"command": "x"}}}))
    (folder / "mappings").mkdir()
    (folder / "mappings" / "mine.yaml").write_text(mapping, encoding="utf-8")
    return folder


def test_a_server_with_a_mapping_of_ones_own_is_tried(tmp_path: Path) -> None:
    """Its raw result, the evidence made of it, and the word of each contract on it, as JSON and for people."""
    folder = configured(tmp_path)
    ran = run(folder, "try", "mine", "fine", "--json")
    told = json.loads(ran.stdout)
    assert told["calls"][0]["outcome"] == "allow"
    assert told["raw"][0]["structuredContent"]["records"][0]["text"] == "All is well."
    (one,) = told["evidence"]
    assert one["item"]["snippet"] == "All is well."
    judging = {verdict["contract"] for verdict in one["contracts"]}
    assert judging >= {"source", "freshness"}
    assert "sufficiency" not in judging  # it speaks of the evidence as a whole
    assert ran.returncode == (0 if told["decision"]["outcome"] == "allow" else 1)
    shown = run(folder, "try", "mine", "fine").stdout
    assert "raw result 1" in shown
    assert "evidence[0] Fine" in shown
    assert "evidence gate: " in shown


def test_what_brings_no_evidence_says_why(tmp_path: Path) -> None:
    """A failure is shown with its reason, without what is secret."""
    ran = run(configured(tmp_path), "try", "mine", "error", "--json")
    told = json.loads(ran.stdout)
    assert (told["attempts"][0]["outcome"], told["evidence"]) == ("failed", [])
    assert "reported an error" in told["attempts"][0]["reason"]
    assert "sesame" not in ran.stdout
    assert ran.returncode == 1


def test_a_server_that_is_not_there_or_not_used(tmp_path: Path) -> None:
    """Each is told with what to do; the list has both kinds."""
    folder = configured(tmp_path)
    missing = run(folder, "try", "nobody", "q")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "there is no server of this name" in missing.stderr
    unused = run(folder, "try", "other", "q")
    assert "it belongs into mappings/other.yaml" in unused.stderr
    listed = json.loads(run(folder, "list", "--json").stdout)
    assert [(one["server"], "left_out" in one) for one in listed] == [("mine", False), ("other", True)]


def test_faults_of_a_mapping_are_diagnostics(tmp_path: Path) -> None:
    """All of them, with code, place and help."""
    bad = FAULTY.replace("source_type: url", "source_typ: url").replace("generated: false", "generated: often")
    ran = run(configured(tmp_path, bad), "try", "mine", "q")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "error GR701: unknown key `source_typ`" in ran.stderr
    assert "help: did you mean `source_type`?" in ran.stderr
    assert "error GR702: `source_type` is missing" in ran.stderr
    assert "error GR703: generated: " in ran.stderr


def test_without_a_usable_server_nobody_is_told_to_rephrase(tmp_path: Path) -> None:
    """`mcp list` ends with 1, and the refusal of `ask` says where to look."""
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"other": {"command": "x"}}}), encoding="utf-8")
    listed = run(tmp_path, "list")
    assert (listed.returncode, listed.stdout.splitlines()[0].split()) == (1, ["server", "tool", "reached"])
    assert run(tmp_path, "list", "--json").returncode == 1
    env = {"GROUNDRULE_HOME": str(tmp_path), "TZ": "UTC"}
    for question, wrong, right in (
        ("Will it rain in Guangzhou in the next 5 days?", "rephrase", "have the configured sources checked"),
        ("帮我看看未来 5 天的广州天气如何", "换一种问法，", "请检查所配置的来源"),
    ):
        asked = CliRunner().invoke(app, ["ask", question], env=env)
        assert (asked.exit_code, wrong in asked.stdout, right in asked.stdout) == (1, False, True)
