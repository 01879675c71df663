"""The agent's signing keys, and the set in which they are published (§3.1)."""

from dataclasses import dataclass, field
from typing import Any, Literal

from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from pact_conformance.wire.messages import new_id

Alg = Literal["ES256", "RS256"]
"""What PACT lets personal agents sign with (§3.2)."""

PUBLISHED = 3
"""How many keys are published: the one that signs, and those whose tokens may still be under
way."""


@dataclass(frozen=True)
class SigningKey:
    """A private key with its name."""

    kid: str
    alg: str
    private: Any = field(repr=False)
    """What PyJWT signs `alg` with."""

    @classmethod
    def generate(cls, alg: str = "ES256") -> "SigningKey":
        """Make a new key for ES256 or RS256."""
        private: Any
        if alg == "RS256":
            private = rsa.generate_private_key(65537, 2048)
        else:
            private = ec.generate_private_key(ec.SECP256R1())
        return cls(new_id("key"), alg, private)

    def public_jwk(self) -> dict[str, Any]:
        """Return the public key as a JWK (RFC 7517)."""
        algorithm = RSAAlgorithm if self.alg == "RS256" else ECAlgorithm
        jwk: dict[str, Any] = algorithm.to_jwk(self.private.public_key(), as_dict=True)
        jwk.pop("key_ops", None)
        return {**jwk, "kid": self.kid, "use": "sig", "alg": self.alg}
