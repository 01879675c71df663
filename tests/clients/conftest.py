from collections.abc import Iterator

import pytest

from pact_conformance.counterpart.provider.configuration import ProviderConfig
from pact_conformance.counterpart.provider.serving import RunningBrand, start
from tests.counterpart.agent import AUDIENCE, Agent

from .driven import Driven, driven


@pytest.fixture(scope="session")
def client() -> Iterator[Driven]:
    with driven() as running:
        yield running


@pytest.fixture(scope="session")
def agent() -> Agent:
    return Agent()


@pytest.fixture(scope="session")
def brand(agent: Agent) -> Iterator[RunningBrand]:
    with (
        agent.published() as registration,
        start(ProviderConfig(agents=(registration,), audience=AUDIENCE)) as provider,
    ):
        yield provider.brands[0]
