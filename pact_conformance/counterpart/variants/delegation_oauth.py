"""Legal answers of the two OAuth endpoints (§5.3, §6, RFC 6749 §5, RFC 8628 §3)."""

import secrets
import string
from typing import Any

from starlette.responses import Response

from pact_conformance.counterpart.provider.answers import encode
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.delegation.codes import DeviceCode
from pact_conformance.counterpart.provider.delegation.oauth_requests import OAuthRequest
from pact_conformance.counterpart.provider.delegation.token_endpoint import Issue
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import OAuthRefusal
from pact_conformance.counterpart.substitution import Document, change_answers
from pact_conformance.counterpart.variants.delegation_changes import (
    change_brands,
    is_oauth,
)
from pact_conformance.counterpart.variants.registry import variant
from pact_conformance.wire.media_types import JSON

# The device authorization response


@variant()
def leaves_out_the_interval(provider: Provider) -> None:
    """The device authorization response has no interval, which means 5."""
    del provider.delegation.device_response["interval"]


@variant()
def polls_every_second(provider: Provider) -> None:
    """The interval is 1."""
    change_brands(provider, poll_interval=1.0)


@variant()
def allows_polls_at_any_time(provider: Provider) -> None:
    """The interval is 0."""
    change_brands(provider, poll_interval=0.0)


@variant()
def polls_every_half_minute(provider: Provider) -> None:
    """The interval is 30."""
    change_brands(provider, poll_interval=30.0)


@variant()
def adds_members_to_the_device_response(provider: Provider) -> None:
    """The device authorization response has members that RFC 8628 does not know."""
    more: Document = {"message": "Open …", "expires_at": "2026-09-30T12:00:00Z", "qr": None}
    for name, value in more.items():
        provider.delegation.device_response[name] = lambda *_, value=value: value


@variant()
def mints_numbers_for_user_codes(provider: Provider) -> None:
    """A user code is nine digits in groups."""

    def mint() -> str:
        digits = "".join(secrets.choice(string.digits) for _ in range(9))
        return f"{digits[:3]} {digits[3:6]} {digits[6:]}"

    provider.delegation.codes.mint_user_code = mint


@variant()
def mints_long_device_codes(provider: Provider) -> None:
    """A device code is long, and has characters that a form has to escape."""
    provider.delegation.codes.mint_device_code = lambda: (
        f"dc+{secrets.token_urlsafe(200)}/=&%20 {secrets.token_hex(60)}"
    )


@variant()
def hides_the_user_code_in_its_link(provider: Provider) -> None:
    """The complete link carries a ticket, of which the user code cannot be read."""
    delegation = provider.delegation
    link, by_code, tickets = delegation.login_link, delegation.codes.by_user_code, dict[str, str]()

    def login_link(provider: Provider, brand_id: str, user_code: str | None = None) -> str:
        if user_code is None or user_code in tickets:
            return link(provider, brand_id, user_code)
        ticket = secrets.token_urlsafe(24)
        tickets[ticket] = user_code
        return link(provider, brand_id, ticket)

    def by_user_code(user_code: str) -> DeviceCode | None:
        return by_code(tickets.get(user_code, user_code))

    delegation.login_link = login_link
    delegation.codes.by_user_code = by_user_code  # type: ignore[method-assign]


@variant("5.3-device-no-store")
def lets_device_responses_be_cached(provider: Provider) -> None:
    """The device authorization response has no Cache-Control."""

    def change(call: Call, response: Response) -> None:
        if call.operation is not None and call.operation.name == "device authorization":
            del response.headers["Cache-Control"]

    change_answers(provider, change)


@variant()
def forbids_caching_in_other_words(provider: Provider) -> None:
    """OAuth answers have several directives in capitals, and a Pragma."""

    def change(call: Call, response: Response) -> None:
        if is_oauth(call):
            response.headers["Cache-Control"] = "private, No-Store, must-revalidate, max-age=0"
            response.headers["Pragma"] = "no-cache"
            response.headers["Content-Type"] = "application/json;charset=UTF-8"

    change_answers(provider, change)


# Polls


@variant()
def never_slows_polls_down(provider: Provider) -> None:
    """Polls that come too soon get authorization_pending."""
    provider.delegation.device_code_rules.drop("poll_is_not_too_soon")


@variant()
def slows_polls_down_once_in_a_while(provider: Provider) -> None:
    """Polls that come too soon get slow_down, and the interval stays as it is."""

    def poll_is_not_too_soon(_provider: Provider, request: OAuthRequest, code: DeviceCode) -> None:
        polled_at, code.polled_at = code.polled_at, request.now
        if polled_at is not None and 0 <= request.now - polled_at < code.interval:
            raise OAuthRefusal("slow_down", "Too fast")

    provider.delegation.device_code_rules.replace("poll_is_not_too_soon", poll_is_not_too_soon)


