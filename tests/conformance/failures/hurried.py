"""An event loop in which nobody waits for a limit to pass: what is late moves its clock to the next timer.

So the limits of the shipped rules hold in the tests, however busy the machine is, and cost no time.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any, TypeVar

Result = TypeVar("Result")


class HurriedLoop(asyncio.SelectorEventLoop):
    """A loop whose clock can be moved on."""

    def __init__(self) -> None:
        self.skipped = 0.0
        """Seconds."""
        self._timers: list[asyncio.TimerHandle] = []
        super().__init__()

    def time(self) -> float:
        """Seconds, those that were skipped included."""
        return super().time() + self.skipped

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
        self.skipped += max(0.0, min((timer.when() for timer in self._timers), default=now) - now)


def ran(work: Coroutine[Any, Any, Result]) -> Result:
    """What the work gives, in such a loop."""
    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        return runner.run(work)


async def late(seconds: float = math.inf) -> Any:
    """Takes longer than any limit: one timer after the other passes until one of them ends this.

    seconds: once as many are skipped, no more are. A server says so, since it does not see when its client gives up;
    what has passed before it was asked counts for the client alone, so it says a little less than the limit.
    """
    loop = asyncio.get_running_loop()
    if isinstance(loop, HurriedLoop):
        begun = loop.skipped
        while loop.skipped - begun < seconds:
            for _ in range(50):  # the limit that has just passed is heard of before the next one does
                await asyncio.sleep(0)
            loop.skip()
    await asyncio.Event().wait()
