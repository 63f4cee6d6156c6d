"""`POST /v1/evaluate` and `POST /v1/explain`: one gate asked about facts, or many in one request."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from groundrule import Decision, RuleSet, evaluate
from groundrule.facts.gates import GATES
from groundrule.facts.record import Timestamp
from groundrule.rules.facts import Facts
from groundrule.rules.validation import steps_of

from .. import wiring
from ..settings import located
from .exchange import Call, as_json, read_json
from .problems import LATE, NOT_FIT, Problem
from .shapes import Asked, Batch

HERE = 64 << 10
"""Bytes of a plain body, which is judged at once. What is larger, many, or asks for what takes long is judged in a
thread, so that others need not wait."""
Sent = TypeVar("Sent", bound=BaseModel)
_INSTANT: TypeAdapter[datetime] = TypeAdapter(Timestamp)


class _Plain(NamedTuple):
    """What a plain body asks for beside its facts."""

    gate: str
    now: datetime | None
    as_of: None = None
    pins: None = None
    can: tuple[str, ...] = ()
    include: tuple[str, ...] = ()


Answer = Callable[[Decision, Asked | _Plain], dict[str, Any]]

# A body whose facts stand last, after gate and times: what follows the match, without the last brace, is the facts.
# Each of the names can match once, and a text with an escape does not match, so nothing can hide in the head.
_BLANKS = b" \t\n\r"
_QUICK = re.compile(
    rb'_\{_"gate"_:_"([a-z]{1,20})"_,_(?:"now"_:_"([0-9T:.+Z-]{1,40})"_,_)?"facts"_:_(?=\{)'.replace(
        b"_", b"[" + _BLANKS + b"]*"
    )
)

_TIME_SAID = "a time in RFC 3339 with offset and at most six decimals is expected"
"""Only times are validated by parts, whose names stand in brackets in the place of a fault."""


async def judge(call: Call) -> None:
    """Answers `/v1/evaluate`."""
    await _judge(call, _evaluated)


async def explain(call: Call) -> None:
    """Answers `/v1/explain`."""
    await _judge(call, _explained)


async def _judge(call: Call, answer: Answer) -> None:
    data = await call.body(call.service.settings.max_body)
    rules = call.tenant.in_force.rules
    plain = _quick(rules, data) if len(data) <= HERE and answer is _evaluated else None
    if plain is not None:
        content = as_json(_decided(call, rules, *plain, answer))
    else:
        try:
            async with asyncio.timeout(call.service.settings.evaluate_timeout):
                content = await call.service.in_thread(_answered, call, rules, data, answer)
        except TimeoutError:
            raise Problem(LATE) from None
    await call.reply(content)


def _answered(call: Call, rules: RuleSet, data: bytes, answer: Answer) -> bytes:
    quick = _quick(rules, data)
    if quick is not None:
        return as_json(_decided(call, rules, *quick, answer))
    given = read_json(data)
    if not isinstance(given, Mapping) or "requests" not in given:
        asked = sent(Asked, given)
        return as_json(_decided(call, rules, asked, rules.facts(asked.gate, asked.facts), answer))
    batch = sent(Batch, given)
    found = [_decided(call, rules, each, rules.facts(each.gate, each.facts), answer) for each in batch.requests]
    return as_json({"decisions": found})


def _quick(rules: RuleSet, data: bytes) -> tuple[_Plain, Facts] | None:
    """What a plain body asks, with its facts read from their own bytes; None if it must be read with care."""
    head = _QUICK.match(data)
    end = data.rstrip(_BLANKS)
    if head is None or end[-1:] != b"}" or head[1].decode() not in GATES:
        return None
    gate, now = head[1].decode(), head[2]
    facts = rules.facts_from_json(gate, end[head.end() : -1])
    if facts.fault is not None:
        return None  # perhaps they do not end where they seem to
    if now is None:
        return _Plain(gate, None), facts
    try:
        return _Plain(gate, _INSTANT.validate_python(now.decode())), facts
    except ValidationError:
        return None


def _decided(call: Call, rules: RuleSet, asked: Asked | _Plain, facts: Facts, answer: Answer) -> dict[str, Any]:
    now: datetime = asked.now or wiring.now()
    decision = evaluate(rules, asked.gate, facts, now, as_of=asked.as_of, pins=asked.pins, can=tuple(asked.can))
    call.service.measures.decision(asked.gate, decision.outcome)
    return answer(decision, asked)


def _evaluated(decision: Decision, asked: Asked | _Plain) -> dict[str, Any]:
    found = decision.brief()
    if asked.include:
        whole = decision.to_json()
        found |= {name: whole[name] for name in asked.include}
    return found


def _explained(decision: Decision, asked: Asked | _Plain) -> dict[str, Any]:
    return {**decision.to_json(), "trace": decision.trace()}


def sent(kind: type[Sent], given: object) -> Sent:
    """What was sent, as a shape of ours. Raises Problem with the place of the first fault, without its value."""
    try:
        return kind.model_validate(given)
    except ValidationError as why:
        raise unfit(why) from None


def unfit(why: ValidationError) -> Problem:
    """The problem that a validation found."""
    first = why.errors(include_url=False, include_input=False, include_context=False)[0]
    steps = tuple(steps_of(first))
    said = _TIME_SAID if len(steps) < len(first["loc"]) else first["msg"].removeprefix("Value error, ")
    return Problem(NOT_FIT, said[:300], located(steps).removeprefix("."))
