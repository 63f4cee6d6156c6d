"""From records to evidence. What is not declared, or not there, stays absent."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from groundrule.facts import Evidence
from groundrule.urls import UrlRefused, canonical, host

from ..dates import Stated, read_date
from ..text import MAX_SNIPPET, MAX_TITLE, cleaned, cut, damaged, one_line
from .mapping import DateField, FromField, GeneratedBy, ResultMapping
from .results import Record, at

_MAX_URL = 8_192
_MAX_KEPT = 500


@dataclass(frozen=True)
class Origin:
    """Where records come from. retrieved_at: our clock, when the result had arrived. about: who answered."""

    execution_id: str
    adapter: str
    server: str
    tool: str
    retrieved_at: datetime
    about: Mapping[str, str]


def evidence(record: Record, mapping: ResultMapping, origin: Origin) -> Evidence | None:
    """One item, or None for a record that has no quotable text or whose text was decoded wrongly."""
    title = one_line(_text(record, mapping.fields.title, mapping) or "")
    raw = cleaned(_text(record, mapping.fields.snippet, mapping) or "")
    snippet = cut(raw, MAX_SNIPPET)
    if not snippet or damaged(snippet):
        return None
    url = (_text(record, mapping.fields.url, mapping) or "").strip()
    url = url if len(url) <= _MAX_URL else ""
    dated, field = _dated(record, mapping)
    valid_from, valid_to = _valid(record, mapping)
    return Evidence(
        id=_identity(origin, url, title, raw),
        execution_id=origin.execution_id,
        adapter=origin.adapter,
        source_type=_declared(record, mapping.source_type, mapping),
        source_label=_label(record, mapping, url),
        title=cut(title, MAX_TITLE) or None,
        target_url=url or None,
        snippet=snippet,
        generated=_generated(record, mapping),
        retrieved_at=origin.retrieved_at,
        dated_at=None if dated is None else dated.start,
        dated_origin="none" if dated is None or field is None else field.origin,
        dated_resolution=None if dated is None else dated.width,
        valid_from=valid_from,
        valid_to=valid_to,
        raw_metadata=_private(record, mapping, origin, was_cut=len(raw) > len(snippet) or record.get("cut") is True),
    )


def _text(record: Record, paths: tuple[str, ...], mapping: ResultMapping) -> str | None:
    """The first of the paths that has a text; lists of texts are joined by lines."""
    for path in paths:
        value = at(record, path)
        if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
            value = "\n".join(value)
        if isinstance(value, str) and value.strip() and value.strip() not in mapping.missing:
            return _carried(value)
    return None


def _declared(record: Record, declared: str | FromField | None, mapping: ResultMapping) -> str | None:
    if isinstance(declared, FromField):
        return one_line(_text(record, (declared.field,), mapping) or declared.default or "")[:MAX_TITLE] or None
    return declared


def _label(record: Record, mapping: ResultMapping, url: str) -> str | None:
    label = _declared(record, mapping.source_label, mapping)
    if label is not None or not url:
        return label
    try:
        return host(url)
    except UrlRefused:
        return None


def _generated(record: Record, mapping: ResultMapping) -> bool:
    if isinstance(mapping.generated, GeneratedBy):
        return at(record, mapping.generated.field) is not False
    return mapping.generated


def _dated(record: Record, mapping: ResultMapping) -> tuple[Stated | None, DateField | None]:
    for field in mapping.dates:
        text = _text(record, (field.field,), mapping)
        if text is not None and field.kind != "crawled":
            stated = read_date(text, field.zone, field.layouts)
            if stated is not None:
                return stated, field
    return None, None


def _valid(record: Record, mapping: ResultMapping) -> tuple[datetime | None, datetime | None]:
    if mapping.valid is None:
        return None, None
    starts, ends = (
        read_date(_text(record, (path,), mapping) or "", mapping.valid.zone)
        for path in (mapping.valid.from_, mapping.valid.to)
    )
    # A moment is taken as it is; of a day that ends the range, the end counts.
    end = None if ends is None else ends.end if ends.width.total_seconds() > 60 else ends.start
    return None if starts is None else starts.start, end


def _identity(origin: Origin, url: str, title: str, text: str) -> str:
    """Unique within the execution: the same text at the same address is one item, elsewhere it is another.

    An address is the same however it is spelt.
    """
    with contextlib.suppress(UrlRefused):  # one that cannot be read is itself alone
        url = canonical(url)
    content = json.dumps([origin.tool, url, title, text]).encode()
    return f"{origin.execution_id}:{origin.server}:{hashlib.sha256(content).hexdigest()[:16]}"


def _private(record: Record, mapping: ResultMapping, origin: Origin, *, was_cut: bool) -> dict[str, Any]:
    dates = {field.field: _text(record, (field.field,), mapping) for field in mapping.dates}
    kinds = {field.field: field.kind for field in mapping.dates if dates[field.field] is not None}
    kept = {path: _short(at(record, path)) for path in mapping.metadata}
    return {
        "server": origin.server,
        "tool": origin.tool,
        "answered_by": dict(origin.about),
        "dates": {name: {"text": text[:_MAX_KEPT], "kind": kinds[name]} for name, text in dates.items() if text},
        "cut": was_cut,
        "fields": {path: value for path, value in kept.items() if value is not None},
    }


def _short(value: object) -> str | int | float | bool | None:
    """A value as the receipt keeps it: numbers that JSON carries exactly stay numbers, the rest is short text."""
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, int) and abs(value) < 2**53:
        return value
    return _carried(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))[:_MAX_KEPT]


def _carried(text: str) -> str:
    """The text with lone halves of surrogate pairs, which no UTF-8 carries, replaced."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
