"""A turn of a User: sending what was said, and acting on what comes back."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pact_conformance.counterpart.personal_agent.answers import (
    Failed,
    Outcome,
    Refused,
    Replied,
    SteppedUp,
    Unauthorized,
)
from pact_conformance.counterpart.personal_agent.documents import text as text_in
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.results import NeedsSignIn, Reply
from pact_conformance.counterpart.personal_agent.store import Conversation, Relation

if TYPE_CHECKING:
    from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent

Said = Reply | NeedsSignIn


@dataclass
class Turn:
    """What a User says in a conversation, and what was tried to deliver it."""

    relation: Relation
    conversation: Conversation
    text: str = field(repr=False)
    renewed: bool = False
    """Whether its delegation token was renewed because it was refused."""
    started_anew: bool = False
    """Whether it has begun a new conversation because the old one was closed."""


Reaction = Callable[["PersonalAgent", Turn, Draft, Any], Said]
"""Acts on an outcome: returns what the User is told, or raises Failure."""


def take_turn(agent: "PersonalAgent", turn: Turn) -> Said:
    """Send what the User has said, as it is, and return what comes of it.

    Raises:
        Failure: the turn came to nothing.
    """
    ready = agent.delegation.ready(agent, turn)
    if isinstance(ready, NeedsSignIn):
        return ready
    draft = agent.draft(agent, turn.relation, turn.conversation, turn.text, ready)
    return agent.react(agent, turn, draft, agent.deliver(agent, draft))


def reactions() -> dict[type, Reaction]:
    """Return what is done about each kind of outcome."""
    return {
        Replied: take_reply,
        SteppedUp: take_step_up,
        Refused: take_refusal,
        Unauthorized: take_unauthorized,
        Failed: take_failure,
    }


def reasons() -> dict[str, Reaction]:
    """Return what is done about an A2A error with one of these reasons (§6).

    Any other one ends the turn, and nothing else: the conversation stays what it was.
    """
    return {"UNSUPPORTED_OPERATION": start_anew}


def react(agent: "PersonalAgent", turn: Turn, draft: Draft, outcome: Outcome) -> Said:
    """Act on an outcome."""
    return agent.reactions[type(outcome)](agent, turn, draft, outcome)


def take_reply(agent: "PersonalAgent", turn: Turn, draft: Draft, outcome: Replied) -> Said:
    """Relay the reply; keep its `contextId`, and its receipt."""
    agent.keep_context(agent, turn, text_in(outcome.message, "contextId"))
    if draft.grant is not None:
        agent.delegation.take_receipt(agent, draft, outcome.message)
    return Reply(agent.reply_text(outcome.message), turn.conversation.handle)


def take_step_up(agent: "PersonalAgent", turn: Turn, draft: Draft, outcome: SteppedUp) -> Said:
    """Ask the User for the missing scopes; the conversation stays open (§5.5)."""
    agent.keep_context(agent, turn, text_in(outcome.task, "contextId"))
    return agent.delegation.step_up(agent, turn, draft, outcome.task)


def take_refusal(agent: "PersonalAgent", turn: Turn, draft: Draft, outcome: Refused) -> Said:
    """Act on the reason of an A2A error.

    Raises:
        Failure: there is nothing to do about it.
    """
    reaction = agent.reasons.get(outcome.reason or "")
    if reaction is None:
        raise Failure(f"the Brand has refused the message: {outcome.reason or 'no reason given'}")
    return reaction(agent, turn, draft, outcome)


def take_unauthorized(
    agent: "PersonalAgent", turn: Turn, draft: Draft, outcome: Unauthorized
) -> Said:
    """Renew a delegation token that was refused (§5.5).

    Raises:
        Failure: the agent's own JWT was refused; no other one would fare better (§3.4).
    """
    if outcome.invalid_token and draft.grant is not None:
        return agent.delegation.renew_refused(agent, turn, draft)
    raise Failure("the Provider does not let the agent in (401)")


def take_failure(_agent: "PersonalAgent", _turn: Turn, _draft: Draft, outcome: Failed) -> Said:
    """Give up.

    Raises:
        Failure: always.
    """
    raise Failure(outcome.why)


def start_anew(agent: "PersonalAgent", turn: Turn, draft: Draft, outcome: Refused) -> Said:
    """Begin a new conversation, with the same text, where the old one was closed (§4.2).

    Raises:
        Failure: there was none to be closed, or a new one is refused too.
    """
    if draft.context_id is None or turn.started_anew:
        raise Failure(f"the Brand has refused the message: {outcome.reason}")
    turn.started_anew = True
    agent.drop_context(agent, turn)
    return agent.take_turn(agent, turn)


def context_of(
    _agent: "PersonalAgent", _relation: Relation, conversation: Conversation
) -> str | None:
    """Return the `contextId` to send: what the last reply has brought, None at first (§4.2)."""
    return conversation.context_id


def keep_context(_agent: "PersonalAgent", turn: Turn, context_id: str | None) -> None:
    """Keep a `contextId` as it is."""
    if context_id is not None:
        turn.conversation.context_id = context_id


def drop_context(_agent: "PersonalAgent", turn: Turn) -> None:
    """Let the conversation begin anew."""
    turn.conversation.context_id = None
