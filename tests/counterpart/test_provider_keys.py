import asyncio
import json

import httpx
import pytest

from pact_conformance.counterpart.provider.keys import KeySource, read_key, read_set
from tests.counterpart.agent import Agent

URI = "https://agent.example/jwks.json"


class Publisher:
    """An agent's JWKS behind a clock that the test moves."""

    def __init__(self, agent: Agent) -> None:
        self.keys = agent.jwks()["keys"]
        self.now = 0.0
        self.fetches = 0
        self.reachable = True
        self.source = KeySource(
            max_age=100, refetch_interval=10, fetch=self.fetch, clock=lambda: self.now
        )

    async def fetch(self, _uri: str) -> bytes:
        self.fetches += 1
        if not self.reachable:
            raise httpx.ConnectError("unreachable")
        return json.dumps({"keys": self.keys}).encode()

    def kids(self, kid: str | None) -> list[str | None]:
        return [key.kid for key in asyncio.run(self.source.find(URI, kid))]


@pytest.fixture
def publisher(agent: Agent) -> Publisher:
    return Publisher(agent)


def test_a_set_is_fetched_once_and_read_by_kid(publisher: Publisher) -> None:
    assert publisher.kids("e1") == ["e1"]
    assert publisher.kids(None) == ["e1", "r1"]
    assert publisher.fetches == 1


def test_an_unknown_kid_causes_a_fetch_but_not_soon_again(publisher: Publisher) -> None:
    publisher.kids("e1")
    publisher.keys[0]["kid"] = "e2"

    assert publisher.kids("e2") == []

    publisher.now = 10

    assert publisher.kids("e2") == ["e2"]
    assert publisher.kids("e1") == []
    assert publisher.fetches == 2


def test_an_old_set_is_fetched_again(publisher: Publisher) -> None:
    publisher.kids("e1")
    publisher.keys.pop(0)
    publisher.now = 101

    assert publisher.kids("e1") == []


def test_known_keys_outlive_a_failed_fetch(publisher: Publisher) -> None:
    publisher.kids("e1")
    publisher.now, publisher.reachable = 101, False

    assert publisher.kids("e1") == ["e1"]


def test_requests_that_need_the_same_set_share_one_fetch(publisher: Publisher) -> None:
    async def both() -> None:
        await asyncio.gather(*(publisher.source.find(URI, "e1") for _ in range(5)))

    asyncio.run(both())

    assert publisher.fetches == 1


@pytest.mark.parametrize("data", ["[]", "{}", '{"keys": 1}', "nothing"])
def test_what_is_no_set_is_refused(data: str) -> None:
    with pytest.raises(ValueError):
        read_set(data.encode())


@pytest.mark.parametrize(
    "jwk", [None, {}, {"kty": "oct", "k": "AAAA"}, {"kty": "EC", "crv": "P-256", "x": "A"}]
)
def test_what_is_no_public_key_is_passed_over(jwk: object) -> None:
    assert read_key(jwk) is None


def test_a_key_is_used_as_its_publisher_says(agent: Agent) -> None:
    jwk = agent.jwks()["keys"][0]
    for members, may in (
        ({}, True),
        ({"use": "enc"}, False),
        ({"alg": "ES384"}, False),
        ({"key_ops": ["sign"]}, False),
        ({"key_ops": ["verify"]}, True),
    ):
        key = read_key(jwk | members)

        assert key is not None
        assert key.may_verify("ES256") is may
