"""Declared mappings: how the results of one server's tool become evidence.

Text of a server is evidence only where a mapping says which of it is what. A mapping is a YAML file named after the
server; the keys and their meaning are the fields of `ResultMapping`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator, model_validator

from groundrule import Diagnostic, codes
from groundrule.diagnostics import did_you_mean
from groundrule.rules.parse import MAX_FILE

from ...settings import located
from .faults import MappingError, McpConfigError
from .yaml_file import Places, read_yaml

PLACEHOLDERS = (
    "query",
    "url",
    "topic",
    "location_hint",
    "time_range_hint",
    "language",
    "query_kind",
    "result_limit",
)
"""What an argument may be filled with: each search query, each address, fields of the plan."""
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")

Line = Annotated[str, Field(min_length=1, max_length=500)]
Path = Annotated[str, Field(pattern=r"^[^.\s]+(\.[^.\s]+)*$", max_length=200)]
"""Names joined by dots, the way to a value inside a JSON object."""
Paths = Annotated[tuple[Path, ...], Field(min_length=1, max_length=8)]
Scalar = str | int | float | bool
Argument = Scalar | Annotated[tuple[Scalar, ...], Field(max_length=32)]


class _Declared(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", hide_input_in_errors=True)


class Structured(_Declared):
    """`structuredContent`, with a list of records or one record at a path; without `records` the whole is that.

    `count` is the path of the number that the server declares.
    """

    shape: Literal["structured"]
    records: Path | None = None
    count: Path | None = None


class JsonText(_Declared):
    """JSON written into text content: one document, or with `texts: each` one document a text item.

    At `records` stands a list of records or one record; without it the document itself is that.
    """

    shape: Literal["json_text"]
    records: Path | None = None
    count: Path | None = None
    texts: Literal["one", "each"] = "one"


class ResourceLinks(_Declared):
    """Links to resources and embedded text resources.

    A record has `uri`, `name`, `title`, `description`, `text` and `last_modified`, as far as the server gives them.
    """

    shape: Literal["resource_links"]


class Page(_Declared):
    """One page as text, introduced by a header line with its address. It makes exactly one record: `url`, `text`.

    header: the first line, with `{url}` for the address, which must be the one that was asked for.
    raw_header: a line that may stand before it, with `{type}` for a content type; only text types are accepted then.
    cut_mark: how the server's own remark that the page goes on begins; it is taken off.
    """

    shape: Literal["page"]
    header: Annotated[str, Field(pattern=r"^[^\n]*\{url\}[^\n]*$", max_length=200)]
    raw_header: Annotated[str, Field(pattern=r"^[^\n]*\{type\}[^\n]*$", max_length=200)] | None = None
    cut_mark: Line | None = None


class Label(_Declared):
    """One labelled part of a record: its line begins with `label`, and what follows is the value of `field`.

    `{number}` in the label of the first part stands for the record's number, counted from 1. lines: whether the value
    may go on over further lines. optional: whether a record may do without.
    """

    label: Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\n]*[^\s\n][^\n]*$")]
    field: Path
    lines: Literal["one", "many"] = "one"
    optional: bool = False


class LabelledText(_Declared):
    """Records written one after the other into one text, each as parts that begin with labels, in this order.

    header: the line that introduces them, with `{count}` for their number if the server states it. before: how text
    begins that may stand before the header; it is written by a model, and skipped.

    Text of a page stands between the labels and may imitate them. So every label must stand exactly where it belongs,
    and there must be as many records as the header states. Where it states none, exactly one record is taken: let the
    call ask for one.
    """

    shape: Literal["labelled_text"]
    header: Annotated[str, Field(pattern=r"^[^\n]+$", max_length=200)] | None = None
    before: Line | None = None
    separator: Line | None = None
    """A line that stands between two records."""
    labels: Annotated[tuple[Label, ...], Field(min_length=2, max_length=16)]

    @model_validator(mode="after")
    def _consistent(self) -> LabelledText:
        if self.before is not None and self.header is None:
            raise ValueError("`before` needs a `header` that ends what is skipped")
        if self.labels[0].optional or any("{number}" in label.label for label in self.labels[1:]):
            raise ValueError("the first label begins a record: it is not optional, and only it has a `{number}`")
        return self


class Sentences(_Declared):
    """How texts of the server begin that stand for an outcome and are never evidence, error flag or not."""

    empty: tuple[Line, ...] = ()
    blocked: tuple[Line, ...] = ()
    failed: tuple[Line, ...] = ()


class FromField(_Declared):
    """A value that each record states itself; `default` where it does not."""

    field: Path
    default: Line | None = None


class GeneratedBy(_Declared):
    """Records say themselves, by true or false, whether a model wrote them; saying nothing counts as true."""

    field: Path


class DateField(_Declared):
    """One place where a record may state its date. `crawled` dates are kept for the receipt and date nothing."""

    field: Path
    kind: Literal["as_of", "published", "modified", "crawled"]
    origin: Literal["structured", "header", "text", "provider"]
    layouts: tuple[Line, ...] = ()
    """Further layouts beside RFC 3339 and ISO 8601 dates, in the notation of strptime."""
    zone: Line | None = None
    """IANA name of the zone of times that state none. Without it they are read at the oldest instant possible."""

    @field_validator("zone")
    @classmethod
    def _known_zone(cls, zone: str | None) -> str | None:
        return _zone(zone)


class Validity(_Declared):
    """Where a record states what a forecast covers."""

    from_: Path = Field(alias="from")
    to: Path
    zone: Line | None = None

    @field_validator("zone")
    @classmethod
    def _known_zone(cls, zone: str | None) -> str | None:
        return _zone(zone)


class Fields(_Declared):
    """Where a record has its title, address and quotable text: the first of the paths that has a value."""

    title: Paths = ()
    url: Paths = ()
    snippet: Paths


class ResultMapping(_Declared):
    """The mapping of one tool."""

    mapping: Literal[1]
    tool: Line
    arguments: Annotated[dict[Line, Argument], Field(min_length=1, max_length=32)]
    """Arguments of the call. `{name}` stands for a placeholder; an argument that is nothing but a placeholder
    without value is left out, and gets the value's own type. A list is handed over as it is."""
    package: Line | None = None
    """The package that the server comes in. A configured server whose command line names it needs no `mapping`."""
    read_only: bool | None = None
    """Whether the tool only reads. It counts where neither the operator nor the server says so."""
    env: Annotated[dict[Line, str], Field(max_length=32)] = {}
    """Environment variables that the server needs to answer as the mapping expects. The operator's own come first."""
    result: Annotated[Structured | JsonText | LabelledText | ResourceLinks | Page, Field(discriminator="shape")]
    fields: Fields
    source_type: Line | FromField
    source_label: Line | FromField | None = None
    """The source as shown to the user; without it the host of the address."""
    generated: bool | GeneratedBy
    dates: tuple[DateField, ...] = ()
    valid: Validity | None = None
    error_field: Path | None = None
    """Path in the whole result: a value there other than null, false and empty text means that the call failed."""
    unanswered: Path | None = None
    """Path in the whole result of a list of those whom the server asked in vain. If it is not empty, a result without
    records means `blocked`: somebody may have had something."""
    outcomes: Sentences = Sentences()
    missing: tuple[Line, ...] = ()
    """Texts that stand for no value, such as `N/A`."""
    metadata: tuple[Path, ...] = ()
    """Further fields of a record that the receipt keeps: scores, engines, identifiers."""
    sample_data: bool = False
    """Whether what the server answers is made up; replies from it must say so."""

    @model_validator(mode="after")
    def _placeholders(self) -> ResultMapping:
        used = {name for value in self.arguments.values() for name in placeholders(value)}
        unknown = sorted(used - set(PLACEHOLDERS))
        if unknown:
            help = did_you_mean(unknown[0], PLACEHOLDERS)
            raise ValueError(f"unknown placeholder `{{{unknown[0]}}}`; {help}")
        if {"query", "url"} <= used:
            raise ValueError("`{query}` and `{url}` exclude each other: there is one call for each of them")
        if self.result.shape == "page" and "url" not in used:
            raise ValueError("a page belongs to an address: an argument must be `{url}`")
        return self

    @property
    def per(self) -> Literal["query", "url"] | None:
        """What there is one call for."""
        used = {name for value in self.arguments.values() for name in placeholders(value)}
        return "query" if "query" in used else "url" if "url" in used else None


