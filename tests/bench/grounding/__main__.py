"""`make bench-grounding DATA=folder`: how well answers are tied to sources, on public sets that lie in a folder.

Prints a table and writes `build/bench-grounding.json` as {part: {suite: figures}}. `--misses SUITE` shows the cases of
the dev part that were missed; those of the unseen part are never shown.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from groundrule.grounding.times import time_reading
from groundrule_adapters.planner.freshness import freshness_required

from . import answers, data, readers

NOW = datetime(2024, 12, 18, tzinfo=UTC)
Figures = dict[str, dict[str, dict[str, Any]]]
_READ: tuple[tuple[Callable[[Path], Iterable[tuple[str, data.Row]]], Callable[[data.Row], Any]], ...] = (
    (data.recognizers, readers.recognizers),
    (data.jionlp, readers.jionlp),
)
_JUDGED: dict[str, tuple[Callable[[Path], Iterable[tuple[str, data.Row]]], Callable[[data.Row], Iterator[answers.Judged]]]] = {
    "uhgeval": (data.uhgeval, answers.uhgeval),
    "halueval qa": (data.halueval, answers.halueval),
    "rotowire": (data.rotowire, answers.rotowire),
}


def read_cases(folder: Path, figures: Figures, misses: str) -> None:
    """Numbers, units and times of single texts."""
    found: dict[tuple[str, str], list[readers.Reading]] = {}
    for rows, reader in _READ:
        for side, row in rows(folder):
            reading = reader(row)
            if reading is not None:
                found.setdefault((side, reading[0]), []).append(reading)
    for (side, suite), readings in found.items():
        figures[side][suite] = readers.tally(readings)
        for _, state, text, detail in readings:
            if side == "dev" and suite == misses and state != "exact":
                print(f"{state}: {text!r}: {detail}")


def judge_cases(folder: Path, figures: Figures, misses: str, most: int) -> None:
    """Claims of answers against their sources."""
    for suite, (rows, judge) in _JUDGED.items():
        if misses and suite != misses:
            continue
        judged: dict[str, list[answers.Judged]] = {side: [] for side in data.PARTS}
        counts = dict.fromkeys(data.PARTS, 0)
        for side, row in rows(folder):
            if counts[side] < most:
                counts[side] += 1
                judged[side] += judge(row)
        for side, found in judged.items():
            if found:
                figures[side][suite] = answers.tally(found)
        for bad, flagged, shown in judged["dev"] if suite == misses else ():
            if bad != flagged:
                print(f"{'missed' if bad else 'false alarm'}: {shown}")


def judge_freshness(folder: Path, figures: Figures, misses: str) -> None:
    """The offline planner's decision whether only recent information answers; fast-changing facts are the positives."""
    judged: dict[str, list[answers.Judged]] = {side: [] for side in data.PARTS}
    for side, row in data.freshqa(folder):
        text = row["question"]
        fresh = freshness_required(text, time_reading(text, NOW, "UTC").spans, NOW)
        judged[side].append((row["fact_type"] == "fast-changing", fresh, text))
    for side, found in judged.items():
        if found:
            figures[side]["freshqa"] = answers.tally(found)
    if misses == "freshqa":
        for bad, flagged, shown in judged["dev"]:
            if bad != flagged:
                print(f"{'missed' if bad else 'false alarm'}: {shown}")


def speed() -> dict[str, float]:
    """Milliseconds an answer, with its evidence prepared."""
    times = sorted(answers.SECONDS)
    if not times:
        return {}
    return {f"p{share}": round(times[len(times) * share // 100] * 1e3, 2) for share in (50, 99)}


def table(figures: Figures) -> str:
    """The figures as a Markdown table."""
    lines = ["| set | part | cases | figures |", "|---|---|---|---|"]
    for suite in dict.fromkeys(suite for side in figures.values() for suite in side):
        for side in data.PARTS:
            if found := figures[side].get(suite):
                shown = ", ".join(f"{name} {value:.3f}" for name, value in found.items() if name != "cases")
                lines.append(f"| {suite} | {side} | {found['cases']} | {shown} |")
    return "\n".join(lines)


def main() -> None:
    """Measures, prints and writes."""
    options = argparse.ArgumentParser(prog="make bench-grounding", description=__doc__)
    options.add_argument("data", type=Path, help="the folder of the sets")
    options.add_argument("--misses", default="", metavar="SUITE", help="show what is missed in the dev part")
    options.add_argument("--most", type=int, default=1 << 30, help="rows a set and part at most")
    given = options.parse_args()
    if not given.data.is_dir():
        options.error(f"`{given.data}` is no folder")
    figures: Figures = {side: {} for side in data.PARTS}
    read_cases(given.data, figures, given.misses)
    judge_cases(given.data, figures, given.misses, given.most)
    judge_freshness(given.data, figures, given.misses)
    if not any(figures.values()):
        options.error(f"`{given.data}` holds none of the sets; see tests/bench/grounding/data.py")
    print(table(figures))
    print(f"\nms an answer, evidence prepared: {speed()}")
    target = Path("build/bench-grounding.json")
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps({**figures, "ms": speed()}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
