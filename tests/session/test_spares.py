"""Registrations that checks may change: whom they are lent to, and what a tester gives."""

import threading
from pathlib import Path

import pytest

from pact_conformance.spares import Spares
from pact_conformance.subject.plan import Plan, Purpose, Registration, Spare
from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.keys import SigningKey
from pact_conformance.verdicts import Inconclusive, NotApplicable, Notebook, Untested, notebook

KEY = SigningKey.generate("ES256", kid="k")
REGISTRATION = Registration("https://spare.example", "aud", '{"keys": []}')
SPARE = Spare(REGISTRATION, "spare")
CONTROL = "http://127.0.0.1:1/control/s"


def spares(
    lock: Path,
    *purposes: Purpose,
    absent: dict[str, str] | None = None,
    control: str | None = CONTROL,
) -> Spares:
    plan = Plan(spares=dict.fromkeys(purposes, SPARE), jwks_control=control)
    return Spares(plan, absent or {}, lambda it: Caller(it.issuer, it.audience, (KEY,)), lock=lock)


def test_a_registration_is_lent_for_its_purpose(tmp_path: Path) -> None:
    lending = spares(tmp_path / "lock", "rotating")

    assert lending.has("rotating")
    assert not lending.has("unreachable")
    with lending.lend("rotating") as lent:
        assert (lent.caller.issuer, lent.name) == (REGISTRATION.issuer, "spare")
        assert lent.keys is not None


def test_without_a_registration_the_check_is_untested(tmp_path: Path) -> None:
    with pytest.raises(Untested) as raised, spares(tmp_path / "lock").lend("unreachable"):
        pass

    assert "PA_SPARE_ISSUER" in raised.value.do


def test_what_is_declared_absent_is_not_applicable(tmp_path: Path) -> None:
    lending = spares(tmp_path / "lock", "rotating", absent={"rotation": "keys are pinned"})

    with pytest.raises(NotApplicable, match="keys are pinned"), lending.lend("rotating"):
        pass


def test_keys_that_this_run_does_not_serve_cannot_change(tmp_path: Path) -> None:
    lending = spares(tmp_path / "lock", "rotating", control=None)

    with lending.lend("rotating") as lent, pytest.raises(Untested) as raised:
        lent.keys.add([])

    assert "PA_JWKS_LISTEN" in raised.value.do


def test_one_registration_for_several_purposes_is_lent_to_one_at_a_time(tmp_path: Path) -> None:
    lending = spares(tmp_path / "lock", "rotating", "unreachable")
    got = threading.Event()

    def borrow() -> None:
        with spares(tmp_path / "lock", "rotating", "unreachable").lend("unreachable"):
            got.set()

    other = threading.Thread(target=borrow)
    with lending.lend("rotating"):
        other.start()
        assert not got.wait(0.2)
    other.join(5)

    assert got.is_set()


def test_whoever_waits_too_long_for_it_cannot_tell(tmp_path: Path) -> None:
    lending = spares(tmp_path / "lock", "rotating", "unreachable")

    with (
        lending.lend("rotating"),
        notebook(Notebook(until=0.0)),
        pytest.raises(Inconclusive, match="too long"),
        spares(tmp_path / "lock", "rotating", "unreachable").lend("unreachable"),
    ):
        pass


def test_a_plan_keeps_its_registrations_on_the_way_to_a_worker() -> None:
    other = Registration("https://other.example", "aud", "{}")
    plan = Plan(
        spares={"rotating": SPARE, "unreachable": SPARE},
        stray=REGISTRATION,
        stranger=other,
        jwks_control=CONTROL,
        settings={"hooks": {"fail_agent": "http://127.0.0.1:1/"}},
    )

    assert Plan.from_text(plan.to_text()) == plan
    assert plan.registrations == (REGISTRATION, other, REGISTRATION)
