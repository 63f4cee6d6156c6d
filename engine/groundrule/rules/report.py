"""What a run of test files came to, as values, as JSON, and as JUnit XML for continuous integration."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as xml

from ..diagnostics import Diagnostic, Span

# XML 1.0 has no way to write these, not even as references.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class CaseResult:
    """One case. differences: a sentence for each thing that came out other than expected. place: `file:line:column`."""

    name: str
    place: str
    differences: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether everything came out as expected."""
        return not self.differences


@dataclass(frozen=True)
class FileResult:
    """One test file and the cases of it that could be run."""

    path: str
    contract: str
    cases: tuple[CaseResult, ...]


@dataclass(frozen=True)
class RuleShown:
    """What the cases show of one rule.

    passed, failed, undecided: whether some case has it so. doubtful: whether the rule can be undecided at all.
    """

    rule: str
    contract: str
    version: str
    place: Span
    passed: bool
    failed: bool
    undecided: bool
    doubtful: bool

    @property
    def missing(self) -> tuple[str, ...]:
        """What no case shows and one must: `passing`, `failing`, `undecided`."""
        wanted = {"passing": self.passed, "failing": self.failed, "undecided": self.undecided or not self.doubtful}
        return tuple(state for state, shown in wanted.items() if not shown)


@dataclass(frozen=True)
class TestReport:
    """A run of all test files of a rule set.

    faults: what is wrong with the rule set or the test files, and what no case shows, sorted by place. coverage: the
    rules in force, by contract, version and id.
    """

    __test__ = False  # pytest takes a class of this name for a test

    files: tuple[FileResult, ...]
    faults: tuple[Diagnostic, ...]
    coverage: tuple[RuleShown, ...]

    @property
    def cases(self) -> tuple[CaseResult, ...]:
        """Every case that was run."""
        return tuple(case for file in self.files for case in file.cases)

    @property
    def passed(self) -> bool:
        """Whether every case passed and nothing is missing."""
        return not self.faults and bool(self.cases) and all(case.passed for case in self.cases)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "passed": self.passed,
            "cases": len(self.cases),
            "failed": sum(not case.passed for case in self.cases),
            "files": [
                {
                    "file": file.path,
                    "contract": file.contract,
                    "cases": [
                        {
                            "name": case.name,
                            "place": case.place,
                            "passed": case.passed,
                            "differences": list(case.differences),
                        }
                        for case in file.cases
                    ],
                }
                for file in self.files
            ],
            "coverage": [
                {
                    "rule": shown.rule,
                    "contract": shown.contract,
                    "version": shown.version,
                    "missing": list(shown.missing),
                }
                for shown in self.coverage
            ],
            "faults": [fault.to_json() for fault in self.faults],
        }


def junit(report: TestReport) -> str:
    """The report as JUnit XML: a suite for each file, and one for what is wrong beside the cases."""
    root = xml.Element("testsuites", name="groundrule")
    for file in report.files:
        suite = _suite(root, file.path, len(file.cases), sum(not case.passed for case in file.cases))
        for case in file.cases:
            element = xml.SubElement(suite, "testcase", classname=_text(file.contract), name=_text(case.name))
            if not case.passed:
                _failure(element, "failure", f"{case.place}: {case.differences[0]}", case.differences)
    if report.faults:
        suite = _suite(root, "rule set", len(report.faults), 0, len(report.faults))
        for fault in report.faults:
            element = xml.SubElement(suite, "testcase", classname=fault.code, name=_text(fault.place))
            _failure(element, "error", f"{fault.code}: {fault.message}", [fault.render()])
    xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(root, encoding="unicode") + "\n"


def _suite(root: xml.Element, name: str, tests: int, failures: int, errors: int = 0) -> xml.Element:
    counts = {"tests": tests, "failures": failures, "errors": errors}
    return xml.SubElement(root, "testsuite", {"name": _text(name), **{key: str(n) for key, n in counts.items()}})


def _failure(case: xml.Element, tag: str, message: str, lines: Iterable[str]) -> None:
    xml.SubElement(case, tag, message=_text(message)).text = _text("\n".join(lines))


def _text(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
