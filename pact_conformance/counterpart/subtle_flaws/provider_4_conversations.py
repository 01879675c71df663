"""Subtle flaws of §4.2 and §4.3: each shows in a conversation of several steps."""

from dataclasses import replace
from typing import Any

from pact_conformance.counterpart.flaws.registry import subtle_flaw
from pact_conformance.counterpart.provider.conversations import Conversation, Owner
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import A2ARefusal
from pact_conformance.counterpart.subtle_flaws.under_way import (
    Answer,
    admit_strangers,
    change_stored,
    remember_authority,
)


@subtle_flaw("4.3-stranger")
def repeats_to_strangers_what_was_said_under_delegation(provider: Provider) -> None:
    """The reply to a delegated message is repeated to whoever knows its context and id."""

    def admit(known: Conversation, submission: Submission, _owner: Owner) -> Conversation | None:
        return known if submission.message_id in known.ran_as else None

    admit_strangers(provider, admit)


@subtle_flaw("4.2-closed")
def opens_a_closed_conversation_with_a_repeat(provider: Provider) -> None:
    """A message that is repeated in a closed conversation opens it again."""

    def change(conversation: Conversation, submission: Submission, stored: Answer) -> object:
        answer = stored(conversation, submission)
        if answer is not None:
            conversation.closed_at = None
        return answer

    change_stored(provider, change)


@subtle_flaw("4.2-closed")
def serves_closed_conversations_under_delegation(provider: Provider) -> None:
    """Whether a conversation is closed is looked at without a delegation token alone."""
    authority = remember_authority(provider)
    original = provider.conduct.check_is_open

    def check_is_open(conversation: Conversation) -> None:
        if authority() is None:
            original(conversation)

    provider.conduct = replace(provider.conduct, check_is_open=check_is_open)


def _know_openings(provider: Provider, key: Any) -> None:  # noqa: ANN401 - a function of both
    """Take a message without context for a repeat of somebody else's with the same key."""
    original = provider.conduct.conversation
    openings: dict[object, Conversation] = {}

    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        if submission.context_id is not None:
            return original(provider, submission, owner)
        known = openings.get(key(submission, owner))
        is_foreign = known is not None and known.owner != owner
        if known is not None and is_foreign and submission.message_id in known.replies:
            return known
        opened = original(provider, submission, owner)
        openings[key(submission, owner)] = opened
        return opened

    provider.conduct = replace(provider.conduct, conversation=conversation)


@subtle_flaw("4.3-stranger")
def knows_first_messages_by_their_id_alone(provider: Provider) -> None:
    """A first message whose id somebody else has used at the Brand gets the reply of then."""
    _know_openings(provider, lambda submission, owner: (submission.message_id, owner[2]))


@subtle_flaw("4.3-stranger")
def knows_first_messages_at_every_brand(provider: Provider) -> None:
    """A first message whose id the User has used at another Brand gets that one's reply."""
    _know_openings(provider, lambda submission, owner: (submission.message_id, owner[:2]))


@subtle_flaw("4.3-stored-reply", "4.3-first-message", "4.3-older-message")
def runs_a_repeated_message_again_under_a_token(provider: Provider) -> None:
    """A message that ran without a token runs again where it is repeated with one."""
    authority = remember_authority(provider)

    def change(conversation: Conversation, submission: Submission, stored: Answer) -> object:
        ran_without = submission.message_id not in conversation.ran_as
        return None if ran_without and authority() else stored(conversation, submission)

    change_stored(provider, change)


@subtle_flaw("4.2-closed-foreign", "4.3-stranger")
def tells_another_agent_that_a_conversation_is_closed(provider: Provider) -> None:
    """The closed conversation of another personal agent's User gets UNSUPPORTED_OPERATION."""

    def admit(known: Conversation, _submission: Submission, owner: Any) -> Conversation | None:  # noqa: ANN401 - of three members
        of: Any = known.owner
        if known.closed and of[0] != owner[0]:
            raise A2ARefusal("UNSUPPORTED_OPERATION", "The conversation is closed")
        return None

    admit_strangers(provider, admit)
