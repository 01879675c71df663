"""The refresh token grant: another token of the same grant, never wider (§5.4, RFC 6749 §6)."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pact_conformance.counterpart.provider.delegation.grants import Grant
from pact_conformance.counterpart.provider.delegation.oauth_requests import OAuthRequest
from pact_conformance.counterpart.provider.delegation.token_endpoint import Issue
from pact_conformance.counterpart.provider.refusals import OAuthRefusal
from pact_conformance.counterpart.provider.table import Table

if TYPE_CHECKING:
    from pact_conformance.counterpart.provider.provider import Provider


@dataclass
class RefreshToken:
    """What a refresh token stands for."""

    grant: Grant
    scopes: tuple[str, ...]
    """What the User approved in the flow that it comes from."""
    used: bool = False


class RefreshTokens:
    """The refresh tokens of a Provider; a used one is kept, so that its second use is noticed."""

    def __init__(self) -> None:
        self._by_value: dict[str, RefreshToken] = {}

    def issue(self, issue: Issue) -> str:
        """Return a new refresh token beside a delegation token."""
        value = f"rt_{secrets.token_urlsafe(32)}"
        self._by_value[value] = RefreshToken(issue.grant, issue.refreshable)
        return value

    def get(self, value: str) -> RefreshToken | None:
        """Return what a refresh token stands for, whoever's it is."""
        return self._by_value.get(value)


RefreshRule = Callable[["Provider", OAuthRequest, RefreshToken], None]


def refresh(provider: "Provider", request: OAuthRequest) -> Issue:
    """Return the token that a refresh gets.

    Raises:
        OAuthRefusal: it gets none.
    """
    token = provider.delegation.find_refresh_token(provider, request)
    for rule in provider.delegation.refresh_rules:
        rule(provider, request, token)
    provider.delegation.rotate(token)
    scopes = provider.delegation.refreshed_scopes(request, token)
    return Issue(request.brand, token.grant, scopes, token.scopes, request.now, request)


def find_refresh_token(provider: "Provider", request: OAuthRequest) -> RefreshToken:
    """Return what the refresh token of a request stands for.

    Raises:
        OAuthRefusal: there is none, or one that was never given out.
    """
    value = request.get("refresh_token")
    if value is None:
        raise OAuthRefusal("invalid_request", "refresh_token is missing")
    token = provider.delegation.refresh_tokens.get(value)
    if token is None:
        raise OAuthRefusal("invalid_grant", "Unknown refresh_token")
    return token


def token_is_of_this_brand(
    _provider: "Provider", request: OAuthRequest, token: RefreshToken
) -> None:
    """The token was given out by this Brand's authorization server (§5)."""
    if token.grant.brand_id != request.brand.id:
        raise OAuthRefusal("invalid_grant", "Unknown refresh_token")


def token_is_of_this_client(
    _provider: "Provider", request: OAuthRequest, token: RefreshToken
) -> None:
    """The token was given to this personal agent; another one's attempt changes nothing."""
    if token.grant.client_id != request.user.issuer:
        raise OAuthRefusal("invalid_grant", "Unknown refresh_token")


def token_is_unused(_provider: "Provider", _request: OAuthRequest, token: RefreshToken) -> None:
    """A token that is used a second time was stolen once: its grant ends (RFC 9700 §4.14.2)."""
    if token.used:
        token.grant.revoked = True
        raise OAuthRefusal("invalid_grant", "The refresh_token has been used")


def token_grant_lasts(_provider: "Provider", request: OAuthRequest, token: RefreshToken) -> None:
    """The grant is neither revoked nor expired (§5.4)."""
    if not token.grant.lasts(request.now):
        raise OAuthRefusal("invalid_grant", "The grant has ended")


def scopes_are_approved(_provider: "Provider", request: OAuthRequest, token: RefreshToken) -> None:
    """No scope is asked for that the User has not approved (RFC 6749 §6)."""
    if not set(request.scopes) <= set(token.scopes):
        raise OAuthRefusal("invalid_scope", "A scope was not approved")


def refresh_rules() -> Table[RefreshRule]:
    """Return what must hold of a refresh, in order."""
    return Table[RefreshRule](
        token_is_of_this_brand,
        token_is_of_this_client,
        token_is_unused,
        token_grant_lasts,
        scopes_are_approved,
    )


def refreshed_scopes(request: OAuthRequest, token: RefreshToken) -> tuple[str, ...]:
    """Return the scopes of the new token: those asked for, or all that were approved."""
    asked = request.scopes
    return tuple(it for it in token.scopes if not asked or it in asked)


def rotate(token: RefreshToken) -> None:
    """Let a refresh token work once (RFC 9700 §4.14.2)."""
    token.used = True
