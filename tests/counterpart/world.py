"""A mock Provider in this process, with two registered agents, a stranger, and no network."""

import asyncio
import base64
import json
import uuid
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar

import httpx
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from jwt.algorithms import ECAlgorithm, OKPAlgorithm

from pact_conformance.counterpart.provider.application import Application
from pact_conformance.counterpart.provider.configuration import AgentConfig, ProviderConfig
from pact_conformance.counterpart.provider.discovery import Discovery
from pact_conformance.counterpart.provider.domain import Domain
from pact_conformance.counterpart.provider.keys import KeySource
from pact_conformance.counterpart.provider.provider import Provider
from tests.counterpart.agent import AUDIENCE, Agent

BASE = "http://127.0.0.1:1"
FIRST, SECOND = ProviderConfig().brands[0].id, ProviderConfig().brands[1].id
MAX_AGE, REFETCH = 100.0, 10.0
UNKNOWN = "01JD4M7Q2ZZZZZZZZZZZZZZZZZ"


class Keys:
    """The keys of everybody; made once, for RSA keys take their time."""

    def __init__(self) -> None:
        self.agent = Agent()
        self.other = Agent(issuer="https://other.example")
        self.stranger = Agent(issuer="https://stranger.example")
        self.p384 = ec.generate_private_key(ec.SECP384R1())
        self.ed25519 = ed25519.Ed25519PrivateKey.generate()
        self.certificate = _certificate(self.stranger.ec_key)
        self.documents = {
            "https://agent.example/jwks": json.dumps({"keys": self.agent_jwks()}).encode(),
            "https://other.example/jwks": json.dumps(self.other.jwks()).encode(),
            "https://stranger.example/jwks": json.dumps(self.stranger.jwks()).encode(),
            "https://stranger.example/pem": self.certificate.public_bytes(Encoding.PEM),
        }

    def agent_jwks(self) -> list[dict[str, Any]]:
        further = [
            ECAlgorithm.to_jwk(self.p384.public_key(), as_dict=True) | {"kid": "p384"},
            OKPAlgorithm.to_jwk(self.ed25519.public_key(), as_dict=True) | {"kid": "ed"},
        ]
        return [*self.agent.jwks()["keys"], *further]


@cache
def keys() -> Keys:
    return Keys()


def _certificate(key: ec.EllipticCurvePrivateKey) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "stranger")])
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=1))
        .sign(key, SHA256())
    )


class Web:
    """What is published, and the time by which it grows old."""

    def __init__(self) -> None:
        self.documents = dict(keys().documents)
        self.now = 0.0

    async def fetch(self, uri: str) -> bytes:
        try:
            return self.documents[uri]
        except KeyError:
            raise httpx.ConnectError("unreachable") from None

    def publish(self, uri: str, entries: list[Any]) -> None:
        """Have a JWKS somewhere, and let so much time pass that it is seen."""
        self.documents[uri] = json.dumps({"keys": entries}).encode()
        self.pass_time()

    def withdraw(self, uri: str) -> None:
        """Have nothing there any more."""
        del self.documents[uri]
        self.pass_time()

    def pass_time(self) -> None:
        self.now += MAX_AGE + 1


class World:
    """What a probe gets: a client, the agents, and short ways to ask."""

    def __init__(self, provider: Provider, client: httpx.AsyncClient, web: Web) -> None:
        self.provider = provider
        self.client = client
        self.web = web
        self.keys = keys()
        self.agent = self.keys.agent

    async def ask(
        self,
        method: str,
        path: str,
        *,
        token: str | None = "good",
        brand: str = FIRST,
        headers: dict[str, str] | None = None,
        body: object = None,
    ) -> httpx.Response:
        if token == "good":
            token = self.agent.token()
        sent = {} if token is None else {"Authorization": f"Bearer {token}"}
        if isinstance(body, bytes):
            sent["Content-Type"] = "application/json"
        content = {"content": body} if isinstance(body, bytes) else {"json": body}
        if body is None:
            content = {}
        url = f"/a2a/{brand}{path}"
        sent |= {"A2A-Version": "1.0"} | (headers or {})
        return await self.client.request(method, url, headers=sent, **content)

    async def say(
        self,
        user: str = "user-1",
        agent: Agent | None = None,
        *,
        brand: str = FIRST,
        members: Mapping[str, object] = MappingProxyType({}),
    ) -> httpx.Response:
        """Send a message with these members; `...` leaves one out."""
        message = {
            "messageId": uuid.uuid4().hex,
            "role": "ROLE_USER",
            "parts": [{"text": "Hello"}],
            **members,
        }
        token = (agent or self.agent).token(user)
        body = {"message": {name: it for name, it in message.items() if it is not ...}}
        return await self.ask("POST", "/message:send", token=token, body=body, brand=brand)


T = TypeVar("T")


async def visit(apply: Callable[[Provider], None], act: Callable[[World], Awaitable[T]]) -> T:
    """Let `act` see a Provider to which something was applied."""
    config = ProviderConfig(
        agents=(
            AgentConfig(issuer="https://agent.example", jwks_uri="https://agent.example/jwks"),
            AgentConfig(issuer="https://other.example", jwks_uri="https://other.example/jwks"),
        ),
        audience=AUDIENCE,
        slow_seconds=0.05,
    )
    provider = Provider(config, BASE)
    web = Web()
    provider.verifier.keys = KeySource(
        max_age=MAX_AGE, refetch_interval=REFETCH, fetch=web.fetch, clock=lambda: web.now
    )
    provider.verifier.discovery = Discovery(
        max_age=MAX_AGE, retry_interval=REFETCH, fetch=web.fetch, clock=lambda: web.now
    )
    for port, brand_id in enumerate((FIRST, SECOND), 7):
        provider.domains.add(brand_id, Domain(f"http://localhost:{port}", port))
    apply(provider)
    transport = httpx.ASGITransport(Application(provider))
    async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
        return await act(World(provider, client, web))


def alone(act: Callable[[World], Awaitable[None]]) -> Callable[[], None]:
    """Make a test of an act with a Provider as it is."""

    def test() -> None:
        asyncio.run(visit(lambda _: None, act))

    return test


def segments(header: object, claims: object, sign: Callable[[bytes], bytes]) -> str:
    """Return a token, put together by hand."""
    parts = [json.dumps(part).encode() for part in (header, claims)]
    signed = b".".join(encoded(part) for part in parts)
    return (signed + b"." + encoded(sign(signed))).decode()


def encoded(data: bytes) -> bytes:
    return base64.urlsafe_b64encode(data).rstrip(b"=")
