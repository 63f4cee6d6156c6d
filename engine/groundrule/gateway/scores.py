"""What the pipeline states about an item of evidence before the rules judge it: how fresh, and what it names.

Scores put items in order. Whether an item counts is decided by rules over age, origin and resolution of its date,
because "published 9 days ago, the limit is 24 hours" can be explained and 0.31 cannot.
"""

from __future__ import annotations

import math
import re
from datetime import datetime, timedelta

from ..facts import Evidence, ExternalQueryPlan
from ..facts.words import DatedOrigin
from ..grounding.text import compatible
from .window import present, states

CLOCK_SKEW = timedelta(minutes=5)
"""How far a date may lie after the time of fetching before it is no date at all."""

TRUST: dict[DatedOrigin, float] = {
    "structured": 0.95,
    "header": 0.75,
    "provider": 0.6,
    "text": 0.6,
    "none": 0.0,
}
"""How often a date of this origin is right: schema.org dates are, `Last-Modified` is often the time of a build, and
dates found in text are wrong on about one page in ten (htmldate's own evaluation set)."""

LIFE: dict[str, tuple[timedelta, timedelta]] = {
    "market": (timedelta(minutes=5), timedelta(minutes=20)),
    "weather": (timedelta(hours=1), timedelta(hours=3)),
    "news": (timedelta(hours=2), timedelta(hours=72)),
    "model": (timedelta(days=2), timedelta(days=60)),
    "company": (timedelta(days=7), timedelta(days=365)),
    "generic_web": (timedelta(days=1), timedelta(days=30)),
    "unknown": (timedelta(hours=1), timedelta(hours=3)),
}
"""For each query kind: the age up to which nothing is lost, and the age at which a quarter of the trust is left."""


def freshness_score(item: Evidence, query_kind: str | None, now: datetime) -> float:
    """How fresh an item is, 0 to 1: `trust · 2^(−max(0, age + resolution − grace) / half_life)`.

    This is exponential decay with an offset, as search engines boost by date; half_life is (max_age − grace) / 2, so
    that the score at max_age is a quarter of the trust for every kind. The resolution counts as further age: a page
    dated to the day may be a day older than it looks. 0 without a date, without an origin, and for a date later
    than the time of fetching (or `now`, if that is unknown) plus CLOCK_SKEW.
    """
    if item.dated_at is None or item.dated_at > (item.retrieved_at or now) + CLOCK_SKEW:
        return 0.0
    grace, max_age = LIFE[query_kind if query_kind in LIFE else "unknown"]
    age = max(now - item.dated_at, timedelta(0)) + (item.dated_resolution or timedelta(0))
    halvings = max(age - grace, timedelta(0)) / ((max_age - grace) / 2)
    # 2^-1075 is below the least double: beyond it the score is exactly 0, and no exponent overflows.
    return TRUST[item.dated_origin or "none"] * math.exp2(-min(halvings, 1075.0))


def grounded_fields(item: Evidence, plan: ExternalQueryPlan, now: datetime, zone: str) -> tuple[str, ...]:
    """The plan's entities, place and time expression that title or snippet name, as the plan writes them.

    Width, case and blanks do not matter. A name in letters must stand as words of its own: `AI` is not in `said`.
    The expression of a time is named by any words that state it, `2026-11-29` for 昨天; and not by its own words on a
    page of another day, whose `yesterday` is another. That of the moment of asking is named by its words alone.
    """
    text = _folded(f"{item.title or ''}\n{item.snippet or ''}")
    terms = (*(plan.subject_entities or ()), plan.location_hint)
    named = [term for term in terms if term and _names(text, _folded(term))]
    hint = plan.time_range_hint
    if hint and plan.window is not None and not present(plan.window, now):
        named += [hint] if states(item, plan.window, zone) else []
    elif hint and _names(text, _folded(hint)):
        named.append(hint)
    return tuple(dict.fromkeys(named))


_INNER_BLANK = re.compile(r"(?<=[^\x00-\x7f]) +| +(?=[^\x00-\x7f])")


def _folded(text: str) -> str:
    """NFKC, lower case, one blank for any; none beside a letter of a script that writes without blanks."""
    blanks = re.sub(r"[ \t\r\f\v\u00a0]+", " ", compatible(text).casefold())
    return _INNER_BLANK.sub("", blanks).strip(" ")


def _names(text: str, term: str) -> bool:
    if not term:
        return False
    before = r"(?<![a-z0-9_])" if re.match(r"[a-z0-9_]", term) else ""
    after = r"(?![a-z0-9_])" if re.search(r"[a-z0-9_]$", term) else ""
    return re.search(before + re.escape(term) + after, text) is not None
