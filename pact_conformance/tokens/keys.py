"""The keys that a personal agent signs with and publishes (§3.1), and their JWK form (RFC 7517)."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from pact_conformance.tokens import base64url

PrivateKey = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey

CURVES: Mapping[str, ec.EllipticCurve] = {
    "P-256": ec.SECP256R1(),
    "P-384": ec.SECP384R1(),
    "P-521": ec.SECP521R1(),
}
_EC_ALGS = {"P-256": "ES256", "P-384": "ES384", "P-521": "ES512"}
_EC_CURVES = {alg: name for name, alg in _EC_ALGS.items()}
_RSA_ALGS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")


@dataclass(frozen=True)
class SigningKey:
    """A private key, the algorithm it signs with, and the id it is published under.

    A key without `kid` signs tokens without one: what the personal agent's JWKS calls it is the
    tester's to say.
    """

    kid: str | None
    alg: str
    private: PrivateKey = field(repr=False)

    @classmethod
    def generate(cls, alg: str, *, kid: str | None = None) -> "SigningKey":
        """Make a new key for an algorithm.

        Raises:
            ValueError: no key can be made for the algorithm.
        """
        if alg in _EC_CURVES:
            return cls(kid, alg, ec.generate_private_key(CURVES[_EC_CURVES[alg]]))
        if alg in _RSA_ALGS:
            return cls(kid, alg, rsa.generate_private_key(public_exponent=65537, key_size=2048))
        if alg == "EdDSA":
            return cls(kid, alg, ed25519.Ed25519PrivateKey.generate())
        raise ValueError(f"no key can be made for the algorithm {alg!r}")

    @classmethod
    def from_jwk(cls, jwk: Mapping[str, Any]) -> "SigningKey":
        """Read a private JWK; its `alg` may be left out.

        Raises:
            ValueError: it is no private key that tokens can be signed with; the message says why
                and never holds key material.
        """
        kid = jwk.get("kid")
        name = f"the key {kid!r}" if kid is not None else "the key"
        if kid is not None and not isinstance(kid, str):
            raise ValueError(f"{name} has a kid that is not a string")
        if "d" not in jwk:
            raise ValueError(f"{name} is not private: its member d is missing")
        try:
            private = _private(jwk)
        except KeyError as error:
            raise ValueError(f"{name} is incomplete: its member {error} is missing") from None
        except (TypeError, ValueError, AttributeError):
            raise ValueError(f"{name} does not hold a key of its kty and crv") from None
        default, *others = _algs(private)
        alg = jwk.get("alg", default)
        if alg not in (default, *others):
            raise ValueError(f"{name} has alg {alg!r}, which its kty and crv cannot sign with")
        return cls(kid, alg, private)

    def can(self, alg: str) -> bool:
        """Say whether the key's material fits an algorithm, whatever its own `alg` is."""
        return alg in _algs(self.private)

    def public_jwk(self) -> dict[str, str]:
        """Return what the JWKS publishes of the key."""
        named = {"kid": self.kid} if self.kid is not None else {}
        return {**_public_members(self.private), **named, "alg": self.alg, "use": "sig"}

    def private_jwk(self) -> dict[str, str]:
        """Return the whole key, for a file of the tester's or another process."""
        return {**self.public_jwk(), **_private_members(self.private)}


def jwks(keys: Iterable[SigningKey]) -> dict[str, list[dict[str, str]]]:
    """Return the JWK Set that publishes the keys (RFC 7517 §5)."""
    return {"keys": [key.public_jwk() for key in keys]}


@cache
def keys_from_json(text: str) -> tuple[SigningKey, ...]:
    """Read a private JWK, or a JWK Set of them; each text once, for RSA keys are dear to check.

    Raises:
        ValueError: the text is neither; the message is one line and never holds key material.
    """
    if text.lstrip().startswith("-----BEGIN"):
        raise ValueError("the private key is PEM; a JWK is expected")
    try:
        value = json.loads(text)
    except ValueError as error:
        where = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "a number"
        raise ValueError(f"the private key is not JSON: see {where} of it") from None
    if not isinstance(value, dict):
        raise ValueError("the private key is JSON, but no JWK and no JWK Set")  # noqa: TRY004
    entries = value.get("keys", [value])
    if not isinstance(entries, list) or not entries:
        raise ValueError("the JWK Set of the private keys holds no key")
    if not all(isinstance(entry, dict) for entry in entries):
        raise ValueError("the JWK Set of the private keys holds something other than objects")
    return tuple(SigningKey.from_jwk(entry) for entry in entries)


