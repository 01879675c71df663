import time
from collections.abc import Iterator

import httpx
import pytest

from pact_conformance.tokens.jwks_server import JwksServer
from pact_conformance.tokens.keys import SigningKey

A, B = SigningKey.generate("ES256", kid="a"), SigningKey.generate("ES256", kid="b")


@pytest.fixture(name="server")
def fresh_server() -> Iterator[JwksServer]:
    with JwksServer() as running:
        yield running


def kids(url: str) -> list[str]:
    answer = httpx.get(url)
    assert answer.status_code == 200
    return [key["kid"] for key in answer.json()["keys"]]


def test_each_issuer_has_its_path(server: JwksServer) -> None:
    one, two = server.publish("one", [A]), server.publish("two", [A, B])

    assert one == server.url("one") != two
    assert kids(one) == ["a"]
    assert kids(two) == ["a", "b"]


def test_keys_are_replaced_and_withdrawn(server: JwksServer) -> None:
    url = server.publish("one", [A])
    server.publish("one", [B])

    assert kids(url) == ["b"]

    server.withdraw("one")

    assert httpx.get(url).status_code == 404


def test_fetches_are_counted_for_each_issuer(server: JwksServer) -> None:
    url = server.publish("one", [A])
    kids(url)
    httpx.get(server.url("two"))
    httpx.head(url + "?fresh=1")

    assert (server.fetches("one"), server.fetches("two"), server.fetches("three")) == (2, 1, 0)


def test_anything_can_be_served(server: JwksServer) -> None:
    server.put("one/jwks.json", b"oops", "text/plain", status=503)

    answer = httpx.get(server.url("one"))

    assert (answer.status_code, answer.text) == (503, "oops")


def test_a_public_url_stands_in_for_the_address() -> None:
    with JwksServer(public_url="https://keys.example/") as server:
        assert server.publish("one", [A]) == "https://keys.example/one/jwks.json"


def test_a_port_is_given_back() -> None:
    with JwksServer() as server:
        port = httpx.URL(server.base_url).port
    with JwksServer(f"127.0.0.1:{port}") as again:
        assert kids(again.publish("one", [A])) == ["a"]


def test_the_sixth_version_of_ip_is_spoken_too() -> None:
    with JwksServer("[::1]:0") as server:
        assert server.base_url.startswith("http://[::1]:")
        assert kids(server.publish("one", [A])) == ["a"]


def test_a_kept_connection_is_answered_at_once(server: JwksServer) -> None:
    url = server.publish("one", [A])
    with httpx.Client() as client:
        client.get(url)
        start = time.perf_counter()
        for _ in range(20):
            client.get(url)

        assert time.perf_counter() - start < 0.4


def test_a_chain_is_served_beside_the_keys(server: JwksServer) -> None:
    url = server.publish_chain("one", b"-----BEGIN CERTIFICATE-----\n")

    assert httpx.get(url).content == b"-----BEGIN CERTIFICATE-----\n"
