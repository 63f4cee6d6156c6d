"""The codes of the service's problems."""

from __future__ import annotations

from groundrule import codes as engine
from groundrule_adapters.http import problems


def test_a_code_has_one_meaning_in_the_whole_product() -> None:
    """No problem of the service bears the code of a fault of a file."""
    faults = {code.code for code in vars(engine).values() if isinstance(code, engine.Code)}
    assert len(problems.KINDS) > 10
    assert faults.isdisjoint(problems.KINDS)
    assert "GR101" in faults
