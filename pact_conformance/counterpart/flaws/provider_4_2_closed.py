"""Flaws of §4.2: closed conversations."""

from collections.abc import Callable

from starlette.responses import Response

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.conversations import Conversation, Owner
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import A2ARefusal, invalid
from pact_conformance.counterpart.provider.sending import conversation_of, start_conversation
from pact_conformance.counterpart.substitution import a2a, a2a_error

_CLOSED = "The conversation is closed"


# The owner


@flaw("4.2-closed")
def takes_messages_after_closing(provider: Provider) -> None:
    """A closed conversation takes further messages."""
    provider.conduct.check_is_open = lambda _conversation: None


def _refuse_closed(provider: Provider, refusal: A2ARefusal) -> None:
    def check(conversation: Conversation) -> None:
        if conversation.closed:
            raise refusal

    provider.conduct.check_is_open = check


@flaw("4.2-closed")
def refuses_a_closed_conversation_as_not_found(provider: Provider) -> None:
    """A message to a closed conversation gets TASK_NOT_FOUND."""
    _refuse_closed(provider, A2ARefusal("TASK_NOT_FOUND", _CLOSED))


@flaw("4.2-closed")
def refuses_a_closed_conversation_as_invalid(provider: Provider) -> None:
    """A message to a conversation that was closed just now gets INVALID_PARAMS."""
    _refuse_closed(provider, invalid("Unknown contextId"))


@flaw("4.2-closed")
def fails_at_a_closed_conversation(provider: Provider) -> None:
    """A message to a closed conversation gets INTERNAL."""
    _refuse_closed(provider, A2ARefusal("INTERNAL", _CLOSED))


def _answer_closed(provider: Provider, answer: Callable[[], Response]) -> None:
    """Answer a message to a closed conversation with something else than A2A's error for it."""
    original = provider.answers.error

    def error(refusal: A2ARefusal) -> Response:
        return answer() if refusal.message == _CLOSED else original(refusal)

    provider.answers.error = error


@flaw("6-table")
def says_410_of_a_closed_conversation(provider: Provider) -> None:
    """A message to a closed conversation gets UNSUPPORTED_OPERATION with 410."""
    _answer_closed(provider, lambda: a2a_error("UNSUPPORTED_OPERATION", 410, "FAILED_PRECONDITION"))


@flaw("4.2-closed")
def says_goodbye_again_in_a_closed_conversation(provider: Provider) -> None:
    """A message to a closed conversation gets 200 with a farewell."""
    message = {"messageId": "r", "role": "ROLE_AGENT", "parts": [{"text": "This chat has ended."}]}
    _answer_closed(provider, lambda: a2a({"message": message | {"contextId": "c"}}))


@flaw("4.2-closed")
def starts_anew_in_place_of_a_closed_conversation(provider: Provider) -> None:
    """A message to a closed conversation is answered in a new one."""

    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        found = conversation_of(provider, submission, owner)
        return start_conversation(provider, owner) if found.closed else found

    provider.conduct.conversation = conversation


@flaw("4.2-new-after-closed")
def ends_with_the_first_closed_conversation(provider: Provider) -> None:
    """After one conversation was closed the User cannot start another."""
    latest: dict[Owner, Conversation] = {}

    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        if submission.context_id is None and owner in latest and latest[owner].closed:
            raise A2ARefusal("UNSUPPORTED_OPERATION", _CLOSED)
        latest[owner] = conversation_of(provider, submission, owner)
        return latest[owner]

    provider.conduct.conversation = conversation


@flaw("4.2-new-after-closed")
def reopens_a_closed_conversation_for_the_next(provider: Provider) -> None:
    """A User who starts anew after a conversation was closed gets that one's contextId."""
    latest: dict[Owner, Conversation] = {}

    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        if submission.context_id is None and owner in latest and latest[owner].closed:
            latest[owner].closed_at = None
            return latest[owner]
        latest[owner] = conversation_of(provider, submission, owner)
        return latest[owner]

    provider.conduct.conversation = conversation


# Strangers


def _meet_stranger(provider: Provider, refusal: A2ARefusal) -> None:
    """Refuse a foreign context that is closed in a way of its own."""

    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        found = provider.conversations.get(submission.context_id or "")
        if found is not None and found.closed and found.owner != owner:
            raise refusal
        return conversation_of(provider, submission, owner)

    provider.conduct.conversation = conversation


@flaw("4.2-closed-foreign")
def says_that_a_foreign_context_is_closed(provider: Provider) -> None:
    """A foreign context that is closed gets UNSUPPORTED_OPERATION."""
    _meet_stranger(provider, A2ARefusal("UNSUPPORTED_OPERATION", _CLOSED))


@flaw("4.2-closed-foreign")
def says_in_the_message_that_a_foreign_context_is_closed(provider: Provider) -> None:
    """A foreign context that is closed gets INVALID_PARAMS with another message than unknown."""
    _meet_stranger(provider, invalid("This contextId has ended"))


@flaw("4.2-closed-foreign")
def says_in_a_header_that_a_foreign_context_is_closed(provider: Provider) -> None:
    """A foreign context that is closed gets another header than an unknown one."""
    refusal = invalid("Unknown contextId")
    original = provider.answers.error

    def error(refused: A2ARefusal) -> Response:
        response = original(refused)
        if refused is refusal:
            response.headers["X-State"] = "ended"
        return response

    provider.answers.error = error
    _meet_stranger(provider, refusal)
