"""`ask`: from a question to a reply, with one policy question at each step.

Nothing here leads from an error to an answer. An answer is text that the answer gate allowed about evidence that the
evidence gate admitted, in one execution whose receipt has been kept. Everything else is a refusal or a question back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from ..facts import Answer, Context, Evidence, ExternalQueryPlan, Question
from ..facts.reply import Reply
from ..grounding.claims import ground
from ..grounding.times import zone_of
from ..rules.decision import Decision
from . import render, wording
from .boundary import Failure, Unfit, one_reason, within
from .collect import can_ground, collect
from .markup import clean
from .parts import Parts
from .ports import Draft, Planned
from .trail import Ended, Trail, sound
from .window import window

CAN = frozenset({"as_of", "cite"})
"""The obligations that are fulfilled here."""
MAX_ANSWER = 20_000
"""Code points of a draft. A longer one is no answer."""
PLAN_CHOICES = ("evidence_limit", "max_calls", "run_timeout", "call_timeout")
"""What the plan gate may choose in place of the settings of the same names."""


async def ask(question: Question, context: Context, parts: Parts) -> Reply:
    """One execution: plan, fetch, judge, draft, judge, render, keep the receipt, reply.

    context is stated by the backend, never by the user. Raises ValueError if question or context is no valid record;
    a failure of any part is a refusal.
    """
    trail = Trail(sound(question), sound(context), parts)
    try:
        _settle_zone(trail)
        await _route(trail)
        await _plan(trail)
        await _judge_plan(trail)
        admitted = await collect(trail)
        evidence = _groundable(trail, admitted)
        draft = await _draft(trail, evidence)
        answer, decision = await _judge_answer(trail, admitted, evidence, draft)
        reply = render.answered(trail.envelope(), answer, evidence, _valid_until(trail, decision))
    except Ended as ended:
        reply = _not_answered(trail, ended)
    return await _keep(trail, reply)


def _settle_zone(trail: Trail) -> None:
    """The zone in which days begin: the backend's, or UTC if it says none. A wrong one would shift every day."""
    zone = trail.context.zone or trail.zone
    try:
        zone_of(zone)
    except ValueError:
        raise Ended("unclear", [trail.say(wording.UNKNOWN_ZONE)]) from None
    trail.zone = zone


async def _route(trail: Trail) -> None:
    """Whether the question is one for the outside world at all."""
    decision = await trail.decide("route")
    await trail.tell("route", outcome=decision.outcome)
    if decision.outcome != "allow":
        raise trail.ended(decision)
    route = decision.choices.get("route", "refuse")
    if route == "clarify":
        raise Ended(None, [trail.say(wording.ASK_SUBJECT)], decision.options)
    if route != "external":
        why = wording.ROUTE_DATA if route == "data" else wording.ROUTE_REFUSED
        raise Ended("unsupported", [trail.say(why)])


async def _plan(trail: Trail) -> None:
    """The planner's plan with the window that its time expression means. What does not fit is never repaired."""
    planner = trail.parts.planner
    if trail.left() <= timedelta(0):
        raise Ended("no_evidence", [trail.say(wording.OUT_OF_TIME)])

    async def plan() -> tuple[ExternalQueryPlan | None, tuple[str, ...]]:
        return _planned(trail, await planner.plan(trail.question, trail.context))

    made = await within(trail.left(), plan)
    if isinstance(made, Failure):
        await trail.tell("plan", outcome=made.outcome)
        late = made.outcome == "timeout"
        said = wording.PLANNER_LATE if late else wording.PLANNER_FAILED
        raise trail.failed("plan", made.reason, "unclear", said)
    trail.plan, questions = made[0] or trail.plan, made[1]
    await trail.tell("plan", query_kind=trail.plan.query_kind, clarify=bool(questions))
    if questions:
        raise Ended(None, questions)


