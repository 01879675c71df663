from collections.abc import Iterator

import httpx
import pytest

from pact_conformance.counterpart.provider.configuration import ProviderConfig
from pact_conformance.counterpart.provider.serving import RunningProvider, start
from tests.counterpart.agent import AUDIENCE, Agent
from tests.counterpart.probes import Pieces, all_pieces


@pytest.fixture(scope="session")
def agent() -> Agent:
    return Agent()


@pytest.fixture(scope="session")
def running(agent: Agent) -> Iterator[RunningProvider]:
    with agent.published() as registration:
        config = ProviderConfig(agents=(registration,), audience=AUDIENCE, slow_seconds=0.3)
        with start(config) as provider:
            yield provider


@pytest.fixture(scope="session")
def client() -> Iterator[httpx.Client]:
    with httpx.Client(trust_env=False, timeout=10) as client:
        yield client


@pytest.fixture
def brand(running: RunningProvider) -> str:
    """The interface URL of the first Brand."""
    return running.brands[0].interface


@pytest.fixture(scope="session")
def honest() -> Pieces:
    """What a Provider without flaw or variant shows."""
    return all_pieces()
