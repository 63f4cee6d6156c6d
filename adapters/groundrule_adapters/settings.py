"""What an operator sets: where rules, servers and receipts are, and whose time zone holds."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """Settings of a gateway.

    rules: folder or file of the rule set; the shipped one if None. mcp: an `mcp.json`; if None it is searched in
    $GROUNDRULE_HOME and the working folder, and without any the sample servers serve. home: the state folder; the
    platform's if None. zone: IANA time zone of users whose context states none.
    """

    rules: Path | None = None
    mcp: Path | None = None
    home: Path | None = None
    zone: str = "UTC"
    env: Mapping[str, str] = field(default_factory=lambda: dict(os.environ), repr=False)
    cwd: Path = field(default_factory=Path.cwd)
