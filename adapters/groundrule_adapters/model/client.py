"""The one place that talks to a model, through the `openai` client, which is imported with the first call.

The client is given no key and no retries: headers, deadline, size and retries are ours. A request carries nothing but
the messages: neither what the client tells of this machine nor what `OPENAI_…` variables say for other endpoints.
"""

from __future__ import annotations

import asyncio
import email.utils
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from groundrule import __version__

from ..settings import ModelSettings
from .faults import ModelFault, ModelLate
from .reply import read_text

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI

MAX_BODY = 4 << 20
"""Bytes of a response. The longest reply that settings allow is far below it."""
RETRIED = frozenset({408, 429})
"""Statuses below 500 after which the same request may succeed."""
FIRST_WAIT = 0.25
"""Seconds before the first retry where the server names none; each later one waits twice as long."""
_RAW = "x-stainless-raw-response"
"""By this header of the request the client knows afterwards that the body is wanted as it came."""
_SENT = frozenset({"host", "accept", "connection", "content-type", "content-length", _RAW})


class Model:
    """A model that can be asked. settings: `usable` ones."""

    def __init__(self, settings: ModelSettings) -> None:
        self.settings = settings
        self._client: AsyncOpenAI | None = None

    @property
    def name(self) -> str:
        """Its name at the endpoint."""
        return self.settings.model or ""

    async def complete(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any] | None = None) -> str:
        """The text that it writes to these messages.

        schema: a JSON Schema that the text is asked to follow; whether it does is for the caller to check. The
        deadline of the settings covers all retries. Raises ModelLate once it has passed, ModelFault for anything else
        that is no finished text.
        """
        request = self._request(messages, schema)
        client = self._opened()
        seconds = self.settings.timeout
        try:
            async with asyncio.timeout(seconds) as limit:
                return read_text(await self._sent(client, request, limit.when() or 0.0))
        except TimeoutError:
            raise ModelLate(f"the model did not answer within {seconds:g} s") from None

    def _request(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any] | None) -> dict[str, Any]:
        """What is asked of the endpoint: no parameter that the settings leave out."""
        parameters: dict[str, Any] = {"temperature": self.settings.temperature, "max_tokens": self.settings.max_tokens}
        if schema is not None:
            named = {"name": str(schema.get("title", "reply")), "strict": True, "schema": dict(schema)}
            parameters["response_format"] = {"type": "json_schema", "json_schema": named}
        renamed = {"max_tokens": self.settings.max_tokens_name}
        sent = {renamed.get(name, name): value for name, value in parameters.items() if name not in self.settings.leave_out}
        return {"model": self.name, "messages": list(messages), **sent}

    async def close(self) -> None:
        """Ends its connections."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    async def _sent(self, client: AsyncOpenAI, request: dict[str, Any], deadline: float) -> bytes:
        """The body of a response with status 200, after as many retries as are allowed.

        deadline: by the clock of the event loop. Faults of transport alone are retried: no connection, 408, 429, 5xx.
        """
        import openai

        left, wait = self.settings.retries, FIRST_WAIT
        while True:
            named: float | None = None
            try:
                response = await client.chat.completions.with_raw_response.create(**request)
                body: bytes = response.content
                return body
            except openai.APIStatusError as error:
                fault = ModelFault(f"the model answered with HTTP {error.status_code}")
                if error.status_code not in RETRIED and error.status_code < 500:
                    raise fault from None
                named = retry_after(error.response.headers.get("retry-after", ""), datetime.now(UTC))
            except openai.APIConnectionError as error:
                fault = ModelFault(f"the model cannot be reached: {type(error.__cause__ or error).__name__}")
            pause = wait if named is None else named
            if left <= 0 or pause >= deadline - asyncio.get_running_loop().time():
                raise fault
            await asyncio.sleep(pause)
            left, wait = left - 1, wait * 2

    def _opened(self) -> AsyncOpenAI:
        """The client, made when it is first needed."""
        if self._client is None:
            import httpx2
            import openai

            key = self.settings.api_key
            hooks = {
                "request": [_bare(None if key is None else key.get_secret_value())],
                "response": [_limited],
            }
            self._client = openai.AsyncOpenAI(
                base_url=self.settings.base_url,
                api_key="set by the hook",
                max_retries=0,
                # Each call has one deadline for everything; timers of single reads would only hide it.
                http_client=httpx2.AsyncClient(timeout=None, follow_redirects=False, event_hooks=hooks),
            )
        return self._client


def retry_after(value: str, now: datetime) -> float | None:
    """Seconds that a `Retry-After` asks to wait (RFC 9110, section 10.2.3); None if it is no such value."""
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,6})?", value, re.ASCII):
        return float(value)
    try:
        at = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (at.replace(tzinfo=at.tzinfo or UTC) - now).total_seconds())


def _bare(key: str | None) -> Any:
    """Leaves of a request's headers what HTTP needs, and adds the key."""

    async def hook(request: httpx2.Request) -> None:
        for name in set(request.headers) - _SENT:
            del request.headers[name]
        request.headers["accept-encoding"] = "identity"
        request.headers["user-agent"] = f"groundrule/{__version__}"
        if key is not None:
            request.headers["authorization"] = f"Bearer {key}"

    return hook


async def _limited(response: httpx2.Response) -> None:
    """Lets no more of a body in than MAX_BODY, whatever its length is said to be."""
    import httpx2

    if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise ModelFault("the response is compressed, which was not asked for")

    class Limited(httpx2.AsyncByteStream):
        def __init__(self, stream: httpx2.AsyncByteStream) -> None:
            self.stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for chunk in self.stream:
                size += len(chunk)
                if size > MAX_BODY:
                    raise ModelFault(f"the response is larger than {MAX_BODY >> 20} MiB")
                yield chunk

        async def aclose(self) -> None:
            await self.stream.aclose()

    stream = response.stream
    assert isinstance(stream, httpx2.AsyncByteStream)
    response.stream = Limited(stream)
