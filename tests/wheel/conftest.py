"""The wheel is built and installed once for all tests of this folder."""

from collections.abc import Iterator

import pytest

from .installed import Installed, installed


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    with installed(tmp_path_factory.mktemp("wheel")) as made:
        yield made
