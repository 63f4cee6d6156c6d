"""Calls of functions and operators, checked: which overload is meant, and what is wrong with the arguments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .. import codes
from ..diagnostics import did_you_mean
from ..facts.words import WORDS
from . import functions
from .declare import BY_NAME, FUNCTIONS, Undecided, resolve
from .expression import MACROS
from .param_values import is_param, param_values
from .syntax import Call, Const, ListOf, Node
from .types import DOUBLE, INT, UNKNOWN, Type, list_of
from .web import NAMED_LIST

if TYPE_CHECKING:
    from .check import Checker

COMPARISONS = {"_==_": "compared", "_!=_": "compared", "_<_": "compared", "_<=_": "compared", "_>_": "compared"}
COMPARISONS |= {"_>=_": "compared", "_in_": "looked up in one another"}


def call(checker: Checker, node: Call) -> Node:
    """The checked call. A call on constants comes back as its value."""
    args = [checker.node(arg) for arg in node.args]
    if (node.function, node.method) not in BY_NAME:
        return unknown_function(checker, node, args)
    if any(arg.type == UNKNOWN for arg in args):
        return replace(node, args=tuple(args), type=certain(checker, node))
    args = coerced(checker, node, args)
    found = resolve(node.function, node.method, tuple(arg.type for arg in args))
    if found is None:
        no_overload(checker, node, args)
        return replace(node, args=tuple(args), type=certain(checker, node))
    function, result = found
    enum_values(checker, node, args)
    if function.name in ("_==_", "_!=_", "_in_", "distinct") and any(_opaque(arg.type) for arg in args):
        opaque = next(arg.type for arg in args if _opaque(arg.type))
        checker.fault(codes.NOT_COMPARABLE, node, type=opaque)
    if function.name == "matches":
        pattern(checker, args[1])
    if function.name in ("domain_in", "url_in") and not (is_param(args[1]) or isinstance(args[1], ListOf)):
        checker.fault(codes.LIST_NAME_EXPECTED, args[1], name=function.name)
    checked = replace(node, args=tuple(args), overload=function.overload, type=result)
    return folded(checker, checked)


def certain(checker: Checker, node: Call) -> Type:
    """The result type that all overloads share, so that a fault in an argument hides no other."""
    results = {entry.result for entry in BY_NAME[node.function, node.method]}
    return results.pop() if len(results) == 1 else UNKNOWN


def unknown_function(checker: Checker, node: Call, args: list[Node]) -> Node:
    name, shown = node.function, f"{node.function}()"
    other = (name, not node.method) in BY_NAME
    if other and node.method:
        help = f"write `{name}({', '.join(text_of(arg) for arg in node.args)})`"
    elif other:
        help = f"write `{text_of(node.args[0])}.{name}(…)`" if node.args else ""
    elif name in MACROS:
        help = f"write `{MACROS[name]}`"
    else:
        words = {key for key, method in BY_NAME if key[0].isalpha()} | set(MACROS) | {"has"}
        help = did_you_mean(name, words) if len(words) > 12 else ""
    checker.fault(codes.UNKNOWN_FUNCTION, node, help, name=shown)
    return replace(node, args=tuple(args))


def coerced(checker: Checker, node: Call, args: list[Node]) -> list[Node]:
    """Int literals and int params that stand beside a double, or where a double is wanted, as doubles."""
    operator = node.function.startswith("_")
    if node.function == "_in_" and args[1].type == list_of(DOUBLE) and args[0].type == INT:
        return [as_double(args[0]), args[1]]
    if node.function == "_in_" and args[0].type == DOUBLE and args[1].type == list_of(INT):
        return [args[0], as_doubles(args[1])]
    if operator and {INT, DOUBLE} == {arg.type for arg in args}:
        return [as_double(arg) for arg in args]
    if not operator and resolve(node.function, node.method, tuple(arg.type for arg in args)) is None:
        wanted = [as_double(arg) for arg in args]
        if resolve(node.function, node.method, tuple(arg.type for arg in wanted)) is not None:
            return wanted
    return args


def no_overload(checker: Checker, node: Call, args: list[Node]) -> None:
    name, types = node.function, [arg.type for arg in args]
    operator = name.strip("_")
    if name.startswith("_") and set(types) == {INT, DOUBLE}:
        checker.fault(codes.MIXED_NUMBERS, node, operator=operator)
    elif name in COMPARISONS:
        left, right = types
        help = f"{left} has no order" if left == right else _hint(left, right)
        checker.fault(codes.MIXED_TYPES, node, help, left=left, right=right, verb=COMPARISONS[name])
    elif name.startswith("_"):
        verb = {"+": "added", "-": "subtracted", "*": "multiplied", "/": "divided", "%": "divided"}[operator]
        checker.fault(codes.MIXED_TYPES, node, _hint(*types), left=types[0], right=types[1], verb=verb)
    else:
        given = " and ".join(str(type_) for type_ in types) or "nothing"
        forms = ", ".join(f"`{entry.signature}`" for entry in BY_NAME[name, node.method][:6])
        checker.fault(codes.NO_OVERLOAD, node, f"it is {forms}", name=operator or name, given=given)


def enum_values(checker: Checker, node: Call, args: list[Node]) -> None:
    """A literal that is compared with an enum is one of its values."""
    if node.function not in ("_==_", "_!=_", "_in_"):
        return
    for first, second in (args, args[::-1]):
        words = first.type.words or (first.type.args[0].words if first.type.kind == "list" else "")
        literals = second.items if isinstance(second, ListOf) else (second,)
        for literal in literals if words else ():
            if isinstance(literal, Const) and isinstance(literal.value, str) and literal.value not in WORDS[words]:
                help = did_you_mean(literal.value, WORDS[words])
                checker.fault(codes.UNKNOWN_ENUM, literal, help, value=literal.value, words=words)


def pattern(checker: Checker, node: Node) -> None:
    if isinstance(node, Const):
        patterns: Iterable[Any] = [node.value]
    elif is_param(node, checker.param_locals):
        patterns = param_values(node, checker.names.param_trees, checker.param_locals)
    else:
        checker.fault(codes.PATTERN_NOT_CONSTANT, node)
        return
    for pattern in patterns:
        if not isinstance(pattern, str):
            continue
        try:
            functions.regex(pattern)
        except Undecided as why:
            checker.fault(codes.BAD_PATTERN, node, problem=str(why).partition(": ")[2] or str(why))


def folded(checker: Checker, node: Call) -> Node:
    """A call on constants is its value; if it has none, the rule could never be met."""
    if not node.args or not all(isinstance(arg, Const) for arg in node.args):
        return node
    values = [arg.value for arg in node.args if isinstance(arg, Const)]
    try:
        value = FUNCTIONS[node.overload].body(*values)
    except Undecided as why:
        checker.fault(codes.BAD_CONSTANT, node, problem=str(why))
        return node
    return Const(span=node.span, type=node.type, value=value)


def _opaque(type_: Type) -> bool:
    return type_.kind == "record" or type_ == NAMED_LIST or any(_opaque(arg) for arg in type_.args)


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


def as_double(node: Node) -> Node:
    """An int literal or an int param as the double that it is beside doubles."""
    if node.type != INT:
        return node
    if isinstance(node, Const):
        return replace(node, value=float(node.value), type=DOUBLE)
    if is_param(node):
        return Call(span=node.span, type=DOUBLE, function="double", args=(node,), overload="double(int)")
    return node


def as_doubles(node: Node) -> Node:
    if isinstance(node, ListOf):
        return replace(node, items=tuple(as_double(item) for item in node.items), type=list_of(DOUBLE))
    return node


def text_of(node: Node) -> str:
    """What the author wrote, if it is short."""
    text = node.span.source.text[node.span.start : node.span.end]
    return text if len(text) <= 60 else "…"
