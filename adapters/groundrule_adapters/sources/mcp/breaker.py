"""How long to leave a server alone that keeps failing."""

from __future__ import annotations

from dataclasses import dataclass

FREE = 1
"""Failures in a row after which the server is tried again at once: one restart."""
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0
"""Seconds: the pause after one more failure; it doubles with each further one up to the longest."""


@dataclass
class Breaker:
    """Counts failures in a row of one server. Times are seconds of one monotonic clock."""

    failures: int = 0
    _shut_until: float = float("-inf")

    def failed(self, now: float) -> None:
        """One more failure."""
        self.failures += 1
        over = self.failures - FREE
        if over > 0:
            self._shut_until = now + min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(over - 1, 30))

    def succeeded(self) -> None:
        """The server answered."""
        self.failures, self._shut_until = 0, float("-inf")

    def pause(self, now: float) -> float:
        """Seconds until the server may be tried again; 0 if it may be now."""
        return max(0.0, self._shut_until - now)
