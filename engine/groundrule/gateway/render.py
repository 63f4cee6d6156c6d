"""The reply contract: what the user reads, as text, Markdown and record, in the language of the question.

A reply begins `外部实时查询：` / `Live external query:`; after an answer comes `来源摘要：` / `Sources:` with exactly
the items that it cites. Only an item's own canonical address is ever a link.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ..facts import Answer, Evidence
from ..facts.reply import Reply, ReplySource
from ..facts.words import Language, ReplyKind
from ..grounding.times import zone_of
from ..urls import canonical
from . import wording
from .markup import Block, Inline, Link, as_markdown, as_text, item, line, one_line

DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
MAX_REASONS = 5
_ADDRESS = re.compile(r"\b(?:[a-z][a-z0-9+.-]{1,20}://|www\.)[!-~]*", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Envelope:
    """What every reply of an execution states. zone: IANA name in which times are shown."""

    language: Language
    execution_id: str
    revision: str
    zone: str = "UTC"
    sample: bool = False
    not_grounding: tuple[str, ...] = ()


def answered(
    envelope: Envelope, answer: Answer, evidence: Sequence[Evidence], valid_until: datetime | None
) -> Reply:
    """The answer as the answer gate allowed it, with the items that it cites, in order of first citation."""
    sources = cited_sources(answer, evidence)
    head = _head(envelope)
    tail = [line(wording.SOURCES[envelope.language]), *(_source(envelope, source) for source in sources)]
    blocks = [*head, *_body(answer, {source.evidence: source.url for source in sources}), *tail]
    return _reply(
        envelope,
        blocks,
        Reply(
            status="answered",
            answer=answer.text,
            sources=sources,
            claims=answer.claims,
            valid_until=valid_until,
        ),
    )


def refused(
    envelope: Envelope, kind: ReplyKind, reasons: Sequence[str], instead: wording.Both | None = None
) -> Reply:
    """A refusal: what happened, why, and what the user can do. reasons: in the reply's language. instead: other advice."""
    language = envelope.language
    what, advice = wording.REFUSALS[kind]
    advice = instead or advice
    why = _distinct(reasons)[:MAX_REASONS]
    blocks = [*_head(envelope, what[language])]
    if why:
        blocks += [line(wording.REASONS[language]), *(item(reason) for reason in why)]
    blocks.append(line(wording.ADVICE[language] + advice[language]))
    return _reply(envelope, blocks, Reply(status="refused", kind=kind, reasons=why))


def clarify(envelope: Envelope, questions: Sequence[str], options: Sequence[str]) -> Reply:
    """A question back. questions: in the reply's language. options: answers to choose from."""
    language = envelope.language
    asked, offered = _distinct(questions)[:MAX_REASONS], _distinct(options)
    blocks = [*_head(envelope, wording.ASK_BACK[language]), *(item(question) for question in asked)]
    if offered:
        blocks += [line(wording.OPTIONS[language]), *(item(option) for option in offered)]
    return _reply(envelope, blocks, Reply(status="clarify", reasons=asked, options=offered))


def cited_sources(answer: Answer, evidence: Sequence[Evidence]) -> tuple[ReplySource, ...]:
    """The items that an answer cites, each once, in order of first citation.

    Raises KeyError for a citation of an item that is not in `evidence`, UrlRefused for one without proper address.
    """
    items = {found.id: found for found in evidence}
    handles: dict[str, str] = {}
    for citation in sorted(answer.citations or (), key=lambda found: found.start or 0):
        handles.setdefault(citation.evidence or "", citation.handle or "")
    return tuple(_cited(handle, items[id]) for id, handle in handles.items())


def shown_time(at: datetime, resolution: timedelta | None, zone: str) -> str:
    """A time as the source list shows it: to the minute with its offset, or only the day if no more was stated."""
    local = _local(at, zone)
    if resolution is not None and resolution >= DAY:
        return local.date().isoformat()
    return f"{local.isoformat(' ', 'minutes')[:16]} UTC{local.isoformat(timespec='minutes')[16:].replace('+00:00', '')}"


