"""The verification of a personal-agent JWT (§3.2): a table of steps, each of which may refuse.

The steps stand in the order of the table in §3.2, after what a compact JWS is (RFC 7515) and
before the signature only where they find the key. Which step refused is for the log; callers see
one answer for all (§3.4).
"""

import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import Algorithm, ECAlgorithm, RSAAlgorithm

from pact_conformance.counterpart.provider import jose
from pact_conformance.counterpart.provider.configuration import AgentConfig
from pact_conformance.counterpart.provider.discovery import Discovery
from pact_conformance.counterpart.provider.keys import KeySource, PublicKey, PublishedKey
from pact_conformance.counterpart.provider.refusals import Unauthenticated
from pact_conformance.counterpart.provider.table import Table
from pact_conformance.wire.text import is_blank

ES256: Algorithm = ECAlgorithm(ECAlgorithm.SHA256, ec.SECP256R1)
RS256: Algorithm = RSAAlgorithm(RSAAlgorithm.SHA256)


@dataclass(frozen=True)
class User:
    """Whom a token speaks for: the pair (personal agent, `sub`) (§3.2)."""

    issuer: str
    sub: str


@dataclass(frozen=True)
class Limits:
    """The numbers of §3.2, in seconds. Skew is allowed to each end, not to the lifetime."""

    early: float = 30
    """How far `iat` (and `nbf`) may lie in the future."""
    late: float = 30
    """How long ago `exp` may have been."""
    lifetime: float = 300
    """The most from `iat` to `exp`."""


@dataclass
class Presented:
    """A token on its way through the steps; each fills in what the next ones need."""

    text: str
    now: float
    is_open: bool = False
    """Whether an issuer that is not registered may show its keys (§3.1)."""
    segments: tuple[str, str, str] = ("", "", "")
    header: dict[str, Any] = field(default_factory=dict)
    claims: dict[str, Any] = field(default_factory=dict)
    signature: bytes = b""
    agent: AgentConfig | None = None
    keys: tuple[PublishedKey, ...] = ()

    @property
    def signed(self) -> bytes:
        """The bytes that the signature is over (RFC 7515 §5.2)."""
        return f"{self.segments[0]}.{self.segments[1]}".encode()


class Verifier:
    """Verifies tokens for one Provider."""

    def __init__(
        self,
        agents: Mapping[str, AgentConfig],
        audience: str,
        keys: KeySource,
        discovery: Discovery,
    ) -> None:
        self.agents = dict(agents)
        self.audience = audience
        self.keys = keys
        self.discovery = discovery
        self.limits = Limits()
        self.steps = steps()

    async def verify(self, text: str, now: float, *, is_open: bool = False) -> User:
        """Return whom the token speaks for.

        Raises:
            Unauthenticated: a step refused it.
        """
        token = Presented(text=text, now=now, is_open=is_open)
        for step in self.steps:
            waiting = step(self, token)
            if waiting is not None:
                await waiting
        return User(issuer=token.claims["iss"], sub=token.claims["sub"])


Step = Callable[[Verifier, Presented], Awaitable[None] | None]


def has_three_segments(_verifier: Verifier, token: Presented) -> None:
    """Split the compact serialization (RFC 7515 §7.1)."""
    segments = token.text.split(".")
    if len(segments) != 3:
        raise Unauthenticated(f"{len(segments)} segments")
    token.segments = (segments[0], segments[1], segments[2])


def segments_are_strict(_verifier: Verifier, token: Presented) -> None:
    """Decode the segments: strict base64url around strict JSON objects."""
    try:
        token.header = jose.read_object(jose.decode_segment(token.segments[0]))
        token.claims = jose.read_object(jose.decode_segment(token.segments[1]))
        token.signature = jose.decode_segment(token.segments[2])
    except ValueError as error:
        raise Unauthenticated(str(error)) from None


def alg_is_allowed(_verifier: Verifier, token: Presented) -> None:
    """`alg`: ES256 or RS256; others are rejected (§3.2)."""
    if token.header.get("alg") not in ("ES256", "RS256"):
        raise Unauthenticated("alg")


def nothing_is_critical(_verifier: Verifier, token: Presented) -> None:
    """No extension is understood here, so each one in `crit` is refused (RFC 7515 §4.1.11)."""
    if "crit" in token.header:
        raise Unauthenticated("crit")


async def issuer_is_registered(verifier: Verifier, token: Presented) -> None:
    """`iss`: exactly the issuer of a registration, or one let in by an open policy (§3.1)."""
    issuer = token.claims.get("iss")
    if not isinstance(issuer, str):
        raise Unauthenticated("iss")
    token.agent = verifier.agents.get(issuer)
    if token.agent is None and token.is_open:
        token.agent = await verifier.discovery.find(issuer)
    if token.agent is None:
        raise Unauthenticated("iss")


