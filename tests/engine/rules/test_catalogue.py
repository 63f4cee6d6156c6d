"""What authors look up: functions with examples that are true, and pages that say what the code says."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from tests.generate import ROOT, doc_files, errors_page, facts_page, functions_page

from groundrule import functions
from groundrule.codes import CODES
from groundrule.facts.gates import GATES
from groundrule.rules.bare import evaluate_bare
from groundrule.rules.catalogue import OWN
from groundrule.rules.declare import FUNCTIONS
from groundrule.rules.expressions import evaluate_at_gate
from groundrule.rules.vocabulary import variables
from groundrule_adapters.http.problems import KINDS

NOW = datetime(2026, 4, 15, tzinfo=UTC)
EXAMPLES = [(info.name, example) for info in functions() for example in info.examples]


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_every_example_is_true(name: str, example: str) -> None:
    """In a rule, and as an expression on its own."""
    assert evaluate_bare(example, {}).value is True
    assert evaluate_at_gate(example, "plan", "{}", NOW) == {"value": True, "type": "bool"}


def test_every_declared_function_is_listed_and_no_operator() -> None:
    """One entry for each signature, sorted by name; macros beside them."""
    known = functions()
    assert len({info.signature for info in known}) == len(known)
    assert [info.name for info in known] == sorted(info.name for info in known)
    named = {entry.signature for entry in FUNCTIONS.values() if entry.name[0].isalpha()}
    assert named == {info.signature for info in known if info.kind != "macro"}
    macros = {info.name for info in known if info.kind == "macro"}
    assert macros == {"all", "exists", "exists_one", "filter", "map", "has", "cel.bind"}
    assert all(info.doc.endswith(".") for info in known)
    assert all(info.examples for info in known if info.kind == "macro")


def test_what_cel_does_not_have_is_marked() -> None:
    """RULES section 9, and nothing else; each exists."""
    assert {info.name for info in functions() if not info.in_cel} == OWN
    assert {info.kind for info in functions() if not info.in_cel} == {"function"}


def test_the_committed_pages_are_those_of_the_code() -> None:
    """`make docs` writes them; nothing else lies in the folder."""
    wanted = doc_files()
    assert {path: path.read_text("utf-8") for path in wanted if path.exists()} == wanted
    assert set((ROOT / "docs" / "reference").iterdir()) == set(wanted)


def test_every_code_has_an_entry_with_what_it_looks_like() -> None:
    """The sentence, why it is a fault, and a bad file's output."""
    entries = _entries()
    assert entries.keys() == CODES.keys() | KINDS.keys()
    entries = {code: text for code, text in entries.items() if code in CODES}
    assert all(CODES[code].page in text for code, text in entries.items())
    assert all("```text" in text for text in entries.values())
    for code, text in entries.items():
        for line in re.findall(r"^\S+:\d+:\d+: .*$", text, re.MULTILINE):
            assert f" {CODES[code].severity} {code}: " in line
        assert "# !GR" not in text


def test_every_problem_of_the_service_has_an_entry() -> None:
    """Its status, its title and what to do about it; no code is a fault and a problem."""
    assert not KINDS.keys() & CODES.keys()
    entries = _entries()
    for code, kind in KINDS.items():
        assert f"Status {kind.status}: {kind.title}" in entries[code]
        assert f"Help: {kind.help}" in entries[code]
        assert kind.help


def _entries() -> dict[str, str]:
    return dict(re.findall(r"^### (GR\d{3})\n(.*?)(?=^##|\Z)", "\n".join(errors_page()), re.MULTILINE | re.DOTALL))


def test_every_field_of_every_gate_is_on_the_page_of_facts() -> None:
    """With its meaning in both languages."""
    page = "\n".join(facts_page())
    for name in GATES:
        assert f"| `{name}` |" in page
        for variable in variables(name).fields.values():
            record = variable.type.args[0] if variable.type.kind == "list" else variable.type
            assert f"\n## {record.name}\n" in page
            for field, info in record.fields.items():
                assert f"| `{field}` | `{info.type}`" in page
                assert f"| {info.en} | {info.zh} |" in page
                assert info.en
                assert info.zh


def test_every_signature_is_on_the_page_of_functions() -> None:
    """And every example."""
    page = functions_page()
    assert all(f"- `{info.signature}`: {info.doc}" in page for info in functions())
    assert all(f"  - `{example}`" in page for _, example in EXAMPLES)
