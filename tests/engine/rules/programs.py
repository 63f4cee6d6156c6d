"""Programs for tests: contract texts, built and put in force without a rule set around them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from groundrule.diagnostics import Diagnostic, Snippet, Source
from groundrule.facts.gates import GATES
from groundrule.facts.record import Record
from groundrule.rules.build import build
from groundrule.rules.check import Names, check
from groundrule.rules.contract import Contract, Waiver
from groundrule.rules.expression import parse
from groundrule.rules.params import NO_PARAMS
from groundrule.rules.parse import parse_yaml
from groundrule.rules.program import EFFECTS, UNDECIDED, WAIVED, Entry, Program, Scope, position_of, rank_of
from groundrule.rules.read import read_contract
from groundrule.rules.syntax import Node
from groundrule.rules.vocabulary import variables

NOW = datetime(2026, 4, 15, 8, 0, tzinfo=UTC)


def contracts(*texts: str) -> list[Contract]:
    """The checked contracts of some files; every fault fails the test."""
    faults: list[Diagnostic] = []
    raw = []
    for number, text in enumerate(texts):
        tree, found = parse_yaml(f"{number}.yaml", text)
        faults += found
        contract = read_contract(tree, {}, faults) if tree is not None else None
        if contract is not None:
            raw.append(contract)
    built = build(raw, NO_PARAMS, faults)
    errors = [fault.render() for fault in faults if fault.severity == "error"]
    assert not errors, "\n".join(errors)
    return built


def checked(text: str, gate: str) -> Node:
    """The checked tree of an expression at a gate, without lets and params."""
    faults: list[Diagnostic] = []
    names = Names(variables=variables(gate), params=NO_PARAMS.type, shared=NO_PARAMS.type)
    node = check(parse(Snippet.whole(Source("<test>", text))), names, faults)
    errors = [fault.render() for fault in faults if fault.severity == "error"]
    assert not errors, "\n".join(errors)
    return node


def program(
    *texts: str,
    watching: tuple[str, ...] = (),
    waivers: tuple[Waiver, ...] = (),
    as_of: datetime = NOW,
) -> Program:
    """The program of contracts of one gate. watching: the contracts that only warn."""
    built = contracts(*texts)
    scopes = tuple(Scope(each, each.params.at(as_of), each.name in watching) for each in built)
    entries = sorted(_entries(scopes, waivers), key=lambda entry: (EFFECTS.index(entry.effect), entry.id))
    choices = {choice.name: (choice, scope) for scope in scopes for choice in scope.contract.choices}
    return Program(GATES[built[0].gate], scopes, {}, tuple(entries), choices)


def _entries(scopes: tuple[Scope, ...], waivers: tuple[Waiver, ...]) -> list[Entry]:
    found: list[Entry] = []
    for scope in scopes:
        for rule in scope.contract.rules:
            own = tuple(waiver for waiver in waivers if waiver.rule == rule.id)
            effect = "warn" if scope.warns else rule.effect
            found.append(Entry("rule", rule.id, effect, scope, rule, waivers=own))
            if rule.oblige:
                deny = "warn" if scope.warns else "deny"
                found.append(Entry("obligation", "ENGINE-OBLIGATION", deny, scope, rule))
                found.append(Entry("missing obligation", "ENGINE-OBLIGATION", deny, scope, rule))
        for choice in scope.contract.choices:
            effect = "warn" if scope.warns else "deny" if choice.each is None else "reject"
            found.append(Entry("choice", "ENGINE-CHOICE", effect, scope, choice=choice))
    return found


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
    """One item of `rules`, its expressions in double quotes."""
    lines = [f"  - id: {id}"]
    if each:
        lines.append(f"    each: {each}")
    if when:
        lines.append(f"    when: >-\n      {when}")
    lines.append(f"    {kind}: >-\n      {condition}")
    lines.append(f"    otherwise: {otherwise}")
    lines.append("    message: {en: Not met., zh: 不满足。}")
    return "\n".join(lines) + "\n" + more
