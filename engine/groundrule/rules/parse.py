"""YAML text to a tree of scalars, lists and mappings that keep their places.

PyYAML's event parser (libyaml where it is there) reads the syntax; what it would type or expand is ours to refuse:
tags, anchors, merge keys and duplicate keys. Scalars stay text until the reader of a contract gives them a type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from .. import codes
from ..diagnostics import Code, Diagnostic, Snippet, Source, Span

MAX_FILE = 1 << 20
"""Bytes of one file."""
MAX_DEPTH = 32
"""Nesting of lists and mappings."""
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, eq=False)
class Scalar:
    """One value as text. style: "" for plain, else the YAML style (`'`, `"`, `|` or `>`)."""

    span: Span
    text: str
    style: str

    @property
    def plain(self) -> bool:
        """Whether it stands without quotes, so that YAML would type it."""
        return self.style == ""

    def snippet(self) -> Snippet:
        """Its source text, so that a place inside it is a place in the file.

        Plain and block scalars are taken as written, with their line breaks and indentation, which expressions do
        not heed. Quoted ones without escapes too; with escapes, every place is that of the whole scalar.
        """
        source, start, end = self.span.source, self.span.start, self.span.end
        raw = source.text[start:end]
        if self.style in ("|", ">"):
            header = raw.find("\n") + 1 or len(raw)
            return Snippet(raw[header:], source, range(start + header, end + 1))
        if self.style and raw[1:-1] == self.text:
            return Snippet(self.text, source, range(start + 1, end))
        if self.style:
            return Snippet(self.text, source, [start + 1] * (len(self.text) + 1))
        return Snippet(raw, source, range(start, end + 1))

    def message(self) -> Snippet:
        """Its value for reading placeholders: folded as YAML says, with places as exact as the folding allows."""
        snippet = self.snippet()
        if snippet.text == self.text:
            return snippet
        offsets, at = [], 0
        for char in self.text:
            found = snippet.text.find(char, at) if not char.isspace() else at
            at = found if found >= 0 else at
            offsets.append(snippet.offsets[min(at, len(snippet.offsets) - 1)])
            at = at + 1 if found >= 0 and not char.isspace() else at
        return Snippet(self.text, self.span.source, [*offsets, self.span.end])


@dataclass(frozen=True, eq=False)
class Sequence:
    """A list. flow: whether it is written in brackets."""

    span: Span
    items: tuple[Tree, ...]
    flow: bool


@dataclass(frozen=True, eq=False)
class Mapping:
    """A mapping, in order. flow: whether it is written in braces."""

    span: Span
    entries: tuple[tuple[Scalar, Tree], ...]
    flow: bool

    def get(self, key: str) -> Tree | None:
        """The value of a key."""
        return next((value for name, value in self.entries if name.text == key), None)


Tree = Scalar | Sequence | Mapping


class _Refused(Exception):
    """A fault that ends the reading of a file."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def decode(name: str, content: str | bytes) -> tuple[Source, list[Diagnostic]]:
    """The source of a file, and what is wrong with its bytes."""
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    if len(data) > MAX_FILE:
        source = Source(name, "")
        return source, [codes.FILE_TOO_LARGE.at(Span(source, 0, 0), size=len(data), limit=MAX_FILE)]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as why:
        source = Source(name, data[: why.start].decode("utf-8", "replace"))
        at = len(source.text)
        return source, [codes.NOT_UTF8.at(Span(source, at, at))]
    source = Source(name, text)
    if text.startswith("\ufeff"):
        return source, [codes.BYTE_ORDER_MARK.at(Span(source, 0, 1))]
    return source, []


def parse_yaml(name: str, content: str | bytes) -> tuple[Tree | None, list[Diagnostic]]:
    """The tree of a file, or None, and its faults. Duplicate keys are all collected; other faults end the reading."""
    source, faults = decode(name, content)
    if faults:
        return None, faults
    control = re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u0080-\u0084\u0086-\u009f\ufffe\uffff]", source.text)
    if control:
        char = f"U+{ord(control[0]):04X}"
        return None, [codes.CONTROL_CHARACTER.at(Span(source, control.start(), control.end()), char=char)]
    reader = _Reader(source)
    try:
        tree = reader.document()
    except _Refused as why:
        return None, [*reader.faults, why.diagnostic]
    except yaml.MarkedYAMLError as why:
        return None, [*reader.faults, _syntax(source, why)]
    except yaml.YAMLError as why:
        return None, [*reader.faults, codes.YAML_SYNTAX.at(Span(source, 0, 0), problem=str(why))]
    return tree, reader.faults


