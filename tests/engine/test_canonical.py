"""Canonical JSON: one text for one value (RFC 8785)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from groundrule.canonical import canonical_json


def test_keys_are_in_the_order_of_their_utf16_units() -> None:
    """The example of RFC 8785, 3.2.3, in which code points would be ordered otherwise."""
    given = {"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\u0080": 6, "\u00f6": 7}
    assert canonical_json(given) == '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\U0001f600":5,"\ufb33":3}'


def test_values_have_one_text_each() -> None:
    """Numbers as ECMAScript writes them, text with the fewest escapes, times and durations as their text."""
    given = {
        "b": [None, True, False, 1, 1.0, -0.0, 1e21, 1e-7, 0.1],
        "a": ("\u20ac$\u000f\nA'B\"\\\"/", {}, []),
        "c": datetime(2026, 4, 15, tzinfo=UTC),
        "d": timedelta(seconds=1.5),
    }
    assert canonical_json(given) == (
        '{"a":["\u20ac$\\u000f\\nA\'B\\"\\\\\\"/",{},[]],"b":[null,true,false,1,1,0,1e+21,1e-7,0.1],'
        '"c":"2026-04-15T00:00:00.000000Z","d":"1.5s"}'
    )


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {1, 2}, b"x"], ids=lambda value: type(value).__name__)
def test_what_json_cannot_carry_has_no_text(value: object) -> None:
    """At any depth."""
    with pytest.raises(ValueError, match=r"not finite|no JSON value"):
        canonical_json({"a": [value]})
