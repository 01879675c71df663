"""Flaws of §5.4: the delegation token."""

import secrets
from dataclasses import replace
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.flaws.shown_tokens import Claims, change_claims, show
from pact_conformance.counterpart.provider.delegation.signing import SigningKey
from pact_conformance.counterpart.provider.delegation.token_endpoint import Issue
from pact_conformance.counterpart.provider.provider import Provider


def _sign_with(provider: Provider, key: Any, alg: str | None, **header: str) -> None:  # noqa: ANN401 - of any kind
    """Sign delegation tokens with another key."""

    def shape(_issue: Issue, claims: Claims) -> str:
        return jwt.encode(claims, key, alg, headers={"typ": "at+jwt", **header})

    show(provider, shape)


@flaw("5.4-signature")
def gives_opaque_tokens(provider: Provider) -> None:
    """The access token is an opaque string."""
    show(provider, lambda _issue, _claims: f"at_{secrets.token_urlsafe(32)}")


@flaw("5.4-signature")
def signs_tokens_with_a_shared_secret(provider: Provider) -> None:
    """The access token is signed by HS256."""
    _sign_with(provider, secrets.token_bytes(32), "HS256")


@flaw("5.4-signature")
def does_not_sign_tokens(provider: Provider) -> None:
    """The access token has `alg` none."""
    _sign_with(provider, None, None)


@flaw("5.4-signature")
def signs_tokens_with_a_key_that_is_not_published(provider: Provider) -> None:
    """The access token is signed with the key of the Provider's login server."""
    key = SigningKey.generate()
    show(provider, lambda _issue, claims: key.sign(claims, "at+jwt"))


@flaw("5.4-signature")
def signs_tokens_with_es384(provider: Provider) -> None:
    """The access token is signed by ES384."""
    _sign_with(provider, ec.generate_private_key(ec.SECP384R1()), "ES384")


@flaw("5.4-iss")
def has_an_issuer_with_a_slash(provider: Provider) -> None:
    """`iss` has a slash at its end which the metadata's `issuer` does not have."""
    change_claims(provider, lambda _issue, claims: claims.update(iss=f"{claims['iss']}/"))


@flaw("5.4-iss")
def names_the_provider_as_issuer(provider: Provider) -> None:
    """`iss` is the Provider, and `issuer` the Brand's authorization server."""
    change_claims(provider, lambda _issue, claims: claims.update(iss=provider.base))


@flaw("5.4-iss")
def has_tokens_without_issuer(provider: Provider) -> None:
    """The token has no `iss`."""
    change_claims(provider, lambda _issue, claims: claims.pop("iss"))


@flaw("5.4-aud")
def has_the_audience_of_the_agents_jwt(provider: Provider) -> None:
    """`aud` is what the Provider assigned to the personal agent."""
    change_claims(provider, lambda _issue, claims: claims.update(aud=provider.config.audience))


@flaw("5.4-aud")
def has_the_card_for_audience(provider: Provider) -> None:
    """`aud` is the URL of the card."""
    change_claims(
        provider,
        lambda issue, claims: claims.update(aud=provider.card_url(issue.brand.id)),
    )


@flaw("5.4-aud")
def has_an_audience_with_a_slash(provider: Provider) -> None:
    """`aud` is the interface URL with a slash at its end."""
    change_claims(provider, lambda _issue, claims: claims.update(aud=f"{claims['aud']}/"))


@flaw("5.4-aud", "5.4-aud-one-string")
def is_good_at_all_brands(provider: Provider) -> None:
    """`aud` has the interface URLs of all Brands."""
    audience = [provider.interface(brand) for brand in provider.brands]
    change_claims(provider, lambda _issue, claims: claims.update(aud=audience))


@flaw("5.4-aud-one-string")
def has_an_array_for_audience(provider: Provider) -> None:
    """`aud` is an array that holds the interface URL."""
    change_claims(provider, lambda _issue, claims: claims.update(aud=[claims["aud"]]))


@flaw("5.4-sub", "5.5-as-brand-user", "5.6-user")
def copies_the_user_of_the_agent(provider: Provider) -> None:
    """`sub` is that of the personal-agent JWT."""
    change_claims(provider, lambda issue, claims: claims.update(sub=issue.request.user.sub))


@flaw("5.4-sub", "5.5-as-brand-user", "5.6-user")
def makes_up_a_user_for_each_grant(provider: Provider) -> None:
    """`sub` is another for each grant of one account."""
    change_claims(
        provider,
        lambda issue, claims: claims.update(sub=f"{claims['sub']}-{issue.grant.id[-6:]}"),
    )


@flaw("5.4-sub", "5.5-as-brand-user", "5.6-user")
def has_a_user_of_each_agent(provider: Provider) -> None:
    """`sub` is another for each personal agent that one account delegates to."""
    change_claims(
        provider,
        lambda issue, claims: claims.update(sub=f"{claims['sub']}@{issue.grant.client_id}"),
    )


