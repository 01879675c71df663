"""Flaws of §5.4: what a refresh gives, and to whom."""

from dataclasses import replace

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.flaws.shown_tokens import Claims, change_claims
from pact_conformance.counterpart.provider.delegation.metadata import DEVICE_CODE, REFRESH_TOKEN
from pact_conformance.counterpart.provider.delegation.oauth_requests import OAuthRequest
from pact_conformance.counterpart.provider.delegation.refreshing import RefreshToken
from pact_conformance.counterpart.provider.delegation.token_endpoint import Issue
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import OAuthRefusal


@flaw("5.4-refresh")
def asks_for_a_client_secret_at_a_refresh(provider: Provider) -> None:
    """A refresh needs a client secret, beside the JWT."""

    def client_is_authenticated(
        _provider: Provider, request: OAuthRequest, _token: RefreshToken
    ) -> None:
        if request.get("client_secret") is None:
            raise OAuthRefusal("invalid_client", "client_secret is missing")

    provider.delegation.refresh_rules.add(client_is_authenticated)


@flaw("5.4-refresh")
def forgets_refresh_tokens(provider: Provider) -> None:
    """A refresh token is given out, and nobody knows it afterwards."""

    def find(_provider: Provider, _request: OAuthRequest) -> RefreshToken:
        raise OAuthRefusal("invalid_grant", "Unknown refresh_token")

    provider.delegation.find_refresh_token = find


@flaw("5.4-refresh")
def does_not_serve_refresh_tokens(provider: Provider) -> None:
    """A refresh token is given out, and its grant type is not served."""
    provider.delegation.metadata["grant_types_supported"] = lambda *_: [DEVICE_CODE]
    del provider.delegation.grant_types[REFRESH_TOKEN]


@flaw("5.4-grant-id")
def makes_a_new_grant_at_a_refresh(provider: Provider) -> None:
    """A refresh gives the token of a new grant."""
    kinds, grants = provider.delegation.grant_types, provider.delegation.grants
    refresh = kinds[REFRESH_TOKEN]

    def refreshed(provider: Provider, request: OAuthRequest) -> Issue:
        issue = refresh(provider, request)
        grant = replace(issue.grant, id=grants.mint())
        grants.add(grant)
        return replace(issue, grant=grant)

    kinds[REFRESH_TOKEN] = refreshed


@flaw("5.4-refresh")
def names_another_user_after_a_refresh(provider: Provider) -> None:
    """The `sub` of a refreshed token is the agent's customer number."""

    def change(issue: Issue, claims: Claims) -> None:
        if issue.request.get("grant_type") == REFRESH_TOKEN:
            claims["sub"] = "agent-0001"

    change_claims(provider, change)


def _asked(_provider: Provider, _request: OAuthRequest, _token: RefreshToken) -> None:
    """Every scope may be asked for."""


@flaw("5.4-refresh-no-widening")
def reads_scopes_from_the_refresh(provider: Provider) -> None:
    """A refresh gets the scopes that it asks for."""
    provider.delegation.refresh_rules.replace("scopes_are_approved", _asked)
    provider.delegation.refreshed_scopes = lambda request, token: request.scopes or token.scopes


@flaw("5.4-refresh-no-widening")
def refreshes_to_what_was_first_asked_for(provider: Provider) -> None:
    """A refresh without `scope` gets all that was asked for in the flow."""
    kinds, asked = provider.delegation.grant_types, dict[str, tuple[str, ...]]()
    redeem, refresh = kinds[DEVICE_CODE], kinds[REFRESH_TOKEN]

    def redeemed(provider: Provider, request: OAuthRequest) -> Issue:
        issue = redeem(provider, request)
        code = provider.delegation.codes.by_device_code(request.get("device_code") or "")
        asked[issue.grant.id] = issue.scopes if code is None else code.scopes
        return issue

    def refreshed(provider: Provider, request: OAuthRequest) -> Issue:
        issue = refresh(provider, request)
        return replace(issue, scopes=asked.get(issue.grant.id, issue.scopes))

    kinds[DEVICE_CODE], kinds[REFRESH_TOKEN] = redeemed, refreshed


@flaw("5.4-refresh-no-widening")
def refreshes_to_all_scopes_of_the_card(provider: Provider) -> None:
    """A refresh gets every scope that the Brand has."""

    def every(request: OAuthRequest, _token: RefreshToken) -> tuple[str, ...]:
        return tuple(request.brand.scopes)

    provider.delegation.refreshed_scopes = every


@flaw("5.4-refresh-agent-bound")
def takes_the_refresh_token_for_proof_enough(provider: Provider) -> None:
    """A refresh token works for any personal agent."""
    provider.delegation.refresh_rules.drop("token_is_of_this_client")


@flaw("5.4-refresh-revoked")
def refreshes_a_grant_that_was_revoked(provider: Provider) -> None:
    """Revoking marks the delegation token alone."""
    provider.delegation.refresh_rules.drop("token_grant_lasts")


@flaw("5.4-refresh-revoked")
def revives_a_grant_by_refreshing_it(provider: Provider) -> None:
    """A refresh brings a grant that was revoked back to life."""

    def revived(provider: Provider, _request: OAuthRequest, token: RefreshToken) -> None:
        token.grant.revoked = False
        provider.delegation.grants.add(token.grant)

    provider.delegation.refresh_rules.replace("token_grant_lasts", revived)
