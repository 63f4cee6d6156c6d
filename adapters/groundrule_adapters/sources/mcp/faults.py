"""The two ways in which this adapter reports trouble.

A configuration that cannot be used is an exception for the person who wrote it. A call that brought nothing is a
value with an outcome; inside the adapter it travels as McpFailure and never leaves `source.fetch`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from groundrule import codes
from groundrule.diagnostics import Diagnostic, in_order, visible
from groundrule.facts.words import Outcome

from ...settings import ConfigError

_SHOWN = 200
"""Code points of somebody else's text that a reason quotes."""


class McpConfigError(ConfigError):
    """A configuration or mapping file that cannot be used."""


class MappingError(McpConfigError):
    """Mapping files that cannot be used. diagnostics: all their faults, in order. The message is one of them."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = in_order(diagnostics)
        # A misspelt key is missing too; what stands there helps more than what does not.
        misspelt = (fault for fault in self.diagnostics if fault.code == codes.MAPPING_KEY.code)
        first = next(misspelt, self.diagnostics[0])
        line, column = first.span.source.position(first.span.start)
        super().__init__(first.span.source.name, f"{line}:{column}", first.message, first.help)


class McpFailure(Exception):
    """A call that brought no evidence.

    outcome: never `evidence`. reason: one sentence for people who read the receipt. said: somebody else's words
    that belong to it. gone: whether the connection or the time is gone, so that further calls of the same attempt
    make no sense.
    """

    def __init__(self, outcome: Outcome, reason: str, *, said: str = "", gone: bool = False) -> None:
        self.outcome: Outcome = outcome
        self.reason, self.said, self.gone = reason, said, gone
        super().__init__(f"{outcome}: {reason}")

    def sentence(self, redacted: Callable[[str], str]) -> str:
        """The reason with what was said: without configured values, on one line, control characters escaped, cut."""
        said = " ".join(redacted(self.said).split())
        said = said if len(said) <= _SHOWN else said[: _SHOWN - 1] + "…"
        return f"{self.reason}: “{visible(said)}”" if said else self.reason
