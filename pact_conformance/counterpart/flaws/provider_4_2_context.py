"""Flaws of §4.2: contexts and whose they are."""

import asyncio
from collections import defaultdict
from collections.abc import Callable

from starlette.responses import Response

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.brand_agent import Reply, Turn
from pact_conformance.counterpart.provider.conversations import Conversation, Owner
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import A2ARefusal, invalid
from pact_conformance.counterpart.provider.sending import conversation_of, start_conversation
from pact_conformance.counterpart.substitution import RETRIES, a2a_error

Find = Callable[[Provider, Submission, Owner], Conversation]
IsRefused = Callable[[Conversation | None, Owner], bool]

_FOREIGN = ("4.2-foreign-user", "4.2-foreign-agent", "4.2-foreign-brand", "4.2-closed-foreign")


def _is_unknown(conversation: Conversation | None, _owner: Owner) -> bool:
    return conversation is None


def _is_foreign(conversation: Conversation | None, owner: Owner) -> bool:
    return conversation is not None and conversation.owner != owner


def _find(provider: Provider, is_special: IsRefused, find: Find) -> None:
    """Let `find` decide about some contexts that the Provider would refuse."""

    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        context_id = submission.context_id
        if context_id is not None and is_special(provider.conversations.get(context_id), owner):
            return find(provider, submission, owner)
        return conversation_of(provider, submission, owner)

    provider.conduct.conversation = conversation


def _refuse(provider: Provider, is_special: IsRefused, refusal: A2ARefusal) -> None:
    def refuse(_provider: Provider, _submission: Submission, _owner: Owner) -> Conversation:
        raise refusal

    _find(provider, is_special, refuse)


# Continuing


@flaw("4.2-closed", "4.2-context-continued", "4.3-first-message")
def refuses_to_continue(provider: Provider) -> None:
    """A message with a contextId is refused as unknown, whoever's it is."""

    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        if submission.context_id is not None:
            raise invalid("Unknown contextId")
        return conversation_of(provider, submission, owner)

    provider.conduct.conversation = conversation


@flaw("4.2-context-continued", "4.2-owner-undisturbed", "4.2-closed", "4.3-still-running", *RETRIES)
def starts_anew_for_each_message(provider: Provider) -> None:
    """A message in the User's own context is answered in a new one."""

    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        conversation_of(provider, submission, owner)
        return start_conversation(provider, owner)

    provider.conduct.conversation = conversation


@flaw(
    "4.2-owner-undisturbed",
    "4.3-finished",
    "4.3-not-run-again",
    "4.3-other-token",
    "4.3-stored-reply",
)
def forgets_a_context_after_one_message(provider: Provider) -> None:
    """A conversation takes one message more, and then its context is unknown."""

    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        found = conversation_of(provider, submission, owner)
        if len(found.replies) > 1:
            provider.conversations.discard(found)
            raise invalid("Unknown contextId")
        return found

    provider.conduct.conversation = conversation


@flaw(
    "4.2-closed-foreign",
    "4.2-foreign-agent",
    "4.2-foreign-brand",
    "4.2-foreign-user",
    "4.2-unknown-context",
    "4.3-stranger",
)
def starts_anew_for_an_unknown_context(provider: Provider) -> None:
    """A message with an unknown contextId starts a new conversation."""
    _find(provider, _is_unknown, lambda provider, _, owner: start_conversation(provider, owner))


