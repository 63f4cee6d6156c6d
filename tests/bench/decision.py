"""The decision that is measured: six checks on a plan and its evidence, once, ten times and a hundred times over."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

NOW = datetime(2026, 4, 15, 8, tzinfo=UTC)


@dataclass(frozen=True)
class Variant:
    """The six checks with slightly different numbers, so that no two rules are the same."""

    number: int
    types: tuple[str, ...]
    max_age: int
    min_authority: float


def variants(rules: int) -> list[Variant]:
    """As many variants as make up a number of rules."""
    return [
        Variant(n, ("url", "mcp_search", f"kind_{n}"), 3600 + n, 0.3 + n / 10_000) for n in range(rules // 6)
    ]


def document(items: int, undated: bool = False) -> dict[str, Any]:
    """A plan and its evidence as JSON values. One item in ten comes from inside, one in ten is too old.

    undated: whether every second item has no date.
    """
    evidence = []
    for n in range(items):
        age = 7200 if n % 10 == 9 else 60 * (n % 50)
        item: dict[str, Any] = {
            "id": f"e{n}",
            "source_type": "feishu" if n % 10 == 4 else "url",
            "title": f"A page about the weather in Guangzhou, part {n}",
            "target_url": f"https://news{n % 7}.example/weather/guangzhou/{n}",
            "snippet": "Cloudy with showers, 18 to 25 degrees, a light breeze from the south east.",
            "dated_at": (NOW - timedelta(seconds=age)).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "authority_score": 0.25 if n % 10 == 7 else 0.9,
        }
        if undated and n % 2:
            del item["dated_at"]
        evidence.append(item)
    return {"plan": {"freshness_required": True, "requires_multi_source": True}, "evidence": evidence}


def contract(rules: int) -> str:
    """The checks as a contract file."""
    lines = ["contract: bench", "version: 1.0.0", "gate: evidence", "rules:"]
    for v in variants(rules):
        types = ", ".join(f"'{name}'" for name in v.types)
        http = "e.target_url.startsWith('http://') || e.target_url.startsWith('https://')"
        many = "size(distinct(evidence.map(x, host(x.target_url)))) >= 2"
        lines += _rule(v, "TYPE", f"e.source_type in [{types}]", "deny", each=True)
        lines += _rule(v, "HTTP", http, "deny", each=True)
        age = f"now - e.dated_at <= duration('{v.max_age}s')"
        lines += _rule(v, "AGE", age, "deny", each=True, when="plan.freshness_required")
        lines += _rule(v, "HOSTS", many, "deny", when="plan.requires_multi_source")
        lines += _rule(v, "EMPTY", "size(evidence) > 0", "deny")
        lines += _rule(v, "AUTHORITY", f"e.authority_score >= {v.min_authority!r}", "warn", each=True)
    return "\n".join(lines) + "\n"


def _rule(v: Variant, name: str, require: str, effect: str, each: bool = False, when: str = "") -> list[str]:
    return [
        f"  - id: BENCH-{name}-{v.number:02d}",
        *(["    each: evidence as e"] if each else []),
        *([f"    when: {when}"] if when else []),
        "    require: >-",
        f"      {require}",
        f"    otherwise: {effect}",
        "    message: {en: not met, zh: 不满足}",
    ]


Found = tuple[str, list[str], list[tuple[str, str | None, str]]]


def native(doc: dict[str, Any]) -> dict[str, Any]:
    """The document as a backend would hold it: times are datetimes."""
    evidence = [
        {**item, "dated_at": datetime.fromisoformat(item["dated_at"]) if "dated_at" in item else None}
        for item in doc["evidence"]
    ]
    return {**doc, "evidence": evidence}


def plain(rules: int) -> Callable[[dict[str, Any], datetime], Found]:
    """The hand-written function: outcome, ids of the admitted items, and what is not met."""
    parameters = [
        (
            v.types, timedelta(seconds=v.max_age), v.min_authority,
            f"BENCH-TYPE-{v.number:02d}", f"BENCH-HTTP-{v.number:02d}", f"BENCH-AGE-{v.number:02d}",
            f"BENCH-HOSTS-{v.number:02d}", f"BENCH-EMPTY-{v.number:02d}", f"BENCH-AUTHORITY-{v.number:02d}",
        )
        for v in variants(rules)
    ]  # fmt: skip

    def decide(doc: dict[str, Any], now: datetime) -> Found:
        plan, evidence = doc["plan"], doc["evidence"]
        found: list[tuple[str, str | None, str]] = []
        warnings: list[tuple[str, str | None, str]] = []
        for types, max_age, authority, type_id, http_id, age_id, hosts_id, empty_id, authority_id in parameters:
            for i, item in enumerate(evidence):
                if item["source_type"] not in types:
                    found.append((type_id, f"evidence[{i}]", "deny"))
                if not item["target_url"].startswith(("http://", "https://")):
                    found.append((http_id, f"evidence[{i}]", "deny"))
                if plan["freshness_required"] and (item["dated_at"] is None or now - item["dated_at"] > max_age):
                    found.append((age_id, f"evidence[{i}]", "deny"))
                if item["authority_score"] < authority:
                    warnings.append((authority_id, f"evidence[{i}]", "warn"))
            if plan["requires_multi_source"]:
                if len({item["target_url"].split("/", 3)[2] for item in evidence}) < 2:
                    found.append((hosts_id, None, "deny"))
            if not evidence:
                found.append((empty_id, None, "deny"))
        return "deny" if found else "allow", [item["id"] for item in evidence], found

    return decide


def as_text(doc: dict[str, Any]) -> str:
    """The document as JSON text."""
    return json.dumps(doc)
