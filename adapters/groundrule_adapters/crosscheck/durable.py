"""A decision compared with what the worker derives from its readings."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from groundrule import Decision
from groundrule.rules.readings import Reading, Readings, readings

from ..settings import ConfigError
from .supervisor import Worker, WorkerFault

START = timedelta(seconds=5)
DEADLINE = timedelta(milliseconds=500)
"""For one decision, a restart of the worker included."""


class DurableCrossCheck:
    """Disputes decisions that the forward chainer does not come to. enforced: whether a disputed one must deny."""

    def __init__(self, enforced: bool, worker: Worker | None = None, deadline: timedelta = DEADLINE) -> None:
        self.enforced = enforced
        self._worker, self._deadline = worker or Worker(), deadline

    def open(self, limit: timedelta = START) -> None:
        """Starts the worker. Raises ConfigError if it does not start."""
        try:
            self._worker.open(limit)
        except WorkerFault as why:
            help = "pip install 'groundrule[durable]' on CPython 3.11 or 3.12, or leave the cross-check off"
            raise ConfigError("cross_check", "", f"the cross-check cannot be used: {why}", help) from None

    async def dispute(self, decision: Decision) -> str | None:
        """The same as `compare` without blocking the event loop; a thread ends within the deadline."""
        return await asyncio.to_thread(self.compare, decision)

    def compare(self, decision: Decision) -> str | None:
        """Why the decision is not confirmed, on one line; None if it is."""
        found = readings(decision)
        if found is None:
            return None if decision.outcome == "deny" else "rules that were not asked do not deny"
        places = _grouped(found)
        question = {"readings": list(map(dict, places)), "left": "some" if found.adapters_left else "none"}
        try:
            answer = self._worker.ask(question, self._deadline)
        except WorkerFault as why:
            return str(why)
        return _compared(decision, found, list(places.values()), answer)

    def close(self) -> None:
        """Ends the worker."""
        self._worker.close()


Tokens = tuple[tuple[str, str], ...]


def _grouped(found: Readings) -> dict[Tokens, set[int]]:
    """Readings that differ in nothing but their place are one fact, with the positions that it stands for."""
    places: dict[Tokens, set[int]] = {}
    for reading in found.readings:
        group = places.setdefault(_tokens(reading), set())
        if reading.position is not None:
            group.add(reading.position)
    return places


def _tokens(reading: Reading) -> Tokens:
    tokens = {name: value for name, value in asdict(reading).items() if name != "position"}
    return tuple((name, {True: "yes", False: "no"}.get(value, value)) for name, value in tokens.items())


def _compared(decision: Decision, found: Readings, places: list[set[int]], answer: Any) -> str | None:
    match answer:
        case {"outcome": str(outcome), "rejecting": list(rejecting)} if all(
            type(index) is int and 0 <= index < len(places) for index in rejecting
        ):
            rejected = set().union(*(places[index] for index in rejecting))
        case _:
            return "an answer that says no outcome"
    if outcome != decision.outcome:
        return f"the outcome is {decision.outcome} here and {outcome} there"
    admitted = tuple(id for position, id in enumerate(found.items) if position not in rejected)
    if admitted != decision.admitted:
        return f"{len(decision.admitted)} items are admitted here and {len(admitted)} or others there"
    return None
