"""Each part raises, hangs, returns something else: what follows is a refusal or the next source, never an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from tests.engine.gateway import small_rules
from tests.engine.gateway.small_parts import (
    CONTEXT,
    NOW,
    PLAN,
    QUESTION,
    READ,
    Clock,
    SmallDrafter,
    SmallPlanner,
    SmallSource,
    SmallStore,
    asked,
    facts_of,
    forever,
    full,
    gates,
    kept,
    page,
    parts,
    raising,
    source,
)

from groundrule.facts import Call, Evidence, ExternalQueryPlan
from groundrule.gateway.boundary import Failure, within
from groundrule.gateway.parts import Limits, Parts, Progress
from groundrule.gateway.pipeline import ask
from groundrule.gateway.ports import Draft, Errand, Fetched, Planned

pytestmark = pytest.mark.anyio

SHORT = Limits(run_timeout=timedelta(milliseconds=60), call_timeout=timedelta(milliseconds=20))
Act = Callable[[], Awaitable[None]]
ERRORS = [
    RuntimeError("broken"),
    ValueError("bad \ud800 text\nwith lines"),
    TimeoutError("own timeout"),
    OSError(111, "connection refused"),
    ExceptionGroup("several", [KeyError("inner")]),
    MemoryError(),
    AssertionError(),
]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def still_works(given: Parts) -> None:
    """The next request, with sound ports, is answered."""
    sound = replace(given, planner=SmallPlanner(), drafter=SmallDrafter(), store=SmallStore(), progress=None, limits=Limits())
    again = replace(
        sound, sources={"b": source("b", page("p9", execution_id="again"))}, new_id=lambda: "again"
    )
    assert (await asked(again)).status == "answered"


@pytest.mark.parametrize("error", ERRORS, ids=repr)
async def test_a_planner_that_raises(error: Exception) -> None:
    """No plan, no search; the receipt knows the error, the user reads that planning failed."""
    first = source("a", page("p1"))
    given = parts(first, planner=SmallPlanner(act=raising(error)))
    reply = await asked(given)
    assert (reply.status, reply.kind) == ("refused", "unclear")
    assert first.seen == []
    assert "broken" not in (reply.text or "")
    assert kept(given)["notes"][0]["step"] == "plan"
    await still_works(given)


async def test_a_planner_that_hangs() -> None:
    """Planning ends with the run's time."""
    given = parts(source("a", page("p1")), planner=SmallPlanner(act=forever), limits=SHORT)
    reply = await asked(given)
    assert (reply.status, reply.kind) == ("refused", "unclear")
    assert "超时" in (reply.text or "")
    await still_works(given)


MALFORMED_PLANS: list[Any] = [
    None,
    {"plan": {}},
    "a plan",
    Planned(),
    Planned(failure="the model said no"),
    Planned(plan={"topic": "广州"}),  # type: ignore[arg-type]  # what an adapter without types could return
    Planned(plan=ExternalQueryPlan.model_construct(topic=7)),  # type: ignore[arg-type]  # as above
    Planned(plan=ExternalQueryPlan.model_construct(query_kind="lottery")),  # type: ignore[arg-type]  # as above
    Planned(clarify="哪个"),  # type: ignore[arg-type]  # as above
]


@pytest.mark.parametrize("planned", MALFORMED_PLANS, ids=range(len(MALFORMED_PLANS)))
async def test_a_planner_that_returns_no_plan(planned: Any) -> None:
    """What is no plan is not repaired into one."""
    first = source("a", page("p1"))
    given = parts(first, planner=SmallPlanner(planned))
    reply = await asked(given)
    assert (reply.status, reply.kind) == ("refused", "unclear")
    assert first.seen == []
    assert gates(given) == ["route"]
    await still_works(given)


@pytest.mark.parametrize("error", ERRORS, ids=repr)
async def test_a_source_that_raises(error: Exception) -> None:
    """The attempt has failed with a reason on one line, and the fallback answers."""
    given = parts(source("a", page("p0"), act=raising(error)), source("b", page("p1")))
    reply = await asked(given)
    assert [s.evidence for s in reply.sources or ()] == ["p1"]
    first = kept(given)["attempts"][0]
    assert first["outcome"] == ("timeout" if isinstance(error, TimeoutError) else "failed")
    assert first["reason"]
    assert "\n" not in first["reason"]
    assert first["items"] == 0


async def test_a_source_that_hangs() -> None:
    """A source has the call's time and no more; it is cancelled, and the fallback answers."""
    limits = replace(SHORT, run_timeout=timedelta(seconds=30))
    given = parts(source("a", act=forever), source("b", page("p1")), limits=limits)
    reply = await asked(given)
    assert reply.status == "answered"
    assert [attempt["outcome"] for attempt in kept(given)["attempts"]] == ["timeout", "evidence"]


