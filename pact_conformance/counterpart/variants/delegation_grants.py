"""Legal refreshes, bindings and grants (§5.3, §5.4)."""

from typing import Any

from pact_conformance.counterpart.provider.delegation.codes import DeviceCode
from pact_conformance.counterpart.provider.delegation.consent import Fields
from pact_conformance.counterpart.provider.delegation.consent import grant as make_grant
from pact_conformance.counterpart.provider.delegation.grants import Grant
from pact_conformance.counterpart.provider.delegation.oauth_requests import OAuthRequest
from pact_conformance.counterpart.provider.delegation.refreshing import RefreshToken
from pact_conformance.counterpart.provider.delegation.token_checks import PresentedDelegation
from pact_conformance.counterpart.provider.delegation.token_endpoint import Issue
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import BadDelegation, OAuthRefusal
from pact_conformance.counterpart.provider.sessions import Session
from pact_conformance.counterpart.substitution import Document
from pact_conformance.counterpart.variants.delegation_changes import change_token_response
from pact_conformance.counterpart.variants.registry import variant

# Refresh


@variant()
def keeps_the_refresh_token(provider: Provider) -> None:
    """A refresh gives no new refresh token, and the old one stays."""
    delegation = provider.delegation
    delegation.rotate = lambda _token: None

    def change(document: Document, issue: Issue) -> None:
        if issue.request.get("grant_type") == "refresh_token":
            del document["refresh_token"]

    change_token_response(provider, change)


@variant()
def repeats_the_refresh_token(provider: Provider) -> None:
    """A refresh gives the same refresh token again."""
    delegation = provider.delegation
    delegation.rotate = lambda _token: None

    def change(document: Document, issue: Issue) -> None:
        if issue.request.get("grant_type") == "refresh_token":
            document["refresh_token"] = issue.request.get("refresh_token")

    change_token_response(provider, change)


@variant()
def lets_old_refresh_tokens_work(provider: Provider) -> None:
    """A refresh gives a new refresh token, and the old one works on."""
    provider.delegation.rotate = lambda _token: None


@variant()
def forgives_reuse_of_a_refresh_token(provider: Provider) -> None:
    """A used refresh token is refused, and its grant goes on."""

    def token_is_unused(_provider: Provider, _request: OAuthRequest, token: RefreshToken) -> None:
        if token.used:
            raise OAuthRefusal("invalid_grant", "The refresh_token has been used")

    provider.delegation.refresh_rules.replace("token_is_unused", token_is_unused)


@variant()
def ends_a_grant_whose_refresh_token_a_stranger_tries(provider: Provider) -> None:
    """A refresh that another personal agent tries ends the grant."""

    def token_is_of_this_client(
        _provider: Provider, request: OAuthRequest, token: RefreshToken
    ) -> None:
        if token.grant.client_id != request.user.issuer:
            token.grant.revoked = True
            raise OAuthRefusal("invalid_grant", "Unknown refresh_token")

    provider.delegation.refresh_rules.replace("token_is_of_this_client", token_is_of_this_client)


@variant()
def ignores_the_scope_of_a_refresh(provider: Provider) -> None:
    """A refresh gives the approved scopes, whatever it asks for."""
    provider.delegation.refresh_rules.drop("scopes_are_approved")
    provider.delegation.refreshed_scopes = lambda _request, token: token.scopes


@variant()
def narrows_the_refresh_token_too(provider: Provider) -> None:
    """What a refresh asks less of is gone from the next refresh token as well."""

    def change(_document: Document, issue: Issue) -> None:
        token = provider.delegation.refresh_tokens.get(str(_document.get("refresh_token")))
        if token is not None:
            token.scopes = issue.scopes

    change_token_response(provider, change)


# Binding


