"""The device authorization endpoint (RFC 8628 §3.1, PACT §5.3)."""

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from pact_conformance.counterpart.provider.delegation.codes import DeviceCode
from pact_conformance.counterpart.provider.delegation.oauth_requests import (
    OAuthRequest,
    OAuthRule,
    body_is_a_form,
    client_id_is_given,
    client_is_the_caller,
    no_parameter_stands_twice,
    read_request,
)
from pact_conformance.counterpart.provider.refusals import OAuthRefusal
from pact_conformance.counterpart.provider.table import Table

if TYPE_CHECKING:
    from starlette.responses import Response

    from pact_conformance.counterpart.provider.call import Call
    from pact_conformance.counterpart.provider.configuration import BrandConfig
    from pact_conformance.counterpart.provider.provider import Provider

DeviceMember = Callable[["Provider", "BrandConfig", DeviceCode], object]
"""Gives a member of the device authorization response."""


async def authorize_device(provider: "Provider", call: "Call") -> "Response":
    """Serve a device authorization request: codes and the link to the Brand's login."""
    request = await read_request(provider, call)
    delegation = provider.delegation
    for rule in delegation.device_rules:
        rule(provider, request)
    scopes = tuple(it for it in request.brand.scopes if it in request.scopes)
    code = delegation.codes.issue(request.brand, request.user.issuer, scopes, request.now)
    return provider.answers.oauth_result(
        {
            name: member(provider, request.brand, code)
            for name, member in delegation.device_response.items()
        }
    )


def scopes_are_given(_provider: "Provider", request: OAuthRequest) -> None:
    """Scopes are asked for: none is approved by default (RFC 6749 §3.3)."""
    if not request.scopes:
        raise OAuthRefusal("invalid_scope", "scope is missing")


def scopes_are_known(_provider: "Provider", request: OAuthRequest) -> None:
    """Every scope is on the card; one that is not refuses them all (§5.3)."""
    if not set(request.scopes) <= set(request.brand.scopes):
        raise OAuthRefusal("invalid_scope", "A scope is not on the card")


def device_rules() -> Table[OAuthRule]:
    """Return what a device authorization request must be, in order."""
    return Table[OAuthRule](
        body_is_a_form,
        no_parameter_stands_twice,
        client_id_is_given,
        client_is_the_caller,
        scopes_are_given,
        scopes_are_known,
    )


def device_response() -> dict[str, DeviceMember]:
    """Return the members of the response (RFC 8628 §3.2), each by itself."""
    return {
        "device_code": lambda _provider, _brand, code: code.device_code,
        "user_code": lambda _provider, _brand, code: code.user_code,
        "verification_uri": lambda provider, brand, _code: login_link(provider, brand.id),
        "verification_uri_complete": lambda provider, brand, code: provider.delegation.login_link(
            provider, brand.id, code.user_code
        ),
        "expires_in": lambda _provider, brand, _code: int(brand.device_code_seconds),
        "interval": lambda _provider, _brand, code: int(code.interval),
    }


def login_link(provider: "Provider", brand_id: str, user_code: str | None = None) -> str:
    """Return the link to the Brand's login, from where the User returns to us (§5.3)."""
    return_to = f"{provider.delegation.issuer(provider, brand_id)}/return"
    if user_code is not None:
        return_to += f"?{urlencode({'user_code': user_code})}"
    site = provider.domains.url(brand_id)
    return f"{site}{provider.login.path}?{urlencode({'return_to': return_to})}"
