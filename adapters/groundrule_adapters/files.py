"""Rule sets on disk: the shipped one, a folder, one contract file, or an archive.

Links are followed, since that is how files are often mounted. Left out is everything hidden, and what lies outside the
folders of a rule set and is no text of one, so that code may lie beside it. What cannot be read is a fault, and what is
too much is one before it is read.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from groundrule import Diagnostic, RuleFileError, RuleSet, codes, compile_rules
from groundrule.diagnostics import Code, Source, Span
from groundrule.rules.assemble import MAX_FILES
from groundrule.rules.parse import MAX_FILE

from .archive import MAX_ARCHIVE, is_archive, pack, unpack

MAX_BYTES = 64 << 20
"""All files of a rule set together."""
MAX_ENTRIES = 10_000
"""Files and folders that are looked at."""
MAX_DEPTH = 32
_LEFTOVERS = ("~", ".bak", ".orig", ".swp")
"""What editors and `sed -i.bak` leave beside a file; it is no part of a rule set."""
_FOLDERS = ("contracts/", "lists/", "tests/", "mappings/")
_TEXTS = (".yaml", ".yml", ".txt", ".md", ".json")
_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
}
# A pipe is opened without waiting for its other end; where links and pipes do not exist, neither does the flag.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
StrPath = str | os.PathLike[str]


def data_dir(kind: str) -> Path:
    """`policies` or `schemas`: at the top of a checkout, or inside the installed package."""
    checkout = Path(__file__).resolve().parents[2]
    if (checkout / "pyproject.toml").is_file() and (checkout / kind).is_dir():
        return checkout / kind
    return Path(str(resources.files("groundrule"))) / kind


def open_rules(path: StrPath | None = None) -> RuleSet:
    """The shipped rule set, or that of a folder, of one contract file, or of an archive.

    An archive whose digests hold is no draft; everything else is one. Raises RuleFileError with every fault of every
    file.
    """
    files, draft = _opened(path)
    return compile_rules(files, draft=draft)


def read_files(path: StrPath | None = None) -> dict[str, bytes]:
    """The files of a rule set by their path within it. Raises RuleFileError with everything that cannot be read."""
    return _opened(path)[0]


def write_archive(folder: StrPath, target: StrPath) -> None:
    """Writes the rule set of a folder as an archive: the same files make the same bytes.

    Raises RuleFileError if the rule set has faults or no manifest, and OSError if the target cannot be written, which
    then is as it was.
    """
    files = {name: content for name, content in read_files(folder).items() if name != "digests.json"}
    compile_rules(files, draft=False)
    data = pack(files)
    place = Path(target)
    partial = place.with_name(f".{place.name}.{os.urandom(4).hex()}.partial")
    try:
        partial.write_bytes(data)
        partial.replace(place)
    finally:
        partial.unlink(missing_ok=True)


def _opened(path: StrPath | None) -> tuple[dict[str, bytes], bool]:
    """The files of a rule set, and whether they are a draft."""
    root = data_dir("policies") if path is None else Path(path)
    reading = _Reading(root)
    try:
        mode = root.stat().st_mode
    except FileNotFoundError:
        raise RuleFileError([_fault(codes.NO_SUCH_PATH, str(root), path=root)]) from None
    except (OSError, ValueError) as why:
        raise RuleFileError([_unreadable(str(root), why)]) from None
    if stat.S_ISDIR(mode):
        reading.folder(root, "", ())
        return reading.finished(), True
    archived = is_archive(root.name)
    data = reading.content(root, root.name, MAX_ARCHIVE if archived else MAX_FILE)
    if data is not None and archived:
        return unpack(root.name, data), False
    if data is not None:
        reading.files[root.name] = data
    return reading.finished(), True


@dataclass
class _Reading:
    """A folder while it is being read. Faults are collected; a limit that is passed ends the reading."""

    root: Path
    files: dict[str, bytes] = field(default_factory=dict)
    faults: list[Diagnostic] = field(default_factory=list)
    entries: int = 0
    size: int = 0

    def finished(self) -> dict[str, bytes]:
        if self.faults:
            raise RuleFileError(self.faults)
        return self.files

    def folder(self, folder: Path, prefix: str, above: tuple[tuple[int, int], ...]) -> None:
        """Reads a folder; `above` identifies the folders that it lies in."""
        try:
            state = folder.stat()
            names = sorted(os.listdir(folder))
        except OSError as why:
            self.faults.append(_unreadable(prefix.rstrip("/") or str(folder), why))
            return
        identity = (state.st_dev, state.st_ino)
        if identity in above:
            self.faults.append(_fault(codes.LINK_LOOP, prefix.rstrip("/"), file=prefix.rstrip("/")))
            return
        self.count(len(names), len(above))
        for name in names:
            if not name.startswith(".") and not name.endswith(_LEFTOVERS):
                self.entry(folder / name, prefix + name, (*above, identity))

    def count(self, names: int, depth: int) -> None:
        """Counts what is to be looked at. Raises RuleFileError where it is too much."""
        self.entries += names
        if self.entries > MAX_ENTRIES:
            raise self.too_many(self.entries, "files and folders", MAX_ENTRIES)
        if depth > MAX_DEPTH:
            raise self.too_many(depth, "folders in one another", MAX_DEPTH)

    def too_many(self, count: int, what: str, limit: int) -> RuleFileError:
        fault = _fault(codes.TOO_MANY, str(self.root), count=count, what=what, limit=limit)
        return RuleFileError([*self.faults, fault])

    def entry(self, path: Path, name: str, above: tuple[tuple[int, int], ...]) -> None:
        """Reads a file or folder of a folder."""
        wanted = name.startswith(_FOLDERS) or name.lower().endswith(_TEXTS)
        try:
            name.encode()
            mode = path.stat().st_mode
        except UnicodeEncodeError:
            shown = name.encode(errors="backslashreplace").decode()
            self.faults.append(_fault(codes.UNREADABLE, shown, file=shown, problem="its name is no UTF-8"))
            return
        except OSError as why:
            self.faults += [_unreadable(name, why)] if wanted else []
            return
        if stat.S_ISDIR(mode):
            self.folder(path, f"{name}/", above)
        elif wanted:
            self.keep(name, self.content(path, name, MAX_FILE))

    def keep(self, name: str, content: bytes | None) -> None:
        """Keeps a file that was read. Raises RuleFileError where it is too much."""
        if content is None:
            return
        self.files[name] = content
        self.size += len(content)
        if len(self.files) > MAX_FILES:
            raise self.too_many(len(self.files), "files", MAX_FILES)
        if self.size > MAX_BYTES:
            raise self.too_many(self.size, "bytes", MAX_BYTES)

    def content(self, path: Path, name: str, limit: int) -> bytes | None:
        """The bytes of a file; None after a fault. It is looked at once open, so no other can take its place."""
        try:
            number = os.open(path, _FLAGS)
            with open(number, "rb") as file:
                state = os.fstat(number)
                if not stat.S_ISREG(state.st_mode):
                    kind = _KINDS.get(stat.S_IFMT(state.st_mode), "something else")
                    self.faults.append(_fault(codes.NOT_REGULAR, name, file=name, kind=kind))
                    return None
                data = file.read(limit + 1)
        except OSError as why:
            self.faults.append(_unreadable(name, why))
            return None
        if len(data) > limit:
            size = max(state.st_size, len(data))
            self.faults.append(_fault(codes.FILE_TOO_LARGE, name, size=size, limit=limit))
            return None
        return data


def _unreadable(name: str, why: Exception) -> Diagnostic:
    problem = (why.strerror if isinstance(why, OSError) else None) or str(why) or type(why).__name__
    return _fault(codes.UNREADABLE, name, file=name, problem=problem)


def _fault(code: Code, name: str, **values: object) -> Diagnostic:
    return code.at(Span(Source(name, ""), 0, 0), None, **values)
