"""§5 Delegated authority: one authorization server for each Brand."""

from pact_conformance import expect
from pact_conformance.delegation import Delegation
from pact_conformance.grants import Tried
from pact_conformance.rig import Rig, requirement

from .authorizing import Elsewhere


@requirement("5-authorization-server-per-brand")
def test_a_device_code_of_one_brand_gets_no_token_at_another(
    at_other_brand: Tried[Elsewhere],
) -> None:
    elsewhere = at_other_brand.had()

    expect.oauth_refusal(elsewhere.here)
    expect.token_response(elsewhere.grant.answer)


@requirement("5-authorization-server-per-brand")
def test_each_brand_has_an_issuer_of_its_own(pact_rig: Rig, delegation: Delegation) -> None:
    other = delegation.server_of(pact_rig.other_provider)

    expect.that(
        delegation.server.issuer != other.issuer,
        "another issuer in the metadata of another Brand",
        f"{other.issuer} for both",
    )
