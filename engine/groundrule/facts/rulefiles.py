"""The files of a rule set as editors see them: keys, their meaning, and their closed word lists.

The reader in `rules` is stricter and says more; these shapes give completion and hover while an author types.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, RootModel

from .gates import GateName
from .words import Effect, ReplyKind

Expression = str | bool | int | float


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


def _key(en: str, zh: str, default: Any = None, alias: str | None = None) -> Any:
    return Field(default=default, alias=alias, description=en, json_schema_extra={"description_zh": zh})


class Texts(_File):
    """A text in both languages."""

    en: str
    zh: str


class Effective(_File):
    """When something is in force."""

    from_: str | None = _key("First instant.", "生效时刻。", alias="from")
    until: str | None = _key("End; not contained.", "失效时刻（不含）。")
    warn_before: str | None = _key("How long before it warns already.", "提前多久开始警告。")


class RuleEntry(_File):
    """A check: exactly one of `require` and `forbid`."""

    id: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]*(-[A-Z][A-Z0-9]*)+-[0-9]{2,}$")]
    each: str | None = _key("LIST as NAME: asked once per element.", "LIST as NAME：逐个元素判断。")
    when: Expression | None = _key("Skipped only if false.", "仅当为 false 时跳过。")
    require: Expression | None = _key("Must be true.", "必须为 true。")
    forbid: Expression | None = _key("Must be false.", "必须为 false。")
    otherwise: Effect
    reply: ReplyKind | None = _key("Which refusal the user sees.", "用户看到的拒绝种类。")
    message: Texts
    options: str | None = _key("What the user may choose from.", "澄清时的可选项。")
    oblige: dict[str, Expression] | None = _key("Obligations: name to value.", "义务：名称到值。")
    why: str | Texts | None = _key("Why the rule is there.", "规则的理由。")
    refs: list[str] | str | None = _key("Regulations, tickets, specifications.", "法规、工单、规格。")
    effective: Effective | None = _key("When it is in force.", "生效期间。")


class RowEntry(_File):
    """A row of a choice."""

    when: Expression
    value: Expression | list[Expression]


class ChoiceEntry(_File):
    """A first-match table."""

    id: str
    each: str | None = _key("Per item: `evidence as e`.", "逐条：evidence as e。")
    choose: str
    when: Expression | None = _key("Not made if false.", "为 false 时不作选择。")
    from_: list[RowEntry] = Field(alias="from")
    otherwise: Expression | list[Expression]
    values: list[str] | None = _key("Names that may stand bare as values.", "可直接书写的取值名称。")
    why: str | Texts | None = _key("Why the choice is there.", "选择的理由。")
    refs: list[str] | str | None = _key("Regulations, tickets, specifications.", "法规、工单、规格。")


class ContractFile(_File):
    """One contract: the promise made at one gate."""

    contract: str
    version: Annotated[str, Field(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+$")]
    gate: GateName
    when: Expression | None = _key("For all rules and choices of the file.", "适用于文件中全部规则与选择。")
    summary: Texts | None = _key("What it promises.", "合同的承诺。")
    owners: list[str] | str | None = _key("Who answers for it.", "负责人。")
    effective: Effective | None = _key("When it is in force.", "生效期间。")
    params: dict[str, Any] | None = _key("What authors tune.", "可调参数。")
    let: dict[str, Expression] | None = _key("Named expressions.", "命名表达式。")
    rules: list[RuleEntry] | None = _key("The checks.", "规则。")
    choices: list[ChoiceEntry] | None = _key("First-match tables.", "选择表。")


class ManifestFile(_File):
    """manifest.yaml of a rule set."""

    name: str
    version: str
    audit: list[str] | None = _key("Contracts that only watch.", "仅观察的合同。")


class WaiverEntry(_File):
    """A recorded exception."""

    rule: str
    owner: str
    reason: Texts
    ticket: str
    expires: str
    when: Expression | None = _key("Sees what the rule sees.", "可读取规则可读取的内容。")


class WaiversFile(RootModel[list[WaiverEntry]]):
    """waivers.yaml of a rule set."""


class Expectation(_File):
    """What a case expects; a list that is not named must be empty, choices excepted."""

    outcome: str | None = None
    violations: list[str] | None = None
    warnings: list[str] | None = None
    admitted: list[str] | None = None
    choices: dict[str, Any] | None = None
    obligations: dict[str, Any] | None = None
    options: list[str] | None = None
    valid_until: str | None = None


class CaseEntry(_File):
    """One case: the facts with changes, and what is expected."""

    change: dict[str, Any] | None = None
    expect: Expectation


class TestFile(_File):
    """tests/NAME.test.yaml of a rule set."""

    __test__ = False

    contract: str
    with_: list[str] | None = _key("Further contracts to ask.", "一并判断的其他合同。", alias="with")
    now: str
    facts: dict[str, Any]
    can: list[str] | None = None
    cases: dict[str, CaseEntry]
