"""The decision and its receipt as they are written down (RULES section 6)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from .words import Effect, GateOutcome, ReplyKind

Digest = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
Instant = Annotated[str, Field(json_schema_extra={"format": "date-time"})]


class _Written(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def _said(en: str, zh: str) -> Any:
    return Field(description=en, json_schema_extra={"description_zh": zh})


class Message(_Written):
    """A text in both languages."""

    en: str = _said("In English.", "英文。")
    zh: str = _said("In Chinese.", "中文。")


class ReadValue(_Written):
    """Something that was read, and its value."""

    text: str = _said("As the rule writes it.", "规则中的原文。")
    value: Any = _said("Its value; long texts and lists are cut.", "其值；过长的文本与列表会截断。")


class ReadNothing(_Written):
    """Something that was read and has no value."""

    text: str = _said("As the rule writes it.", "规则中的原文。")
    undecided: str = _said("Why it has none.", "无法取值的原因。")


class WaiverRecord(_Written):
    """The waiver that takes the effect of a violation away."""

    rule: str = _said("Id of the rule.", "规则标识。")
    owner: str = _said("Who answers for it.", "负责人。")
    reason: Message = _said("Why it was granted.", "豁免理由。")
    ticket: str = _said("Where it was agreed.", "审批单。")
    expires: Instant = _said("When it ends.", "到期时刻。")


class ViolationRecord(_Written):
    """One rule that is not met, at one place."""

    rule: str = _said("Id of the rule.", "规则标识。")
    contract: str | None = _said("Name of its contract; null for the engine's own.", "所属合同；引擎自身的为 null。")
    version: str | None = _said("Version of the contract.", "合同版本。")
    effect: Effect = _said("What follows.", "后果。")
    at: str | None = _said("Path of the element; null for the whole.", "元素路径；整体为 null。")
    message: Message = _said("What is not met.", "未满足的内容。")
    undecided: bool = _said("Whether there was no answer.", "是否无法判定。")
    values: list[ReadValue | ReadNothing] = _said("What was read, in source order.", "读取的内容，按原文顺序。")
    waived_by: WaiverRecord | None = _said("The waiver that covers it.", "覆盖它的豁免。")


class DecisionRecord(_Written):
    """What a gate said."""

    gate: str = _said("The gate.", "关口。")
    outcome: GateOutcome = _said("The strongest effect that is not waived.", "未被豁免的最强后果。")
    reply: ReplyKind | None = _said(
        "Which refusal the user sees; null for an allow.", "用户看到的拒绝种类；允许时为 null。"
    )
    violations: list[ViolationRecord] = _said("Every effect except warn.", "除警告外的全部违反。")
    warnings: list[ViolationRecord] = _said("What is only warned about.", "仅警告的内容。")
    obligations: dict[str, list[Any]] = _said("What the caller must do with an allow.", "允许时调用方必须履行的义务。")
    choices: dict[str, Any] = _said(
        "Values of the choices; per item by evidence id.", "各项选择的值；逐条的按证据标识。"
    )
    options: list[str] = _said("What the user may choose from.", "用户可选项。")
    admitted: list[str] = _said("Ids of the admitted evidence.", "被采纳的证据标识。")
    rejected: list[str] = _said("Ids of the other evidence.", "其余证据标识。")
    valid_until: Instant | None = _said("First later instant at which this would differ.", "结论可能改变的最早时刻。")
    revision: Digest | None = _said("Digest of the meaning of the rule set.", "规则集含义的摘要。")
    contracts: dict[str, str] = _said("Contracts asked, with versions.", "所问合同及其版本。")
    draft: bool = _said("Whether the rule set is no archive with digests.", "规则集是否为草稿（未归档）。")
    facts_digest: Digest | None = _said(
        "Digest of the facts; null if they were faulty.", "事实摘要；事实有误时为 null。"
    )
    now: Instant = _said("The clock of conditions.", "条件所用的时刻。")
    as_of: Instant = _said("Selects versions, dated values and waivers.", "用于选择版本、带日期的值与豁免的时刻。")


class Receipt(_Written):
    """What a decision was decided on, enough to replay it."""

    language_version: int = _said("Version of the rule language.", "规则语言版本。")
    groundrule: str = _said("Version of groundrule.", "groundrule 版本。")
    revision: Digest | None = _said("Digest of the meaning of the rule set.", "规则集含义的摘要。")
    gate: str = _said("The gate.", "关口。")
    facts: dict[str, Any] | None = _said("The facts; null if they were faulty.", "事实；有误时为 null。")
    now: Instant = _said("The clock of conditions.", "条件所用的时刻。")
    as_of: Instant | None = _said("As given by the caller.", "调用方给定的值。")
    pins: dict[str, str] = _said("Pinned versions by contract.", "固定的合同版本。")
    can: list[str] = _said("Obligations that the caller will fulfil.", "调用方能够履行的义务。")
    decision: DecisionRecord = _said("What was decided.", "结论。")
