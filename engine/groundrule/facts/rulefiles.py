"""The files of a rule set as editors see them: keys, their meaning, and their closed word lists.

The reader in `rules` is stricter and says more; these shapes give completion and hover while an author types. They are
only ever made into schemas, so a key that may be left out has the default None whatever its type.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, RootModel, StringConstraints
from typing_extensions import TypeAliasType

from .gates import GATES, GateName
from .words import Effect, GateOutcome, ReplyKind

Expression = str | bool | int | float
Instant = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Duration = Annotated[str, Field(pattern=r"^-?([0-9]+(\.[0-9]+)?(us|ms|s|m|h|d|w))+$")]
Version = Annotated[str, Field(pattern=r"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$")]
ContractName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*$")]
RuleId = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]*(-[A-Z][A-Z0-9]*)+-[0-9]{2,}$")]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Violation = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]*(-[A-Z0-9]+)+( @ .+)?( undecided)?( waived)?$")]
Path = Annotated[str, StringConstraints(pattern=r"^[^.\[\]\s]+(\.[^.\[\]\s]+|\[([0-9]+|\+)\])*$")]


def _need(en: str, zh: str, alias: str | None = None) -> Any:
    return Field(alias=alias, description=en, json_schema_extra={"description_zh": zh})


def _key(en: str, zh: str, alias: str | None = None) -> Any:
    return Field(default=None, alias=alias, description=en, json_schema_extra={"description_zh": zh})


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Texts(_File):
    """A text in both languages."""

    en: str = _need("In English.", "英文。")
    zh: str = _need("In Chinese.", "中文。")


class Effective(_File):
    """When something is in force."""

    from_: Instant = _key("First instant.", "生效时刻。", alias="from")
    until: Instant = _key("End; not contained.", "失效时刻（不含）。")
    warn_before: Duration = _key("How long before it warns already, such as 30d.", "提前多久开始警告，如 30d。")


class NamedList(_File):
    """A list of the rule set."""

    list: str = _need("Name of the file lists/NAME.txt.", "名单文件 lists/NAME.txt 的名称。")


class DatedValue(_File):
    """One value of a param with its date, oldest first."""

    value: str | bool | int | float | list[ParamValue] = _need("The value.", "取值。")
    from_: Instant = _key("When it begins to hold; not for the first.", "开始生效的时刻；首个取值不写。", alias="from")
    warn_before: Duration = _key("How long before it is asked too, and only warns.", "提前多久一并判断且只作警告。")


# pydantic reads the text when the name exists; that is how a type contains itself on Python 3.11.
ParamValue = TypeAliasType(
    "ParamValue",
    "str | bool | int | float | NamedList | list[DatedValue] | list[ParamValue] | dict[str, ParamValue]",
)


def _if(condition: dict[str, Any], then: dict[str, Any]) -> dict[str, Any]:
    return {"if": condition, "then": then}


def _otherwise(effect: str) -> dict[str, Any]:
    return {"properties": {"otherwise": {"const": effect}}, "required": ["otherwise"]}


_ONE_CHECK: dict[str, Any] = {
    "oneOf": [{"required": ["require"]}, {"required": ["forbid"]}],
    "allOf": [
        _if(_otherwise("reject"), {"required": ["each"]}),
        _if(_otherwise("oblige"), {"required": ["oblige"]}),
        _if({"required": ["oblige"]}, _otherwise("oblige")),
        _if({"required": ["options"]}, _otherwise("clarify")),
    ],
}


class RuleEntry(_File):
    """A check: exactly one of `require` and `forbid`."""

    model_config = ConfigDict(json_schema_extra=_ONE_CHECK)

    id: RuleId = _need(
        "AREA-TOPIC-NN in upper case; never used again with another meaning.", "标识，大写，不得改作他用。"
    )
    each: str = _key("`LIST as NAME`: asked once for every element.", "LIST as NAME：逐个元素判断。")
    when: Expression = _key("The rule is skipped only if this is false.", "仅当为 false 时跳过本规则。")
    require: Expression = _key("Must be true; undecided is not met.", "必须为 true；无法判定即不满足。")
    forbid: Expression = _key("Must be false; undecided is not met.", "必须为 false；无法判定即不满足。")
    otherwise: Effect = _need("What follows when it is not met.", "不满足时的后果。")
    reply: ReplyKind = _key(
        "Which refusal the user sees; `unsupported` if left out.", "用户看到的拒绝种类，默认 unsupported。"
    )
    message: Texts = _need("What is not met; `{expression}` shows a value.", "未满足的内容；{表达式} 显示其值。")
    options: Expression = _key("What the user may choose from: a list of texts.", "澄清时的可选项（文本列表）。")
    oblige: dict[Name, Expression] = _key("Obligations: name to value.", "义务：名称到值。")
    why: str | Texts = _key("Why the rule is there.", "规则的理由。")
    refs: str | list[str] = _key("Regulations, tickets, specifications.", "法规、工单、规格。")
    effective: Effective = _key("When it is in force.", "生效期间。")


class RowEntry(_File):
    """A row of a choice."""

    when: Expression = _need("The row is taken if this is true.", "为 true 时取该行。")
    value: Expression | list[Expression] = _need("Its value: an expression.", "取值（表达式）。")


class ChoiceEntry(_File):
    """A first-match table that hands back a value."""

    id: RuleId = _need("AREA-TOPIC-NN in upper case.", "标识，大写。")
    each: str = _key("`evidence as e`: one value for every item.", "evidence as e：逐条取值。")
    choose: Name = _need("Name of the choice; read as `chosen.NAME`.", "选择的名称，以 chosen.NAME 读取。")
    when: Expression = _key("The choice is not made if this is false.", "为 false 时不作选择。")
    from_: list[RowEntry] = _need(
        "Rows; the first whose `when` is true decides.", "各行；首个为 true 的行生效。", alias="from"
    )
    otherwise: Expression | list[Expression] = _need("The value if no row is taken.", "没有匹配行时的值。")
    values: str | list[str] = _key("Names that may stand bare as values.", "可直接书写的取值名称。")
    why: str | Texts = _key("Why the choice is there.", "选择的理由。")
    refs: str | list[str] = _key("Regulations, tickets, specifications.", "法规、工单、规格。")


def _effects_of(gate: str) -> dict[str, Any]:
    effects = {"properties": {"otherwise": {"enum": list(GATES[gate].effects)}}}
    return _if(
        {"properties": {"gate": {"const": gate}}, "required": ["gate"]},
        {"properties": {"rules": {"items": effects}}},
    )


_CONTRACT: dict[str, Any] = {
    "anyOf": [{"required": ["rules"]}, {"required": ["choices"]}],
    "allOf": [_effects_of(gate) for gate in GATES],
}


class ContractFile(_File):
    """One contract: the promise made at one gate."""

    model_config = ConfigDict(json_schema_extra=_CONTRACT)

    contract: ContractName = _need("Name of the contract.", "合同名称。")
    version: Version = _need("Version of this file: MAJOR.MINOR.PATCH.", "文件版本：主.次.修订。")
    gate: GateName = _need("Where it is asked.", "在哪个关口判断。")
    when: Expression = _key("For all rules and choices of the file.", "适用于文件中全部规则与选择。")
    summary: Texts = _key("What it promises.", "合同的承诺。")
    owners: str | list[str] = _key("Who answers for it.", "负责人。")
    effective: Effective = _key("When it is in force.", "生效期间。")
    params: dict[Name, ParamValue] = _key(
        "What authors tune; read as `params.NAME`.", "可调参数，以 params.NAME 读取。"
    )
    let: dict[Name, Expression] = _key("Named expressions.", "命名表达式。")
    rules: list[RuleEntry] = _key("The checks.", "规则。")
    choices: list[ChoiceEntry] = _key("First-match tables.", "选择表。")


class ParamsFile(RootModel[dict[Name, ParamValue]]):
    """params.yaml of a rule set: what several contracts share, read as `shared.NAME`."""


class ManifestFile(_File):
    """manifest.yaml of a rule set."""

    name: str = _need("Name of the rule set.", "规则集名称。")
    version: str = _need("Version of the rule set.", "规则集版本。")
    audit: list[ContractName] = _key("Contracts whose violations are only warnings.", "仅观察的合同：其违反只作警告。")


class WaiverEntry(_File):
    """A recorded exception."""

    rule: RuleId = _need("Id of the rule.", "规则标识。")
    owner: str = _need("Who answers for it.", "负责人。")
    reason: Texts = _need("Why it was granted.", "豁免理由。")
    ticket: str = _need("Where it was agreed.", "审批单。")
    expires: Instant = _need("When it ends.", "到期时刻。")
    when: Expression = _key("For which cases; sees what the rule sees.", "适用条件；可读取规则可读取的内容。")


class WaiversFile(RootModel[list[WaiverEntry]]):
    """waivers.yaml of a rule set."""


class Expectation(_File):
    """What a case expects. Violations, warnings, obligations and options that are not named must not come."""

    outcome: GateOutcome = _key("The outcome; not looked at if left out.", "结论；不写则不比较。")
    violations: list[Violation] = _key("`RULE-ID @ evidence[1] undecided waived`, as it applies.", "违反，每行一条。")
    warnings: list[Violation] = _key("Written like violations.", "警告，写法同违反。")
    admitted: list[str] = _key("Ids in order; not looked at if left out.", "被采纳的标识，按顺序；不写则不比较。")
    choices: dict[Name, Any] = _key("Choices by name; others are not looked at.", "选择，按名称；未写的不比较。")
    obligations: dict[Name, Any] = _key("Obligations by name, with their values.", "义务及其值。")
    options: list[str] = _key("What the user may choose from.", "用户可选项。")
    valid_until: Instant | None = _key("Null for never; not looked at if left out.", "null 表示不变；不写则不比较。")


class CaseEntry(_File):
    """One case: the facts of the file with changes, and what is expected."""

    change: dict[Path, Any] = _key(
        "Path to value: sets, removes (null), appends ([+]).", "路径到值：设置、删除（null）、追加（[+]）。"
    )
    can: list[str] = _key("Obligations that the caller will fulfil in this case.", "本用例中调用方能够履行的义务。")
    expect: Expectation = _need("What is expected.", "预期结果。")


class TestFile(_File):
    """tests/NAME.test.yaml of a rule set. `$use: plans/weather` stands for tests/plans/weather.yaml."""

    __test__ = False  # pytest takes a class of this name for a test

    contract: ContractName = _need("The contract that is tested.", "被测合同。")
    with_: list[ContractName] = _key(
        "Further contracts of its gate to ask.", "同一关口一并判断的其他合同。", alias="with"
    )
    now: Instant = _need("The clock of the cases.", "用例的时刻。")
    facts: dict[str, Any] = _key("The facts that every case begins with.", "每个用例的初始事实。")
    can: list[str] = _key("Obligations that the caller will fulfil.", "调用方能够履行的义务。")
    cases: Annotated[dict[str, CaseEntry], Field(min_length=1)] = _need(
        "Cases by name: a sentence.", "用例，以一句话命名。"
    )
