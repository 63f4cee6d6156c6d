"""Requests made from the OpenAPI document: each alone, and in the order in which one needs what another made."""

from __future__ import annotations

import atexit
import tempfile
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import HealthCheck, settings
from tests.adapters.http.conftest import write_rules
from tests.adapters.http.small_service import Small

from groundrule_adapters.http.keys import digest_of
from groundrule_adapters.http.service import create_app
from groundrule_adapters.service_settings import KeySettings, ServiceSettings
from groundrule_adapters.settings import Settings

_FOLDER = tempfile.TemporaryDirectory(prefix="groundrule-schemathesis-", ignore_cleanup_errors=True)
atexit.register(_FOLDER.cleanup)
_ROOT = Path(_FOLDER.name)
_KEY = "grk_made-up-for-tests"
_SERVICE = ServiceSettings(reload=0, keys=(KeySettings(name="all", sha256=digest_of(_KEY), roles=("admin",)),))
_SETTINGS = Settings(rules=write_rules(_ROOT / "rules"), home=_ROOT / "home", env={}, cwd=_ROOT, service=_SERVICE)
APP = create_app(_SETTINGS, opener=Small().open)
SCHEMA = schemathesis.openapi.from_asgi("/openapi.json", APP)


@SCHEMA.auth()
class _Key:
    """Sends the key, except where a check leaves it out on purpose."""

    def get(self, case: Any, context: Any) -> str:
        return _KEY

    def set(self, case: Any, data: str, context: Any) -> None:
        case.headers["Authorization"] = f"Bearer {data}"


OFTEN = settings(
    max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None
)


@SCHEMA.parametrize()
@OFTEN
def test_every_operation_answers_as_its_document_says(case: Any) -> None:
    """Statuses, media types, headers and bodies, for valid and for invalid requests."""
    case.call_and_validate()


TestStateful = SCHEMA.as_state_machine().TestCase
TestStateful.settings = settings(
    max_examples=15, stateful_step_count=6, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck),
    database=None,
)  # fmt: skip