def _syntax(source: Source, why: yaml.MarkedYAMLError) -> Diagnostic:
    """The fault of text that YAML cannot read, with the accidents of unquoted expressions named."""
    mark = why.problem_mark or why.context_mark
    at = source.offset(mark.line, mark.column) if mark is not None else 0
    span = Span(source, min(at, len(source.text)), min(at + 1, len(source.text)))
    line = source.line(source.position(span.start)[0])
    problem = why.problem or "unreadable"
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return codes.CONTROL_CHARACTER.at(span, char="tab in indentation")
    if re.match(r"""\s*(- )?[\w.-]+:\s*["'].*["']\s*\S""", line) and re.search("block end|expected key", problem):
        return codes.QUOTED_START.at(span, problem=problem)
    help = ""
    if re.match(r"\s*(- )?[\w.-]+:\s*\{", line) and re.search("block end|expected key|expected ',' or", problem):
        help = "a value that begins with a brace is a mapping to YAML; put it in quotes, or on a line after `>-`"
    elif "mapping values are not allowed" in problem:
        help = "`: ` inside an unquoted value starts a mapping; put the value in quotes, or on a line after `>-`"
    elif "expected ',' or" in problem:
        help = "inside `{ }` and `[ ]` an expression needs quotes; or put it on a line of its own"
    elif "cannot start any token" in problem or "did not find expected alphabetic" in problem:
        help = "put the value in quotes, or on a line after `>-`"
    return codes.YAML_SYNTAX.at(span, problem=problem, help=help)


class _Reader:
    """The state of reading one document from the stream of events."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.faults: list[Diagnostic] = []
        self.events: Iterator[Any] = yaml.parse(source.text, Loader=_Loader)

    def refuse(self, code: Code, event: Any, **values: object) -> _Refused:
        return _Refused(code.at(self.span(event), None, **values))

    def span(self, first: Any, last: Any = None) -> Span:
        start, end = first.start_mark, (last or first).end_mark
        return Span(self.source, self.source.offset(start.line, start.column), self.source.offset(end.line, end.column))

    def document(self) -> Tree | None:
        next(self.events)  # the start of the stream
        event = next(self.events)
        if isinstance(event, yaml.StreamEndEvent):
            raise self.refuse(codes.EMPTY_FILE, event)
        tree = self.node(next(self.events), 0)
        next(self.events)  # the end of the document
        event = next(self.events)
        if not isinstance(event, yaml.StreamEndEvent):
            raise self.refuse(codes.SEVERAL_DOCUMENTS, event)
        if isinstance(tree, Scalar) and tree.plain and not tree.text:
            raise _Refused(codes.EMPTY_FILE.at(tree.span))
        return tree

    def node(self, event: Any, depth: int) -> Tree:
        if depth > MAX_DEPTH:
            raise self.refuse(codes.TOO_DEEP, event, limit=MAX_DEPTH)
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise self.refuse(codes.ANCHOR, event)
        if event.tag is not None:
            raise self.refuse(codes.TAG, event, tag=event.tag)
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event)
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Tree] = []
            while not isinstance(inner := next(self.events), yaml.SequenceEndEvent):
                items.append(self.node(inner, depth + 1))
            return Sequence(self.span(event, inner), tuple(items), bool(event.flow_style))
        return self.mapping(event, depth)

    def scalar(self, event: Any) -> Scalar:
        span = self.span(event)
        style = event.style if event.style in ("'", '"', "|", ">") else ""
        if style in ("|", ">"):
            # The end mark of a block scalar stands before the next key: blank lines are no part of it.
            text = self.source.text[span.start : span.end]
            span = Span(self.source, span.start, span.start + len(text.rstrip()))
        return Scalar(span, event.value, style)

    def mapping(self, event: Any, depth: int) -> Mapping:
        entries: list[tuple[Scalar, Tree]] = []
        seen: dict[str, Scalar] = {}
        while not isinstance(inner := next(self.events), yaml.MappingEndEvent):
            key = self.node(inner, depth + 1)
            if not isinstance(key, Scalar):
                raise _Refused(codes.KEY_NOT_TEXT.at(key.span))
            if key.text == "<<" and key.plain:
                raise _Refused(codes.MERGE_KEY.at(key.span))
            value = self.node(next(self.events), depth + 1)
            if key.text in seen:
                line = self.source.position(seen[key.text].span.start)[0]
                self.faults.append(codes.DUPLICATE_KEY.at(key.span, key=key.text, line=line))
            else:
                seen[key.text] = key
                entries.append((key, value))
        return Mapping(self.span(event, inner), tuple(entries), bool(event.flow_style))
