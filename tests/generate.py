"""Writes what is made from the code: `python -m tests.generate schemas` and `… docs`."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from groundrule import Diagnostic, functions, schema
from groundrule.codes import CODES
from groundrule.diagnostics import Code
from groundrule.facts.gates import GATES
from groundrule.facts.schema import SCHEMAS, VERSION
from groundrule.facts.words import WORDS
from groundrule.rules.catalogue import FunctionInfo
from groundrule.rules.types import Type
from groundrule.rules.vocabulary import variables
from groundrule_adapters.http.problems import KINDS, Kind, Problem
from groundrule_adapters.sources.mcp import mapping_schema

from .conformance.on_disk import on_disk
from .conformance.test_faults import CASES, reported
from .conformance.unfit import unfit
from .reads_page import reads_page

ROOT = Path(__file__).resolve().parents[1]
MADE = "Made from the code by `make docs`."
_KINDS = {
    "1": ("Files and YAML", "文件与 YAML"),
    "2": ("Expressions", "表达式"),
    "3": ("Contracts", "合同"),
    "4": ("Rule sets", "规则集"),
    "5": ("Warnings", "警告"),
    "6": ("Test files", "测试文件"),
    "7": ("Mappings of servers", "服务器结果映射"),
    "9": ("What commands are given", "命令的输入"),
}


def schema_files() -> dict[Path, str]:
    """Every schema file and its text."""
    made = {name: schema(name) for name in SCHEMAS} | {"mapping": mapping_schema()}
    return {
        ROOT / "schemas" / f"{name}.v{VERSION}.json": json.dumps(found, ensure_ascii=False, indent=2) + "\n"
        for name, found in made.items()
    }


def doc_files() -> dict[Path, str]:
    """Every generated page and its text."""
    pages = {
        "functions": functions_page(),
        "errors": errors_page(),
        "facts": facts_page(),
        "reads": reads_page(),
    }
    return {ROOT / "docs" / "reference" / f"{name}.md": "\n".join(lines) + "\n" for name, lines in pages.items()}


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """A table of Markdown; bars and line breaks within a cell are written so that it stays one."""
    lines = [list(head), *(list(row) for row in rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return ["| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in line) + " |" for line in lines]


# Functions


def functions_page() -> list[str]:
    """Functions and macros, those that CEL does not have first."""
    known = functions()
    parts: list[tuple[str, Callable[[FunctionInfo], bool]]] = [
        ("Functions beyond CEL", lambda info: not info.in_cel),
        ("Macros", lambda info: info.kind == "macro"),
        ("Functions of CEL", lambda info: info.in_cel and info.kind != "macro"),
    ]
    lines = [
        "# Functions",
        "",
        f"{MADE} The rule language itself is in [rules.md](../rules.md). Every example is true, and runs as a test.",
    ]
    for title, belongs in parts:
        lines += ["", f"## {title}", ""]
        for info in filter(belongs, known):
            lines.append(f"- `{info.signature}`: {info.doc}")
            lines += [f"  - `{example}`" for example in info.examples]
    return lines


# Faults


def errors_page() -> list[str]:
    """Diagnostic codes, each with what it looks like, and the problems of the service."""
    examples = dict(_examples())
    lines = ["# Faults, warnings and problems", "", f"{MADE} Commands print these codes; the service sends those of GR8xx."]
    by_number = sorted(CODES.values(), key=lambda code: code.code)
    for digit, (title, chinese) in _KINDS.items():
        lines += _problems() if digit == "9" else ()
        lines += ["", f"## GR{digit}xx: {title} · {chinese}"]
        for code in by_number:
            if code.code[2] == digit:
                lines += ["", *_entry(code, examples.get(code.code))]
    return lines


def _problems() -> Iterator[str]:
    """What the HTTP service answers in place of a decision or reply."""
    kinds = sorted(KINDS.values(), key=lambda kind: kind.code)
    yield from ("", "## GR8xx: The service · HTTP 服务", "")
    yield "Requests that are not answered, as problem details (RFC 9457) of the type `application/problem+json`. What the"
    yield "rules say about facts is no problem: it is a decision, with status 200. `detail` says more of the one case,"
    yield "`place` where in the body it lies, `instance` is the id under which the access log has the request."
    yield from ("", "```json", _problem_shown(kinds[0]), "```")
    for kind in kinds:
        yield from ("", f"### {kind.code}", "", f"Status {kind.status}: {kind.title}", "", f"Help: {kind.help}")


def _problem_shown(kind: Kind) -> str:
    return json.dumps(json.loads(Problem(kind).body("REQUEST")), ensure_ascii=False, indent=2)


def _entry(code: Code, example: str | None) -> list[str]:
    lines = [f"### {code.code}", "", f"{code.severity.capitalize()}: {_shown(code.message)}", "", code.page]
    if code.help:
        lines += ["", f"Help: {_shown(code.help)}"]
    if example is not None:
        lines += ["", "```text", example, "```"]
    return lines


def _shown(text: str) -> str:
    """A wording with its placeholders as words, within code only."""
    return re.sub(r"\{(\w+)\}", lambda part: part[1].upper(), text).replace("{{", "{").replace("}}", "}")


def _examples() -> Iterator[tuple[str, str]]:
    """For each code the fault as people see it, from the bad files and calls of the conformance cases."""
    for name, (files, expected) in reversed(list(CASES.items())):
        wanted = {code for _, _, code in expected}
        for fault in () if re.match(r"GR\d{3}-", name) else reported(files):
            if fault.code in wanted:
                yield fault.code, _without_mark(fault)
    for fault in (*on_disk(), *unfit()):
        yield fault.code, _without_mark(fault)


def _without_mark(fault: Diagnostic) -> str:
    # A long line is cut where it is shown, and with it the mark.
    return "\n".join(re.sub(r"\s*# !G.*$", "", line) for line in fault.render().splitlines())


# Facts


def facts_page() -> list[str]:
    """The vocabulary of every gate: variables, records, word lists."""
    lines = [
        "# Facts · 事实",
        "",
        MADE,
        "",
        "Every field but `evidence.id` may be absent: `has(…)` asks whether it is there, and reading what is absent is",
        "undecided. 除 `evidence.id` 外，任何字段都可能缺省：用 `has(…)` 询问；读取缺省字段的结果是“无法判定”。",
        "",
        "## Gates · 关口",
        "",
        *_table(("gate", "variables", "effects", "choices that the pipeline reads"), _gates()),
    ]
    for record in _records():
        lines += ["", f"## {record.name}", "", *_table(("field", "type", "meaning", "含义"), _fields(record))]
    lines += ["", "## Words · 词表", ""]
    lines.append("An enum field has one of these values; messages write it in their language.")
    for name, words in WORDS.items():
        rows = [(f"`{value}`", english, chinese) for value, (english, chinese) in words.items()]
        lines += ["", f"### {name}", "", *_table(("value", "English", "中文"), rows)]
    return lines


def _gates() -> Iterator[tuple[str, ...]]:
    for name, gate in GATES.items():
        here = ", ".join(f"`{variable}`" for variable in variables(name).fields)
        choices = ", ".join(f"`{choice}`" for choice in gate.choices)
        yield f"`{name}`", here, ", ".join(gate.effects), choices


def _records() -> list[Type]:
    """Every record that a variable leads to, in order of first appearance."""
    found: dict[str, Type] = {}
    pending = [info.type for name in GATES for info in variables(name).fields.values()]
    while pending:
        type_ = pending.pop(0)
        type_ = type_.args[0] if type_.kind == "list" else type_
        if type_.kind == "record" and type_.name not in found:
            found[type_.name] = type_
            pending += [info.type for info in type_.fields.values()]
    return list(found.values())


def _fields(record: Type) -> Iterator[tuple[str, ...]]:
    for name, info in record.fields.items():
        words = f" ([{info.type.words}](#{info.type.words.lower()}))" if info.type.words else ""
        yield f"`{name}`", f"`{info.type}`{words}", info.en, info.zh


def main() -> None:
    """Writes one kind of file."""
    wanted = {"schemas": schema_files, "docs": doc_files}
    if len(sys.argv) != 2 or sys.argv[1] not in wanted:
        sys.exit("python -m tests.generate schemas|docs")
    for path, text in wanted[sys.argv[1]]().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
