"""What forgeries do to the bytes and texts of a token, each under the name the data calls it by."""

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from pact_conformance.tokens import base64url
from pact_conformance.tokens.assemble import Segments, raw_ecdsa
from pact_conformance.tokens.keys import SigningKey

P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""n of P-256 (SEC 2 §2.4.2)."""

_REQUIRED = {"EC": ("crv", "kty", "x", "y"), "RSA": ("e", "kty", "n"), "OKP": ("crv", "kty", "x")}


def _halves(signature: bytes) -> tuple[int, int]:
    half = len(signature) // 2
    return int.from_bytes(signature[:half], "big"), int.from_bytes(signature[half:], "big")


def _ecdsa(change: Callable[[int, int], tuple[int, int]]) -> Callable[[bytes], bytes]:
    def rewrite(signature: bytes) -> bytes:
        r, s = change(*_halves(signature))
        return raw_ecdsa(r, s, size=len(signature) // 2)

    return rewrite


def _wide(signature: bytes) -> bytes:
    half = len(signature) // 2
    return b"\0" + signature[:half] + b"\0" + signature[half:]


SIGNATURES: Mapping[str, Callable[[bytes], bytes]] = MappingProxyType(
    {
        "empty": lambda _: b"",
        "first-bit-flipped": lambda it: bytes([it[0] ^ 0x80]) + it[1:],
        "last-bit-flipped": lambda it: it[:-1] + bytes([it[-1] ^ 1]),
        "last-byte-cut": lambda it: it[:-1],
        "first-half": lambda it: it[: len(it) // 2],
        "zero-byte-added": lambda it: it + b"\0",
        "zero-byte-before": lambda it: b"\0" + it,
        "all-zero": lambda it: bytes(len(it)),
        "one": lambda it: bytes(len(it) - 1) + b"\1",
        "r-zero": _ecdsa(lambda _, s: (0, s)),
        "s-zero": _ecdsa(lambda r, _: (r, 0)),
        "r-and-s-order": _ecdsa(lambda *_: (P256_ORDER, P256_ORDER)),
        "r-and-s-one": _ecdsa(lambda *_: (1, 1)),
        "s-negated": _ecdsa(lambda r, s: (r, P256_ORDER - s)),
        "r-and-s-wide": _wide,
        "der": lambda it: encode_dss_signature(*_halves(it)),
    }
)
"""Rewrites of the signature's bytes; those about r and s are for ES256."""


def _spki(key: SigningKey, encoding: Encoding) -> bytes:
    return key.private.public_key().public_bytes(encoding, PublicFormat.SubjectPublicKeyInfo)


def _pkcs1(key: SigningKey) -> bytes:
    return _rsa(key).public_bytes(Encoding.PEM, PublicFormat.PKCS1)


def _rsa(key: SigningKey) -> rsa.RSAPublicKey:
    public = key.private.public_key()
    if not isinstance(public, rsa.RSAPublicKey):
        raise TypeError("an RSA key is needed")
    return public


def _point(key: SigningKey) -> bytes:
    public = key.private.public_key()
    if not isinstance(public, ec.EllipticCurvePublicKey):
        raise TypeError("an EC key is needed")
    return public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _thumbprint_json(key: SigningKey) -> bytes:
    jwk = key.public_jwk()
    required = {name: jwk[name] for name in _REQUIRED[jwk["kty"]]}
    return json.dumps(required, separators=(",", ":"), sort_keys=True).encode()


SECRETS: Mapping[str, Callable[[SigningKey], bytes]] = MappingProxyType(
    {
        "pem": lambda key: _spki(key, serialization.Encoding.PEM),
        "pem-without-newline": lambda key: _spki(key, serialization.Encoding.PEM).rstrip(b"\n"),
        "der": lambda key: _spki(key, serialization.Encoding.DER),
        "pkcs1-pem": _pkcs1,
        "jwk": _thumbprint_json,
        "point": _point,
        "x-coordinate": lambda key: _point(key)[1:33],
        "modulus": lambda key: base64url.decode(key.public_jwk()["n"]),
        "empty": lambda _: b"",
    }
)
"""What a verifier may take for an HMAC secret that is nothing but the public key."""


def _padded(segment: str) -> str:
    # A segment whose length is a multiple of four has no padding; white space after JSON is free.
    data = base64url.decode(segment)
    if len(data) % 3 == 0:
        data += b" "
    text = base64url.encode(data)
    return text + "=" * (-len(text) % 4)


def _standard_alphabet(segment: str) -> str:
    return segment.replace("-", "+").replace("_", "/")


def _inside(text: str) -> Callable[[str], str]:
    return lambda segment: f"{segment[: len(segment) // 2]}{text}{segment[len(segment) // 2 :]}"


def _slack(segment: str) -> str:
    """Set the lowest bit of the last character, which decoding drops (RFC 4648 §3.5)."""
    if len(segment) % 4 == 0:
        return segment
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return segment[:-1] + alphabet[alphabet.index(segment[-1]) | 1]


SEGMENTS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "padded": _padded,
        "standard-alphabet": _standard_alphabet,
        "space-inside": _inside(" "),
        "tab-inside": _inside("\t"),
        "foreign-character-inside": _inside("!"),
        "slack-bits": _slack,
    }
)
"""Other ways to write a segment; a lenient decoder reads the same bytes."""


def _json_flattened(it: Segments) -> str:
    value = {"payload": it.payload, "protected": it.header, "signature": it.signature}
    return json.dumps(value, separators=(",", ":"))


def _json_general(it: Segments) -> str:
    signatures = [{"protected": it.header, "signature": it.signature}]
    return json.dumps({"payload": it.payload, "signatures": signatures}, separators=(",", ":"))


TEXTS: Mapping[str, Callable[[Segments], str]] = MappingProxyType(
    {
        "header-alone": lambda it: it.header,
        "two-segments": lambda it: f"{it.header}.{it.payload}",
        "four-segments": lambda it: f"{it}.{it.signature}",
        "five-segments": lambda it: f"{it}.{it.signature}.{it.signature}",
        "trailing-dot": lambda it: f"{it}.",
        "leading-dot": lambda it: f".{it}",
        "doubled-dot": lambda it: f"{it.header}..{it.payload}.{it.signature}",
        "empty-header": lambda it: f".{it.payload}.{it.signature}",
        "empty-payload": lambda it: f"{it.header}..{it.signature}",
        "dots-alone": lambda _: "..",
        "quoted": lambda it: f'"{it}"',
        "json-flattened": _json_flattened,
        "json-general": _json_general,
    }
)
"""Other ways to join the segments."""
