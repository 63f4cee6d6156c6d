"""The command line. Exit codes: 0 allowed or all good, 1 not allowed or faults found, 2 wrong call."""

from __future__ import annotations


def main() -> None:
    """The command `groundrule`."""
    from .app import app

    app()
