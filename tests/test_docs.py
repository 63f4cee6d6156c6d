"""The documents run: their Python, their commands, their rule set, and the questions of the README."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from groundrule import Context, Question, Reply, check
from groundrule.rules.cases import run_tests
from groundrule_adapters import Settings
from groundrule_adapters.settings import read_settings

ROOT = Path(__file__).resolve().parents[1]
READMES = ("README.md", "README.zh-CN.md")
DOCUMENTS = (*READMES, "docs/rules.md", "docs/grounding.md", "docs/mcp.md", "docs/service.md")
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\| (\S.*?) \| `(answered|clarify|refused)(?:: (\w+))?` \|", re.MULTILINE)


def _blocks(document: str) -> list[tuple[str, str]]:
    return _BLOCK.findall((ROOT / document).read_text(encoding="utf-8"))


@pytest.mark.parametrize("document", READMES)
def test_the_first_example_runs_and_is_true(document: str) -> None:
    """Python of a README runs as it stands, with its assertions."""
    programs = [text for language, text in _blocks(document) if language == "python"]
    assert programs
    for text in programs:
        assert "assert " in text
        exec(compile(text, document, "exec"), {"__name__": "__docs__"})


def _run(command: str, folder: Path) -> str:
    bin_folder = str(Path(sys.executable).parent)
    env = {**os.environ, "PATH": bin_folder + os.pathsep + os.environ["PATH"], "GROUNDRULE_HOME": str(folder / "home")}
    ran = subprocess.run(
        ["sh", "-c", command], cwd=folder, env=env, capture_output=True, text=True, encoding="utf-8", timeout=120
    )
    assert ran.returncode in (0, 1), ran.stderr
    assert "Traceback" not in ran.stderr, ran.stderr
    return ran.stdout


def _shows(printed: str, expected: str) -> bool:
    """Whether a command printed what a document shows; `…` there stands for anything."""
    pattern = ".*".join(re.escape(part) for part in expected.strip().split("…"))
    return re.fullmatch(pattern, printed.strip(), re.DOTALL) is not None


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """An empty folder; a service that a document started there ends with the test."""
    yield tmp_path
    process = tmp_path / "serve.pid"
    if process.exists():
        with contextlib.suppress(ProcessLookupError):  # the document ended it
            os.kill(int(process.read_text()), signal.SIGKILL)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_commands_print_what_is_shown(document: str, folder: Path) -> None:
    """Commands run in order in one empty folder; calls of make name targets that there are.

    What they leave is ignored by git, since readers run them in their clone.
    """
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    seen = 0
    for language, text in _blocks(document):
        if language == "sh":
            called = re.findall(r"^make (\w+)", text, re.MULTILINE)
            assert set(called) <= targets
            if not called:
                _run(text, folder)
        elif language == "console":
            for step in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, expected = step.partition("\n")
                printed = _run(command, folder)
                assert _shows(printed, expected), f"$ {command}\n{printed}"
                seen += 1
    assert seen
    left = {f"/{path.name}{'/' * path.is_dir()}" for path in folder.iterdir()} - {"/home/"}
    assert left <= set((ROOT / ".gitignore").read_text(encoding="utf-8").splitlines())


def _example() -> dict[str, str]:
    """The rule set that docs/rules.md spells out, by the path on the first line of each block."""
    found: dict[str, str] = {}
    for language, text in _blocks("docs/rules.md"):
        path = re.match(r"# (\S+\.(?:yaml|txt))\n", text)
        if path is not None:
            found[path[1]] = text
        assert language != "yaml" or path is not None
    return found


def test_the_rule_set_of_the_language_page_has_no_faults() -> None:
    """Neither faults nor warnings, in any of its files."""
    files = _example()
    assert {"contracts/recency.yaml", "manifest.yaml", "params.yaml", "waivers.yaml"} <= set(files)
    assert [diagnostic.render() for diagnostic in check(files, datetime(2026, 4, 15, tzinfo=UTC))] == []


def test_the_cases_of_the_language_page_pass_and_cover_its_rules() -> None:
    """Its test file shows every rule met, not met and undecided."""
    report = run_tests(_example(), datetime(2026, 4, 15, tzinfo=UTC))
    assert [fault.render() for fault in report.faults] == []
    assert report.passed, report.to_json()


@pytest.mark.parametrize("document", [*READMES, "docs/service.md"])
def test_the_settings_that_are_shown_are_settings(document: str, tmp_path: Path) -> None:
    """Every TOML is read without a fault, and sets what it says."""
    shown = [text for language, text in _blocks(document) if language == "toml"]
    assert shown
    for text in shown:
        (tmp_path / "groundrule.toml").write_text(text, encoding="utf-8")
        read = read_settings(env={}, cwd=tmp_path)
        assert "[model]" not in text or read.model.usable


def test_both_readmes_say_the_same() -> None:
    """Same blocks but for their texts, same questions with the same outcome."""
    kinds = [[language for language, _ in _blocks(document)] for document in READMES]
    assert kinds[0] == kinds[1]
    assert _questions(READMES[0]) == _questions(READMES[1])
    assert len(_questions(READMES[0])) == 8


def _questions(document: str) -> list[tuple[str, str, str]]:
    return _ROW.findall((ROOT / document).read_text(encoding="utf-8"))


def test_questions_of_the_readme_come_out_as_it_says(tmp_path: Path) -> None:
    """Each question is asked of the sample servers and ends as its row says."""
    questions = _questions("README.md")
    replies = asyncio.run(_asked([text for text, _, _ in questions], tmp_path))
    ended = [(text, reply.status, reply.kind or "") for (text, _, _), reply in zip(questions, replies, strict=True)]
    assert ended == questions


async def _asked(texts: list[str], folder: Path) -> list[Reply]:
    from groundrule_adapters import open_gateway  # the gateway brings the MCP client, which only this test needs

    settings = Settings(home=folder, zone="Asia/Shanghai", env={**os.environ, "GROUNDRULE_HOME": ""}, cwd=folder)
    async with open_gateway(settings) as gateway:
        return [await gateway.ask(_question(text), Context(zone=settings.zone, channel="cli")) for text in texts]


def _question(text: str) -> Question:
    language = "zh" if re.search("[\u4e00-\u9fff]", text) else "en"
    return Question.model_validate({"id": "q", "text": text, "language": language, "asked_at": datetime.now(UTC)})
