"""An event loop in which nobody waits for a limit to pass: what is late moves its clock to the next timer.

So the limits of the shipped rules hold in the tests, however busy the machine is, and cost no time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any, TypeVar

Result = TypeVar("Result")


class HurriedLoop(asyncio.SelectorEventLoop):
    """A loop whose clock can be moved on."""

    def __init__(self) -> None:
        self._ahead = 0.0
        self._timers: list[asyncio.TimerHandle] = []
        super().__init__()

    def time(self) -> float:
        """Seconds, those that were skipped included."""
        return super().time() + self._ahead

    def call_at(
        self, when: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """As the loop does; the timer is remembered."""
        handle = super().call_at(when, callback, *args, context=context)
        self._timers.append(handle)
        return handle

    def skip(self) -> None:
        """Moves the clock to the next timer that is still to come."""
        now = self.time()
        self._timers = [timer for timer in self._timers if not timer.cancelled() and timer.when() > now]
        self._ahead += max(0.0, min((timer.when() for timer in self._timers), default=now) - now)


def ran(work: Coroutine[Any, Any, Result]) -> Result:
    """What the work gives, in such a loop."""
    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        return runner.run(work)


async def late() -> Any:
    """Takes longer than any limit: one timer after the other passes until one of them ends this."""
    loop = asyncio.get_running_loop()
    while True:
        for _ in range(10):  # the limit that has just passed is heard of before the next one does
            await asyncio.sleep(0)
        if isinstance(loop, HurriedLoop):
            loop.skip()
        else:
            await asyncio.sleep(3_600)
