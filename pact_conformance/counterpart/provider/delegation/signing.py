"""The keys of a Brand's authorization server, which sign delegation tokens and receipts (§5.1)."""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt import PyJWS
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

PrivateKey = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey

_JWS = PyJWS(algorithms=["ES256", "RS256"])


@dataclass(frozen=True)
class SigningKey:
    """A private key with its `kid` and `alg`."""

    kid: str
    alg: str
    private: PrivateKey = field(repr=False)

    @classmethod
    def generate(cls, alg: str = "ES256") -> "SigningKey":
        """Return a new key for ES256 or RS256."""
        private: PrivateKey = (
            rsa.generate_private_key(65537, 2048)
            if alg == "RS256"
            else ec.generate_private_key(ec.SECP256R1())
        )
        return cls(kid=secrets.token_hex(8), alg=alg, private=private)

    def jwk(self) -> dict[str, Any]:
        """Return the public key as a JWK (RFC 7517)."""
        public = self.private.public_key()
        if isinstance(public, rsa.RSAPublicKey):
            jwk = RSAAlgorithm.to_jwk(public, as_dict=True)
        else:
            jwk = ECAlgorithm.to_jwk(public, as_dict=True)
        jwk.pop("key_ops", None)
        return {**jwk, "kid": self.kid, "use": "sig", "alg": self.alg}

    def sign(self, claims: Mapping[str, Any], typ: str) -> str:
        """Return the compact JWS of claims (RFC 7515 §7.1)."""
        payload = json.dumps(claims, ensure_ascii=False, separators=(",", ":")).encode()
        return _JWS.encode(payload, self.private, self.alg, {"kid": self.kid, "typ": typ})


class SigningKeys:
    """The keys of each Brand's authorization server: the first signs, all are published."""

    def __init__(self) -> None:
        self._by_brand: dict[str, list[SigningKey]] = {}

    def of(self, brand_id: str) -> list[SigningKey]:
        """Return the keys of a Brand, made when they are first asked for."""
        if brand_id not in self._by_brand:
            self._by_brand[brand_id] = [SigningKey.generate()]
        return self._by_brand[brand_id]

    def rotate(self, brand_id: str) -> None:
        """Have a new key sign from now on; those from before stay published."""
        keys = self.of(brand_id)
        keys.insert(0, SigningKey.generate(keys[0].alg))

    def jwks(self, brand_id: str) -> dict[str, Any]:
        """Return what the `jwks_uri` of a Brand serves (§5.1)."""
        return {"keys": [key.jwk() for key in self.of(brand_id)]}
