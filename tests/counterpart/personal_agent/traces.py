"""What an agent does in a course of small scenes, in a form that is the same for each run of it.

Everything that was sent and told is in it, personal-agent JWTs taken apart, and what is made by
chance replaced by the order in which it came.
"""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

import jwt

from pact_conformance.counterpart.personal_agent.adapter import Adapter, built_in
from pact_conformance.counterpart.personal_agent.configuration import PersonalAgentConfig
from pact_conformance.counterpart.personal_agent.transport import Answer, Request
from tests.counterpart.personal_agent.brand import (
    AUDIENCE,
    CARD,
    INTERFACE,
    JANE,
    KEY,
    OAUTH,
    OMAR,
    Brand,
    answer,
    card,
    device,
    error,
    invalid_token,
    lost,
    oauth_error,
    receipt,
    reply,
    step_up,
    token,
)

ROSA = {"id": "rosa", "name": "Rosa Doe", "email": "rosa@doe.example", "phone": "+31 20 794 0571"}
OTHER = "https://other.example/registry/brand-7"
ISSUER = "https://agent.example/PACT"
LINK = "https://b.example/in?return_to=https%3A%2F%2Fp.example%2F" + "%26a%3D1" * 20
LONG = "Ctx:" + "A/b+(7)" * 20

_CHANCE = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32,64}"
    r"|(?<=\")[\w-]{43}(?=\")"
)
_BEARER = re.compile(r"[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*")


class Trace:
    """A course of scenes with one agent."""

    def __init__(self, flaws: Iterable[str] = (), variants: Iterable[str] = ()) -> None:
        self.lines: list[str] = []
        self._names: dict[str, str] = {}
        self.adapter: Adapter = built_in(
            self._moved, PersonalAgentConfig(issuer=ISSUER), flaws=flaws, variants=variants
        )
        self.brand = Brand(self.adapter)
        self._listen()

    def play(self, scene: "Scene", **members: object) -> None:
        """Play a scene at a Brand of its own, with these members on its card."""
        self.lines.append(f"== {scene.__name__}")
        self.brand = Brand(self.adapter, card(**members))
        self._listen()
        self.do(lambda: self.brand.connect(f"{CARD}?{scene.__name__}"))
        scene(self)

    def do(self, act: Callable[[], Any]) -> Any:  # noqa: ANN401 - whatever it returns
        """Do something, and keep what came of it, an exception too."""
        try:
            told = act()
        except Exception as error:  # noqa: BLE001 - a flaw may be a crash
            told = f"{type(error).__name__}"
        self.lines.append(f"told {self._shown(json.dumps(told, default=str))}")
        return told

    def say(self, text: str = "Hello", conversation: object = None, user: object = ROSA) -> Any:  # noqa: ANN401
        return self.do(lambda: self.brand.say(text, conversation, user))

    def granted(self, *scopes: str, **members: object) -> None:
        """Bring the agent a grant, if it takes one."""
        self.do(lambda: self.brand.sign_in(*(scopes or ("read",)), user=ROSA))
        self.brand.script("swap", token(scope=" ".join(scopes or ("read",)), **members))
        self.do(lambda: self.brand.go_on(ROSA))
        self.brand.answers["swap"].clear()

    def restart(self) -> None:
        self.do(lambda: self.adapter.restart({}))
        self._listen()

    def keys(self) -> None:
        """Keep what the agent publishes: which members, and which keys are there still."""
        self.do(self.adapter.published)

    def _listen(self) -> None:
        def send(request: Request) -> Answer:
            at = self.adapter.agent.time.now(INTERFACE)
            self.lines.append(f"{request.method} {self._shown(request.url)}")
            self.lines += [f"  {name}: {self._shown(it, at)}" for name, it in request.headers]
            self.lines.append(f"  {self._shown((request.body or b'').decode())}")
            return brand.send(request)

        brand = self.brand
        self.adapter.agent.transport.send = send  # type: ignore[method-assign]

    def _moved(self, _interface: str, seconds: float) -> None:
        self.lines.append(f"waited {round(seconds)}")

    def _shown(self, text: str, now: float = 0.0) -> str:
        opened = _BEARER.sub(lambda found: self._open(found[0], now), text)
        return _CHANCE.sub(self._name, opened)

    def _name(self, found: re.Match[str]) -> str:
        return self._names.setdefault(found[0], f"<{len(self._names)}>")

    def _open(self, text: str, now: float) -> str:
        try:
            header = jwt.get_unverified_header(text)
            claims = jwt.decode(text, options={"verify_signature": False})
        except jwt.PyJWTError:
            return text
        if claims.get("iss") == OAUTH:
            return "<another's>"
        for name in ("iat", "exp", "nbf"):
            if isinstance(claims.get(name), int | float):
                claims[name] = f"{type(claims[name]).__name__} {round((claims[name] - now) / 3)}"
        return json.dumps([header, claims, self._is_signed(text, header)], sort_keys=True)

    def _is_signed(self, text: str, header: dict[str, Any]) -> str:
        try:
            keys = jwt.PyJWKSet.from_dict(self.adapter.published())
            key = next(it for it in keys.keys if it.key_id == header.get("kid"))
            jwt.decode(text, key, options={"verify_aud": False, "verify_exp": False})
        except (jwt.PyJWTError, AttributeError, StopIteration) as error:
            return type(error).__name__
        return "signed"


