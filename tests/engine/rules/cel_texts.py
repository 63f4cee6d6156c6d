"""Random CEL expressions as text, mostly well typed, over small and extreme values.

Only what CEL itself has: no function or unit of ours. Operands stand without parentheses now and then, so that
precedence is asked as well; what then has the wrong types must fail on both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

Draw = Callable[..., object]
INTS = (0, 1, 2, 3, 7, 10, 60, 2**31, 2**53, 2**53 + 1, 2**63 - 1, -1, -2, -7, -(2**31), -(2**63))
DOUBLES = (
    "0.0", "1.0", "0.1", "0.5", "2.5", "3.0", "1e6", "123456.75", "1e16", "9007199254740993.0", "9.2e18", "1e19",
    "1e308", "5e-324", "-0.0", "-1.0", "-2.5", "-1e-7", ".25",
)  # fmt: skip
TEXTS = (
    "",
    "a",
    "b",
    "ab",
    "Ab",
    "7",
    "-12",
    "1.5",
    "1e3",
    "true",
    "é",
    "天气",
    "😀",
    "'",
    '"',
    "\\",
    "\n",
    "a b",
    "%",
)
NUMERALS = (
    "0",
    "7",
    "-12",
    "+3",
    "9223372036854775807",
    "100",
    "9223372036854775808",
    "1.5",
    ".5",
    "5.",
    "1e3",
    "x",
    "",
)
ODD_NUMERALS = (" 1", "1 ", "inf", "NaN", "0x10", "1e400")
PATTERNS = ("a", "^a+$", "[ab]{2}", "(a|b)*c?", "\\d", "b$", "(?i)AB", ".", "[", "a{2}b", "^$", "é")
INSTANTS = (
    "1970-01-01T00:00:00Z", "2026-04-15T08:30:59.5+08:00", "2024-02-29T23:59:59.123456789Z", "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.999999999Z", "1600-02-29T12:00:00-05:30",
    "2026-11-01T05:30:00Z", "1990-01-01T00:00:00.000001Z",
)  # fmt: skip
ODD_INSTANTS = (
    "2026-02-29T00:00:00Z", "2026-04-15", "2026-04-15T24:00:00Z", "9999-12-31T23:59:59-01:00", "2016-12-31T23:59:60Z",
    "", "0000-12-31T23:59:59Z", "2026-04-15T00:00:00", "2026-04-15 00:00:00Z", "2026-04-15T00:00:00+24:00",
)  # fmt: skip
SPANS = (
    "0s", "1s", "1h30m", "-1.5h", "0.1s", "1ms", "1us", "1ns", "-1ns", "90m", "24h", "8760h", "100000h", "2562047h",
    "1.000000001s", "1h1m1s1ms1us1ns", "+5s", "-3661.5s",
)  # fmt: skip
"""None beyond 64 bits of nanoseconds, where the other runtime saturates: `timestamp(0) - duration('100000000000s')`."""
ODD_SPANS = ("", "1", "h", "1 s", "s", "315576000001s", "-h", "1h-1m", "1e3s")
ZONES = (
    "UTC",
    "Asia/Shanghai",
    "America/New_York",
    "Europe/Berlin",
    "+08:00",
    "-02:30",
    "02:15",
    "Nowhere/Else",
)
OF_INSTANT = (
    "getFullYear", "getMonth", "getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getHours", "getMinutes",
    "getSeconds", "getMilliseconds",
)  # fmt: skip
OF_SPAN = ("getHours", "getMinutes", "getSeconds", "getMilliseconds")
SCALARS = ("bool", "int", "double", "string", "timestamp", "duration")
KINDS = (*SCALARS, "bytes", "list", "map", "null")
VARIABLES: dict[str, object] = {
    "i": 7, "d": 2.5, "s": "é", "flag": True, "none": None, "l": [1, 2.5, "a", None, [True]],
    "m": {"a": 1, "b": None, "é": [1.0], "n": {"a": "x"}},
}  # fmt: skip
OF_VARIABLE = {
    "int": ("i", "m.a", "l[0]"), "double": ("d",), "string": ("s", "m.n.a"), "bool": ("flag",), "list": ("l",),
    "map": ("m", "m.n"), "null": ("none", "m.b", "l[3]"),
}  # fmt: skip


@st.composite
def expressions(draw: Draw, kind: str | None = None, depth: int = 4) -> str:
    """An expression that should have this kind, or any."""
    return _Text(draw).of(kind or _one(draw, KINDS), depth, ())


def _one(draw: Draw, many: Sequence[str]) -> str:
    return str(draw(st.sampled_from(many)))


def quoted(text: str) -> str:
    """A text literal."""
    simple = {"\\": "\\\\", "'": "\\'", "\n": "\\n"}
    return "'" + "".join(simple.get(char, char) for char in text) + "'"


Local = tuple[str, str]


class _Text:
    """The productions of each kind. `names` are the names of macros around, with their kinds."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw

    def pick(self, *many: str) -> str:
        return _one(self.draw, many)

    def chance(self, percent: int) -> bool:
        return int(self.draw(st.integers(0, 99))) < percent  # type: ignore[call-overload]

    def mostly(self, many: Sequence[str], rest: Sequence[str]) -> str:
        return self.pick(*rest) if self.chance(8) else self.pick(*many)

    def of(self, kind: str, depth: int, names: tuple[Local, ...]) -> str:
        if self.chance(3):
            kind = self.pick(*KINDS)
        fitting = [name for name, its in names if its in (kind, "any")]
        if fitting and self.chance(40):
            return self.pick(*fitting)
        if depth <= 0 or self.chance(15):
            return self.leaf(kind)
        if self.chance(12):
            return self.anywhere(kind, depth - 1, names)
        return str(getattr(self, f"{kind}_of")(depth - 1, names))

    def part(self, kind: str, depth: int, names: tuple[Local, ...]) -> str:
        """An operand."""
        text = self.of(kind, depth, names)
        return text if self.chance(8) else f"({text})"

    def leaf(self, kind: str) -> str:
        if kind in OF_VARIABLE and self.chance(15):
            return self.pick(*OF_VARIABLE[kind])
        match kind:
            case "bool":
                return self.pick("true", "false")
            case "int":
                return str(self.draw(st.sampled_from(INTS)))
            case "double":
                return self.pick(*DOUBLES)
            case "string":
                return quoted(self.pick(*TEXTS))
            case "bytes":
                return self.pick("b''", "b'a'", "b'\\xff'", "b'é'")
            case "timestamp":
                return f"timestamp({quoted(self.mostly(INSTANTS, ODD_INSTANTS))})"
            case "duration":
                return f"duration({quoted(self.mostly(SPANS, ODD_SPANS))})"
            case "list":
                return self.pick("[]", "[1, 2, 3]", "['a', 'b']", "[1, 1.0, true, null]", "[[1], []]", "[0, 1]")
            case "map":
                return self.pick("{}", "{'a': 1}", "{'a': 1, 'b': 2.5}", "{2: 'x', true: 'y'}", "{'a': {'b': null}}")
        return "null"

    def anywhere(self, kind: str, depth: int, names: tuple[Local, ...]) -> str:
        """What may stand for any kind."""
        form = self.pick("cond", "bind", "index", "dyn", "entry")
        if form == "cond":
            test, yes, no = (self.part(each, depth, names) for each in ("bool", kind, kind))
            return f"{test} ? {yes} : {no}"
        if form == "bind":
            its, name = self.pick(*KINDS), self.pick("p", "q")
            value = self.of(its, depth, names)
            return f"cel.bind({name}, {value}, {self.of(kind, depth, (*names, (name, its)))})"
        if form == "index":
            items = ", ".join(self.of(kind, depth, names) for _ in range(2))
            return f"[{items}][{self.mostly(('0', '1', '1.0'), ('2', '-1', '0.5', 'true'))}]"
        if form == "entry":
            chosen = self.mostly((".k", "['k']"), (".z", "[0]"))
            return f"{{'k': {self.of(kind, depth, names)}}}{chosen}"
        return f"dyn({self.of(kind, depth, names)})"

    def bool_of(self, depth: int, names: tuple[Local, ...]) -> str:
        form = self.pick(
            "not", "logic", "logic", "order", "order", "equal", "in", "has", "macro", "macro", "text", "bool"
        )
        match form:
            case "not":
                return f"!({self.of('bool', depth, names)})"
            case "logic":
                return self.binary("bool", self.pick("&&", "||"), "bool", depth, names)
            case "order":
                kind = self.pick(*SCALARS, "bytes")
                other = {"int": "double", "double": "int"}.get(kind, kind) if self.chance(25) else kind
                return self.binary(kind, self.pick("<", "<=", ">", ">="), other, depth, names)
            case "equal":
                kind = self.pick(*KINDS)
                other = kind if self.chance(75) else self.pick(*KINDS)
                return self.binary(kind, self.pick("==", "!="), other, depth, names)
            case "in":
                return self.binary(
                    self.pick("int", "string", "double", "bool"), "in", self.pick("list", "map"), depth, names
                )
            case "has":
                return f"has({self.part('map', depth, names)}.{self.pick('a', 'b', 'z')})"
            case "macro":
                macro = self.pick("all", "exists", "exists_one")
                return self.loop(macro, "bool", depth, names)
            case "text":
                method = self.pick("contains", "startsWith", "endsWith")
                if self.chance(30):
                    return f"{self.part('string', depth, names)}.matches({quoted(self.pick(*PATTERNS))})"
                return f"{self.part('string', depth, names)}.{method}({self.of('string', depth, names)})"
        return f"bool({self.of(self.pick('bool', 'string'), depth, names)})"

    def int_of(self, depth: int, names: tuple[Local, ...]) -> str:
        form = self.pick("sum", "sum", "minus", "size", "size", "int", "int", "instant", "instant", "span")
        match form:
            case "sum":
                return self.binary("int", self.pick("+", "-", "*", "/", "%"), "int", depth, names)
            case "minus":
                return f"-({self.of('int', depth, names)})"
            case "size":
                operand = self.part(self.pick("string", "list", "map", "bytes"), depth, names)
                return f"size({operand})" if self.chance(50) else f"{operand}.size()"
            case "int":
                kind = self.pick("int", "double", "timestamp", "numeral")
                return f"int({self.numeral() if kind == 'numeral' else self.of(kind, depth, names)})"
            case "instant":
                zone = quoted(self.pick(*ZONES)) if self.chance(50) else ""
                return f"{self.part('timestamp', depth, names)}.{self.pick(*OF_INSTANT)}({zone})"
        return f"{self.part('duration', depth, names)}.{self.pick(*OF_SPAN)}()"

    def numeral(self) -> str:
        return quoted(self.mostly(NUMERALS, ODD_NUMERALS))

    def double_of(self, depth: int, names: tuple[Local, ...]) -> str:
        form = self.pick("sum", "sum", "minus", "double")
        if form == "sum":
            return self.binary("double", self.pick("+", "-", "*", "/"), "double", depth, names)
        if form == "minus":
            return f"-({self.of('double', depth, names)})"
        kind = self.pick("int", "double", "numeral")
        return f"double({self.numeral() if kind == 'numeral' else self.of(kind, depth, names)})"

    def string_of(self, depth: int, names: tuple[Local, ...]) -> str:
        if self.chance(40):
            return self.binary("string", "+", "string", depth, names)
        # Not of times: how many decimals their text has is left to the runtime.
        return f"string({self.of(self.pick('int', 'double', 'bool', 'string', 'bytes'), depth, names)})"

    def bytes_of(self, depth: int, names: tuple[Local, ...]) -> str:
        if self.chance(50):
            return self.binary("bytes", "+", "bytes", depth, names)
        return f"bytes({self.of('string', depth, names)})"

    def timestamp_of(self, depth: int, names: tuple[Local, ...]) -> str:
        if self.chance(25):
            return f"timestamp({self.of(self.pick('int', 'timestamp'), depth, names)})"
        if self.chance(20):
            return self.binary("duration", "+", "timestamp", depth, names)
        return self.binary("timestamp", self.pick("+", "-"), "duration", depth, names)

    def duration_of(self, depth: int, names: tuple[Local, ...]) -> str:
        if self.chance(40):
            return self.binary("timestamp", "-", "timestamp", depth, names)
        return self.binary("duration", self.pick("+", "-"), "duration", depth, names)

    def list_of(self, depth: int, names: tuple[Local, ...]) -> str:
        form = self.pick("literal", "literal", "sum", "map", "map", "filter")
        if form == "literal":
            kind = self.pick(*KINDS)
            items = [self.of(kind, depth, names) for _ in range(int(self.pick("0", "1", "2", "3")))]
            return f"[{', '.join(items)}]"
        if form == "sum":
            return self.binary("list", "+", "list", depth, names)
        return self.loop(form, "bool" if form == "filter" else self.pick(*KINDS), depth, names)

    def map_of(self, depth: int, names: tuple[Local, ...]) -> str:
        # Not 1, which Python's maps, through which the other runtime answers, take for true.
        keys = ("'a'", "'b'", "2", "3", "true", "'é'") if self.chance(95) else ("2.0", "null", "[]")
        chosen = [self.pick(*keys) for _ in range(int(self.pick("0", "1", "2", "3")))]
        entries = [f"{key}: {self.of(self.pick(*KINDS), depth, names)}" for key in dict.fromkeys(chosen)]
        return "{" + ", ".join(entries) + "}"

    def null_of(self, depth: int, names: tuple[Local, ...]) -> str:
        return self.anywhere("null", depth, names)

    def binary(self, left: str, operator: str, right: str, depth: int, names: tuple[Local, ...]) -> str:
        return f"{self.part(left, depth, names)} {operator} {self.part(right, depth, names)}"

    def loop(self, macro: str, body: str, depth: int, names: tuple[Local, ...]) -> str:
        var = self.pick("x", "y")
        inner = (*names, (var, "any"))
        over = self.part(self.pick("list", "list", "list", "map"), depth, names)
        keep = f"{self.of('bool', depth, inner)}, " if macro == "map" and self.chance(30) else ""
        return f"{over}.{macro}({var}, {keep}{self.of(body, depth, inner)})"
