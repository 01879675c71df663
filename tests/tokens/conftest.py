from collections.abc import Iterator

import pytest

from pact_conformance.tokens.jwks_server import JwksServer


@pytest.fixture(scope="package")
def server() -> Iterator[JwksServer]:
    """Where forgeries publish the keys that they point to."""
    with JwksServer() as running:
        yield running
