"""The token endpoint (RFC 6749 §5, RFC 8628 §3.4, PACT §5.3)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pact_conformance.counterpart.provider.delegation.oauth_requests import (
    OAuthRequest,
    OAuthRule,
    body_is_a_form,
    client_id_is_given,
    client_is_the_caller,
    no_parameter_stands_twice,
    read_request,
)
from pact_conformance.counterpart.provider.refusals import OAuthRefusal
from pact_conformance.counterpart.provider.table import Table

if TYPE_CHECKING:
    from starlette.responses import Response

    from pact_conformance.counterpart.provider.call import Call
    from pact_conformance.counterpart.provider.configuration import BrandConfig
    from pact_conformance.counterpart.provider.delegation.grants import Grant
    from pact_conformance.counterpart.provider.provider import Provider


@dataclass(frozen=True)
class Issue:
    """A delegation token that is to be issued."""

    brand: "BrandConfig"
    grant: "Grant"
    scopes: tuple[str, ...]
    """What the token is for."""
    refreshable: tuple[str, ...]
    """What its refresh token is for: what the User approved in the flow that it comes from."""
    now: float
    request: OAuthRequest

    @property
    def issued_at(self) -> int:
        """The token's `iat`."""
        return int(self.now)

    @property
    def expires_at(self) -> int:
        """The token's `exp`: no token outlives its grant (§5.4)."""
        return int(min(self.now + self.brand.token_seconds, self.grant.expires_at))


GrantType = Callable[["Provider", OAuthRequest], Issue]
"""Says what a request of one grant type gets; raises OAuthRefusal if nothing."""

TokenMember = Callable[["Provider", Issue], object]
"""Gives a member of the token response."""


async def issue_token(provider: "Provider", call: "Call") -> "Response":
    """Serve a token request."""
    request = await read_request(provider, call)
    delegation = provider.delegation
    for rule in delegation.token_rules:
        rule(provider, request)
    issue = delegation.grant_types[request.get("grant_type") or ""](provider, request)
    return provider.answers.oauth_result(
        {name: member(provider, issue) for name, member in delegation.token_response.items()}
    )


def grant_type_is_given(_provider: "Provider", request: OAuthRequest) -> None:
    """The grant type is named (RFC 6749 §5.2)."""
    if request.get("grant_type") is None:
        raise OAuthRefusal("invalid_request", "grant_type is missing")


def grant_type_is_served(provider: "Provider", request: OAuthRequest) -> None:
    """The grant type is one of ours: no passwords, no client credentials (RFC 6749 §5.2)."""
    if request.get("grant_type") not in provider.delegation.grant_types:
        raise OAuthRefusal("unsupported_grant_type", "The grant type is not served here")


def token_rules() -> Table[OAuthRule]:
    """Return what every token request must be, in order."""
    return Table[OAuthRule](
        body_is_a_form,
        no_parameter_stands_twice,
        grant_type_is_given,
        grant_type_is_served,
        client_id_is_given,
        client_is_the_caller,
    )


def token_response() -> dict[str, TokenMember]:
    """Return the members of the response (RFC 6749 §5.1), each by itself."""
    return {
        "token_type": lambda _provider, _issue: "Bearer",
        "access_token": lambda provider, issue: provider.delegation.mint_token(provider, issue),
        "refresh_token": lambda provider, issue: provider.delegation.refresh_tokens.issue(issue),
        "expires_in": lambda _provider, issue: issue.expires_at - issue.issued_at,
        "scope": lambda _provider, issue: " ".join(issue.scopes),
    }
