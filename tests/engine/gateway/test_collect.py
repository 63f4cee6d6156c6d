"""Which source is asked, what it may do, and what of its findings counts."""

from __future__ import annotations

import pytest
from tests.engine.gateway import small_rules
from tests.engine.gateway.small_parts import (
    OLD,
    PLAN,
    READ,
    SmallDrafter,
    SmallPlanner,
    SmallSource,
    asked,
    facts_of,
    kept,
    page,
    parts,
    source,
)

from groundrule.gateway.ports import Errand, Fetched, Planned

pytestmark = pytest.mark.anyio

TWO_SITES = small_rules.EVIDENCE.replace("require: size(admitted) > 0", "require: size(admitted) > 1")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_internal_sources_never_come_back_when_the_filter_result_is_empty() -> None:
    """The defect of the first system: its filter found no external source and handed back the internal ones.

    Feishu history, documents and PMFlow records are found, all are rejected, and what follows is a refusal: nothing
    of them is drafted, cited, listed or shown.
    """
    internal = [
        page(kind, f"内部结论 {kind}：预算 320 万元。", source_type=kind, source_label=f"{kind} history")
        for kind in ("feishu", "doc", "pmflow", "system")
    ]
    drafter = SmallDrafter()
    given = parts(source("a", *internal[:3]), source("b", internal[3]), drafter=drafter)
    reply = await asked(given)
    assert (reply.status, reply.kind) == ("refused", "no_evidence")
    assert drafter.seen == []
    assert reply.sources is None
    assert "320" not in (reply.text or "") + (reply.markdown or "")
    assert "history" not in (reply.text or "") + (reply.markdown or "")
    last = facts_of(given, "evidence")[-1]
    assert len(last["evidence"]) == 4


async def test_internal_sources_do_not_come_along_with_external_ones() -> None:
    """Where one external page is found, the answer rests on it alone."""
    drafter = SmallDrafter()
    found = source("a", page("note", "预算 320 万元。", source_type="feishu"), page("p1"))
    reply = await asked(parts(found, drafter=drafter))
    assert [item.id for item in drafter.seen[0]] == ["p1"]
    assert [s.evidence for s in reply.sources or ()] == ["p1"]
    assert "320" not in (reply.text or "")


async def test_an_admitting_gate_that_admits_nothing_is_no_answer() -> None:
    """Rules that forget to ask for evidence do not open the door: allow over nothing is a refusal."""
    drafter = SmallDrafter()
    given = parts(source("a"), rule_set=small_rules.rules(evidence=small_rules.LAX), drafter=drafter)
    reply = await asked(given)
    assert (reply.status, reply.kind) == ("refused", "no_evidence")
    assert drafter.seen == []


async def test_no_evidence_and_stale_evidence_are_two_refusals() -> None:
    """Nothing found, and only old pages found, are told apart; what was set aside is named in the receipt alone."""
    nothing = await asked(parts(source("a"), source("b")))
    stale = await asked(parts(source("a", page("p1", title="旧预报", dated_at=OLD))))
    undated = await asked(parts(source("a", page("p1", dated_at=None))))
    assert (nothing.status, nothing.kind) == ("refused", "no_evidence")
    assert "没有找到外部资料。" in (nothing.reasons or ())
    assert (stale.status, stale.kind) == ("refused", "stale")
    assert stale.reasons == ("找到的资料都太旧。",)
    assert undated.kind == "stale"
    assert nothing.text != stale.text


@pytest.mark.parametrize(
    "first",
    [
        Fetched("empty"),
        Fetched("blocked", reason="a challenge page"),
        Fetched("failed", reason="the server is not there"),
        Fetched("timeout"),
        Fetched("refused"),
        Fetched("evidence", ()),
        Fetched("evidence", (page("old", dated_at=OLD),)),
    ],
)
async def test_the_next_source_is_asked_where_the_first_did_not_suffice(first: Fetched) -> None:
    """Empty, blocked, failed, late, refused or stale: the dispatch gate sends to the fallback, which answers."""
    given = parts(SmallSource("a", first), source("b", page("p1")))
    reply = await asked(given)
    assert reply.status == "answered"
    attempts = kept(given)["attempts"]
    assert [attempt["adapter"] for attempt in attempts] == ["a", "b"]
    assert [attempt["judged"] for attempt in attempts] == ["fallback", "allow"]
    outcome = "empty" if first == Fetched("evidence", ()) else first.outcome
    assert attempts[0]["outcome"] == outcome
    assert facts_of(given, "dispatch")[1]["run"]["attempts"][0]["outcome"] == outcome


