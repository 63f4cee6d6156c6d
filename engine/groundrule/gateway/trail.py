"""One execution while it happens: what is known so far, what each gate said, how much time is left."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar, cast

from .. import __version__
from ..facts import Attempt, Context, Evidence, ExternalQueryPlan, Question, Run
from ..facts.record import Record, write_timestamp
from ..facts.reply import Reply
from ..facts.words import Language, ReplyKind
from ..rules.decision import Decision
from ..rules.evaluate import evaluate
from ..rules.readings import disputed
from .boundary import Failure, one_reason, within
from .parts import Parts, Progress
from .render import Envelope
from .wording import Both

CHECK_TIMEOUT = timedelta(seconds=2)
"""For the cross-check of one decision; later it confirms nothing."""
Fact = TypeVar("Fact", bound=Record)
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")


class Ended(Exception):
    """The run ends without an answer: a refusal of a kind, or a question back. Caught in `ask` and nowhere else."""

    def __init__(
        self,
        kind: ReplyKind | None,
        reasons: Iterable[str] = (),
        options: Iterable[str] = (),
    ) -> None:
        super().__init__(kind or "clarify")
        self.kind = kind
        self.reasons = tuple(reasons)
        self.options = tuple(options)


class Trail:
    """The state of one execution. Every gate is asked through `decide`, which keeps its receipt.

    Time is measured twice, by the given clock and by the event loop, and the earlier deadline holds: a clock that is
    set back gives no run more time.
    """

    def __init__(self, question: Question, context: Context, parts: Parts) -> None:
        self.parts = parts
        self.execution_id = parts.new_id()
        self.started_at = parts.clock()
        self.question = _completed(question, self.started_at, self.execution_id)
        self.context = context
        self.zone = "UTC"
        self.language: Language = self.question.language or "zh"
        self.plan = ExternalQueryPlan()
        self.limits = parts.limits
        self.adapters_left: list[str] = list(parts.sources)
        self.attempts: list[Attempt] = []
        self.evidence: list[Evidence] = []
        self.not_grounding: tuple[str, ...] = ()
        self.admission: Decision | None = None
        self.calls = self.followed = 0
        self.gates: list[dict[str, Any]] = []
        self.notes: list[dict[str, str]] = []
        self._watched = parts.progress is not None
        self._loop_start = asyncio.get_running_loop().time()

    async def decide(self, gate: str, can: frozenset[str] = frozenset(), **more: Record | Sequence[Record]) -> Decision:
        """Asks a gate about question, context and `more`, and keeps the receipt: facts are judged as they are kept."""
        now = self.parts.clock()
        given = {"question": self.question, "context": self.context, **more}
        facts = {
            name: plain(value) if isinstance(value, Record) else [plain(part) for part in value]
            for name, value in given.items()
        }
        decision = evaluate(self.parts.rules, gate, facts, now, can=can)
        kept = decision.receipt(__version__)
        if kept["facts"] is None:  # faulty ones are kept as they were given, so that a replay denies again
            kept["facts"] = facts
        self.gates.append(kept)
        return await self._confirmed(decision)

    async def _confirmed(self, decision: Decision) -> Decision:
        """The decision; a denial in its place if the cross-check is enforced and does not confirm it.

        The receipt of the gate keeps what our rules said, so that it replays; that it was disputed is a note.
        """
        check = self.parts.cross_check
        if check is None:
            return decision
        found = await within(CHECK_TIMEOUT, lambda: check.dispute(decision))
        why = found.reason if isinstance(found, Failure) else found
        if why is None:
            return decision
        self.note("cross-check", one_reason(f"{decision.gate}: {why}"))
        return disputed(decision) if check.enforced else decision

    def ended(self, decision: Decision) -> Ended:
        """How a decision that is no allow ends the run."""
        if decision.outcome == "clarify":
            return Ended(None, messages(decision, self.language, "clarify"), decision.options)
        return Ended(refusal(decision), messages(decision, self.language))

    def run(self) -> Run:
        """The execution so far, as facts."""
        return Run(
            execution_id=self.execution_id,
            started_at=self.started_at,
            deadline=self._deadline,
            remaining=max(self._deadline - self.parts.clock(), timedelta(0)),
            calls=self.calls,
            attempts=tuple(self.attempts),
            adapters_left=tuple(self.adapters_left),
        )

    def left(self) -> timedelta:
        """Time that is left of the deadline; zero or less once it has passed."""
        passed = timedelta(seconds=asyncio.get_running_loop().time() - self._loop_start)
        return min(self._deadline - self.parts.clock(), self._run_timeout - passed)

    def note(self, step: str, reason: str) -> None:
        """Keeps in the receipt what no gate knows, such as why a planner failed."""
        self.notes.append({"step": step, "reason": reason})

    def failed(self, step: str, reason: str, kind: ReplyKind, said: Both) -> Ended:
        """How a part that failed ends the run. reason: for the receipt; the user reads `said`."""
        self.note(step, reason)
        return Ended(kind, [self.say(said)])

    def say(self, both: Both) -> str:
        """A sentence in the reply's language."""
        return both[self.language]

    async def tell(self, stage: str, **detail: Any) -> None:
        """Tells a watcher, if there is one, what has been done."""
        if not self._watched or self.parts.progress is None:
            return
        watcher, event = self.parts.progress, Progress(stage, detail)
        told = await within(timedelta(seconds=1), lambda: watcher(event))
        if isinstance(told, Failure):
            self._watched = False
            self.note("progress", told.reason)

    def envelope(self) -> Envelope:
        """What every reply of this execution states."""
        return Envelope(
            language=self.language,
            execution_id=self.execution_id,
            revision=self.parts.rules.revision,
            zone=self.zone,
            sample=any(self.parts.sources[found.adapter or ""].sample_data for found in self.attempts),
            not_grounding=self.not_grounding,
        )

    def record(self, reply: Reply) -> dict[str, Any]:
        """The whole execution as canonical JSON values: enough to decide every gate again, and to read the chain."""
        return {
            "execution_id": self.execution_id,
            "started_at": write_timestamp(self.started_at),
            "ended_at": write_timestamp(self.parts.clock()),
            "revision": self.parts.rules.revision,
            "planner": self.parts.planner.name,
            "drafter": self.parts.drafter.name,
            "question": plain(self.question),
            "context": plain(self.context),
            "plan": plain(self.plan),
            "attempts": [plain(attempt) for attempt in self.attempts],
            "notes": self.notes,
            "gates": self.gates,
            "reply": plain(reply),
        }

    @property
    def _run_timeout(self) -> timedelta:
        return min(self.limits.run_timeout, self.limits.longest)

    @property
    def _deadline(self) -> datetime:
        return self.started_at + self._run_timeout


