"""Commands that are called wrongly: a sentence and exit code 2, never a traceback."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from groundrule.facts.gates import GATES
from groundrule_adapters.cli.app import app


@pytest.mark.parametrize(
    "call",
    [
        ["init", "FILE/inside"],
        ["new", "contract", "trial", "--gate", "evidence", "--dir", "FILE"],
        ["new", "rule", "AREA-TOPIC-01", "--contract", "BINARY"],
        ["test", "FOLDER", "--junit", "FILE/report.xml"],
        ["runs", "--limit", "99999999999999999999"],
    ],
    ids=lambda call: " ".join(call[:2]).encode("ascii", "replace").decode(),
)
def test_a_wrong_call_is_said(tmp_path: Path, call: list[str]) -> None:
    """What cannot be written or read is named."""
    (tmp_path / "FILE").write_text("x", encoding="utf-8")
    (tmp_path / "BINARY").write_bytes(b"\xb3\xff")
    (tmp_path / "FOLDER").mkdir()
    names = ("FILE", "BINARY", "FOLDER")
    words = [str(tmp_path / word) if word.startswith(names) else word for word in call]
    result = CliRunner().invoke(app, words, env={"GROUNDRULE_HOME": str(tmp_path / "home")})
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)


@pytest.mark.parametrize("encoding", ["ascii", "gbk", "utf-8"])
def test_an_output_of_any_encoding_ends_no_command(encoding: str) -> None:
    """What it cannot carry is escaped; JSON stays JSON."""
    command = [str(Path(sys.executable).with_name("groundrule")), "read", "明天\U0001f44d25℃"]
    env = {**os.environ, "PYTHONIOENCODING": encoding}
    shown = subprocess.run(command, env=env, capture_output=True, timeout=60, check=True)
    thumb = "\U0001f44d" if encoding == "utf-8" else r"\U0001f44d"
    assert thumb in shown.stdout.decode(encoding)
    told = subprocess.run([*command, "--json"], env=env, capture_output=True, timeout=60, check=True)
    assert json.loads(told.stdout.decode(encoding))["text"] == command[-1]


def test_a_rule_is_added_where_rules_stand_although_choices_follow(tmp_path: Path) -> None:
    """Most shipped contracts end with choices; the new rule goes before them, and the file stays a contract."""
    rules = tmp_path / "rules"
    assert CliRunner().invoke(app, ["init", str(rules)]).exit_code == 0
    contract = rules / "contracts" / "freshness.yaml"
    added = CliRunner().invoke(app, ["new", "rule", "FRESH-NEW-01", "--contract", str(contract)])
    assert added.exit_code == 0
    assert CliRunner().invoke(app, ["check", str(rules)]).exit_code == 0
    text = contract.read_text(encoding="utf-8")
    assert text.index("\nrules:") < text.index("FRESH-NEW-01") < text.index("\nchoices:")


def test_a_packed_rule_set_is_usable_where_a_folder_is(tmp_path: Path) -> None:
    """`check`, `test` and `--rules` take the archive; it is no draft."""
    facts, archive = tmp_path / "facts.json", tmp_path / "rules.zip"
    facts.write_text('{"evidence": []}', encoding="utf-8")
    rules = tmp_path / "rules"
    assert CliRunner().invoke(app, ["init", str(rules)]).exit_code == 0
    packed = CliRunner().invoke(app, ["pack", str(rules), str(archive)])
    assert packed.exit_code == 0, packed.output
    assert "revision sha256:" in packed.output
    assert CliRunner().invoke(app, ["check", str(archive)]).exit_code == 0
    asked = CliRunner().invoke(app, ["eval", "--rules", str(archive), "--gate", "evidence", "--facts", str(facts)])
    assert asked.exit_code == 1
    assert asked.output.startswith("evidence: fallback\n")


def test_without_a_folder_the_rule_set_in_which_one_stands_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another than one's own would be a false green; it is said which one it was. A new contract asks for cases."""
    monkeypatch.chdir(tmp_path)
    for command in ("check", "test"):
        ran = CliRunner().invoke(app, [command])
        assert (ran.exit_code, ran.stderr) == (0, "the rule set of the product:\n")
    assert CliRunner().invoke(app, ["init", "rules"]).exit_code == 0
    monkeypatch.chdir(tmp_path / "rules")
    made = CliRunner().invoke(app, ["new", "contract", "umbrella", "--gate", "evidence"])
    assert "fill in its cases in tests/umbrella.test.yaml" in made.output
    unfilled = CliRunner().invoke(app, ["test"])
    assert (unfilled.exit_code, unfilled.stdout.count("2 failed")) == (1, 1)
    checked = CliRunner().invoke(app, ["check"])
    assert (checked.stdout, checked.stderr.count("GR509")) == ("0 faults, 2 warnings\n", 2)  # its texts are to be written
    Path("tests/umbrella.test.yaml").unlink()
    untested = CliRunner().invoke(app, ["test"])
    assert (untested.exit_code, "error GR611" in untested.output) == (1, True)
    warned = CliRunner().invoke(app, ["check"])
    assert (warned.exit_code, warned.stdout, "warning GR611" in warned.stderr) == (0, "0 faults, 3 warnings\n", True)
    packed = CliRunner().invoke(app, ["pack", ".", "../rules.zip"])
    assert (packed.exit_code, packed.stderr) == (0, "warning: its contract tests do not pass: groundrule test .\n")
    contract = Path("contracts/umbrella.yaml")
    contract.write_text(contract.read_text(encoding="utf-8").replace("gate: evidence", "gate: nosuch"), encoding="utf-8")
    found = CliRunner().invoke(app, ["check"])
    assert found.exit_code == 1
    assert found.stderr.startswith("the rule set of the working folder:\ncontracts/umbrella.yaml:3:7: error GR301")


