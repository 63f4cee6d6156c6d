"""What a gate says. Messages, values, digests and `valid_until` are computed when they are first read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ..canonical import canonical_json, digest_of_text
from ..facts.decision import DecisionRecord
from ..facts.record import exact_instant, thaw, write_timestamp
from ..reasons import Reason, said
from .contract import Waiver
from .explain import explain as trace_all
from .explain import plain
from .explain import values as values_of
from .facts import Facts
from .horizon import valid_until
from .interpret import Interpreter
from .program import (
    WAIVED,
    Entry,
    Findings,
    Program,
    position_of,
    rank_of,
)
from .render import render, written
from .types import STRING

if TYPE_CHECKING:
    from .ruleset import RuleSet

OUTCOMES = frozenset({"deny", "clarify", "confirm", "fallback"})
_ENGINE_MESSAGES = {
    "ENGINE-CHOICE": (
        "The choice {name} cannot be decided: {reason}.",
        "无法作出选择 {name}：{reason}。",
    ),
    "ENGINE-CROSS-CHECK": (
        "A second evaluation did not confirm the decision.",
        "第二次求值未能确认该结论。",
    ),
    "ENGINE-FACTS": ("The facts are faulty: {reason}.", "事实有误：{reason}。"),
    "ENGINE-GATE": ("There is no gate {reason}.", "不存在关口 {reason}。"),
    "ENGINE-GATE-EMPTY": ("No contract in force covers the gate {reason}.", "没有生效的合同覆盖关口 {reason}。"),
    "ENGINE-INTERNAL": ("The rules could not be evaluated ({reason}).", "规则无法求值（{reason}）。"),
    "ENGINE-OBLIGATION": ("The obligation {name} cannot be fulfilled: {reason}.", "义务 {name} 无法履行：{reason}。"),
    "ENGINE-PIN": ("A pinned version cannot be used: {reason}.", "固定的版本不可用：{reason}。"),
    "ENGINE-RULES": ("There is no rule set that could be asked: {reason}.", "没有可用的规则集：{reason}。"),
    "ENGINE-TIME": ("The time of the decision is faulty: {reason}.", "决策时间有误：{reason}。"),
}
"""Wordings of the engine's own violations."""

_new = tuple.__new__


class _Shown(NamedTuple):
    """What a violation shows at once (the Face of its finding), and who speaks for it."""

    rule: str
    at: str | None
    effect: str
    undecided: bool
    contract: str | None
    version: str | None
    finding: int
    voice: Any


class Violation(_Shown):
    """One rule that is not met, at one place.

    rule, contract, version, effect: which. at: the path of the element, or None for the whole. undecided: whether there
    was no answer. message, values, waived_by: see RULES section 6.
    """

    __slots__ = ()

    @property
    def message(self) -> dict[str, str]:
        """What is not met, in `en` and `zh`."""
        found: dict[str, str] = self.voice.message(self)
        return found

    @property
    def values(self) -> list[dict[str, Any]]:
        """The field reads, calls and names that were evaluated, in source order, with their values."""
        found: list[dict[str, Any]] = self.voice.values_at(self)
        return found

    @property
    def waived_by(self) -> dict[str, Any] | None:
        """The waiver that takes its effect away: rule, owner, reason, ticket and expires; or None."""
        found: dict[str, Any] | None = self.voice.waived_by(self)
        return found

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "rule": self.rule,
            "contract": self.contract,
            "version": self.version,
            "effect": self.effect,
            "at": self.at,
            "message": self.message,
            "undecided": self.undecided,
            "values": self.values,
            "waived_by": self.waived_by,
        }

    def __repr__(self) -> str:
        at = f" @ {self.at}" if self.at is not None else ""
        return f"<{self.rule}{at} {self.effect}{' undecided' if self.undecided else ''}>"


class _Engine:
    """Speaks for a violation of the engine itself."""

    def __init__(self, reason: Reason | str) -> None:
        self.reason = reason

    def message(self, violation: Violation) -> dict[str, str]:
        return _engine_message(violation.rule, "", self.reason)

    def values_at(self, violation: Violation) -> list[dict[str, Any]]:
        return []

    def waived_by(self, violation: Violation) -> None:
        return None


