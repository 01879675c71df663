"""What both OAuth endpoints ask of a request: a form, and the caller as its client (§5.3)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from pact_conformance.counterpart.provider.call import read_body
from pact_conformance.counterpart.provider.refusals import A2ARefusal, OAuthRefusal
from pact_conformance.wire.media_types import FORM, essence
from pact_conformance.wire.oauth import REFRESH_TOKEN_GRANT

if TYPE_CHECKING:
    from pact_conformance.counterpart.provider.call import Call
    from pact_conformance.counterpart.provider.configuration import BrandConfig
    from pact_conformance.counterpart.provider.provider import Provider
    from pact_conformance.counterpart.provider.verifier import User


@dataclass
class OAuthRequest:
    """A request to an OAuth endpoint on its way through the rules."""

    brand: "BrandConfig"
    user: "User"
    """Who calls, by the personal-agent JWT: the client is its issuer (§5)."""
    now: float
    content_type: str | None
    body: bytes = field(repr=False)
    pairs: list[tuple[str, str]] = field(default_factory=list, repr=False)

    def get(self, name: str) -> str | None:
        """Return a parameter; one without a value is as if it were left out (RFC 6749 §3.1)."""
        return next((value for key, value in self.pairs if key == name and value), None)

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes asked for, each once (RFC 6749 §3.3)."""
        return tuple(dict.fromkeys(it for it in (self.get("scope") or "").split(" ") if it))


OAuthRule = Callable[["Provider", OAuthRequest], None]


async def read_request(provider: "Provider", call: "Call") -> OAuthRequest:
    """Return a request, whose caller the gates have verified.

    Raises:
        OAuthRefusal: its body is too long.
    """
    assert call.brand is not None
    assert call.user is not None
    try:
        body = await read_body(call.request, provider.config.max_body)
    except A2ARefusal as refusal:
        raise OAuthRefusal("invalid_request", refusal.message) from None
    return OAuthRequest(
        brand=call.brand,
        user=call.user,
        now=provider.clock.now(call.brand.id),
        content_type=call.request.headers.get("content-type"),
        body=body,
    )


def body_is_a_form(_provider: "Provider", request: OAuthRequest) -> None:
    """The parameters come as a form in UTF-8 (RFC 6749 appendix B)."""
    if essence(request.content_type) != FORM:
        raise OAuthRefusal("invalid_request", f"The request body must be {FORM}")
    try:
        request.pairs = parse_form(request.body)
    except ValueError:
        raise OAuthRefusal("invalid_request", "The request body cannot be read") from None


def no_parameter_stands_twice(_provider: "Provider", request: OAuthRequest) -> None:
    """A parameter is given once (RFC 6749 §3.1, §3.2)."""
    names = [name for name, _ in request.pairs]
    if len(set(names)) != len(names):
        raise OAuthRefusal("invalid_request", "A parameter is given more than once")


def client_id_is_given(_provider: "Provider", request: OAuthRequest) -> None:
    """The client is named (RFC 8628 §3.1, §3.4). A refresh need not name it (RFC 6749 §6)."""
    if request.get("client_id") is None and request.get("grant_type") != REFRESH_TOKEN_GRANT:
        raise OAuthRefusal("invalid_request", "client_id is missing")


def client_is_the_caller(_provider: "Provider", request: OAuthRequest) -> None:
    """`client_id` is the issuer whose JWT came with the request (§5.3).

    Not `invalid_client`: RFC 6749 §5.2 ties it to a 401 wherever a client used `Authorization`.
    """
    if request.get("client_id") not in (None, request.user.issuer):
        raise OAuthRefusal("invalid_request", "client_id is not the iss of the personal-agent JWT")


def parse_form(body: bytes) -> list[tuple[str, str]]:
    """Return the parameters of a form.

    Raises:
        ValueError: it is not UTF-8, or has more than a hundred parameters.
    """
    text = body.decode("utf-8")
    return parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=100)
