import pytest

from pact_conformance.journal.answer import Answer
from pact_conformance.subject.control import FRESH_SECONDS, FRESH_USES, Controls
from pact_conformance.verdicts import Inconclusive
from tests.subject.answers import answer


class Gate:
    """Answers controls with a status, and counts them; time stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0
        self.asked = 0
        self.status = 400
        self.controls = Controls(now=lambda: self.now)

    def ask(self) -> Answer:
        self.asked += 1
        return answer(self.status)

    def ensure(self, twin: str = "good") -> None:
        self.controls.ensure(twin, self.ask, what="the good token")


@pytest.fixture
def gate() -> Gate:
    return Gate()


def test_one_control_serves_the_refusals_of_a_short_while(gate: Gate) -> None:
    for _ in range(FRESH_USES):
        gate.ensure()

    assert gate.asked == 1


def test_a_control_is_used_up(gate: Gate) -> None:
    for _ in range(FRESH_USES + 2):
        gate.ensure()

    assert gate.asked == 2


def test_a_control_grows_old(gate: Gate) -> None:
    gate.ensure()
    gate.now += FRESH_SECONDS - 0.01
    gate.ensure()
    assert gate.asked == 1

    gate.now += 0.01
    gate.ensure()

    assert gate.asked == 2


def test_each_twin_has_a_control_of_its_own(gate: Gate) -> None:
    gate.ensure("good")
    gate.ensure("alg RS256")
    gate.ensure("good")

    assert gate.asked == 2


@pytest.mark.parametrize("status", [200, 400, 403, 404, 415])
def test_what_came_from_behind_the_gate_passed_it(gate: Gate, status: int) -> None:
    gate.status = status

    gate.ensure()


@pytest.mark.parametrize("status", [401, 429, 500, 502, 503])
def test_a_control_that_did_not_pass_settles_nothing(gate: Gate, status: int) -> None:
    gate.status = status

    with pytest.raises(Inconclusive, match=f"the good token got {status}"):
        gate.ensure()


def test_a_control_that_failed_is_asked_for_again(gate: Gate) -> None:
    gate.ensure()
    gate.now += FRESH_SECONDS
    gate.status = 401
    for _ in range(2):
        with pytest.raises(Inconclusive):
            gate.ensure()
    gate.status = 400

    gate.ensure()
    gate.ensure()

    assert gate.asked == 4
