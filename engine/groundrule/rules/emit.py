"""Checked expressions to Python text.

A condition becomes two Python expressions: `yes`, truthy exactly if it is true, and `no`, truthy exactly if it is
false; if neither is, it is undecided. A value becomes `code` under `guards`: where all guards are truthy the code is
the value, else the value is undecided. None stands for what is absent and never reaches an operator. Whatever else can go
wrong (overflow, division by zero, a bad conversion) raises, and the caller asks the interpreter instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from ..facts.gates import Gate
from . import emit_calls, emit_reads, runtime
from .declare import FUNCTIONS
from .fragments import Fusion, NotCompiled, Place, Truth, Value, once
from .inline import gatherer, starts
from .param_values import is_param
from .program import Program
from .syntax import Bind, Call, Chosen, Cond, Const, Field, Has, Index, ListOf, Logic, Loop, MapOf, Name, Node, walk
from .types import BOOL, JSON
from .unparse import unparse

MAX_NODES = 20_000
"""Nodes that one rule may grow to when its lets are written out; a larger one is interpreted."""
Made = TypeVar("Made")


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
        test = starts(value.code, prefixes)
        return [Truth(f"({lead}{test})", f"({lead}not {test})", value.raises, guards or "True")]

    def has(self, node: Has, place: Place) -> Truth:
        if isinstance(node.operand, Chosen):
            made, value = emit_reads.of_choice(self, node.operand, node.name, place)
            return Truth(f"({value} is not None)", f"({made} is False)")
        owner = self.value(node.operand, place)
        lead = "".join(f"{guard} and " for guard in owner.guards)
        if runtime.is_fact(node.operand.type):
            read = emit_reads.read(self, node.operand, node.name, place) or f"{owner.code}[{emit_reads.attribute_name(node.operand, node.name)!r}]"
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
                return emit_reads.of_name(self, node, place)
            case Field():
                return emit_reads.of_field(self, node, place)
            case Index():
                return emit_reads.of_index(self, node, place)
            case Call() if node.type != BOOL or node.overload in FUNCTIONS:
                return emit_calls.call(self, node, place)
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
        known = f"{gatherer(node.body)}({many})"
        if gatherer(node.body) == "known_texts":
            known = f"(tuple({many}) if all({many}) or None not in {many} else None)"
        return f"{known} if {emit_reads.of_variable(self, 'evidence')} is not None else None"

    def nullable(self, text: str, raises: bool) -> Value:
        """A value that is None where it is undecided."""
        var = self.fresh("t")
        return Value(var, (f"({var} := {text}) is not None",), raises)

    def not_compiled(self, why: str) -> Value:
        raise NotCompiled(why)

    # Calls

    def argument(self, node: Node, place: Place) -> Value:
        """A part of a strict operator; a condition becomes True, False or None."""
        if node.type == BOOL and isinstance(node, Logic | Has | Cond | Loop | Bind | Call):
            truth = self.truth(node, place)
            return self.nullable(truth.or_none, truth.raises)
        return self.value(node, place)

    # Lists, maps and macros

    def listing(self, node: ListOf, place: Place) -> Value:
        if all(isinstance(item, Const) for item in node.items):
            return Value(self.constant(tuple(item.value for item in node.items if isinstance(item, Const))))
        items = [self.argument(item, place) for item in node.items]
        guards = once(tuple(guard for item in items for guard in item.guards))
        return Value(f"({', '.join(item.code for item in items)},)", guards, any(item.raises for item in items))

    def mapping(self, node: MapOf, place: Place) -> Value:
        pairs = [(self.argument(key, place), self.argument(value, place)) for key, value in node.entries]
        guards = once(tuple(guard for pair in pairs for part in pair for guard in part.guards))
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
            text = f"{gatherer(node.body)}([{body.or_none} for {var} in {over.code}])"
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
