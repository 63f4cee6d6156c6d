"""Why a program says what it says: every sub-expression with its value, as plain JSON values.

It watches the reference meaning at work, so the trace is what happened and no reconstruction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from ..facts.record import MAX_INT, Record, write_duration, write_timestamp
from .contract import Choice, Each
from .declare import Undecided
from .interpret import Interpreter, Verdict, choose
from .meaning import Env, Watch, evaluate, text_of
from .program import Entry
from .render import cut, name_of_record
from .syntax import Call, Chosen, Const, Field, Has, Index, Loop, Name, Node, walk

Seen = dict[Node, list[Any]]
"""What each node came to, each time: its value, or an Undecided."""
MAX_TURNS = 20
"""Values kept of a sub-expression that macros evaluate many times."""
MAX_ELEMENTS = 50
"""Elements shown of a list or map."""


def explain(interpreter: Interpreter) -> list[dict[str, Any]]:
    """Every rule, in the order of violations, and every choice, asked or skipped, at each of its positions."""
    program = interpreter.program
    rules = [entry for entry in program.entries if entry.kind == "rule"]
    choices = [Entry("choice", made.id, "", scope, choice=made) for made, scope in program.choices.values()]
    return [
        {
            "kind": entry.kind,
            "id": entry.id,
            "contract": entry.scope.contract.name,
            "version": entry.scope.contract.version,
            "effect": entry.effect or None,
            "asked": [trace(interpreter, entry, at) for at in interpreter.positions(entry)],
        }
        for entry in rules + choices
    ]


def trace(interpreter: Interpreter, entry: Entry, position: int | None) -> dict[str, Any]:
    """What came of asking a rule or choice at a position.

    result: `passed`, `failed`, `undecided` or `skipped`. steps: the sub-expressions in source order; see `_step`. A
    choice has its `value` too, null if it was not made or is undecided.
    """
    seen: Seen = {}
    verdict = interpreter.verdict(entry, position, _watch(seen))
    each = _each_of(entry)
    place = None if each is None else each.path if position is None else f"{each.path}[{position}]"
    value = {} if entry.choice is None else {"value": _value(interpreter, entry, entry.choice, verdict, position)}
    return {
        "at": place,
        "result": _result(verdict),
        "reason": None if verdict.reason is None else str(verdict.reason),
        **value,
        "steps": [_step(node, seen) for root in _asked(entry) for node in walk(root) if _traced(node)],
    }


def values(interpreter: Interpreter, entry: Entry, position: int | None) -> list[dict[str, Any]]:
    """The field reads, calls and names that were evaluated, in source order, each different value once.

    An element is {"text", "value"}, or {"text", "undecided"} with the reason. A chain of reads is one element.
    """
    seen: Seen = {}
    if entry.kind in ("rule", "choice"):
        interpreter.verdict(entry, position, _watch(seen))
    else:
        _evaluate_all(_asked(entry), interpreter.env(entry, position, _watch(seen)))
    found: list[dict[str, Any]] = []
    for root in _asked(entry):
        for node, text in _reads_of(root):
            for shown in _shown_all(node, seen):
                element = {"text": text, **shown}
                if element not in found:
                    found.append(element)
    return found


def plain(value: Any) -> Any:
    """A value of the engine as JSON: long text and lists are cut, records are their ids."""
    match value:
        case bool() | float() | None:
            return value
        case int():
            return value if abs(value) <= MAX_INT else str(value)
        case str():
            return cut(value)
        case bytes():
            return cut(value.hex())
        case datetime():
            return write_timestamp(value)
        case timedelta():
            return write_duration(value)
        case tuple():
            rest = [f"… {len(value) - MAX_ELEMENTS} more"] if len(value) > MAX_ELEMENTS else []
            return [plain(element) for element in value[:MAX_ELEMENTS]] + rest
        case Mapping():
            return {str(key): plain(value[key]) for key in list(value)[:MAX_ELEMENTS]}
        case Record():
            return name_of_record(value)
    return type(value).__name__


def _watch(seen: Seen) -> Watch:
    def watch(node: Node, value: Any) -> None:
        if node in seen:
            seen[node].append(value)
        else:
            seen[node] = [value]

    return watch


def _evaluate_all(nodes: Iterable[Node], env: Env) -> None:
    for node in nodes:
        try:
            evaluate(node, env)
        except Undecided:
            continue


def _value(interpreter: Interpreter, entry: Entry, choice: Choice, verdict: Verdict, position: int | None) -> Any:
    if verdict.skipped or verdict.undecided:
        return None
    return plain(choose(choice, interpreter.env(entry, position)))


def _result(verdict: Verdict) -> str:
    if verdict.skipped:
        return "skipped"
    if verdict.undecided:
        return "undecided"
    return "passed" if verdict.met else "failed"


def _each_of(entry: Entry) -> Each | None:
    source = entry.rule or entry.choice
    return None if source is None else source.each


def _asked(entry: Entry) -> Iterator[Node]:
    """The expressions that decide an entry, in the order in which they are asked."""
    if entry.rule is not None and entry.kind == "rule":
        yield from entry.rule.when
        yield entry.rule.condition
    elif entry.rule is not None:
        yield from entry.rule.oblige.values()
    if entry.choice is not None:
        yield from entry.choice.when
        for row in entry.choice.rows:
            yield row.when
            yield row.value
        yield entry.choice.otherwise


def _traced(node: Node) -> bool:
    """Literals explain themselves, and `chosen` has no value of its own."""
    return not isinstance(node, Const | Chosen)


def _step(node: Node, seen: Seen) -> dict[str, Any]:
    """text, place (line and column), and `values`: a list of {"value"} or {"undecided"}, one for each evaluation.

    The list is empty if the sub-expression was not needed.
    """
    line, column = node.span.source.position(node.span.start)
    shown = [_shown(value) for value in seen.get(node, ())[:MAX_TURNS]]
    return {"text": text_of(node), "line": line, "column": column, "values": shown}


def _shown(value: Any) -> dict[str, Any]:
    return {"undecided": str(value)} if isinstance(value, Undecided) else {"value": plain(value)}


def _shown_all(node: Node, seen: Seen) -> list[dict[str, Any]]:
    given = seen.get(node, ())
    if len(given) < 2:
        return [_shown(value) for value in given]
    different: list[dict[str, Any]] = []
    for value in given:
        shown = _shown(value)
        if shown not in different and len(different) < MAX_TURNS:
            different.append(shown)
    return different


@lru_cache(maxsize=4_096)
def _reads_of(root: Node) -> tuple[tuple[Node, str], ...]:
    """What `values` shows of an expression, with its text; the same for every decision."""
    return tuple([(node, text_of(node)) for node in _reads(root)])


def _reads(node: Node) -> Iterator[Node]:
    """The nodes that `values` shows, in source order: operators and literals are left out, chains are one."""
    if isinstance(node, Name | Field | Has | Index | Loop) or (isinstance(node, Call) and not _operator(node)):
        yield node
    for child in _beside_chain(node):
        yield from _reads(child)


def _operator(node: Call) -> bool:
    return "_" in (node.function[0], node.function[-1])


def _beside_chain(node: Node) -> list[Node]:
    """The children; of a chain of reads, where it begins (unless that is a name) and its indices."""
    if not isinstance(node, Field | Has | Index):
        return list(node.children())
    indices: list[Node] = []
    start: Node | None = node
    while isinstance(start, Field | Has | Index | Chosen):
        if isinstance(start, Index):
            indices.insert(0, start.index)
        start = start.item if isinstance(start, Chosen) else start.operand
    return indices if start is None or isinstance(start, Name) else [start, *indices]
