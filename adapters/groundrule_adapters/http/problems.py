"""What can be wrong with a request, as problem details (RFC 9457). All wording of the service stands here.

GR8xx: the service. What the rules say about facts is no problem: it is a decision, with status 200.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

MEDIA_TYPE = "application/problem+json"
NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Kind:
    """A kind of problem: its code, the HTTP status it has, a title, and what to do about it."""

    code: str
    status: int
    title: str
    help: str


KINDS: dict[str, Kind] = {}


def _kind(code: str, status: int, title: str, help: str) -> Kind:
    if code in KINDS:
        raise ValueError(f"declared twice: {code}")
    KINDS[code] = Kind(code, status, title, help)
    return KINDS[code]


NOT_JSON = _kind("GR801", 400, "the body is not JSON", "send UTF-8 JSON in which no key stands twice and no number is NaN")
NOT_FIT = _kind("GR802", 422, "the request is not of its schema", "GET /openapi.json has the schema")
NO_KEY = _kind("GR803", 401, "no valid key came with the request", "send `Authorization: Bearer` and a key of the settings")
NO_ROLE = _kind("GR804", 403, "the key may not do this", "give the key the role in the section [service] of the settings")
NOT_FOUND = _kind("GR805", 404, "there is nothing here", "GET /openapi.json lists the paths; GET /v1/runs lists the runs")
NOT_ALLOWED = _kind("GR806", 405, "the path does not take this method", "the header `Allow` lists the methods")
NOT_ACCEPTABLE = _kind("GR807", 406, "no form of the reply is acceptable", "accept application/json or text/event-stream")
LATE_BODY = _kind("GR808", 408, "the body did not arrive in time", "send it at once, or raise `service.body_timeout`")
TOO_LARGE = _kind("GR809", 413, "the body is too large", "send fewer items, or raise `service.max_body`")
NOT_JSON_TYPE = _kind("GR810", 415, "the body is not declared as JSON", "send `Content-Type: application/json`")
MISDIRECTED = _kind("GR811", 421, "the host of the request is not this service", "without keys only loopback names are served")
TOO_MANY = _kind("GR812", 429, "too many requests with this key", "wait as long as the header `Retry-After` says")
LARGE_HEAD = _kind("GR813", 431, "the head of the request is too large", "send fewer or shorter headers")
INTERNAL = _kind("GR814", 500, "the service failed", "the log of the service has more under the request's id")
BUSY = _kind("GR815", 503, "the service has too much in hand", "try again a little later")
STOPPING = _kind("GR816", 503, "the service is stopping", "try again: another worker or instance will answer")
NO_STORE = _kind("GR817", 503, "the store of receipts is not available", "GET /ready says whether it is back")
LATE = _kind("GR818", 504, "the request was not answered in time", "ask less at once, or raise the timeout in [service]")
BAD_HEAD = _kind("GR819", 400, "the head of the request can be read in two ways", "send each of the headers once, `Host` always")
OTHER_TENANT = _kind("GR820", 403, "the key belongs to another tenant", "leave `context.tenant` out, or use a key of that tenant")


class Problem(Exception):
    """A request that is not answered. detail: one sentence on this case. place: where in the body, if there."""

    def __init__(self, kind: Kind, detail: str = "", place: str = "", headers: Mapping[str, str] = NONE) -> None:
        super().__init__(kind.code)
        self.kind, self.detail, self.place, self.headers = kind, detail, place, headers

    def body(self, request_id: str) -> bytes:
        """The problem as JSON."""
        found = {
            "type": f"urn:groundrule:problem:{self.kind.code}",
            "title": self.kind.title,
            "status": self.kind.status,
            "detail": self.detail or self.kind.title,
            "instance": f"urn:groundrule:request:{request_id}",
            "code": self.kind.code,
            "place": self.place,
            "help": self.kind.help,
        }
        return json.dumps(found, ensure_ascii=False).encode()
