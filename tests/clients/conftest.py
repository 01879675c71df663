from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from pact_conformance.counterpart.provider.configuration import DEFAULT_BRANDS, ProviderConfig
from pact_conformance.counterpart.provider.serving import RunningBrand, start
from tests.counterpart.agent import AUDIENCE, Agent

from .driven import Driven, driven, libraries


@pytest.fixture(scope="session")
def client() -> Iterator[Driven]:
    with driven(libraries()) as running:
        yield running


@pytest.fixture(scope="session")
def agent() -> Agent:
    return Agent()


@contextmanager
def served(agent: Agent) -> Iterator[RunningBrand]:
    """Run a mock Provider with one Brand, where polls may come as soon as they like."""
    brands = (replace(DEFAULT_BRANDS[0], poll_interval=0.0),)
    with agent.published() as registration:
        config = ProviderConfig(brands=brands, agents=(registration,), audience=AUDIENCE)
        with start(config) as provider:
            yield provider.brands[0]


@pytest.fixture(scope="session")
def brand(agent: Agent) -> Iterator[RunningBrand]:
    with served(agent) as brand:
        yield brand
