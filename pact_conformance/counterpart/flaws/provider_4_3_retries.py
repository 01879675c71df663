"""Flaws of §4.3: repeated messages."""

import asyncio
import base64
import copy
import json
from collections.abc import Callable
from typing import Any

from starlette.responses import Response

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.call import Call
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


@flaw(*RETRIES, "4.2-owner-undisturbed")
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


@flaw("4.3-first-message")
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


@flaw("4.3-per-context", "4.3-first-message")
def knows_message_ids_across_contexts(provider: Provider) -> None:
    """A messageId of another conversation of the same User gets that one's reply."""
    known: dict[tuple[Owner, str], Conversation] = {}

    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        found = conversation_of(provider, submission, owner)
        return known.setdefault((owner, submission.message_id), found)

    provider.conduct.conversation = conversation


@flaw("4.3-stranger", "4.2-foreign-agent", "4.2-foreign-brand")
def gives_a_stored_reply_to_a_stranger(provider: Provider) -> None:
    """A repeated message in a foreign context gets its stored reply."""

    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        found = provider.conversations.get(submission.context_id or "")
        if found is not None and submission.message_id in found.replies:
            return found
        return conversation_of(provider, submission, owner)

    provider.conduct.conversation = conversation


# What a message is known by


@flaw(*RETRIES, "4.3-still-running", "4.2-owner-undisturbed")
def knows_a_message_by_its_token(provider: Provider) -> None:
    """A repeated message is recognised only with the very token of the first."""
    _know_by(provider, lambda token: token)


@flaw("4.3-other-token")
def knows_a_message_by_the_life_of_its_token(provider: Provider) -> None:
    """A repeated message is recognised only with a token that lives as long as the first's."""

    def life(token: str) -> str:
        segment = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(segment + "=" * (-len(segment) % 4)))
        return str(claims["exp"] - claims["iat"])

    _know_by(provider, life)


def _know_by(provider: Provider, trait: Callable[[str], str]) -> None:
    """Let a trait of the token count beside the messageId."""
    read = provider.read_submission

    async def read_with_token(provider: Provider, call: Call) -> Submission:
        submission = await read(provider, call)
        token = provider.bearer_token(call.request)
        submission.message["messageId"] = f"{submission.message_id} {trait(token)}"
        return submission

    provider.read_submission = read_with_token


@flaw("4.3-not-run-again")
def runs_again_for_another_text(provider: Provider) -> None:
    """A repeated messageId with another text is answered anew."""
    read = provider.read_submission

    async def read_with_text(provider: Provider, call: Call) -> Submission:
        submission = await read(provider, call)
        submission.message["messageId"] = f"{submission.message_id} {submission.text}"
        return submission

    provider.read_submission = read_with_text


@flaw("4.3-per-context")
def stores_replies_by_message_alone(provider: Provider) -> None:
    """A messageId that the User sent in another conversation gets that one's stored reply."""
    stored: dict[tuple[Owner, str], Conversation] = {}

    def answer(conversation: Conversation, submission: Submission) -> object:
        key = (conversation.owner, submission.message_id)
        elsewhere = stored.setdefault(key, conversation)
        # A message without context starts a conversation all the same.
        is_new = submission.context_id is None
        return stored_answer(conversation if is_new else elsewhere, submission)

    provider.conduct.stored_answer = answer


# While it runs, and then


@flaw("4.3-still-running")
def runs_again_once_the_first_has_ended(provider: Provider) -> None:
    """A message repeated while the first is being answered waits, and is then answered anew."""
    serve = provider.operations["send"].handle

    async def handle(provider: Provider, call: Call) -> Response:
        await call.request.body()
        submission = await provider.read_submission(provider, call)
        conversation = provider.conversations.get(submission.context_id or "")
        replies = {} if conversation is None else conversation.replies
        waited = False
        while replies.get(submission.message_id) is RUNNING:
            waited = True
            await asyncio.sleep(0.01)
        if waited:
            replies.pop(submission.message_id, None)
        return await serve(provider, call)

    provider.operations.handle("send", handle)


@flaw("4.3-finished")
def keeps_refusing_what_was_repeated_while_it_ran(provider: Provider) -> None:
    """A message that was repeated while the first was being answered never gets a stored reply."""
    refused: set[tuple[str, str]] = set()

    def answer(conversation: Conversation, submission: Submission) -> object:
        key = (conversation.id, submission.message_id)
        if conversation.replies.get(submission.message_id) is RUNNING:
            refused.add(key)
        if key in refused:
            raise invalid("There is no stored reply")
        return stored_answer(conversation, submission)

    provider.conduct.stored_answer = answer


@flaw("4.3-finished")
def runs_again_what_was_repeated_while_it_ran(provider: Provider) -> None:
    """A message that was repeated while the first was being answered runs again afterwards."""
    refused: set[tuple[str, str]] = set()

    def answer(conversation: Conversation, submission: Submission) -> object:
        key = (conversation.id, submission.message_id)
        if conversation.replies.get(submission.message_id) is RUNNING:
            refused.add(key)
        elif key in refused:
            return None
        return stored_answer(conversation, submission)

    provider.conduct.stored_answer = answer


# Strangers


@flaw("4.3-stranger", "4.2-foreign-agent", "4.2-foreign-brand")
def tells_a_stranger_that_a_message_was_sent(provider: Provider) -> None:
    """A foreign context gets another message where the messageId is known in it."""

    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        found = provider.conversations.get(submission.context_id or "")
        is_foreign = found is not None and found.owner != owner
        if found is not None and is_foreign and submission.message_id in found.replies:
            raise invalid("This messageId was used before")
        return conversation_of(provider, submission, owner)

    provider.conduct.conversation = conversation
