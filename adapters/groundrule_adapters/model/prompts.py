"""Prompts: files with a version in their name, one in each language, filled with what the schema and the rules say.

Whoever changes a prompt gives it a new version, which receipts name.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from groundrule.facts.words import Language

_PLACE = re.compile(r"\{\{([a-z_]+)\}\}")


def filled(name: str, language: Language, **values: str) -> str:
    """The prompt of a name such as `planner.v1`, each `{{key}}` replaced once. Raises KeyError for a key without value."""
    return _PLACE.sub(lambda place: values[place[1]], _text(name, language)).strip()


@cache
def _text(name: str, language: Language) -> str:
    return resources.files(__package__).joinpath("prompts", f"{name}.{language}.md").read_text(encoding="utf-8")
