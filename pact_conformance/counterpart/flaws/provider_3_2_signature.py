"""Flaws of §3.2: algorithms and signatures."""

import hashlib
import hmac
import json
from collections.abc import Callable, Iterable

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt import PyJWS

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.keys import PublishedKey
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import Unauthenticated
from pact_conformance.counterpart.provider.verifier import (
    Presented,
    Verifier,
    alg_is_allowed,
    signature_is_good,
)

Keys = tuple[PublishedKey, ...]
_LIBRARY = PyJWS()


def _also_accept(
    provider: Provider,
    is_meant: Callable[[object], bool],
    verifies: Callable[[Presented, Keys], bool],
) -> None:
    """Accept a further `alg`, with a verification of its own over all published keys."""

    def alg_is_allowed_or_meant(verifier: Verifier, token: Presented) -> None:
        if not is_meant(token.header.get("alg")):
            alg_is_allowed(verifier, token)

    async def verify(verifier: Verifier, token: Presented) -> None:
        if not is_meant(token.header.get("alg")):
            signature_is_good(verifier, token)
            return
        assert token.agent is not None
        keys = await verifier.keys.find(token.agent.jwks_uri, None)
        if not verifies(token, keys):
            raise Unauthenticated("signature")

    provider.verifier.steps.replace("alg_is_allowed", alg_is_allowed_or_meant)
    provider.verifier.steps.replace("signature_is_good", verify)


def _accept_of_library(provider: Provider, name: str, *, meant: object = ...) -> None:
    algorithm = _LIBRARY.get_algorithm_by_name(name)

    def verifies(token: Presented, keys: Keys) -> bool:
        return any(_verifies(key, token) for key in keys)

    def _verifies(key: PublishedKey, token: Presented) -> bool:
        try:
            return bool(algorithm.verify(token.signed, key.public, token.signature))
        except Exception:  # noqa: BLE001 - a key of another type breaks each library its own way
            return False

    wanted = name if meant is ... else meant
    _also_accept(provider, lambda alg: alg == wanted, verifies)


@flaw("3.2-alg")
def accepts_alg_none(provider: Provider) -> None:
    """A token with alg none and an empty signature is accepted."""
    _also_accept(provider, lambda alg: alg == "none", lambda token, _: not token.signature)


@flaw("3.2-alg")
def accepts_alg_none_in_another_case(provider: Provider) -> None:
    """A token with alg None, NONE or nOnE and an empty signature is accepted."""

    def is_disguised(alg: object) -> bool:
        return isinstance(alg, str) and alg != "none" and alg.casefold() == "none"

    _also_accept(provider, is_disguised, lambda token, _: not token.signature)


@flaw("3.2-alg")
def accepts_ps256(provider: Provider) -> None:
    """A token signed with PS256 by a published RSA key is accepted."""
    _accept_of_library(provider, "PS256")


@flaw("3.2-alg")
def accepts_rs512(provider: Provider) -> None:
    """A token signed with RS512 by a published RSA key is accepted."""
    _accept_of_library(provider, "RS512")


@flaw("3.2-alg")
def accepts_es384(provider: Provider) -> None:
    """A token signed with ES384 by a published EC key is accepted."""
    _accept_of_library(provider, "ES384")


@flaw("3.2-alg")
def accepts_eddsa(provider: Provider) -> None:
    """A token signed with EdDSA by a published Ed25519 key is accepted."""
    _accept_of_library(provider, "EdDSA")


@flaw("3.2-alg")
def takes_a_missing_alg_for_es256(provider: Provider) -> None:
    """A token without alg is verified as ES256."""
    _accept_of_library(provider, "ES256", meant=None)


@flaw("3.2-alg")
def compares_alg_without_case(provider: Provider) -> None:
    """A token with alg es256 is accepted."""
    _accept_of_library(provider, "ES256", meant="es256")


def _accept_hs256(provider: Provider, secrets: Callable[[PublishedKey], Iterable[bytes]]) -> None:
    def verifies(token: Presented, keys: Keys) -> bool:
        candidates = [secret for key in keys for secret in secrets(key)]
        return any(
            hmac.compare_digest(
                hmac.new(secret, token.signed, hashlib.sha256).digest(),
                token.signature,
            )
            for secret in candidates
        )

    _also_accept(provider, lambda alg: alg == "HS256", verifies)


@flaw("3.2-alg")
def accepts_hs256_keyed_with_the_pem(provider: Provider) -> None:
    """A token whose HS256 secret is the PEM of a published key is accepted."""

    def secrets(key: PublishedKey) -> Iterable[bytes]:
        pem = key.public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        return (pem, pem.rstrip(b"\n"))

    _accept_hs256(provider, secrets)


