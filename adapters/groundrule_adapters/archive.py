"""Archives of rule sets: a zip file whose digests.json has the SHA-256 of every file.

An archive is written in one way only, uncompressed and in order, so the same files always make the same bytes. Nothing
is ever unpacked to disk; an entry that is packed in any other way is refused before it is read.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import stat
import struct
import zipfile
from collections.abc import Mapping
from typing import Any

from groundrule import Diagnostic, RuleFileError, codes
from groundrule.canonical import canonical_json
from groundrule.diagnostics import Source, Span
from groundrule.rules.assemble import MAX_FILES
from groundrule.rules.parse import MAX_FILE

MAX_ARCHIVE = 66 << 20
"""Bytes of an archive; its files together, with their names and the table of contents."""
DIGESTS, MANIFEST = "digests.json", "manifest.yaml"
FORMAT = "groundrule-archive-1"
_ENTRY = b"PK\x01\x02"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_MODE = (stat.S_IFREG | 0o644) << 16
_UNIX = 3
_ENCRYPTED = 0x1
_CONTROL = re.compile("[\x00-\x1f\x7f]")
# What the zip reader is known to raise for bytes that are no zip file.
_ZIP_FAULTS = (
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
    OverflowError,
    struct.error,
)


def is_archive(name: str) -> bool:
    """Whether a file is read as an archive."""
    return name.lower().endswith(".zip")


def pack(files: Mapping[str, bytes]) -> bytes:
    """The archive of some files. Raises RuleFileError if they have no manifest."""
    if MANIFEST not in files:
        raise RuleFileError([codes.NO_MANIFEST.at(_span(MANIFEST))])
    digests = {"format": FORMAT, "files": {name: _digest(content) for name, content in files.items()}}
    everything = {**files, DIGESTS: canonical_json(digests).encode() + b"\n"}
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(everything):
            info = zipfile.ZipInfo(name, _EPOCH)
            info.external_attr, info.create_system = _MODE, _UNIX
            archive.writestr(info, everything[name])
    return target.getvalue()


def unpack(name: str, data: bytes) -> dict[str, bytes]:
    """The files of an archive, without the digests, which all hold. Raises RuleFileError.

    name: what the archive is called in faults.
    """
    entries = data.count(_ENTRY)
    if entries > MAX_FILES + 1:
        raise RuleFileError([codes.TOO_MANY.at(_span(name), count=entries, what="files", limit=MAX_FILES)])
    found = _content(name, data)
    digests = found.pop(DIGESTS, None)
    if digests is None:
        raise RuleFileError([codes.BAD_ARCHIVE.at(_span(name), problem="it has no digests.json")])
    faults = _wrong(name, found, _stated(name, digests))
    if faults:
        raise RuleFileError(faults)
    if MANIFEST not in found:
        raise RuleFileError([codes.NO_MANIFEST.at(_span(name))])
    return found


def _content(name: str, data: bytes) -> dict[str, bytes]:
    """The entries of a zip file, none of which is refused."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            faults = _refused(name, archive)
            found = {} if faults else {info.filename: archive.read(info) for info in archive.infolist()}
    except _ZIP_FAULTS as why:
        problem = str(why) or type(why).__name__
        raise RuleFileError([codes.BAD_ARCHIVE.at(_span(name), problem=problem)]) from None
    if faults:
        raise RuleFileError(faults)
    return found


def _refused(name: str, archive: zipfile.ZipFile) -> list[Diagnostic]:
    """The entries that no archive of ours has."""
    seen: set[str] = set()
    total = 0
    faults: list[Diagnostic] = []
    for info in archive.infolist():
        total += info.file_size
        problem = _problem(info) or ("the name stands twice" if info.orig_filename in seen else None)
        seen.add(info.orig_filename)
        if problem is not None:
            faults.append(codes.BAD_ENTRY.at(_span(name), file=info.orig_filename, problem=problem))
    if total > MAX_ARCHIVE:
        # Entries that overlap share their bytes, and can together be far larger than the archive.
        faults.append(codes.TOO_MANY.at(_span(name), count=total, what="bytes", limit=MAX_ARCHIVE))
    return faults


def _problem(info: zipfile.ZipInfo) -> str | None:
    name, kind = info.orig_filename, stat.S_IFMT(info.external_attr >> 16)
    if name != info.filename or "\\" in name or ":" in name or _CONTROL.search(name):
        return "the name has characters that systems read differently"
    if any(part in ("", ".", "..") for part in name.split("/")):
        return "the path leads elsewhere, or is a folder"
    if kind not in (0, stat.S_IFREG):
        return "it is a link" if kind == stat.S_IFLNK else "it is no regular file"
    if info.flag_bits & _ENCRYPTED:
        return "it is encrypted"
    if info.compress_type != zipfile.ZIP_STORED or info.compress_size != info.file_size:
        return "it is compressed"
    if info.file_size > MAX_FILE:
        return f"it has {info.file_size} bytes; at most {MAX_FILE} are read"
    return None


def _stated(name: str, text: bytes) -> dict[str, str]:
    """The digests that an archive states."""
    try:
        stated = json.loads(text.decode("utf-8"), object_pairs_hook=_once)
    except (ValueError, RecursionError):
        stated = None
    files = stated.get("files") if isinstance(stated, dict) and stated.get("format") == FORMAT else None
    if not isinstance(files, dict) or not all(isinstance(value, str) for value in files.values()):
        raise RuleFileError([codes.BAD_ARCHIVE.at(_span(name), problem="its digests.json cannot be read")])
    return files


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _wrong(name: str, files: Mapping[str, bytes], stated: Mapping[str, str]) -> list[Diagnostic]:
    """The files that are not what their digests say."""
    problems = dict.fromkeys(stated.keys() - files.keys(), "it is missing")
    problems |= dict.fromkeys(files.keys() - stated.keys(), "no digest is stated for it")
    for file in files.keys() & stated.keys():
        if _digest(files[file]) != stated[file]:
            problems[file] = "its content is another"
    return [
        codes.WRONG_DIGEST.at(_span(name), file=file, problem=problem) for file, problem in sorted(problems.items())
    ]


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def _span(name: str) -> Span:
    return Span(Source(name, ""), 0, 0)
