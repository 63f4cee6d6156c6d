"""The expression tree. The parser makes it; the checker makes it again with types and resolved names.

Operators are calls of functions named as in CEL (`_+_`, `!_`, `_in_`); `&&`, `||`, `?:`, macros and field reads
are nodes of their own, since they do not evaluate all their parts. Interpreter and compiler read only checked
trees, in which:

* every node has its `type`;
* `Name.role` says what a name is: `fact` (a variable of the gate), `now`, `params`, `shared`, `let`, `item`
  (the name of an `each`), `local` (of a macro or cel.bind), `admitted`, `var` (a variable of a bare expression);
* `Call.overload` names the declaration in `functions`, and `args` begins with the target of a method call;
* int literals and int params that stand beside a double are doubles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..diagnostics import Span
from .types import UNKNOWN, Type


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Node:
    """Any expression."""

    span: Span
    type: Type = UNKNOWN

    def children(self) -> Iterator[Node]:
        """Its direct parts, in source order."""
        return iter(())


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Const(Node):
    """A literal: bool, int, float, str, bytes or None; after checking also datetime or timedelta."""

    value: Any


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Name(Node):
    """A variable."""

    name: str
    role: str = ""


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Field(Node):
    """`operand.name`: undecided if the operand or the field is absent; on a map, the value of that key."""

    operand: Node
    name: str

    def children(self) -> Iterator[Node]:
        yield self.operand


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Has(Node):
    """`has(operand.name)`: undecided if the operand is."""

    operand: Node
    name: str

    def children(self) -> Iterator[Node]:
        yield self.operand


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Chosen(Node):
    """The choices made at this gate: for the whole (`item` is None), or for an item of the evidence.

    It stands only as operand of Field and Has. A choice that was not made is absent.
    """

    item: Node | None = None

    def children(self) -> Iterator[Node]:
        if self.item is not None:
            yield self.item


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Index(Node):
    """`operand[index]`."""

    operand: Node
    index: Node

    def children(self) -> Iterator[Node]:
        yield self.operand
        yield self.index


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Call(Node):
    """A function, method or operator. Undecided if any argument is."""

    function: str
    args: tuple[Node, ...]
    method: bool = False
    overload: str = ""

    def children(self) -> Iterator[Node]:
        yield from self.args


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Logic(Node):
    """`&&` (`word` is `and`) or `||` (`or`) of two or more operands."""

    word: str
    args: tuple[Node, ...]

    def children(self) -> Iterator[Node]:
        yield from self.args


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Cond(Node):
    """`test ? yes : no`."""

    test: Node
    yes: Node
    no: Node

    def children(self) -> Iterator[Node]:
        yield self.test
        yield self.yes
        yield self.no


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class ListOf(Node):
    """A list literal."""

    items: tuple[Node, ...]

    def children(self) -> Iterator[Node]:
        yield from self.items


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class MapOf(Node):
    """A map literal; a key that stands twice makes it undecided."""

    entries: tuple[tuple[Node, Node], ...]

    def children(self) -> Iterator[Node]:
        for key, value in self.entries:
            yield key
            yield value


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Loop(Node):
    """A macro over a list, or over the keys of a map: all, exists, exists_one, filter, map.

    `x.map(v, keep, result)` has both `keep` (None elsewhere) and `body`.
    """

    macro: str
    over: Node
    var: str
    body: Node
    keep: Node | None = None

    def children(self) -> Iterator[Node]:
        yield self.over
        if self.keep is not None:
            yield self.keep
        yield self.body


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Bind(Node):
    """`cel.bind(var, value, body)`."""

    var: str
    value: Node
    body: Node

    def children(self) -> Iterator[Node]:
        yield self.value
        yield self.body


def is_now(node: Node) -> bool:
    """Whether a node is the clock."""
    return isinstance(node, Name) and node.role == "now"


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, in source order."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(list(top.children())))
