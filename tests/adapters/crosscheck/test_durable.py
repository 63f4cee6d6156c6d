"""durable-rules itself, in its process: it comes to our decisions, on all that its rules can be given."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
import resource
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.adapters.crosscheck.decisions import LONG, allowed
from tests.engine.rules.derivation import derived, follows
from tests.engine.rules.programs import NOW
from tests.engine.rules.rule_sets import facts
from tests.engine.rules.test_differential import GATES, written
from typer.testing import CliRunner

from groundrule import Context, Question, evaluate
from groundrule.rules.readings import Reading, Readings
from groundrule_adapters import Settings, open_gateway
from groundrule_adapters.cli.app import app
from groundrule_adapters.crosscheck import worker as dialect
from groundrule_adapters.crosscheck.durable import DurableCrossCheck, _grouped
from groundrule_adapters.crosscheck.supervisor import Worker, WorkerFault

pytestmark = pytest.mark.durable
TRUTHS = ("true", "false", "undecided")
EFFECTS = ("deny", "clarify", "confirm", "fallback", "oblige", "reject", "warn")
PROMISES = ("none", "kept", "missing", "undecided")
ALL = [
    Reading(0, *tokens)  # type: ignore[arg-type]  # words of the Literals
    for tokens in itertools.product(EFFECTS, (True, False), ("require", "forbid"), TRUTHS, TRUTHS, TRUTHS, PROMISES)
]
"""Every reading that there can be."""


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    """The real worker."""
    with closing(Worker()) as opened:
        opened.open(LONG)
        yield opened


@pytest.fixture
def check(worker: Worker) -> DurableCrossCheck:
    """The real cross-check, which may be slow on a busy machine."""
    return DurableCrossCheck(True, worker, LONG)


def told(worker: Worker, found: Readings) -> tuple[str, tuple[str, ...]]:
    """Outcome and admitted items as the worker has them."""
    groups = _grouped(found)
    left = "some" if found.adapters_left else "none"
    answer = worker.ask({"readings": list(map(dict, groups)), "left": left}, LONG)
    rejected = {at for index in answer["rejecting"] for at in list(groups.values())[index]}
    return answer["outcome"], tuple(id for at, id in enumerate(found.items) if at not in rejected)


@pytest.mark.parametrize("left", [True, False])
def test_every_single_reading_leads_to_what_it_should(worker: Worker, left: bool) -> None:
    """The whole space of tokens, one reading at a time: 3,024 readings."""
    assert len(ALL) == 3_024
    for reading in ALL:
        found = Readings((reading,), ("e",), left)
        assert told(worker, found) == derived(found), reading


def test_readings_together_lead_to_what_they_should(worker: Worker) -> None:
    """Random ones that have effects, and those that have none beside them, in any order."""
    random = Random(7)
    strong = {left: [one for one in ALL if follows(one, left)] for left in (True, False)}
    outcomes: Counter[str] = Counter()
    for _ in range(1_000):
        left = random.random() < 0.5
        effects = random.sample(EFFECTS, random.randint(0, 3))
        chosen = [one for one in random.sample(strong[left], 12) if one.effect in effects]
        chosen += [one for one in random.sample(ALL, 12) if not follows(one, left)]
        random.shuffle(chosen)
        placed = tuple(Reading(random.randint(0, 4), *list(vars(one).values())[1:]) for one in chosen)
        found = Readings(placed, tuple("abcde"), left)
        expected = derived(found)
        assert told(worker, found) == expected, placed
        outcomes[expected[0]] += 1
    assert set(outcomes) == {"deny", "clarify", "confirm", "fallback", "allow"}


@pytest.mark.parametrize("gate", GATES)
def test_random_decisions_are_confirmed(check: DurableCrossCheck, gate: str) -> None:
    """Compiled rules, their interpreter and the chainer agree."""
    outcomes: Counter[str] = Counter()
    for seed in range(80):
        random = Random(seed)
        _, rules = written(random, gate)
        if rules is None:
            continue
        for can in ((), ("as_of",)) * 2:
            decision = evaluate(rules, gate, facts(random, gate), NOW, can=can)
            assert check.compare(decision) is None, (gate, seed, decision)
            outcomes[decision.outcome] += 1
    assert outcomes["allow"]
    assert len(outcomes) > 1


def test_every_shipped_case_is_confirmed() -> None:
    """As the command does it."""
    result = CliRunner().invoke(app, ["test", "--cross-check", "--json"])
    report = json.loads(result.stdout)
    assert (result.exit_code, report["failed"], report["passed"]) == (0, 0, True)
    assert report["cases"] >= 242


def test_a_wrong_decision_is_disputed(check: DurableCrossCheck) -> None:
    """A decision that says allow where the readings do not."""
    disputed = 0
    for seed in range(20):
        random = Random(seed)
        _, rules = written(random, "evidence")
        if rules is None:
            continue
        decision = evaluate(rules, "evidence", facts(random, "evidence"), NOW)
        changed = decision.outcome != "allow"
        decision._outcome = "allow"
        assert decision.outcome == "allow"
        assert (check.compare(decision) is not None) is changed
        disputed += changed
    assert disputed > 5


def test_a_killed_worker_costs_one_decision(check: DurableCrossCheck, worker: Worker) -> None:
    """SIGKILL between two questions."""
    assert worker._process is not None
    os.kill(worker._process.pid, 9)
    worker._process.wait()
    assert check.compare(allowed()) is not None
    assert check.compare(allowed()) is None


@pytest.mark.parametrize(
    "change",
    [{"when": None}, {"when": "maybe"}, {"when": ["true"]}, {"when": True}, {"id": "f0"}, {"$forward": "1"}, {"kind": "go"}],
    ids=str,
)
def test_only_words_of_the_dialect_reach_the_chainer(worker: Worker, change: dict[str, Any]) -> None:
    """Nothing else is posted: the worker ends, whatever authors or pages could have put there."""
    good = dict(next(iter(_grouped(Readings((ALL[0],), (), True)))))
    bad = {name: value for name, value in {**good, **change}.items() if value is not None}
    for readings in ([bad], [good, bad], [good] * (dialect.MAX_FACTS + 1)):
        with pytest.raises(WorkerFault, match="the worker ended with code 1"):
            worker.ask({"readings": readings, "left": "some"}, LONG)
    assert worker.ask({"readings": [good] * dialect.MAX_FACTS, "left": "some"}, LONG)["outcome"] == "allow"


def test_the_worker_has_little_memory_and_writes_nothing(worker: Worker) -> None:
    """Address space, core files and files are limited."""
    worker.open(LONG)
    assert worker._process is not None
    limits = [resource.prlimit(worker._process.pid, what)[0] for what in (resource.RLIMIT_AS, resource.RLIMIT_CORE)]
    assert limits == [dialect.MEMORY, 0]
    assert resource.prlimit(worker._process.pid, resource.RLIMIT_FSIZE)[0] == 0


def test_no_two_names_have_one_hash() -> None:
    """durable-rules tells properties and ids apart by a 32-bit hash alone: ours and its own differ in it."""
    written = json.dumps([dialect.VIOLATED, dialect.FOLLOWS, dialect.OUTCOME])
    names = {*re.findall(r'"([^"]+)":', written), "id", "sid", "$s", "$m", "$i", "$forward", "go", "sentinel"}
    ids = {"go", *(f"f{index}" for index in range(dialect.MAX_FACTS))}
    for words in (names, ids):
        assert len({fnv(word) for word in words}) == len(words)


def fnv(word: str) -> int:
    """FNV-1a with 32 bits."""
    hashed = 2_166_136_261
    for byte in word.encode():
        hashed = (hashed ^ byte) * 16_777_619 & 0xFFFFFFFF
    return hashed


def test_a_gateway_with_enforced_cross_check_answers(tmp_path: Path) -> None:
    """The whole product with the real worker, and its receipts."""
    settings = Settings(home=tmp_path, zone="Asia/Shanghai", cross_check="enforce", env={}, cwd=tmp_path)
    text = "帮我看看未来 5 天的广州天气如何"

    async def run() -> Any:
        async with open_gateway(settings) as gateway:
            question = Question(id="q", text=text, language="zh", asked_at=datetime.now(NOW.tzinfo))
            reply = await gateway.ask(question, Context(zone="Asia/Shanghai", channel="test"))
            return reply, await gateway.store.get_run(reply.execution_id or "")

    reply, run_ = asyncio.run(run())
    assert reply.status == "answered"
    assert [note for note in run_["notes"] if note["step"] == "cross-check"] == []
