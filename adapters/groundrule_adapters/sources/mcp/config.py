"""Servers as desktop clients configure them: `{"mcpServers": {name: {command, args, env, …}}}`.

A server that is started has a `command`; one that runs elsewhere has a `url`, with `headers` or `oauth` (client
credentials: `issuer`, `client_id`, `client_secret`, `scope`).

Our own keys of a server, all optional: `tools` (the only tools that may be called), `mapping` (the name of its
mapping, by default the server's name), `read_only` (the operator's word on whether its tools change anything) and
`timeout` (seconds a call may take, never longer than the policy allows).

`${NAME}` and `${NAME:-default}` are replaced in command, args, cwd, url, oauth and the values of env and headers when
a server is about to be used; servers that are not used need no variables.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit, urlunsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from groundrule.diagnostics import did_you_mean

from ...settings import ConfigError, expand_variables, located
from .faults import McpConfigError

MAX_CONFIG = 1 << 20
"""Bytes of a configuration file."""

PASSED_ON = (
    (
        "SYSTEMROOT",
        "SYSTEMDRIVE",
        "PATH",
        "PATHEXT",
        "TEMP",
        "USERPROFILE",
        "APPDATA",
        "LOCALAPPDATA",
        "USERNAME",
    )
    if sys.platform == "win32"
    else ("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TMPDIR")
)
"""All that a server sees of our environment; the rest it gets by `env`."""

_FOREIGN = frozenset(
    {
        "type",
        "transport",
        "disabled",
        "description",
        "icon",
        "autoApprove",
        "alwaysAllow",
        "disabledTools",
        "envFile",
    }
)
"""Keys of other clients that we know and that ask nothing of us, except `disabled`."""

_SHORTEST_SECRET = 6
Name = Annotated[str, Field(min_length=1, max_length=64)]
Line = Annotated[str, Field(max_length=32_768, pattern=r"^[^\x00]*$")]


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", hide_input_in_errors=True)

    tools: list[Name] | None = None
    mapping: Name | None = None
    read_only: bool | None = None
    timeout: Annotated[float, Field(gt=0, le=600)] | None = None


class ServerEntry(_Entry):
    """A server that is started, as written in the file, nothing replaced."""

    command: Annotated[str, Field(min_length=1, max_length=4_096)]
    args: list[Line] = Field(default_factory=list, max_length=256, repr=False)
    env: dict[Name, Line] = Field(default_factory=dict, repr=False)
    cwd: Line | None = None


class OAuthEntry(BaseModel):
    """Client credentials, sent to this issuer alone."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", hide_input_in_errors=True)

    issuer: Annotated[str, Field(max_length=2_048)]
    client_id: Line
    client_secret: Line = Field(repr=False)
    scope: Line | None = None


class RemoteEntry(_Entry):
    """A server behind an address, as written in the file, nothing replaced."""

    url: Annotated[str, Field(min_length=1, max_length=2_048)]
    headers: dict[Annotated[str, Field(pattern=r"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$")], Line] = Field(
        default_factory=dict, max_length=64, repr=False
    )
    oauth: OAuthEntry | None = None


@dataclass(frozen=True)
class Launch:
    """How a server process is started; everything replaced. Its repr shows no value that may be secret."""

    command: str
    args: tuple[str, ...] = field(default=(), repr=False)
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: str | None = None
    secrets: frozenset[str] = field(default=frozenset(), repr=False)

    @property
    def shown(self) -> str:
        """What an error names: the command."""
        return self.command

    def redacted(self, text: str) -> str:
        """The text with every configured value replaced by `***`."""
        return masked(text, self.secrets)


@dataclass(frozen=True)
class Credentials:
    """Client credentials with everything replaced."""

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    scope: str | None = None


