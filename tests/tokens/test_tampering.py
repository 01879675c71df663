import hashlib
import json

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import load_der_public_key, load_pem_public_key

from pact_conformance.tokens import base64url
from pact_conformance.tokens.assemble import Segments, sign
from pact_conformance.tokens.tampering import (
    P256_ORDER,
    SECRETS,
    SEGMENTS,
    SIGNATURES,
    TEXTS,
)
from tests.tokens.callers import KEYS

EC, RSA = KEYS[0], KEYS[1]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("header-alone", "h"),
        ("two-segments", "h.p"),
        ("four-segments", "h.p.s.s"),
        ("five-segments", "h.p.s.s.s"),
        ("trailing-dot", "h.p.s."),
        ("leading-dot", ".h.p.s"),
        ("doubled-dot", "h..p.s"),
        ("empty-header", ".p.s"),
        ("empty-payload", "h..s"),
        ("dots-alone", ".."),
        ("quoted", '"h.p.s"'),
        ("json-flattened", '{"payload":"p","protected":"h","signature":"s"}'),
        ("json-general", '{"payload":"p","signatures":[{"protected":"h","signature":"s"}]}'),
    ],
)
def test_segments_are_joined_as_the_name_says(name: str, text: str) -> None:
    assert TEXTS[name](Segments("h", "p", "s")) == text


def test_each_way_to_join_is_tested_above() -> None:
    assert len(TEXTS) == 13


@pytest.mark.parametrize("name", SIGNATURES)
def test_every_rewrite_changes_a_signature(name: str) -> None:
    signature = sign(EC, b"input")

    assert SIGNATURES[name](signature) != signature


@pytest.mark.parametrize(
    ("name", "r", "s"),
    [
        ("r-zero", 0, None),
        ("s-zero", None, 0),
        ("all-zero", 0, 0),
        ("r-and-s-order", P256_ORDER, P256_ORDER),
        ("r-and-s-one", 1, 1),
    ],
)
def test_r_and_s_become_what_the_name_says(name: str, r: int | None, s: int | None) -> None:
    good = sign(EC, b"input")
    made = SIGNATURES[name](good)

    assert len(made) == 64
    assert made[:32] == (good[:32] if r is None else r.to_bytes(32, "big"))
    assert made[32:] == (good[32:] if s is None else s.to_bytes(32, "big"))


def verify(signature: bytes) -> None:
    public = EC.private.public_key()
    assert isinstance(public, ec.EllipticCurvePublicKey)
    public.verify(signature, b"input", ec.ECDSA(hashes.SHA256()))


def der(raw: bytes) -> bytes:
    return encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))


def test_der_and_the_negated_s_are_right_signatures_to_ecdsa() -> None:
    good = sign(EC, b"input")

    verify(SIGNATURES["der"](good))
    verify(der(SIGNATURES["s-negated"](good)))
    with pytest.raises(InvalidSignature):
        verify(der(SIGNATURES["last-bit-flipped"](good)))


def test_secrets_are_encodings_of_the_public_key() -> None:
    public = EC.private.public_key()

    assert load_pem_public_key(SECRETS["pem"](EC)) == public
    assert SECRETS["pem"](EC) == SECRETS["pem-without-newline"](EC) + b"\n"
    assert load_der_public_key(SECRETS["der"](EC)) == public
    assert SECRETS["pkcs1-pem"](RSA).startswith(b"-----BEGIN RSA PUBLIC KEY-----\n")
    assert SECRETS["point"](EC)[:1] == b"\x04"
    assert SECRETS["x-coordinate"](EC) == base64url.decode(EC.public_jwk()["x"])
    assert SECRETS["modulus"](RSA) == base64url.decode(RSA.public_jwk()["n"])
    assert json.loads(SECRETS["jwk"](EC)).keys() == {"crv", "kty", "x", "y"}


def test_the_canonical_jwk_is_what_rfc_7638_hashes() -> None:
    text = SECRETS["jwk"](RSA)

    assert text.startswith(b'{"e":"AQAB","kty":"RSA","n":"')
    assert len(hashlib.sha256(text).digest()) == 32


def test_a_secret_of_another_kind_of_key_is_refused() -> None:
    with pytest.raises(TypeError):
        SECRETS["point"](RSA)
    with pytest.raises(TypeError):
        SECRETS["pkcs1-pem"](EC)


@pytest.mark.parametrize(
    ("name", "segment", "spelt"),
    [
        ("padded", "e30", "e30="),
        ("padded", base64url.encode(b"{ }"), base64url.encode(b"{ } ") + "=="),
        ("standard-alphabet", "-_8", "+/8"),
        ("space-inside", "abcd", "ab cd"),
        ("tab-inside", "abcd", "ab\tcd"),
        ("foreign-character-inside", "abcd", "ab!cd"),
        ("slack-bits", "YQ", "YR"),
        ("slack-bits", "abcd", "abcd"),
    ],
)
def test_segments_are_spelt_as_the_name_says(name: str, segment: str, spelt: str) -> None:
    assert SEGMENTS[name](segment) == spelt
