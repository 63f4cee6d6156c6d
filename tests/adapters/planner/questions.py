"""Questions to the offline planner, asked on one morning."""

from __future__ import annotations

from datetime import UTC, datetime

from groundrule.facts import ExternalQueryPlan, Question
from groundrule.gateway.ports import Planned
from groundrule_adapters.planner.offline import make_plan

NOW = datetime(2026, 4, 15, 2, 30, tzinfo=UTC)
ZONE = "Asia/Shanghai"


def planned(text: str | None, **fields: object) -> Planned:
    """What the planner makes of a text asked on a Wednesday in April 2026, at 10:30 in Shanghai."""
    return make_plan(Question.model_validate({"text": text, **fields}), NOW, ZONE)


def plan(text: str, **fields: object) -> ExternalQueryPlan:
    """The plan of a text that needs no clarification."""
    made = planned(text, **fields)
    assert made.clarify == (), f"{text}: {made.clarify}"
    assert made.plan is not None
    return made.plan
