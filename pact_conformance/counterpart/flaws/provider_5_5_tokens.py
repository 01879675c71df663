"""Flaws of §5.5: the verification of a delegation token, each step left out or done wrong."""

import base64
import hashlib
import hmac
import json
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any

import httpx
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.flaws.under_delegation import (
    also_accept,
    around_delegation,
    signed,
)
from pact_conformance.counterpart.provider.brand_agent import Authority
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.configuration import BrandConfig
from pact_conformance.counterpart.provider.delegation.signing import SigningKey
from pact_conformance.counterpart.provider.delegation.token_checks import PresentedDelegation
from pact_conformance.counterpart.provider.keys import PublicKey, PublishedKey, read_key, read_set
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import BadDelegation
from pact_conformance.counterpart.provider.verifier import User, fitting

_SPKI = PublicFormat.SubjectPublicKeyInfo


def _verifies(public: PublicKey, token: PresentedDelegation) -> bool:
    algorithm = fitting(public, token.header["alg"])
    return algorithm is not None and algorithm.verify(signed(token), public, token.signature)


# The signature


@flaw("5.5-signature")
def does_not_verify_delegation_tokens(provider: Provider) -> None:
    """The signature of a delegation token is not looked at, only its claims and its grant."""
    provider.delegation.token_steps.drop("signature_is_ours")


@flaw("5.5-signature")
def takes_delegation_tokens_with_alg_none(provider: Provider) -> None:
    """A delegation token with alg none and no signature is taken."""
    also_accept(provider, lambda token: token.header["alg"] == "none", alg=lambda it: it == "none")


@flaw("5.5-signature")
def refuses_alg_none_in_lower_case_alone(provider: Provider) -> None:
    """A delegation token with alg None, NONE or nOnE and no signature is taken."""

    def is_disguised(alg: object) -> bool:
        return isinstance(alg, str) and alg != "none" and alg.casefold() == "none"

    also_accept(provider, lambda token: is_disguised(token.header["alg"]), alg=is_disguised)


@flaw("5.5-signature")
def takes_alg_none_with_any_signature(provider: Provider) -> None:
    """A delegation token with alg none is taken as long as some signature stands behind it."""

    def is_enough(token: PresentedDelegation) -> bool:
        return token.header["alg"] == "none" and bool(token.signature)

    also_accept(provider, is_enough, alg=lambda it: it == "none")


def _accept_hs256(provider: Provider, secrets: Callable[[SigningKey], Iterable[bytes]]) -> None:
    def is_enough(token: PresentedDelegation) -> bool:
        keys = provider.delegation.keys.of(token.brand.id)
        return token.header["alg"] == "HS256" and any(
            hmac.compare_digest(
                hmac.new(secret, signed(token), hashlib.sha256).digest(), token.signature
            )
            for key in keys
            for secret in secrets(key)
        )

    also_accept(provider, is_enough, alg=lambda it: it == "HS256")


@flaw("5.5-signature")
def takes_hs256_by_the_pem_of_its_own_key(provider: Provider) -> None:
    """A delegation token whose HS256 secret is the PEM of the published key is taken."""

    def secrets(key: SigningKey) -> Iterable[bytes]:
        pem = key.private.public_key().public_bytes(Encoding.PEM, _SPKI)
        return (pem, pem.rstrip(b"\n"))

    _accept_hs256(provider, secrets)


@flaw("5.5-signature")
def takes_hs256_by_the_der_of_its_own_key(provider: Provider) -> None:
    """A delegation token whose HS256 secret is the DER of the published key is taken."""
    _accept_hs256(
        provider, lambda key: [key.private.public_key().public_bytes(Encoding.DER, _SPKI)]
    )


@flaw("5.5-signature")
def takes_hs256_by_its_own_jwk(provider: Provider) -> None:
    """A delegation token whose HS256 secret is the JSON of the published key is taken."""

    def secrets(key: SigningKey) -> Iterator[bytes]:
        jwk = key.jwk()
        required = {name: jwk[name] for name in ("crv", "e", "kty", "n", "x", "y") if name in jwk}
        for document in (jwk, required):
            yield json.dumps(document, separators=(",", ":")).encode()
            yield json.dumps(document, separators=(",", ":"), sort_keys=True).encode()

    _accept_hs256(provider, secrets)


@flaw("5.5-signature")
def takes_hs256_without_a_secret(provider: Provider) -> None:
    """A delegation token whose HS256 secret is empty is taken."""
    _accept_hs256(provider, lambda _key: [b""])


@flaw("5.5-signature")
def takes_a_signature_of_zeros(provider: Provider) -> None:
    """A signature of zeros is good for every text, as r and s are not looked at."""
    also_accept(provider, lambda token: bool(token.signature) and not any(token.signature))


@flaw("5.5-signature")
def does_not_compare_the_end_of_a_signature(provider: Provider) -> None:
    """A token that was verified once is known again by all but the last byte of its signature."""
    known: set[tuple[bytes, bytes]] = set()
    is_ours = provider.delegation.token_steps["signature_is_ours"]

    def signature_is_ours(provider: Provider, token: PresentedDelegation) -> None:
        mark = (signed(token), token.signature[:-1])
        if mark not in known:
            is_ours(provider, token)
            known.add(mark)

    provider.delegation.token_steps.replace("signature_is_ours", signature_is_ours)


