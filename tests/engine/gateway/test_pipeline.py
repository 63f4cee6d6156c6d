"""`ask` from question to reply: what each step does with what the rules say, under real rules and real grounding."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from tests.engine.gateway import small_rules
from tests.engine.gateway.small_parts import (
    NOW,
    OLD,
    PLAN,
    QUESTION,
    Clock,
    SmallPlanner,
    SmallStore,
    asked,
    facts_of,
    gates,
    kept,
    page,
    parts,
    source,
)

from groundrule.facts import Context, Question, Window
from groundrule.gateway.parts import Progress
from groundrule.gateway.ports import Planned
from groundrule.rules.evaluate import evaluate

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_an_answer_on_evidence() -> None:
    """A fresh page is quoted, cited and listed; every gate was asked in order; the receipt is kept."""
    given = parts(source("a", page("p1")))
    reply = await asked(given)
    assert reply.status == "answered"
    assert reply.answer == "“广州多云，气温 22～28℃。” [1]"
    assert (reply.text or "").startswith("外部实时查询：\n“广州多云")
    assert [s.url for s in reply.sources or ()] == ["https://p1.example/"]
    assert [c.status for c in reply.claims or ()] == ["bound"] * len(reply.claims or ())
    assert reply.claims
    assert reply.execution_id == "x1"
    assert gates(given) == ["route", "plan", "dispatch", "call", "evidence", "answer"]
    assert kept(given)["reply"]["text"] == reply.text
    assert kept(given)["attempts"] == [
        {"adapter": "a", "outcome": "evidence", "items": 1, "admitted": 1, "judged": "allow", "took": "0s"}
    ]


async def test_the_receipt_decides_again_to_the_same_bytes() -> None:
    """Every gate of a kept run can be asked again from its receipt alone, and says the same."""
    given = parts(
        source("a", page("old", dated_at=OLD)), source("b", page("p1", raw_metadata={"x": [None, 1.5]}))
    )
    await asked(given)
    receipts = kept(given)["gates"]
    assert len(receipts) == 9
    for receipt in receipts:
        now = datetime.fromisoformat(receipt["now"])
        again = evaluate(given.rules, receipt["gate"], receipt["facts"], now, can=receipt["can"])
        assert again.receipt(receipt["groundrule"]) == receipt


@pytest.mark.parametrize("gate", ["route", "plan", "dispatch", "call", "evidence", "answer"])
async def test_a_gate_without_contract_denies(gate: str) -> None:
    """Whichever gate no contract covers, there is no answer."""
    left_out = {gate: None} | ({"tell": None} if gate == "answer" else {})
    given = parts(source("a", page("p1")), rule_set=small_rules.rules(**left_out))
    reply = await asked(given)
    assert reply.status == "refused"
    assert "22" not in (reply.text or "")
    assert gates(given)[-1] in (gate, "evidence")


@pytest.mark.parametrize(
    ("text", "status", "kind"),
    [
        ("密码是多少", "refused", "forbidden"),
        ("数据：上月订单", "refused", "unsupported"),
        ("闲聊一下", "refused", "unsupported"),
        ("那个呢", "clarify", None),
    ],
)
async def test_the_route_gate_lets_only_external_questions_through(
    text: str, status: str, kind: str | None
) -> None:
    """Forbidden, internal, other and unclear questions are not even planned."""
    planner = SmallPlanner(act=None)
    planner.planned = None
    given = parts(source("a", page("p1")), planner=planner)
    reply = await asked(given, Question(text=text))
    assert (reply.status, reply.kind) == (status, kind)
    assert gates(given) == ["route"]


async def test_an_ambiguous_question_is_asked_back_with_options() -> None:
    """The clarifying rule's words and options reach the user."""
    reply = await asked(parts(source("a")), QUESTION.model_copy(update={"ambiguities": ("广州市", "广州路")}))
    assert (reply.status, reply.options) == ("clarify", ("广州市", "广州路"))
    assert "您指的是哪一个？" in (reply.text or "")


