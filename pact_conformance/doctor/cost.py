"""What a run will cost: counted from the collected checks, timed by what the probes took."""

import contextlib
import io
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pytest

from pact_conformance.conversations import AT_ONCE
from pact_conformance.journal.exchange import Exchange
from pact_conformance.session import planning

# Requests before the first check, and controls in between: one for so many refusals.
OPENING = 8
REFUSALS_A_CONTROL = 25

# Seconds for a start, a check and a report, besides the subject's time.
START = 1.5
EACH_CHECK = 0.003

# What a turn of a Brand's agent that runs a model is taken to last.
TURN = 2.0


@dataclass(frozen=True)
class Cost:
    """About what a run takes of the subject and of the tester's time."""

    checks: int
    requests: int
    turns: int
    latency: float
    """Seconds of a request that is no turn."""

    @property
    def seconds(self) -> float:
        """How long the run takes if a turn took no time."""
        return START + self.checks * EACH_CHECK + self.requests * self.latency

    @property
    def seconds_of_turns(self) -> float:
        """How long the turns take at two seconds each, several at once."""
        return self.turns * TURN / AT_ONCE


class _Counting:
    """A plugin that looks at what was collected and selected."""

    def __init__(self) -> None:
        self.fixtures: list[Sequence[str]] = []
        self.turns = 0

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.fixtures = [getattr(item, "fixturenames", ()) for item in session.items]
        self.turns = planning.plan(session.items)


def estimate(arguments: Sequence[str], exchanges: Iterable[Exchange]) -> Cost | None:
    """Collect the suites as a run with these arguments would; None if that fails.

    Args:
        arguments: pytest's.
        exchanges: those of the doctor, for how long one takes.
    """
    counting = _Counting()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        code = pytest.main([*arguments, "--collect-only", "-q"], plugins=[counting])
    if code not in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
        return None
    times = [exchange.elapsed for exchange in exchanges if exchange.answer is not None]
    refusals = sum(1 for fixtures in counting.fixtures if "gate" in fixtures)
    checks = len(counting.fixtures)
    return Cost(
        checks=checks,
        requests=OPENING + checks + refusals // REFUSALS_A_CONTROL + counting.turns,
        turns=counting.turns,
        latency=statistics.median(times) if times else 0.0,
    )
