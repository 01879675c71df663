"""`message:send`: from a request to the reply of the Brand's agent (§4)."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pact_conformance.counterpart.provider.brand_agent import (
    AgentFailedError,
    Authority,
    Reply,
    Turn,
)
from pact_conformance.counterpart.provider.call import Call, read_body
from pact_conformance.counterpart.provider.conversations import (
    RUNNING,
    Conversation,
    Owner,
)
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.refusals import A2ARefusal, invalid
from pact_conformance.counterpart.provider.verifier import User
from pact_conformance.wire.media_types import A2A_JSON, JSON, essence

if TYPE_CHECKING:
    from starlette.responses import Response

    from pact_conformance.counterpart.provider.provider import Provider


async def send_message(provider: "Provider", call: Call) -> "Response":
    """Serve `message:send`."""
    submission = await provider.read_submission(provider, call)
    assert call.user is not None
    assert call.brand is not None
    conduct = provider.conduct
    owner = conduct.owner(call.user, call.brand.id)
    conversation = conduct.conversation(provider, submission, owner)
    conduct.check_brand_user(conversation, call.authority)
    answer = conduct.stored_answer(conversation, submission)
    if answer is None:
        conduct.check_is_open(conversation)
        turn = Turn(submission.text, call.brand.id, call.brand.name, call.user, call.authority)
        answer = await conduct_turn(provider, conversation, submission.message_id, turn)
    return provider.answers.result(answer)


async def read_submission(provider: "Provider", call: Call) -> Submission:
    """Read the request and hold it against the rules of §4.1."""
    provider.check_content_type(call.request.headers.get("content-type"))
    submission = Submission(await read_body(call.request, provider.config.max_body))
    for rule in provider.rules:
        rule(submission)
    return submission


def check_content_type(content_type: str | None) -> None:
    """Refuse a request that says that it is no JSON; saying nothing is allowed (§2)."""
    if essence(content_type) not in ("", JSON, A2A_JSON):
        raise invalid(f"The request body must be {JSON} or {A2A_JSON}")


async def conduct_turn(
    provider: "Provider", conversation: Conversation, message_id: str, turn: Turn
) -> object:
    """Run the Brand's agent for a message, and store what it answers.

    A run that failed leaves no trace: the message may be sent again, and a conversation that it
    would have started does not exist.
    """
    started_here = conversation.is_new
    conversation.begin(message_id, None if turn.authority is None else turn.authority.brand_user)
    try:
        reply = await provider.brand_agent(turn)
    except BaseException as error:
        conversation.forget(message_id)
        if started_here:
            provider.conversations.discard(conversation)
        if isinstance(error, AgentFailedError):
            raise A2ARefusal("INTERNAL", "The Brand's agent is out of order") from None
        raise
    answer = provider.conduct.answer(conversation, reply)
    if turn.authority is not None:
        answer = provider.delegation.conclude(provider, conversation, turn, reply, answer)
    conversation.finish(message_id, answer)
    if reply.closes:
        conversation.close(provider.clock.now(turn.brand_id))
    return answer


def owner_of_context(user: User, brand_id: str) -> Owner:
    """Return what a context belongs to: this Brand, this agent and this `sub` (§4.2)."""
    return (user.issuer, user.sub, brand_id)


def mint_context_id() -> str:
    """Return a new `contextId`, which says nothing to anybody (§4.2)."""
    return str(uuid.uuid4())


def conversation_of(provider: "Provider", submission: Submission, owner: Owner) -> Conversation:
    """Return the conversation that a message continues, or a new one.

    An unknown context and one of somebody else get the same answer (§4.2).
    """
    if submission.context_id is None:
        return start_conversation(provider, owner)
    conversation = provider.conversations.get(submission.context_id)
    if conversation is None or conversation.owner != owner:
        raise invalid("Unknown contextId")
    return conversation


def start_conversation(provider: "Provider", owner: Owner) -> Conversation:
    """Start a conversation under an id of its own (§4.2)."""
    conversation = Conversation(id=provider.conduct.mint(), owner=owner)
    provider.conversations.add(conversation)
    return conversation


def check_brand_user(conversation: Conversation, authority: Authority | None) -> None:
    """Refuse the token of another Brand user than a conversation has run as (§5.5).

    A message without a token passes: it has no delegated power, and a personal agent may always
    talk with §3 alone (§5.1).
    """
    if authority is not None and conversation.brand_user not in (None, authority.brand_user):
        raise invalid("The conversation belongs to another user of the Brand")


def stored_answer(conversation: Conversation, submission: Submission) -> object:
    """Return the stored answer to a repeated message, None for a new one (§4.3).

    Raises:
        A2ARefusal: the message is being answered; there is no stored reply yet.
    """
    answer = conversation.replies.get(submission.message_id)
    if answer is RUNNING:
        raise invalid("This messageId is still being answered")
    return answer


def check_is_open(conversation: Conversation) -> None:
    """Refuse a message to a closed conversation (§4.2)."""
    if conversation.closed:
        raise A2ARefusal("UNSUPPORTED_OPERATION", "The conversation is closed")


def answer_with(conversation: Conversation, reply: Reply) -> dict[str, Any]:
    """Return the SendMessageResponse: a Message of the agent in its context (§4.2)."""
    return {
        "message": {
            "messageId": reply.id,
            "contextId": conversation.id,
            "role": "ROLE_AGENT",
            "parts": [{"text": reply.text}],
        }
    }


@dataclass
class Conduct:
    """How conversations are conducted: one function for each question that §4.2 and §4.3 settle."""

    owner: Callable[[User, str], Owner] = owner_of_context
    mint: Callable[[], str] = mint_context_id
    conversation: "Callable[[Provider, Submission, Owner], Conversation]" = conversation_of
    stored_answer: Callable[[Conversation, Submission], object] = stored_answer
    check_brand_user: Callable[[Conversation, Authority | None], None] = check_brand_user
    check_is_open: Callable[[Conversation], None] = check_is_open
    answer: Callable[[Conversation, Reply], object] = answer_with
