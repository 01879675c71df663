"""§4.3 Retries: a repeated messageId gets the stored reply, and the agent does not run again.

A Brand's agent says what it likes, so a second run shows only in the reply: the whole JSON value is
compared, the reply's own messageId with it.
"""

from pact_conformance import expect
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import requirement
from pact_conformance.subject.likes import some_like
from pact_conformance.subject.provider import Provider
from pact_conformance.verdicts import Deviation, Inconclusive, Untested

from .conversations import CONTINUATION, Turn, context_of
from .repeats import SURELY_RUNNING, Overlap, Retried, repeat

STRANGER = "stranger-who-repeats"


@requirement("4.3-stored-reply")
def test_a_repeated_message_gets_the_stored_reply(retried: Retried) -> None:
    expect.stored_reply(retried.same, retried.first.answer)


@requirement("4.3-not-run-again")
def test_another_text_under_the_same_id_is_not_answered_anew(retried: Retried) -> None:
    answer = retried.other_text
    if answer.error is not None and 400 <= expect.settled(answer).status < 500:
        expect.warn(f"{answer.error.reason} came; the stored reply is expected")
        return
    expect.stored_reply(answer, retried.first.answer)


@requirement("4.3-other-token")
def test_a_retry_is_recognised_whatever_token_it_carries(retried: Retried) -> None:
    if retried.other_token.status == 401:
        raise Inconclusive("the other token was refused; §3.2's checks say why")
    expect.stored_reply(retried.other_token, retried.first.answer)


@requirement("4.3-first-message")
def test_the_message_that_opened_a_conversation_counts_in_it(
    second_opening: Turn, first_repeated: Answer
) -> None:
    expect.stored_reply(first_repeated, second_opening.answer)


@requirement("4.3-first-message")
def test_a_first_message_without_its_context_opens_another_conversation(
    second_opening: Turn, first_without_its_context: Turn
) -> None:
    answer = first_without_its_context.answer
    if answer.error is not None and answer.error.reason == "INVALID_PARAMS":
        expect.warn("a first message sent again without contextId is refused as a repeat")
        return
    expect.served(answer)
    if context_of(answer) == second_opening.context_id:
        expect.stored_reply(answer, second_opening.answer)
        expect.warn("a first message sent again without contextId gets the stored reply")


@requirement("4.3-per-context")
def test_the_same_id_in_another_conversation_is_another_message(
    opening: Turn, second_opening: Turn, same_id_elsewhere: Turn
) -> None:
    expect.served(same_id_elsewhere.answer)

    context = context_of(same_id_elsewhere.answer)
    expect.that(
        context == second_opening.context_id, "a reply in the conversation it was sent to", context
    )
    expect.that(
        same_id_elsewhere.answer.json != opening.answer.json,
        "a reply of its own",
        "the reply to the message of another conversation",
    )


@requirement("4.3-older-message")
def test_a_message_that_others_followed_has_its_reply_still(
    provider: Provider, continued: Turn, owner_after_the_stranger: Turn
) -> None:
    owner_after_the_stranger.must_be_served()

    answer = repeat(provider, continued, CONTINUATION, continued.context_id)

    expect.stored_reply(answer, continued.answer)


@requirement("4.3-still-running")
def test_a_repeat_of_a_message_that_is_being_answered_is_refused(
    repeated_while_running: Overlap,
) -> None:
    pair = repeated_while_running
    if any(expect.settled(it).status >= 500 for it in (pair.first, pair.second)):
        raise Untested("the Brand's agent failed at the message")
    served = pair.served
    if pair.seconds <= 0 or (len(served) == 2 and pair.seconds < SURELY_RUNNING):
        raise Untested(
            "the message was answered too soon for its repeat to meet it", do="set hooks.slow_agent"
        )
    if len(served) == 2:
        if pair.first.json != pair.second.json:
            raise Deviation("one run of the agent", "two replies to one messageId")
        expect.warn("the repeat waited for the reply; INVALID_PARAMS is expected")
        return
    if not served and not pair.later.is_success:
        raise Untested("the conversation takes no further message", do="see 4.2-context-continued")
    if not served:
        raise Deviation("a reply to one of two messages with one messageId", "two refusals")
    refused = pair.second if served[0] is pair.first else pair.first
    expect.a2a_error(refused, "INVALID_PARAMS")


@requirement("4.3-finished")
def test_a_repeat_gets_the_stored_reply_once_the_run_has_ended(
    repeated_while_running: Overlap,
) -> None:
    pair = repeated_while_running
    if not pair.served:
        raise Untested("the message had no reply, so none is stored", do="see 4.3-still-running")

    # Where there are two replies, which 4.3-still-running judges, either may have been stored.
    stored = [it for it in pair.served if it.json == pair.later.json]
    expect.stored_reply(pair.later, [*stored, *pair.served][0])


@requirement("4.3-stranger")
def test_a_stranger_who_repeats_a_message_does_not_get_its_reply(
    provider: Provider, opening: Turn
) -> None:
    unknown = {it: _repeated(provider, opening, it) for it in some_like(opening.context_id)}
    foreign = _repeated(provider, opening, opening.context_id)

    expect.a2a_error(foreign, "INVALID_PARAMS")
    expect.indistinguishable(
        foreign, opening.context_id, unknown, what="a message in another User's conversation"
    )


def _repeated(provider: Provider, turn: Turn, context_id: str) -> Answer:
    stranger = Turn(STRANGER, turn.message_id, turn.answer)
    return repeat(provider, stranger, "What did they say?", context_id)
