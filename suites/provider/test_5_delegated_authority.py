"""§5 Delegated authority: one authorization server for each Brand."""

from pact_conformance import expect
from pact_conformance.delegation import Delegation
from pact_conformance.grants import Tried
from pact_conformance.rig import Rig, requirement
from pact_conformance.verdicts import Untested

from .authorizing import Elsewhere


@requirement("5-authorization-server-per-brand")
def test_a_device_code_of_one_brand_gets_no_token_at_another(
    at_other_brand: Tried[Elsewhere],
) -> None:
    elsewhere = at_other_brand.had()
    if elsewhere.here.status != 200:
        _ = elsewhere.grant.token

    expect.oauth_refusal(elsewhere.here)


@requirement("5-authorization-server-per-brand")
def test_each_brand_has_an_issuer_of_its_own(pact_rig: Rig, delegation: Delegation) -> None:
    issuer = delegation.server.issuer
    other = delegation.server_of(pact_rig.other_provider).issuer
    if not issuer or not other:
        raise Untested("the metadata has no issuer", do="see 5.1-metadata")

    expect.that(
        issuer != other,
        "another issuer in the metadata of another Brand",
        f"{other} for both",
    )
