"""The reply that leaves the house: an answer with its sources, a question back, or a refusal."""

from __future__ import annotations

from typing import Annotated, Literal

from .answer import Claim
from .record import MAX_CITATIONS, MAX_CLAIMS, Duration, Many, Record, Text, Texts, Timestamp, fact
from .words import Language, ReplyKind

ReplyStatus = Literal["answered", "clarify", "refused"]


class ReplySource(Record):
    """A cited item as the user sees it."""

    handle: Text | None = fact("The handle that cites it in the text.", "正文中引用它的标记。")
    evidence: Text | None = fact("Id of the item.", "证据标识。")
    title: Text | None = fact("Title of the page.", "页面标题。")
    label: Text | None = fact("Name of the source.", "来源名。")
    url: Text | None = fact("Canonical address of the page.", "页面的规范地址。")
    dated_at: Timestamp | None = fact(
        "The content's own date; absent if it states none.", "内容自身的日期；未标注则缺省。"
    )
    dated_resolution: Duration | None = fact(
        "Width of that date: 86400s for a day.", "该日期的精度宽度，一天为 86400s。"
    )
    retrieved_at: Timestamp | None = fact("When we fetched it.", "抓取时间。")


class Reply(Record):
    """What `ask` gives back. `text` and `markdown` are complete; the other fields say the same for programs."""

    status: ReplyStatus | None = fact("Whether it answers, asks back or refuses.", "是回答、请求澄清，还是拒绝回答。")
    kind: ReplyKind | None = fact("Which refusal it is; absent unless it refuses.", "拒绝的种类；未拒绝则缺省。")
    language: Language | None = fact("Language of the reply.", "回复的语言。")
    text: Text | None = fact("The reply as plain text.", "纯文本回复。")
    markdown: Text | None = fact("The reply as Markdown.", "Markdown 回复。")
    answer: Text | None = fact("The answer alone, as the answer gate allowed it.", "经回答关口放行的回答正文。")
    sources: Annotated[tuple[ReplySource, ...], Many(MAX_CITATIONS)] | None = fact(
        "The cited items, in order.", "被引用的来源，按顺序。"
    )
    claims: Annotated[tuple[Claim, ...], Many(MAX_CLAIMS)] | None = fact(
        "The checkable pieces of the answer and what they rest on.", "回答中可核对的内容及其依据。"
    )
    reasons: Texts | None = fact("Why it does not answer, for the user.", "未作回答的原因（面向用户）。")
    options: Texts | None = fact("Answers to choose from, if it asks back.", "请求澄清时的可选项。")
    not_grounding: Texts | None = fact(
        "Ids of admitted items that cannot ground an answer: without public address, or generated.",
        "已采纳但不能作为依据的证据标识：没有公开地址，或由模型生成。",
    )
    sample: bool | None = fact(
        "Whether it rests on the sample data that ships with the product.", "是否基于随产品提供的示例数据。"
    )
    execution_id: Text | None = fact("The execution; its receipt has this id.", "执行标识；回执同号。")
    valid_until: Timestamp | None = fact(
        "When the decision to allow it may change; absent if never.", "放行结论可能改变的时刻；不变则缺省。"
    )
    revision: Text | None = fact("Revision of the rule set that judged it.", "作出判断的规则集修订号。")
