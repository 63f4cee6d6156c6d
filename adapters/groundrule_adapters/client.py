"""A client of the HTTP service with the surface of in-process use.

    from groundrule_adapters.client import evaluate, open_service

    rules = open_service("http://127.0.0.1:8080", key=key)
    decision = evaluate(rules, "evidence", facts, now)

Nothing is raised: a service that cannot be reached, is late, or answers with something else is a Decision that denies,
or a Reply that refuses, and says why. Arguments that cannot be asked about are denied here, as in process.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

import groundrule
from groundrule.facts import Context, Question
from groundrule.facts.decision import DecisionRecord
from groundrule.facts.record import Timestamp, exact_text, freeze, thaw, write_timestamp
from groundrule.facts.reply import Reply
from groundrule.facts.words import Language
from groundrule.reasons import Reason, kind_of
from groundrule.rules.decision import aware, facts_json
from groundrule.rules.evaluate import arguments, facts_of
from groundrule.rules.facts import NO_CHOICES, Facts

from .client_connection import Connection, Unanswered

if TYPE_CHECKING:
    from types import TracebackType

RULE = "ENGINE-SERVICE"
_INSTANT: TypeAdapter[datetime] = TypeAdapter(Timestamp)
_SAID = (
    "The decision service gave no decision: {reason}.",
    "决策服务没有给出结论：{reason}。",
)
_NO_REPLY = (
    "The answer service gave no reply that may be shown.",
    "回答服务没有给出可以展示的回复。",
)


@dataclass(frozen=True)
class Violation:
    """One rule that is not met, as in `groundrule.Violation`."""

    rule: str
    contract: str | None
    version: str | None
    effect: str
    at: str | None
    message: Mapping[str, str]
    undecided: bool
    values: list[dict[str, Any]]
    waived_by: dict[str, Any] | None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {**vars(self), "message": dict(self.message)}


@dataclass(frozen=True)
class Decision:
    """What the service said, with the attributes of `groundrule.Decision`. fault: why it said nothing, if so."""

    _record: Mapping[str, Any] = field(repr=False)
    fault: str | None = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._record:
            raise AttributeError(name)
        return self._record[name]

    @property
    def outcome(self) -> str:
        """`allow`, `fallback`, `confirm`, `clarify` or `deny`."""
        return str(self._record["outcome"])

    @property
    def admitted(self) -> tuple[str, ...]:
        """Ids of the admitted evidence, in order."""
        return tuple(self._record["admitted"])

    @property
    def rejected(self) -> tuple[str, ...]:
        """Ids of the other items, in order."""
        return tuple(self._record["rejected"])

    @property
    def options(self) -> tuple[str, ...]:
        """What the user may choose from."""
        return tuple(self._record["options"])

    @property
    def obligations(self) -> dict[str, tuple[Any, ...]]:
        """What the caller must do with an allow: name to values, times as their text."""
        return {name: tuple(values) for name, values in self._record["obligations"].items()}

    @cached_property
    def violations(self) -> tuple[Violation, ...]:
        """Every effect except warn."""
        return tuple(Violation(**found) for found in self._record["violations"])

    @cached_property
    def warnings(self) -> tuple[Violation, ...]:
        """What is only warned about."""
        return tuple(Violation(**found) for found in self._record["warnings"])

    @cached_property
    def now(self) -> datetime:
        """The clock of conditions."""
        return _instant(self._record["now"])

    @cached_property
    def as_of(self) -> datetime:
        """The instant whose rules were in force."""
        return _instant(self._record["as_of"])

    @cached_property
    def valid_until(self) -> datetime | None:
        """The first later instant at which this would differ."""
        value = self._record["valid_until"]
        return None if value is None else _instant(value)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values, exactly as the schema `decision` says."""
        return dict(self._record)


class _Unasked(Exception):
    """Arguments that are denied without asking, as in process. Carries the record of that decision."""

    def __init__(self, decision: groundrule.Decision) -> None:
        super().__init__()
        self.record = decision.to_json()


