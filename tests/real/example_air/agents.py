"""Personal agents to register with the subject: keys of their own, and tokens made with PyJWT.

Nothing here comes from the suite, so that a mistake in how the suite signs cannot hide.
"""

import json
import time
import uuid
from dataclasses import dataclass, field
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm


@dataclass(frozen=True)
class Agent:
    """A personal agent with an ES256 and an RS256 key, in this order.

    The subject takes the first key of the set for a token without `kid`, so the order matters.
    """

    issuer: str
    es256: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    rs256: rsa.RSAPrivateKey = field(
        default_factory=lambda: rsa.generate_private_key(public_exponent=65537, key_size=2048)
    )

    def registration(self) -> dict[str, Any]:
        """What the Provider keeps of it (PACT §3.1)."""
        return {
            "issuer": self.issuer,
            "jwks": {
                "keys": [
                    _jwk("ES256", ECAlgorithm.to_jwk(self.es256.public_key())),
                    _jwk("RS256", RSAAlgorithm.to_jwk(self.rs256.public_key())),
                ]
            },
        }

    def private_jwks(self) -> str:
        """Its keys for the suite that plays it, as a JWK Set."""
        keys = [
            _jwk("ES256", ECAlgorithm.to_jwk(self.es256)),
            _jwk("RS256", RSAAlgorithm.to_jwk(self.rs256)),
        ]
        return json.dumps({"keys": keys})

    def token(self, audience: str, *, user: str = "user-1", alg: str = "ES256") -> str:
        """A good personal-agent JWT (PACT §3.2)."""
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "sub": user,
            "aud": audience,
            "iat": now,
            "exp": now + 120,
            "jti": uuid.uuid4().hex,
        }
        key = self.es256 if alg == "ES256" else self.rs256
        return jwt.encode(claims, key, algorithm=alg, headers={"kid": _kid(alg)})


def _kid(alg: str) -> str:
    return f"{alg.lower()}-1"


def _jwk(alg: str, jwk: str) -> dict[str, Any]:
    members = json.loads(jwk)
    members.pop("key_ops", None)
    return {**members, "kid": _kid(alg), "alg": alg, "use": "sig"}
