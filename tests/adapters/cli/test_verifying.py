"""`groundrule ground` and `groundrule read`, and what every command says of input that it cannot use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from groundrule import schema
from groundrule.facts.record import MAX_TEXT
from groundrule_adapters.cli.app import app

NOW = ["--now", "2026-04-15T08:00:00+08:00"]
HERE = [*NOW, "--zone", "Asia/Shanghai"]


def run(*call: str, given: bytes | str | None = None, **env: str) -> Result:
    return CliRunner().invoke(app, list(call), input=given, env=env)


def told(result: Result, name: str) -> dict[str, Any]:
    """The one JSON document of a command, which fits its schema."""
    found: dict[str, Any] = json.loads(result.stdout)
    assert [error.json_path for error in Draft202012Validator(schema(name)).iter_errors(found)] == []
    return found


def test_read_tells_numbers_and_times_with_their_places() -> None:
    """As an argument and from standard input alike."""
    text = "明天最高25℃"
    result = run("read", text, "--json", *HERE)
    assert result.exit_code == 0
    found = told(result, "readings")
    assert found["numbers"] == [
        {"start": 4, "end": 7, "text": "25℃", "kind": "number", "value": "25", "step": "1", "unit": "°C"}
    ]
    assert found["times"][0]["from"] == "2026-04-15T16:00:00.000000Z"
    assert told(run("read", "-", "--json", *HERE, given=text), "readings") == found


def test_read_shows_a_table_in_the_time_of_the_zone() -> None:
    """Without colour where the output is no terminal; what the text has of control characters shows as escapes."""
    result = run("read", "\x1b[2J明天最高25℃", *HERE)
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    assert r"\x1b[2J明天最高25℃" in result.stdout
    rows = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert "4–6 明天 time 2026-04-16 00:00 – 2026-04-17 00:00 relative to now" in rows
    assert "8–11 25℃ number 25 °C step 1" in rows
    assert run("read", "很好").stdout == "很好\nno numbers and no times\n"


def test_a_text_may_begin_like_an_option() -> None:
    """It is read, and a misspelt option beside it is a wrong call."""
    (number,) = told(run("read", "-5℃", "--json", *HERE), "readings")["numbers"]
    assert (number["start"], number["value"]) == (0, "-5")
    assert run("read", "-5℃", "--jsn").exit_code == 2


def test_read_ends_with_1_for_a_time_that_means_none() -> None:
    """And says why."""
    result = run("read", "03/04/2024", *HERE)
    assert result.exit_code == 1
    assert "refused" in result.stdout
    assert [each["text"] for each in told(run("read", "2月30日", "--json", *HERE), "readings")["refused"]] == ["2月30日"]


def test_a_long_text_is_shown_in_part_and_told_whole() -> None:
    """4,000 rows and characters for people, everything as JSON."""
    text = "7 a " * 5_000
    shown = run("read", "-", *HERE, given=text).stdout
    assert "… and 1000 more" in shown
    assert len(shown) < 500_000
    assert len(told(run("read", "-", "--json", *HERE, given=text), "readings")["numbers"]) == 5_000


def test_days_begin_in_the_zone_of_the_machine_where_none_is_named() -> None:
    """Asia/Shanghai where TZ names none."""
    for zone, expected in (("Europe/Berlin", "Europe/Berlin"), (":/etc/localtime", "Asia/Shanghai")):
        assert told(run("read", "1", "--json", TZ=zone), "readings")["zone"] == expected


# ground

FORECAST = {
    "id": "forecast",
    "execution_id": "run-7",
    "generated": False,
    "title": "广州天气",
    "target_url": "https://weather.example/guangzhou",
    "snippet": "广州明天多云，16到24℃。早上降雨12毫米，晚上降雨8毫米。",
    "retrieved_at": "2026-04-15T07:59:58+08:00",
}
FACTS: dict[str, Any] = {
    "question": {"language": "zh", "asked_at": "2026-04-15T08:00:00+08:00"},
    "context": {"zone": "Asia/Shanghai"},
    "run": {"execution_id": "run-7"},
    "evidence": [FORECAST],
}


def grounded(tmp_path: Path, text: str, facts: dict[str, Any], *options: str, code: int) -> dict[str, Any]:
    """What `ground --json` tells of an answer."""
    (tmp_path / "answer.txt").write_text(text, encoding="utf-8")
    call = ["ground", "--answer", str(tmp_path / "answer.txt"), "--facts", "-", "--json", *options]
    result = run(*call, given=json.dumps(facts), TZ="UTC")
    assert result.exit_code == code, result.output
    return told(result, "grounding")


def test_ground_tells_claims_with_their_operands_and_evidence(tmp_path: Path) -> None:
    """Kind, span, value, unit, status, operands, evidence; now and zone come from the facts."""
    text = "明天16到24℃[1]，降雨共20毫米，即12毫米和8毫米[1]。"
    found = grounded(tmp_path, text, FACTS, code=0)
    assert (found["now"], found["zone"]) == ("2026-04-15T00:00:00.000000Z", "Asia/Shanghai")
    assert found["handles"] == {"[1]": "forecast"}
    assert found["unchecked"] == found["not_grounding"] == found["answer"]["unclaimed_numbers"] == []
    claims = {claim["text"]: claim for claim in found["answer"]["claims"]}
    assert claims["明天"]["value"] == "2026-04-15T16:00:00.000000Z/2026-04-16T16:00:00.000000Z"
    total = claims["20毫米"]
    assert text[total["start"] : total["end"]] == "20毫米"
    assert (total["kind"], total["value"], total["unit"], total["status"]) == ("number", "20", "mm", "derived")
    assert (total["derivation"], total["evidence"]) == ("sum", ["forecast"])
    assert [(operand["text"], operand["evidence"]) for operand in total["operands"]] == [
        ("12毫米", "forecast"),
        ("8毫米", "forecast"),
    ]
    assert {claim["status"] for claim in claims.values()} == {"bound", "derived"}


def test_the_answer_that_is_told_is_a_fact_of_the_answer_gate(tmp_path: Path) -> None:
    """It can be put into facts, read from there, and tells the same again."""
    text = "明天16到24℃[weather]。带伞。"
    facts = {**FACTS, "answer": {"text": text, "citations": [{"handle": "[weather]", "evidence": "forecast"}]}}
    first = told(run("ground", "--facts", "-", "--json", given=json.dumps(facts)), "grounding")
    assert first["handles"] == {"[weather]": "forecast"}
    assert [piece["text"] for piece in first["unchecked"]] == ["带伞。"]
    again = grounded(tmp_path, text, {**FACTS, "answer": first["answer"]}, code=0)
    assert again == first


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("明天30℃[1]。", "a claim"),
        ("明天16到24℃[7]。", "a handle"),
        ("明天16到24℃，共⑱处[1]。", "a numeral"),
    ],
)
def test_ground_ends_with_1_where_something_does_not_hold(tmp_path: Path, text: str, reason: str) -> None:
    """A claim that is not bound, a handle of no item, a numeral that nobody reads."""
    answer = grounded(tmp_path, text, FACTS, code=1)["answer"]
    found = {
        "a claim": [claim for claim in answer["claims"] if claim["status"] not in ("bound", "derived")],
        "a handle": [citation for citation in answer["citations"] if "evidence" not in citation],
        "a numeral": answer["unclaimed_numbers"],
    }
    assert found[reason]


def test_an_answer_without_claims_holds_and_is_all_unchecked(tmp_path: Path) -> None:
    """That nothing was checked is said, not judged."""
    found = grounded(tmp_path, "适合出游。记得带伞。", FACTS, code=0)
    assert [piece["text"] for piece in found["unchecked"]] == ["适合出游。", "记得带伞。"]
    assert "no claims" in run("ground", "--facts", "-", given=json.dumps({**FACTS, "answer": {"text": "好。"}})).stdout


@pytest.mark.parametrize(
    "change",
    [{"generated": True}, {"execution_id": "run-6"}, {"target_url": None}, {"target_url": "http://10.0.0.1/"}],
    ids=["generated", "foreign", "no address", "internal"],
)
def test_items_that_may_not_ground_are_named(tmp_path: Path, change: dict[str, Any]) -> None:
    """Nothing rests on them, whatever they state."""
    found = grounded(tmp_path, "明天16到24℃。", {**FACTS, "evidence": [{**FORECAST, **change}]}, code=1)
    assert found["not_grounding"] == ["forecast"]
    assert {claim["status"] for claim in found["answer"]["claims"]} == {"unverified"}


def test_an_execution_that_the_facts_do_not_name_is_that_of_each_item(tmp_path: Path) -> None:
    """Facts without `run` are looked into as well."""
    facts = {key: value for key, value in FACTS.items() if key != "run"}
    assert grounded(tmp_path, "明天16到24℃。", facts, code=0)["not_grounding"] == []


def test_options_stand_in_for_the_facts(tmp_path: Path) -> None:
    """`--now` for when it was asked, `--zone` for the zone of the user."""
    there = ("--now", "2026-04-20T08:00:00+08:00", "--zone", "Europe/Berlin")
    found = grounded(tmp_path, "明天16到24℃。", FACTS, *there, code=1)
    assert (found["now"], found["zone"]) == ("2026-04-20T00:00:00.000000Z", "Europe/Berlin")
    bare = {"evidence": [FORECAST]}
    assert grounded(tmp_path, "16到24℃。", bare, code=0)["zone"] == "UTC"


def test_ground_shows_a_table_and_what_is_missing(tmp_path: Path) -> None:
    """With what stands against a contradicted claim, and control characters as escapes."""
    facts = {**FACTS, "evidence": [FORECAST, {**FORECAST, "id": "gen\x1b", "generated": True}]}
    answer = "明天最高24℃，降雨合计5毫米[1]。⑱带伞\x1b[7]。"
    (tmp_path / "facts.json").write_text(json.dumps(facts), encoding="utf-8")
    result = run("ground", "--facts", str(tmp_path / "facts.json"), "--answer", "-", given=answer)
    assert result.exit_code == 1
    assert "\x1b" not in result.stdout
    rows = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert "0–2 明天 date 2026-04-16 00:00 – 2026-04-17 00:00 bound 明天 [1]" in rows
    assert rows[-3:] == [
        "numbers in no claim: ⑱",
        r"items that nothing rests on: gen\x1b",
        r"not checked: ⑱带伞\x1b[7]。",
    ]
    assert "handles that stand for no item: [7]" in rows


def test_a_long_quotation_is_cut_in_its_row_alone() -> None:
    """Where items have no handle, their ids stand."""
    words = "cloudy with some sun, " * 4
    facts = {**FACTS, "evidence": [{**FORECAST, "snippet": words}], "answer": {"text": f"It said “{words}”."}}
    facts["answer"]["citations"] = [{"handle": "[other]", "evidence": "elsewhere"}]
    rows = [" ".join(line.split()) for line in run("ground", "--facts", "-", given=json.dumps(facts)).stdout.splitlines()]
    assert rows[0] == f"It said “{words}”."
    assert rows[3] == "8–98 “cloudy with some sun, cloudy with some… quote bound forecast"


def test_the_facts_of_a_run_are_looked_into(tmp_path: Path) -> None:
    """`runs show` has those of its answer gate, and `ground` comes to the verdict of the run."""
    env = {"GROUNDRULE_HOME": str(tmp_path)}
    assert run("ask", "Will it rain in Guangzhou in the next 5 days?", **env).exit_code == 0
    id = run("runs", **env).stdout.split()[0]
    kept = json.loads(run("runs", "show", id, "--json", **env).stdout)["gates"][-1]
    assert kept["gate"] == "answer"
    result = run("ground", "--facts", "-", "--now", kept["now"], "--json", given=json.dumps(kept["facts"]), **env)
    assert told(result, "grounding")["answer"] == kept["facts"]["answer"]
    assert result.exit_code == 0


def test_answer_and_facts_cannot_both_come_from_standard_input() -> None:
    """One of them would be empty."""
    result = run("ground", "--answer", "-", "--facts", "-", given="{}")
    assert (result.exit_code, "standard input" in result.stderr) == (2, True)


# Input that cannot be used

TOO_LARGE = b"1" * (10 << 20)
FILES = {"FACTS": {}, "ZONE": {"context": {"zone": "Mars/X"}}, "YEAR": {"question": {"asked_at": "0001-01-01T00:00:00Z"}}}


@pytest.mark.parametrize(
    ("call", "given", "place", "code"),
    [
        (["read", ""], None, "TEXT:1:1", "GR906"),
        (["read", "-"], b"", "<stdin>:1:1", "GR906"),
        (["read", "-"], b" \r\n\t", "<stdin>:1:1", "GR906"),
        (["read", "-"], b"a\n\xff\xfe", "<stdin>:2:1", "GR904"),
        (["read", "-"], b"\xed\xa0\x80", "<stdin>:1:1", "GR904"),
        (["read", "a\udcff"], None, "TEXT:1:1", "GR904"),
        (["read", "-"], TOO_LARGE, "<stdin>:1:1", "GR905"),
        (["read", "-"], b"1" * (MAX_TEXT + 1), "<stdin>:1:1", "GR905"),
        (["read", "1", "--zone", "Mars/X"], None, "--zone:1:1", "GR901"),
        (["read", "1", "--zone", ""], None, "--zone:1:1", "GR901"),
        (["read", "1", "--zone", "../etc/passwd"], None, "--zone:1:1", "GR901"),
        (["read", "1", "--zone", "a\0b"], None, "--zone:1:1", "GR901"),
        (["read", "1", "--now", "soon"], None, "--now:1:1", "GR902"),
        (["read", "1", "--now", "2026-04-15T08:00:00"], None, "--now:1:1", "GR902"),
        (["read", "1", "--now", "2026-02-30T08:00:00Z"], None, "--now:1:1", "GR902"),
        (["read", "1", "--now", "0001-01-01T00:00:00+14:00"], None, "--now:1:1", "GR902"),
        (["eval", "--gate", "plan", "--facts", "nosuch.json"], None, "nosuch.json:1:1", "GR903"),
        (["eval", "--gate", "plan", "--facts", "."], None, ".:1:1", "GR903"),
        (["eval", "--gate", "plan", "--facts", "a\0b"], None, r"a\x00b:1:1", "GR903"),
        (["eval", "--gate", "plan", "--facts", "-"], b"{\xff", "<stdin>:1:2", "GR904"),
        (["eval", "--gate", "plan", "--facts", "-"], b" " * (17 << 20), "<stdin>:1:1", "GR905"),
        (["eval", "--gate", "plan", "--facts", "-", "--now", "soon"], b"{}", "--now:1:1", "GR902"),
        (["eval", "--gate", "plan", "--facts", "-", "--as-of", "soon"], b"{}", "--as-of:1:1", "GR902"),
        (["expr", "1", "--gate", "plan", "--facts", "nosuch.json"], None, "nosuch.json:1:1", "GR903"),
        (["expr", "1", "--gate", "plan", "--now", "soon"], None, "--now:1:1", "GR902"),
        (["test", "--now", "soon"], None, "--now:1:1", "GR902"),
        (["ground", "--facts", "nosuch.json"], None, "nosuch.json:1:1", "GR903"),
        (["ground", "--facts", "-", "--answer", "nosuch.txt"], b'{"evidence": []}', "nosuch.txt:1:1", "GR903"),
        (["ground", "--facts", "FACTS", "--answer", "-"], b"\xff", "<stdin>:1:1", "GR904"),
        (["ground", "--facts", "FACTS", "--answer", "-"], b"\n", "<stdin>:1:1", "GR906"),
        (["ground", "--facts", "FACTS", "--answer", "-"], TOO_LARGE, "<stdin>:1:1", "GR905"),
        (["ground", "--facts", "FACTS"], None, "FACTS: answer.text:1:1", "GR906"),
        (["ground", "--facts", "-"], b" " * (17 << 20), "<stdin>:1:1", "GR905"),
        (["ground", "--facts", "-"], b"", "<stdin>:1:1", "GR907"),
        (["ground", "--facts", "-"], b"\x00", "<stdin>:1:1", "GR907"),
        (["ground", "--facts", "-"], b"\xef\xbb\xbf{}", "<stdin>:1:1", "GR907"),
        (["ground", "--facts", "-"], '{"汉汉": x}'.encode(), "<stdin>:1:8", "GR907"),
        (["ground", "--facts", "-"], b'{"evidence": [\n  {"id": 1,]}', "<stdin>:2:12", "GR907"),
        (["ground", "--facts", "-"], b'{"question": {"text": "a\n"}}', "<stdin>:2:1", "GR907"),
        (["ground", "--facts", "-"], b"[" * 100_000, "<stdin>:1:202", "GR907"),
        (["ground", "--facts", "-"], b'{"evidence": [{"id": "\\ud800"}]}', "<stdin>:1:29", "GR907"),
        (["ground", "--facts", "-"], b'{"evidence": [{"id": "a", "tittle": ""}]}', "<stdin>:1:1", "GR907"),
        (["ground", "--facts", "-"], b'{"evidence": [{"id": "a"}, {"id": "a"}]}', "<stdin>:1:1", "GR907"),
        (["ground", "--facts", "-"], b"null", "<stdin>:1:1", "GR907"),
        (["ground", "--facts", "-"], b'{"plan": {}}', "<stdin>:1:1", "GR908"),
        (["ground", "--facts", "ZONE", "--answer", "-"], b"1", "ZONE: context.zone:1:1", "GR901"),
        (["ground", "--facts", "YEAR", "--answer", "-"], b"1", "YEAR: question.asked_at:1:1", "GR902"),
        (["ground", "--facts", "FACTS", "--answer", "-", "--zone", "Mars/X"], b"1", "--zone:1:1", "GR901"),
        (["ground", "--facts", "FACTS", "--answer", "-", "--now", "soon"], b"1", "--now:1:1", "GR902"),
        (["ask", "a\udcff"], None, "QUESTION:1:1", "GR904"),
        (["ask", "天气", "--zone", "Mars/X"], None, "zone:1:1", "GR901"),
    ],
    ids=lambda value: " ".join(value).encode("ascii", "replace").decode().replace("\0", "0") if isinstance(value, list) else "",
)  # fmt: skip
def test_input_that_cannot_be_used_is_a_fault_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: list[str], given: bytes | None, place: str, code: str
) -> None:
    """Code, place, sentence and help; exit code 2, no traceback, and with `--json` one document."""
    monkeypatch.chdir(tmp_path)
    for name, facts in FILES.items():
        (tmp_path / name).write_text(json.dumps({"evidence": [], **facts}), encoding="utf-8")
    result = run(*call, given=given, GROUNDRULE_HOME=str(tmp_path))
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    first, *rest = result.stderr.splitlines()
    assert first.startswith(f"{place}: error {code}: ")
    assert rest[-1].startswith("    help: ")
    assert result.stdout == ""
    if call[0] != "test":
        (fault,) = json.loads(run(*call, "--json", given=given, GROUNDRULE_HOME=str(tmp_path)).stdout)["faults"]
        assert (f"{fault['file']}:{fault['line']}:{fault['column']}", fault["code"]) == (place, code)
        assert fault["message"]
        assert fault["help"]


def test_a_null_character_is_text_like_any_other() -> None:
    """It states nothing and moves no place."""
    (number,) = told(run("read", "-", "--json", *HERE, given=b"\x00 25%"), "readings")["numbers"]
    assert (number["start"], number["end"], number["value"]) == (2, 5, "25")
