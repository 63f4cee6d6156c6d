"""The time expression of a plan, in the question's own words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from groundrule.grounding.times import TimeSpan, time_reading

from .queries import tidy
from .script import HAN

MOST_TIMES = 8
"""Time expressions of a hint."""


def time_hint(written: str, spans: tuple[TimeSpan, ...], asked_at: datetime, zone: str) -> str | None:
    """The time expressions that the window is computed from: all of them, or the first that stands on its own.

    An expression whose words mean something else without the sentence around them is left out.
    """
    kept = [span for span in spans[:MOST_TIMES] if _same(span.text, (span,), asked_at, zone)]
    if not kept:
        return None
    mark = "、" if re.search(f"[{HAN}]", kept[0].text) else ", "
    joined = mark.join(dict.fromkeys(tidy(span.text) for span in kept))
    return joined if _same(joined, kept, asked_at, zone) else tidy(kept[0].text)


def _same(text: str, spans: Sequence[TimeSpan], asked_at: datetime, zone: str) -> bool:
    """Whether a text alone states the same times."""
    again = time_reading(text, asked_at, zone)
    return not again.refused and {(one.begin, one.until) for one in again.spans} == {
        (span.begin, span.until) for span in spans
    }
