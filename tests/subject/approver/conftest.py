"""The site whose pages the User goes through."""

from collections.abc import Iterator

import pytest

from .site import Site


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        yield running