async def test_a_planner_that_asks_back_ends_the_run() -> None:
    """Nothing is fetched for a plan that the planner itself wants to have clarified; the plan is kept."""
    first = source("a", page("p1"))
    planner = SmallPlanner(Planned(PLAN, clarify=("哪个城市？",)))
    given = parts(first, planner=planner)
    reply = await asked(given)
    assert (reply.status, reply.reasons) == ("clarify", ("哪个城市？",))
    assert first.seen == []
    assert kept(given)["plan"]["topic"] == "广州天气"


async def test_a_plan_that_is_not_allowed_is_not_run() -> None:
    """The plan gate's refusal ends the run with its message."""
    first = source("a", page("p1"))
    planner = SmallPlanner(Planned(PLAN.model_copy(update={"search_queries": ()})))
    reply = await asked(parts(first, planner=planner))
    assert (reply.status, reply.reasons) == ("refused", ("计划没有查询短语。",))
    assert first.seen == []


async def test_a_zone_that_does_not_exist_is_told() -> None:
    """Days are not guessed: an unknown zone is a refusal that says so."""
    first = source("a", page("p1"))
    reply = await asked(parts(first), context=Context(zone="Mars/Olympus"))
    assert (reply.status, reply.kind) == ("refused", "unclear")
    assert "时区" in (reply.text or "")
    assert first.seen == []


async def test_a_watcher_is_told_each_step_and_no_text() -> None:
    """Progress names stages and counts; no word of a page or of the answer is in it."""
    seen: list[Progress] = []

    async def watch(event: Progress) -> None:
        seen.append(event)

    reply = await asked(parts(source("a"), source("b", page("p1")), progress=watch))
    assert reply.status == "answered"
    assert [event.stage for event in seen] == [
        "route", "plan", "dispatch", "fetch", "evidence", "dispatch", "fetch", "evidence", "draft", "answer", "keep",
    ]  # fmt: skip
    assert "多云" not in repr(seen)


async def test_the_rule_set_is_kept_for_a_replay() -> None:
    """The files of the revision that judged are in the store with the run."""
    given = parts(source("a", page("p1")))
    await asked(given)
    assert isinstance(given.store, SmallStore)
    assert given.store.rule_sets[kept(given)["revision"]]["contracts/route.yaml"] == small_rules.ROUTE


async def test_facts_of_a_run() -> None:
    """Gates see when the run began, its deadline, what is left, and which sources were not tried."""
    clock = Clock()

    async def later() -> None:
        clock.now += timedelta(seconds=4)

    given = parts(source("a", act=later), source("b", page("p1")), clock=clock)
    await asked(given)
    run = facts_of(given, "dispatch")[1]["run"]
    assert run["execution_id"] == "x1"
    assert run["deadline"] == "2026-04-15T02:00:30.000000Z"
    assert (run["remaining"], run["calls"], run["adapters_left"]) == ("26s", 1, ["b"])
    assert run["attempts"][0]["took"] == "4s"


async def test_the_question_is_completed_before_it_is_judged() -> None:
    """Id, time and language are stated where the caller said nothing, and left alone where it did."""
    given = parts(source("a"))
    await asked(given)
    question = facts_of(given, "route")[0]["question"]
    assert (question["id"], question["language"], question["asked_at"]) == (
        "x1",
        "zh",
        "2026-04-15T02:00:00.000000Z",
    )
    given = parts(source("a"))
    await asked(given, Question(id="q", text="广州", language="en", asked_at=OLD))
    question = facts_of(given, "route")[0]["question"]
    assert (question["id"], question["language"]) == ("q", "en")


async def test_the_window_is_computed_and_not_planned() -> None:
    """Rules see the range that the time expression means in the user's zone, whatever the planner wrote."""
    wrong = Window(**{"from": OLD, "to": NOW})
    plan = PLAN.model_copy(update={"time_range_hint": "明天", "window": wrong})
    given = parts(source("a"), planner=SmallPlanner(Planned(plan)))
    await asked(given)
    window = facts_of(given, "plan")[0]["plan"]["window"]
    assert window == {"from": "2026-04-15T16:00:00.000000Z", "to": "2026-04-16T16:00:00.000000Z"}
    given = parts(source("a"), planner=SmallPlanner(Planned(PLAN.model_copy(update={"window": wrong}))))
    await asked(given)
    assert "window" not in facts_of(given, "plan")[0]["plan"]
