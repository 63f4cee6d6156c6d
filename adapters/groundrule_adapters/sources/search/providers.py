"""The table of search providers. A new one is a file like `duckduckgo` and one line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from . import duckduckgo


@dataclass(frozen=True)
class Provider:
    """How one search engine is asked and read.

    name: as in `live.provider`. title: as people write it. endpoint: where it usually is. request: the address for an
    endpoint, a query and a language (`zh`, `en`). parse: `module:function` that reads a result page in the process of
    `fetch.parsing`; it is given the body and, by name, the stated `charset`, and gives either `failure` (an outcome and
    a reason) or `hits`: a list of objects with `url`, `title`, `snippet` and `date`, all text, as the page has them.
    """

    name: str
    title: str
    endpoint: str
    request: Callable[[str, str, str], str]
    parse: str


PROVIDERS: Mapping[str, Provider] = MappingProxyType(
    {
        "duckduckgo": Provider(
            "duckduckgo", "DuckDuckGo", duckduckgo.ENDPOINT, duckduckgo.request, f"{duckduckgo.__name__}:parse"
        ),
    }
)