@variant()
def slows_polls_down_a_second_late(provider: Provider) -> None:
    """A poll a second before the interval is over is still in time."""
    _shift_the_threshold(provider, -1.0)


@variant()
def slows_polls_down_a_second_early(provider: Provider) -> None:
    """A poll less than a second after the interval is still too soon."""
    _shift_the_threshold(provider, 1.0)


def _shift_the_threshold(provider: Provider, seconds: float) -> None:
    issue = provider.delegation.codes.issue

    def issued(*arguments: Any) -> DeviceCode:  # noqa: ANN401 - handed on as they are
        code = issue(*arguments)
        code.interval += seconds
        return code

    provider.delegation.codes.issue = issued  # type: ignore[method-assign,assignment]
    interval = provider.delegation.device_response["interval"]
    provider.delegation.device_response["interval"] = lambda provider, brand, code: (
        int(str(interval(provider, brand, code))) - int(seconds)
    )


@variant()
def notices_an_approval_two_polls_late(provider: Provider) -> None:
    """For two polls after the User's page says so, a flow is still pending."""
    seen: dict[str, int] = {}

    def approval_has_arrived(_provider: Provider, _request: OAuthRequest, code: DeviceCode) -> None:
        if code.decision == "approved":
            seen[code.device_code] = seen.get(code.device_code, 0) + 1
            if seen[code.device_code] <= 2:
                raise OAuthRefusal("authorization_pending", "Not yet")

    change_brands(provider, poll_interval=0.0)
    provider.delegation.device_code_rules.add(approval_has_arrived, before="user_has_approved")


@variant()
def denies_after_a_poll(provider: Provider) -> None:
    """A refusal is noticed a poll after the User's page says so."""
    seen: set[str] = set()

    def refusal_has_arrived(_provider: Provider, _request: OAuthRequest, code: DeviceCode) -> None:
        if code.decision == "denied" and code.device_code not in seen:
            seen.add(code.device_code)
            raise OAuthRefusal("authorization_pending", "Not yet")

    change_brands(provider, poll_interval=0.0)
    provider.delegation.device_code_rules.add(refusal_has_arrived, before="user_has_not_refused")


# Device codes


@variant("5.3-device-code-single-use")
def repeats_the_response_of_a_redeemed_code(provider: Provider) -> None:
    """A device code that is redeemed again at once gets the identical response."""
    _repeat_responses(provider)


def _repeat_responses(provider: Provider) -> None:
    delegation, responses = provider.delegation, dict[str, Any]()
    redeem = delegation.grant_types["urn:ietf:params:oauth:grant-type:device_code"]
    original = provider.answers.oauth_result
    current: list[str] = [""]

    def redeemed(provider: Provider, request: OAuthRequest) -> Issue:
        current[0] = request.get("device_code") or ""
        return redeem(provider, request)

    def result(value: Any) -> Response:  # noqa: ANN401 - a JSON value
        code, current[0] = current[0], ""
        if "access_token" in value and code:
            value = responses.setdefault(code, value)
        return original(value)

    delegation.grant_types["urn:ietf:params:oauth:grant-type:device_code"] = redeemed
    delegation.device_code_rules.drop("code_is_unused")
    provider.answers.oauth_result = result


@variant()
def burns_a_code_that_a_stranger_tries(provider: Provider) -> None:
    """A device code that another personal agent tries is worth nothing any more."""

    def code_is_of_this_client(
        _provider: Provider, request: OAuthRequest, code: DeviceCode
    ) -> None:
        if code.client_id != request.user.issuer:
            code.deny()
            raise OAuthRefusal("invalid_grant", "Unknown device_code")

    provider.delegation.device_code_rules.replace("code_is_of_this_client", code_is_of_this_client)


# Limits


@variant()
def limits_device_flows(provider: Provider) -> None:
    """Every fifth request at an OAuth endpoint gets 429 with Retry-After, and nothing is done."""
    _limit(provider, every=5, headers={"Retry-After": "0"}, body=b"")


@variant()
def limits_device_flows_in_json(provider: Provider) -> None:
    """Every seventh request at an OAuth endpoint gets 429 with an error of OAuth's form."""
    body = encode({"error": "slow_down", "error_description": "Too many requests"})
    _limit(provider, every=7, headers={"Retry-After": "1", "Content-Type": JSON}, body=body)


def _limit(provider: Provider, *, every: int, headers: dict[str, str], body: bytes) -> None:
    """Answer 429 now and then, but to nobody whose token is bad, and never twice in a row."""
    counted = [0]

    async def within_the_limit(_provider: Provider, call: Call) -> None:
        if is_oauth(call):
            counted[0] += 1
            if counted[0] % every == 0:
                raise OAuthRefusal("limited", "")

    original = provider.answers.oauth_error

    def error(refusal: OAuthRefusal) -> Response:
        if refusal.error != "limited":
            return original(refusal)
        return Response(body, 429, headers)

    provider.gates.add(within_the_limit)
    provider.answers.oauth_error = error
