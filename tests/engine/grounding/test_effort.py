"""What a grounding may cost: counted in comparisons, whatever answer and evidence are."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from groundrule.facts import Answer, Evidence
from groundrule.grounding import dating, estimates, verdicts
from groundrule.grounding.claims import ground

NOW = datetime(2026, 4, 15, 8, tzinfo=UTC)


def grounded(text: str, source: str) -> Answer:
    """The answer on one item."""
    item = Evidence(id="e1", target_url="https://a.example/", snippet=source, generated=False, retrieved_at=NOW)
    return ground(text, {}, [item], NOW, "UTC", "en")


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The name of each comparison made."""
    made: list[str] = []

    def counted(module: Any, name: str) -> None:
        asked = getattr(module, name)

        def count(*args: Any, **named: Any) -> Any:
            made.append(name)
            return asked(*args, **named)

        monkeypatch.setattr(module, name, count)

    for module, name in (
        (verdicts, "fit"), (verdicts, "restated"), (verdicts, "agrees"), (dating, "_same_or_coarser"), (estimates, "_one_word"),
    ):  # fmt: skip
        counted(module, name)
    return made


TABLES = [
    pytest.param("{i}-{j} w{i}, ", "A beat B {j}-{i}. ", id="scores"),
    pytest.param("half of {w}, ", "half of {v}, ", id="shares"),
    pytest.param("hundreds of {w}, ", "hundreds of {v}, ", id="counts"),
    pytest.param("the largest {w}. ", "the largest {v}. ", id="superlatives"),
    pytest.param("2026-0{d}-1{d} w. ", "2025-0{d}-1{d} v. ", id="dates"),
    pytest.param("cost 7{j} {w}. ", "cost 7{j} {v}. ", id="numbers"),
]


def table(line: str, rows: int) -> str:
    """So many lines, each about another thing."""
    words = ["".join(chr(97 + (i // 26**k) % 26) for k in range(3)) for i in range(rows)]
    return "".join(line.format(i=i % 9, j=i % 7, d=i % 8 + 1, w=word + "x", v=word + "y") for i, word in enumerate(words))


@pytest.mark.parametrize(("source", "answer"), TABLES)
def test_claims_times_evidence_is_limited(source: str, answer: str, steps: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """However many rows a table has and an answer repeats, no more is compared than the limit and the derivations allow."""
    monkeypatch.setattr(verdicts, "MOST", 2_000)
    claims = grounded(table(answer, 200), table(source, 600)).claims
    assert claims is not None
    assert len(claims) >= 200
    assert len(steps) <= 2 * 2_000
    assert any(claim.status == "unverified" for claim in claims)


def test_a_claim_beyond_the_limit_stays_unverified_and_the_others_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The dear one would have been found."""
    source = table("cost 7 {w}. ", 50) + "It has 812 rooms."
    text = "cost 7 aaax. It has 812 rooms."
    free = grounded(text, source).claims or ()
    monkeypatch.setattr(verdicts, "MOST", 10)
    limited = grounded(text, source).claims or ()
    assert [claim.status for claim in free] == ["bound", "bound"]
    assert [claim.status for claim in limited] == ["unverified", "bound"]


def test_equal_scores_are_compared_once(steps: list[str]) -> None:
    """A table that repeats a score does not repeat the work."""
    grounded("A beat B 1-3. " * 20, "3-1 " * 300)
    once = len(steps)
    grounded("A beat B 1-3. " * 20, "3-1 " * 600)
    assert len(steps) == 2 * once
