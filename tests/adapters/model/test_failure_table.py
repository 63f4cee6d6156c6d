"""The rows of the failure table about planner and model, caused by a model that is asked over HTTP."""

from __future__ import annotations

import asyncio
from itertools import product
from pathlib import Path

import pytest
from tests.adapters.model.model_server import Act, Seen, http, playing, says
from tests.adapters.model.plans import written
from tests.conformance.failures.hurried import late, ran
from tests.conformance.failures.parts import (
    CONTEXT,
    INTERNAL,
    QUESTION,
    SHIPPED,
    FailingSource,
    failing_parts,
    failing_store,
)
from tests.conformance.failures.table import Row, expected, rows

from groundrule.gateway.pipeline import ask
from groundrule.gateway.ports import Store
from groundrule_adapters.drafter.openai import OpenAIDrafter
from groundrule_adapters.model import Model
from groundrule_adapters.planner.openai import OpenAIPlanner
from groundrule_adapters.settings import ModelSettings

ALL = rows()
OTHERS = [row for row in ALL if row.part in ("mcp", "fallback", "store")]
PLAN = written(topic="广州天气", time_range_hint="今天", search_queries=["广州今天天气"])


async def _late(seen: Seen, writer: asyncio.StreamWriter) -> None:
    await late(ModelSettings().timeout - 5)


PLANNING: dict[str, list[Act]] = {
    "malformed": [says("```json\n" + PLAN + "\n```"), says(PLAN[:-9]), http(200, "<html>"), says(PLAN, "length")],
    "late": [_late],
    "refused": [says(None, refusal="no"), says(None, tool_calls=[{"id": "1"}])],
}
DRAFTING: dict[str, list[Act]] = {
    "late": [_late],
    "malformed": [says(""), http(200, '{"choices": []}'), says("广州多云 [7]。"), says("<think>x</think>广州多云 [1]。"), http(503)],
    "unsupported claim": [says("广州今天气温 35℃ [1]。")],
}
GOOD = says("广州今天多云，气温 22～28℃ [1]。")


def runs(part: str, acts: dict[str, list[Act]]) -> list[tuple[Row, Act]]:
    """Every way to cause a fault of a part."""
    named = {row.fault: row for row in ALL if row.part == part}
    assert acts.keys() == named.keys()
    return [(named[fault], act) for fault, played in acts.items() for act in played]


def replied(folder: Path, faults: tuple[Row, ...], plan: Act, draft: Act) -> list[str]:
    """Asks with a model that plays these two. What the sources were asked, once nothing is left running."""

    async def run(store: Store) -> list[str]:
        async with playing(plan, draft) as server:
            model = Model(ModelSettings(base_url=server.base_url, model="small", retries=0))
            planner, drafter = OpenAIPlanner(model, SHIPPED, "Asia/Shanghai"), OpenAIDrafter(model)
            given = failing_parts(SHIPPED, store, faults, "run-1", planner=planner, drafter=drafter)
            reply = await ask(QUESTION, CONTEXT, given)
            await model.close()
        assert (reply.status, reply.kind or "") == expected(faults), reply.text
        assert INTERNAL not in (reply.text or "") + (reply.markdown or "")
        assert all(isinstance(source, FailingSource) and source.running == 0 for source in given.sources.values())
        return [seen.user for seen in server.seen]

    with failing_store(folder, faults) as store:
        return ran(run(store))


def test_a_model_that_plans_and_drafts_well_is_answered_with_its_text(tmp_path: Path) -> None:
    """Without a fault the same parts answer, so that the rows below fail for their own reason."""
    assert len(replied(tmp_path, (), says(PLAN), GOOD)) == 2


@pytest.mark.parametrize(("row", "act"), runs("planner", PLANNING), ids=lambda value: str(value) if isinstance(value, Row) else "")
def test_a_plan_that_is_none_leads_to_what_the_table_says(tmp_path: Path, row: Row, act: Act) -> None:
    """Whatever else fails: nobody is asked, and the receipt is kept or its loss is said."""
    for number, other in enumerate((None, *OTHERS)):
        faults = (row,) if other is None else (row, other)
        assert len(replied(tmp_path / str(number), faults, act, GOOD)) == 1


@pytest.mark.parametrize(("row", "act"), runs("model", DRAFTING), ids=lambda value: str(value) if isinstance(value, Row) else "")
def test_a_draft_that_is_none_leads_to_what_the_table_says(tmp_path: Path, row: Row, act: Act) -> None:
    """Alone, with each fault of one source, where the other one serves, and of the store."""
    for number, other in enumerate((None, *OTHERS)):
        faults = (row,) if other is None else (row, other)
        replied(tmp_path / str(number), faults, says(PLAN), act)


def test_no_model_is_asked_to_draft_where_no_source_brought_anything(tmp_path: Path) -> None:
    """Both sources failing, in every way of each: one request, the plan's."""
    sources = [[row for row in OTHERS if row.part == part] for part in ("mcp", "fallback")]
    for number, faults in enumerate(product(*sources)):
        assert len(replied(tmp_path / str(number), faults, says(PLAN), GOOD)) == 1
