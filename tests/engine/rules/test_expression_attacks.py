"""Texts that try to break the reader of expressions: it answers with a tree or one fault, never with anything else."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundrule.diagnostics import Diagnostic, Snippet, Source
from groundrule.rules.bare import evaluate_bare
from groundrule.rules.expression import MAX_DEPTH, MAX_LENGTH, parse
from groundrule.rules.syntax import Const, Node, walk
from groundrule.rules.tokens import ExpressionError

from .cel_texts import expressions

STEADY = settings(derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))


def read(text: str, bare: bool = True) -> Node | Diagnostic:
    """The tree of a text or its fault, whose place lies in the text and which can be shown."""
    source = Source("x", text)
    try:
        found: Node | Diagnostic = parse(Snippet.whole(source), bare)
    except ExpressionError as error:
        found = error.diagnostic
    if isinstance(found, Diagnostic):
        assert 0 <= found.span.start <= found.span.end <= len(text)
        assert "\n" not in found.message
        assert found.render().encode("utf-8")
    else:
        assert all(0 <= part.span.start < part.span.end <= len(text) for part in walk(found))
    return found


def code(text: str, bare: bool = True) -> str:
    """The code of the fault of a text, or `read`."""
    found = read(text, bare)
    return found.code if isinstance(found, Diagnostic) else "read"


WORDS = (
    "a", "b", "x", "in", "has", "true", "false", "null", "all", "exists", "map", "cel", "bind", "if", "_in_", "0",
    "1", "1.5",
    ".5", "1e9", "0x1F", "1u", "9223372036854775808", "'", '"', "'a'", '"""', "'''", "r'", "b'", "br'", "rb'", "\\",
    "\\n",
    "\\x", "\\u00", "(", ")", "[", "]", "{", "}", ".", ",", ":", "?", "&&", "||", "&", "|", "!", "-", "+", "*", "/",
    "%", "==",
    "!=", "=", "<", "<=", ">", ">=", "//", "/*", "`", "@", "#", "$", "~", "^", ";", " ", "\t", "\n", "\r", "\f",
    "\0", "\u2028",
    "\ufeff", "\u202e", "天", "é", "１", "٣", "😀", "\ud800", "“", "，", "²",
)  # fmt: skip


@settings(STEADY, max_examples=1_500)
@given(parts=st.lists(st.sampled_from(WORDS), max_size=30), bare=st.booleans())
def test_any_sequence_of_words_is_read_or_refused(parts: list[str], bare: bool) -> None:
    """Words of the language and others in any order: a tree, or a fault with a place."""
    read("".join(parts), bare)


@settings(STEADY, max_examples=500)
@given(text=st.text(st.characters(), max_size=60), bare=st.booleans())
def test_any_text_is_read_or_refused(text: str, bare: bool) -> None:
    """So is any text at all."""
    read(text, bare)


@settings(STEADY, max_examples=600)
@given(text=expressions(), data=st.data(), bare=st.booleans())
def test_any_damage_is_read_or_refused(text: str, data: st.DataObject, bare: bool) -> None:
    """An expression with a piece cut out, doubled, or replaced is read or refused."""
    start, end = sorted(data.draw(st.integers(0, len(text))) for _ in range(2))
    piece = data.draw(st.sampled_from(["", text[start:end] * 2, *WORDS]))
    read(text[:start] + piece + text[end:], bare)


