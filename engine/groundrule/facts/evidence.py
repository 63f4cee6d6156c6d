"""Evidence: what may ground an answer."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from .record import MAX_ITEMS, Duration, Json, Many, Record, Text, Texts, Timestamp, fact
from .words import DatedOrigin

Score = Annotated[float, Field(ge=0.0, le=1.0)]


class Evidence(Record):
    """One item that may ground an answer. Only its id is always there."""

    id: Text = Field(description="Identifier within the facts.", json_schema_extra={"description_zh": "标识。"})
    execution_id: Text | None = fact("The execution that fetched it.", "取得该证据的执行标识。")
    adapter: Text | None = fact("The adapter that fetched it.", "取得该证据的适配器。")
    source_type: Text | None = fact(
        "What kind of source it comes from, for example url or mcp_search.", "来源类型，如 url、mcp_search。"
    )
    source_label: Text | None = fact("Name of the source as shown to the user.", "给用户展示的来源名。")
    title: Text | None = fact("Title of the result.", "结果标题。")
    target_url: Text | None = fact("Address of the page.", "原始 URL。")
    snippet: Text | None = fact("Text that may be quoted.", "可引用的摘要。")
    generated: bool | None = fact(
        "Whether a model wrote the text; generated text never grounds.",
        "文本是否由模型生成；生成的文本不能作为依据。",
    )
    retrieved_at: Timestamp | None = fact("When we fetched it, by our clock.", "抓取时间（本机时钟）。")
    dated_at: Timestamp | None = fact(
        "Oldest instant that the content's own date can mean.", "内容自身日期可能表示的最早时刻。"
    )
    dated_origin: DatedOrigin | None = fact("Where that date was stated.", "该日期的出处。")
    dated_resolution: Duration | None = fact(
        "Width of that date: 86400s for a day.", "该日期的精度宽度，一天为 86400s。"
    )
    valid_from: Timestamp | None = fact("Start of what a forecast covers.", "预报覆盖范围的起点。")
    valid_to: Timestamp | None = fact("End of what a forecast covers.", "预报覆盖范围的终点。")
    freshness_score: Score | None = fact("Score of its age, 0 to 1; for ordering only.", "时效性评分，仅用于排序。")
    authority_score: Score | None = fact("Rank of its source, 0 to 1, given by rule.", "来源可信度评分，由规则给出。")
    grounded_fields: Texts | None = fact(
        "Entities, place and time expression of the plan that its title or snippet names.",
        "标题或摘要中出现的计划实体、地点和时间表达。",
    )
    chosen: Json | None = fact(
        "Choices made for the item at earlier gates, by name.", "此前关口为该条证据作出的选择，按名称。"
    )
    raw_metadata: Json | None = fact(
        "Private data of the adapter; no rule reads it, no prompt or reply shows it.",
        "适配器私有元信息；规则不可读取，不进入提示词与回复。",
    )


class ExternalEvidenceBundle(Record):
    """All items of one execution."""

    execution_id: Text | None = fact("The execution that fetched them.", "取得证据的执行标识。")
    items: Annotated[tuple[Evidence, ...], Many(MAX_ITEMS)] | None = fact("The items, in order.", "证据条目，按顺序。")
