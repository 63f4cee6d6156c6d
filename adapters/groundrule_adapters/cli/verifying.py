"""`groundrule read`: how authors look into a verdict."""

from __future__ import annotations

from typing import Annotated

import typer

from groundrule.grounding.readings import readings

from . import given, marked, shown

Now = Annotated[str | None, typer.Option(help="What `today` is relative to, RFC 3339 with offset.")]
Zone = Annotated[str | None, typer.Option(help="IANA time zone in which days begin.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def read(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The text, or - for standard input.")],
    now: Now = None,
    zone: Zone = None,
    as_json: AsJson = False,
) -> None:
    """Show the numbers, units and time expressions of a text, as the verifier reads them.

    Ends with 1 if a time expression is refused: one that does not exist, or that can mean two times.
    """
    with given.told(as_json):
        worded = given.text_of(text) if text == given.STDIN else given.text_worded(text, "TEXT")
        instant = given.reference(given.clock(now), "--now")
        found = readings(worded, instant, given.zone_or_machine(zone, "--zone"))
    if as_json:
        shown.print_json(found.model_dump(mode="json", by_alias=True, exclude_none=True))
    else:
        marked.print_readings(found)
    raise typer.Exit(1 if found.refused else 0)