def refusal(decision: Decision) -> ReplyKind:
    """Which refusal the user sees: that of the first violation; without any, that there is no evidence."""
    return cast(ReplyKind, decision.reply) if decision.violations else "no_evidence"


def messages(decision: Decision, language: Language, effect: str | None = None) -> list[str]:
    """Why a decision is no allow, the strongest first; the messages of one effect only, if it is given.

    Why single items were rejected stays in the receipt: those messages name what was set aside, internal documents
    among it, and nothing that was set aside appears in a reply.
    """
    return [
        found.message[language]
        for found in decision.violations
        if not found.waived_by and (found.effect == effect if effect else found.effect not in ("oblige", "reject"))
    ]


def sound(record: Fact) -> Fact:
    """The record, validated again. Raises ValueError if it is no valid one, or if JSON cannot carry it."""
    fresh = type(record).model_validate(record)
    fresh.model_dump_json()
    return fresh


def plain(record: Record) -> dict[str, Any]:
    """A record as JSON values, without what is absent."""
    return record.model_dump(mode="json", by_alias=True, exclude_none=True)


def _completed(question: Question, now: datetime, id: str) -> Question:
    """The question with what the pipeline knows where the caller said nothing: id, time, language."""
    language: Language = "zh" if _HAN.search(question.text or "") else "en"
    return question.model_copy(
        update={
            "id": question.id or id,
            "asked_at": question.asked_at or now,
            "language": question.language or language,
        }
    )
