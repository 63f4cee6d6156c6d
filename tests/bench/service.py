"""`make bench-service`: the HTTP service beside an empty FastAPI endpoint, and `ask` over HTTP beside `ask` in process.

Both endpoints are served by uvicorn with one worker, the same loop and parser, and get the same body in turn, block
after block; the median ratio of the blocks counts, so that what else the machine does falls on both.
"""

from __future__ import annotations

import asyncio
import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from groundrule import Context, Question, ask
from groundrule.gateway.ports import Errand, Fetched, Source
from groundrule_adapters import wiring
from groundrule_adapters.service_settings import ServiceSettings
from groundrule_adapters.settings import Settings

from .decision import NOW, as_text, contract, document

CONNECTIONS = 8
ZONE, QUESTION = "Asia/Shanghai", "帮我看看未来 5 天的广州天气如何"
BLOCKS, BLOCK_SECONDS, ASKS = 9, 1.5, 200


def bodies() -> dict[str, bytes]:
    """The decision of `make bench` at 10 items and 6 rules, with 3 findings; and long after, when every item is too old."""
    facts = json.loads(as_text(document(10)))
    return {
        "3 findings": json.dumps({"gate": "evidence", "now": NOW.isoformat(), "facts": facts}).encode(),
        "12 findings": json.dumps({"gate": "evidence", "facts": facts}).encode(),
    }


def empty_app() -> Any:
    """An endpoint that parses the same body and says nothing."""
    from fastapi import FastAPI
    from pydantic import BaseModel

    class Asked(BaseModel):
        gate: str
        facts: dict[str, Any]
        now: datetime | None = None

    app = FastAPI()

    async def empty(asked: Asked) -> dict[str, bool]:
        return {"ok": True}

    empty.__annotations__ = {"asked": Asked, "return": dict[str, bool]}
    app.post("/v1/evaluate")(empty)
    return app


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def request(path: str, content: bytes) -> bytes:
    """The bytes of a request."""
    head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n"
    return head.encode() + content


async def sent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, asked: bytes) -> bytes:
    """The body of the answer to a request."""
    writer.write(asked)
    answer = await reader.readuntil(b"\r\n\r\n")
    if not answer.startswith(b"HTTP/1.1 200"):
        raise AssertionError(answer)
    length = int(answer.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    return await reader.readexactly(length)


async def send(port: int, path: str, content: bytes, end: float, count: list[int]) -> None:
    """One connection that sends one request after the other until a time."""
    asked = request(path, content)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while time.monotonic() < end:
        await sent(reader, writer, asked)
        count[0] += 1
    writer.close()


async def rate(port: int, body: bytes) -> float:
    """Requests a second over several connections."""
    count = [0]
    start = time.monotonic()
    await asyncio.gather(*(send(port, "/v1/evaluate", body, start + BLOCK_SECONDS, count) for _ in range(CONNECTIONS)))
    return count[0] / (time.monotonic() - start)


async def rates(ours: int, empty: int, body: bytes) -> tuple[float, float, float]:
    """Median requests a second of ours and of the empty endpoint, and the median of their ratios."""
    pairs = [(await rate(ours, body), await rate(empty, body)) for _ in range(BLOCKS)]
    return (
        statistics.median(pair[0] for pair in pairs),
        statistics.median(pair[1] for pair in pairs),
        statistics.median(pair[0] / pair[1] for pair in pairs),
    )


def start(command: list[str], folder: Path, port: int) -> subprocess.Popen[bytes]:
    """A server that listens."""
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1) as probe:
                probe.sendall(b"GET /live HTTP/1.1\r\nhost: localhost\r\n\r\n")
                if probe.recv(9).startswith(b"HTTP"):
                    return process
        except OSError:
            time.sleep(0.1)
    process.kill()
    raise AssertionError((folder / "log").read_text())