class Service:
    """A service to be asked. Made by `open_service`; may be shared by threads and tasks; close it, or use `with`.

    url: where it is. key: an API key. timeout: seconds that one request may take altogether, questions excepted, which
    may take `ask_timeout`.
    """

    def __init__(self, url: str, key: str | None, timeout: float, ask_timeout: float) -> None:
        self._url, self._timeout, self._ask_timeout = url.rstrip("/"), timeout, ask_timeout
        headers = {"content-type": "application/json", "accept": "application/json", "accept-encoding": "identity"}
        if key is not None:
            headers["authorization"] = f"Bearer {key}"
        self._connection = Connection(headers)

    def __repr__(self) -> str:
        return f"Service({self._url!r})"

    def close(self) -> None:
        """Closes the connections; what is under way is denied or refused."""
        self._connection.close()

    def __enter__(self) -> Service:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def post(self, path: str, body: bytes) -> Any:
        """The JSON value of an answer. Raises Unanswered."""
        return _read(*self._connection.post(self._url + path, body, self._timeout))

    async def post_async(self, path: str, body: bytes, timeout: float) -> Any:
        """The same without blocking. Raises Unanswered."""
        return _read(*await self._connection.post_async(self._url + path, body, timeout))

    async def ask(self, question: Question, context: Context) -> Reply:
        """One execution over there; see `groundrule.ask`. Whatever is wrong is a reply that refuses."""
        try:
            body = json.dumps({"question": _plain(question), "context": _plain(context)}, allow_nan=False).encode()
            return _reply(await self.post_async("/v1/ask", body, self._ask_timeout))
        except Exception:  # noqa: BLE001  # arguments are the caller's code and may raise anything when looked at
            language: Language = "en"
            if isinstance(question, Question):
                chinese = any("\u3400" <= char <= "\u9fff" for char in question.text or "")
                language = question.language or ("zh" if chinese else "en")
            said = _NO_REPLY[language == "zh"]
            return Reply(status="refused", kind="unsupported", language=language, text=said, markdown=said, reasons=(said,))


def open_service(url: str, *, key: str | None = None, timeout: float = 10.0, ask_timeout: float = 150.0) -> Service:
    """A service to be asked in place of a rule set or a gateway. No connection is made yet."""
    return Service(url, key, timeout, ask_timeout)


def evaluate(
    rules: Service,
    gate: str,
    facts: object,
    now: datetime,
    *,
    as_of: datetime | None = None,
    pins: Mapping[str, str] | None = None,
    can: Iterable[str] = (),
) -> Decision:
    """What `groundrule.evaluate` says, asked of a service. Raises nothing: whatever is wrong denies."""
    try:
        asked, body = _request(rules, gate, facts, now, as_of, pins, can)
        return _decision(asked, rules.post("/v1/evaluate", body))
    except Exception as why:  # noqa: BLE001  # arguments are the caller's code and may raise anything when looked at
        return _denied(gate, now, why)


async def evaluate_async(
    rules: Service,
    gate: str,
    facts: object,
    now: datetime,
    *,
    as_of: datetime | None = None,
    pins: Mapping[str, str] | None = None,
    can: Iterable[str] = (),
) -> Decision:
    """The same without blocking the event loop."""
    try:
        asked, body = _request(rules, gate, facts, now, as_of, pins, can)
        return _decision(asked, await rules.post_async("/v1/evaluate", body, rules._timeout))
    except Exception as why:  # noqa: BLE001  # arguments are the caller's code and may raise anything when looked at
        return _denied(gate, now, why)


