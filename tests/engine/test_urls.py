"""How URLs are read: what they become, what is refused, and which lead to the public internet."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import ada_url
import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundrule.urls import (
    UrlRefused,
    canonical,
    host,
    is_public_http,
    is_tenant,
    registrable_domain,
)

READ = [
    # input, canonical, host
    ("https://good.example", "https://good.example/", "good.example"),
    ("HTTPS://Good.EXAMPLE:443/a/../b?q#f", "https://good.example/b?q#f", "good.example"),
    ("http://good.example:8080/x", "http://good.example:8080/x", "good.example"),
    ("http://good.example:080/", "http://good.example/", "good.example"),
    ("http://good.example:/", "http://good.example/", "good.example"),
    ("http://good.example./x", "http://good.example/x", "good.example"),
    ("http://good.example?q", "http://good.example/?q", "good.example"),
    ("http://good.example#", "http://good.example/#", "good.example"),
    ("http://good.example/p.", "http://good.example/p.", "good.example"),
    ("http://good.example/a//b/", "http://good.example/a//b/", "good.example"),
    ("http://good.example/?u=a@b:c", "http://good.example/?u=a@b:c", "good.example"),
    ("http://good.example/@user", "http://good.example/@user", "good.example"),
    # bytes that were encoded stay what they were, also where they are no UTF-8 (GBK)
    ("http://good.example/?q=%D6%D0", "http://good.example/?q=%D6%D0", "good.example"),
    ("http://good.example/%7Ea%2Fb%2b", "http://good.example/%7Ea%2Fb%2b", "good.example"),
    ("http://good.example/新闻?q=中", "http://good.example/%E6%96%B0%E9%97%BB?q=%E4%B8%AD", "good.example"),
    # international names
    ("http://例子.测试/", "http://xn--fsqu00a.xn--0zwm56d/", "xn--fsqu00a.xn--0zwm56d"),
    ("http://例子.中国/", "http://xn--fsqu00a.xn--fiqs8s/", "xn--fsqu00a.xn--fiqs8s"),
    ("http://XN--FSQU00A.中国", "http://xn--fsqu00a.xn--fiqs8s/", "xn--fsqu00a.xn--fiqs8s"),
    ("http://bücher.example/", "http://xn--bcher-kva.example/", "xn--bcher-kva.example"),
    ("http://BÜCHER.example/", "http://xn--bcher-kva.example/", "xn--bcher-kva.example"),
    ("http://faß.example/", "http://xn--fa-hia.example/", "xn--fa-hia.example"),
    ("http://g\u043ev.cn/", "http://xn--gv-fmc.cn/", "xn--gv-fmc.cn"),  # a Cyrillic letter: another name
    # names that are odd and in use
    ("http://r3---sn-a_b.good.example/", "http://r3---sn-a_b.good.example/", "r3---sn-a_b.good.example"),
    (f"http://{'a.' * 123}example./", f"http://{'a.' * 123}example/", f"{'a.' * 123}example"),
    # numeric hosts
    ("http://2130706433/", "http://127.0.0.1/", "127.0.0.1"),
    ("http://0x7f.1", "http://127.0.0.1/", "127.0.0.1"),
    ("http://127.1", "http://127.0.0.1/", "127.0.0.1"),
    ("http://0177.0.0.1/", "http://127.0.0.1/", "127.0.0.1"),
    ("http://017700000001/", "http://127.0.0.1/", "127.0.0.1"),
    ("http://127.0.0.1./", "http://127.0.0.1/", "127.0.0.1"),
    ("http://134744072/", "http://8.8.8.8/", "8.8.8.8"),
    ("http://[0:0::1]:80/", "http://[::1]/", "::1"),
    ("http://[2606:4700:0:0::1111]/", "http://[2606:4700::1111]/", "2606:4700::1111"),
    # other schemes with a host
    ("ftp://Good.example:21/x", "ftp://good.example/x", "good.example"),
    ("wss://good.example:443/x", "wss://good.example/x", "good.example"),
    ("mcp://Server/tool", "mcp://server/tool", "server"),
]

REFUSED = [
    ("http://evil.example\\@good.example/", "a backslash"),
    ("http://good.example/a\\b", "a backslash"),
    ("http://%65vil.example/", "a percent-encoded host"),
    ("http://evil%2eexample/", "a percent-encoded host"),
    ("http://example.com%2eevil.com/", "a percent-encoded host"),
    ("http://evil.example%23.good.example/", "a percent-encoded host"),
    ("http://evil.example%00.good.example/", "a percent-encoded host"),
    ("https://%31%32%37.0.0.1/", "a percent-encoded host"),
    ("https://%5B::1%5D/", "a percent-encoded host"),
    ("http://[fe80::1%25eth0]/", "a percent-encoded host"),
    ("http://evil。com/", "a bad host name"),
    ("http://ｅｖｉｌ.com/", "a host that changes when it is normalised"),
    ("http://ｅxample.com/", "a host that changes when it is normalised"),
    ("http://evil．com/", "a host that changes when it is normalised"),
    ("http://①②⑦.0.0.1/", "a host that changes when it is normalised"),
    ("http://127。0。0。1/", "a bad host name"),
    ("http://ban\u212a.example/", "a host that changes when it is normalised"),  # the Kelvin sign
    ("http://e\u0301.example/", "a host that changes when it is normalised"),
    ("http://gov\u200b.cn/", "a bad host name"),
    ("http://go\u00adv.cn/", "a bad host name"),
    ("http://ev\til.example/", "a blank or control character"),
    ("http://ev\nil.example/", "a blank or control character"),
    ("http://good.example\u0009.bad/", "a blank or control character"),
    ("http://good.example/a b", "a blank or control character"),
    ("http://good.example/a\u3000b", "a blank or control character"),
    ("http://good.example/a\u2028b", "a blank or control character"),
    ("http://good.example/\x00", "a blank or control character"),
    ("http://good.example/\x9b", "a blank or control character"),
    ("http://good.example/\ud800", "a blank or control character"),
    (" http://good.example/", "a blank or control character"),
    ("http://good.example/\n", "a blank or control character"),
    ("https://good.example@bad.example/", "user information"),
    ("https://u:p@bad.example/", "user information"),
    ("https://@bad.example/", "user information"),
    ("http:///good.example/", "no host"),
    ("http:good.example", "no host"),
    ("http:/good.example", "no host"),
    ("http://", "no host"),
    ("http://:80/", "no host"),
    ("http://?q", "no host"),
    ("file:///etc/passwd", "no host"),
    ("javascript:alert(1)", "no host"),
    ("data:text/html,x", "no host"),
    ("mailto:a@good.example", "no host"),
    ("fe80::1", "no host"),
    ("//good.example/x", "no scheme"),
    ("good.example", "no scheme"),
    ("/x", "no scheme"),
    ("", "no scheme"),
    ("http://good.example:99999/", "a bad port"),
    ("http://good.example:65536/", "a bad port"),
    ("http://good.example:0/", "a bad port"),
    ("http://good.example:8a/", "a bad port"),
    ("http://good.example:８０/", "a bad port"),
    ("http://good.example:-1/", "a bad port"),
    ("http://good.example:80:80/", "a bad host name"),
    ("http://fe80::1/", "a bad host name"),
    ("http://a..example/", "a bad host name"),
    ("http://.good.example/", "a bad host name"),
    ("http://good.example../", "a bad host name"),
    ("http://./", "a bad host name"),
    (f"http://{'a' * 64}.example/", "a bad host name"),
    (f"http://{'ü' * 60}.example/", "a bad host name"),
    (f"http://{'a.' * 123}examples/", "a bad host name"),
    (f"http://{'a.' * 4_000}example/", "a bad host name"),
    ("http://xn--abc-.example/", "a bad host name"),
    ("http://good.example;.bad.example/", "a bad host name"),
    ("http://good.example,bad.example/", "a bad host name"),
    ("http://a*b.example/", "a bad host name"),
    ('http://a"b.example/', "a bad host name"),
    ("http://xn--a.example/", "a bad host name"),
    ("http://xn--/", "a bad host name"),
    ("http://xn--bücher.example/", "a bad host name"),
    ("http://256.0.0.1/", "parsers disagree"),
    ("http://1.2.3.4.5/", "parsers disagree"),
    ("http://good.1/", "parsers disagree"),
    ("http://[::g]/", "parsers disagree"),
    ("http://[]/", "parsers disagree"),
    ("http://[::1/", "a bad host name"),
    ("http://[::1]good.example/", "a bad host name"),
    ("mcp://127.1/", "a bad address"),
    ("mcp://bücher/", "parsers disagree"),
    ("file://localhost/x", "parsers disagree"),
    ("http://good.example/" + "a" * 8_192, "too long"),
    ("http://good.example/" + "中" * 3_000, "too long"),
]


@pytest.mark.parametrize(("url", "form", "name"), READ)
def test_a_readable_url_has_one_form_and_one_host(url: str, form: str, name: str) -> None:
    """What is read is written in its canonical form, which is read as itself."""
    assert (canonical(url), host(url)) == (form, name)
    assert (canonical(form), host(form)) == (form, name)


@pytest.mark.parametrize(("url", "reason"), REFUSED)
def test_what_parsers_may_read_differently_is_refused_by_every_function(url: str, reason: str) -> None:
    """Each function refuses such a URL, and says why."""
    for read in (canonical, host, registrable_domain, is_public_http):
        with pytest.raises(UrlRefused) as refused:
            read(url)
        assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://a.b.good.example/", "good.example"),
        ("https://good.example:8443/", "good.example"),
        ("https://www.bbc.co.uk/", "bbc.co.uk"),
        ("https://www.gov.cn/", "www.gov.cn"),
        ("https://www.gov.cn.evil.com/", "evil.com"),
        ("https://noaa.gov-news.com/", "gov-news.com"),
        ("https://someone.github.io/x", "someone.github.io"),
        ("https://新闻.公司.cn/", "xn--efvy88h.xn--55qx5d.cn"),
        ("https://www.ck/", "www.ck"),
        ("ftp://a.good.example/", "good.example"),
    ],
)
def test_registrable_domain_is_one_label_more_than_the_public_suffix(url: str, domain: str) -> None:
    """Subdomains of one registrant are one source; tenants of a hosting suffix are several."""
    assert registrable_domain(url) == domain


@pytest.mark.parametrize("url", ["http://8.8.8.8/", "http://[::1]/", "http://localhost/", "http://co.uk/"])
def test_addresses_and_public_suffixes_have_no_registrable_domain(url: str) -> None:
    """Nobody registered them, so counting them as a source is undecided."""
    with pytest.raises(UrlRefused, match="no registrable domain"):
        registrable_domain(url)


PUBLIC = [
    "https://good.example/",
    "http://good.com:8080/",
    "https://例子.中国/",
    "https://github.io/",
    "https://gov.cn/",
    "http://8.8.8.8/",
    "http://134744072/",
    "http://[2606:4700::1111]/",
    "http://[::ffff:8.8.8.8]/",
]
NOT_PUBLIC = [
    "ftp://good.example/",
    "ws://good.example/",
    "ref://abcd",
    "mcp://good.example/",
    "http://localhost/",
    "http://LOCALHOST./",
    "http://a.localhost/",
    "http://service:8080/",
    "http://com/",
    "http://printer.local/",
    "https://wiki.corp.internal/page",
    "http://metadata.google.internal/",
    "http://wiki.corp/",
    "http://nas.lan/",
    "http://router.home.arpa/",
    "http://1.0.0.127.in-addr.arpa/",
    "http://web.default.svc.cluster.local/",
    "http://web.default.svc/",
    "http://news.test/",
    "http://news.invalid/",
    "http://abcdefgh.onion/",
    "http://127.0.0.1/",
    "http://127.1/",
    "http://017700000001/",
    "http://2852039166/",
    "http://10.0.0.1/",
    "http://0/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
]


@pytest.mark.parametrize("url", PUBLIC)
def test_public_names_and_addresses_are_public(url: str) -> None:
    """A registered top-level domain, `.example`, or an address of the public internet."""
    assert is_public_http(url) is True


@pytest.mark.parametrize("url", NOT_PUBLIC)
def test_other_schemes_internal_names_and_reserved_addresses_are_not_public(url: str) -> None:
    """They are readable, so the answer is false and not undecided."""
    assert is_public_http(url) is False


PIECES = st.sampled_from(
    [
        *(
            "http",
            "https",
            "ftp",
            "ref",
            "://",
            ":",
            "/",
            "//",
            "?",
            "#",
            "@",
            "\\",
            "%",
            "%2e",
            "%41",
            ".",
            "..",
        ),
        *(
            "[",
            "]",
            "::1",
            "127",
            "0x7f",
            "08",
            "80",
            "65536",
            "a",
            "B",
            "-",
            "_",
            "xn--",
            "xn--fsqu00a",
            "com",
        ),
        *(
            "例",
            "ü",
            "Ü",
            "ß",
            "ẞ",
            "İ",
            "Σ",
            "ς",
            "。",
            "．",
            "ａ",
            "①",
            "\u200d",
            "\u0301",
            "\t",
            " ",
            "*",
            "+",
        ),
        *("example", ".cn", "中国", "א", "\ud800", "|", "^", "{", "<", "'", "~", "💩", "ꙮ", "ﬀ", "\u212a"),
    ]
)
AUTHORITIES = st.lists(PIECES, min_size=1, max_size=6).map("".join)
URLS = st.one_of(
    st.text(max_size=40),
    st.lists(PIECES, max_size=12).map("".join),
    st.builds("{}://{}{}".format, st.sampled_from(["http", "HTTPS", "ftp", "x"]), AUTHORITIES, st.just("")),
    st.builds("http://{}/{}".format, AUTHORITIES, st.text(max_size=20)),
)


@settings(deadline=None)
@given(URLS)
def test_canonical_is_idempotent_and_nothing_but_a_refusal_is_raised(url: str) -> None:
    """The canonical form is a fixed point, and it has the same host, domain and publicity."""
    try:
        form = canonical(url)
    except UrlRefused:
        for read in (host, registrable_domain, is_public_http):
            with pytest.raises(UrlRefused):
                read(url)
        return
    assert canonical(form) == form
    assert host(form) == host(url)
    assert is_public_http(form) is is_public_http(url)
    assert form.isascii()


@settings(deadline=None)
@given(URLS)
def test_parsers_agree_on_the_canonical_form(url: str) -> None:
    """What we check, the browser's parser, Python's and the HTTP client's all see the same host and port."""
    try:
        form = canonical(url)
    except UrlRefused:
        return
    standard, ours, client = ada_url.URL(form), urlsplit(form), httpx2.URL(form)
    assert standard.href == form
    assert standard.hostname.strip("[]") == ours.hostname == host(form)
    assert client.raw_host.decode("ascii") == host(form)
    if ours.scheme in ("http", "https"):
        assert standard.port == ("" if ours.port is None else str(ours.port))
        assert client.port == ours.port


def test_reading_is_safe_from_many_threads() -> None:
    """Threads that read the same and different URLs at once get what one thread gets."""
    urls = [f"https://sub{number % 50}.bücher.example:8443/{number}" for number in range(2_000)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(canonical, urls)) == [url.replace("bücher", "xn--bcher-kva") for url in urls]
        assert set(pool.map(registrable_domain, urls)) == {"xn--bcher-kva.example"}


def test_importing_the_package_loads_no_parser() -> None:
    """The native parsers and the suffix list are loaded by the first question that needs them."""
    late = ("ada_url", "publicsuffixlist", "idna", "re2")
    program = f"import sys, groundrule.urls; print([name for name in {late!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.workers.dev/", True),
        ("https://b.s3.amazonaws.com/", True),
        ("https://s3.amazonaws.com/bucket/x", True),
        ("https://a.github.io/", True),
        ("https://www.github.com/", False),
        ("https://www.gov.cn/", False),
        ("https://news.bbc.co.uk/", False),
        ("https://paper.example/", False),
        ("http://8.8.8.8/", False),
    ],
)
def test_a_tenant_has_a_name_that_a_site_gives_to_its_customers(url: str, expected: bool) -> None:
    assert is_tenant(url) is expected
