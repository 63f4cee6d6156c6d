"""`groundrule serve`: uvicorn with our limits on heads, and what must hold before anything is served."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import socket
import tempfile
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import uvicorn
from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.supervisors import Multiprocess

from ..files import open_rules
from ..settings import Settings, SettingsError, zone_of
from . import log
from .guard import MAX_HEAD
from .problems import LARGE_HEAD
from .tenants import tenants_of

if TYPE_CHECKING:
    from fastapi import FastAPI


_BACKLOG = 2_048
"""Connections that wait to be taken, as uvicorn has it."""


class Protocol(HttpToolsProtocol):
    """HTTP of uvicorn, for which a head that is too long or too slow would have no end.

    A request to change to another protocol is ignored, as RFC 9110, 7.8 allows, and its body is read: clients that
    would like HTTP/2 send one with every first request. The parser takes what follows such a head for the other
    protocol, so it gets the head once more without it.
    """

    head_timeout = 10.0
    _head: int | None = 0
    _begun = False
    _late: asyncio.TimerHandle | None = None
    _rest: bytes | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._have_head()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head, self._begun = 0, True

    def on_headers_complete(self) -> None:
        self._have_head()
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        self._begun = False
        self._rest = data
        while self._rest is not None:
            fed, self._rest = self._rest, None
            self._feed(fed)
        if self._head is not None:  # the rest of a head is awaited; most arrive at once
            self._await_head()
            if not self._begun:  # what it begins in may be the body of the request before
                self._head += len(data)
            if self._head > MAX_HEAD and not self.transport.is_closing():
                text = LARGE_HEAD.title.encode()
                length = str(len(text)).encode()
                self.transport.write(
                    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain\r\nconnection: close\r\n"
                    b"content-length: " + length + b"\r\n\r\n" + text
                )
                self.transport.close()

    def _feed(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        try:
            self.parser.feed_data(data)
        except HttpParserUpgrade as upgrade:
            if self._should_upgrade():
                self._rest = self._head_again() + data[upgrade.args[0] :]
        except HttpParserError:
            self.send_400_response("Invalid HTTP request received.")

    def _should_upgrade(self) -> bool:
        """Whether a head that the parser takes for the last one of HTTP is to be left until it comes again."""
        return bool(self.parser.get_method() != b"CONNECT")

    def _head_again(self) -> bytes:
        version, method = self.parser.get_http_version().encode(), self.parser.get_method()
        self.parser = HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn has it
        lines = [name + b": " + value for name, value in self.headers if name != b"upgrade"]
        return b"\r\n".join([method + b" " + self.url + b" HTTP/" + version, *lines, b"", b""])

    def _await_head(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(self.head_timeout, self.transport.close)

    def _have_head(self) -> None:
        self._head = None
        if self._late is not None:
            self._late.cancel()
            self._late = None


def check_exposure(settings: Settings) -> None:
    """Raises SettingsError if a service without keys would listen to other machines."""
    host = settings.service.host
    if settings.service.keys or host == "localhost":
        return
    try:
        loopback = ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        loopback = False
    if not loopback:
        help = "add [[service.keys]], as `groundrule keys new` prints them, or let it listen on 127.0.0.1"
        raise SettingsError("groundrule.toml", "service.host", f"without keys nothing but loopback is served, not `{host}`", help)


def check_tenants(settings: Settings) -> None:
    """Raises RuleFileError or SettingsError if a tenant could not work, before anything is started."""
    for own in tenants_of(settings).values():
        open_rules(own.rules)


def check_traces(settings: Settings) -> None:
    """Raises SettingsError if spans are wanted that nothing here could send."""
    if settings.service.traces == "otlp":
        try:
            import_module("opentelemetry.sdk.trace")
            import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
        except ImportError:
            help = "pip install 'groundrule[otel]', or leave it off"
            raise SettingsError("groundrule.toml", "service.traces", "OpenTelemetry is not installed", help) from None


def serve(settings: Settings, said: Callable[[str], None]) -> None:
    """Serves until it is told to stop. said: told in one sentence what is served, once the socket is bound.

    Raises SettingsError, also if the address cannot be used, or RuleFileError.
    """
    check_exposure(settings)
    check_tenants(settings)
    check_traces(settings)
    zone_of(settings)
    service = settings.service
    config = uvicorn.Config(
        partial(_app, settings),
        factory=True,
        host=service.host,
        port=service.port,
        workers=service.workers,
        http=partial(_protocol, service.head_timeout),  # type: ignore[arg-type]
        ws="none",
        lifespan="on",
        log_config=log.config(),
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=service.connections,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=service.stop_timeout,
    )
    listening = _bound(service.host, service.port)
    port = listening.getsockname()[1]
    keys = f"{len(service.keys)} keys" if service.keys else "no keys, so on loopback only"
    said(f"groundrule serves http://{service.host}:{port} with {keys}")
    with tempfile.TemporaryDirectory(prefix="groundrule-metrics-") as folder:
        if service.workers > 1:
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
            Multiprocess(config, sockets=[listening]).run()
        else:
            uvicorn.Server(config).run(sockets=[listening])


def _bound(host: str, port: int) -> socket.socket:
    """A socket at the address, for all workers. The one that uvicorn would bind ends the process if it cannot."""
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen(_BACKLOG)  # so that what is sent from the first sentence on waits, and is not refused
    except OSError as why:
        bound.close()
        said = f"`{host}` port {port} cannot be listened on: {why.strerror or why}"
        raise SettingsError("groundrule.toml", "service.port", said, "name another, also with --host and --port") from why
    bound.set_inheritable(True)
    return bound


def _protocol(head_timeout: float, *given: Any, **named: Any) -> Protocol:
    made = Protocol(*given, **named)
    made.head_timeout = head_timeout
    return made


def _app(settings: Settings) -> FastAPI:
    """The application of one worker."""
    from .service import create_app
    from .spans import otlp_tracer

    return create_app(settings, tracer=otlp_tracer() if settings.service.traces == "otlp" else None)
