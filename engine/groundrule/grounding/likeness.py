"""Which texts are one text, to a reader who does not count marks and letters."""

from __future__ import annotations

from collections.abc import Iterable

from .text import normalise

# Letters of Cyrillic, Greek and Armenian in the shape of a Latin one, lower case. After confusables.txt of UTS #39.
_LATIN = str.maketrans(
    "авеѕіјкмнорсԁтухһԛԝьӏɡαβεικνορτυχγօսոցհ",
    "abesijkmhopcdtyxhqwblgabeikvoptuxyoungh",
)
_LENGTH = 5
_SHARE = 0.8


def skeleton(text: str) -> str:
    """The normalised text with letters of other scripts that look like Latin ones as those: `Fеishu` as `feishu`.

    For comparing and for patterns of Latin letters alone: it changes the letters of honest Russian and Greek too.
    """
    plain = normalise(text)
    return plain if plain.isascii() else plain.translate(_LATIN)


def distinct_texts(texts: Iterable[str], most: int) -> tuple[str, ...]:
    """The texts that are no copies of one before them, in order; `most` of them at most, so that the cost is linear.

    Compared are letters and digits of the skeletons, without blanks and marks, by the runs of five that they have. One text
    is a copy of another if four fifths of the runs of the shorter are in the longer, or if it has fewer than five letters
    and stands in it: what was cut off, put before or marked differently is a copy.
    """
    kept = list[tuple[str, str, frozenset[str]]]()
    for text in texts:
        if len(kept) >= most:
            break
        letters = "".join(filter(str.isalnum, skeleton(text)))
        if any(letters == before for _, before, _ in kept):
            continue
        runs = frozenset(letters[at : at + _LENGTH] for at in range(len(letters) - _LENGTH + 1))
        if not any(_copies(letters, runs, before, its_runs) for _, before, its_runs in kept):
            kept.append((text, letters, runs))
    return tuple(text for text, _, _ in kept)


def _copies(one: str, runs: frozenset[str], other: str, its_runs: frozenset[str]) -> bool:
    if not runs or not its_runs:
        return one in other or other in one
    return len(runs & its_runs) >= _SHARE * min(len(runs), len(its_runs))
