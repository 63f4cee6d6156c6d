"""JSON Schemas (2020-12) of everything that crosses a border, made from the records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from .decision import DecisionRecord, Receipt
from .evidence import ExternalEvidenceBundle
from .gates import GATES
from .plan import ExternalQueryPlan
from .reply import Reply
from .rulefiles import ContractFile, ManifestFile, TestFile, WaiversFile

DIALECT = "https://json-schema.org/draft/2020-12/schema"
VERSION = 1


def _of(model: type[BaseModel]) -> Callable[[], dict[str, Any]]:
    return lambda: model.model_json_schema(by_alias=True, mode="validation")


def _strict_plan() -> dict[str, Any]:
    """What a planner must hand back: every field of the specification, none left out, the window excepted."""
    found = ExternalQueryPlan.model_json_schema(by_alias=True, mode="validation")
    found["properties"].pop("window")
    found.pop("$defs", None)
    for field in found["properties"].values():
        field.pop("default", None)
    found["required"] = list(found["properties"])
    return found


_MAKERS: dict[str, Callable[[], dict[str, Any]]] = {
    **{f"facts.{name}": _of(gate.facts) for name, gate in GATES.items()},
    "plan": _of(ExternalQueryPlan),
    "plan.strict": _strict_plan,
    "evidence_bundle": _of(ExternalEvidenceBundle),
    "decision": _of(DecisionRecord),
    "receipt": _of(Receipt),
    "reply": _of(Reply),
    "contract": _of(ContractFile),
    "manifest": _of(ManifestFile),
    "test": _of(TestFile),
    "waivers": _of(WaiversFile),
}
SCHEMAS = tuple(_MAKERS)
"""The names of all schemas."""


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a name in SCHEMAS. Raises KeyError for another."""
    found = _MAKERS[name]()
    title = found.pop("title", name)
    return {"$schema": DIALECT, "$id": f"groundrule:{name}.v{VERSION}", "title": title, **found}
