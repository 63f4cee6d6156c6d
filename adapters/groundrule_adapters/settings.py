"""What an operator sets: where rules, servers and receipts are, whose time zone holds, which model serves.

The file is `groundrule.toml`: the one named, else the one in $GROUNDRULE_HOME, else the one in the working folder.
Environment variables (`GROUNDRULE_…`, listed in VARIABLES) stand above the file, arguments above both. `${NAME}` and
`${NAME:-default}` in a value of the file are replaced, so that no secret needs to stand in it.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    IPvAnyNetwork,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)

from groundrule.diagnostics import did_you_mean

from .service_settings import ServiceSettings

MAX_FILE = 1 << 20
"""Bytes of a settings file."""

VARIABLES: Mapping[str, tuple[str, ...]] = {
    "GROUNDRULE_RULES": ("rules",),
    "GROUNDRULE_MCP": ("mcp",),
    "GROUNDRULE_ZONE": ("zone",),
    "GROUNDRULE_CROSS_CHECK": ("cross_check",),
    "GROUNDRULE_MODEL": ("model", "model"),
    "GROUNDRULE_MODEL_BASE_URL": ("model", "base_url"),
    "GROUNDRULE_MODEL_API_KEY": ("model", "api_key"),
    "GROUNDRULE_SERVICE_HOST": ("service", "host"),
    "GROUNDRULE_SERVICE_PORT": ("service", "port"),
}
"""Environment variables and the setting that each one sets. An empty one sets nothing."""

CrossCheckMode = Literal["off", "shadow", "enforce"]

_VARIABLE = re.compile(r"\$\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?P<default>[^}]*))?\}")


class ConfigError(ValueError):
    """A file of the operator's that cannot be used.

    file: its name. place: where in it, for example `mcpServers.news.args[1]` or `12:3`; empty for the whole file.
    message: one sentence. help: what to do about it; may be empty. No value of a variable is ever in them.
    """

    def __init__(self, file: str, place: str, message: str, help: str = "") -> None:
        self.file, self.place, self.message, self.help = file, place, message, help
        where = f"{file}: {place}" if place else file
        super().__init__(f"{where}: {message}" + (f" ({help})" if help else ""))


class SettingsError(ConfigError):
    """A `groundrule.toml`, or a variable that stands above it, that cannot be used."""


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class ModelSettings(_Section):
    """An OpenAI-compatible model. Without `base_url` and `model` no model is asked and the offline parts serve.

    base_url: its API, for example `http://127.0.0.1:8901/v1`. api_key: sent as bearer token, if there is one.
    model: its name there. planner, drafter: what it is used for. on_failure: whether a question is refused when the
    model fails, or the offline parts serve in its place. timeout: seconds that one call may take with all its retries.
    retries: how often a call is made again after a fault of transport. temperature, max_tokens: of a reply; the latter
    is its longest. max_tokens_name: how the server calls it. leave_out: parameters that it refuses, which are not
    sent; without `response_format` the schema of a plan is not sent either, and the plan is read as strictly as ever.
    max_evidence, max_item: code points of all admitted items, and of one, that the drafter shows it.
    """

    base_url: Annotated[str, Field(pattern=r"^https?://\S+$", max_length=2_048)] | None = None
    api_key: SecretStr | None = None
    model: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    planner: bool = True
    drafter: bool = True
    on_failure: Literal["refuse", "offline"] = "refuse"
    timeout: Annotated[float, Field(gt=0, le=600)] = 20.0
    retries: Annotated[int, Field(ge=0, le=5)] = 1
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    max_tokens: Annotated[int, Field(ge=64, le=32_768)] = 2_048
    max_tokens_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    leave_out: tuple[Literal["temperature", "max_tokens", "response_format"], ...] = ()
    max_evidence: Annotated[int, Field(ge=500, le=1_000_000)] = 20_000
    max_item: Annotated[int, Field(ge=200, le=1_000_000)] = 6_000

    @property
    def usable(self) -> bool:
        """Whether there is a model to ask."""
        return self.base_url is not None and self.model is not None

    @field_validator("base_url")
    @classmethod
    def _plain_address(cls, url: str | None) -> str | None:
        parts = urlsplit(url or "")
        if parts.username is not None or parts.query or parts.fragment:
            raise ValueError("an address without user, query and fragment is expected; a key is set as api_key")
        return url

    @field_validator("api_key")
    @classmethod
    def _visible(cls, key: SecretStr | None) -> SecretStr | None:
        if key is not None and not re.fullmatch(r"[\x21-\x7e]{1,4096}", key.get_secret_value()):
            raise ValueError("a key is one line of visible ASCII without blanks")
        return key

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.base_url is None) != (self.model is None):
            lacking = "model.base_url" if self.base_url is None else "model.model"
            raise ValueError(f"a model needs base_url and model, and {lacking} is not set")
        return self


class FetchSettings(_Section):
    """How pages are fetched.

    allow_addresses: ranges, as in `127.0.0.0/8`, that are fetched although they are not public. timeout: seconds
    for one page with all its redirects. max_bytes: of a body, once it is decompressed. user_agent: how we present
    ourselves.
    """

    allow_addresses: tuple[IPvAnyNetwork, ...] = ()
    timeout: Annotated[float, Field(gt=0, le=120)] = 8.0
    max_bytes: Annotated[int, Field(ge=1_024, le=64 << 20)] = 4 << 20
    user_agent: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[\x20-\x7e]+$")] = "groundrule/0.1"


class LiveSettings(_Section):
    """The live search that stands in when no MCP server brings enough.

    enabled: off unless the operator switches it on. provider: its name in the table of providers. base_url: where
    it is, if not at its usual place. pages: most result pages that are read.
    """

    enabled: bool = False
    provider: Annotated[str, Field(min_length=1, max_length=64)] = "duckduckgo"
    base_url: Annotated[str, Field(pattern=r"^https?://\S+$", max_length=2_048)] | None = None
    pages: Annotated[int, Field(ge=1, le=20)] = 4


class _File(_Section):
    rules: Path | None = None
    mcp: Path | None = None
    home: Path | None = None
    zone: str | None = None
    cross_check: CrossCheckMode = "off"
    model: ModelSettings = ModelSettings()
    fetch: FetchSettings = FetchSettings()
    live: LiveSettings = LiveSettings()
    service: ServiceSettings = ServiceSettings()

    @field_validator("rules", "mcp", "home")
    @classmethod
    def _own(cls, path: Path | None) -> Path | None:
        return None if path is None else path.expanduser()


@dataclass(frozen=True)
class Settings:
    """Settings of a gateway.

    rules: folder or file of the rule set; the shipped one if None. mcp: an `mcp.json`; if None it is searched in
    $GROUNDRULE_HOME and the working folder, and without any the sample servers serve. home: the state folder; the
    platform's if None. zone: IANA time zone of users whose context states none; if None see `users_zone`.
    cross_check: whether durable-rules derives each decision again; `shadow` notes in the receipt what it does not
    confirm, `enforce` denies it.
    """

    rules: Path | None = None
    mcp: Path | None = None
    home: Path | None = None
    zone: str | None = None
    cross_check: CrossCheckMode = "off"
    model: ModelSettings = field(default_factory=ModelSettings)
    fetch: FetchSettings = field(default_factory=FetchSettings)
    live: LiveSettings = field(default_factory=LiveSettings)
    service: ServiceSettings = field(default_factory=ServiceSettings)
    env: Mapping[str, str] = field(default_factory=lambda: dict(os.environ), repr=False)
    cwd: Path = field(default_factory=Path.cwd)


def read_settings(
    path: Path | None = None, env: Mapping[str, str] | None = None, cwd: Path | None = None, **given: Any
) -> Settings:
    """The settings that hold: file, then environment, then what is given and not None.

    path: a settings file that must exist; if None it is searched. given: fields of Settings. Raises SettingsError.
    """
    env = dict(os.environ) if env is None else env
    cwd = Path.cwd() if cwd is None else cwd
    found = _find(path, env, cwd)
    document: dict[str, Any] = {} if found is None else _expanded(_document(found), env, str(found))
    for variable, place in VARIABLES.items():
        if env.get(variable):
            _set(document, place, env[variable])
    read = _validated(document, "<environment>" if found is None else str(found))
    base = cwd if found is None else found.parent
    settings = Settings(
        rules=None if read.rules is None else base / read.rules,
        mcp=None if read.mcp is None else base / read.mcp,
        home=None if read.home is None else base / read.home,
        zone=read.zone,
        cross_check=read.cross_check,
        model=read.model,
        fetch=read.fetch,
        live=read.live,
        service=read.service.under(base),
        env=env,
        cwd=cwd,
    )
    return replace(settings, **{name: value for name, value in given.items() if value is not None})


def users_zone(zone: str | None, env: Mapping[str, str]) -> str:
    """The IANA time zone of users whose context states none: the setting, else the one that TZ names, else
    Asia/Shanghai. Raises ValueError if there is no zone of the setting's name.
    """
    from groundrule.grounding.times import zone_of  # late: it takes a twelfth of a second

    if zone is not None:
        return zone_of(zone).key
    try:
        return zone_of(env.get("TZ", "")).key
    except ValueError:  # none, or a file, as in `:/etc/localtime`
        return "Asia/Shanghai"


def zone_of(settings: Settings) -> str:
    """The time zone of questions whose context states none. Raises SettingsError."""
    try:
        return users_zone(settings.zone, settings.env)
    except ValueError:
        help_ = "write an IANA name, such as Asia/Shanghai"
        raise SettingsError("groundrule.toml", "zone", f"there is no time zone `{settings.zone}`", help_) from None


def expand_variables(text: str, env: Mapping[str, str], used: set[str]) -> str | ConfigError:
    """The text with its variables replaced; what they stood for is added to `used`.

    A default stands in for a variable that is unset or empty, as in a shell.
    """
    missing: list[str] = []

    def value(match: re.Match[str]) -> str:
        name, default = match["name"], match["default"]
        found = env.get(name)
        if default is not None and not found:
            return default
        if found is None:
            missing.append(name)
            return ""
        used.add(found)
        return found

    if text.count("${") != len(_VARIABLE.findall(text)):
        return ConfigError("", "", "a `${` that is no variable", "write ${NAME} or ${NAME:-default}")
    expanded = _VARIABLE.sub(value, text)
    if missing:
        help = f"set {missing[0]}, or write ${{{missing[0]}:-default}}"
        return ConfigError("", "", f"the environment variable `{missing[0]}` is not set", help)
    return expanded


def located(loc: tuple[int | str, ...]) -> str:
    """A place of pydantic as people write it: `.args[1]`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc)


