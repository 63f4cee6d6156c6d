"""The tokens of a text with what the readers ask of them: neighbours, numbers, and the text around a token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from .kinds import K
from .tokens import Token

OTHER = Token(K.OTHER, 0, -1, -1, False, "")


@dataclass(frozen=True)
class Line:
    """The tokens of a text, the text as they were read from it, and the reference time.

    now: naive, as a clock in the reader's zone shows it. instant: the same in UTC, aware. known: chains already read,
    so that several readers may ask for the same one at constant cost.
    """

    tokens: Sequence[Token]
    text: str
    now: datetime
    instant: datetime
    known: dict[tuple[int, bool, bool, bool], object] = field(default_factory=dict, compare=False)

    def at(self, index: int) -> Token:
        """The token at an index; one of kind OTHER beyond the ends."""
        return self.tokens[index] if 0 <= index < len(self.tokens) else OTHER

    def is_(self, index: int, *kinds: K) -> bool:
        """Whether the token at an index has one of the kinds and follows its neighbour without a gap."""
        return 0 <= index < len(self.tokens) and self.tokens[index].kind in kinds and self.tokens[index].joined

    def unit(self, index: int) -> str:
        """The unit that the token names, if it is one and follows its neighbour; else empty."""
        return str(self.at(index).value) if self.is_(index, K.UNIT) else ""

    def glued(self, index: int) -> bool:
        """Whether nothing stands between a token and the one before it."""
        return 0 < index < len(self.tokens) and self.tokens[index].start == self.tokens[index - 1].end

    def alone(self, first: int, after: int) -> bool:
        """Whether the tokens from `first` up to `after` are the whole text."""
        return (
            first == 0
            and after == len(self.tokens)
            and self.at(0).start == 0
            and self.at(after - 1).end == len(self.text)
        )

    def before(self, index: int, length: int = 1) -> str:
        """The text right before a token."""
        start = max(0, self.at(index).start)
        return self.text[max(0, start - length) : start]

    def behind(self, index: int, length: int = 1) -> str:
        """The text right behind the token at `index`."""
        end = self.at(index).end
        return self.text[end : end + length] if end >= 0 else ""


def int_of(token: Token) -> int:
    """The whole number that a token carries."""
    return token.value if isinstance(token.value, int) else 0


def approximate(token: Token) -> bool:
    """Whether a numeral names two neighbours for one: 两三天, 七八点."""
    raw, value = token.raw, int_of(token)
    return len(raw) == 2 and not raw.isascii() and raw[0] not in "十百千廿卅零〇" and value % 10 == value // 10 + 1


def spelled(token: Token) -> bool:
    """Whether a token is an English word."""
    return token.raw.isascii() and token.raw.isalpha()


def number(line: Line, index: int) -> tuple[int, int] | None:
    """A cardinal (digits, Chinese numeral, English words up to 99) and the index after it. 几十 and 两三 are none."""
    token = line.at(index)
    if (
        token.kind is not K.NUM
        or not isinstance(token.value, int)
        or (token.joined and line.at(index - 1).kind is K.VAGUE)
        or approximate(token)
    ):
        return None
    if spelled(token) and token.value in range(20, 100, 10):
        after = _over_hyphen(line, index)
        unit = line.at(after)
        if unit.kind is K.NUM and unit.joined and spelled(unit) and 0 < int_of(unit) < 10:
            return token.value + int_of(unit), after + 1
    return token.value, index + 1


def ordinal(line: Line, index: int) -> tuple[int, int] | None:
    """An English ordinal up to 99 (3rd, third, twenty-third) and the index after it."""
    token = line.at(index)
    if token.kind is K.ORD:
        return int_of(token), index + 1
    if token.kind is K.NUM and spelled(token) and int_of(token) in range(20, 100, 10):
        after = _over_hyphen(line, index)
        unit = line.at(after)
        if unit.kind is K.ORD and unit.joined and int_of(unit) < 10 and spelled(unit):
            return int_of(token) + int_of(unit), after + 1
    return None


def _over_hyphen(line: Line, index: int) -> int:
    """The index of the token behind `index`, over the hyphen of twenty-third."""
    hyphen = line.is_(index + 1, K.DASH) and line.glued(index + 1) and line.glued(index + 2)
    return index + 2 if hyphen else index + 1
