"""What an operator sets of the HTTP service: where it listens, who may call it, how much it takes on."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

DEFAULT_TENANT = "default"
Role = Literal["evaluate", "ask", "read-runs", "admin"]
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class KeySettings(_Section):
    """Who may call the service.

    name: stands in the access log. sha256: the digest of the key in hexadecimal. key: the key itself, as
    `${VARIABLE}`; one of the two is given. roles: what it may do; `admin` may do all. tenant: whose rules, servers
    and runs it works with.
    """

    name: Name
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    key: SecretStr | None = None
    roles: Annotated[tuple[Role, ...], Field(min_length=1)]
    tenant: Name = DEFAULT_TENANT

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.key is None) == (self.sha256 is None):
            raise ValueError("a key has either `sha256` or `key`")
        if self.key is not None and len(self.key.get_secret_value()) < 16:
            raise ValueError("a key has at least 16 characters; `groundrule keys new` makes one")
        return self

    @property
    def digest(self) -> str:
        """The SHA-256 of the key in hexadecimal."""
        if self.key is not None:
            return sha256(self.key.get_secret_value().encode()).hexdigest()
        return self.sha256 or ""


class TenantSettings(_Section):
    """What one tenant has of its own.

    rules: its rule set; the shipped one if None. home: the folder of its receipts and of its `mcp.json`; a folder of
    its name in the state folder if None. mcp: its `mcp.json`, if it is elsewhere.
    """

    rules: Path | None = None
    home: Path | None = None
    mcp: Path | None = None

    @field_validator("rules", "home", "mcp")
    @classmethod
    def _own(cls, path: Path | None) -> Path | None:
        return None if path is None else path.expanduser()

    def under(self, base: Path) -> TenantSettings:
        """The same with its paths meant from a folder."""
        paths = {name: base / path for name in ("rules", "home", "mcp") if (path := getattr(self, name)) is not None}
        return self.model_copy(update=paths)


class ServiceSettings(_Section):
    """The HTTP service.

    host, port: where it listens; without keys only on loopback. workers: processes. max_body: bytes of a request's
    body. body_timeout: seconds in which a body must arrive. head_timeout: seconds for the head of a request.
    concurrency, asks: requests, and questions among them, that a worker has in hand at once. connections: that a
    worker holds open. rate, burst: requests a second of one key in the long run, and at once; None is no limit.
    evaluate_timeout, ask_timeout: seconds that such a request may take. stop_timeout: seconds that what is in flight
    gets at a stop. reload: seconds between looks at the rule sets; 0 never looks again. log_questions: whether the
    access log has the text of questions. traces: where spans go; `otlp` is set by the variables of OpenTelemetry.
    """

    host: Annotated[str, Field(min_length=1, max_length=255)] = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65_535)] = 8080
    workers: Annotated[int, Field(ge=1, le=64)] = 1
    keys: tuple[KeySettings, ...] = ()
    tenants: dict[Name, TenantSettings] = Field(default_factory=dict)
    max_body: Annotated[int, Field(ge=1_024, le=32 << 20)] = 17 << 20
    body_timeout: Annotated[float, Field(gt=0, le=600)] = 10.0
    head_timeout: Annotated[float, Field(gt=0, le=600)] = 10.0
    concurrency: Annotated[int, Field(ge=1, le=10_000)] = 128
    asks: Annotated[int, Field(ge=1, le=1_000)] = 16
    connections: Annotated[int, Field(ge=1, le=100_000)] = 1_000
    rate: Annotated[float, Field(gt=0)] | None = None
    burst: Annotated[int, Field(ge=1)] = 20
    evaluate_timeout: Annotated[float, Field(gt=0, le=600)] = 10.0
    ask_timeout: Annotated[float, Field(gt=0, le=3_600)] = 120.0
    stop_timeout: Annotated[int, Field(ge=1, le=600)] = 30
    reload: Annotated[float, Field(ge=0, le=3_600)] = 2.0
    log_questions: bool = False
    traces: Literal["off", "otlp"] = "off"

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        names = [key.name for key in self.keys]
        if len(set(names)) < len(names) or len({key.digest for key in self.keys}) < len(names):
            raise ValueError("every key has a name and a digest of its own")
        if DEFAULT_TENANT in self.tenants:
            raise ValueError(f"the tenant `{DEFAULT_TENANT}` is what stands outside of [service]")
        for key in self.keys:
            if key.tenant != DEFAULT_TENANT and key.tenant not in self.tenants:
                raise ValueError(f"the key `{key.name}` names the tenant `{key.tenant}`, which is not there")
        return self

    def under(self, base: Path) -> ServiceSettings:
        """The same with its paths meant from a folder."""
        return self.model_copy(update={"tenants": {name: part.under(base) for name, part in self.tenants.items()}})
