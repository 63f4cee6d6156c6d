"""The gates: which variables each is asked with, and which effects and choices it knows (RULES section 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from .answer import Answer
from .evidence import Evidence
from .guarded import Action, DataSource, Operation, Program, Statement
from .plan import ExternalQueryPlan
from .question import Context, Principal, Question
from .record import MAX_ITEMS, Many, Record, fact
from .run import Call, Run

GateName = Literal["route", "plan", "call", "dispatch", "evidence", "answer", "sql", "python", "compute", "action"]


class RouteFacts(Record):
    """Facts of the `route` gate."""

    question: Question | None = fact("The question.", "问题。")
    context: Context | None = fact("Circumstances of the request.", "请求的情况。")


class PlanFacts(RouteFacts):
    """Facts of the `plan` gate."""

    plan: ExternalQueryPlan | None = fact("The plan.", "计划。")


class CallFacts(PlanFacts):
    """Facts of the `call` gate."""

    call: Call | None = fact("The call about to be made.", "即将发起的调用。")
    run: Run | None = fact("The execution so far.", "当前执行的情况。")


class DispatchFacts(PlanFacts):
    """Facts of the `dispatch` gate."""

    run: Run | None = fact("The execution so far.", "当前执行的情况。")


class EvidenceFacts(DispatchFacts):
    """Facts of the `evidence` gate."""

    evidence: Annotated[tuple[Evidence, ...], Many(MAX_ITEMS)] | None = fact(
        "All items of the execution so far.", "当前执行的全部证据。"
    )


class AnswerFacts(DispatchFacts):
    """Facts of the `answer` gate."""

    evidence: Annotated[tuple[Evidence, ...], Many(MAX_ITEMS)] | None = fact("The admitted items.", "已采纳的证据。")
    answer: Answer | None = fact("The answer.", "回答。")


class GuardedFacts(Record):
    """What the gates before code and side effects have in common."""

    principal: Principal | None = fact("On whose behalf it would run.", "代表谁执行。")
    source: DataSource | None = fact("The data source.", "数据源。")


class SqlFacts(GuardedFacts):
    """Facts of the `sql` gate."""

    statement: Statement | None = fact("The statement.", "语句。")


class PythonFacts(GuardedFacts):
    """Facts of the `python` gate."""

    program: Program | None = fact("The program.", "程序。")


class ComputeFacts(GuardedFacts):
    """Facts of the `compute` gate."""

    operation: Operation | None = fact("The operation.", "运算。")


class ActionFacts(GuardedFacts):
    """Facts of the `action` gate."""

    action: Action | None = fact("The action.", "动作。")


@dataclass(frozen=True)
class ChoiceSpec:
    """A choice that the pipeline reads at a gate.

    kind: `text`, `int`, `duration`, `double` or `texts`. values: the closed list, or () for any.
    undecided: what an undecided one means: a value to use instead, or `deny` / `reject`.
    """

    kind: str
    values: tuple[str, ...] = ()
    undecided: str = "deny"
    per_item: bool = False


@dataclass(frozen=True)
class Gate:
    """A gate: its facts, the effects that its rules may have, and the choices that the pipeline reads."""

    name: GateName
    facts: type[Record]
    effects: tuple[str, ...]
    choices: dict[str, ChoiceSpec]


_GUARDED = ("deny", "confirm", "warn")

GATES: dict[str, Gate] = {
    gate.name: gate
    for gate in (
        Gate(
            "route",
            RouteFacts,
            ("deny", "clarify", "warn"),
            {"route": ChoiceSpec("text", ("external", "data", "clarify", "refuse"), "refuse")},
        ),
        Gate(
            "plan",
            PlanFacts,
            ("deny", "clarify", "warn"),
            {
                "evidence_limit": ChoiceSpec("int"),
                "max_calls": ChoiceSpec("int"),
                "run_timeout": ChoiceSpec("duration"),
                "call_timeout": ChoiceSpec("duration"),
                "adapters": ChoiceSpec("texts"),
            },
        ),
        Gate("call", CallFacts, ("deny", "warn"), {}),
        Gate("dispatch", DispatchFacts, ("warn",), {"next": ChoiceSpec("text", (), "stop")}),
        Gate(
            "evidence",
            EvidenceFacts,
            ("reject", "fallback", "deny", "warn"),
            {"authority": ChoiceSpec("double", (), "reject", per_item=True)},
        ),
        Gate("answer", AnswerFacts, ("deny", "clarify", "oblige", "warn"), {}),
        Gate("sql", SqlFacts, _GUARDED, {}),
        Gate("python", PythonFacts, _GUARDED, {}),
        Gate("compute", ComputeFacts, _GUARDED, {}),
        Gate("action", ActionFacts, _GUARDED, {}),
    )
}
"""Every gate by name."""
