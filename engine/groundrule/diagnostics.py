"""Where a text came from, and what is wrong with it.

Every fault of a rule set is a value: a code, a place, one sentence, a help line. All are collected, sorted by
place and raised once. The wording of every code stands in `codes.py` beside this file.
"""

from __future__ import annotations

import difflib
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any


@dataclass(frozen=True)
class Source:
    """One text with the name that people know it by (a path within the rule set, or `<expression>`)."""

    name: str
    text: str

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for at, char in enumerate(self.text):
            if char == "\n":
                starts.append(at + 1)
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a code point, both counted from 1."""
        row = bisect_right(self._starts, offset) - 1
        return row + 1, offset - self._starts[row] + 1

    def offset(self, line: int, column: int) -> int:
        """Code point offset of a line and column that are counted from 0, as YAML marks do."""
        return self._starts[min(line, len(self._starts) - 1)] + column

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its end."""
        start = self._starts[number - 1]
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r")


@dataclass(frozen=True)
class Span:
    """A part of a source, in code points."""

    source: Source
    start: int
    end: int


@dataclass(frozen=True)
class Snippet:
    """A piece of a source that is read on its own, such as an expression inside a YAML scalar.

    `offsets` has the place in the source of each code point of `text`, and of its end.
    """

    text: str
    source: Source
    offsets: Sequence[int]

    @classmethod
    def whole(cls, source: Source) -> Snippet:
        """The whole source."""
        return cls(source.text, source, range(len(source.text) + 1))

    def span(self, start: int, end: int) -> Span:
        """The part of the source that `text[start:end]` came from."""
        last = len(self.offsets) - 1
        return Span(self.source, self.offsets[min(start, last)], self.offsets[min(end, last)])

    def part(self, start: int, end: int) -> Snippet:
        """The snippet `text[start:end]`."""
        return Snippet(self.text[start:end], self.source, self.offsets[start : end + 1])


@dataclass(frozen=True)
class Code:
    """A kind of fault: its code, severity, sentence, help and explanation for the docs page."""

    code: str
    severity: str
    message: str
    help: str
    page: str

    def at(self, span: Span, help: str | None = None, **values: object) -> Diagnostic:
        """This fault at a place. `help` replaces the general help; the values fill the sentence."""
        shown = {name: visible(str(value)) for name, value in values.items()}
        advice = self.help.format(**shown) if help is None else help
        return Diagnostic(self.code, self.severity, self.message.format(**shown), span, advice)


@dataclass(frozen=True)
class Diagnostic:
    """One fault of a rule set, or one warning. Empty `help` means that there is no advice."""

    code: str
    severity: str
    message: str
    span: Span = field(repr=False)
    help: str = ""

    @property
    def place(self) -> str:
        """`file:line:column`."""
        line, column = self.span.source.position(self.span.start)
        return f"{self.span.source.name}:{line}:{column}"

    def render(self) -> str:
        """The fault as people read it: place and sentence, the line with a caret, the help line."""
        line, column = self.span.source.position(self.span.start)
        text = self.span.source.line(line)
        shown, shift = _window(text, column - 1)
        width = max(1, min(self.span.end - self.span.start, len(text) - column + 1))
        before, marked = shown[: column - 1 - shift], shown[column - 1 - shift : column - 1 - shift + width]
        margin = " " * _cells(visible(before))
        marks = "^" * max(1, _cells(visible(marked)))
        rows = [f"{self.place}: {self.severity} {self.code}: {self.message}"]
        if text.strip():
            rows += [f"    {visible(shown)}", f"    {margin}{marks}"]
        if self.help:
            rows.append(f"    help: {self.help}")
        return "\n".join(rows)

    def to_json(self) -> dict[str, Any]:
        """The fault as plain JSON values."""
        line, column = self.span.source.position(self.span.start)
        end_line, end_column = self.span.source.position(self.span.end)
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "help": self.help,
            "file": self.span.source.name,
            "line": line,
            "column": column,
            "end_line": end_line,
            "end_column": end_column,
        }


class RuleFileError(ValueError):
    """A rule set that cannot be used. `diagnostics` has every fault of every file, sorted by place."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = in_order(diagnostics)
        super().__init__("\n".join(found.render() for found in self.diagnostics))


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sorted by file and place, each fault once."""
    unique = dict.fromkeys(diagnostics)
    return tuple(sorted(unique, key=lambda d: (d.span.source.name, d.span.start, d.code, d.message)))


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` most likely means, or None if that is not clear."""
    if len(name) > 64:
        return None
    close = difflib.get_close_matches(name, sorted(set(known)), n=2, cutoff=0.6)
    if not close:
        return None
    if len(close) == 2:
        first, second = (difflib.SequenceMatcher(None, name, word).ratio() for word in close)
        if first - second < 0.02:
            return None
    return close[0]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A help line with the nearest known name; with few known names, the list of them; else empty."""
    words = sorted(set(known))
    near = nearest(name, words)
    if near is not None:
        return f"did you mean `{near}`?"
    if 0 < len(words) <= 12:
        return "known here: " + ", ".join(f"`{word}`" for word in words)
    return ""


def visible(text: str) -> str:
    """Text on one line: control characters and direction marks are written as escapes, long text is cut."""
    text = text if len(text) <= 400 else text[:399] + "…"
    return "".join(
        char if char == " " or not unicodedata.category(char).startswith(("C", "Zl", "Zp")) else _escaped(char)
        for char in text
    )


def _escaped(char: str) -> str:
    number = ord(char)
    return {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(char) or (
        f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}" if number < 65536 else f"\\U{number:08x}"
    )


def _cells(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _window(text: str, at: int) -> tuple[str, int]:
    """At most 120 characters of a line around a place, and how many were cut before it."""
    if len(text) <= 120:
        return text, 0
    start = max(0, min(at - 40, len(text) - 120))
    return text[start : start + 120], start
