"""What has happened in an execution so far, and the call that is about to be made."""

from __future__ import annotations

from typing import Annotated

from .record import MAX_ITEMS, Duration, Int, Json, Many, Record, Text, Texts, Timestamp, fact
from .words import CallKind, Judged, Outcome


class Call(Record):
    """One tool, search or fetch call before it is made."""

    kind: CallKind | None = fact("What kind of call it is.", "调用的种类。")
    adapter: Text | None = fact("The adapter that makes it.", "发起调用的适配器。")
    server: Text | None = fact("The MCP server called.", "被调用的 MCP 服务器。")
    tool: Text | None = fact("The tool called.", "被调用的工具。")
    url: Text | None = fact("The address called.", "被访问的地址。")
    arguments: Json | None = fact("The arguments of the call.", "调用参数。")
    read_only: bool | None = fact(
        "Whether the operator or the server declares that the call changes nothing.", "调用是否声明为只读。"
    )


class Attempt(Record):
    """One finished attempt to get evidence."""

    adapter: Text | None = fact("The adapter that was used.", "所用适配器。")
    server: Text | None = fact("The server that answered.", "应答的服务器。")
    outcome: Outcome | None = fact("How it ended.", "结果状态。")
    reason: Text | None = fact("Why it ended so.", "原因。")
    items: Int | None = fact("Number of items that it brought.", "返回的条数。")
    admitted: Int | None = fact("Number of items admitted afterwards.", "其后被采纳的条数。")
    judged: Judged | None = fact("What the evidence gate said afterwards.", "其后证据关口的结论。")
    took: Duration | None = fact("How long it took.", "耗时。")


class Run(Record):
    """One execution: everything between a question and its reply."""

    execution_id: Text | None = fact("Identifier of the execution.", "执行标识。")
    started_at: Timestamp | None = fact("When it began.", "开始时间。")
    deadline: Timestamp | None = fact("When it must have ended.", "截止时间。")
    remaining: Duration | None = fact("Time that is left of the deadline.", "剩余时间。")
    calls: Int | None = fact("Number of calls made so far.", "已发起的调用次数。")
    attempts: Annotated[tuple[Attempt, ...], Many(MAX_ITEMS)] | None = fact(
        "Attempts so far, in order.", "已完成的尝试，按顺序。"
    )
    adapters_left: Texts | None = fact("Adapters that have not been tried yet.", "尚未尝试的适配器。")
