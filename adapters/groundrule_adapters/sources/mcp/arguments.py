"""From a plan to the arguments of calls, as a mapping declares them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import AnyHttpUrl, ValidationError

from groundrule.gateway.ports import Errand
from groundrule.urls import UrlRefused, canonical

from .faults import McpFailure
from .mapping import PLACEHOLDER, ResultMapping, placeholders

MOST_CALLS = 3
"""Calls of one attempt."""
_URL = re.compile(r"https?://[^\s<>\"'`\\^{}|，。；：！？、（）【】《》“”‘’]+", re.IGNORECASE)
_AFTER = ".,;:!?)]}"
_HOST = re.compile(r"[^\s/@\\:?#%\[\]]+\.[^\s/@\\:?#%\[\]]+")
_MAX_URL = 2_048


@dataclass(frozen=True)
class Asked:
    """One call to make. url: the address that it asks for, if it asks for one."""

    arguments: Mapping[str, Any]
    url: str | None = None


def calls_for(mapping: ResultMapping, errand: Errand) -> list[Asked]:
    """The calls of one attempt, at most MOST_CALLS. Raises McpFailure (refused) if the plan gives none."""
    plan, question = errand.plan, errand.question
    asked: Sequence[str | None]
    if mapping.per == "url":
        asked = addresses(question.text or "", plan.preferred_domains or ())
        if not asked:
            raise McpFailure("refused", "the tool needs an address, and neither question nor plan names one")
    elif mapping.per == "query":
        asked = [query for query in plan.search_queries or () if query.strip()]
        if not asked:
            asked = [text for text in (plan.topic, question.text) if text and text.strip()][:1]
        if not asked:
            raise McpFailure("refused", "the plan has nothing to search for")
    else:
        asked = [None]
    known: dict[str, Any] = {
        "topic": plan.topic,
        "location_hint": plan.location_hint,
        "time_range_hint": plan.time_range_hint,
        "language": plan.language or question.language,
        "query_kind": plan.query_kind,
        "result_limit": min(errand.limit, plan.result_limit or errand.limit),
    }
    return [
        Asked(_filled(mapping.arguments, known | {mapping.per or "": one}), one if mapping.per == "url" else None)
        for one in list(dict.fromkeys(asked))[:MOST_CALLS]
    ]


def addresses(question: str, domains: tuple[str, ...]) -> list[str]:
    """The addresses to read: those in the question's own words first, then the front page of each preferred domain.

    An address is taken as written there and normalised; one with user name or password is left out. Whether it may
    be called is for the call gate to say, and nothing here raises a site's authority.
    """
    found: list[str] = []
    for match in _URL.finditer(question):
        found.append(match[0].rstrip(_AFTER))
    for domain in domains:
        if _HOST.fullmatch(domain):
            found.append(f"https://{domain}/")
        elif _URL.fullmatch(domain):
            found.append(domain)
    return list(dict.fromkeys(url for url in map(_normal, found) if url is not None))


def _normal(url: str) -> str | None:
    """The address in the form in which servers repeat it; None for one that cannot be one or reads two ways."""
    try:
        normal = str(AnyHttpUrl(url))
        canonical(normal)
    except (ValidationError, UrlRefused):
        return None
    return normal if len(normal) <= _MAX_URL else None


def _filled(declared: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    for name, value in declared.items():
        used = placeholders(value)
        if used and value == f"{{{used[0]}}}":
            if known[used[0]] is not None:
                arguments[name] = known[used[0]]
        elif used:
            absent = [part for part in used if known[part] is None]
            if absent:
                raise McpFailure("refused", f"the plan has no `{absent[0]}`, which the call needs")
            arguments[name] = PLACEHOLDER.sub(lambda match: str(known[match[1]]), value)
        else:
            arguments[name] = list(value) if isinstance(value, tuple) else value
    return arguments
