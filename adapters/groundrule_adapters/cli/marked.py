"""How `read` shows what it found to people: the text with its pieces marked, and a table of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import accumulate
from typing import TYPE_CHECKING, TypeVar
from zoneinfo import ZoneInfo

from groundrule.diagnostics import visible
from groundrule.facts.readings import Readings, ReadNumber, ReadTime

if TYPE_CHECKING:  # it takes a tenth of a second to import, which other commands need not wait for
    from rich.console import Console

WIDTH = 120
"""Columns where the output is no terminal."""
MAX_SHOWN = 4_000
"""Code points of a text that are shown, and rows of a table; `--json` has all."""
Piece = tuple[int, int, str]
"""Begin, end, style."""
Row = TypeVar("Row")


def print_readings(found: Readings) -> None:
    """The text with numbers and times marked, and what each means."""
    console = _console()
    rows = [
        *((each.start, each.end, "green", each.text, each.kind, *_meant(each)) for each in found.numbers),
        *((each.start, each.end, "magenta", each.text, "name", each.value, "", "") for each in found.names),
        *((each.start, each.end, "cyan", each.text, "time", *_ranged(each, found.zone)) for each in found.times),
        *((each.start, each.end, "red", each.text, "refused", "", "", each.reason) for each in found.refused),
    ]
    rows.sort()
    _print_text(console, found.text, [row[:3] for row in rows])
    if rows:
        heads = ("at", "text", "kind", "value", "unit", "more")
        _print_table(console, heads, rows, lambda row: (f"{row[0]}–{row[1]}", *row[3:]))
    else:
        console.print("no numbers and no times")


def _meant(found: ReadNumber) -> tuple[str, str, str]:
    per = f"/{found.per}" if found.per else ""
    more = (found.hedge or "", f"{found.joined} with {found.other}" if found.joined else "", f"step {found.step}")
    return found.value, f"{found.unit or ''}{per}", ", ".join(filter(None, more))


def _ranged(found: ReadTime, zone: str) -> tuple[str, str, str]:
    begin = _local(found.from_, zone) if found.from_ is not None else "…"
    until = _local(found.to, zone) if found.to is not None else "…"
    return f"{begin} – {until}", "", "" if found.explicit else "relative to now"


def _local(at: datetime, zone: str) -> str:
    """An instant as clocks in the zone show it, no finer than it must be."""
    try:
        local = at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    except OverflowError:  # on the first or last day of all
        return at.isoformat()
    return local.isoformat(" ", "seconds" if local.second or local.microsecond else "minutes")


def _console() -> Console:
    from rich.console import Console

    width = None if sys.stdout.isatty() else WIDTH
    return Console(file=sys.stdout, width=width, highlight=False, markup=False, emoji=False)


def _print_text(console: Console, text: str, pieces: Iterable[Piece]) -> None:
    """The text, its pieces underlined in their style; control characters are shown as escapes."""
    from rich.text import Text

    shown = [char if char == "\n" else visible(char) for char in text[:MAX_SHOWN]]
    offsets = [0, *accumulate(map(len, shown))]
    last = len(shown)
    line = Text("".join(shown) + ("…" if len(text) > last else ""))
    for start, end, style in pieces:
        line.stylize(f"underline {style}", offsets[min(start, last)], offsets[min(end, last)])
    console.print(line, soft_wrap=True)


def _print_table(
    console: Console, heads: Iterable[str], rows: Sequence[Row], cells: Callable[[Row], Iterable[str]]
) -> None:
    """A table of the first rows; what texts brought along is shown as escapes."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for head in heads:
        table.add_column(head, overflow="fold")
    for row in rows[:MAX_SHOWN]:
        table.add_row(*(Text(visible(cell)) for cell in cells(row)))
    console.print(table)
    if len(rows) > MAX_SHOWN:
        console.print(f"… and {len(rows) - MAX_SHOWN} more")
