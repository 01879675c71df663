"""§5.2 Scopes: what may be requested."""

from collections.abc import Mapping

import pytest

from pact_conformance import expect
from pact_conformance.grants import Tried
from pact_conformance.rig import requirement
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage import Stage
from pact_conformance.verdicts import Untested
from pact_conformance.wire.card import Card

from .delegating import answered, told
from .delegating_cards import SignIn
from .delegating_step_up import SteppedUp


@requirement("5.2-agent-card-scopes")
@pytest.mark.last
def test_every_requested_scope_is_on_the_card(
    stage: Stage, odd_scopes: Tried[SignIn], foreign_step_up: Tried[SteppedUp]
) -> None:
    del foreign_step_up
    requested = 0
    cards: dict[str | None, Mapping[str, str]] = {}
    for seen in stage.everything():
        if seen.operation == "card" and answered(seen):
            offer = Card(answered(seen), seen.url).delegation
            cards[seen.brand] = {} if offer is None else offer.scopes
        if seen.operation in {"device_authorization", "token"} and seen.parameter("scope"):
            requested += 1
            _is_of_the_card(seen, cards.get(seen.brand, {}))
    if not requested:
        raise Untested(
            f"no scope was requested: {told(odd_scopes.had().said)}",
            do="see 5.1-agent-finds-scheme",
        )


def _is_of_the_card(seen: Seen, scopes: Mapping[str, str]) -> None:
    requested = (seen.parameter("scope") or "").split(" ")
    expect.that("" not in requested, "ids separated by single spaces", repr(" ".join(requested)))
    foreign = [it for it in requested if it not in scopes]
    expect.that(not foreign, f"only ids of this card ({', '.join(scopes)})", ", ".join(foreign))
