"""JSON Schemas (2020-12) of everything that crosses a border, made from the records.

`description` is English, `description_zh` beside it Chinese.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from .decision import DecisionRecord, Receipt
from .evidence import ExternalEvidenceBundle
from .gates import GATES
from .plan import ExternalQueryPlan
from .readings import Grounding, Readings
from .record import DURATION, RFC3339
from .reply import Reply
from .rulefiles import ContractFile, ManifestFile, ParamsFile, TestFile, WaiversFile

DIALECT = "https://json-schema.org/draft/2020-12/schema"
VERSION = 1
AUTHORS_DURATION = r"^-?([0-9]+(\.[0-9]+)?(us|ms|s|m|h|d|w))+$"
"""Durations as test files may write them, `10800s` among them."""
MAY_LACK = ("location_hint", "time_range_hint")
"""Fields of a complete plan that are null where the question names no place or time."""
NOT_PLANNED = ("language", "window")
"""Fields of a plan that no model is asked for: the question has the one, the pipeline computes the other."""
BOUNDS = ("maxLength", "maxItems", "minimum", "maximum", "description_zh")
"""What not every provider of models takes in a schema; the plan is checked against the full schema afterwards."""
Schema = dict[str, Any]


def schema(name: str) -> Schema:
    """The JSON Schema of a name in SCHEMAS. Raises KeyError for another."""
    found = _MAKERS[name]()
    title = found.pop("title", name)
    return {"$schema": DIALECT, "$id": f"groundrule:{name}.v{VERSION}", "title": title, **found}


def _of(model: type[BaseModel]) -> Callable[[], Schema]:
    return lambda: _made(model)


def _made(model: type[BaseModel]) -> Schema:
    found: Schema = _tidy(model.model_json_schema(by_alias=True, mode="validation"))
    return found


def _tidy(node: Any) -> Any:
    """Without what pydantic adds for nobody: titles of fields, defaults of what may be absent, unions with anything.

    Keys that match no pattern are refused, and times are as exact as the border wants them.
    """
    if isinstance(node, list):
        return [_tidy(item) for item in node]
    if not isinstance(node, dict):
        return node
    found = {key: _tidy(value) for key, value in node.items() if key != "default"}
    for field in found.get("properties", {}).values():
        field.pop("title", None)
    if {} in found.get("anyOf", ()):
        del found["anyOf"]
    if "patternProperties" in found:
        found["additionalProperties"] = False
    if found.get("format") == "date-time":
        found["pattern"] = RFC3339
    return found


def _strict_plan() -> Schema:
    """What a model must hand back, within what providers of models take: every field but those of the pipeline."""
    found = _made(ExternalQueryPlan)
    found.pop("$defs")
    fields: Schema = found["properties"]
    for name in NOT_PLANNED:
        fields.pop(name)
    for name, field in fields.items():
        if name not in MAY_LACK:
            (kind,) = (kind for kind in field.pop("anyOf") if kind != {"type": "null"})
            field.update(kind)
    strict: Schema = _without(BOUNDS, found)
    return {**strict, "required": list(fields)}


def _without(keys: tuple[str, ...], node: Any) -> Any:
    if isinstance(node, list):
        return [_without(keys, item) for item in node]
    if not isinstance(node, dict):
        return node
    return {key: _without(keys, value) for key, value in node.items() if key not in keys}


def _receipt() -> Schema:
    """The receipt, whose facts are those of its gate."""
    found = _made(Receipt)
    for name, gate in GATES.items():
        facts = _made(gate.facts)
        found["$defs"].update(facts.pop("$defs", {}))
        found["$defs"][f"facts.{name}"] = facts
    found["allOf"] = [
        {
            "if": {"properties": {"gate": {"const": name}}},
            "then": {"properties": {"facts": {"anyOf": [{"$ref": f"#/$defs/facts.{name}"}, {"type": "null"}]}}},
        }
        for name in GATES
    ]
    return found


def _test_file() -> Schema:
    """The test file, whose facts are those of any gate, with `$use` where a mapping or list may stand."""
    found = _made(TestFile)
    variables: Schema = {}
    for gate in GATES.values():
        facts = _with_fixtures(_made(gate.facts))
        variables.update(facts["properties"])
        found["$defs"].update(facts["$defs"])
    found["$defs"]["Use"] = {
        "type": "object",
        "title": "Use",
        "description": "What tests/NAME.yaml states; keys beside it override.",
        "description_zh": "tests/NAME.yaml 的内容；并列的键覆盖其中的同名键。",
        "properties": {"$use": {"type": "string"}},
        "required": ["$use"],
    }
    described = found["properties"]["facts"]
    described.update(properties={**variables, "$use": {"type": "string"}}, additionalProperties=False)
    return found


def _with_fixtures(node: Any) -> Any:
    """A schema of facts that also takes `$use`, and durations as authors write them."""
    if isinstance(node, list):
        return [_with_fixtures(item) for item in node]
    if not isinstance(node, dict):
        return node
    found = {key: _with_fixtures(value) for key, value in node.items()}
    if found.get("pattern") == DURATION:
        found["pattern"] = AUTHORS_DURATION
    if found.get("type") == "array":
        return {"anyOf": [found, {"$ref": "#/$defs/Use"}]}
    if found.get("type") == "object" and "properties" in found:
        found.pop("required", None)
        found["properties"] = {**found["properties"], "$use": {"type": "string"}}
    return found


_MAKERS: dict[str, Callable[[], Schema]] = {
    **{f"facts.{name}": _of(gate.facts) for name, gate in GATES.items()},
    "plan": _of(ExternalQueryPlan),
    "plan.strict": _strict_plan,
    "evidence_bundle": _of(ExternalEvidenceBundle),
    "decision": _of(DecisionRecord),
    "receipt": _receipt,
    "reply": _of(Reply),
    "grounding": _of(Grounding),
    "readings": _of(Readings),
    "contract": _of(ContractFile),
    "test": _test_file,
    "waivers": _of(WaiversFile),
    "manifest": _of(ManifestFile),
    "params": _of(ParamsFile),
}
SCHEMAS = tuple(_MAKERS)
"""The names of all schemas."""
