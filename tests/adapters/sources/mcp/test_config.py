"""Reading `mcp.json`: what is used, what is left out, and errors that name file, place and remedy."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.adapters.sources.mcp.errands import NOW, SHIPPED

from groundrule_adapters.sources.mcp import (
    McpConfigError,
    find_config,
    open_sources,
    parse_config,
    read_config,
    sample_config,
)


def only(text: str) -> str:
    """A configuration with one server of these keys."""
    return '{"mcpServers": {"news": {' + text + "}}}"


def test_the_file_is_found_by_precedence(tmp_path: Path) -> None:
    """The file named on the command line, else $GROUNDRULE_HOME, else the working folder, else none."""
    home, work, named = tmp_path / "home", tmp_path / "work", tmp_path / "named.json"
    home.mkdir()
    work.mkdir()
    env = {"GROUNDRULE_HOME": str(home)}
    assert find_config(None, env, work) is None
    (work / "mcp.json").write_text("{}")
    assert find_config(None, env, work) == work / "mcp.json"
    (home / "mcp.json").write_text("{}")
    assert find_config(None, env, work) == home / "mcp.json"
    assert find_config(None, {}, work) == work / "mcp.json"
    with pytest.raises(McpConfigError, match=r"named.json: there is no such file \(check the path given by --mcp\)"):
        find_config(named, env, work)
    named.write_text("{}")
    assert find_config(named, env, work) == named


def test_servers_keep_their_order_and_some_are_left_out() -> None:
    """The order of the file is the order of preference; disabled and remote servers are left out with a reason."""
    config = parse_config(
        """{"mcpServers": {
            "second": {"command": "b", "type": "stdio", "autoApprove": ["x"]},
            "off": {"command": "x", "disabled": true},
            "remote": {"url": "https://mcp.example/", "type": "http"},
            "former": {"url": "https://mcp.example/sse", "type": "sse"},
            "first": {"command": "a", "args": ["-v"], "tools": ["search"], "read_only": true, "timeout": 2.5}
        }}""",
        "mcp.json",
    )
    assert [server.name for server in config.servers] == ["second", "remote", "first"]
    assert set(config.skipped) == {"off", "former"}
    first = config.servers[2]
    assert (first.entry.tools, first.entry.read_only, first.mapping) == (["search"], True, "first")
    assert first.timeout is not None
    assert first.timeout.total_seconds() == 2.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"mcpServers": {}', "mcp.json: 1:18: not valid JSON"),
        ("[]", "mcp.json: mcpServers: there is no object of servers"),
        ('{"mcpServers": {"a": {}, "a": {}}}', "the key `a` stands twice"),
        ('{"mcpServers": NaN}', "`NaN` is not JSON"),
        ("[" * 100_000, "not usable as configuration"),
        ('{"mcpServers": {"a": 1}}', "mcp.json: mcpServers.a: a server is an object"),
        ('{"mcpServers": {"a\\u0007": {"command": "x"}}}', "a server's name has 1 to 64 printable characters"),
        (only('"args": []'), "mcp.json: mcpServers.news.command: Field required"),
        (only('"command": ""'), "mcp.json: mcpServers.news.command: String should have at least 1 character"),
        (only('"command": "x", "args": ["a", 1]'), "mcp.json: mcpServers.news.args[1]: Input should be a valid string"),
        (only('"command": "x", "tool": ["a"]'), "mcp.json: mcpServers.news.tool: unknown key `tool`"),
        (only('"command": "x", "tool": ["a"]'), "did you mean `tools`?"),
        (only('"command": "x", "timeout": 0'), "mcp.json: mcpServers.news.timeout: Input should be greater than 0"),
        (only('"command": "x", "timeout": "9"'), "mcp.json: mcpServers.news.timeout: Input should be a valid number"),
        (only('"command": "x", "read_only": "no"'), "mcpServers.news.read_only: Input should be a valid boolean"),
    ],
)
def test_a_bad_file_is_one_clear_error(text: str, message: str) -> None:
    """The error names the file, the place and what is wrong; a misspelt key of ours is not ignored."""
    with pytest.raises(McpConfigError) as caught:
        parse_config(text, "mcp.json")
    assert message in str(caught.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    """A folder, bytes that are no text, and a file that is too large are errors of the same kind."""
    bad, large = tmp_path / "bad.json", tmp_path / "large.json"
    bad.write_bytes(b'{"mcpServers": "\xff"}')
    large.write_bytes(b" " * ((1 << 20) + 1))
    for path, message in ((tmp_path, "cannot be read"), (bad, "byte 16: the file is not UTF-8"), (large, "1 MiB")):
        with pytest.raises(McpConfigError, match=message):
            read_config(path)


def test_variables_are_replaced_in_command_args_cwd_and_env() -> None:
    """A default stands in for a variable that is unset or empty; everything else stays as written."""
    (server,) = parse_config(
        only(
            '"command": "${BIN}/serve", "args": ["--in=${PLACE:-/srv}", "${EMPTY:-x}${BIN}", "$HOME {a}"],'
            '"cwd": "${BIN}", "env": {"KEY": "${KEY}"}'
        ),
        "mcp.json",
    ).servers
    launch = server.reach({"BIN": "/opt", "EMPTY": "", "KEY": "k-123456", "PATH": "/bin", "OTHER": "x"})
    assert (launch.command, launch.cwd) == ("/opt/serve", "/opt")
    assert launch.args == ("--in=/srv", "x/opt", "$HOME {a}")
    assert launch.env == {"PATH": "/bin", "KEY": "k-123456"}
    assert "k-123456" not in repr(launch)
    assert launch.redacted("bad key k-123456!") == "bad key ***!"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('"command": "x", "args": ["a", "${NOWHERE}"]', "mcpServers.news.args[1]: the environment variable `NOWHERE`"),
        ('"command": "x", "env": {"KEY": "${NOWHERE}-${HAVE}"}', "mcpServers.news.env.KEY: the environment variable"),
        ('"command": "x", "args": ["${HAVE"]', "mcpServers.news.args[0]: a `${` that is no variable"),
        ('"command": "x", "args": ["${a b}"]', "write ${NAME} or ${NAME:-default}"),
        ('"command": "x", "args": ["${NOWHERE}"]', "set NOWHERE, or write ${NOWHERE:-default}"),
    ],
)
def test_a_missing_variable_is_named_and_no_value_is(entry: str, message: str) -> None:
    """The error names the variable and where it is used, and shows no value of any other."""
    (server,) = parse_config(only(entry), "mcp.json").servers
    with pytest.raises(McpConfigError) as caught:
        server.reach({"HAVE": "sesame-1234"})
    assert message in str(caught.value)
    assert "sesame" not in str(caught.value)


def test_sources_are_opened_for_mapped_servers_only() -> None:
    """A server without mapping is left out with the place where it belongs; its variables are not asked for."""
    mappings = SHIPPED
    config = parse_config(
        """{"mcpServers": {
            "files": {"command": "x", "env": {"KEY": "${NOWHERE}"}},
            "web": {"command": "y", "mapping": "mcp-server-fetch"},
            "sample": {"command": "z"}
        }}""",
        "mcp.json",
    )
    opened = open_sources(config, mappings, {}, lambda: NOW)
    assert [source.name for source in opened.sources] == ["mcp:web", "mcp:sample"]
    assert [source.sample_data for source in opened.sources] == [False, True]
    assert "mappings/files.yaml" in opened.left_out["files"]


def test_without_configuration_there_are_the_sample_server_and_its_backup() -> None:
    """In this order, both under the mapping of the sample."""
    opened = open_sources(sample_config("python"), SHIPPED, {}, lambda: NOW)
    assert [source.name for source in opened.sources] == ["mcp:sample", "mcp:sample-backup"]
    assert all(source.sample_data for source in opened.sources)


def test_a_mapping_that_is_named_must_exist() -> None:
    """A misspelt mapping is an error, not a server that silently drops out."""
    config = parse_config(only('"command": "x", "mapping": "smaple"'), "mcp.json")
    with pytest.raises(McpConfigError, match=r"mcpServers\.news\.mapping: there is no mapping `smaple`"):
        open_sources(config, SHIPPED, {}, lambda: NOW)
