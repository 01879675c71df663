"""§4.2 Context: whose conversation a message belongs to, and what becomes of a closed one."""

from collections.abc import Iterable

import pytest

from pact_conformance import expect
from pact_conformance.rig import requirement
from pact_conformance.subject.agent import Reply
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage import Stage
from pact_conformance.verdicts import Untested

from .conversing import Closing, Crossing
from .failing import GARBLED, PAGE, Garbled
from .playing import Play, context_of, short, told
from .telling import must_end, must_tell

# What asks for a task, which ordinary turns have none of.
OF_TASKS = frozenset({"tasks/{id}", "tasks/{id}:subscribe"})


@requirement("4.2-agent-new-conversation")
def test_the_first_message_has_no_context(first_conversation: Play) -> None:
    if not first_conversation.messages:
        first_conversation.must_begin()

    context = first_conversation.messages[0].message.get("contextId")
    expect.that(not context, "no contextId", context)


@requirement("4.2-agent-continues")
def test_the_next_message_has_the_context_of_the_reply(first_conversation: Play) -> None:
    arrived = first_conversation.second.messages
    minted = context_of(first_conversation.first.messages[-1])

    expect.that(bool(arrived), "a second message", lambda: told(first_conversation.second.outcome))
    context = arrived[0].message.get("contextId")
    expect.that(context == minted, f"the contextId {minted}", context)


@requirement("4.2-agent-continues")
def test_a_third_message_has_it_too(third_turn: Play) -> None:
    minted = context_of(third_turn.second.messages[-1]) if third_turn.second.messages else None
    last = third_turn.lines[2]
    if minted is None or not last.messages:
        raise Untested(f"no third message came: {told(last.outcome)}")

    context = last.messages[0].message.get("contextId")
    expect.that(context == minted, f"the contextId {minted}", context)


@requirement("4.2-agent-context-opaque")
@pytest.mark.parametrize("form", ["long", "odd"])
def test_a_context_is_given_back_as_it_is(crossing: Crossing, form: str) -> None:
    said, given = {
        "long": (crossing.first_again, crossing.long),
        "odd": (crossing.second_again, crossing.odd),
    }[form]
    if said is None:
        raise Untested("an ordinary turn came to nothing", do="see 4.2-agent-reply")
    if not said.messages:
        said.must_be_answered()
    context = said.messages[0].message.get("contextId")
    if not context or context in _minted(crossing.messages):
        # Another conversation, or none: that is for other checks to say.
        if context != given:
            raise Untested("it went on in another conversation", do="see 4.2-agent-continues")
        return

    expect.that(context == given, given, context)


@requirement("4.2-agent-context-per-user")
def test_no_user_gets_the_context_of_another(stage: Stage, crossing: Crossing) -> None:
    minted = _minted(stage.everything())

    for message in crossing.messages:
        brand, sub = minted.get(message.message.get("contextId"), (None, None))
        if brand == message.brand and None not in (sub, _sub(message)):
            expect.that(_sub(message) == sub, "each User's own contextId", "another User's")
    crossing.must_work()


@requirement("4.2-agent-context-per-brand")
def test_no_brand_gets_the_context_of_another(stage: Stage, crossing: Crossing) -> None:
    minted = _minted(stage.everything())

    for message in crossing.messages:
        brand, _ = minted.get(message.message.get("contextId"), (message.brand, None))
        expect.that(brand == message.brand, "each Brand's own contextId", "another Brand's")
    crossing.must_work()


def _minted(messages: Iterable[Seen]) -> dict[object, tuple[str | None, object]]:
    """Return for each contextId the Brand and the `sub` that it was minted for."""
    minted: dict[object, tuple[str | None, object]] = {}
    for message in messages:
        context = context_of(message)
        if context is not None:
            minted.setdefault(context, (message.brand, _sub(message)))
    return minted


def _sub(message: Seen) -> object:
    return None if message.token is None else message.token.claims.get("sub")


@requirement("4.2-agent-reply")
def test_a_message_is_the_reply_and_ends_the_turn(
    first_conversation: Play, as_plain_json: Play | None
) -> None:
    turn = first_conversation.first
    turn.must_be_answered()
    if as_plain_json is not None and as_plain_json.first.replied:
        raise Untested("the reply is read as plain JSON alone", do="see 2-agent-a2a-json")

    expect.that(turn.replied, "the reply", first_conversation.came_to)
    assert isinstance(turn.result, Reply)
    expect.that(bool(turn.result.text.strip()), "the reply", "an empty one")
    asked = [it.path for it in turn.behind if it.operation in OF_TASKS]
    expect.that(not asked, "nothing polled", f"GET {short(', '.join(asked))}")


@requirement("4.2-agent-reply")
def test_a_reply_may_have_all_that_a2a_gives_a_message(replies_of_every_form: Play) -> None:
    (full, *_) = replies_of_every_form.lines
    full.must_be_answered()

    expect.that(full.replied, "the reply", told(full.outcome))


@requirement("4.2-agent-reply")
def test_a_reply_may_have_other_parts_beside_its_text(replies_of_every_form: Play) -> None:
    if len(replies_of_every_form.lines) < 2:
        raise Untested("the first reply was not read", do="see 4.2-agent-reply")
    mixed = replies_of_every_form.lines[1]
    mixed.must_be_answered()

    expect.warn_unless(mixed.replied, f"no reply is shown: {told(mixed.outcome)}")


@requirement("4.2-agent-no-reply")
@pytest.mark.parametrize("form", GARBLED)
def test_what_is_no_message_is_no_reply(garbled: Garbled, form: str) -> None:
    turn = garbled.turns[form]

    expect.that(bool(turn.messages), "a message", garbled.play.came_to)
    must_end(turn)
    must_tell(turn, PAGE)


@requirement("4.2-agent-no-reply")
def test_a_turn_after_what_is_no_message_works(garbled: Garbled) -> None:
    last = garbled.last
    if any(turn.died for turn in garbled.turns.values()):
        raise Untested("the agent has ended in a turn before", do="see the other cases")
    if last.messages:
        last.must_be_answered()

    expect.that(last.replied, "the next turn to work", garbled.play.came_to)


@requirement("4.2-agent-closed")
def test_a_closed_conversation_is_followed_by_a_new_one(closing: Closing) -> None:
    if closing.refused is None:
        raise Untested(
            "the Brand had no cause to say that it is closed",
            do="see 4.2-agent-continues and 4.1-agent-message-id-unique",
        )
    must_end(closing.then)

    if not closing.afterwards and closing.later is not None:
        _ = closing.later.outcome
    expect.that(closing.began_anew, "a message without contextId", "none")
