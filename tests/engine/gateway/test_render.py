"""The reply contract, in both languages and all forms, and page text that tries to be more than text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, get_args

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from groundrule.facts import Answer, Citation, Evidence
from groundrule.facts.reply import Reply
from groundrule.facts.words import ReplyKind
from groundrule.gateway.markup import as_markdown, clean, escaped, line, one_line
from groundrule.gateway.render import Envelope, answered, as_of, clarify, refused

AT = datetime(2026, 4, 15, 0, 20, tzinfo=UTC)
ZH = Envelope("zh", "x1", "sha256:aa", zone="Asia/Shanghai")
EN = Envelope("en", "x1", "sha256:aa")


def page(id: str, **more: Any) -> Evidence:
    given = {"title": f"Title {id}", "source_label": "Label", "target_url": f"https://{id}.example/p"} | more
    return Evidence(id=id, **given)


def answer(text: str, **handles: str) -> Answer:
    """An answer whose handles are the keys in brackets: `_1="a"` is `[1]` for item a."""
    citations = []
    for name, id in handles.items():
        handle = f"[{name.strip('_')}]"
        at = text.find(handle)
        while at >= 0:
            citations.append(Citation(handle=handle, evidence=id, start=at, end=at + len(handle)))
            at = text.find(handle, at + 1)
    return Answer(text=text, language="zh", citations=tuple(citations), claims=(), unclaimed_numbers=())


def links(markdown: str) -> list[str]:
    return [str(t.attrs["href"]) for t in _tokens(markdown) if t.type == "link_open"]


def kinds(markdown: str) -> set[str]:
    return {token.type for token in _tokens(markdown)}


def shown(markdown: str) -> str:
    """The text that a reader of the rendered Markdown sees."""
    return "".join(token.content for token in _tokens(markdown) if token.type == "text").replace("\u2060", "")


def _tokens(markdown: str) -> list[Token]:
    blocks = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)
    return [token for block in blocks for token in (block, *(block.children or ()))]


def test_an_answer_in_chinese() -> None:
    """Head, answer, source list with title, label, address, date and time of fetching, in the user's zone."""
    dated = page("a", title="广州天气", source_label="示例气象台", dated_at=AT, retrieved_at=AT)
    reply = answered(ZH, answer("“多云，22～28℃” [1]", _1="a"), [dated], None)
    assert reply.text == (
        "外部实时查询：\n"
        "“多云，22～28℃” [1]\n"
        "来源摘要：\n"
        "- [1] 广州天气，示例气象台，https://a.example/p，日期 2026-04-15 08:20 UTC+08:00，"
        "抓取于 2026-04-15 08:20 UTC+08:00"
    )
    assert reply.status == "answered"
    assert (reply.kind, reply.language, reply.execution_id, reply.revision) == (None, "zh", "x1", "sha256:aa")


def test_an_answer_in_english() -> None:
    """The same contract in English; an item without a date is called undated, one dated to the day shows the day."""
    day = page("b", dated_at=AT, dated_resolution=timedelta(days=1))
    reply = answered(EN, answer("One [1]. Two [2].", _1="a", _2="b"), [page("a"), day], AT)
    assert reply.text == (
        "Live external query:\n"
        "One [1]. Two [2].\n"
        "Sources:\n"
        "- [1] Title a, Label, https://a.example/p, undated\n"
        "- [2] Title b, Label, https://b.example/p, dated 2026-04-15"
    )
    assert reply.valid_until == AT


def test_exactly_the_cited_items_are_sources() -> None:
    """Items that the answer does not cite are no sources; an item cited twice is listed once."""
    pages = [page(id) for id in "abc"]
    reply = answered(EN, answer("x [2] y [1] z [2]", _1="a", _2="c"), pages, None)
    assert [(s.handle, s.evidence) for s in reply.sources or ()] == [("[2]", "c"), ("[1]", "a")]
    assert "b.example" not in (reply.text or "")


def test_the_address_is_canonical() -> None:
    """The source list has the canonical form of the item's own address."""
    reply = answered(
        EN, answer("x [1]", _1="a"), [page("a", target_url="HTTPS://A.Example:443/x/../y")], None
    )
    assert [source.url for source in reply.sources or ()] == ["https://a.example/y"]


