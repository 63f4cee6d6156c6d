"""Programs for tests: contract texts, put in force by the rule set that they make."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from groundrule.diagnostics import Diagnostic, Snippet, Source
from groundrule.facts.gates import GATES
from groundrule.facts.record import Record
from groundrule.rules.assemble import compile_rules
from groundrule.rules.check import Names, check
from groundrule.rules.expression import parse
from groundrule.rules.params import NO_PARAMS
from groundrule.rules.program import UNDECIDED, WAIVED, Program, position_of, rank_of
from groundrule.rules.syntax import Node
from groundrule.rules.vocabulary import variables

NOW = datetime(2026, 4, 15, 8, 0, tzinfo=UTC)


def program(*texts: str, audit: str = "", waivers: str = "", now: datetime = NOW) -> Program:
    """What is asked where the first contract stands. audit: names of contracts that only warn."""
    files = {f"contracts/{number}.yaml": text for number, text in enumerate(texts)}
    files["manifest.yaml"] = f"name: trial\nversion: 1.0.0\naudit: [{audit}]\n"
    if waivers:
        files["waivers.yaml"] = waivers
    rules = compile_rules(files)
    gate = texts[0].partition("gate: ")[2].split()[0]
    return rules.program(gate, now, {})


def checked(text: str, gate: str) -> Node:
    """The checked tree of an expression at a gate, without lets and params."""
    faults: list[Diagnostic] = []
    names = Names(variables=variables(gate), params=NO_PARAMS.type, shared=NO_PARAMS.type)
    node = check(parse(Snippet.whole(Source("<test>", text))), names, faults)
    errors = [fault.render() for fault in faults if fault.severity == "error"]
    assert not errors, "\n".join(errors)
    return node


def facts(gate: str, **variables: Any) -> Record:
    """The record of a gate."""
    return GATES[gate].facts.model_validate(variables)


def shown(program: Program, findings: list[int]) -> list[str]:
    """Findings as a test file writes them: `RULE @ evidence[1] undecided waived`."""
    return [_shown(program, finding) for finding in findings]


def _shown(program: Program, finding: int) -> str:
    entry, position = program.entries[rank_of(finding)], position_of(finding)
    source = entry.rule or entry.choice
    each = source.each if source is not None else None
    place = "" if each is None else f" @ {each.path}" if position is None else f" @ {each.path}[{position}]"
    marks = (" undecided" if finding & UNDECIDED else "") + (" waived" if finding & WAIVED else "")
    return entry.id + place + marks


def contract(gate: str, body: str, name: str = "trial", params: Mapping[str, str] | None = None) -> str:
    """A contract file around its rules, choices and lets."""
    lines = "".join(f"\n  {key}: {value}" for key, value in (params or {}).items())
    head = f"contract: {name}\nversion: 1.0.0\ngate: {gate}\n"
    summary = "summary: {en: A trial., zh: 试验。}\nowners: [us]\n"
    return head + summary + (f"params:{lines}\n" if lines else "") + body


def rule(
    id: str,
    condition: str,
    otherwise: str = "deny",
    *,
    kind: str = "require",
    each: str | None = None,
    when: str | None = None,
    more: str = "",
) -> str:
    """One item of `rules`, its expressions on lines of their own."""
    lines = [f"  - id: {id}"]
    if each:
        lines.append(f"    each: {each}")
    if when:
        lines.append(f"    when: >-\n      {when}")
    lines.append(f"    {kind}: >-\n      {condition}")
    lines.append(f"    otherwise: {otherwise}")
    lines.append("    message: {en: Not met., zh: 不满足。}")
    return "\n".join(lines) + "\n" + more


def waiver(id: str, when: str, ticket: str = "T-1") -> str:
    """One item of `waivers.yaml`, in force on the day of NOW."""
    head = f"- rule: {id}\n  owner: us\n  ticket: {ticket}\n  expires: 2026-04-16T00:00:00Z\n"
    return head + f"  reason: {{en: Known., zh: 已知。}}\n  when: >-\n    {when}\n"
