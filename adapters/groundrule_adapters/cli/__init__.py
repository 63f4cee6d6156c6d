"""The command line. Exit codes: 0 allowed or all good, 1 not allowed or faults found, 2 wrong call."""

from __future__ import annotations

import io
import sys


def main() -> None:
    """The command `groundrule`."""
    from .app import app

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # an output of another encoding must not end a command
    app()
