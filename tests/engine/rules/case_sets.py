"""Rule sets with one test file, for the tests of test files."""

from __future__ import annotations

from pathlib import Path

from tests.engine.rules.programs import contract, rule

from groundrule.rules.cases import run_tests

POLICIES = Path(__file__).parents[3] / "policies"
AGE = contract(
    "evidence",
    "rules:\n" + rule("FRESH-AGE-01", "now - e.dated_at <= params.limit", "reject", each="evidence as e"),
    name="freshness",
    params={"limit": "3h"},
)
HEAD = "contract: freshness\nnow: 2026-04-15T08:00:00+08:00\n"
FACTS = "facts:\n  evidence: [{$use: pages/new}, {$use: pages/new, id: old, dated_at: 2026-04-14T08:00:00+08:00}]\n"
PAGES = {"tests/pages/new.yaml": "id: new\ndated_at: 2026-04-15T07:00:00+08:00\n"}
WHOLE = HEAD + FACTS + (
    "cases:\n"
    "  an old page is set aside:\n"
    "    expect:\n"
    "      outcome: allow\n"
    "      violations: ['FRESH-AGE-01 @ evidence[1]']\n"
    "      admitted: [new]\n"
    "  an undated page cannot be judged:\n"
    "    change: {'evidence[0].dated_at': null, 'evidence[1]': null}\n"
    "    expect: {violations: ['FRESH-AGE-01 @ evidence[0] undecided']}\n"
)  # fmt: skip
TELLING = contract(
    "evidence",
    "choices:\n  - id: FRESH-TELL-01\n    each: evidence as e\n    choose: tell_date\n"
    "    from: []\n    otherwise: true\n",
)


def files(test: str = WHOLE, *contracts: str, **more: str) -> dict[str, str | bytes]:
    """A rule set with one test file; further files by path."""
    texts = contracts or (AGE,)
    made: dict[str, str | bytes] = {f"contracts/{number}.yaml": text for number, text in enumerate(texts)}
    return {**made, "tests/freshness.test.yaml": test, **PAGES, **more}


def faults(given: dict[str, str | bytes]) -> list[str]:
    """Code and line of each fault."""
    return [f"{fault.code} {fault.place}" for fault in run_tests(given).faults]


def one(body: str, head: str = HEAD + FACTS, *contracts: str, **more: str) -> tuple[str, ...]:
    """The differences of a single case, whose keys stand in `body`."""
    report = run_tests(files(f"{head}cases:\n  the case:\n{body}", *contracts, **more))
    (case,) = report.cases
    return case.differences
