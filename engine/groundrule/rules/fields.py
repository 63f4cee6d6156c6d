"""Reading keys of a YAML mapping: what may stand there, what must, and what form it has."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

from .. import codes
from ..diagnostics import Code, Diagnostic, Snippet, Span, did_you_mean
from .contract import ALWAYS, Period
from .expression import parse
from .parse import Mapping, Scalar, Sequence, Tree
from .scalars import duration_of, instant_of
from .syntax import Node
from .tokens import ExpressionError

T = TypeVar("T")


def kind_of(tree: Tree) -> str:
    """What a tree is, in the author's words."""
    return {Scalar: "single value", Sequence: "list", Mapping: "mapping"}[type(tree)]


@dataclass
class Fields:
    """A mapping whose keys are being read; faults are collected."""

    tree: Mapping
    faults: list[Diagnostic]
    what: str = ""
    _known: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, tree: Tree, what: str, faults: list[Diagnostic]) -> Fields | None:
        """The fields of a tree that must be a mapping; `what` names it in faults."""
        if isinstance(tree, Mapping):
            return cls(tree, faults, what)
        faults.append(codes.NOT_A_MAPPING.at(tree.span, key=what, found=kind_of(tree)))
        return None

    def fault(self, code: Code, span: Span, help: str | None = None, **values: object) -> None:
        """Adds a fault."""
        self.faults.append(code.at(span, help, **values))

    def get(self, key: str) -> Tree | None:
        """The value of a key, which is known from now on."""
        self._known.add(key)
        return self.tree.get(key)

    def need(self, key: str) -> Tree | None:
        """The value of a key that must be there."""
        value = self.get(key)
        if value is None:
            end = self.tree.entries[0][0].span if self.tree.entries else self.tree.span
            self.fault(codes.MISSING_KEY, end, key=key)
        return value

    def close(self) -> None:
        """Reports keys that nobody asked for."""
        for key, value in self.tree.entries:
            if key.text in self._known:
                continue
            empty = isinstance(value, Scalar) and value.plain and not value.text
            if self.tree.flow and empty:
                self.fault(codes.TORN_FLOW, key.span)
            else:
                self.fault(codes.UNKNOWN_KEY, key.span, did_you_mean(key.text, self._known), key=key.text)

    def scalar(self, key: str, tree: Tree | None) -> Scalar | None:
        """A value that must be a scalar."""
        if tree is None or isinstance(tree, Scalar):
            return tree
        self.fault(codes.NOT_A_SCALAR, tree.span, key=key, found=kind_of(tree))
        return None

    def text(self, key: str, need: bool = False) -> str | None:
        """The text of a key, which must not be empty."""
        scalar = self.scalar(key, self.need(key) if need else self.get(key))
        if scalar is not None and not scalar.text.strip():
            self.fault(codes.BAD_VALUE, scalar.span, key=key, wanted="a text", found=scalar.text)
            return None
        return scalar.text if scalar is not None else None

    def texts(self, key: str) -> tuple[str, ...]:
        """The texts of a list; one text stands for a list of one."""
        tree = self.get(key)
        if isinstance(tree, Scalar):
            return (tree.text,)
        return tuple(
            item.text for item in self.items(key, tree) if (self.scalar(key, item)) and isinstance(item, Scalar)
        )

    def items(self, key: str, tree: Tree | None) -> tuple[Tree, ...]:
        """The items of a value that must be a list; empty if it is not there."""
        if tree is None:
            return ()
        if isinstance(tree, Sequence):
            return tree.items
        self.fault(codes.NOT_A_LIST, tree.span, key=key, found=kind_of(tree))
        return ()

    def one_of(self, key: str, allowed: Iterable[str], code: Code, need: bool = False, **values: object) -> str | None:
        """A text that must be one of some words; `code` is the fault otherwise, with the word under `key`'s name."""
        scalar = self.scalar(key, self.need(key) if need else self.get(key))
        if scalar is None:
            return None
        if scalar.text not in allowed:
            self.fault(code, scalar.span, did_you_mean(scalar.text, allowed), **values, **{key: scalar.text})
            return None
        return scalar.text

    def parsed(self, key: str, tree: Tree | None, read: Callable[[Scalar], T | None], wanted: str) -> T | None:
        """A scalar read by a function that gives None for a bad one."""
        scalar = self.scalar(key, tree)
        if scalar is None:
            return None
        value = read(scalar)
        if value is None:
            self.fault(codes.BAD_VALUE, scalar.span, key=key, wanted=wanted, found=scalar.text)
        return value

    def instant(self, key: str) -> datetime | None:
        """A timestamp."""
        return self.parsed(key, self.get(key), instant_of, "an RFC 3339 time with offset")

    def duration(self, key: str) -> timedelta | None:
        """A duration."""
        return self.parsed(key, self.get(key), duration_of, "a duration such as 3h or 7d")

    def period(self, key: str) -> Period:
        """`{from, until, warn_before}`; always, if it is not there."""
        tree = self.get(key)
        fields = Fields.of(tree, key, self.faults) if tree is not None else None
        if fields is None or tree is None:
            return ALWAYS
        start, until, warn = fields.instant("from"), fields.instant("until"), fields.duration("warn_before")
        fields.close()
        if start is not None and until is not None and until <= start:
            self.fault(codes.EMPTY_PERIOD, tree.span)
        return Period(start, until, warn or timedelta(0))

    def expression(self, key: str, tree: Tree | None) -> Node | None:
        """The parsed expression of a scalar."""
        scalar = self.expression_scalar(key, tree)
        return read_expression(scalar.snippet(), self.faults, scalar, self.tree.flow) if scalar is not None else None

    def expression_scalar(self, key: str, tree: Tree | None) -> Scalar | None:
        """A scalar that holds an expression. In flow style a comma may have torn it apart."""
        if isinstance(tree, Sequence | Mapping) and tree.flow:
            help = "an expression that begins with a bracket or brace needs quotes, or a line after `>-`"
            self.fault(codes.NOT_A_SCALAR, tree.span, help, key=key, found=kind_of(tree))
            return None
        return self.scalar(key, tree)


def read_expression(
    snippet: Snippet, faults: list[Diagnostic], scalar: Scalar | None = None, flow: bool = False
) -> Node | None:
    """The parsed expression, or None; names the accident of YAML if one explains the fault."""
    try:
        return parse(snippet)
    except ExpressionError as why:
        faults.append(_accident(why.diagnostic, scalar, flow))
        return None


def _accident(fault: Diagnostic, scalar: Scalar | None, flow: bool) -> Diagnostic:
    if scalar is None or not scalar.plain:
        return fault
    source, end = scalar.span.source, scalar.span.end
    rest = source.text[end : end + 200].partition("\n")[0]
    cut = fault.span.start >= end - 1 or fault.code == codes.UNCLOSED_STRING.code
    if rest.lstrip().startswith("#") and cut:
        return codes.COMMENT_CUT.at(Span(source, end, end + len(rest)))
    if flow and rest.lstrip()[:1] in (",", "]", "}") and cut:
        return codes.TORN_FLOW.at(scalar.span)
    return fault
