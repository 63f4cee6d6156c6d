"""How long a failing server is left alone."""

from groundrule_adapters.sources.mcp.breaker import LONGEST_PAUSE, Breaker


def test_one_failure_is_free_and_the_pause_then_doubles() -> None:
    """One restart at once; then half a second, one, two, up to the longest."""
    breaker = Breaker()
    pauses = []
    for _ in range(5):
        breaker.failed(now=100.0)
        pauses.append(breaker.pause(100.0))
    assert pauses == [0.0, 0.5, 1.0, 2.0, 4.0]
    for _ in range(2_000):
        breaker.failed(now=100.0)
    assert breaker.pause(100.0) == LONGEST_PAUSE
    assert breaker.pause(100.0 + LONGEST_PAUSE) == 0.0


def test_an_answer_forgives_everything() -> None:
    """After a success the count begins anew."""
    breaker = Breaker()
    for _ in range(4):
        breaker.failed(now=0.0)
    breaker.succeeded()
    breaker.failed(now=0.0)
    assert breaker.pause(0.0) == 0.0
