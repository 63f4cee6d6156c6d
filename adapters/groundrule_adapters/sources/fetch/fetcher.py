"""Getting one page: every hop is asked of the call gate and checked where it connects; all of it has one deadline."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import ada_url
import httpcore2

from groundrule.diagnostics import visible
from groundrule.urls import UrlRefused, canonical, host

from .body import ASKED_CODING, read_body
from .connecting import CheckedBackend, Resolve, system_addresses
from .failure import FetchFailure

if TYPE_CHECKING:
    from ...settings import FetchSettings

MAX_REDIRECTS = 5
PAGE_TYPES = frozenset({"text/html", "application/xhtml+xml", "text/plain", ""})
"""Media types that are read; a page that states none may be one of them."""
Permit = Callable[[str], Awaitable[bool]]
"""Asks the call gate about an address."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_BLOCKED = frozenset({202, 401, 402, 403, 407, 429, 451})
_READ = frozenset({200, 203})
_EMPTY = frozenset({204, 205})
_PARTS = re.compile(
    r"(?P<scheme>https?)://(?P<authority>(?P<host>\[[0-9a-f:.]+\]|[^/?#:\[\]]+)(?::(?P<port>[0-9]+))?)(?P<target>/[^#]*)"
)
_UNREADABLE = re.compile(r"[\\\x00-\x1f\x7f]")


@dataclass(frozen=True)
class Page:
    """What a server sent, before anybody read it.

    url: the canonical address that it came from, without fragment. hops: those that led there, in order. headers:
    lower-case names; repeated ones are joined. body: decompressed. cut: there was more than the limit.
    """

    url: str
    hops: tuple[str, ...]
    headers: Mapping[str, str]
    body: bytes
    cut: bool
    retrieved_at: datetime

    @property
    def media_type(self) -> str:
        """For example `text/html`; empty if none is stated."""
        return _media_type(self.headers)

    @property
    def charset(self) -> str | None:
        """The charset that the Content-Type header states."""
        match = re.search(r"charset\s*=\s*[\"']?([^\s\"';,]+)", self.headers.get("content-type", ""), re.IGNORECASE)
        return None if match is None else match[1]


class _Place(NamedTuple):
    url: str
    scheme: str
    authority: str
    host: str
    port: int
    target: str


