"""Random rule sets over a gate's own vocabulary, and random facts for them."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Any

from tests.engine.rules.programs import NOW, contract, rule, waiver
from tests.engine.rules.rule_expressions import (
    BLOCKED,
    INTS,
    PARAM_TYPES,
    PARAMS,
    SCALARS,
    TEXTS,
    TIMES,
    URLS,
    Maker,
    Named,
    paths,
)

from groundrule.facts.gates import GATES
from groundrule.facts.words import WORDS
from groundrule.rules.types import BOOL, DOUBLE, DURATION, INT, STRING, TIMESTAMP, Type, list_of
from groundrule.rules.vocabulary import variables

CARRIED = (("authority", DOUBLE), ("tell", BOOL))
"""The choices per item at the evidence gate."""
EARLIER = """choices:
  - id: CHO-TWO-01
    each: evidence as e
    choose: authority
    from:
      - when: e.generated
        value: 0.5
    otherwise: 1.0
  - id: CHO-TWO-02
    each: evidence as e
    choose: tell
    from:
      - when: e.generated
        value: true
    otherwise: false
"""
EACH = {
    "evidence": ("e", "evidence"), "answer.claims": ("c", "claims"), "answer.citations": ("q", "citations"),
    "run.attempts": ("t", "attempts"), "params.words": ("w", ""), "params.nums": ("n", ""),
    "admitted": ("a", "evidence"),
    "some": ("s", ""),
}  # fmt: skip


class Author:
    """Writes the rule set of one gate; depth is that of its expressions.

    alone: no expression goes over the evidence, so that each item is judged alone.
    """

    def __init__(self, random: Random, gate: str, depth: int = 3, *, alone: bool = False) -> None:
        self.random, self.gate, self.depth = random, gate, depth
        self.record = variables(gate)
        own = tuple(paths("", self.record))
        params = tuple((f"params.{name}", type_) for name, type_ in PARAM_TYPES.items())
        self.known: list[Named] = [*own, *params, ("now", TIMESTAMP)]
        self.fields = [text for text, _ in own if "." in text]
        self.later: list[Named] = []
        self.of_item: list[Named] = []
        self.carried: tuple[Named, ...] = CARRIED if gate == "answer" else ()
        self.lists = {text: type_ for text, type_ in self.known if text in EACH}
        if gate == "evidence":
            self.later.append(("admitted", self.lists["evidence"]))
            self.lists["admitted"] = self.lists["evidence"]
        if alone:
            self.known = [named for named in self.known if named[0] != "evidence"]
            self.later.clear()
            self.lists.pop("admitted", None)

    def maker(self, each: str | None = None, *, late: bool = True) -> Maker:
        """late: what reads `admitted` may be read, itself or through lets and choices."""
        known, fields = [*self.known, *(self.later if late else ())], list(self.fields)
        if each is not None:
            name, element = EACH[each][0], self.lists[each].args[0]
            read = list(paths(name, element)) if element.kind == "record" else [(name, element)]
            fields += [text for text, _ in read if "." in text] * 3
            known += read * 3
            if each == "evidence":
                carried = [(f"e.chosen.{choice}", type_) for choice, type_ in self.carried]
                known += (self.of_item + carried) * 2
                fields += [text for text, _ in carried]
        # Few rules per item may go over all items again: it is dear, and a gate has a budget.
        turns = int(each is not None and self.random.random() < 0.8)
        return Maker(self.random, tuple(known), turns, tuple(fields), self.carried)

    def lets(self) -> str:
        lines = ["let:"]
        type_ = self.random.choice((list_of(STRING), list_of(INT)))
        lines.append(f"  some: >-\n    {self.maker(late=False).expression(type_, self.depth)}")
        self.known.append(("some", type_))
        self.lists["some"] = type_
        for number in range(self.random.randint(0, 4)):
            each = "evidence" if "evidence" in self.lists and self.random.random() < 0.5 else None
            late = each is None and self.random.random() < 0.4
            type_ = self.random.choice((*SCALARS, list_of(STRING)))
            lines.append(f"  l{number}: >-\n    {self.maker(each, late=late).expression(type_, self.depth)}")
            (self.of_item if each else self.later if late else self.known).append((f"l{number}", type_))
        return "\n".join(lines) + "\n"

    def choices(self) -> str:
        wanted: list[tuple[str, Type, str | None]] = [
            (f"k{number}", self.random.choice((INT, STRING, BOOL, DOUBLE)), None)
            for number in range(self.random.randint(0, 2))
        ]
        if self.gate == "plan" and self.random.random() < 0.7:
            wanted += [("evidence_limit", INT, None), ("run_timeout", DURATION, None)]
        if self.gate == "evidence" and self.random.random() < 0.7:
            wanted += [("authority", DOUBLE, "evidence"), ("tell", BOOL, "evidence")]
        return "".join(self.choice(number, *each) for number, each in enumerate(wanted))

    def choice(self, number: int, name: str, type_: Type, each: str | None) -> str:
        late = each is None and self.random.random() < 0.3
        maker = self.maker(each, late=late)
        lines = [f"  - id: CHO-ONE-{number:02}", *([f"    each: {each} as e"] if each else [])]
        if self.random.random() < 0.3:
            lines.append(f"    when: >-\n      {maker.expression(BOOL, 2)}")
        lines += [f"    choose: {name}", "    from:"]
        for _ in range(self.random.randint(1, 2)):
            lines.append(f"      - when: >-\n          {maker.expression(BOOL, 2)}")
            lines.append(f"        value: >-\n          {maker.expression(type_, 1)}")
        lines.append(f"    otherwise: >-\n      {maker.expression(type_, 1)}")
        if each:
            self.carried += ((name, type_),)
        else:
            (self.later if late else self.known).append((f"chosen.{name}", type_))
            self.fields += [] if late else [f"chosen.{name}"]
        return "\n".join(lines) + "\n"

    def rule(self, number: int) -> tuple[str, str | None, str]:
        """A rule, its `each` and its id."""
        each = self.random.choice([None, None, *self.lists, *(["evidence"] * 4 if "evidence" in self.lists else [])])
        effects = [effect for effect in GATES[self.gate].effects if effect != "reject" or each == "evidence"]
        effect = self.random.choice(effects)
        if each == "evidence" and "reject" in effects and self.random.random() < 0.3:
            effect = "reject"
        maker = self.maker(each, late=effect != "reject")
        more = ""
        if effect == "oblige":
            more = f"    oblige:\n      as_of: >-\n        {maker.expression(self.random.choice(SCALARS), 2)}\n"
        elif effect == "clarify" and self.random.random() < 0.5:
            more = f"    options: >-\n      {maker.expression(list_of(STRING), 2)}\n"
        id_ = f"ONE-TWO-{number:02}"
        condition = maker.expression(BOOL, self.random.randint(1, self.depth))
        if each == "evidence" and self.random.random() < 0.5:
            # Decided for some of the items, so that some are admitted and some are not.
            condition = f'({condition} {self.random.choice(("||", "&&"))} e.id.endsWith("-1"))'
        text = rule(
            id_,
            condition,
            effect,
            kind=self.random.choice(("require", "forbid")),
            each=f"{each} as {EACH[each][0]}" if each else None,
            when=maker.expression(BOOL, 2) if self.random.random() < 0.3 else None,
            more=more,
        )
        return text, each, id_

    def files(self) -> dict[str, str]:
        """The files of a rule set."""
        when = f"when: >-\n  {self.maker().expression(BOOL, 1)}\n" if self.random.random() < 0.1 else ""
        lets, choices = self.lets(), self.choices()
        rules = [self.rule(number) for number in range(1, self.random.randint(2, 6))]
        # A rule that names the items, since lets read them.
        each, condition = ("evidence", "e.id != 'none'") if "evidence" in self.lists else ("params.words", "w != 'b'")
        effect = GATES[self.gate].effects[-1]
        rules.insert(0, (rule("ONE-TWO-90", condition, effect, each=f"{each} as {EACH[each][0]}"), each, "ONE-TWO-90"))
        body = when + lets + "rules:\n" + "".join(text for text, _, _ in rules)
        body += f"choices:\n{choices}" if choices else ""
        audit = "trial" if self.random.random() < 0.08 else ""
        files = {
            "contracts/trial.yaml": contract(self.gate, body, params=PARAMS),
            "lists/blocked.txt": BLOCKED,
            "manifest.yaml": f"name: trial\nversion: 1.0.0\naudit: [{audit}]\n",
        }
        if self.gate == "answer":
            files["contracts/earlier.yaml"] = contract("evidence", EARLIER, name="earlier")
        waived = [
            waiver(id_, self.maker(each, late=False).expression(BOOL, 1))
            for _, each, id_ in rules
            if self.random.random() < 0.15
        ]
        if waived:
            files["waivers.yaml"] = "".join(waived)
        return files


def facts(random: Random, gate: str) -> dict[str, Any]:
    """Facts of a gate in which much is absent."""
    found: dict[str, Any] = _record(random, variables(gate), random.choice((0.0, 0.0, 0.2)))
    for number, item in enumerate(found.get("evidence", ())):
        item["id"] = f"{random.choice(TEXTS)}-{number}"
        if gate == "answer" and random.random() < 0.7:
            item["chosen"] = {"authority": random.choice((0.0, 0.5, 1.0)), "tell": random.random() < 0.5}
            for name in random.sample(("authority", "tell"), random.randint(0, 1)):
                del item["chosen"][name]
    return found


def _record(random: Random, type_: Type, absent: float) -> dict[str, Any]:
    return {
        name: _value(random, info.type, name)
        for name, info in type_.fields.items()
        if name != "chosen" and (info.always or random.random() >= absent)
    }


def _value(random: Random, type_: Type, name: str) -> Any:
    match type_.kind:
        case "bool":
            return random.random() < 0.5
        case "int":
            return random.choice(INTS)
        case "double":
            return random.choice((0.0, 0.5, 1.0, 1, 0.3))
        case "timestamp":
            times = [NOW, NOW - timedelta(hours=3), NOW + timedelta(microseconds=1)]
            return random.choice([*times, *(datetime.fromisoformat(text) for text in TIMES)])
        case "duration":
            return timedelta(seconds=random.choice((0, -1, 3600, 86400, 2.5)))
        case "map":
            return {key: random.choice(TEXTS) for key in random.sample(("a", "b", "k"), random.randint(0, 2))}
        case "record":
            return _record(random, type_, random.choice((0.0, 0.1, 0.4)))
        case "list":
            return [_value(random, type_.args[0], name) for _ in range(random.choice((0, 1, 2, 2, 3)))]
        case "string":
            if type_.words:
                return random.choice(tuple(WORDS[type_.words]))
            return random.choice(URLS if name.endswith("url") else TEXTS)
    return json_value(random, 3)


def json_value(random: Random, depth: int) -> Any:
    """Free-form JSON, an object on the outside most of the time."""
    if depth == 0 or random.random() < 0.15:
        return random.choice((True, False, 0, 1, 1.0, 2.5, "a", "1", "", None if depth < 3 else 0, 2**53 - 1))
    if random.random() < 0.25:
        return [json_value(random, depth - 1) for _ in range(random.randint(0, 3))]
    return {key: json_value(random, depth - 1) for key in ("a", "b", "l") if random.random() < 0.7}
