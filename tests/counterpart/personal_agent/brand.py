"""A scripted Brand in this process: it keeps every request and answers as a test wants."""

import json
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

import httpx
import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

from pact_conformance.counterpart.personal_agent.adapter import Adapter, built_in
from pact_conformance.counterpart.personal_agent.failure import Unanswered
from pact_conformance.counterpart.personal_agent.transport import Answer, Request
from pact_conformance.wire.errors import envelope

CARD = "https://cards.example/somewhere/else.json"
INTERFACE = "https://provider.example:8443/deep/path/brand"
OAUTH = "https://oauth.example/unlike"
AUDIENCE = "Opaque/Audience: 1"
JANE, OMAR = {"id": "jane", "email": "jane@doe.example"}, {"id": "omar"}
LINK = "https://brand.example/login?return_to=https%3A%2F%2Fp.example%2F%3Fuser_code%3DWDJB-MJHT"
KEY = ec.generate_private_key(ec.SECP256R1())

Told = dict[str, Any]
Scripted = Answer | Exception | Callable[[Request], Answer]


def answer(body: object = None, status: int = 200, **headers: str) -> Answer:
    """Return an answer: text or JSON; names of headers with underscores."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    content = body if isinstance(body, str) else json.dumps(body)
    given.setdefault("content-type", "application/a2a+json")
    return Answer("", status, httpx.Headers(given), b"" if body is None else content.encode())


def reply(*texts: str, context_id: str | None = "ctx-1", **members: object) -> Answer:
    parts = [{"text": text} for text in texts or ("Sure.",)]
    message: dict[str, Any] = {"messageId": "r", "role": "ROLE_AGENT", "parts": parts, **members}
    if context_id is not None:
        message["contextId"] = context_id
    return answer({"message": message})


def error(reason: str, status: int | None = None) -> Answer:
    body = envelope(reason, "No")
    return answer(body, status or body["error"]["code"])


def oauth_error(code: str) -> Answer:
    return answer({"error": code}, 400, content_type="application/json")


def device(**members: object) -> Answer:
    given = {"device_code": "dc", "user_code": "WDJB-MJHT", "verification_uri": "https://b.example"}
    more = {"verification_uri_complete": LINK, "expires_in": 600, "interval": 5}
    return answer({**given, **more, **members}, content_type="application/json;charset=UTF-8")


def token(access_token: object = "dt-1", **members: object) -> Answer:
    given = {"access_token": access_token, "token_type": "bearer", "expires_in": 3600}
    more = {"scope": "read", "refresh_token": "rt-1"}
    found = {**given, **more, **members}
    return answer({name: it for name, it in found.items() if it is not None})


def step_up(*missing: str, context_id: str = "ctx-1") -> Answer:
    status = {"state": "TASK_STATE_AUTH_REQUIRED"}
    metadata = {"pact.missingScopes": list(missing), "pact.verificationUriComplete": "https://x"}
    task = {"id": "t", "contextId": context_id, "status": status, "metadata": metadata}
    return answer({"task": task})


def invalid_token() -> Answer:
    challenge = 'Bearer realm="a2a", error="invalid_token"'
    return answer(None, 401, www_authenticate=challenge)


def lost() -> Exception:
    return Unanswered("nothing came", arrived=True)


def card(**members: object) -> dict[str, Any]:
    flow = {
        "deviceAuthorizationUrl": f"{OAUTH}/begin",
        "tokenUrl": f"{OAUTH}/swap",
        "scopes": {"read": "Look up your orders", "cancel": "Cancel something unshipped"},
    }
    oauth = {"flows": {"deviceCode": flow}, "oauth2MetadataUrl": f"{OAUTH}/metadata"}
    interface = {"url": INTERFACE, "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"}
    return {
        "supportedInterfaces": [interface],
        "securitySchemes": {
            "key": {"apiKeySecurityScheme": {"name": "k", "location": "header"}},
            "odd": {"httpAuthSecurityScheme": {"scheme": "bearer", "bearerFormat": "JWT"}},
            "web": {"oauth2SecurityScheme": {"flows": {"authorizationCode": {}}}},
            "consent": {"oauth2SecurityScheme": oauth},
        },
        "securityRequirements": [{"schemes": {"odd": {"list": []}}}],
        **members,
    }


@dataclass
class Brand:
    """What the agent meets, and everything that it did."""

    adapter: Adapter
    card: Any = field(default_factory=card)
    requests: list[Request] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    """When each request came, by the agent's own clock."""
    answers: dict[str, deque[Scripted]] = field(default_factory=lambda: defaultdict(deque))
    handle: str = ""

    def send(self, request: Request) -> Answer:
        """Stand in for the network."""
        self.requests.append(request)
        self.times.append(self.adapter.agent.time.now(INTERFACE))
        operation = _operation(request.url)
        script = self.answers[operation]
        scripted: Scripted = script.popleft() if script else self.default(operation)
        if isinstance(scripted, Exception):
            raise scripted
        found = scripted(request) if callable(scripted) else scripted
        return Answer(request.url, found.status, found.headers, found.body)

    def default(self, operation: str) -> Answer:
        """Return what an honest Brand answers."""
        jwk = ECAlgorithm.to_jwk(KEY.public_key(), as_dict=True)
        honest: dict[str, Callable[[], Answer]] = {
            "card": lambda: answer(self.card, content_type="application/json"),
            "send": reply,
            "begin": device,
            "swap": token,
            "metadata": lambda: answer({"jwks_uri": f"{OAUTH}/keys"}),
            "keys": lambda: answer({"keys": [{**jwk, "kid": "k1"}, {"kty": "odd"}, 7]}),
        }
        return honest[operation]()

    def script(self, operation: str, *answers: Scripted) -> None:
        self.answers[operation].extend(answers)

    def connect(self, url: str = CARD) -> Told:
        told = self.adapter.connect({"card": url, "audience": AUDIENCE})
        self.handle = told.get("brand", self.handle)
        return told

    def say(self, text: str = "Hello", conversation: object = None, user: object = JANE) -> Told:
        asked = {"brand": self.handle, "user": user, "text": text, "conversation": conversation}
        return self.adapter.say(asked)

    def sign_in(self, *scopes: str, user: object = JANE) -> Told:
        return self.adapter.sign_in({**self.asked(user), "scopes": list(scopes) or None})

    def go_on(self, user: object = JANE) -> Told:
        return self.adapter.go_on(self.asked(user))

    def holds(self, user: object = JANE) -> Told:
        return self.adapter.holds(self.asked(user))

    def asked(self, user: object = JANE) -> dict[str, Any]:
        return {"brand": self.handle, "user": user}

    def granted(self, *scopes: str, **members: object) -> None:
        """Bring the agent a grant."""
        self.sign_in(*(scopes or ("read",)))
        self.script("swap", token(scope=" ".join(scopes or ("read",)), **members))
        assert "reply" in self.go_on()

    def pass_time(self, seconds: float) -> None:
        self.adapter.pass_time({"brand": self.handle, "seconds": seconds})

    def seen(self, operation: str) -> list[Request]:
        return [it for it in self.requests if _operation(it.url) == operation]

    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(it.body or b"")["message"] for it in self.seen("send")]

    def forms(self, operation: str) -> list[dict[str, str]]:
        return [dict(parse_qsl((it.body or b"").decode())) for it in self.seen(operation)]

    def delegations(self) -> list[str | None]:
        return [dict(it.headers).get("X-A2A-User-Delegation") for it in self.seen("send")]


def _operation(url: str) -> str:
    if "message:send" in url:
        return "send"
    return url.removeprefix(f"{OAUTH}/") if url.startswith(OAUTH) else "card"


@contextmanager
def scripted(**card_members: object) -> Iterator[Brand]:
    """Give a Brand that the agent is connected to."""
    waits: list[float] = []
    adapter = built_in(lambda _interface, seconds: waits.append(seconds))
    brand = Brand(adapter, card(**card_members), waits=waits)
    adapter.agent.transport.send = brand.send  # type: ignore[method-assign]
    try:
        brand.connect()
        yield brand
    finally:
        adapter.close()


def receipt(
    jws_claims: object, claims: object, kid: str = "k1", key: ec.EllipticCurvePrivateKey = KEY
) -> dict[str, Any]:
    text = json.dumps(jws_claims).encode()
    jws = jwt.PyJWS().encode(text, key, algorithm="ES256", headers={"kid": kid})
    return {"pact.receipt": {"jws": jws, "claims": claims}}
