"""Whether the words around a weekday tell of what has been or of what is to come. Most texts tell no more than that."""

from __future__ import annotations

import re

_DONE = (
    r"(?:was|were|did|had|said|told|won|beat|lost|took|made|came|went|began|held|found|gave|left|led|met|ran|rose|fell|grew"
    r"|hit|shot|struck|died|saw|spoke|wrote|drew|flew|broke|became|got|sent|sold|paid|bought|brought|announced|[a-z]{2,}ed)"
)
_TOLD = re.compile(
    r"(?P<coming>\b(?:will|shall|would|going to|set to|due|scheduled|expected|planned|slated|upcoming)\b"
    rf"(?: (?:be|have|take|not|also|again|to)\b)*(?: {_DONE}\b)?|将|即将|会在|计划|拟|预计|定于|有望)"
    rf"|\b(?:is|are|be|being) (?:[a-z]+ )?{_DONE}\b"
    rf"|(?P<done>\b{_DONE}\b|了|已|曾|昨)",
    re.IGNORECASE | re.ASCII,
)
SENTENCE_END = re.compile(r"[。！？!?；;\n]|\.(?= |$)")
_REACH = 100


def tense(text: str, start: int, end: int) -> int:
    """-1 where the sentence around [start, end) tells of the past, 1 of the future, 0 where it does not tell.

    What stands nearest before counts, else what stands first behind.
    """
    before = SENTENCE_END.split(text[max(0, start - _REACH) : start])[-1]
    behind = SENTENCE_END.split(text[end : end + _REACH])[0]
    told = [found for found in _TOLD.finditer(before) if found.lastgroup]
    found = told[-1] if told else next((found for found in _TOLD.finditer(behind) if found.lastgroup), None)
    return 0 if found is None else 1 if found["coming"] else -1
