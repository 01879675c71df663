"""The signature over a bundle's manifest: a compact JWS (RFC 7515) that holds the public key."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jwt.api_jwk import PyJWK
from jwt.api_jws import PyJWS
from jwt.exceptions import PyJWTError

from pact_conformance.report.certificate.keys import ALG, BadKey, Vendor, public_part, thumbprint

# Of a compact JWS: two dots between three parts.
_PARTS = 3


class BadSignature(ValueError):  # noqa: N818 - it is the signature that is bad
    """It is none of the key that it names, in one sentence."""


@dataclass(frozen=True)
class Signed:
    """What was signed, and by whom."""

    payload: bytes
    thumbprint: str


def sign(payload: bytes, vendor: Vendor) -> bytes:
    """Sign with the vendor's key. No two signatures are the same, also of the same payload."""
    headers = {"typ": "JOSE", "cty": "json", "kid": thumbprint(vendor.public)}
    headers |= {"jwk": dict(vendor.public)}  # type: ignore[dict-item]
    return PyJWS().encode(payload, vendor.private, algorithm=ALG, headers=headers).encode()


def verify(jws: bytes) -> Signed:
    """Return what was signed, if the signature is that of the key within.

    Raises:
        BadSignature: it is not, or the key is none to sign with.
    """
    try:
        header = PyJWS().get_unverified_header(jws)
        jwk = _jwk(header)
        payload = PyJWS().decode(jws, PyJWK.from_dict(jwk, ALG).key, algorithms=[ALG])
    except (PyJWTError, BadKey, ValueError, TypeError, AttributeError) as error:
        raise BadSignature(f"the signature is none: {error}") from None
    if not _is_canonical(jws):
        raise BadSignature("the signature has been written anew: its last characters are changed")
    print_ = thumbprint(jwk)
    if header.get("kid") != print_:
        raise BadSignature("the signature names another key than the one that made it")
    assert isinstance(payload, bytes)
    return Signed(payload, print_)


def _jwk(header: Mapping[str, Any]) -> dict[str, str]:
    jwk = header.get("jwk")
    if not isinstance(jwk, dict):
        raise BadKey("it holds no public key")
    if "d" in jwk:
        raise BadKey("it holds the private key, which is no longer secret")
    return public_part(jwk)


def _is_canonical(jws: bytes) -> bool:
    """Say whether the last part is written as base64url has to be (RFC 7515 §2, RFC 4648 §3.5).

    The other parts are signed as they are written.
    """
    parts = jws.split(b".")
    if len(parts) != _PARTS:
        return False
    last = parts[-1]
    try:
        decoded = base64.urlsafe_b64decode(last + b"=" * (-len(last) % 4))
    except (binascii.Error, ValueError):
        return False
    return base64.urlsafe_b64encode(decoded).rstrip(b"=") == last
