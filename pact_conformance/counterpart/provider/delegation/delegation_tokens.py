"""The delegation token: its claims (§5.4), and its signature."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pact_conformance.counterpart.provider.delegation.token_endpoint import Issue

if TYPE_CHECKING:
    from pact_conformance.counterpart.provider.provider import Provider

TokenClaim = Callable[["Provider", Issue], object]


def token_claims() -> dict[str, TokenClaim]:
    """Return the claims of a delegation token (§5.4), each by itself."""
    return {
        "iss": lambda provider, issue: provider.delegation.issuer(provider, issue.brand.id),
        "aud": lambda provider, issue: provider.interface(issue.brand.id),
        "sub": lambda _provider, issue: issue.grant.brand_user,
        "client_id": lambda _provider, issue: issue.grant.client_id,
        "scope": lambda _provider, issue: " ".join(issue.scopes),
        "grant_id": lambda _provider, issue: issue.grant.id,
        "iat": lambda _provider, issue: issue.issued_at,
        "exp": lambda _provider, issue: issue.expires_at,
    }


def mint_token(provider: "Provider", issue: Issue) -> str:
    """Return a delegation token, signed by the Brand's authorization server (§5.4)."""
    claims = {
        name: claim(provider, issue) for name, claim in provider.delegation.token_claims.items()
    }
    return provider.delegation.sign(provider, issue.brand.id, claims, "at+jwt")
