"""The live search: a source that asks a search provider, reads the pages that it names, and takes passages from them.

It stands in where MCP servers bring too little, and only where the operator switched it on. Everything is bounded: the
time of the attempt, the pages, the bytes of each. Whatever could be read in time is handed over, and what could not is
said beside it.
"""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from groundrule.diagnostics import did_you_mean
from groundrule.facts import Call, Evidence
from groundrule.facts.words import Outcome
from groundrule.gateway.ports import Errand, Fetched
from groundrule.urls import UrlRefused, canonical, host

from ...settings import SettingsError
from ..fetch.failure import FetchFailure
from ..fetch.fetcher import Fetcher, Page, Permit
from ..fetch.parsing import parsed
from ..text import MAX_SNIPPET, MAX_TITLE, cut, one_line
from .evidence import Hit, Wanted, page_evidence, summary_evidence
from .providers import PROVIDERS, Provider
from .reading import DATING_HEADERS, READ_PAGE

if TYPE_CHECKING:
    from ...settings import LiveSettings, Settings

NAME = "live"
_AT_ONCE = 4
_HANDING_OVER = 0.25
"""Seconds of an errand's time that are kept back, at most."""
_FOR_SEARCHING = 0.5
"""Share of the time after which no search is begun or waited for: pages need the rest."""
_WORST: tuple[Outcome, ...] = ("blocked", "timeout", "failed", "refused", "empty")


@dataclass
class _Found:
    """What an attempt has so far. arrived: when the latest result page did."""

    hits: dict[str, Hit] = field(default_factory=dict)
    failures: list[FetchFailure] = field(default_factory=list)
    arrived: datetime | None = None


class LiveSearch:
    """Fetches evidence from the web. It implements `ports.Source`."""

    def __init__(
        self, provider: Provider, settings: LiveSettings, fetcher: Fetcher, clock: Callable[[], datetime]
    ) -> None:
        self._provider, self._settings, self._fetcher, self._clock = provider, settings, fetcher, clock

    @property
    def name(self) -> str:
        """`live`."""
        return NAME

    @property
    def sample_data(self) -> bool:
        """It is the real web."""
        return False

    async def fetch(self, errand: Errand) -> Fetched:
        """One attempt: searches until there are hits enough, then the pages of the best, several at once."""
        begun = asyncio.get_running_loop().time()
        longest = errand.call_timeout.total_seconds()
        deadline = begun + longest - min(_HANDING_OVER, longest / 20)
        found = await self._search(errand, begun + longest * _FOR_SEARCHING)
        wanted = self._wanted(errand)
        chosen = list(found.hits.values())[: min(self._settings.pages, errand.limit)]
        gate = asyncio.Semaphore(_AT_ONCE)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._one(hit, errand, wanted, deadline, gate, found)) for hit in chosen]
        items = {item.id: item for task in tasks if (item := task.result()) is not None}
        return self._outcome(_by_address(list(items.values())), found.failures)

    async def _search(self, errand: Errand, deadline: float) -> _Found:
        """The hits of the plan's queries, in turns. Every query of a comparison is asked, since each has its side."""
        found = _Found()
        per_query: list[list[Hit]] = []
        compared = errand.plan.answer_contract == "compare_with_sources"
        for query in errand.plan.search_queries or ():
            try:
                per_query.append(await self._hits(query, errand, deadline))
                found.arrived = self._clock()
            except FetchFailure as failure:
                found.failures.append(failure)
                if failure.outcome in ("blocked", "timeout"):
                    break  # the next query would fare no better
            if not compared and sum(map(len, per_query)) >= self._settings.pages:
                break
        for rank in range(max(map(len, per_query), default=0)):
            for hits in per_query:
                if rank < len(hits):
                    found.hits.setdefault(hits[rank].url, hits[rank])
        if not found.hits and not found.failures:
            found.failures.append(FetchFailure("empty", f"{self._provider.title} found nothing"))
        return found

    async def _hits(self, query: str, errand: Errand, deadline: float) -> list[Hit]:
        """The hits of one query. Raises FetchFailure."""
        place = self._settings.base_url
        url = self._provider.request(place or self._provider.endpoint, query, errand.question.language or "en")
        call = Call(
            kind="search",
            adapter=NAME,
            server=self._provider.name,
            tool="search",
            # An endpoint that the operator set is the operator's; the usual one is an address like any other.
            url=None if place else url,
            arguments={"q": query},
            read_only=True,
        )
        permit = _permits(errand, call)
        try:
            page = await self._fetcher.fetch(
                url, deadline, permit, own=place is not None, language=errand.question.language or "en"
            )
        except FetchFailure as failure:
            if failure.outcome == "empty":  # nothing was said, also not that there is nothing
                raise FetchFailure("failed", f"{self._provider.title} sent a blank page") from None
            raise
        result = await parsed(self._provider.parse, page.body, {"charset": page.charset}, deadline)
        _raise_failure(result)
        return [hit for rank, raw in enumerate(result["hits"]) if (hit := _hit(raw, query, rank)) is not None]

    async def _one(
        self, hit: Hit, errand: Errand, wanted: Wanted, deadline: float, gate: asyncio.Semaphore, found: _Found
    ) -> Evidence | None:
        """The evidence of one hit: from its page, else from its summary; why not from its page is noted."""
        try:
            async with gate:
                page = await self._fetcher.fetch(
                    hit.url, deadline, _permits(errand), language=errand.question.language or "en"
                )
                reading = await self._read(page, wanted, deadline)
            item = page_evidence(hit, page, reading, wanted)
            if item is None:
                found.failures.append(FetchFailure("empty", f"{host(page.url)}: nothing about the question"))
            return item
        except FetchFailure as failure:
            found.failures.append(FetchFailure(failure.outcome, _named(host(hit.url), failure.reason)))
            if failure.outcome == "refused" or found.arrived is None:
                return None  # what may not be visited is not quoted either
            why = f"{failure.outcome}: {failure.reason}"
        try:
            return summary_evidence(hit, why, found.arrived, wanted)
        except FetchFailure as failure:
            found.failures.append(FetchFailure(failure.outcome, _named(host(hit.url), failure.reason)))
            return None

    async def _read(self, page: Page, wanted: Wanted, deadline: float) -> dict[str, Any]:
        note = {
            "charset": page.charset,
            "media_type": page.media_type,
            "headers": {name: page.headers[name] for name in DATING_HEADERS if name in page.headers},
            "retrieved_at": page.retrieved_at.isoformat(),
            "about": wanted.about,
        }
        reading = await parsed(READ_PAGE, page.body, note, deadline)
        _raise_failure(reading)
        return reading

    def _wanted(self, errand: Errand) -> Wanted:
        plan = errand.plan
        said = (errand.question.text, plan.topic, *(plan.subject_entities or ()), *(plan.search_queries or ()))
        return Wanted(
            errand.execution_id,
            NAME,
            self._provider.name,
            "\n".join(text for text in said if text),
            errand.question.language or plan.language or "en",
        )

    def _outcome(self, items: Sequence[Evidence], failures: Sequence[FetchFailure]) -> Fetched:
        reasons = "; ".join(dict.fromkeys(f"{failure.outcome}: {failure.reason}" for failure in failures)) or None
        if items:
            return Fetched("evidence", tuple(items), reasons, self._provider.name)
        outcomes = {failure.outcome for failure in failures}
        worst: Outcome = next((outcome for outcome in _WORST if outcome in outcomes), "empty")
        return Fetched(worst, (), reasons, self._provider.name)


