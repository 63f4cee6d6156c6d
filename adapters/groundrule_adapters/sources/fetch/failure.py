"""How fetching fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundrule.facts.words import Outcome


class FetchFailure(Exception):
    """A page that was not got. outcome: `empty`, `blocked`, `failed`, `timeout` or `refused`. reason: one sentence."""

    def __init__(self, outcome: Outcome, reason: str) -> None:
        super().__init__(f"{outcome}: {reason}")
        self.outcome: Outcome = outcome
        self.reason = reason
