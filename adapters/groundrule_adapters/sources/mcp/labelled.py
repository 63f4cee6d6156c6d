"""Records written into one text. Page text stands among the labels, so every label must stand where it belongs.

What a page can do is add lines; it cannot take away those that the server writes. So an imitation shows: as a label
that stands twice or out of place, or as a record too many. Then the whole result is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from .faults import McpFailure
from .mapping import Label, LabelledText


def labelled(text: str, shape: LabelledText) -> list[dict[str, str]]:
    """The records of a text by field; none if only the header stands there. Raises McpFailure (failed)."""
    lines = text.replace("\r\n", "\n").split("\n")
    lines, count = _after_header(lines, shape)
    records = _records(lines, shape)
    if count is not None and count != len(records):
        raise McpFailure("failed", f"the result has {len(records)} records and declares {count}")
    if count is None and len(records) > 1:
        why = "text of a page could have forged them"
        raise McpFailure("failed", f"the result has {len(records)} records where one is expected; {why}")
    return records


def _after_header(lines: list[str], shape: LabelledText) -> tuple[list[str], int | None]:
    """What follows the header, and the number that it states."""
    if shape.header is None:
        return lines, None
    pattern = re.compile(re.escape(shape.header).replace(re.escape("{count}"), "([0-9]{1,6})"))
    at = 0
    if shape.before is not None and lines[0].startswith(shape.before):
        headers = [index for index, line in enumerate(lines) if pattern.fullmatch(line)]
        if len(headers) != 1:
            raise McpFailure("failed", f"the line that introduces the records stands {len(headers)} times")
        at = headers[0]
    found = pattern.fullmatch(lines[at])
    if found is None:
        raise McpFailure("failed", "the records are not introduced as the mapping says")
    return lines[at + 1 :], int(found[1]) if pattern.groups else None


@dataclass
class _Open:
    """A record that is being read: the place of its last label, and the lines of its fields."""

    at: int = 0
    fields: dict[str, list[str]] = field(default_factory=dict)


def _records(lines: Sequence[str], shape: LabelledText) -> list[dict[str, str]]:
    labels = [(label, _pattern(label)) for label in shape.labels]
    records: list[_Open] = []
    separated = True
    for number, line in enumerate(lines, 1):
        place, match = next(
            ((place, match) for place, (_, pattern) in enumerate(labels) if (match := pattern.match(line))), (-1, None)
        )
        if match is None:
            if line == shape.separator:
                separated = True
            elif line.strip() and (not records or separated):
                raise McpFailure("failed", f"line {number} of the records belongs to no record")
            elif records and not separated:
                _goes_on(records[-1], shape.labels[records[-1].at], line, number)
            continue
        if place == 0:
            if not separated and shape.separator is not None:
                raise McpFailure("failed", f"nothing separates the record in line {number} from the one before")
            _ends(records, shape.labels)
            records.append(_Open())
            if match.groups() and int(match[1]) != len(records):
                raise McpFailure("failed", f"the record in line {number} bears the number {match[1]}")
        elif separated or not records or not _follows(records[-1].at, place, shape.labels):
            raise McpFailure(
                "failed", f"the label `{shape.labels[place].label.strip()}` in line {number} is out of place"
            )
        separated = False
        record, name = records[-1], shape.labels[place].field
        if name in record.fields:
            raise McpFailure("failed", f"a record states its `{name}` twice")
        record.at = place
        record.fields[name] = [line[match.end() :]]
    _ends(records, shape.labels)
    return [{name: "\n".join(text).strip() for name, text in record.fields.items()} for record in records]


def _pattern(label: Label) -> re.Pattern[str]:
    return re.compile(re.escape(label.label).replace(re.escape("{number}"), "([0-9]{1,6})"))


def _goes_on(record: _Open, label: Label, line: str, number: int) -> None:
    if label.lines == "many":
        record.fields[label.field].append(line)
    elif line.strip():
        raise McpFailure("failed", f"line {number} of the records belongs to no label")


def _follows(last: int, place: int, labels: Sequence[Label]) -> bool:
    return place > last and all(label.optional for label in labels[last + 1 : place])


def _ends(records: Sequence[_Open], labels: Sequence[Label]) -> None:
    """Raises McpFailure if the last record lacks one of its parts."""
    if records and not _follows(records[-1].at, len(labels), labels):
        raise McpFailure("failed", f"record {len(records)} is not complete")
