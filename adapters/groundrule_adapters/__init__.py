"""The adapters of groundrule: everything that touches files, processes, databases and the network."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .files import open_rules
    from .settings import Settings
    from .wiring import open_gateway

__all__ = ["Settings", "open_gateway", "open_rules"]

_HOMES = {"open_rules": "files", "Settings": "settings", "open_gateway": "wiring"}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{home}", __name__), name)
