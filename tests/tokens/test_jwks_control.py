import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from pact_conformance.tokens.jwks_control import PublishedSet
from pact_conformance.tokens.jwks_server import JwksServer
from pact_conformance.tokens.keys import SigningKey

A, B = SigningKey.generate("ES256", kid="a"), SigningKey.generate("ES256", kid="b")


@pytest.fixture(name="server")
def fresh_server() -> Iterator[JwksServer]:
    with JwksServer(public_url="https://keys.example") as running:
        running.publish("one", [A])
        running.publish("two", [A])
        yield running


def served(server: JwksServer, name: str = "one") -> list[Any]:
    return list(json.loads(server.answer(f"/{name}/jwks.json").body)["keys"])


def test_entries_come_to_a_set_and_go_again(server: JwksServer) -> None:
    keys = PublishedSet(server.control_url, "one")
    before = served(server)
    keys.add([B.public_jwk(), "no key at all"])

    assert served(server) == [*before, B.public_jwk(), "no key at all"]

    keys.remove([B.public_jwk(), "no key at all"])

    assert served(server) == before


def test_other_sets_stay_as_they_are(server: JwksServer) -> None:
    before = served(server, "two")
    PublishedSet(server.control_url, "one").add([B.public_jwk()])
    PublishedSet(server.control_url, "one").fail(500)

    assert served(server, "two") == before


def test_a_set_is_out_of_order_until_told_otherwise(server: JwksServer) -> None:
    keys = PublishedSet(server.control_url, "one")
    keys.fail(503)

    assert server.answer("/one/jwks.json").status == 503

    keys.fail(None)

    assert server.answer("/one/jwks.json").status == 200
    assert len(served(server)) == 1


def test_a_set_that_is_out_of_order_can_change(server: JwksServer) -> None:
    keys = PublishedSet(server.control_url, "one")
    keys.fail(500)
    keys.add([B.public_jwk()])
    keys.fail(None)

    assert len(served(server)) == 2


def test_whoever_does_not_know_the_secret_changes_nothing(server: JwksServer) -> None:
    guessed = server.control_url[:-1] + "?"
    before = served(server)

    with pytest.raises(RuntimeError, match="404"):
        PublishedSet(guessed, "one").add([B.public_jwk()])

    assert served(server) == before


@pytest.mark.parametrize(
    "body", ["", "no JSON", "[]", '{"add": 7}', '{"status": "soon"}', '{"remove": null}']
)
def test_a_bad_change_is_refused(server: JwksServer, body: str) -> None:
    before = served(server)

    answer = httpx.put(f"{server.control_url}/one", content=body)

    assert answer.status_code == 400
    assert served(server) == before


def test_a_set_that_nobody_published_cannot_change(server: JwksServer) -> None:
    with pytest.raises(RuntimeError, match="400"):
        PublishedSet(server.control_url, "nobody").add([])


def test_control_is_reached_from_this_machine_whatever_the_server_listens_on() -> None:
    with JwksServer("0.0.0.0:0") as server:
        assert server.control_url.startswith("http://127.0.0.1:")


def test_changes_are_not_counted_as_fetches(server: JwksServer) -> None:
    PublishedSet(server.control_url, "one").add([])

    assert server.fetches("one") == server.fetches("control") == 0


def test_fetches_of_each_set_are_counted(server: JwksServer) -> None:
    one, two = (PublishedSet(server.control_url, name) for name in ("one", "two"))
    before = one.fetches, two.fetches
    served(server)
    served(server)
    served(server, "two")

    assert (one.fetches - before[0], two.fetches - before[1]) == (2, 1)


def test_the_count_takes_the_secret(server: JwksServer) -> None:
    stranger = PublishedSet(server.control_url + "x", "one")

    with pytest.raises(RuntimeError, match="answered 404"):
        _ = stranger.fetches
