"""Which measure a question asks for, so that no other is quoted for it: a revenue is no profit."""

from __future__ import annotations

import re

_MEASURES = {
    "revenue": r"营收|营业收入|营业额|销售额|\brevenues?\b|\bturnover\b|\bsales\b",
    "net profit": r"净利润?(?!率)|净亏损|\bnet (?:profit|income|loss|earnings)\b",
    "gross profit": r"毛利润?(?!率)|\bgross profits?\b(?! margin)",
    "operating profit": r"(?:营业|经营)利润(?!率)|\boperating (?:profit|income|loss)\b",
    "profit": r"(?<![净毛业营])利润(?!率)|盈利|(?<!净)亏损|(?<!net )(?<!gross )(?<!operating )\bprofits?\b(?! margin)",
    "margin": r"[毛净]利率|利润率|\bmargins?\b",
    "cash": r"现金流|\bcash flows?\b",
    "debt": r"负债|债务|\bdebts?\b|\bliabilit(?:y|ies)\b",
    "value": r"市值|估值|\bmarket (?:cap|value)\b|\bmarket capitalization\b|\bvaluation\b",
    "staff": r"员工|雇员|\bemployees\b|\bheadcount\b",
    "dividend": r"股息|分红|派息|\bdividends?\b",
    "share price": r"股价|报 ?\d|\b(?:share|stock) prices?\b|\btrad(?:es|ed|ing) at\b",
    "volume": r"成交量|出货量|销量|\b(?:trading )?volume\b|\bshipments?\b|\bsales\b",
}
_PATTERNS = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _MEASURES.items()}
_PROFITS = frozenset({"net profit", "gross profit", "operating profit"})


def measures(text: str) -> frozenset[str]:
    """The measures of companies and shares that a text names."""
    return frozenset(name for name, pattern in _PATTERNS.items() if pattern.search(text))


def other_measure(sentence: str, title: str, wanted: frozenset[str]) -> bool:
    """Whether a sentence is about measures, and none of them is one that the question asks for.

    A sentence that names none has those of its title. wanted: the measures of the question; if there are none, any
    will do. A profit without further words may be any of them.
    """
    named = measures(sentence) or measures(title)
    if "profit" in wanted:
        wanted |= _PROFITS
    elif wanted & _PROFITS:
        wanted |= {"profit"}
    return bool(wanted) and bool(named) and not named & wanted
