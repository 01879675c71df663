from collections.abc import Iterator

import pytest

from tests.counterpart.personal_agent.brand import Brand, scripted


@pytest.fixture
def brand() -> Iterator[Brand]:
    """A scripted Brand that the agent is connected to."""
    with scripted() as opened:
        yield opened
