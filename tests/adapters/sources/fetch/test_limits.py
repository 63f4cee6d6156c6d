"""What a server may cost: time, bytes, headers, redirects; and which outcome each end has."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Callable

import pytest
from tests.adapters.sources.fetch.loopback import Script, allowed, fetcher, redirect, response, site, soon

from groundrule_adapters.sources.fetch.failure import FetchFailure

pytestmark = pytest.mark.anyio
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def dripping(before: bytes, drop: bytes, every: float = 0.02) -> Script:
    """Says `before` at once, and then a drop at a time for ever."""

    async def script(writer: asyncio.StreamWriter) -> None:
        writer.write(before)
        while True:
            writer.write(drop)
            await writer.drain()
            await asyncio.sleep(every)

    return script


async def silent(writer: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


@pytest.mark.parametrize(
    "script",
    [
        dripping(HEAD + b"Content-Length: 100000\r\n\r\n", b"x"),
        dripping(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        dripping(HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"")[:10], b"\x00\x00\x00\xff\xff"),
        dripping(b"HTTP/1.1 200 OK\r\nX-Slow: ", b"x"),
        dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        silent,
    ],
    ids=["body", "chunks", "empty gzip blocks", "header", "endless interim answers", "nothing"],
)
async def test_a_server_that_drips_cannot_stretch_the_deadline(script: Script) -> None:
    """However alive it looks: the outcome is a timeout, and the connection is closed."""
    async with site({"/": script}) as slow:
        with pytest.raises(FetchFailure) as failure:
            await fetcher().fetch(slow.url(), soon(0.4), allowed)
        assert failure.value.outcome == "timeout"
        await asyncio.wait_for(slow.left.wait(), 10)


async def test_the_timeout_of_the_settings_holds_for_all_redirects_together() -> None:
    """Each hop is quick enough for itself; together they are not."""
    hops = 0

    async def hop(writer: asyncio.StreamWriter) -> None:
        nonlocal hops
        hops += 1
        await asyncio.sleep(0.3)
        writer.write(redirect(f"/{hops}"))
        await writer.drain()

    async with site({f"/{number}": hop for number in ["", *range(9)]}) as slow:
        with pytest.raises(FetchFailure) as failure:
            await fetcher(timeout=0.7).fetch(slow.url(), soon(), allowed)
    assert failure.value.outcome == "timeout"
    assert hops < 5


async def test_a_cancelled_fetch_leaves_at_once() -> None:
    """The server sees us go."""
    async with site({"/": dripping(HEAD + b"\r\n", b"x")}) as slow:
        task = asyncio.create_task(fetcher().fetch(slow.url(), soon(), allowed))
        while not slow.requests:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(slow.left.wait(), 10)


def flood(before: bytes, piece: bytes) -> Script:
    """As much as the client takes."""

    async def script(writer: asyncio.StreamWriter) -> None:
        writer.write(before)
        while True:
            writer.write(piece)
            await writer.drain()

    return script


async def test_of_an_endless_body_the_first_part_is_kept_and_marked() -> None:
    """No more is read than the limit."""
    async with site({"/": flood(HEAD + b"\r\n", b"word " * 1000)}) as endless:
        page = await fetcher(max_bytes=10_000).fetch(endless.url(), soon(), allowed)
    assert (len(page.body), page.cut) == (10_000, True)


async def test_a_page_of_just_the_limit_is_whole() -> None:
    """One byte more is one too many."""
    async with site({"/": response("x" * 2_000), "/more": response("x" * 2_001)}) as exact:
        whole = await fetcher(max_bytes=2_000).fetch(exact.url(), soon(), allowed)
        more = await fetcher(max_bytes=2_000).fetch(exact.url("/more"), soon(), allowed)
    assert (len(whole.body), whole.cut) == (2_000, False)
    assert (len(more.body), more.cut) == (2_000, True)


async def test_a_zip_bomb_unfolds_no_further_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousandfold bomb is cut while it unfolds, not after."""
    largest = 0
    inflate = zlib.decompressobj

    class Watched:
        def __init__(self, bits: int) -> None:
            self._inner = inflate(bits)

        def decompress(self, data: bytes, most: int) -> bytes:
            nonlocal largest
            out = self._inner.decompress(data, most)
            largest = max(largest, len(out))
            return out

        @property
        def eof(self) -> bool:
            return self._inner.eof

    monkeypatch.setattr(zlib, "decompressobj", Watched)
    bomb = gzip.compress(b"word " * 4_000_000)
    async with site({"/": response(bomb, Content_Encoding="gzip")}) as hostile:
        page = await fetcher(max_bytes=100_000).fetch(hostile.url(), soon(), allowed)
    assert (len(page.body), page.cut) == (100_000, True)
    assert largest <= 100_001


async def test_gzip_that_says_nothing_for_ever_is_cut_by_what_came_over_the_wire() -> None:
    """Blocks that unfold to nothing count too."""
    start = gzip.compress(b"")[:10]
    async with site(
        {"/": flood(HEAD + b"Content-Encoding: gzip\r\n\r\n" + start, b"\x00\x00\x00\xff\xff" * 500)}
    ) as hostile:
        with pytest.raises(FetchFailure) as failure:
            await fetcher(max_bytes=20_000).fetch(hostile.url(), soon(), allowed)
    assert failure.value.outcome == "empty"


