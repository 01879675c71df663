"""What flaws of conversations need to know of the message that is under way."""

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import replace

from pact_conformance.counterpart.flaws.under_delegation import around_delegation
from pact_conformance.counterpart.provider.brand_agent import Authority
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.conversations import Conversation, Owner
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import A2ARefusal

_AUTHORITY: ContextVar[Authority | None] = ContextVar("authority", default=None)


def remember_authority(provider: Provider) -> Callable[[], Authority | None]:
    """Return what gives the authority of the message that is being answered."""

    async def gate(_provider: Provider, call: Call, proceed: Callable[[], Awaitable[None]]) -> None:
        _AUTHORITY.set(None)
        await proceed()
        _AUTHORITY.set(call.authority)

    around_delegation(provider, gate)
    return _AUTHORITY.get


Admit = Callable[[Conversation, Submission, Owner], Conversation | None]
"""Is asked about a conversation that belongs to somebody else; None refuses."""


def admit_strangers(provider: Provider, admit: Admit) -> None:
    """Let `admit` say which conversations of others may be gone on with."""
    original = provider.conduct.conversation

    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        try:
            return original(provider, submission, owner)
        except A2ARefusal:
            known = provider.conversations.get(submission.context_id or "")
            admitted = None if known is None else admit(known, submission, owner)
            if admitted is None:
                raise
            return admitted

    provider.conduct = replace(provider.conduct, conversation=conversation)


Answer = Callable[[Conversation, Submission], object]


def change_stored(
    provider: Provider, change: Callable[[Conversation, Submission, Answer], object]
) -> None:
    """Let `change` say what is stored for a message; it is handed what says so by itself."""
    original = provider.conduct.stored_answer
    provider.conduct = replace(
        provider.conduct,
        stored_answer=lambda conversation, submission: change(conversation, submission, original),
    )
