"""Every sentence that the pipeline itself says to a user, in both languages. What rules say stands in the rules."""

from __future__ import annotations

from ..facts.words import Language, ReplyKind

Both = dict[Language, str]

HEAD: Both = {"zh": "外部实时查询：", "en": "Live external query:"}
SAMPLE: Both = {
    "zh": "示例数据（随产品提供，并非真实信息）",
    "en": "Sample data (ships with the product, not real information)",
}
SOURCES: Both = {"zh": "来源摘要：", "en": "Sources:"}
UNDATED: Both = {"zh": "未标注日期", "en": "undated"}
FETCHED: Both = {"zh": "抓取于 {time}", "en": "fetched {time}"}
DATED: Both = {"zh": "日期 {time}", "en": "dated {time}"}
AS_OF: Both = {"zh": "数据截至：{time}{cite}。", "en": "As of: {time}{cite}."}
REASONS: Both = {"zh": "原因：", "en": "Why:"}
ADVICE: Both = {"zh": "可以这样做：", "en": "What you can do: "}
ASK_BACK: Both = {"zh": "请先说明以下内容，再继续查询。", "en": "Please clarify before the search goes on."}
OPTIONS: Both = {"zh": "可以选择：", "en": "For example:"}
COMMA: Both = {"zh": "，", "en": ", "}

REFUSALS: dict[ReplyKind, tuple[Both, Both]] = {
    "no_evidence": (
        {
            "zh": "没有取得可以引用的外部依据，因此不作回答。",
            "en": "No external evidence that may be cited was found, so no answer is given.",
        },
        {
            "zh": "换一种问法，补充具体的名称或地点，或稍后再试。",
            "en": "rephrase the question, name the subject or the place, or try again later.",
        },
    ),
    "stale": (
        {
            "zh": "取得的外部资料已经过时、没有可靠的日期，或没有覆盖所问的时间，不能据此回答。",
            "en": "What was found is too old, has no reliable date or does not cover the time asked about, so no answer rests on it.",
        },
        {
            "zh": "稍后再试，或说明可以接受的时间范围。",
            "en": "try again later, or say which time range is acceptable.",
        },
    ),
    "unsupported": (
        {
            "zh": "无法给出有充分依据的回答，因此不作回答。",
            "en": "There is no answer that the evidence fully supports, so none is given.",
        },
        {
            "zh": "把问题拆小或改问具体的事实，或稍后再试。",
            "en": "ask for a smaller or more specific fact, or try again later.",
        },
    ),
    "forbidden": (
        {
            "zh": "按现行规则，这个问题不能通过外部查询回答。",
            "en": "Under the rules in force this question may not be answered by an external query.",
        },
        {"zh": "如认为规则有误，请联系规则的负责人。", "en": "if the rule is wrong, ask its owners."},
    ),
    "unclear": (
        {
            "zh": "没有弄清问题要查什么，因此没有查询。",
            "en": "It is not clear what to look up, so nothing was searched.",
        },
        {
            "zh": "说明要查的对象、地点和时间后再问一次。",
            "en": "ask again and name the subject, the place and the time.",
        },
    ),
}
"""For each refusal: what happened, and what the user can do."""

PLANNER_FAILED: Both = {
    "zh": "没能把问题整理成查询计划。",
    "en": "The question could not be turned into a plan.",
}
PLANNER_LATE: Both = {"zh": "整理查询计划超时。", "en": "Planning took too long."}
ROUTE_DATA: Both = {
    "zh": "这是数据查询，这里只回答外部实时查询。",
    "en": "This asks for internal data; only live external queries are answered here.",
}
ROUTE_REFUSED: Both = {"zh": "问题不属于外部实时查询。", "en": "The question is no live external query."}
ASK_SUBJECT: Both = {
    "zh": "要查的对象、地点和时间是什么？",
    "en": "Which subject, place and time do you mean?",
}
UNKNOWN_ZONE: Both = {
    "zh": "请求中的时区不存在，无法确定所问的日期。",
    "en": "The time zone of the request does not exist, so the day asked about is not known.",
}
NO_SOURCES: Both = {
    "zh": "换一种问法没有帮助：请检查所配置的来源（groundrule mcp list）。",
    "en": "another wording will not help: have the configured sources checked (groundrule mcp list).",
}
NO_SOURCE: Both = {"zh": "没有可用的数据来源。", "en": "No source is left to ask."}
OUT_OF_TIME: Both = {"zh": "已达到本次查询的时间上限。", "en": "The time limit of the query was reached."}
NO_PUBLIC_ADDRESS: Both = {
    "zh": "采纳的资料没有公开网址或由模型生成，不能作为依据。",
    "en": "What was admitted has no public address or was written by a model, so it cannot ground an answer.",
}
DRAFTER_FAILED: Both = {
    "zh": "没能用取得的依据写出回答。",
    "en": "No answer could be composed from the evidence.",
}
DRAFTER_LATE: Both = {"zh": "撰写回答超时。", "en": "Composing the answer took too long."}
UNCITED: Both = {
    "zh": "回答没有引用依据，或引用了不存在的依据。",
    "en": "The answer cites nothing, or something that does not exist.",
}
UNFULFILLED: Both = {
    "zh": "规则要求的说明无法写进回答。",
    "en": "The answer could not be given the statement that the rules oblige.",
}
NOT_KEPT: Both = {
    "zh": "本次查询的回执无法保存，因此不能给出回答。",
    "en": "The receipt of this query could not be kept, so no answer may be given.",
}
