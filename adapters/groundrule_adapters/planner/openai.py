"""The planner on a model: one call under the strict schema of the plan. What does not fit is a failure.

The prompt is made from the schema's descriptions and the rules of the `plan` gate in force. Of the plan that comes
back three things are not the model's to say: the language; the time, which only the question's own words state; and
that old information will do where those words ask for the present.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError

from groundrule import RuleSet, schema
from groundrule.diagnostics import visible
from groundrule.facts import Context, ExternalQueryPlan, Question
from groundrule.facts.words import WORDS, Language
from groundrule.gateway.ports import Planned, Planner
from groundrule.grounding.times import time_reading, zone_of
from groundrule.rules.demands import demands

from ..model import Model, ModelFault, ModelLate, filled, read_object
from .freshness import asks_for_the_present, freshness_required
from .hint import time_hint
from .script import language_of, plain

PROMPT = "planner.v1"
MAX_QUESTION = 4_000
"""Code points of a question that is sent. A longer one fails: a part of a question is another question."""
_YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")


@dataclass(frozen=True)
class OpenAIPlanner:
    """Plans with a model (ports.Planner).

    zone: where days begin if the context does not say. otherwise: plans where the model fails, if the operator wants
    that; without it a failure of the model is a failure of the plan.
    """

    model: Model
    rules: RuleSet
    zone: str = "UTC"
    otherwise: Planner | None = None

    @property
    def name(self) -> str:
        """Adapter, model and version of the prompt."""
        return visible(f"openai/1 {self.model.name} {PROMPT}")

    async def plan(self, question: Question, context: Context) -> Planned:
        """The model's plan, or why there is none. Raises ModelLate, as the pipeline tells lateness from failure.

        Of the context only the zone is used, to say what day it is.
        """
        asked_at = question.asked_at or datetime.now(UTC)
        zone = context.zone or self.zone
        try:
            return Planned(plan=_settled(await self._made(question, asked_at, zone), question, asked_at, zone))
        except ModelFault as fault:
            if self.otherwise is not None:
                planned = await self.otherwise.plan(question, context)
                return replace(planned, note=f"{fault}; planned by {self.otherwise.name}")
            if isinstance(fault, ModelLate):
                raise
            return Planned(failure=str(fault))

    async def _made(self, question: Question, asked_at: datetime, zone: str) -> ExternalQueryPlan:
        text = question.text or ""
        if len(text) > MAX_QUESTION:
            raise ModelFault(f"a question of more than {MAX_QUESTION} code points is not sent to a model")
        language: Language = question.language or language_of(text)
        strict = _schema()
        system = filled(
            PROMPT, language, fields=fields(strict, language), demands=demands(self.rules, "plan", asked_at)
        )
        today = asked_at.astimezone(zone_of(zone)).date().isoformat()
        asked = _ASKED[language].format(today=today, text=text)
        messages = [{"role": "system", "content": system}, {"role": "user", "content": asked}]
        return read_plan(await self.model.complete(messages, strict))


def read_plan(text: str) -> ExternalQueryPlan:
    """The plan that a text is, with every field of the strict schema and no other. Raises ModelFault."""
    strict = _schema()
    made = read_object(text)
    lacking = [name for name in strict["required"] if name not in made]
    if lacking:
        raise ModelFault(f"the plan lacks `{lacking[0]}`")
    for name, value in made.items():
        if name not in strict["properties"]:
            raise ModelFault("the plan has a key that is no field of it")
        if value is None and "anyOf" not in strict["properties"][name]:
            raise ModelFault(f"`{name}` of the plan is null")
    try:
        return ExternalQueryPlan.model_validate(made)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        raise ModelFault(f"`{first['loc'][0]}` of the plan: {first['msg']}") from None


def fields(strict: dict[str, Any], language: Language) -> str:
    """A line for each field of the plan: its type or words, and what it means."""
    described = schema("plan")["properties"]
    key = "description" if language == "en" else "description_zh"
    return "\n".join(
        f"- `{name}` ({_type(field, language)}): {described[name][key]}"
        for name, field in strict["properties"].items()
    )


def _type(field: dict[str, Any], language: Language) -> str:
    if "anyOf" in field:
        return " | ".join(_type(kind, language) for kind in field["anyOf"])
    if "enum" in field:
        meant = next(words for words in WORDS.values() if list(words) == field["enum"])
        return " | ".join(f"{word} = {meant[word][language == 'zh']}" for word in field["enum"])
    if field["type"] == "array":
        return f"array of {_type(field['items'], language)}"
    return str(field["type"])


def _schema() -> dict[str, Any]:
    return {key: part for key, part in schema("plan.strict").items() if not key.startswith("$")}


_ASKED: dict[Language, str] = {"en": "Today: {today}\nQuestion: {text}", "zh": "今天：{today}\n问题：{text}"}


def _settled(plan: ExternalQueryPlan, question: Question, asked_at: datetime, zone: str) -> ExternalQueryPlan:
    """The plan with what the question itself decides. Raises ModelFault if all its phrases are of another year."""
    text = question.text or ""
    folded = plain(text)
    times = time_reading(text, asked_at, zone)
    if times.refused:
        hint: str | None = times.refused[0].text  # which the plan gate asks back
    else:
        hint = time_hint(text, times.spans, asked_at, zone) or _stated(plan.time_range_hint, folded)
    years = {*_YEAR.findall(folded), str(asked_at.astimezone(zone_of(zone)).year)}
    phrases = tuple(query for query in plan.search_queries or () if years.issuperset(_YEAR.findall(plain(query))))
    if plan.search_queries and not phrases:
        raise ModelFault("every search phrase names a year that the question does not")
    present = asks_for_the_present(folded) and freshness_required(folded, times.spans, asked_at)
    return plan.model_copy(
        update={
            "language": question.language or language_of(text),
            "time_range_hint": hint,
            "search_queries": phrases,
            "freshness_required": bool(plan.freshness_required) or present,
        }
    )


def _stated(hint: str | None, question: str) -> str | None:
    """The hint if the plain question holds it word for word, else None: no other time is asked about."""
    words = plain(hint or "").strip()
    return words if words and words in question else None