@flaw("5.4-sub", "5.5-as-brand-user", "5.6-user")
def has_one_user_for_all_accounts(provider: Provider) -> None:
    """`sub` is the same for all accounts."""
    change_claims(provider, lambda _issue, claims: claims.update(sub="customer"))


@flaw("5.4-sub", "5.5-as-brand-user", "5.6-user")
def numbers_users(provider: Provider) -> None:
    """`sub` is a number."""
    change_claims(
        provider, lambda _issue, claims: claims.update(sub=int(claims["sub"].split("-")[1]))
    )


@flaw("5.4-client-id")
def names_the_client_by_its_registration(provider: Provider) -> None:
    """`client_id` is an internal id of the registration."""
    change_claims(
        provider,
        lambda _issue, claims: claims.update(client_id=f"reg-{len(claims['client_id'])}"),
    )


@flaw("5.4-client-id")
def names_the_client_as_azp(provider: Provider) -> None:
    """The issuer of the personal agent is `azp` in place of `client_id`."""
    change_claims(provider, lambda _issue, claims: claims.update(azp=claims.pop("client_id")))


@flaw("5.4-client-id")
def names_one_client_for_all(provider: Provider) -> None:
    """`client_id` is the agent that was registered first, whoever asked."""
    first = next(iter(provider.verifier.agents))
    change_claims(provider, lambda _issue, claims: claims.update(client_id=first))


@flaw("5.4-client-id")
def names_the_client_with_a_slash(provider: Provider) -> None:
    """`client_id` is the issuer with a slash at its end."""
    change_claims(
        provider, lambda _issue, claims: claims.update(client_id=f"{claims['client_id']}/")
    )


@flaw("5.4-scope", "5.6-scopes-used")
def lists_scopes_as_an_array(provider: Provider) -> None:
    """The token's `scope` is an array."""
    change_claims(provider, lambda _issue, claims: claims.update(scope=claims["scope"].split()))


@flaw("5.4-scope", "5.6-scopes-used")
def lists_scopes_as_scp(provider: Provider) -> None:
    """The token has `scp` in place of `scope`."""
    change_claims(provider, lambda _issue, claims: claims.update(scp=claims.pop("scope")))


@flaw("5.4-scope", "5.6-scopes-used")
def separates_scopes_by_commas(provider: Provider) -> None:
    """The ids in the token's `scope` are separated by commas."""
    change_claims(
        provider, lambda _issue, claims: claims.update(scope=claims["scope"].replace(" ", ","))
    )


@flaw("5.4-grant-id", "5.6-grant-id")
def has_tokens_without_grant_id(provider: Provider) -> None:
    """The token has no `grant_id`."""
    change_claims(provider, lambda _issue, claims: claims.pop("grant_id"))


@flaw("5.4-grant-id", "5.6-grant-id")
def names_each_token_for_its_grant(provider: Provider) -> None:
    """`grant_id` is the token's own id, which changes with each refresh."""
    change_claims(
        provider, lambda _issue, claims: claims.update(grant_id=secrets.token_urlsafe(12))
    )


@flaw("5.4-grant-id", "5.6-grant-id")
def numbers_grants(provider: Provider) -> None:
    """`grant_id` is a number."""
    change_claims(provider, lambda _issue, claims: claims.update(grant_id=4471))


@flaw("5.4-iat-exp")
def has_tokens_without_iat(provider: Provider) -> None:
    """The token has `exp` alone."""
    change_claims(provider, lambda _issue, claims: claims.pop("iat"))


@flaw("5.4-iat-exp")
def has_tokens_that_never_expire(provider: Provider) -> None:
    """The token has no `exp`."""
    change_claims(provider, lambda _issue, claims: claims.pop("exp"))


def _change_times(provider: Provider, change: Any) -> None:  # noqa: ANN401 - any other spelling
    change_claims(
        provider,
        lambda _issue, claims: claims.update({it: change(claims[it]) for it in ("iat", "exp")}),
    )


@flaw("5.3-expires-in", "5.4-iat-exp", "5.4-lifetime")
def counts_in_milliseconds(provider: Provider) -> None:
    """`iat` and `exp` are in milliseconds."""
    _change_times(provider, lambda seconds: 1000 * seconds)


@flaw("5.4-iat-exp")
def writes_times_as_texts(provider: Provider) -> None:
    """`iat` and `exp` are strings."""
    _change_times(provider, str)


@flaw("5.3-expires-in", "5.4-iat-exp", "5.5-exp")
def says_that_tokens_have_expired(provider: Provider) -> None:
    """The times are of another time zone: `exp` lies hours in the past."""
    _change_times(provider, lambda seconds: seconds - 10 * 3600)


@flaw("5.4-lifetime")
def has_tokens_for_a_day(provider: Provider) -> None:
    """The token lives for a day."""
    _live(provider, 86_400)


@flaw("5.4-lifetime")
def has_tokens_for_a_second_too_long(provider: Provider) -> None:
    """The token lives for 3601 s."""
    _live(provider, 3601)


def _live(provider: Provider, seconds: float) -> None:
    for brand in list(provider.brands.values()):
        provider.brands[brand.id] = replace(brand, token_seconds=seconds)
