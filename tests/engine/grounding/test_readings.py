"""What is written down: everything that the readers find, at its place, nothing twice; and what is not checked."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from groundrule import schema
from groundrule.facts.readings import Readings
from groundrule.facts.record import MAX_CLAIMS, MAX_TEXT
from groundrule.grounding.claims import ground
from groundrule.grounding.readings import readings, unchecked

NOW = datetime(2026, 4, 15, 0, 0, tzinfo=UTC)
ZONE = "Asia/Shanghai"
TEXT = "据 GPT-4 统计，4月15日最高气温约36.5℃，营收3至5亿元，1/3 的人走了；2018年以前没有；2月30日见"


def written(text: str) -> dict[str, Any]:
    """The readings of a text as JSON has them."""
    return readings(text, NOW, ZONE).model_dump(mode="json", by_alias=True, exclude_none=True)


def test_numbers_have_value_step_unit_and_hedge() -> None:
    """Exact, with the other end of a range, and of each the unit that it is counted by."""
    numbers = [{**each, "start": 0, "end": 0} for each in written(TEXT)["numbers"]]
    place = {"start": 0, "end": 0}
    money = {**place, "kind": "money", "unit": "CNY", "joined": "range", "step": "100000000"}
    assert numbers == [
        {**place, "kind": "number", "text": "36.5℃", "value": "36.5", "step": "0.1", "unit": "°C", "hedge": "about"},
        {**money, "text": "3", "value": "300000000", "other": "500000000"},
        {**money, "text": "5亿元", "value": "500000000", "other": "300000000"},
        {**place, "kind": "number", "text": "1/3", "value": "1/3", "step": "0"},
    ]
    assert [each["value"] for each in written("数百人，其中半数")["numbers"]] == ["200..999", "50"]
    (rate,) = written("5元/公斤")["numbers"]
    assert (rate["unit"], rate["per"]) == ("CNY", "kg")


def test_times_have_ranges_and_what_means_none_has_a_reason() -> None:
    """In UTC; an end that a range does not have is absent."""
    told = written(TEXT)
    assert [(each["text"], each.get("from"), each.get("to"), each["resolution"]) for each in told["times"]] == [
        ("4月15日", "2026-04-14T16:00:00.000000Z", "2026-04-15T16:00:00.000000Z", "86400s"),
        ("2018年以前", None, "2017-12-31T16:00:00.000000Z", "31536000s"),
    ]
    assert [each["explicit"] for each in told["times"]] == [False, True]
    assert [(each["text"], each["reason"]) for each in told["refused"]] == [("2月30日", "no such date")]
    assert [(each["text"], each["value"]) for each in told["names"]] == [("GPT-4", "gpt4")]


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="3年5月日点 .%-/~到℃亿元约GPT昨天前后ago dys\n\U0001f321", max_size=60))
def test_every_piece_stands_where_it_says_and_none_within_a_time(text: str) -> None:
    """Offsets are code points; the record fits its schema and is read back as it was."""
    found = readings(text, NOW, ZONE)
    told = written(text)
    for piece in (*found.numbers, *found.names, *found.times, *found.refused):
        assert text[piece.start : piece.end] == piece.text
        assert piece.text
    times = sorted((each.start, each.end) for each in (*found.times, *found.refused))
    for piece in (*found.numbers, *found.names):
        assert all(end <= piece.start or start >= piece.end for start, end in times)
    assert [error.json_path for error in Draft202012Validator(schema("readings")).iter_errors(told)] == []
    assert Readings.model_validate_json(json.dumps(told)) == found
    assert Readings.model_validate(found) == found


@pytest.mark.parametrize(
    ("text", "now", "zone"),
    [
        ("1", NOW, "Mars/X"),
        ("1", NOW.replace(tzinfo=None), ZONE),
        ("1", NOW.replace(year=1), ZONE),
        ("\udcff", NOW, ZONE),
        ("1" * (MAX_TEXT + 1), NOW, ZONE),
    ],
    ids=["zone", "naive", "year", "surrogate", "long"],
)
def test_what_cannot_be_read_is_refused(text: str, now: datetime, zone: str) -> None:
    """Never half a reading."""
    with pytest.raises(ValueError, match=r"."):
        readings(text, now, zone)


def left(text: str) -> list[str]:
    """The words of an answer's sentences that are not checked; `[1]` is a handle."""
    answer = ground(text, {"[1]": "a"}, [], NOW, ZONE, "zh")
    pieces = unchecked(text, {"[1]": "a"}, answer.claims or ())
    assert all(text[piece.start : piece.end] == piece.text for piece in pieces)
    return [piece.text for piece in pieces]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("明天25℃。适合出游。", ["适合出游。"]),
        ("It will be nice [1]. 25°C are expected.\n\n  Take care!  ", ["It will be nice [1].", "Take care!"]),
        ("1. 晴\n2. 25℃\n3. 多云\n", ["晴", "多云"]),
        ("他说“很好。非常好。不能更好”。", []),
        ("[1]\n\n——！？\n1.\n", []),
        ("", []),
    ],
)
def test_sentences_without_a_claim_are_not_checked(text: str, words: list[str]) -> None:
    """Handles and markers alone say nothing; a quotation counts for every sentence that it reaches into."""
    assert left(text) == words


def test_claims_beyond_the_limit_leave_their_sentences_unchecked() -> None:
    """They are judged by nobody."""
    assert left("25℃。" * (MAX_CLAIMS + 2)) == ["25℃。"] * 2


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="明天晴25℃。！\n [1].“”ab", max_size=60))
def test_every_word_is_in_a_claim_its_sentence_or_what_is_not_checked(text: str) -> None:
    """No sentence is lost: without claims, all words outside of handles and markers are listed."""
    pieces = unchecked(text, {"[1]": "a"}, ())
    spans = [(piece.start, piece.end) for piece in pieces]
    assert spans == sorted(spans)
    rest = "".join(char for at, char in enumerate(text) if not any(start <= at < end for start, end in spans))
    assert not re.search(r"[明天晴ab]", rest)
