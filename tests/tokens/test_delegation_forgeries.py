"""Every forged delegation token differs from the good one in the one thing that it says."""

import hmac
import json
import tomllib
from collections import Counter
from typing import Any

import jwt
import pytest

from pact_conformance.assets import folder
from pact_conformance.catalogue import load as load_catalogue
from pact_conformance.tokens import base64url
from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.delegation import DelegationToken, verify
from pact_conformance.tokens.delegation_forgeries import (
    DelegationForgery,
    DelegationHeader,
    Materials,
    UnforgeableError,
    forge_delegation,
    load_forgeries,
    load_headers,
)
from pact_conformance.tokens.jwks_server import JwksServer
from pact_conformance.tokens.keys import SigningKey, jwks
from pact_conformance.tokens.token import Token
from pact_conformance.wire.schema import problems
from tests.tokens.callers import KEYS, NOW, make_caller
from tests.tokens.delegations import JWKS, issued, signed

SCOPES = ("orders:read", "orders:cancel", "addresses:change")
RECEIPT = signed(claims={"grantId": "g-1", "user": "jane-4471"})
ALGS = pytest.mark.parametrize("alg", ["ES256", "RS256"])
FORGERIES = {it.id: it for it in load_forgeries()}
every_forgery = pytest.mark.parametrize("forgery", load_forgeries(), ids=lambda it: it.id)


def materials(alg: str, server: JwksServer | None, caller: Caller | None = None) -> Materials:
    return Materials(
        issued(alg),
        JWKS,
        caller or make_caller(),
        another=issued(alg, scope="orders:cancel"),
        receipt=RECEIPT,
        scopes=SCOPES,
        server=server,
    )


def parts(text: str) -> tuple[dict[str, Any], dict[str, Any], bytes]:
    header, payload, signature = text.split(".")
    return (
        json.loads(base64url.decode(header)),
        json.loads(base64url.decode(payload)),
        base64url.decode(signature),
    )


def difference(made: Token, good: DelegationToken) -> set[str]:
    """Name what differs, in the words of `field`."""
    ours, theirs = parts(made.text), parts(good.text)
    found = set()
    for name, mine, yours in (
        ("header", ours[0], theirs[0]),
        ("claims", ours[1], theirs[1]),
    ):
        members = mine.keys() | yours.keys()
        found |= {f"{name}.{it}" for it in members if mine.get(it) != yours.get(it)}
    return found | ({"signature"} if ours[2] != theirs[2] else set())


@pytest.mark.parametrize("name", ["delegation_forgeries", "delegation_headers"])
def test_the_data_fit_their_schema(name: str) -> None:
    text = (folder("fixtures") / f"{name}.toml").read_text(encoding="utf-8")

    assert problems(tomllib.loads(text), name.replace("_", "-")) == []


@pytest.mark.parametrize("rows", [load_forgeries(), load_headers()])
def test_ids_are_unique_and_requirements_known(
    rows: tuple[DelegationForgery | DelegationHeader, ...],
) -> None:
    known = load_catalogue().requirements

    assert max(Counter(row.id for row in rows).values()) == 1
    assert all(cited in known for row in rows for cited in row.requirement)


def test_rows_are_found_by_requirement() -> None:
    assert {it.id for it in load_forgeries("5.5-malformed")} > {"receipt-instead"}
    assert load_forgeries("no-such") == ()
    assert load_headers("no-such") == ()


@ALGS
@every_forgery
def test_a_forgery_differs_from_the_good_token_in_its_field(
    forgery: DelegationForgery, alg: str, server: JwksServer
) -> None:
    held = materials(alg, server)
    made = forge_delegation(forgery, held)

    if forgery.field in {"serialisation", "token"}:
        assert made.text != held.good.text
        assert made.text.count(".") != 2 or forgery.field == "token" or ".." in made.text
    else:
        found = difference(made, held.good)
        assert forgery.field in found
        assert found <= {forgery.field, *forgery.beside}
    assert made.forgery == forgery.id
    assert held.good.text not in made.label


@ALGS
@every_forgery
def test_no_forgery_verifies(forgery: DelegationForgery, alg: str, server: JwksServer) -> None:
    """But a receipt, which is well signed and no token."""
    made = forge_delegation(forgery, materials(alg, server))

    if forgery.id == "receipt-instead":
        assert "scope" not in verify(made.text, JWKS)
        return
    with pytest.raises(ValueError):
        verify(made.text, JWKS)


