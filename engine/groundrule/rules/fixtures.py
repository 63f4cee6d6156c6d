"""Facts of test files: YAML values, with `$use` in place of what a fixture file states.

`$use: plans/weather` stands for the mapping or list of tests/plans/weather.yaml; keys beside it override those of the
fixture. What unfolds is bounded, so that fixtures that use each other cannot grow without end.
"""

from __future__ import annotations

from collections.abc import Mapping as MappingOf
from dataclasses import dataclass, field
from typing import Any

from .. import codes
from ..diagnostics import Diagnostic, Span, did_you_mean
from .declare import Undecided
from .fields import kind_of
from .functions import timestamp_of_string
from .parse import Mapping, Scalar, Sequence, Tree, parse_yaml
from .scalars import duration_of, value_of
from .types import DURATION, JSON, TIMESTAMP, Type
from .vocabulary import HIDDEN

USE = "$use"
FOLDER = "tests/"
MAX_VALUES = 100_000
"""Scalars, lists and mappings of one set of facts, once everything is unfolded."""
MAX_ADVICE = 100
"""Faults after which no nearest name is looked for any more."""
NULLS = ("", "~", "null", "Null", "NULL")
MAX_DEPTH = 64
"""Nesting of unfolded facts; each `$use` counts as a level."""


@dataclass(frozen=True)
class Unfolded:
    """A tree without `$use`, how many values it has, and how deep it is. Fixtures share their parts."""

    tree: Tree
    size: int
    depth: int


@dataclass
class Fixtures:
    """The fixture files of a rule set, read when they are first used. Faults are collected, each once."""

    files: MappingOf[str, str | bytes]
    faults: list[Diagnostic]
    _read: dict[str, Unfolded | None] = field(default_factory=dict)
    _open: list[str] = field(default_factory=list)

    def unfold(self, tree: Tree) -> Unfolded | None:
        """The tree with every `$use` replaced; None if something is wrong with it."""
        known = len(self.faults)
        found = self._unfold(tree, 0)
        return found if found is not None and len(self.faults) == known else None

    def _unfold(self, tree: Tree, level: int) -> Unfolded | None:
        if level > MAX_DEPTH:
            self.faults.append(codes.TOO_DEEP.at(tree.span, limit=MAX_DEPTH))
            return None
        if isinstance(tree, Scalar):
            return Unfolded(tree, 1, 0)
        if isinstance(tree, Sequence):
            parts = [self._unfold(item, level + 1) for item in tree.items]
            items = tuple(part.tree for part in parts if part is not None)
            return self._bounded(Sequence(tree.span, items, tree.flow), parts)
        own = {key.text: (key, self._unfold(value, level + 1)) for key, value in tree.entries if key.text != USE}
        used = tree.get(USE)
        if used is None:
            return self._mapping(tree, own)
        base = self._use(used, level + 1)
        if base is None or not own:
            return base
        if not isinstance(base.tree, Mapping):
            self.faults.append(codes.USE_ALONE.at(used.span, name=_text(used), found=kind_of(base.tree)))
            return None
        return self._mapping(tree, own, base)

    def _mapping(
        self, tree: Mapping, own: dict[str, tuple[Scalar, Unfolded | None]], base: Unfolded | None = None
    ) -> Unfolded | None:
        """A mapping of its own keys, and of those of a fixture that it does not override."""
        parts = [part for _, part in own.values()]
        entries = [(key, part.tree) for key, part in own.values() if part is not None]
        if base is not None and isinstance(base.tree, Mapping):
            parts.append(base)
            entries = [*(entry for entry in base.tree.entries if entry[0].text not in own), *entries]
        return self._bounded(Mapping(tree.span, tuple(entries), tree.flow), parts)

    def _bounded(self, tree: Tree, parts: list[Unfolded | None]) -> Unfolded | None:
        sound = [part for part in parts if part is not None]
        size = 1 + sum(part.size for part in sound)
        depth = 1 + max((part.depth for part in sound), default=0)
        if len(sound) < len(parts):
            return None
        if size > MAX_VALUES:
            self.faults.append(codes.FACTS_TOO_LARGE.at(tree.span, limit=MAX_VALUES))
            return None
        if depth > MAX_DEPTH:
            self.faults.append(codes.TOO_DEEP.at(tree.span, limit=MAX_DEPTH))
            return None
        return Unfolded(tree, size, depth)

    def _use(self, used: Tree, level: int) -> Unfolded | None:
        if not isinstance(used, Scalar):
            self.faults.append(codes.NOT_A_SCALAR.at(used.span, key=USE, found=kind_of(used)))
            return None
        name = used.text
        if name in self._open:
            circle = " → ".join([*self._open[self._open.index(name) :], name])
            self.faults.append(codes.USE_CIRCLE.at(used.span, names=circle))
            return None
        if name not in self._read:
            self._open.append(name)
            self._read[name] = self._fixture(name, used.span, level)
            self._open.pop()
        return self._read[name]

    def _fixture(self, name: str, span: Span, level: int) -> Unfolded | None:
        path = f"{FOLDER}{name}.yaml"
        if path not in self.files or is_test(path):
            self.faults.append(codes.UNKNOWN_USE.at(span, self._advice(name), name=name))
            return None
        tree, faults = parse_yaml(path, self.files[path])
        self.faults += faults
        if tree is None or faults:
            return None
        if isinstance(tree, Scalar):
            self.faults.append(codes.NOT_A_MAPPING.at(tree.span, key=path, found=kind_of(tree)))
            return None
        return self._unfold(tree, level)

    def _advice(self, name: str) -> str | None:
        """The nearest fixture; the general help if there is none near."""
        if len(self.faults) > MAX_ADVICE:
            return None
        known = [
            path.removeprefix(FOLDER).removesuffix(".yaml")
            for path in self.files
            if path.startswith(FOLDER) and path.endswith(".yaml") and not is_test(path)
        ]
        return did_you_mean(name, known) or None


