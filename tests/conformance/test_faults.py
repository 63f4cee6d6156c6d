"""Every code of a fault has a bad file, with the code written on the faulty line (`# !GR211`).

`faults/` has contract files (`GR211.yaml`) and small rule sets (folders). What no text file with a comment can show,
such as bytes that are no UTF-8, is made here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.conformance.on_disk import on_disk
from tests.conformance.unfit import unfit

from groundrule import Diagnostic, check, compile_rules
from groundrule.codes import CODES
from groundrule.diagnostics import Code, Source, Span
from groundrule.rules.assemble import MAX_FILES, MAX_LIST_ENTRIES
from groundrule.rules.cases import run_tests
from groundrule.rules.expression import MAX_LENGTH
from groundrule.rules.parse import MAX_FILE

FOLDER = Path(__file__).parent / "faults"
NOW = datetime(2026, 4, 20, tzinfo=UTC)
BEFORE = "before/"
"""The folder of a case that has the rule set as it was before a change."""
MARK = re.compile(r"# (!GR\d{3}(?: !GR\d{3})*)\s*$")
Files = Mapping[str, bytes]
Place = tuple[str, int, str]
"""File, line and code."""

HEAD = b"contract: fault\nversion: 1.0.0\ngate: evidence\n"
RULES = b"""rules:
  - id: FAULT-CASE-01
    each: evidence as e
    require: e.generated
    otherwise: reject
    message: {en: Refused., zh: \xe5\xb7\xb2\xe6\x8b\x92\xe7\xbb\x9d\xe3\x80\x82}
