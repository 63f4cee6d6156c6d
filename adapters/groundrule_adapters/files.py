"""Rule sets on disk: the shipped one, a folder, or one contract file."""

from __future__ import annotations

import os
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from stat import S_ISREG

from groundrule import RuleFileError, RuleSet, compile_rules
from groundrule.diagnostics import Code, Source, Span

MAX_FILES = 2_000
MAX_BYTES = 64 << 20
_KEPT = (".yaml", ".yml", ".txt", ".md")

_UNREADABLE = Code("GR451", "error", "`{path}` cannot be read: {reason}", "", "A file of a rule set must be readable.")
_TOO_MUCH = Code("GR452", "error", "`{path}` holds too much: {reason}", "", "Rule sets are bounded.")


def data_dir(kind: str) -> Traversable:
    """`policies` or `schemas`: at the top of a checkout, or inside the installed package."""
    checkout = Path(__file__).resolve().parents[2]
    if (checkout / "pyproject.toml").is_file() and (checkout / kind).is_dir():
        return checkout / kind
    return resources.files("groundrule") / kind


def open_rules(path: str | os.PathLike[str] | None = None) -> RuleSet:
    """The shipped rule set, or that of a folder or of one contract file, as a draft.

    Raises RuleFileError with every fault of every file.
    """
    return compile_rules(read_files(path))


def read_files(path: str | os.PathLike[str] | None = None) -> dict[str, bytes]:
    """The files of a rule set by their path within it. Raises RuleFileError if one cannot be read."""
    if path is None:
        found: dict[str, bytes] = {}
        _walk(data_dir("policies"), "", found)
        return found
    root = Path(path)
    try:
        if root.is_file():
            return {root.name: _read(root, root.name)}
        names = sorted(_names(root))
    except OSError as why:
        raise _fault(_UNREADABLE, str(path), why.strerror or type(why).__name__) from None
    if not root.is_dir():
        raise _fault(_UNREADABLE, str(path), "no such file or folder")
    if len(names) > MAX_FILES:
        raise _fault(_TOO_MUCH, str(path), f"more than {MAX_FILES} files")
    files = {name: _read(root / name, name) for name in names}
    if sum(map(len, files.values())) > MAX_BYTES:
        raise _fault(_TOO_MUCH, str(path), f"more than {MAX_BYTES} bytes")
    return files


def _names(root: Path) -> list[str]:
    """Paths of the files below a folder; links to folders are not followed, so nothing goes round in circles."""
    names: list[str] = []
    for folder, inner, files in os.walk(root, followlinks=False):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        names += [(Path(folder) / name).relative_to(root).as_posix() for name in files if name.endswith(_KEPT)]
        if len(names) > MAX_FILES:
            break
    return names


def _read(path: Path, name: str) -> bytes:
    try:
        if not S_ISREG(path.stat().st_mode):
            raise _fault(_UNREADABLE, name, "not a regular file")
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as why:
        raise _fault(_UNREADABLE, name, why.strerror or type(why).__name__) from None


def _walk(folder: Traversable, prefix: str, found: dict[str, bytes]) -> None:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        name = f"{prefix}{entry.name}"
        if entry.is_dir():
            _walk(entry, f"{name}/", found)
        elif name.endswith(_KEPT):
            found[name] = entry.read_bytes()


def _fault(code: Code, path: str, reason: str) -> RuleFileError:
    return RuleFileError([code.at(Span(Source(path, ""), 0, 0), path=path, reason=reason)])
