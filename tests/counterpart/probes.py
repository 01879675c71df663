"""What can be asked of a Provider, and how its answers are compared: the fingerprint of a flaw."""

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm

from pact_conformance.counterpart.provider.provider import Provider
from tests.counterpart.delegation_probes import under_delegation
from tests.counterpart.oauth_probes import authorization_server
from tests.counterpart.registration_probes import registration
from tests.counterpart.showing import reply, seen, tell, value
from tests.counterpart.world import FIRST, SECOND, UNKNOWN, World, encoded, segments, visit

_CARD = "/.well-known/agent-card.json"
_SPKI = PublicFormat.SubjectPublicKeyInfo


def tokens(world: World) -> dict[str, str]:
    """Return tokens of all kinds by a name."""
    agent, keys, now = world.agent, world.keys, int(time.time())
    good, stranger = agent.token(), keys.stranger
    header, claims, signature = good.split(".")
    der = agent.ec_key.public_key().public_bytes(Encoding.DER, _SPKI)
    pem = agent.ec_key.public_key().public_bytes(Encoding.PEM, _SPKI)
    jwk = agent.jwks()["keys"][0]
    x5c = base64.b64encode(keys.certificate.public_bytes(Encoding.DER)).decode()
    forged: dict[str, Any] = {"iss": agent.issuer}

    def signed_by_stranger(**members: object) -> str:
        return stranger.token(header=members, iss=agent.issuer)

    def hs256(secret: bytes) -> str:
        return segments(
            {"alg": "HS256", "kid": "e1"},
            agent.claims(),
            lambda signed: hmac.new(secret, signed, hashlib.sha256).digest(),
        )

    def es256_as(**members: object) -> str:
        return agent.token(header=members)

    plus = agent.token(x="?>?>?>~~~")
    by_name: dict[str, dict[str, Any]] = {
        "good": {},
        "rs256": {"alg": "RS256"},
        "no jti": {"jti": None},
        "more claims": {"more": 1},
        "more header": {"header": {"x": 1}},
        "aud wrong": {"aud": "other"},
        "aud missing": {"aud": None},
        "aud longer": {"aud": agent.claims()["aud"] + "x"},
        "aud upper": {"aud": agent.claims()["aud"].upper()},
        "aud url": {"aud": world.provider.interface(FIRST)},
        "aud one": {"aud": [agent.claims()["aud"]]},
        "aud two": {"aud": [agent.claims()["aud"], "other"]},
        "iss missing": {"iss": None},
        "iss unknown": {"iss": "https://nobody.example"},
        "iss upper": {"iss": agent.issuer.upper()},
        "iss slash": {"iss": f"{agent.issuer}/"},
        "iss longer": {"iss": f"{agent.issuer}.evil"},
        "iss array": {"iss": [agent.issuer]},
        "sub missing": {"sub": None},
        "sub number": {"sub": 7},
        "sub object": {"sub": {"id": "u"}},
        "sub empty": {"sub": ""},
        "sub blank": {"sub": " "},
        "iat missing": {"iat": None},
        "iat text": {"iat": str(now)},
        "exp missing": {"exp": None},
        "exp text": {"exp": str(now + 60)},
        "nbf": {"nbf": now + 100},
        "iat float": {"iat": now + 0.5},
        "typ": {"header": {"typ": "at+jwt"}},
        "good with jwk": {"header": {"jwk": jwk}},
        "good without kid": {"header": {"kid": None}},
        "good with unknown kid": {"header": {"kid": "unknown"}},
        "crit": {"header": {"crit": ["x"]}},
        "crit with member": {"header": {"crit": ["x"], "x": 1}},
        "ps256": {"alg": "PS256"},
        "rs512": {"alg": "RS512"},
        "es384": {"alg": "ES384", "key": keys.p384, "header": {"kid": "p384"}},
        "eddsa": {"alg": "EdDSA", "key": keys.ed25519, "header": {"kid": "ed"}},
    }
    times = {
        "lives 300": (0, 300),
        "lives 301": (0, 301),
        "lives 330": (0, 330),
        "lives 4000": (0, 4000),
        "lives around": (-200, 200),
        "iat 15": (15, 120),
        "iat 36": (36, 120),
        "iat 50": (50, 120),
        "iat 200": (200, 300),
        "exp 20": (-120, -20),
        "exp 45": (-120, -45),
        "exp 200": (-300, -200),
        "exp 1000": (-1100, -1000),
        "exp before iat": (10, 5),
    }
    made = {name: agent.token(**changed) for name, changed in by_name.items()}
    made |= {name: agent.token(iat=now + iat, exp=now + exp) for name, (iat, exp) in times.items()}
    null = {"sub": "sub", "iat": "iat", "exp": "exp"}
    made |= {
        f"{name} null": segments(
            {"alg": "ES256", "kid": "e1"}, agent.claims() | {name: None}, _es256(agent.ec_key)
        )
        for name in null
    }
    return made | {
        "none": segments({"alg": "none"}, agent.claims(), lambda _: b""),
        "NONE": segments({"alg": "NONE"}, agent.claims(), lambda _: b""),
        "no alg": es256_as(alg=None),
        "es256": es256_as(alg="es256"),
        "hs256 pem": hs256(pem),
        "hs256 der": hs256(der),
        "hs256 jwk": hs256(json.dumps(jwk).encode()),
        "hs256 empty": hs256(b""),
        "jwk": signed_by_stranger(jwk=stranger.jwks()["keys"][0]),
        "jku": signed_by_stranger(jku="https://stranger.example/jwks"),
        "x5c": signed_by_stranger(x5c=[x5c]),
        "x5u": signed_by_stranger(x5u="https://stranger.example/pem"),
        "known kid": signed_by_stranger(),
        "unknown kid": signed_by_stranger(kid="nobody"),
        "no kid": signed_by_stranger(kid=None),
        "other agent's key": keys.other.token(**forged),
        "zero": f"{header}.{claims}.{encoded(bytes(64)).decode()}",
        "no signature": f"{header}.{claims}.",
        "two segments": f"{header}.{claims}",
        "four segments": f"{good}.x",
        "padded": f"{good}==",
        "stray bits": _with_stray_bits(good),
        "alphabet": plus.translate(str.maketrans("-_", "+/")),
        "white space": f"{header}. {claims}.{signature}",
        "json": json.dumps({"protected": header, "payload": claims, "signature": signature}),
        "der signature": segments(
            {"alg": "ES256", "kid": "e1"},
            agent.claims(),
            lambda signed: agent.ec_key.sign(signed, ec.ECDSA(SHA256())),
        ),
        "garbage": "garbage",
    }


