"""§5.3 Getting a token: the device flow as the agent goes through it (RFC 8628)."""

import itertools

import pytest

from pact_conformance import expect
from pact_conformance.rig import requirement
from pact_conformance.subject.agent import AgentUnderTest, NeedsSignIn, Reply
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage import Stage
from pact_conformance.verdicts import Deviation, Inconclusive, Untested

from .delegating import CANCEL, READ, SLOWER_BY, told
from .delegating_flows import Ended, Narrowed, Polled
from .granting import carries, error_of

# Seconds that a poll may come early: clocks tick unevenly, and requests travel.
GRACE = 0.5

WAITING = "authorization_pending"


@requirement("5.3-agent-shows-link")
def test_the_user_gets_the_link_unchanged(pending_flow: Polled) -> None:
    shown = pending_flow.shown
    if not isinstance(shown, NeedsSignIn):
        raise Deviation("the link for the User", told(shown))
    difference = _difference(pending_flow.flow.link, shown.link)

    expect.that(not difference, "verification_uri_complete to the letter", difference)


def _difference(given: str, shown: str) -> str:
    """Say where two links differ, without the codes in them."""
    if given == shown:
        return ""
    if given.startswith(shown):
        return f"its first {len(shown)} of {len(given)} characters"
    at = next((i for i, (a, b) in enumerate(zip(given, shown, strict=False)) if a != b), len(given))
    return f"{len(shown)} characters for {len(given)}, another from character {at + 1} on"


@requirement("5.3-agent-no-fetch")
@pytest.mark.last
def test_nobody_but_the_user_opens_the_login(
    stage: Stage, agent: AgentUnderTest, pending_flow: Polled
) -> None:
    """Decisions are made on the stage without a browser, so whoever opens a link is the agent."""
    del pending_flow
    opened = [it for it in stage.everything() if it.operation in {"login", "page"}]
    if opened and agent.way == "manual":
        raise Inconclusive("a link was opened; it may have been by who is at the terminal")

    expect.that(
        not opened,
        "no request for the login or the consent pages",
        "; ".join(f"{it.method} by {it.header('user-agent') or 'nobody'}" for it in opened[:3]),
    )


@requirement("5.3-agent-interval")
def test_polls_are_as_far_apart_as_asked_for(pending_flow: Polled, long_interval: Polled) -> None:
    for polled in (pending_flow, long_interval):
        gaps = _gaps(polled.polls)
        least = polled.flow.interval - GRACE
        soon = [gap for gap in gaps if gap < least]
        expect.that(
            not soon,
            f"{polled.flow.interval:g} s between polls",
            ", ".join(f"{gap:.1f} s" for gap in soon),
        )
    if not _gaps(pending_flow.polls) and not _gaps(long_interval.polls):
        raise _unpolled(pending_flow)


@requirement("5.3-agent-slow-down")
def test_slow_down_makes_polls_rarer(slowed_down: Polled) -> None:
    polls = slowed_down.polls
    if not polls:
        raise _unpolled(slowed_down)
    interval = slowed_down.flow.interval
    slower = 0
    for poll, following in itertools.pairwise(polls):
        slower += error_of(poll) == "slow_down"
        least, gap = interval + SLOWER_BY * slower, following.at - poll.at
        expect.that(
            gap >= least - GRACE,
            f"{least:g} s to the next poll after {slower} times slow_down",
            f"{gap:.1f} s",
        )
    _goes_on(slowed_down, "slow_down")


@requirement("5.3-agent-pending")
def test_polling_goes_on_until_the_token_comes(pending_flow: Polled) -> None:
    polls = pending_flow.polls
    if not polls:
        raise _unpolled(pending_flow)
    _goes_on(pending_flow, WAITING)
    messages = [it for it in pending_flow.after if it.operation == "message:send"]
    if not pending_flow.who.tokens:
        raise Untested(
            f"the token endpoint gave none: {error_of(polls[-1])}",
            do="see 5.3-agent-form, 5.3-agent-client-id and 5.3-agent-client-auth",
        )
    token = pending_flow.who.tokens[-1]

    expect.that(
        any(carries(it, token) for it in messages),
        "a message with the token that was got",
        f"{len(messages)} without it"
        if messages
        else f"no message: {told(pending_flow.who.log[-1])}",
    )