def agent_is_enabled(_verifier: Verifier, token: Presented) -> None:
    """A disabled personal agent gets 401 (§3.1)."""
    if token.agent is None or not token.agent.enabled:
        raise Unauthenticated("disabled")


async def keys_are_published(verifier: Verifier, token: Presented) -> None:
    """`kid`: names a key in the registration's JWKS; without it any key of the set may fit.

    Keys in the token (`jwk`, `x5c`) or behind its URLs (`jku`, `x5u`) prove nothing: only the
    registration says whose keys count (§3.1).
    """
    kid = token.header.get("kid")
    if token.agent is None or not isinstance(kid, str | None):
        raise Unauthenticated("kid")
    token.keys = await verifier.keys.find(token.agent.jwks_uri, kid)


def signature_is_good(_verifier: Verifier, token: Presented) -> None:
    """The signature verifies with a published key that fits `alg` (§3.2)."""
    alg = token.header["alg"]
    for key in token.keys:
        algorithm = fitting(key.public, alg)
        if algorithm is None or not key.may_verify(alg):
            continue
        if algorithm.verify(token.signed, key.public, token.signature):
            return
    raise Unauthenticated("signature")


def sub_names_a_user(_verifier: Verifier, token: Presented) -> None:
    """`sub`: present, a string that is not blank."""
    sub = token.claims.get("sub")
    if not isinstance(sub, str) or is_blank(sub):
        raise Unauthenticated("sub")


def audience_is_ours(verifier: Verifier, token: Presented) -> None:
    """`aud`: one string that equals the assigned audience."""
    own = token.agent.audience if token.agent is not None else None
    if token.claims.get("aud") != (own or verifier.audience):
        raise Unauthenticated("aud")


def is_issued(verifier: Verifier, token: Presented) -> None:
    """`iat`: present, and not more than the skew in the future."""
    if integer(token, "iat") > token.now + verifier.limits.early:
        raise Unauthenticated("iat in the future")


def is_not_expired(verifier: Verifier, token: Presented) -> None:
    """`exp`: present, and not longer ago than the skew."""
    if integer(token, "exp") < token.now - verifier.limits.late:
        raise Unauthenticated("expired")


def lifetime_is_short(verifier: Verifier, token: Presented) -> None:
    """`exp`: at most 300 s after `iat`. Both are the signer's, so no skew is added."""
    if integer(token, "exp") - integer(token, "iat") > verifier.limits.lifetime:
        raise Unauthenticated("lives too long")


def expires_after_its_issue(_verifier: Verifier, token: Presented) -> None:
    """A token that expired before it was issued was made by mistake."""
    if integer(token, "exp") <= integer(token, "iat"):
        raise Unauthenticated("exp not after iat")


def may_be_used_already(verifier: Verifier, token: Presented) -> None:
    """`nbf`, when there is one, has come (RFC 7519 §4.1.5)."""
    if "nbf" in token.claims and integer(token, "nbf") > token.now + verifier.limits.early:
        raise Unauthenticated("nbf")


def steps() -> Table[Step]:
    """Return the steps in order."""
    return Table[Step](
        has_three_segments,
        segments_are_strict,
        alg_is_allowed,
        nothing_is_critical,
        issuer_is_registered,
        agent_is_enabled,
        keys_are_published,
        signature_is_good,
        sub_names_a_user,
        audience_is_ours,
        is_issued,
        is_not_expired,
        lifetime_is_short,
        expires_after_its_issue,
        may_be_used_already,
    )


def fractions_are_dropped(_verifier: Verifier, token: Presented) -> None:
    """A NumericDate may have a fraction (RFC 7519 §2); a step for a lenient verifier."""
    for name in ("iat", "exp", "nbf"):
        value = token.claims.get(name)
        if isinstance(value, float) and abs(value) < _FAR:
            token.claims[name] = math.floor(value)


# Seconds since the epoch that a double still tells from the next.
_FAR = 1e15


def integer(token: Presented, name: str) -> int:
    """Return a NumericDate that is an integer; JSON's `true` is none, though Python's is.

    Raises:
        Unauthenticated: it is missing or something else.
    """
    value = token.claims.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise Unauthenticated(f"{name} is no integer")
    return value


def fitting(key: PublicKey, alg: str) -> Algorithm | None:
    """Return the algorithm, when the key is of its type and strength (RFC 7518 §3.3, §3.4)."""
    if alg == "ES256" and isinstance(key, ec.EllipticCurvePublicKey):
        return ES256 if isinstance(key.curve, ec.SECP256R1) else None
    if alg == "RS256" and isinstance(key, rsa.RSAPublicKey):
        return RS256 if 2048 <= key.key_size <= 16_384 else None
    return None