def _es256(key: ec.EllipticCurvePrivateKey) -> Callable[[bytes], bytes]:
    algorithm = ECAlgorithm(ECAlgorithm.SHA256)
    return lambda signed: algorithm.sign(signed, key)


def _with_stray_bits(token: str) -> str:
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return token[:-1] + alphabet[alphabet.index(token[-1]) + 1]


_OPERATIONS = (
    "GET /tasks",
    "GET /tasks/t",
    "POST /tasks/t:cancel",
    "POST /message:stream",
    "POST /tasks/t:subscribe",
    "GET /tasks/t:subscribe",
    "POST /tasks/t/pushNotificationConfigs",
    "GET /tasks/t/pushNotificationConfigs",
    "GET /tasks/t/pushNotificationConfigs/c",
    "DELETE /tasks/t/pushNotificationConfigs/c",
    "GET /extendedAgentCard",
)
_ROUTES = (
    *_OPERATIONS,
    "GET /message:send",
    "POST /nothing",
    "GET /tasks?pageSize=1",
    "GET /tasks?pageSize=100",
    "GET /tasks?pageSize=0",
    "GET /tasks?pageSize=101",
    "GET /tasks?pageSize=-1",
    "GET /tasks?pageSize=ten",
    "GET /tasks?contextId=c",
    "GET /tasks?status=TASK_STATE_WORKING&historyLength=1",
    "GET /tasks?status=unknown",
    f"GET {_CARD}",
    "GET /card.json",
)
_PARTS: tuple[Any, ...] = (
    ...,
    None,
    [],
    {},
    "text",
    [{}],
    [{"text": ""}],
    [{"text": "  "}],
    [{"text": "\n\t"}],
    [{"text": "\u2003"}],
    [{"text": "\u200b"}],
    [{"text": "a"}, {"text": " "}],
    [{"text": "a"}, {"data": 1}],
    [{"text": "a"}, {"raw": "aGk="}],
    [{"text": "a"}, {"url": "https://x.example"}],
    [{"data": 1}],
    [{"text": "a", "url": "https://x.example"}],
    [{"text": "a", "mediaType": "text/html"}],
)
_MESSAGES: tuple[dict[str, Any], ...] = (
    {},
    {"metadata": {}},
    {"extensions": ["https://x.example"]},
    {"referenceTaskIds": ["t"]},
    {"parts": [{"text": "🦆"}]},
    {"parts": [{"text": "ü"}]},
    {"x": 1},
    {"parts": [{"text": "a", "x": 1}]},
    *({"role": role} for role in ("ROLE_AGENT", "user", None, "ROLE_UNSPECIFIED", 1, ...)),
    *({"parts": parts} for parts in _PARTS),
    {"taskId": "t"},
    {"taskId": ""},
    {"contextId": ""},
    {"role": "ROLE_AGENT", "parts": [{"data": 1}]},
    {"messageId": ...},
    {"messageId": 1},
    {"messageId": ""},
    {"contextId": "unknown"},
)