async def test_sources_that_hang_end_with_the_run() -> None:
    """However many sources there are and whatever each may take, one deadline ends the run."""
    sources = [source(f"s{n}", act=forever) for n in range(20)]
    given = parts(*sources, limits=SHORT)
    reply = await asked(given)
    assert (reply.status, reply.kind) == ("refused", "no_evidence")
    attempts = kept(given)["attempts"]
    assert 1 <= len(attempts) < 20
    assert {attempt["outcome"] for attempt in attempts} == {"timeout"}
    await still_works(given)


MALFORMED_RESULTS: list[Any] = [
    None,
    [],
    ("evidence", ()),
    Fetched("plenty"),  # type: ignore[arg-type]  # what an adapter without types could return
    Fetched("empty", (page("p0"),)),
    Fetched("failed", (page("p0"),)),
    Fetched("evidence", ({"id": "p0"},)),  # type: ignore[arg-type]  # as above
    Fetched("evidence", (Evidence.model_construct(id="p0", title=7),)),  # type: ignore[arg-type]  # as above
    Fetched("evidence", (Evidence.model_construct(id="p0", dated_at=NOW.replace(tzinfo=None)),)),
    Fetched("evidence", (Evidence(id="p0", raw_metadata={"x": "\ud800"}),)),
    Fetched("evidence", (page("p1"), Evidence.model_construct())),
    Fetched("evidence", None),  # type: ignore[arg-type]  # as above
    Fetched("empty", (), reason=7),  # type: ignore[arg-type]  # as above
]


@pytest.mark.parametrize("fetched", MALFORMED_RESULTS, ids=range(len(MALFORMED_RESULTS)))
async def test_a_source_that_returns_no_result(fetched: Any) -> None:
    """A result that is not what the port promises has failed as a whole: no item of it counts."""
    given = parts(SmallSource("a", fetched), source("b", page("p9")))
    reply = await asked(given)
    assert [s.evidence for s in reply.sources or ()] == ["p9"]
    first = kept(given)["attempts"][0]
    assert (first["outcome"], first["items"]) == ("failed", 0)


async def test_two_items_with_one_id_stay_two() -> None:
    """A repeated id does not make the facts faulty, and no item takes the place of another."""
    given = parts(
        source("a", page("p1"), page("p1", "广州有雨，气温 20℃。", target_url="https://two.example/"))
    )
    await asked(given)
    assert [item["id"] for item in facts_of(given, "evidence")[0]["evidence"]] == ["p1", "p1~2"]


async def test_a_permission_ends_with_its_attempt() -> None:
    """A source that goes on after its time gets no further call."""
    later: list[bool] = []
    started = asyncio.Event()

    class Lingering(SmallSource):
        async def fetch(self, errand: Errand) -> Fetched:
            async def linger() -> None:
                await started.wait()
                later.append(await errand.permit(READ))

            self.task = asyncio.create_task(linger())
            await forever()
            raise AssertionError("not reached")

    lingering = Lingering("a")
    given = parts(
        lingering, source("b", page("p1")), limits=replace(Limits(), call_timeout=SHORT.call_timeout)
    )
    assert (await asked(given)).status == "answered"
    started.set()
    await lingering.task
    assert later == [False]
    assert len(facts_of(given, "call")) == 1


async def test_a_call_that_is_no_record_fails_the_attempt() -> None:
    """Asking for permission with something else is the source's failure, and no permission."""
    odd = SmallSource("a", Fetched("evidence", (page("p0"),)), calls=({"kind": "mcp"},))  # type: ignore[arg-type]
    wrong = SmallSource("b", Fetched("evidence", (page("p0"),)), calls=(Call.model_construct(kind="x"),))  # type: ignore[arg-type]
    given = parts(odd, wrong, source("c", page("p1")))
    assert [s.evidence for s in (await asked(given)).sources or ()] == ["p1"]
    assert [attempt["outcome"] for attempt in kept(given)["attempts"]] == ["failed", "refused", "evidence"]


@pytest.mark.parametrize("error", ERRORS, ids=repr)
async def test_a_drafter_that_raises(error: Exception) -> None:
    """Evidence without a draft is no answer."""
    given = parts(source("a", page("p1")), drafter=SmallDrafter(act=raising(error)))
    reply = await asked(given)
    assert (reply.status, reply.kind) == ("refused", "unsupported")
    assert "answer" not in gates(given)
    assert kept(given)["notes"][0]["step"] == "draft"
    await still_works(given)


