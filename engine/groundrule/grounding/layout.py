"""The make-up of an answer: its handles, its list markers, its sentences."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Handle:
    """A handle in the text. `text` is the handle as known (`[1]` within `[1, 2]`)."""

    text: str
    start: int
    end: int


_HANDLE = re.compile(r"\[\^?[A-Za-z]{0,2}[0-9]{1,4}\]|【[A-Za-z]{0,2}[0-9]{1,4}(?:†[^】\n]{0,40})?】")
_NOT_A_NUMBER = re.compile(r"[^\W\d]|[^\w\s]")
_GROUP = re.compile(r"\[[A-Za-z]{0,2}[0-9]{1,4}(?: ?[,，、;；] ?[A-Za-z]{0,2}[0-9]{1,4}){1,20}\]")
_MARKER = re.compile(
    r"^(?P<indent>[ \t>]*)(?:[-*•#]{1,6} +)?(?:\*\*)?"
    r"(?:(?P<digits>[0-9]{1,2})(?:[.)）](?:\s+(?=\S)|(?=[\u3400-\u9fff]))|、)|[(（](?P<inner>[0-9]{1,2})[)）]"
    r"|[(（]?(?P<han>[一二三四五六七八九十]{1,3})(?:、|[)）]))",
    re.MULTILINE,
)
_CIRCLED = re.compile("[①-⑳]")
_SENTENCE_END = re.compile(r"[。！？!?]+[”』」\"'）)]*|(?<!\b[A-Z])(?<!\b(?:Mr|Dr|No|vs|St))\.[”\"')]*(?=\s|$|\[)|\n+")


def find_handles(text: str, known: Mapping[str, str]) -> tuple[Handle, ...]:
    """Every handle of `known` in the text, and what looks like one although it is not known.

    A handle of digits alone is never found: it could not be told from a number.
    """
    names = "|".join(_as_pattern(name) for name in sorted(known, key=len, reverse=True) if _NOT_A_NUMBER.search(name))
    pattern = re.compile(f"{names}|{_HANDLE.pattern}" if names else _HANDLE.pattern)
    found = [Handle(match[0], match.start(), match.end()) for match in pattern.finditer(text)]
    for group in _GROUP.finditer(text):
        for part in re.split(r" ?[,，、;；] ?", group[0][1:-1]):
            found.append(Handle(f"[{part}]", group.start(), group.end()))
    return tuple(sorted(found, key=lambda handle: (handle.start, handle.end)))


def _as_pattern(name: str) -> str:
    left = r"(?<!\w)" if name[0].isalnum() else ""
    return left + re.escape(name) + (r"(?!\w)" if name[-1].isalnum() else "")


def list_markers(text: str) -> tuple[tuple[int, int], ...]:
    """The spans of numbers that only count the lines: `1.`, `（2）`, `三、`, ①. They run from 1, one by one.

    A number that does not continue its list is no marker: `30. 气温…` states a number.
    """
    spans = []
    last: dict[int, int] = {}
    for match in _MARKER.finditer(text):
        value = _marker_value(match)
        indent = len(match["indent"])
        if value not in (1, last.get(indent, 0) + 1):
            continue
        last[indent] = value
        spans.append(match.span())
    count = 0
    for match in _CIRCLED.finditer(text):
        value = ord(match[0]) - ord("①") + 1
        if value in (1, count + 1):
            count = value
            spans.append(match.span())
    return tuple(spans)


def _marker_value(match: re.Match[str]) -> int:
    if match["han"]:
        tens, _, ones = match["han"].rpartition("十")
        digits = "一二三四五六七八九"
        if "十" not in match["han"]:
            return digits.find(match["han"]) + 1
        return (digits.find(tens) + 1 if tens else 1) * 10 + (digits.find(ones) + 1 if ones else 0)
    return int(match["digits"] or match["inner"])


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of a text by the positions where they begin; a handle right behind one belongs to it."""

    starts: tuple[int, ...]

    def of(self, position: int) -> int:
        """The number of the sentence in which a position lies."""
        return bisect_right(self.starts, position) - 1


def split_sentences(text: str, handles: Sequence[Handle]) -> Sentences:
    """Where the sentences of a text begin. A line break ends one, and so does 。 or a full stop before a blank."""
    return Sentences((0, *_starts(text, handles)))


def _starts(text: str, handles: Sequence[Handle]) -> Iterator[int]:
    closing = {handle.start: handle.end for handle in handles}
    within = sorted((handle.start, handle.end) for handle in handles)
    begin = 0
    for match in _SENTENCE_END.finditer(text):
        if match.start() < begin:
            continue
        index = bisect_right(within, (match.start(), len(text))) - 1
        if index >= 0 and within[index][1] > match.start():
            continue
        end = match.end()
        while (after := end + (len(text[end : end + 2]) - len(text[end : end + 2].lstrip(" ")))) in closing:
            end = closing[after]
        begin = end
        if end < len(text):
            yield end
