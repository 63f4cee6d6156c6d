"""What follows from readings, in a few lines of Python: the oracle for everything that derives decisions from them."""

from __future__ import annotations

from groundrule.rules.readings import Reading, Readings

STRONGEST = ("deny", "clarify", "confirm", "fallback")


def follows(reading: Reading, adapters_left: bool) -> str | None:
    """The effect that a reading has after all; None if it has none."""
    undecided = reading.holds == "undecided"
    violated = undecided or (reading.holds == "true") is (reading.sense == "forbid")
    waived = reading.waiver == "true" and not undecided
    if reading.when == "false" or not violated or reading.watched or waived:
        return None
    if reading.effect == "oblige":
        return "deny" if reading.promise in ("missing", "undecided") else None
    if reading.effect == "fallback" and not adapters_left:
        return "deny"
    return reading.effect


def derived(found: Readings) -> tuple[str, tuple[str, ...]]:
    """Outcome and ids of the admitted items."""
    effects = [(follows(reading, found.adapters_left), reading.position) for reading in found.readings]
    outcome = next((name for name in STRONGEST if any(name == effect for effect, _ in effects)), "allow")
    rejected = {position for effect, position in effects if effect == "reject"}
    return outcome, tuple(id for position, id in enumerate(found.items) if position not in rejected)
