"""How the parts of a program depend on the clock, known before any facts.

The decision stays exact in time as long as `now` enters it only through + and - of times and durations into
comparisons. This is the check of that, on the trees.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum
from functools import cached_property

from .contract import Choice, Each
from .program import Entry, Program, Scope
from .syntax import Bind, Call, Chosen, Cond, Field, Has, Index, Loop, MapOf, Name, Node

COMPARISONS = frozenset({"_<_", "_<=_", "_>_", "_>=_", "_==_", "_!=_"})


class Motion(IntEnum):
    """How a value changes while the clock runs and the facts stay.

    STILL: never. STEPS: only where a comparison flips. MOVES: with the clock, as a + b * now, or a list or map with
    such values. LOOSE: in some other way, which nobody follows.
    """

    STILL = 0
    STEPS = 1
    MOVES = 2
    LOOSE = 3


Motions = Mapping[str, Motion]
"""The motion of each item or local by its name."""


class ProgramMotion:
    """The motion of everything in a program that a decision promises something about."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._entries: dict[int, Motion] = {}
        self._choices: dict[str, Motion] = {}
        self._lets: dict[tuple[object, ...], Motion] = {}
        self._admitted: Motion | None = None

    @cached_property
    def whole(self) -> Motion:
        """LOOSE if any part is."""
        parts = [self.choice(name) for name in self.program.choices]
        return max(parts + [self.entry(entry) for entry in self.program.entries], default=Motion.STILL)

    def entry(self, entry: Entry) -> Motion:
        """Of whether, and how, something is violated; warnings promise nothing."""
        if id(entry) not in self._entries:
            self._entries[id(entry)] = self._entry(entry)
        return self._entries[id(entry)]

    def choice(self, name: str) -> Motion:
        """Of a choice, and of whether it is made."""
        if name not in self.program.choices:
            return Motion.STILL
        if name not in self._choices:
            choice, scope = self.program.choices[name]
            self._choices[name] = self._choice(choice, scope)
        return self._choices[name]

    def admitted(self) -> Motion:
        """Of the list of the admitted items."""
        if self._admitted is None:
            rejecting = [self.entry(entry) for entry in self.program.entries if entry.effect == "reject"]
            self._admitted = _settled(rejecting)
        return self._admitted

    def _entry(self, entry: Entry) -> Motion:
        if entry.effect == "warn":
            return Motion.STILL
        if entry.choice is not None:
            return self._choice(entry.choice, entry.scope)
        rule = entry.rule
        if rule is None:
            return Motion.STILL
        items = self._items(rule.each, entry.scope)
        waivers = [node for waiver in entry.waivers for node in waiver.when.values()]
        parts = [self._of(node, entry.scope, items, {}) for node in (*rule.when, rule.condition, *waivers)]
        if entry.effect == "oblige" or entry.kind != "rule":
            parts += [_held(self._of(node, entry.scope, items, {})) for node in rule.oblige.values()]
        return max(*parts, _settled(items.values()))

    def _choice(self, choice: Choice, scope: Scope) -> Motion:
        items = self._items(choice.each, scope)
        conditions = [*choice.when, *(row.when for row in choice.rows)]
        values = [*(row.value for row in choice.rows), choice.otherwise]
        parts = [self._of(node, scope, items, {}) for node in conditions]
        parts += [_held(self._of(node, scope, items, {})) for node in values]
        return max(*parts, _settled(items.values()))

    def _items(self, each: Each | None, scope: Scope) -> dict[str, Motion]:
        return {} if each is None else {each.name: self._of(each.over, scope, {}, {})}

    def _let(self, name: str, scope: Scope, items: Motions) -> Motion:
        key = (id(scope), name, *sorted(items.items()))
        if key not in self._lets:
            self._lets[key] = self._of(scope.contract.lets[name].body, scope, items, {})
        return self._lets[key]

    def _of(self, node: Node, scope: Scope, items: Motions, local: Motions) -> Motion:
        def of(part: Node, **more: Motion) -> Motion:
            return self._of(part, scope, items, {**local, **more})

        match node:
            case Name():
                return self._name(node, scope, items, local)
            case Field() | Has() if isinstance(node.operand, Chosen):
                item = of(node.operand.item) if node.operand.item is not None else Motion.STILL
                return max(item, self.choice(node.name))
            case Field():
                return of(node.operand)
            case Has():
                return _held(of(node.operand))
            case Index():
                return max(of(node.operand), _held(of(node.index)))
            case Call():
                return _call(node, [of(arg) for arg in node.args])
            case Cond():
                return max(of(node.test), of(node.yes), of(node.no))
            case MapOf():
                parts = [max(_held(of(key)), of(value)) for key, value in node.entries]
                return max(parts, default=Motion.STILL)
            case Bind():
                return of(node.body, **{node.var: of(node.value)})
            case Loop():
                over = of(node.over)
                keep = Motion.STILL if node.keep is None else of(node.keep, **{node.var: over})
                return _loop(node.macro, over, keep, of(node.body, **{node.var: over}))
        return max((of(child) for child in node.children()), default=Motion.STILL)

    def _name(self, node: Name, scope: Scope, items: Motions, local: Motions) -> Motion:
        match node.role:
            case "now":
                return Motion.MOVES
            case "let":
                return self._let(node.name, scope, items)
            case "item":
                return items[node.name]
            case "local":
                return local[node.name]
            case "admitted":
                return self.admitted()
        return Motion.STILL


def _call(node: Call, args: list[Motion]) -> Motion:
    motion = max(args, default=Motion.STILL)
    if motion is not Motion.MOVES:
        return motion
    kinds = {arg.type.kind for arg in node.args}
    if node.function in COMPARISONS and kinds <= {"timestamp", "duration"}:
        return Motion.STEPS
    sums = node.function in ("_+_", "_-_") and kinds <= {"timestamp", "duration"}
    return motion if sums or (node.function == "_+_" and kinds == {"list"}) else Motion.LOOSE


def _loop(macro: str, over: Motion, keep: Motion, body: Motion) -> Motion:
    if macro == "filter":
        return max(over, body)
    return max(_settled([over]), keep, body)


def _held(motion: Motion) -> Motion:
    """Of a value that ends up elsewhere than in a comparison."""
    return Motion.LOOSE if motion is Motion.MOVES else motion


def _settled(motions: Iterable[Motion]) -> Motion:
    """Of a number of elements, or of a truth, that hangs on values which may themselves move."""
    motion = max(motions, default=Motion.STILL)
    return Motion.STEPS if motion is Motion.MOVES else motion