def _private(jwk: Mapping[str, Any]) -> PrivateKey:
    match jwk.get("kty"):
        case "EC":
            curve = CURVES.get(jwk["crv"])
            if curve is None:
                raise ValueError("unknown curve")
            x, y = base64url.integer(jwk["x"]), base64url.integer(jwk["y"])
            public = ec.EllipticCurvePublicNumbers(x, y, curve)
            return ec.EllipticCurvePrivateNumbers(base64url.integer(jwk["d"]), public).private_key()
        case "RSA":
            return _rsa_private({name: base64url.integer(jwk[name]) for name in _rsa_members(jwk)})
        case "OKP" if jwk["crv"] == "Ed25519":
            return ed25519.Ed25519PrivateKey.from_private_bytes(base64url.decode(jwk["d"]))
    raise ValueError("unknown kty")


def _rsa_members(jwk: Mapping[str, Any]) -> tuple[str, ...]:
    """Name the members to read: n, e and d are enough, the rest can be found (RFC 7518 §6.3.2)."""
    return ("n", "e", "d", "p", "q") if "p" in jwk and "q" in jwk else ("n", "e", "d")


def _rsa_private(members: Mapping[str, int]) -> rsa.RSAPrivateKey:
    n, e, d = members["n"], members["e"], members["d"]
    if "p" in members:
        p, q = members["p"], members["q"]
    else:
        p, q = rsa.rsa_recover_prime_factors(n, e, d)
    return rsa.RSAPrivateNumbers(
        p=p,
        q=q,
        d=d,
        dmp1=rsa.rsa_crt_dmp1(d, p),
        dmq1=rsa.rsa_crt_dmq1(d, q),
        iqmp=rsa.rsa_crt_iqmp(p, q),
        public_numbers=rsa.RSAPublicNumbers(e, n),
    ).private_key()


def _algs(private: PrivateKey) -> tuple[str, ...]:
    """Return the algorithms that key material fits, the usual one first."""
    if isinstance(private, rsa.RSAPrivateKey):
        return _RSA_ALGS
    if isinstance(private, ed25519.Ed25519PrivateKey):
        return ("EdDSA",)
    return (_EC_ALGS[_curve_name(private.curve)],)


def _curve_name(curve: ec.EllipticCurve) -> str:
    return next(name for name, known in CURVES.items() if known.name == curve.name)


def _public_members(private: PrivateKey) -> dict[str, str]:
    if isinstance(private, rsa.RSAPrivateKey):
        rsa_numbers = private.public_key().public_numbers()
        return {
            "kty": "RSA",
            "n": base64url.from_integer(rsa_numbers.n),
            "e": base64url.from_integer(rsa_numbers.e),
        }
    if isinstance(private, ed25519.Ed25519PrivateKey):
        x = base64url.encode(private.public_key().public_bytes_raw())
        return {"kty": "OKP", "crv": "Ed25519", "x": x}
    numbers, size = private.public_key().public_numbers(), (private.key_size + 7) // 8
    return {
        "kty": "EC",
        "crv": _curve_name(private.curve),
        "x": base64url.from_integer(numbers.x, size),
        "y": base64url.from_integer(numbers.y, size),
    }


def _private_members(private: PrivateKey) -> dict[str, str]:
    if isinstance(private, ed25519.Ed25519PrivateKey):
        return {"d": base64url.encode(private.private_bytes_raw())}
    if isinstance(private, ec.EllipticCurvePrivateKey):
        size = (private.key_size + 7) // 8
        return {"d": base64url.from_integer(private.private_numbers().private_value, size)}
    numbers = private.private_numbers()
    members = {"d": numbers.d, "p": numbers.p, "q": numbers.q}
    members |= {"dp": numbers.dmp1, "dq": numbers.dmq1, "qi": numbers.iqmp}
    return {name: base64url.from_integer(number) for name, number in members.items()}
