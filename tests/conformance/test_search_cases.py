"""The table of cases of search gateways names only tests that exist, with inputs that they have."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = Path(__file__).parent / "search_cases" / "cases.md"
ROW = re.compile(r"\| (?P<case>[A-Z]+-\d{3}) \| (?P<holds>[^|]+) \| (?P<tests>.+) \|")
NAMED = re.compile(r"(?P<marks>`+) ?(?P<test>.+?) ?(?P=marks)(?:; |$)")


def rows() -> dict[str, list[str]]:
    """The tests of each case. A line of the table that cannot be read, and a case named twice, are errors."""
    lines = TABLE.read_text(encoding="utf-8").replace("\\|", "\N{BROKEN BAR}").splitlines()
    body = [line for line in lines if line.startswith("|")][2:]
    found: dict[str, list[str]] = {}
    for line in body:
        row = ROW.fullmatch(line)
        assert row is not None, line
        assert row["case"] not in found
        found[row["case"]] = [
            named["test"].replace("\N{BROKEN BAR}", "|") for named in NAMED.finditer(row["tests"])
        ]
    return found


@cache
def parts(path: Path) -> dict[str, str]:
    """The text of each test of a file: its function with its decorators, or its case of a contract."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".yaml":
        pieces = re.split(r"^  (\S.*):$", text, flags=re.MULTILINE)
        return dict(zip(pieces[1::2], pieces[2::2], strict=True))
    tree = ast.parse(text)
    lists = {
        target.id: ast.get_source_segment(text, node) or ""
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    found = {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            segments = [ast.get_source_segment(text, part) or "" for part in (*node.decorator_list, node)]
            used = {part.id for each in node.decorator_list for part in ast.walk(each) if isinstance(part, ast.Name)}
            found[node.name] = "\n".join([*segments, *(lists[name] for name in sorted(used & lists.keys()))])
    return found


@pytest.mark.parametrize(("case", "tests"), rows().items(), ids=lambda value: value if isinstance(value, str) else "")
def test_what_holds_is_tested(case: str, tests: list[str]) -> None:
    """Every named test is there, and so is the input in brackets."""
    assert tests
    for named in tests:
        path, _, test = named.partition("::")
        where = ROOT / path if path.startswith("policies/") else ROOT / "tests" / path
        name, wanted = test, ""
        if where.suffix == ".py":
            name, _, wanted = test.partition("[")
            wanted = wanted.removesuffix("]")
        assert name in parts(where), f"{case}: {named}"
        assert wanted in parts(where)[name], f"{case}: {named}"


def test_every_kind_of_case_is_there() -> None:
    """The table has not lost a section."""
    counted = {kind: sum(case.startswith(kind) for case in rows()) for kind in KINDS}
    assert counted == KINDS


KINDS = {
    "SRC-": 7, "CIT-": 13, "EMP-": 12, "FRE-": 7, "TIM-": 8, "DUP-": 4, "DOM-": 23, "SSRF-": 9, "INJ-": 5, "SCH-": 3,
    "ENC-": 4, "SIZ-": 2, "DAT-": 10, "MCP-": 10, "PLN-": 8, "TMP-": 4,
}  # fmt: skip
