"""The whole suite against somebody else's personal agent reaches the verdicts found by hand."""

import pytest

from .oracle import PACT_PERSONAL_AGENT
from .running import Run


def test_every_verdict_is_the_one_found_by_hand(pact_personal_agent: Run) -> None:
    differences = PACT_PERSONAL_AGENT.differences(pact_personal_agent.document())

    if differences:
        pytest.fail(f"{len(differences)} verdicts differ:\n\n" + "\n\n".join(differences))


def test_an_agent_that_is_not_conformant_ends_the_run_with_1(pact_personal_agent: Run) -> None:
    assert pact_personal_agent.wait() == 1, pact_personal_agent.told
