"""Flaws of §3.2: which key a token is verified with."""

import base64
from collections.abc import Awaitable, Callable

import httpx
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.keys import PublishedKey, read_key
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import Unauthenticated
from pact_conformance.counterpart.provider.verifier import (
    Presented,
    Verifier,
    keys_are_published,
    nothing_is_critical,
    signature_is_good,
)

Find = Callable[[Verifier, Presented], Awaitable[tuple[PublishedKey, ...]]]


def _trust(provider: Provider, member: str, find: Find) -> None:
    """Let a member of the header say which keys verify the token."""

    async def find_keys(verifier: Verifier, token: Presented) -> None:
        if member not in token.header:
            await keys_are_published(verifier, token)
            return
        try:
            token.keys = await find(verifier, token)
        except (ValueError, TypeError, LookupError, httpx.HTTPError, httpx.InvalidURL):
            raise Unauthenticated(member) from None

    provider.verifier.steps.replace("keys_are_published", find_keys)


def _of_certificate(certificate: x509.Certificate) -> tuple[PublishedKey, ...]:
    public = certificate.public_key()
    assert isinstance(public, ec.EllipticCurvePublicKey | rsa.RSAPublicKey)
    return (PublishedKey(kid=None, jwk={}, public=public),)


@flaw("3.2-keys-only-jwks")
def trusts_a_key_in_the_header(provider: Provider) -> None:
    """A token that carries its key as `jwk` is verified with it."""

    async def find(_verifier: Verifier, token: Presented) -> tuple[PublishedKey, ...]:
        key = read_key(token.header["jwk"])
        return () if key is None else (key,)

    _trust(provider, "jwk", find)


@flaw("3.2-keys-only-jwks")
def trusts_a_jwks_url_in_the_header(provider: Provider) -> None:
    """A token that names a JWKS by `jku` is verified with it."""

    async def find(verifier: Verifier, token: Presented) -> tuple[PublishedKey, ...]:
        return await verifier.keys.find(token.header["jku"], token.header.get("kid"))

    _trust(provider, "jku", find)


@flaw("3.2-keys-only-jwks")
def trusts_a_certificate_in_the_header(provider: Provider) -> None:
    """A token that carries a certificate as `x5c` is verified with it."""

    async def find(_verifier: Verifier, token: Presented) -> tuple[PublishedKey, ...]:
        der = base64.b64decode(token.header["x5c"][0])
        return _of_certificate(x509.load_der_x509_certificate(der))

    _trust(provider, "x5c", find)


@flaw("3.2-keys-only-jwks")
def trusts_a_certificate_url_in_the_header(provider: Provider) -> None:
    """A token that names a certificate by `x5u` is verified with it."""

    async def find(verifier: Verifier, token: Presented) -> tuple[PublishedKey, ...]:
        pem = await verifier.keys.fetch(token.header["x5u"])
        return _of_certificate(x509.load_pem_x509_certificate(pem))

    _trust(provider, "x5u", find)


@flaw("3.2-crit")
def ignores_what_is_critical(provider: Provider) -> None:
    """A token with `crit` is accepted."""
    provider.verifier.steps.drop("nothing_is_critical")


@flaw("3.2-crit")
def looks_only_whether_critical_members_are_there(provider: Provider) -> None:
    """A token with `crit` is accepted if the header has the members that it names."""

    def members_are_there(_verifier: Verifier, token: Presented) -> None:
        names = token.header.get("crit", [])
        if not isinstance(names, list) or not all(name in token.header for name in names):
            raise Unauthenticated("crit")

    provider.verifier.steps.replace("nothing_is_critical", members_are_there)


@flaw("3.2-crit")
def takes_an_empty_crit(provider: Provider) -> None:
    """A token is accepted whose `crit` is a list that names nothing."""

    def something_is_critical(verifier: Verifier, token: Presented) -> None:
        if token.header.get("crit") != []:
            nothing_is_critical(verifier, token)

    provider.verifier.steps.replace("nothing_is_critical", something_is_critical)


@flaw(
    "3.1-jwks-unreachable",
    "3.1-keys-registered-only",
    "3.1-withdrawn-key",
    "3.2-agent-binding",
    "3.2-kid-no-bypass",
)
def does_not_verify_with_an_unknown_kid(provider: Provider) -> None:
    """A token whose `kid` is not in the JWKS is accepted unverified."""

    def verify_with_known(verifier: Verifier, token: Presented) -> None:
        if token.keys or "kid" not in token.header:
            signature_is_good(verifier, token)

    provider.verifier.steps.replace("signature_is_good", verify_with_known)


@flaw("3.2-keys-only-jwks", "3.2-kid-no-bypass")
def does_not_verify_without_kid(provider: Provider) -> None:
    """A token without `kid` is accepted unverified."""

    def verify_with_kid(verifier: Verifier, token: Presented) -> None:
        if "kid" in token.header:
            signature_is_good(verifier, token)

    provider.verifier.steps.replace("signature_is_good", verify_with_kid)


@flaw("3.2-agent-binding", "3.1-keys-registered-only")
def looks_for_the_kid_among_all_agents(provider: Provider) -> None:
    """A token is verified with a key of any registered agent that has its `kid`."""

    async def find_anywhere(verifier: Verifier, token: Presented) -> None:
        kid = token.header.get("kid")
        for agent in verifier.agents.values():
            if isinstance(kid, str | None):
                token.keys += await verifier.keys.find(agent.jwks_uri, kid)

    provider.verifier.steps.replace("keys_are_published", find_anywhere)
