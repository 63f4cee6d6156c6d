"""The decision and its receipt as they are written down (RULES section 6)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from .record import always
from .words import Effect, GateOutcome, ReplyKind

Digest = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
Instant = Annotated[str, Field(json_schema_extra={"format": "date-time"})]


class _Written(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Message(_Written):
    """A text in both languages."""

    en: str = always("In English.", "英文。")
    zh: str = always("In Chinese.", "中文。")


class ReadValue(_Written):
    """Something that was read, and its value."""

    text: str = always("As the rule writes it.", "规则中的原文。")
    value: Any = always("Its value; long texts and lists are cut.", "其值；过长的文本与列表会截断。")


class ReadNothing(_Written):
    """Something that was read and has no value."""

    text: str = always("As the rule writes it.", "规则中的原文。")
    undecided: str = always("Why it has none.", "无法取值的原因。")


class WaiverRecord(_Written):
    """The waiver that takes the effect of a violation away."""

    rule: str = always("Id of the rule.", "规则标识。")
    owner: str = always("Who answers for it.", "负责人。")
    reason: Message = always("Why it was granted.", "豁免理由。")
    ticket: str = always("Where it was agreed.", "审批单。")
    expires: Instant = always("When it ends.", "到期时刻。")


class ViolationRecord(_Written):
    """One rule that is not met, at one place."""

    rule: str = always("Id of the rule.", "规则标识。")
    contract: str | None = always("Name of its contract; null for the engine's own.", "所属合同；引擎自身的为 null。")
    version: str | None = always("Version of the contract.", "合同版本。")
    effect: Effect = always("What follows.", "后果。")
    at: str | None = always("Path of the element; null for the whole.", "元素路径；整体为 null。")
    message: Message = always("What is not met.", "未满足的内容。")
    undecided: bool = always("Whether there was no answer.", "是否无法判定。")
    values: list[ReadValue | ReadNothing] = always("What was read, in source order.", "读取的内容，按原文顺序。")
    waived_by: WaiverRecord | None = always("The waiver that covers it.", "覆盖它的豁免。")


class DecisionRecord(_Written):
    """What a gate said."""

    gate: str = always("The gate.", "关口。")
    outcome: GateOutcome = always("The strongest effect that is not waived.", "未被豁免的最强后果。")
    reply: ReplyKind | None = always(
        "Which refusal the user sees; null for an allow.", "用户看到的拒绝种类；允许时为 null。"
    )
    violations: list[ViolationRecord] = always("Every effect except warn.", "除警告外的全部违反。")
    warnings: list[ViolationRecord] = always("What is only warned about.", "仅警告的内容。")
    obligations: dict[str, list[Any]] = always("What the caller must do with an allow.", "允许时调用方必须履行的义务。")
    choices: dict[str, Any] = always(
        "Values of the choices; per item by evidence id.", "各项选择的值；逐条的按证据标识。"
    )
    options: list[str] = always("What the user may choose from.", "用户可选项。")
    admitted: list[str] = always("Ids of the admitted evidence.", "被采纳的证据标识。")
    rejected: list[str] = always("Ids of the other evidence.", "其余证据标识。")
    valid_until: Instant | None = always("First later instant at which this would differ.", "结论可能改变的最早时刻。")
    revision: Digest | None = always("Digest of the meaning of the rule set.", "规则集含义的摘要。")
    contracts: dict[str, str] = always("Contracts asked, with versions.", "所问合同及其版本。")
    draft: bool = always("Whether the rule set is no archive with digests.", "规则集是否为草稿（未归档）。")
    facts_digest: Digest | None = always(
        "Digest of the facts; null if they were faulty.", "事实摘要；事实有误时为 null。"
    )
    now: Instant = always("The clock of conditions.", "条件所用的时刻。")
    as_of: Instant = always("Selects versions, dated values and waivers.", "用于选择版本、带日期的值与豁免的时刻。")


class Receipt(_Written):
    """What a decision was decided on, enough to replay it."""

    language_version: int = always("Version of the rule language.", "规则语言版本。")
    groundrule: str = always("Version of groundrule.", "groundrule 版本。")
    revision: Digest | None = always("Digest of the meaning of the rule set.", "规则集含义的摘要。")
    gate: str = always("The gate.", "关口。")
    facts: dict[str, Any] | None = always("The facts; null if they were faulty.", "事实；有误时为 null。")
    now: Instant = always("The clock of conditions.", "条件所用的时刻。")
    as_of: Instant | None = always("As given by the caller.", "调用方给定的值。")
    pins: dict[str, str] = always("Pinned versions by contract.", "固定的合同版本。")
    can: list[str] = always("Obligations that the caller will fulfil.", "调用方能够履行的义务。")
    decision: DecisionRecord = always("What was decided.", "结论。")
