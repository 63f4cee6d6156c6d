"""Where a fetch may lead: every spelling, every hop, every answer of a name server, checked where it connects."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Sequence

import pytest
import trustme
from tests.adapters.sources.fetch.loopback import (
    CLOSED,
    OPENED,
    allowed,
    fetcher,
    names,
    redirect,
    response,
    site,
    soon,
)

from groundrule_adapters.sources.fetch.failure import FetchFailure

pytestmark = pytest.mark.anyio
INSIDE = {"localhost": CLOSED, "service": CLOSED, "intranet.internal": CLOSED}


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:{port}/", "http://127.1:{port}/", "http://2130706433:{port}/", "http://0x7f000001:{port}/",
        "http://0177.0.0.1:{port}/", "http://017700000001:{port}/", "http://[::ffff:127.0.0.1]:{port}/",
        "http://[::1]:{port}/", "http://localhost:{port}/", "http://localhost.:{port}/", "http://service:{port}/",
        "http://intranet.internal/", "http://0.0.0.0:{port}/", "http://10.0.0.1/", "http://100.64.0.1/",
        "http://169.254.169.254/latest/meta-data/", "http://2852039166/", "http://[fe80::1]/", "http://[fc00::1]/",
        "http://[64:ff9b::7f00:1]/", "http://[64:ff9b:1::7f00:1]/", "http://[2002:7f00:1::]/",
        "http://[2001:0:7f00:1:0:0:80ff:fffe]/",
    ],
)  # fmt: skip
async def test_no_spelling_of_an_inner_address_is_fetched_nor_redirected_to(address: str) -> None:
    """Neither asked for directly nor after a redirect; the machine there is never connected to."""
    async with site({"/": "<p>secret"}, host=CLOSED) as inner, site() as outer:
        target = address.format(port=inner.port)
        outer.answers["/"] = redirect(target)
        for url in (target, outer.url()):
            with pytest.raises(FetchFailure) as failure:
                await fetcher(names(**INSIDE)).fetch(url, soon(), allowed)
            assert failure.value.outcome == "refused"
        assert outer.connections == 1
        assert inner.connections == 0


@pytest.mark.parametrize(
    "address",
    [
        CLOSED, "::1", "10.1.2.3", "192.168.0.1", "169.254.169.254", "168.63.129.16", "0.0.0.0", "::ffff:127.0.0.1",
        "64:ff9b::a00:1", "64:ff9b:1::808:808", "2002:a00:1::1", "2001:0:7f00:1:0:0:80ff:fffe", "fe80::1%eth0",
        "::127.0.0.1", "fd00::1", "ff02::1", "not an address", "",
    ],
)  # fmt: skip
async def test_a_public_name_that_leads_inside_is_refused(address: str) -> None:
    """Also if another of its addresses is public; what is no plain address counts as inside."""
    for answer in ([address], ["93.184.216.34", address]):
        with pytest.raises(FetchFailure) as failure:
            await fetcher(names(site=answer)).fetch("http://site.example/", soon(), allowed)
        assert failure.value.outcome == "refused"


async def test_a_name_is_resolved_once_and_the_checked_address_is_connected_to() -> None:
    """A name server that answers differently each time gets nobody to an inner address."""
    answers = [OPENED, CLOSED]
    asked: list[str] = []

    async def resolve(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return [answers[min(len(asked), 2) - 1]]

    async with site({"/": "<p>public page"}) as outer, site({"/": "<p>secret"}, host=CLOSED) as inner:
        page = await fetcher(resolve).fetch(outer.url(name="site.example"), soon(), allowed)
        assert page.body == b"<p>public page"
        assert asked == ["site.example"]
        with pytest.raises(FetchFailure) as failure:
            await fetcher(resolve).fetch(f"http://site.example:{inner.port}/", soon(), allowed)
        assert failure.value.outcome == "refused"
        assert inner.connections == 0


async def test_rebinding_between_two_hops_is_refused_at_the_second() -> None:
    """Each connection checks what the name means then."""
    answers = iter([OPENED, CLOSED])

    async def resolve(host: str, port: int) -> Sequence[str]:
        return [next(answers)]

    async with site() as outer:
        outer.answers["/"] = redirect("/again")
        with pytest.raises(FetchFailure) as failure:
            await fetcher(resolve).fetch(outer.url(name="site.example"), soon(), allowed)
    assert failure.value.outcome == "refused"
    assert outer.connections == 1


async def test_an_address_that_does_not_answer_is_followed_by_the_next() -> None:
    """A name may have several."""
    async with site({"/": "<p>here"}) as outer:
        resolve = names(site=["127.0.0.3", OPENED])
        page = await fetcher(resolve, opened="127.0.0.2/31").fetch(outer.url(name="site.example"), soon(), allowed)
    assert page.body == b"<p>here"


@pytest.mark.parametrize("port", [22, 25, 3306, 6379, 11211, 9200])
async def test_services_at_public_addresses_are_no_pages(port: int) -> None:
    """Only ports of the web are connected to."""
    with pytest.raises(FetchFailure, match="no port of web pages") as failure:
        await fetcher(names(site="93.184.216.34")).fetch(f"http://site.example:{port}/", soon(), allowed)
    assert failure.value.outcome == "refused"


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd", "ftp://site.example/", "javascript:alert(1)", "data:text/html,x", "gopher://site.example/",
        "http://user@site.example/", "http://evil.example\\@site.example/", "http://site.example:99999/",
        "http://%31%32%37.0.0.1/", "http://127。0。0。1/", "//site.example/", "site.example", "",
    ],
)  # fmt: skip
async def test_what_is_no_readable_web_address_is_refused_also_as_a_redirect(url: str) -> None:
    """Only http and https, and only as every parser reads it."""
    asked: list[str] = []

    async def permit(address: str) -> bool:
        asked.append(address)
        return True

    with pytest.raises(FetchFailure) as failure:
        await fetcher().fetch(url, soon(), permit)
    assert failure.value.outcome == "refused"
    assert asked == []
    if url.startswith(("file", "ftp", "java", "data", "gopher", "http")):
        async with site({"/": redirect(url)}) as outer:
            with pytest.raises(FetchFailure) as failure:
                await fetcher().fetch(outer.url(), soon(), allowed)
        assert failure.value.outcome == "refused"


async def test_every_hop_is_asked_of_the_call_gate_and_a_denied_one_is_not_visited() -> None:
    """In canonical form, the final address included."""
    asked: list[str] = []

    async def permit(url: str) -> bool:
        asked.append(url)
        return "blocked" not in url

    async with site({"/blocked": "<p>bad"}) as second, site() as first:
        first.answers["/"] = redirect(second.url("/blocked?x=1#part", name="SITE.example."))
        with pytest.raises(FetchFailure, match="not permitted") as failure:
            await fetcher().fetch(first.url(), soon(), permit)
        assert asked == [first.url(), f"http://site.example:{second.port}/blocked?x=1"]
        assert failure.value.outcome == "refused"
        assert second.connections == 0


async def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy would connect for us where nobody checks."""
    async with site({"/": "<p>page"}) as outer, site(host=CLOSED) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url())
        page = await fetcher().fetch(outer.url(), soon(), allowed)
        assert page.body == b"<p>page"
        assert proxy.connections == 0


