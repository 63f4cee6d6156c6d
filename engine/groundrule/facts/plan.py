"""The plan of an external query, in the words of the External Query Gateway specification."""

from __future__ import annotations

from pydantic import ConfigDict

from .record import Int, Record, Text, Texts, Timestamp, fact
from .words import AnswerContract, Language, QueryKind


class Window(Record):
    """The time range that the question asks about, computed from time_range_hint, asked_at and zone."""

    # `from` is a keyword of Python; by its attribute name too, or a record could not be validated again.
    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    from_: Timestamp | None = fact("First instant of the range.", "范围的起点。", alias="from")
    to: Timestamp | None = fact("End of the range; the range does not contain it.", "范围的终点（不含）。")


class ExternalQueryPlan(Record):
    """What to look up, and how the answer must be grounded. It orders and narrows; it never raises authority."""

    plan_version: Text | None = fact("Version of the plan format.", "计划格式的版本号。")
    query_kind: QueryKind | None = fact("What kind of fact is asked for.", "问题所属的种类。")
    answer_contract: AnswerContract | None = fact("What shape the answer must have.", "回答的形式合同。")
    freshness_required: bool | None = fact(
        "Whether only recent information answers the question.", "是否要求最新信息。"
    )
    topic: Text | None = fact("What the user wants to know.", "用户真正要查的主题。")
    subject_entities: Texts | None = fact(
        "People, companies, products and places named in the question.",
        "问题中明确的人、公司、产品、地点等。",
    )
    location_hint: Text | None = fact("The place asked about.", "所问地点，如“广州”。")
    time_range_hint: Text | None = fact("The time expression of the question.", "问题中的时间表达，如“未来5天”。")
    preferred_domains: Texts | None = fact(
        "Sites to try first. They order and narrow, and never raise authority.",
        "优先尝试的站点；只影响顺序和范围，不提高可信度。",
    )
    search_queries: Texts | None = fact("Phrases that an adapter can search for.", "可直接执行的查询短语。")
    result_limit: Int | None = fact("Most items of evidence wanted.", "证据数量上限。")
    requires_multi_source: bool | None = fact("Whether independent sources must agree.", "是否要求多来源交叉验证。")
    clarify_on_ambiguity: bool | None = fact(
        "Whether to ask back before searching when the question is ambiguous.", "有歧义时是否先澄清。"
    )
    language: Language | None = fact("Language of the question and of the reply.", "问题与回答的语言。")
    window: Window | None = fact(
        "The time range asked about; the pipeline computes it, a planner never does.",
        "所问的时间范围；由流程计算，规划器不得填写。",
    )
