"""The OpenAPI document: its examples are requests that do what they show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from starlette.testclient import TestClient
from tests.adapters.http.small_service import Small, started

from groundrule_adapters.http.service import create_app
from groundrule_adapters.service_settings import ServiceSettings
from groundrule_adapters.settings import Settings


@pytest.fixture
def shipped(tmp_path: Path) -> Iterator[TestClient]:
    """A service over the shipped rules, with small parts behind `ask`."""
    given = Settings(home=tmp_path / "home", env={}, cwd=tmp_path, service=ServiceSettings(reload=0))
    with started(create_app(given, opener=Small().open)) as client:
        yield client


def against(document: dict[str, Any], schema: dict[str, Any], value: Any) -> None:
    """Raises if a value is not of a schema of the document."""
    jsonschema.Draft202012Validator({**schema, "components": document["components"]}).validate(value)


def test_every_example_is_a_request_of_its_schema_and_is_answered_as_the_document_says(shipped: TestClient) -> None:
    """Each path that takes a body has some; their facts are sound, and the first evidence is admitted."""
    document = shipped.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    posts = {path: item["post"] for path, item in document["paths"].items() if "post" in item}
    assert set(posts) == {"/v1/evaluate", "/v1/explain", "/v1/ask"}
    for path, post in posts.items():
        body = post["requestBody"]["content"]["application/json"]
        assert body["examples"]
        for name, example in body["examples"].items():
            against(document, body["schema"], example["value"])
            got = shipped.post(path, json=example["value"])
            assert got.status_code == 200, (path, name, got.text)
            against(document, post["responses"]["200"]["content"]["application/json"]["schema"], got.json())
            for decision in got.json().get("decisions", [got.json()]):
                assert "ENGINE-FACTS" not in str(decision.get("violations")), (path, name)
    one = posts["/v1/evaluate"]["requestBody"]["content"]["application/json"]["examples"]["one"]["value"]
    decision = shipped.post("/v1/evaluate", json=one).json()
    assert (decision["outcome"], decision["admitted"]) == ("allow", ["forecast"])
