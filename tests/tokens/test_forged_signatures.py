"""A forgery is signed so that it proves something: well, unless its signature is what is wrong."""

import base64
import json
from dataclasses import replace
from typing import Any

import httpx
import jwt
import pytest
from cryptography.x509 import load_der_x509_certificate, load_pem_x509_certificate

from pact_conformance.tokens import base64url
from pact_conformance.tokens.forgeries import Forgery, load
from pact_conformance.tokens.jwks_server import JwksServer
from pact_conformance.tokens.keys import SigningKey
from pact_conformance.tokens.tampering import SECRETS
from pact_conformance.tokens.token import Token
from tests.tokens.reading import CALLER, KEYS, OTHER, differing, is_signed_by, make, parts

every_forgery = pytest.mark.parametrize("forgery", load(), ids=lambda it: it.id)


@every_forgery
def test_a_forgery_is_well_signed_unless_its_signature_is_what_is_wrong(
    forgery: Forgery, server: JwksServer
) -> None:
    made, control = make(forgery, server)
    key = KEYS[parts(control)[0]["kid"]]
    change = forgery.change

    assert is_signed_by(control, key)
    if forgery.field == "serialisation" and made.text.count(".") != 2:
        return
    if {"sign", "signature"} & change.keys():
        assert change.get("signature") == "s-negated" or not is_well_signed(made, key)
    elif "segment" not in change and forgery.field != "serialisation":
        assert is_signed_by(made, key)


def is_well_signed(token: Token, key: SigningKey) -> bool:
    try:
        return is_signed_by(token, key)
    except ValueError:
        return False


@pytest.mark.parametrize(
    "forgery",
    [it for it in load() if it.change.get("sign", {}).keys() & {"alg", "published"}],
    ids=lambda it: it.id,
)
def test_another_algorithm_is_really_signed_with(forgery: Forgery, server: JwksServer) -> None:
    made, _ = make(forgery, server)
    header = parts(made)[0]

    assert is_signed_by(made, replace(KEYS[header["kid"]], alg=header["alg"]))


@pytest.mark.parametrize(
    "forgery",
    [it for it in load() if "hmac" in it.change.get("sign", {})],
    ids=lambda it: it.id,
)
def test_an_hmac_is_made_of_the_public_key(forgery: Forgery, server: JwksServer) -> None:
    made, control = make(forgery, server)
    key = KEYS[parts(control)[0]["kid"]]
    secret = SECRETS[forgery.change["sign"]["secret"]](key)
    signing_input, _, _ = made.text.rpartition(".")
    hmac = jwt.get_algorithm_by_name(parts(made)[0]["alg"])

    assert hmac.verify(signing_input.encode(), secret, parts(made)[2])


@pytest.mark.parametrize(
    "forgery",
    [it for it in load() if it.family == "embedded_keys" and it.result == "refused"],
    ids=lambda it: it.id,
)
def test_a_token_with_an_embedded_key_is_signed_by_it(forgery: Forgery, server: JwksServer) -> None:
    made, control = make(forgery, server)
    header = parts(made)[0]
    alg = parts(control)[0]["alg"]
    found: Any = None
    if "jwk" in header:
        found = jwt.PyJWK(header["jwk"]).key
    elif "x5c" in header:
        found = load_der_x509_certificate(base64.b64decode(header["x5c"][0])).public_key()
    elif "jku-server" in forgery.needs and "jku" in header:
        found = jwt.PyJWK(httpx.get(header["jku"]).json()["keys"][0]).key
    elif "jku-server" in forgery.needs:
        found = load_pem_x509_certificate(httpx.get(header["x5u"]).content).public_key()
    else:
        return

    assert jwt.get_algorithm_by_name(alg).verify(
        made.text.rpartition(".")[0].encode(), found, parts(made)[2]
    )


@pytest.mark.parametrize(
    "forgery", [it for it in load() if it.family == "agent_binding"], ids=lambda it: it.id
)
def test_a_token_in_the_name_of_one_agent_is_signed_by_the_other(
    forgery: Forgery, server: JwksServer
) -> None:
    made, control = make(forgery, server)
    header, claims, _ = parts(made)
    signer = OTHER if claims["iss"] == CALLER.issuer else CALLER

    assert claims["iss"] == parts(control)[1]["iss"]
    assert is_signed_by(made, signer.key("ES256"))
    if forgery.field == "header.kid":
        assert header["kid"] == signer.key("ES256").kid


@pytest.mark.parametrize(
    "forgery",
    [it for it in load() if it.family == "compact" and "segment" in it.change],
    ids=lambda it: it.id,
)
def test_another_spelling_of_a_segment_holds_the_same_bytes(
    forgery: Forgery, server: JwksServer
) -> None:
    made, control = make(forgery, server)
    key = KEYS[parts(control)[0]["kid"]]
    header, payload, signature = made.text.split(".")
    spelt = {"payload": payload, "signature": signature}[next(iter(forgery.change["segment"]))]
    plain = spelt.translate(str.maketrans("+/", "-_", "!= \t"))
    public: Any = key.private.public_key()
    signing_input = f"{header}.{payload}".encode()
    raw = base64url.decode(plain if spelt is signature else signature)

    assert spelt != base64url.encode(base64url.decode(plain))
    assert jwt.get_algorithm_by_name(key.alg).verify(signing_input, public, raw)
    if spelt is payload:
        claims = json.loads(base64url.decode(plain))
        assert differing(claims, parts(control)[1]) == {"jti"}