DEEP: dict[str, Callable[[int], str]] = {
    "parentheses": lambda n: "(" * n + "1" + ")" * n,
    "lists": lambda n: "[" * n + "]" * n,
    "maps": lambda n: "{1:" * n + "1" + "}" * n,
    "calls": lambda n: "size(" * n + "1" + ")" * n,
    "methods": lambda n: "x" + ".size()" * n,
    "arguments": lambda n: "x.f(" * n + "1" + ")" * n,
    "fields": lambda n: "x" + ".f" * n,
    "indexes": lambda n: "x" + "[0]" * n,
    "nested indexes": lambda n: "x[" * n + "0" + "]" * n,
    "nots": lambda n: "!" * n + "x",
    "signs": lambda n: "-" * n + "x",
    "spaced signs": lambda n: "- " * n + "x",
    "signs and parentheses": lambda n: "-(" * n + "x" + ")" * n,
    "conditions": lambda n: "x ? 1 : " * n + "1",
    "conditions inside": lambda n: "x ? (" * n + "1" + ") : 2" * n,
    "sums": lambda n: "1" + " + 1" * n,
    "products": lambda n: "1" + " * 1" * n,
    "comparisons": lambda n: "1" + " < 1" * n,
    "macros": lambda n: "x.all(y, " * n + "true" + ")" * n,
    "macros in a row": lambda n: "x" + ".map(y, y)" * n,
    "binds": lambda n: "cel.bind(y, 1, " * n + "y" + ")" * n,
    "ands and ors": lambda n: "(x && (x || " * n + "x" + "))" * n,
    "all levels": lambda n: "1 == 1 + 1 * f(" * n + "1" + ")" * n,
    "open parentheses": lambda n: "(" * n,
    "open lists": lambda n: "[" * n,
    "open maps": lambda n: "{" * n,
    "open calls": lambda n: "f(" * n,
    "open conditions": lambda n: "x?" * n,
    "closing parentheses": lambda n: ")" * n,
}


@pytest.mark.parametrize("form", DEEP)
def test_depth_is_bounded(form: str) -> None:
    """What is nested far too deep is refused, whatever it is made of; up to the limit nothing gives way."""
    for times in (*range(1, MAX_DEPTH + 5), 200, 2_000, 20_000):
        text = DEEP[form](times)
        if len(text) <= MAX_LENGTH:
            found = code(text)
    assert found != "read"


def test_reading_leaves_room_on_the_stack() -> None:
    """The deepest expression is read with half of Python's stack in use already."""

    def below(frames: int) -> str:
        return code(DEEP["all levels"](14)) if frames == 0 else below(frames - 1)

    assert below(sys.getrecursionlimit() // 2 - 100) == "read"


@pytest.mark.parametrize(
    "text",
    [
        " && ".join(["x"] * 13_000),
        " || ".join(["x && y"] * 6_500),
        "[" + ",".join(["1"] * 32_000) + "]",
        "{" + ",".join(f"{n}: {n}" for n in range(4_000)) + "}",
        "f(" + ",".join(["1"] * 32_000) + ")",
        "'" + "a" * (MAX_LENGTH - 2) + "'",
        "'" + "\\n" * (MAX_LENGTH // 2 - 1) + "'",
        "1" + " " * (MAX_LENGTH - 1),
        "1 //" + "/" * (MAX_LENGTH - 4),
        "//\n" * (MAX_LENGTH // 3) + "1",
        "x" * MAX_LENGTH,
    ],
    ids=lambda text: text[:12],
)
def test_long_texts_are_read(text: str) -> None:
    """A text may be as long as the limit without being deep."""
    assert code(text) == "read"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x" * (MAX_LENGTH + 1), "GR207"),
        ("1" * MAX_LENGTH, "GR205"),
        ("0x" + "f" * (MAX_LENGTH - 2), "GR205"),
        ("-" + "9" * 5_000, "GR205"),
        ("0" * 5_000 + "7", "read"),
        ("1" * 5_000 + ".0", "read"),
        ("1." + "1" * 60_000, "read"),
        ("1e" + "9" * 60_000, "read"),
        ("." * MAX_LENGTH, "GR202"),
        ("'" * MAX_LENGTH, "GR203"),
        ('"' * (MAX_LENGTH - 1), "GR203"),
        ("'" + "\\" * (MAX_LENGTH - 1), "GR204"),
        ("'''" + "a\n" * 30_000, "GR203"),
        (" " * MAX_LENGTH, "GR208"),
        ("//" * 30_000, "GR208"),
        ("", "GR208"),
    ],
)
def test_long_faults_are_told(text: str, expected: str) -> None:
    """A long faulty text has its fault, and the fault is short."""
    found = read(text)
    assert (found.code if isinstance(found, Diagnostic) else "read") == expected
    assert isinstance(found, Node) or len(found.render()) < 2_000


def literal(text: str) -> object:
    """The value of a literal."""
    node = read(text)
    assert isinstance(node, Const)
    return node.value


@pytest.mark.parametrize("quote", ["'", '"', "'''", '"""'])
def test_every_escape(quote: str) -> None:
    """Each escape of CEL stands for its character, in texts and in bytes; every other letter is refused."""
    known = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, "\\": 92, "'": 39, '"': 34, "`": 96, "?": 63}
    for number in range(0x20, 0x7F):
        letter = chr(number)
        text = f"{quote}.\\{letter}.{quote}"
        if letter in known:
            assert literal(text) == f".{chr(known[letter])}."
            assert literal(f"b{text}") == bytes([46, known[letter], 46])
        else:
            assert code(text) in ("GR204", "GR203")
            assert literal(f"r{text}") == f".\\{letter}."


