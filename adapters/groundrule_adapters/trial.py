"""One question put to one MCP server, with everything on view: what came, what became of it, what the contracts say.

It is an ordinary run with that one source, so every gate says what it would say. Its receipt is looked at, not kept.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from groundrule import Context, Plan, Question
from groundrule.gateway.parts import Parts
from groundrule.gateway.pipeline import ask
from groundrule.gateway.ports import Planned

from . import wiring
from .drafter.extractive import ExtractiveDrafter
from .files import open_rules
from .planner.offline import OfflinePlanner
from .settings import Settings
from .sources.mcp import McpConfigError, McpSource, open_sources

if TYPE_CHECKING:
    from mcp_types import CallToolResult

MAX_RAW = 200_000
"""Code points of one raw result that are kept."""


@dataclass(frozen=True)
class Trial:
    """What came of it.

    raw: results as the server gave them. run: the receipt, with the decision of every gate. judging: the contracts that
    judge single items; the others speak of the evidence as a whole.
    """

    server: str
    raw: tuple[Any, ...]
    run: Mapping[str, Any]
    judging: Collection[str]

    def gate(self, name: str) -> list[dict[str, Any]]:
        """The receipts of one gate, in order."""
        return [receipt for receipt in self.run["gates"] if receipt["gate"] == name]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        judged = self.gate("evidence")
        items = judged[-1]["facts"].get("evidence", []) if judged else []
        return {
            "server": self.server,
            "plan": self.run["plan"],
            "calls": [{"call": one["facts"]["call"], **said(one["decision"], None)} for one in self.gate("call")],
            "raw": list(self.raw),
            "attempts": self.run["attempts"],
            "evidence": [
                {"item": item, "contracts": verdicts(judged[-1]["decision"], f"evidence[{at}]", self.judging)}
                for at, item in enumerate(items)
            ],
            "decision": judged[-1]["decision"] if judged else None,
            "reply": {key: self.run["reply"].get(key) for key in ("status", "kind")},
        }


def said(decision: Mapping[str, Any], at: str | None) -> dict[str, Any]:
    """The outcome of a decision, and its violations at one place."""
    found = [one for one in (*decision["violations"], *decision["warnings"]) if one["at"] == at]
    return {"outcome": decision["outcome"], "violations": found}


def verdicts(decision: Mapping[str, Any], at: str, judging: Collection[str]) -> list[dict[str, Any]]:
    """What each contract that judges items says of one: `met`, or the rules that it does not meet."""
    found: list[dict[str, Any]] = said(decision, at)["violations"]
    return [
        {
            "contract": name,
            "says": "met" if not any(one["contract"] == name for one in found) else "not met",
            "violations": [one for one in found if one["contract"] == name],
        }
        for name in sorted(set(decision["contracts"]).intersection(judging))
    ]


class _Query:
    """Plans as the offline planner does, except that it always asks, and for this query alone."""

    name = "query v1"

    async def plan(self, question: Question, context: Context) -> Planned:
        planned = await OfflinePlanner().plan(question, context)
        text = question.text or ""
        plan = planned.plan if planned.plan is not None and not planned.clarify else Plan.model_validate(_PLAIN)
        changed = {"search_queries": (text,), "topic": plan.topic or text, "language": question.language}
        return Planned(plan=plan.model_copy(update=changed))


_PLAIN = {
    "plan_version": "v1",
    "query_kind": "generic_web",
    "answer_contract": "direct_fact",
    "freshness_required": False,
    "requires_multi_source": False,
    "clarify_on_ambiguity": False,
    "subject_entities": (),
    "preferred_domains": (),
    "result_limit": 5,
}


class _Look:
    """Keeps the receipt for as long as it is looked at."""

    def __init__(self) -> None:
        self.run: Mapping[str, Any] = {}

    async def keep(self, run: Mapping[str, Any]) -> None:
        self.run = run

    async def keep_rules(self, revision: str, files: Mapping[str, str]) -> None:
        """A trial is not replayed."""


async def try_server(settings: Settings, name: str, question: Question, context: Context) -> Trial:
    """Asks the server of this name. Raises McpConfigError if there is none that can be asked, or RuleFileError."""
    config = wiring.servers(settings)
    opened = open_sources(config, wiring.mappings(settings), settings.env, wiring.now)
    source = next((source for source in opened.sources if source.name == f"mcp:{name}"), None)
    if source is None:
        known = ", ".join(server.name for server in config.servers)
        reason = opened.left_out.get(name, "there is no server of this name")
        raise McpConfigError(name, "", reason, f"servers there are: {known}" if name not in opened.left_out else "")
    raw: list[Any] = []
    source.heard = lambda result: raw.append(_shown(result, source))
    look, rules = _Look(), open_rules(settings.rules)
    judging = {
        contract.name
        for contract in rules.contracts
        if any(rule.each is not None and rule.each.path == "evidence" for rule in contract.rules)
    }
    try:
        parts = Parts(
            rules=rules,
            planner=_Query(),
            drafter=ExtractiveDrafter(),
            sources={source.name: source},
            store=look,
            clock=wiring.now,
            new_id=wiring.new_id,
        )
        await ask(question, context, parts)
    finally:
        await source.close()
    return Trial(name, tuple(raw), look.run, judging)


def listed(settings: Settings) -> Sequence[Mapping[str, Any]]:
    """The configured servers in order of preference, and what stands in the way of those that are not used."""
    config = wiring.servers(settings)
    opened = open_sources(config, wiring.mappings(settings), settings.env, wiring.now)
    used = {source.name.removeprefix("mcp:"): source for source in opened.sources}
    found = [
        {"server": server.name, "tool": used[server.name].mapping.tool, "reached": used[server.name].reached}
        for server in config.servers
        if server.name in used
    ]
    return [*found, *({"server": name, "left_out": reason} for name, reason in opened.left_out.items())]


def _shown(result: CallToolResult, source: McpSource) -> Any:
    text = source.redacted(result.model_dump_json(by_alias=True, exclude_none=True))
    if len(text) > MAX_RAW:
        return {"cut": text[:MAX_RAW]}
    return json.loads(text)
