"""What a rule set means, as JSON: the input of its revision (RULES section 6)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..facts.record import thaw
from ..urls import UrlList
from .contract import ALWAYS, Choice, Contract, Dated, Each, Period, Rule, Template
from .unparse import unparse

if TYPE_CHECKING:
    from .ruleset import RuleSet


def meaning(rules: RuleSet, language_version: int) -> dict[str, Any]:
    """Everything that can change a decision or its wording; not summary, why, refs, owners, file names, comments."""
    names = {id(entries): name for name, entries in rules.lists.items()}
    return {
        "language_version": language_version,
        "contracts": [
            contract_meaning(contract, names) for contract in sorted(rules.contracts, key=lambda c: (c.name, c.number))
        ],
        "shared": params_meaning(rules.shared.tree, names),
        "lists": {name: list(entries) for name, entries in rules.list_texts.items()},
        "audit": sorted(rules.audit),
        "waivers": sorted(
            (
                {
                    "rule": waiver.rule,
                    "owner": waiver.owner,
                    "reason": dict(waiver.reason),
                    "ticket": waiver.ticket,
                    "expires": waiver.expires,
                    "when": {version: unparse(node) for version, node in waiver.when.items() if node is not None},
                }
                for waiver in rules.waivers
            ),
            key=str,
        ),
    }


def contract_meaning(contract: Contract, names: Mapping[int, str]) -> dict[str, Any]:
    """What one contract means."""
    return {
        "contract": contract.name,
        "version": contract.version,
        "gate": contract.gate,
        "effective": _period(contract.effective),
        "params": params_meaning(contract.params.tree, names),
        "let": {name: unparse(let.body) for name, let in contract.lets.items()},
        "rules": [_rule(rule) for rule in sorted(contract.rules, key=lambda rule: rule.id)],
        "choices": [_choice(choice) for choice in sorted(contract.choices, key=lambda choice: choice.id)],
    }


def params_meaning(value: Any, names: Mapping[int, str]) -> Any:
    """A tree of params, or a part of one, with its dates."""
    if isinstance(value, Dated):
        return [{"value": params_meaning(entry, names), "period": _period(period)} for entry, period in value.entries]
    if isinstance(value, UrlList):
        return {"list": names.get(id(value), "")}
    if isinstance(value, Mapping):
        return {name: params_meaning(inner, names) for name, inner in value.items()}
    if isinstance(value, tuple):
        return [params_meaning(inner, names) for inner in value]
    return thaw(value)


def _instant(value: datetime | None) -> Any:
    return thaw(value)


def _period(period: Period) -> Any:
    if period == ALWAYS:
        return None
    return {"from": _instant(period.start), "until": _instant(period.until), "warn_before": thaw(period.warn_before)}


def _each(each: Each | None) -> Any:
    return None if each is None else {"over": unparse(each.over), "name": each.name, "path": each.path}


def _template(template: Template) -> list[Any]:
    return [part if isinstance(part, str) else {"expression": unparse(part)} for part in template.parts]


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "each": _each(rule.each),
        "when": [unparse(node) for node in rule.when],
        rule.kind: unparse(rule.condition),
        "otherwise": rule.effect,
        "reply": rule.reply,
        "message": {language: _template(template) for language, template in rule.message.items()},
        "options": unparse(rule.options) if rule.options is not None else None,
        "oblige": {name: unparse(node) for name, node in rule.oblige.items()},
        "effective": _period(rule.effective),
    }


def _choice(choice: Choice) -> dict[str, Any]:
    return {
        "id": choice.id,
        "choose": choice.name,
        "each": _each(choice.each),
        "when": [unparse(node) for node in choice.when],
        "from": [{"when": unparse(row.when), "value": unparse(row.value)} for row in choice.rows],
        "otherwise": unparse(choice.otherwise),
    }
