"""`groundrule serve` and `groundrule keys`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from groundrule import RuleFileError

from ..service_settings import Role
from ..settings import ConfigError, read_settings
from . import shown

keys = typer.Typer(help="Keys of the HTTP service.", no_args_is_help=True)


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port; 0 takes a free one.", min=0, max=65_535)] = None,
    workers: Annotated[int | None, typer.Option(help="Processes.", min=1, max=64)] = None,
    settings: Annotated[Path | None, typer.Option(help="A groundrule.toml with the settings.")] = None,
) -> None:
    """Serve evaluate, explain and ask over HTTP."""
    try:
        from ..http import server
    except ImportError as why:
        shown.wrong_call(f"the HTTP service is not installed: {why}", 'pip install "groundrule[service]"')
    try:
        read = read_settings(settings)
        given = {name: value for name, value in (("host", host), ("port", port), ("workers", workers)) if value is not None}
        server.serve(replace(read, service=read.service.model_copy(update=given)), lambda text: typer.echo(text, err=True))
    except RuleFileError as why:
        shown.unusable(why, False)
    except ConfigError as why:
        shown.wrong_call(str(why))


@keys.command("new")
def new_key(
    name: Annotated[str, typer.Option(help="What the access log calls it.")] = "backend",
    role: Annotated[list[str] | None, typer.Option(help="What it may do; can be given several times.")] = None,
    tenant: Annotated[str, typer.Option(help="Whose rules and runs it works with.")] = "default",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print a fresh key, and the entry of groundrule.toml that lets it in. The key is shown once and kept nowhere."""
    from ..http.keys import digest_of
    from ..http.keys import new_key as fresh

    roles = role or ["evaluate", "ask"]
    known = Role.__args__  # type: ignore[attr-defined]
    for each in roles:
        if each not in known:
            shown.wrong_call(f"there is no role `{each}`", "roles: " + ", ".join(known))
    key = fresh()
    digest = digest_of(key)
    if as_json:
        shown.print_json({"key": key, "sha256": digest, "name": name, "roles": roles, "tenant": tenant})
        return
    listed = ", ".join(f'"{each}"' for each in roles)
    typer.echo(f"key: {key}\n")
    typer.echo(f'[[service.keys]]\nname = "{name}"\nsha256 = "{digest}"\nroles = [{listed}]')
    if tenant != "default":
        typer.echo(f'tenant = "{tenant}"')