def test_numbered_escapes() -> None:
    """Octal, hexadecimal and Unicode escapes have exactly their digits and stand for characters that exist."""
    for number in range(0o400):
        assert literal(rf"'\{number:03o}\x{number:02x}\X{number:02X}\u{number:04x}\U{number:08X}'") == chr(number) * 5
        assert literal(rf"b'\{number:03o}\x{number:02x}'") == bytes([number]) * 2
    assert literal(r"'\ud7ff\ue000\uffff\U0010ffff'") == "\ud7ff\ue000\uffff\U0010ffff"
    faults = (
        r"\400", r"\777", r"\08", r"\1", r"\12", r"\x", r"\x1", r"\xg1", r"\u", r"\u123", r"\u{41}", r"\U0010fff",
        r"\ud800", r"\udfff", r"\ud83d\ude00", r"\U00110000", r"\UFFFFFFFF", r"\U0000d800", r"\x１1", r"\0٣٣",
        r"\x+1", r"\x 1",
    )  # fmt: skip
    assert [escape for escape in faults if code(f"'{escape}'") != "GR204"] == []
    assert [escape for escape in (r"\u0041", r"\U00000041") if code(f"b'{escape}'") != "GR204"] == []


def test_raw_texts_and_bytes() -> None:
    """r keeps backslashes, b makes UTF-8 bytes, br both; no other order or letter is a prefix."""
    assert literal(r"r'\n'") == literal(r"R'\n'") == r"\n"
    assert literal("b'é\\xff'") == b"\xc3\xa9\xff"
    assert literal(r"br'\n'") == literal(r"BR'\n'") == literal(r"bR'\n'") == rb"\n"
    assert code(r"rb'\n'") == code("u'a'") == code("f'a'") == code("rr'a'") == code("bb'a'") == "GR202"
    assert code("b'a'", bare=False) == "GR210"


def test_quotes() -> None:
    """A text ends with the quote it began with; only tripled quotes span lines."""
    assert literal("'\"'") == '"'
    assert literal("'''a'b''c\nd'''") == "a'b''c\nd"
    assert literal("''") == literal('""""""') == literal("r''") == ""
    assert [code(text) for text in ("'a\nb'", "'a\rb'", "'a", "'a\"", "'''a''", "'\\'", "b'")] == ["GR203"] * 7
    assert literal("'//'") == "//"


def test_unicode() -> None:
    """Texts hold any character; names, digits and blanks are ASCII; half a character is refused everywhere."""
    assert literal("'天气😀\u202e\u0000'") == "天气😀\u202e\u0000"
    outside = ("天", "é", "１", "٣", "x²", "x\u00a0", "\u3000x", "\ufeffx", "x\u200b", "ａ", "“a”", "x == ‘a’", "ſ")
    assert [text for text in outside if code(text) != "GR201"] == []
    assert [code(text) for text in ("'\ud800'", "\udfff", "x // \ud83d", "b'\udc00'", "r'\udc00'")] == ["GR201"] * 5


