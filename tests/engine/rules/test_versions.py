"""One version means one thing: what belongs to the meaning of a contract, and which version answers for it."""

from __future__ import annotations

import pytest

from groundrule import check, compile_rules

CONTRACT = """\
contract: sites
version: 1.0.0
gate: evidence
params:
  blocked: {list: blocked}
rules:
  - id: SITES-BLOCKED-01
    each: evidence as e
    forbid: url_in(e.target_url, params.blocked)
    otherwise: reject
    message: {en: Blocked., zh: 已屏蔽。}
  - id: SITES-LEAST-01
    each: evidence as e
    require: e.authority_score >= shared.least && url_in(e.target_url, shared.allowed)
    otherwise: reject
    message: {en: Too low., zh: 过低。}
"""
MANIFEST = "name: set\nversion: 1.0.0\naudit: []\n"
FILES = {
    "contracts/sites.yaml": CONTRACT,
    "lists/blocked.txt": "one.example\ntwo.example\n",
    "lists/allowed.txt": "good.example\n",
    "lists/other.txt": "other.example\n",
    "params.yaml": "least: 0.4\nunread: 3\nallowed: {list: allowed}\n",
    "manifest.yaml": MANIFEST,
}
READ = {
    "the list `blocked`": {"lists/blocked.txt": "one.example\n"},
    "the list `allowed`": {"lists/allowed.txt": "evil.example\n"},
    "`shared.least`": {"params.yaml": FILES["params.yaml"].replace("0.4", "0.0")},
    "`audit`": {"manifest.yaml": MANIFEST.replace("[]", "[sites]")},
}
"""What the contract reads, by the name under which a change of it is reported."""


def changed(files: dict[str, str]) -> list[str]:
    """What is said of a set against the one above."""
    found = check({**FILES, **files}, against=compile_rules(FILES))
    return [f"{fault.message}; {fault.help}" for fault in found if fault.code == "GR505"]


@pytest.mark.parametrize("what", READ)
def test_what_a_contract_reads_belongs_to_its_meaning(what: str) -> None:
    """A changed list, shared param or `audit` is named, and a new version of the contract or of the manifest is enough."""
    (said,) = changed(READ[what])
    assert f"`sites` changed its meaning ({what}) but is still version 1.0.0; " in said
    assert "or the one of the manifest" in said
    assert changed({**READ[what], "contracts/sites.yaml": CONTRACT.replace("1.0.0", "1.1.0")}) == []
    manifest = READ[what].get("manifest.yaml", MANIFEST).replace("1.0.0", "1.1.0")
    assert changed({**READ[what], "manifest.yaml": manifest}) == []


def test_what_the_file_says_needs_a_new_version_of_the_contract() -> None:
    """A new version of the manifest is not enough, and what it reads is named beside it."""
    files = {"contracts/sites.yaml": CONTRACT.replace(">=", ">"), "manifest.yaml": MANIFEST.replace("1.0.0", "2.0.0")}
    (said,) = changed({**files, **READ["the list `blocked`"]})
    assert "(its file, the list `blocked`)" in said
    assert "manifest" not in said


@pytest.mark.parametrize(
    "files",
    [
        {"lists/blocked.txt": "# in another order\ntwo.example\none.example\n"},
        {"lists/other.txt": "more.example\n"},
        {"params.yaml": FILES["params.yaml"].replace("3", "4")},
        {"waivers.yaml": "[]\n"},
    ],
)
def test_what_a_contract_does_not_read_does_not_count(files: dict[str, str]) -> None:
    """Nor does the order of a list, nor a waiver."""
    assert changed(files) == []
