"""The process in which bytes from outside are parsed: one task of ours, then it ends. Started by `parsing`."""

from __future__ import annotations

import contextlib
import importlib
import json
import sys

_MEMORY = 1 << 30
"""Bytes of address space."""
_CPU = 20
"""Seconds of processor time; the deadline ends the process sooner."""
_PACKAGE = (__package__ or "").partition(".")[0]


def _main() -> None:
    """The task of this process, once: an order of one line and the bytes on standard input."""
    _limit()
    order = json.loads(sys.stdin.buffer.readline())
    module, _, name = str(order["task"]).partition(":")
    if module.partition(".")[0] != _PACKAGE:
        raise ValueError("a task is a function of ours")
    result = getattr(importlib.import_module(module), name)(sys.stdin.buffer.read(), **order["note"])
    sys.stdout.buffer.write(json.dumps(result, ensure_ascii=True).encode())


def _limit() -> None:
    """No more memory and time than a page deserves, and no file written; where the system knows such limits."""
    if sys.platform == "win32":
        return
    import resource

    for kind, most in ((resource.RLIMIT_AS, _MEMORY), (resource.RLIMIT_CPU, _CPU), (resource.RLIMIT_FSIZE, 0)):
        with contextlib.suppress(ValueError, OSError):  # a lower limit is in force already, or the system has none
            resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    _main()
