"""Legal ways to publish the keys of an authorization server, and to sign with them (§5.1, §5.4)."""

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa, x25519
from jwt import PyJWS
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from pact_conformance.counterpart.provider.delegation.signing import PrivateKey, SigningKey
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.substitution import Document
from pact_conformance.counterpart.variants.registry import variant


def _sign_with(provider: Provider, make: Callable[[], list[SigningKey]]) -> None:
    """Give each Brand's authorization server other keys, made when they are first asked for."""
    by_brand: dict[str, list[SigningKey]] = {}

    def keys_of(brand_id: str) -> list[SigningKey]:
        if brand_id not in by_brand:
            by_brand[brand_id] = make()
        return by_brand[brand_id]

    provider.delegation.keys.of = keys_of  # type: ignore[method-assign]


def _publish(provider: Provider, change: Callable[[list[Document]], list[Document]]) -> None:
    """Let `change` work on the published keys."""
    original = provider.delegation.keys.jwks

    def jwks(brand_id: str) -> Document:
        return {"keys": change(original(brand_id)["keys"])}

    provider.delegation.keys.jwks = jwks  # type: ignore[method-assign]


@dataclass(frozen=True)
class _Headed(SigningKey):
    """A key that writes other headers."""

    drops: tuple[str, ...] = ()
    more: tuple[tuple[str, Any], ...] = ()

    def sign(self, claims: Mapping[str, Any], typ: str) -> str:
        header = {"kid": self.kid, "typ": typ} | dict(self.more)
        header = {name: value for name, value in header.items() if name not in self.drops}
        payload = json.dumps(claims).encode()
        if "typ" in self.drops:
            return _without_typ(payload, self.private, self.alg, header)
        return PyJWS(algorithms=[self.alg]).encode(payload, self.private, self.alg, header)


def _without_typ(payload: bytes, key: PrivateKey, alg: str, header: Document) -> str:
    """Sign what the library would give a `typ`, by having it sign a header of our own."""
    jws = PyJWS(algorithms=[alg])
    segments = [json.dumps({"alg": alg, **header}).encode(), payload]
    signed = b".".join(base64.urlsafe_b64encode(it).rstrip(b"=") for it in segments)
    signature = jws.get_algorithm_by_name(alg).sign(signed, key)
    return (signed + b"." + base64.urlsafe_b64encode(signature).rstrip(b"=")).decode()


def _headed(
    *, drops: tuple[str, ...] = (), more: Document | None = None
) -> Callable[[], list[SigningKey]]:
    def make() -> list[SigningKey]:
        made = SigningKey.generate()
        added = tuple((more or {}).items())
        return [_Headed(made.kid, made.alg, made.private, drops, added)]

    return make


@variant()
def signs_by_rs256(provider: Provider) -> None:
    """Tokens and receipts are signed with an RSA key."""
    _sign_with(provider, lambda: [SigningKey.generate("RS256")])


@variant()
def publishes_several_keys(provider: Provider) -> None:
    """The key that signs is published behind others of its kind and of the other."""
    _sign_with(provider, lambda: [SigningKey.generate(it) for it in ("ES256", "RS256", "ES256")])
    _publish(provider, lambda keys: keys[::-1])


@variant()
def signs_receipts_with_another_key(provider: Provider) -> None:
    """Receipts are signed with the second published key, an RSA one."""
    _sign_with(provider, lambda: [SigningKey.generate(it) for it in ("ES256", "RS256")])
    provider.delegation.sign_receipt = lambda provider, brand_id, claims, typ: (
        provider.delegation.keys.of(brand_id)[1].sign(claims, typ)
    )


@variant()
def publishes_unrelated_keys(provider: Provider) -> None:
    """Keys of other kinds, for other uses and without kid stand before the one that signs."""
    others = _unrelated_keys()
    _publish(provider, lambda keys: [*others, *keys])


def _unrelated_keys() -> list[Document]:
    rsa_key = rsa.generate_private_key(65537, 2048).public_key()
    curves = (ec.SECP384R1(), ec.SECP521R1(), ec.SECP256R1())
    found: list[Document] = [
        ECAlgorithm.to_jwk(ec.generate_private_key(curve).public_key(), as_dict=True)
        for curve in curves
    ]
    found[-1] |= {"use": "enc", "kid": "enc"}
    for private in (ed25519.Ed25519PrivateKey.generate(), x25519.X25519PrivateKey.generate()):
        public: Any = private.public_key()
        raw = base64.urlsafe_b64encode(public.public_bytes_raw()).rstrip(b"=").decode()
        curve_name = "Ed25519" if isinstance(private, ed25519.Ed25519PrivateKey) else "X25519"
        found.append({"kty": "OKP", "crv": curve_name, "x": raw})
    found.append(RSAAlgorithm.to_jwk(rsa_key, as_dict=True) | {"use": "enc", "alg": "RSA-OAEP"})
    found.append({"kty": "AKP", "alg": "ML-DSA-44", "kid": "pq", "pub": "AAAA"})
    return found


@variant()
def leaves_out_kid(provider: Provider) -> None:
    """Neither tokens nor the published keys, of which there are three, have a kid."""

    def make() -> list[SigningKey]:
        return [*_headed(drops=("kid",))(), SigningKey.generate(), SigningKey.generate()]

    _sign_with(provider, make)
    _publish(
        provider,
        lambda keys: [{n: v for n, v in key.items() if n != "kid"} for key in reversed(keys)],
    )


@variant()
def leaves_out_kid_in_tokens(provider: Provider) -> None:
    """Tokens have no kid, though the published keys have one."""
    _sign_with(provider, lambda: [*_headed(drops=("kid",))(), SigningKey.generate()])
    _publish(provider, lambda keys: keys[::-1])


@variant()
def leaves_out_use_and_alg(provider: Provider) -> None:
    """The published keys have neither use nor alg, but key_ops and a certificate's thumbprint."""

    def change(keys: list[Document]) -> list[Document]:
        plain = [{n: v for n, v in key.items() if n not in ("use", "alg")} for key in keys]
        return [key | {"key_ops": ["verify"], "x5t#S256": "A" * 43} for key in plain]

    _publish(provider, change)


@variant()
def gives_two_keys_one_kid(provider: Provider) -> None:
    """Two published keys of different kinds have the same kid (RFC 7517 §4.5)."""

    def make() -> list[SigningKey]:
        first, second = SigningKey.generate("RS256"), SigningKey.generate()
        return [replace(first, kid="2026-01"), replace(second, kid="2026-01")]

    _sign_with(provider, make)
    _publish(provider, lambda keys: keys[::-1])


@variant()
def names_no_typ(provider: Provider) -> None:
    """Tokens and receipts have no typ."""
    _sign_with(provider, _headed(drops=("typ",)))


@variant()
def names_another_typ(provider: Provider) -> None:
    """The header has a typ of its own, a cty, and members that JOSE does not know."""
    more = {"typ": "application/delegation+jwt", "cty": "json", "x-tenant": ["a", 1]}
    _sign_with(provider, _headed(more=more))


@variant()
def has_a_kid_of_odd_characters(provider: Provider) -> None:
    """The kid is a long text with spaces, slashes and letters beyond ASCII."""

    def make() -> list[SigningKey]:
        return [replace(SigningKey.generate(), kid=f"keys/schlüssel 1?#{'x' * 200}")]

    _sign_with(provider, make)
