"""Which passages of a page are about a question."""

from __future__ import annotations

import pytest

from groundrule_adapters.sources.search.passages import PASSAGE, best_passages, split, words

FILLER = "The town has a market, two schools and a museum of local history that opens on weekends. " * 5
FILLER_ZH = "本市共有两所学校和一座地方历史博物馆，周末开放，门票免费，欢迎市民前来参观学习。" * 10


def test_the_passage_about_the_question_is_found_among_others() -> None:
    """In English by words, in Chinese by pairs of characters, also for names of two characters."""
    text = "\n".join([FILLER, "The bay bridge is 312 m long and was opened in 1998.", FILLER])
    found = best_passages(text, "How long is the bay bridge?", 400)
    assert found is not None
    assert "312 m" in found
    assert len(found) <= 410
    zh = "\n".join([FILLER_ZH, "云岭科技全年营收为12.5亿元，同比增长8%。", FILLER_ZH])
    found = best_passages(zh, "云岭科技的营收是多少", 400)
    assert found is not None
    assert "12.5亿元" in found


@pytest.mark.parametrize("question", ["How tall is the lighthouse?", "北辰计划什么时候上线", "what is it", "是什么"])
def test_a_page_about_something_else_gives_nothing(question: str) -> None:
    """Words that say nothing count for nothing."""
    assert best_passages(FILLER + "\n" + FILLER_ZH, question, 400) is None


def test_passages_keep_the_order_of_the_page_and_gaps_are_marked() -> None:
    """No sentence is joined to one that did not follow it."""
    text = "\n".join(
        ["The bridge opened in 1998." + " x" * 150, FILLER, FILLER, "The bridge is 312 m long." + " y" * 150]
    )
    found = best_passages(text, "bridge opened long", 900)
    assert found is not None
    lines = found.split("\n")
    assert lines.index("…") > 0
    assert found.index("1998") < found.index("312 m")


def test_passages_are_cut_after_sentences_and_lose_nothing() -> None:
    """Each is about as long as it may be."""
    text = FILLER + "\n" + FILLER_ZH
    passages = list(split(text))
    assert all(len(passage) <= PASSAGE + 1 for passage in passages)
    assert "".join("".join(passages).split()) == "".join(text.split())
    assert passages[0].endswith(".")


def test_one_line_without_a_blank_is_cut_too() -> None:
    """A wall of characters is no endless passage."""
    assert {len(passage) for passage in split("x" * 5_000)} <= {PASSAGE, 5_000 % PASSAGE}


def test_words_of_both_scripts() -> None:
    """Pairs for ideographs, words and numbers for the rest."""
    assert words("GPT-5 的价格 12.5 亿元") == ["gpt", "5", "12.5", "价格", "亿元"]
    assert words("京") == ["京"]
