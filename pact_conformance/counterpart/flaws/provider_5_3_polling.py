"""Flaws of §5.3: polling for a token, and what becomes of a device code."""

from dataclasses import replace

from pact_conformance.counterpart.flaws.oauth_endpoints import (
    answer_error,
    json_answer,
    oauth_error,
)
from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.delegation.codes import DeviceCode
from pact_conformance.counterpart.provider.delegation.oauth_requests import OAuthRequest
from pact_conformance.counterpart.provider.delegation.token_endpoint import Issue
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import OAuthRefusal
from pact_conformance.counterpart.substitution import a2a_error

PENDING = ("5.3-pending", "5.3-fast-polling")
"""What is seen to be broken where no poll is told that it should go on."""


def _refuse(provider: Provider, rule: str, error: str) -> None:
    """Let what breaks a rule of device codes get another OAuth error."""
    rules = provider.delegation.device_code_rules
    original = rules[rule]

    def ruled(provider: Provider, request: OAuthRequest, code: DeviceCode) -> None:
        try:
            original(provider, request, code)
        except OAuthRefusal:
            raise OAuthRefusal(error, "Not served") from None

    rules.replace(rule, ruled)


@flaw(*PENDING)
def answers_a_pending_poll_with_202(provider: Provider) -> None:
    """While the User has not decided, polls get 202 with nothing in it."""
    answer_error(provider, "authorization_pending", lambda: json_answer({}, 202))


@flaw(*PENDING)
def answers_a_pending_poll_with_an_empty_token(provider: Provider) -> None:
    """While the User has not decided, polls get 200 with `access_token` null."""
    answer_error(provider, "authorization_pending", lambda: json_answer({"access_token": None}))


@flaw(*PENDING, "6-oauth-no-envelope")
def answers_a_pending_poll_as_a2a_does(provider: Provider) -> None:
    """While the User has not decided, polls get an A2A error."""
    answer_error(provider, "authorization_pending", lambda: a2a_error("UNSUPPORTED_OPERATION"))


@flaw(*PENDING)
def spells_pending_otherwise(provider: Provider) -> None:
    """The error of a pending poll is `pending`."""
    answer_error(provider, "authorization_pending", lambda: oauth_error("pending"))


@flaw(*PENDING)
def answers_a_pending_poll_with_403(provider: Provider) -> None:
    """`authorization_pending` comes with 403."""
    answer_error(
        provider, "authorization_pending", lambda: oauth_error("authorization_pending", 403)
    )


@flaw("5.3-fast-polling")
def burns_the_code_of_a_hasty_poll(provider: Provider) -> None:
    """A poll that comes too soon ends the flow."""
    rules = provider.delegation.device_code_rules
    original = rules["poll_is_not_too_soon"]

    def ruled(provider: Provider, request: OAuthRequest, code: DeviceCode) -> None:
        try:
            original(provider, request, code)
        except OAuthRefusal:
            code.expires_at = request.now
            raise

    rules.replace("poll_is_not_too_soon", ruled)


@flaw("5.3-fast-polling")
def denies_a_hasty_poll(provider: Provider) -> None:
    """A poll that comes too soon gets `access_denied`."""
    _refuse(provider, "poll_is_not_too_soon", "access_denied")


@flaw("5.3-fast-polling")
def answers_a_hasty_poll_with_another_status(provider: Provider) -> None:
    """`slow_down` comes with 403 in place of 400."""
    answer_error(provider, "slow_down", lambda: oauth_error("slow_down", 403))


@flaw("5.3-denied")
def keeps_a_refused_flow_pending(provider: Provider) -> None:
    """Polls are not told that the User has refused."""
    answer_error(provider, "access_denied", lambda: oauth_error("authorization_pending"))


@flaw("5.3-denied")
def forgets_a_refused_flow(provider: Provider) -> None:
    """After the User has refused, polls get `invalid_grant`."""
    _refuse(provider, "user_has_not_refused", "invalid_grant")


@flaw("5.3-expired")
def forgets_expired_codes(provider: Provider) -> None:
    """Expired codes are deleted, so that polls get `invalid_grant`."""
    _refuse(provider, "code_has_not_expired", "invalid_grant")


@flaw("5.3-expired")
def keeps_an_expired_flow_pending(provider: Provider) -> None:
    """Polls with an expired code are told to go on."""
    provider.delegation.device_code_rules.drop("code_has_not_expired")


@flaw("5.3-unknown-device-code")
def keeps_unknown_codes_pending(provider: Provider) -> None:
    """A device code that nobody issued gets `authorization_pending`."""

    def find(provider: Provider, request: OAuthRequest) -> DeviceCode:
        code = provider.delegation.codes.by_device_code(request.get("device_code") or "")
        if code is None and request.get("device_code") is not None:
            raise OAuthRefusal("authorization_pending", "The user has not decided yet")
        return original(provider, request)

    original = provider.delegation.find_device_code
    provider.delegation.find_device_code = find


@flaw("5.3-unknown-device-code")
def finds_nothing_for_an_unknown_code(provider: Provider) -> None:
    """A device code that nobody issued gets 404."""

    def find(provider: Provider, request: OAuthRequest) -> DeviceCode:
        try:
            return original(provider, request)
        except OAuthRefusal as refusal:
            if refusal.error == "invalid_grant":
                raise OAuthRefusal("not_found", "No such code") from None
            raise

    original = provider.delegation.find_device_code
    provider.delegation.find_device_code = find
    answer_error(provider, "not_found", lambda: oauth_error("not_found", 404))


@flaw("5.3-unknown-device-code")
def breaks_down_over_an_unknown_code(provider: Provider) -> None:
    """A device code that nobody issued gets 500."""

    def find(provider: Provider, request: OAuthRequest) -> DeviceCode:
        code = provider.delegation.codes.by_device_code(request.get("device_code") or "")
        if code is None and request.get("device_code") is not None:
            raise KeyError("device_code")
        return original(provider, request)

    original = provider.delegation.find_device_code
    provider.delegation.find_device_code = find


@flaw("5.3-device-code-single-use")
def redeems_a_code_twice(provider: Provider) -> None:
    """A device code gets a token until it expires."""
    provider.delegation.device_code_rules.drop("code_is_unused")


@flaw("5.3-device-code-single-use")
def makes_a_grant_of_each_use_of_a_code(provider: Provider) -> None:
    """A device code may be used again, and each use makes a new grant."""
    provider.delegation.device_code_rules.drop("code_is_unused")
    kinds, grants = provider.delegation.grant_types, provider.delegation.grants
    kind = next(it for it in kinds if it.endswith("device_code"))
    redeem = kinds[kind]

    def anew(provider: Provider, request: OAuthRequest) -> Issue:
        issue = redeem(provider, request)
        grant = replace(issue.grant, id=grants.mint())
        grants.add(grant)
        return replace(issue, grant=grant)

    kinds[kind] = anew


@flaw("5.3-device-code-agent-bound")
def redeems_a_code_for_any_agent(provider: Provider) -> None:
    """A device code is looked up by its value alone, and its token is its own agent's."""
    provider.delegation.device_code_rules.drop("code_is_of_this_client")


@flaw("5-authorization-server-per-brand")
def redeems_a_code_at_any_brand(provider: Provider) -> None:
    """All Brands share one store of device codes, and the Brand in the path is not compared."""
    provider.delegation.device_code_rules.drop("code_is_of_this_brand")
