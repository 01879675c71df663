"""§5.2 Scopes: what may be requested."""

from collections.abc import Mapping

import pytest

from pact_conformance import expect
from pact_conformance.grants import Tried
from pact_conformance.rig import requirement
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage import Stage
from pact_conformance.verdicts import Untested

from .delegating import told
from .delegating_cards import SignIn
from .delegating_step_up import SteppedUp
from .granting import offers


@requirement("5.2-agent-card-scopes")
@pytest.mark.last
def test_every_requested_scope_is_on_the_card(
    stage: Stage, odd_scopes: Tried[SignIn], foreign_step_up: Tried[SteppedUp]
) -> None:
    del foreign_step_up
    everything = stage.everything()
    cards = offers(everything)
    asking = {"device_authorization", "token"}
    requests = [it for it in everything if it.operation in asking and it.parameter("scope")]
    for seen in requests:
        _is_of_the_card(seen, cards.get(seen.brand, {}))
    if not requests:
        raise Untested(
            f"no scope was requested: {told(odd_scopes.had().said)}",
            do="see 5.1-agent-finds-scheme",
        )


def _is_of_the_card(seen: Seen, scopes: Mapping[str, str]) -> None:
    requested = (seen.parameter("scope") or "").split(" ")
    expect.that("" not in requested, "ids separated by single spaces", repr(" ".join(requested)))
    foreign = [it for it in requested if it not in scopes]
    expect.that(not foreign, f"only ids of this card ({', '.join(scopes)})", ", ".join(foreign))
