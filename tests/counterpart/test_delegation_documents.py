"""What a Brand that offers delegation says of it: card, metadata, keys (§5.1, §5.2)."""

import json

import pytest

from pact_conformance.counterpart.provider.configuration import (
    DEFAULT_SCOPES,
    BrandConfig,
    ProviderConfig,
)
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.wire import schema
from pact_conformance.wire.card import Card
from tests.counterpart.delegating import DEVICE_CODE, issuer
from tests.counterpart.world import FIRST, SECOND, World, alone


@alone
async def test_the_card_offers_delegation_beside_the_jwt_alone(world: World) -> None:
    card = Card((await world.ask("GET", "/.well-known/agent-card.json")).json(), "")

    assert card.jwt_alone
    assert card.delegation_beside_jwt
    assert card.delegation is not None
    assert card.delegation.device_authorization_url == f"{issuer()}/device_authorization"
    assert card.delegation.token_url == f"{issuer()}/token"
    assert card.delegation.scopes == DEFAULT_SCOPES
    assert schema.problems(card.document, "agent-card") == []


@alone
async def test_the_metadata_agrees_with_the_card(world: World) -> None:
    card = Card((await world.ask("GET", "/.well-known/agent-card.json")).json(), "")
    assert card.delegation is not None
    answer = await world.client.get(card.delegation.metadata_url)
    metadata = answer.json()

    assert answer.status_code == 200
    assert schema.problems(metadata, "authorization-server-metadata") == []
    assert metadata["issuer"] == issuer()
    assert metadata["token_endpoint"] == card.delegation.token_url
    assert metadata["device_authorization_endpoint"] == card.delegation.device_authorization_url
    assert metadata["response_types_supported"] == []
    assert metadata["grant_types_supported"] == [DEVICE_CODE, "refresh_token"]


@alone
async def test_each_brand_has_public_keys_of_its_own(world: World) -> None:
    sets = [(await world.client.get(f"{issuer(it)}/jwks.json")).json() for it in (FIRST, SECOND)]

    assert [schema.problems(it, "jwks") for it in sets] == [[], []]
    assert [(key["alg"], "d" in key) for key in sets[0]["keys"]] == [("ES256", False)]
    assert sets[0]["keys"][0]["x"] != sets[1]["keys"][0]["x"]


@pytest.mark.parametrize(
    "brand",
    [
        BrandConfig(id="b", name="B", scopes={}),
        BrandConfig(id="b", name="B", domain_listen=None),
    ],
)
def test_a_brand_without_scopes_or_login_offers_nothing(brand: BrandConfig) -> None:
    provider = Provider(ProviderConfig(brands=(brand,)), "http://127.0.0.1:1")

    assert Card(provider.card(brand, provider.base), "").delegation is None
    assert provider.delegation.table(brand, "/oauth/token") is None


@alone
async def test_what_is_no_route_is_404_or_405(world: World) -> None:
    assert (await world.ask("GET", "/oauth/nothing")).status_code == 404
    assert (await world.ask("GET", "/oauth/token", token=None)).status_code == 405
    assert (await world.ask("GET", "/oauth")).status_code == 404


def test_scopes_and_accounts_survive_json() -> None:
    brand = BrandConfig(id="b", name="B", scopes={"snake_case:id": "Do this"}, poll_interval=1)
    config = ProviderConfig(brands=(brand,))

    assert ProviderConfig.from_json(config.to_json()) == config


@pytest.mark.parametrize(
    ("members", "complaint"),
    [
        ({"scopes": []}, "scopes must be an object"),
        ({"scopes": {"a b": "x"}}, "cannot be called 'a b'"),
        ({"scopes": {"a": " "}}, "the description of a must"),
        ({"accounts": {}}, "accounts must be an array"),
        ({"accounts": [{"username": "u"}]}, "password"),
        ({"tokenSeconds": "1"}, "tokenSeconds must be"),
    ],
)
def test_what_is_wrong_with_an_offer_is_said(members: dict[str, object], complaint: str) -> None:
    text = json.dumps({"brands": [{"id": "b", "name": "B", **members}]})

    with pytest.raises(ValueError, match=complaint):
        ProviderConfig.from_json(text)
