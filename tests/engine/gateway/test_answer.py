"""What may be said about admitted evidence, and what must be said with it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from tests.engine.gateway import small_rules
from tests.engine.gateway.small_parts import (
    NOW,
    SmallDrafter,
    asked,
    facts_of,
    gates,
    kept,
    page,
    parts,
    source,
)

from groundrule.facts import Question
from groundrule.gateway.ports import Draft

pytestmark = pytest.mark.anyio

CITE = """
contract: cite
version: 1.0.0
gate: answer
summary: {en: Name all sources., zh: 列出全部来源。}
owners: [tests]
rules:
  - id: CITE-ALL-01
    require: evidence.all(e, answer.citations.exists(c, c.evidence == e.id))
    otherwise: oblige
    oblige:
      cite: VALUE
    message: {en: Cite it., zh: 必须引用。}
"""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


CITE = """
contract: cite
version: 1.0.0
gate: answer
summary: {en: Name all sources., zh: 列出全部来源。}
owners: [tests]
rules:
  - id: CITE-ALL-01
    require: evidence.all(e, answer.citations.exists(c, c.evidence == e.id))
    otherwise: oblige
    oblige:
      cite: VALUE
    message: {en: Cite it., zh: 必须引用。}
"""


@pytest.mark.parametrize(
    "more",
    [
        {"target_url": None},
        {"target_url": "javascript:alert(1)"},
        {"target_url": "ftp://a.example/"},
        {"target_url": "https://user@a.example/"},
        {"target_url": "http://127.0.0.1/"},
        {"target_url": "https://wiki.corp.internal/"},
        {"generated": True},
    ],
)
async def test_what_cannot_ground_is_named_and_reaches_neither_drafter_nor_text(more: dict[str, Any]) -> None:
    """Without a public http(s) address, or written by a model: kept in receipt and record, and nowhere else."""
    drafter = SmallDrafter()
    lax = small_rules.rules(evidence=small_rules.LAX, answer=small_rules.LAX_ANSWER)
    odd = page("odd", "海边高潮 06:42。", title="潮汐", **more)
    given = parts(source("a", odd, page("p1")), rule_set=lax, drafter=drafter)
    reply = await asked(given)
    assert reply.status == "answered"
    assert reply.not_grounding == ("odd",)
    assert [item.id for item in drafter.seen[0]] == ["p1"]
    assert "潮" not in (reply.text or "")
    assert any(item["id"] == "odd" for item in facts_of(given, "answer")[0]["evidence"])


async def test_raw_metadata_stays_in_the_receipt() -> None:
    """What an adapter keeps for itself reaches neither drafter nor reply."""
    drafter = SmallDrafter()
    given = parts(source("a", page("p1", raw_metadata={"secret": 99})), drafter=drafter)
    reply = await asked(given)
    assert drafter.seen[0][0].raw_metadata is None
    assert "99" not in reply.model_dump_json()
    assert facts_of(given, "evidence")[0]["evidence"][0]["raw_metadata"] == {"secret": 99}


async def test_an_answer_that_evidence_does_not_bear_is_refused() -> None:
    """A number that no page has is denied at the answer gate; the drafted text does not leave."""
    invented = SmallDrafter(lambda items: Draft("广州多云，气温 35℃，请带伞 [1]。", {"[1]": items[0].id}))
    given = parts(source("a", page("p1")), drafter=invented)
    reply = await asked(given)
    assert (reply.status, reply.kind) == ("refused", "unsupported")
    assert reply.answer is None
    assert "请带伞" not in (reply.text or "")
    assert "请带伞" in facts_of(given, "answer")[0]["answer"]["text"]


@pytest.mark.parametrize("text", ["广州多云。", "广州多云 [1]。又有雨 [7]。"])
async def test_an_answer_without_a_true_citation_is_refused(text: str) -> None:
    """Under rules that allow everything, an answer that cites nothing, or nothing that exists, still does not leave."""
    lax = small_rules.rules(evidence=small_rules.LAX, answer=small_rules.LAX_ANSWER, tell=None)
    drafter = SmallDrafter(lambda items: Draft(text, {"[1]": items[0].id}))
    reply = await asked(parts(source("a", page("p1")), rule_set=lax, drafter=drafter))
    assert (reply.status, reply.kind) == ("refused", "unsupported")


async def test_the_date_is_told_where_the_rules_oblige() -> None:
    """A page of two hours ago is answered with its date, and the answer gate is asked again on that text."""
    two_hours = NOW - timedelta(hours=2)
    given = parts(source("a", page("p1", dated_at=two_hours)))
    reply = await asked(given)
    assert reply.answer == "“广州多云，气温 22～28℃。” [1]\n数据截至：2026-04-15 08:00 [1]。"
    assert "数据截至：2026-04-15 08:00 [1]。" in (reply.text or "")
    texts = [facts["answer"]["text"] for facts in facts_of(given, "answer")]
    assert texts == ["“广州多云，气温 22～28℃。” [1]", reply.answer]
    dates = [claim for claim in reply.claims or () if claim.kind == "date"]
    assert [(claim.status, claim.evidence) for claim in dates] == [("bound", ("p1",))]
    assert all("can" in receipt for receipt in kept(given)["gates"])
    assert kept(given)["gates"][-1]["can"] == ["as_of", "cite"]


@pytest.mark.parametrize(
    ("resolution", "told"),
    [
        (timedelta(seconds=1), "2026-04-15 08:00"),
        (timedelta(hours=1), "2026-04-15"),
        (None, "2026-04-15 08:00"),
    ],
)
async def test_the_date_is_told_as_exactly_as_the_page_states_it(
    resolution: timedelta | None, told: str
) -> None:
    """Seconds are dropped, and an hour is not told as a minute; what is told is bound to the page's own date."""
    dated = NOW - timedelta(hours=2) + timedelta(seconds=42 if resolution is None else 0)
    reply = await asked(parts(source("a", page("p1", dated_at=dated, dated_resolution=resolution))))
    assert (reply.answer or "").endswith(f"数据截至：{told} [1]。")


