import json
import re
import time
from typing import Any

import jwt
import pytest

from pact_conformance.tokens import base64url
from pact_conformance.tokens.assemble import Segments
from pact_conformance.tokens.caller import MISSING, Caller, Change, NoKeyError
from pact_conformance.tokens.keys import SigningKey
from pact_conformance.tokens.token import Token

NOW = 1_800_000_000.75
ES256 = SigningKey.generate("ES256", kid="ec")
RS256 = SigningKey.generate("RS256", kid="rsa")


@pytest.fixture
def caller() -> Caller:
    return Caller("https://pa.example", "aud-1", (ES256, RS256), clock=lambda: NOW)


def parts(token: Token) -> tuple[dict[str, Any], dict[str, Any]]:
    header, payload, _ = token.text.split(".")
    return json.loads(base64url.decode(header)), json.loads(base64url.decode(payload))


def test_a_token_is_good_by_default(caller: Caller) -> None:
    token = caller.token(caller.user("a"))

    header, claims = parts(token)

    assert header == {"alg": "ES256", "kid": "ec", "typ": "JWT"}
    assert claims.pop("jti")
    assert claims == {
        "iss": "https://pa.example",
        "sub": caller.user("a"),
        "aud": "aud-1",
        "iat": 1_800_000_000,
        "exp": 1_800_000_120,
    }


@pytest.mark.parametrize("alg", ["ES256", "RS256", "PS256", "RS512"])
def test_another_library_verifies_a_token(caller: Caller, alg: str) -> None:
    caller = Caller(caller.issuer, caller.audience, caller.keys)
    key = ES256 if alg == "ES256" else RS256

    token = caller.token(alg=alg)

    public: Any = key.private.public_key()
    jwt.decode(
        token.text,
        public,
        algorithms=[alg],
        audience="aud-1",
        issuer="https://pa.example",
        options={"require": ["iss", "sub", "aud", "iat", "exp", "jti"]},
    )


def test_no_two_tokens_share_their_jti(caller: Caller) -> None:
    assert len({parts(caller.token())[1]["jti"] for _ in range(100)}) == 100


def test_a_user_is_opaque_and_the_same_all_through_a_run(caller: Caller) -> None:
    other_run = Caller("https://pa.example", "aud-1", (ES256,))
    same_run = Caller("https://pa.example", "aud-1", (ES256,), seed=caller.seed)

    assert re.fullmatch(r"[0-9a-f]{32}", caller.user("alice"))
    assert caller.user("alice") == same_run.user("alice")
    assert caller.user("alice") != caller.user("bob")
    assert caller.user("alice") != other_run.user("alice")


@pytest.mark.parametrize("value", [None, 1.5, True, "x", ["x"], {"a": None}])
def test_any_member_takes_any_value(caller: Caller, value: object) -> None:
    header, claims = parts(caller.token(header={"alg": value}, claims={"sub": value}))

    assert header == {"alg": value, "kid": "ec", "typ": "JWT"}
    assert claims["sub"] == value
    assert claims["iss"] == "https://pa.example"


def test_any_member_may_be_missing(caller: Caller) -> None:
    header, claims = parts(
        caller.token(header={"kid": MISSING}, claims={"jti": MISSING, "no": MISSING})
    )

    assert header.keys() == {"alg", "typ"}
    assert claims.keys() == {"iss", "sub", "aud", "iat", "exp"}


def test_time_and_lifetime_are_free(caller: Caller) -> None:
    _, claims = parts(caller.token(at=NOW - 5, lifetime=300))

    assert (claims["iat"], claims["exp"]) == (1_799_999_995, 1_800_000_295)


def test_the_header_alone_may_name_another_alg(caller: Caller) -> None:
    token = caller.token(header={"alg": "RS256"})

    header, payload, signature = token.text.split(".")

    assert json.loads(base64url.decode(header))["alg"] == "RS256"
    assert len(base64url.decode(signature)) == 64
    assert payload


def test_alg_none_leaves_the_signature_empty(caller: Caller) -> None:
    token = caller.token(alg="none")

    assert parts(token)[0]["alg"] == "none"
    assert token.text.endswith(".")


def test_each_piece_of_the_serialisation_may_be_changed(caller: Caller) -> None:
    def join(segments: Segments) -> str:
        return f"{segments.header}.{segments.payload}.{segments.signature}."

    token = caller.token(
        change=Change(
            header_text=lambda _: "{",
            claims_text=lambda _: "}",
            signer=lambda _: b"ab",
            signature=lambda it: it[:1],
            text=join,
        )
    )

    assert token.text == "ew.fQ.YQ."


def test_a_caller_without_a_fitting_key_says_so(caller: Caller) -> None:
    with pytest.raises(NoKeyError, match="no key for EdDSA"):
        caller.token(alg="EdDSA")
    with pytest.raises(NoKeyError, match="ES256 or RS256"):
        Caller("https://pa.example", "aud-1", ()).token()


def test_extra_published_keys_are_not_signed_with_by_default(caller: Caller) -> None:
    extra = SigningKey.generate("ES384", kid="extra")
    caller = Caller(caller.issuer, caller.audience, (extra, RS256, ES256))

    assert caller.key() is RS256
    assert caller.key("ES384") is extra
    assert [it["kid"] for it in caller.jwks()["keys"]] == ["extra", "rsa", "ec"]


def test_a_key_without_kid_signs_tokens_without_one() -> None:
    caller = Caller("https://pa.example", "aud-1", (SigningKey.generate("ES256"),))

    assert "kid" not in parts(caller.token())[0]


def test_the_label_tells_what_is_in_a_token_and_what_was_changed(caller: Caller) -> None:
    token = caller.token("u" * 50, header={"alg": None}, claims={"nbf": MISSING}, forgery="x-y")

    assert token.label == (
        f"ES256 kid=ec iss=https://pa.example sub={'u' * 39}… aud=aud-1 iat+0 exp+120 "
        "changed: alg None changed: nbf MISSING forgery: x-y"
    )
    assert token.text not in token.label
    assert token.text not in repr(token)


def test_a_token_costs_little_beside_its_signature() -> None:
    caller = Caller("https://pa.example", "aud-1", (ES256,))
    unsigned = Change(signer=lambda _: b"\0" * 64)
    best = min(_seconds_per_token(caller, unsigned) for _ in range(5))

    assert best < 0.0002


def _seconds_per_token(caller: Caller, change: Change) -> float:
    start = time.perf_counter()
    for _ in range(200):
        caller.token("u", change=change)
    return (time.perf_counter() - start) / 200
