from collections.abc import Iterator

import pytest

from tests.counterpart.stage.acting import Acting, acting


@pytest.fixture(scope="session")
def acts() -> Iterator[Acting]:
    with acting() as it:
        yield it
