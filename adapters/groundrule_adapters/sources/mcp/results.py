"""From the result of a call to records: plain mappings that the declared fields are read from.

The error flag is looked at first, then the tool's own output schema, then whether what it says twice is the same, then
the sentences that the mapping declares, then the shape. A result that is not what the mapping says is refused whole.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .faults import McpFailure
from .labelled import labelled
from .mapping import JsonText, LabelledText, Page, ResourceLinks, ResultMapping, Structured
from .schema import Checker, unfit

if TYPE_CHECKING:
    from mcp_types import CallToolResult

Record = Mapping[str, Any]
_LONGEST_MARK = 300
"""Code points within which a server's remark about a cut page ends the text."""


def records(result: CallToolResult, mapping: ResultMapping, output: Checker | None, url: str | None) -> list[Record]:
    """The records of a result. url: the address that was asked for.

    Raises McpFailure: empty, blocked or failed as the mapping says; failed if the flag, the schema or the shape
    does.
    """
    texts = _texts(result)
    if result.is_error:
        _sentence(texts, mapping)
        raise McpFailure("failed", "the tool reported an error", said=" ".join(texts))
    if output is not None:
        if result.structured_content is None:
            raise McpFailure("failed", "the tool declares structured content and returned none")
        fault = output.fault(result.structured_content)
        if fault is not None:
            raise McpFailure("failed", f"the structured content does not fit the tool's schema: {fault}")
    if result.structured_content is not None and not _agree(texts, result.structured_content):
        raise McpFailure("failed", "the text of the result says something else than its structured content")
    shape = mapping.result
    if isinstance(shape, Page):
        return [_page(texts, shape, mapping, url)]
    _sentence(texts, mapping)
    found: list[Record]
    if isinstance(shape, ResourceLinks):
        found = _links(result)
    elif isinstance(shape, Structured):
        found = _listed(_document(result), shape, mapping)
    elif isinstance(shape, LabelledText):
        found = list(labelled(_one(texts), shape))
    else:
        found = _from_json(texts, shape, mapping)
    if not found:
        raise McpFailure("empty", "the tool found nothing")
    return found


def at(value: object, path: str | None) -> object:
    """What stands at a dotted path, or None."""
    for name in path.split(".") if path else ():
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _texts(result: CallToolResult) -> list[str]:
    from mcp_types import TextContent

    return [part.text for part in result.content if isinstance(part, TextContent)]


def _agree(texts: Sequence[str], structured: object) -> bool:
    """Whether texts that repeat the structured content do so: as a whole, or each item of its one list.

    Texts that are neither JSON nor the one text of a wrapped result are remarks, which repeat nothing.
    """
    wrapped = structured["result"] if isinstance(structured, dict) and structured.keys() == {"result"} else structured
    if isinstance(wrapped, str):
        return not texts or list(texts) == [wrapped]
    try:
        documents = [json.loads(text) for text in texts]
    except (ValueError, RecursionError):
        return True
    if not documents or not all(isinstance(document, (dict, list)) for document in documents):
        return True
    return documents == wrapped or (len(documents) == 1 and documents[0] in (structured, wrapped))


def _sentence(texts: Sequence[str], mapping: ResultMapping) -> None:
    """Raises the outcome that the first text stands for, if the mapping declares one."""
    first = texts[0].lstrip() if texts else ""
    if first.startswith(mapping.outcomes.blocked):
        raise McpFailure("blocked", "the tool said that it was blocked", said=first)
    if first.startswith(mapping.outcomes.failed):
        raise McpFailure("failed", "the tool said that it failed", said=first)
    if first.startswith(mapping.outcomes.empty):
        raise McpFailure("empty", "the tool said that it found nothing", said=first)


def _document(result: CallToolResult) -> object:
    document = result.structured_content
    if document is None:
        raise McpFailure("failed", "the mapping expects structured content and there is none")
    return document