async def test_a_drafter_that_hangs() -> None:
    """Drafting ends with the run's time."""
    given = parts(source("a", page("p1")), drafter=SmallDrafter(act=forever), limits=SHORT)
    reply = await asked(given)
    assert (reply.status, reply.kind) == ("refused", "unsupported")
    assert "超时" in (reply.text or "")


MALFORMED_DRAFTS: list[Any] = [
    None,
    "“广州多云” [1]",
    Draft(""),
    Draft(" \n\x00 "),
    Draft("x" * 20_001),
    Draft("好 [1]", {"[1]": "p9"}),
    Draft("好 [1]", {"[1]": "p1"}, failure="the model was cut off"),
    Draft(7),  # type: ignore[arg-type]  # what an adapter without types could return
    Draft("好 [1]", [("[1]", "p1")]),  # type: ignore[arg-type]  # as above
    Draft("坏 \ud800 [1]", {"[1]": "p1"}),
    Draft("好", {"[1]": "p1"}),
]


@pytest.mark.parametrize("draft", MALFORMED_DRAFTS, ids=range(len(MALFORMED_DRAFTS)))
async def test_a_drafter_that_returns_no_draft(draft: Any) -> None:
    """Empty, too long, cut off, citing what it was not given, or no draft at all: no answer, under any rules."""
    lax = small_rules.rules(evidence=small_rules.LAX, answer=small_rules.LAX_ANSWER, tell=None)
    given = parts(source("a", page("p1")), drafter=SmallDrafter(lambda items: draft), rule_set=lax)
    reply = await asked(given)
    assert (reply.status, reply.kind) == ("refused", "unsupported")
    await still_works(given)


@pytest.mark.parametrize(
    "act", [None, raising(RuntimeError("disk")), forever], ids=["full", "raises", "hangs"]
)
@pytest.mark.parametrize("items", [(page("p1"),), ()], ids=["answer", "refusal"])
async def test_a_store_that_cannot_keep(act: Act | None, items: Sequence[Evidence]) -> None:
    """No receipt, no answer: full, locked, gone, broken or late, the reply is a refusal that says so."""
    store = SmallStore(fault=full() if act is None else None, act=act)
    limits = replace(Limits(), store_timeout=timedelta(milliseconds=20))
    given = parts(source("a", *items), store=store, limits=limits)
    reply = await asked(given)
    assert (reply.status, reply.kind) == ("refused", "unsupported")
    assert "回执" in (reply.text or "")
    assert reply.answer is None
    assert reply.sources is None
    assert "22" not in (reply.text or "")
    assert "disk" not in (reply.text or "")
    await still_works(given)


async def test_the_receipt_is_kept_before_the_reply_leaves() -> None:
    """While the store works, there is no reply yet."""
    kept_at, go = asyncio.Event(), asyncio.Event()

    async def slowly() -> None:
        kept_at.set()
        await go.wait()

    given = parts(source("a", page("p1")), store=SmallStore(act=slowly))
    task = asyncio.create_task(ask(QUESTION, CONTEXT, given))
    await asyncio.wait([task, asyncio.create_task(kept_at.wait())], return_when=asyncio.FIRST_COMPLETED)
    assert not task.done()
    go.set()
    assert (await task).status == "answered"
    assert kept(given)["reply"]["status"] == "answered"


async def test_a_run_that_used_up_its_time_is_kept_too() -> None:
    """The receipt has a time of its own."""
    given = parts(source("a", act=forever), limits=SHORT)
    await asked(given)
    assert kept(given)["reply"]["kind"] == "no_evidence"


@pytest.mark.parametrize("act", [raising(RuntimeError("gone")), forever])
async def test_a_watcher_that_fails_is_told_no_more(act: Act) -> None:
    """Whoever watches cannot hold up a run or end it; the receipt says that it was left out."""
    seen: list[str] = []

    async def watch(event: Progress) -> None:
        seen.append(event.stage)
        await act()

    given = parts(source("a", page("p1")), progress=watch)
    assert (await asked(given)).status == "answered"
    assert seen == ["route"]
    assert kept(given)["notes"][0]["step"] == "progress"


async def test_a_cancelled_request_is_cancelled() -> None:
    """Cancelling is no failure of a part: it ends the request, without reply and without receipt."""
    entered = asyncio.Event()

    async def wait() -> None:
        entered.set()
        await forever()

    given = parts(source("a", act=wait), source("b", page("p1")))
    task = asyncio.create_task(ask(QUESTION, CONTEXT, given))
    await asyncio.wait([task, asyncio.create_task(entered.wait())], return_when=asyncio.FIRST_COMPLETED)
    assert not task.done()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert isinstance(given.store, SmallStore)
    assert given.store.runs == []