def failing(folder: Path) -> set[str]:
    """The names of the contract tests of a rule set that fail."""
    report = json.loads(CliRunner().invoke(app, ["test", str(folder), "--json"]).stdout)
    return {case["name"] for file in report["files"] for case in file["cases"] if not case["passed"]}


@pytest.mark.parametrize("gate", GATES)
def test_the_cases_of_a_new_contract_fail_until_they_are_filled_in(tmp_path: Path, gate: str) -> None:
    """At every gate, for its first rule and for one that is added; what stood in the test file stays."""
    assert CliRunner().invoke(app, ["new", "contract", "trial", "--gate", gate, "--dir", str(tmp_path)]).exit_code == 0
    first = {f"write what TRIAL-START-01 {word} pass" for word in ("lets", "does not let")}
    assert failing(tmp_path) == first
    tests = tmp_path / "tests" / "trial.test.yaml"
    before = tests.read_text(encoding="utf-8")
    added = CliRunner().invoke(app, ["new", "rule", "TRIAL-MORE-01", "--contract", str(tmp_path / "contracts" / "trial.yaml")])
    assert f"fill in its cases in {tests}" in added.output
    assert tests.read_text(encoding="utf-8").startswith(before)
    assert failing(tmp_path) == first | {case.replace("START", "MORE") for case in first}


def test_a_rule_of_a_lone_contract_gets_no_cases(tmp_path: Path) -> None:
    """There is no rule set beside it that its tests would belong to; nor does `check` ask for them."""
    assert CliRunner().invoke(app, ["new", "contract", "trial", "--gate", "plan", "--dir", str(tmp_path)]).exit_code == 0
    lone = (tmp_path / "contracts" / "trial.yaml").rename(tmp_path / "trial.yaml")
    (tmp_path / "tests" / "trial.test.yaml").unlink()
    added = CliRunner().invoke(app, ["new", "rule", "TRIAL-MORE-01", "--contract", str(lone)])
    assert (added.exit_code, "a test file shows what it lets pass" in added.output) == (0, True)
    assert not list((tmp_path / "tests").iterdir())
    checked = CliRunner().invoke(app, ["check", str(lone)])
    assert (checked.stdout, checked.stderr.count("GR509")) == ("0 faults, 3 warnings\n", 3)


def test_a_new_contract_goes_to_a_folder_that_is_there(tmp_path: Path) -> None:
    """A slip in its name makes no folder."""
    ran = CliRunner().invoke(app, ["new", "contract", "c", "--gate", "plan", "--dir", str(tmp_path / "nosuch")])
    assert ran.exit_code == 2
    assert not (tmp_path / "nosuch").exists()


def test_only_a_name_that_is_read_as_an_archive_is_written(tmp_path: Path) -> None:
    """Another name is a wrong call, and nothing is written."""
    target = tmp_path / "rules.tar"
    assert CliRunner().invoke(app, ["pack", str(tmp_path), str(target)]).exit_code == 2
    assert not target.exists()


