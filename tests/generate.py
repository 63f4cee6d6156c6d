"""Writes what is made from the code: `python -m tests.generate schemas` and `… docs`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from groundrule import functions, schema
from groundrule.codes import CODES
from groundrule.facts.gates import GATES
from groundrule.facts.schema import SCHEMAS, VERSION
from groundrule.rules.vocabulary import variables

ROOT = Path(__file__).resolve().parents[1]


def schema_files() -> dict[Path, str]:
    """Every schema file and its text."""
    return {
        ROOT / "schemas" / f"{name}.v{VERSION}.json": json.dumps(schema(name), ensure_ascii=False, indent=2) + "\n"
        for name in SCHEMAS
    }


def doc_files() -> dict[Path, str]:
    """Every generated page and its text."""
    folder = ROOT / "docs" / "reference"
    return {
        folder / "functions.md": functions_page(),
        folder / "errors.md": errors_page(),
        folder / "facts.md": facts_page(),
    }


def functions_page() -> str:
    """Functions and macros."""
    lines = [
        "# Functions",
        "",
        "Made from the code by `make docs`. The rule language itself is in [rules.md](../rules.md).",
        "",
    ]
    for info in functions():
        lines.append(f"- `{info.signature}`: {info.doc}")
        lines += [f"  - `{example}`" for example in info.examples]
    return "\n".join(lines) + "\n"


def errors_page() -> str:
    """Diagnostic codes."""
    lines = [
        "# Faults and warnings",
        "",
        "Made from the code by `make docs`. `groundrule check` prints these codes.",
        "",
    ]
    for code in sorted(CODES.values(), key=lambda code: code.code):
        lines += [f"## {code.code} ({code.severity})", "", f"> {code.message}", "", code.page]
        if code.help:
            lines += ["", f"Help: {code.help}"]
        lines.append("")
    return "\n".join(lines)


def facts_page() -> str:
    """The vocabulary of every gate."""
    lines = ["# Facts", "", "Made from the code by `make docs`. Every field but `evidence.id` may be absent.", ""]
    lines += ["| gate | variables | effects |", "|---|---|---|"]
    for name, gate in GATES.items():
        lines.append(f"| `{name}` | {', '.join(variables(name).fields)} | {', '.join(gate.effects)} |")
    seen: dict[str, list[str]] = {}
    for name in GATES:
        pending = [info.type for info in variables(name).fields.values()]
        while pending:
            type_ = pending.pop(0)
            if type_.kind == "list":
                type_ = type_.args[0]
            if type_.kind == "record" and type_.name not in seen:
                seen[type_.name] = [
                    f"| `{field}` | {info.type} | {info.en} | {info.zh} |" for field, info in type_.fields.items()
                ]
                pending += [info.type for info in type_.fields.values()]
    for record, rows in seen.items():
        lines += ["", f"## {record}", "", "| field | type | meaning | 含义 |", "|---|---|---|---|", *rows]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Writes one kind of file."""
    for path, text in (schema_files() if sys.argv[1:] == ["schemas"] else doc_files()).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
