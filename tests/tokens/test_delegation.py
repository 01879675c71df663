"""A delegation token is read whatever signed it, and verified by any key of the set."""

import json

import pytest

from pact_conformance.tokens import base64url
from pact_conformance.tokens.delegation import read, verify
from pact_conformance.tokens.keys import SigningKey, jwks
from tests.tokens.delegations import BRAND_KEYS, CLAIMS, JWKS, issued, signed

NAN = b'{"exp": NaN}'
ALGS = pytest.mark.parametrize("alg", ["ES256", "RS256"])


def segment(value: object) -> str:
    return base64url.encode(value if isinstance(value, bytes) else json.dumps(value).encode())


@ALGS
def test_a_token_is_read(alg: str) -> None:
    token = issued(alg, scope="b a")

    assert token.header == {"alg": alg, "kid": f"brand-{alg}", "typ": "JWT"}
    assert token.claims == {**CLAIMS, "scope": "b a"}
    assert token.scopes == {"a", "b"}
    assert token.text not in repr(token) + token.label
    assert "jane" not in repr(token) + token.label


def test_a_scope_that_is_no_text_grants_nothing() -> None:
    assert issued(scope=["a"]).scopes == frozenset()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("opaque-token", "three segments"),
        ("", "three segments"),
        ("a.b", "three segments"),
        ("a.b.c.d", "three segments"),
        (f"{segment({})}=.{segment({})}.c", "header is padded"),
        (f"{segment({})}.{segment({})}==.c", "payload is padded"),
        (f"{segment({})}.!!!!.c", "payload is not base64url"),
        (f"{segment({})}.é.c", "payload is not base64url"),
        (f"{segment([])}.{segment({})}.c", "header is JSON, but no object"),
        (f"{segment({})}.{segment('x')}.c", "payload is JSON, but no object"),
        (f"{segment({})}..c", "payload is no JSON"),
        (f"{segment(bytes([255]))}.{segment({})}.c", "header is no JSON"),
        (f"{segment({})}.{segment(b'[' * 100_000)}.c", "payload is no JSON"),
        (f"{segment({})}.{segment(NAN)}.c", "payload is no JSON"),
    ],
)
def test_what_is_no_token_is_told_without_quoting_it(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read(text)


@ALGS
@pytest.mark.parametrize("kid", ["brand-ES256", "brand-RS256", "unheard-of", None])
def test_any_key_of_the_set_verifies_whatever_the_kid(alg: str, kid: str | None) -> None:
    assert verify(signed(alg, kid=kid), JWKS) == CLAIMS


@ALGS
def test_a_key_is_found_among_what_is_none(alg: str) -> None:
    good = BRAND_KEYS[alg].public_jwk()
    bare = {name: value for name, value in good.items() if name not in {"kid", "alg", "use"}}
    odd: list[object] = [
        None,
        "key",
        {},
        {"kty": "oct", "k": "AA"},
        {"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"},
        {"kty": "EC", "crv": "P-256", "x": 1, "y": None},
        {"kty": "EC", "crv": ["P-256"], "x": "AA", "y": "AA"},
        {"kty": "RSA", "n": "", "e": ""},
        {"kty": "RSA", "n": "not base64url!", "e": "AQAB"},
        {"kty": "OKP", "crv": "Ed25519", "x": "AA"},
        SigningKey.generate("ES384", kid="k").public_jwk(),
    ]

    assert verify(signed(alg), {"keys": [*odd, bare]}) == CLAIMS


@pytest.mark.parametrize(
    ("jws", "keys", "reason"),
    [
        (signed(), None, "no JWK Set"),
        (signed(), {"keys": {}}, "no JWK Set"),
        (signed(), [], "no JWK Set"),
        (signed(), {"keys": []}, "no published key fits ES256"),
        (signed(), jwks([BRAND_KEYS["RS256"]]), "no published key fits ES256"),
        (signed(), {"keys": [{**BRAND_KEYS["ES256"].public_jwk(), "use": "enc"}]}, "no published"),
        (signed(), jwks([SigningKey.generate("ES256")]), r"none of the published keys .*\(1\)"),
        (signed(key=SigningKey.generate("ES384"), alg="ES384"), JWKS, "alg is 'ES384'"),
        (signed(crit=["exp"]), JWKS, "crit"),
    ],
)
def test_what_no_published_key_has_signed_is_refused(jws: str, keys: object, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        verify(jws, keys)


@ALGS
def test_another_payload_or_signature_is_refused(alg: str) -> None:
    header, payload, signature = signed(alg).split(".")
    other_payload = segment({**CLAIMS, "scope": "everything"})
    flipped = base64url.decode(signature)
    flipped = bytes([flipped[0] ^ 1]) + flipped[1:]

    for jws in (
        f"{header}.{other_payload}.{signature}",
        f"{header}.{payload}.{base64url.encode(flipped)}",
        f"{header}.{payload}.",
        f"{header}.{payload}.{base64url.encode(flipped + b'0')}",
    ):
        with pytest.raises(ValueError, match="has signed it"):
            verify(jws, JWKS)


@pytest.mark.parametrize("alg", ["none", "None", "HS256", "PS256", None, ["ES256"], {}])
def test_only_the_two_algorithms_are_known(alg: object) -> None:
    header, payload, signature = signed().split(".")
    header = segment({"alg": alg} if alg is not None else {})

    with pytest.raises(ValueError, match="ES256 and RS256 are allowed"):
        verify(f"{header}.{payload}.{signature}", JWKS)
