"""The faults of what commands are given, which no file of a rule set has."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from groundrule import Diagnostic
from groundrule.facts.record import MAX_TEXT
from groundrule_adapters.cli import given

READINGS: tuple[Callable[[], object], ...] = (
    lambda: given.zone("Asia/Peking", "--zone"),
    lambda: given.instant("2026-04-15T08:00:00", "--now"),
    lambda: given.text_of("nosuch.txt"),
    lambda: given.decoded(b"36.5\xa1\xe6", "page.txt"),
    lambda: given.text_worded("1" * (MAX_TEXT + 1), "page.txt"),
    lambda: given.text_worded(" \n", "page.txt"),
    lambda: given.facts_with_evidence('{"evidence": [{"id": "a", "tittle": "Forecast"}]}', "facts.json"),
    lambda: given.facts_with_evidence('{"plan": {}}', "facts.json"),
)


def unfit() -> Iterator[Diagnostic]:
    """One fault of each code."""
    for reading in READINGS:
        try:
            reading()
        except given.Unfit as why:
            yield why.diagnostic
