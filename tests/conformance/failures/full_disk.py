"""A process that may write no file beyond some bytes asks one question: `python -m … STATE BYTES`.

It prints the reply and what is kept. The limit is the system's (RLIMIT_FSIZE), so the store meets it as it meets a full
disk: in the middle of a write.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
from pathlib import Path

from tests.conformance.failures.parts import CONTEXT, QUESTION, SHIPPED, failing_parts

from groundrule.gateway.pipeline import ask
from groundrule_adapters.store.sqlite import SqliteStore


async def _main(state: Path, limit: int) -> None:
    store = SqliteStore(state)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    reply = await ask(QUESTION, CONTEXT, failing_parts(SHIPPED, store, (), f"run-{limit}"))
    print(json.dumps({"status": reply.status, "kind": reply.kind, "text": reply.text}))


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1]), int(sys.argv[2])))
