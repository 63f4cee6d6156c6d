"""`make soak`: a service under load whose workers are killed in the middle. Every reply that arrived has its receipt."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from groundrule_adapters.store.sqlite import SqliteStore
from tests.adapters.http.processes import Served, served, wait_for

QUESTIONS = (
    "帮我看看未来 5 天的广州天气如何",
    "Will it rain in Guangzhou in the next 5 days?",
    "北辰计划什么时候上线",
    "未来 5 天天气如何",
)
CLIENTS = 6


@dataclass
class Soaked:
    """What happened. replies: text by execution. broken: requests without a reply. lost: replies without receipt."""

    replies: dict[str, str] = field(default_factory=dict)
    broken: int = 0
    killed: int = 0
    after: int = 0
    lost: list[str] = field(default_factory=list)


def soak(folder: Path, seconds: float) -> Soaked:
    """Load for a while, every worker killed once in the middle, then each reply compared with its receipt."""
    found, lock, stop = Soaked(), threading.Lock(), threading.Event()
    with served(folder, "[service]\nworkers = 2\n") as service:
        threads = [threading.Thread(target=_ask, args=(service, n, found, lock, stop)) for n in range(CLIENTS)]
        for thread in threads:
            thread.start()
        wait_for(lambda: len(found.replies) >= CLIENTS)
        time.sleep(seconds / 2)
        for pid in {int(pid) for pid in re.findall(r"Started server process \[(\d+)\]", service.log)}:
            os.kill(pid, signal.SIGKILL)
            found.killed += 1
        before = len(found.replies)
        time.sleep(seconds / 2)
        wait_for(lambda: len(found.replies) > before)
        stop.set()
        for thread in threads:
            thread.join()
        found.after = len(found.replies) - before
    asyncio.run(_compare(folder / "home", found))
    return found


def _ask(service: Served, number: int, found: Soaked, lock: threading.Lock, stop: threading.Event) -> None:
    while not stop.is_set():
        number += 1
        body = {"question": QUESTIONS[number % len(QUESTIONS)], "context": {"zone": "Asia/Shanghai"}}
        try:
            got = httpx2.post(f"{service.url}/v1/ask", json=body, timeout=60, trust_env=False)
            reply = got.json() if got.status_code == 200 else None
        except (httpx2.HTTPError, ValueError):
            reply = None
        with lock:
            if reply is None:
                found.broken += 1
            else:
                found.replies[reply["execution_id"]] = reply["text"]
        if reply is None:
            time.sleep(0.05)


async def _compare(home: Path, found: Soaked) -> None:
    store = SqliteStore(home)
    for execution, text in found.replies.items():
        run = await store.get_run(execution)
        if run is None or run["reply"]["text"] != text:
            found.lost.append(execution)


def main() -> None:
    """Soaks for 60 seconds, or as many as are given; ends with 1 if a receipt is lost."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    with tempfile.TemporaryDirectory(prefix="groundrule-soak-") as folder:
        found = soak(Path(folder), seconds)
    print(
        f"{seconds:.0f} s, {CLIENTS} clients: {len(found.replies)} replies, {found.after} of them after "
        f"{found.killed} workers were killed; {found.broken} requests without a reply; {len(found.lost)} receipts lost"
    )
    sys.exit(1 if found.lost else 0)


if __name__ == "__main__":
    main()
