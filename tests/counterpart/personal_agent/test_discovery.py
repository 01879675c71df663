"""How the mock personal agent finds and reads a card (§2.1)."""

from typing import Any

import pytest

from pact_conformance.counterpart.personal_agent.failure import Unanswered
from pact_conformance.counterpart.personal_agent.transport import Answer
from tests.counterpart.personal_agent.brand import AUDIENCE, CARD, INTERFACE, Brand, answer, card


def interface(url: str, binding: str = "HTTP+JSON", version: str = "1.0") -> dict[str, str]:
    return {"url": url, "protocolBinding": binding, "protocolVersion": version}


def domain(brand: Brand, given: str) -> dict[str, Any]:
    return brand.adapter.connect({"domain": given, "audience": AUDIENCE})


def test_the_card_is_asked_for_where_it_is_said_to_be_and_without_a_token(brand: Brand) -> None:
    (asked,) = brand.requests

    assert (asked.method, asked.url) == ("GET", CARD)
    assert dict(asked.headers) == {"Accept": "application/json"}


@pytest.mark.parametrize(
    "given", ["brand.example", "https://brand.example", "https://brand.example/"]
)
def test_a_domain_has_its_card_at_the_standard_place(brand: Brand, given: str) -> None:
    domain(brand, given)

    assert brand.requests[-1].url == "https://brand.example/.well-known/agent-card.json"


def test_a_domain_of_this_machine_may_be_without_tls(brand: Brand) -> None:
    brand.script("card", Unanswered("no TLS", arrived=True))

    assert "brand" in domain(brand, "localhost:8080")
    assert brand.requests[-1].url == "http://localhost:8080/.well-known/agent-card.json"


def test_any_other_domain_may_not(brand: Brand) -> None:
    brand.script("card", Unanswered("no TLS", arrived=True))

    assert "gaveUp" in domain(brand, "brand.example")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed_to_another_host(brand: Brand, status: int) -> None:
    brand.script("card", answer(None, status, location="https://other.example/a?b=c"))

    assert "brand" in domain(brand, "brand.example")
    assert brand.requests[-1].url == "https://other.example/a?b=c"


@pytest.mark.parametrize("location", ["http://other.example/", "file:///etc/passwd", "//["])
def test_a_redirect_to_nowhere_good_is_not(brand: Brand, location: str) -> None:
    before = len(brand.requests)
    brand.script("card", answer(None, 302, location=location))

    assert "gaveUp" in domain(brand, "brand.example")
    assert len(brand.requests) == before + 1


def test_redirects_come_to_an_end(brand: Brand) -> None:
    brand.script("card", *[answer(None, 302, location="/again")] * 20)

    assert "gaveUp" in brand.connect()
    assert len(brand.requests) < 10


@pytest.mark.parametrize(
    "served",
    [
        answer(None, 404),
        answer(card(), 404),
        answer(None, 204),
        answer(None, 500),
        answer("<html>", 200),
        answer("[]", 200),
        answer("[" * 100_000, 200),
        answer({}, 200),
    ],
)
def test_without_a_card_the_agent_gives_up(brand: Brand, served: Answer) -> None:
    brand.script("card", served)

    assert brand.connect()["gaveUp"]["reason"]


def test_the_interface_is_chosen_by_binding_and_version(brand: Brand) -> None:
    decoys = [
        interface("https://decoy.example/1", "JSONRPC"),
        interface("https://decoy.example/2", version="0.3"),
        interface("https://decoy.example/3", "http+json"),
        interface(INTERFACE),
        interface("https://decoy.example/4", version="2.0"),
    ]
    brand.card = card(supportedInterfaces=decoys)
    brand.connect()

    brand.say()

    assert brand.requests[-1].url == f"{INTERFACE}/message:send"


@pytest.mark.parametrize(
    "members",
    [
        {
            "supportedInterfaces": [
                interface(INTERFACE, "JSONRPC"),
                interface(INTERFACE, version="1.1"),
            ]
        },
        {"supportedInterfaces": []},
        {"securitySchemes": {"paJwt": {"apiKeySecurityScheme": {}}}},
        {"securitySchemes": {"paJwt": {"httpAuthSecurityScheme": {"scheme": "Basic"}}}},
    ],
)
def test_a_card_that_is_not_for_the_agent_is_left_alone(
    brand: Brand, members: dict[str, Any]
) -> None:
    brand.card = card(**members)

    assert brand.connect()["gaveUp"]["reason"]


def test_one_card_is_one_brand(brand: Brand) -> None:
    first = brand.handle

    assert brand.connect()["brand"] == first
    assert brand.connect("https://elsewhere.example/card")["brand"] != first
