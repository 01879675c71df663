"""Flaws of §5.3: the device authorization endpoint, and who may use the two endpoints."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pact_conformance.counterpart.flaws.oauth_endpoints import (
    DEVICE,
    TOKEN,
    answer_error,
    answer_strangers,
    change_result,
    keep_forever,
    let_in,
    oauth_error,
)
from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider import jose
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.delegation.oauth_requests import OAuthRequest
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import OAuthRefusal, Unauthenticated
from pact_conformance.counterpart.provider.verifier import User
from pact_conformance.counterpart.substitution import a2a_error
from pact_conformance.wire.media_types import JSON, essence


@flaw("5.3-device-authorization")
def expects_json_at_the_device_endpoint(provider: Provider) -> None:
    """The device authorization request has to be JSON in place of a form."""

    def body_is_json(_provider: Provider, request: OAuthRequest) -> None:
        if essence(request.content_type) != JSON:
            raise OAuthRefusal("invalid_request", f"The request body must be {JSON}")

    provider.delegation.device_rules.replace("body_is_a_form", body_is_json)


@flaw("5.3-device-authorization")
def asks_for_a_client_secret(provider: Provider) -> None:
    """The device authorization endpoint asks for a secret, beside the JWT."""

    def client_is_authenticated(_provider: Provider, request: OAuthRequest) -> None:
        if request.get("client_secret") is None:
            raise OAuthRefusal("invalid_client", "client_secret is missing")

    provider.delegation.device_rules.add(client_is_authenticated)


def _without(*names: str) -> Callable[[dict[str, Any]], object]:
    return lambda document: [document.pop(name) for name in names]


@flaw("5.3-device-authorization")
def gives_no_device_code(provider: Provider) -> None:
    """The answer has a user code and a link, and nothing to poll with."""
    change_result(provider, DEVICE, _without("device_code"))


@flaw("5.3-device-authorization")
def gives_no_user_code(provider: Provider) -> None:
    """The answer has no user code, for it stands in the link."""
    change_result(provider, DEVICE, _without("user_code"))


@flaw("5.3-device-authorization")
def gives_no_verification_uri(provider: Provider) -> None:
    """The answer has the complete link alone."""
    change_result(provider, DEVICE, _without("verification_uri"))


@flaw("5.3-device-authorization")
def does_not_say_how_long_codes_live(provider: Provider) -> None:
    """The answer has no `expires_in`."""
    change_result(provider, DEVICE, _without("expires_in"))


@flaw("5.3-device-authorization")
def says_in_words_how_long_codes_live(provider: Provider) -> None:
    """`expires_in` is a string."""
    provider.delegation.device_response["expires_in"] = lambda _provider, _brand, _code: "600"


@flaw("5.3-device-authorization")
def calls_the_link_as_google_does(provider: Provider) -> None:
    """The answer has `verification_url` in place of `verification_uri`."""
    change_result(
        provider, DEVICE, lambda it: it.update(verification_url=it.pop("verification_uri"))
    )


@flaw("5.3-device-authorization")
def answers_a_device_request_with_201(provider: Provider) -> None:
    """The answer with the codes has 201."""
    change_result(provider, DEVICE, lambda _: None, 201)


@flaw("5.3-device-authorization")
def shows_one_user_code_for_all_flows(provider: Provider) -> None:
    """Every answer shows the same user code; the link has the flow's own."""
    response = provider.delegation.device_response
    response["user_code"] = lambda _provider, _brand, _code: "WDJB-MJHT"


@flaw("5.3-verification-uri-complete")
def gives_no_complete_link(provider: Provider) -> None:
    """The answer has no `verification_uri_complete`, which RFC 8628 leaves free."""
    del provider.delegation.device_response["verification_uri_complete"]


@flaw("5.3-verification-uri-complete")
def gives_a_link_without_the_code(provider: Provider) -> None:
    """`verification_uri_complete` is `verification_uri`, where the User types the code."""
    response = provider.delegation.device_response
    response["verification_uri_complete"] = response["verification_uri"]


@flaw("5.3-device-no-store")
def lets_device_codes_be_cached(provider: Provider) -> None:
    """The answer with the codes has no `Cache-Control`."""
    keep_forever(provider, DEVICE)


def _anybody(provider: Provider, call: Call) -> User | None:
    """Say who calls, by no more than what anybody can write."""
    try:
        provider.bearer_token(call.request)
    except Unauthenticated:
        return _registered(provider)
    return _by_words_alone(provider, call)


