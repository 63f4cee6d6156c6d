"""The files of a rule set to a checked RuleSet: everything is read, every fault collected, and raised once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from .. import codes
from ..diagnostics import Diagnostic, RuleFileError, Source, Span, did_you_mean, in_order
from ..urls import UrlList, read_list
from .build import ContractChecker, build
from .contract import Contract, Params, Waiver
from .cost import check_cost
from .fields import Fields, kind_of
from .gathering import Gathering
from .lint import lint
from .params import read_params
from .parse import Mapping as MappingTree
from .parse import Scalar, Tree, decode, parse_yaml
from .read import LANGUAGES, RawContract, read_contract
from .ruleset import RuleSet
from .syntax import Const, Node
from .types import BOOL
from .versions import changed_under_version

MAX_FILES = 2_000
MAX_RULES = 5_000
MAX_LIST_ENTRIES = 200_000
_CONTRACT = re.compile(r"(?:contracts/(?:.+/)?)?([^/]+)\.ya?ml")
_LIST = re.compile(r"lists/([^/]+)\.txt")
_ASIDE = re.compile(r"(tests|mappings|schemas)/.+|[^/]+\.(md|txt|toml|json)|\..*|digests\.json")
_KNOWN = ("manifest.yaml", "params.yaml", "waivers.yaml", "contracts/…", "lists/…", "tests/…", "mappings/…")
Files = Mapping[str, str | bytes]


@dataclass
class _Reading:
    """A rule set while its files are being read."""

    files: Files
    faults: list[Diagnostic] = field(default_factory=list)
    lists: dict[str, UrlList] = field(default_factory=dict)
    texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    raws: list[RawContract] = field(default_factory=list)
    name: str = ""
    version: str = "0.0.0"
    audit: list[tuple[str, Span]] = field(default_factory=list)


def compile_rules(files: Files, *, draft: bool = True) -> RuleSet:
    """The rule set of some files by path. Raises RuleFileError with every fault, sorted by place."""
    rules, found = _assemble(files, draft, None)
    errors = [fault for fault in found if fault.severity == "error"]
    if rules is None or errors:
        raise RuleFileError(errors)
    return rules


def check(files: Files, now: datetime | None = None, *, against: RuleSet | None = None) -> tuple[Diagnostic, ...]:
    """Every fault and warning of a rule set, sorted by place.

    With `now`, expired waivers too. With `against`, an earlier state of the set, also each contract that means
    something else than it did there under the same version.
    """
    rules, found = _assemble(files, True, now)
    changed = changed_under_version(rules, against) if rules is not None and against is not None else []
    return in_order([*found, *changed])


def _assemble(files: Files, draft: bool, now: datetime | None) -> tuple[RuleSet | None, list[Diagnostic]]:
    reading = _Reading(files)
    faults = reading.faults
    if len(files) > MAX_FILES:
        span = Span(Source("manifest.yaml", ""), 0, 0)
        return None, [codes.TOO_MANY.at(span, count=len(files), what="files", limit=MAX_FILES)]
    _read_lists(reading)
    shared = _shared(reading)
    _read_manifest(reading)
    _read_contracts(reading)
    contracts = build(reading.raws, shared, faults)
    audit = _audit(reading, contracts)
    waivers = _waivers(reading, contracts, shared, now)
    check_cost(contracts, shared, faults)
    readable = all(fault.severity != "error" for fault in faults)
    warnings = lint(contracts, shared, audit) if readable else []
    rules = RuleSet(
        name=reading.name,
        version=reading.version,
        draft=draft,
        contracts=tuple(sorted(contracts, key=lambda contract: (contract.name, contract.number))),
        shared=shared,
        lists=reading.lists,
        list_texts=reading.texts,
        audit=audit,
        waivers=waivers,
        warnings=in_order([*warnings, *(fault for fault in faults if fault.severity == "warning")]),
        files={path: _text(content) for path, content in files.items()} if readable else {},
    )
    return (rules if readable else None), [*faults, *warnings]


def _text(content: str | bytes) -> str:
    return content if isinstance(content, str) else content.decode("utf-8", "replace")


def _read_lists(reading: _Reading) -> None:
    for path in sorted(reading.files):
        form = _LIST.fullmatch(path)
        if form is None:
            continue
        source, faults = decode(path, reading.files[path])
        reading.faults += faults
        if faults:
            continue
        lines = source.text.splitlines()
        if len(lines) > MAX_LIST_ENTRIES:
            span = Span(source, 0, 0)
            reading.faults.append(codes.TOO_MANY.at(span, count=len(lines), what="lines", limit=MAX_LIST_ENTRIES))
            continue
        entries = read_list(lines)
        for remark in entries.faults:
            start = source.offset(remark.line - 1, 0)
            span = Span(source, start, start + len(source.line(remark.line)))
            reading.faults.append(codes.BAD_LIST_ENTRY.at(span, problem=remark.reason))
        reading.lists[form[1]] = entries
        stripped = (line.strip() for line in lines)
        reading.texts[form[1]] = tuple(line for line in stripped if line and not line.startswith("#"))


def _tree(reading: _Reading, path: str) -> MappingTree | None:
    """The mapping of a file, if the file is there and readable."""
    if path not in reading.files:
        return None
    tree, faults = parse_yaml(path, reading.files[path])
    reading.faults += faults
    if tree is None:
        return None
    fields = Fields.of(tree, path, reading.faults)
    return fields.tree if fields is not None else None


def _shared(reading: _Reading) -> Params:
    return read_params(_tree(reading, "params.yaml"), reading.lists, reading.faults, "shared")


def _read_manifest(reading: _Reading) -> None:
    tree = _tree(reading, "manifest.yaml")
    if tree is None:
        return
    fields = Fields(tree, reading.faults, "manifest.yaml")
    reading.name = fields.text("name", need=True) or ""
    reading.version = fields.text("version", need=True) or "0.0.0"
    for item in fields.items("audit", fields.get("audit")):
        if isinstance(item, Scalar):
            reading.audit.append((item.text, item.span))
        else:
            fields.fault(codes.NOT_A_SCALAR, item.span, key="audit", found=kind_of(item))
    fields.close()


def _read_contracts(reading: _Reading) -> None:
    faults = reading.faults
    for path in sorted(reading.files):
        if path in ("manifest.yaml", "params.yaml", "waivers.yaml") or _LIST.fullmatch(path):
            continue
        if not _CONTRACT.fullmatch(path):
            if not _ASIDE.fullmatch(path):
                span = Span(Source(path, ""), 0, 0)
                faults.append(codes.UNKNOWN_FILE.at(span, did_you_mean(path, _KNOWN), file=path))
            continue
        tree, found = parse_yaml(path, reading.files[path])
        faults += found
        contract = read_contract(tree, reading.lists, faults) if tree is not None else None
        if contract is not None:
            reading.raws.append(contract)
    rules = sum(len(contract.rules) for contract in reading.raws)
    if not reading.raws and not faults:
        faults.append(codes.NO_CONTRACT.at(Span(Source("manifest.yaml", ""), 0, 0)))
    if rules > MAX_RULES:
        faults.append(codes.TOO_MANY.at(reading.raws[0].span, count=rules, what="rules", limit=MAX_RULES))


def _audit(reading: _Reading, contracts: list[Contract]) -> tuple[str, ...]:
    names = {contract.name for contract in contracts}
    for name, span in reading.audit:
        if name not in names:
            reading.faults.append(codes.UNKNOWN_AUDIT.at(span, did_you_mean(name, names), name=name))
    return tuple(dict.fromkeys(name for name, _ in reading.audit))


def _waivers(reading: _Reading, contracts: list[Contract], shared: Params, now: datetime | None) -> tuple[Waiver, ...]:
    if "waivers.yaml" not in reading.files:
        return ()
    tree, faults = parse_yaml("waivers.yaml", reading.files["waivers.yaml"])
    reading.faults += faults
    if tree is None:
        return ()
    holder = Fields(MappingTree(tree.span, (), False), reading.faults, "waivers.yaml")
    gathering = Gathering(reading.raws, shared, [])
    for raw in reading.raws:
        gathering.checkers[id(raw)] = ContractChecker(gathering, raw)
    found: list[Waiver] = []
    for item in holder.items("waivers.yaml", tree):
        waiver = _waiver(item, gathering, reading.faults, now)
        if waiver is not None:
            found.append(waiver)
    return tuple(found)


def _waiver(item: Tree, gathering: Gathering, faults: list[Diagnostic], now: datetime | None) -> Waiver | None:
    fields = Fields.of(item, "a waiver", faults)
    if fields is None:
        return None
    named = fields.get("rule")
    rule = fields.text("rule", need=True)
    owner = fields.text("owner", need=True)
    ticket = fields.text("ticket", need=True)
    if fields.need("expires") is None:
        return None
    expires = fields.instant("expires")
    reason_tree = fields.need("reason")
    inner = Fields.of(reason_tree, "reason", faults) if reason_tree is not None else None
    reason = {language: inner.text(language, need=True) or "" for language in LANGUAGES} if inner is not None else {}
    if inner is not None:
        inner.close()
    when = fields.expression("when", fields.get("when"))
    fields.close()
    if rule is None or owner is None or ticket is None or expires is None:
        return None
    span = named.span if named is not None else fields.tree.span
    if rule.startswith("ENGINE-"):
        faults.append(codes.ENGINE_WAIVER.at(span, rule=rule))
        return None
    checked = _waived_when(rule, when, gathering, faults, span)
    if not checked:
        known = [r.id for raw in gathering.contracts for r in raw.rules]
        faults.append(codes.UNKNOWN_RULE.at(span, did_you_mean(rule, known), rule=rule))
        return None
    if now is not None and expires <= now:
        faults.append(codes.WAIVER_EXPIRED.at(span, rule=rule, owner=owner))
    return Waiver(rule, owner, reason, ticket, expires, checked, span)


def _waived_when(
    rule: str, when: Node | None, gathering: Gathering, faults: list[Diagnostic], span: Span
) -> dict[str, Node]:
    """The condition of a waiver, checked against every version of its rule, by version."""
    found: dict[str, Node] = {}
    for raw in gathering.contracts:
        for candidate in raw.rules:
            if candidate.id != rule:
                continue
            checker = gathering.checkers[id(raw)]
            checker.prepare()
            names = checker.with_items({candidate.each.name} if candidate.each is not None else set())
            checker.faults = faults
            found[raw.version] = (
                checker.condition(when, names, "`when` of a waiver")
                if when is not None
                else Const(span=span, type=BOOL, value=True)
            )
            if candidate.effect == "reject" and checker.reads(found[raw.version]).admitted:
                faults.append(codes.ADMITTED_CYCLE.at(span, name=rule))
    return found
