"""Flaws of §5.3: the token response."""

from pact_conformance.counterpart.flaws.oauth_endpoints import (
    TOKEN,
    change_result,
    change_token_response,
    keep_forever,
)
from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.flaws.shown_tokens import change_claims
from pact_conformance.counterpart.provider.delegation.token_endpoint import Issue
from pact_conformance.counterpart.provider.provider import Provider


@flaw("5.3-token")
def wraps_the_token_response(provider: Provider) -> None:
    """The token response is the member `data` of an object."""
    change_token_response(provider, lambda document: {"data": document})


@flaw("5.3-token")
def has_another_type_of_token(provider: Provider) -> None:
    """The `token_type` is JWT."""
    provider.delegation.token_response["token_type"] = lambda _provider, _issue: "JWT"


@flaw("5.3-token")
def has_no_type_of_token(provider: Provider) -> None:
    """The token response has no `token_type`."""
    del provider.delegation.token_response["token_type"]


@flaw("5.3-token")
def calls_the_token_an_id_token(provider: Provider) -> None:
    """The token is in `id_token` in place of `access_token`."""
    change_token_response(provider, lambda it: it.update(id_token=it.pop("access_token")))


@flaw("5.3-token")
def answers_an_approved_poll_with_201(provider: Provider) -> None:
    """The token response has 201."""
    change_result(provider, TOKEN, lambda _: None, 201)


@flaw("5.3-token-no-store")
def lets_tokens_be_cached(provider: Provider) -> None:
    """The token response has no `Cache-Control`."""
    keep_forever(provider, TOKEN)


def _asked(provider: Provider, issue: Issue) -> str:
    """Return the scopes that were asked for in the flow that a token comes from."""
    code = provider.delegation.codes.by_device_code(issue.request.get("device_code") or "")
    return " ".join(issue.scopes if code is None else code.scopes)


@flaw("5.3-scope-granted", "5.3-unchecked-not-granted")
def echoes_the_scope_that_was_asked_for(provider: Provider) -> None:
    """The response's `scope` is what was asked for, whatever was approved."""
    provider.delegation.token_response["scope"] = _asked


@flaw("5.3-scope-granted", "5.3-scope-always")
def does_not_say_what_was_granted(provider: Provider) -> None:
    """The token response has no `scope`, which means that all was granted."""
    del provider.delegation.token_response["scope"]


@flaw("5.3-scope-granted", "5.3-scope-always")
def lists_what_was_granted_as_an_array(provider: Provider) -> None:
    """The response's `scope` is an array."""
    provider.delegation.token_response["scope"] = lambda _provider, issue: list(issue.scopes)


@flaw("5.3-scope-always")
def leaves_out_a_scope_that_equals_the_request(provider: Provider) -> None:
    """The response has `scope` only where it is less than what was asked for."""
    response = provider.delegation.token_response

    def scope(provider: Provider, issue: Issue) -> object:
        granted = " ".join(issue.scopes)
        return None if granted == _asked(provider, issue) else granted

    response["scope"] = scope
    change_token_response(
        provider, lambda it: {name: value for name, value in it.items() if value is not None}
    )


@flaw("5.3-unchecked-not-granted")
def writes_what_was_asked_for_into_the_token(provider: Provider) -> None:
    """The token has the scopes that were asked for, and only the response those approved."""
    change_claims(provider, lambda issue, claims: claims.update(scope=_asked(provider, issue)))


@flaw("5.3-refresh-token")
def leaves_the_refresh_token_out(provider: Provider) -> None:
    """The token response has no `refresh_token`."""
    del provider.delegation.token_response["refresh_token"]


@flaw("5.3-expires-in")
def does_not_say_how_long_the_token_lasts(provider: Provider) -> None:
    """The token response has no `expires_in`."""
    del provider.delegation.token_response["expires_in"]


@flaw("5.3-expires-in")
def says_a_fixed_time_whatever_the_token_lasts(provider: Provider) -> None:
    """`expires_in` is a day, whatever the token says."""
    provider.delegation.token_response["expires_in"] = lambda _provider, _issue: 86_400


@flaw("5.3-expires-in")
def says_when_the_token_ends(provider: Provider) -> None:
    """`expires_in` is the time of the end, in seconds since the epoch."""
    provider.delegation.token_response["expires_in"] = lambda _provider, issue: issue.expires_at


@flaw("5.3-expires-in")
def counts_in_milliseconds_how_long_the_token_lasts(provider: Provider) -> None:
    """`expires_in` is in milliseconds."""
    provider.delegation.token_response["expires_in"] = lambda _provider, issue: (
        1000 * (issue.expires_at - issue.issued_at)
    )


@flaw("5.3-expires-in")
def writes_in_letters_how_long_the_token_lasts(provider: Provider) -> None:
    """`expires_in` is a string."""
    provider.delegation.token_response["expires_in"] = lambda _provider, issue: str(
        issue.expires_at - issue.issued_at
    )
