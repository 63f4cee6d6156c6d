"""A contract file as its author wrote it: parsed, every key known, nothing resolved yet."""

from __future__ import annotations

import re
from collections.abc import Mapping as MappingOf
from dataclasses import dataclass, field

from .. import codes
from ..diagnostics import Code, Diagnostic, Snippet, Span, did_you_mean
from ..facts.gates import GATES
from ..facts.words import Effect, ReplyKind, values_of
from ..urls import UrlList
from .contract import Params, Period
from .declare import Undecided
from .fields import Fields, read_expression
from .params import NAME, read_params
from .parse import Mapping, Scalar, Sequence, Tree
from .scalars import value_of
from .syntax import Const, ListOf, Node
from .types import DURATION, TIMESTAMP

VERSION = re.compile(r"(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})", re.ASCII)
RULE_ID = re.compile(r"[A-Z][A-Z0-9]*(-[A-Z][A-Z0-9]*)+-[0-9]{2,}", re.ASCII)
CONTRACT_NAME = re.compile(r"[a-z][a-z0-9_-]*", re.ASCII)
EACH = re.compile(r"\s*(.*\S)\s+as\s+([A-Za-z_][A-Za-z0-9_]*)\s*", re.ASCII | re.DOTALL)
LANGUAGES = ("en", "zh")


@dataclass(frozen=True)
class RawTemplate:
    """A message in one language: literal text and parsed expressions in turn."""

    parts: tuple[str | Node, ...]
    span: Span


@dataclass(frozen=True)
class RawEach:
    """`LIST as NAME`."""

    name: str
    over: Node
    path: str
    span: Span


@dataclass
class RawRule:
    """A rule before its expressions are checked."""

    id: str
    span: Span
    kind: str
    condition: Node | None
    when: Node | None
    each: RawEach | None
    effect: str
    reply: str
    message: dict[str, RawTemplate]
    options: Node | None
    oblige: dict[str, Node | None]
    effective: Period
    why: str | dict[str, str] | None
    refs: tuple[str, ...]


@dataclass
class RawChoice:
    """A choice before its expressions are checked. values: the declared names, if any."""

    id: str
    span: Span
    name: str
    when: Node | None
    each: RawEach | None
    rows: list[tuple[Node | None, Node | None]]
    otherwise: Node | None
    values: tuple[str, ...]


@dataclass
class RawContract:
    """A contract before its expressions are checked."""

    span: Span
    name: str = ""
    version: str = "0.0.0"
    gate: str = ""
    when: Node | None = None
    params: Params | None = None
    lets: dict[str, tuple[Node, Span]] = field(default_factory=dict)
    rules: list[RawRule] = field(default_factory=list)
    choices: list[RawChoice] = field(default_factory=list)
    effective: Period = field(default_factory=Period)
    summary: dict[str, str] = field(default_factory=dict)
    owners: tuple[str, ...] = ()


def read_contract(tree: Tree, lists: MappingOf[str, UrlList], faults: list[Diagnostic]) -> RawContract | None:
    """The contract of a file, or None if it has no gate that exists."""
    fields = Fields.of(tree, "a contract file", faults)
    if fields is None:
        return None
    contract = RawContract(fields.tree.entries[0][0].span if fields.tree.entries else tree.span)
    name = fields.get("contract")
    contract.name = _matching(fields, "contract", CONTRACT_NAME, codes.BAD_VALUE) or ""
    if name is not None:
        contract.span = name.span
    contract.version = _matching(fields, "version", VERSION, codes.BAD_VERSION) or "0.0.0"
    contract.gate = fields.one_of("gate", GATES, codes.UNKNOWN_GATE, need=True) or ""
    contract.when = fields.expression("when", fields.get("when"))
    contract.summary = _summary(fields)
    contract.owners = fields.texts("owners")
    contract.effective = fields.period("effective")
    contract.params = read_params(fields.get("params"), lists, faults, "params")
    _read_lets(fields, contract)
    contract.rules = [rule for item in fields.items("rules", fields.get("rules")) if (rule := _rule(item, faults))]
    contract.choices = [
        choice for item in fields.items("choices", fields.get("choices")) if (choice := _choice(item, faults))
    ]
    if not contract.rules and not contract.choices and fields.get("rules") is None and fields.get("choices") is None:
        fields.fault(codes.MISSING_KEY, contract.span, key="rules")
    fields.close()
    return contract if contract.gate and contract.name else None


