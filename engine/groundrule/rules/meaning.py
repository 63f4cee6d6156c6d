"""What an expression means: the reference, slow and obvious.

A node in an environment has a value, or raises Undecided. Only `&&`, `||`, `all` and `exists` look on when a part is
undecided; `?:` and the loops leave parts out; everything else hands the exception on.

Values are bool, int, float, str, datetime, timedelta, tuples for lists, mappings for maps and free-form JSON, frozen
records, and the compiled lists of hosts. None is what is absent, also inside free-form JSON: no evaluation hands it
out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from ..facts.record import Record
from .declare import Undecided
from .operators import same
from .program import Scope
from .syntax import Bind, Call, Chosen, Cond, Const, Field, Has, Index, ListOf, Logic, Loop, MapOf, Name, Node
from .types import Type
from .unparse import unparse
from .vocabulary import attribute

Watch = Callable[[Node, Any], None]
"""Told about each node that was evaluated, and its value, or the Undecided that it raised."""


class World(Protocol):
    """What the names of an expression stand for."""

    def variable(self, name: str) -> Any:
        """A variable of the gate; None if it is absent."""

    def instant(self) -> Any:
        """`now`."""

    def shared(self) -> Mapping[str, Any]:
        """The params that several contracts share."""

    def let(self, name: str, env: Env) -> Any:
        """The value of a named expression of the contract in whose scope `env` is."""

    def choice(self, name: str, item: Any) -> Any:
        """The value of a choice, for an item if it is made per item; None if it was not made."""

    def admitted(self) -> tuple[Any, ...] | None:
        """The admitted items; None if the evidence is absent."""

    def apply(self, call: Call, args: tuple[Any, ...]) -> Any:
        """The result of a function, method or operator."""


_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Env(NamedTuple):
    """Where an expression stands: the contract, the item of the `each`, the variables of the macros around it.

    A local may be an Undecided, which is raised when the local is read.
    """

    world: World
    scope: Scope | None = None
    items: Mapping[str, Any] = _NOTHING
    locals: Mapping[str, Any] = _NOTHING
    watch: Watch | None = None


def evaluate(node: Node, env: Env) -> Any:
    """The value of an expression. Raises Undecided, whose text says why."""
    try:
        value = _settled(_MEANINGS[type(node)](node, env), node.type)
    except Undecided as why:
        if env.watch is not None:
            env.watch(node, why)
        raise
    if env.watch is not None:
        env.watch(node, value)
    return value


def truth(node: Node, env: Env) -> bool:
    """The value of a condition."""
    value = evaluate(node, env)
    if not isinstance(value, bool):
        raise Undecided("{what} is neither true nor false", what=text_of(node))
    return value


def asking(node: Node, env: Env) -> Callable[[], bool]:
    """The condition as a question that is not asked yet."""
    return lambda: truth(node, env)


def kleene(decisive: bool, questions: Iterable[Callable[[], bool]]) -> bool:
    """`decisive` if one answer is; else undecided if one answer is; else the opposite.

    With `decisive` false it is `&&` and `all`, with true `||` and `exists`, whatever the order.
    """
    undecided: Undecided | None = None
    for question in questions:
        try:
            if question() is decisive:
                return decisive
        except Undecided as why:
            undecided = undecided or why
    if undecided is not None:
        raise undecided
    return not decisive


def decided(value: Any) -> Any:
    """A value that was kept, or the Undecided that was kept in its place, raised anew."""
    if isinstance(value, Undecided):
        raise Undecided(value.reason)
    return value


def text_of(node: Node) -> str:
    """The source text of a node, on one line; its canonical text where escapes of YAML hide its places."""
    return " ".join(node.span.source.text[node.span.start : node.span.end].split()) or unparse(node)


def _settled(value: Any, type_: Type) -> Any:
    """Ints of params that stand beside doubles become doubles."""
    if type_.kind == "double" and type(value) is int:
        return float(value)
    if type_.kind == "list" and isinstance(value, tuple) and "double" in str(type_):
        return tuple(_settled(element, type_.args[0]) for element in value)
    if type_.kind == "map" and isinstance(value, Mapping) and "double" in str(type_):
        return {key: _settled(inner, type_.args[1]) for key, inner in value.items()}
    return value


def _present(value: Any, node: Node) -> Any:
    if value is None:
        raise Undecided("{what} is absent", what=text_of(node))
    return value


def _const(node: Const, env: Env) -> Any:
    return node.value


def _name(node: Name, env: Env) -> Any:
    return _present(_lookup(node, env), node)


def _lookup(node: Name, env: Env) -> Any:
    match node.role:
        case "fact":
            return env.world.variable(node.name)
        case "now":
            return env.world.instant()
        case "params":
            return None if env.scope is None else env.scope.params
        case "shared":
            return env.world.shared()
        case "let":
            return env.world.let(node.name, env)
        case "item":
            return env.items.get(node.name)
        case "admitted":
            return env.world.admitted()
        case "local":
            value = env.locals[node.name]
            return decided(value)
    raise ValueError(f"a name without meaning: {node.name} ({node.role})")


def _field(node: Field, env: Env) -> Any:
    if isinstance(node.operand, Chosen):
        return _present(_choice(node.operand, node.name, env), node)
    operand = evaluate(node.operand, env)
    if not _holds(operand, node.name, node.operand):
        raise Undecided("{what} is absent", what=text_of(node))
    return _present(_member(operand, node.name), node)


def _has(node: Has, env: Env) -> bool:
    if isinstance(node.operand, Chosen):
        return _choice(node.operand, node.name, env) is not None
    operand = evaluate(node.operand, env)
    if not _holds(operand, node.name, node.operand):
        return False
    return _member(operand, node.name) is not None


def _holds(operand: Any, name: str, node: Node) -> bool:
    """Whether there is such a field or key, be it null."""
    if isinstance(operand, Record):
        return True
    if isinstance(operand, Mapping):
        return name in operand
    raise Undecided("{what} is no object", what=text_of(node))


def _member(operand: Any, name: str) -> Any:
    return getattr(operand, attribute(type(operand), name)) if isinstance(operand, Record) else operand[name]


def _choice(node: Chosen, name: str, env: Env) -> Any:
    return env.world.choice(name, None if node.item is None else evaluate(node.item, env))


def _index(node: Index, env: Env) -> Any:
    operand, index = evaluate(node.operand, env), evaluate(node.index, env)
    if isinstance(operand, tuple):
        return _present(operand[_place(index, len(operand))], node)
    if isinstance(operand, Mapping):
        for key, value in operand.items():
            if same(key, index):
                return _present(value, node)
        raise Undecided("{what} has no such key", what=text_of(node.operand))
    raise Undecided("{what} is neither a list nor a map", what=text_of(node.operand))


def _place(index: Any, length: int) -> int:
    if isinstance(index, bool) or not isinstance(index, (int, float)) or index != int(index):
        raise Undecided("a list index that is no int")
    if not 0 <= index < length:
        raise Undecided("index {index} is out of range", index=int(index))
    return int(index)


def _call(node: Call, env: Env) -> Any:
    return env.world.apply(node, tuple([evaluate(arg, env) for arg in node.args]))


def _logic(node: Logic, env: Env) -> bool:
    return kleene(node.word == "or", (asking(arg, env) for arg in node.args))


def _cond(node: Cond, env: Env) -> Any:
    return evaluate(node.yes if truth(node.test, env) else node.no, env)


def _list(node: ListOf, env: Env) -> tuple[Any, ...]:
    return tuple([evaluate(item, env) for item in node.items])


def _map(node: MapOf, env: Env) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for key_node, value_node in node.entries:
        key, value = evaluate(key_node, env), evaluate(value_node, env)
        if not isinstance(key, (str, int)):
            raise Undecided("{what} cannot be a key", what=text_of(key_node))
        if key in found:
            raise Undecided("the key {what} stands twice", what=text_of(key_node))
        found[key] = value
    return found


def _loop(node: Loop, env: Env) -> Any:
    turns = ((element, _with(env, node.var, element)) for element in _elements(node.over, env))
    match node.macro:
        case "all" | "exists":
            return kleene(node.macro == "exists", (asking(node.body, turn) for _, turn in turns))
        case "exists_one":
            return [truth(node.body, turn) for _, turn in turns].count(True) == 1
        case "filter":
            return tuple([element for element, turn in turns if truth(node.body, turn)])
        case "map":
            return tuple([evaluate(node.body, turn) for _, turn in turns if _kept(node, turn)])
    raise ValueError(f"an unknown macro: {node.macro}")


def _kept(node: Loop, turn: Env) -> bool:
    return node.keep is None or truth(node.keep, turn)


def _elements(node: Node, env: Env) -> tuple[Any, ...]:
    over = evaluate(node, env)
    if isinstance(over, tuple):
        return over
    if isinstance(over, Mapping):
        return tuple(key for key, value in over.items() if value is not None)
    raise Undecided("{what} is neither a list nor a map", what=text_of(node))


def _bind(node: Bind, env: Env) -> Any:
    try:
        value = evaluate(node.value, env)
    except Undecided as why:
        # As in CEL, a name that is bound to something undecided matters only where it is read.
        value = why
    return evaluate(node.body, _with(env, node.var, value))


def _with(env: Env, name: str, value: Any) -> Env:
    return env._replace(locals={**env.locals, name: value})


_MEANINGS: dict[type[Node], Callable[..., Any]] = {
    Const: _const,
    Name: _name,
    Field: _field,
    Has: _has,
    Index: _index,
    Call: _call,
    Logic: _logic,
    Cond: _cond,
    ListOf: _list,
    MapOf: _map,
    Loop: _loop,
    Bind: _bind,
}
