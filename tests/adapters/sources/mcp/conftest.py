"""The event loop of these tests: one for each file, so that a file can share its server processes."""

from collections.abc import Iterator

import pytest
from tests.adapters.sources.mcp.upstream import Upstream, running


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def upstream(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Upstream]:
    """What real servers ask instead of the web."""
    with running(tmp_path_factory.mktemp("upstream")) as found:
        yield found
