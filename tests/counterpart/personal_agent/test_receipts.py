"""The mock personal agent verifies and keeps receipts (§5.6)."""

from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from tests.counterpart.personal_agent.brand import (
    INTERFACE,
    KEY,
    Brand,
    answer,
    lost,
    receipt,
    reply,
)

STRANGER = ec.generate_private_key(ec.SECP256R1())
TOKEN = jwt.encode({"grant_id": "g-1", "sub": "jane-4471"}, KEY, algorithm="ES256")


def claims(at: Brand, /, **changed: object) -> dict[str, Any]:
    honest = {
        "grantId": "g-1",
        "user": "jane-4471",
        "pa": at.adapter.issuer,
        "brand": INTERFACE,
        "scopesUsed": ["read"],
        "actions": [],
        "ts": "2026-09-30T12:00:00Z",
    }
    return {**honest, **changed}


def judged(brand: Brand, metadata: object) -> list[Any]:
    """Let a delegated reply have this metadata, and return the receipts that are kept."""
    if not brand.seen("begin"):
        brand.granted("read", access_token=TOKEN)
    brand.script("send", reply(metadata=metadata))
    assert "reply" in brand.say()
    return [it["verified"] for it in brand.holds()["receipts"]]


def test_a_good_receipt_is_verified_and_kept_as_it_is(brand: Brand) -> None:
    good = receipt(claims(brand), claims(brand))

    assert judged(brand, good) == [True]
    assert brand.holds()["receipts"][0]["jws"] == good["pact.receipt"]["jws"]
    assert judged(brand, good) == [True, True]
    assert len(brand.seen("keys")) == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"grantId": "g-2"},
        {"grantId": None},
        {"user": "omar-1208"},
        {"pa": "https://other.example"},
        {"brand": "https://other.example"},
        {"brand": 7},
        {"scopesUsed": ["read", "cancel"]},
        {"scopesUsed": [["read"]]},
        {"scopesUsed": "read"},
    ],
)
def test_a_receipt_about_something_else_is_bad(brand: Brand, changed: dict[str, Any]) -> None:
    found = claims(brand, **changed)

    assert judged(brand, receipt(found, found)) == [False]


def test_claims_that_are_not_what_was_signed_are_bad(brand: Brand) -> None:
    assert judged(brand, receipt(claims(brand), claims(brand, scopesUsed=[]))) == [False]


def test_a_strangers_signature_is_bad(brand: Brand) -> None:
    found = claims(brand)

    assert judged(brand, receipt(found, found, key=STRANGER)) == [False]
    assert judged(brand, receipt(found, found, kid="other", key=STRANGER)) == [False, False]


@pytest.mark.parametrize("jws", ["x", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", "é.é.é"])
def test_what_is_no_signature_is_bad(brand: Brand, jws: str) -> None:
    assert judged(brand, {"pact.receipt": {"jws": jws, "claims": {}}}) == [False]


def test_an_unknown_key_is_looked_for_again(brand: Brand) -> None:
    found = claims(brand)
    brand.script("keys", answer({"keys": []}))

    assert judged(brand, receipt(found, found)) == [False]
    assert judged(brand, receipt(found, found)) == [False, True]


def test_without_the_brands_keys_nothing_can_be_told(brand: Brand) -> None:
    found = claims(brand)
    brand.script("metadata", lost())

    assert judged(brand, receipt(found, found)) == [None]


def test_a_token_that_cannot_be_read_does_not_make_receipts_bad(brand: Brand) -> None:
    found = claims(brand)
    brand.granted("read", access_token="opaque")

    assert judged(brand, receipt(found, found)) == [True]


@pytest.mark.parametrize(
    "metadata", [None, {}, {"pact.receipt": None}, {"pact.receipt": {"jws": 7}}]
)
def test_a_reply_without_a_receipt_is_a_reply(brand: Brand, metadata: object) -> None:
    assert judged(brand, metadata) == []


def test_metadata_for_callers_with_a_token_is_asked_for_with_one(brand: Brand) -> None:
    found = claims(brand)
    brand.script("metadata", answer(None, 401))

    assert judged(brand, receipt(found, found)) == [True]
    headers = [dict(it.headers) for it in brand.seen("metadata")]
    assert ["Authorization" in it for it in headers] == [False, True]
