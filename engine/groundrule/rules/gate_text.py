"""The Python text of one gate's function: choices, one loop over the evidence, and everything else."""

from __future__ import annotations

from collections.abc import Callable

from . import emit_reads, runtime
from .contract import Choice
from .emit import Emitter
from .fragments import Fusion, NotCompiled, Place, Truth
from .program import POSITION_SHIFT, RANK_SHIFT, WAIVED, Entry, Program, Scope, code
from .select import choices_read, nodes_of
from .syntax import Name, Node, walk

LOOP = "<the loop over the evidence>"
STEP = 1 << POSITION_SHIFT


class GateWriter:
    """The text of one gate's function."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.emitter = Emitter(program, program.gate)
        self.body: list[str] = []
        self.ranks = {id(entry): rank for rank, entry in enumerate(program.entries)}
        self.out: dict[str, str] = {}
        self.loop: Callable[[], list[str]] = lambda: ["pass"]

    def text(self) -> str:
        """The whole function."""
        evidence = "evidence" in self.program.gate.facts.model_fields
        self.choices()
        if evidence:
            self.evidence()
        self.emitter.after = []
        self.others()
        lines = [*self.emitter.top, *self.whole_body()]
        result = "admitted_at" if evidence else "None"
        outs = {name: self.out.get(name, self.emitter.known["choice", name]) for name in self.whole_choices()}
        made = ", ".join(f"({name!r}, {var})" for name, var in outs.items())
        per_item = ", ".join(f"({name!r}, made_{index})" for index, name in enumerate(self.item_choices()))
        return "\n".join(
            [
                "def decide(held, now, can):",
                "    facts = held.values",
                "    slow = None",
                "    violations = []; warnings = []",
                "    add = violations.append; warn = warnings.append",
                *(f"    {line}" for line in lines),
                *self.ending(made, per_item, result),
                "",
            ]
        )

    def whole_body(self) -> list[str]:
        """The lines below the top, with the loop over the evidence, to which later rules may have added."""
        lines: list[str] = []
        for line in self.body:
            if line.strip() == LOOP:
                lines += [f"    {inner}" for inner in self.loop()]
            else:
                lines.append(line)
        return lines

    def ending(self, made: str, per_item: str, result: str) -> list[str]:
        lines = ["    if violations: violations.sort()", "    if warnings: warnings.sort()"]
        special = [rank for rank, entry in enumerate(self.program.entries) if _special(entry)]
        if special:
            low, high = special[0] << RANK_SHIFT, (special[-1] + 1) << RANK_SHIFT
            lines += [
                f"    if violations and any({low} <= f < {high} and not f & {WAIVED} for f in violations):",
                "        return oblige(PROGRAM, held, now, can)",
            ]
        parts = [f"({made},)" if made else "()", f"({per_item},)" if per_item else "()"]
        if made or per_item:
            pairs = f"(*{parts[0]}, *((n, m) for n, m in {parts[1]} if m))"
            lines.append(f"    choices = {{n: value for n, value in {pairs} if value is not None}}")
        else:
            lines.append("    choices = {}")
        lines.append(f"    return new(Findings, (violations, warnings, {result}, choices, {{}}, (), []))")
        return lines

    # Choices

    def whole_choices(self) -> list[str]:
        return [name for name, (choice, _) in self.program.choices.items() if choice.each is None]

    def item_choices(self) -> list[str]:
        return [name for name, (choice, _) in self.program.choices.items() if choice.each is not None]

    def choices(self) -> None:
        """The choices for the whole that do not wait for the admitted items."""
        for name in self.whole_choices():
            if not self.waits(name):
                self.whole_choice(name, self.emitter.top)

    def waits(self, name: str) -> bool:
        """Whether a choice reads `admitted`, itself or through lets and choices."""
        choice, scope = self.program.choices[name]
        return self.reads_admitted(nodes_of(choice), scope)

    def reads_admitted(self, nodes: list[Node], scope: Scope) -> bool:
        for node in (part for root in nodes for part in walk(root)):
            if isinstance(node, Name) and node.role == "admitted":
                return True
            if isinstance(node, Name) and node.role == "let":
                if self.reads_admitted([scope.contract.lets[node.name].body], scope):
                    return True
        read = choices_read(nodes, scope.contract)
        return any(
            self.waits(name)
            for name in read
            if name in self.program.choices and self.program.choices[name][0].each is None
        )

    def whole_choice(self, name: str, lines: list[str]) -> None:
        """Lines that make a choice: its value or None, whether it was made, and its violation."""
        choice, scope = self.program.choices[name]
        var = self.emitter.fresh("c")
        self.emitter.known["choice", name] = var
        rank = self.rank_of_choice(choice)
        self.choice_lines(choice, Place(scope), var, f"{name!r}, None", lines)
        if rank is not None:
            side = "warn" if self.program.entries[rank].effect == "warn" else "add"
            lines.append(f"if {var}_made is None: {side}({code(rank, None, True)})")
        else:
            spec = self.program.gate.choices[name]
            lines.append(f"{var}_out = {spec.undecided!r} if {var}_made is None else {var}")
            self.out[name] = f"{var}_out"

    def choice_lines(self, choice: Choice, place: Place, var: str, key: str, lines: list[str]) -> None:
        """`var` is the value or None; `var_made` is True, False (not made) or None (undecided)."""
        self.emitter.nodes = 0
        try:
            if runtime.holds_fact(choice.type):
                raise NotCompiled("a choice that hands out records")
            skips = [self.emitter.truth(node, place) for node in choice.when]
            rows = [
                (self.emitter.truth(row.when, place), self.emitter.argument(row.value, place)) for row in choice.rows
            ]
            last = self.emitter.argument(choice.otherwise, place)
        except NotCompiled:
            lines.append(f"{var}, {var}_made = (slow := slow or Slow(PROGRAM, held, now)).choice({key})")
            return
        lines.append("try:")
        indent = "    "
        if skips:
            lines.append(f"    if {' or '.join(skip.no for skip in skips)}: {var} = None; {var}_made = False")
            lines.append("    else:")
            indent = "        "
        for number, (test, value) in enumerate(rows):
            word = "if" if number == 0 else "elif"
            lines.append(f"{indent}{word} {test.yes}: {var} = {value.or_none}")
            lines.append(f"{indent}elif not {test.no}: {var} = None")
        lines.append(f"{indent}else: {var} = {last.or_none}" if rows else f"{indent}{var} = {last.or_none}")
        lines.append(f"{indent}{var}_made = None if {var} is None else True")
        lines.append(f"except RAISED: {var}, {var}_made = (slow := slow or Slow(PROGRAM, held, now)).choice({key})")

    def rank_of_choice(self, choice: Choice) -> int | None:
        return next((rank for rank, entry in enumerate(self.program.entries) if entry.choice is choice), None)

    # The loop over the evidence

    def evidence(self) -> None:
        """One loop for everything that goes over the raw evidence, and `admitted` after it."""
        ranked = list(enumerate(self.program.entries))
        over = [(rank, entry) for rank, entry in ranked if entry.kind == "rule" and entry.over_evidence]
        early = [pair for pair in over if pair[1].effect == "reject" or not self.entry_waits(pair[1])]
        late = [pair for pair in over if pair not in early]
        early.sort(key=lambda pair: pair[1].effect != "reject")
        var = emit_reads.of_variable(self.emitter, "evidence")
        body, add = self.body, self.body.append
        for index in range(len(self.item_choices())):
            add(f"made_{index} = {{}}")
        loop = self.item_loop(early, "e", with_choices=True)
        add(f"if {var} is None:")
        add("    admitted_at = admitted = None")
        missing = [rank for rank, entry in early + late]
        missing += [rank for choice in self.item_choices() if (rank := self.rank_of_choice_named(choice)) is not None]
        for rank in missing:
            add(f"    {self.side(rank)}({code(rank, None, True)})" if not self.needs_asking(rank) else
                f"    f = (slow := slow or Slow(PROGRAM, held, now)).ask({rank}, None)\n        if f >= 0: {self.side(rank)}(f)")  # fmt: skip
        add("else:")
        self.loop = loop
        add(f"    {LOOP}")
        add(f"    admitted_at, admitted = POSITIONS[len({var})], {var}")
        add("    if rejected:")
        add("        admitted_at = tuple([p for p in admitted_at if p not in rejected])")
        add(f"        admitted = tuple([{var}[p] for p in admitted_at])")
        self.emitter.admitted_ready = True
        for name in self.whole_choices():
            if self.waits(name):
                self.whole_choice(name, self.body)
        if late:
            add(f"if {var} is not None:")
            body.extend(f"    {line}" for line in self.item_loop(late, "l", with_choices=False)())

    def rank_of_choice_named(self, name: str) -> int | None:
        return self.rank_of_choice(self.program.choices[name][0])

    def needs_asking(self, rank: int) -> bool:
        """Whether an undecided list does not settle the entry: a `when` may skip it."""
        entry = self.program.entries[rank]
        return bool(entry.rule.when if entry.rule is not None else entry.choice.when if entry.choice else ())

    def entry_waits(self, entry: Entry) -> bool:
        rule = entry.rule
        return rule is not None and self.reads_admitted([rule.condition, *rule.when], entry.scope)

    def side(self, rank: int) -> str:
        return "warn" if self.program.entries[rank].effect == "warn" else "add"

    def item_loop(self, entries: list[tuple[int, Entry]], item: str, with_choices: bool) -> Callable[[], list[str]]:
        """A loop over the evidence that asks entries, those that reject first; its lines when everything is known."""
        names = self.item_choices() if with_choices else []
        emitter = self.emitter
        fusion = emitter.fusion if with_choices else Fusion(item)
        outer, emitter.per_item = emitter.per_item, fusion.reads
        body: list[str] = []
        emitter.item_choices = {}
        for index, name in enumerate(names):
            body += self.item_choice(name, index, item)
        rejects = [pair for pair in entries if pair[1].effect == "reject"]
        others = [pair for pair in entries if pair[1].effect not in ("reject", "warn")]
        warns = [pair for pair in entries if pair[1].effect == "warn"]
        rejecting = with_choices and bool(rejects or names)
        for rank, entry in rejects + others:
            body += self.asked(rank, entry, Place(entry.scope, _name(entry), item))
        if warns:
            silent: list[str] = []
            for rank, entry in warns:
                silent += self.asked(rank, entry, Place(entry.scope, _name(entry), item))
            if rejecting:
                silent = ["if not gone:", *(f"    {line}" for line in silent)]
            elif not with_choices:
                silent = ["if (i >> 2) - 1 not in rejected:", *(f"    {line}" for line in silent)]
            body += silent
        emitter.item_choices = {}
        emitter.per_item = outer
        var = emit_reads.of_variable(emitter, "evidence")
        gone = ["gone = False"] if rejecting else []
        end = ["if gone: rejected.add((i >> 2) - 1)"] if rejecting else []

        def lines() -> list[str]:
            if not body and not fusion.steps:
                return ["rejected = ()"]
            inner = [f"i += {STEP}", *gone, *fusion.reads, *body, *fusion.steps, *end]
            empty = ["rejected = set()" if rejecting else "rejected = ()"] if with_choices else []
            return [*fusion.start, *empty, "i = 0", f"for {item} in {var}:", *(f"    {line}" for line in inner)]

        return lines

    def item_choice(self, name: str, index: int, item: str) -> list[str]:
        choice, scope = self.program.choices[name]
        var = self.emitter.fresh("c")
        lines: list[str] = []
        place = Place(scope, choice.each.name if choice.each else None, item)
        self.choice_lines(choice, place, var, f"{name!r}, (i >> 2) - 1", lines)
        self.emitter.item_choices[name] = self.emitter.known["choice", name] = var
        lines.append(f"if {var} is not None: made_{index}[(i >> 2) - 1] = {var}")
        rank = self.rank_of_choice(choice)
        if rank is not None:
            effect = self.program.entries[rank].effect
            gone = "; gone = True" if effect == "reject" else ""
            lines.append(f"if {var}_made is None: {self.side(rank)}({code(rank, None, True)} + i){gone}")
        return lines

    # One entry

    def asked(self, rank: int, entry: Entry, place: Place) -> list[str]:
        """Lines that ask a rule at the position `i` (a multiple of STEP, 0 for the whole)."""
        rule = entry.rule
        assert rule is not None
        position = "(i >> 2) - 1" if place.item is not None else "None"
        at = " + i" if place.item is not None else ""
        self.emitter.nodes = 0
        try:
            skips = [self.emitter.truth(node, place) for node in rule.when]
            truth = self.emitter.truth(rule.condition, place)
        except NotCompiled:
            return self.finding(rank, entry, f"(slow := slow or Slow(PROGRAM, held, now)).ask({rank}, {position})")
        if rule.kind == "forbid":
            truth = truth.negated()
        lines = self.checked(rank, entry, truth, at, position)
        if skips:
            test = " or ".join(skip.no for skip in skips)
            lines = [f"if not ({test}):", *(f"    {line}" for line in lines)]
        # Trying costs nothing while nothing raises, so what is believed not to raise is tried all the same.
        slow = self.finding(rank, entry, f"(slow := slow or Slow(PROGRAM, held, now)).ask({rank}, {position})")
        return ["try:", *(f"    {line}" for line in lines), "except RAISED:", *(f"    {line}" for line in slow)]

    def checked(self, rank: int, entry: Entry, truth: Truth, at: str, position: str) -> list[str]:
        decided, undecided = code(rank, None, False), code(rank, None, True)
        test = truth.leaf if truth.leaf is not None else truth.no
        if test == "True":
            found = f"{decided}{at}"
        else:
            found = f"({decided} if {test} else {undecided}){at}"
        if not entry.waivers:
            gone = ["    gone = True"] if entry.effect == "reject" else []
            return [f"if not {truth.yes}:", f"    {self.side(rank)}({found})", *gone]
        waive = f"    if not f & 1 and (slow := slow or Slow(PROGRAM, held, now)).waived({rank}, {position}): f += {WAIVED}"
        gone = [f"    if not f & {WAIVED}: gone = True"] if entry.effect == "reject" else []
        return [f"if not {truth.yes}:", f"    f = {found}", waive, f"    {self.side(rank)}(f)", *gone]

    def finding(self, rank: int, entry: Entry, ask: str) -> list[str]:
        """Lines that take the interpreter's answer."""
        gone = [f"    if not f & {WAIVED}: gone = True"] if entry.effect == "reject" else []
        return [f"f = {ask}", "if f >= 0:", f"    {self.side(rank)}(f)", *gone]

    # Everything else

    def others(self) -> None:
        """Rules for the whole, and rules over other lists."""
        loops: dict[tuple[str, int], list[tuple[int, Entry]]] = {}
        for rank, entry in enumerate(self.program.entries):
            each = entry.each
            if entry.kind != "rule" or ("evidence" in self.program.gate.facts.model_fields and entry.over_evidence):
                continue
            if each is None:
                lines = self.asked(rank, entry, Place(entry.scope))
                self.flush()
                self.body += lines
            else:
                loops.setdefault((each.path, id(entry.scope)), []).append((rank, entry))
        for entries in loops.values():
            self.other_loop(entries)

    def flush(self) -> None:
        """Writes what the last expression shares before the lines that read it."""
        if self.emitter.after:
            self.body += self.emitter.after
            self.emitter.after.clear()

    def other_loop(self, entries: list[tuple[int, Entry]]) -> None:
        """Rules over one list that is not the raw evidence."""
        emitter = self.emitter
        each = entries[0][1].each
        assert each is not None
        item, many = emitter.fresh("e"), emitter.fresh("m")
        slow = [line for rank, entry in entries for line in self.asked_slowly(rank, entry)]
        try:
            emitter.nodes = 0
            over = emitter.value(each.over, Place(entries[0][1].scope))
        except NotCompiled:
            self.body += slow
            return
        self.flush()
        outer, emitter.per_item = emitter.per_item, []
        body = [
            line for rank, entry in entries for line in self.asked(rank, entry, Place(entry.scope, _name(entry), item))
        ]
        reads, emitter.per_item = emitter.per_item, outer
        self.flush()
        inner = [f"i += {STEP}", *reads, *body]
        self.body += [
            "try:",
            f"    {many} = {over.or_none}",
            f"except RAISED: {many} = None",
            f"if {many} is None:",
            *(f"    {line}" for line in slow),
            "else:",
            "    i = 0",
            f"    for {item} in {many}:",
            *(f"        {line}" for line in inner),
        ]

    def asked_slowly(self, rank: int, entry: Entry) -> list[str]:
        """Lines that ask the interpreter wherever a rule is asked, unless it is skipped as a whole."""
        finding = self.finding(rank, entry, f"(slow := slow or Slow(PROGRAM, held, now)).ask({rank}, at)")
        asks = [
            f"for at in (slow := slow or Slow(PROGRAM, held, now)).positions({rank}):",
            *(f"    {line}" for line in finding),
        ]
        when = entry.rule.when if entry.rule is not None else ()
        try:
            self.emitter.nodes = 0
            skips = [skip for skip in (self.emitter.truth(node, Place(entry.scope)) for node in when) if not skip.raises]
        except NotCompiled:
            skips = []
        self.flush()
        return [f"if not ({' or '.join(skip.no for skip in skips)}):", *(f"    {line}" for line in asks)] if skips else asks


def _special(entry: Entry) -> bool:
    return entry.kind == "rule" and (
        entry.effect == "oblige"
        or (entry.effect == "clarify" and entry.rule is not None and entry.rule.options is not None)
    )


def _name(entry: Entry) -> str | None:
    return entry.each.name if entry.each is not None else None