_REQUESTS: tuple[dict[str, Any], ...] = (
    {"tenant": "outdoor"},
    {"x": 1},
    {"configuration": {}},
    {"configuration": {"acceptedOutputModes": ["text/plain"]}},
    {"configuration": {"returnImmediately": True}},
    {"configuration": {"taskPushNotificationConfig": {"url": "https://x.example"}}},
    {"message": None},
)


Pieces = list[tuple[str, object]]


def all_pieces() -> Pieces:
    """Return the fingerprint of the honest Provider."""

    async def everything(world: World) -> Pieces:
        return [piece async for piece in fingerprint(world)]

    return asyncio.run(visit(lambda _: None, everything))


def difference(apply: Callable[[Provider], None], expected: Pieces) -> str | None:
    """Return what is asked first of which a changed Provider shows something else."""

    async def first_difference(world: World) -> str | None:
        pieces = iter(expected)
        async for piece in fingerprint(world):
            if piece != next(pieces):
                return piece[0]
        return None

    return asyncio.run(visit(apply, first_difference))


async def fingerprint(world: World) -> AsyncIterator[tuple[str, object]]:
    """Yield what is asked and what the answer shows, piece by piece."""
    for part in (
        _transport,
        _messages,
        _conversations,
        _retries,
        _closing,
        _troubles,
        _identity,
        _others,
        registration,
        authorization_server,
        under_delegation,
    ):
        async for name, shown in part(world):
            yield name, shown


async def _transport(world: World) -> AsyncIterator[tuple[str, object]]:
    for route in _ROUTES:
        method, _, path = route.partition(" ")
        yield route, seen(await world.ask(method, path))
        yield f"{route} without token", seen(await world.ask(method, path, token=None))
        yield f"{route} elsewhere", seen(await world.ask(method, path, brand=UNKNOWN))
    yield "second card", seen(await world.ask("GET", _CARD, brand=SECOND))
    yield "card with a bad token", seen(await world.ask("GET", _CARD, token="x"))
    yield "tenant", seen(await world.ask("GET", "/tasks?tenant=outdoor"))
    for version in ("", "9.9"):
        headers = {"A2A-Version": version}
        yield f"version {version}", seen(await world.ask("GET", "/tasks", headers=headers))
    again = [await world.ask("GET", "/tasks", token=world.agent.token("often")) for _ in range(20)]
    yield "rate", [seen(answer) for answer in again]


