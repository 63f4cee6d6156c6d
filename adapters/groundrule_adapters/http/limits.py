"""How much is taken on: requests a second of each key, and requests in hand at once."""

from __future__ import annotations

import math
from collections.abc import Callable

from .problems import BUSY, TOO_MANY, Problem


class Rates:
    """A bucket of tokens for each key: `burst` at once, `rate` a second in the long run; no rate is no limit.

    clock: seconds, monotonic.
    """

    def __init__(self, rate: float | None, burst: int, clock: Callable[[], float]) -> None:
        self._rate, self._burst, self._clock = rate, float(burst), clock
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, key: str) -> None:
        """Takes a token. Raises Problem with the seconds to wait if there is none."""
        if self._rate is None:
            return
        now = self._clock()
        left, at = self._left.get(key, (self._burst, now))
        left = min(self._burst, left + (now - at) * self._rate)
        if left < 1:
            self._left[key] = (left, now)
            wait = max(1, math.ceil((1 - left) / self._rate))
            raise Problem(TOO_MANY, f"the key may send {self._rate:g} requests a second", headers={"retry-after": str(wait)})
        self._left[key] = (left - 1, now)


class Slots:
    """A number of places, none of which is waited for: a queue would only hide that there is too much to do."""

    def __init__(self, count: int, what: str) -> None:
        self._count, self._what = count, what
        self.taken = 0

    def __enter__(self) -> None:
        """Takes a place, held until the block ends. Raises Problem if all are taken."""
        if self.taken >= self._count:
            raise Problem(BUSY, f"{self._count} {self._what} are in hand already", headers={"retry-after": "1"})
        self.taken += 1

    def __exit__(self, *raised: object) -> None:
        self.taken -= 1
