"""What the verifier sees: the numbers, names and times that it reads in a text, and the claims that it ties to evidence.

For people who look into a verdict; no rule reads these. Positions count code points of the text.
"""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict

from .answer import Answer
from .record import Duration, Int, Record, Text, TextMap, Texts, Timestamp, always, fact


class Piece(Record):
    """A piece of a text: the words at [start, end)."""

    start: Int = always("Where it begins.", "起始位置。")
    end: Int = always("Where it ends.", "结束位置。")
    text: Text = always("Its words.", "原文。")


class ReadNumber(Piece):
    """A number with its unit. Values are exact: a decimal without exponent, or a fraction such as 1/3."""

    kind: Literal["number", "percent", "money"] = always("What kind of number it is.", "数字的种类。")
    value: Text = always(
        "Its value; of a percentage the figure, of hundreds the bounds (100..999).",
        "数值；百分比取其数字，“数百”之类取其上下限（200..999）。",
    )
    step: Text = always(
        "What the last shown digit counts in: 0.1 for 36.5; 0 for a fraction or words, which show none.",
        "末位数字的计数单位，如 36.5 为 0.1；分数和文字为 0，没有末位。",
    )
    unit: Text | None = fact("Its unit, one id in both languages.", "单位，中英文用同一标识。")
    per: Text | None = fact("The unit that it is counted by, as in 5元/公斤.", "按何单位计，如 5元/公斤。")
    hedge: Literal["about", "over", "under"] | None = fact(
        "Whether it says `about`, `over` or `under`.", "是否带“约”“超过”“不到”之类的限定。"
    )
    joined: Literal["range", "score"] | None = fact(
        "Whether it is an end of a range (18~25℃) or of a score (3:2).", "是否为区间（18~25℃）或比分（3:2）的一端。"
    )
    other: Text | None = fact("The value of the other end.", "另一端的数值。")


class ReadName(Piece):
    """Letters with digits, or digits in groups, that state no quantity, such as GPT-4 or 192.168.1.2."""

    value: Text = always("How it is compared.", "用于比较的形式。")


class ReadTime(Piece):
    """A time expression and the range that it means."""

    # `from` is a keyword of Python; by its attribute name too, or a record could not be validated again.
    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    from_: Timestamp | None = fact("First instant; absent if it has none.", "起点；没有则缺省。", alias="from")
    to: Timestamp | None = fact("End, not contained; absent if it has none.", "终点（不含）；没有则缺省。")
    resolution: Duration = always(
        "How exactly it was stated: the width of the unit named, 86400s for a day.",
        "表述的精度：所用单位的宽度，一天为 86400s。",
    )
    explicit: bool = always("Whether the range is the same at every `now`.", "范围是否与 `now` 无关。")


class RefusedTime(Piece):
    """A time expression that means no range: it does not exist, cannot be known or is of another calendar."""

    reason: Text = always("Why it means none.", "拒绝的原因。")


class Readings(Record):
    """The numbers and time expressions of a text, in order. What a time expression covers is no number."""

    text: Text = always("The text that was read.", "所读的文本。")
    offsets: Literal["code points"] = always("What positions count.", "位置的计数单位。")
    now: Timestamp = always("What `today` is relative to.", "“今天”等表达所参照的时刻。")
    zone: Text = always("The IANA time zone in which days begin.", "划分日期所用的 IANA 时区。")
    numbers: tuple[ReadNumber, ...] = always("Numbers, percentages and amounts of money.", "数字、百分比与金额。")
    names: tuple[ReadName, ...] = always("Names with digits, compared as written.", "含数字的名称，按原样比较。")
    times: tuple[ReadTime, ...] = always("Time expressions.", "时间表达。")
    refused: tuple[RefusedTime, ...] = always("Time expressions that are refused.", "被拒绝的时间表达。")


class Grounding(Record):
    """An answer as the answer gate would be told of it, what it was tied to, and what of it was not checked."""

    offsets: Literal["code points"] = always("What positions count.", "位置的计数单位。")
    now: Timestamp = always("What `today` is relative to.", "“今天”等表达所参照的时刻。")
    zone: Text = always("The IANA time zone in which days begin.", "划分日期所用的 IANA 时区。")
    handles: TextMap = always("Ids of the items by handle.", "引用标记所对应的证据标识。")
    not_grounding: Texts = always(
        "Ids of items that nothing rests on: generated, of another execution, or without public address.",
        "不能作为依据的证据标识：由模型生成、属于其他执行，或没有公开地址。",
    )
    unchecked: tuple[Piece, ...] = always(
        "Sentences without a claim. Of the others the claims were checked, and nothing else that they say.",
        "不含任何断言的句子。其余句子也只核对了其中的断言，未核对其他内容。",
    )
    answer: Answer = always("The answer with its claims, as the fact `answer`.", "回答及其断言，即事实 `answer`。")