async def test_no_second_source_is_asked_where_the_first_sufficed() -> None:
    """The fallback only helps out."""
    second = source("b", page("p2"))
    await asked(parts(source("a", page("p1")), second))
    assert second.seen == []


async def test_the_gate_judges_everything_that_the_execution_has() -> None:
    """Two attempts with one page each suffice together; items that share an id stay two items."""
    rule_set = small_rules.rules(evidence=TWO_SITES)
    one, two = page("1"), page("1", "广州有雨，气温 20～25℃。", target_url="https://two.example/")
    given = parts(source("a", one), source("b", two), rule_set=rule_set)
    reply = await asked(given)
    assert [len(facts["evidence"]) for facts in facts_of(given, "evidence")] == [1, 2]
    assert [(s.evidence, s.url) for s in reply.sources or ()] == [
        ("1", "https://1.example/"),
        ("1~2", "https://two.example/"),
    ]


async def test_what_came_under_another_execution_does_not_ground() -> None:
    """A page of an earlier run is rejected by the rules, and even under lax rules it is not quoted."""
    earlier = page("p1", execution_id="x0")
    assert (await asked(parts(source("a", earlier)))).status == "refused"
    drafter = SmallDrafter()
    lax = small_rules.rules(evidence=small_rules.LAX, answer=small_rules.LAX_ANSWER)
    reply = await asked(parts(source("a", earlier), rule_set=lax, drafter=drafter))
    assert (reply.status, reply.kind) == ("refused", "no_evidence")
    assert reply.not_grounding == ("p1",)
    assert drafter.seen == []


async def test_scores_come_from_rules_and_formula_alone() -> None:
    """What a source says of its own rank is dropped; the rules' rank orders the items and stays with them."""
    vain = page(
        "p1", authority_score=1.0, freshness_score=1.0, grounded_fields=("深圳",), chosen={"authority": 1.0}
    )
    official = page("p2", target_url="https://official.example/")
    drafter = SmallDrafter()
    given = parts(source("a", vain, official), drafter=drafter)
    await asked(given)
    before = facts_of(given, "evidence")[0]["evidence"][0]
    assert "authority_score" not in before
    assert "chosen" not in before
    assert before["freshness_score"] == pytest.approx(0.95)
    assert before["grounded_fields"] == ["广州"]
    assert [item.id for item in drafter.seen[0]] == ["p2", "p1"]
    after = {item["id"]: item for item in facts_of(given, "answer")[0]["evidence"]}
    assert (after["p1"]["authority_score"], after["p2"]["authority_score"]) == (0.4, 0.9)
    assert after["p2"]["chosen"] == {"authority": 0.9}


async def test_preferred_sites_come_first_and_gain_no_rank() -> None:
    """`preferred_domains` puts an item before its equals and changes no score."""
    plan = PLAN.model_copy(update={"preferred_domains": ("two.example", "bad domain")})
    drafter = SmallDrafter()
    pages = [page("p1"), page("p2", target_url="https://www.two.example/")]
    await asked(parts(source("a", *pages), drafter=drafter, planner=SmallPlanner(Planned(plan))))
    assert {item.authority_score for item in drafter.seen[0]} == {0.4}
    plan = PLAN.model_copy(update={"preferred_domains": ("two.example",)})
    await asked(parts(source("a", *pages), drafter=drafter, planner=SmallPlanner(Planned(plan))))
    assert [item.id for item in drafter.seen[1]] == ["p2", "p1"]


async def test_a_call_that_is_not_permitted_is_not_made() -> None:
    """The call gate is asked with the source's own name, and a source that got no permission made no call."""
    writing = READ.model_copy(update={"read_only": False, "adapter": "somebody else"})
    first = source("a", page("p1"), calls=(READ, writing))
    given = parts(first, source("b", page("p2")))
    reply = await asked(given)
    assert first.made == 1
    assert [facts["call"]["adapter"] for facts in facts_of(given, "call")] == ["a", "a", "b"]
    assert [facts["run"].get("calls") for facts in facts_of(given, "call")] == [0, 1, 1]
    assert kept(given)["attempts"][0]["outcome"] == "refused"
    assert [s.evidence for s in reply.sources or ()] == ["p2"]


