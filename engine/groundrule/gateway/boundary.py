"""The one boundary between the pipeline and the ports: nothing that a port does gets past it unnamed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, TypeVar

from ..diagnostics import visible

MAX_REASON = 300
Result = TypeVar("Result")


@dataclass(frozen=True)
class Failure:
    """A port that raised or took too long. reason: one line for the receipt, never shown to the user."""

    outcome: Literal["failed", "timeout"]
    reason: str


class Unfit(ValueError):
    """What a port gave is not what it promises. Raised by the checks that run within the boundary."""


async def within(limit: timedelta, call: Callable[[], Awaitable[Result]]) -> Result | Failure:
    """What the port gives within the limit; a Failure if it raises or is late, whose work is then cancelled.

    Nothing is begun without time. A cancellation of the caller is passed on: it is no failure of the port.
    """
    seconds = limit.total_seconds()
    if seconds <= 0:
        return Failure("timeout", "no time was left")
    try:
        async with asyncio.timeout(seconds):
            return await call()
    except TimeoutError as error:  # the limit's own says nothing; a port may say more
        return Failure("timeout", one_reason(str(error)) or f"not done within {seconds:.1f} s")
    except (asyncio.CancelledError, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # noqa: BLE001  a port may raise anything, a panic of Rust too, and that is a failure
        return Failure("failed", reason_of(error))


def reason_of(error: BaseException) -> str:
    """Kind and message of an error on one line; of a group, of the first error that it is about."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return one_reason(f"{type(error).__name__}: {error}")


def one_reason(text: str) -> str:
    """A reason as it is kept: one line without control characters or lone surrogates, at most MAX_REASON long."""
    return visible(text)[:MAX_REASON]