async def _messages(world: World) -> AsyncIterator[tuple[str, object]]:
    for members in _MESSAGES:
        yield f"message {members}", seen(await world.say(members=members))
    message = {"messageId": "a", "role": "ROLE_USER", "parts": [{"text": "a"}]}
    for more in _REQUESTS:
        sent = {"message": message} | more
        yield f"request {more}", seen(await world.ask("POST", "/message:send", body=sent))
    for body in (b"{", b"[]"):
        yield f"body {body!r}", seen(await world.ask("POST", "/message:send", body=body))
        yield "body first", seen(await world.ask("POST", "/message:send", body=body, token=None))
    headers = {"Content-Type": "application/a2a+json"}
    sent = {"message": message}
    answer = await world.ask("POST", "/message:send", body=sent, headers=headers)
    yield "a2a+json", seen(answer)
    long = {"parts": [{"text": "x" * 100_000}]}
    yield "long", seen(await world.say(members=long))


async def _conversations(world: World) -> AsyncIterator[tuple[str, object]]:
    async def start(**members: object) -> tuple[str, str]:
        found = reply(await world.say(members=members))
        return found.get("contextId", "?"), found.get("messageId", "?")

    async def go_on(context: str, message_id: str, text: str = "More") -> httpx.Response:
        parts = [{"text": text}]
        members = {"contextId": context, "messageId": message_id, "parts": parts}
        return await world.say(members=members)

    first, second = await start(messageId="1"), await start(messageId="1")
    yield "two contexts", [first[0] == second[0], first[1] == second[1]]
    context = first[0]
    for user, agent, brand in (
        ("user-2", None, FIRST),
        ("user-1", world.keys.other, FIRST),
        ("user-1", None, SECOND),
    ):
        for message_id in ("1", "new"):
            members = {"contextId": context, "messageId": message_id}
            answer = await world.say(user, agent, brand=brand, members=members)
            yield f"{user} {brand}", seen(answer)
        repeated = [await go_on(context, it) for it in ("1", "new")]
        yield "owner", [seen(answer) for answer in repeated]
        yield "stored reply of the owner", reply(repeated[0]).get("messageId") == first[1]
    yield "later", seen(await go_on(context, "2"))
    repeats = [await go_on(context, it) for it in ("1", "2", "1")]
    yield "same", [value(answer) == value(repeats[0]) for answer in repeats]
    same_id = [value(await go_on(it, "9")) for it in (context, second[0])]
    yield "per context", same_id[0] == same_id[1]
    sent = {"message": {"contextId": context, "messageId": "1"}}
    for token in (None, "x.y.z"):
        answer = await world.ask("POST", "/message:send", body=sent, token=token)
        yield "stranger", seen(answer)
    both = await asyncio.gather(*(go_on(context, "slow", "take your time") for _ in range(2)))
    yield "running", sorted(str(seen(answer)) for answer in both)
    together = await asyncio.gather(*(world.say("someone") for _ in range(3)))
    yield "together", len({str(reply(it).get("contextId", seen(it))) for it in together})
    yield "failing", [seen(await go_on(context, "f", "please fail")) for _ in range(2)]
    closed = (await start(messageId="last", parts=[{"text": "goodbye"}]))[0]
    yield "closed", [seen(await go_on(closed, it)) for it in ("last", "after")]
    answer = await world.say("user-2", members={"contextId": closed})
    yield "closed for others", seen(answer)
    yield "after closing", seen(await world.say())
    yield "listed", seen(await world.ask("GET", "/tasks"))


