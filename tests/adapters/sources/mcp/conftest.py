"""The event loop of these tests: one for each file, so that a file can share its server processes."""

import pytest


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"