@ALGS
def test_what_another_key_signs_is_signed_by_it(alg: str, server: JwksServer) -> None:
    held = materials(alg, server)

    by_agent = forge_delegation(FORGERIES["signed-by-agent"], held)
    assert verify(by_agent.text, make_caller().jwks()) == held.good.claims
    named = forge_delegation(FORGERIES["signed-by-agent-kid"], held)
    assert parts(named.text)[0]["kid"] == f"own-{alg}"
    assert verify(named.text, make_caller().jwks()) == held.good.claims
    embedded = forge_delegation(FORGERIES["embedded-jwk"], held)
    assert verify(embedded.text, {"keys": [parts(embedded.text)[0]["jwk"]]}) == held.good.claims


def test_an_agent_without_a_key_for_the_algorithm_takes_its_own(server: JwksServer) -> None:
    only_ec = Caller("https://pa.example", "aud", KEYS[:1], clock=lambda: NOW)
    held = materials("RS256", server, only_ec)

    made = forge_delegation(FORGERIES["signed-by-agent"], held)

    assert difference(made, held.good) == {"header.alg", "signature"}
    assert verify(made.text, only_ec.jwks()) == held.good.claims


def test_a_jku_leads_to_the_key_that_has_signed(server: JwksServer) -> None:
    held = materials("ES256", server)
    header, *_ = parts(forge_delegation(FORGERIES["embedded-jku"], held).text)

    fetched = jwt.PyJWKClient(header["jku"]).get_signing_key(header["kid"])
    made = forge_delegation(FORGERIES["embedded-jku"], held).text

    claims = jwt.decode(
        made, fetched.key, ["ES256"], options={"verify_aud": False, "verify_iat": False}
    )
    assert claims == held.good.claims


@ALGS
def test_an_hmac_is_made_of_what_is_published(alg: str) -> None:
    held = materials(alg, None)
    made = forge_delegation(FORGERIES["hs256-jwk-as-published"], held)

    (published,) = [it for it in JWKS["keys"] if it["alg"] == alg]
    secret = json.dumps(published, separators=(",", ":")).encode()
    signing_input, _, signature = made.text.rpartition(".")
    expected = hmac.digest(secret, signing_input.encode(), "sha256")
    assert base64url.decode(signature) == expected


def test_a_widened_scope_names_what_the_card_has_and_the_token_lacks() -> None:
    held = materials("ES256", None)
    _, claims, _ = parts(forge_delegation(FORGERIES["claims-scope-widened"], held).text)

    assert claims["scope"] == "orders:read orders:cancel addresses:change"

    all_granted = Materials(issued(scope=" ".join(SCOPES)), JWKS, make_caller(), scopes=SCOPES)
    _, claims, _ = parts(forge_delegation(FORGERIES["claims-scope-widened"], all_granted).text)
    assert len(claims["scope"].split()) == len(SCOPES) + 1


def test_what_cannot_be_made_is_said() -> None:
    bare = Materials(issued(), JWKS, make_caller())

    for name, need in [
        ("signature-of-another", "another-token"),
        ("receipt-instead", "receipt"),
        ("embedded-jku", "jku-server"),
    ]:
        assert bare.lacks(FORGERIES[name]) == (need,)
        with pytest.raises(LookupError, match=need):
            forge_delegation(FORGERIES[name], bare)

    good = issued()
    same = Materials(good, JWKS, make_caller(), another=good)
    with pytest.raises(UnforgeableError):
        forge_delegation(FORGERIES["signature-of-another"], same)

    unpublished = Materials(issued(), jwks([SigningKey.generate("ES256")]), make_caller())
    with pytest.raises(ValueError, match="has signed it"):
        forge_delegation(FORGERIES["hs256-pem"], unpublished)


def test_no_forgery_shows_a_token() -> None:
    held = materials("ES256", None)

    assert held.good.text not in repr(held)
    assert RECEIPT not in repr(held)


def test_a_header_is_filled_with_the_token() -> None:
    headers = {it.id: it for it in load_headers()}

    assert headers["bare-token"].values("e.f.g") == ("e.f.g",)
    assert headers["same-token-twice"].values("e.f.g") == ("Bearer e.f.g", "Bearer e.f.g")
    assert headers["empty"].values() == ("",)
    with pytest.raises(LookupError):
        headers["bare-token"].values()
    assert all(
        ("token" in it.needs) == any("{token}" in x for x in it.lines) for it in load_headers()
    )