"""
CONTRACT = "contracts/fault.yaml"
GOOD = HEAD + RULES
LONG = RULES.replace(b"e.generated", b"e.generated" + b" " * MAX_LENGTH + b"&& e.generated")

MADE: dict[str, tuple[Files, list[Place]]] = {
    "not UTF-8": ({CONTRACT: HEAD + b"owners: [\xff]\n" + RULES}, [(CONTRACT, 4, "GR101")]),
    "byte order mark": ({CONTRACT: b"\xef\xbb\xbf" + GOOD}, [(CONTRACT, 1, "GR102")]),
    "too large": ({CONTRACT: GOOD + b"#" * MAX_FILE}, [(CONTRACT, 1, "GR103")]),
    "empty": ({CONTRACT: b""}, [(CONTRACT, 1, "GR111")]),
    "only a comment": ({CONTRACT: b"# nothing\n"}, [(CONTRACT, 2, "GR111")]),
    "control character": ({CONTRACT: HEAD + b"owners: [\x07]\n" + RULES}, [(CONTRACT, 4, "GR113")]),
    "tab in indentation": ({CONTRACT: HEAD + b"owners:\n\t- me\n" + RULES}, [(CONTRACT, 5, "GR113")]),
    "long expression": ({CONTRACT: HEAD + LONG}, [(CONTRACT, 7, "GR207")]),
    "no contract": ({"params.yaml": b"least: 3\n"}, [("manifest.yaml", 1, "GR401")]),
    "unknown file": ({CONTRACT: GOOD, "contract/more.yaml": GOOD}, [("contract/more.yaml", 1, "GR407")]),
    "many files": ({f"tests/{n}.yaml": b"" for n in range(MAX_FILES + 1)}, [("manifest.yaml", 1, "GR408")]),
    "no test": ({CONTRACT: GOOD, "tests/pages/one.yaml": b"x"}, [("tests", 1, "GR610")]),
    "many entries": (
        {CONTRACT: GOOD, "lists/all.txt": b"#\n" * (MAX_LIST_ENTRIES + 1)},
        [("lists/all.txt", 1, "GR408")],
    ),
}
"""Cases that are made here: their files and the faults."""

def written() -> dict[str, Files]:
    """The cases of `faults/`: their files, by name."""
    found: dict[str, Files] = {}
    for path in sorted(FOLDER.iterdir()):
        if path.is_dir():
            files = sorted(inner for inner in path.rglob("*") if inner.is_file())
            found[path.name] = {inner.relative_to(path).as_posix(): inner.read_bytes() for inner in files}
        else:
            found[path.stem] = {f"contracts/{path.name}": path.read_bytes()}
    return found


def marked(files: Files) -> list[Place]:
    """The faults that the marks of some files announce."""
    return [
        (name, number, code.removeprefix("!"))
        for name, content in files.items()
        for number, line in enumerate(content.decode().splitlines(), 1)
        if (mark := MARK.search(line))
        for code in mark[1].split()
    ]


WRITTEN = written()
CASES = {**{name: (files, marked(files)) for name, files in WRITTEN.items()}, **MADE}


def reported(files: Files) -> tuple[Diagnostic, ...]:
    """What is wrong with a rule set; if that is nothing, what is wrong with its test files."""
    before = {name.removeprefix(BEFORE): text for name, text in files.items() if name.startswith(BEFORE)}
    files = {name: text for name, text in files.items() if not name.startswith(BEFORE)}
    faults = check(files, NOW, against=compile_rules(before) if before else None)
    tests = any(name.startswith("tests/") for name in files)
    return run_tests(files, NOW).faults if tests and not faults else faults


def place(fault: Diagnostic) -> Place:
    name, line, _ = fault.place.rsplit(":", 2)
    return name, int(line), fault.code


@pytest.mark.parametrize("name", CASES)
def test_exactly_the_marked_faults_are_reported(name: str) -> None:
    """A bad file gives each announced code on the line that has the mark, and nothing else."""
    files, expected = CASES[name]
    faults = reported(files)
    assert expected, "nothing is announced, so nothing would be tested"
    assert sorted(place(fault) for fault in faults) == sorted(expected), "\n".join(f.render() for f in faults)


@pytest.mark.parametrize("name", CASES)
def test_faults_are_rendered_with_their_place(name: str) -> None:
    """A fault is shown with file, line and column, and under the line, if it has text, a caret at the column."""
    for fault in reported(CASES[name][0]):
        line, column = fault.span.source.position(fault.span.start)
        first, *rest = fault.render().split("\n")
        code = CODES[fault.code]
        assert first.startswith(f"{fault.span.source.name}:{line}:{column}: {code.severity} {code.code}: ")
        if fault.span.source.line(line).strip():
            shown, marks = rest[:2]
            assert shown.startswith("    ")
            assert re.fullmatch(r" {4} *\^+", marks)


@pytest.mark.parametrize("name", WRITTEN)
def test_the_name_of_a_case_is_its_code(name: str) -> None:
    """A file is found by the code that it shows; a second one of a code says after a dash what it adds."""
    assert {code for _, _, code in CASES[name][1]} == {name.partition("-")[0]}


def test_the_caret_stands_under_what_is_meant() -> None:
    """Escapes of control characters and wide characters before the place move the caret with them."""
    source = Source("params.yaml", "\u9650\t\u5ea6: [")
    rendered = Diagnostic("GR104", "error", "no YAML", Span(source, 5, 6)).render()
    assert rendered.split("\n")[1:] == ["    \u9650\\t\u5ea6: [", " " * 12 + "^"]


def test_every_code_has_a_bad_file() -> None:
    """No code is without a case, be it of text files, of folders and archives, or of what commands are given."""
    shown = {code for _, expected in CASES.values() for _, _, code in expected}
    assert shown | {fault.code for fault in (*on_disk(), *unfit())} == CODES.keys()


@pytest.mark.parametrize("code", CODES.values(), ids=list(CODES))
def test_every_code_has_help(code: Code) -> None:
    """A fault says what to do, or is answered with the nearest name; no advice is the sentence again."""
    assert code.help
    assert code.help != code.message
    assert code.page


def test_a_value_that_a_choice_does_not_declare_is_named_with_the_choice() -> None:
    """Not with the key that the value stands under; the nearest declared value is offered."""
    (fault,) = reported(CASES["GR316-declared"][0])
    assert fault.message == "`lo` is not among the values of `depth`"
    assert fault.help == "did you mean `low`?"


def test_files_are_found() -> None:
    """A run that finds no file fails."""
    assert WRITTEN
    assert all(WRITTEN.values())