def _find(path: Path | None, env: Mapping[str, str], cwd: Path) -> Path | None:
    if path is not None:
        if not path.is_file():
            raise SettingsError(str(path), "", "there is no such file", "check the path given by --settings")
        return path
    homes = [Path(env["GROUNDRULE_HOME"])] if env.get("GROUNDRULE_HOME") else []
    return next((home / "groundrule.toml" for home in (*homes, cwd) if (home / "groundrule.toml").is_file()), None)


def _document(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_FILE + 1)
    except OSError as error:
        raise SettingsError(str(path), "", f"the file cannot be read: {error.strerror}") from error
    if len(content) > MAX_FILE:
        raise SettingsError(str(path), "", "the file is larger than 1 MiB")
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise SettingsError(str(path), f"byte {error.start}", "the file is not UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(str(path), "", f"not valid TOML: {error}") from None


def _expanded(value: Any, env: Mapping[str, str], file: str, at: str = "") -> Any:
    """The document with the variables of its texts replaced."""
    if isinstance(value, dict):
        return {key: _expanded(part, env, file, f"{at}.{key}") for key, part in value.items()}
    if isinstance(value, list):
        return [_expanded(part, env, file, f"{at}[{number}]") for number, part in enumerate(value)]
    if not isinstance(value, str):
        return value
    text = expand_variables(value, env, set())
    if isinstance(text, ConfigError):
        raise SettingsError(file, at.removeprefix("."), text.message, text.help)
    return text


def _set(document: dict[str, Any], place: tuple[str, ...], value: str) -> None:
    for key in place[:-1]:
        section = document.setdefault(key, {})
        if not isinstance(section, dict):
            return  # the file has no section there, which its validation says
        document = section
    document[place[-1]] = value


def _validated(document: dict[str, Any], file: str) -> _File:
    try:
        return _File.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        place = located(first["loc"]).removeprefix(".")
        if first["type"] == "extra_forbidden":
            key = str(first["loc"][-1])
            help = did_you_mean(key, _keys(first["loc"][:-1]))
            raise SettingsError(file, place, f"unknown key `{key}`", help) from None
        raise SettingsError(file, place, first["msg"].removeprefix("Value error, ")) from None


def _keys(loc: tuple[int | str, ...]) -> list[str]:
    """The keys that may stand at a place of the file."""
    model: type[BaseModel] = _File
    for part in loc:
        inner = model.model_fields[str(part)].annotation if str(part) in model.model_fields else None
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return []
        model = inner
    return list(model.model_fields)
