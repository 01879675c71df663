"""§5.4 The delegation token: whose it is, how it is carried, and how it is renewed."""

import pytest

from pact_conformance import expect
from pact_conformance.grants import Tried
from pact_conformance.rig import requirement
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage import Stage
from pact_conformance.verdicts import Deviation, NotApplicable, Untested

from .delegating import DELEGATION, told
from .delegating_cards import Elsewhere
from .delegating_tokens import Acted, Renewed, TwoUsers
from .granting import Issue, carries, issues

_RENEWED = "a refresh with the last refresh token, and the message with the new token"

_UNCHANGED = "the token of the token response to the letter"


@requirement("5.4-agent-token-unchanged")
@pytest.mark.last
def test_every_delegation_header_has_a_token_as_it_was_given(
    stage: Stage, one_turn: Tried[Acted], odd_token: Tried[Acted]
) -> None:
    everything = stage.everything()
    issued = issues(everything)
    given = {it.token for it in issued}
    # What other Brands than these get is no token that was changed.
    giving = {it.seen.brand for it in issued}
    for seen in (it for it in everything if it.brand in giving):
        for value in seen.all(DELEGATION):
            *_, token = value.split() or [""]
            expect.that(
                token in given,
                _UNCHANGED,
                f"another one of {len(value)} characters ({seen.exchange_id})",
            )
    if not _arrived(one_turn.had()):
        raise Untested("an ordinary token is not sent either", do="see 5.5-agent-both-tokens")
    acted = odd_token.had()
    if not _arrived(acted):
        raise Deviation(_UNCHANGED, f"no message with it: {told(acted.who.log[-1])}")


def _arrived(acted: Acted) -> bool:
    return any(it.delegation in acted.who.tokens for it in acted.messages)


@requirement("5.4-agent-one-brand")
@pytest.mark.last
def test_no_token_goes_to_another_brand(
    stage: Stage, at_other_brands: Tried[Elsewhere], borrowed_interface: Tried[Elsewhere]
) -> None:
    everything = stage.everything()
    for issue in issues(everything):
        for seen in everything[issue.seen.n :]:
            if seen.brand != issue.seen.brand and carries(seen, *_secrets(issue)):
                raise Deviation(
                    "each token at the Brand alone that gave it",
                    f"one at {seen.path} ({seen.exchange_id})",
                )
    if not at_other_brands.had().there:
        raise Untested("the User said nothing at a second Brand", do="see 2.2-agent-send-url")
    borrowed_interface.had()


def _secrets(issue: Issue) -> tuple[str, ...]:
    return tuple(it for it in (issue.token, issue.refresh_token) if it)


@requirement("5.4-agent-own-user")
def test_no_token_goes_out_for_another_user(two_users: TwoUsers) -> None:
    messages = [it for it in two_users.stranger if it.operation == "message:send"]
    headed = [it for it in messages if it.all(DELEGATION)]
    expect.that(
        not headed, "no delegation token for a User who has approved nothing", "another User's"
    )
    if not messages:
        raise Untested("nothing was sent for the other User", do="see 2.2-agent-send-url")
    owners = {
        it.token.claims.get("sub")
        for it in two_users.owner.messages
        if it.delegation == two_users.token and it.token is not None
    }
    others = {it.token.claims.get("sub") for it in messages if it.token is not None}

    expect.that(not owners & others, "the token with its User's sub alone", "another User's")


@requirement("5.4-agent-refresh")
def test_an_expired_token_is_refreshed(expiring_token: Tried[Renewed]) -> None:
    _is_refreshed(expiring_token.had())


@requirement("5.4-agent-refresh")
def test_a_refresh_token_that_stays_is_used_again(unrotated_token: Tried[Renewed]) -> None:
    _is_refreshed(unrotated_token.had())


def _is_refreshed(renewed: Renewed) -> None:
    """Demand a refresh behind each expiry, each with the latest refresh token."""
    for came in renewed.after:
        _is_renewed(came, renewed)
    latest: str | None = None
    for seen in renewed.who.scene.seen("token"):
        given = seen.parameter("refresh_token")
        if given is not None and given != latest:
            raise Deviation(_RENEWED, f"a refresh with another one ({seen.exchange_id})")
        for issue in issues([seen]):
            # Where none is given the one before goes on (RFC 6749 §6).
            latest = issue.refresh_token or latest


def _is_renewed(seen: tuple[Seen, ...], renewed: Renewed) -> None:
    """Demand a refresh, and a message with what it brought, of what came behind an expiry."""
    asked = [it for it in seen if it.parameter("refresh_token") is not None]
    if not asked:
        if any(it.operation == "device_authorization" for it in seen):
            raise Deviation(_RENEWED, "a new device flow")
        if any(carries(it, *renewed.who.tokens) for it in seen):
            raise Deviation(_RENEWED, "the expired token, and no refresh")
        raise NotApplicable("the agent neither refreshes the grant nor asks the User again")
    new = [it.token for it in issues(asked)]
    sent = [it for it in seen if it.operation == "message:send"]
    if not new or not any(carries(it, *new) for it in sent):
        raise Deviation(_RENEWED, f"no message with the new token: {told(renewed.who.log[-1])}")
