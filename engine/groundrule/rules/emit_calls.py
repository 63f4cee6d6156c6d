"""Calls of functions and operators to Python text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..urls import UrlList
from . import emit_reads, runtime
from .declare import FUNCTIONS
from .fragments import Place, Value, once
from .functions import regex
from .inline import INLINE, MIRRORED, set_of, starts
from .param_values import is_param
from .syntax import Call, Chosen, Const, Field, Index, ListOf, Name, Node, is_now, walk
from .types import DURATION
from .unparse import unparse

if TYPE_CHECKING:
    from .emit import Emitter


def call(emit: Emitter, node: Call, place: Place) -> Value:
    for special in (moved, membership, matched, listed, starting, different):
        found = special(emit, node, place)
        if found is not None:
            return found
    args = [emit.argument(arg, place) for arg in node.args]
    guards = once(tuple(guard for arg in args for guard in arg.guards))
    raises = any(arg.raises for arg in args)
    codes = [arg.code for arg in args]
    inline = INLINE.get((node.overload, *(str(arg.type) for arg in node.args))) or INLINE.get((node.overload,))
    if inline is not None:
        form, can_raise = inline
        return Value(form.format(*codes), guards, raises or can_raise)
    if node.overload in runtime.NULLABLE:
        return shared_call(emit, node, codes, guards, raises, place)
    if node.function in ("_==_", "_!=_") and node.overload.endswith("(T,T)"):
        sign = "==" if node.function == "_==_" else "!="
        if node.args[0].type.kind in ("bool", "int", "double", "string", "timestamp", "duration"):
            return Value(f"({codes[0]} {sign} {codes[1]})", guards, raises)
    body = emit.constant(FUNCTIONS[node.overload].body)
    return Value(f"{body}({', '.join(codes)})", guards, True)


def shared_call(
    emit: Emitter, node: Call, codes: list[str], guards: tuple[str, ...], raises: bool, place: Place
) -> Value:
    """A call that gives None for undecided, made once for an item if its argument is one of its fields."""
    text = f"{node.function}_or_none({', '.join(codes)})"
    argument = node.args[0]
    owner = argument.operand if isinstance(argument, Field) else None
    if not isinstance(owner, Name) or not emit_reads.own(emit, owner, place):
        var = emit.fresh("t")
        argument_code = ", ".join(codes)
        memo = f"(({var} := {node.function}_known({argument_code})) is not None or ({var} := {text}) is not None)"
        return Value(var, once((*guards, memo)), raises)
    key = ("call", emit_reads.item_of(emit, owner, place), text)
    if key not in emit.known:
        var = emit.known[key] = emit.fresh("h")
        memo = f"{node.function}_known({', '.join(codes)})"
        emit.per_item.append(f"{var} = ({memo} or {text}) if {' and '.join(guards) or 'True'} else None")
    var = emit.known[key]
    return Value(var, (f"{var} is not None",))


def moved(emit: Emitter, node: Call, place: Place) -> Value | None:
    """`now - x <= limit` is `x >= now - limit`, with the right side computed once where the limit is fixed.

    Exact on whole microseconds. Where `now - limit` leaves the calendar, it is before or after every instant.
    """
    if node.function not in MIRRORED or not isinstance(node.args[0], Call):
        return None
    left, limit = node.args
    if not isinstance(left, Call) or left.overload != "_-_(timestamp,timestamp)" or limit.type != DURATION:
        return None
    first, second = left.args
    if is_now(first) and not reads_now(emit, second, place) and fixed(emit, limit, place):
        x, sign, edge = second, MIRRORED[node.function], "earlier(now, {})"
    elif is_now(second) and not reads_now(emit, first, place) and fixed(emit, limit, place):
        x, sign, edge = first, node.function.strip("_"), "later(now, {})"
    else:
        return None
    key = ("edge", id(place.scope), edge, unparse(limit))
    if key not in emit.known:
        bound = emit.early(lambda: emit.value(limit, replace(place, item=None, locals={})))
        if bound.raises:
            return None
        var = emit.known[key] = emit.fresh("b")
        emit.top.append(f"{var} = {Value(edge.format(bound.code), bound.guards).or_none}")
    var = emit.known[key]
    moving = emit.value(x, place)
    known = isinstance(limit, Const) or (
        is_param(limit) and not any(isinstance(part, Index) for part in walk(limit))
    )
    guards = moving.guards if known else (*moving.guards, f"{var} is not None")
    return Value(f"({moving.code} {sign} {var})", guards, moving.raises)


def fixed(emit: Emitter, node: Node, place: Place) -> bool:
    """Whether a value is the same for every item and may be computed at the top."""
    return emit.at_gate(node, place) and not reads_now(emit, node, place)


def reads_now(emit: Emitter, node: Node, place: Place) -> bool:
    """Whether an expression reads the clock, itself or through lets."""
    for part in walk(node):
        if is_now(part) or isinstance(part, Chosen):
            return True
        if isinstance(part, Name) and part.role == "let" and reads_now(emit, emit.let(part, place), place):
            return True
    return False


def membership(emit: Emitter, node: Call, place: Place) -> Value | None:
    """`x in list`; constants are looked up in a set."""
    if node.overload != "_in_(T,list<T>)":
        return None
    needle, listing = node.args
    value = emit.argument(needle, place)
    if isinstance(listing, ListOf) and all(isinstance(item, Const) for item in listing.items):
        many: Any = tuple(item.value for item in listing.items if isinstance(item, Const))
        held = Value(emit.constant(set_of(many)))
    else:
        held = emit.value(listing, place)
        param = emit_reads.of_param(emit, listing, place)
        if param is not None and param.code in emit.constants:
            held = Value(emit.constant(set_of(emit.constants[param.code])))
    if needle.type.kind not in ("string", "int", "double", "timestamp", "duration", "bool"):
        body = emit.constant(FUNCTIONS[node.overload].body)
        return Value(f"{body}({value.code}, {held.code})", once((*value.guards, *held.guards)), True)
    return Value(
        f"({value.code} in {held.code})", once((*value.guards, *held.guards)), value.raises or held.raises
    )


def matched(emit: Emitter, node: Call, place: Place) -> Value | None:
    """`matches` with a literal pattern searches with what the pattern was compiled to."""
    if node.function != "matches" or not isinstance(node.args[1], Const):
        return None
    text = emit.value(node.args[0], place)
    search = emit.constant(regex(node.args[1].value).search)
    return Value(f"({search}({text.code}) is not None)", text.guards, text.raises)


def starting(emit: Emitter, node: Call, place: Place) -> Value | None:
    """`startsWith` with a literal."""
    if node.overload != ".startsWith(string,string)" or not isinstance(node.args[1], Const):
        return None
    text = emit.value(node.args[0], place)
    return Value(starts(text.code, (node.args[1].value,)), text.guards, text.raises)


def listed(emit: Emitter, node: Call, place: Place) -> Value | None:
    """`url_in` and `domain_in` with a list of the rule set ask its own memo."""
    if node.function not in ("url_in", "domain_in"):
        return None
    held = emit_reads.of_param(emit, node.args[1], place)
    entries = emit.constants.get(held.code) if held is not None else None
    if not isinstance(entries, UrlList):
        return None
    url = emit.value(node.args[0], place)
    ask = emit.constant(runtime.asker(entries, node.function))
    inner = emit.nullable(f"{ask}({url.code})", False)
    return Value(inner.code, (*url.guards, *inner.guards), url.raises)


def different(emit: Emitter, node: Call, place: Place) -> Value | None:
    """`size(distinct(texts))` is the size of a set."""
    inner = node.args[0]
    if node.overload not in ("size(list<T>)", ".size(list<T>)") or not isinstance(inner, Call):
        return None
    if inner.overload != "distinct(list<T>)" or str(inner.args[0].type) != "list<string>":
        return None
    texts = emit.argument(inner.args[0], place)
    return Value(f"len(set({texts.code}))", texts.guards, texts.raises)