def placeholders(value: object) -> list[str]:
    """The placeholders in a declared argument, in order."""
    return PLACEHOLDER.findall(value) if isinstance(value, str) else []


def read_mapping(content: str | bytes, file: str) -> ResultMapping:
    """The mapping of a YAML text. Raises MappingError with all its faults."""
    document, places = read_yaml(content, file)
    try:
        return _ADAPTER.validate_python(document)
    except ValidationError as error:
        raise MappingError([_fault(found, places) for found in error.errors(include_url=False)]) from None


def read_mappings(files: Mapping[str, bytes], folder: str = "mappings") -> dict[str, ResultMapping]:
    """Every mapping among files by its name: those named `mappings/NAME.yaml`. folder: how errors name the folder.

    Raises MappingError with all faults of all files.
    """
    found: dict[str, ResultMapping] = {}
    faults: list[Diagnostic] = []
    for path, content in sorted(files.items()):
        name = path.removeprefix("mappings/").removesuffix(".yaml")
        if path == f"mappings/{name}.yaml":
            try:
                found[name] = read_mapping(content, f"{folder}/{name}.yaml")
            except MappingError as error:
                faults += error.diagnostics
    if faults:
        raise MappingError(faults)
    return found


def mapping_files(folder: FilePath) -> dict[str, bytes]:
    """The mapping files in a folder, as `mappings/NAME.yaml`; none if it is not there. Raises McpConfigError."""
    found: dict[str, bytes] = {}
    for path in sorted(folder.glob("*.yaml")) if folder.is_dir() else ():
        try:
            if not path.is_file() or path.stat().st_size > MAX_FILE:
                raise McpConfigError(str(path), "", f"no file of at most {MAX_FILE:,} bytes")
            found[f"mappings/{path.name}"] = path.read_bytes()
        except OSError as error:
            raise McpConfigError(str(path), "", f"the file cannot be read: {error.strerror}") from error
    return found


