"""Page text cut into sentences that can be quoted word for word, and the words by which they are found."""

from __future__ import annotations

import re

from groundrule.grounding.text import normalise

MAX_LENGTH = 300
"""Code points of a sentence. A longer one is cut at a comma."""
MIN_LENGTH = 4

# What looks like a citation handle ends a sentence: quoted along, it would point to an item of ours.
_HANDLE = re.compile(
    r"\[\^?[A-Za-z]{0,2}\d{1,4}(?:[ ,，、;；–-]+[A-Za-z]{0,2}\d{1,4})*\]|【[A-Za-z]{0,2}\d{1,4}[^】\n]{0,40}】"
)
_END = re.compile(
    r"(?<=[。！？!?；])[”』」’\"')）]*"  # Chinese ends, and marks that end a sentence in any script
    # An English full stop before a blank, but not that of an initial, a title or a short form.
    r"|(?<![\s.][A-Za-z]\.)(?<!\b(?:Mr|Dr|No|vs|St|Mt|Jr|Sr)\.)(?<!\b(?:Mrs|Inc|Ltd)\.)(?<=\.)[”\"')]*(?=\s)"
)
_COMMA = re.compile(r"(?<=[，、,])")
_ASIDE = re.compile("[\u200b\u2060\ufeff\x00-\x08\x0b-\x1f\x7f]")

_HAN = re.compile(r"[\u3400-\u9fff]+")
_WORD = re.compile(r"[a-z0-9][a-z0-9.+#-]*[a-z0-9+#]|[a-z0-9]")
_COMMON_ZH = re.compile(
    r"帮我|请问|看看|告诉|我想|知道|一下|如何|怎么样|怎样|怎么|什么|多少|哪些|哪个|哪里|是否|有没有|为什么|现在|目前|最新|"
    r"[的了吗呢吧啊是在有和与及或就都也还很会能要把被给对从到于个这那哪谁我你他它请查]"
)
_COMMON_EN = frozenset(
    re.findall(
        r"\w+",
        "a an the of in on at to for from by with and or but is are was were be been do does did has have had will "
        "would can could should what which who whom whose when where why how much many tell me please show give "
        "about it its this that these those there any some i we you they latest current now new",
    )
)


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text in order, each one a piece of it, with blanks at its ends removed."""
    found: list[str] = []
    for row in text.split("\n"):
        for part in _HANDLE.split(row):
            for sentence in _cut(part):
                found += _shorter(sentence)
    return tuple(piece for piece in (each.strip(" \t\r；") for each in found) if _readable(piece))


def keywords(text: str) -> frozenset[str]:
    """What a text is about, for comparing: words without the common ones, and pairs of Chinese letters."""
    folded = normalise(text)
    words = {_stem(word) for word in _WORD.findall(folded) if word not in _COMMON_EN}
    for run in _HAN.findall(_COMMON_ZH.sub(" ", folded)):
        words |= {run[at : at + 2] for at in range(len(run) - 1)} if len(run) > 1 else {run}
    return frozenset(words)


def figures(text: str) -> tuple[str, ...]:
    """The numerals of a text, in order. Sentences that differ in them say different things."""
    return tuple(re.findall(r"\d[\d.,]*", normalise(text)))


def _cut(row: str) -> list[str]:
    pieces, start = [], 0
    for end in _END.finditer(row):
        pieces.append(row[start : end.end()])
        start = end.end()
    return [*pieces, row[start:]]


def _shorter(sentence: str) -> list[str]:
    if len(sentence) <= MAX_LENGTH:
        return [sentence]
    pieces = [""]
    for part in _COMMA.split(sentence):
        if len(pieces[-1]) + len(part) > MAX_LENGTH:
            pieces.append("")
        pieces[-1] += part
    return [piece for piece in pieces if len(piece) <= MAX_LENGTH]


def _readable(piece: str) -> bool:
    """Long enough to say something, and without invisible characters that a quotation would carry along."""
    return sum(map(str.isalnum, piece)) >= MIN_LENGTH and _ASIDE.search(piece) is None


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
