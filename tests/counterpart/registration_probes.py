"""What can be asked of a Provider about registrations, keys and domains (§2.1, §3.1)."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

from pact_conformance.counterpart.provider.operations import CARD
from tests.counterpart.agent import Agent
from tests.counterpart.showing import seen, tell
from tests.counterpart.world import SECOND, World

_OTHER = "https://other.example"
_JWKS = f"{_OTHER}/jwks"
_LOOPBACK = "http://127.0.0.1:9/agent"


async def registration(world: World) -> AsyncIterator[tuple[str, object]]:
    """Yield what is asked and what the answer shows."""
    for part in (_domains, _issuers, _brands, _disabling, _rotation, _company, _places, _open):
        async for name, shown in part(world):
            yield name, shown


async def _domains(world: World) -> AsyncIterator[tuple[str, object]]:
    for port in (7, 8):
        for path in (CARD, "/", "/support/card"):
            answer = await world.client.get(f"http://localhost:{port}{path}")
            yield f"{port}{path}", seen(answer)


async def _knock(world: World, agent: Agent, **changed: Any) -> httpx.Response:  # noqa: ANN401
    return await world.ask("GET", "/tasks", token=agent.token(**changed))


async def _issuers(world: World) -> AsyncIterator[tuple[str, object]]:
    issuer = world.agent.issuer
    for spelling in (
        issuer.replace("agent", "AGENT"),
        issuer.replace("https", "HTTPS"),
        f"{issuer}:443",
        f"{issuer}#",
        f"{issuer[:-1]}%65",
        f"{issuer}/.",
    ):
        yield spelling, seen(await _knock(world, world.agent, iss=spelling))
    yield "stranger", seen(await _knock(world, world.keys.stranger))


async def _brands(world: World) -> AsyncIterator[tuple[str, object]]:
    yield "elsewhere", seen(await world.ask("GET", "/tasks", brand=SECOND))


async def _disabling(world: World) -> AsyncIterator[tuple[str, object]]:
    other = world.keys.other
    yield "enabled", seen(await _knock(world, other))
    await tell(world, "disable_agent", issuer=_OTHER)
    yield "disabled", seen(await _knock(world, other))
    await tell(world, "enable_agent", issuer=_OTHER)
    yield "enabled again", seen(await _knock(world, other))


def _fresh(kid: str) -> tuple[ec.EllipticCurvePrivateKey, dict[str, Any]]:
    key = ec.generate_private_key(ec.SECP256R1())
    return key, ECAlgorithm.to_jwk(key.public_key(), as_dict=True) | {"kid": kid}


async def _rotation(world: World) -> AsyncIterator[tuple[str, object]]:
    other, web = world.keys.other, world.web
    old = other.jwks()["keys"]
    key, jwk = _fresh("new")
    header = {"kid": "new"}
    web.publish(_JWKS, [*old, jwk])
    yield "new key", seen(await _knock(world, other, key=key, header=header))
    later, later_jwk = _fresh("later")
    web.publish(_JWKS, [*old, later_jwk])
    web.now -= 50
    yield "unknown kid", seen(await _knock(world, other, key=later, header={"kid": "later"}))
    web.pass_time()
    yield "withdrawn key", seen(await _knock(world, other, key=key, header=header))
    third, third_jwk = _fresh("third")
    await _knock(world, other)
    web.now += 11
    web.documents[_JWKS] = _text({"keys": [*old, later_jwk, third_jwk]})
    yield "looked for", seen(await _knock(world, other, key=third, header={"kid": "third"}))
    held = web.documents[_JWKS]
    web.withdraw(_JWKS)
    yield "unreachable", seen(await _knock(world, other))
    yield "unreachable for others", seen(await _knock(world, other, key=key, header=header))
    web.documents[_JWKS] = held
    web.pass_time()
    yield "reachable again", seen(await _knock(world, other))


def _text(document: object) -> bytes:
    return json.dumps(document).encode()


async def _company(world: World) -> AsyncIterator[tuple[str, object]]:
    other, web = world.keys.other, world.web
    good = other.jwks()["keys"]
    bare = {name: it for name, it in good[0].items() if name != "kid"}
    for name, entry in (
        ("foreign", {"kty": "X-FUTURE", "kid": "f"}),
        ("bare", bare),
        ("for encryption", good[1] | {"use": "enc", "kid": "enc"}),
        ("cut", {"kty": "EC", "crv": "P-256", "x": "AA", "kid": "cut"}),
    ):
        web.publish(_JWKS, [entry, *good])
        yield name, seen(await _knock(world, other))
    web.publish(_JWKS, good)


async def _places(world: World) -> AsyncIterator[tuple[str, object]]:
    stranger = world.keys.stranger
    keys = stranger.jwks()["keys"]
    agents, known = world.provider.verifier.agents, world.provider.verifier.agents[_OTHER]
    for place in ("/.well-known/jwks.json", "/elsewhere"):
        issuer = f"{_LOOPBACK}{place}"
        agents[issuer] = replace(known, issuer=issuer)
        below = f"{issuer}/.well-known/jwks.json" if "jwks" in place else f"{issuer}/keys"
        world.web.publish(below, [keys[0] | {"kid": "below"}])
        document = {"issuer": issuer, "jwks_uri": below}
        if "jwks" not in place:
            world.web.documents[f"{issuer}/.well-known/openid-configuration"] = _text(document)
        answer = await _knock(world, stranger, iss=issuer, header={"kid": "below"})
        yield f"keys at {place}", seen(answer)
        del agents[issuer]


async def _open(world: World) -> AsyncIterator[tuple[str, object]]:
    stranger, web = world.keys.stranger, world.web
    document = {"issuer": stranger.issuer, "jwks_uri": f"{stranger.issuer}/jwks"}
    web.documents[f"{stranger.issuer}/.well-known/openid-configuration"] = _text(document)
    web.pass_time()
    brands = world.provider.brands
    brands[SECOND] = replace(brands[SECOND], open=True)
    for name, changed in (
        ("open", {}),
        ("another key", {"key": world.agent.ec_key}),
        ("another audience", {"aud": "other"}),
    ):
        token = stranger.token(**changed)
        yield name, seen(await world.ask("GET", "/tasks", token=token, brand=SECOND))
