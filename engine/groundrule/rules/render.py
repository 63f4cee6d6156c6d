"""Messages: a template, and where its rule stands, to text in one language.

Values come from facts, which strangers wrote: they are cut, and what could hide or reorder text is escaped. Rendering
never fails: a placeholder without value shows as ABSENT.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from ..diagnostics import visible
from ..facts.record import Record
from ..facts.words import WORDS
from .contract import Template
from .declare import Undecided
from .functions import double_text
from .meaning import Env, evaluate
from .types import JSON, Type
from .vocabulary import name_of

ABSENT = "⟨absent⟩"
MAX_SHOWN = 200
"""Code points of one value, the ellipsis included."""
SECOND, MILLISECOND, MICROSECOND = 1_000_000, 1_000, 1
UNITS = (
    (86_400 * SECOND, {"en": "d", "zh": "天"}),
    (3_600 * SECOND, {"en": "h", "zh": "小时"}),
    (60 * SECOND, {"en": "min", "zh": "分钟"}),
    (SECOND, {"en": "s", "zh": "秒"}),
    (MILLISECOND, {"en": "ms", "zh": "毫秒"}),
    (MICROSECOND, {"en": "µs", "zh": "微秒"}),
)
"""Microseconds of each unit in which durations are written."""
YES_NO = {"en": ("no", "yes"), "zh": ("否", "是")}
COMMA = {"en": ", ", "zh": "、"}
COLON = {"en": ": ", "zh": "："}


def render(template: Template, env: Env, language: str) -> str:
    """The message in `en` or `zh`."""
    return "".join(part if isinstance(part, str) else _placeholder(part, env, language) for part in template.parts)


def _placeholder(node: Any, env: Env, language: str) -> str:
    try:
        value = evaluate(node, env)
    except Undecided:
        return ABSENT
    return written(value, node.type, language)


def written(value: Any, type_: Type, language: str) -> str:
    """A value as a message shows it, on one line."""
    return visible(cut(_plain(value, type_, language)))


def cut(text: str) -> str:
    """The text, or its beginning and an ellipsis."""
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"


def _plain(value: Any, type_: Type, language: str) -> str:
    match value:
        case bool():
            return YES_NO[language][value]
        case int():
            return str(value)
        case float():
            return double_text(value)
        case str():
            return _word(value, type_.words, language)
        case datetime():
            return timestamp_text(value)
        case timedelta():
            return duration_text(value, language)
        case tuple():
            element = type_.args[0] if type_.kind == "list" else JSON
            return COMMA[language].join(_plain(inner, element, language) for inner in value)
        case Mapping():
            inner = type_.args[1] if type_.kind == "map" else JSON
            pairs = ((key, _plain(entry, inner, language)) for key, entry in value.items())
            return COMMA[language].join(f"{key}{COLON[language]}{entry}" for key, entry in pairs)
        case Record():
            return name_of_record(value)
        case None:
            return ABSENT
    return str(type_)


def _word(value: str, words: str, language: str) -> str:
    wording = WORDS.get(words, {}).get(value)
    return value if wording is None else wording[language == "zh"]


def name_of_record(record: Record) -> str:
    """The id of a record, or what it is."""
    name = getattr(record, "id", None)
    return name if isinstance(name, str) else name_of(type(record))


def timestamp_text(value: datetime) -> str:
    """An instant in UTC to the minute, or to the second where it has seconds."""
    at = value.astimezone(UTC)
    seconds = f":{at.second:02d}" if at.second else ""
    return f"{at.year:04d}-{at.month:02d}-{at.day:02d} {at.hour:02d}:{at.minute:02d}{seconds} UTC"


def duration_text(value: timedelta, language: str) -> str:
    """A duration in its two largest units, rounded to the smaller one: `3 h 5 min`, `3 小时 5 分钟`."""
    micros = value // timedelta(microseconds=1)
    sign, micros = ("-" if micros < 0 else ""), abs(micros)
    step = _smaller_unit(micros)
    rounded = (micros + step // 2) // step * step
    parts: list[str] = []
    for size, names in UNITS:
        count, rounded = divmod(rounded, size)
        if count:
            parts.append(f"{count} {names[language]}")
    return sign + " ".join(parts) if parts else f"0 {UNITS[3][1][language]}"


def _smaller_unit(micros: int) -> int:
    """The unit after the largest one that a duration has."""
    sizes = [size for size, _ in UNITS]
    largest = next((at for at, size in enumerate(sizes) if micros >= size), len(sizes) - 1)
    return sizes[min(largest + 1, len(sizes) - 1)]
