"""Whether a question compares, and what."""

from __future__ import annotations

import re

from .script import HAN
from .subjects import GENERIC, KIND_EN, LEADING_ZH, MAX_NAME, POLITE_EN, TRAILING_ZH, Text

COMPARE = re.compile(
    rf"对比|相比|比一比|比较(?=一下|下|[A-Za-z]|[{HAN}]{{1,20}}(?:和|与|跟|及))|(?:和|与|跟|、)[^，。？]{{1,30}}比较|区别|差别|差异"
    r"|差距|有什么不同|有何不同|谁更|(?:哪个|哪家|哪款|哪种)更?(?:好|强|大|快|便宜|贵|多|高|划算|值得)|怎么选|选哪个|孰优孰劣"
    r"|(?<![a-z])(?:vs\.?|pk)(?![a-z])|\bversus\b|\bcompar(?:e|ed|ing|ison)\b|\bdifferences?\s+between\b|\bbetter than\b",
    re.IGNORECASE | re.ASCII,
)
"""Words that compare."""
_THAN_ZH = re.compile(
    r"^(?P<a>[^，。？,?]{1,24}?)(?<![同环])比(?![亚特尔利萨赛例如较分])(?P<b>[^，。？,?]{1,24}?)"
    r"(?:更|还|要|多|少|高|低|大|小|贵|便宜|好|快|慢|热|冷|强|暖|湿)"
)
_A, _B = r"(?P<a>[^，。？,?]{1,30}?)", r"(?P<b>[^，。？,?]{1,30}?)"
_PAIRS_ZH = (
    re.compile(
        rf"(?:对比|比较|比一比)(?:一下|下)?{_A}(?:和|与|跟|及|以及|、|vs\.?){_B}(?:的|在|谁|哪|$|[，。？,?])",
        re.IGNORECASE | re.ASCII,
    ),
    re.compile(
        rf"{_A}(?:和|与|跟|及|、|(?<![a-z])vs\.?(?![a-z])|(?<![a-z])pk(?![a-z])){_B}"
        r"(?:的|之间|相比|对比|比较|有什么|有何|哪个|哪家|哪款|谁|区别|差别|差异|差距|怎么选|$|[，。？,?])",
        re.IGNORECASE | re.ASCII,
    ),
)
_END = r"(?=\s+(?:in|on|for|by|as|over|during|when|today|this|last|terms)\b|\s*[?.!,;]|\s*$)"
_SIDE_A, _SIDE_B = r"(?P<a>.{1,60}?)", r"(?P<b>.{1,60}?)"
_THAN_EN = re.compile(
    rf"\b(?:is|are|does|do|was|were|did|will)\s+{_SIDE_A}\s+(?:\w+er|more\s\w+|less\s\w+|better|worse)\s+than\s+{_SIDE_B}{_END}",
    re.IGNORECASE | re.ASCII,
)
_OR_EN = re.compile(
    r"\b(?:better|cheaper|faster|bigger|larger|stronger|warmer|colder|hotter|best)\b\s*[,:]\s*"
    rf"{_SIDE_A}\s+or\s+{_SIDE_B}{_END}",
    re.IGNORECASE | re.ASCII,
)
_PAIRS_EN = (
    re.compile(
        rf"\bcompar(?:e|ing|ison of)\s+{_SIDE_A}\s+(?:and|with|to|versus|vs\.?|against)\s+{_SIDE_B}{_END}",
        re.IGNORECASE | re.ASCII,
    ),
    re.compile(
        rf"\b(?:differences?|comparison|gap)\s+between\s+{_SIDE_A}\s+and\s+{_SIDE_B}{_END}", re.IGNORECASE | re.ASCII
    ),
    _THAN_EN,
    _OR_EN,
    re.compile(rf"(?:^|[,:]\s*)(?P<a>[^,:?]{{1,60}}?)\s+(?:vs\.?|versus)\s+{_SIDE_B}{_END}", re.IGNORECASE | re.ASCII),
)
_SAID_OF_BOTH = re.compile(
    r"比|对比|相比|区别|差[别异距]|不同|怎么选|选哪|compar|than$|better$|worse$|difference|versus$|vs$"
    r"|(?:hott|cold|warm|cool|bigg|larg|small|high|low|fast|slow|cheap|strong|old|young|long|short|tall|great)er$",
    re.IGNORECASE | re.ASCII,
)


def compares(word: str) -> bool:
    """Whether a word only says that things are compared."""
    return COMPARE.search(word) is not None or _SAID_OF_BOTH.match(word) is not None


def comparison(text: Text) -> tuple[str, ...] | None:
    """The sides of a comparison, as far as they are named apart from times; None if nothing is compared."""
    line = text.bare[:2000]
    if text.language == "zh":
        line = LEADING_ZH.sub(lambda match: " " * len(match.group()), line)
    cue = COMPARE.search(line) is not None
    for pattern in (*_PAIRS_ZH, *_PAIRS_EN) if text.language == "zh" else (*_PAIRS_EN, *_PAIRS_ZH):
        match = pattern.search(line)
        if match is not None and (cue or (pattern in (_THAN_EN, _OR_EN) and not match.group("b")[:1].isdigit())):
            return tuple(side for side in (_side(match.group("a")), _side(match.group("b"))) if side)
    than = _THAN_ZH.search(line.strip())
    if than is not None:
        return tuple(side for side in (_side(than.group("a")), _side(than.group("b"))) if side)
    return () if cue else None


def _side(written: str) -> str:
    """A side without what is said of both: courtesies, question words, `the revenue of`, and the words that compare."""
    name = TRAILING_ZH.sub("", LEADING_ZH.sub("", written.strip()))
    name = COMPARE.sub(" ", name)
    name = GENERIC.sub(" ", name) if re.search(f"[{HAN}]", name) else POLITE_EN.sub("", name)
    name = re.sub(
        r"^(?:the|a|an)\s+(?=[a-z])|^.{0,30}\b(?:revenue|price|population|weather|gdp|size|cost|profit)s?\s+of\s+",
        "",
        name,
        flags=re.IGNORECASE | re.ASCII,
    )
    name = re.sub(rf"(?:\s+(?:{KIND_EN}))+$", "", name, flags=re.IGNORECASE | re.ASCII)
    name = re.sub(rf"(?<=[{HAN}])\s+(?=[{HAN}])", "", name)
    return name.strip(" ,.?!的，。？").strip()[:MAX_NAME]
