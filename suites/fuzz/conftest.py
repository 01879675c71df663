"""Hands the checks what runs their families."""

import pytest

from pact_conformance.fuzz.fuzzing import Fuzzing
from pact_conformance.rig import Rig


@pytest.fixture
def fuzzing(pact_rig: Rig) -> Fuzzing:
    """What runs a family."""
    return Fuzzing(pact_rig)
