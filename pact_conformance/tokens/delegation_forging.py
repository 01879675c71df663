"""Carries out what the data says of a forged delegation token, with a good one as its model (§5.5).

Only the Provider can sign a good one, so each forgery keeps as much of its model as it can: the
segments that it does not change are the model's own.
"""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from types import MappingProxyType
from typing import Any, Protocol

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from pact_conformance.tokens import base64url, certificates
from pact_conformance.tokens.assemble import Segments, json_text, segment, sign, sign_hmac
from pact_conformance.tokens.caller import Caller, NoKeyError
from pact_conformance.tokens.delegation import DelegationToken
from pact_conformance.tokens.forgery import UnforgeableError
from pact_conformance.tokens.jwks_server import JwksServer
from pact_conformance.tokens.keys import SigningKey
from pact_conformance.tokens.tampering import SIGNATURES, TEXTS
from pact_conformance.tokens.token import Token
from pact_conformance.tokens.verifying import Jwk, PublicKey, published, verify_signature

_MADE_UP_SCOPE = "pact-conformance:more"


class Row(Protocol):
    """What is used of a row of the data."""

    @property
    def id(self) -> str:
        """What reports call it."""

    @property
    def needs(self) -> tuple[str, ...]:
        """What it takes."""

    @property
    def change(self) -> Mapping[str, Any]:
        """How it is made."""


@dataclass(frozen=True)
class Materials:
    """What forgeries are made of.

    Args:
        good: a good delegation token.
        jwks: the JWK Set that it verifies with.
        caller: the personal agent that it was given to.
        another: another good token of the Provider, for the same agent or another.
        receipt: the `jws` of a receipt.
        scopes: the ids on the card.
        server: where keys are published that a forgery points to.
    """

    good: DelegationToken
    jwks: object = field(repr=False, hash=False)
    caller: Caller
    another: DelegationToken | None = None
    receipt: str | None = field(default=None, repr=False)
    scopes: Collection[str] = ()
    server: JwksServer | None = None

    def lacks(self, forgery: Row) -> tuple[str, ...]:
        """Return the needs of a forgery that are not met."""
        held = {
            "another-token": self.another,
            "receipt": self.receipt,
            "jku-server": self.server,
        }
        return tuple(need for need in forgery.needs if held[need] is None)


def forge_delegation(forgery: Row, materials: Materials) -> Token:
    """Make a forgery of a good delegation token.

    Raises:
        UnforgeableError: of this token the forgery would be a good one.
        LookupError: a need is not met; see `Materials.lacks`.
        ValueError: no published key has signed the token that is to be the model.
    """
    unmet = materials.lacks(forgery)
    if unmet:
        raise LookupError(f"the forgery {forgery.id} needs {', '.join(unmet)}")
    text = _Forging(forgery, materials).text()
    if text == materials.good.text:
        raise UnforgeableError(f"{forgery.id} would change nothing in this delegation token")
    return Token(text, f"delegation token, forgery: {forgery.id}", forgery.id)