def test_control_characters_are_shown_as_escapes() -> None:
    """A fault shows what cannot be seen, so that no character of a text can forge a line of the report."""
    for char in ("\x00", "\x1b", "\x7f", "\u2028", "\u202e", "\ufeff", "\ud800"):
        found = read(f"x {char} y")
        assert isinstance(found, Diagnostic)
        assert char not in found.render()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775808", -(2**63)),
        ("- 9223372036854775808", -(2**63)),
        ("-0x8000000000000000", -(2**63)),
        ("0x7fffffffffffffff", 2**63 - 1),
        ("0XfF", 255),
        ("007", 7),
        (".5", 0.5),
        ("-1.5e-3", -0.0015),
        ("1e400", float("inf")),
        ("5e-325", 0.0),
    ],
)
def test_numbers(text: str, expected: float) -> None:
    """Ints are decimal or hexadecimal within 64 bits, the least one included; doubles have a digit after the point."""
    assert literal(text) == expected
    assert type(literal(text)) is type(expected)


@pytest.mark.parametrize(
    "text",
    [
        "9223372036854775808",
        "-9223372036854775809",
        "0x8000000000000000",
        "-(9223372036854775808)",
        "--9223372036854775809",
    ],
)
def test_ints_beyond_64_bits(text: str) -> None:
    """An int literal beyond 64 bits is refused."""
    assert code(text) == "GR205"


@pytest.mark.parametrize(
    "text",
    [
        "1.", "0x", "0xg", "1_000", "1e", "1e+", "0b1", "1.5.5", "x y", "1 2", "x.", "x..y", "x.1", ".1.x.", "(x",
        "x)", "[1", "{1}",
        "{1:}", "{,}", "[,]", "f(,)", "f(x,)", "f(x", "x ? y", "x ? : z", "x : y", "x &&", "|| x", "x & y", "x = y",
        "x === y", "!-",
        "-!x", "!-x", "a.in", "a.true", "in", "x in", "x not in y", "not x", "x and y", "T{a: 1}", "a.T{}", "x?.y",
        "x[?0]", "[?x]",
        "{?'a': x}", "x.`y`", "/* x */ 1", "x; y", "x -> y", "#", "@x", "$x", "x`", "1u", "0xFu", "2U", "if",
        "x + if", "while(x)",
        "has(x)", "has(x[0])", "has(x.y, z)", "has()", "x.all(y)", "x.all(y.z, true)", "x.all(1, true)", "x.map(y)",
        "x.map(y, 1, 2, 3)",
        "cel.bind(x, 1)", "cel.bind(1, x, x)", "_in_(1, [1])",
    ],
)  # fmt: skip
def test_what_is_no_expression(text: str) -> None:
    """Texts near the language, or of CEL outside the profile, are refused with a code of expressions."""
    assert code(text).startswith("GR2")


def test_rules_have_neither_null_nor_bytes() -> None:
    """What only expressions without a gate know is refused in a rule."""
    assert [code(text, bare=False) for text in ("null", "x == null", "b''", "1e999")] == [
        "GR222",
        "GR222",
        "GR210",
        "GR229",
    ]
    assert [code(text) for text in ("null", "x == null", "b''", "1e999")] == ["read"] * 4


def test_the_deepest_expression_is_evaluated() -> None:
    """What may be read can be evaluated: depth alone exhausts nothing."""
    for form in DEEP.values():
        deepest = [text for n in range(1, MAX_DEPTH + 2) if code(text := form(n)) == "read"]
        if deepest and "f(" not in deepest[-1]:
            assert evaluate_bare(deepest[-1], {"x": [[True]]}).type
