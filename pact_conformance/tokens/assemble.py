"""A compact JWS put together piece by piece (RFC 7515 §7.1), so that any piece can be wrong."""

import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from pact_conformance.tokens import base64url
from pact_conformance.tokens.keys import SigningKey

Signer = Callable[[bytes], bytes]
"""Makes the signature of a signing input."""

_HASHES: Mapping[str, hashes.HashAlgorithm] = MappingProxyType(
    {"256": hashes.SHA256(), "384": hashes.SHA384(), "512": hashes.SHA512()}
)
_encode_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True)
class Segments:
    """The three texts that dots join."""

    header: str
    payload: str
    signature: str

    def __str__(self) -> str:
        return f"{self.header}.{self.payload}.{self.signature}"

    @property
    def signing_input(self) -> bytes:
        """What the signature covers (RFC 7515 §5.1): the texts themselves, not what they encode."""
        return f"{self.header}.{self.payload}".encode("ascii")


def json_text(value: object) -> str:
    """Return a value as JSON without white space; NaN and Infinity are written as such."""
    return _encode_json(value)


def segment(text: str) -> str:
    """Return the segment of a JSON text, which may be no JSON at all."""
    return base64url.encode(text.encode())


def sign(key: SigningKey, signing_input: bytes) -> bytes:
    """Return the signature of an input by a key's algorithm (RFC 7518 §3.1, RFC 8037 §3.1).

    Raises:
        ValueError: the key's material does not fit its algorithm.
    """
    if not key.can(key.alg):
        raise ValueError(f"the key {key.kid!r} cannot sign with {key.alg}")
    private = key.private
    if isinstance(private, ed25519.Ed25519PrivateKey):
        return private.sign(signing_input)
    hashing = _HASHES[key.alg[2:]]
    if isinstance(private, ec.EllipticCurvePrivateKey):
        r, s = decode_dss_signature(private.sign(signing_input, ec.ECDSA(hashing)))
        return raw_ecdsa(r, s, size=(private.key_size + 7) // 8)
    return private.sign(signing_input, _rsa_padding(key.alg, hashing), hashing)


def raw_ecdsa(r: int, s: int, *, size: int) -> bytes:
    """Return an ECDSA signature as JWS has it: r and s side by side (RFC 7518 §3.4)."""
    return r.to_bytes(size, "big") + s.to_bytes(size, "big")


def sign_hmac(alg: str, secret: bytes, signing_input: bytes) -> bytes:
    """Return the HMAC of an input by HS256, HS384 or HS512 (RFC 7518 §3.2)."""
    return hmac.digest(secret, signing_input, f"sha{alg.removeprefix('HS')}")


def compact(header: Mapping[str, Any], claims: Mapping[str, Any], signer: Signer) -> Segments:
    """Return the segments of a token, signed."""
    return seal(segment(json_text(header)), segment(json_text(claims)), signer)


def seal(header: str, payload: str, signer: Signer) -> Segments:
    """Return two segments as they are with the signature over them."""
    unsigned = Segments(header, payload, "")
    return Segments(header, payload, base64url.encode(signer(unsigned.signing_input)))


def _rsa_padding(alg: str, hashing: hashes.HashAlgorithm) -> padding.AsymmetricPadding:
    if alg.startswith("PS"):
        return padding.PSS(padding.MGF1(hashing), salt_length=hashing.digest_size)
    return padding.PKCS1v15()