def _goes_on(polled: Polled, error: str) -> None:
    """Demand a poll after the last one that was told to go on, if there was time for it."""
    last = polled.polls[-1]
    if error_of(last) != error:
        return
    if polled.who.broke is not None and not polled.who.broke.crashed:
        raise Untested(
            f"its next poll did not come in time: {polled.who.broke.reason}",
            do="set E2E_TEST_TIMEOUT_MS higher",
        )
    count = len(polled.polls)
    raise Deviation(f"a further poll after {error}", f"none after {count}: {told(polled.ended)}")


def _gaps(polls: tuple[Seen, ...]) -> list[float]:
    """Return the seconds between polls, but for those that slow_down makes longer."""
    return [after.at - before.at for before, after in itertools.pairwise(polls)]


def _unpolled(polled: Polled) -> Untested:
    return Untested(
        f"it did not poll often enough: {told(polled.ended)}", do="see 5.3-agent-pending"
    )


@requirement("5.3-agent-denied")
def test_a_refusal_ends_the_flow(denied_flow: Ended) -> None:
    _stops(denied_flow, "access_denied")
    begun = [it for it in denied_flow.finishing if it.operation == "device_authorization"]
    expect.warn_unless(not begun, "it begins another flow at once, though the User has refused")
    _goes_on_without(denied_flow)


@requirement("5.3-agent-expired")
def test_polling_ends_with_the_code(expired_flow: Ended) -> None:
    _stops(expired_flow, "expired_token", needed=False)


@requirement("5.3-agent-other-error")
def test_any_other_error_ends_the_flow(other_error: Ended) -> None:
    _stops(other_error, "invalid_grant")


def _stops(ended: Ended, error: str, *, needed: bool = True) -> None:
    """Demand that no poll follows on an error that ends the flow; with `needed`, that one got it.

    Who stops by itself when the code is over may never get the error of it.
    """
    polled = ended.polled
    errors = [error_of(it) for it in polled.polls]
    if error not in errors and needed:
        if polled.who.broke is not None:
            raise polled.who.broke
        raise Untested(f"no poll got {error}: {told(polled.ended)}", do="see 5.3-agent-pending")
    further = len(errors) - 1 - errors.index(error) if error in errors else 0

    expect.that(not further, f"no poll of the code after {error}", f"{further} more")
    _says_so(polled)


def _says_so(polled: Polled) -> None:
    """Demand that the User is not told that they are signed in, and that the flow ends at all."""
    if polled.who.broke is not None:
        raise polled.who.broke
    if isinstance(polled.ended, Reply):
        expect.note(f"at its end {told(polled.ended)}")


def _goes_on_without(ended: Ended) -> None:
    """Say whether turns go on as before, without delegation."""
    before, after = (
        [it for it in seen if it.operation == "message:send"]
        for seen in (ended.before, ended.after)
    )
    headed = [it for it in after if it.delegation is not None]
    expect.that(not headed, "turns without delegation", "a delegation token that was never given")
    expect.warn_unless(
        bool(after) or not before,
        f"a turn that needs no delegation is no longer sent: {told(ended.polled.who.log[-1])}",
    )


@requirement("5.3-agent-reads-scope")
def test_what_was_not_approved_is_not_taken_for_granted(narrowed: Narrowed) -> None:
    if narrowed.held is not None:
        expect.that(CANCEL not in narrowed.held, f"{READ} alone to be held", f"{narrowed.held}")
        return
    asked = [it for it in narrowed.seen if it.operation == "device_authorization"]
    requested = {it for seen in asked for it in (seen.parameter("scope") or "").split()}
    if CANCEL in requested or isinstance(narrowed.needing, NeedsSignIn):
        return
    raise Untested(
        f"whether it knows what was approved does not show: {told(narrowed.needing)}",
        do="let the agent's adapter offer holds",
    )
