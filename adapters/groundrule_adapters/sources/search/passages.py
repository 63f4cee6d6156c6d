"""What of a page is about a question: its passages, ranked by the words they share with it.

Chinese, Japanese and Korean are compared by pairs of neighbouring characters, other scripts by words. The rank is BM25
(Robertson and Zaragoza 2009) with its usual constants over the passages of the one page.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

PASSAGE = 400
"""Code points of a passage, about."""
_K1, _B = 1.5, 0.75
_MOST = 2_000
"""Passages of a page that are looked at."""
_WORD = re.compile(r"[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|\d+(?:[.,:/-]\d+)*")
_IDEOGRAPHS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_SENTENCE = re.compile(r"(?<=[。！？!?；;])|(?<=\.)\s+")
_EMPTY = re.compile(
    r"\b(?:an?|and|are|as|at|be|been|by|can|could|did|do|does|for|from|get|give|had|has|have|how|i|in|is|it|its|latest|me|my|new"
    r"|now|of|on|or|our|please|show|tell|than|that|the|their|there|this|to|was|we|were|what|when|where|which|who|why|will|with"
    r"|you|your)\b"
    r"|请问|请|帮我|看看|查一下|一下|告诉我?|什么|怎么样?|怎样|如何|多少|哪些|哪里|哪个|何时|是否|有没有|情况|目前|现在|最新|[的是了吗呢在和与及]"
)
"""Words that say nothing about what is asked."""


def best_passages(text: str, question: str, budget: int) -> str | None:
    """The passages of `text` that are most about the question, in the order of the page; None if none is.

    budget: code points. What was left out between two passages is marked by a line with `…`.
    """
    passages = list(split(text))[:_MOST]
    wanted = set(words(question))
    scores = _scores(passages, wanted)
    ranked = sorted((at for at in range(len(passages)) if scores[at] > 0), key=lambda at: -scores[at])
    shared = wanted & {word for at in ranked for word in words(passages[at])}
    if len(shared) < min(2, len(wanted)) or not shared:
        return None
    chosen: list[int] = []
    for at in ranked:
        if sum(len(passages[each]) for each in chosen) + len(passages[at]) <= budget:
            chosen.append(at)
    chosen = sorted(chosen or ranked[:1])
    pieces: list[str] = []
    for number, at in enumerate(chosen):
        if number and at != chosen[number - 1] + 1:
            pieces.append("…")
        pieces.append(passages[at])
    return "\n".join(pieces)


def is_about(text: str, question: str) -> bool:
    """Whether a short text shares enough with the question."""
    wanted = set(words(question))
    shared = wanted & set(words(text))
    return bool(shared) and len(shared) >= min(2, len(wanted))


def split(text: str) -> Iterator[str]:
    """The passages of a text: lines put together, long ones cut after a sentence, to about PASSAGE code points."""
    gathered = ""
    for piece in _pieces(text):
        if gathered and len(gathered) + len(piece) > PASSAGE:
            yield gathered
            gathered = ""
        gathered = f"{gathered}\n{piece}" if gathered else piece
    if gathered:
        yield gathered


def words(text: str) -> list[str]:
    """Words and numbers in lower case, and pairs of ideographs, without those that say nothing."""
    lowered = _EMPTY.sub(" ", text.casefold())
    found = _WORD.findall(lowered)
    for run in _IDEOGRAPHS.findall(lowered):
        found += [run[at : at + 2] for at in range(len(run) - 1)] or [run]
    return found


def _pieces(text: str) -> Iterator[str]:
    for line in text.splitlines():
        rest = line.strip()
        while len(rest) > PASSAGE:
            ends = [match.end() for match in _SENTENCE.finditer(rest, 1, PASSAGE)]
            at = ends[-1] if ends else rest.rfind(" ", 1, PASSAGE)
            at = at if at > 0 else PASSAGE
            yield rest[:at].strip()
            rest = rest[at:].strip()
        if rest:
            yield rest


def _scores(passages: Sequence[str], wanted: set[str]) -> list[float]:
    counts = [Counter(words(passage)) for passage in passages]
    lengths = [max(1, count.total()) for count in counts]
    mean = sum(lengths) / max(1, len(lengths))
    holding = Counter(word for count in counts for word in wanted if word in count)
    weight = {word: math.log(1 + (len(counts) - n + 0.5) / (n + 0.5)) for word, n in holding.items()}

    def score(count: Counter[str], length: int) -> float:
        norm = _K1 * (1 - _B + _B * length / mean)
        return sum(weight[word] * count[word] * (_K1 + 1) / (count[word] + norm) for word in wanted if word in count)

    return [score(count, length) for count, length in zip(counts, lengths, strict=True)]
