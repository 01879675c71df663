"""How fast a subject is asked: as its tester says, and without that by whose it is."""

from types import SimpleNamespace
from typing import cast

import pytest

from pact_conformance.fuzz.fuzzing import Fuzzing
from pact_conformance.fuzz.pace import USUAL_RATE
from pact_conformance.rig import Rig


@pytest.mark.parametrize(
    ("built_in", "told", "rate"),
    [(False, None, USUAL_RATE), (True, None, None), (False, 7.0, 7.0), (True, 7.0, 7.0)],
)
def test_the_built_in_provider_alone_is_asked_as_fast_as_it_answers(
    *, built_in: bool, told: float | None, rate: float | None
) -> None:
    settings = SimpleNamespace(fuzz=100, fuzz_rate=told)
    fuzzing = Fuzzing(cast("Rig", SimpleNamespace(settings=settings, built_in=built_in)))

    assert fuzzing._pace().rate == rate
