"""Another personal agent and another Brand, with the contextId of a User's conversation (§4.2).

None of this is a turn unless somebody is let in. What a tester has not given is left out here: the
owner goes on all the same, and the check that looks for it says what to set.
"""

from pact_conformance.journal.answer import Answer
from pact_conformance.rig import Rig, conversation
from pact_conformance.subject.provider import Provider
from pact_conformance.verdicts import Unsettled

from .conversations import CONTINUATION, Turn, id_of_strangers
from .repeats import repeat

ASKED = "What did I ask before?"


def ask_for(
    provider: Provider, user: str, context_id: str, message_id: str | None = None
) -> Answer:
    """Write to a conversation that is not this User's here: it has to be refused."""
    return provider.send(ASKED, user=user, context_id=context_id, message_id=message_id, turn=False)


@conversation(turns=0)
def refused_to_another_agent(pact_rig: Rig, continued: Turn, retried: object) -> Answer | None:
    """Another personal agent names the context, for a User with the same `sub`."""
    del retried
    try:
        other = pact_rig.other_caller
    except Unsettled:
        return None
    provider = pact_rig.provider_of(pact_rig.card, other)
    return ask_for(provider, continued.user, continued.context_id, id_of_strangers(continued))


@conversation(turns=0)
def refused_at_another_brand(pact_rig: Rig, continued: Turn, retried: object) -> Answer | None:
    """The owner names the context at another Brand."""
    del retried
    try:
        provider = pact_rig.other_provider
    except Unsettled:
        return None
    return ask_for(provider, continued.user, continued.context_id, id_of_strangers(continued))


@conversation(turns=0)
def owners_retry(
    provider: Provider,
    continued: Turn,
    refused_to_a_stranger: Answer,
    refused_to_another_agent: Answer | None,
    refused_at_another_brand: Answer | None,
) -> Answer:
    """The owner repeats a message in the conversation that was refused to all others."""
    del refused_to_a_stranger, refused_to_another_agent, refused_at_another_brand
    return repeat(provider, continued, CONTINUATION, continued.context_id)
