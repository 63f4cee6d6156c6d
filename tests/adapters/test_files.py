"""Rule sets on disk: what is read, what is refused, and archives that say what they hold."""

from __future__ import annotations

import hashlib
import io
import json
import os
import random
import shutil
import socket
import stat
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.engine.rules.programs import contract, rule

from groundrule import RuleFileError, evaluate
from groundrule_adapters import archive, files, open_rules
from groundrule_adapters.archive import pack, unpack
from groundrule_adapters.files import data_dir, read_files, write_archive

CONTRACT = contract("call", "rules:\n" + rule("CALL-TOOL-01", "call.tool == 'x'"))
MANIFEST = "name: trial\nversion: 1.0.0\n"
NOW = datetime(2026, 4, 15, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small rule set."""
    root = tmp_path / "set"
    (root / "contracts").mkdir(parents=True)
    (root / "manifest.yaml").write_text(MANIFEST)
    (root / "contracts" / "trial.yaml").write_text(CONTRACT, encoding="utf-8")
    return root


def codes(read: Callable[[], object]) -> list[str]:
    """The codes of the faults that reading ends in."""
    with pytest.raises(RuleFileError) as caught:
        read()
    assert all(fault.message and fault.place for fault in caught.value.diagnostics)
    return [fault.code for fault in caught.value.diagnostics]


# What is read


def test_the_shipped_rule_set_opens() -> None:
    """Without a path it is the set that ships, in a checkout and installed."""
    rules = open_rules()
    assert rules.name == "groundrule"
    assert {"evidence", "answer", "plan"} <= set(rules.gates)
    assert rules.draft
    assert data_dir("schemas").is_dir()
    assert rules.revision == open_rules(data_dir("policies")).revision


def test_a_folder_is_read_without_what_is_hidden(folder: Path) -> None:
    """Paths are within the folder, with `/`; hidden files and folders are left out."""
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("x")
    (folder / "contracts" / ".trial.yaml.swp").write_text("x")
    (folder / "lists").mkdir()
    (folder / "lists" / "名单.txt").write_text("a.example\n")
    assert set(read_files(folder)) == {"manifest.yaml", "contracts/trial.yaml", "lists/名单.txt"}
    rules = open_rules(str(folder))
    assert (rules.name, rules.version, rules.draft) == ("trial", "1.0.0", True)


def test_a_single_contract_is_a_draft_rule_set(folder: Path) -> None:
    """It needs neither manifest nor folder."""
    rules = open_rules(folder / "contracts" / "trial.yaml")
    assert rules.draft
    decision = evaluate(rules, "call", {"call": {"tool": "x"}}, NOW)
    assert (decision.outcome, decision.draft) == ("allow", True)


def test_faults_of_the_rules_have_the_path_within_the_folder(folder: Path) -> None:
    """Not that of the machine."""
    (folder / "contracts" / "trial.yaml").write_text(CONTRACT.replace("call.tool", "call.tol"), encoding="utf-8")
    with pytest.raises(RuleFileError) as caught:
        open_rules(folder)
    assert [fault.place for fault in caught.value.diagnostics] == ["contracts/trial.yaml:9:7"]


def test_a_file_that_belongs_to_no_part_is_a_fault(folder: Path) -> None:
    """A contract with a misspelt ending would otherwise be lost without a word."""
    (folder / "contracts" / "more.yam").write_text(CONTRACT, encoding="utf-8")
    assert codes(lambda: open_rules(folder)) == ["GR407"]


def test_code_may_lie_beside_a_rule_set(folder: Path) -> None:
    """Outside its folders only texts are looked at; a picture or program is none of its business."""
    (folder / "tool.py").write_text("x")
    (folder / "gone.png").symlink_to("nowhere")
    (folder / "data").mkdir()
    (folder / "data" / "large.bin").write_bytes(bytes(2 << 20))
    assert set(read_files(folder)) == {"manifest.yaml", "contracts/trial.yaml"}
    (folder / "data" / "more.yaml").write_text("a: 1\n")
    assert codes(lambda: open_rules(folder)) == ["GR407"]


# What is refused


def test_a_path_that_leads_nowhere_is_a_fault(tmp_path: Path, folder: Path) -> None:
    """Missing, below a file, too long, with a NUL."""
    assert codes(lambda: open_rules(tmp_path / "nothing")) == ["GR409"]
    assert codes(lambda: open_rules(folder / "manifest.yaml" / "x")) == ["GR410"]
    assert codes(lambda: open_rules("x" * 5000)) == ["GR410"]
    assert codes(lambda: open_rules("a\0b")) == ["GR410"]
    (tmp_path / "empty").mkdir()
    assert codes(lambda: open_rules(tmp_path / "empty")) == ["GR401"]


def test_links_are_followed_but_not_in_circles(folder: Path, tmp_path: Path) -> None:
    """Mounted configuration is made of links; one that leads back up would never end."""
    elsewhere = tmp_path / "elsewhere"
    shutil.move(folder / "contracts", elsewhere)
    (folder / "contracts").symlink_to(elsewhere)
    assert "contracts/trial.yaml" in read_files(folder)
    (elsewhere / "up").symlink_to(folder)
    (elsewhere / "self").symlink_to("self")
    (elsewhere / "gone.yaml").symlink_to(tmp_path / "gone")
    with pytest.raises(RuleFileError) as caught:
        read_files(folder)
    assert [(fault.code, fault.span.source.name) for fault in caught.value.diagnostics] == [
        ("GR410", "contracts/gone.yaml"),
        ("GR410", "contracts/self"),
        ("GR412", "contracts/up"),
    ]


def test_links_that_fan_out_come_to_an_end(tmp_path: Path) -> None:
    """Each folder links twice to the next: no circle, and a million million paths."""
    for number in range(40):
        (tmp_path / str(number)).mkdir()
    for number in range(39):
        for name in ("a", "b"):
            (tmp_path / str(number) / name).symlink_to(tmp_path / str(number + 1))
    assert codes(lambda: read_files(tmp_path / "0")) == ["GR408"]


def test_what_is_no_file_is_not_opened_for_long(folder: Path) -> None:
    """A pipe would block for ever, a device never end."""
    os.mkfifo(folder / "pipe.yaml")
    (folder / "null.yaml").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as listening:
        here = os.open(folder, os.O_RDONLY)
        try:
            listening.bind(f"/proc/self/fd/{here}/socket.yaml")
        finally:
            os.close(here)
        found = codes(lambda: read_files(folder))
    assert found == ["GR411", "GR411", "GR410"]
    assert codes(lambda: open_rules(folder / "pipe.yaml")) == ["GR411"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_files_without_permission_are_faults(folder: Path) -> None:
    """A file that cannot be read might say anything."""
    (folder / "params.yaml").write_text("a: 1\n")
    (folder / "params.yaml").chmod(0)
    assert codes(lambda: read_files(folder)) == ["GR410"]


def test_names_that_are_no_text_are_faults(folder: Path) -> None:
    """A path is text in faults, receipts and archives."""
    raw = os.path.join(os.fsencode(folder), b"\xff.yaml")
    try:
        with open(raw, "wb"):
            pass
    except OSError:
        pytest.skip("this file system takes only names in UTF-8")
    assert codes(lambda: read_files(folder)) == ["GR410"]


def test_limits_hold_before_anything_is_read(folder: Path) -> None:
    """The size of a file, all files together, their number, their nesting."""
    with open(folder / "large.yaml", "wb") as sparse:
        sparse.truncate(1 << 40)
    assert codes(lambda: read_files(folder)) == ["GR103"]
    assert codes(lambda: read_files(folder / "large.yaml")) == ["GR103"]
    (folder / "large.yaml").unlink()
    deep = folder
    for _ in range(40):
        deep /= "d"
    deep.mkdir(parents=True)
    assert codes(lambda: read_files(folder)) == ["GR408"]


def test_the_sum_and_the_number_of_files_are_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file is small enough, and together they are not."""
    with monkeypatch.context() as patch:
        patch.setattr(files, "MAX_BYTES", 100)
        assert codes(lambda: read_files(folder)) == ["GR408"]
    for number in range(2001):
        (folder / "lists").mkdir(exist_ok=True)
        (folder / "lists" / f"{number}.txt").touch()
    assert codes(lambda: read_files(folder)) == ["GR408"]


# Archives


def test_an_archive_is_no_draft_and_means_the_same(folder: Path, tmp_path: Path) -> None:
    """Digests hold, so it is what was checked; its revision is that of the folder."""
    target = tmp_path / "set.zip"
    write_archive(folder, target)
    rules = open_rules(target)
    assert not rules.draft
    assert rules.revision == open_rules(folder).revision
    assert read_files(target) == read_files(folder)
    assert not evaluate(rules, "call", {"call": {"tool": "x"}}, NOW).draft
    assert sorted(path.name for path in tmp_path.iterdir()) == ["set", "set.zip"]


def test_the_shipped_set_can_be_archived(tmp_path: Path) -> None:
    """With its tests, lists and mappings."""
    target = tmp_path / "shipped.zip"
    write_archive(data_dir("policies"), target)
    assert read_files(target) == read_files()
    assert open_rules(target).revision == open_rules().revision


def test_the_same_files_make_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    """Whatever their times and order, and whether they come from a folder or an archive."""
    first, second, third = tmp_path / "1.zip", tmp_path / "2.zip", tmp_path / "3.zip"
    write_archive(folder, first)
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    os.utime(copy / "manifest.yaml", (0, 0))
    (copy / "manifest.yaml").chmod(0o600)
    write_archive(copy, second)
    write_archive(first, third)
    assert first.read_bytes() == second.read_bytes() == third.read_bytes()
    assert hashlib.sha256(pack({"manifest.yaml": b"x", "b": b"2", "a": b"1"})).hexdigest() == GOLDEN


GOLDEN = "0aad38452fa392919dfba0f52cf6e1a06671a472fb91d30dac42a94eab364d57"


def test_a_digests_file_in_a_folder_is_not_heeded(folder: Path, tmp_path: Path) -> None:
    """Digests stand only in an archive and are checked only there."""
    (folder / "digests.json").write_text("{}")
    write_archive(folder, tmp_path / "a.zip")
    assert "digests.json" not in read_files(tmp_path / "a.zip")


def test_only_a_checked_set_with_a_manifest_becomes_an_archive(folder: Path, tmp_path: Path) -> None:
    """Nothing is written otherwise."""
    target = tmp_path / "a.zip"
    (folder / "contracts" / "trial.yaml").write_text(CONTRACT.replace("call.tool", "call.tol"), encoding="utf-8")
    assert codes(lambda: write_archive(folder, target)) == ["GR212"]
    (folder / "contracts" / "trial.yaml").write_text(CONTRACT, encoding="utf-8")
    (folder / "manifest.yaml").unlink()
    assert codes(lambda: write_archive(folder, target)) == ["GR416"]
    assert not target.exists()


def test_a_target_that_cannot_be_written_leaves_nothing_behind(folder: Path, tmp_path: Path) -> None:
    """Neither a half archive nor a partial file."""
    target = tmp_path / "a.zip"
    target.mkdir()
    with pytest.raises(OSError, match=r"a\.zip"):
        write_archive(folder, target)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.zip", "set"]


GOOD = {"manifest.yaml": MANIFEST.encode(), "contracts/trial.yaml": CONTRACT.encode()}


def zipped(
    content: dict[str, bytes], change: Callable[[zipfile.ZipInfo], None] = lambda info: None, method: int = 0
) -> bytes:
    """A zip file of some files, each entry changed before it is written."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as out:
        for name, data in content.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            change(info)
            out.writestr(info, data)
    return target.getvalue()


def with_digests(content: dict[str, bytes], **digests: str | None) -> dict[str, bytes]:
    """Files and their digests; further digests, or None to leave one out."""
    stated = {name: f"sha256:{hashlib.sha256(data).hexdigest()}" for name, data in content.items()}
    stated = {name: value for name, value in {**stated, **digests}.items() if value is not None}
    return {**content, "digests.json": json.dumps({"format": archive.FORMAT, "files": stated}).encode()}


def test_an_archive_of_another_maker_opens_if_it_is_plain_and_its_digests_hold() -> None:
    """The format is simple enough to be made elsewhere."""
    assert unpack("a.zip", zipped(with_digests(GOOD))) == GOOD


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (with_digests({**GOOD, "params.yaml": b"a: 1"}, **{"params.yaml": None}), ["GR415"]),
        (with_digests(GOOD, **{"params.yaml": "sha256:0"}), ["GR415"]),
        (with_digests(GOOD, **{"manifest.yaml": "sha256:0"}), ["GR415"]),
        ({**with_digests(GOOD), "manifest.yaml": b"name: other\nversion: 1.0.0\n"}, ["GR415"]),
        (GOOD, ["GR413"]),
        ({**GOOD, "digests.json": b"[]"}, ["GR413"]),
        ({**GOOD, "digests.json": b"\xff"}, ["GR413"]),
        ({**GOOD, "digests.json": b"[" * 100_000}, ["GR413"]),
        ({**GOOD, "digests.json": b'{"format": "groundrule-archive-1", "files": {"a": 1}}'}, ["GR413"]),
        ({**GOOD, "digests.json": b'{"format": "groundrule-archive-2", "files": {}}'}, ["GR413"]),
        ({**GOOD, "digests.json": b'{"format": "groundrule-archive-1", "files": {}, "files": {}}'}, ["GR413"]),
        (with_digests({"contracts/trial.yaml": CONTRACT.encode()}), ["GR416"]),
    ],
)
def test_an_archive_whose_digests_do_not_hold_is_refused(content: dict[str, bytes], expected: list[str]) -> None:
    """A file more, a file less, another content, or no digests at all."""
    assert codes(lambda: unpack("a.zip", zipped(content))) == expected


@pytest.mark.parametrize(
    "name",
    ["../evil.yaml", "/etc/evil.yaml", "a/../../evil.yaml", "a//b.yaml", "./a.yaml", "a/", "C:\\evil.yaml", "C:/evil",
     "a\\b.yaml", "a\nb.yaml"],
)  # fmt: skip
def test_paths_that_lead_elsewhere_are_refused(name: str) -> None:
    """Nothing is unpacked to disk; even so no such path gets in, whatever its digest."""
    assert codes(lambda: unpack("a.zip", zipped(with_digests({**GOOD, name: b"x"})))) == ["GR414"]


def test_a_name_with_a_zero_byte_is_refused() -> None:
    """Some readers end the name there, and take it for another."""
    data = zipped(with_digests({**GOOD, "params.yaml?.md": b"x"})).replace(b"params.yaml?.md", b"params.yaml\0.md")
    assert codes(lambda: unpack("a.zip", data)) == ["GR414"]


def _link(info: zipfile.ZipInfo) -> None:
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16


def _pipe(info: zipfile.ZipInfo) -> None:
    info.create_system, info.external_attr = 3, (stat.S_IFIFO | 0o644) << 16


@pytest.mark.parametrize("change", [_link, _pipe])
def test_links_and_pipes_are_refused(change: Callable[[zipfile.ZipInfo], None]) -> None:
    """Only regular files are rules."""
    assert set(codes(lambda: unpack("a.zip", zipped(with_digests(GOOD), change)))) == {"GR414"}


def test_a_compressed_bomb_is_refused_unread() -> None:
    """A gigabyte of nothing in a megabyte; no entry of an archive is compressed."""
    bomb = zipped({"a.yaml": bytes(64 << 20)}, method=zipfile.ZIP_DEFLATED)
    assert len(bomb) < 1 << 20
    assert codes(lambda: unpack("a.zip", bomb)) == ["GR414"]


def test_entries_that_overlap_are_refused() -> None:
    """Many entries that share one body would be far larger than the archive."""
    body = zipped({"0.yaml": b"#" * (1 << 20)})
    start, directory = body.index(b"PK\x01\x02"), body.index(b"PK\x05\x06")
    entry = body[start:directory]
    count = 100
    entries = b"".join(
        entry.replace(b"0.yaml", f"{number % 10}.yam{chr(97 + number // 10)}".encode()) for number in range(count)
    )
    end = bytearray(body[directory:])
    end[8:10] = end[10:12] = count.to_bytes(2, "little")
    end[12:16] = len(entries).to_bytes(4, "little")
    assert "GR408" in codes(lambda: unpack("a.zip", body[:start] + entries + bytes(end)))


def test_too_many_entries_are_refused_before_they_are_listed() -> None:
    """Each entry costs memory when the table of contents is read."""
    data = zipped({f"lists/{number}.txt": b"" for number in range(2002)})
    assert codes(lambda: unpack("a.zip", data)) == ["GR408"]


def test_a_name_that_stands_twice_is_refused() -> None:
    """Readers differ in which of the two they take."""
    target = io.BytesIO(zipped(with_digests(GOOD)))
    with zipfile.ZipFile(target, "a") as out, pytest.warns(UserWarning, match="Duplicate name"):
        out.writestr("manifest.yaml", "name: other\nversion: 1.0.0\n")
    assert codes(lambda: unpack("a.zip", target.getvalue())) == ["GR414"]


def test_an_entry_larger_than_a_file_may_be_is_refused() -> None:
    """The limit of a file holds in an archive too."""
    assert codes(lambda: unpack("a.zip", zipped({"a.yaml": bytes((1 << 20) + 1)}))) == ["GR414"]


def test_an_encrypted_entry_is_refused() -> None:
    """Its flag is enough."""
    data = bytearray(zipped({"a.yaml": b"x"}))
    for magic, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(magic) + offset] |= 1
    assert codes(lambda: unpack("a.zip", bytes(data))) == ["GR414"]


def damaged() -> Iterator[bytes]:
    whole = zipped(with_digests(GOOD))
    yield from (b"", b"PK", b"not a zip file", whole[: len(whole) // 2], b"\x00" * 1000)
    chance = random.Random(20260415)
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        yield bytes(data)


def test_damaged_archives_are_faults_and_never_something_else(tmp_path: Path) -> None:
    """Whatever is changed, the archive opens with its own files or says what is wrong."""
    target = tmp_path / "a.zip"
    refused = 0
    for data in damaged():
        target.write_bytes(data)
        try:
            rules = open_rules(target)
        except RuleFileError:
            refused += 1
        else:
            assert not rules.draft
            assert read_files(target) == GOOD
    assert refused > 100


def test_an_archive_too_large_is_refused_unread(tmp_path: Path) -> None:
    """Its size is asked first."""
    target = tmp_path / "a.zip"
    with open(target, "wb") as sparse:
        sparse.truncate(1 << 40)
    assert codes(lambda: open_rules(target)) == ["GR103"]


def test_what_editors_leave_behind_is_no_part_of_a_rule_set(folder: Path) -> None:
    """A backup beside a contract changes nothing; otherwise every careful author would meet a fault."""
    before = read_files(folder)
    for ending in ("~", ".bak", ".orig", ".swp"):
        (folder / f"manifest.yaml{ending}").write_bytes(b"\xff")
    assert read_files(folder) == before
