"""Lists of hosts and URLs, compiled so that asking costs the same however many entries they have.

Entries with a plain host are looked up by name, label by label; only expressions and patterns with a wildcard
inside the host are searched for every URL, all in one pass.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, NoReturn

from .entries import EntryFault, loose_forms, matching_form, re2_search, read_entry
from .reading import MEMO, UrlRefused, host


class Remark(NamedTuple):
    """What is to be said about an entry: its line, counted from 1, and a phrase about it (`is empty`)."""

    line: int
    reason: str


@dataclass(frozen=True, eq=False)
class UrlList:
    """A compiled list. While it has faults, both questions raise UrlRefused: half a list blocks too little.

    `cautions` are entries that work and may not be meant so, such as a bare public suffix. `url_only` has the
    lines of entries that `domain_in` never asks, since they look at more than the host. `domain_in` and
    `url_in` are the functions of the same names, bound to this list and memoised with it.
    """

    faults: tuple[Remark, ...]
    cautions: tuple[Remark, ...]
    url_only: tuple[int, ...] = field(repr=False)
    domain_in: Callable[[str], bool] = field(repr=False)
    url_in: Callable[[str], bool] = field(repr=False)


def read_list(lines: Iterable[str]) -> UrlList:
    """Compile the lines of a list file: one entry a line; `#` at the start or after a blank begins a comment.

    The entries are described in `entries`. Raises nothing; what is wrong stands in `faults`.
    """
    entries = ((number, _without_comment(line)) for number, line in enumerate(lines, 1))
    return _compile((number, entry) for number, entry in entries if entry)


@lru_cache(maxsize=64)
def inline_list(entries: tuple[str, ...]) -> UrlList:
    """Compile the entries of a list that stands in a rule file or comes with the facts, numbered from 1.

    Nothing is trimmed here, and an empty entry is a fault. Raises nothing.
    """
    return _compile(enumerate(entries, 1))


def domain_in(url: str, entries: UrlList | tuple[str, ...]) -> bool:
    """Whether the host of `url` is a domain of the list or below one, by whole labels. Raises UrlRefused."""
    return (entries if isinstance(entries, UrlList) else inline_list(entries)).domain_in(url)


def url_in(url: str, entries: UrlList | tuple[str, ...]) -> bool:
    """Whether any entry of the list covers `url`. Raises UrlRefused.

    Also where one reading of the path is covered and another is not (`loose_forms`): what the server takes the path
    for is then not known, and neither a list that blocks nor one that allows may be passed.
    """
    return (entries if isinstance(entries, UrlList) else inline_list(entries)).url_in(url)


def _without_comment(line: str) -> str:
    """The entry on a line. A `#` within a word is left: there it is a fragment, and a fault."""
    entry = line.strip()
    for at, character in enumerate(entry):
        if character == "#" and (at == 0 or entry[at - 1].isspace()):
            return entry[:at].rstrip()
    return entry


def _compile(entries: Iterable[tuple[int, str]]) -> UrlList:
    names = set[str]()
    searched: dict[str, list[tuple[str, str]]] = defaultdict(list)
    faults, cautions, url_only = list[Remark](), list[Remark](), list[int]()
    for line, text in entries:
        try:
            entry = read_entry(text)
        except EntryFault as fault:
            faults.append(Remark(line, str(fault)))
            continue
        if entry.caution:
            cautions.append(Remark(line, entry.caution))
        if entry.expression:
            searched[entry.name].append((entry.expression, entry.loose))
            url_only.append(line)
        else:
            names.add(entry.name)
    try:
        searches = {
            name: _Search(*(_search_any(expressions) for expressions in zip(*pairs, strict=True)))
            for name, pairs in searched.items()
        }
    except EntryFault:
        faults.append(Remark(url_only[0], "begins more patterns and expressions than one search can hold"))
    if faults:
        return UrlList(tuple(faults), tuple(cautions), tuple(url_only), _refuse, _refuse)
    domain_question, url_question = _questions(frozenset(names), searches)
    return UrlList((), tuple(cautions), tuple(url_only), domain_question, url_question)


class _Search(NamedTuple):
    """What finds something in a matching form, and what does in a loose one."""

    strict: Callable[[str], object]
    loose: Callable[[str], object]


def _questions(
    listed: frozenset[str], searches: dict[str, _Search]
) -> tuple[Callable[[str], bool], Callable[[str], bool]]:
    """The two questions of a list with these plain names, and searches by name (empty: any host)."""

    @lru_cache(maxsize=MEMO)
    def in_domains(url: str) -> bool:
        return any(name in listed for name in _names(host(url)))

    @lru_cache(maxsize=MEMO)
    def in_urls(url: str) -> bool:
        if in_domains(url):
            return True
        form = matching_form(url)
        asked = [searches[name] for name in ("", *_names(host(url))) if name in searches]
        if not asked:
            return False
        covered = any(search.strict(form) is not None for search in asked)
        for free in loose_forms(form):
            if any(search.loose(free) is not None for search in asked) is not covered:
                raise UrlRefused("a path that servers read differently")
        return covered

    return in_domains, in_urls if searches else in_domains


def _names(whole: str) -> Iterator[str]:
    """The names under which a list may have a whole host: itself, and after a dot itself and its parents.

    For an address that does no harm: names never end like one, so `.0.0.1` is in no list.
    """
    yield whole
    name = f".{whole}"
    while name:
        yield name
        _, dot, rest = name[1:].partition(".")
        name = dot + rest


def _search_any(expressions: Iterable[str]) -> Callable[[str], object]:
    """One search for several expressions. Raises EntryFault if they are too large together.

    They are one alternation and no RE2 set: short of memory a set finds nothing, a search is slower.
    """
    return re2_search("|".join(f"(?:{expression})" for expression in expressions))


def _refuse(url: str) -> NoReturn:
    raise UrlRefused("a faulty list")
