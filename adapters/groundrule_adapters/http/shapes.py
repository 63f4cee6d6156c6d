"""What requests and answers of the service look like; the OpenAPI document comes from here."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    WithJsonSchema,
    create_model,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from groundrule.diagnostics import did_you_mean
from groundrule.facts import Context, Question
from groundrule.facts.decision import DecisionRecord
from groundrule.facts.gates import GATES
from groundrule.facts.record import MAX_TEXT, Timestamp

MAX_BATCH = 100
COSTLY = ("valid_until", "facts_digest")


def _known(gate: str) -> str:
    if gate not in GATES:
        raise ValueError(f"there is no such gate; {did_you_mean(gate, GATES)}")
    return gate


class AskedQuestion(Question):
    """A question, of which only the text is needed."""

    text: Annotated[str, Field(min_length=1, max_length=MAX_TEXT, pattern=r"\S", description="The question.")]


class _OrText:
    """A text alone is a question, too."""

    @staticmethod
    def __get_pydantic_core_schema__(source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def question(given: object) -> object:
            return {"text": given} if isinstance(given, str) else given

        return core_schema.no_info_before_validator_function(question, handler(source))

    @staticmethod
    def __get_pydantic_json_schema__(schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"anyOf": [handler(schema), {"type": "string", "minLength": 1, "pattern": r"\S"}]}


Gate = Annotated[str, AfterValidator(_known), WithJsonSchema({"type": "string", "enum": list(GATES)})]


class Shape(BaseModel):
    """What all shapes have in common."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, strict=True, allow_inf_nan=False)


class Asked(Shape):
    """One gate asked about facts."""

    gate: Gate = Field(description="The gate to ask.")
    facts: dict[str, Any] = Field(
        description="The facts of the gate, as its schema says (`groundrule schema facts.GATE`). Faulty ones are denied."
    )
    now: Timestamp | None = Field(None, description="The clock of conditions; the time of arrival if absent.")
    as_of: Timestamp | None = Field(None, description="Selects versions, dated values and waivers; `now` if absent.")
    pins: dict[str, str] | None = Field(None, description="Pinned versions by contract.")
    can: Annotated[list[str], Field(max_length=100)] = Field([], description="Obligations that the caller will fulfil.")
    include: Annotated[list[Literal["valid_until", "facts_digest"]], Field(max_length=2)] = Field(
        [], description="Parts of the decision that take longer than the decision itself."
    )


class Batch(Shape):
    """Many gates asked in one request, all under one revision of the rules."""

    requests: Annotated[list[Asked], Field(min_length=1, max_length=MAX_BATCH)] = Field(
        description="What is asked, in order."
    )


class AskRequest(Shape):
    """A question."""

    question: Annotated[AskedQuestion, _OrText] = Field(description="The question, or its text alone.")
    context: Context = Field(default_factory=Context, description="Circumstances, stated by the backend.")


Judged = create_model(
    "Judged",
    __base__=DecisionRecord,
    __doc__="What a gate said; `valid_until` and `facts_digest` only where `include` names them.",
    **{name: (DecisionRecord.model_fields[name].annotation, None) for name in COSTLY},  # type: ignore[call-overload]
)


class Decisions(Shape):
    """What the gates said, in the order of the requests."""

    decisions: list[Judged]  # type: ignore[valid-type]


class Explained(DecisionRecord):
    """A decision with its trace."""

    trace: list[dict[str, Any]] = Field(description="Every rule, asked or skipped, with every sub-expression.")


class Fault(Shape):
    """A fault of a rule set."""

    code: str
    severity: str
    message: str
    help: str
    file: str
    line: int
    column: int
    end_line: int
    end_column: int


class RulesInForce(Shape):
    """The rule set of the caller's tenant."""

    name: str = Field(description="From the manifest.")
    version: str
    revision: str = Field(description="Digest of its meaning.")
    draft: bool
    loaded_at: str = Field(description="When it came into force here.")
    contracts: dict[str, list[str]] = Field(description="Contracts with their versions.")
    gates: list[str] = Field(description="The gates that some contract covers.")
    warnings: list[Fault]
    faults: list[Fault] = Field(description="Why the files that lie there now are not in force; empty if they are.")
    servers_left_out: dict[str, str] = Field(description="MCP servers that are not used, and why.")


class RunEntry(Shape):
    """A run as the list shows it."""

    id: str
    started_at: str
    status: str | None
    reply_kind: str | None
    question: str | None
    revision: str


class Runs(Shape):
    """The latest runs, newest first."""

    runs: list[RunEntry]


class State(Shape):
    """Whether the service lives, or is ready."""

    status: Literal["live", "ready", "not ready"]
    version: str
    reasons: list[str] = []


class ProblemDetails(Shape):
    """RFC 9457."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str = Field(description="GR8xx; docs/reference/errors.md lists them.")
    place: str = Field(description="Where in the body; empty if it is not about a place.")
    help: str
