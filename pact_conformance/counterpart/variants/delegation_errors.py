"""Legal errors of the two OAuth endpoints (§5.3, §6, RFC 6749 §5.2)."""

from starlette.responses import Response

from pact_conformance.counterpart.provider.answers import encode
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.delegation.codes import DeviceCode
from pact_conformance.counterpart.provider.delegation.oauth_requests import OAuthRequest
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import OAuthRefusal
from pact_conformance.counterpart.substitution import Document, change_answers
from pact_conformance.counterpart.variants.delegation_changes import (
    change_oauth_errors,
    is_oauth,
)
from pact_conformance.counterpart.variants.registry import variant
from pact_conformance.wire.media_types import JSON


@variant()
def tells_less_in_oauth_errors(provider: Provider) -> None:
    """An OAuth error has nothing beside its code."""
    change_oauth_errors(provider, lambda body, _refusal: body.pop("error_description"))


@variant()
def tells_more_in_oauth_errors(provider: Provider) -> None:
    """An OAuth error has an error_uri, further members and an interval."""

    def change(body: Document, _refusal: OAuthRefusal) -> None:
        body["error_description"] = "Das geht nicht: “nein”"
        body.update(error_uri="https://provider.example/e/1", error_codes=[7], interval=5)

    change_oauth_errors(provider, change)


@variant()
def lets_oauth_errors_be_cached(provider: Provider) -> None:
    """An OAuth error has no Cache-Control, and a media type with a charset."""

    def error(refusal: OAuthRefusal) -> Response:
        return Response(encode({"error": refusal.error}), 400, media_type=f"{JSON}; charset=utf-8")

    provider.answers.oauth_error = error


@variant()
def says_invalid_client_with_a_bad_token(provider: Provider) -> None:
    """A bad personal-agent JWT at an OAuth endpoint gets invalid_client beside its challenge."""

    def change(call: Call, response: Response) -> Response | None:
        if not is_oauth(call) or response.status_code != 401:
            return None
        body = {"error": "invalid_client", "error_description": "Client authentication failed"}
        headers = {"WWW-Authenticate": response.headers["www-authenticate"]}
        return Response(encode(body), 401, headers | {"Cache-Control": "no-store"}, JSON)

    change_answers(provider, change)


def _refuse_client_ids(provider: Provider, refusal: OAuthRefusal) -> None:
    def client_is_the_caller(_provider: Provider, request: OAuthRequest) -> None:
        if request.get("client_id") not in (None, request.user.issuer):
            raise refusal

    for table in (provider.delegation.device_rules, provider.delegation.token_rules):
        table.replace("client_is_the_caller", client_is_the_caller)


@variant()
def says_invalid_client_with_400(provider: Provider) -> None:
    """A client_id that is not the caller's gets invalid_client with 400."""
    _refuse_client_ids(provider, OAuthRefusal("invalid_client", "client_id"))


@variant()
def says_unauthorized_client(provider: Provider) -> None:
    """A client_id that is not the caller's gets unauthorized_client."""
    _refuse_client_ids(provider, OAuthRefusal("unauthorized_client", "client_id"))


@variant()
def says_invalid_client_with_401(provider: Provider) -> None:
    """A client_id that is not the caller's gets invalid_client with 401 and a challenge."""
    original = provider.answers.oauth_error

    def error(refusal: OAuthRefusal) -> Response:
        response = original(refusal)
        if refusal.error == "invalid_client":
            response.status_code = 401
            response.headers["WWW-Authenticate"] = 'Bearer realm="a2a"'
        return response

    provider.answers.oauth_error = error
    _refuse_client_ids(provider, OAuthRefusal("invalid_client", "client_id"))


@variant()
def needs_no_client_id(provider: Provider) -> None:
    """A request without client_id is served, for the JWT says who asks."""
    for table in (provider.delegation.device_rules, provider.delegation.token_rules):
        table.drop("client_id_is_given")


@variant()
def takes_all_scopes_for_none(provider: Provider) -> None:
    """A request without scope is for all scopes of the card."""
    delegation = provider.delegation

    def scopes_are_given(_provider: Provider, request: OAuthRequest) -> None:
        if not request.scopes:
            request.pairs.append(("scope", " ".join(request.brand.scopes)))

    delegation.device_rules.replace("scopes_are_given", scopes_are_given)


@variant()
def checks_scopes_before_the_client(provider: Provider) -> None:
    """Of several faults in a request, those of its scopes are named first."""
    for name in ("scopes_are_given", "scopes_are_known"):
        provider.delegation.device_rules.move(name, before="client_id_is_given")


def _say_of_codes(provider: Provider, error: str, *, unknown: bool, used: bool) -> None:
    """Give unknown or used device codes another error."""
    delegation = provider.delegation
    find = delegation.find_device_code

    def find_device_code(provider: Provider, request: OAuthRequest) -> DeviceCode:
        try:
            return find(provider, request)
        except OAuthRefusal as refusal:
            if unknown and refusal.error == "invalid_grant":
                raise OAuthRefusal(error, "Unknown device_code") from None
            raise

    def code_is_unused(_provider: Provider, _request: OAuthRequest, code: DeviceCode) -> None:
        if code.redeemed:
            raise OAuthRefusal(error if used else "invalid_grant", "The device_code has been used")

    delegation.find_device_code = find_device_code
    delegation.device_code_rules.replace("code_is_unused", code_is_unused)


@variant()
def says_expired_token_for_unknown_codes(provider: Provider) -> None:
    """A device code that nobody issued gets expired_token."""
    _say_of_codes(provider, "expired_token", unknown=True, used=False)


@variant()
def says_expired_token_for_used_codes(provider: Provider) -> None:
    """A device code that was redeemed gets expired_token."""
    _say_of_codes(provider, "expired_token", unknown=False, used=True)


@variant()
def says_unsupported_for_no_grant_type(provider: Provider) -> None:
    """A request without grant_type gets unsupported_grant_type."""

    def grant_type_is_given(_provider: Provider, request: OAuthRequest) -> None:
        if request.get("grant_type") is None:
            raise OAuthRefusal("unsupported_grant_type", "grant_type is missing")

    provider.delegation.token_rules.replace("grant_type_is_given", grant_type_is_given)
