"""`groundrule.toml`, the environment above it, arguments above both; every fault is named with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundrule_adapters.settings import SettingsError, read_settings


def written(folder: Path, text: str | bytes, name: str = "groundrule.toml") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_without_a_file_nothing_is_set_and_nothing_external_is_switched_on(tmp_path: Path) -> None:
    """No model, no live search, no private address."""
    settings = read_settings(env={}, cwd=tmp_path)
    assert (settings.rules, settings.mcp, settings.home, settings.zone) == (None, None, None, None)
    assert settings.cross_check == "off"
    assert not settings.model.usable
    assert not settings.live.enabled
    assert settings.fetch.allow_addresses == ()


def test_the_environment_stands_above_the_file_and_arguments_above_both(tmp_path: Path) -> None:
    """Paths of the file are meant from the file's folder."""
    file = written(tmp_path / "etc", 'zone = "UTC"\nrules = "mine"\n[model]\nmodel = "a"\nbase_url = "http://h/v1"\n')
    env = {"GROUNDRULE_MODEL": "b", "GROUNDRULE_ZONE": "Asia/Tokyo", "GROUNDRULE_MODEL_BASE_URL": ""}
    settings = read_settings(file, env, tmp_path, mcp=tmp_path / "x.json", zone=None)
    assert settings.rules == tmp_path / "etc" / "mine"
    assert settings.zone == "Asia/Tokyo"
    assert (settings.model.model, settings.model.base_url) == ("b", "http://h/v1")
    assert settings.mcp == tmp_path / "x.json"
    assert read_settings(file, env, tmp_path, zone="UTC").zone == "UTC"


def test_the_cross_check_has_three_settings_and_no_other(tmp_path: Path) -> None:
    """A word that is none of them is a fault, never `off`."""
    for mode in ("off", "shadow", "enforce"):
        assert read_settings(written(tmp_path, f'cross_check = "{mode}"'), {}, tmp_path).cross_check == mode
    assert read_settings(env={"GROUNDRULE_CROSS_CHECK": "enforce"}, cwd=tmp_path).cross_check == "enforce"
    for wrong in ('"on"', "true", '"Enforce"'):
        with pytest.raises(SettingsError) as caught:
            read_settings(written(tmp_path, f"cross_check = {wrong}"), {}, tmp_path)
        assert caught.value.place == "cross_check"


def test_the_home_of_the_operator_comes_before_the_working_folder(tmp_path: Path) -> None:
    """A file of the working folder serves only where the home has none."""
    written(tmp_path / "here", 'zone = "UTC"')
    env = {"GROUNDRULE_HOME": str(tmp_path / "home")}
    assert read_settings(env=env, cwd=tmp_path / "here").zone == "UTC"
    written(tmp_path / "home", 'zone = "Asia/Shanghai"')
    assert read_settings(env=env, cwd=tmp_path / "here").zone == "Asia/Shanghai"


def test_a_secret_comes_from_the_environment_and_is_never_shown(tmp_path: Path) -> None:
    """Neither repr nor a fault beside it shows a key."""
    file = written(tmp_path, '[model]\nbase_url = "http://h/v1"\nmodel = "m"\napi_key = "${KEY}"\n')
    settings = read_settings(file, {"KEY": "s3cret-value"}, tmp_path)
    assert settings.model.api_key is not None
    assert settings.model.api_key.get_secret_value() == "s3cret-value"
    assert "s3cret" not in repr(settings)
    with pytest.raises(SettingsError) as caught:
        read_settings(file, {"KEY": "s3cret-value", "GROUNDRULE_MODEL_BASE_URL": "ftp://s3cret-value"}, tmp_path)
    assert caught.value.place == "model.base_url"
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("[model]\nmodle = 1", "model.modle", "unknown key `modle` (did you mean `model`?)"),
        ("[modl]\n", "modl", "unknown key `modl` (did you mean `model`?)"),
        ('[model]\napi_key = "${NO_KEY}"', "model.api_key", "`NO_KEY` is not set"),
        ("[model]\ntimeout = 0", "model.timeout", "greater than 0"),
        ('[model]\nmodel = "m"', "model", "model.base_url is not set"),
        ('[model]\nbase_url = "http://h/v1"', "model", "model.model is not set"),
        ('[model]\nmodel = "m"\nbase_url = "http://me:secret@h/v1"', "model.base_url", "without user"),
        ('[model]\nmodel = "m"\nbase_url = "http://h/v1?key=secret"', "model.base_url", "without user, query"),
        ('[model]\napi_key = "two\\nlines"', "model.api_key", "one line of visible ASCII"),
        ('[model]\nleave_out = ["tempratur"]', "model.leave_out[0]", "'temperature', 'max_tokens' or 'response_format'"),
        ("[model]\nmax_evidence = 0", "model.max_evidence", "greater than or equal to 500"),
        ('[model]\non_failure = "ignore"', "model.on_failure", "'refuse' or 'offline'"),
        ('[fetch]\nallow_addresses = ["127.0.0.0/99"]', "fetch.allow_addresses[0]", "valid"),
        ("model = 3", "model", "valid"),
        ("a = ", "", "not valid TOML"),
        (b"a = '\xff'", "byte 5", "not UTF-8"),
        (b"#" * (1 << 20) + b"#", "", "larger than 1 MiB"),
    ],
)
def test_a_faulty_file_is_refused_with_the_place_of_the_fault(
    tmp_path: Path, text: str | bytes, place: str, said: str
) -> None:
    """A setting that cannot be read is never replaced by its default."""
    file = written(tmp_path, text)
    with pytest.raises(SettingsError) as caught:
        read_settings(file, {}, tmp_path)
    assert caught.value.place == place
    assert said in str(caught.value)


def test_a_file_that_was_named_must_be_there(tmp_path: Path) -> None:
    """A mistyped path does not mean no settings."""
    with pytest.raises(SettingsError, match="no such file"):
        read_settings(tmp_path / "nowhere.toml", {}, tmp_path)


def test_a_variable_cannot_hide_a_section_that_is_none(tmp_path: Path) -> None:
    """`model = 3` stays a fault whatever the environment sets."""
    with pytest.raises(SettingsError):
        read_settings(written(tmp_path, "model = 3"), {"GROUNDRULE_MODEL": "m"}, tmp_path)