def _matching(fields: Fields, key: str, form: re.Pattern[str], code: Code) -> str | None:
    scalar = fields.scalar(key, fields.need(key))
    if scalar is None:
        return None
    if form.fullmatch(scalar.text):
        return scalar.text
    wanted = "a name" if form is NAME else "a lower-case name"
    values = {"key": key, "wanted": wanted, "found": scalar.text, key: scalar.text}
    fields.fault(code, scalar.span, **values)
    return None


def _summary(fields: Fields) -> dict[str, str]:
    tree = fields.get("summary")
    if tree is None:
        return {}
    if isinstance(tree, Scalar):
        fields.fault(codes.MESSAGE_LANGUAGE, tree.span, key="summary")
        return {}
    inner = Fields.of(tree, "summary", fields.faults)
    if inner is None:
        return {}
    texts = {language: inner.text(language, need=True) or "" for language in LANGUAGES}
    inner.close()
    return texts


def _read_lets(fields: Fields, contract: RawContract) -> None:
    tree = fields.get("let")
    inner = Fields.of(tree, "let", fields.faults) if tree is not None else None
    for key, value in inner.tree.entries if inner is not None else ():
        if not NAME.fullmatch(key.text):
            fields.fault(codes.PARAM_NAME, key.span, name=key.text)
        node = fields.expression(key.text, value)
        if node is not None:
            contract.lets[key.text] = (node, key.span)


def _id(fields: Fields) -> tuple[str, Span]:
    scalar = fields.scalar("id", fields.need("id"))
    if scalar is None:
        return "", fields.tree.span
    if scalar.text.startswith("ENGINE-"):
        fields.fault(codes.ENGINE_ID, scalar.span)
    elif not RULE_ID.fullmatch(scalar.text):
        fields.fault(codes.BAD_ID, scalar.span, id=scalar.text)
    return scalar.text, scalar.span


def _each(fields: Fields) -> RawEach | None:
    scalar = fields.expression_scalar("each", fields.get("each"))
    if scalar is None:
        return None
    snippet = scalar.snippet()
    form = EACH.fullmatch(snippet.text)
    if form is None:
        fields.fault(codes.BAD_EACH, scalar.span)
        return None
    over = read_expression(snippet.part(form.start(1), form.end(1)), fields.faults, scalar, fields.tree.flow)
    return RawEach(form[2], over, " ".join(form[1].split()), scalar.span) if over is not None else None


def _rule(tree: Tree, faults: list[Diagnostic]) -> RawRule | None:
    fields = Fields.of(tree, "a rule", faults)
    if fields is None:
        return None
    id_, span = _id(fields)
    require, forbid = fields.get("require"), fields.get("forbid")
    if (require is None) == (forbid is None):
        fields.fault(codes.CHECK_COUNT, span)
    kind = "require" if require is not None else "forbid"
    rule = RawRule(
        id=id_,
        span=span,
        kind=kind,
        condition=fields.expression(kind, require if require is not None else forbid),
        when=fields.expression("when", fields.get("when")),
        each=_each(fields),
        effect=fields.one_of("otherwise", values_of(Effect), codes.UNKNOWN_EFFECT, need=True) or "",
        reply=fields.one_of("reply", values_of(ReplyKind), codes.BAD_REPLY) or "unsupported",
        message=_message(fields, span),
        options=fields.expression("options", fields.get("options")),
        oblige=_oblige(fields),
        effective=fields.period("effective"),
        why=_why(fields),
        refs=fields.texts("refs"),
    )
    fields.close()
    return rule


def _why(fields: Fields) -> str | dict[str, str] | None:
    tree = fields.get("why")
    if isinstance(tree, Mapping):
        inner = Fields.of(tree, "why", fields.faults)
        texts = {language: inner.text(language) or "" for language in LANGUAGES} if inner is not None else {}
        if inner is not None:
            inner.close()
        return texts
    return tree.text if isinstance(tree, Scalar) else None


def _oblige(fields: Fields) -> dict[str, Node | None]:
    tree = fields.get("oblige")
    inner = Fields.of(tree, "oblige", fields.faults) if tree is not None else None
    entries = inner.tree.entries if inner is not None else ()
    return {key.text: fields.expression(key.text, value) for key, value in entries}


