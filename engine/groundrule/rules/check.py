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
from . import functions, operators, time_parts, web
from .contract import Dated
from .declare import BY_NAME, FUNCTIONS, Undecided, resolve
from .expression import MACROS
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

COMPARISONS = {"_==_": "compared", "_!=_": "compared", "_<_": "compared", "_<=_": "compared", "_>_": "compared"}
COMPARISONS |= {"_>=_": "compared", "_in_": "looked up in one another"}
NAMED_LIST = web.NAMED_LIST
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
    return _Checker(names, faults).node(node)


def check_condition(node: Node, names: Names, faults: list[Diagnostic], what: str) -> Node:
    """The checked tree of what must be a bool; `what` names it in the fault."""
    checked = check(node, names, faults)
    if not fits(checked.type, BOOL):
        faults.append(codes.NOT_BOOL.at(node.span, what=what, type=checked.type))
    return checked


def is_param(node: Node, locals_: Mapping[str, Node] | None = None) -> bool:
    """Whether a node is a value of params, so that it is known when the rule set is loaded."""
    while isinstance(node, Field | Index):
        node = node.operand
    return isinstance(node, Name) and (node.role in ("params", "shared") or node.name in (locals_ or {}))


class _Checker:
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
                return self.call(node)
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
        help = f"write `{node.name}({_text(operand)})`" if (node.name, False) in BY_NAME else ""
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
        for value in self.param_values(operand):
            for key in value if isinstance(value, Mapping) else ():
                if key not in WORDS[words]:
                    self.fault(codes.UNKNOWN_ENUM, index, did_you_mean(key, WORDS[words]), value=key, words=words)

    # Calls

    def call(self, node: Call) -> Node:
        args = [self.node(arg) for arg in node.args]
        if (node.function, node.method) not in BY_NAME:
            return self.unknown_function(node, args)
        if any(arg.type == UNKNOWN for arg in args):
            return replace(node, args=tuple(args), type=self.certain(node))
        args = self.coerced(node, args)
        found = resolve(node.function, node.method, tuple(arg.type for arg in args))
        if found is None:
            self.no_overload(node, args)
            return replace(node, args=tuple(args), type=self.certain(node))
        function, result = found
        self.enum_values(node, args)
        if function.name in ("_==_", "_!=_", "_in_", "distinct") and any(_opaque(arg.type) for arg in args):
            opaque = next(arg.type for arg in args if _opaque(arg.type))
            self.fault(codes.NOT_COMPARABLE, node, type=opaque)
        if function.name == "matches":
            self.pattern(args[1])
        if function.name in ("domain_in", "url_in") and not (is_param(args[1]) or isinstance(args[1], ListOf)):
            self.fault(codes.LIST_NAME_EXPECTED, args[1], name=function.name)
        checked = replace(node, args=tuple(args), overload=function.overload, type=result)
        return self.folded(checked)

    def certain(self, node: Call) -> Type:
        """The result type that all overloads share, so that a fault in an argument hides no other."""
        results = {entry.result for entry in BY_NAME[node.function, node.method]}
        return results.pop() if len(results) == 1 else UNKNOWN

    def unknown_function(self, node: Call, args: list[Node]) -> Node:
        name, shown = node.function, f"{node.function}()"
        other = (name, not node.method) in BY_NAME
        if other and node.method:
            help = f"write `{name}({', '.join(_text(arg) for arg in node.args)})`"
        elif other:
            help = f"write `{_text(node.args[0])}.{name}(…)`" if node.args else ""
        elif name in MACROS:
            help = f"write `{MACROS[name]}`"
        else:
            words = {key for key, method in BY_NAME if key[0].isalpha()} | set(MACROS) | {"has"}
            help = did_you_mean(name, words) if len(words) > 12 else ""
        self.fault(codes.UNKNOWN_FUNCTION, node, help, name=shown)
        return replace(node, args=tuple(args))

    def coerced(self, node: Call, args: list[Node]) -> list[Node]:
        """Int literals and int params that stand beside a double, or where a double is wanted, as doubles."""
        operator = node.function.startswith("_")
        if node.function == "_in_" and args[1].type == list_of(DOUBLE) and args[0].type == INT:
            return [_as_double(args[0]), args[1]]
        if node.function == "_in_" and args[0].type == DOUBLE and args[1].type == list_of(INT):
            return [args[0], _as_doubles(args[1])]
        if operator and {INT, DOUBLE} == {arg.type for arg in args}:
            return [_as_double(arg) for arg in args]
        if not operator and resolve(node.function, node.method, tuple(arg.type for arg in args)) is None:
            wanted = [_as_double(arg) for arg in args]
            if resolve(node.function, node.method, tuple(arg.type for arg in wanted)) is not None:
                return wanted
        return args

    def no_overload(self, node: Call, args: list[Node]) -> None:
        name, types = node.function, [arg.type for arg in args]
        operator = name.strip("_")
        if name.startswith("_") and set(types) == {INT, DOUBLE}:
            self.fault(codes.MIXED_NUMBERS, node, operator=operator)
        elif name in COMPARISONS:
            left, right = types
            help = f"{left} has no order" if left == right else _hint(left, right)
            self.fault(codes.MIXED_TYPES, node, help, left=left, right=right, verb=COMPARISONS[name])
        elif name.startswith("_"):
            verb = {"+": "added", "-": "subtracted", "*": "multiplied", "/": "divided", "%": "divided"}[operator]
            self.fault(codes.MIXED_TYPES, node, _hint(*types), left=types[0], right=types[1], verb=verb)
        else:
            given = " and ".join(str(type_) for type_ in types) or "nothing"
            forms = ", ".join(f"`{entry.signature}`" for entry in BY_NAME[name, node.method][:6])
            self.fault(codes.NO_OVERLOAD, node, f"it is {forms}", name=operator or name, given=given)

    def enum_values(self, node: Call, args: list[Node]) -> None:
        """A literal that is compared with an enum is one of its values."""
        if node.function not in ("_==_", "_!=_", "_in_"):
            return
        for first, second in (args, args[::-1]):
            words = first.type.words or (first.type.args[0].words if first.type.kind == "list" else "")
            literals = second.items if isinstance(second, ListOf) else (second,)
            for literal in literals if words else ():
                if isinstance(literal, Const) and isinstance(literal.value, str) and literal.value not in WORDS[words]:
                    help = did_you_mean(literal.value, WORDS[words])
                    self.fault(codes.UNKNOWN_ENUM, literal, help, value=literal.value, words=words)

    def pattern(self, node: Node) -> None:
        if isinstance(node, Const):
            patterns: Iterable[Any] = [node.value]
        elif is_param(node, self.param_locals):
            patterns = self.param_values(node)
        else:
            self.fault(codes.PATTERN_NOT_CONSTANT, node)
            return
        for pattern in patterns:
            if not isinstance(pattern, str):
                continue
            try:
                functions.regex(pattern)
            except Undecided as why:
                self.fault(codes.BAD_PATTERN, node, problem=str(why).partition(": ")[2] or str(why))

    def param_values(self, node: Node) -> list[Any]:
        """Every value that a param may have, over all its dates."""
        match node:
            case Name() if node.role in ("params", "shared"):
                return [self.names.param_trees.get(node.role, {})]
            case Name() if node.name in self.param_locals:
                return [item for value in self.param_values(self.param_locals[node.name]) for item in _elements(value)]
            case Field():
                return [value for tree in self.param_values(node.operand) for value in _entry(tree, node.name)]
            case Index():
                return [value for tree in self.param_values(node.operand) for value in _children(tree)]
        return []

    def folded(self, node: Call) -> Node:
        """A call on constants is its value; if it has none, the rule could never be met."""
        if not node.args or not all(isinstance(arg, Const) for arg in node.args):
            return node
        values = [arg.value for arg in node.args if isinstance(arg, Const)]
        try:
            value = FUNCTIONS[node.overload].body(*values)
        except Undecided as why:
            self.fault(codes.BAD_CONSTANT, node, problem=str(why))
            return node
        return Const(span=node.span, type=node.type, value=value)

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
            nodes = [_as_double(node) for node in nodes]
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


