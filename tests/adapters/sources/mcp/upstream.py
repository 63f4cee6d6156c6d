"""What real MCP servers ask instead of the web: a proxy on loopback that ends TLS and answers for every host itself.

A server under test runs unchanged. Its environment names the proxy and an authority made for the test, so it finds its
upstream where it always is, and nothing leaves the machine: a host without an answer gets 404.
"""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import trustme


@dataclass(frozen=True)
class Request:
    """What a server asked of its upstream."""

    method: str
    host: str
    path: str
    query: str
    body: bytes


@dataclass(frozen=True)
class Answer:
    """What the upstream says."""

    body: bytes | str | dict[str, Any] | list[Any] = b""
    status: int = 200
    kind: str = "application/json"


@dataclass
class Upstream:
    """The running proxy. answer: what to say to the next requests; asked: those that came."""

    proxy: str
    authority: Path
    site: str
    asked: list[Request] = field(default_factory=list)
    answer: Callable[[Request], Answer] = lambda request: Answer(status=404)

    @property
    def env(self) -> dict[str, str]:
        """Variables under which Node and Python programs use the proxy and believe its authority."""
        proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "DDGS_PROXY"), self.proxy)
        authority = str(self.authority)
        trust = {"NODE_EXTRA_CA_CERTS": authority, "SSL_CERT_FILE": authority, "DDG_CA_CERTS": authority}
        return proxies | trust | {"NODE_USE_ENV_PROXY": "1", "NO_PROXY": "", "no_proxy": ""}


@contextmanager
def running(folder: Path) -> Iterator[Upstream]:
    """An upstream for as long as the block runs. folder: where its authority is written."""
    authority = trustme.CA()
    path = folder / "authority.pem"
    authority.cert_pem.write_to_path(path)
    contexts: dict[str, ssl.SSLContext] = {}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        host = ""

        def do_CONNECT(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.host = self.path.rpartition(":")[0]
            if self.host not in contexts:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                authority.issue_cert(self.host).configure_cert(context)
                contexts[self.host] = context
            self.connection = self.request = contexts[self.host].wrap_socket(self.connection, server_side=True)
            self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)
            self.close_connection = False

        def _serve(self) -> None:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            host = self.host or parts.hostname or ""
            request = Request(self.command, host, parts.path, parts.query, body)
            upstream.asked.append(request)
            answer = upstream.answer(request)
            content = answer.body
            if isinstance(content, (dict, list)):
                content = json.dumps(content)
            content = content.encode() if isinstance(content, str) else content
            self.send_response(answer.status)
            self.send_header("content-type", answer.kind)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_HEAD = _serve

        def log_message(self, format: str, *args: object) -> None:
            """Tests are quiet."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """A client that goes away in the middle is none of our business."""

    server = Server(("127.0.0.1", 0), Handler)
    address = f"http://127.0.0.1:{server.server_port}"
    upstream = Upstream(address, path, address)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield upstream
    finally:
        server.shutdown()
        server.server_close()
