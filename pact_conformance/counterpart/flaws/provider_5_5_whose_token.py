"""Flaws of §5.5: whose a delegation token is, for which Brand, and until when."""

from collections.abc import Callable

import httpx

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.brand_agent import Authority
from pact_conformance.counterpart.provider.configuration import BrandConfig
from pact_conformance.counterpart.provider.delegation.signing import SigningKey
from pact_conformance.counterpart.provider.delegation.token_checks import PresentedDelegation
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import BadDelegation
from pact_conformance.counterpart.provider.verifier import User


def _let_all_brands_sign_alike(provider: Provider) -> None:
    key = SigningKey.generate()
    keys: Callable[[str], list[SigningKey]] = lambda brand_id: [key]  # noqa: ARG005, E731
    setattr(provider.delegation.keys, "of", keys)  # noqa: B010 - a method, for mypy


@flaw("5.5-aud")
def takes_tokens_of_all_its_brands(provider: Provider) -> None:
    """One key signs for all Brands, and neither issuer nor audience is compared."""
    _let_all_brands_sign_alike(provider)
    provider.delegation.token_steps.drop("issuer_is_ours").drop("audience_is_this_brand")


@flaw("5.5-aud")
def compares_the_beginning_of_the_audience(provider: Provider) -> None:
    """One key signs for all Brands, and issuer and audience are any below the Provider's URL."""
    _let_all_brands_sign_alike(provider)

    def audience_is_below(provider: Provider, token: PresentedDelegation) -> None:
        if not str(token.claims.get("aud")).startswith(provider.base):
            raise BadDelegation("aud")

    steps = provider.delegation.token_steps.drop("issuer_is_ours")
    steps.replace("audience_is_this_brand", audience_is_below)


@flaw("5.5-aud")
def verifies_by_the_issuer_that_a_token_names(provider: Provider) -> None:
    """The keys are those of the Brand whose authorization server the token names as issuer."""
    steps = provider.delegation.token_steps
    is_ours = steps["signature_is_ours"]

    def signature_is_an_issuers(provider: Provider, token: PresentedDelegation) -> None:
        for brand in provider.brands.values():
            if provider.delegation.issuer(provider, brand.id) == token.claims.get("iss"):
                token.brand = brand
        is_ours(provider, token)

    steps.replace("signature_is_ours", signature_is_an_issuers)


@flaw("5.5-exp")
def takes_a_delegation_token_as_long_as_its_grant_lasts(provider: Provider) -> None:
    """The grant decides how long a delegation token is good; its exp is not looked at."""
    provider.delegation.token_steps.drop("token_has_not_expired")


@flaw("5.5-exp")
def gives_an_expired_delegation_token_five_minutes(provider: Provider) -> None:
    """A delegation token is taken up to five minutes after its exp."""

    def token_has_not_long_expired(_provider: Provider, token: PresentedDelegation) -> None:
        if token.now >= token.claims["exp"] + 300:
            raise BadDelegation("exp")

    provider.delegation.token_steps.replace("token_has_not_expired", token_has_not_long_expired)


@flaw("5.5-client-id")
def takes_a_delegation_token_from_whoever_holds_it(provider: Provider) -> None:
    """A delegation token is a bearer token: which personal agent sends it is not compared."""
    provider.delegation.token_steps.drop("client_is_the_caller")


@flaw("5.5-client-id")
def compares_the_client_with_that_of_the_grant(provider: Provider) -> None:
    """The client_id of a delegation token is compared with its grant's, not with the caller."""

    def client_is_of_the_grant(provider: Provider, token: PresentedDelegation) -> None:
        grant = provider.delegation.grants.get(str(token.claims.get("grant_id")))
        if grant is None or grant.client_id != token.claims.get("client_id"):
            raise BadDelegation("client_id")

    provider.delegation.token_steps.replace("client_is_the_caller", client_is_of_the_grant)


@flaw("5.5-client-id")
def compares_the_domain_of_the_client(provider: Provider) -> None:
    """A delegation token may be sent by another personal agent below the same domain."""

    def domain(url: object) -> str:
        return httpx.URL(str(url)).host.partition(".")[2]

    def client_has_the_domain(_provider: Provider, token: PresentedDelegation) -> None:
        if token.user is None or domain(token.claims["client_id"]) != domain(token.user.issuer):
            raise BadDelegation("client_id")

    provider.delegation.token_steps.replace("client_is_the_caller", client_has_the_domain)


@flaw("5.5-revoked")
def takes_tokens_of_revoked_grants(provider: Provider) -> None:
    """A revocation ends refreshing; a token that is out stays good until its exp."""
    provider.delegation.token_steps.drop("grant_is_not_revoked")


@flaw("5.5-client-id", "5.5-revoked")
def remembers_that_a_delegation_token_was_good(provider: Provider) -> None:
    """What a token gives is kept for a minute, for whoever sends the same text again."""
    original = provider.delegation.authority
    known: dict[tuple[str, str], tuple[float, Authority]] = {}

    def authority(
        provider: Provider, brand: BrandConfig, user: User | None, text: str
    ) -> Authority:
        now = provider.clock.now(brand.id)
        until, found = known.get((brand.id, text), (0.0, None))
        if found is None or until < now:
            found = original(provider, brand, user, text)
            known[brand.id, text] = (now + 60, found)
        return found

    provider.delegation.authority = authority