def is_test(path: str) -> bool:
    """Whether a file of a rule set is a test file."""
    return path.startswith(FOLDER) and path.endswith((".test.yaml", ".test.yml"))


def _text(tree: Tree) -> str:
    return tree.text if isinstance(tree, Scalar) else ""


CHOICES = Type("choices")
"""What items carry as `chosen`: choices by name, each of its own type."""


@dataclass(frozen=True)
class Reader:
    """Turns unfolded trees into values of facts. chosen: the types of choices that items carry."""

    chosen: MappingOf[str, Type]
    faults: list[Diagnostic]

    def value(self, tree: Tree, wanted: Type) -> Any:
        """The value of a tree where a type is wanted.

        Keys that a record does not have are faults. A value of a wrong type stays as it is: that it is refused is
        what a case may want to show.
        """
        if isinstance(tree, Scalar):
            return scalar_value(tree, wanted)
        if isinstance(tree, Sequence):
            element = wanted.args[0] if wanted.kind == "list" else JSON
            return [self.value(item, element) for item in tree.items]
        found = {}
        for key, value in tree.entries:
            type_ = self.member(wanted, key.text)
            if type_ is None:
                self.faults.append(codes.UNKNOWN_KEY.at(key.span, did_you_mean(key.text, wanted.fields), key=key.text))
            else:
                found[key.text] = self.value(value, type_)
        return found

    def member(self, owner: Type, name: str) -> Type | None:
        """The type of what stands under a name, also where no rule can read it; None if a record has no such field."""
        if owner == CHOICES:
            return self.chosen.get(name, JSON)
        if owner.kind != "record":
            return owner.args[1] if owner.kind == "map" else JSON
        if owner.name == "evidence" and name in HIDDEN | {"chosen"}:
            return CHOICES if name == "chosen" else JSON
        info = owner.fields.get(name)
        return info.type if info is not None else None


def scalar_value(scalar: Scalar, wanted: Type) -> Any:
    """The value of a scalar by YAML 1.2, except that a time or duration is read where one is wanted."""
    if scalar.plain and scalar.text in NULLS:
        return None
    duration = duration_of(scalar) if wanted == DURATION else None
    if duration is not None:
        return duration
    try:
        if wanted == TIMESTAMP:
            return timestamp_of_string(scalar.text)
        value, type_ = value_of(scalar)
        return scalar.text if type_ in (DURATION, TIMESTAMP) else value
    except Undecided:
        return scalar.text
