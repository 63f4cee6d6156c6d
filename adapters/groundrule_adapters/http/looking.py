"""What can be looked at: the rules in force, runs and their receipts, and the state of the service."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from groundrule import __version__
from groundrule.facts.record import write_timestamp
from groundrule.gateway.ports import StoreUnavailable

from .exchange import CALL, Call
from .measures import KIND
from .problems import NO_STORE, NOT_FOUND, Problem
from .shapes import Fault, RulesInForce, RunEntry, Runs, State

router = APIRouter()


def _call(request: Request) -> Call:
    call: Call = request.scope[CALL]
    return call


CallOf = Annotated[Call, Depends(_call)]


@router.get("/v1/rules", operation_id="rules", tags=["rules"])
async def rules(call: CallOf) -> RulesInForce:
    """The rule set in force for the caller's tenant, and what is wrong with the files that lie there now."""
    in_force = call.tenant.in_force
    contracts: dict[str, list[str]] = {}
    for contract in in_force.rules.contracts:
        contracts.setdefault(contract.name, []).append(contract.version)
    return RulesInForce(
        name=in_force.rules.name,
        version=in_force.rules.version,
        revision=in_force.rules.revision,
        draft=in_force.rules.draft,
        loaded_at=write_timestamp(in_force.loaded_at),
        contracts=contracts,
        gates=list(in_force.rules.gates),
        warnings=[Fault(**warning.to_json()) for warning in in_force.rules.warnings],
        faults=[Fault(**fault) for fault in call.tenant.faults],
        servers_left_out=dict(call.tenant.left_out),
    )


@router.get("/v1/runs", operation_id="runs", tags=["runs"])
async def runs(call: CallOf, limit: Annotated[int, Query(ge=1, le=1_000)] = 50) -> Runs:
    """The latest runs of the caller's tenant, newest first."""
    try:
        found = await call.tenant.store.list_runs(limit)
    except StoreUnavailable as why:
        raise _no_store(call, why) from None
    return Runs(
        runs=[
            RunEntry(
                id=run.execution_id,
                started_at=run.started_at,
                status=run.status,
                reply_kind=run.reply_kind,
                question=run.question,
                revision=run.revision,
            )
            for run in found
        ]
    )


@router.get("/v1/runs/{run_id}", operation_id="run", tags=["runs"])
async def run(call: CallOf, run_id: Annotated[str, Path(max_length=200)]) -> dict[str, Any]:
    """The whole receipt of a run: question, plan, attempts, every decision with its facts, and the reply."""
    try:
        found = await call.tenant.store.get_run(run_id)
    except StoreUnavailable as why:
        raise _no_store(call, why) from None
    if found is None:
        raise Problem(NOT_FOUND, "there is no run of this id")
    return found


def _no_store(call: Call, why: StoreUnavailable) -> Problem:
    call.service.log.error("request %s: %s", call.id, why)
    return Problem(NO_STORE)


@router.get("/live", operation_id="live", tags=["state"])
async def live() -> State:
    """Whether the process serves requests."""
    return State(status="live", version=__version__)


@router.get("/ready", operation_id="ready", tags=["state"], responses={503: {"model": State}})
async def ready(request: Request, response: Response) -> State:
    """Whether questions can be answered: rules are in force, and receipts can be kept."""
    service = request.app.state.service
    reasons = await service.unready()
    if reasons:
        response.status_code = 503
    status: Literal["ready", "not ready"] = "not ready" if reasons else "ready"
    return State(status=status, version=__version__, reasons=[*reasons, *service.remarks()])


@router.get("/metrics", operation_id="metrics", tags=["state"], response_class=Response)
async def metrics(call: CallOf) -> Response:
    """The counters, in the text format of Prometheus."""
    return Response(call.service.measures.text(call.service.tenants.values()), media_type=KIND.decode())
