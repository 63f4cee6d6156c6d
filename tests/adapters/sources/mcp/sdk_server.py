"""An MCP server of the SDK that does wrong on demand: `python sdk_server.py PORT MODE`.

MODE: `open`; `bearer` (wants the token of the tests); `oauth` (the same, and it issues it for client credentials, being
its own authorization server); `json` (answers as JSON instead of events); `stdio` (no port, no HTTP). The text of a
query to its tool `search` is what it does then. Under stdio it writes what it sees into the file $SEEN as well.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from typing import Any

import anyio
import uvicorn
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ToolAnnotations
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

PORT, MODE = int(sys.argv[1]), sys.argv[2]
HERE = f"http://127.0.0.1:{PORT}"
TOKEN, CLIENT, SECRET = "sesame-token-1234", "groundrule", "sesame-secret-1234"
SEEN = {"started": 0, "cancelled": 0, "tokens": 0, "process": os.getpid()}


def note(**more: int) -> None:
    """Counts what was seen, for whoever asks or reads the file."""
    for name, number in more.items():
        SEEN[name] += number
    if "SEEN" in os.environ:
        with open(os.environ["SEEN"], "w", encoding="utf-8") as file:
            json.dump(SEEN, file)


class Record(BaseModel):
    url: str
    title: str
    text: str


class Found(BaseModel):
    records: list[Record]
    count: int


class OnlyOurs:
    """Knows one token."""

    async def verify_token(self, token: str) -> AccessToken | None:
        if token != TOKEN:
            return None
        return AccessToken(token=token, client_id=CLIENT, scopes=["search"], resource=f"{HERE}/mcp")


guarded: dict[str, Any] = {}
if MODE in ("bearer", "oauth"):
    settings = AuthSettings.model_validate(
        {"issuer_url": HERE, "resource_server_url": f"{HERE}/mcp", "required_scopes": ["search"]}
    )
    guarded = {"token_verifier": OnlyOurs(), "auth": settings}
app = MCPServer("faulty-http", version="1", log_level="ERROR", **guarded)


def says(text: str) -> Found:
    return Found(records=[Record(url="https://a.example/1", title="Fine", text=text)], count=1)


@app.tool(annotations=ToolAnnotations(read_only_hint=True))
async def search(query: str, ctx: Context) -> Found:
    """Does what the query says."""
    if query == "slow":
        await ctx.report_progress(2, 5, "looking")
        note(started=1)
        try:
            await anyio.sleep(60)
        except anyio.get_cancelled_exc_class():
            note(cancelled=1)
            raise
    if query == "progress":
        for step in range(3):
            await ctx.report_progress(step, 3, "looking")
    if query == "huge":
        return says("x" * (5 << 20))
    if query == "crash":
        os._exit(3)
    if query == "change":
        app.add_tool(more, name="more", annotations=ToolAnnotations(read_only_hint=True))
        await ctx.session.send_tool_list_changed()
    if query == "echo":
        return says(f"header {(ctx.headers or {}).get('authorization')}")
    return says(json.dumps(SEEN | {"session": (ctx.headers or {}).get("mcp-session-id")}))


async def more(query: str) -> Found:
    """A tool that comes later."""
    return says("from the tool that came later")


@app.custom_route("/.well-known/oauth-authorization-server", methods=["GET"])
async def metadata(request: Request) -> Response:
    return JSONResponse(
        {
            "issuer": HERE,
            "token_endpoint": f"{HERE}/token",
            "authorization_endpoint": f"{HERE}/authorize",
            "response_types_supported": ["code"],
            "grant_types_supported": ["client_credentials"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        }
    )


@app.custom_route("/token", methods=["POST"])
async def token(request: Request) -> Response:
    note(tokens=1)
    expected = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
    if request.headers.get("authorization") != f"Basic {expected}":
        return JSONResponse({"error": "invalid_client", "error_description": "not this client"}, 401)
    return JSONResponse({"access_token": TOKEN, "token_type": "Bearer", "expires_in": 3600, "scope": "search"})


note()
if MODE == "stdio":
    app.run("stdio")
    sys.exit()
uvicorn.run(app.streamable_http_app(json_response=MODE == "json"), host="127.0.0.1", port=PORT, log_level="error")
