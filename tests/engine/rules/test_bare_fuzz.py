"""Whatever is asked without a gate, there is an answer: a value, undecided, or a refusal."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundrule.diagnostics import RuleFileError
from groundrule.rules.bare import BareResult, evaluate_bare, to_json
from groundrule.rules.bare_functions import FORMS
from groundrule.rules.bare_values import FIRST, LAST, LONGEST, Instant, Span

from .cel_texts import PATTERNS, TEXTS, VARIABLES, expressions

URLS = (
    "https://a.example/x?y#z",
    "http://127.1/",
    "https://[::1]:8/",
    "https://xn--fsq.example",
    "http://a@b/",
    "//x",
    "http://%61/",
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.sampled_from([0, 1, -1, 2**63 - 1, -(2**63), 0.0, -0.0, 1e308, 5e-324, 2.5]),
    st.floats(),
    st.sampled_from([*TEXTS, *PATTERNS, *URLS, "Asia/Shanghai", "+25:00", "", ".", "localtime"]),
    st.text(max_size=20),
    st.binary(max_size=5),
    st.integers(FIRST, LAST).map(Instant),
    st.sampled_from([FIRST, LAST, 0]).map(Instant),
    st.integers(-LONGEST, LONGEST).map(Span),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(st.text(max_size=3), st.integers(-2, 2), st.booleans()), inner, max_size=3),
    ),
    max_leaves=8,
)
STEADY = settings(derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))


def answer(text: str, variables: dict[str, Any]) -> BareResult | None:
    """The answer, if it is one that can be written out; None if the text was refused."""
    try:
        result = evaluate_bare(text, variables)
    except RuleFileError:
        return None
    assert (result.type == "undecided") == bool(result.undecided)
    json.dumps(to_json(result.value), allow_nan=False).encode()
    return result


def calls() -> list[str]:
    """A call of every function, method and operator with up to three variables."""
    found = ["a ? b : c", "a[b]", "a.k", "has(a.k)", "a && b || c", "a.all(x, x == b)", "a.map(x, [x, b])"]
    for name, forms in sorted(FORMS.items()):
        if name.endswith("_"):
            found.append(f"a {name[1:-1]} b" if name.startswith("_") else f"{name[0]}a")
            continue
        if False in forms:
            found += [f"{name}()", f"{name}(a)", f"{name}(a, b)", f"{name}(a, b, c)"]
        if True in forms:
            found += [f"a.{name}()", f"a.{name}(b)", f"a.{name}(b, c)"]
    return found


@settings(STEADY, max_examples=3_000)
@given(text=st.sampled_from(calls()), a=VALUES, b=VALUES, c=SCALARS)
def test_every_function_answers_every_value(text: str, a: Any, b: Any, c: Any) -> None:
    """A function called with any values gives a value or is undecided; nothing else comes out."""
    answer(text, {"a": a, "b": b, "c": c})


def test_every_call_is_understood() -> None:
    """None of the calls above is refused, and there are some of every name."""
    values = {"a": 1, "b": 2, "c": 3}
    assert [text for text in calls() if answer(text, values) is None] == []
    assert len(calls()) > 2 * len(FORMS)


@settings(STEADY, max_examples=300)
@given(text=expressions(), other=expressions())
def test_every_expression_answers(text: str, other: str) -> None:
    """So does any expression, and the same one gives the same answer."""
    joined = f"[{text}, {other}]"
    assert answer(joined, VARIABLES) == answer(joined, VARIABLES)
