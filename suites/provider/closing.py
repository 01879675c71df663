"""A conversation that is closed by hook, and what is said to it then (§4.2)."""

from collections.abc import Mapping
from dataclasses import dataclass

from pact_conformance.journal.answer import Answer
from pact_conformance.rig import conversation
from pact_conformance.subject.hooks import Hooks
from pact_conformance.subject.likes import some_like
from pact_conformance.subject.provider import Provider

from .conversations import Turn, say

OWNER = "closes"
STRANGER = "stranger-to-the-closed"


@dataclass(frozen=True)
class Closed:
    """A closed conversation and the answers to all who wrote to it."""

    opened: Turn
    owner: Answer
    stranger: Answer
    unknown: Mapping[str, Answer]
    """Answers to the same stranger about conversations that nobody has, by contextId."""
    afterwards: Turn
    """The owner's next message without contextId."""


@conversation(turns=2)
def closed(provider: Provider, hooks: Hooks, opening: Turn) -> Closed:
    """A User's conversation is closed; then its owner and a stranger write to it."""
    hooks.need("close_conversation")
    opening.must_be_served()
    opened = say(provider, OWNER)
    caller = provider.caller
    hooks.call(
        "close_conversation",
        issuer=caller.issuer,
        sub=caller.user(OWNER),
        contextId=opened.context_id,
    )
    return Closed(
        opened=opened,
        owner=_write(provider, OWNER, opened.context_id),
        stranger=_write(provider, STRANGER, opened.context_id),
        unknown={it: _write(provider, STRANGER, it) for it in some_like(opened.context_id)},
        afterwards=say(provider, OWNER, "One more thing about that order."),
    )


def _write(provider: Provider, user: str, context_id: str) -> Answer:
    return provider.send("Are you still there?", user=user, context_id=context_id, turn=False)
