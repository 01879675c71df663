"""Changes of the signature: its bytes, and what it is over (§3.2; RFC 7515 §5.2, RFC 7518 §3)."""

import hashlib
import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import TypeAlias

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import (
    Prehashed,
    decode_dss_signature,
    encode_dss_signature,
)

from pact_conformance.fuzz.family import Impossible, Unlucky
from pact_conformance.fuzz.forged_tokens.draft import Draft
from pact_conformance.fuzz.forged_tokens.entering import kind
from pact_conformance.fuzz.kind import Kind, OneOf, Whole
from pact_conformance.tokens import base64url
from pact_conformance.tokens.assemble import raw_ecdsa
from pact_conformance.tokens.tampering import P256_ORDER

_SIGNED, _REFUSED = "signature", "3.2-signature"

Bytes: TypeAlias = Callable[[bytes], bytes]


def _rewrite(draft: Draft, change: Bytes) -> None:
    sign = draft.sign

    def signed(signing_input: bytes) -> bytes:
        good = sign(signing_input)
        bad = change(good)
        if bad == good:
            raise Impossible("the signature would be as good")
        return bad

    draft.sign = signed


def _by_table(table: Mapping[str, Bytes]) -> Callable[[Draft, str], None]:
    return lambda draft, name: _rewrite(draft, table[name])


