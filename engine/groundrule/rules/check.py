"""The type checker: a parsed expression and the names it may use, to a checked tree.

Everything that can be known before facts arrive is said here, with a place and a help line. A part that has a fault
gets the type `unknown`, about which nothing more is said, so that one mistake makes one fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .. import codes
from ..diagnostics import Code, Diagnostic, did_you_mean
from ..facts.words import WORDS
from . import check_calls, functions, operators, time_parts, web
from .check_calls import as_double, text_of
from .declare import BY_NAME
from .param_values import is_param, param_values
from .syntax import Bind, Call, Chosen, Cond, Const, Field, Has, Index, ListOf, Logic, Loop, MapOf, Name, Node
from .types import (
    BOOL,
    DOUBLE,
    INT,
    JSON,
    NONE,
    STRING,
    TIMESTAMP,
    UNKNOWN,
    FieldInfo,
    Type,
    fits,
    joined,
    list_of,
    map_of,
    record_of,
)

DECLARED_IN = (functions, operators, time_parts, web)
"""The modules whose declarations fill the table of functions."""
Refine = Callable[[str], Type | None]


@dataclass
class Names:
    """What an expression may name.

    variables: the gate's facts. let, choice, item_choice: give the type of a name when it is first read, or None.
    items: the `each` names in scope. elsewhere: those that other rules of the file have. admitted: whether it may
    be read. param_trees: the trees of `params` and `shared`. earlier: choices that items carry from earlier gates.
    here: whether items get their choices at this gate.
    """

    variables: Type
    params: Type
    shared: Type
    let: Refine = lambda name: None
    lets: tuple[str, ...] = ()
    choice: Refine = lambda name: None
    choices: tuple[str, ...] = ()
    item_choice: Refine = lambda name: None
    item_choices: tuple[str, ...] = ()
    here: bool = False
    earlier: Type = field(default_factory=lambda: record_of("chosen", {}))
    items: Mapping[str, Type] = field(default_factory=dict)
    elsewhere: frozenset[str] = frozenset()
    admitted: bool = False
    param_trees: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def check(node: Node, names: Names, faults: list[Diagnostic]) -> Node:
    """The checked tree of a parsed expression; its faults and warnings go to `faults`."""
    return Checker(names, faults).node(node)


def check_condition(node: Node, names: Names, faults: list[Diagnostic], what: str) -> Node:
    """The checked tree of what must be a bool; `what` names it in the fault."""
    checked = check(node, names, faults)
    if not fits(checked.type, BOOL):
        faults.append(codes.NOT_BOOL.at(node.span, what=what, type=checked.type))
    return checked


class Checker:
    """One walk over an expression. `locals` are the variables of the macros around the node."""

    def __init__(self, names: Names, faults: list[Diagnostic]) -> None:
        self.names, self.faults = names, faults
        self.locals: dict[str, Type] = {}
        self.param_locals: dict[str, Node] = {}

    def fault(self, code: Code, node: Node, help: str | None = None, **values: object) -> None:
        self.faults.append(code.at(node.span, help, **values))

    def node(self, node: Node) -> Node:
        """The checked node."""
        match node:
            case Const():
                # A duration or timestamp as in params (the value of a choice) has its type already.
                return node if node.type != UNKNOWN else replace(node, type=_const_type(node.value))
            case Name():
                return self.name(node)
            case Field():
                return self.field(node)
            case Has():
                return self.has(node)
            case Index():
                return self.index(node)
            case Call():
                return check_calls.call(self, node)
            case Logic():
                return replace(node, args=tuple(self.condition(arg) for arg in node.args), type=BOOL)
            case Cond():
                return self.cond(node)
            case ListOf():
                items = self.uniform([self.node(item) for item in node.items])
                return replace(node, items=tuple(items), type=list_of(_common(items)))
            case MapOf():
                return self.mapping(node)
            case Loop():
                return self.loop(node)
            case Bind():
                return self.bind(node)
        raise TypeError(f"no such node: {node!r}")

    def condition(self, node: Node) -> Node:
        checked = self.node(node)
        if not fits(checked.type, BOOL):
            self.fault(codes.NOT_BOOL, node, what="an operand of `&&` or `||`", type=checked.type)
        return checked

    # Names and fields

    def name(self, node: Name) -> Node:
        role, type_ = self.lookup(node.name)
        if role == "chosen":
            self.fault(codes.UNKNOWN_NAME, node, "write `chosen.NAME`", name=node.name)
        elif not role:
            if node.name in self.names.elsewhere:
                self.fault(codes.ITEM_NOT_NAMED, node, name=node.name, item=node.name)
            else:
                self.fault(codes.UNKNOWN_NAME, node, did_you_mean(node.name, self.known()), name=node.name)
        return replace(node, role=role, type=type_)

    def lookup(self, name: str) -> tuple[str, Type]:
        """What a name means here: its role and type; no role if it means nothing."""
        names = self.names
        if name in self.locals:
            return "local", self.locals[name]
        if name in names.items:
            return "item", names.items[name]
        if name in names.lets:
            return "let", names.let(name) or UNKNOWN
        fixed = {"now": TIMESTAMP, "params": names.params, "shared": names.shared, "chosen": UNKNOWN}
        if name in fixed:
            return name, fixed[name]
        if name == "admitted" and names.admitted:
            return "admitted", names.variables.fields["evidence"].type
        if name in names.variables.fields:
            return "fact", names.variables.fields[name].type
        return "", UNKNOWN

    def known(self) -> list[str]:
        names = self.names
        fixed = ["now", "params", "shared", "chosen", *(["admitted"] if names.admitted else [])]
        return [*self.locals, *names.items, *names.lets, *fixed, *names.variables.fields]

    def chosen(self, node: Node) -> Chosen | None:
        """The choices of this gate, if the node is `chosen` or `item.chosen` here."""
        if isinstance(node, Name) and node.name == "chosen" and self.lookup("chosen")[0] == "chosen":
            return Chosen(span=node.span)
        if self.names.here and isinstance(node, Field) and node.name == "chosen":
            item = self.node(node.operand)
            if item.type.kind == "record" and item.type.name == "evidence":
                return Chosen(span=node.span, item=item)
        return None

    def choice(self, node: Field | Has, chosen: Chosen) -> Type:
        refine = self.names.choice if chosen.item is None else self.names.item_choice
        known = self.names.choices if chosen.item is None else self.names.item_choices
        if node.name not in known:
            other = self.names.item_choices if chosen.item is None else self.names.choices
            if node.name in other:
                made = "made per item; read it as `e.chosen.NAME`" if chosen.item is None else "made for the whole"
                self.fault(codes.CHOICE_EACH, node, name=node.name, made=made)
            else:
                help = did_you_mean(node.name, known)
                self.fault(codes.UNKNOWN_NAME, node, help, name=f"chosen.{node.name}")
            return UNKNOWN
        return refine(node.name) or UNKNOWN

    def field(self, node: Field) -> Node:
        chosen = self.chosen(node.operand)
        if chosen is not None:
            return replace(node, operand=chosen, type=self.choice(node, chosen))
        operand = self.node(node.operand)
        return replace(node, operand=operand, type=self.field_type(node, operand))

    def field_type(self, node: Field | Has, operand: Node) -> Type:
        owner = operand.type
        if owner.kind == "record" and owner.name == "evidence" and node.name == "chosen":
            return self.names.earlier
        if owner.kind == "record":
            if node.name not in owner.fields:
                help = did_you_mean(node.name, owner.fields)
                self.fault(codes.UNKNOWN_FIELD, node, help, type=owner, name=node.name)
                return UNKNOWN
            return owner.fields[node.name].type
        if owner.kind == "map" and fits(STRING, owner.args[0]):
            return owner.args[1]
        if owner in (JSON, UNKNOWN):
            return owner
        help = f"write `{node.name}({text_of(operand)})`" if (node.name, False) in BY_NAME else ""
        self.fault(codes.NOT_A_RECORD, node, help, type=owner)
        return UNKNOWN

    def has(self, node: Has) -> Node:
        chosen = self.chosen(node.operand)
        if chosen is not None:
            self.choice(node, chosen)
            return replace(node, operand=chosen, type=BOOL)
        operand = self.node(node.operand)
        self.field_type(node, operand)
        return replace(node, operand=operand, type=BOOL)

    def index(self, node: Index) -> Node:
        operand, index = self.node(node.operand), self.node(node.index)
        owner = operand.type
        result = UNKNOWN
        if owner.kind == "list" and fits(index.type, INT):
            result = owner.args[0]
        elif owner.kind == "map" and fits(index.type, owner.args[0]):
            result = owner.args[1]
            self.enum_keys(operand, index)
        elif owner == JSON and (fits(index.type, INT) or fits(index.type, STRING)):
            result = JSON
        elif UNKNOWN not in (owner, index.type):
            help = "write `.name` for a field" if owner.kind == "record" else None
            self.fault(codes.NOT_INDEXABLE, node, help, type=owner, index=index.type)
        return replace(node, operand=operand, index=index, type=result)

    def enum_keys(self, operand: Node, index: Node) -> None:
        """A param that is asked with an enum has only keys that the enum has."""
        words = index.type.words
        if not words or not is_param(operand):
            return
        for value in param_values(operand, self.names.param_trees, self.param_locals):
            for key in value if isinstance(value, Mapping) else ():
                if key not in WORDS[words]:
                    self.fault(codes.UNKNOWN_ENUM, index, did_you_mean(key, WORDS[words]), value=key, words=words)

    # Structures and macros

    def cond(self, node: Cond) -> Node:
        test = self.node(node.test)
        if not fits(test.type, BOOL):
            self.fault(codes.NOT_BOOL, node.test, what="what stands before `?`", type=test.type)
        yes, no = self.uniform([self.node(node.yes), self.node(node.no)])
        return replace(node, test=test, yes=yes, no=no, type=_common([yes, no]))

    def uniform(self, nodes: list[Node]) -> list[Node]:
        """Nodes of one type: int literals become doubles beside doubles; other mixtures are faults."""
        if {INT, DOUBLE} <= {node.type for node in nodes}:
            nodes = [as_double(node) for node in nodes]
        both = NONE
        for node in nodes:
            more = joined(both, node.type)
            if more is None:
                self.fault(codes.MIXED_LIST, node, left=both, right=node.type)
                return [replace(other, type=UNKNOWN) for other in nodes]
            both = more
        return nodes

    def mapping(self, node: MapOf) -> Node:
        keys = self.uniform([self.node(key) for key, _ in node.entries])
        values = self.uniform([self.node(value) for _, value in node.entries])
        for key in keys:
            if key.type not in (STRING, INT, BOOL, UNKNOWN):
                self.fault(codes.WRONG_TYPE, key, what="a key", wanted="string, int or bool", type=key.type)
        seen: set[Any] = set()
        for key in keys:
            mark = (key.type.kind, key.value) if isinstance(key, Const) else None
            if mark is not None and mark in seen:
                self.fault(codes.BAD_CONSTANT, key, problem="a key that stands twice")
            seen.add(mark)
        entries = tuple(zip(keys, values, strict=True))
        return replace(node, entries=entries, type=map_of(_common(keys), _common(values)))

    def loop(self, node: Loop) -> Node:
        over = self.node(node.over)
        kinds = {"list": 0, "map": 0}
        if over.type.kind in kinds:
            element = over.type.args[0]
        elif over.type in (JSON, UNKNOWN):
            element = over.type
        else:
            self.fault(codes.WRONG_TYPE, node.over, what=f"what `{node.macro}` goes over", wanted="a list or map",
                       type=over.type)  # fmt: skip
            element = UNKNOWN
        from_param = is_param(over, self.param_locals)
        with_param = {**self.param_locals, node.var: over} if from_param else self.param_locals
        restore = self.declare(node, node.var, element, with_param)
        keep = self.node(node.keep) if node.keep is not None else None
        body = self.node(node.body)
        restore()
        for part, original in ((keep, node.keep), (body if node.macro != "map" else None, node.body)):
            if part is not None and original is not None and not fits(part.type, BOOL):
                self.fault(codes.NOT_BOOL, original, what=f"the condition of `{node.macro}`", type=part.type)
        result = {"filter": list_of(element), "map": list_of(body.type)}.get(node.macro, BOOL)
        return replace(node, over=over, keep=keep, body=body, type=result)

    def bind(self, node: Bind) -> Node:
        value = self.node(node.value)
        restore = self.declare(node, node.var, value.type, self.param_locals)
        body = self.node(node.body)
        restore()
        return replace(node, value=value, body=body, type=body.type)

    def declare(self, node: Node, name: str, type_: Type, params: dict[str, Node]) -> Callable[[], None]:
        """Brings a local variable into scope; the result takes it out again."""
        if self.lookup(name)[0]:
            self.fault(codes.SHADOWED, node, name=name)
        before, params_before = dict(self.locals), self.param_locals
        self.locals[name], self.param_locals = type_, params

        def restore() -> None:
            self.locals, self.param_locals = before, params_before

        return restore


def _const_type(value: Any) -> Type:
    if isinstance(value, bool):
        return BOOL
    return {int: INT, float: DOUBLE, str: STRING}[type(value)]


def _common(nodes: Iterable[Node]) -> Type:
    both: Type | None = NONE
    for node in nodes:
        both = joined(both, node.type) if both is not None else None
    return both if both is not None else UNKNOWN


def field_infos(types: Mapping[str, Type]) -> dict[str, FieldInfo]:
    """Fields without description, for the record types of params and choices."""
    return {name: FieldInfo(type_) for name, type_ in types.items()}
