"""Conversations at the mock in this process go by its card, as a personal agent does."""

import pytest

from pact_conformance.fuzz.campaign import Campaign
from pact_conformance.fuzz.pace import Pace
from pact_conformance.fuzz.rounds import draw, lessen

from .conversing import AtTheMock


@pytest.mark.parametrize(
    "variant",
    [
        "demands-the-tenant-it-names",
        "notices-an-approval-two-polls-late",
        "offers-no-delegation",
        "offers-one-scope",
        "offers-twelve-scopes",
        "reads-no-version-as-0-3",
        "refreshes-at-another-url",
        "sends-bodies-in-chunks",
        "serves-oauth-at-other-paths",
    ],
)
def test_whatever_the_card_says_is_followed(variant: str) -> None:
    family = AtTheMock(variants=[variant])
    try:
        tally = Campaign(family, Pace(None, 200), examples=15, seed=1).run(draw, lessen)
    finally:
        family.mock.close_loop()

    assert tally.causes == []
    assert (tally.tried, tally.undecided) == (15, 0)


def test_a_rate_limit_leaves_a_conversation_undecided() -> None:
    family = AtTheMock(variants=["limits-device-flows-in-json"])
    try:
        tally = Campaign(family, Pace(None, 500), examples=40, seed=1).run(draw, lessen)
    finally:
        family.mock.close_loop()

    assert tally.causes == []
    assert tally.undecided > 0