@flaw("3.2-alg")
def accepts_hs256_keyed_with_the_der(provider: Provider) -> None:
    """A token whose HS256 secret is the DER of a published key is accepted."""
    spki = PublicFormat.SubjectPublicKeyInfo
    _accept_hs256(provider, lambda key: [key.public.public_bytes(Encoding.DER, spki)])


@flaw("3.2-alg")
def accepts_hs256_keyed_with_the_jwk(provider: Provider) -> None:
    """A token whose HS256 secret is the JSON of a published key is accepted."""
    required = ("crv", "e", "kty", "n", "x", "y")

    def secrets(key: PublishedKey) -> Iterable[bytes]:
        # As it was published, with the members that every key has, and as RFC 7638 writes it.
        thumbprint = {name: key.jwk[name] for name in required if name in key.jwk}
        named = thumbprint | {name: key.jwk[name] for name in ("alg", "kid") if name in key.jwk}
        for jwk in (dict(key.jwk), named, thumbprint):
            for separators in ((",", ":"), (", ", ": ")):
                for in_order in (False, True):
                    yield json.dumps(jwk, separators=separators, sort_keys=in_order).encode()

    _accept_hs256(provider, secrets)


@flaw("3.2-alg")
def accepts_hs256_with_an_empty_secret(provider: Provider) -> None:
    """A token whose HS256 secret is empty is accepted."""
    _accept_hs256(provider, lambda _key: [b""])


# Signatures


@flaw(
    "3.2-signature",
    "3.2-kid-no-bypass",
    "3.2-keys-only-jwks",
    "3.2-agent-binding",
    "3.1-keys-registered-only",
    "3.1-withdrawn-key",
    "3.1-jwks-unreachable",
    "3.2-alg",
)
def does_not_verify_signatures(provider: Provider) -> None:
    """The signature is not looked at."""
    provider.verifier.steps.drop("signature_is_good")


def _also_accept_signature(
    provider: Provider,
    is_enough: Callable[[Presented], bool],
) -> None:
    def verify(verifier: Verifier, token: Presented) -> None:
        if not is_enough(token):
            signature_is_good(verifier, token)

    provider.verifier.steps.replace("signature_is_good", verify)


@flaw("3.2-signature")
def accepts_r_and_s_of_zero(provider: Provider) -> None:
    """An ES256 signature of 64 zero bytes is accepted."""
    _also_accept_signature(provider, lambda token: token.signature == bytes(64))


@flaw("3.2-signature")
def accepts_an_empty_signature(provider: Provider) -> None:
    """A token that says ES256 but has no signature is accepted."""
    _also_accept_signature(provider, lambda token: token.signature == b"")


@flaw("3.2-signature")
def accepts_a_der_signature(provider: Provider) -> None:
    """An ES256 signature in DER, in place of r and s side by side, is accepted."""

    def is_der(token: Presented) -> bool:
        for key in token.keys:
            if isinstance(key.public, ec.EllipticCurvePublicKey):
                try:
                    key.public.verify(token.signature, token.signed, ec.ECDSA(SHA256()))
                except InvalidSignature:
                    continue
                return True
        return False

    _also_accept_signature(provider, is_der)


@flaw(
    "3.1-keys-registered-only",
    "3.2-agent-binding",
    "3.2-alg",
    "3.2-keys-only-jwks",
    "3.2-kid-no-bypass",
    "3.2-signature",
)
def verifies_only_that_a_signature_has_its_length(provider: Provider) -> None:
    """An ES256 signature of 64 bytes is accepted whatever they are, if its key is published."""
    _also_accept_signature(provider, lambda token: bool(token.keys) and len(token.signature) == 64)


# The algorithms that must be accepted


def _refuse_alg(provider: Provider, refused: str) -> None:
    def another_alg(verifier: Verifier, token: Presented) -> None:
        alg_is_allowed(verifier, token)
        if token.header["alg"] == refused:
            raise Unauthenticated("alg")

    provider.verifier.steps.replace("alg_is_allowed", another_alg)


@flaw("3.2-es256")
def refuses_es256(provider: Provider) -> None:
    """Tokens signed with ES256 are refused."""
    _refuse_alg(provider, "ES256")


@flaw("3.2-rs256")
def refuses_rs256(provider: Provider) -> None:
    """Tokens signed with RS256 are refused."""
    _refuse_alg(provider, "RS256")
