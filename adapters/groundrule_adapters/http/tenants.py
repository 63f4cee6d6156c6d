"""Tenants: each with rules, servers and receipts of its own, and rules that are replaced while it works."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from groundrule import RuleFileError, RuleSet
from groundrule.gateway.parts import Parts

from .. import wiring
from ..files import open_rules, read_files
from ..service_settings import DEFAULT_TENANT
from ..settings import Settings, SettingsError
from ..store.sqlite import SqliteStore, state_folder, tenant_folder

log = logging.getLogger("groundrule.service")
Opener = Callable[[Settings], AbstractAsyncContextManager[wiring.Gateway]]


@dataclass(frozen=True)
class InForce:
    """What a request works with from its beginning to its end, whatever is loaded meanwhile."""

    rules: RuleSet
    parts: Parts
    loaded_at: datetime


@dataclass
class Tenant:
    """One tenant. faults: why the files that lie there now are not in force; empty if they are."""

    name: str
    path: Path | None
    store: SqliteStore
    in_force: InForce
    left_out: Mapping[str, str]
    stamp: str
    faults: tuple[dict[str, Any], ...] = ()
    reloads: int = 0
    refusals: int = 0
    _seen: str = ""
    _refused: str = ""

    async def look(self) -> None:
        """Takes the rules over if they have changed, have stopped changing, and are valid."""
        found = await asyncio.to_thread(stamp_of, self.path)
        settled, self._seen = found == self._seen, found
        if found == self.stamp:
            self.faults, self._refused = (), ""
        if not settled or found in (self.stamp, self._refused):
            return
        try:
            rules = await asyncio.to_thread(_ready_rules, self.path)
        except RuleFileError as why:
            self._refused, self.refusals = found, self.refusals + 1
            self.faults = tuple(fault.to_json() for fault in why.diagnostics)
            first = self.faults[0] if self.faults else {}
            log.error(
                "the changed rules of tenant %s are not taken over: %d faults, the first %s in %s:%s; revision %s stays",
                self.name, len(self.faults), first.get("code"), first.get("file"), first.get("line"),
                self.in_force.rules.revision,
            )  # fmt: skip
            return
        if await asyncio.to_thread(stamp_of, self.path) != found:
            return  # it changed while it was read: at the next look it may be whole
        before = self.in_force
        self.in_force = InForce(rules, wiring.with_rules(before.parts, rules), wiring.now())
        self.stamp, self.faults, self.reloads = found, (), self.reloads + 1
        log.info("tenant %s: revision %s is in force after %s", self.name, rules.revision, before.rules.revision)


def stamp_of(path: Path | None) -> str:
    """A digest of the files of a rule set as they lie there; what cannot be read has one too."""
    digest = hashlib.sha256()
    try:
        for name, content in sorted(read_files(path).items()):
            digest.update(f"{len(name)} {name} {len(content)} ".encode("utf-8", "surrogateescape"))
            digest.update(content)
    except RuleFileError as why:
        digest.update(str(why).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()


def _ready_rules(path: Path | None) -> RuleSet:
    """The rule set with its programs compiled, so that the first request does not wait for them."""
    rules = open_rules(path)
    warm(rules)
    return rules


def warm(rules: RuleSet) -> None:
    """Compiles what is in force now."""
    for gate in rules.gates:
        rules.compiled(rules.program(gate, wiring.now(), {}))


def settings_of(settings: Settings, name: str) -> Settings:
    """The settings of a tenant: its own rules, its own servers, its own folder, and of the environment only values."""
    if name == DEFAULT_TENANT:
        return settings
    own = settings.service.tenants[name]
    home = tenant_folder(settings, name)
    env = {**settings.env, "GROUNDRULE_HOME": str(home)}
    return replace(settings, rules=own.rules, mcp=own.mcp, home=home, env=env, cwd=home)


def tenants_of(settings: Settings) -> dict[str, Settings]:
    """The settings of every tenant that some key belongs to. Raises SettingsError if two share a folder."""
    names = sorted({key.tenant for key in settings.service.keys}) or [DEFAULT_TENANT]
    found = {name: settings_of(settings, name) for name in names}
    homes: dict[Path, str] = {}
    for name, own in found.items():
        home = (own.home or state_folder()).resolve()
        if home in homes:
            raise SettingsError("groundrule.toml", f"service.tenants.{name}", f"it shares its folder with `{homes[home]}`")
        homes[home] = name
    return found


@asynccontextmanager
async def open_tenant(name: str, settings: Settings, opener: Opener) -> AsyncIterator[Tenant]:
    """A tenant that is ready to work. Raises RuleFileError or ConfigError."""
    stamp = await asyncio.to_thread(stamp_of, settings.rules)
    async with opener(settings) as gateway:
        await asyncio.to_thread(warm, gateway.rules)
        in_force = InForce(gateway.rules, gateway.parts, wiring.now())
        yield Tenant(name, settings.rules, gateway.store, in_force, gateway.left_out, stamp)