async def test_the_operators_own_endpoint_is_reached_and_leads_nowhere_else() -> None:
    """Its address is not checked; those of its redirects are."""
    async with site({"/": "<p>secret"}, host=CLOSED) as inner, site({"/": "<p>results"}, host=CLOSED) as own:
        closed = fetcher(opened="")
        page = await closed.fetch(own.url(), soon(), allowed, own=True)
        assert page.body == b"<p>results"
        own.answers["/away"] = redirect(inner.url())
        with pytest.raises(FetchFailure) as failure:
            await closed.fetch(own.url("/away"), soon(), allowed, own=True)
        assert failure.value.outcome == "refused"
        assert inner.connections == 0


async def test_a_resolver_that_hangs_is_a_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for its thread."""
    from groundrule_adapters.sources.fetch import connecting

    answered = threading.Event()

    def hang(*args: object, **named: object) -> list[object]:
        answered.wait(60)
        return []

    monkeypatch.setattr(connecting.socket, "getaddrinfo", hang)
    with pytest.raises(FetchFailure) as failure:
        await fetcher(connecting.system_addresses).fetch("http://site.example/", soon(0.2), allowed)
    assert failure.value.outcome == "timeout"
    (thread,) = [each for each in threading.enumerate() if each.name == "resolve site.example"]
    assert thread.daemon
    answered.set()
    thread.join(10)


async def test_the_systems_resolver_is_asked_and_its_answer_checked() -> None:
    """`localhost` leads to loopback, which is closed unless it was opened."""
    from groundrule_adapters.sources.fetch.connecting import system_addresses

    assert set(await system_addresses("localhost", 80)) <= {"127.0.0.1", "::1"}
    with pytest.raises(FetchFailure) as failure:
        await fetcher(system_addresses).fetch("http://no-such-host.example/", soon(), allowed)
    assert failure.value.outcome == "failed"


def _tls(authority: trustme.CA, name: str, seen: list[str | None]) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    context.sni_callback = lambda connection, asked, ctx: seen.append(asked)
    return context


async def test_tls_names_the_host_and_checks_its_certificate_at_the_checked_address() -> None:
    """Host header and SNI carry the name, though the connection goes to an address."""
    authority, seen = trustme.CA(), list[str | None]()
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    async with site({"/": "<p>safe"}, tls=_tls(authority, "site.example", seen)) as outer:
        url = outer.url(name="site.example").replace("http:", "https:")
        page = await fetcher(tls=trusting).fetch(url, soon(), allowed)
        assert page.body == b"<p>safe"
        assert seen == ["site.example"]
        assert f"Host: site.example:{outer.port}\r\n" in outer.requests[0]
        with pytest.raises(FetchFailure, match=r"(?i)certificate") as failure:
            await fetcher(names(other=OPENED), tls=trusting).fetch(
                url.replace("site.example", "other.example"), soon(), allowed
            )
        assert failure.value.outcome == "failed"


async def test_a_handshake_that_never_ends_is_a_timeout() -> None:
    """A server that takes the connection and says nothing."""

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(silent, OPENED, 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(FetchFailure) as failure:
            await fetcher().fetch(f"https://site.example:{port}/", soon(0.3), allowed)
    assert failure.value.outcome == "timeout"


async def test_a_page_may_lie_behind_redirects_and_says_where_it_was_found() -> None:
    """Relative, with another host, without host; hops in order."""
    async with site() as outer:
        last = outer.url("/last?q=1", name="site.example")
        outer.answers |= {
            "/": redirect("next", 301), "/next": redirect(f"//site.example:{outer.port}/third", 307),
            "/third": redirect(last, 308), "/last?q=1": response("<p>found"),
        }  # fmt: skip
        page = await fetcher().fetch(outer.url("/#top"), soon(), allowed)
    third = outer.url("/third", name="site.example")
    assert (page.url, page.hops) == (last, (outer.url(), outer.url("/next"), third))