def _engine_message(rule: str, name: str, reason: Reason | str) -> dict[str, str]:
    wordings = dict(zip(("en", "zh"), _ENGINE_MESSAGES[rule], strict=True))
    return {
        language: wording.format(name=name, reason=written(said(reason, language), STRING, language))
        for language, wording in wordings.items()
    }


class _Rules:
    """Speaks for the violations of a program."""

    __slots__ = ("_facts", "_interpreter", "_now", "program")

    def __init__(self, program: Program, facts: Facts, now: datetime) -> None:
        self.program, self._facts, self._now = program, facts, now
        self._interpreter: Interpreter | None = None

    @property
    def interpreter(self) -> Interpreter:
        if self._interpreter is None:
            self._interpreter = Interpreter(self.program, self._facts.known, self._now)
        return self._interpreter

    def _entry(self, violation: Violation) -> tuple[Entry, int | None]:
        finding: int = violation.finding
        return self.program.entries[rank_of(finding)], position_of(finding)

    def message(self, violation: Violation) -> dict[str, str]:
        entry, position = self._entry(violation)
        if entry.kind == "rule" and entry.rule is not None:
            if entry.rule.plain_message is not None:
                return dict(entry.rule.plain_message)
            env = self.interpreter.env(entry, position)
            return {language: render(template, env, language) for language, template in entry.rule.message.items()}
        if entry.choice is not None:
            return _engine_message(entry.id, entry.choice.name, self.interpreter.verdict(entry, position).reason or "")
        names = ", ".join(entry.rule.oblige) if entry.rule is not None else ""
        missing = entry.kind == "missing obligation"
        reason = Reason("the caller will not fulfil it") if missing else Reason("its value is undecided")
        return _engine_message(entry.id, names, reason)

    def values_at(self, violation: Violation) -> list[dict[str, Any]]:
        return values_of(self.interpreter, *self._entry(violation))

    def waived_by(self, violation: Violation) -> dict[str, Any] | None:
        if not violation.finding & WAIVED:
            return None
        waiver = self.interpreter.waiver(*self._entry(violation))
        return _waiver_json(waiver) if waiver is not None else None


def _waiver_json(waiver: Waiver) -> dict[str, Any]:
    return {
        "rule": waiver.rule,
        "owner": waiver.owner,
        "reason": dict(waiver.reason),
        "ticket": waiver.ticket,
        "expires": thaw(waiver.expires),
    }


def _violations(program: Program, findings: Iterable[int], voice: _Rules) -> list[Violation]:
    """The violations that findings stand for."""
    faces, speaks = program.faces, (voice,)
    return [_new(Violation, faces[finding] + speaks) for finding in findings]


class Asked(NamedTuple):
    """What is the same for many decisions: the rule set, the gate, and what was asked for beside the facts."""

    rules: RuleSet | None
    gate: str
    as_of: datetime | None
    pins: Mapping[str, str]
    can: frozenset[str]
    program: Program | None


