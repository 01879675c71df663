"""The wheel is built and installed once for all tests of this folder."""

import pytest

from .installed import Installed, installed


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return installed(tmp_path_factory.mktemp("wheel"))