class Fetcher:
    """Gets pages under the operator's settings. It holds no connection between two calls."""

    def __init__(
        self,
        settings: FetchSettings,
        clock: Callable[[], datetime],
        resolve: Resolve = system_addresses,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._settings, self._clock, self._resolve, self._tls = settings, clock, resolve, tls

    async def fetch(
        self, url: str, deadline: float, permit: Permit, *, own: bool = False, language: str = "en"
    ) -> Page:
        """The page at `url`, after at most MAX_REDIRECTS redirects.

        deadline: on the clock of the event loop; the timeout of the settings holds as well. permit: asked before each
        hop, the first included. own: `url` is an endpoint of the operator's settings, so its address is not checked;
        those of its redirects are. Raises FetchFailure.
        """
        limit = min(deadline, asyncio.get_running_loop().time() + self._settings.timeout)
        place = _place(url)
        try:
            async with asyncio.timeout_at(limit):
                return await self._followed(place, permit, own, language)
        except (TimeoutError, httpcore2.TimeoutException):
            raise FetchFailure("timeout", f"{place.host} did not deliver the page in time") from None
        except (httpcore2.NetworkError, httpcore2.ProtocolError, ssl.SSLError) as error:
            reason = visible(str(error))[:120] or type(error).__name__
            raise FetchFailure("failed", f"{place.host}: {reason}") from None

    async def _followed(self, place: _Place, permit: Permit, own: bool, language: str) -> Page:
        if self._tls is None:
            self._tls = httpcore2.default_ssl_context()
        backend = CheckedBackend(
            self._resolve, tuple(self._settings.allow_addresses), (place.host, place.port) if own else None
        )
        hops: list[str] = []
        async with httpcore2.AsyncConnectionPool(ssl_context=self._tls, network_backend=backend) as pool:
            while True:
                if not await permit(place.url):
                    raise FetchFailure("refused", f"the call of {place.url[:200]} was not permitted")
                answer = await self._hop(pool, place, tuple(hops), language)
                if isinstance(answer, Page):
                    return answer
                hops.append(place.url)
                if answer.url in hops:
                    raise FetchFailure("failed", f"{place.host} redirects in a circle")
                if len(hops) > MAX_REDIRECTS:
                    raise FetchFailure("failed", f"more than {MAX_REDIRECTS} redirects")
                place = answer

    async def _hop(
        self, pool: httpcore2.AsyncConnectionPool, place: _Place, hops: tuple[str, ...], language: str
    ) -> Page | _Place:
        """The page at a place, or the place that it redirects to."""
        address = httpcore2.URL(scheme=place.scheme, host=place.host, port=place.port, target=place.target)
        async with pool.stream("GET", address, headers=self._headers(place, language)) as response:
            headers = _joined(response.headers)
            if response.status in _REDIRECTS and headers.get("location"):
                return _redirected(place, headers["location"])
            _check(response.status, headers)
            coding = headers.get("content-encoding", "")
            body, cut = await read_body(response.aiter_stream(), coding, self._settings.max_bytes)
        if not body.strip():
            raise FetchFailure("empty", "the page has no content")
        return Page(place.url, hops, headers, body, cut, self._clock())

    def _headers(self, place: _Place, language: str) -> list[tuple[str, str]]:
        return [
            ("Host", place.authority),
            ("User-Agent", self._settings.user_agent),
            ("Accept", "text/html,application/xhtml+xml,text/plain;q=0.8,*/*;q=0.1"),
            ("Accept-Language", "zh-CN,zh;q=0.9,en;q=0.5" if language == "zh" else "en,zh;q=0.5"),
            ("Accept-Encoding", ASKED_CODING),
            ("Connection", "close"),
        ]


def _place(url: str) -> _Place:
    """The parts of a URL as everything of ours reads it. Raises FetchFailure."""
    try:
        address = canonical(url)
        named = host(address)
    except UrlRefused as refusal:
        raise FetchFailure("refused", f"an address that is not read: {refusal}") from None
    parts = _PARTS.match(address)
    if parts is None:
        raise FetchFailure("refused", "an address that is neither http nor https")
    port = int(parts["port"] or (443 if parts["scheme"] == "https" else 80))
    return _Place(address.partition("#")[0], parts["scheme"], parts["authority"], named, port, parts["target"])


def _redirected(place: _Place, location: str) -> _Place:
    """Where a Location leads from a place. Raises FetchFailure."""
    location = location.strip()
    if _UNREADABLE.search(location):
        raise FetchFailure("refused", "a redirect to an address that parsers read differently")
    try:
        return _place(ada_url.join_url(place.url, location))
    except ValueError:
        raise FetchFailure("refused", "a redirect to an address that is not read") from None


def _check(status: int, headers: Mapping[str, str]) -> None:
    """Raises FetchFailure unless a body follows that may be a page."""
    if status in _BLOCKED or headers.get("cf-mitigated", "").lower() == "challenge":
        raise FetchFailure("blocked", f"the site turned us away (HTTP {status})")
    if status in _EMPTY:
        raise FetchFailure("empty", f"the site sent nothing (HTTP {status})")
    if status not in _READ:
        raise FetchFailure("failed", f"the site answered HTTP {status}")
    if _media_type(headers) not in PAGE_TYPES:
        raise FetchFailure("failed", f"{visible(_media_type(headers))[:60]} is no page of text")


def _media_type(headers: Mapping[str, str]) -> str:
    return re.split("[;,]", headers.get("content-type", ""), maxsplit=1)[0].strip().lower()


def _joined(raw: Sequence[tuple[bytes, bytes]]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for name, value in raw:
        key, text = name.decode("latin-1").lower(), _text(value)
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    return headers


def _text(value: bytes) -> str:
    """Servers write addresses in their headers as UTF-8, though the standard knows only ASCII."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")
