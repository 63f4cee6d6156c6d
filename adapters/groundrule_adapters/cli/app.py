"""The commands."""

from __future__ import annotations

import typer

from . import asking, authoring, judging, running, servers, serving, starting, verifying

app = typer.Typer(
    name="groundrule",
    help="Contracts for what an assistant may say.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("ask")(asking.ask)
app.command("eval")(judging.evaluate_facts)
app.command("expr")(judging.expression)
app.command("ground")(verifying.ground)
app.command("read", context_settings={"ignore_unknown_options": True})(verifying.read)  # a text may begin with -5℃
app.command("check")(authoring.check_rules)
app.command("test")(authoring.test_rules)
app.command("pack")(authoring.pack)
app.command("init")(starting.init)
app.add_typer(starting.new, name="new")
app.command("schema")(authoring.print_schema)
app.add_typer(running.runs, name="runs")
app.command("serve")(serving.serve)
app.add_typer(serving.keys, name="keys")
app.add_typer(servers.servers, name="mcp")
app.command("version")(running.version)
