"""One expression without a gate: plain CEL on dynamic values.

Of the deliberate differences from CEL (docs/rules.md), four do not hold here, since no gate's types and no facts are
involved: null exists, values of different types are unequal rather than undecided, times have nanoseconds, and lists
and maps may mix types. The interpreter of rules knows none of that; so this walks the unchecked tree on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .. import codes
from ..diagnostics import Diagnostic, RuleFileError, Snippet, Source, did_you_mean
from .bare_functions import FORMS, call
from .bare_values import (
    MAX_STEPS,
    TYPE_NAMES,
    Budget,
    Entries,
    Exhausted,
    admit,
    kind,
    measured,
    shown,
    to_json,
)
from .declare import Undecided
from .expression import parse
from .operators import finite
from .syntax import Bind, Call, Cond, Const, Field, Has, Index, ListOf, Logic, Loop, MapOf, Name, Node, walk
from .tokens import ExpressionError

__all__ = ["BareResult", "evaluate_bare", "to_json"]


@dataclass(frozen=True, slots=True)
class BareResult:
    """What an expression came to: a value and its type, or, if it is undecided, the reason why.

    value: None, bool, int, float, str, bytes, tuple, Entries (a mapping), Instant, Span or TypeName; `to_json` makes
    plain JSON of it. type: null, bool, int, double, string, bytes, list, map, timestamp, duration, type or undecided.
    """

    value: Any
    type: str
    undecided: str = ""


def evaluate_bare(text: str, variables: Mapping[str, object]) -> BareResult:
    """The value of a CEL expression over variables of JSON, bytes, aware datetimes and timedeltas.

    Whatever fails while it is evaluated makes it undecided, as does data that CEL cannot hold. Raises RuleFileError if
    the text is no expression of the profile, or reads a variable or calls a function that does not exist.
    """
    snippet = Snippet.whole(Source("<expression>", text))
    try:
        node = parse(snippet, bare=True)
    except ExpressionError as found:
        raise RuleFileError([found.diagnostic]) from None
    faults = _faults(node, frozenset(variables))
    if faults:
        raise RuleFileError(faults)
    budget = Budget()
    try:
        value = _evaluate(node, _names(node, variables, budget), budget)
        measured(value, budget)
    except Undecided as why:
        return BareResult(None, "undecided", str(why))
    except Exhausted:
        return BareResult(None, "undecided", f"more than {MAX_STEPS:,} steps")
    return BareResult(value, kind(value))


def _faults(root: Node, variables: frozenset[str]) -> list[Diagnostic]:
    """Names and functions that do not exist."""
    found: list[Diagnostic] = []
    pending: list[tuple[Node, frozenset[str]]] = [(root, variables)]
    while pending:
        node, known = pending.pop()
        if isinstance(node, Name) and node.name not in known and node.name not in TYPE_NAMES:
            advice = did_you_mean(node.name, known)
            found.append(codes.UNKNOWN_NAME.at(node.span, help=advice, name=node.name))
        if isinstance(node, Call) and node.method not in FORMS.get(node.function, ()):
            found.append(_unknown_function(node))
        inner = known | {node.var} if isinstance(node, (Loop, Bind)) else known
        outside = node.over if isinstance(node, Loop) else node.value if isinstance(node, Bind) else None
        pending.extend((child, known if child is outside else inner) for child in node.children())
    return found


def _unknown_function(node: Call) -> Diagnostic:
    if node.function in FORMS:
        form = f"{node.function}(…)" if node.method else f"value.{node.function}(…)"
        return codes.UNKNOWN_FUNCTION.at(node.span, help=f"write `{form}`", name=node.function)
    words = [name for name, forms in FORMS.items() if node.method in forms and not name.endswith("_")]
    return codes.UNKNOWN_FUNCTION.at(node.span, help=did_you_mean(node.function, words), name=node.function)


Names = Mapping[str, Any]
"""The values that an expression sees. An Undecided among them is raised where its name is read, not before."""


def _names(root: Node, variables: Mapping[str, object], budget: Budget) -> Names:
    """The types, and of the variables those that the expression names."""
    names: dict[str, Any] = dict(TYPE_NAMES)
    for node in walk(root):
        if isinstance(node, Name) and node.name in variables:
            names[node.name] = _outcome(lambda name: admit(variables[name], budget), node.name)
    return names


def _outcome(compute: Callable[[Any], Any], about: Any) -> Any:
    """A value, or the Undecided that it came to."""
    try:
        return compute(about)
    except Undecided as why:
        return why


def _evaluate(node: Node, names: Names, budget: Budget) -> Any:
    budget.charge()
    match node:
        case Const():
            return finite(node.value) if isinstance(node.value, float) else node.value
        case Name():
            return _settled(names[node.name])
        case Field():
            return _member(_evaluate(node.operand, names, budget), node.name)
        case Has():
            return node.name in _entries(_evaluate(node.operand, names, budget))
        case Index():
            return _element(_evaluate(node.operand, names, budget), _evaluate(node.index, names, budget))
        case Call():
            args = tuple(_evaluate(arg, names, budget) for arg in node.args)
            return call(node.function, node.method, args, budget)
        case Logic():
            return _joined(node.word == "or", ((arg, names) for arg in node.args), budget)
        case Cond():
            return _evaluate(node.yes if _holds(node.test, names, budget) else node.no, names, budget)
        case ListOf():
            return tuple(_evaluate(item, names, budget) for item in node.items)
        case MapOf():
            pairs = [(_evaluate(k, names, budget), _evaluate(v, names, budget)) for k, v in node.entries]
            return Entries(pairs)
        case Bind():
            value = _outcome(lambda part: _evaluate(part, names, budget), node.value)
            return _evaluate(node.body, _with(names, node.var, value, budget), budget)
        case Loop():
            return _loop(node, names, budget)
    raise TypeError(f"the parser makes no {type(node).__name__}")


def _with(names: Names, name: str, value: Any, budget: Budget) -> Names:
    budget.charge(len(names) // 16)
    return {**names, name: value}


def _settled(value: Any) -> Any:
    if isinstance(value, Undecided):
        raise value
    return value


def _holds(node: Node, names: Names, budget: Budget) -> bool:
    value = _evaluate(node, names, budget)
    if not isinstance(value, bool):
        raise Undecided(f"a condition that is {kind(value)}")
    return value


def _joined(decisive: bool, conditions: Iterator[tuple[Node, Names]], budget: Budget) -> bool:
    """Kleene conjunction, or disjunction if `decisive` is true: a decisive operand decides, then an undecided one."""
    undecided: Undecided | None = None
    for node, names in conditions:
        try:
            if _holds(node, names, budget) is decisive:
                return decisive
        except Undecided as why:
            undecided = undecided or why
    if undecided is not None:
        raise undecided
    return not decisive


def _loop(node: Loop, names: Names, budget: Budget) -> Any:
    over = _evaluate(node.over, names, budget)
    if not isinstance(over, (tuple, Entries)):
        raise Undecided(f"`{node.macro}` does not take {kind(over)}")
    turns = (_with(names, node.var, element, budget) for element in over)
    if node.macro in ("all", "exists"):
        return _joined(node.macro == "exists", ((node.body, turn) for turn in turns), budget)
    if node.macro == "exists_one":
        return sum([_holds(node.body, turn, budget) for turn in turns]) == 1
    if node.macro == "filter":
        return tuple([turn[node.var] for turn in turns if _holds(node.body, turn, budget)])
    return tuple(
        _evaluate(node.body, turn, budget) for turn in turns if node.keep is None or _holds(node.keep, turn, budget)
    )


def _entries(value: Any) -> Entries:
    if not isinstance(value, Entries):
        raise Undecided(f"{kind(value)} has no fields")
    return value


def _member(value: Any, name: str) -> Any:
    entries = _entries(value)
    if name not in entries:
        raise Undecided(f"no such key: {shown(name)}")
    return entries[name]


def _element(value: Any, index: Any) -> Any:
    if isinstance(value, Entries):
        if index not in value:
            raise Undecided(f"no such key: {shown(index)}")
        return value[index]
    if not isinstance(value, tuple):
        raise Undecided(f"{kind(value)} cannot be indexed")
    if isinstance(index, float) and index.is_integer():
        index = int(index)
    if kind(index) != "int":
        raise Undecided(f"a list index that is {kind(index)}")
    if not 0 <= index < len(value):
        raise Undecided(f"index {index} of a list of {len(value)}")
    return value[index]
