"""The house itself: layers, surface, generated files, weight."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.generate import doc_files, schema_files

import groundrule

ROOT = Path(__file__).resolve().parents[2]


def test_imports_point_one_way() -> None:
    """The engine imports no adapter, and layers are kept."""
    run = subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports")], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stdout


def test_the_surface_is_what_the_design_says() -> None:
    """Every public name exists, and nothing else is public."""
    assert set(groundrule.__all__) == {
        "Answer", "Citation", "Claim", "Context", "Decision", "Diagnostic", "Evidence", "EvidenceBundle", "Plan",
        "Question", "Reply", "RuleFileError", "RuleSet", "Run", "Violation", "ask", "check", "compile_rules",
        "evaluate", "explain", "functions", "schema",
    }  # fmt: skip
    for name in groundrule.__all__:
        assert getattr(groundrule, name) is not None


@pytest.mark.parametrize(
    ("module", "late"),
    [
        ("groundrule", ("pydantic", "mcp", "jsonschema", "yaml", "typer")),
        (
            "groundrule_adapters.cli.app",
            ("mcp", "openai", "fastapi", "httpx2", "jsonschema", "rich", "groundrule.grounding.claims"),
        ),
    ],
)
def test_importing_is_light(module: str, late: tuple[str, ...]) -> None:
    """`import groundrule` loads neither pydantic nor anything heavier; a command loads what it alone needs itself."""
    code = f"import sys, {module}; print([m for m in {late} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout.strip() == "[]"


def test_generated_files_have_not_drifted() -> None:
    """Schemas and reference pages are those that the code makes: `make schemas docs`."""
    drifted = [
        str(path.relative_to(ROOT))
        for path, text in {**schema_files(), **doc_files()}.items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    assert drifted == []
    assert {path.name for path in (ROOT / "schemas").glob("*.json")} == {path.name for path in schema_files()}
