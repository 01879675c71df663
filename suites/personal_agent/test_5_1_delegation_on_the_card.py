"""§5.1 The card: which scheme is the delegation's, and where its endpoints are."""

import pytest

from pact_conformance import expect
from pact_conformance.rig import requirement
from pact_conformance.subject.stage import Stage
from pact_conformance.verdicts import Deviation

from .delegating import Customer, is_oauth, told
from .delegating_cards import SignIn


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
    known = {"device_authorization", "token", "metadata", "jwks"}
    lost = [
        it
        for it in stage.everything()
        if it.method == "POST" and is_oauth(it) and it.operation not in known
    ]

    expect.that(
        not lost,
        "OAuth requests at the endpoints of the cards alone",
        "; ".join(sorted({it.path for it in lost})[:5]),
    )


def _runs_at_the_endpoints(sign_in: SignIn, wanted: str) -> None:
    who: Customer = sign_in.who
    expect.that(bool(who.flows), wanted, f"no device authorization request: {told(sign_in.said)}")
    if not who.polls(who.flows[-1].code):
        if who.broke is not None:
            raise who.broke
        raise Deviation(wanted, f"no poll at the token endpoint: {told(who.log[-1])}")
