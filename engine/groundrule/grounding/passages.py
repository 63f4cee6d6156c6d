"""A text that has been read: its numbers and names, and the words around them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import prod

from .folding import fold
from .limits import Limit, limit
from .numbers import Name, Number, name_key, read
from .quotes import quote_key
from .senses import Senses, senses
from .units import BY_ID, read_unit
from .worded import Worded, read_rare, read_worded, thing_after

_CLAUSE = re.compile(r"[。！？!?；;，,\n]|\.(?= |$)")
_HAN = "\u3400-\u9fff"
# Words between a quantity and its number that tell nothing about which quantity it is.
_WEAK = re.compile(
    r"(?:[约近超逾达至到为是有共仅了的在计以\-—\s:：=(（\"“~]|大约|左右|超过|预计|合计|总计|分别"
    r"|\b(?:a|an|the|of|is|was|are|were|be|to|at|by|in|on|with|about|over|nearly|around|almost|for|and|has|had|than|more)\b)+$",
    re.IGNORECASE,
)
_LAST_WORD = re.compile(rf"(?:[{_HAN}]{{1,2}}|[A-Za-z]+)$")
_LABEL = re.compile(rf"(?:[{_HAN}]{{2,4}}|(?:[A-Za-z]+[ -])?[A-Za-z]+)$")
_NEXT_WORD = re.compile(rf"[ \-]{{0,2}}(?:([{_HAN}]{{1,2}})|([A-Za-z]+))")
# What names the unit of the numbers behind it: (in millions of dollars), 单位：亿元, Price (USD), in km.
_HEAD = re.compile(
    r"(?:单位 ?[:为是(]? ?|\bin |\(|, )(?:in )?(?:US |U\.S\. )?(?P<scale>[百千万亿]{1,2}(?=[^百千万亿])|(?:hundred|thousand|million|billion)s? (?:of )?)?(?:US |U\.S\. )?",
    re.IGNORECASE,
)
_HEAD_ENDS = re.compile(r" ?(?:[):,;|\n。，；]|$|\t|(?<=[\u3400-\u9fff]) )")
_HEAD_SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "百": 100, "千": 10**3, "万": 10**4, "亿": 10**8}

AFTER = 24
"""Code points behind a number that tell its sense and who won a score."""


class Passage:
    """A text, read on first use; what was read is kept, since the same numbers are compared again and again."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = fold(text)
        self._befores: dict[int, str] = {}
        self._afters: dict[int, str] = {}
        self._limits: dict[int, Limit] = {}
        self._senses: dict[int, Senses] = {}

    @cached_property
    def read(self) -> tuple[Number | Name | Worded, ...]:
        """The numbers, names and numerals in words, in order: of two at one place the earlier, then the longer one."""
        every: list[Number | Name | Worded] = [*read_worded(self.folded), *read_rare(self.folded), *read(self.text)]
        found: list[Number | Name | Worded] = []
        for each in sorted(every, key=lambda each: (each.start, -each.end)):
            if not found or each.start >= found[-1].end:
                found.append(each)
        return tuple(found)

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """The numbers of the text in order."""
        return tuple(found for found in self.read if isinstance(found, Number))

    @cached_property
    def worded(self) -> tuple[Worded, ...]:
        """The numerals in words; of those that compare alike the first."""
        first: dict[object, Worded] = {}
        for found in self.read:
            if isinstance(found, Worded):
                first.setdefault((replace(found, start=0, end=0), self.senses(found)), found)
        return tuple(first.values())

    @cached_property
    def names(self) -> frozenset[str]:
        """The keys of the names of the text."""
        return frozenset(found.key for found in self.read if isinstance(found, Name))

    @cached_property
    def quotable(self) -> str:
        """The letters and digits of the text, in which quotations are looked up."""
        return quote_key(self.text)

    @cached_property
    def _by_value(self) -> tuple[list[float], list[tuple[Fraction, list[Number]]]]:
        groups: dict[Fraction, dict[object, Number]] = {}
        for number in self.numbers:
            groups.setdefault(number.value, {}).setdefault(self._compared(number), number)
        found = [(value, list(groups[value].values())) for value in sorted(groups)]
        return [float(value) for value, _ in found], found

    @cached_property
    def _counts(self) -> list[int]:
        """How many numbers stand before each value."""
        return list(accumulate((len(numbers) for _, numbers in self._by_value[1]), initial=0))

    def _compared(self, number: Number) -> object:
        """All that a comparison looks at besides the value; in a long table most numbers have a double."""
        words: tuple[object, ...] = (self.before(number.start), self.after(number), self.senses(number))
        words += (self.limit(number), number.hedge)
        if number.joined == "score":  # of which the clause is compared too
            words += (self.clause_before(number.start), self.folded[number.end : number.end + AFTER])
        thing = thing_after(self.folded, number.end) if number.unit == "%" else ""
        return (*words, thing, number.kind, number.unit, number.grain, number.joined, number.first, number.peer, number.per)

    def between(self, low: Fraction, high: Fraction) -> list[Number]:
        """The numbers whose value lies in [low, high]; of those that compare alike the first."""
        values, groups = self._by_value
        first, last = bisect_left(values, float(low)), bisect_right(values, float(high))
        return [number for value, numbers in groups[first:last] if low <= value <= high for number in numbers]

    def many(self, low: Fraction, high: Fraction) -> int:
        """How many numbers `between` looks at."""
        values, _ = self._by_value
        first, last = bisect_left(values, float(low)), bisect_right(values, float(high))
        return self._counts[last] - self._counts[first] if first < last else 0

    @cached_property
    def units(self) -> frozenset[str]:
        """The units that occur."""
        return frozenset(number.unit for number in self.numbers)

    @cached_property
    def heads(self) -> dict[str, frozenset[int]]:
        """The units that the text names for a series of numbers, each with what those numbers are multiplied by."""
        found: dict[str, frozenset[int]] = {}
        for match in _HEAD.finditer(self.folded):
            unit = read_unit(self.folded, match.end())
            if unit and unit[1] > match.end() and _HEAD_ENDS.match(self.folded, unit[1]):
                word = (match["scale"] or "").lower().replace(" of", "").strip().removesuffix("s")
                scale = _HEAD_SCALES.get(word, 1) if word.isascii() else prod(_HEAD_SCALES[char] for char in word)
                found[unit[0].id] = found.get(unit[0].id, frozenset()) | {scale}
        return found

    @cached_property
    def by_label(self) -> dict[tuple[str, str], Number]:
        """The first number behind each label and its last words, by unit and label."""
        labelled: dict[tuple[str, str], Number] = {}
        for number in self.numbers:
            for label in self.labels(number.start):
                labelled.setdefault((number.unit, label), number)
        return labelled

    def before(self, start: int) -> str:
        """The word before a position in the same clause: two Chinese characters or one Latin word."""
        word = self._befores.get(start)
        if word is None:
            found = _LAST_WORD.search(_WEAK.sub("", self.clause_before(start)))
            word = self._befores[start] = _stem(found[0]) if found else ""
        return word

    def label(self, start: int) -> str:
        """What the text says it gives there, as far as a few words tell: up to four Chinese characters or two words."""
        found = _LABEL.search(_WEAK.sub("", self.clause_before(start)))
        return _stem(found[0]) if found else ""

    def labels(self, start: int) -> list[str]:
        """The label and what it ends in: 最高气温, 高气温, 气温; `was released`, `released`."""
        label = self.label(start)
        if label.isascii():
            return [label, label.rpartition(" ")[2]] if label else []
        return [label[cut:] for cut in range(len(label) - 1)]

    def after(self, number: Number) -> str:
        """The thing that is counted: the word behind the number and its classifier."""
        word = self._afters.get(number.end)
        if word is None:
            unit = BY_ID.get(number.unit)
            counts = unit is None or unit.dimension == "count"
            found = _NEXT_WORD.match(self.folded, number.end) if counts else None
            word = self._afters[number.end] = _stem(found[1] or found[2]) if found else ""
        return word

    def senses(self, found: Number | Worded) -> Senses:
        """What the words around a number make of it: a rise, a loss, at least."""
        known = self._senses.get(found.start)
        if known is None:
            after = self.folded[found.end : found.end + AFTER]
            plus = "+" if self.folded.startswith("+", found.start) else ""
            known = self._senses[found.start] = senses(self.clause_before(found.start) + plus, after)
        return known

    def limit(self, number: Number) -> Limit:
        """The bound that the words around a number set with it."""
        known = self._limits.get(number.start)
        if known is None:
            known = self._limits[number.start] = limit(self.folded, number.start, number.end)
        return known

    def mentions(self, name: Name) -> bool:
        """Whether the text has the name, however it is spaced or hyphenated (GPT-4, GPT 4)."""
        if name.key in self.names:
            return True
        parts = re.findall(r"[a-z]+|[0-9.]+|[^a-z0-9.]", name.key)
        if len(parts) > 12:
            return False
        spaced = "[-_ ]?".join(map(re.escape, parts))
        return re.search(rf"(?<![A-Za-z0-9]){spaced}(?![A-Za-z0-9])", self.folded, re.IGNORECASE) is not None

    def writes(self, address: str) -> bool:
        """Whether the text has an address without scheme, whole."""
        before, behind = r"(?<![A-Za-z0-9._%+\-@])", r"(?![A-Za-z0-9_%+\-@/]|\.[A-Za-z0-9])"
        return re.search(before + re.escape(address) + behind, self.folded, re.IGNORECASE) is not None

    def mentions_numbered(self, passage: Passage, number: Number) -> bool:
        """Whether `iPhone 17` of another passage stands here as one name."""
        if passage.folded[number.start : number.end].isdigit():
            label = re.search(r"([A-Za-z]+) ?$", passage.folded[max(0, number.start - 24) : number.start])
            return label is not None and name_key(label[1] + passage.folded[number.start : number.end]) in self.names
        return False

    def clause_before(self, start: int) -> str:
        """The words of the same clause before a position, as far as a few words reach."""
        window = self.folded[max(0, start - 28) : start]
        cuts = [found.end() for found in _CLAUSE.finditer(window)]
        return window[cuts[-1] :] if cuts else window


def _stem(word: str) -> str:
    """A word without case and English plural."""
    lower = word.lower()
    return lower[:-1] if len(lower) > 3 and lower.endswith("s") and not lower.endswith("ss") else lower
