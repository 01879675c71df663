"""Flaws of §3.1: where a personal agent's keys are looked for, and how long they count."""

import json
import math
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.discovery import may_be_fetched
from pact_conformance.counterpart.provider.fetching import UNFETCHED
from pact_conformance.counterpart.provider.keys import PublishedKey, read_key, read_set
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.verifier import (
    Presented,
    Verifier,
    keys_are_published,
    signature_is_good,
)

# Where


@flaw("3.1-keys-registered-only")
def looks_for_keys_below_the_issuer(provider: Provider) -> None:
    """A key that the registered set lacks is looked for at a usual place below the issuer."""

    async def find(verifier: Verifier, token: Presented) -> None:
        await keys_are_published(verifier, token)
        issuer, kid = str(token.claims["iss"]), token.header.get("kid")
        # Only plain hosts of this machine, so that nobody waits for names that no one has.
        if not token.keys and urlsplit(issuer).scheme == "http" and may_be_fetched(issuer):
            place = issuer.rstrip("/") + "/.well-known/jwks.json"
            token.keys = await verifier.keys.find(place, kid)

    provider.verifier.steps.replace("keys_are_published", find)


@flaw("3.1-keys-registered-only")
def finds_the_keys_of_registered_agents_by_discovery(provider: Provider) -> None:
    """The keys that an issuer's discovery document leads to count beside the registered ones."""

    async def find(verifier: Verifier, token: Presented) -> None:
        await keys_are_published(verifier, token)
        issuer, kid = str(token.claims["iss"]), token.header.get("kid")
        if token.keys or urlsplit(issuer).scheme != "http":
            return
        agent = await verifier.discovery.find(issuer)
        if agent is not None:
            token.keys = await verifier.keys.find(agent.jwks_uri, kid)

    provider.verifier.steps.replace("keys_are_published", find)


# How long


@flaw("3.1-new-key")
def never_looks_at_a_set_again(provider: Provider) -> None:
    """A JWKS is fetched once and for all."""
    provider.verifier.keys.max_age = math.inf
    provider.verifier.keys.refetch_interval = math.inf


@flaw("3.1-withdrawn-key")
def keeps_withdrawn_keys_for_ever(provider: Provider) -> None:
    """A key that was once in a JWKS is accepted from then on."""
    keys = provider.verifier.keys
    fetch = keys.fetch
    held: dict[str, list[Any]] = {}

    async def fetch_and_keep(uri: str) -> bytes:
        entries = held.setdefault(uri, [])
        entries += [it for it in json.loads(await fetch(uri))["keys"] if it not in entries]
        return json.dumps({"keys": entries}).encode()

    keys.fetch = fetch_and_keep


# What is in a set


def _fail_at(provider: Provider, is_bad: Callable[[Any], bool]) -> None:
    """Read no set that has an entry of a certain kind."""

    def read(data: bytes) -> tuple[PublishedKey, ...]:
        if any(is_bad(entry) for entry in json.loads(data)["keys"]):
            raise ValueError("a key cannot be used")
        return read_set(data)

    provider.verifier.keys.read = read


@flaw("3.1-foreign-keys-in-set")
def fails_at_a_key_of_a_type_that_it_does_not_know(provider: Provider) -> None:
    """A JWKS with a key of an unknown type cannot be read."""
    known = ("EC", "RSA", "OKP", "oct", None)
    _fail_at(provider, lambda jwk: isinstance(jwk, dict) and jwk.get("kty") not in known)


@flaw("3.1-foreign-keys-in-set")
def fails_at_a_key_without_kid(provider: Provider) -> None:
    """A JWKS with a key that has no kid cannot be read."""
    _fail_at(provider, lambda jwk: isinstance(jwk, dict) and "kid" not in jwk)


@flaw("3.1-foreign-keys-in-set")
def fails_at_a_key_for_encryption(provider: Provider) -> None:
    """A JWKS with a key that is not for signatures cannot be read."""
    _fail_at(provider, lambda jwk: isinstance(jwk, dict) and jwk.get("use") == "enc")


@flaw("3.1-foreign-keys-in-set")
def fails_at_a_malformed_key(provider: Provider) -> None:
    """A JWKS with a key of a known type that cannot be read is dropped whole."""
    known = ("EC", "RSA", "OKP")
    _fail_at(
        provider,
        lambda jwk: isinstance(jwk, dict) and jwk.get("kty") in known and read_key(jwk) is None,
    )


# When there is none


@flaw("3.1-jwks-unreachable")
def trusts_tokens_while_their_keys_are_unreachable(provider: Provider) -> None:
    """A token is accepted unverified while its JWKS cannot be fetched."""
    keys = provider.verifier.keys
    fetch = keys.fetch
    unreachable: set[str] = set()

    async def fetch_and_note(uri: str) -> bytes:
        try:
            data = await fetch(uri)
        except UNFETCHED:
            unreachable.add(uri)
            raise
        unreachable.discard(uri)
        return data

    def verify_if_reachable(verifier: Verifier, token: Presented) -> None:
        if token.keys or token.agent is None or token.agent.jwks_uri not in unreachable:
            signature_is_good(verifier, token)

    keys.fetch = fetch_and_note
    provider.verifier.steps.replace("signature_is_good", verify_if_reachable)


# The open policy


def _let_in(provider: Provider) -> Callable[[str], bool]:
    """Open the Provider to whoever serves keys; return what tells those let in."""
    provider.is_open = lambda _brand_id: True
    return lambda issuer: issuer not in provider.verifier.agents


@flaw("3.1-open-policy")
def does_not_verify_whom_it_lets_in(provider: Provider) -> None:
    """A token of a personal agent that nobody registered is accepted unverified."""
    is_stranger = _let_in(provider)
    for name in ("alg_is_allowed", "signature_is_good"):
        _skip(provider, name, is_stranger)


@flaw("3.1-open-policy")
def does_not_look_at_the_claims_of_whom_it_lets_in(provider: Provider) -> None:
    """A token of a personal agent that nobody registered may be for anybody, and of any age."""
    is_stranger = _let_in(provider)
    for name in ("audience_is_ours", "is_not_expired", "lifetime_is_short"):
        _skip(provider, name, is_stranger)


def _skip(provider: Provider, name: str, is_stranger: Callable[[str], bool]) -> None:
    steps = provider.verifier.steps
    original = steps[name]

    def verify_the_registered(verifier: Verifier, token: Presented) -> None:
        if not is_stranger(str(token.claims.get("iss"))):
            original(verifier, token)

    steps.replace(name, verify_the_registered)
