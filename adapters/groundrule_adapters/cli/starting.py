"""Commands that write files to start from: init, new contract, new rule."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from groundrule.facts.gates import GATES
from groundrule.rules.lint import TO_FILL_IN

from ..files import data_dir, read_files
from . import shown

new = typer.Typer(help="Write the home of a new contract or rule.", no_args_is_help=True)


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that is not there yet, or empty.")],
) -> None:
    """Copy the shipped rule set to own and change."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        shown.wrong_call(f"`{folder}` is there already", "name a new folder")
    # The shipped files name the schemas beside the shipped folder; a copy has its own, so that editors find them.
    files = {name: content.replace(b"$schema=../", b"$schema=") for name, content in read_files().items()}
    files |= {f"schemas/{path.name}": path.read_bytes() for path in sorted(data_dir("schemas").glob("*.json"))}
    for name, content in files.items():
        target = folder / name
        with shown.writing(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    typer.echo(f"the rule set is in {folder}; change it, then: groundrule check {folder} && groundrule test {folder}")


_CONTRACT = """\
contract: {name}
version: 0.1.0
gate: {gate}
summary:
  en: {en}
  zh: {zh}
owners: [your-team]
rules:
{rule}"""
_RULE = """\
  - id: {id}
    require: >-
      {condition}
    otherwise: {effect}
    message:
      en: {en}
      zh: {zh}
    why: Say why it matters.
"""
_TEST = """\
contract: {name}
now: 2026-04-15T08:00:00+08:00
# What all cases share; `change:` in a case alters it.
facts: {{}}
cases:
{cases}"""
_CASES = """\
  # Both fail until they show it. Where a rule can be undecided, a third case shows that.
  write what {id} lets pass:
    expect:
      outcome: allow
  write what {id} does not let pass:
    expect:
      {found}: [{id}]
"""
_CONDITIONS = {
    "route": "question.text != ''",
    "plan": "plan.topic != ''",
    "call": "call.read_only",
    "dispatch": "size(run.adapters_left) > 0",
    "evidence": "size(admitted) > 0",
    "answer": "answer.text != ''",
    "sql": "statement.text != ''",
    "python": "program.text != ''",
    "compute": "operation.name != ''",
    "action": "action.confirmed",
}


@new.command("contract")
def new_contract(
    name: Annotated[str, typer.Argument(help="Lower-case name of the contract.")],
    gate: Annotated[str, typer.Option(help="The gate where it is asked.")],
    folder: Annotated[Path, typer.Option("--dir", help="The rule set.")] = Path("."),
) -> None:
    """Write contracts/NAME.yaml with one rule to start from, and tests/NAME.test.yaml with cases that fail until filled in."""
    if gate not in GATES:
        shown.wrong_call(f"there is no gate `{gate}`", "gates: " + ", ".join(GATES))
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
        shown.wrong_call(f"`{name}` is no contract name", "use lower-case letters, digits, `-` and `_`")
    if not folder.is_dir():
        shown.wrong_call(f"there is no folder `{folder}`", "groundrule init writes a rule set")
    target = folder / "contracts" / f"{name}.yaml"
    if target.exists():
        shown.wrong_call(f"`{target}` is there already")
    id_ = re.sub(r"[^A-Z0-9]", "", name.upper()) + "-START-01"
    text = _CONTRACT.format(name=name, gate=gate, rule=_rule(id_, gate), **TO_FILL_IN["summary"])
    with shown.writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    typer.echo(f"wrote {target}; " + _with_cases(folder, name, id_, gate))


@new.command("rule")
def new_rule(
    id_: Annotated[str, typer.Argument(metavar="ID", help="AREA-TOPIC-NN in upper case.")],
    contract: Annotated[Path, typer.Option(help="The contract file that gets the rule.")],
) -> None:
    """Add a rule at the end of the section `rules:` of a contract file, and cases to fill in to its test file."""
    if not re.fullmatch(r"[A-Z][A-Z0-9]*(-[A-Z][A-Z0-9]*)+-[0-9]{2,}", id_):
        shown.wrong_call(f"`{id_}` is no rule id", "write AREA-TOPIC-NN, such as FRESH-AGE-01")
    try:
        text = contract.read_text(encoding="utf-8")
    except OSError as why:
        shown.wrong_call(f"`{contract}` cannot be read: {why.strerror}")
    except UnicodeDecodeError:
        shown.wrong_call(f"`{contract}` is not UTF-8")
    gate = re.search(r"^gate: *([a-z]+)", text, re.MULTILINE)
    section = re.search(r"^rules:[ \t]*(?:#.*)?\n(?:(?![A-Za-z]).*\n?)*", text, re.MULTILINE)
    if gate is None or gate[1] not in GATES or section is None:
        shown.wrong_call(f"`{contract}` is no contract with a section `rules:`", "groundrule new contract writes one")
    if id_ in text:
        shown.wrong_call(f"`{id_}` is there already")
    with shown.writing(contract):
        contract.write_text(_with_end(text, section, _rule(id_, gate[1])), encoding="utf-8")
    name = re.search(r"^contract:[ \t]*[\"']?([a-z][a-z0-9_-]*)", text, re.MULTILINE)
    home = contract.absolute().parent
    in_set = name is not None and home.name == "contracts"
    cases = _with_cases(contract.parent.parent, name[1], id_, gate[1]) if name is not None and in_set else _ASK
    typer.echo(f"added {id_} to {contract}; {cases}")


_ASK = "in a rule set, a test file shows what it lets pass and what not"


def _rule(id_: str, gate: str) -> str:
    effect = "warn" if gate == "dispatch" else "deny"
    return _RULE.format(id=id_, condition=_CONDITIONS[gate], effect=effect, **TO_FILL_IN["message"])


def _with_cases(folder: Path, name: str, id_: str, gate: str) -> str:
    """Writes cases to fill in for a rule of a contract into its test file. The sentence that says so."""
    target = folder / "tests" / f"{name}.test.yaml"
    cases = _CASES.format(id=id_, found="warnings" if gate == "dispatch" else "violations")
    text = _TEST.format(name=name, cases=cases)
    if target.exists():
        with shown.writing(target):
            before = target.read_bytes().decode("utf-8", "replace")
        section = re.search(r"^cases:[ \t]*(?:#.*)?\n(?:(?![A-Za-z]).*\n?)*", before, re.MULTILINE)
        if section is None or "\ufffd" in before:
            return f"write its cases in {target}"
        text = _with_end(before, section, cases)
    with shown.writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return f"fill in its cases in {target}"


def _with_end(text: str, section: re.Match[str], more: str) -> str:
    """The text with more at the end of a section; comments that belong to the next section stay with it."""
    lines = section[0].splitlines(keepends=True)
    while lines and (not lines[-1].strip() or lines[-1].startswith("#")):
        lines.pop()
    end = section.start() + len("".join(lines))
    before = text[:end] if text[:end].endswith("\n") else text[:end] + "\n"
    return before + more + text[end:]
