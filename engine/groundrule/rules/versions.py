"""One version means one thing: contracts that changed their meaning but not their version."""

from __future__ import annotations

from typing import Any

from .. import codes
from ..diagnostics import Diagnostic
from .revision import contract_meaning
from .ruleset import RuleSet


def changed_under_version(rules: RuleSet, before: RuleSet) -> list[Diagnostic]:
    """GR505 for each contract that an earlier rule set has in the same version with another meaning.

    What counts is what the contract's file means, as in the revision: a list stands there by its name, and shared
    params are not part of it.
    """
    earlier, present = _meanings(before), _meanings(rules)
    return [
        codes.SAME_VERSION_CHANGED.at(contract.place, name=contract.name, version=contract.version)
        for contract in rules.contracts
        for key in [(contract.name, contract.version)]
        if key in earlier and earlier[key] != present[key]
    ]


def _meanings(rules: RuleSet) -> dict[tuple[str, str], Any]:
    names = {id(entries): name for name, entries in rules.lists.items()}
    return {(contract.name, contract.version): contract_meaning(contract, names) for contract in rules.contracts}
