"""What of a document no reader sees: it is taken out before anything becomes evidence."""

from __future__ import annotations

import re
from collections.abc import Callable

from lxml.html import HtmlElement

_NEVER_SHOWN = (
    "script", "style", "noscript", "template", "iframe", "object", "embed", "svg", "canvas", "math", "audio", "video",
    "select", "option", "datalist", "textarea", "input", "button", "dialog", "map",
)  # fmt: skip
_INVISIBLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0(?![.0-9]*[1-9])|content-visibility\s*:\s*hidden"
    r"|opacity\s*:\s*0(?![.0-9]*[1-9])|(?:left|top|text-indent|right)\s*:\s*-\d{3,}|clip\s*:\s*rect\(\s*(?:0|1px)[ ,]"
    r"|clip-path\s*:\s*inset\(\s*(?:50|100)%|(?:max-)?(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|$)",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
_SIMPLE = re.compile(r"([a-z][a-z0-9]*)?([.#])([\w-]+)", re.IGNORECASE)
_MAX_STYLES = 512 << 10
"""Characters of style sheets in a page that are looked at."""


def without_hidden(root: HtmlElement) -> None:
    """Takes scripts, forms, pictures and every element out that is not shown.

    Not shown is what says so itself (`hidden`, `aria-hidden`, its style), or what a simple selector of a style sheet
    in the page says it of. What style sheets of other files hide is not known.
    """
    hides = _hidden_by(_style_sheets(root))
    unseen = [element for element in root.iter() if _is_unseen(element, hides)]
    for element in unseen:
        if element.getparent() is not None:
            element.drop_tree()


def _is_unseen(element: HtmlElement, hides: Callable[[HtmlElement], bool]) -> bool:
    if not isinstance(element.tag, str):
        return True  # a comment or an instruction
    if element.tag in ("html", "body"):
        return False  # shown by a script, as a rule
    if element.tag in _NEVER_SHOWN or "hidden" in element.attrib or element.get("aria-hidden", "").lower() == "true":
        return True
    return _INVISIBLE.search(element.get("style", "")) is not None or hides(element)


def _style_sheets(root: HtmlElement) -> str:
    sheets = "\n".join(style.text_content() for style in root.iter("style"))
    return _COMMENT.sub(" ", sheets[:_MAX_STYLES])


def _hidden_by(sheets: str) -> Callable[[HtmlElement], bool]:
    """Whether a rule outside any @-block hides an element: `.note`, `#note` or `p.note`."""
    names: set[tuple[str, str, str]] = set()
    for selectors, declarations in _RULE.findall(_outside_blocks(sheets)):
        if _INVISIBLE.search(declarations):
            for selector in selectors.split(","):
                match = _SIMPLE.fullmatch(selector.strip())
                if match is not None:
                    names.add(((match[1] or "").lower(), match[2], match[3]))

    def hides(element: HtmlElement) -> bool:
        keys = [("#", element.get("id", "")), *((".", name) for name in element.get("class", "").split())]
        return any((tag, kind, name) in names for kind, name in keys for tag in ("", element.tag))

    return hides if names else lambda element: False


def _outside_blocks(sheets: str) -> str:
    """The rules that always hold, without those for print or small screens: what nests is left out."""
    kept: list[str] = []
    depth = start = 0
    conditional = False
    for at, char in enumerate(sheets):
        if char == "{":
            if depth == 0:
                conditional = "@" in sheets[start:at]
            depth += 1
        elif char == "}" and depth > 0:
            depth -= 1
            if depth == 0:
                if not conditional:
                    kept.append(sheets[start : at + 1])
                start = at + 1
    return "".join(kept)
