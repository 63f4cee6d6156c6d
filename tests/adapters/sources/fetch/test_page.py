"""What is read out of a page: its text and dates, never what no reader sees."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from groundrule_adapters.sources.fetch.charset import text_of
from groundrule_adapters.sources.fetch.failure import FetchFailure
from groundrule_adapters.sources.fetch.page import read_page
from groundrule_adapters.sources.fetch.parsing import parsed

TASK = "groundrule_adapters.sources.fetch.page:read_page"
WORDS = "The bridge across the bay carries four lanes of traffic and was opened by the mayor. " * 4
ZH = "云岭科技公布年度报告，全年营收为十二点五亿元，同比增长百分之八，研发投入继续增加。"


def read(html: str | bytes, charset: str | None = None, media_type: str = "text/html") -> dict[str, Any]:
    body = html.encode() if isinstance(html, str) else html
    return read_page(body, charset=charset, media_type=media_type)


HIDDEN = [
    '<p hidden>SECRET</p>', '<p aria-hidden="true">SECRET</p>', '<p style="display:none">SECRET</p>',
    '<p style="DISPLAY : NONE !important">SECRET</p>', '<p style="visibility:hidden">SECRET</p>',
    '<p style="font-size:0">SECRET</p>', '<p style="font-size: 0px">SECRET</p>', '<p style="opacity:0">SECRET</p>',
    '<p style="position:absolute;left:-9999px">SECRET</p>', '<p style="text-indent:-5000px">SECRET</p>',
    '<p style="clip:rect(0,0,0,0)">SECRET</p>', '<div style="height:0;overflow:hidden">SECRET</div>',
    '<p class="note">SECRET</p>', '<p id="gone">SECRET</p>', "<script>SECRET</script>", "<style>.x{content:'SECRET'}</style>",
    "<noscript>SECRET</noscript>", "<template><p>SECRET</p></template>", "<!-- SECRET -->", "<iframe>SECRET</iframe>",
    "<svg><text>SECRET</text></svg>", '<img alt="SECRET" src="x">', '<a title="SECRET" href="/SECRET">link</a>',
    "<textarea>SECRET</textarea>", "<select><option>SECRET</option></select>", '<input value="SECRET">',
    '<meta name="description" content="SECRET">', '<script type="application/ld+json">{"articleBody":"SECRET SECRET"}</script>',
    '<div hidden><div><p>SECRET</p></div></div>', '<object data="x">SECRET</object>', "<dialog>SECRET</dialog>",
]  # fmt: skip


@pytest.mark.parametrize("piece", HIDDEN)
def test_what_no_reader_sees_is_no_evidence(piece: str) -> None:
    """In a long article and in a page that is nothing else; neither in the text, the title nor the byline."""
    style = "<style>p.note, .other { display: none } #gone{visibility:hidden}</style>"
    for around in (f"<p>{WORDS}</p>", "<p>short</p>"):
        page = read(
            f"<html><head>{style}<title>Title</title></head><body><article><h1>Head</h1>{around}{piece}</article>"
        )
        assert "SECRET" not in repr(page)
        assert around[3:8] in page["text"]


def test_style_sheets_for_print_hide_nothing() -> None:
    """What is shown on the screen counts."""
    page = read(f"<style>@media print {{ .text {{ display: none }} }}</style><p class='text'>{WORDS}</p>")
    assert "four lanes" in page["text"]


def test_main_text_has_lists_and_tables_and_no_menus() -> None:
    """Figures often stand in lists and cells."""
    page = read(
        f"""<title>Bridge - Site</title><nav><a href=/>MENU</a></nav><header><h1>Bay Bridge</h1></header>
        <article><p>{WORDS}</p><ul><li>Length: 312 m</li></ul><table><tr><th>Year<td>1998</table></article>
        <aside>RELATED</aside><div role="navigation">CRUMBS</div><footer>IMPRINT</footer>"""
    )
    assert page["title"] == "Bay Bridge"
    assert "Length: 312 m" in page["text"]
    assert "1998" in page["text"]
    assert not {"MENU", "RELATED", "CRUMBS", "IMPRINT"} & set(page["text"].split())


def test_a_page_of_one_line_is_read_too() -> None:
    """Where no article is found, all that is shown counts."""
    assert read("<p>It is 312 m long.</p>")["text"] == "It is 312 m long."
    assert read("Plain words.\n\n312 m.", media_type="text/plain")["text"] == "Plain words.\n312 m."


def test_dates_come_from_data_about_the_page_itself() -> None:
    """JSON-LD, meta, microdata, time; not from lists of other pages, and broken data states nothing."""
    page = read(
        """<script type="application/ld+json">{"@graph":[{"@type":"NewsArticle","datePublished":"2026-11-28T10:00:00+08:00",
        "dateModified":"2026-11-28T12:00:00+08:00"},{"@type":"ItemList","itemListElement":[{"datePublished":"2020-01-01"}]}]}</script>
        <script type="application/ld+json">{"datePublished": "2019</script><script type="application/ld+json">[[[1]]]</script>
        <script>{"datePublished":"2018-01-01"}</script>
        <meta property="article:published_time" content="2026-11-27T00:00:00Z"><meta name="DC.date.modified" content="2026-11-29">
        <span itemprop="datePublished" content="2026-11-26">x</span><time datetime="2026-11-25">y</time>
        <p class="pub-time">发布时间：2026-11-24</p><p>"""
        + WORDS
    )
    assert page["published"] == ["2026-11-28T10:00:00+08:00", "2026-11-27T00:00:00Z", "2026-11-26"]
    assert page["modified"] == ["2026-11-28T12:00:00+08:00", "2026-11-29"]
    assert page["times"] == ["2026-11-25"]
    assert "发布时间：2026-11-24" in page["lines"]


@pytest.mark.parametrize(
    "html",
    [
        "<title>Just a moment...</title><p>Checking your browser", "<title>百度安全验证</title><p>请完成下方验证",
        "<h1>Access denied</h1>", "<p>请输入验证码后继续访问</p>", "<p>Verify you are human by completing the action below.",
        '<script src="https://challenges.cloudflare.com/x.js"></script><p>One second', '<form action="/captcha"><p>Go on</form>',
        '<iframe src="https://geo.captcha-delivery.com/"></iframe>', "<title>Robot Check</title>",
    ],
)  # fmt: skip
def test_a_wall_in_front_of_the_page_is_blocked(html: str) -> None:
    """Though it came with HTTP 200."""
    assert read(html)["failure"][0] == "blocked"


def test_an_article_about_walls_is_an_article() -> None:
    """Length tells them apart."""
    text = "Every captcha asks whether you are human, and access denied is what many people read. " * 20
    page = read(f"<title>Why captchas fail</title><script src='/captcha.js'></script><article><p>{text}</article>")
    assert "whether you are human" in page["text"]


@pytest.mark.parametrize(
    ("body", "stated"),
    [
        (ZH.encode("gbk"), "gbk"), (ZH.encode("gbk"), "GB2312"), (ZH.encode("gb18030"), None),
        (b'<meta charset="gbk">' + ZH.encode("gbk"), None), (b'<meta charset="gbk">' + ZH.encode("gbk"), "iso-8859-1"),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=gb2312">' + ZH.encode("gbk"), "utf-8"),
        (ZH.encode(), "gbk"), (ZH.encode(), "iso-8859-1"), (ZH.encode(), "no-such-charset"), (ZH.encode(), "utf-7"),
        (b'<meta charset="gb2312">' + ZH.encode(), None), (b"\xef\xbb\xbf" + ZH.encode(), "gbk"),
        (b"\xff\xfe" + ZH.encode("utf-16-le"), "utf-8"), (b"\xfe\xff" + ZH.encode("utf-16-be"), None),
        (ZH.encode("gbk"), "utf-8"), (ZH.encode("gbk"), "utf-16"), (ZH.encode("gbk"), "windows-1252"),
        (ZH.encode()[:-1], None),
    ],
)  # fmt: skip
def test_chinese_pages_are_read_however_they_are_labelled(body: bytes, stated: str | None) -> None:
    """Mark, then plain UTF-8, then labels, then a detector; cut in the middle of a character too."""
    assert ZH[:-1] in (text_of(body, stated) or "")


@pytest.mark.parametrize(
    ("text", "charset", "stated"),
    [
        ("東京の天気は晴れのち曇り、気温は十六度の見込みです。", "shift_jis", "shift_jis"),
        ("臺北今天多雲，氣溫十六到二十四度，東北風二級。", "big5", "Big5"),
        ("서울의 날씨는 맑고 기온은 십육도입니다.", "euc-kr", "euc-kr"),
        ("Größe über fünfzig Öl – Übung", "cp1252", "iso-8859-1"), ("Größe über fünfzig", "cp1252", "latin1"),
    ],
)  # fmt: skip
def test_other_charsets_are_what_the_web_means_by_their_labels(text: str, charset: str, stated: str) -> None:
    """`iso-8859-1` is windows-1252, as browsers read it."""
    assert text_of(text.encode(charset), stated) == text


@pytest.mark.parametrize(
    "body", [b"\x00\x01\x02" * 200, bytes(range(128, 256)) * 40, b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"]
)
def test_bytes_that_are_no_text_are_no_evidence(body: bytes) -> None:
    """Nothing is guessed out of a picture."""
    assert text_of(body, "utf-8") is None
    assert read(body)["failure"] == ["failed", "the characters of the page cannot be read"]


@pytest.mark.anyio
async def test_a_page_is_parsed_in_a_process_of_its_own() -> None:
    """What comes back is what reading gives."""
    body = f"<title>T</title><p>{WORDS}</p>".encode()
    note = {"charset": None, "media_type": "text/html"}
    deadline = asyncio.get_running_loop().time() + 60
    assert await parsed(TASK, body, note, deadline) == read(body)


@pytest.mark.anyio
async def test_a_page_that_keeps_the_parser_busy_is_a_timeout() -> None:
    """Quadratic in its attributes; the process is ended, and the event loop was never held up."""
    body = ("<p " + " ".join(f"a{at}=1" for at in range(300_000)) + ">x").encode()
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.02)

    ticking = asyncio.create_task(tick())
    with pytest.raises(FetchFailure) as failure:
        await parsed(TASK, body, {"charset": None, "media_type": "text/html"}, asyncio.get_running_loop().time() + 1)
    ticking.cancel()
    assert failure.value.outcome == "timeout"
    assert ticks > 5


@pytest.mark.anyio
@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 100_000 + "x",
        "<b>" * 100_000 + "x",
        "<table><tr><td>" * 20_000 + "x",
        "&" * 1_000_000,
        "<" * 1_000_000,
    ],
)
async def test_malformed_pages_end_with_an_outcome(html: str) -> None:
    """Read, or failed; the parser may fall over, we do not."""
    note = {"charset": None, "media_type": "text/html"}
    try:
        page = await parsed(TASK, html.encode(), note, asyncio.get_running_loop().time() + 30)
    except FetchFailure as failure:
        page = {"failure": [failure.outcome, failure.reason]}
    assert set(page) >= {"title", "text"} or page["failure"][0] in ("failed", "timeout", "blocked")


@pytest.mark.anyio
@pytest.mark.parametrize("task", ["os:getcwd", "groundrule_adapters.no_such:thing", f"{TASK}_"])
async def test_a_parser_that_falls_over_failed(task: str) -> None:
    """Also one that is none of ours."""
    with pytest.raises(FetchFailure) as failure:
        await parsed(task, b"<p>x", {}, asyncio.get_running_loop().time() + 30)
    assert failure.value.outcome == "failed"
