"""Hands the checks what runs their families, and each kept example."""

from collections.abc import Iterator

import pytest

from pact_conformance.fuzz import kept
from pact_conformance.fuzz.fuzzing import Fuzzing
from pact_conformance.rig import RIG, requirement


@pytest.fixture(scope="session")
def all_fuzzing(request: pytest.FixtureRequest) -> Fuzzing:
    """What runs the families of a process."""
    return Fuzzing(request.config.stash[RIG])


@pytest.fixture
def fuzzing(request: pytest.FixtureRequest, all_fuzzing: Fuzzing) -> Iterator[Fuzzing]:
    """What runs a family; once it was interrupted the run ends, as it would have at once."""
    yield all_fuzzing
    if all_fuzzing.interrupted:
        request.session.shouldstop = "interrupted"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize a check over what was kept, the tester's own file included."""
    if "example" not in metafunc.fixturenames:
        return
    rig = metafunc.config.stash.get(RIG, None)
    rows = kept.load(None if rig is None else rig.settings.kept)
    metafunc.parametrize(
        "example", [pytest.param(it, id=it.id, marks=requirement(it.requirement)) for it in rows]
    )