@flaw(
    "4.2-closed-foreign",
    "4.2-foreign-agent",
    "4.2-foreign-brand",
    "4.2-foreign-user",
    "4.2-unknown-context",
    "4.3-stranger",
)
def adopts_an_unknown_context(provider: Provider) -> None:
    """A message with an unknown contextId starts a conversation under that id."""

    def adopt(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        conversation = Conversation(id=submission.context_id or "", owner=owner)
        provider.conversations.add(conversation)
        return conversation

    _find(provider, _is_unknown, adopt)


@flaw(
    "4.2-closed-foreign",
    "4.2-foreign-agent",
    "4.2-foreign-brand",
    "4.2-foreign-user",
    "4.2-unknown-context",
    "4.3-stranger",
)
def answers_unknown_and_foreign_contexts_with_not_found(provider: Provider) -> None:
    """A message with an unknown or foreign contextId gets TASK_NOT_FOUND."""
    refusal = A2ARefusal("TASK_NOT_FOUND", "There is no such context")
    _refuse(provider, lambda found, owner: found is None or _is_foreign(found, owner), refusal)


@flaw("6-table")
def answers_unknown_contexts_with_404(provider: Provider) -> None:
    """A message with an unknown or foreign contextId gets INVALID_PARAMS with 404."""
    original = provider.answers.error

    def error(refusal: A2ARefusal) -> Response:
        if refusal.message == "Unknown contextId":
            return a2a_error("INVALID_PARAMS", 404, "INVALID_ARGUMENT")
        return original(refusal)

    provider.answers.error = error


# Isolation


def _own_by(provider: Provider, owner: Callable[[str, str, str], Owner]) -> None:
    provider.conduct.owner = lambda user, brand_id: owner(user.issuer, user.sub, brand_id)


@flaw("4.2-foreign-user", "4.2-foreign-agent", "4.2-closed-foreign", "4.3-stranger")
def shares_contexts_between_all_users(provider: Provider) -> None:
    """A context may be continued by whoever knows its id, at the same Brand."""
    _own_by(provider, lambda _issuer, _sub, brand_id: brand_id)


@flaw("4.2-foreign-user", "4.2-closed-foreign", "4.3-stranger")
def shares_contexts_between_the_users_of_an_agent(provider: Provider) -> None:
    """A context belongs to the personal agent, not to the User."""
    _own_by(provider, lambda issuer, _sub, brand_id: (issuer, brand_id))


@flaw("4.2-foreign-agent")
def takes_a_user_by_sub_alone(provider: Provider) -> None:
    """A context belongs to the `sub`, whichever agent names it."""
    _own_by(provider, lambda _issuer, sub, brand_id: (sub, brand_id))


@flaw("4.2-foreign-brand")
def shares_contexts_between_brands(provider: Provider) -> None:
    """A context may be continued at another Brand."""
    _own_by(provider, lambda issuer, sub, _brand_id: (issuer, sub))


@flaw(
    "4.2-closed-foreign",
    "4.2-foreign-agent",
    "4.2-foreign-brand",
    "4.2-foreign-user",
    "4.3-stranger",
)
def forbids_a_foreign_context(provider: Provider) -> None:
    """A foreign context gets 403, an unknown one 400."""
    original = provider.answers.error

    def error(refusal: A2ARefusal) -> Response:
        if refusal.message == "forbidden":
            return a2a_error("FORBIDDEN", 403, "PERMISSION_DENIED")
        return original(refusal)

    provider.answers.error = error
    _refuse(provider, _is_foreign, A2ARefusal("INVALID_PARAMS", "forbidden"))


@flaw(
    "4.2-closed-foreign",
    "4.2-foreign-agent",
    "4.2-foreign-brand",
    "4.2-foreign-user",
    "4.3-stranger",
)
def says_in_the_message_that_a_context_is_foreign(provider: Provider) -> None:
    """A foreign context gets another message than an unknown one."""
    _refuse(provider, _is_foreign, invalid("This contextId belongs to somebody else"))


@flaw(
    "4.2-closed-foreign",
    "4.2-foreign-agent",
    "4.2-foreign-brand",
    "4.2-foreign-user",
    "4.3-stranger",
)
def says_by_the_reason_that_a_context_is_foreign(provider: Provider) -> None:
    """A foreign context gets another reason than an unknown one."""
    _refuse(provider, _is_foreign, A2ARefusal("UNSUPPORTED_OPERATION", "Unknown contextId"))


@flaw(
    "4.2-closed-foreign",
    "4.2-foreign-agent",
    "4.2-foreign-brand",
    "4.2-foreign-user",
    "4.3-stranger",
)
def says_in_a_header_that_a_context_is_foreign(provider: Provider) -> None:
    """A foreign context gets another header than an unknown one."""
    _mark_foreign(provider, lambda response: response.headers.update({"X-Conversation": "held"}))


@flaw(
    "4.2-closed-foreign",
    "4.2-foreign-agent",
    "4.2-foreign-brand",
    "4.2-foreign-user",
    "4.3-stranger",
)
def says_by_white_space_that_a_context_is_foreign(provider: Provider) -> None:
    """A foreign context gets a body with one space more than an unknown one."""

    def change(response: Response) -> None:
        response.body = bytes(response.body) + b" "
        response.headers["content-length"] = str(len(response.body))

    _mark_foreign(provider, change)


def _mark_foreign(provider: Provider, change: Callable[[Response], object]) -> None:
    refusal = invalid("Unknown contextId")
    original = provider.answers.error

    def error(refused: A2ARefusal) -> Response:
        response = original(refused)
        if refused is refusal:
            change(response)
        return response

    provider.answers.error = error
    _refuse(provider, _is_foreign, refusal)


# The owner


def _disturb(provider: Provider, change: Callable[[Conversation, Submission, Owner], None]) -> None:
    """Let a refused message of a stranger change the conversation."""

    def refuse(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        found = provider.conversations.get(submission.context_id or "")
        assert found is not None
        change(found, submission, owner)
        raise invalid("Unknown contextId")

    _find(provider, _is_foreign, refuse)


@flaw("4.2-owner-undisturbed")
def closes_a_context_that_a_stranger_writes_to(provider: Provider) -> None:
    """A refused message of another User closes the owner's conversation."""
    _disturb(provider, lambda found, _submission, _owner: found.close(0))


@flaw("4.2-owner-undisturbed")
def takes_a_context_from_its_owner_when_a_stranger_writes(provider: Provider) -> None:
    """A refused message of another User makes the conversation nobody's."""
    _disturb(provider, lambda found, _submission, _owner: setattr(found, "owner", "nobody"))


@flaw("4.2-owner-undisturbed", "4.3-older-message")
def forgets_replies_when_a_stranger_writes(provider: Provider) -> None:
    """A refused message of another User empties the owner's stored replies."""
    _disturb(provider, lambda found, _submission, _owner: found.replies.clear())


@flaw("4.2-owner-undisturbed")
def keeps_the_message_id_of_a_stranger(provider: Provider) -> None:
    """A refused message of another User takes its messageId, so that the owner cannot repeat it."""

    def change(found: Conversation, submission: Submission, _owner: Owner) -> None:
        found.begin(submission.message_id)

    _disturb(provider, change)


# Concurrency


@flaw("4.2-concurrent")
def answers_a_user_one_message_at_a_time(provider: Provider) -> None:
    """A message that arrives while another of the User is being answered is refused."""
    agent = provider.brand_agent
    busy: defaultdict[object, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def brand_agent(turn: Turn) -> Reply:
        lock = busy[turn.user]
        if lock.locked():
            raise invalid("Busy")
        async with lock:
            # Long enough for messages of the same time to meet.
            await asyncio.sleep(0.05)
            return await agent(turn)

    provider.brand_agent = brand_agent
