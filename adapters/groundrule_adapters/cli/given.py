"""What commands are given: texts, facts, instants and zones. What cannot be used is a fault with a code, and exit code 2."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from groundrule import Diagnostic, codes
from groundrule.diagnostics import Code, Source, Span, visible
from groundrule.facts.gates import AnswerFacts
from groundrule.facts.record import MAX_BYTES, MAX_TEXT
from groundrule.facts.words import Language
from groundrule.reasons import Reason
from groundrule.rules.facts import from_json

from ..settings import users_zone
from . import shown

STDIN = "-"


class Unfit(ValueError):
    """What a command was given and cannot use."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic
        super().__init__(diagnostic.render())


@contextmanager
def told(as_json: bool) -> Iterator[None]:
    """Around what takes in what a command was given: where that cannot be used, it is said and the command ends with 2."""
    try:
        yield
    except Unfit as why:
        shown.refused(why.diagnostic, as_json)


def _unfit(code: Code, name: str, words: str = "", **values: str) -> Unfit:
    """A fault of the input `name`. words: the input itself, where it is short enough to be shown."""
    return Unfit(code.at(Span(Source(name, words), 0, len(words)), **values))


def name_of(path: str) -> str:
    """How a fault names a file."""
    return "<stdin>" if path == STDIN else visible(path)


def text_of(path: str) -> str:
    """The text of a file, or of standard input for `-`. Raises Unfit if it is too large, no UTF-8, or only blanks."""
    return text_worded(_read(path, 4 * MAX_TEXT, f"{MAX_TEXT:,} characters"), name_of(path))


def text_worded(text: str, name: str) -> str:
    """The text, if a reader can take it: UTF-8, not too long, more than blanks. Raises Unfit."""
    if len(utf8(text, name)) > MAX_TEXT:
        raise _unfit(codes.INPUT_TOO_LARGE, name, limit=f"{MAX_TEXT:,} characters")
    if not text.strip():
        raise _unfit(codes.INPUT_EMPTY, name)
    return text


def utf8(text: str, name: str) -> str:
    """The text of an argument, if the system gave it as UTF-8. Raises Unfit."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise _unfit(codes.INPUT_NOT_UTF8, name) from None
    return text


def facts_of(path: str) -> str:
    """The JSON text of facts in a file, or in standard input for `-`. Raises Unfit if it is too large or no UTF-8."""
    return _read(path, MAX_BYTES, f"{MAX_BYTES:,} bytes")


def _read(path: str, most: int, limit: str) -> str:
    name = name_of(path)
    try:
        if path == STDIN:
            data = sys.stdin.buffer.read(most + 1)
        else:
            with Path(path).open("rb") as file:
                data = file.read(most + 1)
    except OSError as why:
        problem = why.strerror or type(why).__name__
        raise _unfit(codes.INPUT_UNREADABLE, name, file=name, problem=problem) from None
    except ValueError:  # a path with a null character
        raise _unfit(codes.INPUT_UNREADABLE, name, file=name, problem="this is no path") from None
    if len(data) > most:
        raise _unfit(codes.INPUT_TOO_LARGE, name, limit=limit)
    return decoded(data, name)


def decoded(data: bytes, name: str) -> str:
    """The text of bytes. Raises Unfit at the first that is no UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as why:
        before = data[: why.start].decode("utf-8")
        raise Unfit(codes.INPUT_NOT_UTF8.at(Span(Source(name, before), len(before), len(before)))) from None


def facts_with_evidence(text: str, name: str) -> AnswerFacts:
    """The facts of a JSON text, which are those of the gate `evidence` or `answer`. Raises Unfit."""
    facts = from_json("answer", text)
    if facts.fault is not None:
        raise _unfit_facts(facts.fault, Source(name, text))
    if not isinstance(facts.record, AnswerFacts) or facts.record.evidence is None:
        raise _unfit(codes.FACTS_WITHOUT_EVIDENCE, name)
    return facts.record


def _unfit_facts(fault: Reason, source: Source) -> Unfit:
    """A fault of facts: where the text ends to be JSON, if it is none; else at the beginning, with the path in words."""
    if "line" not in fault.values:
        return Unfit(codes.UNFIT_FACTS.at(Span(source, 0, 0), problem=fault))
    at = source.offset(fault.values["line"] - 1, fault.values["column"] - 1)
    return Unfit(codes.UNFIT_FACTS.at(Span(source, at, at), problem=f"not JSON: {fault.values['problem']}"))


def instant(text: str, name: str) -> datetime:
    """An instant with offset. name: of the option. Raises Unfit."""
    try:
        value = datetime.fromisoformat(text)
    except ValueError:
        raise _unfit(codes.NO_INSTANT, name, text, text=text, problem="it is not RFC 3339") from None
    if value.utcoffset() is None:
        raise _unfit(codes.NO_INSTANT, name, text, text=text, problem="it has no offset")
    return value


def clock(text: str | None) -> datetime:
    """The instant of the option `--now`, by default the present. Raises Unfit."""
    return datetime.now(UTC) if text is None else instant(text, "--now")


def reference(value: datetime, name: str) -> datetime:
    """An instant that relative times can count from. Raises Unfit."""
    try:
        year = value.astimezone(UTC).year
    except OverflowError:
        year = 0
    if not 2 <= year <= 9998:
        text = value.isoformat()
        raise _unfit(codes.NO_INSTANT, name, text, text=text, problem="its year is not within 2 to 9998")
    return value


def zone(text: str, name: str) -> str:
    """The IANA name of a zone that there is. name: of the option or fact. Raises Unfit."""
    from groundrule.grounding.times import zone_of  # late: only some commands ask

    try:
        return zone_of(text).key
    except ValueError:
        raise _unfit(codes.NO_SUCH_ZONE, name, text, zone=text) from None


def zone_or_machine(text: str | None, name: str) -> str:
    """The zone of an option or setting, else that of the machine; see `users_zone`. Raises Unfit."""
    try:
        return users_zone(text, os.environ)
    except ValueError:
        raise _unfit(codes.NO_SUCH_ZONE, name, text or "", zone=text or "") from None


def language_of(text: str) -> Language:
    """Chinese if there is a Chinese character in the text, else English."""
    return "zh" if any("\u4e00" <= char <= "\u9fff" for char in text) else "en"