@dataclass(frozen=True)
class Endpoint:
    """How a server elsewhere is reached; everything replaced. issued: tokens that it was given, kept out of sight."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    oauth: Credentials | None = field(default=None, repr=False)
    secrets: frozenset[str] = field(default=frozenset(), repr=False)
    issued: set[str] = field(default_factory=set, repr=False, compare=False)

    @property
    def shown(self) -> str:
        """What an error names: the address without user, query and fragment."""
        parts = urlsplit(self.url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))

    def redacted(self, text: str) -> str:
        """The text with every configured value and every token replaced by `***`."""
        return masked(text, self.secrets | self.issued)


def masked(text: str, secrets: Set[str]) -> str:
    """The text with every secret replaced by `***`, longest first."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "***")
    return text


@dataclass(frozen=True)
class Server:
    """A configured server, ready to be expanded. file: where it is configured, for error messages."""

    name: str
    entry: ServerEntry | RemoteEntry
    file: str

    @property
    def mapping(self) -> str:
        """Name of the mapping of its results."""
        return self.entry.mapping or self.name

    @property
    def timeout(self) -> timedelta | None:
        """Longest that one call may take, if the operator says so."""
        return None if self.entry.timeout is None else timedelta(seconds=self.entry.timeout)

    def reach(self, env: Mapping[str, str]) -> Launch | Endpoint:
        """How the server is started or reached, every variable replaced. Raises McpConfigError for what is unusable."""
        place = f"mcpServers.{self.name}"
        secrets: set[str] = set()

        def expand(text: str, at: str) -> str:
            value = expand_variables(text, env, secrets)
            if isinstance(value, ConfigError):
                raise McpConfigError(self.file, f"{place}.{at}", value.message, value.help)
            return value

        if isinstance(self.entry, RemoteEntry):
            return self._endpoint(self.entry, expand, secrets)
        own = {name: expand(text, f"env.{name}") for name, text in self.entry.env.items()}
        secrets.update(own.values())
        cwd = None if self.entry.cwd is None else os.path.expanduser(expand(self.entry.cwd, "cwd"))
        return Launch(
            command=os.path.expanduser(expand(self.entry.command, "command")),
            args=tuple(expand(text, f"args[{at}]") for at, text in enumerate(self.entry.args)),
            env={name: env[name] for name in PASSED_ON if name in env} | own,
            cwd=cwd,
            secrets=_secret(secrets),
        )

    def _endpoint(self, entry: RemoteEntry, expand: Callable[[str, str], str], secrets: set[str]) -> Endpoint:
        place = f"mcpServers.{self.name}"
        url = expand(entry.url, "url")
        if not re.fullmatch(r"https?://[^\s/?#@]+(/[^\s#]*)?", url):
            help = "write http(s)://host/path; a user or key belongs into `headers`"
            raise McpConfigError(self.file, f"{place}.url", "this is no address of a server", help)
        headers = {name: expand(text, f"headers.{name}") for name, text in entry.headers.items()}
        secrets.update(headers.values(), (text.partition(" ")[2] for text in headers.values()))
        odd = next(
            (name for name, text in headers.items() if not re.fullmatch(r"[\x21-\x7e]([ -~]*[!-~])?", text)), None
        )
        if odd is not None:
            raise McpConfigError(self.file, f"{place}.headers.{odd}", "the value is no text that a header can carry")
        oauth = None
        if entry.oauth is not None:
            given = {
                name: expand(text, f"oauth.{name}") for name, text in entry.oauth.model_dump(exclude_none=True).items()
            }
            secrets.add(given["client_secret"])
            oauth = Credentials(**given)
            if not re.fullmatch(r"https?://\S+", oauth.issuer):
                raise McpConfigError(self.file, f"{place}.oauth.issuer", "an issuer is an http(s) address")
        return Endpoint(url, headers, oauth, _secret(secrets))


@dataclass(frozen=True)
class McpConfig:
    """What a file configures. servers: in order of preference. skipped: name to reason."""

    servers: tuple[Server, ...]
    skipped: Mapping[str, str] = field(default_factory=dict)


