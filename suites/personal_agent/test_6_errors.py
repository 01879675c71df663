"""§6 Errors: what the agent makes of A2A's errors, and of what is none."""

from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

import pytest

from pact_conformance import expect
from pact_conformance.grants import Tried
from pact_conformance.rig import requirement
from pact_conformance.subject.agent import GaveUp
from pact_conformance.subject.seen import Seen
from pact_conformance.verdicts import Untested

from .conversing import Closing
from .delegating_flows import Polled
from .failing import APART, PRONE, Apart, Failing, Paused, Stumbling
from .playing import Play, context_of
from .telling import must_end, must_tell

# Seconds by which a timer, and by which another machine's clock, may be off.
TIMER, CLOCK = 0.25, 1.0


@requirement("6-agent-errors")
@pytest.mark.parametrize("reason", PRONE)
def test_an_error_is_no_reply(refused_with: Mapping[str, Failing], reason: str) -> None:
    failing = refused_with[reason]

    expect.that(bool(failing.turn.messages), "a message", failing.play.came_to)
    must_end(failing.turn)
    must_tell(failing.turn, failing.body, alone=True)


@requirement("6-agent-errors")
@pytest.mark.parametrize("reason", APART)
def test_an_error_in_a_conversation_is_no_reply(told_apart: Apart, reason: str) -> None:
    turn = told_apart.turns[reason]

    must_tell(turn, *told_apart.bodies, alone=True)


@requirement("6-agent-reason")
def test_another_reason_does_not_close_a_conversation(
    told_apart: Apart, closing: Closing, third_turn: Play
) -> None:
    opened, later = third_turn.first.question, third_turn.lines[2]
    if [it.message.get("contextId") for it in later.messages[:1]] != [context_of(opened)]:
        raise Untested("a conversation does not last", do="see 4.2-agent-continues")

    anew = [it for it in told_apart.messages if not it.message.get("contextId")]
    expect.that(not anew, "the contextId kept after another reason", f"{len(anew)} without it")
    if not told_apart.then.messages:
        raise Untested("no turn came after the errors", do="see 6-agent-errors")
    if not closing.began_anew:
        raise Untested(
            "the agent keeps to conversations that are closed, so this shows nothing",
            do="see 4.2-agent-closed",
        )


@requirement("6-agent-plain-errors")
def test_an_error_without_a_body_of_a2a_is_survived(stumbling: Stumbling) -> None:
    for turn in stumbling.turns:
        must_tell(turn, *stumbling.bodies)

    last = stumbling.last
    if last.messages:
        last.must_be_answered()
    elif isinstance(last.result, GaveUp) and not stumbling.play.agent.virtual_time:
        expect.warn("nothing is sent any more for a while after failures in a row")
        return
    expect.that(last.replied, "the next turn to work", stumbling.play.came_to)


@requirement("6-agent-retry-after")
@pytest.mark.parametrize("form", ["seconds", "date"])
def test_nothing_is_sent_before_the_time_of_retry_after(
    paused: Mapping[str, Paused], form: str
) -> None:
    turn = paused[form].turn
    if not turn.messages:
        turn.must_be_answered()
    refused, *again = turn.messages
    if not again:
        expect.absent("the agent does not send again after a 429")

    early = _allowed(refused, form) - again[0].at
    expect.that(early <= 0, f"no message for {paused[form].seconds} s", f"one {early:.1f} s early")


@requirement("6-agent-retry-after")
def test_no_poll_comes_before_the_time_of_retry_after(limited_poll: Tried[Polled]) -> None:
    if limited_poll.value is None:
        expect.absent("the agent does not poll for a delegation token")
    limited, *again = limited_poll.value.polls or (None,)
    if limited is None or not again:
        expect.absent("the agent does not poll again after a 429")

    early = _allowed(limited, "seconds") - again[0].at
    expect.that(early <= 0, "no poll before the time", f"one {early:.1f} s early")


def _allowed(refused: Seen, form: str) -> float:
    """Return when the next message may come at the earliest, by the Brand's clock."""
    assert refused.answer is not None
    value = refused.answer.header("retry-after") or ""
    if form == "seconds":
        return refused.at + float(value) - TIMER
    return parsedate_to_datetime(value).astimezone(UTC).timestamp() - CLOCK
