"""One version means one thing: contracts that changed their meaning but not their version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import codes
from ..diagnostics import Diagnostic
from ..urls import UrlList
from .contract import Contract, leaves
from .revision import contract_meaning, params_meaning
from .ruleset import RuleSet
from .syntax import Field, Has, Name, walk

OWN = "its file"
Meaning = Mapping[str, Any]
"""What a contract means, by where it says so."""


def changed_under_version(rules: RuleSet, before: RuleSet) -> list[Diagnostic]:
    """GR505 for each contract that an earlier rule set has in the same version with another meaning.

    What its file says counts, and what it reads: the entries of its lists, the shared params, and whether it is in
    `audit`. For what it reads, a rule set of another version is enough. Waivers are meant to change and do not count.
    """
    earlier = {(contract.name, contract.version): _meaning(contract, before) for contract in before.contracts}
    found: list[Diagnostic] = []
    for contract in rules.contracts:
        then, now = earlier.get((contract.name, contract.version)), _meaning(contract, rules)
        if then is None:
            continue
        changed = [place for place in {**now, **then} if then.get(place) != now.get(place)]
        if OWN in changed or (changed and rules.version == before.version):
            help_ = None if OWN in changed else "raise the version of the contract, or the one of the manifest"
            values = {"name": contract.name, "version": contract.version, "what": ", ".join(changed)}
            found.append(codes.SAME_VERSION_CHANGED.at(contract.place, help_, **values))
    return found


def _meaning(contract: Contract, rules: RuleSet) -> Meaning:
    names = {id(entries): name for name, entries in rules.lists.items()}
    shared = {name: rules.shared.tree[name] for name in sorted(_shared(contract, rules))}
    values = (value for leaf in (*contract.params.dated(), *leaves(shared)) for value, _ in leaf.entries)
    lists = sorted({names[id(value)] for value in values if isinstance(value, UrlList)})
    return {
        OWN: contract_meaning(contract, names),
        **{f"the list `{name}`": frozenset(rules.list_texts[name]) for name in lists},
        **{f"`shared.{name}`": params_meaning(tree, names) for name, tree in shared.items()},
        "`audit`": contract.name in rules.audit,
    }


def _shared(contract: Contract, rules: RuleSet) -> set[str]:
    """The shared params that a contract reads; all of them where it reads the record as a whole."""
    found: set[str] = set()
    for root in contract.expressions():
        reads = {id(node.operand): node.name for node in walk(root) if isinstance(node, Field | Has)}
        for node in walk(root):
            if isinstance(node, Name) and node.role == "shared":
                found |= {reads[id(node)]} if id(node) in reads else set(rules.shared.tree)
    return found