@flaw("5.5-signature")
def knows_tokens_again_by_what_is_signed(provider: Provider) -> None:
    """A token that was verified once is known again by its header and claims alone."""
    known: set[bytes] = set()
    is_ours = provider.delegation.token_steps["signature_is_ours"]

    def signature_is_ours(provider: Provider, token: PresentedDelegation) -> None:
        if signed(token) not in known:
            is_ours(provider, token)
            known.add(signed(token))

    provider.delegation.token_steps.replace("signature_is_ours", signature_is_ours)


@flaw("5.5-signature")
def knows_its_signatures_again(provider: Provider) -> None:
    """A signature that the Provider has made once is good over any claims."""
    made: set[str] = set()
    sign = provider.delegation.sign

    def remember(provider: Provider, brand_id: str, claims: dict[str, Any], typ: str) -> str:
        jws = sign(provider, brand_id, claims, typ)
        made.add(jws.rpartition(".")[2])
        return jws

    provider.delegation.sign = remember
    also_accept(provider, lambda token: token.segments[2] in made)


# Keys that are not the Brand's


@flaw("5.5-signature")
def verifies_delegation_tokens_by_the_keys_of_the_agent(provider: Provider) -> None:
    """A delegation token that the personal agent has signed with its own key is taken."""
    known: dict[str, tuple[PublishedKey, ...]] = {}

    async def gate(provider: Provider, call: Call, proceed: Callable[[], Awaitable[None]]) -> None:
        if call.user is not None:
            agent = provider.verifier.agents[call.user.issuer]
            known[call.user.issuer] = await provider.verifier.keys.find(agent.jwks_uri, None)
        await proceed()

    def is_enough(token: PresentedDelegation) -> bool:
        issuer = token.user.issuer if token.user is not None else ""
        return any(_verifies(key.public, token) for key in known.get(issuer, ()))

    around_delegation(provider, gate)
    also_accept(provider, is_enough)


@flaw("5.5-signature")
def trusts_the_jwk_in_a_delegation_token(provider: Provider) -> None:
    """A delegation token is verified by the key in its own header, where there is one."""

    def is_enough(token: PresentedDelegation) -> bool:
        key = read_key(token.header.get("jwk"))
        return key is not None and _verifies(key.public, token)

    also_accept(provider, is_enough)


@flaw("5.5-signature")
def trusts_the_certificate_in_a_delegation_token(provider: Provider) -> None:
    """A delegation token is verified by the certificate in its own header, where there is one."""

    def is_enough(token: PresentedDelegation) -> bool:
        chain = token.header.get("x5c")
        if not isinstance(chain, list) or not chain:
            return False
        public = x509.load_der_x509_certificate(base64.b64decode(chain[0])).public_key()
        assert isinstance(public, ec.EllipticCurvePublicKey | rsa.RSAPublicKey)
        return _verifies(public, token)

    also_accept(provider, is_enough)


@flaw("5.5-signature")
def fetches_the_keys_that_a_delegation_token_names(provider: Provider) -> None:
    """A delegation token is verified by the keys at the jku in its own header."""
    fetched: dict[str, tuple[PublishedKey, ...]] = {}

    async def gate(provider: Provider, call: Call, proceed: Callable[[], Awaitable[None]]) -> None:
        for value in call.request.headers.getlist("x-a2a-user-delegation"):
            jku = _jku(value.rpartition(" ")[2])
            if jku:
                try:
                    fetched[jku] = read_set(await provider.fetcher.fetch(jku))
                except (httpx.HTTPError, OSError, ValueError):
                    continue
        await proceed()

    def is_enough(token: PresentedDelegation) -> bool:
        keys = fetched.get(str(token.header.get("jku")), ())
        return any(_verifies(key.public, token) for key in keys)

    around_delegation(provider, gate)
    also_accept(provider, is_enough)


def _jku(text: str) -> str:
    head = text.partition(".")[0]
    try:
        found = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
    except ValueError:
        return ""
    return str(found.get("jku") or "") if isinstance(found, dict) else ""


@flaw("5.5-signature")
def takes_the_jwt_of_the_agent_for_a_delegation_token(provider: Provider) -> None:
    """With its own JWT in both headers a personal agent acts on the account that signed in last."""
    original = provider.delegation.authority

    def authority(
        provider: Provider, brand: BrandConfig, user: User | None, text: str
    ) -> Authority:
        try:
            return original(provider, brand, user, text)
        except BadDelegation:
            grants = provider.delegation.grants.latest_first()
            own = [it for it in grants if user is not None and it.client_id == user.issuer]
            if not own or _claim(text, "iss") != own[0].client_id:
                raise
            latest = own[0]
            return Authority(latest.brand_user, latest.scopes, latest.id, latest.client_id)

    provider.delegation.authority = authority


def _claim(text: str, name: str) -> object:
    payload = [*text.split("."), ""][1]
    try:
        found = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    except ValueError:
        return None
    return found.get(name) if isinstance(found, dict) else None
