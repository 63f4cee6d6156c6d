"""The contracts of a set, checked together: lets and choices may read each other across files of one gate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .. import codes
from ..diagnostics import Code, Diagnostic, Span
from ..facts.gates import GATES
from .check import Names, check, check_condition, field_infos
from .contract import Choice, Contract, Each, Let, Params, Row, Rule, Template
from .gathering import Gathering, Key, Reads, refuse_duplicates
from .params import NO_PARAMS
from .read import RawChoice, RawContract, RawEach, RawRule, RawTemplate
from .syntax import Chosen, Const, Field, Has, Name, Node, walk
from .types import DOUBLE, INT, STRING, UNKNOWN, Type, fits, list_of, record_of
from .unparse import unparse
from .vocabulary import choice_type, variables


def build(contracts: list[RawContract], shared: Params, faults: list[Diagnostic]) -> list[Contract]:
    """The checked contracts; faults are collected."""
    gathering = Gathering(contracts, shared, faults)
    refuse_duplicates(gathering)
    for contract in contracts:
        gathering.checkers[id(contract)] = ContractChecker(gathering, contract)
    built = [gathering.checkers[id(contract)].build() for contract in contracts]
    for checker in gathering.checkers.values():
        checker.item_choices()
    return built


class ContractChecker:
    """One contract while it is being checked; lets and choices are built when they are first read."""

    def __init__(self, gathering: Gathering, raw: RawContract) -> None:
        self.gathering, self.raw = gathering, raw
        self.faults = gathering.faults
        self.gate = GATES[raw.gate]
        self.lets: dict[str, Let | None] = {}
        self.made: dict[int, Choice | None] = {}
        self.each_names: dict[str, Each] = {}
        self.prepared = False
        params = raw.params or NO_PARAMS
        here = raw.gate == "evidence"
        self.names = Names(
            variables=variables(raw.gate),
            params=params.type,
            shared=gathering.shared.type,
            let=self.let_type,
            lets=tuple(raw.lets),
            choice=lambda name: gathering.choice_type(raw.gate, name, raw),
            choices=gathering.choices(raw.gate, False),
            item_choice=lambda name: gathering.choice_type(raw.gate, name, raw),
            item_choices=gathering.choices(raw.gate, True),
            here=here,
            admitted=here,
            param_trees={"params": params.tree, "shared": gathering.shared.tree},
        )

    def fault(self, code: Code, span: Span, help: str | None = None, **values: object) -> None:
        self.faults.append(code.at(span, help, **values))

    def build(self) -> Contract:
        """The checked contract."""
        raw = self.raw
        self.prepare()
        lets = {name: let for name in raw.lets if (let := self.let(name)) is not None}
        choices = [choice for each in raw.choices if (choice := self.choice(each)) is not None]
        when = self.condition(raw.when, self.names, "`when`") if raw.when is not None else None
        rules = [rule for each in raw.rules if (rule := self.rule(each, when)) is not None]
        return Contract(
            name=raw.name,
            version=raw.version,
            gate=raw.gate,
            when=when,
            params=raw.params or NO_PARAMS,
            lets=lets,
            rules=tuple(rules),
            choices=tuple(choices),
            effective=raw.effective,
            place=raw.span,
            summary=raw.summary,
            owners=raw.owners,
        )

    def prepare(self) -> None:
        """The `each` names of the file, before anything reads them; and what items carry from earlier gates."""
        if self.prepared:
            return
        self.prepared = True  # at once: a list that an `each` goes over may be a let, which asks again
        if not self.names.here:
            earlier = {
                name: self.gathering.choice_type("evidence", name, self.raw) or UNKNOWN
                for name in self.gathering.choices("evidence", True)
            }
            self.names.earlier = record_of("chosen", field_infos(earlier))
        named: list[RawRule | RawChoice] = [*self.raw.rules, *self.raw.choices]
        for each in (one.each for one in named if one.each is not None):
            known = self.each_names.get(each.name)
            if known is None:
                self.each_names[each.name] = self.each(each)
            elif known.path != each.path:
                self.fault(codes.EACH_CONFLICT, each.span, name=each.name, first=known.path)
        self.names.elsewhere = frozenset(self.each_names)

    def each(self, raw: RawEach) -> Each:
        over = check(raw.over, self.names, self.faults)
        if over.type.kind != "list" and over.type != UNKNOWN:
            self.fault(codes.EACH_NOT_LIST, raw.span, path=raw.path, type=over.type)
        fixed = {"now", "params", "shared", "chosen", "admitted", *self.names.variables.fields, *self.raw.lets}
        if raw.name in fixed:
            self.fault(codes.SHADOWED, raw.span, name=raw.name)
        return Each(raw.name, over, raw.path)

    def with_items(self, names: frozenset[str] | set[str]) -> Names:
        """The names in scope under some `each` names."""
        items = {}
        for name in names & self.each_names.keys():
            type_ = self.each_names[name].over.type
            items[name] = type_.args[0] if type_.kind == "list" else UNKNOWN
        return replace(self.names, items=items)

    def condition(self, node: Node, names: Names, what: str) -> Node:
        return check_condition(node, names, self.faults, what)

    # Lets and choices

    def let_type(self, name: str) -> Type | None:
        let = self.let(name)
        return let.body.type if let is not None else UNKNOWN

    def key(self, name: str) -> Key:
        """What a let is known by while it is being built."""
        return (self.raw.name, self.raw.version, "let", name)

    def let(self, name: str) -> Let | None:
        """The checked let, or None within a circle."""
        self.prepare()
        if name not in self.lets:
            node, span = self.raw.lets[name]
            fixed = {"now", "params", "shared", "chosen", "admitted", *self.names.variables.fields}
            if name in fixed:
                self.fault(codes.SHADOWED, span, name=name)
            built = self.gathering.resolve(self.key(name), span, lambda: self.build_let(name, node))
            if built is None:
                return None
            self.lets[name] = built
        return self.lets[name]

    def build_let(self, name: str, node: Node) -> Let:
        body = check(node, self.with_items(set(self.each_names)), self.faults)
        return Let(name, body, self.reads(body).items)

    def choice(self, raw: RawChoice) -> Choice | None:
        """The checked choice, or None within a circle."""
        self.prepare()
        if id(raw) not in self.made:
            key = (self.raw.gate, "choice", raw.name)
            built = self.gathering.resolve(key, raw.span, lambda: self.build_choice(raw))
            if built is None:
                return None
            self.made[id(raw)] = built
        return self.made[id(raw)]

    def build_choice(self, raw: RawChoice) -> Choice:
        each = self.each_names.get(raw.each.name) if raw.each is not None else None
        names = self.with_items({each.name} if each is not None else set())
        if raw.each is not None and (raw.each.path != "evidence" or not self.names.here):
            self.fault(codes.BAD_EACH, raw.each.span, "a choice per item has `each: evidence as e`")
        when = [self.condition(node, names, "`when`") for node in (self.raw.when, raw.when) if node is not None]
        rows = [
            (self.condition(test, names, "`when` of a row"), check(value, names, self.faults))
            for test, value in raw.rows
            if test is not None and value is not None
        ]
        otherwise = check(raw.otherwise, names, self.faults) if raw.otherwise is not None else None
        values = [value for _, value in rows] + ([otherwise] if otherwise is not None else [])
        type_, values = self.choice_values(raw, values)
        last = values.pop() if otherwise is not None else Const(span=raw.span, value=False)
        return Choice(
            id=raw.id,
            name=raw.name,
            contract=self.raw.name,
            version=self.raw.version,
            when=tuple(when),
            each=each,
            rows=tuple(Row(test, value) for (test, _), value in zip(rows, values, strict=False)),
            otherwise=last,
            type=type_,
            place=raw.span,
        )

    def choice_values(self, raw: RawChoice, values: list[Node]) -> tuple[Type, list[Node]]:
        """The values as one type, which is the pipeline's where it reads the choice."""
        spec = self.gate.choices.get(raw.name)
        wanted = choice_type(spec) if spec is not None else None
        numbers = {value.type for value in values} & {INT, DOUBLE}
        if DOUBLE in numbers or wanted == DOUBLE:
            values = [_double(value) for value in values]
        type_ = wanted or next((value.type for value in values if value.type != UNKNOWN), UNKNOWN)
        for value in values:
            if not fits(value.type, type_):
                self.fault(codes.CHOICE_TYPE, value.span, name=raw.name, wanted=type_, type=value.type)
        if spec is not None and spec.per_item != (raw.each is not None):
            made = "made per item (`each: evidence as e`)" if spec.per_item else "made for the whole, without `each`"
            self.fault(codes.CHOICE_EACH, raw.span, name=raw.name, made=made)
        for value in values if spec is not None and spec.values else ():
            if isinstance(value, Const) and spec is not None and value.value not in spec.values:
                known = ", ".join(f"`{word}`" for word in spec.values)
                self.fault(codes.CHOICE_VALUE, value.span, f"known: {known}", value=value.value, name=raw.name)
        return type_, values

    # What is read

    def reads(self, *nodes: Node | None) -> Reads:
        """The `each` names and whether `admitted` is read, through lets and choices."""
        items: set[str] = set()
        admitted = False
        for node in (part for root in nodes if root is not None for part in walk(root)):
            found = Reads()
            if isinstance(node, Name) and node.role == "item":
                items.add(node.name)
            elif isinstance(node, Name) and node.role == "admitted":
                admitted = True
            elif isinstance(node, Name) and node.role == "let":
                # One that is being built is part of a circle, which is known already.
                let = self.let(node.name) if self.key(node.name) not in self.gathering.stack else None
                found = self.reads(let.body) if let is not None else Reads()
            elif isinstance(node, Field | Has) and isinstance(node.operand, Chosen):
                found = replace(self.gathering.reads_of_choice(self.raw.gate, node.name), items=frozenset())
            items |= found.items
            admitted = admitted or found.admitted
        return Reads(frozenset(items), admitted)

    def reads_of_choice(self, raw: RawChoice) -> Reads:
        choice = self.made.get(id(raw))
        if choice is None:
            return Reads()
        parts = [part for row in choice.rows for part in (row.when, row.value)]
        return self.reads(*choice.when, *parts, choice.otherwise)

    def item_choices(self) -> None:
        """An undecided choice per item rejects the item, so such a choice may not read `admitted`."""
        for raw in self.raw.choices:
            if raw.each is not None and self.reads_of_choice(raw).admitted:
                self.fault(codes.ADMITTED_CYCLE, raw.span, name=raw.id)

    # Rules

    def rule(self, raw: RawRule, when: Node | None) -> Rule | None:
        """The checked rule, or None if nothing could be made of it."""
        each = self.each_names.get(raw.each.name) if raw.each is not None else None
        names = self.with_items({each.name} if each is not None else set())
        self.effect(raw)
        conditions = [when] if when is not None else []
        if raw.when is not None:
            conditions.append(self.condition(raw.when, names, "`when`"))
        condition = self.condition(raw.condition, names, f"`{raw.kind}`") if raw.condition is not None else None
        options = self.options(raw, names)
        oblige = {name: check(node, names, self.faults) for name, node in raw.oblige.items() if node is not None}
        message = self.messages(raw, names)
        if condition is None:
            return None
        self.scope(raw, each, [condition, *conditions, options, *oblige.values(), *_expressions(message)])
        return Rule(
            id=raw.id,
            contract=self.raw.name,
            version=self.raw.version,
            kind=raw.kind,
            condition=condition,
            when=tuple(conditions),
            each=each,
            effect=raw.effect,
            reply=raw.reply,
            message=message,
            options=options,
            oblige=oblige,
            effective=raw.effective,
            place=raw.span,
            why=raw.why,
            refs=raw.refs,
        )

    def effect(self, raw: RawRule) -> None:
        if raw.effect and raw.effect not in self.gate.effects:
            known = ", ".join(f"`{effect}`" for effect in self.gate.effects)
            self.fault(codes.EFFECT_AT_GATE, raw.span, f"it knows {known}", gate=self.gate.name, effect=raw.effect)
        if raw.effect == "reject" and (raw.each is None or raw.each.path != "evidence"):
            self.fault(codes.REJECT_NEEDS_EACH, raw.span)
        if (raw.effect == "oblige") != bool(raw.oblige):
            self.fault(codes.OBLIGE_BLOCK, raw.span)
        if raw.options is not None and raw.effect != "clarify":
            self.fault(codes.OPTIONS_NEED_CLARIFY, raw.options.span)

    def options(self, raw: RawRule, names: Names) -> Node | None:
        if raw.options is None:
            return None
        node = check(raw.options, names, self.faults)
        if not fits(node.type, list_of(STRING)):
            self.fault(codes.WRONG_TYPE, raw.options.span, what="`options`", wanted="list<string>", type=node.type)
        return node

    def messages(self, raw: RawRule, names: Names) -> dict[str, Template]:
        found = {language: self.template(template, names) for language, template in raw.message.items()}
        shown = {
            language: {unparse(part) for part in template.parts if isinstance(part, Node)}
            for language, template in found.items()
        }
        if len(shown) == 2 and shown["en"] != shown["zh"]:
            different = ", ".join(sorted(f"{{{text}}}" for text in shown["en"] ^ shown["zh"]))
            self.fault(codes.MESSAGE_PLACEHOLDERS, raw.message["zh"].span, names=different)
        return found

    def template(self, raw: RawTemplate, names: Names) -> Template:
        parts: list[str | Node] = []
        for part in raw.parts:
            node = check(part, names, self.faults) if isinstance(part, Node) else part
            if isinstance(node, Node) and (node.type.kind == "record" or "record" in {a.kind for a in node.type.args}):
                self.fault(codes.WRONG_TYPE, node.span, what="a placeholder", wanted="a value", type=node.type)
            parts.append(node)
        return Template(tuple(parts))

    def scope(self, raw: RawRule, each: Each | None, nodes: list[Node | None]) -> None:
        """A rule may only read lets whose `each` names it has; one that rejects may not read `admitted`."""
        own = {each.name} if each is not None else set()
        for node in (part for root in nodes if root is not None for part in walk(root)):
            if isinstance(node, Name) and node.role == "let":
                let = self.let(node.name)
                for item in sorted((let.items if let is not None else frozenset()) - own):
                    self.fault(codes.ITEM_NOT_NAMED, node.span, name=node.name, item=item)
        if raw.effect == "reject" and self.reads(*nodes).admitted:
            self.fault(codes.ADMITTED_CYCLE, raw.span, name=raw.id)


def _double(node: Node) -> Node:
    if isinstance(node, Const) and node.type == INT:
        return replace(node, value=float(node.value), type=DOUBLE)
    return node


def _expressions(message: Mapping[str, Template]) -> list[Node]:
    return [part for template in message.values() for part in template.parts if isinstance(part, Node)]
