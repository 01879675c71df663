import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pact_conformance.wire.card import Card, Delegation, Interface
from tests.wire.cards import good_card
from tests.wire.json_values import json_values

URL = "https://provider.example.com/a2a/01J/.well-known/agent-card.json"
NAMES = (
    "supportedInterfaces",
    "securitySchemes",
    "securityRequirements",
    "schemes",
    "list",
    "httpAuthSecurityScheme",
    "oauth2SecurityScheme",
    "flows",
    "deviceCode",
    "scopes",
    "capabilities",
    "scheme",
    "bearerFormat",
    "url",
)


def read_everything(card: Card) -> None:
    for name in ("interface", "interfaces", "jwt_schemes", "jwt_spellings"):
        getattr(card, name)
    assert card.jwt_alone == (card.jwt_form is not None)
    for name in ("requirements", "delegation", "delegations", "delegation_beside_jwt"):
        getattr(card, name)
    card.capability("streaming")


def test_the_interface_is_chosen_by_binding_and_version() -> None:
    card = good_card()
    pact = card["supportedInterfaces"][0]
    card["supportedInterfaces"] = [
        {"url": "https://a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
        {"url": "https://b", "protocolBinding": "HTTP+JSON", "protocolVersion": "0.3"},
        {**pact, "tenant": "t"},
        {**pact, "url": "https://c"},
    ]

    assert Card(card, URL).interface == Interface(pact["url"], "HTTP+JSON", "1.0", "t")
    assert len(Card(card, URL).interfaces) == 4


def test_the_jwt_scheme_is_found_by_shape() -> None:
    card = good_card()
    card["securitySchemes"] = {
        "basic": {"httpAuthSecurityScheme": {"scheme": "Basic"}},
        "opaque": {"httpAuthSecurityScheme": {"scheme": "Bearer"}},
        "any name": {"httpAuthSecurityScheme": {"scheme": "bearer", "bearerFormat": "JWT"}},
    }

    assert Card(card, URL).jwt_schemes == ("any name",)
    assert Card(card, URL).jwt_spellings == {"bearer"}


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ({"list": []}, "list"),
        ({}, "no list"),
        ([], "other"),
        (None, "other"),
        ({"list": 1}, "other"),
    ],
)
def test_the_jwt_alone_is_seen_in_any_form(value: object, form: str) -> None:
    card = good_card()
    card["securityRequirements"] = [{"schemes": {"paJwt": value}}]

    assert Card(card, URL).jwt_alone
    assert Card(card, URL).jwt_form == form


@pytest.mark.parametrize(
    "requirements",
    [
        [],
        None,
        [{"schemes": {"paJwt": {"list": []}, "userDelegation": {"list": []}}}],
        [{"schemes": {"userDelegation": {"list": []}}}],
        [{"schemes": {}}],
        [{"paJwt": []}],
    ],
)
def test_an_entry_with_more_or_less_is_not_the_jwt_alone(requirements: object) -> None:
    card = good_card()
    card["securityRequirements"] = requirements

    assert not Card(card, URL).jwt_alone


def test_delegation_is_read_from_the_device_code_flow() -> None:
    assert Card(good_card(), URL).delegation == Delegation(
        scheme="userDelegation",
        device_authorization_url="https://provider.example.com/device",
        token_url="https://provider.example.com/token",
        refresh_url=None,
        scopes={"orders:read": "Look up your orders"},
        metadata_url="https://provider.example.com/metadata",
    )
    assert Card(good_card(), URL).delegation_beside_jwt


def test_of_several_offers_one_that_has_both_endpoints_is_taken_up() -> None:
    card = good_card()
    whole = card["securitySchemes"].pop("userDelegation")
    broken = {"oauth2SecurityScheme": {"flows": {"deviceCode": {"scopes": {"a": "A"}}}}}
    other = {"oauth2SecurityScheme": {"flows": {"clientCredentials": {"tokenUrl": "https://x"}}}}
    card["securitySchemes"] |= {"other": other, "broken": broken, "whole": whole}
    card["securityRequirements"][1] = {"schemes": {"paJwt": {"list": []}, "whole": {"list": []}}}

    read = Card(card, URL)
    assert [it.scheme for it in read.delegations] == ["broken", "whole"]
    assert read.delegation == read.delegations[1]
    assert read.delegation_beside_jwt

    del card["securitySchemes"]["whole"]
    assert Card(card, URL).delegation == Card(card, URL).delegations[0]
    assert not Card(card, URL).delegation_beside_jwt


def test_a_card_without_delegation_offers_none() -> None:
    card = good_card()
    del card["securitySchemes"]["userDelegation"]

    assert Card(card, URL).delegation is None
    assert not Card(card, URL).delegation_beside_jwt


@pytest.mark.parametrize(("value", "expected"), [(True, True), (False, False), ("true", False)])
def test_a_capability_is_declared_by_true_alone(*, value: object, expected: bool) -> None:
    card = good_card()
    card["capabilities"] = {"streaming": value}

    assert Card(card, URL).capability("streaming") is expected
    assert not Card(card, URL).capability("pushNotifications")


@settings(deadline=None)
@given(json_values(*NAMES))
def test_no_document_is_too_odd_to_read(document: object) -> None:
    read_everything(Card(document, URL))


def _places(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    children: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        children = list(value.items())
    if isinstance(value, list):
        children = list(enumerate(value))
    return [path, *(it for key, child in children for it in _places(child, (*path, key)))]


@settings(deadline=None)
@given(st.sampled_from(_places(good_card())[1:]), json_values(*NAMES))
def test_any_value_may_stand_anywhere_in_a_card(path: tuple[str | int, ...], odd: object) -> None:
    card: Any = copy.deepcopy(good_card())
    holder = card
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = odd

    read_everything(Card(json.loads(json.dumps(card)), URL))
