"""Which conversations the collected checks need, and what those cost: known before any is held."""

from collections.abc import Iterable

import pytest

from pact_conformance.conversations import PLANNED, Conversation, needed, planned_turns
from pact_conformance.subject.ledger import total


def planned(items: Iterable[pytest.Item]) -> tuple[Conversation, ...]:
    """Return the conversations that these checks need.

    Their order is that of the suites, whatever order the checks are run in: what a bound cuts off
    is the same in every run.
    """
    wanted = {name for item in items for name in getattr(item, "fixturenames", ())}
    return needed(name for name in PLANNED if name in wanted)


def compared(turns: int, *, planned: int, limit: int | None, fuzzed: int = 0) -> str:
    """Say how what a run has cost compares with what it was to cost; empty if nothing was to.

    Args:
        turns: that it has cost.
        planned: that its checks were to cost.
        limit: that it may cost.
        fuzzed: that examples have cost, which nobody plans.
    """
    words = [f"{planned} planned"] if planned or turns else []
    words += [f"{fuzzed} for fuzzing"] if fuzzed else []
    words += [] if limit is None else [f"--pact-max-turns={limit}"]
    more = "; the subject served what it should have refused or repeated"
    return f" ({', '.join(words)}{more if turns - fuzzed > planned else ''})" if words else ""


def plan(items: Iterable[pytest.Item]) -> int:
    """Return the most turns that these checks cost a Provider that does as it should."""
    return total(planned_turns(planned(items)))
