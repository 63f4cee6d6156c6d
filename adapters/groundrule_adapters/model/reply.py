"""A reply of a chat completion, read strictly: one finished message of text, or a fault. Nothing in it is repaired."""

from __future__ import annotations

from typing import Any

import jiter

from .faults import ModelFault


def read_text(body: bytes) -> str:
    """The text of the one message in the body of a response.

    Raises ModelFault for what is no JSON object of the API, no single choice, cut off, filtered, refused, empty, or a
    call of a tool.
    """
    choices = _json(body, "the response").get("choices")
    if not isinstance(choices, list) or len(choices) != 1 or not isinstance(choices[0], dict):
        raise ModelFault("the response has not one choice")
    message = choices[0].get("message")
    if not isinstance(message, dict):
        raise ModelFault("the response has no message")
    if message.get("refusal"):
        raise ModelFault("the model refused")
    if message.get("tool_calls") or message.get("function_call"):
        raise ModelFault("the model called a tool, and it has none")
    if choices[0].get("finish_reason") != "stop":
        raise ModelFault(_UNFINISHED.get(str(choices[0].get("finish_reason")), "the reply is not finished"))
    content = message.get("content")
    if not isinstance(content, str) or not content.strip():
        raise ModelFault("the reply is empty")
    return content


def read_object(text: str) -> dict[str, Any]:
    """The JSON object that a text is. Raises ModelFault for anything before or behind it, doubled keys, and NaN."""
    return _json(text.encode(), "the reply")


_UNFINISHED = {"length": "the reply was cut off at its longest", "content_filter": "the reply was filtered"}


def _json(text: bytes, what: str) -> dict[str, Any]:
    try:
        value = jiter.from_json(text, allow_inf_nan=False, catch_duplicate_keys=True)
    except ValueError:  # its message quotes the text
        raise ModelFault(f"{what} is no JSON") from None
    if not isinstance(value, dict):
        raise ModelFault(f"{what} is no JSON object")
    return value
