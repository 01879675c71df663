"""A small personal agent for the tests of the mock: its keys, its JWKS, its tokens, by PyJWT."""

import base64
import json
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from pact_conformance.counterpart.provider.configuration import AgentConfig

AUDIENCE = "aud-of-the-tests"


@dataclass(frozen=True)
class FromNow:
    """A time that is reckoned when the token is made, not when the tests are collected."""

    seconds: int


@dataclass
class Agent:
    issuer: str = "https://agent.example"
    ec_key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    rsa_key: rsa.RSAPrivateKey = field(
        default_factory=lambda: rsa.generate_private_key(65537, 2048)
    )
    fetches: int = 0

    def jwks(self) -> dict[str, Any]:
        es256 = ECAlgorithm.to_jwk(self.ec_key.public_key(), as_dict=True)
        rs256 = RSAAlgorithm.to_jwk(self.rsa_key.public_key(), as_dict=True)
        return {
            "keys": [
                {**es256, "kid": "e1", "use": "sig", "alg": "ES256"},
                {**rs256, "kid": "r1", "use": "sig", "alg": "RS256"},
                {"kty": "unheard-of", "kid": "x"},
            ]
        }

    async def fetch(self, _uri: str) -> bytes:
        """Stand in for the HTTP fetch of the JWKS."""
        self.fetches += 1
        return json.dumps(self.jwks()).encode()

    def claims(self, user: str = "user-1", **changed: object) -> dict[str, Any]:
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "sub": user,
            "aud": AUDIENCE,
            "iat": now,
            "exp": now + 120,
            "jti": uuid.uuid4().hex,
        }
        claims |= {
            name: now + value.seconds if isinstance(value, FromNow) else value
            for name, value in changed.items()
        }
        return {name: value for name, value in claims.items() if value is not None}

    def token(
        self,
        user: str = "user-1",
        alg: str = "ES256",
        header: dict[str, Any] | None = None,
        key: object = None,
        **changed: object,
    ) -> str:
        """Return a token; None leaves a member of the header or the claims out."""
        default = self.rsa_key if alg.startswith(("RS", "PS")) else self.ec_key
        kid = "r1" if default is self.rsa_key else "e1"
        members = {"alg": alg, "kid": kid, **(header or {})}
        members = {name: value for name, value in members.items() if value is not None}
        signed = f"{segment(members)}.{segment(self.claims(user, **changed))}"
        algorithm = jwt.PyJWS().get_algorithm_by_name(alg)
        signature = algorithm.sign(signed.encode(), key or default)
        return f"{signed}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"

    def bearer(self, user: str = "user-1") -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token(user)}"}

    @contextmanager
    def published(self) -> Iterator[AgentConfig]:
        """Serve the JWKS over HTTP, and give the registration."""
        document = json.dumps(self.jwks()).encode()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Length", str(len(document)))
                self.end_headers()
                self.wfile.write(document)

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            uri = f"http://127.0.0.1:{server.server_port}/jwks.json"
            yield AgentConfig(issuer=self.issuer, jwks_uri=uri)
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


def segment(members: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(members).encode()).rstrip(b"=").decode()


def message(text: str = "Hello", **members: object) -> dict[str, Any]:
    return {
        "message": {
            "messageId": uuid.uuid4().hex,
            "role": "ROLE_USER",
            "parts": [{"text": text}],
            **members,
        }
    }
