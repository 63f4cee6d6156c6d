"""Messages: values of strangers on one line, in the words of the reader's language."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.engine.rules.programs import NOW, contract, facts, program

from groundrule.rules.interpret import Interpreter
from groundrule.rules.render import ABSENT, duration_text, render, timestamp_text


def message(placeholder: str, language: str, gate: str = "answer", **given: Any) -> str:
    """What a message `<{placeholder}>` shows."""
    body = f"""rules:
  - id: A-B-01
    each: evidence as e
    require: 'false'
    otherwise: deny
    message:
      en: >-
        <{{{placeholder}}}>
      zh: >-
        <{{{placeholder}}}>
"""
    asked = program(contract(gate, body))
    interpreter = Interpreter(asked, facts(gate, **given), NOW)
    entry = asked.entries[0]
    assert entry.rule is not None
    (position,) = interpreter.positions(entry)
    shown = render(entry.rule.message[language], interpreter.env(entry, position), language)
    assert (shown[0], shown[-1]) == ("<", ">")
    return shown[1:-1]


ITEM = {
    "id": "a",
    "title": "T",
    "generated": True,
    "authority_score": 1,
    "dated_at": NOW,
    "dated_resolution": timedelta(hours=3, minutes=5),
    "grounded_fields": ["广州", "x"],
    "dated_origin": "header",
    "chosen": {"kind": "gov", "parts": [1, {"n": 2.5}]},
}


@pytest.mark.parametrize(
    ("placeholder", "en", "zh"),
    [
        ("e.title", "T", "T"),
        ("e.generated", "yes", "是"),
        ("!e.generated", "no", "否"),
        ("e.authority_score", "1", "1"),
        ("e.authority_score / 4.0", "0.25", "0.25"),
        ("size(e.title) + 1", "2", "2"),
        ("e.dated_at", "2026-04-15 08:00 UTC", "2026-04-15 08:00 UTC"),
        ("e.dated_resolution", "3 h 5 min", "3 小时 5 分钟"),
        ("e.grounded_fields", "广州, x", "广州、x"),
        ("e.dated_origin", "HTTP header", "HTTP 头"),
        ("[e.dated_origin, 'none']", "header, none", "header、none"),
        ("[e.dated_origin]", "HTTP header", "HTTP 头"),
        ("[true]", "yes", "是"),
        (" {'a': e.title} ", "a: T", "a：T"),
        ("e.snippet", ABSENT, ABSENT),
        ("1 / (size(e.title) - 1)", ABSENT, ABSENT),
    ],
)
def test_values_are_written_in_the_language_of_the_message(placeholder: str, en: str, zh: str) -> None:
    """Section 1: durations and enum values in the language; what has no value shows as ⟨absent⟩."""
    assert message(placeholder, "en", evidence=[ITEM]) == en
    assert message(placeholder, "zh", evidence=[ITEM]) == zh


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x" * 200, "x" * 200),
        ("x" * 201, "x" * 199 + "…"),
        ("天" * 300, "天" * 199 + "…"),
        ("a\nb\tc", "a\\nb\\tc"),
        ("a\x00b\x1b[31m", "a\\x00b\\x1b[31m"),
        ("\u202eevil\u2066", "\\u202eevil\\u2066"),
        ("a\u2028b\u200bc", "a\\u2028b\\u200bc"),
        ("{now} {{x}} <b>", "{now} {{x}} <b>"),
    ],
)
def test_text_of_strangers_is_cut_and_made_visible(text: str, expected: str) -> None:
    """Section 1: at most 200 characters, control characters escaped; braces in values are no placeholders."""
    assert message("e.title", "en", evidence=[{"id": "a", "title": text}]) == expected


def test_long_lists_are_cut_as_a_whole() -> None:
    """The limit is that of a placeholder, not of each element."""
    shown = message("e.grounded_fields", "en", evidence=[{"id": "a", "grounded_fields": ["word"] * 100}])
    assert (len(shown), shown[:11], shown[-1]) == (200, "word, word,", "…")


@pytest.mark.parametrize(
    ("value", "en", "zh"),
    [
        (timedelta(0), "0 s", "0 秒"),
        (timedelta(days=365), "365 d", "365 天"),
        (timedelta(days=2, hours=3, minutes=59), "2 d 4 h", "2 天 4 小时"),
        (timedelta(days=1, hours=23, minutes=59), "2 d", "2 天"),
        (timedelta(minutes=59, seconds=59, microseconds=600_000), "1 h", "1 小时"),
        (timedelta(minutes=20), "20 min", "20 分钟"),
        (timedelta(seconds=90), "1 min 30 s", "1 分钟 30 秒"),
        (timedelta(milliseconds=1_500), "1 s 500 ms", "1 秒 500 毫秒"),
        (timedelta(microseconds=7), "7 µs", "7 微秒"),
        (-timedelta(hours=3, minutes=5), "-3 h 5 min", "-3 小时 5 分钟"),
    ],
)
def test_durations_have_their_two_largest_units(value: timedelta, en: str, zh: str) -> None:
    """Rounded to the smaller of the two, and never written as 60 of a unit."""
    assert (duration_text(value, "en"), duration_text(value, "zh")) == (en, zh)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (datetime(2026, 4, 15, 8, 0, 5, tzinfo=UTC), "2026-04-15 08:00:05 UTC"),
        (datetime(987, 1, 2, tzinfo=UTC), "0987-01-02 00:00 UTC"),
    ],
)
def test_timestamps_have_seconds_only_where_they_are_not_zero(value: datetime, text: str) -> None:
    """In UTC, which the text says."""
    assert timestamp_text(value) == text