def _one(texts: Sequence[str]) -> str:
    if len(texts) != 1:
        raise McpFailure("failed", f"the mapping expects one text and there are {len(texts)}")
    return texts[0]


def _from_json(texts: Sequence[str], shape: JsonText, mapping: ResultMapping) -> list[Record]:
    texts = [_one(texts)] if shape.texts == "one" else texts
    found: list[Record] = []
    for text in texts:
        try:
            document = json.loads(text, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            raise McpFailure("failed", "the mapping expects JSON text and this is none") from error
        found += _listed(document, shape, mapping)
    return found


def _listed(document: object, shape: Structured | JsonText, mapping: ResultMapping) -> list[Record]:
    fault = unfit(document)
    if fault is not None:
        raise McpFailure("failed", f"the result is not taken: {fault}")
    error = at(document, mapping.error_field) if mapping.error_field else None
    if error not in (None, False, "", [], {}):
        raise McpFailure("failed", "the tool reported an error in its result", said=str(error))
    value = at(document, shape.records)
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, list):
        raise McpFailure("failed", f"the mapping expects a list of records at `{shape.records or '$'}`")
    wrong = next((index for index, record in enumerate(value) if not isinstance(record, Mapping)), None)
    if wrong is not None:
        raise McpFailure("failed", f"record {wrong} of the result is no object")
    if shape.count is not None:
        count = at(document, shape.count)
        if count != len(value):
            raise McpFailure("failed", f"the result has {len(value)} records and declares", said=str(count))
    silent = at(document, mapping.unanswered) if mapping.unanswered and not value else None
    if isinstance(silent, list) and silent:
        raise McpFailure("blocked", f"nothing was found, and {len(silent)} that were asked gave no answer")
    return value


def _links(result: CallToolResult) -> list[Record]:
    from mcp_types import EmbeddedResource, ResourceLink, TextResourceContents

    found: list[Record] = []
    for part in result.content:
        notes = getattr(part, "annotations", None)
        dated = {"last_modified": notes.last_modified} if notes is not None else {}
        if isinstance(part, ResourceLink):
            about = {"name": part.name, "title": part.title, "description": part.description}
            found.append({"uri": str(part.uri)} | about | dated)
        elif isinstance(part, EmbeddedResource) and isinstance(part.resource, TextResourceContents):
            found.append({"uri": str(part.resource.uri), "text": part.resource.text} | dated)
    return found


def _page(texts: Sequence[str], shape: Page, mapping: ResultMapping, url: str | None) -> Record:
    """The one record of a page. Its address is the one asked for; nothing in the text can change it."""
    _sentence(texts, mapping)
    first, _, rest = _one(texts).partition("\n")
    if shape.raw_header is not None and (kind := _between(first, shape.raw_header, "{type}")) is not None:
        media = kind.partition(";")[0].strip().lower()
        if not media.startswith("text/") and not media.endswith(("json", "xml")):
            raise McpFailure("failed", "the page is no text", said=media)
        first, _, rest = rest.partition("\n")
    if url is None or first != shape.header.replace("{url}", url):
        raise McpFailure("failed", "the page is not introduced with the address that was asked for")
    _sentence([rest], mapping)
    body, was_cut = rest, False
    if shape.cut_mark is not None:
        mark = rest.rfind(shape.cut_mark)
        if mark >= 0 and len(rest) - mark <= _LONGEST_MARK:
            body, was_cut = rest[:mark], True
    if not body.strip():
        raise McpFailure("empty", "the page has no text")
    return {"url": url, "text": body, "cut": was_cut}


def _between(line: str, pattern: str, placeholder: str) -> str | None:
    before, _, after = pattern.partition(placeholder)
    if line.startswith(before) and line.endswith(after) and len(line) >= len(before) + len(after):
        return line[len(before) : len(line) - len(after)]
    return None


def _no_constant(name: str) -> Any:
    raise ValueError(f"`{name}` is not JSON")
