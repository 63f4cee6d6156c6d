"""The same decision in other engines. Each returns a function of a document that yields what is not met."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from .decision import NOW, variants

Rows = list[tuple[str, int]]


def zen(rules: int) -> Callable[[str], Rows]:
    """GoRules ZEN: one compiled expression that hands back everything not met, from JSON text."""
    import zen as engine

    parts = []
    guard = "len(evidence) > 0"
    for v in variants(rules):
        types = ", ".join(f'"{name}"' for name in v.types)
        index = "[0..len(evidence)-1]"
        parts += [
            f'{guard} ? filter({index}, not (evidence[#].source_type in [{types}])) : []',
            f'{guard} ? filter({index}, not (startsWith(evidence[#].target_url, "http://") or '
            f'startsWith(evidence[#].target_url, "https://"))) : []',
            f"plan.freshness_required and {guard} ? filter({index}, now - evidence[#].epoch > {v.max_age}) : []",
            "plan.requires_multi_source and "
            'len(keys(map(evidence, split(#.target_url, "/")[2]))) < 2 ? [-1] : []',
            "len(evidence) == 0 ? [-1] : []",
            f"{guard} ? filter({index}, evidence[#].authority_score < {v.min_authority!r}) : []",
        ]
    compiled = engine.compile_expression("[" + ", ".join(parts) + "]")

    def decide(text: str) -> Rows:
        found = compiled.evaluate(text)
        return [(str(rule), int(index)) for rule, rows in enumerate(found) for index in rows]

    return decide


def with_epoch(doc: dict[str, Any]) -> dict[str, Any]:
    """The document for engines without timestamps: seconds since 1970, and the time of the decision."""
    from datetime import datetime

    evidence = [
        {**item, "epoch": datetime.fromisoformat(item["dated_at"]).timestamp() if "dated_at" in item else None}
        for item in doc["evidence"]
    ]
    return {**doc, "evidence": evidence, "now": NOW.timestamp()}


def zen_text(doc: dict[str, Any]) -> str:
    """The document as ZEN reads it."""
    return json.dumps(with_epoch(doc))


def cel(rules: int) -> Callable[[dict[str, Any]], Rows]:
    """Google's CEL runtime in C++: one expression for each rule, on one activation."""
    from cel_expr_python import cel as runtime

    environment = runtime.NewEnv(
        variables={"plan": runtime.Type.DYN, "evidence": runtime.Type.DYN, "now": runtime.Type.DYN}
    )
    texts = []
    for v in variants(rules):
        types = ", ".join(f"'{name}'" for name in v.types)
        texts += [
            f"evidence.filter(e, !(e.source_type in [{types}])).map(e, e.n)",
            "evidence.filter(e, !(e.target_url.startsWith('http://') || e.target_url.startsWith('https://')))"
            ".map(e, e.n)",
            f"plan.freshness_required ? evidence.filter(e, now - e.epoch > {v.max_age}.0).map(e, e.n) : []",
            "plan.requires_multi_source && "
            "!evidence.exists(e, e.host != evidence[0].host) ? [-1] : []",
            "size(evidence) == 0 ? [-1] : []",
            f"evidence.filter(e, e.authority_score < {v.min_authority!r}).map(e, e.n)",
        ]
    compiled = [environment.compile(text) for text in texts]

    def decide(doc: dict[str, Any]) -> Rows:
        activation = environment.Activation(doc)
        return [
            (str(rule), int(index))
            for rule, expression in enumerate(compiled)
            for index in expression.eval(activation).plain_value()
        ]

    return decide


def cel_document(doc: dict[str, Any]) -> dict[str, Any]:
    """The document as CEL reads it: hosts and positions are given, which our engine works out itself."""
    found = with_epoch(doc)
    evidence = [
        {**item, "n": n, "host": item["target_url"].split("/", 3)[2]} for n, item in enumerate(found["evidence"])
    ]
    return {**found, "evidence": evidence}