def test_a_citation_of_something_else_is_an_error() -> None:
    """The renderer never shows a source that is not among the items."""
    with pytest.raises(KeyError):
        answered(EN, answer("x [1]", _1="nobody"), [page("a")], None)


@pytest.mark.parametrize("kind", get_args(ReplyKind))
@pytest.mark.parametrize("envelope", [ZH, EN])
def test_refusals(kind: ReplyKind, envelope: Envelope) -> None:
    """Each refusal says what happened, why, and what the user can do; all five differ in both languages."""
    reply = refused(envelope, kind, ["because\nof this", "because of this", ""])
    rows = (reply.text or "").split("\n")
    head = "外部实时查询：" if envelope.language == "zh" else "Live external query: "
    assert rows[0].startswith(head)
    assert len(rows[0]) > len(head) + 5
    assert rows[2] == "- because of this"
    assert rows[3].startswith("可以这样做：" if envelope.language == "zh" else "What you can do: ")
    assert len(rows) == 4
    assert (reply.status, reply.kind, reply.reasons) == ("refused", kind, ("because of this",))
    assert reply.sources is None
    others = [refused(envelope, other, []).text for other in get_args(ReplyKind) if other != kind]
    assert refused(envelope, kind, []).text not in others


def test_no_evidence_and_stale_are_two_refusals() -> None:
    """The user learns whether nothing was found or only something old."""
    none, stale = (refused(ZH, kind, []).text or "" for kind in ("no_evidence", "stale"))
    assert "没有取得" in none
    assert "过时" in stale
    assert "过时" not in none


def test_at_most_five_reasons() -> None:
    """A refusal about many items stays readable."""
    assert len(refused(EN, "stale", [f"reason {n}" for n in range(9)]).reasons or ()) == 5


def test_a_question_back() -> None:
    """A clarification asks its questions and offers its options, and is no refusal."""
    reply = clarify(ZH, ["哪个城市？"], ["广州", "深圳"])
    assert reply.text == (
        "外部实时查询：请先说明以下内容，再继续查询。\n- 哪个城市？\n可以选择：\n- 广州\n- 深圳"
    )
    assert (reply.status, reply.kind, reply.options) == ("clarify", None, ("广州", "深圳"))
    assert "For example" not in (clarify(EN, ["Which city?"], []).text or "")


@pytest.mark.parametrize(("language", "word"), [("zh", "示例数据"), ("en", "Sample data")])
def test_sample_data_says_so_first(language: Any, word: str) -> None:
    """Every reply from sample data begins with it, answers and refusals, in text and Markdown."""
    envelope = Envelope(language, "x", "r", sample=True)
    replies = [
        answered(envelope, answer("x [1]", _1="a"), [page("a")], None),
        refused(envelope, "stale", []),
        clarify(envelope, ["?"], []),
    ]
    for reply in replies:
        assert (reply.text or "").startswith(word)
        assert (reply.markdown or "").startswith(word)
        assert reply.sample is True


def test_the_date_that_an_answer_holds_for() -> None:
    """The as-of sentence is in the user's zone, to the minute or to the day, with its handle."""
    day = timedelta(days=1)
    assert as_of("zh", AT, None, "Asia/Shanghai", "[1]") == "数据截至：2026-04-15 08:20 [1]。"
    assert as_of("en", AT, timedelta(0), "UTC", "") == "As of: 2026-04-15 00:20 UTC."
    assert as_of("en", AT, day, "Asia/Shanghai", "[2]") == "As of: 2026-04-15 [2]."
    assert (
        as_of("en", datetime.min.replace(tzinfo=UTC), None, "America/New_York", "")
        == "As of: 0001-01-01 00:00."
    )


def test_markdown_links_only_to_the_items_themselves() -> None:
    """Handles and source lines lead to the item's own address; nothing else is a link."""
    text = "- “first” [1]\n- “see https://evil.example/ and [x](https://evil.example)” [1][2]"
    reply = answered(EN, answer(text, _1="a", _2="b"), [page("a"), page("b")], None)
    a, b = "https://a.example/p", "https://b.example/p"
    assert links(reply.markdown or "") == [a, a, b, a, b]
    assert "see https://evil.example/ and [x](https://evil.example)” [1][2]" in shown(reply.markdown or "")
    assert {"bullet_list_open", "link_open"} <= kinds(reply.markdown or "")


HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://evil.example/pixel.png)",
    "[click](javascript:alert(1))",
    "[ref]: https://evil.example",
    "<https://evil.example>",
    "`code` **bold** _it_ ~~no~~",
    "# Heading",
    "- item",
    "+ item",
    "12. item",
    "> quote",
    "    indented code",
    "| a | b |\n|---|---|\n| c | d |",
    "---",
    "===",
    "&lt;script&gt; &copy;",
    "\\[x\\](https://evil.example)",
    "line\u2028break",
    "来源摘要：\n- [9] 假来源，https://evil.example",
]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_page_text_stays_text_in_markdown(hostile: str) -> None:
    """Whatever a title, label, reason or quotation contains, it opens no link, image, tag, list, table or heading."""
    evil = page("a", title=hostile, source_label=hostile)
    plain = answered(EN, answer("x [1]", _1="a"), [page("a")], None)
    for reply in (
        answered(EN, answer("x [1]", _1="a"), [evil], None),
        refused(EN, "stale", [hostile]),
        clarify(EN, [hostile], [hostile]),
        answered(EN, answer(f"{one_line(hostile)} [1]", _1="a"), [page("a")], None),
    ):
        markdown = reply.markdown or ""
        assert set(links(markdown)) <= {"https://a.example/p"}
        assert kinds(markdown) <= kinds(plain.markdown or "")


@pytest.mark.parametrize("hostile", HOSTILE)
def test_markdown_shows_exactly_the_text(hostile: str) -> None:
    """Escaping loses nothing: the reader of the rendered Markdown sees the line as it is."""
    assert shown(as_markdown([line(one_line(hostile))])) == one_line(hostile)


def test_addresses_in_text_are_broken_for_autolinkers() -> None:
    """A bare address, www name or e-mail address has a word joiner where autolinkers look."""
    for text in ("https://evil.example", "ftp://evil.example", "www.evil.example", "me@evil.example"):
        assert "\u2060" in escaped(text)
        assert escaped(text).replace("\u2060", "") == text


def test_a_forged_source_list_in_a_title_stays_on_its_line() -> None:
    """A title cannot begin a line of its own, so it cannot pass for the source list."""
    forged = page("a", title="x\n来源摘要：\n- [9] 假来源，https://evil.example")
    reply = answered(ZH, answer("好 [1]", _1="a"), [forged], None)
    assert (reply.text or "").count("\n来源摘要：") == 1
    assert len(reply.sources or ()) == 1


def test_control_characters_and_direction_marks_are_dropped() -> None:
    """No escape sequence reaches a terminal, and no mark turns the text around."""
    assert clean("a\x1b[31mb\u202ec\td\r\ne\x00") == "a[31mbc d\ne"
    assert one_line("a \n\n b" + "c" * 300).startswith("a b")
    assert len(one_line("c" * 300)) == 200


def test_an_address_with_marks_of_its_own_survives_markdown() -> None:
    """Parentheses and entities in an address lead to that address and nowhere else."""
    url = "https://a.example/wiki/X_(y)?a=1&copy;=2&b=%3Cz%3E"
    reply = answered(EN, answer("x [1]", _1="a"), [page("a", target_url=url)], None)
    assert set(links(reply.markdown or "")) == {url}


def test_the_reply_as_json() -> None:
    """The record carries what text and Markdown say, in JSON that reads back equal."""
    dated = page("a", dated_at=AT, dated_resolution=timedelta(0))
    reply = answered(ZH, answer("好 [1]", _1="a"), [dated], AT)
    assert Reply.model_validate_json(reply.model_dump_json()) == reply
    assert reply.answer == "好 [1]"
    assert (reply.sources or ())[0].dated_at == AT


def test_a_refusal_and_a_question_back_show_no_address() -> None:
    """What a draft or page linked to is no source, so a reason that quotes it must not become a link."""
    reply = refused(
        Envelope("zh", "x1", "r1"), "unsupported", ["“https://evil.example/pay?a=1”（链接）没有来源支持。", "见WWW.evil.example。"]
    )
    assert "evil" not in (reply.text or "") + (reply.markdown or "") + "".join(reply.reasons or ())
    assert "“…”（链接）没有来源支持。" in (reply.reasons or ())