@pytest.mark.parametrize("step", ["plan", "fetch", "draft"])
async def test_time_that_passes_by_the_clock(step: str) -> None:
    """Once the deadline has passed by the given clock, nothing more is begun, and nothing is answered."""
    clock = Clock()

    async def too_long() -> None:
        clock.now += timedelta(seconds=31)

    act: Mapping[str, Act | None] = {step: too_long}
    drafter = SmallDrafter(act=act.get("draft"))
    given = parts(
        source("a", page("p1"), act=act.get("fetch")),
        clock=clock,
        planner=SmallPlanner(act=act.get("plan")),
        drafter=drafter,
    )
    reply = await asked(given)
    assert reply.status == "refused"
    assert len(drafter.seen) == (1 if step == "draft" else 0)
    assert reply.answer is None


async def test_a_clock_that_is_set_back_gives_no_more_time() -> None:
    """The event loop measures too: the earlier of both deadlines holds."""
    clock = Clock()

    async def back() -> None:
        clock.now -= timedelta(hours=2)
        await forever()

    reply = await asked(parts(source("a", act=back), source("b", act=forever), clock=clock, limits=SHORT))
    assert reply.status == "refused"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("run_timeout", 'duration("-1s")'),
        ("run_timeout", 'duration("0s")'),
        ("call_timeout", 'duration("0s")'),
    ],
)
async def test_no_time_at_all(name: str, value: str) -> None:
    """A rule that gives no time lets nothing be begun."""
    first = source("a", page("p1"))
    given = parts(first, rule_set=small_rules.rules(limits=small_rules.limits(**{name: value})))
    assert (await asked(given)).status == "refused"
    assert first.seen == []


async def test_what_whoever_asks_allows_is_the_longest() -> None:
    """The rules may give less and not more; without any time nothing is planned, and it is said."""
    generous = small_rules.rules(limits=small_rules.limits(run_timeout='duration("300s")'))
    sources = [source("a", act=forever), source("b", page("p1"))]
    given = parts(*sources, rule_set=generous, limits=Limits(longest=timedelta(milliseconds=500)))
    reply = await asked(given)
    assert (reply.status, reply.kind) == ("refused", "no_evidence")
    assert (reply.reasons or ())[-1] == "已达到本次查询的时间上限。"
    assert [attempt["outcome"] for attempt in kept(given)["attempts"]] == ["timeout"]
    assert facts_of(given, "dispatch")[0]["run"]["deadline"] == "2026-04-15T02:00:00.500000Z"
    none = parts(*sources, rule_set=generous, limits=Limits(longest=timedelta(0)))
    assert ((await asked(none)).kind, kept(none)["plan"], kept(none)["attempts"]) == ("no_evidence", {}, [])


async def test_a_run_that_may_take_for_ever_does_not() -> None:
    """The longest duration that a rule can write is cut, and is no error."""
    rule_set = small_rules.rules(limits=small_rules.limits(run_timeout='duration("315576000000s")'))
    given = parts(source("a", page("p1")), rule_set=rule_set)
    assert (await asked(given)).status == "answered"
    assert facts_of(given, "dispatch")[0]["run"]["deadline"] == "2026-04-16T02:00:00.000000Z"


async def test_an_undecided_limit_denies() -> None:
    """A limit that cannot be decided is not replaced by the setting."""
    first = source("a", page("p1"))
    rule_set = small_rules.rules(limits=small_rules.limits(max_calls="size(plan.preferred_domains)"))
    planner = SmallPlanner(Planned(PLAN.model_copy(update={"preferred_domains": None})))
    reply = await asked(parts(first, rule_set=rule_set, planner=planner))
    assert (reply.status, first.seen) == ("refused", [])


async def test_within_gives_values_and_failures() -> None:
    """The boundary: a value, an error with its kind, a lateness; nothing is begun without time."""
    begun: list[int] = []

    async def value() -> int:
        begun.append(1)
        return 7

    async def late() -> int:
        await forever()
        return 7

    second = timedelta(seconds=1)
    assert await within(second, value) == 7
    assert await within(timedelta(0), value) == Failure("timeout", "no time was left")
    assert await within(timedelta(milliseconds=5), late) == Failure("timeout", "not done within 0.0 s")
    assert len(begun) == 1

    async def nested() -> int:
        raise ExceptionGroup("outer", [ExceptionGroup("inner", [KeyError("x")])])

    assert await within(second, nested) == Failure("failed", "KeyError: 'x'")

    class PanicException(BaseException):  # as libraries in Rust raise it
        pass

    async def panic() -> int:
        raise PanicException("__eq__ failed!")

    async def several() -> int:
        async with asyncio.TaskGroup() as group:
            group.create_task(panic())
        return 7

    assert await within(second, panic) == Failure("failed", "PanicException: __eq__ failed!")
    assert await within(second, several) == Failure("failed", "PanicException: __eq__ failed!")
