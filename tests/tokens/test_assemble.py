import jwt
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from pact_conformance.tokens import base64url
from pact_conformance.tokens.assemble import (
    Segments,
    compact,
    json_text,
    raw_ecdsa,
    seal,
    sign,
    sign_hmac,
)
from pact_conformance.tokens.keys import SigningKey
from tests.tokens.test_keys import RFC_7515_A3

PAYLOAD = (
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
)


def test_hmac_gives_the_token_of_rfc_7515_a1() -> None:
    secret = base64url.decode(
        "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"
    )

    token = seal(
        "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9",
        PAYLOAD,
        lambda signed: sign_hmac("HS256", secret, signed),
    )

    assert token.signature == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"


def test_the_signature_of_rfc_7515_a3_is_r_and_s_side_by_side() -> None:
    key = SigningKey.from_jwk(RFC_7515_A3).private
    raw = base64url.decode(
        "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
    )
    r, s = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
    token = Segments("eyJhbGciOiJFUzI1NiJ9", PAYLOAD, "")

    assert isinstance(key, ec.EllipticCurvePrivateKey)
    key.public_key().verify(
        encode_dss_signature(r, s), token.signing_input, ec.ECDSA(hashes.SHA256())
    )

    assert raw_ecdsa(r, s, size=32) == raw


def test_ed25519_gives_the_token_of_rfc_8037_a4() -> None:
    key = SigningKey.from_jwk(
        {
            "kty": "OKP",
            "crv": "Ed25519",
            "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
            "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
        }
    )

    token = seal(
        "eyJhbGciOiJFZERTQSJ9", "RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc", lambda it: sign(key, it)
    )

    assert token.signature == (
        "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
    )


@pytest.mark.parametrize(
    "alg", ["ES256", "ES384", "ES512", "RS256", "RS384", "RS512", "PS256", "PS384", "EdDSA"]
)
def test_another_library_verifies_what_is_signed(alg: str) -> None:
    key = SigningKey.generate(alg, kid="k1")

    token = compact({"alg": alg, "kid": "k1"}, {"sub": "zoë"}, lambda it: sign(key, it))

    verified = jwt.decode(str(token), jwt.PyJWK(key.public_jwk()), algorithms=[alg])
    assert verified == {"sub": "zoë"}


def test_a_key_does_not_sign_with_what_it_does_not_fit() -> None:
    misfit = SigningKey("k1", "RS256", SigningKey.generate("ES256").private)

    with pytest.raises(ValueError, match="RS256"):
        sign(misfit, b"")


def test_json_is_written_without_white_space_and_may_hold_nan() -> None:
    assert json_text({"a": [1, None], "b": float("nan")}) == '{"a":[1,null],"b":NaN}'
