"""Flaws of §6 at the OAuth endpoints: their errors are OAuth's."""

from collections.abc import Callable

from starlette.responses import Response

from pact_conformance.counterpart.flaws.oauth_endpoints import (
    TOKEN,
    answer_error,
    answer_strangers,
    change_errors_of_oauth,
    json_answer,
    oauth_error,
)
from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.answers import encode
from pact_conformance.counterpart.provider.delegation.grants import Grant
from pact_conformance.counterpart.provider.delegation.oauth_requests import OAuthRequest
from pact_conformance.counterpart.provider.delegation.token_endpoint import Issue
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import OAuthRefusal
from pact_conformance.counterpart.substitution import a2a_error
from pact_conformance.wire.errors import envelope
from pact_conformance.wire.media_types import JSON


def _answer_missing(provider: Provider, answer: Callable[[str], Response]) -> None:
    """Put another answer in the place of errors over missing parameters of a grant type."""

    def change(refusal: OAuthRefusal) -> Response | None:
        name = refusal.description.partition(" is missing")[0]
        return answer(name) if name in {"device_code", "refresh_token"} else None

    change_errors_of_oauth(provider, change)


@flaw("6-oauth-errors")
def answers_a_missing_parameter_as_the_framework_does(provider: Provider) -> None:
    """A missing parameter gets a validation error with 422."""

    def answer(name: str) -> Response:
        problem = {"loc": ["body", name], "msg": "Field required", "type": "missing"}
        return json_answer({"detail": [problem]}, 422)

    _answer_missing(provider, answer)


@flaw("6-oauth-errors")
def answers_a_missing_parameter_with_a_problem_document(provider: Provider) -> None:
    """A missing parameter gets a problem document in place of an OAuth error."""
    _answer_missing(
        provider,
        lambda name: Response(
            encode({"title": f"{name} is missing", "status": 400}),
            status_code=400,
            media_type="application/problem+json",
        ),
    )


@flaw("6-oauth-errors")
def answers_a_missing_parameter_with_200(provider: Provider) -> None:
    """A missing parameter gets an OAuth error with 200."""
    _answer_missing(provider, lambda _name: oauth_error("invalid_request", 200))


@flaw("6-oauth-errors", "6-oauth-no-envelope")
def answers_a_missing_parameter_as_a2a_does(provider: Provider) -> None:
    """A missing parameter gets A2A's INVALID_PARAMS."""
    _answer_missing(provider, lambda _name: a2a_error("INVALID_PARAMS"))


@flaw("6-oauth-errors")
def breaks_down_over_a_missing_refresh_token(provider: Provider) -> None:
    """A refresh without a token gets 500."""

    def answer(name: str) -> Response:
        is_refresh = name == "refresh_token"
        return Response(status_code=500) if is_refresh else oauth_error("invalid_request")

    _answer_missing(provider, answer)


@flaw("5.4-refresh-agent-bound", "6-oauth-errors")
def writes_errors_in_words_of_its_own(provider: Provider) -> None:
    """An unknown refresh token gets an `error` that is an object."""

    def change(refusal: OAuthRefusal) -> Response | None:
        error = {"code": "invalid_grant", "text": "Unknown"}
        is_unknown = refusal.description == "Unknown refresh_token"
        return json_answer({"error": error}, 400) if is_unknown else None

    change_errors_of_oauth(provider, change)


@flaw("5.4-refresh-agent-bound", "6-oauth-errors")
def finds_nothing_for_an_unknown_refresh_token(provider: Provider) -> None:
    """An unknown refresh token gets 404."""

    def change(refusal: OAuthRefusal) -> Response | None:
        is_unknown = refusal.description == "Unknown refresh_token"
        return oauth_error("invalid_grant", 404) if is_unknown else None

    change_errors_of_oauth(provider, change)


@flaw("6-oauth-no-envelope")
def puts_an_envelope_on_a_401_of_an_oauth_endpoint(provider: Provider) -> None:
    """A bad JWT at the token endpoint gets the right challenge, and an A2A error as its body."""

    def answer() -> Response:
        headers = {"WWW-Authenticate": 'Bearer realm="a2a"'}
        body = envelope("INVALID_PARAMS", "Not served", http=401, status="UNAUTHENTICATED")
        return Response(encode(body), status_code=401, media_type=JSON, headers=headers)

    answer_strangers(provider, TOKEN, answer)


def _serve(provider: Provider, grant_type: str) -> None:
    """Serve a further grant type: a token of the first account for every scope."""

    def issue(provider: Provider, request: OAuthRequest) -> Issue:
        brand, now, scopes = request.brand, request.now, tuple(request.brand.scopes)
        grant = Grant(
            id=provider.delegation.grants.mint(),
            brand_id=brand.id,
            brand_user=brand.accounts[0].user,
            client_id=request.user.issuer,
            scopes=scopes,
            granted_at=now,
            expires_at=now + brand.grant_seconds,
        )
        return Issue(brand, grant, scopes, scopes, now, request)

    provider.delegation.grant_types[grant_type] = issue


@flaw("6-oauth-grant-type")
def serves_client_credentials(provider: Provider) -> None:
    """The token endpoint serves the client credentials grant, as its library does."""
    _serve(provider, "client_credentials")


@flaw("6-oauth-grant-type")
def serves_passwords(provider: Provider) -> None:
    """The token endpoint serves the password grant."""
    _serve(provider, "password")


@flaw("6-oauth-grant-type")
def finds_no_route_for_an_unknown_grant_type(provider: Provider) -> None:
    """An unknown grant type gets 404."""
    answer_error(provider, "unsupported_grant_type", lambda: Response(status_code=404))


@flaw("6-oauth-grant-type")
def calls_an_unknown_grant_type_an_invalid_grant(provider: Provider) -> None:
    """An unknown grant type gets `invalid_grant`."""
    answer_error(provider, "unsupported_grant_type", lambda: oauth_error("invalid_grant"))


@flaw("6-oauth-grant-type")
def breaks_down_over_a_missing_grant_type(provider: Provider) -> None:
    """A missing grant type gets 500."""

    def change(refusal: OAuthRefusal) -> Response | None:
        is_missing = refusal.description == "grant_type is missing"
        return Response(status_code=500) if is_missing else None

    change_errors_of_oauth(provider, change)


@flaw("6-oauth-grant-type", "6-oauth-no-envelope")
def refuses_an_unknown_grant_type_as_a2a_does(provider: Provider) -> None:
    """An unknown grant type gets A2A's UNSUPPORTED_OPERATION."""
    answer_error(provider, "unsupported_grant_type", lambda: a2a_error("UNSUPPORTED_OPERATION"))
