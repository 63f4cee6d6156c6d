"""The faults that only folders, archives and mappings have, which the check of a rule set's rules cannot show."""

from __future__ import annotations

import io
import json
import os
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from groundrule import Diagnostic, RuleFileError
from groundrule_adapters.archive import FORMAT, pack, unpack
from groundrule_adapters.files import read_files
from groundrule_adapters.sources.mcp import MappingError, read_mapping


def on_disk() -> Iterator[Diagnostic]:
    """One fault of each kind that only folders, archives and mappings have."""
    manifest = "name: trial\nversion: 1.0.0\n"
    digests = json.dumps({"format": FORMAT, "files": {"manifest.yaml": "sha256:0"}})
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "contracts").mkdir()
        (root / "contracts" / "all").symlink_to(root)
        (root / "params.yaml").symlink_to("elsewhere.yaml")
        os.mkfifo(root / "waivers.yaml")
        readings: list[Callable[[], object]] = [
            lambda: read_files("policy"),
            lambda: read_files(root),
            lambda: unpack("rules.zip", b"no zip file"),
            lambda: unpack("rules.zip", _zip({"../contracts/evil.yaml": "x"})),
            lambda: unpack("rules.zip", _zip({"manifest.yaml": manifest, "digests.json": digests})),
            lambda: pack({}),
        ]
        for reading in readings:
            try:
                reading()
            except RuleFileError as why:
                yield from why.diagnostics
    try:
        read_mapping("mapping: 1\ntool: a\nargument: {q: a}\nsource_type: url\ngenerated: often\n", "mappings/m.yaml")
    except MappingError as why:
        yield from reversed(why.diagnostics)


def _zip(files: dict[str, str]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return target.getvalue()
