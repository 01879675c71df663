"""What a Brand tells the Provider about who has signed in: a JWT of its own (§5.3)."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pact_conformance.counterpart.provider.configuration import BrandConfig
    from pact_conformance.counterpart.provider.provider import Provider
    from pact_conformance.counterpart.provider.sessions import Session

SECONDS = 60
"""How long an assertion is good: it is on its way for one redirect."""


@dataclass(frozen=True)
class Attested:
    """Who has signed in, and for which flow."""

    brand: "BrandConfig"
    session: "Session"
    user_code: str
    now: float


AssertionClaim = Callable[["Provider", Attested], object]


def assertion_claims() -> dict[str, AssertionClaim]:
    """Return the claims of an assertion, each by itself."""
    return {
        "iss": lambda provider, it: provider.domains.url(it.brand.id),
        "aud": lambda provider, it: provider.delegation.issuer(provider, it.brand.id),
        "sub": lambda _provider, it: it.session.brand_user,
        "name": lambda _provider, it: it.session.name,
        "user_code": lambda _provider, it: it.user_code,
        "jti": lambda _provider, _it: secrets.token_urlsafe(16),
        "iat": lambda _provider, it: int(it.now),
        "exp": lambda _provider, it: int(it.now) + SECONDS,
    }


def mint_assertion(provider: "Provider", attested: Attested) -> str:
    """Return an assertion, signed by the Brand."""
    login = provider.login
    claims = {name: claim(provider, attested) for name, claim in login.assertion_claims.items()}
    return login.keys.of(attested.brand.id)[0].sign(claims, "JWT")
