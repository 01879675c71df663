"""The device code grant: polls, until the User has decided (RFC 8628 §3.4, §3.5)."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pact_conformance.counterpart.provider.delegation.codes import DeviceCode
from pact_conformance.counterpart.provider.delegation.oauth_requests import OAuthRequest
from pact_conformance.counterpart.provider.delegation.token_endpoint import Issue
from pact_conformance.counterpart.provider.refusals import OAuthRefusal
from pact_conformance.counterpart.provider.table import Table

if TYPE_CHECKING:
    from pact_conformance.counterpart.provider.provider import Provider

SLOWER = 5.0
"""The seconds that a poll which came too soon adds to its code's interval (RFC 8628 §3.5)."""

CodeRule = Callable[["Provider", OAuthRequest, DeviceCode], None]


def redeem_device_code(provider: "Provider", request: OAuthRequest) -> Issue:
    """Return the token that an approved device code gets, once.

    Raises:
        OAuthRefusal: it gets none, or none yet.
    """
    code = provider.delegation.find_device_code(provider, request)
    for rule in provider.delegation.device_code_rules:
        rule(provider, request, code)
    assert code.grant is not None
    code.redeemed = True
    return Issue(request.brand, code.grant, code.granted, code.granted, request.now, request)


def find_device_code(provider: "Provider", request: OAuthRequest) -> DeviceCode:
    """Return the code that a request names.

    Raises:
        OAuthRefusal: it names none, or one that was never given out.
    """
    device_code = request.get("device_code")
    if device_code is None:
        raise OAuthRefusal("invalid_request", "device_code is missing")
    code = provider.delegation.codes.by_device_code(device_code)
    if code is None:
        raise OAuthRefusal("invalid_grant", "Unknown device_code")
    return code


def code_is_of_this_brand(_provider: "Provider", request: OAuthRequest, code: DeviceCode) -> None:
    """The code was given out by this Brand's authorization server (§5)."""
    if code.brand_id != request.brand.id:
        raise OAuthRefusal("invalid_grant", "Unknown device_code")


def code_is_of_this_client(_provider: "Provider", request: OAuthRequest, code: DeviceCode) -> None:
    """The code was given to this personal agent; which of its Users asks is not compared."""
    if code.client_id != request.user.issuer:
        raise OAuthRefusal("invalid_grant", "Unknown device_code")


def code_is_unused(_provider: "Provider", _request: OAuthRequest, code: DeviceCode) -> None:
    """The code has not had its token yet."""
    if code.redeemed:
        raise OAuthRefusal("invalid_grant", "The device_code has been used")


def user_has_not_refused(_provider: "Provider", _request: OAuthRequest, code: DeviceCode) -> None:
    """The User has not refused."""
    if code.decision == "denied":
        raise OAuthRefusal("access_denied", "The user has refused")


def code_has_not_expired(_provider: "Provider", request: OAuthRequest, code: DeviceCode) -> None:
    """The code is still good."""
    if request.now >= code.expires_at:
        raise OAuthRefusal("expired_token", "The device_code has expired")


def poll_is_not_too_soon(_provider: "Provider", request: OAuthRequest, code: DeviceCode) -> None:
    """While nothing is decided, the interval lies between two polls."""
    if code.decision != "pending":
        return
    polled_at, code.polled_at = code.polled_at, request.now
    # A clock that was set back says nothing about how long the caller waited.
    if polled_at is not None and 0 <= request.now - polled_at < code.interval:
        code.interval += SLOWER
        raise OAuthRefusal("slow_down", f"Poll every {code.interval:.0f} s")


def user_has_approved(_provider: "Provider", _request: OAuthRequest, code: DeviceCode) -> None:
    """The User has approved."""
    if code.decision == "pending":
        raise OAuthRefusal("authorization_pending", "The user has not decided yet")


def approval_stands(_provider: "Provider", request: OAuthRequest, code: DeviceCode) -> None:
    """The grant has been neither revoked since, nor has it expired."""
    if code.grant is None or not code.grant.lasts(request.now):
        raise OAuthRefusal("invalid_grant", "The grant has ended")


def device_code_rules() -> Table[CodeRule]:
    """Return what must hold of a device code for it to get a token, in order."""
    return Table[CodeRule](
        code_is_of_this_brand,
        code_is_of_this_client,
        code_is_unused,
        user_has_not_refused,
        code_has_not_expired,
        poll_is_not_too_soon,
        user_has_approved,
        approval_stands,
    )
