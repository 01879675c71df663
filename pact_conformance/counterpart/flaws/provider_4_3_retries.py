"""Flaws of §4.3: repeated messages."""

import copy
from typing import Any

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.conversations import RUNNING, Conversation, Owner
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import A2ARefusal, invalid
from pact_conformance.counterpart.provider.sending import conversation_of, stored_answer
from pact_conformance.counterpart.substitution import RETRIES


@flaw(*RETRIES, "4.3-still-running", "4.2-owner-undisturbed")
def runs_again_for_a_repeated_message(provider: Provider) -> None:
    """A repeated message is answered anew."""
    provider.conduct.stored_answer = lambda _conversation, _submission: None


@flaw(*RETRIES, "4.2-owner-undisturbed")
def refuses_a_repeated_message(provider: Provider) -> None:
    """A repeated message gets INVALID_PARAMS even when its reply is stored."""

    def refuse(conversation: Conversation, submission: Submission) -> object:
        if submission.message_id in conversation.replies:
            raise invalid("messageId is not unique")
        return None

    provider.conduct.stored_answer = refuse


@flaw("4.3-stored-reply", "4.3-first-message", "4.3-older-message", "4.2-owner-undisturbed")
def gives_a_stored_reply_a_new_id(provider: Provider) -> None:
    """A stored reply comes with another messageId each time."""

    def answer(conversation: Conversation, submission: Submission) -> object:
        stored: Any = copy.deepcopy(stored_answer(conversation, submission))
        if stored is not None:
            stored["message"]["messageId"] = provider.conduct.mint()
        return stored

    provider.conduct.stored_answer = answer


@flaw("4.3-older-message")
def stores_only_the_last_reply(provider: Provider) -> None:
    """Only the last message of a conversation has a stored reply."""

    def answer(conversation: Conversation, submission: Submission) -> object:
        last = next(reversed(conversation.replies), None)
        is_last = submission.message_id == last
        running = conversation.replies.get(submission.message_id) is RUNNING
        return stored_answer(conversation, submission) if is_last or running else None

    provider.conduct.stored_answer = answer


@flaw("4.3-first-message", "4.2-owner-undisturbed")
def does_not_count_the_first_message(provider: Provider) -> None:
    """The message that started a conversation is not known in it."""

    def answer(conversation: Conversation, submission: Submission) -> object:
        first = next(iter(conversation.replies), None)
        is_first = submission.message_id == first
        return None if is_first else stored_answer(conversation, submission)

    provider.conduct.stored_answer = answer


@flaw("4.3-still-running")
def runs_twice_at_the_same_time(provider: Provider) -> None:
    """A message repeated while the first is being answered is answered too."""

    def answer(conversation: Conversation, submission: Submission) -> object:
        if conversation.replies.get(submission.message_id) is RUNNING:
            return None
        return stored_answer(conversation, submission)

    provider.conduct.stored_answer = answer


@flaw("4.3-still-running")
def refuses_a_running_message_as_unsupported(provider: Provider) -> None:
    """A message repeated while the first is being answered gets UNSUPPORTED_OPERATION."""

    def answer(conversation: Conversation, submission: Submission) -> object:
        if conversation.replies.get(submission.message_id) is RUNNING:
            raise A2ARefusal("UNSUPPORTED_OPERATION", "Still running")
        return stored_answer(conversation, submission)

    provider.conduct.stored_answer = answer


@flaw("4.3-per-context", "4.2-context-minted")
def knows_message_ids_across_contexts(provider: Provider) -> None:
    """A messageId of another conversation of the same User gets that one's reply."""
    known: dict[tuple[Owner, str], Conversation] = {}

    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        found = conversation_of(provider, submission, owner)
        return known.setdefault((owner, submission.message_id), found)

    provider.conduct.conversation = conversation


@flaw("4.3-stranger", "4.2-foreign-user", "4.2-foreign-agent", "4.2-foreign-brand")
def gives_a_stored_reply_to_a_stranger(provider: Provider) -> None:
    """A repeated message in a foreign context gets its stored reply."""

    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        found = provider.conversations.get(submission.context_id or "")
        if found is not None and submission.message_id in found.replies:
            return found
        return conversation_of(provider, submission, owner)

    provider.conduct.conversation = conversation


@flaw("4.2-closed")
def takes_messages_after_closing(provider: Provider) -> None:
    """A closed conversation takes further messages."""
    provider.conduct.check_is_open = lambda _conversation: None


@flaw("4.2-closed")
def refuses_a_closed_conversation_as_not_found(provider: Provider) -> None:
    """A message to a closed conversation gets TASK_NOT_FOUND."""

    def check(conversation: Conversation) -> None:
        if conversation.closed:
            raise A2ARefusal("TASK_NOT_FOUND", "The conversation is closed")

    provider.conduct.check_is_open = check


@flaw("4.2-new-after-closed")
def ends_with_the_first_closed_conversation(provider: Provider) -> None:
    """After one conversation was closed the User cannot start another."""
    closed: dict[Owner, Conversation] = {}

    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        if submission.context_id is None and owner in closed and closed[owner].closed:
            raise A2ARefusal("UNSUPPORTED_OPERATION", "The conversation is closed")
        closed[owner] = conversation_of(provider, submission, owner)
        return closed[owner]

    provider.conduct.conversation = conversation