async def _retries(world: World) -> AsyncIterator[tuple[str, object]]:
    async def send(message_id: str, text: str, lifetime: int = 120, **more: str) -> httpx.Response:
        now = int(time.time())
        token = world.agent.token("retries", iat=now, exp=now + lifetime)
        parts = [{"text": text}]
        sent = {"messageId": message_id, "role": "ROLE_USER", "parts": parts, **more}
        return await world.ask("POST", "/message:send", token=token, body={"message": sent})

    first, other = reply(await send("1", "a")), reply(await send("2", "a"))
    context, elsewhere = first.get("contextId", "?"), other.get("contextId", "?")
    for name, answer in (
        ("other text", await send("1", "b", contextId=context)),
        ("other token", await send("1", "a", lifetime=200, contextId=context)),
    ):
        yield name, [seen(answer), reply(answer) == first]
    answer = await send("1", "a", contextId=elsewhere)
    yield "elsewhere", [seen(answer), reply(answer).get("contextId") == elsewhere]
    slow = [send("slow", "take your time", contextId=context) for _ in range(2)]
    served = [reply(it) for it in await asyncio.gather(*slow) if it.status_code == 200]
    answer = await send("slow", "take your time", contextId=context)
    yield "finished", [seen(answer), reply(answer) in served]
    for message_id in ("1", "new"):
        answer = await world.say(
            "stranger", members={"contextId": context, "messageId": message_id}
        )
        yield f"stranger repeats {message_id}", seen(answer)


async def _closing(world: World) -> AsyncIterator[tuple[str, object]]:
    context = reply(await world.say("closes")).get("contextId", "?")
    await tell(world, "close_conversation", contextId=context)
    for user, wanted in (("closes", context), ("other", context), ("other", "unknown")):
        yield f"{user} writes", seen(await world.say(user, members={"contextId": wanted}))
    anew = await world.say("closes")
    yield "closed and anew", [seen(anew), reply(anew).get("contextId") == context]
    interface = world.provider.interface(FIRST)
    await tell(world, "advance_clock", interface=interface, seconds=4000)
    later = world.agent.token("closes", **_at(world.provider.clock.now(FIRST)))
    sent = {"message": {"messageId": "9", "role": "ROLE_USER", "parts": [{"text": "a"}]}}
    sent["message"]["contextId"] = context
    yield "long closed", seen(await world.ask("POST", "/message:send", token=later, body=sent))
    await tell(world, "advance_clock", interface=interface, seconds=-4000)


def _at(now: float) -> dict[str, Any]:
    return {"iat": int(now), "exp": int(now) + 120}


async def _troubles(world: World) -> AsyncIterator[tuple[str, object]]:
    about = {"sub": "troubled"}
    await tell(world, "fail_agent", **about)
    yield "failing", seen(await world.say("troubled"))
    await tell(world, "fail_agent", on=False, **about)
    await tell(world, "rate_limit", seconds=5, **about)
    yield "limited", seen(await world.say("troubled"))
    await tell(world, "rate_limit", on=False, **about)


async def _identity(world: World) -> AsyncIterator[tuple[str, object]]:
    for name, token in tokens(world).items():
        yield f"token {name}", seen(await world.ask("GET", "/tasks", token=token))
    token = world.agent.token()
    twice = [await world.ask("GET", "/tasks", token=token) for _ in range(2)]
    yield "replay", [seen(answer) for answer in twice]


async def _others(world: World) -> AsyncIterator[tuple[str, object]]:
    token = world.agent.token()
    password = base64.b64encode(f"user:{token}".encode()).decode()
    for name, sent in (
        ("Cookie", f"token={token}"),
        ("X-Authorization", f"Bearer {token}"),
        ("Authorization", f"Basic {password}"),
        ("Authorization", f"Token {token}"),
        ("Authorization", f"bearer {token}"),
    ):
        answer = await world.ask("GET", "/tasks", token=None, headers={name: sent})
        yield f"{name} {sent[:6]}", seen(answer)
    answer = await world.ask("GET", f"/tasks?access_token={token}", token=None)
    yield "query", seen(answer)
    yield "no token", seen(await world.ask("POST", "/message:send", token=None, body={}))
    yield "nobody", seen(await world.ask("GET", "/tasks", token=None, brand=UNKNOWN))
    headers = {"A2A-Version": "9.9"}
    yield "version first", seen(await world.ask("GET", "/tasks", token=None, headers=headers))
