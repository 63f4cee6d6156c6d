"""The closed word lists of the facts, each value with its wording in English and Chinese.

Messages write an enum value in the language of the message; the checker names the nearest value of a misspelt one.
"""

from __future__ import annotations

from typing import Literal, get_args

Language = Literal["zh", "en"]
QueryKind = Literal["weather", "news", "company", "model", "market", "generic_web", "unknown"]
AnswerContract = Literal["direct_fact", "summary_with_sources", "compare_with_sources", "clarify"]
CallKind = Literal["mcp", "search", "fetch"]
Outcome = Literal["evidence", "empty", "blocked", "failed", "timeout", "refused"]
Judged = Literal["allow", "deny", "fallback"]
DatedOrigin = Literal["structured", "header", "text", "provider", "none"]
ClaimKind = Literal["number", "percent", "money", "date", "quote", "link", "entity", "comparison"]
Derivation = Literal["rounding", "conversion", "range", "count", "sum", "difference", "ratio", "growth", "order"]
ClaimStatus = Literal["bound", "derived", "unverified", "contradicted"]
Route = Literal["external", "data", "clarify", "refuse"]
GateOutcome = Literal["allow", "fallback", "confirm", "clarify", "deny"]
Effect = Literal["deny", "clarify", "confirm", "fallback", "oblige", "reject", "warn"]
ReplyKind = Literal["no_evidence", "stale", "unsupported", "forbidden", "unclear"]

WORDS: dict[str, dict[str, tuple[str, str]]] = {
    "Language": {"zh": ("Chinese", "中文"), "en": ("English", "英文")},
    "QueryKind": {
        "weather": ("weather", "天气"),
        "news": ("news", "新闻"),
        "company": ("company", "公司"),
        "model": ("AI model", "模型"),
        "market": ("market", "行情"),
        "generic_web": ("general web", "一般网页"),
        "unknown": ("unknown", "未知"),
    },
    "AnswerContract": {
        "direct_fact": ("direct fact", "直接事实"),
        "summary_with_sources": ("summary with sources", "附来源摘要"),
        "compare_with_sources": ("comparison with sources", "附来源比较"),
        "clarify": ("clarification", "澄清"),
    },
    "CallKind": {
        "mcp": ("MCP call", "MCP 调用"),
        "search": ("search", "搜索"),
        "fetch": ("fetch", "抓取"),
    },
    "Outcome": {
        "evidence": ("evidence", "有证据"),
        "empty": ("empty", "无结果"),
        "blocked": ("blocked", "被拦截"),
        "failed": ("failed", "失败"),
        "timeout": ("timeout", "超时"),
        "refused": ("refused", "被拒绝"),
    },
    "Judged": {"allow": ("allow", "允许"), "deny": ("deny", "拒绝"), "fallback": ("fallback", "回退")},
    "DatedOrigin": {
        "structured": ("structured data", "结构化数据"),
        "header": ("HTTP header", "HTTP 头"),
        "text": ("text", "正文"),
        "provider": ("provider", "提供方"),
        "none": ("none", "无"),
    },
    "ClaimKind": {
        "number": ("number", "数字"),
        "percent": ("percentage", "百分比"),
        "money": ("amount of money", "金额"),
        "date": ("date", "日期"),
        "quote": ("quotation", "引文"),
        "link": ("link", "链接"),
        "entity": ("name", "名称"),
        "comparison": ("comparison", "比较"),
    },
    "Derivation": {
        "rounding": ("rounding", "取整"),
        "conversion": ("conversion of units", "单位换算"),
        "range": ("range", "区间"),
        "count": ("count", "计数"),
        "sum": ("sum", "求和"),
        "difference": ("difference", "求差"),
        "ratio": ("ratio", "求比"),
        "growth": ("growth", "增幅"),
        "order": ("order", "大小比较"),
    },
    "ClaimStatus": {
        "bound": ("bound", "已对应"),
        "derived": ("derived", "推算得出"),
        "unverified": ("unverified", "未验证"),
        "contradicted": ("contradicted", "相矛盾"),
    },
    "Route": {
        "external": ("external", "外部查询"),
        "data": ("data", "数据查询"),
        "clarify": ("clarify", "澄清"),
        "refuse": ("refuse", "拒绝"),
    },
}
"""For each word list by name: value to (English, Chinese)."""


def values_of(words: object) -> tuple[str, ...]:
    """The values of one of the word lists above, in order."""
    return get_args(words)