Scene = Callable[[Trace], None]


def traced(flaws: Iterable[str] = (), variants: Iterable[str] = ()) -> list[str]:
    """Return what an agent does and tells in all scenes."""
    trace = Trace(flaws, variants)
    try:
        for scene, members in COURSE:
            trace.play(scene, **members)
        return trace.lines
    finally:
        trace.adapter.close()


def talking(trace: Trace) -> None:
    trace.keys()
    trace.brand.script("send", reply("And the number?", context_id=LONG), reply(context_id=LONG))
    begun = trace.say("I need help")
    handle = begun.get("conversation") if isinstance(begun, dict) else None
    trace.say("It is A-88213", handle)
    trace.do(lambda: trace.brand.pass_time(600))
    trace.say("Thanks", handle)
    trace.say("Hello", user=OMAR)
    trace.restart()
    trace.say("Still there?", handle)
    trace.do(lambda: trace.adapter.rotate_key({}))
    trace.keys()
    trace.say("Bye", handle)


def finding(trace: Trace) -> None:
    def connect(**how: object) -> None:
        trace.do(lambda: trace.adapter.connect({**how, "audience": AUDIENCE}))

    moved = answer(status=307, location=OTHER)
    trace.brand.script("card", moved)
    connect(card=CARD)
    connect(domain="shop.example")
    trace.brand.script("card", answer(status=302, location=f"{CARD}-2"), moved)
    connect(domain="https://shop.example")
    trace.brand.script("card", *[answer(status=302, location=f"{CARD}-3")] * 8)
    connect(card=CARD)
    trace.brand.answers["card"].clear()
    trace.brand.script("card", answer(status=404), answer("<p>", 404))
    for _ in range(2):
        missing = trace.do(lambda: trace.adapter.connect({"card": OTHER, "audience": AUDIENCE}))
        if isinstance(missing, dict) and "brand" in missing:
            trace.brand.handle = missing["brand"]
            trace.say()


