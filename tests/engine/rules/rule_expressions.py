"""Random typed expressions over what an author may read, and the values that they are made of.

Everything is drawn from a `Random`, so that Hypothesis can shrink what it draws and a seed can repeat a run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

from groundrule.facts.words import WORDS
from groundrule.rules.types import BOOL, DOUBLE, DURATION, INT, JSON, STRING, TIMESTAMP, Type, list_of, map_of

Named = tuple[str, Type]
"""The text of an expression that reads something, and its type."""

URLS = (
    "https://a.example/x", "http://A.Example:80/x/", "https://www.bücher.example/", "http://127.0.0.1/a", "ftp://a.b/",
    "http://u@a.example/", "http://a\\b", "http://a b/", "http://", "", "x", "https://sub.blocked.example/p?q=1",
    "https://news.co.uk./", "http://[::1]/", "http://%61.example/",
)  # fmt: skip
TEXTS = (
    "a",
    "b",
    "ab",
    "",
    "12",
    " 1_0",
    "１２",
    "-7",
    "1e3",
    "天气",
    "true",
    "9223372036854775808",
    "zh",
    "a1\n",
    "k",
)
INTS = (0, 1, 2, 3, -1, 7, -7, 2**53 - 1, -(2**53) + 1)
INT_LITERALS = (*map(str, INTS), "9223372036854775807", "(-9223372036854775807 - 1)", "4611686018427387904")
DOUBLES = ("0.5", "2.0", "-1.5", "0.0", "-0.0", "1e308", "1.0", "3.25", "1e-300")
DURATIONS = ("3h", "0s", "-1h", "1d", "2w", "80000000h", "1500ms")
TIMES = (
    "2026-04-15T08:00:00Z", "2026-04-15T05:00:00Z", "2026-04-14T08:00:00.000001Z", "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z", "2026-03-29T01:30:00+01:00",
)  # fmt: skip
SCALARS = (BOOL, INT, DOUBLE, STRING, TIMESTAMP, DURATION)
LISTED = (INT, DOUBLE, STRING, DURATION, TIMESTAMP, BOOL)
PARAMS = {
    "flag": "true", "n": "3", "big": "9223372036854775807", "d": "0.5", "limit": "3h", "at": "2026-04-15T05:00:00Z",
    "word": "a", "words": "[a, b, '12', zh]", "nums": "[1, 2, 3, 2]", "doubles": "[1, 2.5]", "ages": "[3h, 1d]",
    "flags": "[true, false]", "mixed": "{a: 1, b: 2.5}", "max_age": "{weather: 3h, news: 72h}",
    "urls": "['https://a.example/x', 'http://a b/', x]", "blocked": "{list: blocked}",
}  # fmt: skip
PARAM_TYPES = {
    "flag": BOOL, "n": INT, "big": INT, "d": DOUBLE, "limit": DURATION, "at": TIMESTAMP, "word": STRING,
    "words": list_of(STRING), "nums": list_of(INT), "doubles": list_of(DOUBLE), "ages": list_of(DURATION),
    "flags": list_of(BOOL), "mixed": map_of(STRING, DOUBLE), "max_age": map_of(STRING, DURATION),
    "urls": list_of(STRING),
}  # fmt: skip
BLOCKED = "blocked.example\n*.b.example\n/^https:.*bad/\n"
URL_TEXTS = ("canonical", "host", "registrable_domain")


def paths(text: str, type_: Type) -> Iterator[Named]:
    """Everything that a record holds, however deep; the values of a list are not looked into."""
    for name, info in type_.fields.items():
        if name == "chosen":
            continue
        here = f"{text}.{name}" if text else name
        if info.type.kind == "record":
            yield from paths(here, info.type)
        else:
            yield here, info.type


@dataclass(frozen=True)
class Maker:
    """Makes expressions that read what is in `known`. turns: how many macro variables stand around.

    fields: what `has` may ask. carried: choices that every item carries.
    """

    random: Random
    known: tuple[Named, ...]
    turns: int = 0
    fields: tuple[str, ...] = field(default=())
    carried: tuple[Named, ...] = ()

    def expression(self, type_: Type, depth: int) -> str:
        """An expression of a type."""
        if depth <= 0 or self.random.random() < 0.12:
            return self.leaf(type_)
        if type_.kind in ("list", "map") or type_ == JSON:
            return self.listing(type_, depth) if type_.kind == "list" else self.leaf(type_)
        chance = self.random.random()
        if chance < 0.08:
            parts = self.expression(BOOL, depth - 1), self.expression(type_, depth - 1)
            return f"({parts[0]} ? {parts[1]} : {self.expression(type_, depth - 1)})"
        if chance < 0.13:
            return self.bound(type_, depth)
        makers = {
            "bool": self.condition, "int": self.integer, "double": self.double, "string": self.text,
            "timestamp": self.instant, "duration": self.duration,
        }  # fmt: skip
        return makers[type_.kind](depth - 1)

    def leaf(self, type_: Type) -> str:
        """Something known, or a literal."""
        # An enum that meets a text that is none of its words is a fault.
        found = [text for text, known in self.known if known == type_ and not known.words]
        if found and self.random.random() < 0.7:
            return self.random.choice(found)
        return self.literal(type_)

    def literal(self, type_: Type) -> str:
        pick = self.random.choice
        match type_.kind:
            case "bool":
                return pick(("true", "false"))
            case "int":
                return pick(INT_LITERALS)
            case "double":
                return pick(DOUBLES)
            case "timestamp":
                return f'timestamp("{pick(TIMES)}")'
            case "duration":
                return f'duration("{pick(DURATIONS)}")'
            case "list":
                return f"[{', '.join(self.literal(type_.args[0]) for _ in range(self.random.randint(1, 3)))}]"
            case "map":
                return f'{{"a": {self.literal(type_.args[1])}}}'
            case "string":
                return quoted(pick(TEXTS + URLS))
        found = [text for text, known in self.known if known == type_]
        return pick(found) if found else "[]"

    def bound(self, type_: Type, depth: int) -> str:
        inner = self.random.choice((*SCALARS, list_of(INT)))
        name = f"v{self.turns}"
        body = self.beside((name, inner)).expression(type_, depth - 1)
        return f"cel.bind({name}, {self.expression(inner, depth - 1)}, {body})"

    def beside(self, *named: Named) -> Maker:
        return replace(self, known=(*self.known, *named, *named), turns=self.turns + 1)

    def turn(self, over: Type) -> tuple[str, Maker]:
        """The variable of a macro over a list, and what can be made with it."""
        name = f"v{self.turns}"
        element = over.args[0]
        if element.kind != "record":
            return name, self.beside((name, element))
        named = tuple(paths(name, element))
        if element.name == "evidence":
            named += tuple((f"{name}.chosen.{choice}", type_) for choice, type_ in self.carried)
        return name, replace(self.beside(*named), fields=(*self.fields, *(text for text, _ in named)))

    def some_list(self, depth: int) -> tuple[str, Type]:
        """A list to go over: one of records, if there is one, in half of the cases."""
        records = [named for named in self.known if named[1].kind == "list" and named[1].args[0].kind == "record"]
        # Two loops over records in each other may cost more than a gate may take.
        records = [named for named in records if not self.turns or named[0].startswith("v")]
        if records and self.random.random() < 0.5:
            return self.random.choice(records)
        type_ = list_of(self.random.choice(LISTED))
        return self.expression(type_, depth if not self.turns else 0), type_

    def condition(self, depth: int) -> str:
        """A bool with something in it that can be undecided."""
        pick, make = self.random.choice, self.expression
        form = pick(("and", "or", "not", "==", "==", "<", "<", "in", "enum", "enum", "has", "has", "loop", "loop", "one", "text", "url",
                     "json", "map", "keys", "listed", "is", "whole", "bool"))  # fmt: skip
        match form:
            case "and" | "or":
                sign = " && " if form == "and" else " || "
                return "(" + sign.join(make(BOOL, depth) for _ in range(self.random.randint(2, 3))) + ")"
            case "not":
                return f"!({make(BOOL, depth)})"
            case "==":
                type_ = pick((*SCALARS, list_of(INT), list_of(STRING), list_of(DOUBLE)))
                return f"({make(type_, depth)} {pick(('==', '!='))} {make(type_, depth)})"
            case "<":
                type_ = pick((INT, DOUBLE, STRING, TIMESTAMP, DURATION, DURATION))
                return f"({make(type_, depth)} {pick(('<', '<=', '>', '>='))} {make(type_, depth)})"
            case "in":
                type_ = pick(LISTED)
                return f"({make(type_, depth)} in {make(list_of(type_), depth)})"
            case "enum" if enums := [named for named in self.known if named[1].words]:
                text, type_ = pick(enums)
                words = [quoted(word) for word in WORDS[type_.words]]
                return pick((f"({text} == {pick(words)})", f"({text} != {pick(words)})",
                             f"({text} in [{pick(words)}, {pick(words)}])"))  # fmt: skip
            case "has" if self.fields:
                return f"has({pick(self.fields)})"
            case "loop":
                over, type_ = self.some_list(depth)
                name, inner = self.turn(type_)
                return f"({over}).{pick(('all', 'exists'))}({name}, {inner.expression(BOOL, depth)})"
            case "one":
                over, type_ = self.some_list(depth)
                name, inner = self.turn(type_)
                return f"({over}).exists_one({name}, {inner.expression(BOOL, depth)})"
            case "text":
                how = pick(("startsWith", "contains", "endsWith"))
                if self.random.random() < 0.3:
                    subject = make(STRING, depth)
                    return f"({subject}.startsWith('a') || {subject}.startsWith('http'))"
                return f"{make(STRING, depth)}.{how}({make(STRING, depth)})"
            case "url":
                return f"is_public_http({self.url(depth)})"
            case "listed":
                return f"{pick(('url_in', 'domain_in'))}({self.url(depth)}, params.blocked)"
            case "json":
                return self.json_condition(depth)
            case "map":
                return pick(("has(params.mixed.a)", f"({make(STRING, depth)} in params.max_age)",
                             f'("a" in {self.leaf(map_of(STRING, STRING))})'))  # fmt: skip
            case "keys":
                name, inner = self.turn(list_of(STRING))
                over = pick((self.mapping(INT, depth), "params.mixed", self.leaf(map_of(STRING, STRING))))
                return f"{over}.{pick(('all', 'exists', 'exists_one'))}({name}, {inner.expression(BOOL, depth - 1)})"
            case "is":
                return f"{make(STRING, depth)}.matches({pick((quoted('^[a-z]+$'), quoted('[0-9]'), 'params.word'))})"
            case "bool":
                return f"bool({self.read(STRING)})"
        return self.leaf(BOOL)

    def json_condition(self, depth: int) -> str:
        pick = self.random.choice
        found = [text for text, type_ in self.known if type_ == JSON]
        if not found:
            return self.leaf(BOOL)
        value = pick(found) + pick(("", ".a", ".b", ".a.b", "[0]", '["a"]', ".l[0]", ".l"))
        match pick(("==", "in", "has", "all", "size", "both")):
            case "==":
                type_ = pick((INT, STRING, BOOL, DOUBLE))
                return f"({value} {pick(('==', '!='))} {self.expression(type_, depth)})"
            case "in":
                return f"({self.expression(pick((INT, STRING)), depth)} in {value})"
            case "has":
                return f"has({value}.a)"
            case "all":
                return f"{value}.{pick(('all', 'exists'))}(j, j == {self.literal(pick((INT, STRING)))})"
            case "size":
                return f"(size({value}) > {pick('012')})"
        return f"({value} == {pick(found)}.b)"

    def mapping(self, type_: Type, depth: int) -> str:
        """A map literal whose keys may turn out to be the same."""
        keys = [self.random.choice(('"a"', '"b"', self.expression(STRING, depth - 1))) for _ in range(2)]
        return "{" + ", ".join(f"{key}: {self.expression(type_, depth - 1)}" for key in dict.fromkeys(keys)) + "}"

    def integer(self, depth: int) -> str:
        pick, make = self.random.choice, self.expression
        match pick(("+", "+", "/", "-", "size", "size", "int", "sum", "min", "index", "part", "json", "map")):
            case "+":
                return f"({make(INT, depth)} {pick('+-*')} {make(INT, depth)})"
            case "/":
                return f"({make(INT, depth)} {pick('/%')} {make(INT, depth)})"
            case "-":
                return f"(-({make(INT, depth)}))"
            case "size":
                over, _ = self.some_list(depth) if pick((True, False)) else (make(STRING, depth), STRING)
                return pick((f"size({over})", f"({over}).size()"))
            case "int":
                return f"int({pick((self.read(STRING), make(DOUBLE, depth), make(TIMESTAMP, depth)))})"
            case "sum":
                return f"sum({make(list_of(INT), depth)})"
            case "min":
                return f"{pick(('min', 'max'))}({make(list_of(INT), depth)})"
            case "map":
                made = self.mapping(INT, depth)
                return pick((f"size({made})", f"{made}[{make(STRING, depth)}]"))
            case "part":
                return f"{make(TIMESTAMP, depth)}.{pick(('getFullYear', 'getHours', 'getDayOfWeek'))}()"
            case "json" if found := [text for text, type_ in self.known if type_ == JSON]:
                return f"int({pick(found)}{pick(('.a', '.b', '[0]'))})"
        return self.element(INT, depth)

    def element(self, type_: Type, depth: int) -> str:
        index = self.random.choice(("0", "1", "-1", "7", self.expression(INT, depth - 1)))
        return f"({self.expression(list_of(type_), depth)})[{index}]"

    def double(self, depth: int) -> str:
        pick, make = self.random.choice, self.expression
        match pick(("+", "+", "/", "-", "double", "sum", "max", "map", "index")):
            case "+":
                return f"({make(DOUBLE, depth)} {pick('+-*')} {make(DOUBLE, depth)})"
            case "/":
                return f"({make(DOUBLE, depth)} / {make(DOUBLE, depth)})"
            case "-":
                return f"(-({make(DOUBLE, depth)}))"
            case "double":
                return f"double({pick((self.read(STRING), make(INT, depth)))})"
            case "sum":
                return f"sum({make(list_of(DOUBLE), depth)})"
            case "max":
                return f"{pick(('min', 'max'))}({make(list_of(DOUBLE), depth)})"
            case "map":
                return pick(("params.mixed.a", "params.mixed.b", f"params.mixed[{make(STRING, depth)}]"))
        return self.element(DOUBLE, depth)

    def text(self, depth: int) -> str:
        pick, make = self.random.choice, self.expression
        match pick(("+", "string", "url", "url", "index", "map", "normalise", "min", "json")):
            case "+":
                return f"({make(STRING, depth)} + {make(STRING, depth)})"
            case "string":
                return f"string({make(pick((INT, DOUBLE, BOOL, DURATION, TIMESTAMP)), depth)})"
            case "url":
                return f"{pick(URL_TEXTS)}({self.url(depth)})"
            case "map":
                found = [text for text, type_ in self.known if type_ == map_of(STRING, STRING)]
                return f"{pick(found)}[{make(STRING, depth)}]" if found else self.leaf(STRING)
            case "normalise":
                return f"normalise({make(STRING, depth)})"
            case "min":
                return f"{pick(('min', 'max'))}({make(list_of(STRING), depth)})"
            case "json" if found := [text for text, type_ in self.known if type_ == JSON]:
                return f"string({pick(found)}{pick(('.a', '.b', '[0]'))})"
        return self.element(STRING, depth)

    def url(self, depth: int) -> str:
        found = [text for text, _ in self.known if text.endswith("url")]
        if found and self.random.random() < 0.6:
            return self.random.choice(found)
        return self.read(STRING) if self.random.random() < 0.7 else f"({self.read(STRING)} + {self.leaf(STRING)})"

    def read(self, type_: Type) -> str:
        """Something known, and no constant, whose conversion the checker could compute."""
        return self.random.choice([text for text, known in self.known if known == type_ and not known.words])

    def instant(self, depth: int) -> str:
        pick, make = self.random.choice, self.expression
        match pick(("now", "now", "+", "-", "of", "day", "max")):
            case "+":
                return f"({make(TIMESTAMP, depth)} + {make(DURATION, depth)})"
            case "-":
                return f"({make(TIMESTAMP, depth)} - {make(DURATION, depth)})"
            case "of":
                return f"timestamp({pick((self.read(STRING), self.read(INT)))})"
            case "day":
                return f'start_of_day({make(TIMESTAMP, depth)}, "Asia/Shanghai")'
            case "max":
                return f"{pick(('min', 'max'))}({make(list_of(TIMESTAMP), depth)})"
        return "now"

    def duration(self, depth: int) -> str:
        pick, make = self.random.choice, self.expression
        match pick(("now", "now", "-", "+", "sum", "map", "map", "of")):
            case "now":
                x = self.leaf(TIMESTAMP)
                return pick((f"(now - {x})", f"({x} - now)"))
            case "-":
                return f"({make(TIMESTAMP, depth)} - {make(TIMESTAMP, depth)})"
            case "+":
                return f"({make(DURATION, depth)} {pick('+-')} {make(DURATION, depth)})"
            case "sum":
                return f"{pick(('sum', 'min', 'max'))}({make(list_of(DURATION), depth)})"
            case "of":
                return f"duration({self.read(STRING)})"
        return f"params.max_age[{make(STRING, depth)}]"

    def listing(self, type_: Type, depth: int) -> str:
        pick, make, element = self.random.choice, self.expression, type_.args[0]
        if element.kind == "record":
            found = self.leaf(type_)
            name, inner = self.turn(type_)
            return f"{found}.filter({name}, {inner.expression(BOOL, depth - 1)})"
        match pick(("literal", "+", "filter", "map", "map", "map3", "distinct")):
            case "literal":
                return f"[{', '.join(make(element, depth - 1) for _ in range(self.random.randint(1, 3)))}]"
            case "+":
                return f"({make(type_, depth - 1)} + {make(type_, depth - 1)})"
            case "filter":
                name, inner = self.turn(type_)
                return f"({make(type_, depth - 1)}).filter({name}, {inner.expression(BOOL, depth - 1)})"
            case "distinct":
                return f"distinct({make(type_, depth - 1)})"
            case "map3":
                over, other = self.some_list(depth - 1)
                name, inner = self.turn(other)
                keep = inner.expression(BOOL, depth - 1)
                return f"({over}).map({name}, {keep}, {inner.expression(element, depth - 1)})"
        over, other = self.some_list(depth - 1)
        name, inner = self.turn(other)
        return f"({over}).map({name}, {inner.expression(element, depth - 1)})"


def quoted(text: str) -> str:
    """A text literal."""
    return '"' + text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"') + '"'
