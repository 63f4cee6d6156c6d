"""CEL text to tree.

A recursive descent parser over a token list. Depth and length are bounded before anything recurses far; a chain of
`&&` or `||` is one node, so long conditions stay flat. One fault ends an expression: what follows would be guesswork.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

from .. import codes
from ..diagnostics import Snippet, Span
from .syntax import Bind, Call, Cond, Const, Field, Has, Index, ListOf, Logic, Loop, MapOf, Name, Node
from .tokens import ExpressionError, Token, tokens_of

MAX_LENGTH = 65_536
MAX_DEPTH = 60

RESERVED = frozenset(
    "as break const continue else for function if import let loop package namespace return var void while".split()
)
KEYWORDS = frozenset({"true", "false", "null", "in"})
PRECEDENCE = {"==": 1, "!=": 1, "<": 1, "<=": 1, ">": 1, ">=": 1, "in": 1, "+": 2, "-": 2, "*": 3, "/": 3, "%": 3}
MACROS = {
    "all": "list.all(x, condition)",
    "exists": "list.exists(x, condition)",
    "exists_one": "list.exists_one(x, condition)",
    "filter": "list.filter(x, condition)",
    "map": "list.map(x, result) or list.map(x, condition, result)",
}


def parse(snippet: Snippet, bare: bool = False) -> Node:
    """The tree of an expression. `bare` also reads null, bytes and infinite doubles, which rules do not have.

    Raises ExpressionError with the first fault.
    """
    if len(snippet.text) > MAX_LENGTH:
        fault = codes.EXPRESSION_TOO_LONG.at(snippet.span(0, 1), size=len(snippet.text), limit=MAX_LENGTH)
        raise ExpressionError(fault)
    tokens = tokens_of(snippet, bare)
    if tokens[0].kind == "end":
        raise ExpressionError(codes.EMPTY_EXPRESSION.at(snippet.span(0, len(snippet.text))))
    parser = _Parser(snippet, tokens, bare)
    node = parser.expression()
    parser.expect_end()
    _refuse_deep(node, snippet)
    return node


def _refuse_deep(node: Node, snippet: Snippet) -> None:
    """Left-leaning chains such as `1 + 1 + 1 …` are deep although the parser never recursed for them."""
    level = [node]
    for _ in range(MAX_DEPTH + 1):
        level = [child for parent in level for child in parent.children()]
        if not level:
            return
    raise ExpressionError(codes.EXPRESSION_TOO_DEEP.at(snippet.span(0, len(snippet.text)), limit=MAX_DEPTH))


class _Parser:
    """The state of one parse: the tokens and the place reached."""

    def __init__(self, snippet: Snippet, tokens: list[Token], bare: bool) -> None:
        self.snippet, self.tokens, self.bare = snippet, tokens, bare
        self.at, self.depth = 0, 0

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def take(self, *values: str) -> Token | None:
        """The next token if it is one of these operators or words, else None."""
        token = self.token
        if token.kind in ("op", "name") and token.value in values:
            self.at += 1
            return token
        return None

    def expect(self, value: str) -> Token:
        token = self.take(value)
        if token is None:
            self.fail(f"`{value}`")
        return token

    def expect_end(self) -> None:
        if self.token.kind != "end":
            self.fail("an operator or the end")

    def fail(self, wanted: str) -> NoReturn:
        token = self.token
        found = "the end" if token.kind == "end" else f"`{self.snippet.text[token.start : token.end]}`"
        help = ""
        if token.kind == "name" and token.value in ("and", "or", "not"):
            help = {"and": "write `&&`", "or": "write `||`", "not": "write `!`"}[str(token.value)]
        raise ExpressionError(
            codes.UNEXPECTED.at(self.snippet.span(token.start, token.end), wanted=wanted, found=found, help=help)
        )

    def expression(self) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            token = self.token
            fault = codes.EXPRESSION_TOO_DEEP.at(self.snippet.span(token.start, token.end), limit=MAX_DEPTH)
            raise ExpressionError(fault)
        start = self.token.start
        node = self.disjunction()
        if self.take("?"):
            yes = self.disjunction()
            self.expect(":")
            no = self.expression()
            node = Cond(span=self.since(start), test=node, yes=yes, no=no)
        self.depth -= 1
        return node

    def since(self, start: int) -> Span:
        return self.snippet.span(start, self.tokens[self.at - 1].end)

    def disjunction(self) -> Node:
        start, args = self.token.start, [self.conjunction()]
        while self.take("||"):
            args.append(self.conjunction())
        return args[0] if len(args) == 1 else Logic(span=self.since(start), word="or", args=tuple(args))

    def conjunction(self) -> Node:
        start, args = self.token.start, [self.binary(1)]
        while self.take("&&"):
            args.append(self.binary(1))
        return args[0] if len(args) == 1 else Logic(span=self.since(start), word="and", args=tuple(args))

    def binary(self, level: int) -> Node:
        """Operators that bind at least as tightly as `level`, the left ones first."""
        start, left = self.token.start, self.unary()
        while self.token.kind in ("op", "name"):
            operator = str(self.token.value)
            binds = PRECEDENCE.get(operator, 0)
            if binds < level or binds == 0:
                break
            self.at += 1
            right = self.binary(binds + 1)
            left = Call(span=self.since(start), function=f"_{operator}_", args=(left, right))
        return left

    def unary(self) -> Node:
        start = self.token.start
        signs: list[str] = []
        while (token := self.take("!", "-")) is not None:
            signs.append(str(token.value))
        if len(set(signs)) > 1 or len(signs) > MAX_DEPTH:
            self.fail("one kind of sign")
        if signs and signs[-1] == "-" and self.token.kind in ("int", "float"):
            # The sign belongs to the literal, or the least int could not be written.
            signs.pop()
            self.tokens[self.at] = self.negative(self.token, self.tokens[self.at - 1].start)
        node = self.member(self.token.start)
        for sign in reversed(signs):
            node = Call(span=self.since(start), function=f"{sign}_", args=(node,))
        return node

    def negative(self, token: Token, start: int) -> Token:
        value = token.value
        return replace(token, value=-value if isinstance(value, (int, float)) else value, start=start)

    def member(self, start: int) -> Node:
        node = self.primary()
        while True:
            if self.take("."):
                node = self.selection(node, start)
            elif self.take("["):
                index = self.expression()
                self.expect("]")
                node = Index(span=self.since(start), operand=node, index=index)
            else:
                return node

    def selection(self, operand: Node, start: int) -> Node:
        token = self.token
        if token.kind != "name" or token.value in KEYWORDS:
            self.fail("a field name")
        name = str(token.value)
        self.at += 1
        if not self.take("("):
            return Field(span=self.since(start), operand=operand, name=name)
        if name in MACROS:
            return self.macro(operand, name, start)
        args = self.arguments(")")
        if name == "bind" and isinstance(operand, Name) and operand.name == "cel":
            return self.bind(args, start)
        return Call(span=self.since(start), function=name, args=(operand, *args), method=True)

    def macro(self, over: Node, macro: str, start: int) -> Node:
        args = self.arguments(")")
        span = self.since(start)
        wanted = (2, 3) if macro == "map" else (2,)
        if len(args) not in wanted or not isinstance(args[0], Name):
            raise ExpressionError(codes.BAD_MACRO.at(span, macro=macro, form=MACROS[macro]))
        keep = args[1] if len(args) == 3 else None
        return Loop(span=span, macro=macro, over=over, var=args[0].name, body=args[-1], keep=keep)

    def bind(self, args: list[Node], start: int) -> Node:
        span = self.since(start)
        if len(args) != 3 or not isinstance(args[0], Name):
            raise ExpressionError(codes.BAD_MACRO.at(span, macro="cel.bind", form="cel.bind(x, value, result)"))
        return Bind(span=span, var=args[0].name, value=args[1], body=args[2])

    def arguments(self, closing: str) -> list[Node]:
        found: list[Node] = []
        if self.take(closing):
            return found
        while True:
            found.append(self.expression())
            if self.take(closing):
                return found
            self.expect(",")
            if closing == "]" and self.take(closing):
                return found

    def primary(self) -> Node:
        token = self.token
        if token.kind in ("int", "float", "string", "bytes"):
            return self.literal(token)
        if token.kind == "name":
            return self.named(token)
        if self.take("("):
            node = self.expression()
            self.expect(")")
            return node
        if self.take("["):
            items = tuple(self.arguments("]"))
            return ListOf(span=self.since(token.start), items=items)
        if self.take("{"):
            return self.mapping(token.start)
        if self.take("."):
            if self.token.kind != "name":
                self.fail("a name")
            return self.named(self.token)
        self.fail("a value")

    def literal(self, token: Token) -> Node:
        span = self.snippet.span(token.start, token.end)
        value = token.value
        if token.kind == "int" and isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise ExpressionError(codes.INT_RANGE.at(span, number=value))
        if (
            token.kind == "float"
            and isinstance(value, float)
            and value in (float("inf"), float("-inf"))
            and not self.bare
        ):
            raise ExpressionError(codes.BAD_CONSTANT.at(span, problem="a number that is not finite"))
        self.at += 1
        return Const(span=span, value=value)

    def named(self, token: Token) -> Node:
        word = str(token.value)
        span = self.snippet.span(token.start, token.end)
        if word in ("true", "false"):
            self.at += 1
            return Const(span=span, value=word == "true")
        if word == "null":
            if not self.bare:
                raise ExpressionError(codes.NULL.at(span))
            self.at += 1
            return Const(span=span, value=None)
        if word in RESERVED:
            raise ExpressionError(codes.RESERVED.at(span, word=word))
        if word == "in":
            self.fail("a value")
        self.at += 1
        if not self.take("("):
            return Name(span=span, name=word)
        if word == "_in_":
            # The operator's own name in the tree; all others cannot be written as a name.
            raise ExpressionError(codes.UNKNOWN_FUNCTION.at(span, name=word, help="write `x in list`"))
        args = self.arguments(")")
        if word == "has":
            return self.has(args, token.start)
        return Call(span=self.since(token.start), function=word, args=tuple(args))

    def has(self, args: list[Node], start: int) -> Node:
        span = self.since(start)
        if len(args) != 1 or not isinstance(args[0], Field):
            raise ExpressionError(codes.BAD_HAS.at(span))
        return Has(span=span, operand=args[0].operand, name=args[0].name)

    def mapping(self, start: int) -> Node:
        entries: list[tuple[Node, Node]] = []
        while not self.take("}"):
            if entries:
                self.expect(",")
                if self.take("}"):
                    break
            key = self.expression()
            self.expect(":")
            entries.append((key, self.expression()))
        return MapOf(span=self.since(start), entries=tuple(entries))
