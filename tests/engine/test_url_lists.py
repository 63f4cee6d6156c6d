"""Lists of domains, patterns and expressions: what an entry covers, and what is said of a bad one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundrule.urls import UrlRefused, domain_in, inline_list, read_list, url_in

COVERED = [
    # entry, URL, covered
    # a domain: by whole labels, any depth, whatever case, port, final dot or path
    ("spam.example", "https://spam.example/", True),
    ("spam.example", "https://a.b.c.spam.example/x", True),
    ("spam.example", "https://SPAM.example:8443", True),
    ("spam.example", "https://www.spam.example./x", True),
    ("SPAM.Example.", "https://spam.example/", True),
    ("spam.example", "https://notspam.example/", False),
    ("spam.example", "https://spam.example.good.example/", False),
    ("spam.example", "https://good.example/?u=http://spam.example/", False),
    ("www.spam.example", "https://spam.example/", False),
    ("gov.cn", "https://www.gov.cn/", True),
    ("gov.cn", "https://www.gov.cn.evil.com/", False),
    ("localhost", "http://localhost:8080/", True),
    ("*.spam.example", "https://a.b.spam.example/", True),
    ("*.spam.example", "https://spam.example/", True),
    ("*.spam.example", "https://xspam.example/", False),
    ("*.a.example", "https://x.axexample/", False),
    ("*.gov.cn", "https://www.gov.cn/", True),
    # international names, in either form on either side
    ("例子.中国", "https://www.xn--fsqu00a.xn--fiqs8s/", True),
    ("xn--fsqu00a.中国", "https://例子.中国/", True),
    ("*.bücher.example", "https://shop.BÜCHER.example/", True),
    ("gov.cn", "https://g\u043ev.cn/", False),
    # addresses: alone, in any spelling
    ("127.0.0.1", "http://127.1/", True),
    ("::1", "http://[0::1]:80/", True),
    ("[::1]", "http://[::1]/", True),
    ("0.0.1", "http://10.0.0.1/", False),
    ("10.0.0.1", "http://4.10.0.0.1.example/", False),
    # the wildcard pattern of search blacklists
    ("*://*.spam.com/*", "https://www.spam.com/x", True),
    ("*://*.spam.com/*", "https://spam.com/x", True),
    ("*://*.spam.com/*", "https://aspam.com/x", False),
    ("*://*.spam.com/*", "https://www.spamxcom/y", False),
    ("*://*.spam.com/*", "https://good.com/?u=http://www.spam.com/", False),
    ("*://*.spam.com/*", "https://good.com/http://www.spam.com/", False),
    ("*://*.spam.com/*", "https://WWW.SPAM.COM/x", True),
    ("*://*.spam.com/*", "https://www.spam.com", True),
    ("*://*.spam.com/*", "https://www.spam.com:8443/x", True),
    ("*://*.spam.com/*", "https://www.spam.com./x", True),
    ("*://*.spam.com/*", "ftp://www.spam.com/x", True),
    ("*://*.例子.cn/*", "https://www.xn--fsqu00a.cn/", True),
    ("*.a.example/*", "https://b.example/?u=https://www.a.example/", False),
    ("*.a.example/*", "https://www.a.example/x", True),
    ("*://spam.com/*", "https://www.spam.com/x", False),
    ("*://spam.com/*", "https://spam.com/x", True),
    ("*://spam.com", "https://spam.com/x?y", True),
    # schemes
    ("http://spam.com/*", "http://spam.com/x", True),
    ("http://spam.com/*", "https://spam.com/x", False),
    ("https://spam.com", "https://spam.com/x", True),
    ("https://spam.com", "https://www.spam.com/x", False),
    ("http://*/*", "http://good.com/", True),
    ("http://*/*", "https://good.com/", False),
    # paths, and the query only when the entry has one
    ("spam.com/ads/*", "https://spam.com:8443/ads/x/y?z#f", True),
    ("spam.com/ads/*", "https://spam.com/bads/x", False),
    ("spam.com/ads/*", "https://spam.com/?/ads/x", False),
    ("spam.com/ads/*", "https://www.spam.com/ads/x", False),
    ("*.spam.com/ads/*", "https://www.spam.com/ads/x", True),
    ("*.spam.com/ads/*", "https://spam.com/%61ds/x", True),
    ("*.spam.com/ads/*", "https://spam.com/x/../ads/y", True),
    ("spam.com/page", "https://spam.com/page?utm=1#top", True),
    ("spam.com/page", "https://spam.com/page/2", False),
    ("spam.com/*.html", "https://spam.com/a/b.html", True),
    ("spam.com/*.html", "https://spam.com/a?b.html", False),
    ("spam.com/", "https://spam.com", True),
    ("spam.com/", "https://spam.com/x", False),
    ("spam.com/x?id=*", "https://spam.com/x?id=7&b", True),
    ("spam.com/x?id=*", "https://spam.com/x", False),
    ("spam.com?id=1", "https://spam.com/?id=1", True),
    ("spam.com/新闻/*", "https://spam.com/%e6%96%b0%E9%97%BB/1", True),
    ("[::1]/x", "http://[::1]:81/x", True),
    ("*://*/ads/*", "https://any.example/ads/x", True),
    ("*://*/ads/*", "http://[::1]/ads/x", True),
    ("*://*/ads/*", "https://any.example/x/ads/x", False),
    # wildcards inside the host stay inside the host; the rest is literal
    ("*://*.spam.*/*", "https://www.spam.co.uk/x", True),
    ("*://*.spam.*/*", "https://spam.example/", True),
    ("*://*.spam.*/*", "https://notspam.example/", False),
    ("*://*.spam.*/*", "https://good.example/spam.example/", False),
    ("ad*.good.example", "https://ads7.good.example:444/", True),
    ("*://a+b.com/*", "https://aab.com/", False),
    ("*://a.com/(x*", "https://a.com/(xyz", True),
    ("*://a.com/x.y", "https://a.com/xzy", False),
    # expressions are searched in the canonical URL
    (r"/example\.(net|org)/", "https://www.EXAMPLE.net/", True),
    (r"/example\.(net|org)/", "https://good.com/?q=example.net", True),
    (r"/^https?:\/\/([^\/]*\.)?example\.org\//", "https://notexample.org/", False),
    ("/news/", "https://good.com/news/1", True),
    (r"/(?i)\/ADS\d+/", "https://good.com/ads7", True),
    (r"/^https:\/\/good\.com\/a$/", "https://good.com/%61#f", True),
]


@pytest.mark.parametrize(("entry", "url", "covered"), COVERED)
def test_an_entry_covers_what_it_says_and_no_more(entry: str, url: str, covered: bool) -> None:
    """The same entry says the same in a list file, in a rule, and among many others."""
    others = [f"*://*.other{number}.example/x/*" for number in range(40)] + ["other.example", "/other[0-9]x/"]
    assert url_in(url, (entry,)) is covered
    assert url_in(url, read_list([entry])) is covered
    assert url_in(url, read_list([*others, entry, *others])) is covered


DOUBTFUL = [
    # entry, URL: covered in one reading and not in another
    ("spam.com/ads/*", "https://spam.com//ads/x"),
    ("spam.com/ads/*", "https://spam.com///ads//x"),
    ("spam.com/ads/*", "https://spam.com/ads%2Fx"),
    ("spam.com/ads/*", "https://spam.com/ads%252fx"),
    ("spam.com/ads/*", "https://spam.com/ads%25252Fx"),
    ("spam.com/ads/*", "https://spam.com/ads%25%32%66x"),
    ("spam.com/ads/*", "https://spam.com/ads%5cx"),
    ("spam.com/ads/*", "https://spam.com/%2Fads/x"),
    ("spam.com/ads/*", "https://spam.com/a/..%2fads/x"),
    ("spam.com/ads/*", "https://spam.com/a/..;/ads/x"),
    ("spam.com/ads/*", "https://spam.com/a/b/%2e%2e%2f..%2fads/x"),
    ("spam.com/ads/*", "https://spam.com/ads;a/x"),
    ("spam.com/ads/*", "https://spam.com/ads;a=b%2Fx"),
    ("spam.com/ads/*", "https://spam.com/;a/ads/x"),
    ("spam.com/ads/*", "https://spam.com/ads%3Ba/x"),
    ("spam.com/ads/*", "https://spam.com/ads%00/x"),
    ("spam.com/ads/*", "https://spam.com/ads%20/x"),
    ("spam.com/ads/*", "https://spam.com/ads%3Fid=1"),
    ("spam.com/ads/*", "https://spam.com/ads%23/x"),
    ("spam.com/ads/*", "https://spam.com/ADS/x"),
    ("spam.com/ads/*", "https://spam.com/ads"),
    ("spam.com/ads/*", "https://spam.com/ads?id=x"),
    ("spam.com/ads/*", "https://spam.com//ADS%2f"),
    ("*.spam.com/ads/*", "https://spam.com/Ads/x"),
    ("*://*.spam.*/ads/*", "https://a.spam.cn/Ads/x"),
    ("spam.com/ads;a/*", "https://spam.com/ads/x"),
    ("spam.com//ads/*", "https://spam.com/ads/x"),
    ("spam.com/page", "https://spam.com/page/"),
    ("spam.com/page/", "https://spam.com/page"),
    ("spam.com/*.html", "https://spam.com/a.HTML/"),
    ("spam.com/url?*", "https://spam.com/url/?q=x"),
    ("spam.com/url?*", "https://spam.com//url?q=x"),
    ("spam.com/", "https://spam.com//"),
    # an entry that allows is not stretched either
    ("spam.com/ads/*", "https://spam.com/ads/..%2fprivate"),
    ("spam.com/ads/*", "https://spam.com/ads/x%2f..%2f..%2fprivate"),
    # expressions too, though not their letters and final slashes, which the author wrote
    ("/\\/ads\\//", "https://spam.com/ads%2Fx"),
    ("/\\/ads\\//", "https://spam.com/ads;a/x"),
    ("/^https:\\/\\/spam\\.com\\/ads\\//", "https://spam.com//ads/x"),
]


@pytest.mark.parametrize(("entry", "url"), DOUBTFUL)
def test_where_servers_could_read_a_path_otherwise_nobody_knows_what_an_entry_says(entry: str, url: str) -> None:
    """So neither a rule that forbids the entry nor one that requires it is met."""
    for entries in ((entry,), read_list([f"*://*.other{number}.example/x/*" for number in range(40)] + [entry])):
        with pytest.raises(UrlRefused, match="a path that servers read differently"):
            url_in(url, entries)


@pytest.mark.parametrize(
    ("entry", "url", "covered"),
    [
        ("spam.com/ads/*", "https://spam.com/ads/x//y;a%2Fb/Z/", True),
        ("spam.com/ads/*", "https://spam.com//x;ads/%2Fads2/ads/", False),
        ("spam.com/a%2Fb/*", "https://spam.com/a%2fb/x", True),
        ("spam.com/a;b/*", "https://spam.com/a;b/x", True),
        ("/ads/", "https://spam.com/ADS/x", False),
        (r"/\/ads\/$/", "https://spam.com/ads", False),
        ("spam.example", "https://spam.example//x%2F..;a/", True),
        ("spam.example", "https://good.example//x%2F..;a/", False),
    ],
)
def test_an_odd_path_is_no_doubt_where_every_reading_says_the_same(entry: str, url: str, covered: bool) -> None:
    assert url_in(url, (entry,)) is covered


@given(st.text("aA/.;%25fFc03?\u4e2d*", max_size=40))
def test_any_path_is_read_or_refused(path: str) -> None:
    """A list of paths says yes or no, or refuses; and a path without oddities is never refused."""
    entries = ("spam.com/f/*", r"/c\/f/")
    doubt = ""
    try:
        url_in(f"https://spam.com/{path}", entries)
    except UrlRefused as refusal:
        doubt = refusal.reason
    assert doubt in ("", "a path that servers read differently")
    assert not doubt or re.search(r"//|[%;A-Z]|/f(\?|$)|\.", f"/{path}")


def test_domain_in_asks_the_entries_about_hosts_and_names_the_others() -> None:
    """`domain_in` cannot know paths, so the list tells which of its entries go unasked."""
    blocked = read_list(["# bad", "spam.example", "*://*.ads.example/*", "*://ads.example/x", "/evil/"])
    assert blocked.url_only == (4, 5)
    assert domain_in("https://www.spam.example/", blocked)
    assert domain_in("https://www.ads.example/", blocked)
    assert not domain_in("https://evil.example/x", blocked)
    assert url_in("https://evil.example/x", blocked)


def test_list_files_have_comments_blank_lines_and_either_line_end() -> None:
    """A `#` begins a comment at the start of a line or after a blank; lines keep their numbers."""
    blocked = read_list(["# domains\r\n", "\r\n", "  spam.example \t# why\r\n", "bad.example#x\n", "/a#b/\n"])
    assert blocked.faults == ((4, "has a fragment, which is never looked at"),)
    assert read_list(["spam.example # why", "#x", ""]).url_in("https://spam.example/")


FAULTS = [
    ("", "is empty"),
    (" ", "has a blank or control character"),
    (" spam.example", "has a blank or control character"),
    ("spam .example", "has a blank or control character"),
    ("spam\u3000.example", "has a blank or control character"),
    ("/a b/", "has a blank or control character"),
    ("spam.example\x00", "has a blank or control character"),
    ("\ud800", "has a blank or control character"),
    ("/", "begins with `/` as an expression does, and does not end with it"),
    ("/ads", "begins with `/` as an expression does, and does not end with it"),
    ("//", "matches every URL"),
    ("/.*/", "matches every URL"),
    ("/http/", "matches every URL"),
    ("/a|/", "matches every URL"),
    ("/(/", "is no RE2 expression: missing ): ("),
    ("/(?=a)/", "is no RE2 expression: invalid perl operator: (?="),
    (r"/\Q(/", r"has a `\Q` without `\E`"),
    ("/a)|(b/", "is no RE2 expression: unexpected ): a)|(b"),
    ("/a{1001}/", "is no RE2 expression: invalid repetition size: {1001}"),
    ("/新闻/", "never matches: a canonical URL is ASCII (`xn--` hosts, percent-encoded paths)"),
    ("*", "matches every URL"),
    ("**", "matches every URL"),
    ("*.*", "matches every URL"),
    ("*/*", "matches every URL"),
    ("*://*", "matches every URL"),
    ("*://*.*/*", "matches every URL"),
    ("*://", "has no host"),
    ("?x", "has no host"),
    ("https:///x", "has no host"),
    ("spam.example:8080", "has a port; an entry covers every port"),
    ("*://[::1]:80/*", "has a port; an entry covers every port"),
    ("10.0.0.0/8", "is a range of addresses; a list holds single ones"),
    ("fd00::/8", "is a range of addresses; a list holds single ones"),
    ("*.10.0.0.1", "asks for subdomains of an address"),
    ("spam.example/x#y", "has a fragment, which is never looked at"),
    ("spam\\example", "has a backslash"),
    ("u@spam.example", "has a host that is not read: user information"),
    ("spam%2eexample", "has a host that is not read: a percent-encoded host"),
    (".spam.example", "has a host that is not read: a bad host name"),
    ("spam..example", "has a host that is not read: a bad host name"),
    ("ｓpam.example", "has a host that is not read: a host that changes when it is normalised"),
    ("256.1.1.1", "has a host that is not read: parsers disagree"),
    ("*a@b", "has a host that is not read: a bad host name"),
    ("*例.example", "has a wildcard beside letters outside ASCII; write the host in its `xn--` form"),
    ("spam.example/" + "中" * 3_000, "has a path that is not read: too long"),
    ("a" * 9_000, "is too long"),
]


@pytest.mark.parametrize(("entry", "reason"), FAULTS)
def test_a_bad_entry_is_told_with_its_line_and_fails_the_whole_list(entry: str, reason: str) -> None:
    """A list that was read in part would let pass what it was written to stop, so nothing is decided on it."""
    entries = ("spam.example", entry, "/(/")
    bad = inline_list(entries)
    assert bad.faults == ((2, reason), (3, "is no RE2 expression: missing ): ("))
    for question in (domain_in, url_in):
        with pytest.raises(UrlRefused, match="a faulty list"):
            question("https://spam.example/", entries)


@pytest.mark.parametrize(
    ("entry", "caution"),
    [
        ("co.uk", "is a public suffix, under which anybody registers; `*.co.uk` says that this is meant"),
        (
            "github.io",
            "is a public suffix, under which anybody registers; `*.github.io` says that this is meant",
        ),
        ("spam.com/", "covers the home page alone; `spam.com` covers the site"),
        ("*://a+b.com/*", "never matches: no host has such a name"),
        ("a+b.com", "never matches: no host has such a name"),
    ],
)
def test_an_entry_that_may_not_be_meant_works_and_is_mentioned(entry: str, caution: str) -> None:
    """A caution does not stop the list."""
    listed = read_list(["# list", entry])
    assert (listed.faults, listed.cautions) == ((), ((2, caution),))


@pytest.mark.parametrize(
    "entry", ["*.co.uk", "*://*.github.io/*", "spam.com", "10.0.0.1", "corp", "spam.com/x"]
)
def test_an_entry_that_is_plainly_meant_gets_no_caution(entry: str) -> None:
    """A public suffix written with `*.`, a domain, an address, an internal name, a page."""
    assert read_list([entry]).cautions == ()


@pytest.mark.parametrize(
    "url", ["https://good.example\\@spam.example/", "https://ｓpam.example/", "spam.example"]
)
def test_an_unreadable_url_is_neither_in_a_list_nor_outside(url: str) -> None:
    """Also for an empty list: undecided must not become false."""
    for entries in ((), ("spam.example",), ("/spam/",)):
        for question in (domain_in, url_in):
            with pytest.raises(UrlRefused):
                question(url, entries)


def test_an_expression_that_backtracks_elsewhere_takes_no_time_here() -> None:
    """RE2 is linear; a list of hostile expressions over a long URL ends."""
    listed = read_list(["/(a+)+$/", "/(a|a)*b/", "spam.com/*a*a*a*a*a*a*a*b"])
    assert not url_in("https://spam.com/" + "a" * 8_000 + "/c", listed)


def test_too_many_expressions_for_one_search_are_a_fault() -> None:
    """RE2 bounds the size of a program; beyond it the list says so and decides nothing."""
    listed = read_list(["spam.example"] + [f"/x{number}[a-z]{{1000}}/" for number in range(2_000)])
    assert listed.faults == ((2, "begins more patterns and expressions than one search can hold"),)
    with pytest.raises(UrlRefused):
        url_in("https://good.example/", listed)


def test_a_long_list_answers_like_a_short_one() -> None:
    """Fifty thousand domains and two thousand patterns: each is found, and a neighbour is not."""
    lines = [f"spam{number}.example" for number in range(50_000)]
    lines += [f"*://*.ads{number}.example/x/*" for number in range(2_000)]
    listed = read_list(lines)
    assert listed.faults == ()
    assert all(listed.url_in(f"https://www.spam{number}.example/") for number in range(0, 50_000, 4_999))
    assert all(listed.url_in(f"https://www.ads{number}.example/x/1") for number in range(0, 2_000, 199))
    assert not listed.url_in("https://www.ads7.example/y/1")
    assert not listed.url_in("https://spam50000.example/")


ENTRY_PIECES = st.sampled_from(
    [
        "*",
        "*.",
        "://",
        "/",
        "?",
        "#",
        "a",
        "b.example",
        "例",
        "+",
        "(",
        ")",
        "\\Q",
        "[",
        "]",
        "::1",
        "10.0.0.1",
        ".",
        "|",
    ]
)


@settings(deadline=None)
@given(st.one_of(st.text(max_size=12), st.lists(ENTRY_PIECES, max_size=8).map("".join)))
def test_any_text_is_an_entry_or_a_fault(entry: str) -> None:
    """Building raises nothing; asking answers, or refuses because of the fault."""
    listed = inline_list((entry,))
    try:
        answers = {listed.url_in("https://a.b.example/x?y"), listed.domain_in("https://a.b.example/x?y")}
    except UrlRefused:
        assert listed.faults
    else:
        assert not listed.faults
        assert answers <= {True, False}


@settings(deadline=None)
@given(st.lists(st.sampled_from(["a", "b", "ab", "xn--fsqu00a", "c-d"]), min_size=1, max_size=5))
def test_a_domain_covers_itself_and_every_name_below(labels: list[str]) -> None:
    """For each suffix of a name in whole labels, and never for a cut through a label."""
    name = ".".join([*labels, "example"])
    for at in range(len(name)):
        entry = name[at:]
        if entry.startswith(("-", ".")) or entry[0] == "0":
            continue
        whole = at == 0 or name[at - 1] == "."
        assert domain_in(f"https://{name}:444/", (entry,)) is whole