def as_of(language: Language, at: datetime, resolution: timedelta | None, zone: str, cite: str) -> str:
    """The sentence that says how old the answer may be. cite: the handle of the item that is so old, or empty.

    It becomes a part of the answer and is checked against the evidence like any other date. So it states the time no
    finer than the item does, and the zone only where that is UTC: an answer's times are read in the user's zone.
    """
    local = _local(at, zone)
    if resolution is not None and resolution > MINUTE:
        time = local.date().isoformat()
    else:
        time = local.isoformat(" ", "minutes")[:16] + (" UTC" if zone == "UTC" else "")
    return wording.AS_OF[language].format(time=time, cite=f" {cite}" if cite else "")


def _local(at: datetime, zone: str) -> datetime:
    try:
        return at.astimezone(zone_of(zone))
    except OverflowError:  # the first or last day that there is
        return at


def _cited(handle: str, found: Evidence) -> ReplySource:
    return ReplySource(
        handle=handle,
        evidence=found.id,
        title=one_line(found.title or "") or None,
        label=one_line(found.source_label or "") or None,
        url=canonical(found.target_url or ""),
        dated_at=found.dated_at,
        dated_resolution=found.dated_resolution,
        retrieved_at=found.retrieved_at,
    )


def _head(envelope: Envelope, sentence: str | None = None) -> list[Block]:
    language = envelope.language
    first = [line(wording.SAMPLE[language])] if envelope.sample else []
    blank = " " if language == "en" and sentence else ""
    return [*first, line(wording.HEAD[language] + blank + (sentence or ""))]


def _body(answer: Answer, addresses: Mapping[str | None, str | None]) -> list[Block]:
    """The answer's lines, with each citation a link to its item."""
    text = answer.text or ""
    marks = {found.start: found for found in answer.citations or () if found.start is not None}
    blocks, start = [], 0
    for row in text.split("\n"):
        parts: list[Inline] = []
        listed = row.startswith("- ")
        at = past = start + 2 * listed
        end = start + len(row)
        while at < end:
            mark = marks.get(at)
            url = None if mark is None else addresses.get(mark.evidence)
            if mark is None or mark.end is None or url is None or not at < mark.end <= end:
                at += 1
                continue
            parts += [text[past:at], Link(text[at : mark.end], url)]
            at = past = mark.end
        parts.append(text[past:end])
        if any(parts):
            blocks.append(Block(tuple(part for part in parts if part), item=listed))
        start = end + 1
    return blocks


def _source(envelope: Envelope, source: ReplySource) -> Block:
    """One line of the source list: handle, title, label, address, date."""
    language, zone = envelope.language, envelope.zone
    comma = wording.COMMA[language]
    if source.dated_at is None:
        dated = wording.UNDATED[language]
    else:
        time = shown_time(source.dated_at, source.dated_resolution, zone)
        dated = wording.DATED[language].format(time=time)
    if source.retrieved_at is not None:
        dated += comma + wording.FETCHED[language].format(time=shown_time(source.retrieved_at, None, zone))
    url = source.url or ""
    named = comma.join(name for name in dict.fromkeys((source.title, source.label)) if name)
    return item(f"{source.handle} {named}{comma if named else ''}", Link(url, url), f"{comma}{dated}")


def _reply(envelope: Envelope, blocks: Sequence[Block], reply: Reply) -> Reply:
    return reply.model_copy(
        update={
            "language": envelope.language,
            "text": as_text(blocks),
            "markdown": as_markdown(blocks),
            "not_grounding": envelope.not_grounding,
            "sample": envelope.sample,
            "execution_id": envelope.execution_id,
            "revision": envelope.revision,
        }
    )


def _distinct(lines: Sequence[str]) -> tuple[str, ...]:
    """Reasons, questions or options, each once and on one line. Without sources they show no address either."""
    shown = (_ADDRESS.sub("…", one_line(text, 400)) for text in lines)
    return tuple(dict.fromkeys(line for line in shown if line))
