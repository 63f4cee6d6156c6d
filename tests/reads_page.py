"""The page of what the shipped contracts read: each field, and what comes of a rule where it is absent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from groundrule.facts.gates import GATES
from groundrule.facts.words import WORDS
from groundrule.rules.contract import Choice, Contract
from groundrule.rules.interpret import Interpreter
from groundrule.rules.program import Entry

from .engine.rules.shipped import (
    ABSENT,
    PLACES,
    RULES,
    Read,
    choice_reads,
    guards,
    passing,
    reads,
    spoilt,
    states,
    suites,
)

INTRODUCTION = """\
# What the shipped contracts read · 内置合同读取的字段

Made from the code by `make docs`: each rule was asked with each field that it reads taken away.

A backend that judges its own sources with `evaluate(…).admitted` fills the fields of the gate `evidence` below. What it
leaves out is absent, and an absent field never helps: the rule that reads it is not met, and its effect follows. Where
a rule is not asked for want of a field, another one asks for that field. A `run` without `adapters_left` has other
sources to try, so that too little evidence is `fallback`; with `adapters_left: []` it is `deny`.

自行调用 `evaluate(…).admitted` 判断来源的后端，请填写下面 `evidence` 关口的字段。没有填写就是缺省，而缺省从不会让规则通过：
读取它的规则视为未满足，产生相应效果。因缺少某字段而不询问的规则，必有另一条规则要求该字段。`run` 没有 `adapters_left`
时视为还有其他来源可试，证据不足的结果是 `fallback`；`adapters_left: []` 时是 `deny`。

* **refuses** 不通过: the rule is not met; its effect stands before its name (of a choice, `reject` or `deny`).
* **not asked** 不询问: the rule is skipped.
* **passes** 仍通过: the rule is met all the same, because something else that it reads decides.

The cases that were asked are the first of each rule that pass in `policies/tests/`.
所用用例是 `policies/tests/` 中各规则第一个通过的用例。"""


def reads_page() -> list[str]:
    """Allowed values, then every contract by gate, those that a backend asks on its own first."""
    lines = [*INTRODUCTION.splitlines(), "", "## Allowed values · 允许的取值", "", *_values()]
    for gate in sorted(GATES, key=lambda gate: gate != "evidence"):
        for contract in RULES.contracts:
            if contract.gate == gate:
                lines += ["", f"## {contract.name} {contract.version} ({gate})", ""]
                lines += [f"{contract.summary['en']} {contract.summary['zh']}", ""]
                lines += [
                    "| field | refuses · 不通过 | not asked · 不询问 | passes · 仍通过 |",
                    "| --- | --- | --- | --- |",
                ]
                lines += [f"| {' | '.join(row)} |" for row in _rows(contract)]
    return lines


def _values() -> Iterator[str]:
    now = datetime.now(UTC)
    source, fresh = (_params(name, now) for name in ("source", "freshness"))
    yield f"* `evidence.source_type`: {_listed(source['types'])}. Anything else is internal · 其余一律视为内部来源。"
    yield (
        "* `evidence.source_label` names nothing internal 不得指向内部资料: `internal_material` in `policies/params.yaml`."
    )
    yield f"* `plan.query_kind`: {_listed(WORDS['QueryKind'])}."
    yield "* `evidence.dated_origin`, by kind of question · 按问题类型:"
    yield from (f"  * {kind}: {_listed(origins)}" for kind, origins in fresh["origins"].items())


def _listed(values: Iterable[str]) -> str:
    return ", ".join(f"`{value}`" for value in values)


def _params(name: str, now: datetime) -> Any:
    contract = next(contract for contract in RULES.contracts if contract.name == name)
    return contract.params.at(now, False)


def _rows(contract: Contract) -> Iterator[list[str]]:
    """Field by field: what comes of each rule and choice that reads it."""
    found: dict[str, dict[str, list[str]]] = {}
    for rule in contract.rules:
        suite, case = passing(rule.id)
        for read in (*reads(contract, rule), *guards(contract, rule)):
            came = _state(states(suite, rule.id, spoilt(case.facts, read, ABSENT), case.now))
            shown = f"{rule.effect} `{rule.id}`" if came == "refuses" else f"`{rule.id}`"
            found.setdefault(_path(read), {}).setdefault(came, []).append(shown)
    for choice in contract.choices:
        effect = "reject" if choice.each is not None else GATES[contract.gate].choices[choice.name].undecided
        for read in choice_reads(choice, contract):
            came = "refuses" if _undecided(contract, choice, read) else "passes"
            shown = f"{effect} `{choice.id}`" if came == "refuses" else f"`{choice.id}`"
            found.setdefault(_path(read), {}).setdefault(came, []).append(shown)
    for path in sorted(found):
        yield [f"`{path}`", *(", ".join(found[path].get(came, ())) for came in ("refuses", "not asked", "passes"))]


def _state(states: list[str]) -> str:
    """At the strictest position. A list that is gone leaves no position, and so nobody asks."""
    if {"failed", "undecided"} & set(states):
        return "refuses"
    return "passes" if "passed" in states else "not asked"


def _path(read: Read) -> str:
    place = ".".join(part for part in PLACES[read.owner] if part != "*")
    return f"{place}.{read.name}" if place else read.name


def _undecided(contract: Contract, choice: Choice, read: Read) -> bool:
    """Whether the choice is undecided without a field, in the first case where it is made."""
    for suite in suites():
        for case in suite.cases if suite.contract == contract.name else ():
            if "made" in _made(suite, contract, choice, case.facts, case.now):
                return "undecided" in _made(suite, contract, choice, spoilt(case.facts, read, ABSENT), case.now)
    raise AssertionError(f"no case makes {choice.name}")


def _made(suite: Any, contract: Contract, choice: Choice, facts: Any, now: datetime) -> set[str]:
    record = suite.rules.facts(suite.gate, facts).record
    interpreter = Interpreter(suite.rules.program(suite.gate, now, {}), record, now)
    made, scope = interpreter.program.choices[choice.name]
    entry = Entry("choice", made.id, "", scope, choice=made)
    verdicts = [interpreter.verdict(entry, position) for position in interpreter.positions(entry)]
    return {"skipped" if each.skipped else "undecided" if each.undecided else "made" for each in verdicts}
