"""What compiled text reads: names, fields, params, elements and choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from . import runtime
from .fragments import NotCompiled, Place, Value, once
from .syntax import Chosen, Field, Index, Name, Node
from .types import JSON
from .vocabulary import attribute

if TYPE_CHECKING:
    from .emit import Emitter


def attribute_name(owner: Node, name: str) -> str:
    return runtime.attribute_of(owner.type.name, name)


def of_name(emit: Emitter, node: Name, place: Place) -> Value:
    match node.role:
        case "now":
            return Value("now")
        case "item":
            return Value(place.item_var) if node.name == place.item else emit.not_compiled("an item elsewhere")
        case "local":
            var = place.locals[node.name]
            return Value(var, (f"{var} is not None",))
        case "fact":
            var = of_variable(emit, node.name)
            return Value(var, (f"{var} is not None",))
        case "let":
            return emit.value(emit.let(node, place), emit.let_place(place))
        case "params":
            return Value(emit.constant(place.scope.params))
        case "shared":
            return Value(emit.constant(emit.program.shared))
        case "admitted" if emit.admitted_ready:
            return Value("admitted", ("admitted is not None",))
    raise NotCompiled(node.role)


def of_variable(emit: Emitter, name: str) -> str:
    """A variable of the gate, read once at the top."""
    key = ("variable", name)
    if key not in emit.known:
        var = emit.known[key] = emit.fresh("v")
        emit.top.append(f"{var} = facts[{attribute(emit.gate.facts, name)!r}]")
    return emit.known[key]


def read(emit: Emitter, operand: Node, name: str, place: Place) -> str | None:
    """The variable that holds a field of a gate variable or of the item; None for other records."""
    if isinstance(operand, Name) and operand.role == "fact":
        owner = of_variable(emit, operand.name)
        key: tuple[str, ...] = ("field", owner, name)
        lines = emit.top
        text = f"{owner}[{attribute_name(operand, name)!r}] if {owner} is not None else None"
    elif isinstance(operand, Name) and own(emit, operand, place):
        item = item_of(emit, operand, place)
        key, lines = ("field", item, name), emit.per_item
        text = f"{item}[{attribute_name(operand, name)!r}]"
    else:
        return None
    if key not in emit.known:
        emit.known[key] = emit.fresh("f")
        lines.append(f"{emit.known[key]} = {text}")
    return emit.known[key]


def own(emit: Emitter, node: Name, place: Place) -> bool:
    """Whether a name is the item of the loop whose reads are being gathered."""
    if node.role == "item":
        return node.name == place.item
    return node.role == "local" and place.locals.get(node.name) == emit.fusion.item


def item_of(emit: Emitter, node: Name, place: Place) -> str:
    """The Python variable of such a name."""
    return place.item_var if node.role == "item" else emit.fusion.item


def of_field(emit: Emitter, node: Field, place: Place) -> Value:
    if isinstance(node.operand, Chosen):
        _, var = of_choice(emit, node.operand, node.name, place)
        return Value(var, (f"{var} is not None",)) if var.isidentifier() else emit.nullable(var, False)
    param = of_param(emit, node, place)
    if param is not None:
        return param
    if runtime.is_fact(node.operand.type):
        held = read(emit, node.operand, node.name, place)
        if held is not None:
            return Value(held, (f"{held} is not None",))
        owner = emit.value(node.operand, place)
        inner = emit.nullable(f"{owner.code}[{attribute_name(node.operand, node.name)!r}]", owner.raises)
        return Value(inner.code, (*owner.guards, *inner.guards), owner.raises)
    owner = emit.value(node.operand, place)
    get = "json_get" if node.operand.type in (JSON,) or node.operand.type.name == "chosen" else "map_get"
    inner = emit.nullable(f"{get}({owner.code}, {node.name!r})", True)
    return Value(inner.code, (*owner.guards, *inner.guards), True)


def of_param(emit: Emitter, node: Node, place: Place) -> Value | None:
    """A param that is a constant of the program."""
    names: list[str] = []
    while isinstance(node, Field):
        names.append(node.name)
        node = node.operand
    if not isinstance(node, Name) or node.role not in ("params", "shared"):
        return None
    tree: Any = place.scope.params if node.role == "params" else emit.program.shared
    for name in reversed(names):
        if not isinstance(tree, Mapping) or name not in tree:
            return Value("None", ("False",))
        tree = tree[name]
    return Value(emit.constant(tree))


def of_choice(emit: Emitter, chosen: Chosen, name: str, place: Place) -> tuple[str, str]:
    """The variables that say whether a choice was made, and its value."""
    own = isinstance(chosen.item, Name) and chosen.item.role == "item" and chosen.item.name == place.item
    if chosen.item is not None and own and name in emit.item_choices:
        return f"{emit.item_choices[name]}_made", emit.item_choices[name]
    if chosen.item is None and ("choice", name) in emit.known:
        var = emit.known["choice", name]
        return f"{var}_made", var
    if name not in emit.program.choices:
        return "False", "None"
    if isinstance(chosen.item, Name) and chosen.item.role == "local" and emit.admitted_ready:
        item = place.locals[chosen.item.name]
        kept = f"{kept_choice(emit, name)}[id({item})]"
        return f"({kept}[0] if {item} is not None else None)", f"({kept}[1] if {item} is not None else None)"
    raise NotCompiled("a choice that is not made yet")


def kept_choice(emit: Emitter, name: str) -> str:
    """The variable with what the loop over the evidence keeps of a choice: by identity of the item, made and value."""
    key = ("kept", name)
    if key not in emit.known:
        many, var = emit.known.setdefault(key, emit.fresh("m")), emit.known["choice", name]
        emit.fusion.start.append(f"{many} = {{}}")
        emit.fusion.steps.append(f"{many}[id({emit.fusion.item})] = {var}_made, {var}")
    return emit.known[key]


def of_index(emit: Emitter, node: Index, place: Place) -> Value:
    owner, index = emit.value(node.operand, place), emit.value(node.index, place)
    guards = (*owner.guards, *index.guards)
    if node.operand.type == JSON:
        inner = emit.nullable(f"json_get({owner.code}, {index.code})", True)
    elif node.operand.type.kind == "list":
        inner = emit.nullable(f"list_get({owner.code}, {index.code})", False)
    else:
        inner = emit.nullable(f"{owner.code}.get({index.code})", False)
    return Value(
        inner.code, once((*guards, *inner.guards)), owner.raises or index.raises or node.operand.type == JSON
    )
