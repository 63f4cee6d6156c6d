"""`change` of a test case: facts with something set, removed or appended at a path such as `evidence[0].dated_at`."""

from __future__ import annotations

import re
from typing import Any

from .fixtures import Reader
from .types import JSON, Type

Step = str | int
"""A name, the index of an element, or APPEND."""
APPEND = -1
"""`[+]`: behind the last element."""
MAX_STEPS = 32
_NAME, _INDEX = r"[^.\[\]\s]+", r"[0-9]{1,6}|\+"
_PATH = re.compile(rf"{_NAME}(?:\.{_NAME}|\[(?:{_INDEX})\])*", re.ASCII)
_STEP = re.compile(rf"({_NAME})|\[({_INDEX})\]", re.ASCII)


class NoSuchPlace(Exception):
    """A path that leads nowhere; the text says why."""


def steps_of(path: str) -> tuple[Step, ...]:
    """The steps of a path. Raises NoSuchPlace if it is not written as one."""
    if not _PATH.fullmatch(path):
        raise NoSuchPlace("a path is written like evidence[0].title")
    parts = list(_STEP.finditer(path))
    if len(parts) > MAX_STEPS:
        raise NoSuchPlace(f"it has more than {MAX_STEPS} steps")
    return tuple(part[1] or (APPEND if part[2] == "+" else int(part[2])) for part in parts)


def type_at(steps: tuple[Step, ...], type_: Type, reader: Reader) -> Type:
    """The type of what a path leads to. Raises NoSuchPlace if a record has no such field."""
    for step in steps:
        if isinstance(step, str):
            inner = reader.member(type_, step)
            if inner is None:
                raise NoSuchPlace(f"{type_} has no field {step}")
            type_ = inner
        else:
            type_ = type_.args[0] if type_.kind == "list" else JSON
    return type_


def changed(facts: Any, steps: tuple[Step, ...], new: Any) -> Any:
    """The facts with a value at a path; None removes what is there. What is not changed is shared, nothing is altered.

    Raises NoSuchPlace if the path leads through something absent.
    """
    step, rest = steps[0], steps[1:]
    if isinstance(step, str):
        if not isinstance(facts, dict):
            raise NoSuchPlace(f"there is nothing that {step} could be a field of")
        inner = facts.get(step)
        if rest and inner is None:
            raise NoSuchPlace(f"{step} is absent")
        value = changed(inner, rest, new) if rest else new
        kept = {name: other for name, other in facts.items() if name != step or value is not None}
        return kept if value is None else {**kept, step: value}
    if not isinstance(facts, list):
        raise NoSuchPlace("only a list has elements")
    if step == APPEND:
        if rest or new is None:
            raise NoSuchPlace("[+] ends a path and takes a value")
        return [*facts, new]
    if step >= len(facts):
        raise NoSuchPlace(f"[{step}] is behind the last of {len(facts)} elements")
    value = changed(facts[step], rest, new) if rest else new
    return [*facts[:step], *([] if value is None else [value]), *facts[step + 1 :]]
