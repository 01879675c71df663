"""§5.4 The delegation token: whose it is, how it is carried, and how it is renewed."""

import pytest

from pact_conformance import expect
from pact_conformance.grants import Tried
from pact_conformance.rig import requirement
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage import Stage
from pact_conformance.verdicts import Deviation, NotApplicable, Untested

from .delegating import DELEGATION, Issue, carries, issues, told
from .delegating_cards import Elsewhere
from .delegating_tokens import Acted, Renewed, TwoUsers

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
    return any(it.delegation == acted.token for it in acted.messages)


@requirement("5.4-agent-one-brand")
@pytest.mark.last
def test_no_token_goes_to_another_brand(stage: Stage, at_other_brands: Tried[Elsewhere]) -> None:
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
    renewed = expiring_token.had()
    latest = renewed.first
    if latest.refresh_token is None:
        raise Untested("the stage gave no refresh token", do="report it")
    for seen in renewed.after:
        latest = _is_renewed(seen, latest, renewed)


def _is_renewed(seen: tuple[Seen, ...], latest: Issue, renewed: Renewed) -> Issue:
    """Demand a refresh and a message after it, for one turn; return the latest token then."""
    wanted = "a refresh with the last refresh token, and the message with the new token"
    refreshes = [it for it in seen if it.parameter("grant_type") == "refresh_token"]
    if not refreshes:
        if any(it.operation == "device_authorization" for it in seen):
            raise Deviation(wanted, "a new device flow")
        if any(carries(it, latest.token) for it in seen):
            raise Deviation(wanted, "the expired token, and no refresh")
        raise NotApplicable("the agent neither refreshes the grant nor asks the User again")
    for each in refreshes:
        if each.parameter("refresh_token") != latest.refresh_token:
            raise Deviation(wanted, f"a refresh with another one ({each.exchange_id})")
        latest = next(iter(issues([each])), latest)
    sent = [it for it in seen if it.operation == "message:send"]
    if not any(carries(it, latest.token) for it in sent):
        raise Deviation(wanted, f"no message with the new token: {told(renewed.who.log[-1])}")
    return latest