def _planned(trail: Trail, planned: Planned) -> tuple[ExternalQueryPlan | None, tuple[str, ...]]:
    """The plan with its window, and what the planner asks back. Raises ValueError if it made neither."""
    if not isinstance(planned, Planned) or not isinstance(planned.clarify, tuple):
        raise Unfit("the planner returned something that is no plan")
    if planned.note is not None:
        trail.note("plan", one_reason(planned.note))
    questions = tuple(str(question) for question in planned.clarify)
    if planned.plan is None:
        if not questions:
            raise Unfit(planned.failure or "the planner made no plan")
        return None, questions
    if not isinstance(planned.plan, ExternalQueryPlan):
        raise Unfit("the planner returned a plan that is no record")
    plan = sound(planned.plan.model_copy(update={"window": None}))
    asked_at = trail.question.asked_at or trail.started_at
    return plan.model_copy(update={"window": window(plan.time_range_hint, asked_at, trail.zone)}), questions


async def _judge_plan(trail: Trail) -> None:
    """Whether the plan may run, and within which limits. What the rules choose replaces the settings."""
    decision = await trail.decide("plan", plan=trail.plan)
    if decision.outcome != "allow":
        raise trail.ended(decision)
    chosen = {name: decision.choices[name] for name in PLAN_CHOICES if name in decision.choices}
    trail.limits = replace(trail.limits, **chosen)
    adapters = decision.choices.get("adapters", tuple(trail.parts.sources))
    trail.adapters_left = [name for name in dict.fromkeys(adapters) if name in trail.parts.sources]


def _groundable(trail: Trail, admitted: Sequence[Evidence]) -> list[Evidence]:
    """The admitted items that may be quoted; the others are named in the reply and reach neither drafter nor text."""
    evidence = [item for item in admitted if can_ground(item, trail.execution_id)]
    kept = {item.id for item in evidence}
    trail.not_grounding = tuple(item.id for item in admitted if item.id not in kept)
    if not evidence:
        raise Ended("no_evidence", [trail.say(wording.NO_PUBLIC_ADDRESS)])
    return evidence


async def _draft(trail: Trail, evidence: Sequence[Evidence]) -> Draft:
    """A draft over these items alone, without their raw metadata."""
    shown = [item.model_copy(update={"raw_metadata": None}) for item in evidence]
    ids = {item.id for item in evidence}

    async def compose() -> Draft:
        return _drafted(trail, await trail.parts.drafter.draft(trail.question, trail.plan, shown, trail.zone), ids)

    draft = await within(trail.left(), compose)
    if not isinstance(draft, Failure) and trail.left() <= timedelta(0):
        draft = Failure("timeout", "the deadline passed while it was made")
    if isinstance(draft, Failure):
        await trail.tell("draft", outcome=draft.outcome)
        late = draft.outcome == "timeout"
        said = wording.DRAFTER_LATE if late else wording.DRAFTER_FAILED
        raise trail.failed("draft", draft.reason, "unsupported", said)
    await trail.tell("draft", length=len(draft.text))
    return draft


def _drafted(trail: Trail, draft: Draft, ids: set[str]) -> Draft:
    """The draft without control characters. Raises Unfit if there is none, or if it cites what it was not given."""
    if not isinstance(draft, Draft) or not isinstance(draft.text, str):
        raise Unfit("the drafter returned something that is no draft")
    if draft.note is not None:
        trail.note("draft", one_reason(draft.note))
    if draft.failure is not None:
        raise Unfit(draft.failure)
    text = clean(draft.text).strip()
    if not text or len(text) > MAX_ANSWER:
        raise Unfit(f"a draft of {len(text)} code points")
    handles = {str(handle): id for handle, id in draft.handles.items()}
    unknown = sorted(handle for handle, id in handles.items() if id not in ids)
    if unknown:
        raise Unfit(f"handles of items that it was not given: {', '.join(unknown)}")
    return Draft(text, handles)


