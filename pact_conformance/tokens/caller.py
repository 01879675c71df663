"""The personal agent that the suite plays against a Provider (§3.1), and its tokens (§3.2).

A token is good unless told otherwise, and each part of it can be told otherwise by itself. What a
Provider has to refuse is told in `fixtures/forgeries`.
"""

import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from typing import Any

from pact_conformance.tokens.assemble import Segments, Signer, json_text, seal, segment, sign
from pact_conformance.tokens.keys import SigningKey, jwks
from pact_conformance.tokens.token import Token

LIFETIME = 120
"""Seconds from `iat` to `exp`; the specification allows 300 and names 120 as usual (§3.2)."""


class Missing(Enum):
    """The type of `MISSING`."""

    MISSING = "MISSING"

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing.MISSING
"""Stands for a member that is left out of a header or of claims."""


class NoKeyError(LookupError):
    """The caller holds no key that can do what was asked."""


def _same(text: str) -> str:
    return text


@dataclass(frozen=True)
class Change:
    """What makes a token differ, after its members and before it is sent; by default nothing."""

    header_text: Callable[[str], str] = _same
    """Rewrites the JSON of the header."""
    claims_text: Callable[[str], str] = _same
    """Rewrites the JSON of the claims."""
    payload: Callable[[str], str] = _same
    """Rewrites the segment of the claims before it is signed."""
    signer: Signer | None = None
    """Signs instead of the key."""
    signature: Callable[[bytes], bytes] | None = None
    """Rewrites the bytes of the signature."""
    text: Callable[[Segments], str] = str
    """Joins the segments."""


@dataclass(frozen=True)
class Caller:
    """A registered personal agent: who it is, what its audience is, and what it signs with."""

    issuer: str
    audience: str
    keys: tuple[SigningKey, ...]
    clock: Callable[[], float] = field(default=time.time, repr=False)
    seed: bytes = field(default_factory=lambda: secrets.token_bytes(16), repr=False)
    """Makes this run's Users; processes that have to mean the same Users share it."""

    def user(self, name: str) -> str:
        """Return the `sub` of a User: the same for a name all through a run, and opaque (§3.2)."""
        return hmac.digest(self.seed, name.encode(), "sha256").hex()[:32]

    def key(self, alg: str | None = None) -> SigningKey:
        """Return the key for an algorithm: one that has it, else one whose material can do it.

        Without `alg` it is the first key that PACT allows (ES256, RS256).

        Raises:
            NoKeyError: there is none.
        """
        if alg is None:
            held = [key for key in self.keys if key.alg in ("ES256", "RS256")]
        else:
            held = [key for key in self.keys if key.alg == alg]
            held += [replace(key, alg=alg) for key in self.keys if key.can(alg)]
        if not held:
            raise NoKeyError(f"{self.issuer} holds no key for {alg or 'ES256 or RS256'}")
        return held[0]

    def jwks(self) -> dict[str, list[dict[str, str]]]:
        """Return the JWK Set that publishes the keys."""
        return jwks(self.keys)

    def token(
        self,
        user: str | None = None,
        *,
        alg: str | None = None,
        key: SigningKey | None = None,
        header: Mapping[str, Any] | None = None,
        claims: Mapping[str, Any] | None = None,
        lifetime: float = LIFETIME,
        at: float | None = None,
        change: Change | None = None,
        forgery: str | None = None,
        use_within: float | None = None,
    ) -> Token:
        """Sign a token with a fresh `jti`.

        Args:
            user: the `sub`; by default that of one User of this caller's.
            alg: the algorithm to sign with; `none` leaves the signature empty. To change what the
                header says and not how it is signed, use `header`.
            key: the key to sign with, by default the caller's own.
            header: header members to set; `MISSING` leaves one out.
            claims: claims to set, of any JSON type; `MISSING` leaves one out.
            lifetime: seconds from `iat` to `exp`.
            at: when it is issued; by default now, by the caller's clock.
            change: what to change in its serialisation.
            forgery: the id of the forgery that it becomes.
            use_within: see `Token.use_within`.

        Raises:
            NoKeyError: the caller holds no key for `alg`.
        """
        key = key or self.key(None if alg == "none" else alg)
        now = self.clock()
        issued = int(now if at is None else at)
        all_header = {"alg": alg or key.alg, "kid": key.kid, "typ": "JWT"}
        if key.kid is None:
            del all_header["kid"]
        all_claims = {
            "iss": self.issuer,
            "sub": self.user("someone") if user is None else user,
            "aud": self.audience,
            "iat": issued,
            "exp": issued + lifetime,
            "jti": secrets.token_urlsafe(12),
        }
        label = [_label(all_header, all_claims, now)]
        label += _set(all_header, header) + _set(all_claims, claims)
        if forgery is not None:
            label.append(f"forgery: {forgery}")
        signer = _unsigned if alg == "none" else partial(sign, key)
        text = _assemble(all_header, all_claims, signer, change or _UNCHANGED)
        return Token(text, " ".join(label), forgery, use_within)


_UNCHANGED = Change()


def _assemble(
    header: Mapping[str, Any], claims: Mapping[str, Any], signer: Signer, change: Change
) -> str:
    if change.signer is not None:
        signer = change.signer
    if change.signature is not None:
        signer = _then(signer, change.signature)
    header_text = change.header_text(json_text(header))
    claims_text = change.claims_text(json_text(claims))
    payload = change.payload(segment(claims_text))
    return change.text(seal(segment(header_text), payload, signer))


def _then(signer: Signer, rewrite: Callable[[bytes], bytes]) -> Signer:
    return lambda signing_input: rewrite(signer(signing_input))


def _unsigned(_signing_input: bytes) -> bytes:
    return b""


def _set(members: dict[str, Any], changes: Mapping[str, Any] | None) -> list[str]:
    """Make changes to members in place; return a line about each."""
    lines = []
    for name, value in (changes or {}).items():
        if value is MISSING:
            members.pop(name, None)
        else:
            members[name] = value
        lines.append(f"changed: {name} {_short(value)}")
    return lines


def _label(header: Mapping[str, Any], claims: Mapping[str, Any], now: float) -> str:
    issued, expires = claims["iat"] - int(now), claims["exp"] - claims["iat"]
    return (
        f"{header['alg']} kid={_short(header.get('kid'))} iss={claims['iss']} "
        f"sub={_short(claims['sub'])} aud={_short(claims['aud'])} iat{issued:+g} exp{expires:+g}"
    )


def _short(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