def _message(fields: Fields, span: Span) -> dict[str, RawTemplate]:
    tree = fields.get("message")
    if not isinstance(tree, Mapping):
        fields.fault(codes.MESSAGE_LANGUAGE, tree.span if tree is not None else span, key="message")
        return {}
    inner = Fields(tree, fields.faults, "message")
    found: dict[str, RawTemplate] = {}
    for language in LANGUAGES:
        scalar = inner.scalar(language, inner.get(language))
        if scalar is None or not scalar.text.strip():
            fields.fault(codes.MESSAGE_LANGUAGE, tree.entries[0][0].span if tree.entries else span, key="message")
            return {}
        template = read_template(scalar.message(), scalar.span, fields.faults)
        if template is not None:
            found[language] = template
    inner.close()
    return found


def read_template(snippet: Snippet, span: Span, faults: list[Diagnostic]) -> RawTemplate | None:
    """Literal text and `{expression}` in turn; `{{` and `}}` are braces."""
    text, at, literal = snippet.text, 0, ""
    parts: list[str | Node] = []
    while at < len(text):
        char = text[at]
        if text[at : at + 2] in ("{{", "}}"):
            literal, at = literal + char, at + 2
        elif char == "{":
            end = _closing(text, at + 1)
            if end < 0:
                faults.append(codes.MESSAGE_BRACE.at(snippet.span(at, at + 1)))
                return None
            node = read_expression(snippet.part(at + 1, end), faults)
            if node is None:
                return None
            parts += [literal, node]
            literal, at = "", end + 1
        elif char == "}":
            faults.append(codes.MESSAGE_BRACE.at(snippet.span(at, at + 1)))
            return None
        else:
            literal, at = literal + char, at + 1
    return RawTemplate((*parts, literal), span)


def _closing(text: str, at: int) -> int:
    """Where the brace that opened before `at` closes; quotes and inner braces are heeded; -1 if nowhere."""
    depth, quote = 0, ""
    while at < len(text):
        char = text[at]
        if quote:
            if char == "\\":
                at += 1
            elif char == quote:
                quote = ""
        elif char in "'\"":
            quote = char
        elif char == "{":
            depth += 1
        elif char == "}":
            if depth == 0:
                return at
            depth -= 1
        at += 1
    return -1


def _choice(tree: Tree, faults: list[Diagnostic]) -> RawChoice | None:
    fields = Fields.of(tree, "a choice", faults)
    if fields is None:
        return None
    id_, span = _id(fields)
    name = _matching(fields, "choose", NAME, codes.BAD_VALUE) or ""
    values = fields.texts("values")
    choice = RawChoice(
        id=id_,
        span=span,
        name=name,
        when=fields.expression("when", fields.get("when")),
        each=_each(fields),
        rows=[row for item in fields.items("from", fields.need("from")) if (row := _row(item, name, values, faults))],
        otherwise=_value(fields, "otherwise", fields.need("otherwise"), name, values),
        values=values,
    )
    fields.get("why"), fields.get("refs")
    fields.close()
    return choice if name else None


def _row(
    tree: Tree, choice: str, values: tuple[str, ...], faults: list[Diagnostic]
) -> tuple[Node | None, Node | None] | None:
    fields = Fields.of(tree, "a row", faults)
    if fields is None:
        return None
    value = _value(fields, "value", fields.need("value"), choice, values)
    row = (fields.expression("when", fields.need("when")), value)
    fields.close()
    return row


def _value(fields: Fields, key: str, tree: Tree | None, choice: str, values: tuple[str, ...]) -> Node | None:
    """The value of a choice: a declared name, a duration or timestamp as in params, or an expression."""
    if isinstance(tree, Sequence):
        items = [_value(fields, key, item, choice, values) for item in tree.items]
        return ListOf(span=tree.span, items=tuple(item for item in items if item is not None))
    scalar = fields.expression_scalar(key, tree)
    if scalar is None:
        return None
    if values:
        if scalar.text not in values:
            fields.fault(
                codes.CHOICE_VALUE, scalar.span, did_you_mean(scalar.text, values), value=scalar.text, name=choice
            )
            return None
        return Const(span=scalar.span, value=scalar.text)
    try:
        literal, type_ = value_of(scalar)
    except Undecided:
        literal, type_ = None, None
    if type_ in (DURATION, TIMESTAMP):
        return Const(span=scalar.span, value=literal, type=type_)
    if not scalar.plain and NAME.fullmatch(scalar.text) and scalar.text not in ("true", "false"):
        fields.fault(codes.NEEDS_QUOTES, scalar.span, text=scalar.text)
        return None
    return read_expression(scalar.snippet(), fields.faults, scalar, fields.tree.flow)
