"""§5.1 The card: which scheme is the delegation's, and where its endpoints are."""

import pytest

from pact_conformance import expect
from pact_conformance.rig import requirement
from pact_conformance.subject.stage import Stage
from pact_conformance.verdicts import Deviation, Untested

from .delegating import told
from .delegating_cards import SignIn
from .granting import error_of, is_oauth, offers


@requirement("5.1-agent-finds-scheme")
def test_the_scheme_is_found_by_its_device_code_flow(
    renamed_scheme: SignIn,
) -> None:
    _runs_at_the_endpoints(renamed_scheme, "a device flow at the endpoints of the device code flow")


@requirement("5.1-agent-endpoints")
def test_the_endpoints_are_those_that_the_card_names(endpoints_elsewhere: SignIn) -> None:
    _runs_at_the_endpoints(endpoints_elsewhere, "a device flow at the endpoints of the card")


@requirement("5.1-agent-endpoints")
@pytest.mark.last
def test_no_oauth_request_goes_anywhere_else(stage: Stage) -> None:
    """At Brands that offer delegation; what others are spared is judged in §5."""
    known = {"device_authorization", "token", "metadata", "jwks"}
    everything = stage.everything()
    offering = frozenset(brand for brand, scopes in offers(everything).items() if scopes)
    lost = {
        it.path
        for it in everything
        if it.method == "POST" and it.operation not in known and is_oauth(it)
        if it.brand is None or it.brand in offering
    }

    expect.that(
        not lost,
        "OAuth requests at the endpoints of the cards alone",
        "; ".join(sorted(lost)[:5]),
    )


def _runs_at_the_endpoints(sign_in: SignIn, wanted: str) -> None:
    """Demand a device authorization request, and polls if it has begun a flow."""
    who = sign_in.who
    asked = who.scene.seen("device_authorization")
    expect.that(bool(asked), wanted, f"no device authorization request: {told(sign_in.said)}")
    if not who.flows:
        raise Untested(
            f"no device flow began: {error_of(asked[-1]) or told(sign_in.said)}",
            do="see 5.3-agent-form, 5.3-agent-client-id and 5.2-agent-card-scopes",
        )
    if not who.polls(who.flows[-1].code):
        if who.broke is not None:
            raise who.broke
        raise Deviation(wanted, f"no poll at the token endpoint: {told(who.log[-1])}")