async def test_no_more_calls_than_the_rules_choose() -> None:
    """`max_calls` holds for the whole run; what goes beyond is not even asked, and the receipt says so."""
    rule_set = small_rules.rules(limits=small_rules.limits(max_calls="2"))
    first, second = source("a", calls=(READ, READ)), source("b", page("p1"))
    given = parts(first, second, rule_set=rule_set)
    reply = await asked(given)
    assert (first.made, second.made) == (2, 0)
    assert reply.status == "refused"
    assert kept(given)["notes"] == [{"step": "call", "reason": "refused: 2 calls have been made"}]


async def test_redirects_belong_to_their_call() -> None:
    """They are judged like calls and count as none; a run follows five for each call, and none without a call."""
    followed: list[bool] = []

    class Led(SmallSource):
        async def fetch(self, errand: Errand) -> Fetched:
            assert errand.follow is not None
            followed.append(await errand.follow(READ))
            assert await errand.permit(READ)
            followed.extend([await errand.follow(READ) for _ in range(6)])
            followed.append(await errand.follow(READ.model_copy(update={"read_only": False})))
            return Fetched("empty")

    rule_set = small_rules.rules(limits=small_rules.limits(max_calls="1"))
    given = parts(Led("a"), rule_set=rule_set)
    await asked(given)
    assert followed == [False, *[True] * 5, False, False]
    assert [facts["run"]["calls"] for facts in facts_of(given, "call")] == [0] * 6
    assert {note["reason"] for note in kept(given)["notes"]} == {"refused: more than 5 redirects a call"}


async def test_a_redirect_that_the_rules_deny_is_not_followed() -> None:
    """The gate is asked about it like about any call."""
    followed: list[bool] = []

    class Led(SmallSource):
        async def fetch(self, errand: Errand) -> Fetched:
            assert errand.follow is not None
            assert await errand.permit(READ)
            followed.append(await errand.follow(READ.model_copy(update={"read_only": False})))
            return Fetched("empty")

    await asked(parts(Led("a")))
    assert followed == [False]


@pytest.mark.parametrize(("limit", "wanted", "left"), [("2", 3, 2), ("5", 3, 3), ("0", 3, 0)])
async def test_no_more_items_than_rules_and_plan_want(limit: str, wanted: int, left: int) -> None:
    """The source is told the smaller of both limits, and what it brings beyond it does not count."""
    rule_set = small_rules.rules(limits=small_rules.limits(evidence_limit=limit))
    planner = SmallPlanner(Planned(PLAN.model_copy(update={"result_limit": wanted})))
    first = source("a", *(page(f"p{n}") for n in range(9)))
    given = parts(first, rule_set=rule_set, planner=planner)
    await asked(given)
    assert first.seen[0].limit == left
    assert len(facts_of(given, "evidence")[0]["evidence"]) == left


async def test_the_rules_choose_sources_and_their_order() -> None:
    """`adapters` leaves out, orders, and cannot add."""
    rule_set = small_rules.rules(limits=small_rules.limits(adapters='["c", "nobody", "a"]'))
    sources = [source(name) for name in "abc"]
    given = parts(*sources, rule_set=rule_set)
    await asked(given)
    assert [attempt["adapter"] for attempt in kept(given)["attempts"]] == ["c", "a"]


@pytest.mark.parametrize("next_", ['"nobody"', '"stop"', "run.adapters_left[7]"])
async def test_a_dispatch_to_nowhere_stops(next_: str) -> None:
    """A name that is not left, `stop` and an undecided choice send to no source."""
    dispatch = small_rules.DISPATCH.replace("value: run.adapters_left[0]", f"value: '{next_}'")
    first = source("a", page("p1"))
    reply = await asked(parts(first, rule_set=small_rules.rules(dispatch=dispatch)))
    assert first.seen == []
    assert (reply.status, reply.kind) == ("refused", "no_evidence")


async def test_items_are_never_trusted_to_be_what_they_say() -> None:
    """The adapter that an item names is replaced by the one that brought it."""
    given = parts(source("a", page("p1", adapter="mcp:trusted")))
    await asked(given)
    assert facts_of(given, "evidence")[0]["evidence"][0]["adapter"] == "a"