def _request(
    rules: object, gate: object, facts: object, now: object, as_of: object, pins: object, can: object
) -> tuple[str, bytes]:
    """The gate, and the body of a request. Raises _Unasked for arguments that are denied in process whatever the rules."""
    given = arguments(gate, now, as_of, pins, can)

    def refused(rule: str, reason: Reason | str, fault: Reason | None = None) -> _Unasked:
        return _Unasked(given.refused(None, Facts(given.gate, None, fault, NO_CHOICES), rule, reason))

    if not isinstance(rules, Service):
        raise refused("ENGINE-RULES", Reason("this is no rule set"))
    if given.fault is not None:
        raise refused(*given.fault)
    asked: dict[str, Any] = {"gate": given.gate, "now": write_timestamp(given.now)}
    if given.as_of is not None:
        asked["as_of"] = write_timestamp(given.as_of)
    if pins is not None:
        asked["pins"] = given.pins
    asked |= {"can": sorted(given.can), "include": ["valid_until", "facts_digest"]}
    if isinstance(facts, Mapping):
        with suppress(Exception):  # the validator has the words for what is wrong with it, and the last one
            return given.gate, _written(asked | {"facts": thaw(freeze(facts))})
    held = facts_of(None, given.gate, facts)
    if held.fault is not None:
        raise refused("ENGINE-FACTS", held.fault, held.fault)
    return given.gate, _written(asked | {"facts": facts_json(held)})


def _written(asked: dict[str, Any]) -> bytes:
    return json.dumps(asked, ensure_ascii=False, allow_nan=False).encode()


def _read(status: int, content: bytes) -> Any:
    """The JSON value of an answer. Raises Unanswered."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        raise Unanswered(f"its answer with status {status} is no JSON") from None
    if status != 200:
        code = value.get("code") if isinstance(value, dict) else None
        place = value.get("place") if isinstance(value, dict) else None
        at = f" at {place}" if isinstance(place, str) and place else ""
        raise Unanswered(f"status {status}, {code}{at}" if isinstance(code, str) else f"status {status}")
    return value


def _decision(gate: str, value: Any) -> Decision:
    """The decision of an answer. Raises Unanswered if it is none, or one of another gate."""
    try:
        record = DecisionRecord.model_validate(value)
    except ValidationError:
        raise Unanswered("its answer is no decision") from None
    if record.gate != gate:
        raise Unanswered("its answer is of another gate")
    return Decision(value)


def _reply(value: Any) -> Reply:
    try:
        reply = Reply.model_validate_json(json.dumps(value))
    except ValidationError:
        raise Unanswered("its answer is no reply") from None
    if reply.status is None:
        raise Unanswered("its answer is no reply")
    return reply


def _denied(gate: object, now: object, why: Exception) -> Decision:
    """A deny that says why there is no decision."""
    if isinstance(why, _Unasked):
        return Decision(why.record, str(why.record["violations"][0]["message"]["en"]))
    reason = str(why) if isinstance(why, Unanswered) else f"it was not asked, since the request is faulty ({kind_of(why)})"
    instant = aware(now)
    at = "1970-01-01T00:00:00.000000Z" if instant is None else write_timestamp(instant)
    violation: dict[str, Any] = {
        "rule": RULE,
        "contract": None,
        "version": None,
        "effect": "deny",
        "at": None,
        "message": {"en": _SAID[0].format(reason=reason), "zh": _SAID[1].format(reason=reason)},
        "undecided": True,
        "values": [],
        "waived_by": None,
    }
    record: dict[str, Any] = {
        "gate": exact_text(gate) if isinstance(gate, str) else kind_of(gate),
        "outcome": "deny",
        "reply": "unsupported",
        "violations": [violation],
        "warnings": [],
        "obligations": {},
        "choices": {},
        "options": [],
        "admitted": [],
        "rejected": [],
        "valid_until": None,
        "revision": None,
        "contracts": {},
        "draft": True,
        "facts_digest": None,
        "now": at,
        "as_of": at,
    }
    return Decision(record, reason)


def _instant(text: str) -> datetime:
    return _INSTANT.validate_python(text)


def _plain(record: Question | Context) -> dict[str, Any]:
    found: dict[str, Any] = record.model_dump(mode="json", by_alias=True, exclude_none=True)
    return found