def find_config(explicit: Path | None, env: Mapping[str, str], cwd: Path) -> Path | None:
    """The file to use: the one named, `$GROUNDRULE_HOME/mcp.json`, or the working folder's `mcp.json`.

    None if there is none. Raises McpConfigError if the named one does not exist.
    """
    if explicit is not None:
        if not explicit.is_file():
            raise McpConfigError(str(explicit), "", "there is no such file", "check the path given by --mcp")
        return explicit
    homes = [Path(env["GROUNDRULE_HOME"])] if env.get("GROUNDRULE_HOME") else []
    for home in (*homes, cwd):
        if (home / "mcp.json").is_file():
            return home / "mcp.json"
    return None


def read_config(path: Path) -> McpConfig:
    """The servers that a file configures. Raises McpConfigError with the first fault."""
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_CONFIG + 1)
    except OSError as error:
        raise McpConfigError(str(path), "", f"the file cannot be read: {error.strerror}") from error
    if len(content) > MAX_CONFIG:
        raise McpConfigError(str(path), "", "the file is larger than 1 MiB")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise McpConfigError(str(path), f"byte {error.start}", "the file is not UTF-8") from error
    return parse_config(text, str(path))


def parse_config(text: str, file: str) -> McpConfig:
    """The servers of a configuration text. Raises McpConfigError with the first fault."""
    try:
        document = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise McpConfigError(file, f"{error.lineno}:{error.colno}", f"not valid JSON: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise McpConfigError(file, "", f"not usable as configuration: {error}") from error
    servers = document.get("mcpServers") if isinstance(document, dict) else None
    if not isinstance(servers, dict):
        shape = 'the shape is {"mcpServers": {"name": {"command": "…", "args": []}}}'
        raise McpConfigError(file, "mcpServers", "there is no object of servers", shape)
    found: list[Server] = []
    skipped: dict[str, str] = {}
    for name, entry in servers.items():
        server = _server(name, entry, file)
        if isinstance(server, Server):
            found.append(server)
        else:
            skipped[name] = server
    return McpConfig(tuple(found), skipped)


def _secret(values: set[str]) -> frozenset[str]:
    """Those that are long enough to be a secret, and to be masked without harm."""
    return frozenset(value for value in values if len(value) >= _SHORTEST_SECRET)


def sample_config(python: str) -> McpConfig:
    """The sample server and its backup, for a start without configuration. python: the interpreter to run them."""
    command = ["-m", "groundrule_adapters.sample_server"]
    entries = {
        "sample": ServerEntry(command=python, args=command, mapping="sample"),
        "sample-backup": ServerEntry(command=python, args=[*command, "--backup"], mapping="sample"),
    }
    return McpConfig(tuple(Server(name, entry, "<sample>") for name, entry in entries.items()))


def _server(name: str, entry: Any, file: str) -> Server | str:
    """The server, or why it is left out."""
    place = f"mcpServers.{name}"
    if not 0 < len(name) <= 64 or not name.isprintable():
        raise McpConfigError(file, place, "a server's name has 1 to 64 printable characters")
    if not isinstance(entry, dict):
        raise McpConfigError(file, place, "a server is an object")
    if entry.get("disabled") is True:
        return "disabled in the file"
    kind = RemoteEntry if "url" in entry and "command" not in entry else ServerEntry
    if kind is RemoteEntry and "sse" in (entry.get("type"), entry.get("transport")):
        return "only streamable HTTP is supported, not the transport `sse` that it replaced"
    ours = {key: value for key, value in entry.items() if key not in _FOREIGN}
    for key in ours:
        if key not in kind.model_fields:
            help = did_you_mean(key, kind.model_fields)
            raise McpConfigError(file, f"{place}.{key}", f"unknown key `{key}`", help)
    try:
        return Server(name, kind.model_validate(ours), file)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise McpConfigError(file, place + located(first["loc"]), first["msg"]) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key `{key}` stands twice")
        found[key] = value
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"`{name}` is not JSON")
