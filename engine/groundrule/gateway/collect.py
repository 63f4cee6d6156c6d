"""Getting evidence: which source is next, one attempt with it, and what the rules let count of all that came so far."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, get_args

from ..facts import Attempt, Call, Evidence
from ..facts.record import MAX_ITEMS, freeze
from ..facts.words import Outcome
from ..rules.decision import Decision
from ..urls import UrlRefused, domain_in, is_public_http
from . import wording
from .boundary import Failure, Unfit, one_reason, within
from .ports import Errand, Fetched, Permit
from .scores import freshness_score, grounded_fields
from .trail import Ended, Trail, messages, refusal, sound

MOST_REDIRECTS = 5
"""Redirects that a run follows for each call that it makes."""
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


async def collect(trail: Trail) -> list[Evidence]:
    """The admitted items, once the evidence gate says that they are enough. Raises Ended if they never are.

    What comes back has passed the gate; nothing that did not pass comes back in its place, whatever the gate left.
    """
    while True:
        name = await _next(trail)
        await trail.tell("dispatch", adapter=name)
        items = await _attempt(trail, name)
        judged = trail.admission = await _judge(trail, items)
        await trail.tell("evidence", outcome=judged.outcome, admitted=len(judged.admitted))
        if judged.outcome == "allow" and judged.admitted:
            return _admitted(trail, judged)
        if judged.outcome != "fallback":
            raise _insufficient(trail)


async def _next(trail: Trail) -> str:
    """The name of the source that the dispatch gate chooses. Raises Ended where it stops, or where no time is left."""
    if trail.left() <= timedelta(0):
        raise _insufficient(trail)
    decision = await trail.decide("dispatch", plan=trail.plan, run=trail.run())
    if decision.outcome != "allow":
        raise trail.ended(decision)
    name = decision.choices.get("next", "stop")
    if name not in trail.adapters_left:
        raise _insufficient(trail, trail.say(wording.NO_SOURCE))
    return str(name)


def _insufficient(trail: Trail, *more: str) -> Ended:
    """No evidence, or only stale evidence: which of the two refusals it is, the rules say. That time is up is said too."""
    if trail.left() <= timedelta(0):
        more = (*more, trail.say(wording.OUT_OF_TIME))
    judged = trail.admission
    if judged is None:
        return Ended("no_evidence", more)
    return Ended(refusal(judged), [*messages(judged, trail.language), *more])


async def _attempt(trail: Trail, name: str) -> tuple[Evidence, ...]:
    """One attempt with a source, which it can have only once. It is recorded however it ends."""
    source = trail.parts.sources[name]
    trail.adapters_left.remove(name)
    begun = trail.parts.clock()
    still_open, one_by_one = True, asyncio.Lock()

    def asked_of(may: Callable[[Trail, Call], Awaitable[bool]]) -> Permit:
        async def permit(call: Call) -> bool:
            async with one_by_one:
                allowed = still_open and await may(trail, call.model_copy(update={"adapter": name}))
                return still_open and allowed

        return permit

    errand = _errand(trail, begun, asked_of(_may_call), asked_of(_may_follow))

    async def fetch() -> Fetched:
        return _checked(await source.fetch(errand))

    fetched = await within(min(trail.limits.call_timeout, trail.left()), fetch)
    still_open = False
    if isinstance(fetched, Failure):
        fetched = Fetched(fetched.outcome, reason=fetched.reason)
    ended = trail.parts.clock()
    items = _stated(trail, name, fetched.items[: errand.limit], ended)
    trail.evidence += items
    trail.attempts.append(
        Attempt(
            adapter=name,
            server=fetched.server,
            outcome=fetched.outcome,
            reason=fetched.reason,
            items=len(items),
            took=max(ended - begun, timedelta(0)),
        )
    )
    await trail.tell("fetch", adapter=name, outcome=fetched.outcome, items=len(items))
    return items


def _errand(trail: Trail, now: datetime, permit: Permit, follow: Permit) -> Errand:
    wanted = trail.limits.evidence_limit
    if trail.plan.result_limit is not None:
        wanted = min(wanted, trail.plan.result_limit)
    return Errand(
        execution_id=trail.execution_id,
        plan=trail.plan,
        question=trail.question,
        limit=max(0, min(wanted, MAX_ITEMS - len(trail.evidence))),
        call_timeout=trail.limits.call_timeout,
        now=now,
        permit=permit,
        follow=follow,
    )


async def _may_call(trail: Trail, call: Call) -> bool:
    """Asks the call gate, and counts what it allows."""
    if trail.calls >= trail.limits.max_calls:
        trail.note("call", f"refused: {trail.limits.max_calls} calls have been made")
        return False
    decision = await trail.decide("call", plan=trail.plan, call=call, run=trail.run())
    if decision.outcome != "allow":
        return False
    trail.calls += 1
    return True


async def _may_follow(trail: Trail, call: Call) -> bool:
    """Asks the call gate about an address that a call was redirected to. That call is not over, and is no second one."""
    if trail.followed >= MOST_REDIRECTS * trail.calls:
        trail.note("call", f"refused: more than {MOST_REDIRECTS} redirects a call")
        return False
    trail.followed += 1
    run = trail.run().model_copy(update={"calls": trail.calls - 1})
    return (await trail.decide("call", plan=trail.plan, call=call, run=run)).outcome == "allow"


def _checked(fetched: Fetched) -> Fetched:
    """What a source gave. Raises ValueError if it is not what the port promises: then no item of it counts."""
    if not isinstance(fetched, Fetched) or fetched.outcome not in OUTCOMES:
        raise Unfit("the source returned something that is no result")
    if not all(isinstance(item, Evidence) for item in fetched.items):
        raise Unfit("the source returned an item that is no evidence")
    if fetched.items and fetched.outcome != "evidence":
        raise Unfit(f"the source returned items together with the outcome {fetched.outcome}")
    outcome = "empty" if fetched.outcome == "evidence" and not fetched.items else fetched.outcome
    reason = None if fetched.reason is None else one_reason(fetched.reason)
    server = None if fetched.server is None else one_reason(fetched.server)
    return Fetched(outcome, tuple(sound(item) for item in fetched.items), reason, server)


def _stated(trail: Trail, name: str, items: Sequence[Evidence], now: datetime) -> tuple[Evidence, ...]:
    """The items with what the pipeline, and nobody else, states about them; an id that is taken gets a number."""
    taken = {item.id for item in trail.evidence}
    stated = []
    for item in items:
        id, number = item.id, 1
        while id in taken:
            number += 1
            id = f"{item.id}~{number}"
        taken.add(id)
        stated.append(
            item.model_copy(
                update={
                    "id": id,
                    "adapter": name,
                    "freshness_score": freshness_score(item, trail.plan.query_kind, now),
                    "authority_score": None,
                    "grounded_fields": grounded_fields(item, trail.plan, now, trail.zone),
                    "chosen": None,
                }
            )
        )
    return tuple(stated)


async def _judge(trail: Trail, latest: Sequence[Evidence]) -> Decision:
    """Asks the evidence gate about everything that this execution has, also if that is nothing."""
    decision = await trail.decide("evidence", plan=trail.plan, run=trail.run(), evidence=trail.evidence)
    admitted = set(decision.admitted)
    trail.attempts[-1] = trail.attempts[-1].model_copy(
        update={"judged": decision.outcome, "admitted": sum(item.id in admitted for item in latest)}
    )
    return decision


def _admitted(trail: Trail, decision: Decision) -> list[Evidence]:
    """The admitted items with what was chosen for them: best authority first, then preferred sites, then fresh ones."""
    admitted = set(decision.admitted)
    per_item = {name: value for name, value in decision.choices.items() if isinstance(value, Mapping)}
    preferred = trail.plan.preferred_domains or ()
    items = []
    for item in trail.evidence:
        if item.id in admitted:
            chosen = {name: values[item.id] for name, values in per_item.items() if item.id in values}
            authority = float(chosen.get("authority", 0.0))
            update = {"authority_score": min(max(authority, 0.0), 1.0), "chosen": freeze(chosen)}
            items.append(item.model_copy(update=update))
    return sorted(items, key=lambda item: _order(item, preferred), reverse=True)


def _order(item: Evidence, preferred: Sequence[str]) -> tuple[Any, ...]:
    return (item.authority_score, _is_on(item, preferred), item.freshness_score)


def _is_on(item: Evidence, domains: Sequence[str]) -> bool:
    try:
        return bool(domains) and domain_in(item.target_url or "", tuple(domains))
    except UrlRefused:
        return False


def can_ground(item: Evidence, execution_id: str | None) -> bool:
    """Whether an item may be quoted at all: fetched in this execution, written by no model, at a public address."""
    if item.generated or item.execution_id != execution_id:
        return False
    try:
        return is_public_http(item.target_url or "")
    except UrlRefused:
        return False