def test_a_change_under_an_unchanged_version_is_found(tmp_path: Path) -> None:
    """GR505 ends `check --against` with 1; a raised version, and a change that means nothing, do not."""
    rules, before = tmp_path / "rules", tmp_path / "before.zip"
    assert CliRunner().invoke(app, ["init", str(rules)]).exit_code == 0
    assert CliRunner().invoke(app, ["pack", str(rules), str(before)]).exit_code == 0
    contract = rules / "contracts" / "freshness.yaml"
    text = contract.read_text(encoding="utf-8")
    call = ["check", str(rules), "--against", str(before)]
    contract.write_text(f"# a remark\n{text}", encoding="utf-8")
    assert CliRunner().invoke(app, call).exit_code == 0
    changed = text.replace("forecast_max_age: 12h", "forecast_max_age: 30m")
    contract.write_text(changed, encoding="utf-8")
    found = CliRunner().invoke(app, call)
    assert found.exit_code == 1
    assert "GR505" in found.output
    assert ": error GR505: " in found.stderr
    assert found.stdout == "1 fault, 0 warnings\n"
    raised = re.sub(r"^version: .*", "version: 99.0.0", changed, flags=re.MULTILINE)
    contract.write_text(raised, encoding="utf-8")
    assert CliRunner().invoke(app, call).exit_code == 0


def test_editors_find_the_schemas_of_a_copied_rule_set(tmp_path: Path) -> None:
    """Each file that names a schema names one that lies in the copy, which has no faults for it."""
    rules = tmp_path / "rules"
    assert CliRunner().invoke(app, ["init", str(rules)]).exit_code == 0
    named = 0
    for path in rules.rglob("*.yaml"):
        for reference in re.findall(r"\$schema=(\S+)", path.read_text(encoding="utf-8")):
            assert (path.parent / reference).is_file(), f"{path}: {reference}"
            assert (path.parent / reference).resolve().is_relative_to(rules.resolve())
            named += 1
    assert named
    assert CliRunner().invoke(app, ["check", str(rules)]).exit_code == 0


def test_an_explanation_for_people_leaves_out_what_says_nothing(tmp_path: Path) -> None:
    """No record or params file as a whole, no parts of what was not needed, one line for what was skipped."""
    facts = tmp_path / "facts.json"
    plan = {"query_kind": "weather", "freshness_required": True, "requires_multi_source": False}
    item = {"id": "a", "target_url": "https://a.example/", "title": "A", "source_type": "url"}
    facts.write_text(json.dumps({"plan": plan, "evidence": [item]}), encoding="utf-8")
    call = ["eval", "--gate", "evidence", "--facts", str(facts), "--explain"]
    ran = CliRunner().invoke(app, call)
    lines = ran.stdout.partition("valid until")[2].splitlines()
    said = [line.strip() for line in lines]
    assert "plan.query_kind  =  \"weather\"" in said
    assert not any(line.startswith(("shared  =", "params  =", "plan  =", "e  =", "x  =")) for line in said)
    skipped = [at for at, line in enumerate(said) if "): skipped" in line]
    assert skipped
    assert all(said[at + 1] == "" for at in skipped)
    why = "skipped, since this is false: plan.requires_multi_source && size(admitted) > 0"
    assert any(line.startswith("SUFF-SITES-01 (") and line.endswith(f"): {why}") for line in said)
    assert sum(line.endswith("not needed") for line in said) < len(said) / 10
    trace = json.loads(CliRunner().invoke(app, [*call, "--json"]).stdout)["trace"]
    assert any(step["text"] == "shared" for entry in trace for asked in entry["asked"] for step in asked["steps"])


def test_check_says_the_faults_of_test_files(tmp_path: Path) -> None:
    """A place without quotes in a flow list, and a rule that there is not; no case is run."""
    rules = tmp_path / "rules"
    assert CliRunner().invoke(app, ["init", str(rules)]).exit_code == 0
    file = rules / "tests" / "route.test.yaml"
    text = file.read_text(encoding="utf-8")
    case = "\n  one more:\n    expect:\n      outcome: deny\n      violations: {}\n"
    for lines, exit_code, told in (
        ("[]", 0, ""),
        ("[ROUTE-NOWHERE-01 @ evidence[0]]", 1, "tests/route.test.yaml:"),
        ('["ROUTE-NOWHERE-01 @ evidence[0]"]', 1, "ROUTE-NOWHERE-01"),
    ):
        file.write_text(text.rstrip() + case.format(lines), encoding="utf-8")
        checked = CliRunner().invoke(app, ["check", str(rules)])
        assert (checked.exit_code, told in checked.stderr) == (exit_code, True), checked.output
