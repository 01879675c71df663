"""The verification of a delegation token (§5.5): a table of steps, each of which may refuse.

Whatever is wrong, callers see one answer. Which step refused is for the log.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pact_conformance.counterpart.provider import jose
from pact_conformance.counterpart.provider.brand_agent import Authority
from pact_conformance.counterpart.provider.refusals import BadDelegation
from pact_conformance.counterpart.provider.table import Table
from pact_conformance.counterpart.provider.verifier import fitting

if TYPE_CHECKING:
    from starlette.requests import Request

    from pact_conformance.counterpart.provider.configuration import BrandConfig
    from pact_conformance.counterpart.provider.provider import Provider
    from pact_conformance.counterpart.provider.verifier import User

HEADER = "x-a2a-user-delegation"
_BEARER = re.compile(r"bearer +([^\s,]+)", re.IGNORECASE)


@dataclass
class PresentedDelegation:
    """A delegation token on its way through the steps; each fills in what the next ones need."""

    text: str = field(repr=False)
    brand: "BrandConfig"
    user: "User | None"
    """Who sends it, by the personal-agent JWT."""
    now: float
    segments: list[str] = field(default_factory=list, repr=False)
    header: dict[str, Any] = field(default_factory=dict)
    claims: dict[str, Any] = field(default_factory=dict)
    signature: bytes = b""


Step = Callable[["Provider", PresentedDelegation], None]


def read_header(request: "Request") -> str | None:
    """Return the token of `X-A2A-User-Delegation`; None where the header is absent or empty.

    Raises:
        BadDelegation: the header holds anything else than one Bearer token. It must not pass for
            absent, or the User would be asked to step up for no reason.
    """
    values = request.headers.getlist(HEADER)
    if not any(value.strip() for value in values):
        return None
    match = _BEARER.fullmatch(values[0].strip()) if len(values) == 1 else None
    if match is None:
        raise BadDelegation("no bearer token")
    return match[1]


def authority(
    provider: "Provider", brand: "BrandConfig", user: "User | None", text: str
) -> Authority:
    """Return what a delegation token gives (§5.5).

    Raises:
        BadDelegation: a step refused it.
    """
    now = provider.clock.now(brand.id)
    token = PresentedDelegation(text=text, brand=brand, user=user, now=now)
    for step in provider.delegation.token_steps:
        step(provider, token)
    return provider.delegation.read_authority(token)


def read_authority(token: PresentedDelegation) -> Authority:
    """Return what a verified token says."""
    claims = token.claims
    return Authority(
        brand_user=claims["sub"],
        scopes=tuple(claims["scope"].split()),
        grant_id=claims["grant_id"],
        client_id=claims["client_id"],
    )


def brand_delegates(_provider: "Provider", token: PresentedDelegation) -> None:
    """A Brand that offers no delegation has given out no token."""
    if not token.brand.delegates:
        raise BadDelegation("no delegation here")


def has_the_form_of_a_jws(_provider: "Provider", token: PresentedDelegation) -> None:
    """Three segments of strict base64url around strict JSON objects (RFC 7515 §7.1)."""
    token.segments = token.text.split(".")
    try:
        header, claims, signature = map(jose.decode_segment, token.segments)
        token.header, token.claims = jose.read_object(header), jose.read_object(claims)
        token.signature = signature
    except ValueError as error:
        raise BadDelegation(str(error)) from None


def alg_is_allowed(_provider: "Provider", token: PresentedDelegation) -> None:
    """`alg`: ES256 or RS256 (§5.4); and no extension is understood (RFC 7515 §4.1.11)."""
    if token.header.get("alg") not in ("ES256", "RS256") or "crit" in token.header:
        raise BadDelegation("alg")


def signature_is_ours(provider: "Provider", token: PresentedDelegation) -> None:
    """The signature verifies with a published key of the Brand's authorization server (§5.4)."""
    alg, kid = token.header["alg"], token.header.get("kid")
    signed = f"{token.segments[0]}.{token.segments[1]}".encode()
    for key in provider.delegation.keys.of(token.brand.id):
        public = key.private.public_key()
        algorithm = fitting(public, alg)
        if algorithm is None or key.alg != alg or kid not in (None, key.kid):
            continue
        if algorithm.verify(signed, public, token.signature):
            return
    raise BadDelegation("signature")


def issuer_is_ours(provider: "Provider", token: PresentedDelegation) -> None:
    """`iss`: the Brand's authorization server (§5.4)."""
    if token.claims.get("iss") != provider.delegation.issuer(provider, token.brand.id):
        raise BadDelegation("iss")


def audience_is_this_brand(provider: "Provider", token: PresentedDelegation) -> None:
    """`aud`: the Brand's interface URL; one Brand per token (§5.4)."""
    if token.claims.get("aud") != provider.interface(token.brand.id):
        raise BadDelegation("aud")


def token_has_not_expired(_provider: "Provider", token: PresentedDelegation) -> None:
    """`exp`: not yet; it is our own clock that set it."""
    exp = token.claims.get("exp")
    if not isinstance(exp, int | float) or isinstance(exp, bool) or token.now >= exp:
        raise BadDelegation("exp")


def client_is_the_caller(_provider: "Provider", token: PresentedDelegation) -> None:
    """`client_id`: equals the `iss` of the personal-agent JWT beside it (§5.4)."""
    if token.user is None or token.claims.get("client_id") != token.user.issuer:
        raise BadDelegation("client_id")


def grant_is_not_revoked(provider: "Provider", token: PresentedDelegation) -> None:
    """The grant is neither revoked nor expired (§5.5)."""
    grant = provider.delegation.grants.get(str(token.claims.get("grant_id")))
    if grant is None or not grant.lasts(token.now):
        raise BadDelegation("grant")


def token_steps() -> Table[Step]:
    """Return the steps in order."""
    return Table[Step](
        brand_delegates,
        has_the_form_of_a_jws,
        alg_is_allowed,
        signature_is_ours,
        issuer_is_ours,
        audience_is_this_brand,
        token_has_not_expired,
        client_is_the_caller,
        grant_is_not_revoked,
    )
