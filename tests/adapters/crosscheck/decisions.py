"""A decision that allows with one admitted item, and workers to put it to."""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path

from tests.engine.gateway.small_parts import CONTEXT, NOW, PLAN, page
from tests.engine.gateway.small_rules import rules

from groundrule import Decision, evaluate
from groundrule.facts import Run
from groundrule.gateway.trail import plain
from groundrule_adapters.crosscheck.durable import DurableCrossCheck
from groundrule_adapters.crosscheck.supervisor import WORKER, Worker

LONG = timedelta(seconds=30)
WITHOUT_PACKAGES = (WORKER[0], "-I", "-S", WORKER[-1])


def allowed() -> Decision:
    """Evidence of one item, which is admitted."""
    run = plain(Run(execution_id="x1", adapters_left=()))
    facts = {"plan": plain(PLAN), "context": plain(CONTEXT), "run": run, "evidence": [plain(page("p1"))]}
    decision = evaluate(rules(), "evidence", facts, NOW)
    assert (decision.outcome, decision.admitted) == ("allow", ("p1",))
    return decision


def faulty(mode: str, folder: Path, *, enforced: bool = True, deadline: timedelta = LONG) -> DurableCrossCheck:
    """A cross-check with a worker that does what the mode says."""
    script = Path(__file__).with_name("faulty_worker.py")
    worker = Worker((sys.executable, "-I", str(script), mode, str(folder / "crashed")))
    return DurableCrossCheck(enforced, worker, deadline)