@dataclass(frozen=True)
class _Forging:
    forgery: Row
    materials: Materials

    def text(self) -> str:
        change, materials = self.forgery.change, self.materials
        match change.get("instead"):
            case "receipt":
                return materials.receipt or ""
            case "personal-agent-jwt":
                return materials.caller.token().text
        segments = self._signed(replace(self._good, header=self._header, payload=self._payload))
        if "signature" in change:
            if not segments.signature:
                raise UnforgeableError("the delegation token has no signature to change")
            rewritten = SIGNATURES[change["signature"]](base64url.decode(segments.signature))
            segments = replace(segments, signature=base64url.encode(rewritten))
        if change.get("signature_of") == "another" and materials.another is not None:
            segments = replace(segments, signature=materials.another.segments.signature)
        return TEXTS[change["text"]](segments) if "text" in change else str(segments)

    @property
    def _good(self) -> Segments:
        return self.materials.good.segments

    @property
    def _sign(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.forgery.change.get("sign", {})
        return found

    @cached_property
    def _header(self) -> str:
        good, key = self.materials.good.header, self._key
        changes = self._values("header", good)
        if key is not None and key.alg != good.get("alg"):
            changes["alg"] = key.alg
        return segment(json_text({**good, **changes})) if changes else self._good.header

    @cached_property
    def _payload(self) -> str:
        good = self.materials.good.claims
        changes = self._values("claims", good)
        return segment(json_text({**good, **changes})) if changes else self._good.payload

    def _values(self, part: str, good: Mapping[str, Any]) -> dict[str, Any]:
        written = self.forgery.change.get(part, {})
        return {name: self._value(value, good.get(name)) for name, value in written.items()}

    def _value(self, value: object, good: object) -> object:
        match value:
            case {"text": text}:
                return str(text).format_map(_Texts(self._texts))
            case {"later": seconds}:
                return (good if isinstance(good, int | float) else 0) + seconds
            case {"agent": "kid"}:
                return self._agents_key.kid or self._agents_key.alg
            case {"embedded": what}:
                return self._embedded(str(what))
        return value

    @property
    def _texts(self) -> dict[str, str]:
        claims = self.materials.good.claims
        granted = self.materials.good.scopes
        more = [it for it in self.materials.scopes if it not in granted]
        texts = {name: value for name, value in claims.items() if isinstance(value, str)}
        return {**texts, "more": " ".join(more) or _MADE_UP_SCOPE}

    def _signed(self, unsigned: Segments) -> Segments:
        """Sign where the data says how; else the model's signature stays."""
        signing_input = unsigned.signing_input
        if "hmac" in self._sign:
            secret = SECRETS[self._sign["secret"]](*self._published)
            signature = sign_hmac(self._sign["hmac"], secret, signing_input)
        elif self._key is not None:
            signature = sign(self._key, signing_input)
        else:
            return unsigned
        return replace(unsigned, signature=base64url.encode(signature))

    @cached_property
    def _key(self) -> SigningKey | None:
        match self._sign.get("key"):
            case None:
                return None
            case "agent":
                return self._agents_key
            case name:
                return _unpublished(str(name), str(self.materials.good.header.get("alg")))

    @property
    def _agents_key(self) -> SigningKey:
        """The personal agent's key for the algorithm of the token, or its usual one."""
        caller = self.materials.caller
        try:
            return caller.key(str(self.materials.good.header.get("alg")))
        except NoKeyError:
            return caller.key()

    @cached_property
    def _published(self) -> tuple[Jwk, PublicKey]:
        """The published key that has signed the model."""
        good = self.materials.good
        signature = base64url.decode(good.segments.signature)
        jwks = self.materials.jwks
        jwk = verify_signature(good.header, good.segments.signing_input, signature, jwks)
        return next(pair for pair in published(jwks) if pair[0] is jwk)

    def _embedded(self, what: str) -> object:
        key = self._key
        if key is None:
            raise LookupError(f"the forgery {self.forgery.id} embeds a key and signs with none")
        offers: Mapping[str, Callable[[], object]] = {
            "jwk": key.public_jwk,
            "x5c": lambda: certificates.chain(
                certificates.self_signed(key, at=self.materials.caller.clock())
            ),
            "jku": partial(self._serve, key),
        }
        return offers[what]()

    def _serve(self, key: SigningKey) -> str:
        server = self.materials.server
        if server is None:
            raise LookupError(f"the forgery {self.forgery.id} needs jku-server")
        kid = self.materials.good.header.get("kid")
        named = replace(key, kid=kid if isinstance(kid, str) else None)
        return server.publish(f"delegation-{self.forgery.id}", [named])


class _Texts(dict[str, str]):
    """Texts to fill in; what the model lacks is empty."""

    def __missing__(self, name: str) -> str:
        return ""


@cache
def _unpublished(_name: str, alg: str) -> SigningKey:
    """Return a key that no Provider knows: one for each name and algorithm in this process."""
    return SigningKey.generate(alg)


def _spki(key: PublicKey, encoding: Encoding) -> bytes:
    return key.public_bytes(encoding, PublicFormat.SubjectPublicKeyInfo)


def _json(value: Mapping[str, Any], *, sort_keys: bool = False) -> bytes:
    return json.dumps(value, separators=(",", ":"), sort_keys=sort_keys).encode()


def _required(jwk: Jwk) -> Mapping[str, Any]:
    names = ("crv", "kty", "x", "y") if jwk["kty"] == "EC" else ("e", "kty", "n")
    return {name: jwk[name] for name in names}


SECRETS: Mapping[str, Callable[[Jwk, PublicKey], bytes]] = MappingProxyType(
    {
        "pem": lambda _, key: _spki(key, Encoding.PEM),
        "pem-without-newline": lambda _, key: _spki(key, Encoding.PEM).rstrip(b"\n"),
        "der": lambda _, key: _spki(key, Encoding.DER),
        "jwk": lambda jwk, _: _json(_required(jwk), sort_keys=True),
        "jwk-as-published": lambda jwk, _: _json(jwk),
        "empty": lambda *_: b"",
    }
)
"""What a verifier may take for an HMAC secret that is nothing but the published key."""
