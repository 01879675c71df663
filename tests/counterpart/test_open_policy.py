"""Personal agents that nobody registered, at a Provider or Brand that lets them in."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from pact_conformance.counterpart.provider.configuration import BrandConfig
from pact_conformance.counterpart.provider.discovery import Discovery, is_loopback, may_be_fetched
from pact_conformance.counterpart.provider.keys import KeySource
from pact_conformance.counterpart.provider.provider import Provider
from tests.counterpart.agent import FromNow
from tests.counterpart.world import FIRST, SECOND, World, keys, visit

ISSUER = "https://stranger.example"
DOCUMENT = {"issuer": ISSUER, "jwks_uri": f"{ISSUER}/jwks"}


class Web:
    """What strangers publish, and how often it was fetched."""

    def __init__(self) -> None:
        self.documents = {f"{ISSUER}/.well-known/openid-configuration": json.dumps(DOCUMENT)}
        self.fetched: list[str] = []

    async def fetch(self, uri: str) -> bytes:
        self.fetched.append(uri)
        if uri in self.documents:
            return self.documents[uri].encode()
        if uri in keys().documents:
            return keys().documents[uri]
        raise ValueError("nothing there")


def opened(web: Web, *, brand: str | None = None) -> Callable[[Provider], None]:
    def apply(provider: Provider) -> None:
        clock = provider.clock.now
        provider.verifier.discovery = Discovery(
            max_age=60, retry_interval=1, fetch=web.fetch, clock=clock, most=2
        )
        provider.verifier.keys = KeySource(max_age=60, refetch_interval=1, fetch=web.fetch)
        brands = [brand] if brand else list(provider.brands)
        for one in brands:
            provider.brands[one] = BrandConfig(id=one, name="Open", open=True)

    return apply


def visited(act: Callable[[World], Awaitable[None]], *, brand: str | None = None) -> Web:
    web = Web()
    asyncio.run(visit(opened(web, brand=brand), act))
    return web


async def status(world: World, *, brand: str = FIRST, **changed: Any) -> int:  # noqa: ANN401 - claims and header alike
    token = world.keys.stranger.token(**changed)
    return (await world.ask("GET", "/tasks", token=token, brand=brand)).status_code


def test_whoever_serves_keys_is_let_in() -> None:
    async def act(world: World) -> None:
        assert [await status(world) for _ in range(3)] == [200] * 3

    assert len(visited(act).fetched) == 2


def test_one_brand_may_be_open_and_another_not() -> None:
    async def act(world: World) -> None:
        assert await status(world) == 200
        assert await status(world, brand=SECOND) == 401

    visited(act, brand=FIRST)


@pytest.mark.parametrize(
    "changed",
    [
        {"aud": "other"},
        {"aud": None},
        {"sub": None},
        {"exp": FromNow(400)},
        {"iat": None},
        {"alg": "PS256"},
        {"header": {"kid": "unknown"}},
        {"iss": "https://nobody.example"},
        {"iss": ISSUER + "/"},
        {"iss": 1},
    ],
    ids=str,
)
def test_all_else_is_verified(changed: dict[str, Any]) -> None:
    async def act(world: World) -> None:
        assert await status(world) == 200
        assert await status(world, **changed) == 401

    visited(act)


def test_a_key_that_the_stranger_does_not_publish_is_refused() -> None:
    async def act(world: World) -> None:
        assert await status(world, key=world.agent.ec_key) == 401

    visited(act)


def test_a_disabled_agent_is_not_let_in_by_its_keys() -> None:
    async def act(world: World) -> None:
        asked = {"hook": "disable_agent", "issuer": world.agent.issuer}
        await world.client.post(world.provider.control.path, json=asked)

        assert (await world.ask("GET", "/tasks")).status_code == 401

    visited(act)


@pytest.mark.parametrize(
    "document",
    [
        [],
        {},
        {"issuer": ISSUER},
        DOCUMENT | {"issuer": "https://other.example"},
        DOCUMENT | {"jwks_uri": 1},
        DOCUMENT | {"jwks_uri": "http://stranger.example/jwks"},
        DOCUMENT | {"jwks_uri": "file:///jwks"},
    ],
    ids=str,
)
def test_a_document_that_names_no_keys_of_the_issuer_lets_nobody_in(document: object) -> None:
    web = Web()
    web.documents = {name: json.dumps(document) for name in web.documents}

    async def act(world: World) -> None:
        assert [await status(world) for _ in range(3)] == [401] * 3

    asyncio.run(visit(opened(web), act))

    assert len(web.fetched) == 1


def test_only_so_many_issuers_are_remembered() -> None:
    web, now = Web(), 0.0
    discovery = Discovery(max_age=60, retry_interval=1, fetch=web.fetch, clock=lambda: now, most=2)

    async def find(*hosts: str) -> None:
        for host in hosts:
            await discovery.find(f"https://{host}.example")

    asyncio.run(find("a", "b", "b", "c", "a"))

    assert len(web.fetched) == 4


@pytest.mark.parametrize(
    ("url", "may"),
    [
        ("https://a.example", True),
        ("https://a.example:8443/tenant", True),
        ("http://a.example", False),
        ("http://localhost:8080/x", True),
        ("http://127.0.0.1", True),
        ("http://[::1]:1", True),
        ("http://127.0.0.1.evil.example", False),
        ("https://user@a.example", False),
        ("https://a.example?x", False),
        ("https://[a", False),
        ("https:///a", False),
        ("a.example", False),
    ],
)
def test_only_https_and_this_machine_are_asked(url: str, may: bool) -> None:  # noqa: FBT001
    assert may_be_fetched(url) is may


def test_names_that_begin_like_this_machine_are_others() -> None:
    assert not is_loopback("localhost.example")
