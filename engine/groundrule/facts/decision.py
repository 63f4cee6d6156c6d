"""The decision and its receipt as they are written down (RULES section 6)."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from .gates import GateName
from .words import Effect, GateOutcome, ReplyKind


class _Written(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def _said(en: str, zh: str) -> Any:
    return Field(description=en, json_schema_extra={"description_zh": zh})


def _time(en: str, zh: str) -> Any:
    return Field(description=en, json_schema_extra={"description_zh": zh, "format": "date-time"})


class Message(_Written):
    """A text in both languages."""

    en: str
    zh: str


class WaiverRecord(_Written):
    """The waiver that takes the effect of a violation away."""

    rule: str
    owner: str
    reason: Message
    ticket: str
    expires: str


class ViolationRecord(_Written):
    """One rule that is not met, at one place."""

    rule: str = _said("Id of the rule.", "规则标识。")
    contract: str | None = _said("Name of its contract; null for the engine's own.", "所属合同；引擎自身的为 null。")
    version: str | None = _said("Version of the contract.", "合同版本。")
    effect: Effect = _said("What follows.", "后果。")
    at: str | None = _said("Path of the element; null for the whole.", "元素路径；整体为 null。")
    message: Message = _said("What is not met.", "未满足的内容。")
    undecided: bool = _said("Whether there was no answer.", "是否无法判定。")
    values: list[dict[str, Any]] = _said("What was read, with its values.", "读取的内容及其值。")
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
    valid_until: str | None = _time("First later instant at which this would differ.", "结论可能改变的最早时刻。")
    revision: str | None = _said("Digest of the meaning of the rule set.", "规则集含义的摘要。")
    contracts: dict[str, str] = _said("Contracts asked, with versions.", "所问合同及其版本。")
    draft: bool = _said("Whether the rule set is no signed archive.", "规则集是否为草稿。")
    facts_digest: str | None = _said("Digest of the facts.", "事实摘要。")
    now: str = _time("The clock of conditions.", "条件所用的时刻。")
    as_of: str = _time("Selects versions, dated values and waivers.", "用于选择版本、带日期的值与豁免的时刻。")


class Receipt(_Written):
    """What a decision was decided on, enough to replay it."""

    language_version: int
    groundrule: str
    revision: str | None
    gate: GateName
    facts: dict[str, Any] | None
    now: str = _time("The clock of conditions.", "条件所用的时刻。")
    as_of: str | None = _time("As given by the caller.", "调用方给定的值。")
    pins: dict[str, str]
    can: list[str]
    decision: DecisionRecord