@dataclass
class Repeated:
    """A source that is asked once, and then gives the same again at once, as if it were fetched now."""

    inner: Source
    found: Fetched | None = None

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def sample_data(self) -> bool:
        return self.inner.sample_data

    async def fetch(self, errand: Errand) -> Fetched:
        if self.found is None:
            self.found = await self.inner.fetch(errand)
        stated = {"execution_id": errand.execution_id, "retrieved_at": errand.now}
        return replace(self.found, items=tuple(item.model_copy(update=stated) for item in self.found.items))


@asynccontextmanager
async def repeated(settings: Settings) -> AsyncIterator[wiring.Gateway]:
    """The gateway of the settings, whose sources are asked once."""
    async with wiring.open_gateway(settings) as gateway:
        sources = {name: Repeated(source) for name, source in gateway.parts.sources.items()}
        yield replace(gateway, parts=replace(gateway.parts, sources=sources))


async def asks(folder: Path) -> dict[str, float]:
    """Median milliseconds of a question over the shipped rules without network and model: in process, through the
    service on a connection of this machine, and the difference."""
    import uvicorn

    from groundrule_adapters.http.service import create_app

    given = Settings(home=folder / "home", zone=ZONE, env={}, cwd=folder, service=ServiceSettings(reload=0))
    app = create_app(given, opener=repeated)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", access_log=False))
    serving = asyncio.ensure_future(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port: int = server.servers[0].sockets[0].getsockname()[1]
    content = json.dumps({"question": QUESTION, "context": {"zone": ZONE}}).encode()
    question, context = Question(text=QUESTION), Context(zone=ZONE)
    parts = app.state.service.tenants["default"].in_force.parts
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    here: list[float] = []
    there: list[float] = []
    for _ in range(ASKS):
        begun = time.perf_counter()
        reply = json.loads(await sent(reader, writer, request("/v1/ask", content)))
        there.append(time.perf_counter() - begun)
        assert reply["status"] == "answered"
        begun = time.perf_counter()
        await ask(question, context, parts)
        here.append(time.perf_counter() - begun)
    writer.close()
    server.should_exit = True
    await serving
    return {
        "in process": statistics.median(here) * 1e3,
        "over HTTP": statistics.median(there) * 1e3,
        "overhead": statistics.median(a - b for a, b in zip(there, here, strict=True)) * 1e3,
    }


def main() -> None:
    """Measures, prints, and writes `build/bench-service.json`."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "rules" / "contracts").mkdir(parents=True)
        (folder / "rules" / "contracts" / "bench.yaml").write_text(contract(6), encoding="utf-8")
        (folder / "groundrule.toml").write_text('rules = "rules"\nhome = "home"\n', encoding="utf-8")
        ours, empty = free_port(), free_port()
        groundrule = str(Path(sys.executable).with_name("groundrule"))
        settings = str(folder / "groundrule.toml")
        processes = [
            start([groundrule, "serve", "--port", str(ours), "--settings", settings], folder, ours),
            start([sys.executable, "-c", _EMPTY.format(root=str(Path.cwd()), port=empty)], folder, empty),
        ]
        try:
            evaluated = {name: asyncio.run(rates(ours, empty, body)) for name, body in bodies().items()}
        finally:
            for process in processes:
                process.terminate()
                process.wait(30)
    with tempfile.TemporaryDirectory() as place:
        asked = asyncio.run(asks(Path(place)))
    for name, (mine, theirs, ratio) in evaluated.items():
        print(f"/v1/evaluate, {name}: {mine:.0f}/s, empty endpoint {theirs:.0f}/s: {ratio:.2f} x (to reach: 0.5)")
    print(", ".join(f"ask {name}: {value:.2f} ms" for name, value in asked.items()), "(overhead to reach: 5)")
    target = Path("build/bench-service.json")
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps({"evaluate": evaluated, "ask": asked}, indent=1) + "\n")


_EMPTY = """
import sys
sys.path.insert(0, {root!r})
import uvicorn
from tests.bench.service import empty_app
uvicorn.run(empty_app(), port={port}, log_level="warning", access_log=False)
"""

if __name__ == "__main__":
    main()
