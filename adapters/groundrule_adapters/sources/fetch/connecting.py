"""Connections that lead only where they may: a name is resolved once, and what was checked is what is connected to.

The check stands in the connection itself, so that no redirect, no spelling of an address and no second answer of a
name server gets round it.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable, Iterable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Any

import httpcore2

from groundrule.urls import UrlRefused, address_is_public, is_public_http

from .failure import FetchFailure

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""The addresses of a host name for a port, as text. Raises OSError if it has none."""
Ranges = tuple[IPv4Network | IPv6Network, ...]

WEB_PORTS = frozenset({80, 443, 8080, 8443})
"""Ports at which pages are. Others are fetched only in ranges that the operator opened."""
_MOST_ADDRESSES = 16
_TRIED = 4
_PER_ADDRESS = 3.0
"""Seconds after which the next address of a name is tried."""


class CheckedBackend(httpcore2.AsyncNetworkBackend):
    """Opens TCP connections to public addresses, and to ranges that the operator opened.

    A name with one address that may not be gone to is refused whole: it is one step from leading there. `own` is an
    endpoint (host, port) from the operator's settings, which is not checked.
    """

    def __init__(self, resolve: Resolve, ranges: Ranges, own: tuple[str, int] | None = None) -> None:
        self._resolve, self._ranges, self._own = resolve, ranges, own
        self._inner = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """A connection to the first address of the host that answers. Raises FetchFailure before connecting."""
        addresses = await self._addresses(host, port)
        for address in addresses[:-1]:
            try:
                return await self._inner.connect_tcp(address, port, _PER_ADDRESS, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue  # the name has another address; if all fail, the last one says how
        return await self._inner.connect_tcp(addresses[-1], port, timeout, local_address, socket_options)

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore2.AsyncNetworkStream:
        """Never."""
        raise FetchFailure("refused", "sockets of this machine are not fetched from")

    async def _addresses(self, host: str, port: int) -> Sequence[str]:
        """The checked addresses of a host."""
        own = (host, port) == self._own
        public = _is_public(host)
        if not own and not public and not self._ranges:
            raise FetchFailure("refused", f"{host} is no public host")
        addresses = (host,) if _is_address(host) else await self._resolved(host, port)
        for address in addresses:
            if not own and not self._may_connect(address, port, public):
                raise FetchFailure("refused", _why_not(host, address, port))
        return addresses[:_TRIED]

    async def _resolved(self, host: str, port: int) -> Sequence[str]:
        try:
            addresses = list(dict.fromkeys(await self._resolve(host, port)))
        except (OSError, UnicodeError):
            raise FetchFailure("failed", f"{host} has no address") from None
        if not addresses or len(addresses) > _MOST_ADDRESSES:
            raise FetchFailure("failed", f"{host} has {len(addresses)} addresses")
        return addresses

    def _may_connect(self, address: str, port: int, public: bool) -> bool:
        """Whether an address may be connected to. A host that is not public leads only into opened ranges."""
        if not _is_address(address):
            return False
        if any(ip_address(address) in block for block in self._ranges):
            return True
        return public and port in WEB_PORTS and address_is_public(address)


async def system_addresses(host: str, port: int) -> Sequence[str]:
    """The addresses that the system's resolver gives.

    It cannot be interrupted, so it works in a thread of its own that nobody waits for: a name server that does not
    answer holds up neither a run nor the end of the program.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Sequence[str]] = loop.create_future()

    def tell(addresses: Sequence[str], error: Exception | None) -> None:
        if answer.done():
            return
        if error is None:
            answer.set_result(addresses)
        else:
            answer.set_exception(error)

    def look() -> None:
        addresses: Sequence[str] = ()
        failed: Exception | None = None
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            addresses = [str(entry[4][0]) for entry in found]
        except (OSError, UnicodeError) as error:
            failed = error
        try:
            loop.call_soon_threadsafe(tell, addresses, failed)
        except RuntimeError:
            return  # the loop is closed: nobody asks any more

    threading.Thread(target=look, name=f"resolve {host}", daemon=True).start()
    return await answer


def _is_public(host: str) -> bool:
    try:
        return is_public_http(f"http://[{host}]/" if ":" in host else f"http://{host}/")
    except UrlRefused:
        return False


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _why_not(host: str, address: str, port: int) -> str:
    shown = host if host == address else f"{host} at {address}"
    if _is_address(address) and address_is_public(address) and port not in WEB_PORTS:
        return f"{shown}: port {port} is no port of web pages"
    return f"{shown} is not on the public internet"
