"""What a program means: the reference, slow and obvious, one question at a time.

It follows RULES sections 1 and 5 to the letter and shares no code with the compiler beyond the bodies of the
functions. Everything is asked lazily and remembered by what it depends on, so the order of asking never matters:
choices and lets when they are read, the rejecting rules when `admitted` is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..facts.record import Record
from ..reasons import Reason
from .contract import Choice, Each, Row, Waiver
from .declare import FUNCTIONS, Undecided
from .meaning import Env, Watch, asking, decided, evaluate, kleene, truth
from .operators import same
from .program import UNDECIDED, WAIVED, Entry, Findings, Program, Scope, Variant, code, position_of, rank_of
from .syntax import Call, Node
from .vocabulary import attribute


@dataclass(frozen=True)
class Verdict:
    """What came of asking an entry once.

    met: nothing is violated. skipped: it was not asked, since a `when` is false (then it is met). undecided: it has
    no answer, and `reason` says why; it is violated, unless it is a choice that the pipeline has a value for.
    """

    met: bool
    undecided: bool = False
    skipped: bool = False
    reason: Reason | None = None


MET, BROKEN, SKIPPED = Verdict(True), Verdict(False), Verdict(True, skipped=True)


def findings(program: Program, record: Record, now: datetime, can: frozenset[str] = frozenset()) -> Findings:
    """Everything that a program says about facts at an instant in UTC.

    can: the obligations that the caller will fulfil.
    """
    return Interpreter(program, record, now).findings(can)


class Interpreter:
    """A program asked about one set of facts at one instant. It is the World of the program's expressions."""

    def __init__(self, program: Program, record: Record, now: datetime) -> None:
        self.program, self.record, self.now = program, record, now
        self._memo: dict[tuple[Any, ...], Any] = {}

    def findings(self, can: frozenset[str] = frozenset()) -> Findings:
        """Everything that the program says; `can` has the obligations that the caller will fulfil."""
        found = Findings([], [], self.admitted_positions(), self.choices(), {}, (), [])
        for rank, entry in enumerate(self.program.entries):
            for position in self.asked(entry):
                verdict = self.verdict(entry, position)
                if not verdict.met:
                    waived = self.waiver(entry, position) is not None
                    side = found.warnings if entry.effect == "warn" else found.violations
                    side.append(code(rank, position, verdict.undecided, waived))
        found.violations.sort()
        self._oblige(found, can)
        found = found._replace(options=self._options(found))
        found.violations.sort()
        found.warnings.sort()
        for index, variant in enumerate(self.program.variants):
            found.coming.extend((index, finding) for finding in self._coming(variant, found, can))
        return found

    def asked(self, entry: Entry) -> tuple[int | None, ...]:
        """The positions at which a rule or choice counts. A warning is silent about a rejected item."""
        positions = self.positions(entry)
        if entry.effect == "warn" and entry.over_evidence:
            return tuple(at for at in positions if at not in self.rejected())
        return positions

    def positions(self, entry: Entry) -> tuple[int | None, ...]:
        """The positions of a rule or choice: None without `each`, and where its list is undecided."""
        if entry.kind not in ("rule", "choice"):
            return ()
        each = entry.each
        if each is None:
            return (None,)
        elements = self.elements(each, entry.scope)
        return (None,) if isinstance(elements, Undecided) else tuple(range(len(elements)))

    def elements(self, each: Each, scope: Scope) -> tuple[Any, ...] | Undecided:
        """The list of an `each`, or why it is undecided."""
        found: tuple[Any, ...] | Undecided = self._remember(("each", id(each)), lambda: self._list(each, scope))
        return found

    def env(self, entry: Entry, position: int | None, watch: Watch | None = None) -> Env:
        """Where the expressions of an entry stand; without a position the name of its `each` is absent."""
        return self._env(entry.scope, entry.each, position, watch)

    def verdict(self, entry: Entry, position: int | None, watch: Watch | None = None) -> Verdict:
        """What came of asking a rule or choice at a position."""
        env = self.env(entry, position, watch)
        if entry.choice is not None:
            return self._chosen(entry.choice, env, position)
        rule = entry.rule
        if rule is None or entry.kind != "rule":
            raise ValueError(f"{entry.id} is not asked")
        if skipped(rule.when, env):
            return SKIPPED
        try:
            self._require_list(rule.each, entry.scope, position)
            return MET if truth(rule.condition, env) is (rule.kind == "require") else BROKEN
        except Undecided as why:
            return Verdict(False, undecided=True, reason=why.reason)

    def waiver(self, entry: Entry, position: int | None) -> Waiver | None:
        """The first waiver that covers a violation. Undecided waives nothing, and nothing undecided is waived."""
        if entry.waivers and not self.verdict(entry, position).undecided:
            env = self.env(entry, position)
            for waiver in entry.waivers:
                if _covers(waiver, entry.scope.contract.version, env):
                    return waiver
        return None

    def rejected(self) -> frozenset[int]:
        """The positions of the rejected items."""
        found: frozenset[int] = self._remember(("rejected",), self._rejected)
        return found

    def admitted_positions(self) -> tuple[int, ...] | None:
        """The positions of the other items; None if there is no evidence to admit."""
        if "evidence" not in type(self.record).model_fields or self.variable("evidence") is None:
            return None
        return tuple(at for at in range(len(self.variable("evidence"))) if at not in self.rejected())

    def choices(self) -> dict[str, Any]:
        """The choices that were made, as Findings has them."""
        found: dict[str, Any] = {}
        for name, (choice, scope) in self.program.choices.items():
            if choice.each is None:
                made = self._pipeline_value(choice, self._env(scope, None, None))
            else:
                made = self._made_per_item(choice, choice.each, scope) or None
            if made is not None:
                found[name] = made
        return found

    # The World of expressions

    def variable(self, name: str) -> Any:
        return getattr(self.record, attribute(type(self.record), name))

    def instant(self) -> Any:
        return self.now

    def shared(self) -> Mapping[str, Any]:
        return self.program.shared

    def admitted(self) -> tuple[Any, ...] | None:
        positions = self.admitted_positions()
        return None if positions is None else tuple(self.variable("evidence")[at] for at in positions)

    def let(self, name: str, env: Env) -> Any:
        scope = env.scope
        if scope is None:
            raise ValueError("a let outside a contract")
        body = scope.contract.lets[name].body
        key = ("let", id(scope), name, *_identities(env.items))
        return decided(self._remember(key, lambda: evaluate(body, Env(self, scope, env.items))))

    def choice(self, name: str, item: Any) -> Any:
        if name not in self.program.choices:
            return None
        choice, scope = self.program.choices[name]
        items = {} if choice.each is None else {choice.each.name: item}
        key = ("choice", name, *_identities(items))
        return decided(self._remember(key, lambda: choose(choice, Env(self, scope, items))))

    def apply(self, call: Call, args: tuple[Any, ...]) -> Any:
        return FUNCTIONS[call.overload].body(*args)

    # The parts of an evaluation

    def _remember(self, key: tuple[Any, ...], work: Callable[[], Any]) -> Any:
        """The result of `work`, or the Undecided that it raised, done once for a key.

        Identities in keys are safe: what they identify belongs to program, record or this memo, which all stay.
        """
        if key not in self._memo:
            try:
                self._memo[key] = work()
            except Undecided as why:
                self._memo[key] = why
        return self._memo[key]

    def _env(self, scope: Scope, each: Each | None, position: int | None, watch: Watch | None = None) -> Env:
        items: dict[str, Any] = {}
        if each is not None and position is not None:
            elements = self.elements(each, scope)
            items[each.name] = None if isinstance(elements, Undecided) else elements[position]
        return Env(self, scope, items, watch=watch)

    def _list(self, each: Each, scope: Scope) -> tuple[Any, ...]:
        elements = evaluate(each.over, Env(self, scope))
        if not isinstance(elements, tuple):
            raise Undecided("{what} is no list", what=each.path)
        return elements

    def _require_list(self, each: Each | None, scope: Scope, position: int | None) -> None:
        if each is not None and position is None:
            decided(self.elements(each, scope))
            raise ValueError("a position is needed")

    def _chosen(self, choice: Choice, env: Env, position: int | None) -> Verdict:
        if skipped(choice.when, env):
            return SKIPPED
        try:
            if env.scope is not None:
                self._require_list(choice.each, env.scope, position)
            choose(choice, env)
        except Undecided as why:
            return Verdict(self._fallback(choice) is not None, undecided=True, reason=why.reason)
        return MET

    def _fallback(self, choice: Choice) -> str | None:
        """What the pipeline takes for an undecided choice, if that is a value."""
        spec = self.program.gate.choices.get(choice.name)
        return None if spec is None or spec.undecided in ("deny", "reject") else spec.undecided

    def _pipeline_value(self, choice: Choice, env: Env) -> Any:
        try:
            return choose(choice, env)
        except Undecided:
            return self._fallback(choice)

    def _made_per_item(self, choice: Choice, each: Each, scope: Scope) -> dict[int, Any]:
        elements = self.elements(each, scope)
        if isinstance(elements, Undecided):
            return {}
        made = {at: self._pipeline_value(choice, self._env(scope, each, at)) for at in range(len(elements))}
        return {at: value for at, value in made.items() if value is not None}

    def _rejected(self) -> frozenset[int]:
        return frozenset(
            position
            for entry in self.program.entries
            if entry.effect == "reject"
            for position in self.positions(entry)
            if position is not None and not self.verdict(entry, position).met
            if self.waiver(entry, position) is None
        )

    def _oblige(self, found: Findings, can: frozenset[str]) -> None:
        """Adds the obligations of the violated rules that oblige, and what is wrong with them."""
        ranks = {(entry.kind, id(entry.rule)): rank for rank, entry in enumerate(self.program.entries)}
        wrong: set[int] = set()
        for entry, position in self._effective(found, "oblige"):
            for name, node in entry.rule.oblige.items() if entry.rule else ():
                if name not in can:
                    wrong.add(code(ranks["missing obligation", id(entry.rule)], position, undecided=False))
                try:
                    value = evaluate(node, self.env(entry, position))
                except Undecided:
                    wrong.add(code(ranks["obligation", id(entry.rule)], position, undecided=True))
                    continue
                found.obligations[name] = _with(found.obligations.get(name, ()), value)
        found.violations.extend(wrong)

    def _options(self, found: Findings) -> tuple[str, ...]:
        """The options of the violated rules that clarify, in order, each once."""
        offered: tuple[str, ...] = ()
        for entry, position in self._effective(found, "clarify"):
            if entry.rule is not None and entry.rule.options is not None:
                try:
                    options = evaluate(entry.rule.options, self.env(entry, position))
                except Undecided:
                    continue
                for option in options:
                    offered = _with(offered, option)
        return offered

    def _effective(self, found: Findings, effect: str) -> list[tuple[Entry, int | None]]:
        """The violated rules with an effect that are not waived, in order."""
        pairs = [
            (self.program.entries[rank_of(finding)], position_of(finding))
            for finding in found.violations
            if not finding & WAIVED
        ]
        return [(entry, position) for entry, position in pairs if entry.effect == effect]

    def _coming(self, variant: Variant, found: Findings, can: frozenset[str]) -> list[int]:
        """What a variant violates beyond this program; all of it, if it stands for one coming contract."""
        later = findings(variant.program, self.record, self.now, can)
        known = {_key(self.program, finding) for finding in found.violations + found.warnings}
        return [
            finding
            for finding in later.violations + later.warnings
            if (
                _key(variant.program, finding) not in known
                if variant.contract is None
                else variant.program.entries[rank_of(finding)].scope.contract.name == variant.contract
            )
        ]


