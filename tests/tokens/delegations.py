"""Delegation tokens as a Provider issues them, signed with another library than ours."""

from collections.abc import Mapping
from typing import Any

import jwt

from pact_conformance.tokens.delegation import DelegationToken, read
from pact_conformance.tokens.keys import SigningKey, jwks
from tests.tokens.callers import NOW

BRAND_KEYS = {alg: SigningKey.generate(alg, kid=f"brand-{alg}") for alg in ("ES256", "RS256")}
JWKS = jwks(BRAND_KEYS.values())
CLAIMS: Mapping[str, Any] = {
    "iss": "https://provider.example/a2a/01J/oauth",
    "aud": "https://provider.example/a2a/01J",
    "sub": "jane-4471",
    "client_id": "https://pa.example",
    "scope": "orders:read",
    "grant_id": "g-1",
    "iat": int(NOW),
    "exp": int(NOW) + 3600,
}


def signed(
    alg: str = "ES256",
    claims: Mapping[str, Any] = CLAIMS,
    *,
    key: SigningKey | None = None,
    **header: object,
) -> str:
    """Return a compact JWS with the kid of the Brand's key, unless `header` says otherwise."""
    maker = key or BRAND_KEYS[alg]
    named = {"kid": maker.kid, **header}
    named = {name: value for name, value in named.items() if value is not None}
    private: Any = maker.private
    return jwt.encode(dict(claims), private, algorithm=alg, headers=named)


def issued(alg: str = "ES256", **claims: object) -> DelegationToken:
    """Return a good token, read."""
    return read(signed(alg, {**CLAIMS, **claims}))