async def test_the_oldest_date_is_the_one_that_is_told() -> None:
    """With pages of different age the answer holds as of the oldest."""
    pages = [page("p1"), page("p2", "广州有雨，气温 20℃。", dated_at=NOW - timedelta(hours=2))]
    reply = await asked(parts(source("a", *pages)))
    assert "数据截至：2026-04-15 08:00 [2]。" in (reply.answer or "")


async def test_a_source_is_cited_where_the_rules_oblige() -> None:
    """An item that the draft did not cite is cited at its end."""
    drafter = SmallDrafter(lambda items: Draft(f"“{items[0].snippet}” [1]", {"[1]": "p1", "[2]": "p2"}))
    rule_set = small_rules.rules(cite=CITE.replace("VALUE", "evidence[1].id"))
    reply = await asked(parts(source("a", page("p1"), page("p2")), rule_set=rule_set, drafter=drafter))
    assert reply.answer == "“广州多云，气温 22～28℃。” [1] [2]"
    assert [s.evidence for s in reply.sources or ()] == ["p1", "p2"]


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("cite", "evidence[1].title", "规则要求的说明无法写进回答。"),
        ("as_of", "evidence[1].title", "规则要求的说明无法写进回答。"),
        ("tell", "evidence[1].id", "义务 tell 无法履行：调用方不会履行。"),
    ],
)
async def test_an_obligation_that_cannot_be_fulfilled_is_a_refusal(
    name: str, value: str, reason: str
) -> None:
    """An item that is not there, a date that is none, and an obligation that nobody here knows."""
    drafter = SmallDrafter(lambda items: Draft(f"“{items[0].snippet}” [1]", {"[1]": "p1"}))
    rule_set = small_rules.rules(cite=CITE.replace("VALUE", value).replace("cite:", f"{name}:"))
    given = parts(source("a", page("p1"), page("p2")), rule_set=rule_set, drafter=drafter)
    reply = await asked(given)
    assert (reply.status, reply.kind) == ("refused", "unsupported")
    assert reason in (reply.reasons or ())


async def test_obligations_that_grow_with_the_text_are_a_refusal() -> None:
    """If the final text brings a new obligation, it does not leave unfulfilled."""
    condition = "evidence.all(e, answer.citations.exists(c, c.evidence == e.id))"
    growing = CITE.replace(condition, "size(answer.text) < 5")
    rule_set = small_rules.rules(
        cite=growing.replace("cite: VALUE", "as_of: \"now - duration(string(size(answer.text)) + 'm')\""),
        answer=small_rules.LAX_ANSWER,
    )
    given = parts(source("a", page("p1")), rule_set=rule_set)
    reply = await asked(given)
    assert (reply.status, reply.reasons) == ("refused", ("规则要求的说明无法写进回答。",))
    assert gates(given).count("answer") == 2


async def test_a_question_in_english_is_answered_in_english() -> None:
    """The language of the reply is that of the question, whatever the plan says."""
    found = page("p1", "Guangzhou is cloudy, 22 to 28°C.")
    reply = await asked(parts(source("a", found)), Question(text="What is the weather in Guangzhou?"))
    assert (reply.language, (reply.text or "").split("\n")[0]) == ("en", "Live external query:")
    refused = await asked(parts(source("a")), Question(text="What is the weather?"))
    assert "Nothing external was found." in (refused.reasons or ())


async def test_sample_data_says_so() -> None:
    """A reply for which a source of made-up data was asked says so, also a refusal; another one does not."""
    for found in ((), (page("p1"),)):
        reply = await asked(parts(source("mcp:sample", *found, sample_data=True)))
        assert (reply.sample, (reply.text or "")[:4]) == (True, "示例数据")
    assert (await asked(parts(source("a", page("p1"))))).sample is False


async def test_the_reply_says_how_long_it_holds() -> None:
    """`valid_until` is the first instant at which evidence or answer gate would say something else."""
    reply = await asked(parts(source("a", page("p1"))))
    assert reply.valid_until is not None
    assert NOW + timedelta(minutes=19) < reply.valid_until <= NOW + timedelta(minutes=21)
