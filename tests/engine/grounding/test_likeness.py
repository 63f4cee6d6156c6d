"""What counts as one text, and letters that look like others."""

import pytest

from groundrule.grounding.likeness import distinct_texts, skeleton

STORY = "The Xingwan bridge opened to traffic on Wednesday morning, and is 12.6 km long."


@pytest.mark.parametrize(
    "copy",
    [
        STORY.replace(",", ""),
        STORY + ".",
        "Reuters: " + STORY,
        STORY[:-5],
        STORY.replace("e", "\u0435"),
        STORY.upper(),
        STORY[20:],
        STORY.replace("Wednesday", "Thursday"),
    ],
)
def test_a_copy_is_no_other_text_whichever_comes_first(copy: str) -> None:
    assert distinct_texts([STORY, copy], 9) == (STORY,)
    assert distinct_texts([copy, STORY], 9) == (copy,)


def test_texts_in_their_own_words_are_two_though_they_share_names_and_figures() -> None:
    other = "Cars have crossed the new Xingwan bridge since Wednesday; its builders give 12.6 km as its length."
    assert distinct_texts([STORY, other], 9) == (STORY, other)


def test_a_text_of_few_letters_is_a_copy_of_one_that_has_it() -> None:
    assert distinct_texts(["1500", "Sold: 1,500.", "1600"], 9) == ("1500", "1600")


def test_what_has_no_letters_confirms_nothing() -> None:
    assert distinct_texts([STORY, "...", ""], 9) == (STORY,)


def test_no_more_texts_are_found_than_asked_for() -> None:
    assert distinct_texts(["north wind", "heavy rain", "clear sky"], 2) == ("north wind", "heavy rain")
    assert distinct_texts(["north wind"], 0) == ()


def test_a_skeleton_has_latin_letters_for_those_that_look_like_them_and_stays_as_it_is() -> None:
    assert skeleton("F\u0435ishu hist\u03bfry") == "feishu history"
    assert skeleton(skeleton("\u0420\u041c-Flow")) == skeleton("\u0420\u041c-Flow") == "pm-flow"
