"""§4.2 Context: one conversation, one contextId, one (personal agent, User) that it belongs to."""

import re
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

import pytest

from pact_conformance import expect
from pact_conformance.expect.answers import describe
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import Gate, Rig, requirement
from pact_conformance.subject.likes import like, some_like
from pact_conformance.subject.operations import LIST
from pact_conformance.subject.provider import Provider
from pact_conformance.tokens.caller import Caller
from pact_conformance.verdicts import Deviation
from pact_conformance.wire.messages import new_id
from pact_conformance.wire.schema import problems

from .closing import Closed
from .conversations import Turn, context_of
from .strangers import ask_for

# A shorter text may stand in an id by chance.
LEAST_TELLING = 5


@requirement("4.2-reply")
def test_the_reply_is_a_message_of_the_agent_with_a_context(opening: Turn) -> None:
    message = expect.reply(opening.answer)

    found = problems(message, "message")
    expect.that(not found, "a Message of A2A 1.0", "; ".join(found))
    expect.that(message.get("role") == "ROLE_AGENT", "role ROLE_AGENT", message.get("role"))
    expect.that(bool(message.get("contextId")), "a contextId", message.get("contextId"))


@requirement("4.2-synchronous")
def test_the_reply_comes_with_the_answer(opening: Turn, continued: Turn) -> None:
    for turn in (opening, continued):
        turn.must_be_served()
        body: Any = turn.answer.json
        if isinstance(body, dict) and "message" not in body and "task" in body:
            raise Deviation("a Message in the answer itself", describe(turn.answer))


@requirement("4.2-context-minted")
def test_each_message_without_a_context_opens_a_new_one(
    opening: Turn, second_opening: Turn
) -> None:
    expect.that(
        opening.context_id != second_opening.context_id,
        "a contextId of its own for each conversation",
        f"{opening.context_id} twice",
    )


@requirement("4.2-context-opaque")
def test_a_context_shows_no_structure(
    provider: Provider,
    opening: Turn,
    second_opening: Turn,
    at_once: list[Turn],
    caller: Caller,
) -> None:
    ids = [turn.context_id for turn in (opening, second_opening, *at_once)]

    brand = urlsplit(provider.interface.url).path.rstrip("/").rpartition("/")[2]
    told = [*_told(ids, caller, opening, brand)]
    expect.that(not told, "contextIds that tell nothing", "; ".join(told))


def _told(ids: list[str], caller: Caller, opening: Turn, brand: str) -> Iterator[str]:
    """Yield what can be read off contextIds: a User, an agent, a message, a count."""
    for secret, name in (
        (caller.user(opening.user), "the User's sub"),
        (caller.issuer, "the personal agent's issuer"),
        (opening.message_id, "the messageId"),
        (brand, "the brandId"),
    ):
        if len(secret) >= LEAST_TELLING and any(
            form in it.casefold() for form in _forms(secret) for it in ids
        ):
            yield f"{name} stands in it"
    numbers = [int(it) for it in ids if re.fullmatch(r"[0-9]{1,12}", it)]
    if len(numbers) == len(ids):
        yield "it is a short number"
    tails = [re.fullmatch(r"(.*?)([0-9]{1,9})", it) for it in sorted(ids)]
    if all(tails) and len({tail[1] for tail in tails if tail}) == 1:
        counts = sorted(int(tail[2]) for tail in tails if tail)
        # One id given twice is no count: that is for other checks to say.
        if all(0 < after - before <= 16 for before, after in pairwise(counts)):
            yield "it counts up"


def _forms(secret: str) -> Iterator[str]:
    """Yield a text as an id may hold it: plain, in hexadecimal, or in the middle of base64."""
    plain = secret.encode()
    yield secret.casefold()
    yield plain.hex()
    for shift in range(3):
        coded = urlsafe_b64encode(b"\0" * shift + plain).decode().rstrip("=")
        yield coded[4:-2].casefold()


@requirement("4.2-context-continued")
def test_a_message_with_a_context_continues_it(opening: Turn, continued: Turn) -> None:
    continued.must_not_be_closed()

    message = expect.reply(continued.answer)
    expect.that(
        message.get("contextId") == opening.context_id,
        f"the contextId {opening.context_id}",
        message.get("contextId"),
    )


@requirement("4.2-unknown-context")
@pytest.mark.parametrize("form", ["like-a-minted-one", "of-another-form"])
def test_an_unknown_context_is_refused(provider: Provider, opening: Turn, form: str) -> None:
    opening.must_be_served()
    unknown = new_id("c") if form == "of-another-form" else like(opening.context_id)

    answer = provider.send(context_id=unknown, user=opening.user, turn=False)

    expect.a2a_error(answer, "INVALID_PARAMS")