def _remember_subs(provider: Provider) -> dict[str, str]:
    """Return a dict that comes to hold, for each device code, the `sub` of who asked for it."""
    subs: dict[str, str] = {}
    current: list[str] = [""]
    issue = provider.delegation.codes.issue

    def who_asks(_provider: Provider, request: OAuthRequest) -> None:
        current[0] = request.user.sub

    def issued(*arguments: Any) -> Any:  # noqa: ANN401 - handed on as they are
        code = issue(*arguments)
        subs[code.device_code] = current[0]
        return code

    provider.delegation.device_rules.add(who_asks)
    provider.delegation.codes.issue = issued  # type: ignore[method-assign,assignment]
    return subs


@variant()
def binds_device_codes_to_sub(provider: Provider) -> None:
    """A device code is of use only to the User of the agent for whom it was asked."""
    subs = _remember_subs(provider)

    def code_is_of_this_user(_provider: Provider, request: OAuthRequest, code: DeviceCode) -> None:
        if subs.get(code.device_code) != request.user.sub:
            raise OAuthRefusal("invalid_grant", "Unknown device_code")

    provider.delegation.device_code_rules.add(code_is_of_this_user, before="code_is_unused")


@variant()
def binds_delegation_tokens_to_sub(provider: Provider) -> None:
    """A delegation token is refused beside the JWT of another User of the agent."""
    delegation = provider.delegation
    delegation.token_claims["pa_sub"] = lambda _provider, issue: issue.request.user.sub

    def user_is_the_caller(_provider: Provider, token: PresentedDelegation) -> None:
        if token.user is None or token.claims.get("pa_sub") != token.user.sub:
            raise BadDelegation("pa_sub")

    delegation.token_steps.add(user_is_the_caller)


@variant()
def binds_refresh_tokens_to_sub(provider: Provider) -> None:
    """A refresh token is of use only to the User of the agent for whom it was given."""
    subs: dict[str, str] = {}

    def change(document: Document, issue: Issue) -> None:
        subs[str(document.get("refresh_token"))] = issue.request.user.sub

    def token_is_of_this_user(
        _provider: Provider, request: OAuthRequest, _token: RefreshToken
    ) -> None:
        if subs.get(request.get("refresh_token") or "") != request.user.sub:
            raise OAuthRefusal("invalid_grant", "Unknown refresh_token")

    change_token_response(provider, change)
    provider.delegation.refresh_rules.add(token_is_of_this_user, before="token_is_unused")


# Grants


def _earlier(provider: Provider, made: Grant) -> list[Grant]:
    """Return the other grants of the same account for the same agent at the same Brand."""
    return [
        grant
        for grant in provider.delegation.grants.standing()
        if grant is not made
        and (grant.brand_id, grant.brand_user, grant.client_id)
        == (made.brand_id, made.brand_user, made.client_id)
        and grant.lasts(made.granted_at)
    ]


@variant()
def adds_new_scopes_to_old_ones(provider: Provider) -> None:
    """A token has what was approved in its own flow and what was approved before."""
    consent = provider.delegation.consent

    def decide(provider: Provider, session: Session, code: DeviceCode, fields: Fields) -> None:
        original(provider, session, code, fields)
        if code.grant is None or code.decision != "approved":
            return
        earlier = _earlier(provider, code.grant)
        merged = {scope for it in earlier for scope in it.scopes} | set(code.granted)
        listed = provider.brands[session.brand_id].scopes
        code.grant.scopes = code.granted = tuple(it for it in listed if it in merged)

    original = consent.decide
    consent.decide = decide


@variant()
def extends_the_grant(provider: Provider) -> None:
    """A later approval extends the grant that there is, so that grant_id stays the same."""

    def grant(
        provider: Provider, session: Session, code: DeviceCode, scopes: tuple[str, ...]
    ) -> Grant:
        made = make_grant(provider, session, code, scopes)
        earlier = _earlier(provider, made)
        if not earlier:
            return made
        made.revoked = True
        known = earlier[-1]
        known.scopes = tuple(dict.fromkeys((*known.scopes, *scopes)))
        known.expires_at = made.expires_at
        return known

    provider.delegation.consent.grant = grant