def mapping_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a mapping file."""
    made = _ADAPTER.json_schema(by_alias=True)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "groundrule:mapping.v1",
        **{key: value for key, value in made.items() if key != "title"},
        "title": "mapping",
    }


_ADAPTER: TypeAdapter[ResultMapping] = TypeAdapter(ResultMapping)


def _zone(zone: str | None) -> str | None:
    if zone is not None:
        try:
            ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ValueError(f"`{zone}` is no IANA time zone") from error
    return zone


def _fault(found: Mapping[str, Any], places: Places) -> Diagnostic:
    # Pydantic names the alternative of a union inside the path; such parts are no keys of the file.
    keys: tuple[int | str, ...] = ()
    for part in found["loc"]:
        if (*keys, part) in places:
            keys = (*keys, part)
    name = str(found["loc"][-1]) if found["loc"] else ""
    span = places[keys]
    if found["type"] == "extra_forbidden":
        help = did_you_mean(name, ResultMapping.model_fields) if len(keys) == 1 else ""
        return codes.MAPPING_KEY.at(span, help or None, key=name)
    if found["type"] == "missing":
        return codes.MAPPING_LACKS.at(span, key=name)
    where = located(keys).lstrip(".") or "the mapping"
    return codes.MAPPING_VALUE.at(span, key=where, problem=found["msg"].removeprefix("Value error, "))
