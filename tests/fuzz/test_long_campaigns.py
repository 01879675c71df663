"""A campaign takes as long for its last examples as for its first: nothing piles up."""

from collections.abc import Iterator

import pytest

from pact_conformance.counterpart.provider.delegation.grants import Grant
from pact_conformance.fuzz.conversations.kinds import KINDS

from .conversing import AtTheMock
from .least_conversations import GRANT_1, GRANT_2, gets, revokes, says


@pytest.fixture
def family() -> Iterator[AtTheMock]:
    made = AtTheMock()
    yield made
    made.mock.close_loop()


def test_the_mock_looks_at_no_grant_of_an_earlier_conversation(family: AtTheMock) -> None:
    looked_at: list[Grant] = []

    def counted(grant: Grant, _wanted: object) -> bool:
        looked_at.append(grant)
        return True

    skipping = family.mock.provider.delegation.consent.skipping
    skipping.add(counted, before="grant_is_of_this_brand")
    example = KINDS.example([gets(GRANT_1), says(under=GRANT_1), gets(GRANT_2), revokes(GRANT_1)])
    for _ in range(20):
        assert family.attempt(example).fate == "accepted"

    assert len(looked_at) == 20
