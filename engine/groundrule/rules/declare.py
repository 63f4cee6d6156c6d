"""How a function of the rule language is declared: once, with everything that others derive from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ..reasons import Reason
from .types import NONE, UNKNOWN, Type, fits, joined


class Undecided(Exception):
    """An operation that has no value, and the reason why. It never leaves the engine."""

    def __init__(self, reason: str | Reason, **values: object) -> None:
        self.reason = reason if isinstance(reason, Reason) else Reason(reason, **values)
        super().__init__(self.reason)

    def __str__(self) -> str:
        return str(self.reason)


@dataclass(frozen=True)
class Function:
    """One overload.

    overload: its key, for example `size(string)`. method: written `x.name(…)`; `params` begins with the target.
    body: takes the engine's own values and returns one, or raises Undecided. Lists are tuples, maps and JSON objects are
    mappings, timestamps are datetimes in UTC, durations timedeltas. examples: expressions that are true.
    """

    overload: str
    name: str
    params: tuple[Type, ...]
    result: Type
    doc: str
    examples: tuple[str, ...]
    body: Callable[..., Any]
    method: bool = False

    @property
    def signature(self) -> str:
        """As authors read it: `size(string) -> int`, or `string.contains(string) -> bool`."""
        shown, result = [str(param) for param in self.params], str(self.result)
        if self.method:
            return f"{shown[0]}.{self.name}({', '.join(shown[1:])}) -> {result}"
        return f"{self.name}({', '.join(shown)}) -> {result}"


T = Type("any", name="T")
"""Stands for one type throughout a signature."""
K = Type("any", name="K")
V = Type("any", name="V")

FUNCTIONS: dict[str, Function] = {}
"""Every overload by its key."""
BY_NAME: dict[tuple[str, bool], list[Function]] = {}
"""The overloads of a name, functions and methods apart."""

Body = TypeVar("Body", bound=Callable[..., Any])


def declare(
    name: str,
    *params: Type,
    to: Type,
    doc: str,
    examples: tuple[str, ...] = (),
    method: bool = False,
) -> Callable[[Body], Body]:
    """Declares the decorated body as one overload of a function, operator or method."""

    def add(body: Body) -> Body:
        shown = ",".join(str(param) for param in params)
        overload = f"{'.' if method else ''}{name}({shown})"
        if overload in FUNCTIONS:
            raise ValueError(f"declared twice: {overload}")
        entry = Function(overload, name, params, to, doc, examples, body, method)
        FUNCTIONS[overload] = entry
        BY_NAME.setdefault((name, method), []).append(entry)
        return body

    return add


def resolve(name: str, method: bool, args: tuple[Type, ...]) -> tuple[Function, Type] | None:
    """The overload that takes such arguments, and the type of its result; None if there is none."""
    for entry in BY_NAME.get((name, method), ()):
        bound = _match(entry.params, args)
        if bound is not None:
            return entry, _fill(entry.result, bound)
    return None


def _match(params: tuple[Type, ...], args: tuple[Type, ...]) -> dict[str, Type] | None:
    if len(params) != len(args):
        return None
    bound: dict[str, Type] = {}
    return bound if all(_bind(p, a, bound) for p, a in zip(params, args, strict=True)) else None


def _bind(param: Type, arg: Type, bound: dict[str, Type]) -> bool:
    if param.kind == "any":
        both = joined(bound.get(param.name, NONE), arg)
        if both is None:
            return False
        bound[param.name] = both
        return True
    if arg in (UNKNOWN, NONE):
        return True
    if param.kind in ("list", "map") and arg.kind == param.kind:
        return all(_bind(p, a, bound) for p, a in zip(param.args, arg.args, strict=True))
    return fits(arg, param)


def _fill(type_: Type, bound: Mapping[str, Type]) -> Type:
    if type_.kind == "any":
        return bound.get(type_.name, NONE)
    if type_.args:
        return Type(type_.kind, tuple(_fill(arg, bound) for arg in type_.args))
    return type_
