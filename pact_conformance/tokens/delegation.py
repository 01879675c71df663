"""Delegation tokens and receipts as they come from a Provider, read and verified (§5.4, §5.6).

No reason that is given holds anything of the token.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from pact_conformance.tokens import base64url
from pact_conformance.tokens.assemble import Segments
from pact_conformance.tokens.verifying import verify_signature

_SEGMENTS = 3


@dataclass(frozen=True)
class DelegationToken:
    """A compact JWS taken apart (RFC 7515 §7.1); nothing of it is verified."""

    text: str = field(repr=False)
    header: Mapping[str, Any] = field(hash=False)
    claims: Mapping[str, Any] = field(hash=False, repr=False)
    segments: Segments = field(repr=False)

    @property
    def label(self) -> str:
        """One line for people, which never holds the token itself."""
        return f"delegation token, {self.header.get('alg')}"

    @property
    def scopes(self) -> frozenset[str]:
        """The ids in the claim `scope` (§5.4); none where it is no text."""
        scope = self.claims.get("scope")
        return frozenset(scope.split()) if isinstance(scope, str) else frozenset()


def read(text: str) -> DelegationToken:
    """Take a compact JWS apart without verifying it; a receipt's `jws` is one as well.

    Raises:
        ValueError: it is none, or holds no JSON object; the message says why.
    """
    parts = text.split(".")
    if len(parts) != _SEGMENTS:
        raise ValueError(f"a compact JWS has three segments; this has {len(parts)}")
    segments = Segments(*parts)
    return DelegationToken(
        text,
        header=_object(segments.header, "header"),
        claims=_object(segments.payload, "payload"),
        segments=segments,
    )


def verify(jws: str, jwks: object) -> dict[str, Any]:
    """Return the payload of a token or receipt that a key of a JWK Set has signed.

    Any key of the set will do: PACT asks for the same set and no certain `kid` (§5.4, §5.6). The
    one that the header names is tried first.

    Args:
        jws: in compact form.
        jwks: what the metadata's `jwks_uri` leads to.

    Raises:
        ValueError: it is no JWS of ES256 or RS256, or no key of the set has signed it.
    """
    token = read(jws)
    if "crit" in token.header:
        raise ValueError("the header has crit, and PACT defines no extension that it could name")
    signature = _bytes(token.segments.signature, "signature")
    verify_signature(token.header, token.segments.signing_input, signature, jwks)
    return dict(token.claims)


def _object(segment: str, name: str) -> Mapping[str, Any]:
    try:
        value = json.loads(_bytes(segment, name), parse_constant=_refuse)
    except (_NotJsonError, UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise ValueError(f"the {name} is no JSON") from None
    if not isinstance(value, dict):
        raise ValueError(f"the {name} is JSON, but no object")  # noqa: TRY004 - of the token's value
    return value


class _NotJsonError(ValueError):
    """NaN or Infinity stands in it (RFC 8259 §6)."""


def _refuse(constant: str) -> NoReturn:
    raise _NotJsonError(constant)


def _bytes(segment: str, name: str) -> bytes:
    if segment.endswith("="):
        raise ValueError(f"the {name} is padded, which a compact JWS is not (RFC 7515 §2)")
    try:
        return base64url.decode(segment)
    except ValueError:
        raise ValueError(f"the {name} is not base64url") from None
