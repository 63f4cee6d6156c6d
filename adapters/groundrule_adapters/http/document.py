"""The OpenAPI document: what FastAPI knows of its routes, and the raw routes beside it, with examples."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from groundrule.facts.reply import Reply

from .guard import PUBLIC, ROLES
from .problems import KINDS, MEDIA_TYPE
from .shapes import Asked, AskRequest, Batch, Decisions, Explained, Judged, ProblemDetails

DESCRIPTION = """\
What is not decided to be true does not pass. A decision that denies is an answer and has status 200; a problem
(`application/problem+json`) says that there was none, and stands for a deny."""
_REF = "#/components/schemas/{model}"
_FACTS = {
    "plan": {
        "query_kind": "weather",
        "answer_contract": "direct_fact",
        "freshness_required": True,
        "requires_multi_source": False,
    },
    "run": {"execution_id": "run-7", "adapters_left": []},
    "evidence": [
        {
            "id": "forecast",
            "execution_id": "run-7",
            "source_type": "url",
            "generated": False,
            "title": "Guangzhou forecast",
            "target_url": "https://weather.example/guangzhou",
            "snippet": "Cloudy, 16 to 24°C.",
            "retrieved_at": "2026-04-15T07:59:58+08:00",
            "dated_at": "2026-04-15T07:20:00+08:00",
            "dated_origin": "structured",
            "dated_resolution": "1s",
        }
    ],
}
_ONE = {"gate": "evidence", "now": "2026-04-15T08:00:00+08:00", "facts": _FACTS}
_QUESTION = {
    "question": {"text": "Will it rain in Guangzhou in the next 5 days?"},
    "context": {"zone": "Asia/Shanghai", "channel": "app"},
}
_QUESTION_ZH = {"question": {"text": "帮我看看未来 5 天的广州天气如何"}, "context": {"zone": "Asia/Shanghai"}}
_PROBLEMS = {
    "post": (400, 401, 403, 408, 413, 415, 422, 429, 500, 503, 504),
    "get": (401, 403, 404, 422, 429, 500, 503),
}
_HEAD = (405, 421, 431)


def document(app: FastAPI, *, keyed: bool) -> dict[str, Any]:
    """The whole document; made once. keyed: whether calls need a key."""
    if app.openapi_schema is None:
        found = get_openapi(
            title=app.title,
            version=app.version,
            openapi_version="3.1.0",
            summary=app.summary,
            description=app.description,
            routes=app.routes,
        )
        found["paths"] |= _raw_paths()
        components = found.setdefault("components", {})
        components["schemas"] = {**components.get("schemas", {}), **_schemas()}
        for name in ("HTTPValidationError", "ValidationError"):
            components["schemas"].pop(name, None)
        if keyed:
            components["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer", "description": "An API key."}}
        for path, item in found["paths"].items():
            for method, operation in item.items():
                _complete(path, method, operation, keyed)
        for path, method, pointer in (("/v1/ask", "post", "/execution_id"), ("/v1/runs", "get", "/runs/0/id")):
            link = {"operationId": "run", "parameters": {"run_id": f"$response.body#{pointer}"}}
            found["paths"][path][method]["responses"]["200"]["links"] = {"receipt": link}
        app.openapi_schema = found
    return app.openapi_schema


def _schemas() -> dict[str, Any]:
    models: list[type[BaseModel]] = [Asked, Batch, AskRequest, ProblemDetails]
    answers: list[type[BaseModel]] = [Judged, Decisions, Explained, Reply]
    _, read = models_json_schema([(model, "validation") for model in models], ref_template=_REF)
    _, written = models_json_schema([(model, "validation") for model in answers], ref_template=_REF)
    return {**read["$defs"], **written["$defs"]}


def _complete(path: str, method: str, operation: dict[str, Any], keyed: bool) -> None:
    """Adds what every operation has: its problems, and the role that it needs."""
    if path in PUBLIC:
        statuses: tuple[int, ...] = (500,)
    else:
        role = ROLES.get(path, "read-runs" if path.startswith("/v1/runs") else None)
        if keyed:
            operation["security"] = [{"key": []}]
        operation["x-role"] = role or "any"
        statuses = _PROBLEMS[method]
    responses = operation["responses"]
    for status in (*statuses, *_HEAD, *((406,) if path == "/v1/ask" else ())):
        if str(status) not in responses or status == 422:
            responses[str(status)] = _problem(status)


def _problem(status: int) -> dict[str, Any]:
    kinds = [kind for kind in KINDS.values() if kind.status == status]
    return {
        "description": "; ".join(f"{kind.code}: {kind.title}" for kind in kinds),
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}},
    }


def _ref(name: str) -> dict[str, str]:
    return {"$ref": _REF.format(model=name)}


def _post(id: str, summary: str, body: dict[str, Any], examples: dict[str, Any], answers: dict[str, Any]) -> Any:
    shown = {name: {"value": value} for name, value in examples.items()}
    return {
        "post": {
            "operationId": id,
            "summary": summary,
            "tags": ["ask" if id == "ask" else "evaluate"],
            "requestBody": {"required": True, "content": {"application/json": {"schema": body, "examples": shown}}},
            "responses": {"200": {"description": "The answer.", "content": answers}},
        }
    }


def _raw_paths() -> dict[str, Any]:
    many = {"anyOf": [_ref("Asked"), _ref("Batch")]}
    examples = {"one": _ONE, "batch": {"requests": [_ONE, {"gate": "plan", "facts": {"plan": _FACTS["plan"]}}]}}
    judged = {"schema": {"anyOf": [_ref("Judged"), _ref("Decisions")]}}
    explained = {
        "anyOf": [
            _ref("Explained"),
            {"type": "object", "properties": {"decisions": {"type": "array", "items": _ref("Explained")}}},
        ]
    }
    events = {"schema": {"type": "string", "description": "Events `progress`, then one `reply` or `problem`."}}
    return {
        "/v1/evaluate": _post(
            "evaluate", "Ask a gate about facts, or many gates at once.", many, examples, {"application/json": judged}
        ),
        "/v1/explain": _post(
            "explain", "The same, with the trace of every rule and sub-expression.", many, examples,
            {"application/json": {"schema": explained}},
        ),
        "/v1/ask": _post(
            "ask", "Plan a question, fetch evidence, judge it, and answer with sources or refuse.",
            _ref("AskRequest"), {"english": _QUESTION, "chinese": _QUESTION_ZH},
            {"application/json": {"schema": _ref("Reply")}, "text/event-stream": events},
        ),
    }  # fmt: skip
