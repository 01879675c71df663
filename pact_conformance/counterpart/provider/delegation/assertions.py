"""The checks of a Brand's assertion (§5.3): a table of steps, each of which may refuse."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pact_conformance.counterpart.provider import jose
from pact_conformance.counterpart.provider.refusals import PageRefusal
from pact_conformance.counterpart.provider.table import Table
from pact_conformance.counterpart.provider.verifier import ES256

if TYPE_CHECKING:
    from pact_conformance.counterpart.provider.configuration import BrandConfig
    from pact_conformance.counterpart.provider.provider import Provider


@dataclass
class PresentedAssertion:
    """An assertion on its way through the steps."""

    text: str = field(repr=False)
    user_code: str = field(repr=False)
    """The flow that it was posted for."""
    brand: "BrandConfig"
    now: float
    claims: dict[str, Any] = field(default_factory=dict, repr=False)


Step = Callable[["Provider", PresentedAssertion], None]


def refused() -> PageRefusal:
    """Return the one answer to whatever is wrong with an assertion."""
    return PageRefusal(
        403, "Your sign-in did not arrive", "Please open the link again that you were given."
    )


def brand_has_signed_it(provider: "Provider", assertion: PresentedAssertion) -> None:
    """It is a JWT that the Brand has signed with its own key, by ES256."""
    segments = assertion.text.split(".")
    try:
        header, claims, signature = map(jose.decode_segment, segments)
        members, assertion.claims = jose.read_object(header), jose.read_object(claims)
    except ValueError:
        raise refused() from None
    signed = f"{segments[0]}.{segments[1]}".encode()
    keys = (key.private.public_key() for key in provider.login.keys.of(assertion.brand.id))
    if members.get("alg") != "ES256" or not any(
        ES256.verify(signed, key, signature) for key in keys
    ):
        raise refused()


def it_is_for_us(provider: "Provider", assertion: PresentedAssertion) -> None:
    """It is from this Brand for this Brand's authorization server."""
    expected = provider.delegation.issuer(provider, assertion.brand.id)
    site = provider.domains.url(assertion.brand.id)
    if assertion.claims.get("aud") != expected or assertion.claims.get("iss") != site:
        raise refused()


def it_is_fresh(_provider: "Provider", assertion: PresentedAssertion) -> None:
    """It has not expired; both sides live by the Brand's clock."""
    exp = assertion.claims.get("exp")
    if not isinstance(exp, int | float) or assertion.now >= exp:
        raise refused()


def it_is_for_this_code(_provider: "Provider", assertion: PresentedAssertion) -> None:
    """It was made for the user code that it comes with (§5.3)."""
    if assertion.claims.get("user_code") != assertion.user_code:
        raise refused()


def it_is_used_once(provider: "Provider", assertion: PresentedAssertion) -> None:
    """It has not been used before (§5.3), and now it has."""
    used, jti = provider.delegation.consent.used_assertions, assertion.claims.get("jti")
    if not isinstance(jti, str) or (assertion.brand.id, jti) in used:
        raise refused()
    used.add((assertion.brand.id, jti))


def assertion_steps() -> Table[Step]:
    """Return the steps in order; the one that uses it up is the last."""
    return Table[Step](
        brand_has_signed_it,
        it_is_for_us,
        it_is_fresh,
        it_is_for_this_code,
        it_is_used_once,
    )
