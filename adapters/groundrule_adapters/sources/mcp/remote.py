"""A server that is reached over streamable HTTP. The SDK speaks the protocol; here is what it leaves open.

An answer is measured while it arrives. What the network or the server's front door said is kept, since the SDK passes
on only that there was an error. A session is ended within a second, or left to its server. Tokens stay in memory.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio

from .config import Credentials, Endpoint
from .faults import McpFailure
from .process import MAX_MESSAGE, Pipe

if TYPE_CHECKING:
    import httpx2
    from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

_CONNECT, _IDLE = 10.0, 300.0
"""Seconds: to be connected; without a byte, after which a stream is given up. A call has its own deadline."""
_FAREWELL = 1.0
_SESSION = "mcp-session-id"


@asynccontextmanager
async def connect(endpoint: Endpoint) -> AsyncIterator[Pipe]:
    """A connection for as long as the block runs.

    A fault of the transport cancels the block and ends it with an ExceptionGroup, as the SDK does; `Pipe.remark` then
    says what was seen last.
    """
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    pipe: Pipe | None = None
    seen = _Seen()
    timeout = httpx2.Timeout(_CONNECT, read=_IDLE)
    transport = _watched(seen)
    auth = None if endpoint.oauth is None else _client_credentials(endpoint.url, endpoint.oauth, endpoint.issued)
    async with httpx2.AsyncClient(
        headers=dict(endpoint.headers), auth=auth, timeout=timeout, transport=transport, follow_redirects=False
    ) as client:
        try:
            async with streamable_http_client(
                endpoint.url, http_client=client, terminate_on_close=False, max_sse_event_size=2 * MAX_MESSAGE
            ) as (read, write):
                pipe = seen.pipe = Pipe(read, write)
                try:
                    yield pipe
                finally:
                    pipe.end(seen.fault)
        finally:
            if pipe is not None and pipe.fault is None and seen.session is not None:
                await _farewell(client, endpoint.url, seen.session)


class _Seen:
    """What passed by: the session's id, and the last fault of network or front door, None after an answer."""

    def __init__(self) -> None:
        self.pipe: Pipe | None = None
        self.session: str | None = None
        self.fault: McpFailure | None = None

    def remark(self, fault: McpFailure | None, *, over: bool = False) -> None:
        """Keeps what was seen; `over` ends the connection with it."""
        self.fault = fault
        if self.pipe is not None:
            self.pipe.remark = fault
            if over:
                self.pipe.end(fault)


def _watched(seen: _Seen) -> httpx2.AsyncBaseTransport:
    import httpx2

    class Stream(httpx2.AsyncByteStream):
        """A body that is measured while it arrives."""

        def __init__(self, inner: httpx2.AsyncByteStream, most: int | None) -> None:
            self._inner, self._most = inner, most

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for chunk in self._inner:
                size += len(chunk)
                if self._most is not None and size > self._most:
                    fault = McpFailure("refused", f"an answer of more than {self._most >> 20} MiB", gone=True)
                    seen.remark(fault, over=True)
                    raise httpx2.ReadError("the answer is too long")
                yield chunk

        async def aclose(self) -> None:
            await self._inner.aclose()

    class Watched(httpx2.AsyncHTTPTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            request.headers["accept-encoding"] = "identity"  # what is measured is what is read
            try:
                response = await super().handle_async_request(request)
            except httpx2.TransportError as error:
                said = str(error) or type(error).__name__
                seen.remark(McpFailure("failed", "the server cannot be reached", said=said, gone=True))
                raise
            seen.session = response.headers.get(_SESSION, seen.session)
            seen.remark(_refusal(response.status_code))
            assert isinstance(response.stream, httpx2.AsyncByteStream)
            # The stream of notices has no end; the SDK measures each of them. Everything else is one answer.
            notices = request.method == "GET" and response.headers.get("content-type", "").startswith(
                "text/event-stream"
            )
            response.stream = Stream(response.stream, None if notices else MAX_MESSAGE)
            return response

    return Watched()


def _refusal(status: int) -> McpFailure | None:
    if status in (401, 403):
        return McpFailure("failed", f"the server refused our credentials (HTTP {status})", gone=True)
    if status == 429 or status >= 500:
        return McpFailure("failed", f"the server answered with HTTP {status}", gone=True)
    return None


async def _farewell(client: httpx2.AsyncClient, url: str, session: str) -> None:
    """Tells the server that its session is over. Whether it heard is its own affair."""
    import httpx2

    with anyio.move_on_after(_FAREWELL, shield=True):
        try:
            await client.delete(url, headers={_SESSION: session})
        except httpx2.HTTPError:
            return


def _client_credentials(url: str, oauth: Credentials, issued: set[str]) -> Any:
    """The SDK's provider of tokens for client credentials. They go to the configured issuer alone."""
    from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider

    class Memory:
        """Tokens for as long as the connection lasts."""

        def __init__(self) -> None:
            self._tokens: OAuthToken | None = None
            self._client: OAuthClientInformationFull | None = None

        async def get_tokens(self) -> OAuthToken | None:
            return self._tokens

        async def set_tokens(self, tokens: OAuthToken) -> None:
            self._tokens = tokens
            issued.update(token for token in (tokens.access_token, tokens.refresh_token) if token)

        async def get_client_info(self) -> OAuthClientInformationFull | None:
            return self._client

        async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
            self._client = client_info

    return ClientCredentialsOAuthProvider(
        url, Memory(), oauth.client_id, oauth.client_secret, scope=oauth.scope, issuer=oauth.issuer
    )
