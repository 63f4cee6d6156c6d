"""Reads the protobuf text format, as far as the CEL conformance suite uses it.

A message is a mapping from field name to the list of its values; text is bytes, since only the reader of a field
knows whether it is text. https://protobuf.dev/reference/protobuf/textformat-spec/
"""

from __future__ import annotations

import re
from typing import NamedTuple

Message = dict[str, list["Value"]]


class Word(str):
    """A bare word: an enum value, `true`, `inf`."""


class Token(NamedTuple):
    kind: str
    text: str


Value = Message | bytes | int | float | Word

TOKEN = re.compile(
    r"""(?P<blank>(?:\s|\#[^\n]*)+)
      | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
      | (?P<number>-?(?:0[xX][0-9a-fA-F]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)[fF]?)
      | (?P<word>-?[A-Za-z_][A-Za-z0-9_]*)
      | (?P<mark>[\[\]{}<>:,;./-])""",
    re.VERBOSE,
)
ESCAPE = re.compile(rb"\\(?:([abfnrtv\\'\"?])|([0-7]{1,3})|[xX]([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))")
SIMPLE = {
    b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v",
    b"\\": b"\\", b"'": b"'", b'"': b'"', b"?": b"?",
}  # fmt: skip


def read(text: str) -> Message:
    """The message that a text states. Raises ValueError where it is not the text format."""
    reader = _Reader(text)
    message = reader.fields("")
    if reader.at < len(reader.tokens):
        raise ValueError(f"unexpected {reader.tokens[reader.at].text!r}")
    return message


def _tokens(text: str) -> list[Token]:
    found, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"unexpected {text[at : at + 20]!r}")
        if match.lastgroup != "blank":
            found.append(Token(str(match.lastgroup), match.group()))
        at = match.end()
    return found


def _unescape(literal: str) -> bytes:
    def plain(match: re.Match[bytes]) -> bytes:
        simple, octal, hexadecimal, short, long = match.groups()
        if simple:
            return SIMPLE[simple]
        if octal or hexadecimal:
            return bytes([int(octal, 8) & 0xFF if octal else int(hexadecimal, 16)])
        return chr(int(short or long, 16)).encode("utf-8", "surrogatepass")

    return ESCAPE.sub(plain, literal[1:-1].encode())


class _Reader:
    """The place reached in a list of tokens."""

    def __init__(self, text: str) -> None:
        self.tokens, self.at = _tokens(text), 0

    def peek(self) -> str:
        return self.tokens[self.at].text if self.at < len(self.tokens) else ""

    def take(self, *marks: str) -> bool:
        if self.peek() in marks:
            self.at += 1
            return True
        return False

    def expect(self, mark: str) -> None:
        if not self.take(mark):
            raise ValueError(f"expected {mark!r}, found {self.peek()!r}")

    def fields(self, closing: str) -> Message:
        message: Message = {}
        while self.at < len(self.tokens) and self.peek() != closing:
            name = self.name()
            colon = self.take(":")
            many = self.values() if colon and self.peek() == "[" else [self.value()]
            message.setdefault(name, []).extend(many)
            self.take(",", ";")
        return message

    def name(self) -> str:
        """A field name, or in brackets the name of an extension or of the type inside an Any."""
        if not self.take("["):
            self.at += 1
            return self.tokens[self.at - 1].text
        parts = []
        while not self.take("]"):
            parts.append(self.peek())
            self.at += 1
        return "[" + "".join(parts) + "]"

    def values(self) -> list[Value]:
        self.expect("[")
        found: list[Value] = []
        while not self.take("]"):
            found.append(self.value())
            self.take(",")
        return found

    def value(self) -> Value:
        if self.at >= len(self.tokens):
            raise ValueError("a value is missing")
        for opening, closing in (("{", "}"), ("<", ">")):
            if self.take(opening):
                message = self.fields(closing)
                self.expect(closing)
                return message
        token = self.tokens[self.at]
        if token.kind == "string":
            parts = []
            while self.at < len(self.tokens) and self.tokens[self.at].kind == "string":
                parts.append(_unescape(self.tokens[self.at].text))
                self.at += 1
            return b"".join(parts)
        self.at += 1
        if token.kind == "number":
            try:
                return int(token.text, 0)
            except ValueError:
                return float(token.text.rstrip("fF"))
        if token.kind == "word":
            return Word(token.text)
        raise ValueError(f"expected a value, found {token.text!r}")