def _registered(provider: Provider) -> User:
    return User(next(iter(provider.verifier.agents)), "somebody")


def _by_words_alone(provider: Provider, call: Call) -> User | None:
    """Say who calls, by a token whose signature and times are not looked at."""
    try:
        text = provider.bearer_token(call.request)
        claims = jose.read_object(jose.decode_segment(text.split(".")[1]))
    except (Unauthenticated, ValueError, IndexError):
        return None
    issuer, sub = claims.get("iss"), claims.get("sub")
    if not isinstance(issuer, str) or not isinstance(sub, str):
        return None
    return User(issuer, sub) if issuer in provider.verifier.agents else None


@flaw("5.3-bad-jwt-device")
def gives_device_codes_to_anybody(provider: Provider) -> None:
    """The device authorization endpoint is public, as RFC 8628 allows elsewhere."""
    let_in(provider, DEVICE, _anybody)


@flaw("5.3-bad-jwt-device")
def believes_tokens_at_the_device_endpoint(provider: Provider) -> None:
    """The device authorization endpoint reads the JWT and does not verify it."""
    let_in(provider, DEVICE, _by_words_alone)


@flaw("5.3-bad-jwt-device")
def refuses_strangers_at_the_device_endpoint_as_oauth_does(provider: Provider) -> None:
    """A bad JWT at the device authorization endpoint gets `invalid_client` with 400."""
    answer_strangers(provider, DEVICE, lambda: oauth_error("invalid_client"))


@flaw("5.3-bad-jwt-token")
def takes_the_device_code_for_proof_enough(provider: Provider) -> None:
    """The token endpoint is public: the code says who polls."""
    let_in(provider, TOKEN, _anybody)


@flaw("5.3-bad-jwt-token")
def believes_tokens_at_the_token_endpoint(provider: Provider) -> None:
    """The token endpoint reads the JWT and does not verify it."""
    let_in(provider, TOKEN, _by_words_alone)


@flaw("5.3-bad-jwt-token")
def refuses_strangers_at_the_token_endpoint_as_oauth_does(provider: Provider) -> None:
    """A bad JWT at the token endpoint gets `invalid_client` with 400."""
    answer_strangers(provider, TOKEN, lambda: oauth_error("invalid_client"))


@flaw("5.3-client-id")
def ignores_the_client_id_at_the_device_endpoint(provider: Provider) -> None:
    """A device authorization request may name any client."""
    provider.delegation.device_rules.drop("client_is_the_caller")


@flaw("5.3-client-id")
def ignores_the_client_id_at_the_token_endpoint(provider: Provider) -> None:
    """A token request may name any client."""
    provider.delegation.token_rules.drop("client_is_the_caller")


@flaw("5.3-client-id")
def trusts_the_client_id_over_the_token(provider: Provider) -> None:
    """Whose flow it is, is said by `client_id` and not by the JWT."""

    def client_is_who_it_says(_provider: Provider, request: OAuthRequest) -> None:
        client_id = request.get("client_id")
        if client_id is not None:
            request.user = replace(request.user, issuer=client_id)

    provider.delegation.device_rules.replace("client_is_the_caller", client_is_who_it_says)


@flaw("5.3-unknown-scope")
def drops_scopes_that_it_does_not_know(provider: Provider) -> None:
    """Unknown scopes are left out of what is asked for."""
    provider.delegation.device_rules.drop("scopes_are_known")


@flaw("5.3-unknown-scope")
def overlooks_an_unknown_scope_among_known_ones(provider: Provider) -> None:
    """A request is refused only where all of its scopes are unknown."""

    def a_scope_is_known(_provider: Provider, request: OAuthRequest) -> None:
        if not set(request.scopes) & set(request.brand.scopes):
            raise OAuthRefusal("invalid_scope", "No scope is on the card")

    provider.delegation.device_rules.replace("scopes_are_known", a_scope_is_known)


@flaw("5.3-unknown-scope")
def calls_an_unknown_scope_an_invalid_request(provider: Provider) -> None:
    """An unknown scope gets `invalid_request`."""
    answer_error(provider, "invalid_scope", lambda: oauth_error("invalid_request"))


@flaw("5.3-unknown-scope", "5.4-refresh-no-widening", "6-oauth-no-envelope")
def refuses_an_unknown_scope_as_a2a_does(provider: Provider) -> None:
    """An unknown scope gets A2A's INVALID_PARAMS."""
    answer_error(provider, "invalid_scope", lambda: a2a_error("INVALID_PARAMS"))
