"""The worker process: durable-rules derives outcome and rejected items from tokens, one line of JSON at a time.

It is run as a file, imports nothing of ours, and holds no more of durable-rules than a few functions of its C module
on rules that never change: equality of short tokens, a trigger posted last, one negation, no joins. Whatever is not
as expected ends the process; the supervisor takes that for a disagreement.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

MEMORY = 256 << 20
"""Bytes of address space."""
MAX_FACTS = 200
SID = "s"
Fact = Mapping[str, str]
TRUTHS = ("true", "false", "undecided")
TOKENS = {
    "effect": ("deny", "clarify", "confirm", "fallback", "oblige", "reject", "warn"),
    "watched": ("yes", "no"),
    "sense": ("require", "forbid"),
    "when": TRUTHS,
    "holds": TRUTHS,
    "waiver": TRUTHS,
    "promise": ("none", "kept", "missing", "undecided"),
}
"""The properties of a reading, each of which is always there, and everything that they can be."""


def any_of(name: str, *tokens: str) -> dict[str, Any]:
    """A property that is one of some tokens."""
    return {"$or": [{name: token} for token in tokens]}


def all_of(kind: str, *conditions: dict[str, Any]) -> dict[str, Any]:
    """A fact of a kind for which everything holds."""
    return {"$and": [{"kind": kind}, *conditions]}


def rule(condition: dict[str, Any] | None = None, unless: dict[str, Any] | None = None, **go: str) -> dict[str, Any]:
    """The trigger first, then the fact, then what there must not be."""
    patterns: list[dict[str, Any]] = [{"go": all_of("go", *({name: token} for name, token in go.items()))}]
    patterns += [] if condition is None else [{"fact": condition}]
    patterns += [] if unless is None else [{"other$not": unless}]
    return {"all": patterns}


ASKED = any_of("when", "true", "undecided")
STANDS = ({"watched": "no"}, {"$or": [{"decided": "no"}, {"waiver": "false"}, {"waiver": "undecided"}]})
BROKEN_PROMISE = any_of("promise", "missing", "undecided")

VIOLATED = {
    "not required": rule(all_of("reading", ASKED, {"sense": "require"}, {"holds": "false"})),
    "forbidden": rule(all_of("reading", ASKED, {"sense": "forbid"}, {"holds": "true"})),
    "undecided": rule(all_of("reading", ASKED, {"holds": "undecided"})),
    "seen": rule({"kind": "reading"}),
}
FOLLOWS = {
    "deny": rule(all_of("violation", *STANDS, {"effect": "deny"})),
    "clarify": rule(all_of("violation", *STANDS, {"effect": "clarify"})),
    "confirm": rule(all_of("violation", *STANDS, {"effect": "confirm"})),
    "fallback": rule(all_of("violation", *STANDS, {"effect": "fallback"}), left="some"),
    "nothing left": rule(all_of("violation", *STANDS, {"effect": "fallback"}), left="none"),
    "promise": rule(all_of("violation", *STANDS, {"effect": "oblige"}, BROKEN_PROMISE)),
    "reject": rule(all_of("violation", *STANDS, {"effect": "reject"})),
    "seen": rule({"kind": "violation"}),
}
OUTCOME = {
    "deny": rule(all_of("effect", {"is": "deny"})),
    "clarify": rule(all_of("effect", {"is": "clarify"}), all_of("effect", {"is": "deny"})),
    "confirm": rule(all_of("effect", {"is": "confirm"}), all_of("effect", any_of("is", "deny", "clarify"))),
    "fallback": rule(all_of("effect", {"is": "fallback"}), all_of("effect", any_of("is", "deny", "clarify", "confirm"))),
    "allow": rule(None, all_of("effect", any_of("is", "deny", "clarify", "confirm", "fallback"))),
    "seen": rule({"kind": "effect"}),
}
DENIES = {"nothing left": "deny", "promise": "deny"}


class Stratum:
    """One set of rules over the facts of one kind. Negation only ever looks at these, never at what is derived."""

    def __init__(self, engine: Any, name: str, rules: Mapping[str, Any]) -> None:
        self._engine = engine
        self._handle = engine.create_ruleset(name, json.dumps({**rules, "sentinel": rule()}))

    def derive(self, facts: Sequence[Fact], go: Fact) -> list[tuple[str, int]]:
        """What fires: names of rules, with the index of the fact. Raises whatever is not as expected."""
        fired = list(self._fired(facts, go))
        seen = sorted(index for name, index in fired if name == "seen")
        if seen != list(range(len(facts))) or ("sentinel", -1) not in fired:
            raise RuntimeError("not every fact was seen")
        return [found for found in fired if found[0] not in ("seen", "sentinel")]

    def _fired(self, facts: Sequence[Fact], go: Fact) -> Iterator[tuple[str, int]]:
        for index, fact in enumerate(facts):
            self._post({**fact, "id": f"f{index}"})
        state = self._post({**go, "kind": "go", "id": "go"})
        started = self._engine.start_action_for_state(self._handle, state)
        matches = None if started is None else started[1]
        cap = 4 * len(facts) + 8
        while matches is not None:
            for name, matched in json.loads(matches).items():
                yield name, int(matched["fact"]["id"][1:]) if "fact" in matched else -1
            cap -= 1
            if cap < 0:
                raise RuntimeError("too many firings")
            matches = self._engine.complete_and_start_action(self._handle, state)
        self._engine.delete_state(self._handle, SID)

    def _post(self, fact: Fact) -> int:
        code, state = self._engine.assert_fact(self._handle, json.dumps({**fact, "sid": SID}))
        if code != 0:
            raise RuntimeError(f"a fact was not taken: code {code}")
        return int(state)


class Chain:
    """The three strata: what is violated, what follows from it, what the gate says."""

    def __init__(self, engine: Any) -> None:
        self._violated = Stratum(engine, "violated", VIOLATED)
        self._follows = Stratum(engine, "follows", FOLLOWS)
        self._outcome = Stratum(engine, "outcome", OUTCOME)

    def decide(self, readings: Sequence[Fact], left: str) -> dict[str, Any]:
        """The outcome, and the indices of the readings that reject."""
        if len(readings) > MAX_FACTS or left not in ("some", "none") or not all(map(is_reading, readings)):
            raise RuntimeError("not of the dialect")
        violated = self._violated.derive([{**reading, "kind": "reading"} for reading in readings], {})
        violations = [
            {**readings[index], "kind": "violation", "decided": "no" if name == "undecided" else "yes"}
            for name, index in violated
        ]
        follows = self._follows.derive(violations, {"left": left})
        effects = sorted({DENIES.get(name, name) for name, _ in follows})
        said = self._outcome.derive([{"kind": "effect", "is": name} for name in effects], {})
        (outcome,) = {name for name, _ in said}
        rejecting = sorted(violated[index][1] for name, index in follows if name == "reject")
        return {"outcome": outcome, "rejecting": rejecting}


def is_reading(reading: Fact) -> bool:
    """Whether something has exactly the properties of a reading, with words that they can be."""
    return reading.keys() == TOKENS.keys() and all(reading[name] in words for name, words in TOKENS.items())


def main() -> None:
    """Serves until there is no more input. The first line says that it is ready, or why not."""
    for limit, value in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0)):
        resource.setrlimit(limit, (value, value))
    try:
        import durable_rules_engine
    except ImportError as why:
        say({"failed": f"durable-rules cannot be imported: {why}"})
        sys.exit(1)
    chain = Chain(durable_rules_engine)
    chain.decide([], "some")  # each state is used once before anything depends on it
    say({"ready": True})
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        say(chain.decide(asked["readings"], asked["left"]))


def say(what: dict[str, Any]) -> None:
    """One line of JSON."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
