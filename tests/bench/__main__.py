"""`make bench`: our engine, a hand-written function and the fastest peers, side by side in one process.

Rows of a cell are timed in turn, block after block, and the best block of each counts: what else the machine does
falls on all of them alike. Figures are CPU microseconds a decision. `build/bench.json` has {cell: {row: µs}}.
"""

from __future__ import annotations

import gc
import json
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from groundrule import RuleSet, compile_rules, evaluate, explain

from . import peers
from .decision import NOW, as_text, contract, document, native, plain

CELLS = [(items, rules) for items in (10, 100) for rules in (6, 60, 600)]
BLOCKS = 12
BLOCK_SECONDS = 0.05
HARD = {"10x6": 1.3, "10x600": 0.8, "100x60": 0.8}
"""The most that `ours` may cost, as a multiple of `plain`."""

Row = Callable[[], Any]


def ours(rules: RuleSet, facts: Any) -> Row:
    """A decision on a frozen record, with outcome, admitted ids and violations read."""

    def row() -> tuple[str, tuple[str, ...], list[tuple[str, str | None, str]]]:
        decision = evaluate(rules, "evidence", facts, NOW)
        return decision.outcome, decision.admitted, [(v.rule, v.at, v.effect) for v in decision.violations]

    return row


def rows(items: int, count: int) -> dict[str, Row]:
    """Every row of a cell, ready to be called; they have been seen to agree."""
    doc = document(items)
    rules = compile_rules({"contracts/bench.yaml": contract(count)})
    facts, text = rules.facts("evidence", doc), as_text(doc)
    by_hand, data = plain(count), native(doc)
    zen, zen_native, zen_text = peers.zen(count), peers.with_epoch(doc), peers.zen_text(doc)
    cel, cel_data = peers.cel(count), peers.cel_document(doc)
    found: dict[str, Row] = {
        "plain": lambda: by_hand(data, NOW),
        "ours": ours(rules, facts),
        "ours_explain": lambda: explain(rules, "evidence", facts, NOW),
        "ours_json": lambda: ours(rules, rules.facts_from_json("evidence", text))(),
        "zen": lambda: zen(zen_native),
        "zen_json": lambda: zen(zen_text),
        "cel_cpp": lambda: cel(cel_data),
    }
    agree(found)
    return found


def agree(found: dict[str, Row]) -> None:
    """Raises if the rows do not say the same."""
    outcome, admitted, broken = found["ours"]()
    same = found["plain"]()
    if (outcome, list(admitted), sorted(broken)) != (same[0], same[1], sorted(same[2])):
        raise AssertionError("ours and plain differ")
    if found["ours_json"]() != (outcome, admitted, broken):
        raise AssertionError("ours differs from JSON text")
    for name in ("zen", "zen_json", "cel_cpp"):
        rows_found = [row for row in found[name]() if int(row[0]) % 6 != 5]
        if len(rows_found) != len(broken):
            raise AssertionError(f"{name} finds {len(rows_found)} instead of {len(broken)}")


def measured(found: dict[str, Row], blocks: int) -> dict[str, float]:
    """Best CPU microseconds of each row over interleaved blocks."""
    loops: dict[str, int] = {}
    for name, row in found.items():
        start = time.process_time()
        row()
        loops[name] = max(1, int(BLOCK_SECONDS / max(time.process_time() - start, 1e-6)))
    best = dict.fromkeys(found, float("inf"))
    gc.disable()
    try:
        for _ in range(blocks):
            for name, row in found.items():
                count = min(loops[name], 20_000)
                start = time.process_time()
                for _ in range(count):
                    row()
                best[name] = min(best[name], (time.process_time() - start) / count * 1e6)
            gc.collect()
    finally:
        gc.enable()
    return best


def undated(blocks: int) -> float:
    """A bundle with half its dates absent, as a multiple of one without."""
    rules = compile_rules({"contracts/bench.yaml": contract(6)})
    pair = {
        name: ours(rules, rules.facts("evidence", document(10, undated=absent)))
        for name, absent in (("dated", False), ("undated", True))
    }
    best = measured(pair, blocks)
    return best["undated"] / best["dated"]


def loading(blocks: int) -> float:
    """Microseconds a rule to load and check 600 rules."""
    text = contract(600)
    best = float("inf")
    for _ in range(max(2, blocks // 4)):
        start = time.process_time()
        compile_rules({"contracts/bench.yaml": text})
        best = min(best, time.process_time() - start)
    return best / 600 * 1e6


def growth(decisions: int) -> float:
    """Bytes that stay allocated a decision."""
    rules = compile_rules({"contracts/bench.yaml": contract(6)})
    facts = rules.facts("evidence", document(10))
    row = ours(rules, facts)
    for _ in range(1_000):
        row()
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(decisions):
        row()
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (after - before) / decisions


def table(results: dict[str, dict[str, float]]) -> str:
    """The figures as a Markdown table, with the multiple of the hand-written function."""
    names = list(next(iter(results.values())))
    lines = ["| items x rules | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for cell, row in results.items():
        shown = [f"{row[name]:,.1f} ({row[name] / row['plain']:.2f})" for name in names]
        lines.append(f"| {cell} | " + " | ".join(shown) + " |")
    return "\n".join(lines)


def main() -> None:
    """Measures, prints and writes `build/bench.json`."""
    quick = "--quick" in sys.argv
    blocks = 3 if quick else BLOCKS
    results = {f"{items}x{count}": measured(rows(items, count), blocks) for items, count in CELLS}
    print("CPU µs a decision (multiple of the hand-written function)\n")
    print(table(results))
    more = {
        "undated": undated(blocks),
        "load_us_per_rule": loading(blocks),
        "bytes_per_decision": growth(10_000 if quick else 1_000_000),
    }
    print(f"\nhalf the dates absent: {more['undated']:.2f} x one without")
    print(f"loading and checking: {more['load_us_per_rule']:.0f} µs a rule")
    print(f"memory kept a decision: {more['bytes_per_decision']:.3f} bytes")
    for cell, limit in HARD.items():
        ratio = results[cell]["ours"] / results[cell]["plain"]
        print(f"{cell}: ours {ratio:.2f} x plain (to reach: {limit})")
    for cell, row in results.items():
        peer = min(row["zen"], row["zen_json"], row["cel_cpp"])
        print(f"{cell}: best peer {peer / row['ours']:.1f} x ours (to reach: 4)")
    ratio = results["10x6"]["ours_json"] / results["10x6"]["zen_json"]
    print(f"10x6 from JSON text: ours {ratio:.2f} x ZEN")
    target = Path("build/bench.json")
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    (target.parent / "bench-more.json").write_text(json.dumps(more, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