async def _judge_answer(
    trail: Trail, admitted: Sequence[Evidence], evidence: Sequence[Evidence], draft: Draft
) -> tuple[Answer, Decision]:
    """The final text as the answer gate allows it: asked about the draft, then again if obligations changed it."""
    answer, decision = await _asked(trail, admitted, evidence, draft)
    text = _obliged(trail, evidence, draft, answer, decision)
    if text != draft.text:
        done = decision.obligations
        answer, decision = await _asked(trail, admitted, evidence, replace(draft, text=text))
        for name, values in decision.obligations.items():
            if any(value not in done.get(name, ()) for value in values):
                raise Ended("unsupported", [trail.say(wording.UNFULFILLED)])
    return answer, decision


async def _asked(
    trail: Trail, admitted: Sequence[Evidence], evidence: Sequence[Evidence], draft: Draft
) -> tuple[Answer, Decision]:
    """The text tied to the items that it may quote, and what the answer gate says of it. Raises Ended if it denies."""

    async def grounded() -> Answer:
        return ground(draft.text, draft.handles, evidence, trail.parts.clock(), trail.zone, trail.language)

    answer = await within(trail.left(), grounded)
    if isinstance(answer, Failure):
        await trail.tell("answer", outcome=answer.outcome)
        raise trail.failed("ground", answer.reason, "unsupported", wording.DRAFTER_FAILED)
    decision = await trail.decide("answer", CAN, plan=trail.plan, run=trail.run(), evidence=admitted, answer=answer)
    await trail.tell("answer", outcome=decision.outcome)
    if decision.outcome != "allow":
        raise trail.ended(decision)
    citations = answer.citations or ()
    if answer.text is None or not citations or any(found.evidence is None for found in citations):
        raise Ended("unsupported", [trail.say(wording.UNCITED)])
    return answer, decision


def _obliged(
    trail: Trail, evidence: Sequence[Evidence], draft: Draft, answer: Answer, decision: Decision
) -> str:
    """The text with what the rules oblige it to say: `cite` the items named, then the date `as_of` which it holds."""
    text = draft.text
    handle_of = {id: handle for handle, id in reversed(list(draft.handles.items()))}
    cited = {found.evidence for found in answer.citations or ()}
    for id in decision.obligations.get("cite", ()):
        if id is True or id in cited:
            continue
        if id not in handle_of:
            raise Ended("unsupported", [trail.say(wording.UNFULFILLED)])
        text += f" {handle_of[id]}"
    dates = decision.obligations.get("as_of", ())
    if not dates:
        return text
    if not all(isinstance(date, datetime) for date in dates):
        raise Ended("unsupported", [trail.say(wording.UNFULFILLED)])
    oldest = min(dates)
    item = next((found for found in evidence if found.dated_at == oldest and found.id in cited), None)
    resolution = None if item is None else item.dated_resolution
    cite = "" if item is None else handle_of.get(item.id, "")
    return f"{text}\n{render.as_of(trail.language, oldest, resolution, trail.zone, cite)}"


def _valid_until(trail: Trail, decision: Decision) -> datetime | None:
    """The first instant at which this answer might no longer be allowed, by what evidence and answer gate said."""
    times = [said.valid_until for said in (trail.admission, decision) if said is not None]
    return min((time for time in times if time is not None), default=None)


def _not_answered(trail: Trail, ended: Ended) -> Reply:
    if ended.kind is None:
        return render.clarify(trail.envelope(), ended.reasons, ended.options)
    instead = wording.NO_SOURCES if ended.kind == "no_evidence" and not trail.parts.sources else None
    return render.refused(trail.envelope(), ended.kind, ended.reasons, instead)


async def _keep(trail: Trail, reply: Reply) -> Reply:
    """The reply, once its receipt is kept; a refusal in its place if it cannot be."""
    store, rules, record = trail.parts.store, trail.parts.rules, trail.record(reply)

    async def keep() -> None:
        await store.keep_rules(rules.revision, rules.files)
        await store.keep(record)

    kept = await within(trail.parts.limits.store_timeout, keep)
    if isinstance(kept, Failure):
        await trail.tell("keep", outcome=kept.outcome, reason=kept.reason)
        return render.refused(trail.envelope(), "unsupported", [trail.say(wording.NOT_KEPT)])
    await trail.tell("keep", outcome="kept")
    return reply
