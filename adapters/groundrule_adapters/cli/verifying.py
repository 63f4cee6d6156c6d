"""`groundrule ground` and `groundrule read`: how authors look into a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from . import given, marked, shown

if TYPE_CHECKING:  # grounding takes a twelfth of a second to import, which other commands need not wait for
    from groundrule.facts.gates import AnswerFacts
    from groundrule.facts.readings import Grounding

Now = Annotated[str | None, typer.Option(help="What `today` is relative to, RFC 3339 with offset.")]
Zone = Annotated[str | None, typer.Option(help="IANA time zone in which days begin.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def ground(
    facts: Annotated[
        str, typer.Option(help="A JSON file with the facts of the gate evidence or answer, or - for standard input.")
    ],
    answer: Annotated[
        str | None, typer.Option(help="A file with the text of the answer, or -; `answer.text` of the facts if absent.")
    ] = None,
    now: Now = None,
    zone: Zone = None,
    as_json: AsJson = False,
) -> None:
    """Show the claims of an answer, what of the evidence each rests on, and what was not checked.

    Ends with 1 if a claim is unverified or contradicted, a number is in no claim, or a handle stands for no item.
    """
    if answer == facts == given.STDIN:
        shown.wrong_call("answer and facts cannot both come from standard input", "put one of them into a file")
    with given.told(as_json):
        name = given.name_of(facts)
        known = given.facts_with_evidence(given.facts_of(facts), name)
        text = given.text_of(answer) if answer is not None else _said(known, name)
        found = _grounding(text, known, _now(now, known, name), _zone(zone, known, name))
    if as_json:
        shown.print_json(found.model_dump(mode="json", by_alias=True, exclude_none=True))
    else:
        marked.print_grounding(found)
    raise typer.Exit(0 if _holds(found) else 1)


def read(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The text, or - for standard input.")],
    now: Now = None,
    zone: Zone = None,
    as_json: AsJson = False,
) -> None:
    """Show the numbers, units and time expressions of a text, as the verifier reads them.

    Ends with 1 if a time expression is refused: one that does not exist, or that can mean two times.
    """
    from groundrule.grounding.readings import readings

    with given.told(as_json):
        worded = given.text_of(text) if text == given.STDIN else given.text_worded(text, "TEXT")
        instant = given.reference(given.clock(now), "--now")
        found = readings(worded, instant, given.zone_or_machine(zone, "--zone"))
    if as_json:
        shown.print_json(found.model_dump(mode="json", by_alias=True, exclude_none=True))
    else:
        marked.print_readings(found)
    raise typer.Exit(1 if found.refused else 0)


def _said(facts: AnswerFacts, name: str) -> str:
    """The text of the answer that the facts have."""
    text = facts.answer.text if facts.answer is not None else None
    return given.text_worded(text or "", f"{name}: answer.text")


def _now(option: str | None, facts: AnswerFacts, name: str) -> datetime:
    """The instant of the option; else when the question was asked, as the facts say; else the present."""
    asked = facts.question.asked_at if facts.question is not None else None
    if option is None and asked is not None:
        return given.reference(asked, f"{name}: question.asked_at")
    return given.reference(given.clock(option), "--now")


def _zone(option: str | None, facts: AnswerFacts, name: str) -> str:
    """The zone of the option; else that of the user, as the facts say; else that of the machine."""
    if option is None and facts.context is not None and facts.context.zone is not None:
        return given.zone(facts.context.zone, f"{name}: context.zone")
    return given.zone_or_machine(option, "--zone")


def _grounding(text: str, facts: AnswerFacts, now: datetime, zone: str) -> Grounding:
    """The answer tied to those items that could be admitted: an execution that the facts do not name is that of each."""
    from groundrule.facts.readings import Grounding
    from groundrule.gateway.collect import can_ground
    from groundrule.grounding.claims import ground
    from groundrule.grounding.readings import unchecked

    evidence = facts.evidence or ()
    execution = facts.run.execution_id if facts.run is not None else None
    items = [item for item in evidence if can_ground(item, execution or item.execution_id)]
    language = facts.question.language if facts.question is not None else None
    handles, grounding = _handles(facts), {item.id for item in items}
    answer = ground(text, handles, items, now, zone, language or given.language_of(text))
    return Grounding(
        offsets="code points",
        now=now,
        zone=zone,
        handles=handles,
        not_grounding=tuple(item.id for item in evidence if item.id not in grounding),
        unchecked=unchecked(text, handles, answer.claims or ()),
        answer=answer,
    )


def _handles(facts: AnswerFacts) -> Mapping[str, str]:
    """The handles that the facts have already; where there are none, [1], [2] … for the items in order."""
    citations = (facts.answer.citations if facts.answer is not None else None) or ()
    told = {each.handle: each.evidence for each in citations if each.handle and each.evidence}
    return told or {f"[{count}]": item.id for count, item in enumerate(facts.evidence or (), 1)}


def _holds(found: Grounding) -> bool:
    """Whether everything that was read is bound or derived, and every handle stands for an item."""
    answer = found.answer
    return (
        all(claim.status in ("bound", "derived") for claim in answer.claims or ())
        and all(citation.evidence is not None for citation in answer.citations or ())
        and not answer.unclaimed_numbers
    )