@requirement("4.2-foreign-user")
def test_the_context_of_another_user_looks_like_an_unknown_one(
    provider: Provider, continued: Turn, refused_to_a_stranger: Answer
) -> None:
    unknown = {
        it: provider.send("What did I ask before?", user="stranger", context_id=it, turn=False)
        for it in some_like(continued.context_id)
    }

    expect.a2a_error(refused_to_a_stranger, "INVALID_PARAMS")
    expect.indistinguishable(
        refused_to_a_stranger, continued.context_id, unknown, what="another User's context"
    )


@requirement("4.2-foreign-agent")
def test_the_context_of_another_agents_user_looks_like_an_unknown_one(
    pact_rig: Rig,
    gate: Gate,
    other_caller: Caller,
    continued: Turn,
    refused_to_another_agent: Answer | None,
) -> None:
    gate.lets_in(other_caller)
    assert refused_to_another_agent is not None
    provider = pact_rig.provider_of(pact_rig.card, other_caller)

    repeated = ask_for(provider, continued.user, continued.context_id, continued.message_id)

    _looks_unknown(provider, continued, refused_to_another_agent, repeated)


@requirement("4.2-foreign-brand")
def test_the_context_of_another_brand_looks_like_an_unknown_one(
    pact_rig: Rig, gate: Gate, continued: Turn, refused_at_another_brand: Answer | None
) -> None:
    provider = pact_rig.other_provider
    gate.lets_in(provider.caller, provider)
    assert refused_at_another_brand is not None

    repeated = ask_for(provider, continued.user, continued.context_id, continued.message_id)

    _looks_unknown(provider, continued, refused_at_another_brand, repeated)


def _looks_unknown(provider: Provider, owned: Turn, *answers: Answer) -> None:
    """Demand that answers about an owned context are those about contexts that nobody has."""
    unknown = {it: ask_for(provider, owned.user, it) for it in some_like(owned.context_id)}
    for answer in answers:
        expect.a2a_error(answer, "INVALID_PARAMS")
        expect.indistinguishable(answer, owned.context_id, unknown, what="a foreign context")


@requirement("4.2-owner-undisturbed")
def test_the_owner_gets_a_stored_reply_after_strangers_were_refused(
    continued: Turn, owners_retry: Answer
) -> None:
    expect.stored_reply(owners_retry, continued.answer)


@requirement("4.2-owner-undisturbed")
def test_the_owner_goes_on_after_a_stranger_was_refused(
    continued: Turn, owner_after_the_stranger: Turn
) -> None:
    message = expect.reply(owner_after_the_stranger.answer)

    expect.that(
        message.get("contextId") == continued.context_id,
        f"the contextId {continued.context_id}",
        message.get("contextId"),
    )


@requirement("4.2-no-task")
def test_ordinary_turns_leave_no_task(provider: Provider, opening: Turn, continued: Turn) -> None:
    for turn in (opening, continued):
        turn.must_be_served()
        body: Any = turn.answer.json
        expect.that(
            isinstance(body, dict) and "task" not in body,
            "a Message",
            "a Task for an ordinary turn",
        )
        message = body.get("message")
        task = message.get("taskId") if isinstance(message, dict) else None
        expect.that(not task, "a Message that belongs to no Task", f"taskId {task!r} in it")
    listed = provider.call(LIST, user=opening.user).json
    tasks = listed.get("tasks") if isinstance(listed, dict) else None
    expect.that(not tasks, "no task in the list of tasks", tasks)


@requirement("4.2-concurrent")
def test_conversations_that_open_at_once_are_kept_apart(at_once: list[Turn]) -> None:
    for turn in at_once:
        expect.served(turn.answer)

    contexts = {turn.context_id for turn in at_once}
    expect.that(len(contexts) == len(at_once), "a contextId for each", sorted(contexts))


@requirement("4.2-closed")
def test_a_message_to_a_closed_conversation_is_an_unsupported_operation(closed: Closed) -> None:
    expect.a2a_error(closed.owner, "UNSUPPORTED_OPERATION")


@requirement("4.2-closed-foreign")
def test_a_strangers_closed_conversation_looks_like_an_unknown_one(closed: Closed) -> None:
    expect.a2a_error(closed.stranger, "INVALID_PARAMS")
    expect.indistinguishable(
        closed.stranger,
        closed.opened.context_id,
        closed.unknown,
        what="another User's closed context",
    )


@requirement("4.2-new-after-closed")
def test_a_user_starts_anew_after_a_conversation_was_closed(closed: Closed) -> None:
    expect.served(closed.afterwards.answer)

    context = context_of(closed.afterwards.answer)
    expect.that(context != closed.opened.context_id, "a conversation of its own", context)