def open_live(settings: Settings, clock: Callable[[], datetime]) -> LiveSearch:
    """The live search of the settings. Raises SettingsError if there is no such provider or what it needs is not there."""
    provider = PROVIDERS.get(settings.live.provider)
    if provider is None:
        help = did_you_mean(settings.live.provider, list(PROVIDERS)) or "providers there are: " + ", ".join(PROVIDERS)
        message = f"there is no search provider `{settings.live.provider}`"
        raise SettingsError("groundrule.toml", "live.provider", message, help)
    if importlib.util.find_spec("trafilatura") is None:
        message = "the live search needs packages that are not installed"
        raise SettingsError("groundrule.toml", "live.enabled", message, "pip install 'groundrule[live]'")
    return LiveSearch(provider, settings.live, Fetcher(settings.fetch, clock), clock)


def _permits(errand: Errand, first: Call | None = None) -> Permit:
    """Asks the call gate for each hop: the first as the call that it is, all others as what it was redirected to."""
    asks = iter((errand.permit,))

    async def permit(url: str) -> bool:
        fetch = Call(kind="fetch", adapter=NAME, server=NAME, tool="fetch", url=url, read_only=True)
        ask = next(asks, None)
        if ask is not None:
            return await ask(first or fetch)
        return await (errand.follow or errand.permit)(fetch)

    return permit


def _hit(raw: dict[str, Any], query: str, rank: int) -> Hit | None:
    """A hit whose address can be read."""
    try:
        url = canonical(str(raw["url"])).partition("#")[0]
    except UrlRefused:
        return None
    title, snippet = one_line(str(raw["title"])), one_line(str(raw["snippet"]))
    return Hit(url, cut(title, MAX_TITLE), cut(snippet, MAX_SNIPPET), str(raw["date"])[:60], query, rank + 1)


def _raise_failure(result: dict[str, Any]) -> None:
    """Raises the FetchFailure that a task handed back."""
    if "failure" in result:
        outcome, reason = result["failure"]
        raise FetchFailure(outcome, reason)


def _named(name: str, reason: str) -> str:
    return reason if name in reason else f"{name}: {reason}"


def _by_address(items: Sequence[Evidence]) -> list[Evidence]:
    """Items of different addresses: two hits may lead to one page."""
    return list({item.target_url: item for item in reversed(items)}.values())[::-1]
