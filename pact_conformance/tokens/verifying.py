"""Verifies signatures by the public keys of a JWK Set, with the primitives of `cryptography`.

Only what PACT allows is known: ES256 and RS256 (§5.4).
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from pact_conformance.tokens import base64url

Jwk = Mapping[str, Any]
PublicKey = ec.EllipticCurvePublicKey | rsa.RSAPublicKey

_HALF = 32
"""Bytes of r and of s (RFC 7518 §3.4)."""


def verify_signature(
    header: Mapping[str, Any], signing_input: bytes, signature: bytes, jwks: object
) -> Jwk:
    """Return the JWK whose key has signed an input.

    Args:
        header: of the JWS; its `alg` is obeyed, its `kid` says which key to try first.
        signing_input: what is signed (RFC 7515 §5.1).
        signature: as the JWS has it.
        jwks: a JWK Set (RFC 7517 §5); what is no key for the algorithm is passed over.

    Raises:
        ValueError: the algorithm is another one, or no key has; the message says why.
    """
    alg = header.get("alg")
    if alg not in ("ES256", "RS256"):  # a tuple: it may be a list, which no set can look for
        raise ValueError(f"the alg is {alg!r}; ES256 and RS256 are allowed")
    keys = list(published(jwks, alg))
    keys.sort(key=lambda pair: pair[0].get("kid") != header.get("kid"))
    if not keys:
        raise ValueError(f"no published key fits {alg}")
    for jwk, key in keys:
        if _has_signed(key, signing_input, signature):
            return jwk
    raise ValueError(f"none of the published keys that fit {alg} ({len(keys)}) has signed it")


def published(jwks: object, alg: str | None = None) -> Iterator[tuple[Jwk, PublicKey]]:
    """Yield each key of a JWK Set that can verify ES256 or RS256, or one of them.

    Raises:
        ValueError: the value is no JWK Set.
    """
    entries = jwks.get("keys") if isinstance(jwks, dict) else None
    if not isinstance(entries, list):
        raise ValueError("what is published is no JWK Set: it has no array `keys`")  # noqa: TRY004
    for entry in entries:
        if isinstance(entry, dict) and entry.get("use", "sig") == "sig":
            key = _public(entry)
            if key is not None and alg in {None, algorithm(key)}:
                yield entry, key


def algorithm(key: PublicKey) -> str:
    """Return the algorithm of PACT's two that a key is for."""
    return "RS256" if isinstance(key, rsa.RSAPublicKey) else "ES256"


def _public(jwk: Jwk) -> PublicKey | None:
    """Return the key of a JWK for ES256 or RS256; None where it is none."""
    try:
        read = _READERS.get((jwk.get("kty"), jwk.get("crv")))
        return None if read is None else read(jwk)
    except (KeyError, TypeError, ValueError, AttributeError, UnsupportedAlgorithm):
        return None


def _ec(jwk: Jwk) -> ec.EllipticCurvePublicKey:
    x, y = base64url.integer(jwk["x"]), base64url.integer(jwk["y"])
    return ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()


def _rsa(jwk: Jwk) -> rsa.RSAPublicKey:
    n, e = base64url.integer(jwk["n"]), base64url.integer(jwk["e"])
    return rsa.RSAPublicNumbers(e, n).public_key()


_READERS: Mapping[tuple[object, object], Callable[[Jwk], PublicKey]] = {
    ("EC", "P-256"): _ec,
    ("RSA", None): _rsa,
}


def _has_signed(key: PublicKey, signing_input: bytes, signature: bytes) -> bool:
    try:
        if isinstance(key, rsa.RSAPublicKey):
            key.verify(signature, signing_input, padding.PKCS1v15(), hashes.SHA256())
        elif len(signature) != 2 * _HALF:
            return False
        else:
            r, s = (int.from_bytes(it, "big") for it in (signature[:_HALF], signature[_HALF:]))
            key.verify(encode_dss_signature(r, s), signing_input, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return False
    return True
