"""Plans as a model writes them."""

from __future__ import annotations

import json
from typing import Any

WEATHER: dict[str, Any] = {
    "plan_version": "v1",
    "query_kind": "weather",
    "answer_contract": "summary_with_sources",
    "freshness_required": True,
    "topic": "广州未来5天天气",
    "subject_entities": ["广州"],
    "location_hint": "广州",
    "time_range_hint": "未来 5 天",
    "preferred_domains": [],
    "search_queries": ["广州 未来5天天气", "广州 天气 5日预报"],
    "result_limit": 3,
    "requires_multi_source": False,
    "clarify_on_ambiguity": False,
}
"""The example of the specification."""


def written(**changes: Any) -> str:
    """The plan as a reply, with changes."""
    return json.dumps({**WEATHER, **changes}, ensure_ascii=False)