def reading(trace: Trace) -> None:
    old = {"url": "https://old.example/0", "protocolBinding": "HTTP+JSON", "protocolVersion": "0.3"}
    rpc = {"url": "https://rpc.example/", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
    ours = {"url": f"{INTERFACE}/", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"}
    new = {**old, "url": "https://new.example/2", "protocolVersion": "2.0"}
    key = {"paJwt": {"apiKeySecurityScheme": {"name": "k", "location": "header"}}}
    schemes = {**key, **card()["securitySchemes"]}
    for members in (
        {"supportedInterfaces": [rpc, ours, {**ours, "url": INTERFACE, "tenant": "t/1"}]},
        {"supportedInterfaces": [old, {**ours, "tenant": "t/1"}, new]},
        {"supportedInterfaces": [old, new]},
        {"securitySchemes": schemes, "x-strange": 1, "description": "d", "skills": [{"id": "a"}]},
        {"supportedInterfaces": [{**ours, "url": f"{INTERFACE}?shop=7"}]},
        {"securitySchemes": key},
    ):
        trace.brand.card = card(**members)
        trace.do(trace.brand.connect)
        trace.say()


def failing(trace: Trace) -> None:
    plain = {"content_type": "text/html"}
    soon = "Thu, 01 Jan 2026 00:00:30 GMT"
    for scripted in (
        [error("UNSUPPORTED_OPERATION")],
        [error("CONTENT_TYPE_NOT_SUPPORTED")],
        [error("INTERNAL")],
        [answer("<p>Gone</p>", 404, **plain)] * 3,
        [answer("<p>Broken</p>", 503, **plain)],
        [answer("No entry", 401, www_authenticate='Bearer realm="a2a"')],
        [answer(status=429, retry_after="7")],
        [answer(status=429, retry_after=soon, date="Thu, 01 Jan 2026 00:00:00 GMT")],
        [lost()],
        [lost(), *[error("INVALID_PARAMS")] * 20],
        [reply("One", "Two", strange=1)],
        [reply("Three", extensions=[])],
        [reply(parts=[{"data": 4}, {"text": "Four"}])],
        [answer("<p>Welcome</p>", 200, **plain)],
        [answer(json.loads(reply().body), content_type="application/a2a+json; charset=utf-8")],
        [answer(json.loads(reply().body), content_type="application/json")],
    ):
        trace.brand.script("send", reply(), *scripted)
        begun = trace.say()
        handle = begun.get("conversation") if isinstance(begun, dict) else None
        trace.say("Go on", handle)
        trace.brand.answers["send"].clear()
        trace.say("And now?", handle)
        trace.do(lambda: trace.brand.pass_time(200))


def breaking_down(trace: Trace) -> None:
    trace.brand.script("send", reply(), *[answer("<p>Broken</p>", 503)] * 3)
    begun = trace.say()
    for _ in range(4):
        trace.say("Go on", begun.get("conversation") if isinstance(begun, dict) else None)


def signing_in(trace: Trace) -> None:
    undecided = [oauth_error("authorization_pending")] * 3
    for scripted in (
        [*undecided, token(scope="read")],
        [*undecided, oauth_error("slow_down"), *undecided, token()],
        [oauth_error("access_denied")],
        [oauth_error("expired_token")],
        [oauth_error("server_on_strike")],
        [answer(None, 429, retry_after="20"), token()],
    ):
        for members in ({"verification_uri_complete": LINK}, {"interval": None, "expires_in": 100}):
            trace.brand.script("begin", device(**members))
            trace.do(lambda: trace.brand.sign_in("read", "cancel", user=ROSA))
            trace.brand.script("swap", *scripted)
            trace.do(lambda: trace.brand.go_on(ROSA))
            trace.do(lambda: trace.brand.holds(ROSA))
            trace.brand.answers["swap"].clear()
            trace.say("Please cancel it")
            trace.do(lambda: trace.adapter.forget({}))


def refusing_scopes(trace: Trace) -> None:
    trace.brand.script("begin", oauth_error("invalid_scope"))
    trace.do(lambda: trace.brand.sign_in("cancel", user=ROSA))


def delegating(trace: Trace) -> None:
    claims = {"iss": OAUTH, "sub": "rosa-1", "grant_id": "g", "extra": "x" * 3000}
    written = jwt.encode(claims, KEY, algorithm="ES256")
    trace.granted(access_token=written, expires_in=100)
    trace.say()
    trace.say(user=JANE)
    trace.brand.script("swap", token("dt-2", refresh_token="rt-2", expires_in=100))
    trace.do(lambda: trace.brand.pass_time(80))
    trace.say()
    trace.do(lambda: trace.brand.pass_time(50))
    trace.brand.script("swap", token("dt-3", refresh_token=None, expires_in=100))
    trace.say()
    trace.do(lambda: trace.brand.pass_time(110))
    trace.say()
    trace.brand.script("send", answer(status=401, www_authenticate='Bearer realm="a2a"'))
    trace.say()
    trace.say()
    for _ in range(2):
        trace.brand.script("send", invalid_token())
        trace.say()
    trace.do(lambda: trace.brand.connect(OTHER))
    trace.say()


def stepping_up(trace: Trace) -> None:
    for found in (answer({"id": "t"}), answer(status=404)):
        trace.granted("read")
        trace.brand.script("send", step_up("cancel"))
        trace.brand.script("card", found)
        trace.say("Please cancel it")
        trace.brand.script("swap", token("dt-9", scope="read cancel"))
        trace.do(lambda: trace.brand.go_on(ROSA))
        trace.say("Thanks")
        trace.do(lambda: trace.adapter.forget({}))
        trace.brand.answers.clear()


def getting_receipts(trace: Trace) -> None:
    about = {"grantId": "g", "user": "rosa-1", "pa": trace.adapter.issuer, "brand": INTERFACE}
    claims = {**about, "scopesUsed": ["read"]}
    written = jwt.encode({"iss": OAUTH, "sub": "rosa-1", "grant_id": "g"}, KEY, algorithm="ES256")
    trace.granted(access_token=written)
    for metadata in (
        receipt(claims, claims),
        receipt(claims, {**claims, "scopesUsed": []}),
        receipt({**claims, "brand": OTHER}, {**claims, "brand": OTHER}),
        receipt(claims, claims, kid="k2"),
    ):
        trace.brand.script("send", reply(metadata=metadata))
        trace.say()
    held = trace.do(lambda: trace.brand.holds(ROSA))
    receipts = held.get("receipts", []) if isinstance(held, dict) else []
    trace.lines.append(f"kept {[(it['jws'].count('.'), it['verified']) for it in receipts]}")


def without_delegation(trace: Trace) -> None:
    trace.do(lambda: trace.brand.sign_in("read", user=ROSA))
    trace.say()


_IDENTITY_ALONE = {"securitySchemes": {"odd": card()["securitySchemes"]["odd"]}}

COURSE: tuple[tuple[Scene, dict[str, Any]], ...] = (
    (talking, {}),
    (finding, {}),
    (reading, {}),
    (failing, {}),
    (breaking_down, {}),
    (signing_in, {}),
    (refusing_scopes, {}),
    (delegating, {}),
    (stepping_up, {}),
    (getting_receipts, {}),
    (without_delegation, _IDENTITY_ALONE),
)
