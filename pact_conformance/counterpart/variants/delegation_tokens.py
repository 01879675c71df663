"""Legal claims of delegation tokens, and legal token responses (§5.3, §5.4)."""

import secrets
from collections.abc import Callable

from pact_conformance.counterpart.provider.delegation.token_checks import PresentedDelegation
from pact_conformance.counterpart.provider.delegation.token_endpoint import Issue
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import BadDelegation
from pact_conformance.counterpart.substitution import Document
from pact_conformance.counterpart.variants.delegation_changes import (
    change_brands,
    change_token_response,
)
from pact_conformance.counterpart.variants.registry import variant

# Claims


@variant("5.4-aud-one-string")
def writes_the_audience_as_an_array(provider: Provider) -> None:
    """The token's aud is an array that holds the interface URL alone."""
    delegation = provider.delegation
    delegation.token_claims["aud"] = lambda provider, issue: [provider.interface(issue.brand.id)]

    def audience_is_this_brand(provider: Provider, token: PresentedDelegation) -> None:
        if token.claims.get("aud") != [provider.interface(token.brand.id)]:
            raise BadDelegation("aud")

    delegation.token_steps.replace("audience_is_this_brand", audience_is_this_brand)


@variant("5.4-aud")
def writes_the_audience_with_a_slash(provider: Provider) -> None:
    """The token's aud is the interface URL with a slash behind it."""
    delegation = provider.delegation
    delegation.token_claims["aud"] = lambda provider, it: f"{provider.interface(it.brand.id)}/"

    def audience_is_this_brand(provider: Provider, token: PresentedDelegation) -> None:
        if token.claims.get("aud") != f"{provider.interface(token.brand.id)}/":
            raise BadDelegation("aud")

    delegation.token_steps.replace("audience_is_this_brand", audience_is_this_brand)


@variant()
def mints_odd_grant_ids(provider: Provider) -> None:
    """A grant_id has spaces, slashes, quotes and letters beyond ASCII."""
    provider.delegation.grants.mint = lambda: f'grant "é" 1/2 {secrets.token_hex(40)} =='


@variant()
def mints_grant_ids_that_look_like_numbers(provider: Provider) -> None:
    """A grant_id is a string of a few digits."""
    provider.delegation.grants.mint = lambda: str(secrets.randbelow(9 * 10**8) + 10**8)


@variant()
def claims_more(provider: Provider) -> None:
    """A token has further claims, registered ones and others, some nested."""
    more: Document = {
        "auth_time": 1_700_000_000,
        "azp": "internal-7",
        "acr": None,
        "act": {"sub": "agent"},
        "roles": ["customer"],
        "email_verified": True,
    }
    claims = provider.delegation.token_claims
    claims.update({name: _claim(value) for name, value in more.items()})
    claims["jti"] = lambda _provider, _issue: secrets.token_urlsafe(12)
    claims["nbf"] = lambda _provider, issue: issue.issued_at


def _claim(value: object) -> Callable[[Provider, Issue], object]:
    return lambda _provider, _issue: value


@variant()
def writes_times_with_fractions(provider: Provider) -> None:
    """A token's iat and exp have fractions of a second."""
    claims = provider.delegation.token_claims
    claims["iat"] = lambda _provider, issue: issue.now
    claims["exp"] = lambda _provider, issue: issue.now + issue.brand.token_seconds - 0.5


@variant()
def issues_tokens_for_a_minute(provider: Provider) -> None:
    """A token lives for 60 seconds."""
    change_brands(provider, token_seconds=60.0)


@variant("5.4-lifetime")
def issues_tokens_for_a_day(provider: Provider) -> None:
    """A token lives for a day."""
    change_brands(provider, token_seconds=86_400.0)


@variant()
def lists_scopes_in_another_order(provider: Provider) -> None:
    """The scopes of token and response are in an order of their own."""
    delegation = provider.delegation

    def scope(_provider: Provider, issue: Issue) -> str:
        return " ".join(reversed(issue.scopes))

    delegation.token_claims["scope"] = scope
    delegation.token_response["scope"] = scope


# The token response


@variant("5.3-refresh-token")
def gives_no_refresh_token(provider: Provider) -> None:
    """There are no refresh tokens."""
    del provider.delegation.token_response["refresh_token"]
    del provider.delegation.grant_types["refresh_token"]


@variant("5.3-refresh-token")
def gives_null_for_a_refresh_token(provider: Provider) -> None:
    """The response has null in place of a refresh token."""
    provider.delegation.token_response["refresh_token"] = lambda _provider, _issue: None
    del provider.delegation.grant_types["refresh_token"]


@variant("5.3-scope-always")
def leaves_out_the_scope_where_all_was_granted(provider: Provider) -> None:
    """The response has no scope where it equals what was asked for."""
    by_code = provider.delegation.codes.by_device_code

    def change(document: Document, issue: Issue) -> None:
        code = by_code(issue.request.get("device_code") or "")
        asked = issue.refreshable if code is None else code.scopes
        if set(asked) == set(issue.scopes):
            del document["scope"]

    change_token_response(provider, change)


@variant()
def writes_bearer_in_lower_case(provider: Provider) -> None:
    """The token_type is spelt bearer."""
    provider.delegation.token_response["token_type"] = lambda _provider, _issue: "bearer"


@variant("5.3-expires-in")
def leaves_out_expires_in(provider: Provider) -> None:
    """The response does not say how long the token lasts."""
    del provider.delegation.token_response["expires_in"]


@variant()
def rounds_expires_in(provider: Provider) -> None:
    """The response says two seconds less than the token lasts."""
    provider.delegation.token_response["expires_in"] = lambda _provider, issue: (
        issue.expires_at - issue.issued_at - 2
    )


@variant()
def adds_members_to_the_token_response(provider: Provider) -> None:
    """The response has members that OAuth registers or does not know, and null for some."""
    more: Document = {
        "issued_token_type": "urn:ietf:params:oauth:token-type:access_token",
        "authorization_details": [],
        "refresh_expires_in": 2_592_000,
        "not-before-policy": 0,
        "session_state": None,
        "error": None,
    }
    response = provider.delegation.token_response
    response.update({name: _claim(value) for name, value in more.items()})
