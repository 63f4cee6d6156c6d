"""The body of a response, read up to a limit: what came over the wire, and what it decompresses to."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator

from .failure import FetchFailure

ASKED_CODING = "gzip"
"""The one content coding that we ask for and read."""
_GZIP = 16 + zlib.MAX_WBITS


async def read_body(chunks: AsyncIterator[bytes], coding: str, limit: int) -> tuple[bytes, bool]:
    """The first `limit` bytes of the body, and whether there was more.

    coding: the value of Content-Encoding. A body in another coding than the one asked for is not read, since a few
    bytes of some of them unfold without bound. Raises FetchFailure.
    """
    inflater = _inflater(coding)
    body, wire = bytearray(), 0
    async for chunk in chunks:
        wire += len(chunk)
        if inflater is None:
            body += chunk
        else:
            # One byte more than fits tells that there is more, and nothing beyond it is ever unfolded.
            body += _inflated(inflater, chunk, limit + 1 - len(body))
        if len(body) > limit or wire > limit:
            return bytes(body[:limit]), True
        if inflater is not None and inflater.eof:
            return bytes(body), bool(inflater.unused_data)
    return bytes(body), inflater is not None and wire > 0


def _inflater(coding: str) -> zlib._Decompress | None:
    names = [name.strip().lower() for name in coding.split(",")]
    names = [name for name in names if name not in ("", "identity")]
    if not names:
        return None
    if names in (["gzip"], ["x-gzip"]):
        return zlib.decompressobj(_GZIP)
    raise FetchFailure("failed", f"the body is coded as {', '.join(names)[:60]}, which was not asked for")


def _inflated(inflater: zlib._Decompress, chunk: bytes, most: int) -> bytes:
    try:
        return inflater.decompress(chunk, most)
    except zlib.error:
        raise FetchFailure("failed", "the compressed body is broken") from None
