"""What the service logs: one JSON object a line. No key, no question and no fact is ever in one by itself."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Any

QUIET = ("httpx2", "httpcore2", "mcp", "opentelemetry")


class Lines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        if record.exc_info and record.exc_info[0] is not None:
            entry["error"] = record.exc_info[0].__name__
        return json.dumps(entry, ensure_ascii=False)


class AccessLines(logging.Formatter):
    """An entry of the access log, which is JSON already."""

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        return f'{{"time":"{time}",{record.getMessage()[1:]}'


def config() -> dict[str, Any]:
    """The configuration of logging, for every process of the service: requests to stdout, the rest to stderr."""
    here = __name__
    handlers = {
        "lines": {"class": "logging.StreamHandler", "formatter": "lines", "stream": "ext://sys.stderr"},
        "access": {"class": "logging.StreamHandler", "formatter": "access", "stream": "ext://sys.stdout"},
    }
    quiet = {name: {"level": "ERROR", "handlers": ["lines"], "propagate": False} for name in QUIET}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": f"{here}.Lines"}, "access": {"()": f"{here}.AccessLines"}},
        "handlers": handlers,
        "loggers": {
            "groundrule.service": {"handlers": ["lines"], "level": "INFO", "propagate": False},
            "groundrule.access": {"handlers": ["access"], "level": "INFO", "propagate": False},
            "uvicorn": {"handlers": ["lines"], "level": "INFO", "propagate": False},
            "uvicorn.access": {"handlers": [], "level": "CRITICAL", "propagate": False},
            **quiet,
        },
    }