def _settled(value: Any) -> list[Any]:
    """A value of params without its dates."""
    return [entry for entry, _ in value.entries] if isinstance(value, Dated) else [value]


def _entry(tree: Any, name: str) -> list[Any]:
    return _settled(tree[name]) if isinstance(tree, Mapping) and name in tree else []


def _children(tree: Any) -> list[Any]:
    inner = tree.values() if isinstance(tree, Mapping) else tree if isinstance(tree, tuple) else ()
    return [value for child in inner for value in _settled(child)]


def _elements(value: Any) -> list[Any]:
    return list(value) if isinstance(value, tuple | Mapping) else []


def _opaque(type_: Type) -> bool:
    return type_.kind == "record" or type_ == NAMED_LIST or any(_opaque(arg) for arg in type_.args)


def _as_double(node: Node) -> Node:
    if node.type != INT:
        return node
    if isinstance(node, Const):
        return replace(node, value=float(node.value), type=DOUBLE)
    if is_param(node):
        return Call(span=node.span, type=DOUBLE, function="double", args=(node,), overload="double(int)")
    return node


def _as_doubles(node: Node) -> Node:
    if isinstance(node, ListOf):
        return replace(node, items=tuple(_as_double(item) for item in node.items), type=list_of(DOUBLE))
    return node


def _hint(left: Type, right: Type) -> str:
    """Advice for two types that do not go together."""
    kinds = {left.kind, right.kind}
    if kinds == {"timestamp", "duration"}:
        return "compare an age such as `now - e.dated_at` with a duration"
    if kinds == {"duration", "int"} or kinds == {"duration", "string"}:
        return "write a duration as `duration('3h')`, or as a param `3h`"
    if kinds == {"timestamp", "string"}:
        return "write `timestamp('2026-04-15T00:00:00Z')`"
    if kinds == {"string", "int"} or kinds == {"string", "double"}:
        return "convert with `int(…)`, `double(…)` or `string(…)`"
    if "json" in kinds:
        return "convert the JSON value with `int(…)`, `double(…)` or `string(…)`"
    return ""


def _text(node: Node) -> str:
    text = node.span.source.text[node.span.start : node.span.end]
    return text if len(text) <= 60 else "…"


def field_infos(types: Mapping[str, Type]) -> dict[str, FieldInfo]:
    """Fields without description, for the record types of params and choices."""
    return {name: FieldInfo(type_) for name, type_ in types.items()}
