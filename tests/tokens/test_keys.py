import json
from typing import Any

import jwt
import pytest

from pact_conformance.tokens.keys import SigningKey, jwks, keys_from_json

ALGS = ["ES256", "ES384", "ES512", "RS256", "PS256", "EdDSA"]

RFC_7515_A3: dict[str, Any] = {
    "kty": "EC",
    "crv": "P-256",
    "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    "d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
}


@pytest.mark.parametrize("alg", ALGS)
def test_a_key_survives_its_jwk(alg: str) -> None:
    key = SigningKey.generate(alg, kid="k1")

    again = SigningKey.from_jwk(json.loads(json.dumps(key.private_jwk())))

    assert (again.kid, again.alg) == ("k1", alg)
    assert again.private_jwk() == key.private_jwk()


@pytest.mark.parametrize("alg", ALGS)
def test_another_library_reads_the_published_key(alg: str) -> None:
    key = SigningKey.generate(alg, kid="k1")

    published = jwt.PyJWK(key.public_jwk())

    assert published.key == key.private.public_key()


@pytest.mark.parametrize("alg", ALGS)
def test_nothing_private_is_published(alg: str) -> None:
    key = SigningKey.generate(alg, kid="k1")

    (published,) = jwks([key])["keys"]

    assert not published.keys() & {"d", "p", "q", "dp", "dq", "qi", "k", "oth"}
    assert published["use"] == "sig"
    assert "private" not in repr(key)


def test_an_rsa_key_needs_no_more_than_n_e_and_d() -> None:
    full = SigningKey.generate("RS256").private_jwk()

    short = SigningKey.from_jwk({name: full[name] for name in ("kty", "n", "e", "d")})

    assert short.public_jwk()["n"] == full["n"]


def test_a_jwk_without_alg_and_kid_is_taken_by_its_kind() -> None:
    key = SigningKey.from_jwk(RFC_7515_A3)

    assert (key.kid, key.alg) == (None, "ES256")
    assert "kid" not in key.public_jwk()


def test_a_text_holds_one_key_or_a_set() -> None:
    pair = [SigningKey.generate("ES256", kid="a"), SigningKey.generate("RS256", kid="b")]
    entries = [key.private_jwk() for key in pair]

    assert [key.kid for key in keys_from_json(json.dumps({"keys": entries}))] == ["a", "b"]
    assert [key.kid for key in keys_from_json(json.dumps(entries[0]))] == ["a"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "no JWK"),
        ('{"keys": []}', "holds no key"),
        ('{"keys": [1]}', "other than objects"),
        ('{"kid": 7, "d": ""}', "not a string"),
        (json.dumps({**RFC_7515_A3, "kid": "k1", "d": None}), "'k1' does not hold"),
        (json.dumps({"kid": "k1", "kty": "EC", "crv": "P-256"}), "'k1' is not private"),
        (json.dumps({"kty": "EC", "crv": "P-256", "d": "AQ"}), "member 'x' is missing"),
        (json.dumps({"kty": "EC", "crv": [], "d": "AQ"}), "does not hold"),
        (json.dumps({**RFC_7515_A3, "crv": "P-255"}), "does not hold"),
        (json.dumps({**RFC_7515_A3, "kty": "oct"}), "does not hold"),
        (json.dumps({**RFC_7515_A3, "x": RFC_7515_A3["y"]}), "does not hold"),
        (json.dumps({**RFC_7515_A3, "alg": "RS256"}), "alg 'RS256'"),
    ],
)
def test_what_is_no_private_key_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        keys_from_json(text)

    assert "\n" not in str(caught.value)
    assert RFC_7515_A3["d"] not in str(caught.value)


def test_no_key_is_made_for_an_unknown_algorithm() -> None:
    with pytest.raises(ValueError, match="HS256"):
        SigningKey.generate("HS256")