class Decision:
    """The answer of one gate: outcome, violations, warnings, and what follows for the caller (RULES section 6)."""

    __slots__ = ("__dict__", "_admitted", "_asked", "_facts", "_findings", "_outcome", "_violations", "now")

    def __init__(
        self,
        asked: Asked,
        facts: Facts,
        now: datetime,
        findings: Findings | None,
        refused: tuple[str, Reason | str] | None = None,
    ) -> None:
        self._asked, self._facts, self.now, self._findings = asked, facts, now, findings
        program = asked.program
        if findings is None or program is None:
            rule, reason = refused or ("ENGINE-INTERNAL", Reason("no program"))
            self._violations = (_new(Violation, (rule, None, "deny", True, None, None, 0, _Engine(reason))),)
            self._outcome, self._admitted = "deny", ()
            return
        found, positions, ids = findings[0], findings[2], facts.ids
        if found:
            faces, voice = program.faces, (_Rules(program, facts, now),)
            self._violations = tuple([_new(Violation, faces[finding] + voice) for finding in found])
            self._outcome = self._strongest()
        else:
            self._violations, self._outcome = (), "allow"
        if positions is None:
            self._admitted = ()
        else:
            self._admitted = ids if len(positions) == len(ids) else tuple([ids[at] for at in positions])

    now: datetime
    _asked: Asked
    _facts: Facts
    _findings: Findings | None
    _outcome: str
    _admitted: tuple[str, ...]
    _violations: tuple[Violation, ...]

    @property
    def gate(self) -> str:
        """The gate that was asked."""
        return self._asked.gate

    @property
    def _program(self) -> Program | None:
        return self._asked.program if self._findings is not None else None

    @property
    def outcome(self) -> str:
        """`allow`, `fallback`, `confirm`, `clarify` or `deny`: the strongest effect that is not waived."""
        return self._outcome

    def _strongest(self) -> str:
        for violation in self._violations:
            if not violation.finding & WAIVED:
                effect = violation.effect
                if effect in OUTCOMES:
                    return "deny" if effect == "fallback" and self._nothing_left() else effect
                break
        return "allow"

    def _nothing_left(self) -> bool:
        """Whether `run.adapters_left` is given and empty, so that there is nothing to fall back to."""
        run = (self._facts.values or {}).get("run")
        return run is not None and run["adapters_left"] is not None and len(run["adapters_left"]) == 0

    @property
    def violations(self) -> tuple[Violation, ...]:
        """Every effect except warn, sorted by effect, rule and position."""
        return self._violations

    @cached_property
    def _voice(self) -> _Rules:
        """Who speaks for the violations and warnings."""
        program = self._program
        if program is None:
            raise ValueError("nothing was asked")
        return self._violations[0].voice if self._violations else _Rules(program, self._facts, self.now)

    @cached_property
    def warnings(self) -> tuple[Violation, ...]:
        """What is only warned about, and what will be violated soon."""
        program, findings = self._program, self._findings
        if program is None or findings is None:
            return ()
        voice = self._voice
        found = _violations(program, findings.warnings, voice)
        if program.variants:
            complete = voice.interpreter.findings(self._asked.can)
            voices = [_Rules(variant.program, self._facts, self.now) for variant in program.variants]
            for index, finding in complete.coming:
                found += _violations(program.variants[index].program, [finding], voices[index])
            found.sort(key=lambda v: (v.rule, v.contract or "", v.version or "", v.finding & 0xFFFFFFFF))
        return tuple(found)

    @property
    def reply(self) -> str:
        """The refusal that the user sees if this is no allow: that of the first violation by effect, then id."""
        if self._program is not None and self._findings is not None:
            for finding in self._findings.violations:
                entry = self._program.entries[rank_of(finding)]
                if not finding & WAIVED and entry.rule is not None and entry.kind == "rule":
                    return entry.rule.reply
        return "unsupported"

    @property
    def obligations(self) -> dict[str, tuple[Any, ...]]:
        """What the caller must do with an allow: name to values."""
        return dict(self._findings.obligations) if self._findings is not None else {}

    @property
    def options(self) -> tuple[str, ...]:
        """What the user may choose from when asked back."""
        return self._findings.options if self._findings is not None else ()

    @cached_property
    def choices(self) -> dict[str, Any]:
        """The values of the choices by name; those per item by evidence id."""
        if self._program is None or self._findings is None:
            return {}
        ids = self._facts.ids
        per_item = {name for name, (choice, _) in self._program.choices.items() if choice.each is not None}
        return {
            name: {ids[at]: item for at, item in value.items()} if name in per_item else value
            for name, value in self._findings.choices.items()
        }

    @property
    def admitted(self) -> tuple[str, ...]:
        """Ids of the evidence that may count, in order. Nothing is admitted by a decision that could not be made."""
        return self._admitted

    @property
    def rejected(self) -> tuple[str, ...]:
        """Ids of the other items, in order."""
        admitted = set(self.admitted)
        return tuple([id_ for id_ in self._facts.ids if id_ not in admitted])

    @property
    def as_of(self) -> datetime:
        """The instant whose rules, values and waivers were in force."""
        return self._asked.as_of or self.now

    @property
    def revision(self) -> str | None:
        """The digest of the meaning of the rule set; None if there was none."""
        return self._asked.rules.revision if self._asked.rules is not None else None

    @property
    def contracts(self) -> dict[str, str]:
        """The contracts that were asked, with their versions."""
        if self._program is None:
            return {}
        return {scope.contract.name: scope.contract.version for scope in self._program.scopes}

    @property
    def draft(self) -> bool:
        """Whether the rule set is anything but a signed archive."""
        return self._asked.rules is None or self._asked.rules.draft

    @cached_property
    def facts_digest(self) -> str | None:
        """The digest of the facts; None if they were faulty."""
        return digest_of_text(canonical_json(self._kept)) if self._facts.record is not None else None

    @cached_property
    def _kept(self) -> dict[str, Any]:
        """The facts as a receipt keeps them."""
        return facts_json(self._facts)

    @cached_property
    def valid_until(self) -> datetime | None:
        """The first later instant at which this decision would differ on the same facts; None if there is none."""
        rules, record, present, found = self._asked.rules, self._facts.record, self._program, self._findings
        if rules is None or record is None or present is None or found is None:
            return None
        instants = () if self._asked.as_of is not None else rules.instants

        def ask(at: datetime) -> tuple[Program, Findings]:
            if at == self.now:
                return present, found
            program = rules.program(self.gate, self._asked.as_of or at, self._asked.pins)
            try:
                return program, rules.compiled(program)(self._facts, at, self._asked.can)
            except Exception:  # noqa: BLE001  # whatever raises in compiled rules is asked again by the interpreter
                return program, Interpreter(program, record, at).findings(self._asked.can)

        return valid_until(record, self.now, self._asked.can, instants, ask)

    def trace(self) -> list[dict[str, Any]]:
        """Every rule, asked or skipped, with every sub-expression and its value."""
        if self._program is None or self._facts.record is None:
            return []
        return trace_all(self._voice.interpreter)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values, exactly as the schema `decision` says."""
        shown = {**self.brief(), "valid_until": thaw(self.valid_until), "facts_digest": self.facts_digest}
        return {name: shown[name] for name in DecisionRecord.model_fields}

    def brief(self) -> dict[str, Any]:
        """The same without `valid_until` and `facts_digest`, each of which takes far longer than the decision."""
        return {
            "gate": self.gate,
            "outcome": self.outcome,
            "reply": None if self.outcome == "allow" else self.reply,
            "violations": [violation.to_json() for violation in self.violations],
            "warnings": [violation.to_json() for violation in self.warnings],
            "obligations": {name: [plain(value) for value in values] for name, values in self.obligations.items()},
            "choices": {name: _choice_json(value) for name, value in self.choices.items()},
            "options": list(self.options),
            "admitted": list(self.admitted),
            "rejected": list(self.rejected),
            "revision": self.revision,
            "contracts": self.contracts,
            "draft": self.draft,
            "now": write_timestamp(self.now),
            "as_of": write_timestamp(self.as_of),
        }

    def receipt(self, version: str) -> dict[str, Any]:
        """What the decision was decided on, enough to replay it; `version` is that of groundrule."""
        from .ruleset import LANGUAGE_VERSION

        return {
            "language_version": LANGUAGE_VERSION,
            "groundrule": version,
            "revision": self.revision,
            "gate": self.gate,
            "facts": self._kept if self._facts.record is not None else None,
            "now": thaw(self.now),
            "as_of": thaw(self._asked.as_of),
            "pins": dict(self._asked.pins),
            "can": sorted(self._asked.can),
            "decision": self.to_json(),
        }

    def __repr__(self) -> str:
        return f"<Decision {self.gate}: {self.outcome}, {len(self.violations)} violations>"


def _choice_json(value: Any) -> Any:
    return {name: plain(item) for name, item in value.items()} if isinstance(value, dict) else plain(value)


def facts_json(facts: Facts) -> dict[str, Any]:
    """The facts as plain JSON values, without what is absent; they read back as the same facts."""
    if facts.record is None:
        return {}
    found: dict[str, Any] = facts.record.model_dump(mode="json", by_alias=True, exclude_none=True)
    return found


def aware(value: object) -> datetime | None:
    """An instant in UTC, or None if the value is no aware datetime."""
    try:
        return exact_instant(value)
    except ValueError:
        return None