def skipped(when: tuple[Node, ...], env: Env) -> bool:
    """Whether one of the conditions is false. Undecided conditions skip nothing."""
    try:
        return not kleene(False, [asking(node, env) for node in when])
    except Undecided:
        return False


def choose(choice: Choice, env: Env) -> Any:
    """The value of a choice; None if it is not made. Raises Undecided if a row or its value is."""
    if skipped(choice.when, env):
        return None
    return evaluate(deciding(choice, env), env)


def deciding(choice: Choice, env: Env) -> Node:
    """The value of the first row whose condition is true, else of `otherwise`."""

    def holds(row: Row) -> bool:
        return truth(row.when, env)

    row = next(filter(holds, choice.rows), None)
    return choice.otherwise if row is None else row.value


def _covers(waiver: Waiver, version: str, env: Env) -> bool:
    try:
        return version in waiver.when and truth(waiver.when[version], env)
    except Undecided:
        return False


def _identities(items: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    return tuple((name, id(item)) for name, item in items.items())


def _with(values: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    return values if any(same(value, known) for known in values) else (*values, value)


def _key(program: Program, finding: int) -> tuple[Any, ...]:
    """What makes a violation the same in two programs."""
    entry = program.entries[rank_of(finding)]
    source = entry.rule or entry.choice
    name = "" if source is None else source.id
    undecided = bool(finding & UNDECIDED)
    return entry.kind, entry.scope.contract.name, name, position_of(finding), undecided
