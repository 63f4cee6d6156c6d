"""The canonical text of a checked tree: one spelling for one meaning, whatever blanks and brackets the author used."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

from ..facts.record import write_duration, write_timestamp
from .syntax import Bind, Call, Chosen, Cond, Const, Field, Has, Index, ListOf, Logic, Loop, MapOf, Name, Node


def unparse(node: Node) -> str:
    """Text that parses to the same tree, fully bracketed."""
    match node:
        case Const():
            return constant(node.value)
        case Name():
            return node.name
        case Field():
            return f"{unparse(node.operand)}.{node.name}"
        case Has():
            return f"has({unparse(node.operand)}.{node.name})"
        case Chosen():
            return "chosen" if node.item is None else f"{unparse(node.item)}.chosen"
        case Index():
            return f"{unparse(node.operand)}[{unparse(node.index)}]"
        case Call():
            return _call(node)
        case Logic():
            sign = " && " if node.word == "and" else " || "
            return "(" + sign.join(unparse(arg) for arg in node.args) + ")"
        case Cond():
            return f"({unparse(node.test)} ? {unparse(node.yes)} : {unparse(node.no)})"
        case ListOf():
            return "[" + ", ".join(unparse(item) for item in node.items) + "]"
        case MapOf():
            return "{" + ", ".join(f"{unparse(key)}: {unparse(value)}" for key, value in node.entries) + "}"
        case Loop():
            keep = f"{unparse(node.keep)}, " if node.keep is not None else ""
            return f"{unparse(node.over)}.{node.macro}({node.var}, {keep}{unparse(node.body)})"
        case Bind():
            return f"cel.bind({node.var}, {unparse(node.value)}, {unparse(node.body)})"
    raise TypeError(f"no such node: {node!r}")


def _call(node: Call) -> str:
    args = [unparse(arg) for arg in node.args]
    if node.function.startswith("_"):
        return f"({args[0]} {node.function.strip('_')} {args[1]})"
    if node.function in ("!_", "-_"):
        return f"{node.function[0]}({args[0]})"
    if node.method:
        return f"{args[0]}.{node.function}({', '.join(args[1:])})"
    return f"{node.function}({', '.join(args)})"


def constant(value: Any) -> str:
    """The literal of a value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, datetime):
        return f'timestamp("{write_timestamp(value)}")'
    if isinstance(value, timedelta):
        return f'duration("{write_duration(value)}")'
    if isinstance(value, tuple):
        return "[" + ", ".join(constant(item) for item in value) + "]"
    return "null" if value is None else repr(value)
