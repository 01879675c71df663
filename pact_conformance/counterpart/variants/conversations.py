"""Legal ways of a Brand's agent to talk, and of a Provider to keep what was said (§4)."""

from pact_conformance.counterpart.provider.brand_agent import Reply
from pact_conformance.counterpart.provider.conversations import Conversation, Owner
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.model_agent import ModelAgent
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import invalid
from pact_conformance.counterpart.substitution import change_reply
from pact_conformance.counterpart.variants.registry import variant

_LONG = 3600.0


@variant()
def answers_like_a_model(provider: Provider) -> None:
    """The Brand's agent takes up to half a second, and never says the same in the same words."""
    provider.employ(ModelAgent(think_seconds=0.5))


@variant("4.2-closed")
def forgets_a_conversation_an_hour_after_it_was_closed(provider: Provider) -> None:
    """A message to a conversation that was closed long ago gets INVALID_PARAMS."""
    find = provider.conduct.conversation

    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        found = find(provider, submission, owner)
        brand_id = submission_brand(found)
        if found.closed_at is not None and provider.clock.now(brand_id) > found.closed_at + _LONG:
            raise invalid("Unknown contextId")
        return found

    provider.conduct.conversation = conversation


def submission_brand(conversation: Conversation) -> str | None:
    """Return the Brand of a conversation, whose clock it lives by."""
    owner = conversation.owner
    return str(owner[2]) if isinstance(owner, tuple) and len(owner) == 3 else None


@variant("4.3-not-run-again", "4.3-first-message")
def refuses_another_text_under_a_known_id(provider: Provider) -> None:
    """A repeated messageId with another text gets INVALID_PARAMS."""
    check = provider.conduct.stored_answer
    texts: dict[tuple[str, str], str] = {}

    def stored(conversation: Conversation, submission: Submission) -> object:
        key = (conversation.id, submission.message_id)
        answer = check(conversation, submission)
        if answer is not None and texts[key] != submission.text:
            raise invalid("This messageId was used for another text")
        texts[key] = submission.text
        return answer

    provider.conduct.stored_answer = stored


@variant()
def closes_a_conversation_with_its_first_reply(provider: Provider) -> None:
    """A conversation takes one message, and is closed with its reply (§4.2: it MAY be)."""
    _close_with_reply(provider, 1)


@variant()
def closes_a_conversation_with_its_third_reply(provider: Provider) -> None:
    """A conversation takes three messages, and is closed with the third reply."""
    _close_with_reply(provider, 3)


def _close_with_reply(provider: Provider, number: int) -> None:
    original = provider.conduct.answer

    def answer(conversation: Conversation, reply: Reply) -> object:
        if len(conversation.replies) >= number:
            conversation.close(provider.clock.now(submission_brand(conversation)))
        return original(conversation, reply)

    provider.conduct.answer = answer


@variant()
def replies_at_length(provider: Provider) -> None:
    """A reply has a hundred thousand characters, of many scripts."""
    filling = "Grüße, приветствия, 問候語, تحيات 🦆 and more of the same.\n" * 2000
    change_reply(provider, lambda answer: answer["message"]["parts"].append({"text": filling}))
