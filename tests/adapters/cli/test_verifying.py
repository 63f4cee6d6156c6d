"""`groundrule read`, and what every command says of input that it cannot use."""

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


TOO_LARGE = b"1" * (10 << 20)


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
