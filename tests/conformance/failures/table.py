"""The failure table of the shipped rule set, read as people read it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

TABLE = Path(__file__).parents[3] / "policies" / "failures.md"
PARTS = ("rules", "planner", "mcp", "fallback", "model", "store")


@dataclass(frozen=True)
class Row:
    """One row: what the fault of a part leads to."""

    part: str
    fault: str
    attempt: str
    then: str
    reply: str

    def __str__(self) -> str:
        return f"{self.part} {self.fault}"


def rows() -> list[Row]:
    """All rows. A table without rows, with another shape or with a part of no known name is an error."""
    lines = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    header, ruler, *body = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    assert header == ["part", "fault", "attempt", "then", "reply"]
    assert set(ruler) == {"---"}
    found = [Row(*cells) for cells in body]
    assert tuple(dict.fromkeys(row.part for row in found)) == PARTS
    return found


def cases() -> list[tuple[Row, ...]]:
    """Every fault alone, and every two faults that can happen in one run."""
    all_rows = rows()
    pairs = [(one, other) for one, other in combinations(all_rows, 2) if one.part != other.part]
    return [(row,) for row in all_rows] + pairs


def expected(faults: tuple[Row, ...]) -> tuple[str, str]:
    """What the table says of these faults: `no start`, or the reply's status and its kind."""
    ordered = sorted(faults, key=lambda row: PARTS.index(row.part))
    if ordered and ordered[0].then == "no start":
        return "no start", ""
    result = ("answered", "")
    for row in ordered:
        if row.then == "end" and (result[0] == "answered" or row.part == "store"):
            result = ("refused", row.reply)
        elif row.part == "fallback" and result[0] == "answered":
            before = next((each for each in ordered if each.part == "mcp"), None)
            if before is not None:
                result = ("refused", "stale" if "stale" in (before.reply, row.reply) else row.reply)
    return result
