"""How `ground` and `read` show what they found to people: the text with its pieces marked, and a table of them."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, TypeVar
from zoneinfo import ZoneInfo

from groundrule import Claim
from groundrule.diagnostics import visible

if TYPE_CHECKING:  # they take a tenth of a second to import, which other commands need not wait for
    from rich.console import Console

    from groundrule.facts.readings import Grounding, Readings, ReadNumber, ReadTime

WIDTH = 120
"""Columns where the output is no terminal."""
MAX_SHOWN = 4_000
"""Code points of a text that are shown, and rows of a table; `--json` has all."""
MAX_WORDS = 40
"""Code points of a piece that are shown in its row; the text above has them all."""
STYLES = {"bound": "green", "derived": "cyan", "unverified": "yellow", "contradicted": "red"}
Piece = tuple[int, int, str]
"""Begin, end, style."""
Row = TypeVar("Row")

_INTERVAL = re.compile(r"([0-9T:.-]{26}Z)/([0-9T:.-]{26}Z)")


def print_grounding(found: Grounding) -> None:
    """The answer with its claims marked by status, the claims, and what was not checked."""
    answer, console = found.answer, _console()
    claims = answer.claims or ()
    _print_text(console, answer.text or "", [(c.start or 0, c.end or 0, STYLES[c.status or "unverified"]) for c in claims])
    if claims:
        heads = ("at", "text", "kind", "value", "unit", "status", "rests on")
        handles: Mapping[str | None, str] = {id: handle for handle, id in reversed(list(found.handles.items()))}
        _print_table(console, heads, claims, lambda claim: _cells(claim, handles, found.zone))
    unknown = [citation.handle or "" for citation in answer.citations or () if citation.evidence is None]
    console.print(", ".join(_counts(claims)) or "no claims", style="bold")
    for remark, words in (
        ("handles that stand for no item", unknown),
        ("numbers in no claim", answer.unclaimed_numbers or ()),
        ("items that nothing rests on", found.not_grounding),
        ("not checked", [piece.text for piece in found.unchecked]),
    ):
        for word in dict.fromkeys(words):
            console.print(f"{remark}: {visible(word)}", soft_wrap=True)


def _counts(claims: Iterable[Claim]) -> Iterator[str]:
    counts = Counter[str | None](claim.status for claim in claims)
    return (f"{counts[status]} {status}" for status in STYLES if counts[status])


def _cells(claim: Claim, handles: Mapping[str | None, str], zone: str) -> tuple[str, ...]:
    """A claim in one row. handles: those of the items by id."""
    by_item = groupby(claim.operands or (), key=lambda operand: operand.evidence)
    operands = [f"{', '.join(each.text or '' for each in stated)} {handles.get(id, id)}" for id, stated in by_item]
    rests = "; ".join(operands or [handles.get(id, id) for id in claim.evidence or ()])
    if claim.status == "contradicted":
        rests = f"against {rests}"
    if claim.derivation is not None:
        rests = f"{claim.derivation} of {rests}"
    # Quotations and links have their words as their value.
    value = _value(claim.value or "", zone) if claim.kind not in ("quote", "link") else ""
    place, text = f"{claim.start}–{claim.end}", _short(claim.text or "")
    return place, text, claim.kind or "", value, claim.unit or "", claim.status or "", rests


def _short(words: str) -> str:
    return words if len(words) <= MAX_WORDS else words[: MAX_WORDS - 1] + "…"


def _value(value: str, zone: str) -> str:
    """A value; the ends of an interval as clocks in the zone show them."""
    ends = _INTERVAL.fullmatch(value)
    return " – ".join(_local(datetime.fromisoformat(end), zone) for end in ends.groups()) if ends else value


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
        _print_table(console, heads, rows, lambda row: (f"{row[0]}–{row[1]}", _short(row[3]), *row[4:]))
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
    line = Text("".join(shown).rstrip("\n") + ("…" if len(text) > last else ""))
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
        table.add_row(*(Text(visible(cell), STYLES.get(cell, "")) for cell in cells(row)))
    console.print(table)
    if len(rows) > MAX_SHOWN:
        console.print(f"… and {len(rows) - MAX_SHOWN} more")
