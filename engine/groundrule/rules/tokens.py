"""CEL text to tokens: names, operators, and literals with their values."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .. import codes
from ..diagnostics import Diagnostic, Snippet

TOKEN = re.compile(
    r"""(?P<blank>(?:[ \t\r\n\f]|//[^\n]*)+)
      | (?P<float>[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)
      | (?P<uint>0[xX][0-9a-fA-F]+[uU]|[0-9]+[uU])
      | (?P<int>0[xX][0-9a-fA-F]+|[0-9]+)
      | (?P<string>[bB]?[rR]?(?:\"\"\"|'''|"|'))
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<op>&&|\|\||==|!=|<=|>=|[-+*/%!<>?:.,()\[\]{}])""",
    re.VERBOSE,
)
SURROGATE = re.compile("[\ud800-\udfff]")
"""Half a character, which no UTF-8 text has."""
SIMPLE_ESCAPES = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "`": "`", "?": "?",
}  # fmt: skip


class ExpressionError(Exception):
    """An expression that cannot be read."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


@dataclass(frozen=True, slots=True)
class Token:
    """A word of an expression; `value` is the text of a name or operator, or the value of a literal."""

    kind: str
    value: object
    start: int
    end: int


def tokens_of(snippet: Snippet, bare: bool) -> list[Token]:
    """The tokens of an expression, with one of the kind `end` after them. Raises ExpressionError with the first fault."""
    surrogate = SURROGATE.search(snippet.text)
    if surrogate:
        raise ExpressionError(_bad_character(snippet, surrogate.start()))
    text, at, found = snippet.text, 0, []
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise ExpressionError(_bad_character(snippet, at))
        kind, end = match.lastgroup or "", match.end()
        value: object = match.group()
        if kind == "string":
            value, end = _string(snippet, at, match.group())
            if isinstance(value, bytes):
                kind = "bytes"
        elif kind == "float":
            value = float(match.group())
        elif kind == "int":
            value = _whole(snippet, at, match.group())
            if text[end : end + 1].isalnum():
                raise ExpressionError(_bad_character(snippet, end))
        elif kind == "uint":
            raise ExpressionError(_out_of_profile(snippet, at, end, "a uint literal", "write an int"))
        if kind == "bytes" and not bare:
            raise ExpressionError(_out_of_profile(snippet, at, end, "a bytes literal", ""))
        if kind != "blank":
            found.append(Token(kind, value, at, end))
        at = end
    found.append(Token("end", "", len(text), len(text)))
    return found


def _whole(snippet: Snippet, at: int, numeral: str) -> int:
    """The value of an int literal; whether it fits 64 bits depends on its sign, unless it is longer than any."""
    base, digits = (16, numeral[2:]) if numeral[:2].lower() == "0x" else (10, numeral)
    digits = digits.lstrip("0")
    if len(digits) > 19:
        raise ExpressionError(codes.INT_RANGE.at(snippet.span(at, at + len(numeral)), number=numeral))
    return int(digits or "0", base)


def _bad_character(snippet: Snippet, at: int) -> Diagnostic:
    char = snippet.text[at]
    hints = {
        "&": "write `&&`", "|": "write `||`", "=": "write `==`", "“": "use straight quotes", "”": "use straight quotes",
        "‘": "use straight quotes", "’": "use straight quotes", "，": "use `,`", "（": "use `(`", "）": "use `)`",
    }  # fmt: skip
    return codes.BAD_CHARACTER.at(snippet.span(at, at + 1), char=char, help=hints.get(char, ""))


def _out_of_profile(snippet: Snippet, start: int, end: int, what: str, instead: str) -> Diagnostic:
    return codes.NOT_IN_PROFILE.at(snippet.span(start, end), what=what, instead=instead)


def _string(snippet: Snippet, start: int, opening: str) -> tuple[str | bytes, int]:
    """The value of a text literal, and where it ends."""
    prefix = opening.rstrip("\"'").lower()
    quote = opening[len(prefix) :]
    raw, octets = "r" in prefix, "b" in prefix
    text, at = snippet.text, start + len(opening)
    parts: list[str] = []
    data = bytearray()
    while True:
        if at >= len(text) or (len(quote) == 1 and text[at] in "\r\n"):
            raise ExpressionError(codes.UNCLOSED_STRING.at(snippet.span(start, start + len(opening))))
        if text.startswith(quote, at):
            return (bytes(data) if octets else "".join(parts)), at + len(quote)
        if text[at] == "\\" and not raw:
            char, byte, end = _escape(snippet, at, octets)
        else:
            char, byte, end = text[at], None, at + 1
        if octets:
            data += bytes([byte]) if byte is not None else char.encode("utf-8", "surrogatepass")
        else:
            parts.append(char)
        at = end


def _escape(snippet: Snippet, at: int, octets: bool) -> tuple[str, int | None, int]:
    """The character of an escape, or in bytes its octet, and where it ends."""
    text = snippet.text
    letter = text[at + 1 : at + 2]
    if letter in SIMPLE_ESCAPES and letter:
        return SIMPLE_ESCAPES[letter], None, at + 2
    width = {"x": 2, "X": 2, "u": 4, "U": 8}.get(letter)
    digits = text[at + 2 : at + 2 + width] if width else text[at + 1 : at + 4]
    end = at + 2 + width if width else at + 4
    form = rf"[0-9a-fA-F]{{{width}}}" if width else "[0-3][0-7]{2}"
    if not re.fullmatch(form, digits) or (octets and letter in "uU"):
        raise ExpressionError(codes.BAD_ESCAPE.at(snippet.span(at, min(end, len(text))), escape=text[at : at + 2]))
    number = int(digits, 16 if width else 8)
    if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
        raise ExpressionError(codes.BAD_ESCAPE.at(snippet.span(at, end), escape=text[at:end]))
    return chr(number), number if octets else None, end
