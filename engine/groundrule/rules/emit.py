"""Checked expressions to Python text.

A condition becomes two Python expressions: `yes`, truthy exactly if it is true, and `no`, truthy exactly if it is
false; if neither is, it is undecided. A value becomes `code` under `guards`: where all guards are truthy the code is
the value, else the value is undecided. None stands for what is absent and never reaches an operator. Whatever else can go
wrong (overflow, division by zero, a bad conversion) raises, and the caller asks the interpreter instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from ..facts.gates import Gate
from ..urls import UrlList
from . import runtime
from .check import is_param
from .declare import FUNCTIONS
from .functions import regex
from .program import Program, Scope
from .syntax import Bind, Call, Chosen, Cond, Const, Field, Has, Index, ListOf, Logic, Loop, MapOf, Name, Node, walk
from .types import BOOL, DOUBLE, DURATION, INT, JSON, STRING, TIMESTAMP, Type
from .unparse import unparse
from .vocabulary import attribute

MAX_NODES = 20_000
"""Nodes that one rule may grow to when its lets are written out; a larger one is interpreted."""


Made = TypeVar("Made")


class NotCompiled(Exception):
    """A construct that the interpreter answers instead."""


@dataclass(frozen=True)
class Value:
    """A value: `code`, which holds where every guard is truthy. raises: whether it can raise."""

    code: str
    guards: tuple[str, ...] = ()
    raises: bool = False

    @property
    def or_none(self) -> str:
        """The value, or None where it is undecided."""
        if self.guards == (f"{self.code} is not None",):
            return self.code
        return f"({self.code} if {' and '.join(self.guards)} else None)" if self.guards else self.code


@dataclass(frozen=True)
class Truth:
    """A condition. leaf: the guards alone tell false from undecided once it is known not to be true."""

    yes: str
    no: str
    raises: bool = False
    leaf: str | None = None

    @property
    def or_none(self) -> str:
        """True, False, or None where it is undecided."""
        return f"(True if {self.yes} else False if {self.no} else None)"

    def negated(self) -> Truth:
        """Its negation."""
        return Truth(self.no, self.yes, self.raises)


@dataclass(frozen=True)
class Place:
    """Where an expression stands.

    scope: the contract. item, item_var: the `each` name and its Python variable. locals: variables of macros.
    """

    scope: Scope
    item: str | None = None
    item_var: str = ""
    locals: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Fusion:
    """What the loop over the evidence does beside asking rules. item: its Python variable.

    reads: lines that bring fields into variables. start: lines before the loop. steps: lines at the end of each turn.
    """

    item: str = "e"
    reads: list[str] = field(default_factory=list)
    start: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)


@dataclass
class Emitter:
    """The expressions of one gate. Reads that several rules share are made once, at the top or once per item."""

    program: Program
    gate: Gate
    constants: dict[str, Any] = field(default_factory=dict)
    top: list[str] = field(default_factory=list)
    per_item: list[str] = field(default_factory=list)
    known: dict[Any, str] = field(default_factory=dict)
    item_choices: dict[str, str] = field(default_factory=dict)
    nodes: int = 0
    count: int = 0
    admitted_ready: bool = False
    after: list[str] | None = None
    fusion: Fusion = field(default_factory=Fusion)
    _names: dict[int, str] = field(default_factory=dict)
    _moving: dict[int, bool] = field(default_factory=dict)

    def fresh(self, stem: str) -> str:
        """A Python name that is not used yet."""
        self.count += 1
        return f"{stem}{self.count}"

    def constant(self, value: Any) -> str:
        """A name for a constant."""
        if isinstance(value, bool) or value is None:
            return repr(value)
        if isinstance(value, (int, str)) or (isinstance(value, float) and repr(value)[-1].isdigit()):
            return f"({value!r})" if isinstance(value, int | float) and value < 0 else repr(value)
        name = self._names.get(id(value))
        if name is None:
            name = self.fresh("C")
            self.constants[name] = value
            self._names[id(value)] = name
        return name

    # Conditions

    def truth(self, node: Node, place: Place) -> Truth:
        """The condition as Python text."""
        self.grow()
        if place.item is not None and not isinstance(node, Const | Name) and self.at_gate(node, place):
            return self.hoisted_truth(node, place)
        match node:
            case Const():
                return Truth(repr(node.value), repr(not node.value))
            case Logic():
                return self.logic(node, place)
            case Has():
                return self.has(node, place)
            case Loop() if node.macro in ("all", "exists"):
                return self.quantified(node, place)
            case Cond():
                test, yes, no = (self.truth(part, place) for part in (node.test, node.yes, node.no))
                raises = test.raises or yes.raises or no.raises
                chosen = [
                    f"(({test.yes}) and ({y}) or ({test.no}) and ({n}))"
                    for y, n in ((yes.yes, no.yes), (yes.no, no.no))
                ]
                return Truth(chosen[0], chosen[1], raises)
            case Bind():
                var, bound = self.bind(node, place)
                body = self.truth(node.body, self.local(place, node.var, var))
                return Truth(f"({bound} and ({body.yes}))", f"({bound} and ({body.no}))", True)
            case Call() if node.overload == "!_(bool)":
                return self.truth(node.args[0], place).negated()
            case Name() if node.role == "let":
                return self.truth(self.let(node, place), self.let_place(place))
        value = self.value(node, place)
        if value.guards == (f"{value.code} is not None",):
            return Truth(f"({value.code} is True)", f"({value.code} is False)", value.raises)
        guards = " and ".join(value.guards)
        lead = f"{guards} and " if guards else ""
        return Truth(f"({lead}{value.code})", f"({lead}not {value.code})", value.raises, guards or "True")

    def hoisted_truth(self, node: Node, place: Place) -> Truth:
        key = ("truth", id(place.scope), unparse(node))
        if key not in self.known:
            found = self.early(lambda: self.truth(node, replace(place, item=None, locals={})))
            if found.raises:
                return found
            var = self.fresh("g")
            self.top.append(f"{var} = {found.or_none}")
            self.known[key] = var
        var = self.known[key]
        return Truth(var, f"({var} is False)")

    def logic(self, node: Logic, place: Place) -> Truth:
        parts = self.merged([self.truth(arg, place) for arg in node.args], node, place)
        every = ["(" + " and ".join(texts) + ")" for texts in ([p.yes for p in parts], [p.no for p in parts])]
        some = ["(" + " or ".join(texts) + ")" for texts in ([p.yes for p in parts], [p.no for p in parts])]
        raises = any(part.raises for part in parts)
        return Truth(every[0], some[1], raises) if node.word == "and" else Truth(some[0], every[1], raises)

    def merged(self, parts: list[Truth], node: Logic, place: Place) -> list[Truth]:
        """`x.startsWith(a) || x.startsWith(b)` asks once, with a tuple."""
        calls = [arg for arg in node.args if isinstance(arg, Call)]
        same = len(calls) == len(node.args) and all(
            call.overload == ".startsWith(string,string)" and isinstance(call.args[1], Const) for call in calls
        )
        if node.word != "or" or not same or len({unparse(call.args[0]) for call in calls}) != 1:
            return parts
        value = self.value(calls[0].args[0], place)
        prefixes = tuple(call.args[1].value for call in calls if isinstance(call.args[1], Const))
        guards = " and ".join(value.guards)
        lead = f"{guards} and " if guards else ""
        test = _starts(value.code, prefixes)
        return [Truth(f"({lead}{test})", f"({lead}not {test})", value.raises, guards or "True")]

    def has(self, node: Has, place: Place) -> Truth:
        if isinstance(node.operand, Chosen):
            made, value = self.choice(node.operand, node.name, place)
            return Truth(f"({value} is not None)", f"({made} is False)")
        owner = self.value(node.operand, place)
        lead = "".join(f"{guard} and " for guard in owner.guards)
        if runtime.is_fact(node.operand.type):
            read = self.read(node.operand, node.name, place) or f"{owner.code}[{_attribute(node.operand, node.name)!r}]"
            return Truth(f"({lead}{read} is not None)", f"({lead}{read} is None)", owner.raises)
        function = "json_has" if node.operand.type == JSON or node.operand.type.name == "chosen" else "map_has"
        test = f"{function}({owner.code}, {node.name!r})"
        return Truth(f"({lead}{test})", f"({lead}not {test})", True)

    def quantified(self, node: Loop, place: Place) -> Truth:
        over, var = self.elements(node, place)
        body = self.truth(node.body, self.local(place, node.var, var))
        lead = "".join(f"{guard} and " for guard in over.guards)
        every, some = ("yes", "no") if node.macro == "all" else ("no", "yes")
        all_of = f"({lead}all({getattr(body, every)} for {var} in {over.code}))"
        any_of = f"({lead}any({getattr(body, some)} for {var} in {over.code}))"
        raises = over.raises or body.raises
        return Truth(all_of, any_of, raises) if node.macro == "all" else Truth(any_of, all_of, raises)

    # Values

    def value(self, node: Node, place: Place) -> Value:
        """The value as Python text."""
        self.grow()
        if place.item is not None and self.worth_hoisting(node) and self.at_gate(node, place):
            return self.early(lambda: self.shared(node, replace(place, item=None, locals={}), self.top))
        if self.after is not None and place.item is None and not place.locals and isinstance(node, Loop):
            return self.shared(node, place, self.after)
        return self.made(node, place)

    def made(self, node: Node, place: Place) -> Value:
        """The value, computed where it stands."""
        match node:
            case Const():
                return Value(self.constant(node.value))
            case Name():
                return self.name(node, place)
            case Field():
                return self.field(node, place)
            case Index():
                return self.index(node, place)
            case Call() if node.type != BOOL or node.overload in FUNCTIONS:
                return self.call(node, place)
            case Logic() | Has():
                return self.nullable(self.truth(node, place).or_none, True)
            case Cond():
                test = self.truth(node.test, place)
                yes, no = self.value(node.yes, place), self.value(node.no, place)
                text = f"({yes.or_none} if {test.yes} else {no.or_none} if {test.no} else None)"
                return self.nullable(text, test.raises or yes.raises or no.raises)
            case ListOf():
                return self.listing(node, place)
            case MapOf():
                return self.mapping(node, place)
            case Loop():
                return self.loop(node, place)
            case Bind():
                var, bound = self.bind(node, place)
                body = self.value(node.body, self.local(place, node.var, var))
                return Value(body.code, (bound, *body.guards), True)
        raise NotCompiled(type(node).__name__)

    def early(self, make: Callable[[], Made]) -> Made:
        """What `make` emits for the top, where nothing may be read that is only computed after the evidence."""
        after, self.after = self.after, None
        try:
            return make()
        finally:
            self.after = after

    def shared(self, node: Node, place: Place, lines: list[str]) -> Value:
        """The value, computed once for all rules unless it can raise."""
        key = ("value", id(place.scope), unparse(node), id(lines))
        if key not in self.known:
            text = self.fused(node, place) if lines is self.after else None
            if text is None:
                found = self.made(node, place)
                if found.raises:
                    return found
                text = found.or_none
            var = self.fresh("g")
            lines.append(f"{var} = {text}")
            self.known[key] = var
        var = self.known[key]
        return Value(var, (f"{var} is not None",))

    def fused(self, node: Node, place: Place) -> str | None:
        """The text of `evidence.map(x, …)` whose elements the loop over the evidence gathers on its way."""
        if not isinstance(node, Loop) or node.macro != "map" or node.keep is not None or place.locals:
            return None
        over = node.over
        if not isinstance(over, Name) or over.role != "fact" or over.name != "evidence":
            return None
        outer, self.per_item = self.per_item, self.fusion.reads
        try:
            body = self.argument(node.body, self.local(place, node.var, self.fusion.item))
        finally:
            self.per_item = outer
        if body.raises:
            return None
        many = self.fresh("m")
        self.fusion.start.append(f"{many} = []; {many}_add = {many}.append")
        self.fusion.steps.append(f"{many}_add({body.or_none})")
        known = f"{_known(node.body)}({many})"
        if _known(node.body) == "known_texts":
            known = f"(tuple({many}) if all({many}) or None not in {many} else None)"
        return f"{known} if {self.variable('evidence')} is not None else None"

    def nullable(self, text: str, raises: bool) -> Value:
        """A value that is None where it is undecided."""
        var = self.fresh("t")
        return Value(var, (f"({var} := {text}) is not None",), raises)

    def name(self, node: Name, place: Place) -> Value:
        match node.role:
            case "now":
                return Value("now")
            case "item":
                return Value(place.item_var) if node.name == place.item else self.not_compiled("an item elsewhere")
            case "local":
                var = place.locals[node.name]
                return Value(var, (f"{var} is not None",))
            case "fact":
                var = self.variable(node.name)
                return Value(var, (f"{var} is not None",))
            case "let":
                return self.value(self.let(node, place), self.let_place(place))
            case "params":
                return Value(self.constant(place.scope.params))
            case "shared":
                return Value(self.constant(self.program.shared))
            case "admitted" if self.admitted_ready:
                return Value("admitted", ("admitted is not None",))
        raise NotCompiled(node.role)

    def not_compiled(self, why: str) -> Value:
        raise NotCompiled(why)

    def variable(self, name: str) -> str:
        """A variable of the gate, read once at the top."""
        key = ("variable", name)
        if key not in self.known:
            var = self.known[key] = self.fresh("v")
            self.top.append(f"{var} = facts[{attribute(self.gate.facts, name)!r}]")
        return self.known[key]

    def read(self, operand: Node, name: str, place: Place) -> str | None:
        """The variable that holds a field of a gate variable or of the item; None for other records."""
        if isinstance(operand, Name) and operand.role == "fact":
            owner = self.variable(operand.name)
            key: tuple[str, ...] = ("field", owner, name)
            lines = self.top
            text = f"{owner}[{_attribute(operand, name)!r}] if {owner} is not None else None"
        elif isinstance(operand, Name) and self.own(operand, place):
            item = self.item_of(operand, place)
            key, lines = ("field", item, name), self.per_item
            text = f"{item}[{_attribute(operand, name)!r}]"
        else:
            return None
        if key not in self.known:
            self.known[key] = self.fresh("f")
            lines.append(f"{self.known[key]} = {text}")
        return self.known[key]

    def own(self, node: Name, place: Place) -> bool:
        """Whether a name is the item of the loop whose reads are being gathered."""
        if node.role == "item":
            return node.name == place.item
        return node.role == "local" and place.locals.get(node.name) == self.fusion.item

    def item_of(self, node: Name, place: Place) -> str:
        """The Python variable of such a name."""
        return place.item_var if node.role == "item" else self.fusion.item

    def field(self, node: Field, place: Place) -> Value:
        if isinstance(node.operand, Chosen):
            _, var = self.choice(node.operand, node.name, place)
            return Value(var, (f"{var} is not None",)) if var.isidentifier() else self.nullable(var, False)
        param = self.param(node, place)
        if param is not None:
            return param
        if runtime.is_fact(node.operand.type):
            held = self.read(node.operand, node.name, place)
            if held is not None:
                return Value(held, (f"{held} is not None",))
            owner = self.value(node.operand, place)
            inner = self.nullable(f"{owner.code}[{_attribute(node.operand, node.name)!r}]", owner.raises)
            return Value(inner.code, (*owner.guards, *inner.guards), owner.raises)
        owner = self.value(node.operand, place)
        get = "json_get" if node.operand.type in (JSON,) or node.operand.type.name == "chosen" else "map_get"
        inner = self.nullable(f"{get}({owner.code}, {node.name!r})", True)
        return Value(inner.code, (*owner.guards, *inner.guards), True)

    def param(self, node: Node, place: Place) -> Value | None:
        """A param that is a constant of the program."""
        names: list[str] = []
        while isinstance(node, Field):
            names.append(node.name)
            node = node.operand
        if not isinstance(node, Name) or node.role not in ("params", "shared"):
            return None
        tree: Any = place.scope.params if node.role == "params" else self.program.shared
        for name in reversed(names):
            if not isinstance(tree, Mapping) or name not in tree:
                return Value("None", ("False",))
            tree = tree[name]
        return Value(self.constant(tree))

    def choice(self, chosen: Chosen, name: str, place: Place) -> tuple[str, str]:
        """The variables that say whether a choice was made, and its value."""
        own = isinstance(chosen.item, Name) and chosen.item.role == "item" and chosen.item.name == place.item
        if chosen.item is not None and own and name in self.item_choices:
            return f"{self.item_choices[name]}_made", self.item_choices[name]
        if chosen.item is None and ("choice", name) in self.known:
            var = self.known["choice", name]
            return f"{var}_made", var
        if name not in self.program.choices:
            return "False", "None"
        if isinstance(chosen.item, Name) and chosen.item.role == "local" and self.admitted_ready:
            item = place.locals[chosen.item.name]
            kept = f"{self.kept_choice(name)}[id({item})]"
            return f"({kept}[0] if {item} is not None else None)", f"({kept}[1] if {item} is not None else None)"
        raise NotCompiled("a choice that is not made yet")

    def kept_choice(self, name: str) -> str:
        """The variable with what the loop over the evidence keeps of a choice: by identity of the item, made and value."""
        key = ("kept", name)
        if key not in self.known:
            many, var = self.known.setdefault(key, self.fresh("m")), self.known["choice", name]
            self.fusion.start.append(f"{many} = {{}}")
            self.fusion.steps.append(f"{many}[id({self.fusion.item})] = {var}_made, {var}")
        return self.known[key]

    def index(self, node: Index, place: Place) -> Value:
        owner, index = self.value(node.operand, place), self.value(node.index, place)
        guards = (*owner.guards, *index.guards)
        if node.operand.type == JSON:
            inner = self.nullable(f"json_get({owner.code}, {index.code})", True)
        elif node.operand.type.kind == "list":
            inner = self.nullable(f"list_get({owner.code}, {index.code})", False)
        else:
            inner = self.nullable(f"{owner.code}.get({index.code})", False)
        return Value(
            inner.code, _once((*guards, *inner.guards)), owner.raises or index.raises or node.operand.type == JSON
        )

    # Calls

    def call(self, node: Call, place: Place) -> Value:
        moved = self.moved(node, place)
        if moved is not None:
            return moved
        if node.overload in ("_in_(T,list<T>)",):
            return self.membership(node, place)
        if node.overload in (".matches(string,string)", "matches(string,string)") and isinstance(node.args[1], Const):
            text = self.value(node.args[0], place)
            search = self.constant(regex(node.args[1].value).search)
            return Value(f"({search}({text.code}) is not None)", text.guards, text.raises)
        listed = self.listed(node, place)
        if listed is not None:
            return listed
        if node.overload == ".startsWith(string,string)" and isinstance(node.args[1], Const):
            text = self.value(node.args[0], place)
            return Value(_starts(text.code, (node.args[1].value,)), text.guards, text.raises)
        different = self.different(node, place)
        if different is not None:
            return different
        args = [self.argument(arg, place) for arg in node.args]
        guards = _once(tuple(guard for arg in args for guard in arg.guards))
        raises = any(arg.raises for arg in args)
        codes = [arg.code for arg in args]
        inline = _INLINE.get((node.overload, *(str(arg.type) for arg in node.args))) or _INLINE.get((node.overload,))
        if inline is not None:
            form, can_raise = inline
            return Value(form.format(*codes), guards, raises or can_raise)
        if node.overload in runtime.NULLABLE:
            return self.shared_call(node, codes, guards, raises, place)
        if node.function in ("_==_", "_!=_") and node.overload.endswith("(T,T)"):
            sign = "==" if node.function == "_==_" else "!="
            if node.args[0].type.kind in ("bool", "int", "double", "string", "timestamp", "duration"):
                return Value(f"({codes[0]} {sign} {codes[1]})", guards, raises)
        body = self.constant(FUNCTIONS[node.overload].body)
        return Value(f"{body}({', '.join(codes)})", guards, True)

    def argument(self, node: Node, place: Place) -> Value:
        """A part of a strict operator; a condition becomes True, False or None."""
        if node.type == BOOL and isinstance(node, Logic | Has | Cond | Loop | Bind | Call):
            truth = self.truth(node, place)
            return self.nullable(truth.or_none, truth.raises)
        return self.value(node, place)

    def shared_call(
        self, node: Call, codes: list[str], guards: tuple[str, ...], raises: bool, place: Place
    ) -> Value:
        """A call that gives None for undecided, made once for an item if its argument is one of its fields."""
        text = f"{node.function}_or_none({', '.join(codes)})"
        argument = node.args[0]
        owner = argument.operand if isinstance(argument, Field) else None
        if not isinstance(owner, Name) or not self.own(owner, place):
            var = self.fresh("t")
            argument_code = ", ".join(codes)
            memo = f"(({var} := {node.function}_known({argument_code})) is not None or ({var} := {text}) is not None)"
            return Value(var, _once((*guards, memo)), raises)
        key = ("call", self.item_of(owner, place), text)
        if key not in self.known:
            var = self.known[key] = self.fresh("h")
            memo = f"{node.function}_known({', '.join(codes)})"
            self.per_item.append(f"{var} = ({memo} or {text}) if {' and '.join(guards) or 'True'} else None")
        var = self.known[key]
        return Value(var, (f"{var} is not None",))

    def moved(self, node: Call, place: Place) -> Value | None:
        """`now - x <= limit` is `x >= now - limit`, with the right side computed once where the limit is fixed.

        Exact on whole microseconds. Where `now - limit` leaves the calendar, it is before or after every instant.
        """
        if node.function not in _MIRRORED or not isinstance(node.args[0], Call):
            return None
        left, limit = node.args
        if not isinstance(left, Call) or left.overload != "_-_(timestamp,timestamp)" or limit.type != DURATION:
            return None
        first, second = left.args
        if _is_now(first) and not self.reads_now(second, place) and self.fixed(limit, place):
            x, sign, edge = second, _MIRRORED[node.function], "earlier(now, {})"
        elif _is_now(second) and not self.reads_now(first, place) and self.fixed(limit, place):
            x, sign, edge = first, node.function.strip("_"), "later(now, {})"
        else:
            return None
        key = ("edge", id(place.scope), edge, unparse(limit))
        if key not in self.known:
            bound = self.early(lambda: self.value(limit, replace(place, item=None, locals={})))
            if bound.raises:
                return None
            var = self.known[key] = self.fresh("b")
            self.top.append(f"{var} = {Value(edge.format(bound.code), bound.guards).or_none}")
        var = self.known[key]
        moving = self.value(x, place)
        known = isinstance(limit, Const) or (
            is_param(limit) and not any(isinstance(part, Index) for part in walk(limit))
        )
        guards = moving.guards if known else (*moving.guards, f"{var} is not None")
        return Value(f"({moving.code} {sign} {var})", guards, moving.raises)

    def fixed(self, node: Node, place: Place) -> bool:
        """Whether a value is the same for every item and may be computed at the top."""
        return self.at_gate(node, place) and not self.reads_now(node, place)

    def reads_now(self, node: Node, place: Place) -> bool:
        """Whether an expression reads the clock, itself or through lets."""
        for part in walk(node):
            if _is_now(part) or isinstance(part, Chosen):
                return True
            if isinstance(part, Name) and part.role == "let" and self.reads_now(self.let(part, place), place):
                return True
        return False

    def membership(self, node: Call, place: Place) -> Value:
        needle, listing = node.args
        value = self.argument(needle, place)
        if isinstance(listing, ListOf) and all(isinstance(item, Const) for item in listing.items):
            many: Any = tuple(item.value for item in listing.items if isinstance(item, Const))
            held = Value(self.constant(_set_of(many)))
        else:
            held = self.value(listing, place)
            param = self.param(listing, place)
            if param is not None and param.code in self.constants:
                held = Value(self.constant(_set_of(self.constants[param.code])))
        if needle.type.kind not in ("string", "int", "double", "timestamp", "duration", "bool"):
            body = self.constant(FUNCTIONS[node.overload].body)
            return Value(f"{body}({value.code}, {held.code})", _once((*value.guards, *held.guards)), True)
        return Value(
            f"({value.code} in {held.code})", _once((*value.guards, *held.guards)), value.raises or held.raises
        )

    def listed(self, node: Call, place: Place) -> Value | None:
        """`url_in` and `domain_in` with a list of the rule set ask its own memo."""
        if node.function not in ("url_in", "domain_in"):
            return None
        held = self.param(node.args[1], place)
        entries = self.constants.get(held.code) if held is not None else None
        if not isinstance(entries, UrlList):
            return None
        url = self.value(node.args[0], place)
        ask = self.constant(runtime.asker(entries, node.function))
        inner = self.nullable(f"{ask}({url.code})", False)
        return Value(inner.code, (*url.guards, *inner.guards), url.raises)

    def different(self, node: Call, place: Place) -> Value | None:
        """`size(distinct(texts))` is the size of a set."""
        inner = node.args[0]
        if node.overload not in ("size(list<T>)", ".size(list<T>)") or not isinstance(inner, Call):
            return None
        if inner.overload != "distinct(list<T>)" or str(inner.args[0].type) != "list<string>":
            return None
        texts = self.argument(inner.args[0], place)
        return Value(f"len(set({texts.code}))", texts.guards, texts.raises)

    # Lists, maps and macros

    def listing(self, node: ListOf, place: Place) -> Value:
        if all(isinstance(item, Const) for item in node.items):
            return Value(self.constant(tuple(item.value for item in node.items if isinstance(item, Const))))
        items = [self.argument(item, place) for item in node.items]
        guards = _once(tuple(guard for item in items for guard in item.guards))
        return Value(f"({', '.join(item.code for item in items)},)", guards, any(item.raises for item in items))

    def mapping(self, node: MapOf, place: Place) -> Value:
        pairs = [(self.argument(key, place), self.argument(value, place)) for key, value in node.entries]
        guards = _once(tuple(guard for pair in pairs for part in pair for guard in part.guards))
        text = ", ".join(f"({key.code}, {value.code})" for key, value in pairs)
        return Value(f"map_of(({text}{',' if pairs else ''}))", guards, True)

    def elements(self, node: Loop, place: Place) -> tuple[Value, str]:
        """What a macro goes over, and the Python variable of its elements."""
        over = self.value(node.over, place)
        if node.over.type == JSON:
            over = Value(f"json_elements({over.code})", over.guards, True)
        return over, self.fresh("x")

    def loop(self, node: Loop, place: Place) -> Value:
        if node.macro in ("all", "exists"):
            truth = self.quantified(node, place)
            return self.nullable(truth.or_none, truth.raises)
        over, var = self.elements(node, place)
        inner = self.local(place, node.var, var)
        if node.macro == "exists_one":
            body = self.truth(node.body, inner)
            made = self.nullable(f"only_one([{body.or_none} for {var} in {over.code}])", over.raises or body.raises)
        elif node.macro == "filter":
            body = self.truth(node.body, inner)
            made = self.nullable(
                f"kept([({var}, {body.or_none}) for {var} in {over.code}])", over.raises or body.raises
            )
        else:
            made = self.mapped(node, over, var, inner)
        return Value(made.code, (*over.guards, *made.guards), made.raises)

    def mapped(self, node: Loop, over: Value, var: str, inner: Place) -> Value:
        body = self.argument(node.body, inner)
        if node.keep is None:
            text = f"{_known(node.body)}([{body.or_none} for {var} in {over.code}])"
            return self.nullable(text, over.raises or body.raises)
        keep = self.truth(node.keep, inner)
        one = f"(({body.or_none},) if {keep.yes} else () if {keep.no} else (None,))"
        return self.nullable(f"known_in([{one} for {var} in {over.code}])", over.raises or body.raises or keep.raises)

    def bind(self, node: Bind, place: Place) -> tuple[str, str]:
        """The variable of a cel.bind, and a truthy expression that gives it its value."""
        value = self.argument(node.value, place)
        var = self.fresh("x")
        return var, f"(({var} := {value.or_none}),)"

    def local(self, place: Place, name: str, var: str) -> Place:
        return replace(place, locals={**place.locals, name: var})

    # Lets, and what is the same for every item

    def let(self, node: Name, place: Place) -> Node:
        return place.scope.contract.lets[node.name].body

    def let_place(self, place: Place) -> Place:
        return replace(place, locals={})

    def grow(self) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise NotCompiled("a rule that grows too large")

    def worth_hoisting(self, node: Node) -> bool:
        if isinstance(node, Field):
            return not (isinstance(node.operand, Name) and node.operand.role == "fact") and not is_param(node)
        return isinstance(node, Index | Call | Cond | ListOf | MapOf | Loop | Bind)

    def at_gate(self, node: Node, place: Place) -> bool:
        """Whether an expression reads nothing of an item, a macro variable or the admitted items."""
        key = id(node)
        if key not in self._moving:
            self._moving[key] = self.reads_nothing_moving(node, place)
        return self._moving[key]

    def reads_nothing_moving(self, node: Node, place: Place) -> bool:
        bound = {part.var for part in walk(node) if isinstance(part, Loop | Bind)}
        for part in walk(node):
            if isinstance(part, Chosen):
                return False
            if isinstance(part, Name):
                if part.role in ("item", "admitted") or (part.role == "local" and part.name not in bound):
                    return False
                if part.role == "let" and not self.at_gate(place.scope.contract.lets[part.name].body, place):
                    return False
        return True


_MIRRORED = {"_<=_": ">=", "_<_": ">", "_>=_": "<=", "_>_": "<"}
"""The sign after both sides of `now - x ? limit` are turned round."""


def _ordering(type_: Type) -> dict[tuple[str, ...], tuple[str, bool]]:
    return {(f"_{sign}_({type_},{type_})",): (f"({{0}} {sign} {{1}})", False) for sign in ("<", "<=", ">", ">=")}


_INLINE: dict[tuple[str, ...], tuple[str, bool]] = {
    **{
        key: text
        for type_ in (INT, DOUBLE, STRING, TIMESTAMP, DURATION, BOOL)
        for key, text in _ordering(type_).items()
    },
    ("_+_(int,int)",): ("whole({0} + {1})", True),
    ("_-_(int,int)",): ("whole({0} - {1})", True),
    ("_*_(int,int)",): ("whole({0} * {1})", True),
    ("_+_(double,double)",): ("finite({0} + {1})", True),
    ("_-_(double,double)",): ("finite({0} - {1})", True),
    ("_*_(double,double)",): ("finite({0} * {1})", True),
    ("_+_(string,string)",): ("({0} + {1})", False),
    ("_+_(timestamp,duration)",): ("({0} + {1})", True),
    ("_+_(duration,timestamp)",): ("({0} + {1})", True),
    ("_-_(timestamp,duration)",): ("({0} - {1})", True),
    ("_-_(timestamp,timestamp)",): ("({0} - {1})", False),
    ("_+_(duration,duration)",): ("lasting({0} + {1})", True),
    ("_-_(duration,duration)",): ("lasting({0} - {1})", True),
    ("_+_(list<T>,list<T>)",): ("({0} + {1})", False),
    ("size(string)",): ("len({0})", False),
    (".size(string)",): ("len({0})", False),
    ("size(list<T>)",): ("len({0})", False),
    (".size(list<T>)",): ("len({0})", False),
    ("size(map<K, V>)",): ("len({0})", False),
    (".size(map<K, V>)",): ("len({0})", False),
    (".contains(string,string)",): ("({1} in {0})", False),
    (".startsWith(string,string)",): ("{0}.startswith({1})", False),
    (".endsWith(string,string)",): ("{0}.endswith({1})", False),
    ("distinct(list<T>)", "list<string>"): ("tuple(dict.fromkeys({0}))", False),
    ("double(int)",): ("float({0})", False),
    ("double(double)",): ("{0}", False),
    ("string(string)",): ("{0}", False),
}
"""Overloads that are written out: their text, and whether it can raise."""


def _attribute(owner: Node, name: str) -> str:
    return runtime.attribute_of(owner.type.name, name)


def _is_now(node: Node) -> bool:
    return isinstance(node, Name) and node.role == "now"


def _known(body: Node) -> str:
    """The function that makes a list of a macro's results: text and numbers can be asked for None at once."""
    return "known_texts" if body.type.kind in ("string", "int", "double", "bool") else "known"


def _starts(text: str, prefixes: tuple[str, ...]) -> str:
    """A test whether the text in a variable starts with one of some prefixes.

    Exactly what starts with `ab` lies from `ab` to before `ac` in the order of code points; two comparisons cost a
    third of a call.
    """
    if not text.isidentifier() or len(prefixes) > 4 or not all(p and p[-1] < chr(0x10FFFF) for p in prefixes):
        return f"{text}.startswith({prefixes!r})"
    ranges = [(prefix, prefix[:-1] + chr(ord(prefix[-1]) + 1)) for prefix in sorted(prefixes, reverse=True)]
    return "(" + " or ".join(f"{first!r} <= {text} < {end!r}" for first, end in ranges) + ")"


def _once(guards: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(guards))


def _set_of(many: Any) -> Any:
    """A frozenset of what can be hashed; bools stay a tuple, since True equals 1 in a set."""
    if isinstance(many, tuple) and all(type(item) in (str, int, float) for item in many):
        return frozenset(many)
    return many