@pytest.mark.parametrize("coding", ["br", "zstd", "deflate", "gzip, gzip", "gzip, br", "rot13"])
async def test_codings_that_were_not_asked_for_are_not_unfolded(coding: str) -> None:
    """A few bytes of some of them would fill the memory."""
    async with site({"/": response(b"\x1b\x00\xf8\xff", Content_Encoding=coding)}) as hostile:
        with pytest.raises(FetchFailure, match="not asked for") as failure:
            await fetcher().fetch(hostile.url(), soon(), allowed)
        assert "Accept-Encoding: gzip\r\n" in hostile.requests[0]
    assert failure.value.outcome == "failed"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (gzip.compress(b"<p>whole"), (b"<p>whole", False)),
        (gzip.compress(b"<p>first" * 99)[:-8], (b"<p>first" * 99, True)),
        (gzip.compress(b"<p>one") + gzip.compress(b"<p>two"), (b"<p>one", True)),
    ],
    ids=["whole", "broken off", "two members"],
)
async def test_compressed_bodies_say_whether_they_are_whole(body: bytes, expected: tuple[bytes, bool]) -> None:
    """What is missing is marked as cut."""
    async with site({"/": response(body, Content_Encoding="gzip")}) as usual:
        page = await fetcher().fetch(usual.url(), soon(), allowed)
    assert (page.body, page.cut) == expected


def _with_headers(number: int, size: int) -> bytes:
    headers = "".join(f"X-{at}: {'x' * size}\r\n" for at in range(number))
    return HEAD + headers.encode() + b"Content-Length: 3\r\n\r\n<p>"


@pytest.mark.parametrize(
    "answer",
    [
        _with_headers(1, 300_000), _with_headers(3_000, 100), b"HTTP/1.1 200 OK\r\nno header\r\n\r\n", b"SSH-2.0-x\r\n\r\n", b"",
        response(b"<p>", length=99_999_999_999), redirect("/" + "x" * 9_000),
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        response(b"not gzip", Content_Encoding="gzip"),
    ],
    ids=["long header", "many headers", "bad header", "no http", "closed", "lies about its length", "long redirect", "bad chunk", "bad gzip"],
)  # fmt: skip
async def test_answers_that_are_none_have_an_outcome(answer: bytes) -> None:
    """Nothing escapes that is no outcome."""
    async with site({"/": answer}) as broken:
        with pytest.raises(FetchFailure) as failure:
            await fetcher().fetch(broken.url(), soon(), allowed)
    assert failure.value.outcome in ("failed", "refused")
    assert len(failure.value.reason) < 300


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (202, "blocked"), (204, "empty"), (205, "empty"), (206, "failed"), (300, "failed"), (304, "failed"), (400, "failed"),
        (401, "blocked"), (402, "blocked"), (403, "blocked"), (404, "failed"), (410, "failed"), (429, "blocked"),
        (451, "blocked"), (500, "failed"), (503, "failed"), (999, "failed"),
    ],
)  # fmt: skip
async def test_each_status_has_its_outcome(status: int, outcome: str) -> None:
    """Whatever its body says."""
    async with site({"/": response(b"" if status in (204, 304) else b"<p>Page", status=status)}) as turning:
        with pytest.raises(FetchFailure, match=f"HTTP {status}") as failure:
            await fetcher().fetch(turning.url(), soon(), allowed)
    assert failure.value.outcome == outcome


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (response(b"<p>x", status=503, cf_mitigated="challenge"), "blocked"), (response(b""), "empty"),
        (response(b" \n "), "empty"), (response(b"%PDF", type="application/pdf"), "failed"),
        (response(b"\x89PNG", type="image/png"), "failed"), (response(b"{}", type="application/json"), "failed"),
    ],
)  # fmt: skip
async def test_what_is_no_page_has_its_outcome(answer: bytes, outcome: str) -> None:
    """By headers and length alone."""
    async with site({"/": answer}) as odd:
        with pytest.raises(FetchFailure) as failure:
            await fetcher().fetch(odd.url(), soon(), allowed)
    assert failure.value.outcome == outcome


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (lambda at: "/", "circle"),
        (lambda at: f"/{(at + 1) % 3 or ''}", "circle"),
        (lambda at: f"/{at + 1}", "more than 5"),
    ],
    ids=["itself", "three in a ring", "ever on"],
)
async def test_redirects_end(target: Callable[[int], str], said: str) -> None:
    """In a circle or without end: failed, after a few requests."""
    answers = {f"/{at or ''}": redirect(target(at)) for at in range(20)}
    async with site(answers) as ring:
        with pytest.raises(FetchFailure, match=said) as failure:
            await fetcher().fetch(ring.url(), soon(), allowed)
        assert failure.value.outcome == "failed"
        assert ring.connections <= 6


async def test_a_redirect_is_followed_without_reading_its_body() -> None:
    """Its body may be endless."""
    head = b"HTTP/1.1 302 Found\r\nLocation: /page\r\n\r\n"
    async with site({"/": flood(head, b"x" * 1000), "/page": "<p>there"}) as outer:
        page = await fetcher().fetch(outer.url(), soon(), allowed)
    assert page.body == b"<p>there"


async def test_locations_in_utf8_are_read_as_they_are_meant() -> None:
    """Servers write addresses as UTF-8."""
    path = "/%E5%B9%BF%E5%B7%9E"
    raw = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + "/广州".encode() + b"\r\n\r\n"
    async with site({"/": raw, path: "<p>there"}) as outer:
        page = await fetcher().fetch(outer.url(), soon(), allowed)
    assert page.url == outer.url(path)


async def test_a_connection_nobody_accepts_failed() -> None:
    """Refused connections are failures, not refusals of ours."""
    async with site() as gone:
        url = gone.url()
    with pytest.raises(FetchFailure) as failure:
        await fetcher().fetch(url, soon(), allowed)
    assert failure.value.outcome == "failed"
