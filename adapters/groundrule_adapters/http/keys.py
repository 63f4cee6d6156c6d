"""API keys: made here, kept as digests, compared in constant time."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from ..service_settings import DEFAULT_TENANT, KeySettings

PREFIX = "grk_"
_SCHEME = b"bearer "


@dataclass(frozen=True)
class Caller:
    """Who calls: the key's name, its roles, and the tenant whose rules and runs it works with."""

    name: str
    roles: frozenset[str]
    tenant: str

    def may(self, role: str | None) -> bool:
        """Whether it has a role; `admin` has every role, and None stands for any key."""
        return role is None or role in self.roles or "admin" in self.roles


ANYBODY = Caller("none", frozenset({"admin"}), DEFAULT_TENANT)
"""Who calls a service without keys, which listens on loopback only."""


def new_key() -> str:
    """A fresh key with 256 random bits, which is why a plain digest of it can be kept."""
    return PREFIX + secrets.token_urlsafe(32)


def digest_of(key: str) -> str:
    """The digest under which a key is kept, in hexadecimal."""
    return sha256(key.encode()).hexdigest()


class Keyring:
    """The keys of the settings."""

    def __init__(self, keys: Sequence[KeySettings]) -> None:
        self._known = [(bytes.fromhex(key.digest), Caller(key.name, frozenset(key.roles), key.tenant)) for key in keys]

    def caller(self, authorization: bytes | None) -> Caller | None:
        """Who sent this header; None if nobody known did. Every key is compared, whichever fits."""
        if not self._known:
            return ANYBODY
        if authorization is None or authorization[: len(_SCHEME)].lower() != _SCHEME:
            return None
        given = sha256(authorization[len(_SCHEME) :].strip()).digest()
        found = None
        for digest, caller in self._known:
            if hmac.compare_digest(digest, given):
                found = caller
        return found