# Of any algorithm.
_MADE_UP: Mapping[str, Bytes] = {
    "nothing": lambda _: b"",
    "zeros": lambda it: bytes(len(it)),
    "one": lambda it: bytes(len(it) - 1) + b"\1",
    "ones": lambda it: b"\xff" * len(it),
    "a single zero": lambda _: b"\0",
    "the text none": lambda _: b"none",
}
_TURNED: Mapping[str, Bytes] = {
    "its bytes from last to first": lambda it: it[::-1],
    "its halves exchanged": lambda it: it[len(it) // 2 :] + it[: len(it) // 2],
    "its first half twice": lambda it: it[: len(it) // 2] * 2,
    "all bits flipped": lambda it: bytes(byte ^ 0xFF for byte in it),
    "its hexadecimal text": lambda it: it.hex().encode(),
    "its base64url text": lambda it: base64url.encode(it).encode(),
    "its base64 text": b64encode,
    "each byte followed by zero": lambda it: b"".join(bytes([byte, 0]) for byte in it),
}
_TRAILS: Mapping[str, bytes] = {
    "a zero": b"\0",
    "two zeros": b"\0\0",
    "ff": b"\xff",
    "the letter x": b"x",
    "a line break": b"\n",
    "four bytes": b"more",
    "32 zeros": bytes(32),
    "64 bytes": b"\xa5" * 64,
}


def _flipped(draft: Draft, bit: int) -> None:
    def change(it: bytes) -> bytes:
        place = bit % (8 * len(it))
        changed = bytearray(it)
        changed[place // 8] ^= 0x80 >> place % 8
        return bytes(changed)

    _rewrite(draft, change)


def _cut(draft: Draft, count: int, where: str) -> None:
    _rewrite(draft, lambda it: it[: len(it) - count] if where == "end" else it[count:])


def _trailed(draft: Draft, name: str, where: str) -> None:
    more = _TRAILS[name]
    _rewrite(draft, lambda it: it + more if where == "behind" else more + it)


# Of ES256: r and s.


def _ecdsa(change: Callable[[int, int], tuple[int, int]]) -> Bytes:
    def rewrite(it: bytes) -> bytes:
        r, s = (int.from_bytes(half, "big") for half in (it[:32], it[32:64]))
        return raw_ecdsa(*change(r, s), size=32)

    return rewrite


_MOST = 2**256 - 1
_R_AND_S: Mapping[str, Bytes] = {
    "r of zero": _ecdsa(lambda _, s: (0, s)),
    "s of zero": _ecdsa(lambda r, _: (r, 0)),
    "r and s of one": _ecdsa(lambda *_: (1, 1)),
    "r of the order": _ecdsa(lambda _, s: (P256_ORDER, s)),
    "s of the order": _ecdsa(lambda r, _: (r, P256_ORDER)),
    "r and s of the order": _ecdsa(lambda *_: (P256_ORDER, P256_ORDER)),
    "s of the order and one": _ecdsa(lambda r, _: (r, P256_ORDER + 1)),
    "r and s of the order less one": _ecdsa(lambda *_: (P256_ORDER - 1, P256_ORDER - 1)),
    "r and s as large as they can be": _ecdsa(lambda *_: (_MOST, _MOST)),
    "r negated": _ecdsa(lambda r, s: (P256_ORDER - r, s)),
}


def _halves(it: bytes) -> tuple[int, int]:
    return int.from_bytes(it[:32], "big"), int.from_bytes(it[32:64], "big")


def _wide(size: int) -> Bytes:
    return lambda it: raw_ecdsa(*_halves(it), size=size)


_DER: Mapping[str, Bytes] = {
    "DER": lambda it: encode_dss_signature(*_halves(it)),
    "DER with s negated": lambda it: encode_dss_signature(
        _halves(it)[0], P256_ORDER - _halves(it)[1]
    ),
    "DER and a byte behind it": lambda it: encode_dss_signature(*_halves(it)) + b"\0",
    "r and s of 33 bytes each": _wide(33),
    "r and s of 48 bytes each": _wide(48),
    "r and s of 66 bytes each": _wide(66),
    "r and s as text": lambda it: f"{_halves(it)[0]},{_halves(it)[1]}".encode(),
}


# Of RS256: one number.


def _beyond_modulus(draft: Draft) -> None:
    """Add the modulus, which leaves its power the same but is out of range (RFC 8017 §5.2.2)."""
    public = draft.key.private.public_key()
    if not isinstance(public, rsa.RSAPublicKey):
        raise Impossible("an RSA key is needed")
    modulus, sign = public.public_numbers().n, draft.sign

    def signed(signing_input: bytes) -> bytes:
        good = sign(signing_input)
        more = int.from_bytes(good, "big") + modulus
        if more >> (8 * len(good)):
            raise Unlucky("this signature and the modulus are longer than a signature")
        return more.to_bytes(len(good), "big")

    draft.sign = signed


def _negated(draft: Draft) -> None:
    public = draft.key.private.public_key()
    if not isinstance(public, rsa.RSAPublicKey):
        raise Impossible("an RSA key is needed")
    modulus = public.public_numbers().n
    _rewrite(draft, lambda it: (modulus - int.from_bytes(it, "big")).to_bytes(len(it), "big"))


# By another hash or padding than alg says.

_HASHES: Mapping[str, hashes.HashAlgorithm] = {
    "SHA-1": hashes.SHA1(),  # noqa: S303 - whoever takes it is to be found
    "SHA-224": hashes.SHA224(),
    "SHA-384": hashes.SHA384(),
    "SHA-512": hashes.SHA512(),
}


def _hashed(draft: Draft, name: str) -> None:
    private, hashing = draft.key.private, _HASHES[name]
    if isinstance(private, ec.EllipticCurvePrivateKey):
        draft.sign = lambda it: raw_ecdsa(
            *decode_dss_signature(private.sign(it, ec.ECDSA(hashing))), size=32
        )
    elif isinstance(private, rsa.RSAPrivateKey):
        draft.sign = lambda it: private.sign(it, padding.PKCS1v15(), hashing)


def _pss(draft: Draft, length: str) -> None:
    private = draft.key.private
    if not isinstance(private, rsa.RSAPrivateKey):
        raise Impossible("an RSA key is needed")
    salt = {"32": 32, "0": 0}[length]
    scheme = padding.PSS(padding.MGF1(hashes.SHA256()), salt_length=salt)
    draft.sign = lambda it: private.sign(it, scheme, hashes.SHA256())


def _hashed_twice(draft: Draft) -> None:
    sign = draft.sign
    draft.sign = lambda it: sign(hashlib.sha256(it).digest())


def _over_no_hash(draft: Draft) -> None:
    """Sign the first 32 bytes as if they were the hash."""
    private = draft.key.private
    prehashed = Prehashed(hashes.SHA256())
    if isinstance(private, ec.EllipticCurvePrivateKey):
        draft.sign = lambda it: raw_ecdsa(
            *decode_dss_signature(private.sign(it[:32], ec.ECDSA(prehashed))), size=32
        )
    elif isinstance(private, rsa.RSAPrivateKey):
        draft.sign = lambda it: private.sign(it[:32], padding.PKCS1v15(), prehashed)


# Over something else than the two segments with a dot between (RFC 7515 §5.1).


def _split(it: bytes) -> tuple[bytes, bytes]:
    header, _, claims = it.partition(b".")
    return header, claims


def _decoded(it: bytes) -> bytes:
    return b".".join(base64url.decode(part.decode()) for part in _split(it))


_OVER: Mapping[str, Bytes] = {
    "the header alone": lambda it: _split(it)[0],
    "the claims alone": lambda it: _split(it)[1],
    "the claims before they were encoded": lambda it: base64url.decode(_split(it)[1].decode()),
    "both before they were encoded": _decoded,
    "the claims before the header": lambda it: b".".join(reversed(_split(it))),
    "both without the dot": lambda it: b"".join(_split(it)),
    "both and a further dot": lambda it: it + b".",
    "both in lower case": bytes.lower,
    "nothing": lambda _: b"",
    "both and a line break": lambda it: it + b"\n",
    "a JSON array of both": lambda it: json.dumps([p.decode() for p in _split(it)]).encode(),
}


def _over(draft: Draft, name: str) -> None:
    sign, over = draft.sign, _OVER[name]

    def signed(signing_input: bytes) -> bytes:
        try:
            return sign(over(signing_input))
        except ValueError as error:
            raise Impossible("the segments cannot be decoded") from error

    draft.sign = signed


def _of_another(draft: Draft) -> None:
    another = draft.caller.token(key=draft.key).text.rpartition(".")[0].encode()
    sign = draft.sign
    draft.sign = lambda _: sign(another)


_ENDS = ("end", "start")
_SIDES = ("behind", "before")

SIGNATURES: tuple[Kind[Draft], ...] = (
    kind(
        "signature-made-up",
        "the signature is {0}",
        "refused",
        _REFUSED,
        _by_table(_MADE_UP),
        _SIGNED,
        takes=[OneOf(tuple(_MADE_UP))],
    ),
    kind(
        "signature-turned",
        "the signature is {0}",
        "refused",
        _REFUSED,
        _by_table(_TURNED),
        _SIGNED,
        takes=[OneOf(tuple(_TURNED))],
    ),
    kind(
        "signature-flipped",
        "bit {0} of the signature flipped",
        "refused",
        _REFUSED,
        _flipped,
        _SIGNED,
        takes=[Whole(0, 2047)],
    ),
    kind(
        "signature-cut",
        "the signature without {0} bytes at its {1}",
        "refused",
        _REFUSED,
        _cut,
        _SIGNED,
        takes=[Whole(1, 63), OneOf(_ENDS)],
    ),
    kind(
        "signature-trailed",
        "the signature with {0} {1} it",
        "refused",
        _REFUSED,
        _trailed,
        _SIGNED,
        takes=[OneOf(tuple(_TRAILS)), OneOf(_SIDES)],
    ),
    kind(
        "signature-trailed-rsa",
        "the RSA signature with {0} {1} it",
        "refused",
        _REFUSED,
        _trailed,
        _SIGNED,
        takes=[OneOf(tuple(_TRAILS)), OneOf(_SIDES)],
        needs=["rs256"],
    ),
    kind(
        "signature-r-and-s",
        "the signature has {0}",
        "refused",
        _REFUSED,
        _by_table(_R_AND_S),
        _SIGNED,
        takes=[OneOf(tuple(_R_AND_S))],
        needs=["es256"],
    ),
    kind(
        "signature-s-negated",
        "the signature has s negated",
        "either",
        _REFUSED,
        lambda draft: _rewrite(draft, _ecdsa(lambda r, s: (r, P256_ORDER - s))),
        _SIGNED,
        needs=["es256"],
    ),
    kind(
        "signature-form",
        "the signature is written as {0}",
        "refused",
        _REFUSED,
        _by_table(_DER),
        _SIGNED,
        takes=[OneOf(tuple(_DER))],
        needs=["es256"],
    ),
    kind(
        "signature-beyond-modulus",
        "the RSA signature with the modulus added",
        "refused",
        _REFUSED,
        _beyond_modulus,
        _SIGNED,
        needs=["rs256"],
    ),
    kind(
        "signature-negated",
        "the RSA signature taken from the modulus",
        "refused",
        _REFUSED,
        _negated,
        _SIGNED,
        needs=["rs256"],
    ),
    kind(
        "signature-hash",
        "signed with {0} in place of SHA-256",
        "refused",
        _REFUSED,
        _hashed,
        _SIGNED,
        takes=[OneOf(tuple(_HASHES))],
    ),
    kind(
        "signature-hash-rsa",
        "signed by the RSA key with {0} in place of SHA-256",
        "refused",
        _REFUSED,
        _hashed,
        _SIGNED,
        takes=[OneOf(tuple(_HASHES))],
        needs=["rs256"],
    ),
    kind(
        "signature-pss",
        "alg RS256 over a PSS signature with a salt of {0} bytes",
        "refused",
        _REFUSED,
        _pss,
        _SIGNED,
        takes=[OneOf(("32", "0"))],
        needs=["rs256"],
    ),
    kind(
        "signature-hashed-twice",
        "signed over the hash of what is to be signed",
        "refused",
        _REFUSED,
        _hashed_twice,
        _SIGNED,
    ),
    kind("signature-no-hash", "signed without a hash", "refused", _REFUSED, _over_no_hash, _SIGNED),
    kind(
        "signature-over",
        "signed over {0}",
        "refused",
        _REFUSED,
        _over,
        _SIGNED,
        takes=[OneOf(tuple(_OVER))],
    ),
    kind(
        "signature-of-another",
        "the signature of another token of the same agent",
        "refused",
        _REFUSED,
        _of_another,
        _SIGNED,
    ),
)
