"""What the pipeline needs from the outside world. Adapters implement these protocols; the engine imports no adapter.

Every method is called under the run's deadline and may be cancelled. A port reports an expected failure as a
value (an outcome with a reason); whatever it raises instead counts as `failed`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol

from ..facts import Call, Context, Evidence, ExternalQueryPlan, Question
from ..facts.words import Outcome
from ..rules.decision import Decision


@dataclass(frozen=True)
class Planned:
    """What a planner made of a question: a plan, or what must be asked back, or why it failed.

    plan: the plan, if there is one. A clarifying planner still decides freshness, so `plan` may stand beside
    `clarify`. clarify: questions to ask back, in the question's language; empty if the plan may run.
    failure: why there is no plan; never shown to the user, kept in the receipt. note: what else the receipt should
    say about how the plan was made.
    """

    plan: ExternalQueryPlan | None = None
    clarify: tuple[str, ...] = ()
    failure: str | None = None
    note: str | None = None


class Planner(Protocol):
    """Makes a plan of a question. It sees the question, never evidence."""

    @property
    def name(self) -> str:
        """Name and version, kept in the receipt."""
        ...

    async def plan(self, question: Question, context: Context) -> Planned:
        """A validated plan, a clarification or a failure."""
        ...


@dataclass(frozen=True)
class Fetched:
    """One attempt of a source. `items` is empty unless the outcome is `evidence`.

    reason: one sentence for people who read the receipt. server: the MCP server or host that answered.
    """

    outcome: Outcome
    items: tuple[Evidence, ...] = ()
    reason: str | None = None
    server: str | None = None


Permit = Callable[[Call], Awaitable[bool]]
"""Asks the `call` gate. A source makes no call for which it did not get True."""


@dataclass(frozen=True)
class Errand:
    """What a source is sent to fetch.

    execution_id: stamped on every item. limit: most items wanted. call_timeout: longest that one call may take.
    now: the clock's reading at the start of the attempt. permit: asked before each call. follow: asked before an
    address that a permitted call was redirected to; it is judged like a call and counts as none. Without it redirects
    are calls.
    """

    execution_id: str
    plan: ExternalQueryPlan
    question: Question
    limit: int
    call_timeout: timedelta
    now: datetime
    permit: Permit
    follow: Permit | None = None


class Source(Protocol):
    """Fetches evidence: an MCP server, a live search, a database."""

    @property
    def name(self) -> str:
        """The adapter's name, as in `run.adapters_left`. It is stamped on calls, attempts and items."""
        ...

    @property
    def sample_data(self) -> bool:
        """Whether what it fetches is made up. Replies that use it say so."""
        ...

    async def fetch(self, errand: Errand) -> Fetched:
        """One attempt. Scores are left empty; the pipeline sets them from the rules."""
        ...


@dataclass(frozen=True)
class Draft:
    """A drafted text that cites evidence by handles.

    handles: each handle as written in the text (for example `[1]`) to the id of the item it stands for. note: what the
    receipt should say about how it was made.
    """

    text: str
    handles: Mapping[str, str] = field(default_factory=dict)
    failure: str | None = None
    note: str | None = None


class Drafter(Protocol):
    """Composes an answer from admitted evidence alone."""

    @property
    def name(self) -> str:
        """Name and version, kept in the receipt."""
        ...

    async def draft(
        self, question: Question, plan: ExternalQueryPlan, evidence: Sequence[Evidence], zone: str
    ) -> Draft:
        """A text in the question's language whose every statement cites an item by its handle.

        evidence: the best first, without raw metadata. zone: IANA name of the user's time zone.
        """
        ...


class CrossCheck(Protocol):
    """Another engine that judges decisions before they count."""

    @property
    def enforced(self) -> bool:
        """Whether a decision that it does not confirm is a denial. If not, that is only noted in the receipt."""
        ...

    async def dispute(self, decision: Decision) -> str | None:
        """Why the decision is not confirmed, for the receipt; None if it is. No answer in time is a reason too."""
        ...


class Store(Protocol):
    """Keeps receipts. A reply is sent only after its receipt was kept."""

    async def keep(self, run: Mapping[str, Any]) -> None:
        """Stores one run as canonical JSON values; raises StoreUnavailable if it cannot be kept."""
        ...

    async def keep_rules(self, revision: str, files: Mapping[str, str]) -> None:
        """Stores a rule set once per revision, so that a replay needs no folder."""
        ...


class StoreUnavailable(Exception):
    """The store is full, locked or gone. The message says which and what to do."""
